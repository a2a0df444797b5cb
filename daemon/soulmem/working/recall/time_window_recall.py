"""Timely: a question about a stretch of time is answered by what happened then (`core.questions.time_questions`).

Called by `recall` before its choice. What was told around that time, and what was told in answer to the question's own
words, is read as it shows, and its dates say whether it belongs there. Of a note its own time is when it happened.
Bounds: as many items are looked at as `_SAID` and `_NOTED` say.
Invariants: nothing that the client's filters keep out; what a mask hides
says neither when nor what.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from soulmem.core.grounding.small_talk import is_courtesy
from soulmem.core.plans.plan_items import PlanStatus
from soulmem.core.questions.event_times import Belonging, belongs, goes_somewhere, is_event, tells_deed
from soulmem.core.questions.question_concepts import ASKED
from soulmem.core.questions.question_detection import only_asks
from soulmem.core.questions.time_questions import TimeAsked, asks_intent
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.fast_dataclasses import dataclass
from soulmem.store.plans.plan_rows import PlanItem
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed
from soulmem.working.planning import planned_recall

_SAID = 40  # messages that are looked at, whatever the size of the mind
_NOTED = 24  # notes
_AHEAD = 8  # of these, that lie at another time and may name this one
_MOST_INSIDE = 500  # notes of that time among which those that words found are looked for
_SAID_SO = 0.95  # the fit of what dates itself there, and of a note that happened then
_TOLD_THEN = 0.75  # of what was merely told then
_ANSWERS = 0.35  # the fit by its words from which on something is what was asked for of that time
_IN_OTHER_WORDS, _OPEN = 0.5, 3  # the fit of what happened on a day of which something is asked in no words of it
_ON_THE_DAY = frozenset({Belonging.SAYS_SO, Belonging.HAPPENED})
_ELSEWHEN = 0.6  # of the fit, taken off where nothing happened in the time that is asked about,
_FEW_PARTS = 2  # and that is most of what is asked: of a question of many parts it is one of them
_LONG = 0.5  # of that, for a month or a year: it is often told of before or after, and only some of it is looked at
_ALWAYS = ((-(2**62), 2**62),)
_BELOW = 0.5  # of the least rank score of what happened then
_FARTHER = 0.9  # of the rank score, for each place farther down a list


@dataclass(frozen=True, slots=True)
class _Told:
    """One item as it shows. `role`: of a message; "" of a note. `told_ms`: when that was said or written down."""

    at_ms: int
    text: str
    role: str
    told_ms: int
    is_fact: bool = False


@dataclass(frozen=True, slots=True)
class _Placed:
    """An item that belongs to the time: how that is known, when it happened or was told, whether it is but a plan for
    what is over, or how things stood.
    """

    how: Belonging
    at_ms: int
    is_plan: bool
    is_state: bool
    is_aside: bool = False  # it is asked where somebody went, and it says nothing of that
    tells: bool = True  # it may tell the deed that is asked of


async def in_time(memory: OpenMind, query: Query, asked: TimeAsked, hits: list[Hit]) -> list[Hit]:
    """What happened in the time that is asked about; whatever else fits only below it, where words ask for it."""
    first = await timely(memory, query, asked, hits)
    if asked.is_list:
        return first
    if first and not (asked.is_short or asked.is_of_plans):  # the words say more of what is meant than the time
        return hits
    known = {(hit.kind, hit.key) for hit in first}
    others = [hit for hit in hits if (hit.kind, hit.key) not in known]
    if not first:
        if not _is_known(memory, query, asked):
            refs = [(hit.kind, hit.key) for hit in others]
            apart = await memory.database.read(_dated, refs) if asked.is_past else frozenset[ItemRef]()
            return [hit._replace(fit=_before_all(hit, apart)) for hit in others]
        return [hit._replace(fit=max(0.0, hit.fit - elsewhen(asked))) for hit in others]
    best = max((hit.score for hit in others), default=0.0) or 1.0
    least = first[-1].score
    return [*first, *(hit._replace(score=_BELOW * least * hit.score / best) for hit in others)]


async def timely(memory: OpenMind, query: Query, asked: TimeAsked, hits: Sequence[Hit]) -> list[Hit]:
    """What happened in the time that is asked about: in its order where all that is wanted, else best first."""
    index = memory.index
    refs = [(hit.kind, hit.key) for hit in hits]
    if index is not None:  # what words found comes first, as far as it lies there
        noted = index.around(query, ItemKind.NOTE, asked.periods, _MOST_INSIDE)
        inside = set(noted)
        notes = [*(ref for ref in refs if ref in inside), *noted[: _NOTED - _AHEAD]]
        # What is planned for that time was noted before it, and names it.
        notes += [ref for ref in refs if ref[0] is ItemKind.NOTE and ref not in inside][:_AHEAD]
        said = [ref for ref in refs if ref[0] is ItemKind.MESSAGE][: _SAID // 2]
        said += index.around(query, ItemKind.MESSAGE, asked.reach(), _SAID)
        refs = [*dict.fromkeys(said)][:_SAID] + [*dict.fromkeys(notes)][:_NOTED]
    else:
        refs = refs[: _SAID + _NOTED]
    intended = await planned_recall.planned(memory, query, asked)
    plans = {(ItemKind.NOTE, each.note): each for each in intended.items}
    apart = {(ItemKind.NOTE, note) for note in intended.all_there}
    found = await memory.database.read(_belonging, [ref for ref in refs if ref not in apart], asked)
    found |= {ref: _planned(each, asked) for ref, each in plans.items()}
    if not found:
        return []
    known = {(hit.kind, hit.key): hit for hit in hits}
    if asked.is_list:
        ordered = sorted(found, key=lambda ref: (_turn(found[ref]), ref))
        fits = {ref: _TOLD_THEN if found[ref].how is Belonging.TOLD else _SAID_SO for ref in ordered}
    else:
        words = replace(query, question=replace(query.question, units=asked.units, periods=()))
        own = dict[ItemRef, float]()
        for kind in (ItemKind.MESSAGE, ItemKind.NOTE):
            keys = [key for each, key in found if each is kind]
            if index is not None and keys:
                own |= {(kind, key): fit for key, fit in index.fits_of(words, kind, keys).items()}
        fits = {ref: 0.5 + 0.5 * fit for ref in found if (fit := own.get(ref, 0.0)) >= _ANSWERS}
        fits |= {
            ref: _SAID_SO
            for ref, each in plans.items()
            if asked.is_of_plans or planned_recall.is_named(each, memory, asked)
        }
        if not fits.keys() & plans.keys() and asks_intent(asked.text):  # in no words of what was intended
            fits |= dict.fromkeys(plans, _SAID_SO)
        if not fits and asked.is_open:  # in other words, mostly: 昨天猫闯了什么祸
            then = [ref for ref, each in found.items() if each.how in _ON_THE_DAY and each.tells]
            fits = dict.fromkeys(sorted(then, key=lambda ref: (_turn(found[ref]), ref))[:_OPEN], _IN_OTHER_WORDS)
        ordered = sorted(fits, key=lambda ref: (-round(fits[ref], 2), _turn(found[ref]), ref))
    ranked, score = [], 1.0
    for ref in ordered:
        hit = known.get(ref, Hit(*ref, 0.0))
        ranked.append(hit._replace(score=round(score, 6), fit=fits[ref], channels={**hit.channels, "time": 1.0}))
        score *= _FARTHER
    return ranked


def elsewhen(asked: TimeAsked) -> float:
    """How much worse anything else fits, where nothing happened in the time that is asked about."""
    parts = int(np.count_nonzero(asked.units.weights >= ASKED))
    return _ELSEWHEN * _FEW_PARTS / max(_FEW_PARTS, parts) * (1.0 if asked.is_short else _LONG)


def _is_known(memory: OpenMind, query: Query, asked: TimeAsked) -> bool:
    """Whether anything was told before the time that is asked about was over."""
    until = max((end for _, end in asked.periods), default=0)
    return memory.index is None or bool(memory.index.around(query, ItemKind.MESSAGE, ((0, until),), 1))


def _before_all(hit: Hit, apart: Collection[ItemRef]) -> float:
    """How well something fits where all was told after the time that is asked about: of that, only what dates itself
    there tells for certain, and what names another time (`apart`) tells nothing."""
    return 0.0 if (hit.kind, hit.key) in apart else max(0.0, hit.fit - _ELSEWHEN)


def _dated(connection: Connection, refs: Sequence[ItemRef]) -> frozenset[ItemRef]:
    """Those of the items that say when what they tell happened."""
    says = {Belonging.SAYS_SO, Belonging.ROUGHLY}
    return frozenset(
        ref
        for ref, told in _read(connection, refs).items()
        if belongs(told.text, told.at_ms, _ALWAYS, dated=ref[0] is ItemKind.NOTE) in says
    )


def _turn(found: _Placed) -> tuple[bool, Belonging, bool, bool, int]:
    """What comes before what: what says where, if that is asked, the surest, what became of a time before what was
    planned for it, deeds before how things stood, then as it was told.
    """
    return found.is_aside, found.how, found.is_plan, found.is_state, found.at_ms


def _planned(item: PlanItem, asked: TimeAsked) -> _Placed:
    """A plan for that time: what was not done of it is no deed."""
    is_plan = asked.is_past and item.stored is not PlanStatus.DONE
    return _Placed(Belonging.SAYS_SO, item.start_ms, is_plan=is_plan, is_state=False)


def _belonging(connection: Connection, refs: Sequence[ItemRef], asked: TimeAsked) -> dict[ItemRef, _Placed]:
    """Those of the items that belong to the time."""
    found: dict[ItemRef, _Placed] = {}
    began = min(start for start, _ in asked.periods)
    for ref, told in _read(connection, refs).items():
        if told.role == "assistant" or only_asks(told.text) or (told.role and is_courtesy(told.text)):
            continue
        is_note = ref[0] is ItemKind.NOTE
        known = belongs(told.text, told.at_ms, asked.periods, dated=is_note, from_ms=asked.from_ms)
        if known is Belonging.HAPPENED and told.is_fact and not is_event(told.text):
            continue  # it was so before it was told, and after
        if known is not None:
            is_plan = asked.is_past and told.told_ms < began
            is_state = known is not Belonging.SAYS_SO and not is_event(told.text)
            is_aside = asked.is_where and not goes_somewhere(told.text)
            found[ref] = _Placed(
                known,
                told.at_ms,
                is_plan=is_plan,
                is_state=is_state,
                is_aside=is_aside,
                tells=tells_deed(asked.text, told.text),
            )
    return found


def _read(connection: Connection, refs: Sequence[ItemRef]) -> Mapping[ItemRef, _Told]:
    noted = [key for kind, key in refs if kind is ItemKind.NOTE]
    said = [key for kind, key in refs if kind is ItemKind.MESSAGE]
    found = dict[ItemRef, _Told]()
    if noted:
        for note, at, text, told, is_fact, is_advice in connection.execute(
            "SELECT id, coalesce(shown_at, at), coalesce(shown, text), created_at, kind = 'semantic', "
            "EXISTS (SELECT 1 FROM note_source s WHERE s.note = n.id) AND NOT EXISTS (SELECT 1 FROM note_source s "
            "JOIN message m ON m.id = s.message WHERE s.note = n.id AND m.role <> 'assistant') "
            f"FROM note n WHERE id {AMONG} AND kind <> 'reflection'",  # which is of no one time
            (listed(noted),),
        ):
            found[ItemKind.NOTE, note] = _Told(at, text, "assistant" if is_advice else "", told, bool(is_fact))
    if said:
        for message, at, text, role in connection.execute(
            f"SELECT id, at, content, role FROM message WHERE id {AMONG}", (listed(said),)
        ):
            found[ItemKind.MESSAGE, message] = _Told(at, text, role, at)
    return found
