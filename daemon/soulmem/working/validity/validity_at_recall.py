"""What still holds, at recall: what a mind knows to be over, and what the talk that is not digested yet says of it.

Called by `rerank` before it chooses, in the same look at the file. Digestion stores what ended
(`store.notes.note_validity`); until then what was just said counts: "I moved to Lisbon" in the window stands before the
note of Berlin. A correction in the window takes back what it corrects. Nothing is stored here. Invariants: only what
this call may see ends anything for it; at most `MOST_SAID` messages are read, each once while it stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from soulmem.core.calendar.iso8601 import to_iso
from soulmem.core.facts.fact_reader import readings_of
from soulmem.core.facts.topic_terms import Terms, terms_in
from soulmem.core.facts.validity_intervals import CORRECT, Ending, first_end, interval_of, marked, marked_earlier
from soulmem.core.reranking.validity_ranking import (
    Asked,
    Known,
    ToldThen,
    arranged,
    asks_past,
    asks_standing,
    later_first,
    relations_asked,
)
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.fast_dataclasses import dataclass
from soulmem.ports import FloatVector
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.notes import note_validity
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id
from soulmem.store.views import undigested_talk
from soulmem.store.views.undigested_talk import Said
from soulmem.working.validity.asked_subjects import asked_subjects
from soulmem.working.validity.undigested_changes import AboutEnded, about_ended
from soulmem.working.validity.undigested_endings import NOTHING_OVER, OverByTalk, ended_by_talk, over_by_talk

MOST_SAID = 60  # undigested messages that are looked at, the latest
_MOST_HITS = 60
_MOST_COMPARED = 15  # of these the first, which are held against changes told in any words: such pairs cost the most
_MOST_STANDING = 5  # candidates of which the latest may stand in front
_MOST_SUBJECTS = 3
_MOST_ANSWERS = 4
_LONGEST_CHAIN = 3  # of what ended by what ended

Admits = Callable[[Connection, ItemKind, Sequence[int]], Collection[int]]


@dataclass(frozen=True, slots=True)
class Mark:
    """That an item, or a part of it, holds no more: what ended it, and what holds instead.

    `later`: nothing ended it, but this was told later and answers the same question (`told_earlier`); its id, and how
    `sure` that is, in logits.
    """

    endings: tuple[Ending, ...]
    valid_from: int | None
    instead: ItemRef | None
    at: int
    later: str | None = None
    sure: float = 0.0

    def text(self, text: str) -> str:
        return marked(text, self.endings, self.at) if self.later is None else marked_earlier(text)

    @property
    def superseded_by(self) -> str | None:
        """The note that holds instead; a message that was not digested yet has no such id."""
        return (
            public_id("n", self.instead[1]) if self.instead is not None and self.instead[0] is ItemKind.NOTE else None
        )

    @property
    def valid_to(self) -> int | None:
        """When the whole of it ended."""
        ended = first_end([each for each in self.endings if each.valid_to is None or each.valid_to <= self.at])
        return interval_of(self.valid_from, [ended]).valid_to if ended is not None else None


@dataclass(frozen=True, slots=True)
class Settled:
    """What came to mind, with what holds first; `marks` of what does not; `talk`: what is not digested yet."""

    hits: list[Hit]
    marks: Mapping[ItemRef, Mark] = field(default_factory=dict)
    talk: Sequence[Said] = ()


@dataclass(slots=True)
class _Looked:
    """What was read for one recall."""

    endings: dict[int, tuple[Ending, ...]] = field(default_factory=dict)
    since: dict[int, int] = field(default_factory=dict)
    talk: list[Said] = field(default_factory=list)
    over: OverByTalk = NOTHING_OVER  # what the talk says to be over
    items: dict[ItemRef, Said] = field(default_factory=dict)
    made: dict[int, list[int]] = field(default_factory=dict)  # the notes that messages became
    anew: dict[int, int] = field(
        default_factory=dict
    )  # messages that said something by mistake, and what tells it anew
    subjects: list[str] = field(default_factory=list)  # of whom is asked
    answers: list[int] = field(default_factory=list)  # notes that say something of whom and of what is asked for

    def refs(self, hits: Sequence[Hit]) -> list[ItemRef]:
        """The candidates, and behind them the notes of which something is known."""
        noted = ((ItemKind.NOTE, note) for note in (*self.endings, *self.answers))
        return list(dict.fromkeys([*((hit.kind, hit.key) for hit in hits), *noted]))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known of what holds no more, and nothing answers by its relation."""
        may_answer = self.answers or (self.talk and self.subjects)
        return not (self.endings or self.items or self.anew or may_answer)


