"""The clients' methods with the types of what they return.

Generated from `schemas/rpc` by `python -m soulmem.client.stub_writer`; do not edit.
"""
# Lines are as long as what they tell: it is generated.
# ruff: noqa
# fmt: off

from abc import ABCMeta
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Literal

from soulmem.client.calls import Calls
from soulmem.client.results import AddMessageResult, AmendedResult, BetweenResult, ContextShape, ConversationPage, DeletedMessage, ExportedPiece, FeedbackResult, Hello, IdResult, IdleResult, ImportResult, ImportedPiece, JobPage, KnownNames, LinkPage, MindPage, MindResult, NotePage, NoteResult, PlanPage, PlansMade, Pong, ProfileResult, PurgeResult, RecallResult, ReflectionPage, RetriedJobs, Status, UndoneReplay

class BlockingCalls(Calls[Any], metaclass=ABCMeta):
    def hello(self) -> Hello: """`{server, version, protocol}`."""
    def ping(self) -> Pong: ...
    def status(self) -> Status: """State of the daemon and of every mind."""
    def add_message(self, mind: str, content: str, *, role: Literal['user', 'assistant', 'system']='user', conversation: str | None=None, speaker: str | None=None, at: Any=None, id: str | None=None, mark: Literal['topic', 'end'] | None=None, recall: bool | None=None, mood: Mapping[str, Any] | None=None, attributes: Mapping[str, Any] | None=None, timeout: float | None=None) -> AddMessageResult: """Hand over one message; returns once it is safe on disk."""
    def import_messages(self, mind: str, messages: Sequence[Mapping[str, Any]], *, recall: bool | None=None, continues: bool | None=None, age: str | None=None, timeout: float | None=None) -> ImportResult: """Hand over what was said before, at most 1,000 messages and 1 MiB a call; returns once it is safe on disk."""
    def update_message(self, mind: str, id: str, content: str | None=None, *, attributes: Mapping[str, Any] | None=None, conversation: str | None=None, keep_notes: bool | None=None, key: str | None=None, timeout: float | None=None) -> AmendedResult: """Give a message other words; what was made of the former ones follows (`withdrawn`, `rederiving`)."""
    def delete_message(self, mind: str, id: str, *, conversation: str | None=None, keep_notes: bool | None=None, key: str | None=None, timeout: float | None=None) -> DeletedMessage: """Remove a message with all that was made of it, for good; `repeats` names what else says the same."""
    def purge_note(self, mind: str, note: str, *, conversation: str | None=None, key: str | None=None) -> PurgeResult: """Remove a note for good, not to be restored; `sources` are the messages that still say it."""
    def recall(self, mind: str, query: str, *, k: int | None=None, depth: Literal['skim', 'normal', 'deep'] | None=None, conversation: str | None=None, speaker: str | None=None, since: Any=None, until: Any=None, record: bool | None=None, timeout: float | None=None, **more: Any) -> RecallResult: """Ask a mind what it remembers; `since` and `until` travel as `from` and `to`."""
    def feedback(self, mind: str, recall_id: str, verdict: Literal['good', 'bad'], *, strength: float | None=None, used: Sequence[str] | None=None, conversation: str | None=None, timeout: float | None=None) -> FeedbackResult: """Say how good what a recall brought was; `used` are the ids of the items your reply was made of."""
    def context(self, mind: str, *, conversation: str | None=None, query: str | None=None, max_tokens: int | None=None, exclude: Sequence[str] | None=None, mood: Mapping[str, Any] | None=None, profile: str | None=None, attributes: Mapping[str, Any] | None=None, timeout: float | None=None) -> ContextShape: """Text ready for a prompt, stable blocks first, within `max_tokens`; `profile`: of whom what is known is told."""
    def create_mind(self, mind: str, **settings: Any) -> MindResult: """`settings`: title, profile, persona, language, settings."""
    def minds(self) -> MindPage: ...
    def conversations(self, mind: str, **filters: Any) -> ConversationPage: """The conversations that were begun, in that order, by pages (`conversation.list`)."""
    def add_note(self, mind: str, kind: str, text: str, *, key: str | None=None, **more: Any) -> IdResult: """Write a note yourself; with a `key` the call may be repeated freely."""
    def reconstruct(self, mind: str, note: str, version: int, fills: Mapping[int, str | None], *, shown: int | None=None, conversation: str | None=None, key: str | None=None) -> NoteResult: """Fill in what faded of a note, by the number of its piece; None: it is not remembered."""
    def notes(self, mind: str, **filters: Any) -> NotePage: ...
    def profile(self, mind: str, name: str, *, as_of: str | None=None, lists: Sequence[str] | None=None, budget: int | None=None, conversation: str | None=None) -> ProfileResult: """What is known of a person or thing: attributes, relationships, lists, each with its evidence."""
    def profile_between(self, mind: str, name: str, other: str, *, as_of: str | None=None, budget: int | None=None, conversation: str | None=None) -> BetweenResult: """How two people stand to each other: what one is to the other, and what is told of both."""
    def profiles(self, mind: str, **filters: Any) -> KnownNames: """Who and what is known, by name, by pages (`profile.list`)."""
    def reflections(self, mind: str, **filters: Any) -> ReflectionPage: """What the mind concluded from what it noted, each with its evidence, by pages (`reflection.list`)."""
    def export_mind(self, mind: str, *, cursor: str | None=None, timeout: float=600) -> ExportedPiece: """A piece of a whole mind, and with `next_cursor` the next (`mind.export`); `text` of all is its lines."""
    def import_mind(self, mind: str, text: str, *, cursor: str | None=None, end: bool=False, seal: str | None=None, timeout: float=600) -> ImportedPiece: """Hand over a piece of a whole mind; with `end` it is made (`mind.import`). The mind must not be there yet."""
    def links(self, mind: str, note: str | None=None, **filters: Any) -> LinkPage: ...
    def sleep(self, mind: str, *, steps: Sequence[str] | None=None, wait: bool=True, timeout: float=600) -> IdleResult: """Send a mind to idle now, and by default wait until it has digested (`idle.run`)."""
    def jobs(self, mind: str, **filters: Any) -> JobPage: ...
    def retry_jobs(self, mind: str, ids: Sequence[str] | None=None) -> RetriedJobs: """Try again the steps that are set aside because the daemon died over them (`job.retry`)."""
    def undo_night(self, mind: str, job: str | None=None, **more: Any) -> UndoneReplay: """Take back what a mind did to its notes in a night, the last one or that of a job (`replay.undo`)."""
    def add_plans(self, mind: str, items: Sequence[Mapping[str, Any]], *, whose: str | None=None, parent: str | None=None, conversation: str | None=None, key: str | None=None) -> PlansMade: """Plan something: each item has `text`, `start` and, if you like, `end`, `level`, `importance`, `tags`."""
    def plans(self, mind: str, *, since: Any=None, until: Any=None, **filters: Any) -> PlanPage: """What is planned, by time, by pages; `since` and `until` travel as `from` and `to` (`plan.list`)."""
    def update_plan(self, mind: str, plan: str, *, key: str | None=None, **changes: Any) -> PlansMade: """Change any of text, start, end, status (planned, done, dropped), importance of a plan (`plan.update`)."""
    def supersede_plans(self, mind: str, since: Any, items: Sequence[Mapping[str, Any]]=(), *, until: Any=None, key: str | None=None, **more: Any) -> PlansMade: """Plan anew from `since` on: what was planned then gives way, what runs ends there (`plan.supersede`)."""
    def delete_plan(self, mind: str, plan: str, *, conversation: str | None=None, key: str | None=None) -> PurgeResult: """Remove a plan for good; what gave way to it holds again."""

