"""An import from its begin to its end: what a path holds is read, handed to the daemon, and counted.

Called by `soulmem import`. Without a client it is a rehearsal: all is read and counted, and nothing is said to anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from soulmem.client import Client
from soulmem.interchange.formats import recognition
from soulmem.interchange.importing.graph_additions import GraphAdditions
from soulmem.interchange.importing.import_sources import Found, sources
from soulmem.interchange.importing.import_tally import Tally
from soulmem.interchange.importing.message_batches import MessageBatches
from soulmem.interchange.importing.note_additions import NoteAdditions
from soulmem.interchange.reading.byte_sources import UnreadableError
from soulmem.interchange.records import LeftOut, Noted, Observed, Persona, Record, Related, Said, Wishes, within


class ImportRun:
    """Reads one path; `told` is called whenever something was done, with the tally of it."""

    def __init__(
        self, client: Client | None, mind: str, wishes: Wishes, told: Callable[[Tally], None], *,
        recall: bool = False, ages: bool = False, replace_persona: bool = False,
    ) -> None:  # fmt: skip
        self.tally = Tally()
        self._wishes = wishes
        self._told: Callable[[], None] = lambda: told(self.tally)
        self._messages: MessageBatches | None = None
        self._notes: NoteAdditions | None = None
        self._graph: GraphAdditions | None = None
        if client is not None:
            self._messages = MessageBatches(client, mind, self.tally, recall=recall, ages=ages, told=self._told)
            self._notes = NoteAdditions(client, mind, self.tally, replace_persona=replace_persona)
            self._graph = GraphAdditions(client.path or None, mind, self.tally, self._told)

    def read(self, path: str, name: str | None) -> None:
        """Read what stands under a path. `name`: its format, where it was said.

        Raises UnreadableError: nothing can be read there; a file among others is left out instead.
        """
        for found in sources(path, name, self._wishes):
            if isinstance(found, LeftOut):
                self.tally.leave_out(found)
            else:
                self._read_source(found)
        self._end()

    def _read_source(self, found: Found) -> None:
        if self._messages is not None:
            self._messages.contiguous = found.format in recognition.CONTIGUOUS and self._wishes.conversation is None
        self.tally.source, self.tally.source_bytes, self.tally.read_bytes = found.source.name, found.source.size, 0
        self.tally.files[found.format] = self.tally.files.get(found.format, 0) + 1
        records: Iterator[Record] = recognition.READERS[found.format](found.source, self._wishes)
        if found.is_one_of_many:
            records = within(found.source.name, records)
        try:
            for record in records:
                self._take(record)
        except UnreadableError as error:
            if not found.is_one_of_many:
                self._end()
                raise
            self.tally.leave_out(LeftOut(found.source.name, str(error), is_fault=True))

    def _take(self, record: Record) -> None:
        match record:
            case LeftOut():
                self.tally.leave_out(record)
            case Said():
                self.tally.read += 1
                if isinstance(at := record.message.get("at"), str):
                    self.tally.oldest_at = min(at, self.tally.oldest_at or at)
                self.tally.read_bytes += record.size
                if self._messages is not None:
                    self._messages.add(record)
            case Noted():
                self.tally.notes_read += 1
                if self._notes is not None:
                    self._notes.add(record)
                    self._told()
            case Persona():
                self._become(record)
            case Observed() | Related():
                self.tally.notes_read += 1
                if self._graph is not None:
                    self._graph.add(record)

    def _become(self, persona: Persona) -> None:
        if self._notes is None:
            self.tally.persona = "read"
        else:
            self._notes.become(persona)

    def _end(self) -> None:
        if self._messages is not None and self._graph is not None:
            self._messages.end()
            self._graph.end()