@dataclass(frozen=True, slots=True)
class ValidityCheck:
    """One question, as what still holds is told from what does not.

    `before`: the message that asks, by (conversation, seq): it ends nothing, and nothing after it does. `leaves_out`:
    what holds no more is not wanted, unless the question is about the past.
    """

    query: str
    scope: Scope
    admits: Admits
    now: int
    as_of: int | None = None
    before: tuple[int, int] | None = None
    conversation: str | None = None
    leaves_out: bool = False
    asker: str = ""
    vector: FloatVector | None = None  # of the question, where the embedder could read it
    fingerprint: str = ""

    def settled(self, connection: Connection, hits: Sequence[Hit]) -> Settled:
        """What still holds of what came to mind first, what does not behind it and marked."""
        hits = self._latest_first(connection, hits)
        looked_at = list(hits[:_MOST_HITS])
        relations = relations_asked(self.query)
        looked = self._look(connection, looked_at, relations)
        if looked.is_empty:
            return Settled(list(hits), talk=looked.talk)
        known, answers = _known(looked_at, looked, relations, terms_in(self.query, ()))
        if not known and not answers:
            return Settled(list(hits), talk=looked.talk)
        asked = Asked(
            self.now if self.as_of is None else self.as_of,
            past=asks_past(self.query),
            is_as_of=self.as_of is not None,
            leaves_out=self.leaves_out,
            relations=relations,
        )
        present = {(hit.kind, hit.key) for hit in hits}
        absent = ({each for one in known.values() for _, each in one.successors} | set(answers)) - present
        admitted: set[ItemRef] = set()
        for kind in (ItemKind.NOTE, ItemKind.MESSAGE):
            keys = sorted(key for each, key in absent if each is kind)
            admitted |= {(kind, key) for key in self.admits(connection, kind, keys)} if keys else set()
        answers = [ref for ref in answers if ref in admitted or ref in present]
        ordered, over = arranged(looked_at, known, asked, admitted, answers)
        marks = {
            (hit.kind, hit.key): Mark(
                found.endings, found.valid_from, next((each for _, each in found.successors), None), asked.at
            )
            for hit in ordered
            if (found := known.get((hit.kind, hit.key))) is not None and found.endings
        }
        if asked.is_as_of:
            marks = {ref: mark for ref, mark in marks.items() if ref in over}
        return Settled(ordered + list(hits[_MOST_HITS:]), marks, looked.talk)

    def _latest_first(self, connection: Connection, hits: Sequence[Hit]) -> Sequence[Hit]:
        """The candidates, with the latest of the first few in front where they say the same of how things stand."""
        if self.as_of is not None or not asks_standing(self.query):
            return hits
        near = [hit for hit in hits[:_MOST_STANDING] if hit.kind in {ItemKind.NOTE, ItemKind.MESSAGE}]
        said = undigested_talk.notes(connection, [hit.key for hit in near if hit.kind is ItemKind.NOTE])
        said |= undigested_talk.messages(connection, [hit.key for hit in near if hit.kind is ItemKind.MESSAGE])
        told = {ref: ToldThen(each.speaker, each.told, terms_in(each.text, ())) for ref, each in said.items()}
        return later_first(hits, told, terms_in(self.query, ()))

    def _look(self, connection: Connection, hits: Sequence[Hit], relations: frozenset[str]) -> _Looked:
        found = _Looked()
        if relations:
            found.subjects = asked_subjects(connection, self.query, relations, self.conversation, self.scope)
            for subject in found.subjects[:_MOST_SUBJECTS]:
                claiming = note_validity.claiming(connection, subject, sorted(relations), self.scope)
                found.answers += claiming[:_MOST_ANSWERS]
        noted = list(dict.fromkeys([*(hit.key for hit in hits if hit.kind is ItemKind.NOTE), *found.answers]))
        spoken = [hit.key for hit in hits if hit.kind is ItemKind.MESSAGE]
        if spoken:
            found.anew = note_validity.told_anew(connection, spoken)
            found.made = note_validity.resting_on(connection, spoken)
            noted += sorted({note for made in found.made.values() for note in made}.difference(noted))
        found.endings = note_validity.endings(connection, noted, self.scope)
        found.since = note_validity.beginnings(connection, noted)
        # What ended is followed to what holds: that may have ended too.
        ahead = {each.by for all_of in found.endings.values() for each in all_of} - found.endings.keys()
        for _ in range(_LONGEST_CHAIN):
            if not ahead:
                break
            more = note_validity.endings(connection, sorted(ahead), self.scope)
            found.endings |= more
            ahead = {each.by for all_of in more.values() for each in all_of} - found.endings.keys()
        found.talk = undigested_talk.undigested(connection, MOST_SAID, self.scope, until=self.as_of, before=self.before)
        found.over = over_by_talk(connection, found.talk)
        in_part = [note for note, all_of in found.endings.items() if not any(each.whole for each in all_of)]
        if found.over or self.as_of is not None:
            found.items = undigested_talk.notes(connection, noted) | undigested_talk.messages(connection, spoken)
        elif in_part:
            found.items = undigested_talk.notes(connection, in_part)
        if found.over.changes.talk:
            compared = found.refs(hits)[:_MOST_COMPARED]
            led = {ref: found.items[ref] for ref in compared if ref in found.items}
            found.items |= undigested_talk.with_before(connection, led)
        return found


