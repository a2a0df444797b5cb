"""What the talk that is not digested yet says to be over of what is remembered.

Called by `validity_at_recall` at recall: the readings of the talk, its corrections and its changes are gathered once,
and each item is held against them. Nothing is stored. Invariants: only what was said later ends anything; talk that
tells of no end, no change and no correction makes no item be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from soulmem.core.changes.supersession import Effect, effect_of, may_concern
from soulmem.core.facts.corrected_statements import takes_back
from soulmem.core.facts.fact_reader import readings_of
from soulmem.core.facts.relations import DOES, Mode, Reading, is_one
from soulmem.core.facts.spoken_corrections import correction_of
from soulmem.core.facts.validity_intervals import CORRECT, Ending
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.fast_dataclasses import dataclass
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views import undigested_talk
from soulmem.store.views.undigested_talk import Said
from soulmem.working.validity.undigested_changes import (
    UndigestedChanges,
    changing_talk,
    ended_by_changes,
    tells_of_change,
)


@dataclass(frozen=True, slots=True)
class OverByTalk:
    """What messages say to be over: by relation, as changes in any words, and messages that another corrects."""

    told: Mapping[str, Sequence[tuple[Said, Reading]]]
    changes: UndigestedChanges
    taken_back: Mapping[int, int]  # each with the message that corrects it

    def __bool__(self) -> bool:
        return bool(self.told or self.changes.talk or self.taken_back)


NOTHING_OVER = OverByTalk({}, UndigestedChanges((), {}, {}), {})


def over_by_talk(connection: Connection, talk: Sequence[Said]) -> OverByTalk:
    """What these messages, oldest first, say to be over. Only what tells of a change is read with what stands before
    it, so that it is known who "he" is.
    """
    if not talk:
        return NOTHING_OVER
    told: dict[str, list[tuple[Said, Reading]]] = {}
    for message in talk:
        for reading in readings_of(message.text, message.speaker):
            if _may_end(reading):
                told.setdefault(reading.relation, []).append((message, reading))
    changing = [each for each in talk if tells_of_change(each)]
    if changing:
        lines = undigested_talk.before(connection, [each.row for each in changing])
        changing = [replace(each, before=lines.get(each.row, "")) for each in changing]
    return OverByTalk(told, changing_talk(changing), _taken_back(talk))


def ended_by_talk(ref: ItemRef, item: Said, over: OverByTalk, *, in_any_words: bool) -> list[tuple[Ending, ItemRef]]:
    """What the messages make of an item, each ending with the message that says so.

    `in_any_words`: it is held against changes told in any words as well, which costs most.
    """
    found = _ended_by_readings(ref, item, over)
    if in_any_words and over.changes.talk:
        told = {each.said for each, _ in found}
        found += [(end, by) for end, by in ended_by_changes(ref, item, over.changes) if end.said not in told]
    return found


def _may_end(reading: Reading) -> bool:
    """Whether what is said may end something: it is no mere addition."""
    return reading.mode is not Mode.HOLDS or is_one(reading.relation)


def _ended_by_readings(ref: ItemRef, item: Said, over: OverByTalk) -> list[tuple[Ending, ItemRef]]:
    own = over.taken_back.get(ref[1]) if ref[0] is ItemKind.MESSAGE else None
    if own is not None:
        return [(Ending(own, CORRECT, None, item.told[0]), (ItemKind.MESSAGE, own))]
    told = over.told
    holding = [each for each in readings_of(item.text, item.speaker) if each.holds] if told else []
    ended: list[tuple[Effect, Reading, Said]] = []
    for old in holding:
        relations = told.keys() if old.relation == DOES else told.keys() & may_concern(old.relation)
        for relation in sorted(relations):
            for message, reading in told[relation]:
                if message.told > item.told and (ItemKind.MESSAGE, message.row) != ref:
                    effect = effect_of(reading, old)
                    if effect is not None and effect is not Effect.REINFORCE:
                        ended.append((effect, old, message))
    whole = {old for _, old, _ in ended} >= set(holding)
    return [
        (
            Ending(by.row, effect.value, by.told[0], by.told[0], old.relation, old.said, whole=whole),
            (ItemKind.MESSAGE, by.row),
        )
        for effect, old, by in sorted(ended, key=lambda each: each[2].told)
    ]


def _taken_back(talk: Sequence[Said]) -> dict[int, int]:
    """The messages that a later one of the same speaker corrects, each with that one."""
    found: dict[int, int] = {}
    in_order = sorted(talk, key=lambda each: each.told)
    for place, message in enumerate(in_order):
        correction = correction_of(message.text)
        if correction is None:
            continue
        own = message.speaker, message.conversation
        earlier = [each for each in in_order[:place] if (each.speaker, each.conversation) == own]
        for each in reversed(earlier[-correction.reach :]):
            if takes_back(each.text, correction, each.at):
                found[each.row] = message.row
                break
    return found
