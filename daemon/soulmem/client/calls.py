"""The daemon's main methods with their parameters spelt out, written once for both clients.

Owns the mapping from Python arguments to wire parameters: None is left out, times may be `datetime`. Both clients
inherit it; a method returns whatever their `call` returns (a dict, or an awaitable of one).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from soulmem.client.planning_calls import PlanningCalls, Reply, given_params

Result = dict[str, Any]


class Calls(PlanningCalls[Reply], ABC):
    """One Python method a daemon method. Anything else goes through `call`."""

    @abstractmethod
    def call(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None, retry: bool = False
    ) -> Reply:
        """Call a method by its wire name; `timeout` in seconds, the client's when None.

        `retry`: send it once more over a new connection if this one breaks. Only for calls whose repetition changes
        nothing: reads, and writes that carry an `id` or `key`. Raises: SoulmemRemoteError: the daemon answered with an
        error; DaemonUnavailable: there is none, or the connection broke; CallTimeout: no reply in time.
        """

    def hello(self) -> Reply:
        """`{server, version, protocol}`."""
        return self.call("system.hello", retry=True)

    def ping(self) -> Reply:
        return self.call("system.ping", retry=True)

    def status(self) -> Reply:
        """State of the daemon and of every mind."""
        return self.call("system.status", retry=True)

    def add_message(
        self,
        mind: str,
        content: str,
        *,
        role: Literal["user", "assistant", "system"] = "user",
        conversation: str | None = None,
        speaker: str | None = None,
        at: Any = None,
        id: str | None = None,  # noqa: A002 the wire's own word
        mark: Literal["topic", "end"] | None = None,
        recall: bool | None = None,
        mood: Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
        timeout: float | None = None,
    ) -> Reply:
        """Hand over one message; returns once it is safe on disk.

        With an `id` of your own the call may be repeated freely: it is stored once, and a broken connection is
        retried by itself. `recall=True` waits for what the message brings to mind (`context` in the reply).
        >>> with Client() as memory:  # doctest: +SKIP
        ...     memory.add_message("mira", "My sister keeps bees.", speaker="Tom", id="chat-17")["seq"]
        """
        params = given_params(
            mind=mind,
            content=content,
            role=role,
            conversation=conversation,
            speaker=speaker,
            at=at,
            id=id,
            mark=mark,
            recall=recall,
            mood=mood,
            attributes=attributes,
        )
        return self.call("message.add", params, timeout=timeout, retry=id is not None)

    def import_messages(
        self,
        mind: str,
        messages: Sequence[Mapping[str, Any]],
        *,
        recall: bool | None = None,
        continues: bool | None = None,
        timeout: float | None = None,
    ) -> Reply:
        """Hand over what was said before, at most 1,000 messages and 1 MiB a call; returns once it is safe on disk.

        Each is a mapping of `role`, `content` and `at`, and whatever else `add_message` takes but `recall`. It may be
        repeated freely; `refused` names what could not be taken. `continues=True`: more of it follows.

        >>> with Client() as memory:  # doctest: +SKIP
        ...     memory.import_messages("mira", [{"role": "user", "content": "Hello!", "at": "2024-05-01T08:00:00Z"}])
        {'stored': 1, 'duplicates': [], 'deleted': [], 'refused': [], ...}
        """
        said = [given_params(**message) for message in messages]
        params = given_params(mind=mind, messages=said, recall=recall, continues=continues)
        return self.call("message.import", params, timeout=timeout, retry=True)

    def update_message(
        self,
        mind: str,
        id: str,  # noqa: A002 the wire's own word
        content: str | None = None,
        *,
        attributes: Mapping[str, Any] | None = None,
        conversation: str | None = None,
        keep_notes: bool | None = None,
        key: str | None = None,
        timeout: float | None = None,
    ) -> Reply:
        """Give a message other words; what was made of the former ones follows (`withdrawn`, `rederiving`).

        `attributes` stand instead of those it has. The same again changes nothing: the call may be repeated freely.
        >>> with Client() as memory:  # doctest: +SKIP
        ...     memory.update_message("mira", "chat-17", "My sister keeps wasps.")["withdrawn"]
        """
        params = given_params(
            mind=mind, id=id, content=content, attributes=attributes, conversation=conversation,
            keep_notes=keep_notes, key=key,
        )  # fmt: skip
        return self.call("message.update", params, timeout=timeout, retry=True)

    def delete_message(
        self,
        mind: str,
        id: str,  # noqa: A002 the wire's own word
        *,
        conversation: str | None = None,
        keep_notes: bool | None = None,
        key: str | None = None,
        timeout: float | None = None,
    ) -> Reply:
        """Remove a message with all that was made of it, for good; `repeats` names what else says the same.

        Deleting it again changes nothing, so the call may be repeated freely.
        >>> with Client() as memory:  # doctest: +SKIP
        ...     memory.delete_message("mira", "chat-17")["purged"]
        """
        params = given_params(mind=mind, id=id, conversation=conversation, keep_notes=keep_notes, key=key)
        return self.call("message.delete", params, timeout=timeout, retry=True)

    def purge_note(self, mind: str, note: str, *, conversation: str | None = None, key: str | None = None) -> Reply:
        """Remove a note for good, not to be restored; `sources` are the messages that still say it."""
        params = given_params(mind=mind, id=note, conversation=conversation, key=key)
        return self.call("note.purge", params, retry=key is not None)

    def recall(
        self,
        mind: str,
        query: str,
        *,
        k: int | None = None,
        depth: Literal["skim", "normal", "deep"] | None = None,
        conversation: str | None = None,
        speaker: str | None = None,
        since: Any = None,
        until: Any = None,
        record: bool | None = None,
        timeout: float | None = None,
        **more: Any,
    ) -> Reply:
        """Ask a mind what it remembers; `since` and `until` travel as `from` and `to`.

        >>> with Client() as memory:  # doctest: +SKIP
        ...     for item in memory.recall("mira", "what does Tom's sister do?")["items"]:
        ...         print(item["text"])
        My sister keeps bees.
        """
        params = given_params(
            mind=mind,
            query=query,
            k=k,
            depth=depth,
            conversation=conversation,
            speaker=speaker,
            to=until,
            record=record,
            **{"from": since},
            **more,
        )
        return self.call("recall", params, timeout=timeout)

    def feedback(
        self,
        mind: str,
        recall_id: str,
        verdict: Literal["good", "bad"],
        *,
        strength: float | None = None,
        used: Sequence[str] | None = None,
        conversation: str | None = None,
        timeout: float | None = None,
    ) -> Reply:
        """Say how good what a recall brought was; `used` are the ids of the items your reply was made of.

        With `conversation`, what may not surface in front of it is answered as if it were not there. A verdict counts
        once, so the call may be repeated freely.
        >>> with Client() as memory:  # doctest: +SKIP
        ...     memory.feedback("mira", "r17", "good", used=["n4"])["applied"]
        """
        params = given_params(
            mind=mind, recall_id=recall_id, verdict=verdict, strength=strength, used=used, conversation=conversation
        )
        return self.call("feedback", params, timeout=timeout, retry=True)

    def context(
        self,
        mind: str,
        *,
        conversation: str | None = None,
        query: str | None = None,
        max_tokens: int | None = None,
        exclude: Sequence[str] | None = None,
        mood: Mapping[str, Any] | None = None,
        profile: str | None = None,
        attributes: Mapping[str, Any] | None = None,
        timeout: float | None = None,
    ) -> Reply:
        """Text ready for a prompt, stable blocks first, within `max_tokens`; `profile`: of whom what is known is told.

        >>> with Client() as memory:  # doctest: +SKIP
        ...     prompt = memory.context("mira", max_tokens=1500)["text"]
        """
        params = given_params(
            mind=mind, conversation=conversation, query=query, max_tokens=max_tokens, exclude=exclude, mood=mood,
            profile=profile, attributes=attributes,
        )  # fmt: skip
        return self.call("context.get", params, timeout=timeout)

    def create_mind(self, mind: str, **settings: Any) -> Reply:
        """`settings`: title, profile, persona, language, settings."""
        return self.call("mind.create", given_params(mind=mind, **settings))

    def minds(self) -> Reply:
        return self.call("mind.list", retry=True)

    def conversations(self, mind: str, **filters: Any) -> Reply:
        """The conversations that were begun, in that order, by pages (`conversation.list`)."""
        return self.call("conversation.list", given_params(mind=mind, **filters), retry=True)

    def add_note(self, mind: str, kind: str, text: str, *, key: str | None = None, **more: Any) -> Reply:
        """Write a note yourself; with a `key` the call may be repeated freely."""
        return self.call(
            "note.add", given_params(mind=mind, kind=kind, text=text, key=key, **more), retry=key is not None
        )

    def reconstruct(
        self,
        mind: str,
        note: str,
        version: int,
        fills: Mapping[int, str | None],
        *,
        shown: int | None = None,
        conversation: str | None = None,
        key: str | None = None,
    ) -> Reply:
        """Fill in what faded of a note, by the number of its piece; None: it is not remembered.

        `version` and `shown` stand beside the pieces in `context` (`faded` of the block of notes).
        """
        given = [{"segment": segment, "text": text} for segment, text in fills.items()]
        params = given_params(
            mind=mind, id=note, version=version, fills=given, shown=shown, conversation=conversation, key=key
        )
        return self.call("note.reconstruct", params, retry=key is not None)

    def notes(self, mind: str, **filters: Any) -> Reply:
        return self.call("note.list", given_params(mind=mind, **filters), retry=True)

    def profile(
        self,
        mind: str,
        name: str,
        *,
        as_of: str | None = None,
        lists: Sequence[str] | None = None,
        budget: int | None = None,
        conversation: str | None = None,
    ) -> Reply:
        """What is known of a person or thing: attributes, relationships, lists, each with its evidence.

        >>> with Client() as memory:  # doctest: +SKIP
        ...     print(memory.profile("mira", "my sister")["text"])
        """
        params = given_params(mind=mind, name=name, as_of=as_of, lists=lists, budget=budget, conversation=conversation)
        return self.call("profile.get", params, retry=True)

    def profile_between(
        self,
        mind: str,
        name: str,
        other: str,
        *,
        as_of: str | None = None,
        budget: int | None = None,
        conversation: str | None = None,
    ) -> Reply:
        """How two people stand to each other: what one is to the other, and what is told of both."""
        params = given_params(
            mind=mind, name=name, other=other, as_of=as_of, budget=budget, conversation=conversation
        )  # fmt: skip
        return self.call("profile.between", params, retry=True)

    def profiles(self, mind: str, **filters: Any) -> Reply:
        """Who and what is known, by name, by pages (`profile.list`)."""
        return self.call("profile.list", given_params(mind=mind, **filters), retry=True)

    def reflections(self, mind: str, **filters: Any) -> Reply:
        """What the mind concluded from what it noted, each with its evidence, by pages (`reflection.list`)."""
        return self.call("reflection.list", given_params(mind=mind, **filters), retry=True)

    def export_mind(self, mind: str, *, cursor: str | None = None, timeout: float = 600) -> Reply:
        """A piece of a whole mind, and with `next_cursor` the next (`mind.export`); `text` of all is its lines."""
        return self.call("mind.export", given_params(mind=mind, cursor=cursor), timeout=timeout)

    def import_mind(
        self, mind: str, text: str, *, cursor: str | None = None, end: bool = False, seal: str | None = None,
        timeout: float = 600,
    ) -> Reply:  # fmt: skip
        """Hand over a piece of a whole mind; with `end` it is made (`mind.import`). The mind must not be there yet."""
        params = given_params(mind=mind, text=text, cursor=cursor, end=end or None, seal=seal)
        return self.call("mind.import", params, timeout=timeout)

    def links(self, mind: str, note: str | None = None, **filters: Any) -> Reply:
        return self.call("link.list", given_params(mind=mind, note=note, **filters), retry=True)

    def sleep(self, mind: str, *, steps: Sequence[str] | None = None, wait: bool = True, timeout: float = 600) -> Reply:
        """Send a mind to idle now, and by default wait until it has digested (`idle.run`)."""
        return self.call("idle.run", given_params(mind=mind, steps=steps, wait=wait), timeout=timeout)

    def jobs(self, mind: str, **filters: Any) -> Reply:
        return self.call("job.list", given_params(mind=mind, **filters), retry=True)

    def retry_jobs(self, mind: str, ids: Sequence[str] | None = None) -> Reply:
        """Try again the steps that are set aside because the daemon died over them (`job.retry`)."""
        return self.call("job.retry", given_params(mind=mind, ids=ids), retry=True)

    def undo_night(self, mind: str, job: str | None = None, **more: Any) -> Reply:
        """Take back what a mind did to its notes in a night, the last one or that of a job (`replay.undo`)."""
        return self.call("replay.undo", given_params(mind=mind, job=job, **more))