def marked_item(item: dict[str, Any], mark: Mark | None) -> dict[str, Any]:
    """An item as the protocol shows it, with a word of what of it holds no more and until when it did."""
    if mark is None:
        return item
    if mark.later is not None:
        return {**item, "text": mark.text(item["text"]), "later": mark.later}
    return {
        **item,
        "text": mark.text(item["text"]),
        "valid_from": to_iso(mark.valid_from) if mark.valid_from is not None else None,
        "valid_to": to_iso(mark.valid_to) if mark.valid_to is not None else None,
        "superseded_by": mark.superseded_by,
    }


def marked_lines(lines: Mapping[tuple[str, int], str], marks: Mapping[ItemRef, Mark]) -> dict[tuple[str, int], str]:
    """The lines of a prompt, with the same words."""
    told = {(kind.value, key): mark for (kind, key), mark in marks.items()}
    return {ref: told[ref].text(line) if ref in told else line for ref, line in lines.items()}


def _known(
    hits: Sequence[Hit], looked: _Looked, relations: frozenset[str], asked: Terms
) -> tuple[dict[ItemRef, Known], list[ItemRef]]:
    """What is known of the end of each candidate, in the file and from the talk; and what says what is asked for.

    `asked`: the words of what is asked for.
    """
    known: dict[ItemRef, Known] = {}
    answers = [
        (ItemKind.MESSAGE, each.row)
        for each in reversed(looked.talk if looked.subjects else ())
        if any(
            one.relation in relations and one.subject in looked.subjects for one in readings_of(each.text, each.speaker)
        )
    ][:_MOST_ANSWERS]
    answers += [(ItemKind.NOTE, note) for note in looked.answers]
    for place, ref in enumerate(looked.refs(hits)):
        endings = looked.endings.get(ref[1], ()) if ref[0] is ItemKind.NOTE else _of_what_it_became(ref[1], looked)
        successors = [(each.relation, (ItemKind.NOTE, each.by)) for each in endings if each.by]
        item = looked.items.get(ref)
        if item is not None:
            more = ended_by_talk(ref, item, looked.over, in_any_words=place < _MOST_COMPARED)
            endings += tuple(each for each, _ in more)
            successors = [(ended.relation, by) for ended, by in more] + successors
        since = looked.since.get(ref[1]) if ref[0] is ItemKind.NOTE else None
        if endings or item is not None:
            about = AboutEnded(True, False)
            if item is not None:
                about = about_ended(asked, item.text, endings, item.speaker)
            known[ref] = Known(
                item.at if item is not None else 0, since, endings, tuple(dict.fromkeys(successors)), *about
            )
    return known, answers


def _of_what_it_became(message: int, looked: _Looked) -> tuple[Ending, ...]:
    """What ended of a message that is digested: what ended of the notes that it became."""
    if message in looked.anew:
        return (Ending(looked.anew[message], CORRECT, None, 0),)
    found = {note: looked.endings.get(note, ()) for note in looked.made.get(message, ())}
    by = {each.by for endings in found.values() for each in endings}
    own = {note: endings for note, endings in found.items() if note not in by}
    whole = bool(own) and all(first_end(endings) is not None for endings in own.values())
    return tuple(replace(each, whole=whole) for endings in own.values() for each in endings)