class AwaitedCalls(Calls[Any], metaclass=ABCMeta):
    def hello(self) -> Awaitable[Hello]: """`{server, version, protocol}`."""
    def ping(self) -> Awaitable[Pong]: ...
    def status(self) -> Awaitable[Status]: """State of the daemon and of every mind."""
    def add_message(self, mind: str, content: str, *, role: Literal['user', 'assistant', 'system']='user', conversation: str | None=None, speaker: str | None=None, at: Any=None, id: str | None=None, mark: Literal['topic', 'end'] | None=None, recall: bool | None=None, mood: Mapping[str, Any] | None=None, attributes: Mapping[str, Any] | None=None, timeout: float | None=None) -> Awaitable[AddMessageResult]: """Hand over one message; returns once it is safe on disk."""
    def import_messages(self, mind: str, messages: Sequence[Mapping[str, Any]], *, recall: bool | None=None, continues: bool | None=None, age: str | None=None, timeout: float | None=None) -> Awaitable[ImportResult]: """Hand over what was said before, at most 1,000 messages and 1 MiB a call; returns once it is safe on disk."""
    def update_message(self, mind: str, id: str, content: str | None=None, *, attributes: Mapping[str, Any] | None=None, conversation: str | None=None, keep_notes: bool | None=None, key: str | None=None, timeout: float | None=None) -> Awaitable[AmendedResult]: """Give a message other words; what was made of the former ones follows (`withdrawn`, `rederiving`)."""
    def delete_message(self, mind: str, id: str, *, conversation: str | None=None, keep_notes: bool | None=None, key: str | None=None, timeout: float | None=None) -> Awaitable[DeletedMessage]: """Remove a message with all that was made of it, for good; `repeats` names what else says the same."""
    def purge_note(self, mind: str, note: str, *, conversation: str | None=None, key: str | None=None) -> Awaitable[PurgeResult]: """Remove a note for good, not to be restored; `sources` are the messages that still say it."""
    def recall(self, mind: str, query: str, *, k: int | None=None, depth: Literal['skim', 'normal', 'deep'] | None=None, conversation: str | None=None, speaker: str | None=None, since: Any=None, until: Any=None, record: bool | None=None, timeout: float | None=None, **more: Any) -> Awaitable[RecallResult]: """Ask a mind what it remembers; `since` and `until` travel as `from` and `to`."""
    def feedback(self, mind: str, recall_id: str, verdict: Literal['good', 'bad'], *, strength: float | None=None, used: Sequence[str] | None=None, conversation: str | None=None, timeout: float | None=None) -> Awaitable[FeedbackResult]: """Say how good what a recall brought was; `used` are the ids of the items your reply was made of."""
    def context(self, mind: str, *, conversation: str | None=None, query: str | None=None, max_tokens: int | None=None, exclude: Sequence[str] | None=None, mood: Mapping[str, Any] | None=None, profile: str | None=None, attributes: Mapping[str, Any] | None=None, timeout: float | None=None) -> Awaitable[ContextShape]: """Text ready for a prompt, stable blocks first, within `max_tokens`; `profile`: of whom what is known is told."""
    def create_mind(self, mind: str, **settings: Any) -> Awaitable[MindResult]: """`settings`: title, profile, persona, language, settings."""
    def minds(self) -> Awaitable[MindPage]: ...
    def conversations(self, mind: str, **filters: Any) -> Awaitable[ConversationPage]: """The conversations that were begun, in that order, by pages (`conversation.list`)."""
    def add_note(self, mind: str, kind: str, text: str, *, key: str | None=None, **more: Any) -> Awaitable[IdResult]: """Write a note yourself; with a `key` the call may be repeated freely."""
    def reconstruct(self, mind: str, note: str, version: int, fills: Mapping[int, str | None], *, shown: int | None=None, conversation: str | None=None, key: str | None=None) -> Awaitable[NoteResult]: """Fill in what faded of a note, by the number of its piece; None: it is not remembered."""
    def notes(self, mind: str, **filters: Any) -> Awaitable[NotePage]: ...
    def profile(self, mind: str, name: str, *, as_of: str | None=None, lists: Sequence[str] | None=None, budget: int | None=None, conversation: str | None=None) -> Awaitable[ProfileResult]: """What is known of a person or thing: attributes, relationships, lists, each with its evidence."""
    def profile_between(self, mind: str, name: str, other: str, *, as_of: str | None=None, budget: int | None=None, conversation: str | None=None) -> Awaitable[BetweenResult]: """How two people stand to each other: what one is to the other, and what is told of both."""
    def profiles(self, mind: str, **filters: Any) -> Awaitable[KnownNames]: """Who and what is known, by name, by pages (`profile.list`)."""
    def reflections(self, mind: str, **filters: Any) -> Awaitable[ReflectionPage]: """What the mind concluded from what it noted, each with its evidence, by pages (`reflection.list`)."""
    def export_mind(self, mind: str, *, cursor: str | None=None, timeout: float=600) -> Awaitable[ExportedPiece]: """A piece of a whole mind, and with `next_cursor` the next (`mind.export`); `text` of all is its lines."""
    def import_mind(self, mind: str, text: str, *, cursor: str | None=None, end: bool=False, seal: str | None=None, timeout: float=600) -> Awaitable[ImportedPiece]: """Hand over a piece of a whole mind; with `end` it is made (`mind.import`). The mind must not be there yet."""
    def links(self, mind: str, note: str | None=None, **filters: Any) -> Awaitable[LinkPage]: ...
    def sleep(self, mind: str, *, steps: Sequence[str] | None=None, wait: bool=True, timeout: float=600) -> Awaitable[IdleResult]: """Send a mind to idle now, and by default wait until it has digested (`idle.run`)."""
    def jobs(self, mind: str, **filters: Any) -> Awaitable[JobPage]: ...
    def retry_jobs(self, mind: str, ids: Sequence[str] | None=None) -> Awaitable[RetriedJobs]: """Try again the steps that are set aside because the daemon died over them (`job.retry`)."""
    def undo_night(self, mind: str, job: str | None=None, **more: Any) -> Awaitable[UndoneReplay]: """Take back what a mind did to its notes in a night, the last one or that of a job (`replay.undo`)."""
    def add_plans(self, mind: str, items: Sequence[Mapping[str, Any]], *, whose: str | None=None, parent: str | None=None, conversation: str | None=None, key: str | None=None) -> Awaitable[PlansMade]: """Plan something: each item has `text`, `start` and, if you like, `end`, `level`, `importance`, `tags`."""
    def plans(self, mind: str, *, since: Any=None, until: Any=None, **filters: Any) -> Awaitable[PlanPage]: """What is planned, by time, by pages; `since` and `until` travel as `from` and `to` (`plan.list`)."""
    def update_plan(self, mind: str, plan: str, *, key: str | None=None, **changes: Any) -> Awaitable[PlansMade]: """Change any of text, start, end, status (planned, done, dropped), importance of a plan (`plan.update`)."""
    def supersede_plans(self, mind: str, since: Any, items: Sequence[Mapping[str, Any]]=(), *, until: Any=None, key: str | None=None, **more: Any) -> Awaitable[PlansMade]: """Plan anew from `since` on: what was planned then gives way, what runs ends there (`plan.supersede`)."""
    def delete_plan(self, mind: str, plan: str, *, conversation: str | None=None, key: str | None=None) -> Awaitable[PurgeResult]: """Remove a plan for good; what gave way to it holds again."""
