"""THE method table: every method of the protocol, its rights, its shapes and who answers it.

`Methods` is the dispatcher the server calls: it looks the method up, checks rights and parameters, and awaits the
answer. `schemas/rpc/*.json` is generated from this table (`rpc/methods/schema_writer`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from soulmem.core.text.did_you_mean import did_you_mean
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.ops.process.file_descriptors import is_exhausted
from soulmem.rpc.methods import (
    account_methods,
    forecast_methods,
    link_methods,
    mind_methods,
    note_methods,
    system_methods,
    talk_methods,
)
from soulmem.rpc.methods.method_service import Service
from soulmem.rpc.methods.wire_shapes import ContextShape, MindParams, PageParams, Params, Result, read_params
from soulmem.rpc.transport.jsonrpc import Peer, Request
from soulmem.rpc.transport.peer_access import Rights, require

Answer = Callable[[Service, Any, Peer], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Method:
    """One row: `rights` is the least a caller needs; `does` is one line for people."""

    rights: Rights
    params: type[Params]
    result: type[Result]
    answer: Answer
    does: str


_READ, _WRITE, _ADMIN = Rights.READ, Rights.WRITE, Rights.ADMIN

METHODS: dict[str, Method] = {
    "system.hello": Method(
        _READ, system_methods.Nothing, system_methods.Hello, system_methods.hello, "exchange versions; optional"
    ),
    "system.ping": Method(
        _READ, system_methods.Nothing, system_methods.Pong, system_methods.ping, "answer as soon as possible"
    ),
    "system.describe": Method(
        _READ,
        system_methods.Nothing,
        system_methods.Description,
        system_methods.describe,
        "the schemas of methods, events and errors",
    ),
    "system.status": Method(
        _READ,
        system_methods.Nothing,
        system_methods.Status,
        system_methods.status,
        "the daemon and its minds, in every state",
    ),
    "events.watch": Method(
        _READ, system_methods.Watch, system_methods.Watching, system_methods.watch, "stream events as notifications"
    ),
    "mind.create": Method(
        _WRITE, mind_methods.CreateMind, mind_methods.MindResult, mind_methods.create_mind, "make a mind"
    ),
    "mind.update": Method(
        _WRITE, mind_methods.UpdateMind, mind_methods.MindResult, mind_methods.update_mind, "change a mind's settings"
    ),
    "mind.list": Method(
        _READ, mind_methods.ListMinds, mind_methods.MindPage, mind_methods.list_minds, "all minds by name"
    ),
    "mind.get": Method(_READ, MindParams, mind_methods.MindResult, mind_methods.get_mind, "one mind"),
    "mind.delete": Method(
        _ADMIN,
        mind_methods.DeleteMind,
        mind_methods.DeletedMind,
        mind_methods.delete_mind,
        "delete a mind and all it remembers",
    ),
    "message.add": Method(
        _WRITE, talk_methods.AddMessage, talk_methods.AddMessageResult, talk_methods.add_message, "hear a message"
    ),
    "message.list": Method(
        _READ,
        talk_methods.ListMessages,
        talk_methods.MessagePage,
        talk_methods.list_messages,
        "what was said, in order",
    ),
    "message.update": Method(
        _WRITE, talk_methods.UpdateMessage, talk_methods.AmendedResult, talk_methods.update_message, "edit a message"
    ),
    "message.delete": Method(
        _WRITE,
        talk_methods.DeleteMessage,
        talk_methods.DeletedMessage,
        talk_methods.delete_message,
        "delete a message and what was made of it",
    ),
    "context.get": Method(
        _READ,
        talk_methods.GetContext,
        ContextShape,
        talk_methods.get_context,
        "what a prompt should hold, within a budget",
    ),
    "recall": Method(
        _READ, talk_methods.Recall, talk_methods.RecallResult, talk_methods.recall, "what a query brings to mind"
    ),
    "feedback": Method(
        _WRITE,
        talk_methods.GiveFeedback,
        talk_methods.FeedbackResult,
        talk_methods.give_feedback,
        "say how good what a recall brought was",
    ),
    "note.add": Method(
        _WRITE, note_methods.AddNote, note_methods.IdResult, note_methods.add_note, "write a note by hand"
    ),
    "note.get": Method(_READ, note_methods.NoteParams, note_methods.FoundNote, note_methods.get_note, "one note"),
    "note.list": Method(
        _READ, note_methods.ListNotes, note_methods.NotePage, note_methods.list_notes, "notes by number"
    ),
    "note.update": Method(
        _WRITE, note_methods.UpdateNote, note_methods.NoteResult, note_methods.update_note, "change a note"
    ),
    "note.pin": Method(
        _WRITE, note_methods.KeyedNoteParams, note_methods.NoteResult, note_methods.pin_note, "keep a note for ever"
    ),
    "note.unpin": Method(
        _WRITE, note_methods.KeyedNoteParams, note_methods.NoteResult, note_methods.unpin_note, "let it fade again"
    ),
    "note.forget": Method(
        _ADMIN,
        note_methods.KeyedNoteParams,
        note_methods.ForgetResult,
        note_methods.forget_note,
        "hide a note; can be undone",
    ),
    "note.purge": Method(
        _ADMIN,
        note_methods.KeyedNoteParams,
        note_methods.PurgeResult,
        note_methods.purge_note,
        "remove a note for good",
    ),
    "note.restore": Method(
        _WRITE,
        note_methods.RestoreNote,
        note_methods.RestoreResult,
        note_methods.restore_note,
        "bring back a note, or what it was",
    ),
    "note.reconstruct": Method(
        _WRITE,
        note_methods.ReconstructNote,
        note_methods.NoteResult,
        note_methods.reconstruct_note,
        "fill in what faded of a note",
    ),
    "note.history": Method(
        _READ, note_methods.NoteParams, note_methods.HistoryResult, note_methods.note_history, "former versions"
    ),
    "note.forecast": Method(
        _READ,
        forecast_methods.ForecastNote,
        forecast_methods.ForecastResult,
        forecast_methods.forecast_note,
        "how a note will fade in silence",
    ),
    "link.add": Method(
        _WRITE, link_methods.AddLink, link_methods.AddLinkResult, link_methods.add_link, "link two notes, or strengthen"
    ),
    "link.list": Method(
        _READ, link_methods.ListLinks, link_methods.LinkPage, link_methods.list_links, "links, of one note or all"
    ),
    "graph.get": Method(
        _READ, link_methods.GetGraph, link_methods.GraphResult, link_methods.get_graph, "a bounded neighbourhood"
    ),
    "idle.run": Method(
        _WRITE, mind_methods.RunIdle, mind_methods.IdleResult, mind_methods.run_idle, "send a mind to idle now"
    ),
    "job.list": Method(
        _READ, PageParams, mind_methods.JobPage, mind_methods.list_jobs, "digestion steps and summary jobs"
    ),
    "job.retry": Method(
        _WRITE,
        mind_methods.RetryJobs,
        mind_methods.RetriedJobs,
        mind_methods.retry_jobs,
        "try again what is set aside after crashes",
    ),
    "ledger.get": Method(
        _READ,
        account_methods.GetLedger,
        account_methods.LedgerResult,
        account_methods.get_ledger,
        "calls of language models and their cost",
    ),
    "audit.list": Method(
        _READ,
        account_methods.ListAudit,
        account_methods.AuditPage,
        account_methods.list_audit,
        "what was refused as a memory, and why",
    ),
    "clock.advance": Method(
        _ADMIN,
        system_methods.AdvanceClock,
        system_methods.Advanced,
        system_methods.advance_clock,
        "let simulated time pass",
    ),
    "clock.jump": Method(
        _ADMIN,
        system_methods.JumpClock,
        system_methods.Jumped,
        system_methods.jump_clock,
        "step the simulated wall clock",
    ),
}


class Methods:
    """Executes requests for the server."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._full: set[str] = set()  # minds whose disk refused a write since the last one it took

    def is_long(self, method: str) -> bool:
        """Whether the answer of a method may be long: all that only reads may, but what tells of the daemon itself."""
        found = METHODS.get(method)
        return found is not None and found.rights is _READ and (method == "system.describe" or "system." not in method)

    async def dispatch(self, request: Request, peer: Peer) -> Mapping[str, Any]:
        """Answer one request.

        Raises:
            SoulmemError: `unknown_method`, `access_denied`, `invalid_params`, or what the method raises.
        """
        try:
            return await self._answer(request, peer)
        except SoulmemError as error:
            self._service.meter.refused()
            self._service.world.emit(
                "request_refused", conn=peer.number, method=request.method[:64], error=error.name.value
            )
            raise
        except (OSError, ImportError) as error:  # modules are read when they are first needed
            if not is_exhausted(error):
                raise
            message = "too many files are open in this daemon, or on the whole machine"
            hint = "try again; raise the limit of open files (LimitNOFILE of the unit)"
            raise SoulmemError(ErrorName.OVERLOADED, message, hint=hint, retry_after_ms=500) from error

    async def _answer(self, request: Request, peer: Peer) -> Mapping[str, Any]:
        method = METHODS.get(request.method)
        if method is None:
            raise SoulmemError(
                ErrorName.UNKNOWN_METHOD,
                f"there is no method {request.method[:64]!r}",
                hint=did_you_mean(request.method, METHODS, otherwise="system.describe lists them all"),
            )
        require(peer.rights, method.rights, request.method)
        params = read_params(method.params, request.params)
        mind = str(request.params.get("mind", ""))
        try:
            answer = await method.answer(self._service, params, peer)
        except SoulmemError as error:
            self._notice(error, mind)
            raise
        if self._full and mind in self._full and method.rights is Rights.WRITE:
            self._full.discard(mind)
            self._service.world.emit("storage_recovered", mind=mind)
        return answer

    def _notice(self, error: SoulmemError, mind: str) -> None:
        """Tell the log once an episode about a disk that takes no more."""
        if error.name is ErrorName.STORAGE_FULL and mind not in self._full:
            self._full.add(mind)
            self._service.world.emit("storage_full", mind=mind)
        elif error.name is ErrorName.STORAGE_READONLY:
            self._service.world.emit("storage_readonly", mind=mind, detail=error.message)
