"""Answer check: whether the texts that came to mind have what the question asks for (`core.search.answer_type`).

Called by both rankings of recall when it is known which items are at hand: their texts are read as they show, and how
well each answers (`Hit.fit`) is told anew. Read-only. Invariants: what a mask hides answers nothing, though a note is
still of what it was of; a question whose wording tells nothing of its answer leaves every fit as it is; no more texts
are read than decide how sure a recall is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from soulmem.core.facts.fact_reader import in_first_person, readings_of
from soulmem.core.questions.asked.asked_form import Form
from soulmem.core.questions.asked.asked_owner import asks_held, tells_loss
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.reranking import answer_ranking, standing_wishes
from soulmem.core.reranking.validity_ranking import asks_past, relations_asked
from soulmem.core.search.answer_kind import asked_unit, is_of_kinds, kinds_of
from soulmem.core.search.answer_type import Calls, Meets, asks_of_speaker, meets, read_calls
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.core.search.relevance_scoring import Question
from soulmem.core.search.score_calibration import LOOKED_AT, MIDDLE, capped, is_bare, known, read_fit, scores
from soulmem.core.text.passage_weights import told_share
from soulmem.fast_dataclasses import dataclass
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed
from soulmem.store.views import undigested_talk
from soulmem.working.validity.validity_at_recall import Mark

_SURE = MIDDLE + 0.3  # the fit from which on something says what is asked of the asker's own, not only like things
_LOOKED_FAR = 30
_UNFIT = 0.5  # of the rank score of what does not answer at all
# How something once was, which stays so whatever was told later.
_ONCE = LazyPattern(
    r"\b(?:used to|as a (?:kid|child|boy|girl)|back then|years ago|when (?:i|we|he|she) (?:was|were)|before)\b"
    r"|小时候|以前|当年|那时候|从前|过去",
    re.IGNORECASE,
)
_OWN = frozenset(("lexical", "dense"))  # the channels of what words or its vector speak for
_LINKED = "association"  # the channel of what links brought: what was learnt may outrank what it says itself


@dataclass(frozen=True, slots=True)
class Asking:
    """A question by its wording; `asker`: who puts it, "" for whoever spoke last in the `conversation`.

    `by_name`: the same with the names of the asker's kin (`working.recall.kin_aliases`); "" where none is known.
    `ranks`: whether what answers best comes first; not where all of a time or of a kind is asked for.
    """

    text: str
    asker: str = ""
    conversation: str | None = None
    by_name: str = ""
    ranks: bool = True


@dataclass(frozen=True, slots=True)
class _Read:
    """What the text of an item says of a question: how it meets it, whether it is a reply, whether it only asks.

    `at`: when it was told; `was`: it tells how something once was; `gone`: it is asked what somebody has, and it tells
    that he has something no more; `share`: how much of a note one statement is, 1 of a turn. `has_rest`: only a part of
    it is over, and what is left has what is asked for; `tells`: it says how that stands of somebody, in words that are
    known (`core.facts.fact_reader`).
    """

    met: Meets
    is_reply: bool
    asks: bool
    at: int
    was: bool
    gone: bool
    share: float
    has_rest: bool = False
    tells: bool = False


def asking_of(
    question: Question, text: str, asker: str, conversation: str | None, by_name: str = "", *, ranks: bool = True
) -> Asking | None:
    """How answers to a question are told by their texts; None where it says too little, or no one text answers it."""
    if question.compares:
        return None
    also = by_name if by_name != text else ""
    ranks = ranks and not question.wants_replies  # who asks what was said to him wants the reply
    is_read = question.units.tells or bool(kinds_of(text)) or read_calls(text, asker).form is Form.NAME
    return Asking(text, asker, conversation, also, ranks) if is_read else None


def answered(
    connection: Connection, hits: Sequence[Hit], asking: Asking, marks: Mapping[ItemRef, Mark]
) -> tuple[list[Hit], Mapping[ItemRef, Mark]]:
    """The items, the first of them with their fit as their texts have it, what answers best before the others; and the
    marks that stay.

    Where the question asks what a thing of the asker's is called, how old somebody is, or what he cannot, what says so
    comes first; what only would be, or only says a name, comes last. So does what is of another kind than what is asked
    for, where something is of that kind. What only links brought keeps its place.

    `marks`: what holds no more, and what came instead: of these it is known which comes first. Where only its time told
    that an answer took another's place, and it says far less of what is asked, it did not.
    """
    asker = asking.asker or undigested_talk.speaker(connection, asking.conversation)
    calls = read_calls(asking.text, asker)
    wordings = (calls, read_calls(asking.by_name, asker)) if asking.by_name else (calls,)
    if not any(each.asks_anything for each in wordings):
        return list(hits), marks
    most = _LOOKED_FAR if calls.form is Form.AGE else LOOKED_AT  # an age says little of itself but by its form
    looked = [hit for hit in hits[:most] if hit.fit > 0 or calls.form is Form.AGE]
    read = _read(connection, looked, wordings, marks)
    told = [
        hit._replace(fit=read_fit(hit.fit, found.met)) if (found := read.get((hit.kind, hit.key))) is not None else hit
        for hit in hits
    ]
    outdone = _outdone(told, read, marks)
    marks = {ref: mark for ref, mark in marks.items() if ref not in outdone}
    meant = {ref: mark for ref, mark in marks.items() if not _is_of_another_part(ref, mark, read)}
    settled = meant.keys() | {mark.instead for mark in meant.values() if mark.instead is not None}
    if asking.ranks:
        asks_once = asks_past(asking.text) or _tells_once(asking.text)
        told = _best_first(told, read, meant, outdone, asks_once=asks_once)
    return _in_turn(told, read, calls, settled), marks


def _is_of_another_part(ref: ItemRef, mark: Mark, read: Mapping[ItemRef, _Read]) -> bool:
    """Whether only a part of an item is over, and not the one that has what is asked for: her trade, not her nights.

    What came instead of that part says nothing of the kind that is asked for.
    """
    own, other = read.get(ref), read.get(mark.instead) if mark.instead is not None else None
    return (
        own is not None
        and other is not None
        and own.has_rest
        and (other.met.other_kind or other.met.form < 0 or (own.tells and not other.tells))
    )


def _tells_of(text: str, speaker: str, relations: Collection[str]) -> bool:
    return bool(relations) and any(each.holds and each.relation in relations for each in readings_of(text, speaker))


def _is_in_part(mark: Mark) -> bool:
    return mark.later is None and not any(each.whole for each in mark.endings)


def _rest(text: str, speaker: str, mark: Mark) -> str:
    """What is left of a text of which a part is over; empty where that part is told in other words."""
    told = in_first_person(text, speaker) if speaker else text
    left = told
    for said in {each.said for each in mark.endings} - {""}:
        left = re.sub(re.escape(said), " ", left, flags=re.IGNORECASE)
    return left if left != told else ""


def _outdone(
    hits: Sequence[Hit], read: Mapping[ItemRef, _Read], marks: Mapping[ItemRef, Mark]
) -> Mapping[ItemRef, ItemRef]:
    """The answers that say far more of what is asked than what was told later and seemed to take their place; that."""
    rivals = {ref: mark for ref, mark in marks.items() if mark.later is not None}
    if not rivals:
        return {}
    known = {ref: _evidence(hit, found) for hit in hits if (found := read.get(ref := (hit.kind, hit.key))) is not None}
    return {
        ref: mark.instead
        for ref, mark in rivals.items()
        if ref in known
        and mark.instead in known
        and answer_ranking.says_far_more(known[ref], known[mark.instead], mark.sure)
    }


def _evidence(hit: Hit, found: _Read, share: float = 0.0, later: float = 0.0) -> answer_ranking.Evidence:
    answers = hit.channels.get("answers", 0.0)
    return answer_ranking.evidence(
        share, answers, hit.covers, hit.fit, found.met, is_reply=found.is_reply, asks=found.asks, later=later
    )


def _best_first(
    hits: Sequence[Hit],
    read: Mapping[ItemRef, _Read],
    marks: Mapping[ItemRef, Mark],
    outdone: Mapping[ItemRef, ItemRef],
    *,
    asks_once: bool,
) -> list[Hit]:
    """The items that were read and have evidence of their own in the order of how they answer; scores keep falling.

    What came instead of what holds no more stands before it, however little it says. `asks_once`: how something once
    was is asked, so that what was told last says no more than the rest.
    """
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    places = {(hit.kind, hit.key): place for place, hit in enumerate(hits)}
    pairs = [
        (places[ref], places[mark.instead])
        for ref, mark in marks.items()
        if ref in places and mark.instead in places and ref != mark.instead
    ]
    # Who asks for what was gets that first; it stands there by now (`working.validity.validity_at_recall`).
    pairs = [(max(pair), min(pair)) for pair in pairs] if asks_once else pairs
    known = {
        ref: found
        for ref, place in places.items()
        if (found := read.get(ref)) is not None and not hits[place].channels.keys().isdisjoint(_OWN)
    }
    # What is outdone says no more for being told later.
    told_later = answer_ranking.told_later([read[outdone.get(ref, ref)].at for ref in known])
    evidence = [
        _evidence(hits[places[ref]], found, hits[places[ref]].score / best, 0.0 if found.was or asks_once else rank)
        for (ref, found), rank in zip(known.items(), told_later, strict=True)
    ]
    told = answer_ranking.of_statements(evidence, [found.share for found in known.values()])
    odds = dict(zip((places[ref] for ref in known), told, strict=True))
    gone = {places[ref] for ref, found in known.items() if found.gone}
    likely = answer_ranking.lowered(odds, [pair for pair in pairs if pair[1] in gone])
    likely = answer_ranking.raised(likely, [pair for pair in pairs if pair[1] not in gone])
    moved = dict(zip(odds, sorted(odds, key=lambda place: -likely[place]), strict=True))
    linked = {place for place, hit in enumerate(hits) if _LINKED in hit.channels}
    beside = {place for place, hit in enumerate(hits) if hit.is_beside}
    order = answer_ranking.kept_in_front([moved.get(place, place) for place in range(len(hits))], linked, pairs)
    ordered = (hits[place] for place in answer_ranking.kept_in_front(order, beside, pairs))
    scores = sorted((hit.score for hit in hits), reverse=True)
    return [hit._replace(score=score) for hit, score in zip(ordered, scores, strict=True)]


def _tells_once(text: str) -> bool:
    return _ONCE.search(text) is not None


def by_worth(hits: Sequence[Hit]) -> list[Hit]:
    """The items of a ranking, the notes that answer far worse than others below them; scores keep falling.

    A rare word that a note shares with the question may have lifted it. A turn of talk may answer by those beside it,
    so it keeps its place, as does what links brought.
    """
    is_own = [hit.kind is ItemKind.NOTE and _LINKED not in hit.channels for hit in hits]
    own = (hit for hit, its_own in zip(hits, is_own, strict=True) if its_own)
    ordered = iter(sorted(own, key=lambda hit: -hit.score * (_UNFIT + (1 - _UNFIT) * known(hit.fit))))
    return [
        next(ordered)._replace(score=hit.score) if its_own else hit for hit, its_own in zip(hits, is_own, strict=True)
    ]


def calibrated(hits: Sequence[Hit], floor: float, *, asking: bool = False) -> list[Hit]:
    """Ranked items with scores that mean the same everywhere, without those below a floor.

    `asking`: they are to answer a question: then what says little of it is not as sure as what does.
    """
    if asking:  # a note that nothing speaks for comes last: neither words, nor likeness, nor a link
        hits = sorted(hits, key=_is_noise)
    told = scores(sorted((hit.score for hit in hits), reverse=True), [hit.fit for hit in hits])
    if asking:
        told = capped(told, [_own(hit) for hit in hits], [_is_noise(hit) for hit in hits])
    scored = [hit._replace(score=score) for hit, score in zip(hits, told, strict=True)]
    return [hit for hit in standing_wishes.lifted(scored) if hit.score >= floor]


def _own(hit: Hit) -> float | None:
    """The fit of an item; None of what links brought."""
    return None if _LINKED in hit.channels else hit.fit


def _is_noise(hit: Hit) -> bool:
    """Whether nothing speaks for a note. A turn of talk may answer by those beside it."""
    return hit.kind is ItemKind.NOTE and is_bare(_own(hit))


def _in_turn(
    hits: Sequence[Hit], read: Mapping[ItemRef, _Read], calls: Calls, settled: Collection[ItemRef]
) -> list[Hit]:
    """The items in the order of how they answer, where that is known better than by likeness; scores keep falling."""
    is_named = bool(calls.owned) and calls.form is Form.NAME  # "my cat's name": who else is called so is no cat
    is_known = bool(calls.things) and any(each.met.of_kind for each in read.values())
    in_unit = asked_unit(calls.asked) is not None  # 多少年 is answered by so many years
    turns: list[int] = []
    for place, hit in enumerate(hits):
        each = read.get((hit.kind, hit.key))
        if each is None:
            # Nothing goes behind what was not read, but for what only belongs to something, where others answer.
            is_linked = is_known and hit.channels.keys().isdisjoint(_OWN)
            turns.append(2 if is_linked or place >= LOOKED_AT else 1)
        else:
            found, stays = each.met, each.share < 1 or (hit.kind, hit.key) in settled  # a page is of many kinds
            beside = _is_beside(found, is_known, in_unit) and not stays
            first = found.cannot or found.exact or (is_named and hit.fit >= _SURE)
            turns.append(2 if found.unreal or found.only_a_name or beside else 0 if first else 1)
    if turns == sorted(turns):
        return list(hits)
    ordered = [hit for _, hit in sorted(zip(turns, hits, strict=True), key=lambda each: each[0])]
    scores = sorted((hit.score for hit in hits), reverse=True)
    return [hit._replace(score=score) for hit, score in zip(ordered, scores, strict=True)]


def _is_beside(found: Meets, is_known: bool, in_unit: bool) -> bool:
    """Whether a text lacks what is asked for, where other texts have it."""
    return (is_known and found.other_kind) or (in_unit and found.form < 0)


def _read(
    connection: Connection, hits: Sequence[Hit], wordings: Sequence[Calls], marks: Mapping[ItemRef, Mark]
) -> Mapping[ItemRef, _Read]:
    """How the texts meet the question, in the wording that they meet best: "my mum" may be Ruth in one of them."""
    known = {(hit.kind, hit.key): hit.fit for hit in hits}
    found: dict[ItemRef, _Read] = {}

    has, relations = asks_held(wordings[0].asked), relations_asked(wordings[0].asked)
    in_part = {ref for ref, mark in marks.items() if _is_in_part(mark)}
    concerned = in_part | {marks[ref].instead for ref in in_part}

    def best(ref: ItemRef, text: str, at: int, speaker: str, role: str = "", whole: str = "") -> _Read:
        each_met = [meets(calls, text, speaker, role) for calls in wordings]
        if whole:  # what it says of how much that is has faded: it still is what was told of that
            met_once = (meets(calls, whole, speaker, role) for calls in wordings)
            each_met += [replace(each, form=min(0, each.form), exact=False, of_kind=False) for each in met_once]
        met = max(each_met, key=lambda each: read_fit(known[ref], each))
        asks, gone = text.rstrip().endswith(("?", "？")), has and tells_loss(text)
        is_reply = role == "assistant" and not any(asks_of_speaker(calls, speaker, role) for calls in wordings)
        share = told_share(text) if ref[0] is ItemKind.NOTE else 1.0
        rest = _rest(text, speaker, marks[ref]) if ref in in_part else ""
        has_rest = bool(rest) and (
            _tells_of(rest, speaker, relations)
            or any(bool(each.things) and is_of_kinds(each.things, rest) for each in wordings)
            or any(each.form is not Form.ANY and meets(each, rest, speaker, role).form > 0 for each in wordings)
        )
        tells = ref in concerned and _tells_of(text, speaker, relations)
        return _Read(met, is_reply, asks, at, _tells_once(text), gone, share, has_rest, tells)

    notes = [key for kind, key in known if kind is ItemKind.NOTE]
    spoken = [key for kind, key in known if kind is ItemKind.MESSAGE]
    if notes:
        for note, text, at, speaker, whole in connection.execute(
            "SELECT id, coalesce(shown, text), at, coalesce(shown_speaker, speaker, ''), "
            f"CASE WHEN shown IS NULL THEN '' ELSE text END FROM note WHERE id {AMONG}",
            (listed(notes),),
        ):
            found[ItemKind.NOTE, note] = best((ItemKind.NOTE, note), text, at, speaker, whole=whole)
    if spoken:
        for message, text, at, speaker, role in connection.execute(
            f"SELECT id, content, at, coalesce(speaker, ''), role FROM message WHERE id {AMONG}", (listed(spoken),)
        ):
            found[ItemKind.MESSAGE, message] = best((ItemKind.MESSAGE, message), text, at, speaker, role)
    return found
