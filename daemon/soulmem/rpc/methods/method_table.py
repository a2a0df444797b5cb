"""THE method table: every method of the protocol, its rights, its shapes and who answers it.

`Methods` is the dispatcher the server calls: it looks the method up, checks rights and parameters, and awaits the
answer. `schemas/rpc/*.json` is generated from this table (`rpc/methods/schema_writer`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, get_type_hints

from soulmem import results
from soulmem.core.text.did_you_mean import did_you_mean
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.minds.id_forms import read_ids, show_ids, show_ids_of_error
from soulmem.ops.process.file_descriptors import is_exhausted
from soulmem.rpc.methods import account_methods as accounts
from soulmem.rpc.methods import derived_methods as derived
from soulmem.rpc.methods import import_methods as imports
from soulmem.rpc.methods import link_methods as links
from soulmem.rpc.methods import message_methods as messages
from soulmem.rpc.methods import mind_methods as minds
from soulmem.rpc.methods import note_methods as notes
from soulmem.rpc.methods import recall_methods as recalls
from soulmem.rpc.methods import system_methods as system
from soulmem.rpc.methods.method_service import Service
from soulmem.rpc.methods.plans import plan_methods as plans
from soulmem.rpc.methods.transfer import transfer_methods as transfer
from soulmem.rpc.methods.wire_shapes import Params, id_fields, read_params
from soulmem.rpc.transport.jsonrpc import Peer, Request
from soulmem.rpc.transport.peer_access import Rights, require

Answer = Callable[[Service, Any, Peer], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Method:
    """One row: `rights` is the least a caller needs; `does` is one line for people."""

    rights: Rights
    params: type[Params]
    result: Any  # a TypedDict of `soulmem.results`
    answer: Answer
    does: str


def _method(rights: Rights, answer: Answer, result: Any, does: str) -> Method:
    """A row; what the method takes is said by the type of its second parameter."""
    _, params, *_ = get_type_hints(answer).values()
    return Method(rights, params, result, answer, does)


_READ, _WRITE, _ADMIN = Rights.READ, Rights.WRITE, Rights.ADMIN

METHODS: dict[str, Method] = {
    "system.hello": _method(_READ, system.hello, results.Hello, "exchange versions; optional"),
    "system.ping": _method(_READ, system.ping, results.Pong, "answer as soon as possible"),
    "system.describe": _method(
        _READ, system.describe, results.Description, "the schemas of methods, events and errors"
    ),
    "system.status": _method(_READ, system.status, results.Status, "the daemon and its minds, in every state"),
    "events.watch": _method(_READ, system.watch, results.Watching, "stream events as notifications"),
    "mind.create": _method(_WRITE, minds.create_mind, results.MindResult, "make a mind"),
    "mind.update": _method(_WRITE, minds.update_mind, results.MindResult, "change a mind's settings"),
    "mind.list": _method(_READ, minds.list_minds, results.MindPage, "all minds by name"),
    "mind.get": _method(_READ, minds.get_mind, results.MindResult, "one mind"),
    "mind.delete": _method(_ADMIN, minds.delete_mind, results.DeletedMind, "delete a mind and all it remembers"),
    "mind.export": _method(
        _ADMIN, transfer.export_mind, results.ExportedPiece, "a whole mind as lines of JSON, piece by piece"
    ),
    "mind.import": _method(
        _ADMIN, transfer.import_mind, results.ImportedPiece, "make a mind of what mind.export gave, piece by piece"
    ),
    "message.add": _method(_WRITE, messages.add_message, results.AddMessageResult, "hear a message"),
    "message.import": _method(_WRITE, imports.import_messages, results.ImportResult, "hear what was said before"),
    "message.list": _method(_READ, messages.list_messages, results.MessagePage, "what was said, in order"),
    "conversation.list": _method(
        _READ, messages.list_conversations, results.ConversationPage, "the conversations there are, by their names"
    ),
    "message.update": _method(_WRITE, messages.update_message, results.AmendedResult, "edit a message"),
    "message.delete": _method(
        _WRITE, messages.delete_message, results.DeletedMessage, "delete a message and what was made of it"
    ),
    "context.get": _method(
        _READ, recalls.get_context, results.ContextShape, "what a prompt should hold, within a budget"
    ),
    "recall": _method(_READ, recalls.recall, results.RecallResult, "what a query brings to mind"),
    "feedback": _method(
        _WRITE, recalls.give_feedback, results.FeedbackResult, "say how good what a recall brought was"
    ),
    "note.add": _method(_WRITE, notes.add_note, results.IdResult, "write a note by hand"),
    "note.get": _method(_READ, notes.get_note, results.FoundNote, "one note"),
    "note.list": _method(_READ, notes.list_notes, results.NotePage, "notes by number"),
    "note.update": _method(_WRITE, notes.update_note, results.NoteResult, "change a note"),
    "note.pin": _method(_WRITE, notes.pin_note, results.NoteResult, "keep a note for ever"),
    "note.unpin": _method(_WRITE, notes.unpin_note, results.NoteResult, "let it fade again"),
    "note.forget": _method(_ADMIN, notes.forget_note, results.ForgetResult, "hide a note; can be undone"),
    "note.purge": _method(_ADMIN, notes.purge_note, results.PurgeResult, "remove a note for good"),
    "note.restore": _method(_WRITE, notes.restore_note, results.RestoreResult, "bring back a note, or what it was"),
    "note.reconstruct": _method(_WRITE, notes.reconstruct_note, results.NoteResult, "fill in what faded of a note"),
    "note.history": _method(_READ, notes.note_history, results.HistoryResult, "former versions"),
    "note.forecast": _method(_READ, derived.forecast_note, results.ForecastResult, "how a note will fade in silence"),
    "profile.get": _method(
        _READ,
        derived.get_profile,
        results.ProfileResult,
        "what is known of a person or thing, put together from notes",
    ),
    "profile.between": _method(
        _READ,
        derived.get_between,
        results.BetweenResult,
        "how two people stand to each other, put together from notes",
    ),
    "profile.path": _method(
        _READ, derived.find_path, results.PathResult, "what leads from one along relations, as sister, work"
    ),
    "reflection.list": _method(
        _READ, derived.list_reflections, results.ReflectionPage, "what a mind concluded, and what that rests on"
    ),
    "profile.list": _method(
        _READ, derived.list_profiles, results.KnownNames, "the people and animals that are known by name"
    ),
    "plan.add": _method(_WRITE, plans.add_plans, results.PlansMade, "plan something for a time"),
    "plan.list": _method(_READ, plans.list_plans, results.PlanPage, "what is planned, and what became of it, by time"),
    "plan.update": _method(_WRITE, plans.update_plan, results.PlansMade, "move, reword, settle or drop a plan"),
    "plan.supersede": _method(
        _WRITE,
        plans.supersede_plans,
        results.PlansMade,
        "plan anew from a time on: what was planned then gives way",
    ),
    "plan.delete": _method(_ADMIN, plans.delete_plan, results.PurgeResult, "remove a plan for good"),
    "link.add": _method(_WRITE, links.add_link, results.AddLinkResult, "link two notes, or strengthen"),
    "link.list": _method(_READ, links.list_links, results.LinkPage, "links, of one note or all"),
    "graph.get": _method(_READ, links.get_graph, results.GraphResult, "a bounded neighbourhood"),
    "idle.run": _method(_WRITE, minds.run_idle, results.IdleResult, "send a mind to idle now"),
    "job.list": _method(_READ, minds.list_jobs, results.JobPage, "digestion steps, summary jobs, what is set aside"),
    "job.retry": _method(_WRITE, minds.retry_jobs, results.RetriedJobs, "try again what is set aside after crashes"),
    "replay.undo": _method(
        _ADMIN, minds.undo_replay, results.UndoneReplay, "take back what a mind did to its notes in a night"
    ),
    "ledger.get": _method(_READ, accounts.get_ledger, results.LedgerResult, "calls of language models and their cost"),
    "audit.list": _method(_READ, accounts.list_audit, results.AuditPage, "what was refused as a memory, and why"),
    "clock.advance": _method(
        _ADMIN,
        system.advance_clock,
        results.Advanced,
        "let simulated time pass; a mind that is talked to meanwhile stays awake, and is not waited for",
    ),
    "clock.jump": _method(_ADMIN, system.jump_clock, results.Jumped, "step the simulated wall clock"),
}


_DELETES = {"message.update", "message.delete", "note.forget", "note.purge", "mind.delete"}


class Methods:
    """Executes requests for the server."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._refusing: dict[str, ErrorName] = {}  # minds whose disk refused a write since the last one it took

    def is_long(self, method: str) -> bool:
        """Whether the answer of a method may be long: all that only reads may, but what tells of the daemon itself."""
        found = METHODS.get(method)
        return found is not None and found.rights is _READ and (method == "system.describe" or "system." not in method)

    async def dispatch(self, request: Request, peer: Peer) -> Mapping[str, Any]:
        """Answer one request.

        Raises SoulmemError: `unknown_method`, `access_denied`, `invalid_params`, or what the method raises.
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
        minds = self._service.minds
        try:
            params = await read_ids(minds, params, id_fields(method.params))
            answer = await show_ids(minds, params, await method.answer(self._service, params, peer))
        except SoulmemError as error:
            self._notice(error, mind)
            await show_ids_of_error(minds, params, error)
            raise
        if not self._service.exports.is_idle and request.method in _DELETES:
            self._service.exports.forget(mind)
        if self._refusing and mind in self._refusing and method.rights is Rights.WRITE:
            del self._refusing[mind]
            self._service.world.emit("storage_recovered", mind=mind)
        return answer

    def _notice(self, error: SoulmemError, mind: str) -> None:
        """Tell the log once an episode about a disk that takes no more, or a file that may not be written."""
        if error.name not in (ErrorName.STORAGE_FULL, ErrorName.STORAGE_READONLY):
            return
        if self._refusing.get(mind) is error.name:
            return
        self._refusing[mind] = error.name
        if error.name is ErrorName.STORAGE_FULL:
            self._service.world.emit("storage_full", mind=mind)
        else:
            self._service.world.emit("storage_readonly", mind=mind, detail=error.message)
