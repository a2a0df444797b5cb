"""Validity ranking: of what came to mind, what still holds comes first, and what does not is marked or left out.

Called at recall with the candidates, what is known of the end of each and what was said since. Pure. A question about
the past ("where did I live before", 以前住哪) finds what was so where it stands; a question as of a day finds what held
on that day. Invariants: what was taken back is told to nobody who asks; what ended never stands before what holds
instead of it, unless the past is asked for; nothing comes in that the client's filters keep out.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from soulmem.core.facts.topic_terms import Terms
from soulmem.core.facts.validity_intervals import Ending, interval_of, is_over, was_taken_back
from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.search.index_columns import ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.core.text.tokens import fold
from soulmem.core.text.word_file import read_rows
from soulmem.fast_dataclasses import dataclass

CURRENT = "current"  # the tier of what holds instead of what came to mind
_FITS = 0.9  # how well what says something of whom and of what is asked answers
_ANSWERS = 0.5  # the score that what says something of whom and of what is asked for has at least
_COMES_IN = 0.5  # of the best score: what ended brings what holds instead if it fits as well as that
_UNKNOWN = frozenset({"", "*", "when", "anew", "judged", "does"})  # relations of endings that no question names
_LESS_SURE = 0.15  # of a sure answer: by so much less may what holds instead of a part answer
_OVER = 0.5  # of the score of what holds no more that it keeps
_PAST = CaselessPattern(
    r"\b(?:used to|before|previously|formerly|former|originally|back then|at first|in the past|once|no longer|any ?more|ex|ex-\w+|old (?:job|flat|apartment|house|address|number|phone|home|place|boss|"
    r"school|car|company|employer|name)|last (?:job|flat|place|employer|company|boss|relationship)|earlier|prior|first (?:job|flat|home)|changed?|what happened (?:to|with)|history of)\b"
    r"|以前|之前|过去|曾经?|原来|从前|前任|上一[份个任家]|上一?份|旧的?|当时|那时|当初|最初|原先|前女友|前男友|前妻|前夫|老东家|换过|变化"
)


_AS_WELL = 0.8  # of the score and the fit of the first
_STANDS = CaselessPattern(
    r"\b(?:do|does|is|are|am|has|have|can|may|['’]s|['’]re|['’]m)\b|(?<=what|here|when)s\b|[\u4e00-\u9fff]"
)
_HAPPENED = CaselessPattern(
    r"\b(?:did|was|were|had|been|ever|first|ago|yesterday|last|next|tomorrow|tonight|today|this|happened|when)\b"
    r"|过|了[吗没么？?]?|那[天次年]|时候|[哪几]天|几[号点月]|哪年|[上下][个周次]|第[一二三]|[昨前明后今]天|今[早晚]|去年|刚才|什么时"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """How a question stands to time: `at` when it is asked, or as of when; `past`: it asks for what was."""

    at: int
    past: bool = False
    is_as_of: bool = False
    leaves_out: bool = False  # what holds no more is not wanted at all, unless it is asked for
    relations: frozenset[str] = frozenset()  # what is asked for (`relations_asked`); empty: that is not known


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one candidate: when it was told or happened, since when it holds, and what ended it."""

    at: int
    valid_from: int | None = None
    endings: tuple[Ending, ...] = ()
    successors: tuple[tuple[str, ItemRef], ...] = ()  # of each relation what holds instead, or says that it is over
    is_asked: bool = True  # where a part of it is over, that part is what the question is about
    is_surely_asked: bool = False  # and shares words with that part alone

    def is_behind(self, asked: Asked) -> bool:
        """Whether it stands behind what holds: it is over, or the part of it is that the question is about."""
        if self.is_over(asked):
            return True
        over = [each for each in self.endings if each.valid_to is None or each.valid_to <= asked.at]
        return self.is_asked and any(not asked.relations or each.relation in _UNKNOWN for each in over)

    def is_over(self, asked: Asked) -> bool:
        """Whether it holds no more, or what is asked for of it does not."""
        if is_over(self.endings, asked.at):
            return True
        return any(
            each.relation in asked.relations and each.valid_to is not None and each.valid_to <= asked.at
            for each in self.endings
        )

    def instead(self, asked: Asked) -> tuple[ItemRef, ...]:
        """What holds instead of what is asked for of it."""
        told = {relation for relation, _ in self.successors}
        wanted = told & asked.relations
        if len(told) > 1 and asked.relations and not wanted:
            return ()
        return tuple(ref for relation, ref in self.successors if not wanted or relation in wanted)


