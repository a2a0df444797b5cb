"""LangChain over the soulmem daemon: a retriever of what comes to mind, and a chat history that it remembers.

A client of the daemon's socket and nothing more. Invariants: a chain waits for the memory no longer than the deadline,
and goes on without it; what was said once is heard once, also when it comes again; what is to be forgotten is, or the
call fails.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.retrievers import BaseRetriever

from soulmem.bridges.proxy.history_alignment import Heard, align
from soulmem.bridges.proxy.spoken_turns import Turn, mark_of
from soulmem.client import AsyncClient, CallTimeout, Client, DaemonUnavailable, SoulmemRemoteError

__all__ = ["SoulmemChatMessageHistory", "SoulmemRetriever"]

_log = logging.getLogger(__name__)
_PAGE = 500
_ROLES = {"human": "user", "ai": "assistant"}
_FACTS = ("kind", "score", "speaker", "at", "sources", "state", "valid_from", "valid_to")
_UNKNOWN = ("mind_not_found", "not_found")  # a mind and a conversation come into being with their first message


class SoulmemRetriever(BaseRetriever):
    """What comes to mind for a query, one document an item.

    `mind`: whose memory. `conversation`: in front of whom it is asked; None: for its owner, who sees all. `socket`: of
    the daemon, if it is not in its usual place. A daemon that is away or slower than `deadline_s` brings nothing.

    >>> SoulmemRetriever(mind="pell").invoke("When is Ines's birthday?")  # doctest: +SKIP
    """

    mind: str
    conversation: str | None = None
    speaker: str | None = None
    k: int = 10
    deadline_s: float = 2.0
    socket: str | None = None

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        try:
            with Client(self.socket, timeout=self.deadline_s) as client:
                return _documents(client.call("recall", self._asked(query), retry=True) if query.strip() else {})
        except (SoulmemRemoteError, DaemonUnavailable, CallTimeout) as error:
            return _nothing(error)

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        try:
            async with AsyncClient(self.socket, timeout=self.deadline_s) as client:
                return _documents(await client.call("recall", self._asked(query), retry=True) if query.strip() else {})
        except (SoulmemRemoteError, DaemonUnavailable, CallTimeout) as error:
            return _nothing(error)

    def _asked(self, query: str) -> dict[str, Any]:
        asked = {"conversation": self.conversation, "speaker": self.speaker}
        return {"mind": self.mind, "query": query, "k": self.k} | {
            name: value for name, value in asked.items() if value is not None
        }


class SoulmemChatMessageHistory(BaseChatMessageHistory):
    """A conversation that the daemon holds: what people and the model said, in order.

    `speaker`, `persona`: who speaks where a message has no `name`. Messages with an `id` may be added again; given
    other words they are edited. `history.messages = ...` brings the conversation in line with a list: what is missing
    at its end or in its middle is deleted, what has other words is edited. `clear` deletes all of it for good.
    """

    def __init__(
        self, mind: str, conversation: str, *, speaker: str | None = None, persona: str | None = None,
        deadline_s: float = 2.0, socket: str | None = None,
    ) -> None:  # fmt: skip
        self._where = {"mind": mind, "conversation": conversation}
        self._names = {"user": speaker, "assistant": persona}
        self._deadline_s = deadline_s
        self._socket = socket
        self._untold: list[dict[str, Any]] = []  # said while the daemon was away

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]  # the base class declares an attribute
        """All that was said; nothing where the daemon is away."""
        try:
            with self._client() as client:
                self._tell(client)
                heard = list(self._heard(client))
        except (DaemonUnavailable, CallTimeout) as error:
            _warn(error)
            heard = []
        return [_message(item) for item in heard] + [_message(item) for item in self._untold]

    @messages.setter
    def messages(self, messages: Sequence[BaseMessage]) -> None:
        with self._client() as client:
            self._tell(client)
            known = [
                Heard(item["id"], item["seq"], item["role"], mark_of(item["role"], item["content"]), item["content"])
                for item in self._heard(client)
            ]
            said = [(params, Turn(params["role"], params["content"])) for params in self._said(messages)]
            plan = align(known, [turn for _, turn in said], is_named=True)
            for id_, turn in plan.edits:
                client.call("message.update", {**self._where, "id": id_, "content": turn.text}, retry=True)
            for id_ in reversed([*plan.drops, *([plan.answered] if plan.answered else ())]):
                client.call("message.delete", {**self._where, "id": id_}, retry=True)
            for params in (params for params, turn in said if any(turn is each for each in plan.adds)):
                self._add(client, params)

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Hear messages of people and of the model; those of the system and of tools are no talk.

        While the daemon is away they wait here and are told before what is said next.
        """
        self._untold += self._said(messages)
        try:
            with self._client() as client:
                self._tell(client)
        except (DaemonUnavailable, CallTimeout) as error:
            _warn(error)

    def clear(self) -> None:
        """Delete the conversation with all that was made of it, for good. Raises where the daemon is away."""
        with self._client() as client:
            for item in reversed(list(self._heard(client))):
                client.call("message.delete", {**self._where, "id": item["id"]}, retry=True)
        self._untold.clear()

    def _client(self) -> Client:
        return Client(self._socket, timeout=self._deadline_s)

    def _said(self, messages: Sequence[BaseMessage]) -> list[dict[str, Any]]:
        told = []
        for message in messages:
            role, text = _ROLES.get(message.type), str(message.text).strip()
            if role is None or not text:
                continue
            speaker = message.name or self._names[role]
            told.append(
                {"role": role, "content": text, "id": message.id or f"langchain-{uuid4().hex}"}
                | ({"speaker": speaker} if speaker else {})
            )
        return told

    def _tell(self, client: Client) -> None:
        while self._untold:
            self._add(client, self._untold[0])
            del self._untold[0]

    def _add(self, client: Client, params: dict[str, Any]) -> None:
        try:
            client.call("message.add", {**self._where, **params}, retry=True)
        except SoulmemRemoteError as error:
            if error.name != "idempotency_conflict":
                raise
            edit = {"id": params["id"], "content": params["content"]}
            client.call("message.update", {**self._where, **edit}, retry=True)

    def _heard(self, client: Client) -> Iterator[dict[str, Any]]:
        cursor: dict[str, Any] = {}
        try:
            while True:
                page = client.call("message.list", {**self._where, "limit": _PAGE, **cursor}, retry=True)
                yield from (item for item in page["items"] if item["role"] in _ROLES.values())
                if page["next_cursor"] is None:
                    return
                cursor = {"cursor": page["next_cursor"]}
        except SoulmemRemoteError as error:
            if error.name not in _UNKNOWN:
                raise


def _message(item: dict[str, Any]) -> BaseMessage:
    kind = HumanMessage if item["role"] == "user" else AIMessage
    return kind(content=item["content"], id=item["id"], name=item.get("speaker"))


def _documents(found: dict[str, Any]) -> list[Document]:
    return [
        Document(
            id=item["id"], page_content=item["text"],
            metadata={name: item[name] for name in _FACTS if item.get(name) is not None},
        )
        for item in found.get("items", ())
    ]  # fmt: skip


def _nothing(error: Exception) -> list[Document]:
    if not (isinstance(error, SoulmemRemoteError) and error.name in _UNKNOWN):
        _warn(error)
    return []


def _warn(error: Exception) -> None:
    _log.warning("the chain goes on without its memory: %s", error)
