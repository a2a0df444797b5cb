"""Features of change: what of two statements tells whether the later one leaves the earlier one standing.

Called by `change_probability` for parts of an earlier statement and of a later one; `benchmarks/changes/changes.py` fits what each
feature weighs (`change_tone`). They come in two parts: whether both are of one matter (the same person,
shared words, the same kind of value), and whether the later one replaces the other (words of change, the tone of
telling news, a value that differs, a negation on one side alone). No feature names what people talk about. Pure; every
feature is finite, most lie between 0 and 1.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import re
from collections.abc import Sequence

from soulmem.core.changes import change_words as words
from soulmem.core.changes.change_clauses import Clause
from soulmem.core.changes.change_owners import OTHER, SELF, is_one
from soulmem.core.changes.change_tone import tone_of
from soulmem.core.changes.change_values import WHEN, Value, ValueKind
from soulmem.core.facts.topic_terms import Terms, is_concept, matter_of, weight
from soulmem.core.regex.lazy_regex import KeptCaseless
from soulmem.text_memo import text_memo

NAMES = (
    "shared", "shared_much", "shared_first", "concepts", "named", "only_named", "same_owner", "other_owner",
    "new_person", "value_differs", "differs_shared", "differs_alone", "value_alike", "value_only_new",
    "ended_shared", "opposed", "tone", "tone_shared", "tone_named",
    "once", "long",
)  # fmt: skip
_ONCE = KeptCaseless(
    r"\b(?:today|tonight|yesterday|this (?:time|morning|afternoon|evening|week|month)|last (?:night|week)|once|for once"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|at the weekend|first time)\b"
    r"|今天|今早|今晚|今儿|昨天|昨晚|前天|这次|这周|这两天|这个月|这几天|周末|那天|有一次|一回|头一回|上次"
)
# "Leo's friend", 豆豆的同桌, 小艾她哥: somebody else, told of by whom they belong to; and what somebody is quoted with.
OF_ANOTHER = KeptCaseless(
    r"['’]s (?:\w+ )?(?:friend|mate|brother|sister|mum|mom|mother|dad|father|son|daughter|wife|husband|boyfriend|girlfriend|"
    r"partner|kid|boss|neighbou?r|cousin|aunt|uncle|teacher|colleague|flatmate|roommate|nephew|niece|grandson|granddaughter|ex|in-laws?)s?\b|\b(?:my|our|the) (?:other|second)\b"
    r"|\b(?:neighbou?rs|friends|parents)['’]|[的她他](?:同桌|同学|朋友|战友|同事|邻居|室友|老师|[爸妈哥姐弟妹]|女朋友|男朋友|女友|男友|老公|老婆|对象|儿子|女儿|领导|闺蜜)"
    r"|\b(?:an? (?:\w+ )?(?:man|woman|guy|bloke|lad|lady|girl|boy|couple|friend|colleague|customer|client|patient)|someone|somebody|people) (?:\w+ ){0,4}who\b"
    r"|^(?:half|most|all|some)(?: of)? (?:the|my|our) (?:class|team|office|group|lads|girls|street|village|year)\b|^(?:everyone|everybody|people)\b|^(?:(?:a|my|some) )?(?:mate|pal|bloke|lad|guy|fella)s? (?:down|at|from|in|next|over)\b"
    r"|邻居家|别人家|人家|隔壁(?:床|桌|班|宿舍|寝室|组|屋|单元|老[\u4e00-\u9fff])|邻床"
)
QUOTED = KeptCaseless(
    r"\b(?:say|says|said|saying|told \w+(?: \w+){0,3}),? ?[“\"'‘]|说[:：,，]?[“\"「『]|\b(?:always|keeps?) say(?:s|ing)\b"
)
_OPENING = 2  # words that stand first
_LEAST_SAID = 1.0  # weight of the words of a topic


def features(new: Sequence[Clause], old: Sequence[Clause], at_ms: tuple[int, int] = (0, 0)) -> tuple[float, ...]:
    """The features of a later and an earlier sentence, in the order of `NAMES`.

    Args:
        new: the clauses of the later one that are said to be so, neither asked nor supposed; at least one.
        at_ms: when the later and the earlier one were told.
    """
    said, known = _joined(new), _joined(old)
    terms, old_terms = _terms(new), _terms(old)
    values = [value for each in new for value in each.values]
    known_values = [value for each in old for value in each.values]
    differs, alike = _compared(values, known_values)
    if differs and weight(terms) < _LEAST_SAID:  # "it's Thursday now": what it is of stands before
        terms = terms.union(*(each.before for each in new[:1]))
    shared = weight(terms & old_terms)
    both = terms & old_terms
    least = max(min(weight(terms), weight(old_terms)), 1.0)
    first = {term for term in both if _stands_first(term, new)}
    concepts = sum(map(is_concept, _matter(said, at_ms[0]) & _matter(known, at_ms[1])))
    owner, whose = new[0].owner, old[0].whose
    people = frozenset[str]().union(*(each.people | each.owner for each in new)) - {SELF, OTHER}
    held = frozenset[str]().union(*(each.people | each.owner for each in old)) - {SELF, OTHER}
    over = [each for clause in new for each in clause.over]
    every = frozenset[str]().union(*(each.every for each in old))
    tone = tone_of(said)
    much = min(shared / least, 1.0)
    named = bool(people) and is_one(people, held)
    return (
        min(shared, 3.0) / 3.0,
        much,
        float(bool(first)),
        min(concepts, 2) / 2.0,
        float(named),
        float(named and not shared),
        float(bool(owner) and is_one(owner, whose)),
        float(bool(owner - {OTHER}) and bool(whose) and not is_one(owner, whose)),
        float(bool(people - held) and not is_one(people, held)),
        float(differs),
        float(differs) * min(shared, 1.0),
        float(differs) * max(0.0, 1.0 - weight(terms) / 3.0),
        float(alike and not differs),
        float(bool(values) and not known_values),
        float(any(weight(each & every) >= words.LEAST for each in over)),
        float(_is_opposed(said, known)),
        tone,
        tone * min(shared, 1.0),
        tone * named,
        float(_ONCE.search(said) is not None),
        min(weight(terms - old_terms), 8.0) / 8.0,
    )


def _joined(clauses: Sequence[Clause]) -> str:
    return ", ".join(each.said for each in clauses)


def _terms(clauses: Sequence[Clause]) -> Terms:
    return frozenset[str]().union(*(each.terms for each in clauses))


@text_memo(2_048)
def _matter(text: str, at_ms: int) -> frozenset[str]:
    return matter_of(text, at_ms)


def _stands_first(term: str, clauses: Sequence[Clause]) -> bool:
    """Whether a word is what a clause begins with: what is spoken of stands first, above all in Chinese."""
    plain = term.lstrip("=")
    for each in clauses:
        head = each.said.casefold()
        head = head[:6] if not plain.isascii() else " ".join(re.findall(r"[\w'’]+", head)[: _OPENING + 1])
        if plain in head:
            return True
    return False


def _compared(values: Sequence[Value], known: Sequence[Value]) -> tuple[bool, bool]:
    """Whether a value of one kind differs, and whether one is the same."""
    pairs = [(value, other) for value in values for other in known if value.is_of(other)]
    alike = any(value.same(other) for value, other in pairs)
    differs = any(
        not value.same(other)
        and (value.kind is not ValueKind.NUMBER or value.unit == other.unit or not (value.unit and other.unit))
        for value, other in pairs
        if value.kind is other.kind or {value.kind, other.kind} <= WHEN
    )
    return differs and not alike, alike


def _is_opposed(said: str, known: str) -> bool:
    return any(
        (one.search(said) and other.search(known)) or (other.search(said) and one.search(known))
        for _, one, other in words.OPPOSITES
    )