_ASKED = tuple(
    (frozenset(names.split()), CaselessPattern(pattern))
    for names, pattern in read_rows("core/reranking/relations_asked.txt", {})
)


def relations_asked(query: str) -> frozenset[str]:
    """Which relations a question is about, as far as its words tell."""
    text = query[:300]
    return frozenset(name for names, pattern in _ASKED if pattern.search(text) for name in names)


_ONESELF = CaselessPattern(
    r"\b(?:i|i['’]m|we|am i)\b|\bmy (?:new |current |old |own |former )?(?:home|address|job|work|employer|company|phone|mobile|cell|number|e-?mail|age|birthday|school|university|"
    r"girlfriend|boyfriend|partner|wife|husband|dog|cat|pets?|name|flat|place)\b"
    r"|我(?!们?的?(?:妈|爸|姐|妹|哥|弟|儿子|女儿|爷|奶|外公|外婆|朋友|同事|老板|室友|领导|邻居|同学|闺蜜))"
)


def subjects_asked(query: str, subjects: Iterable[str], asker: str) -> list[str]:
    """Of whom a question asks, among those something is known of: who is named, what is the asker's, the asker."""
    text = f" {fold(query[:300])} "
    found = []
    for subject in subjects:
        owner, _, thing = subject.rpartition("›")
        if (owner and _stands_in(thing, text) and (owner == asker or _stands_in(owner, text))) or (
            not owner and subject != asker and _stands_in(subject, text)
        ):
            found.append(subject)
    return found or ([asker] if asker and _ONESELF.search(text) else [])


def _stands_in(name: str, text: str) -> bool:
    if not name.isascii():
        return name in text
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def asks_past(query: str) -> bool:
    return _PAST.search(query[:500]) is not None


def arranged(
    hits: Sequence[Hit],
    known: Mapping[ItemRef, Known],
    asked: Asked,
    admitted: Collection[ItemRef],
    answers: Collection[ItemRef] = (),
) -> tuple[list[Hit], frozenset[ItemRef]]:
    """The candidates in their new order, and those among them that hold no more.

    Args:
        admitted: successors that may come in although nothing brought them to mind.
        answers: what says something of whom and of what is asked for, whatever its words are.
    """
    kept = [hit for hit in hits if _may_be_told(known.get(_ref(hit)), asked)]
    answer = {_ref(hit): hit.channels.get("answers") for hit in kept}
    over = {
        ref
        for ref, each in known.items()
        if each.is_behind(asked)
        and (each.is_over(asked) or each.is_surely_asked or _says_as_much(each.instead(asked), ref, answer))
    }
    left_out = asked.leaves_out and not asked.past
    gone = {ref for ref in over if known[ref].is_over(asked)} if left_out else set[ItemRef]()
    left = [hit for hit in kept if _ref(hit) not in gone]
    told = [
        ref
        for ref in answers
        if (ref in over) is asked.past and ref not in gone and _may_be_told(known.get(ref), asked)
    ]
    if not over and not told:
        return left, frozenset()
    if asked.past:
        return _with_answers(left, told), frozenset(over)
    scores = {_ref(hit): hit.score for hit in kept}
    raised = {ref: score for ref, score in scores.items() if ref not in over}
    best = max(scores.values(), default=0.0)
    fits = {_ref(hit): hit.fit for hit in kept}  # what holds answers the question as well as what it took the place of
    for ref, score in scores.items():
        for successor in _current(ref, known, over, asked) if ref in over else ():
            if successor in raised or (successor in admitted and score >= _COMES_IN * best):
                raised[successor] = max(raised.get(successor, 0.0), score)
                fits[successor] = max(fits.get(successor, 0.0), fits[ref])
    found = {_ref(hit): hit._replace(fit=fits[_ref(hit)]) for hit in left} | {
        ref: Hit(*ref, score, {}, CURRENT, fits[ref]) for ref, score in raised.items() if ref not in scores
    }
    again = [
        hit._replace(score=round(raised[ref] if ref in raised else _lowered(scores[ref], known[ref], raised, asked), 6))
        for ref, hit in found.items()
    ]
    return _with_answers(sorted(again, key=lambda hit: (-hit.score, _ref(hit) in over)), told), frozenset(over)


