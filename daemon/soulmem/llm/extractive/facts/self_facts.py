"""Facts about people: "I'm a nurse", "allergic to peanuts btw", 我对芒果过敏 and their like, Chinese and English.

A fact is (subject, relation, object) with the words it was read from. Patterns are strict: what is negated, asked,
wished or borrowed by a pronoun ("I love it") is no fact. A sentence that leaves out its subject is about its speaker;
facts about others are read by `third_person_facts`. Used by notes (semantic notes) and by the summary (a later fact of
an exclusive relation marks a change).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from soulmem.core.dates.date_parser import find_dates
from soulmem.core.names.self_introductions import introduced
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.regex.regex_prefilter import may_hold, signs_of
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.facts import chinese_self_facts, english_self_facts
from soulmem.llm.extractive.facts.third_person_facts import Person, facts_in
from soulmem.llm.extractive.language.content_words import lexicon_for
from soulmem.llm.extractive.language.sentence_splitter import Sentence

# Relations that hold one value at a time: a later one replaces the earlier.
EXCLUSIVE = frozenset(
    {"name", "lives_in", "occupation", "works_at", "age", "birthday", "status", "address", "phone", "email"}
)
MOST_FACTS = 5  # of one sentence


@dataclass(frozen=True, slots=True)
class Fact:
    """`text` is the whole statement ("Caroline likes pottery"); `quote` the words of the message it rests on."""

    subject: str
    relation: str
    object: str
    text: str
    quote: str
    is_change: bool = False


_CHANGE = CaselessPattern(
    r"\b(?:no longer|anymore|any more|now|actually|these days|moved|switched|quit|used to)\b"
    r"|不再|其实|现在|改|换|搬|以后|后来|不.{1,6}了"
)
_HYPOTHETICAL = CaselessPattern(
    r"\b(?:if|wish|would|['’]d|pretend|imagine|dreamt|as if|should)\b|如果|要是|假如|假装|但愿|梦见|是不是|会不会"
)
_CLAUSE_END = LazyPattern(r"[,.!?;:，。！？；：]\s*")
_CLAUSE_AHEAD = CaselessPattern(r"[,，、;；]\s*(?:and |but |so )?|\s(?:and|but)\s")
_MOST_CLAUSES = 8
_SUBJECT = {"am": "I'm ", "do": "I ", "was": "I was "}  # by what the fragment lacks
_VERBATIM = frozenset({"phone", "email", "address", "habit", "schedule", "medicine", "illness", "languages", "status"})
_QUOTED = LazyPattern(r"[\"“”「」]")


def facts_of(sentence: Sentence, speaker: str, before: tuple[Person, ...] = ()) -> tuple[Fact, ...]:
    """The facts a sentence states, at most five; none without a speaker's name.

    `before`: of whom the sentence before it speaks, for pronouns.
    """
    text = sentence.text
    if not speaker or sentence.is_question or sentence.is_aside or len(text) > 320:
        return ()
    chinese = sentence.language == "zh"
    found: dict[tuple[str, str], Fact] = {}
    taken: list[tuple[int, int]] = []
    for said, added, start in _readings(text, chinese=chinese):
        for pattern, relation, wording in _possible_chinese(said) if chinese else _possible_english(said):
            for match in pattern.finditer(said):
                if added and match.start():
                    continue  # of a clause without a subject its beginning is read, the rest was read before
                begin, end = start + max(0, match.start() - len(added)), start + match.end() - len(added)
                ahead = text[max(0, begin - 40) : begin]
                overlaps = any(begin < last and first < end for first, last in taken)
                if overlaps or _HYPOTHETICAL.search(ahead) or _QUOTED.search(ahead):
                    continue
                fact = _fact(match, relation, wording, speaker, said, chinese=chinese)
                if fact is not None:
                    found.setdefault(
                        (fact.relation, fact.object.lower()), replace(fact, quote=fact.quote[len(added) :])
                    )
                    told = said.rfind(fact.object, match.start(), match.end())
                    taken.append((begin, end - match.end() + told + len(fact.object) if told >= 0 else end))
    for read in facts_in(text, speaker, before, chinese=chinese):
        if not any(read.start < end and start < read.end for start, end in taken):
            fact = Fact(
                read.person.name,
                read.relation,
                read.object,
                read.text,
                text[read.start : read.end],
                is_change=_CHANGE.search(text) is not None,
            )
            found.setdefault((f"{fact.subject} {fact.relation}", fact.object.lower()), fact)
    is_named = any(fact.relation in {"name", "nickname"} for fact in found.values())
    if not is_named and (own := _own_name(text, speaker, chinese=chinese)) is not None:
        found[own.relation, own.object.lower()] = own
    # Whoever says the name that stands on his messages tells nothing new by it.
    news = (one for one in found.values() if one.relation != "name" or one.object.casefold() != speaker.casefold())
    return tuple(news)[:MOST_FACTS]


def _readings(text: str, *, chinese: bool) -> Iterator[tuple[str, str, int]]:
    """The sentence, and its clauses without a subject as if they had one: with what was added, and where they begin."""
    yield text, "", 0
    opener = lexicon_for("zh" if chinese else "en").openers.match(text)
    first = opener.end() if opener is not None else 0
    fragment = chinese_self_facts.FRAGMENT if chinese else english_self_facts.FRAGMENT
    own = chinese_self_facts.OWN if chinese else english_self_facts.OWN
    if own.match(text, first) is None and fragment.match(text, first) is None:
        return  # somebody else may be meant
    starts = [first, *(match.end() for match in _CLAUSE_AHEAD.finditer(text, first))]
    for start in starts[:_MOST_CLAUSES]:
        match = fragment.match(text, start)
        if chinese and start > first and chinese_self_facts.INTRODUCES.search(text, first, start):
            return
        if match is not None:
            added = chinese_self_facts.SELF if chinese else _SUBJECT[match.lastgroup or "do"]
            yield added + text[start:], added, start


def _own_name(text: str, speaker: str, *, chinese: bool) -> Fact | None:
    """With which name the speaker introduces himself, in whatever words and case."""
    name = introduced(text)
    if name is None or _HYPOTHETICAL.search(text, 0, name.start) or _QUOTED.search(text, 0, name.start):
        return None
    written = name.name.title() if name.name.isascii() and name.name.islower() else name.name
    said = f"{speaker}名叫{written}" if chinese else f"{speaker}'s name is {written}"
    start = max((match.end() for match in _CLAUSE_END.finditer(text, 0, name.start)), default=0)
    return Fact(speaker, "name", written, said, text[start : name.end])


def _possible_english(text: str) -> Iterator[tuple[LazyPattern, str, str]]:
    """The patterns that may match, in their order: most sentences have none of their words."""
    signs = signs_of(text)
    return (
        (found, relation, say) for found, needs, relation, say in english_self_facts.PATTERNS if may_hold(signs, needs)
    )


def _possible_chinese(text: str) -> tuple[tuple[LazyPattern, str, str], ...]:
    """All of them or none: every pattern holds the word for oneself."""
    return chinese_self_facts.PATTERNS if chinese_self_facts.SELF in text else ()


def _fact(match: re.Match[str], relation: str, wording: str, speaker: str, text: str, *, chinese: bool) -> Fact | None:
    raw, kin = match[match.re.groups], match[1] if match.re.groups > 1 else ""
    value = _chinese_object(raw, relation) if chinese else _english_object(raw, relation)
    if not value:
        return None
    named = value
    if relation == "pet" and kin and wording.startswith(("{s} has", "{s}养")):
        named = f"{kin}{value}" if chinese else f"{kin} named {value}"
        value = value if chinese else named
    if relation == "habit" and not chinese:
        value = _third(value)
    quote = text[match.start() : match.end(match.re.groups)]
    end = quote.rfind(raw) + len(raw)
    spoken = wording.format(s=speaker, o=value, k=kin)
    if not chinese and relation == "occupation" and value[0].lower() in "aeiou":
        spoken = spoken.replace(f" a {value}", f" an {value}")
    if not chinese and relation == "activity":
        verb = re.search(r"\b(play|collect)\b", match[0], re.IGNORECASE)
        spoken = f"{speaker} {verb[1].lower() if verb else 'play'}s {value}"
    tail = text[match.end() : match.end() + 12]
    lapsed = relation == "likes" and re.match(r"\s*(?:anymore|any more)", tail, re.IGNORECASE)
    return (
        None
        if lapsed
        else Fact(speaker, relation, named, spoken, quote[:end], is_change=_CHANGE.search(text) is not None)
    )


def _third(doing: str) -> str:
    """What somebody does, as it is told of him: "go climbing" becomes "goes climbing"."""
    verb, _, rest = doing.partition(" ")
    ending = "es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s"
    return f"{verb[:-1]}ies {rest}" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else f"{verb}{ending} {rest}"


def _english_object(raw: str, relation: str) -> str:
    if relation in _VERBATIM:
        return raw.strip(" ,'’-")
    value = raw.strip() if relation == "birthday" else english_self_facts.STOP_AT.sub("", raw.strip())
    if relation != "birthday" and (dates := find_dates(value, 0)):
        value = value[: dates[0].start].rstrip()
    value = re.sub(r"^(?:a |an )(?=.)", "", value) if relation in {"occupation", "allergic_to"} else value
    if relation in {"likes", "dislikes"} and value[:4].lower() == "the " and not value[4:5].isupper():
        return ""  # "the energy" of something said before
    value = re.sub(r"\b(?:my|our)\b", "their", value, flags=re.IGNORECASE).replace("myself", "themselves")
    if english_self_facts.NO_OBJECT.search(value) or len(value.split()) > 7 or not value[:1].isalnum():
        return ""
    return value.strip(" '’-")


def _chinese_object(raw: str, relation: str) -> str:
    if relation in _VERBATIM:
        return raw.strip(" ，")
    value = chinese_self_facts.TAIL.sub("", raw)
    return "" if not value or chinese_self_facts.NO_OBJECT.search(value) else value
