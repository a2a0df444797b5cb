"""Context layout: the blocks of a context, made of what came to mind and of what stands before it anyway.

Called by `dialogue_service` for every context. What is told beside the recalled notes is gathered here: which have
gaps, lie in the archive or were put together anew; of what a note was before nothing is said. Read-only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from soulmem.core.questions.question_detection import is_question
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit
from soulmem.core.text.tokens import wording_language
from soulmem.fast_dataclasses import dataclass
from soulmem.ports import Clock
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.messages import message_log
from soulmem.store.notes import note_rows
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id
from soulmem.store.views import faded_summary, rendered_notes, wire_views
from soulmem.store.views.attribute_matches import passing
from soulmem.store.views.faded_summary import Lost
from soulmem.working.notebook.reconstruction_service import with_gaps
from soulmem.working.planning import plan_lines
from soulmem.working.recall.basic_recall import BasicRecall
from soulmem.working.recall.graph_recall import Entry
from soulmem.working.recall.recall_request import Brought, RecallRequest
from soulmem.working.respond import prompt_context as contexts
from soulmem.working.respond.archive_lookup import ArchiveLookup
from soulmem.working.respond.prompt_context import Line
from soulmem.working.validity.validity_at_recall import marked_lines

_MOST = 4  # kinds that are told
_LINE = {
    "en": ("(Something has faded from memory: {}.)", "(Something has faded from memory.)", "; "),
    "zh": ("（有些事已经记不清了：{}。）", "（有些事已经记不清了。）", "；"),
}
_MARK = {"en": " (partly filled in since it was told)", "zh": "（其中有些是后来补上的）"}


class ContextLayout:
    """Lays out the contexts of one mind."""

    def __init__(
        self, memory: OpenMind, archive: ArchiveLookup, recalling: BasicRecall, now_exp: Callable[[], int], clock: Clock
    ) -> None:
        self._memory = memory
        self._archive = archive
        self._recalling = recalling
        self._now_exp = now_exp
        self._clock = clock

    def looking(self, brought: Brought, asked: RecallRequest | None, *, marks: bool) -> Callable[[Connection], Seen]:
        """A look at what came to mind; `marks`: what was rewritten is marked so."""
        scope = Scope(asked.audience) if asked is not None else WHOLE
        return partial(
            _look, brought=brought, now=self._clock.now_ms(), now_exp=self._now_exp(), scope=scope, marks=marks
        )

    async def blocks(
        self, material: contexts.Material, brought: Brought, max_tokens: int, asked: RecallRequest | None,
        seen: Seen | None, *, marks: bool,
    ) -> tuple[dict[str, Any], list[int]]:  # fmt: skip
        """What came to mind beside the stable parts; what a situation calls for stands apart from what is known.

        Notes of which no word is left are no line; they are given back, for they may be put together anew. `seen`: what
        a look found (`looking`), if somebody looked; `marks`: what was rewritten is marked so.
        """
        unknown = asked is not None and not brought.hits and await self._is_unknown(asked)
        lost = await self._archive.lost_to(asked) if asked is not None and unknown else []
        said = [contexts.nothing_known(asked.query)] if asked is not None and unknown and not lost else []
        if seen is None:
            seen = await self._memory.database.read(self.looking(brought, asked, marks=marks))
        recalled = [hit.key for hit in brought.hits if hit.kind is ItemKind.NOTE]
        gone, anew = seen.gone, seen.anew
        called = [
            hit for hit in seen.hits if hit.kind is ItemKind.NOTE and brought.entries.get(hit.key) is Entry.TRIGGER
        ]
        known = [hit for hit in seen.hits if hit not in called]
        behaviour, notes = (contexts.recalled_lines(part, seen.lines, seen.names) for part in (called, known))
        faded_away = [*seen.faded_away, *lost]
        body = contexts.assemble(material, [*said, *notes, *lost_line(faded_away)], max_tokens, behaviour)
        told = contexts.notes_in(body, recalled)
        faded = [seen.gaps[note] for note in (*told, *gone) if note in seen.gaps]
        missing = [each.note for each in faded_away]
        archived = await self._archive.lie_in(missing, asked) if missing and asked is not None else frozenset[int]()
        beside: dict[str, Sequence[Any]] = {
            "faded": faded,
            "archived": [public_id("n", note) for note in missing if note in archived],
            "rewritten": [public_id("n", note) for note in told if note in anew],
        }
        return contexts.with_told(body, beside), gone

    async def _is_unknown(self, asked: RecallRequest) -> bool:
        """Whether a question that brought up nothing is answered nowhere, what stands in the prompt anyway included."""
        if not is_question(asked.query) or self._recalling.floor_of(asked) <= 0.0:
            return False
        anywhere = replace(asked, kinds=None, exclude=frozenset(), after=None, traced=False, is_shown=False)
        return not (await self._recalling.search(anywhere)).hits


@dataclass(frozen=True, slots=True)
class Seen:
    """How what came to mind shows at one moment."""

    hits: list[Hit]  # of which something shows
    lines: dict[tuple[str, int], str]
    names: dict[int, str]  # of the messages among them, by row
    faded_away: list[Lost]
    gone: list[int]  # notes of which no word is left
    anew: frozenset[int]  # notes that were rewritten
    gaps: dict[int, dict[str, Any]]  # notes that may be filled in, as a client with a model of its own sees them


def _look(connection: Connection, *, brought: Brought, now: int, now_exp: int, scope: Scope, marks: bool) -> Seen:
    recalled = [hit.key for hit in brought.hits if hit.kind is ItemKind.NOTE]
    looked = rendered_notes.previews(connection, recalled)
    is_so = rendered_notes.previews_hold(connection, now_exp)
    faded = [note for note in recalled if not (is_so and note in looked and looked[note].is_clear)]
    faded_away = faded_summary.of_notes(connection, faded, now_exp) if faded else []
    gone = [each.note for each in faded_away if each.whole]
    hits = [hit for hit in brought.hits if hit.kind is not ItemKind.NOTE or hit.key not in gone]
    lines = marked_lines(wire_views.lines(connection, hits, now_exp, looked), brought.marks)
    lines = plan_lines.dated_lines(connection, hits, lines, now, now_exp, scope)
    anew = rewritten_of(connection, recalled) if marks else frozenset[int]()
    found = message_log.get_many(connection, [hit.key for hit in hits if hit.kind is ItemKind.MESSAGE])
    names = {row: message.client_id for row, message in found.items()}
    gaps = with_gaps(connection, faded, now_exp) if faded else {}
    return Seen(hits, with_marks(lines, anew), names, faded_away, gone, anew, gaps)


async def filtered(memory: OpenMind, wanted: RecallRequest, now_exp: int) -> RecallRequest:
    """The recall, with nothing in it but what has the attributes that it asks for, if it asks for any."""
    if wanted.attributes is None:
        return wanted
    having, lacking = await memory.database.read(passing, wanted.attributes, now_exp)
    return replace(wanted, exclude=wanted.exclude | lacking, having=having)


def lost_line(lost: Sequence[Lost]) -> list[Line]:
    """One line for everything that is gone of these notes, for who lost something knows that it was; else none."""
    if not lost:
        return []
    named, plain, comma = _LINE[lost[0].language]
    kinds = list(dict.fromkeys(kind for each in lost if each.language == lost[0].language for kind in each.kinds))
    return [Line(named.format(comma.join(kinds[:_MOST])) if kinds else plain, "")]


def rewritten_of(connection: Connection, notes: Sequence[int]) -> frozenset[int]:
    """Those of these notes that were put together anew since they were told."""
    found = note_rows.get_many(connection, notes)
    return frozenset(note.id for note in found.values() if note.rewritten_exp is not None)


def with_marks(shown: Mapping[tuple[str, int], str], rewritten: Collection[int]) -> dict[tuple[str, int], str]:
    """Recalled items as lines, each of these notes with a word of it behind."""
    return {
        key: line + _MARK[wording_language(line)] if key[0] == ItemKind.NOTE and key[1] in rewritten else line
        for key, line in shown.items()
    }
