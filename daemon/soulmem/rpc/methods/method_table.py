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
from soulmem.rpc.methods import account_methods as accounts
from soulmem.rpc.methods import forecast_methods as forecasts
from soulmem.rpc.methods import import_methods as imports
from soulmem.rpc.methods import link_methods as links
from soulmem.rpc.methods import message_methods as messages
from soulmem.rpc.methods import mind_methods as minds
from soulmem.rpc.methods import note_methods as notes
from soulmem.rpc.methods import recall_methods as recalls
from soulmem.rpc.methods import system_methods as system
from soulmem.rpc.methods.method_service import Service
from soulmem.rpc.methods.result_shapes import ContextShape
from soulmem.rpc.methods.wire_shapes import MindParams, PageParams, Params, Result, read_params
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
    "system.hello": Method(_READ, system.Nothing, system.Hello, system.hello, "exchange versions; optional"),
    "system.ping": Method(_READ, system.Nothing, system.Pong, system.ping, "answer as soon as possible"),
    "system.describe": Method(
        _READ, system.Nothing, system.Description, system.describe, "the schemas of methods, events and errors"
    ),
    "system.status": Method(
        _READ, system.Nothing, system.Status, system.status, "the daemon and its minds, in every state"
    ),
    "events.watch": Method(_READ, system.Watch, system.Watching, system.watch, "stream events as notifications"),
    "mind.create": Method(_WRITE, minds.CreateMind, minds.MindResult, minds.create_mind, "make a mind"),
    "mind.update": Method(_WRITE, minds.UpdateMind, minds.MindResult, minds.update_mind, "change a mind's settings"),
    "mind.list": Method(_READ, minds.ListMinds, minds.MindPage, minds.list_minds, "all minds by name"),
    "mind.get": Method(_READ, MindParams, minds.MindResult, minds.get_mind, "one mind"),
    "mind.delete": Method(
        _ADMIN, minds.DeleteMind, minds.DeletedMind, minds.delete_mind, "delete a mind and all it remembers"
    ),
    "message.add": Method(
        _WRITE, messages.AddMessage, messages.AddMessageResult, messages.add_message, "hear a message"
    ),
    "message.import": Method(
        _WRITE, imports.ImportMessages, imports.ImportResult, imports.import_messages, "hear what was said before"
    ),
    "message.list": Method(
        _READ, messages.ListMessages, messages.MessagePage, messages.list_messages, "what was said, in order"
    ),
    "message.update": Method(
        _WRITE, messages.UpdateMessage, messages.AmendedResult, messages.update_message, "edit a message"
    ),
    "message.delete": Method(
        _WRITE,
        messages.DeleteMessage,
        messages.DeletedMessage,
        messages.delete_message,
        "delete a message and what was made of it",
    ),
    "context.get": Method(
        _READ, recalls.GetContext, ContextShape, recalls.get_context, "what a prompt should hold, within a budget"
    ),
    "recall": Method(_READ, recalls.Recall, recalls.RecallResult, recalls.recall, "what a query brings to mind"),
    "feedback": Method(
        _WRITE,
        recalls.GiveFeedback,
        recalls.FeedbackResult,
        recalls.give_feedback,
        "say how good what a recall brought was",
    ),
    "note.add": Method(_WRITE, notes.AddNote, notes.IdResult, notes.add_note, "write a note by hand"),
    "note.get": Method(_READ, notes.NoteParams, notes.FoundNote, notes.get_note, "one note"),
    "note.list": Method(_READ, notes.ListNotes, notes.NotePage, notes.list_notes, "notes by number"),
    "note.update": Method(_WRITE, notes.UpdateNote, notes.NoteResult, notes.update_note, "change a note"),
    "note.pin": Method(_WRITE, notes.KeyedNoteParams, notes.NoteResult, notes.pin_note, "keep a note for ever"),
    "note.unpin": Method(_WRITE, notes.KeyedNoteParams, notes.NoteResult, notes.unpin_note, "let it fade again"),
    "note.forget": Method(
        _ADMIN, notes.KeyedNoteParams, notes.ForgetResult, notes.forget_note, "hide a note; can be undone"
    ),
    "note.purge": Method(_ADMIN, notes.KeyedNoteParams, notes.PurgeResult, notes.purge_note, "remove a note for good"),
    "note.restore": Method(
        _WRITE, notes.RestoreNote, notes.RestoreResult, notes.restore_note, "bring back a note, or what it was"
    ),
    "note.reconstruct": Method(
        _WRITE, notes.ReconstructNote, notes.NoteResult, notes.reconstruct_note, "fill in what faded of a note"
    ),
    "note.history": Method(_READ, notes.NoteParams, notes.HistoryResult, notes.note_history, "former versions"),
    "note.forecast": Method(
        _READ,
        forecasts.ForecastNote,
        forecasts.ForecastResult,
        forecasts.forecast_note,
        "how a note will fade in silence",
    ),
    "link.add": Method(_WRITE, links.AddLink, links.AddLinkResult, links.add_link, "link two notes, or strengthen"),
    "link.list": Method(_READ, links.ListLinks, links.LinkPage, links.list_links, "links, of one note or all"),
    "graph.get": Method(_READ, links.GetGraph, links.GraphResult, links.get_graph, "a bounded neighbourhood"),
    "idle.run": Method(_WRITE, minds.RunIdle, minds.IdleResult, minds.run_idle, "send a mind to idle now"),
    "job.list": Method(
        _READ, PageParams, minds.JobPage, minds.list_jobs, "digestion steps, summary jobs, what is set aside"
    ),
    "job.retry": Method(
        _WRITE, minds.RetryJobs, minds.RetriedJobs, minds.retry_jobs, "try again what is set aside after crashes"
    ),
    "ledger.get": Method(
        _READ, accounts.GetLedger, accounts.LedgerResult, accounts.get_ledger, "calls of language models and their cost"
    ),
    "audit.list": Method(
        _READ, accounts.ListAudit, accounts.AuditPage, accounts.list_audit, "what was refused as a memory, and why"
    ),
    "clock.advance": Method(
        _ADMIN,
        system.AdvanceClock,
        system.Advanced,
        system.advance_clock,
        "let simulated time pass; a mind that is talked to meanwhile stays awake, and is not waited for",
    ),
    "clock.jump": Method(_ADMIN, system.JumpClock, system.Jumped, system.jump_clock, "step the simulated wall clock"),
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
