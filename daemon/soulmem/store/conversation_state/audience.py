"""Scope on disk: the homes of notes, who spoke where, and the clause that keeps a query within an audience.

Owns no table. `Speakers` is read once from the messages when a scoped mind is first asked and then follows every
commit, so that no recall looks through them again; so does `NoteHomes`, which knows where each note was heard. `Scope`
is what one call may see; the store's readers of notes and
links take it, and what lies outside it is to them as if it were not there: the same rows, the same errors, the same
counts. `WHOLE` is the owner's view.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from soulmem.core.schema.audience import Audience, may_surface
from soulmem.core.search.relevance_scoring import speaker_key
from soulmem.fast_dataclasses import dataclass
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

_MOST_AUDIENCES = 32  # whose hidden notes are known at once
_ABROAD = "NOT IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True)
class Scope:
    """What one call may see: all of the mind (`audience` None), or what was heard in some conversations.

    `witnesses`: the conversations that may know of the call (`core.schema.audience.witnesses`).
    """

    audience: Audience | None = None
    witnesses: Audience = frozenset()

    def notes(self, alias: str) -> tuple[str, tuple[str, ...]]:
        """A condition on the notes of a query, and its values."""
        if self.audience is None:
            return "TRUE", ()
        listed = json.dumps(sorted(self.audience))
        hidden = (
            f"({alias}.conversation IS NOT NULL AND {alias}.conversation {_ABROAD}) OR EXISTS (SELECT 1 "
            f"FROM note_source s JOIN message m ON m.id = s.message WHERE s.note = {alias}.id "
            f"AND m.conversation {_ABROAD}) OR ({alias}.kind = 'reflection' AND EXISTS (SELECT 1 "
            f"FROM reflection_home h WHERE h.note = {alias}.id AND h.conversation {_ABROAD}))"
        )
        return f"NOT ({hidden})", (listed, listed, listed)

    def links(self, alias: str) -> tuple[str, tuple[str, ...]]:
        """A condition on the links of a query, and its values: both of their notes may surface."""
        if self.audience is None:
            return "TRUE", ()
        clause, values = self.notes("o")
        ends = f"o.id IN ({alias}.src, {alias}.dst)"
        return f"NOT EXISTS (SELECT 1 FROM note o WHERE {ends} AND NOT ({clause}))", values

    def items(self, kind: str, row: str) -> tuple[str, tuple[str, ...]]:
        """A condition on the notes or messages whose numbers stand in a column, and its values."""
        if self.audience is None:
            return "TRUE", ()
        if kind == "note":
            clause, values = self.notes("o")
            return f"EXISTS (SELECT 1 FROM note o WHERE o.id = {row} AND {clause})", values
        listed = json.dumps(sorted(self.audience))
        return f"NOT EXISTS (SELECT 1 FROM message o WHERE o.id = {row} AND o.conversation {_ABROAD})", (listed,)

    def within(self, connection: Connection, kind: str, items: Iterable[int]) -> set[int]:
        """Those of the notes, messages or summaries that this call may see."""
        asked = set(items)
        if self.audience is None or not asked:
            return asked
        if kind == "summary":  # its number is that of its conversation
            return asked & self.audience
        clause, values = self.items(kind, "i.value")
        rows = connection.execute(
            f"SELECT i.value FROM json_each(?) i WHERE {clause}", (json.dumps(sorted(asked)), *values)
        )
        return {row[0] for row in rows}

    def may_surface(self, connection: Connection, notes: Iterable[int]) -> set[int]:
        """Those of the notes that this call may see; links lead to no other."""
        return self.within(connection, "note", notes)

    def may_mark(self, connection: Connection, notes: Iterable[int]) -> set[int]:
        """Those of the notes that may show what happened in front of this call: whoever sees them may know of it."""
        asked = set(notes)
        if self.audience is None or not asked:
            return asked
        heard = homes(connection, sorted(asked))
        return {note for note in asked if not self.witnesses.isdisjoint(heard.get(note, ()))}

    def may_mark_links(self, connection: Connection, links: Iterable[int]) -> set[int]:
        """Those of the links, likewise: who sees a link sees both of its notes, so one of them is enough."""
        asked = set(links)
        if self.audience is None or not asked:
            return asked
        rows = connection.execute(
            f"SELECT id, src, dst FROM link WHERE id {AMONG}", (listed(sorted(asked)),)
        ).fetchall()
        marked = self.may_mark(connection, {end for _, *ends in rows for end in ends})
        return {link for link, src, dst in rows if src in marked or dst in marked}


WHOLE = Scope()


class Speakers:
    """Who spoke as a user in each conversation of one mind, by `speaker_key`; complete once it was loaded."""

    def __init__(self) -> None:
        self.by_conversation: dict[int, set[str]] = {}
        self.is_loaded = False
        self.version = 0  # grows when somebody is new somewhere

    def take(self, spoken: Iterable[tuple[int, str]]) -> None:
        """Take in what the messages say; what was heard while they were read stays."""
        for conversation, speaker in spoken:
            self.heard(conversation, speaker)
        self.is_loaded = True

    def heard(self, conversation: int, speaker: str) -> None:
        """Somebody spoke; called after the commit of each message of a user."""
        there = self.by_conversation.setdefault(conversation, set())
        name = speaker_key(speaker)
        if name not in there:
            there.add(name)
            self.version += 1


class NoteHomes:
    """Where each living note of one mind was heard, triggers included; complete once it was loaded.

    Invariant: what it hides from an audience are the living notes that `Scope.notes` shuts out, after every commit.
    """

    def __init__(self) -> None:
        self._homes: dict[int, frozenset[int]] = {}
        self._alike: dict[frozenset[int], frozenset[int]] = {}  # notes of one talk share their homes
        self._hidden: dict[Audience, set[int]] = {}
        self._told: dict[Audience, frozenset[int]] = {}  # the same, for whoever asks, until something changes
        self._late: dict[int, frozenset[int] | None] | None = None  # what changes while it is loaded
        self.is_loaded = False

    def begin(self) -> None:
        """What changes from now on is kept until `take`."""
        self._late = {} if self._late is None else self._late

    def take(self, found: Mapping[int, frozenset[int]]) -> None:
        """Take in the homes of all living notes; what changed while they were read has the last word."""
        if self.is_loaded:
            return
        for note, homes in {**found, **(self._late or {})}.items():
            self._put(note, homes)
        self._late, self.is_loaded = None, True

    def follow(self, living: Iterable[int], gone: Iterable[int], homes: Mapping[int, frozenset[int]]) -> None:
        """These notes were touched by a commit: some are alive, with these homes or none, the others are gone."""
        changed: dict[int, frozenset[int] | None] = dict.fromkeys(gone)
        changed |= {note: homes.get(note) for note in living}
        if not self.is_loaded:
            if self._late is not None:
                self._late |= changed
            return
        for note, each in changed.items():
            self._put(note, each)

    def hidden_from(self, audience: Audience) -> frozenset[int]:
        """The living notes that do not exist for an audience."""
        if audience not in self._told:
            if audience not in self._hidden:
                if len(self._hidden) >= _MOST_AUDIENCES:
                    self._hidden, self._told = {}, {}
                self._hidden[audience] = {n for n, homes in self._homes.items() if not may_surface(homes, audience)}
            self._told[audience] = frozenset(self._hidden[audience])
        return self._told[audience]

    def _put(self, note: int, homes: frozenset[int] | None) -> None:
        """`homes` None or empty: it is common, or gone."""
        if homes:
            self._homes[note] = self._alike.setdefault(homes, homes)
        else:
            self._homes.pop(note, None)
        for audience, hidden in self._hidden.items():
            is_hidden = homes is not None and not may_surface(homes, audience)
            if is_hidden != (note in hidden):
                (hidden.add if is_hidden else hidden.discard)(note)
                self._told.pop(audience, None)


def spoken(connection: Connection) -> list[tuple[int, str]]:
    """Every (conversation, speaker) of the messages of users, those taken back included: they were there."""
    return connection.execute("SELECT DISTINCT conversation, speaker FROM message WHERE role = 'user'").fetchall()


def living_homes(connection: Connection) -> dict[int, frozenset[int]]:
    """The conversations that each living note was heard in; common notes are left out."""
    living = {row[0] for row in connection.execute("SELECT id FROM note WHERE lifecycle <> 'forgotten'")}
    return {note: there for note, there in homes(connection).items() if note in living}


def homes(connection: Connection, ids: Sequence[int] | None = None) -> dict[int, frozenset[int]]:
    """The conversations that each note was heard in (all of them, if `ids` is None); common notes are left out."""
    chosen = "" if ids is None else "AND {} IN (SELECT value FROM json_each(?))"
    values = () if ids is None else (json.dumps(list(ids)),)
    found: defaultdict[int, set[int]] = defaultdict(set)
    # Plain walks: a UNION would sort all of it first.
    for query, note_column in (
        ("SELECT n.id, n.conversation FROM note n WHERE n.conversation IS NOT NULL", "n.id"),
        ("SELECT s.note, m.conversation FROM note_source s JOIN message m ON m.id = s.message WHERE TRUE", "s.note"),
        ("SELECT h.note, h.conversation FROM reflection_home h WHERE TRUE", "h.note"),
    ):
        for note, conversation in connection.execute(f"{query} {chosen.format(note_column)}", values):
            found[note].add(conversation)
    return {note: frozenset(conversations) for note, conversations in found.items()}