@dataclass(frozen=True, slots=True)
class ToldThen:
    """Who said an item and when (with the number of its message), and the words of its topic."""

    speaker: str
    told: tuple[int, int]
    words: Terms


def asks_standing(query: str) -> bool:
    """Whether a question asks how things stand ("how does she do at maths", 她数学怎么样), and not what happened."""
    return not asks_past(query) and _STANDS.search(query[:300]) is not None and _HAPPENED.search(query[:300]) is None


def later_first(hits: Sequence[Hit], told: Mapping[ItemRef, ToldThen], asked: Terms) -> list[Hit]:
    """The candidates with the latest in front of those that say as much of what is asked how it stands.

    Of several statements of one speaker that have the same words of the question (`asked`) and fit about as well, the
    last one tells how it stands, though nobody said that anything changed. `told`: of the first few candidates.
    """
    if len(hits) < 2 or (first := told.get(_ref(hits[0]))) is None or not (said := first.words & asked):
        return list(hits)
    latest, front = first.told, None
    for hit in hits[1:]:
        other = told.get(_ref(hit))
        if other is None or hit.score < _AS_WELL * hits[0].score or hit.fit < _AS_WELL * hits[0].fit:
            continue
        if other.speaker == first.speaker and other.told > latest and other.words & asked >= said:
            latest, front = other.told, hit
    if front is None:
        return list(hits)
    raised = front._replace(score=hits[0].score, fit=max(front.fit, hits[0].fit))
    return [raised, *(hit for hit in hits if hit is not front)]


def _with_answers(hits: Sequence[Hit], answers: Collection[ItemRef]) -> list[Hit]:
    """The candidates with what answers the question in front, in the order in which it came to mind."""
    if not answers:
        return list(hits)
    best = max([_ANSWERS, *(hit.score for hit in hits)])
    first = [hit._replace(score=best, fit=max(hit.fit, _FITS)) for hit in hits if _ref(hit) in answers]
    held = {_ref(hit) for hit in first}
    first += [Hit(*ref, best, {}, CURRENT, _FITS) for ref in answers if ref not in held]
    return first + [hit for hit in hits if _ref(hit) not in held]


def _says_as_much(successors: Iterable[ItemRef], ref: ItemRef, answers: Mapping[ItemRef, float | None]) -> bool:
    """Whether something that holds instead of a part answers about as surely as the whole, as far as that was read.

    Else the question is about another part of it: of "rent is 105; they paint on the 28th" the new day of the painter
    tells nobody the rent.
    """
    own = answers.get(ref)
    return own is None or any((answers.get(each) or 0.0) >= own - _LESS_SURE for each in successors)


def _may_be_told(known: Known | None, asked: Asked) -> bool:
    if known is None:
        return True
    if was_taken_back(known.endings):
        return False
    if not asked.is_as_of:
        return True
    return known.at <= asked.at and interval_of(known.valid_from, known.endings).holds_at(asked.at)


def _current(ref: ItemRef, known: Mapping[ItemRef, Known], over: Collection[ItemRef], asked: Asked) -> set[ItemRef]:
    """What holds instead of something, through what held in between."""
    seen, ends, ahead = {ref}, set[ItemRef](), [ref]
    while ahead:
        each = known.get(ahead.pop())
        for successor in each.instead(asked) if each is not None else ():
            if successor not in seen:
                seen.add(successor)
                if successor in over:
                    ahead.append(successor)
                else:
                    ends.add(successor)
    return ends


def _lowered(score: float, known: Known, standing: Mapping[ItemRef, float], asked: Asked) -> float:
    instead = [standing[each] for each in known.instead(asked) if each in standing]
    return min([_OVER * score, *(0.9 * each for each in instead)])


def _ref(hit: Hit) -> ItemRef:
    return hit.kind, hit.key
