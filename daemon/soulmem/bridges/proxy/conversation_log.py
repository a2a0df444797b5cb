"""One conversation as the daemon holds it, and what a resent history changes of it.

Called by `bridges/proxy/memory_door`, in turn for each conversation. Owns marks of what was heard, no texts but their
beginnings; they are read from the daemon anew after a failure and where somebody else changed it. Invariant: ids
follow from what stands before a turn and from its words, so that a turn that is told twice is heard once, and one that
its owner deleted stays deleted.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from soulmem.bridges.proxy.caller_names import CallerNames
from soulmem.bridges.proxy.history_alignment import Heard, align
from soulmem.bridges.proxy.spoken_turns import Turn, heard, mark_of
from soulmem.client import AsyncClient, SoulmemRemoteError

_PAGE = 500
_BEGINNING = 400  # characters
_CALL_S = 60.0
_FRESH_S = 5.0  # for so long nobody looks whether somebody else changed it
_BEHIND_S = 0.02  # what is heard takes a processor that the first word of the answer may need


class ConversationLog:
    """What was heard in one conversation of one mind."""

    def __init__(self, client: AsyncClient, mind: str, conversation: str) -> None:
        self._client = client
        self._where = {"mind": mind, "conversation": conversation}
        self._turn = asyncio.Lock()
        self._hurry = asyncio.Event()  # somebody waits for what is being heard
        self._heard: list[Heard] | None = None
        self._read_at = 0.0
        self._dropped: set[str] = set()  # by us, not by who keeps the memory
        self._answered: tuple[str, str] | None = None  # the last turn it followed, and the reply to stand in for

    @property
    def is_busy(self) -> bool:
        return self._turn.locked()

    def ids_of(self, turns: Sequence[Turn]) -> list[str]:
        """Which of the messages that are known stand in a history."""
        marks = {turn.mark for turn in turns}
        return [each.id for each in self._heard or () if each.mark in marks][-_PAGE:]

    def is_told_whole(self, turns: Sequence[Turn]) -> bool:
        """Whether a history begins where the conversation begins."""
        first = next(iter(self._heard or ()), None)
        return first is not None and bool(turns) and first.mark == turns[0].mark

    async def hear(self, names: CallerNames, turns: Sequence[Turn]) -> None:
        """Bring what was heard in line with a history; a moment later, for the request that brought it goes first."""
        async with self._turn:
            self._hurry.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_BEHIND_S):
                    await self._hurry.wait()
            try:
                await self._hear(names, turns)
            except BaseException:
                self._heard = None  # what of it was done is read anew
                raise

    async def caught_up(self, patience_s: float) -> None:
        """Wait until what was told so far is heard, for a while."""
        self._hurry.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_s), self._turn:
                pass

    async def hear_answer(self, names: CallerNames, turns: Sequence[Turn], answer: Turn) -> None:
        """Hear the reply to a history, in place of the one it stands in for."""
        self._hurry.set()
        async with self._turn:
            try:
                known = await self._known()
                if self._answered is not None and turns and self._answered[0] == turns[-1].mark:
                    await self._edit(known, self._answered[1], answer)
                elif not turns or not known or known[-1].mark == turns[-1].mark:
                    await self._add(known, names, answer)
                self._answered = None
            except BaseException:
                self._heard = None
                raise

    async def _hear(self, names: CallerNames, turns: Sequence[Turn]) -> None:
        known = await self._known()
        plan = align(known, turns, is_named=names.is_named)
        for id_, turn in plan.edits:
            await self._edit(known, id_, turn)
        for id_ in reversed(plan.drops):
            await self._drop(known, id_)
        self._answered = None
        if plan.answered is not None and turns[-1].role == "user" and not plan.adds:
            self._answered = (turns[-1].mark, plan.answered)
        elif plan.answered is not None:
            await self._drop(known, plan.answered)
        if plan.adds and not known and names.persona not in (None, names.mind):
            await self._name_mind(names)
        for turn in plan.adds:
            await self._add(known, names, turn, is_last=turn is turns[-1])

    async def _known(self) -> list[Heard]:
        """What was heard, read from the daemon where it may have changed."""
        now = asyncio.get_running_loop().time()
        if self._heard is not None and now - self._read_at < _FRESH_S:
            return self._heard
        found: list[Heard] = []
        cursor: str | None = None
        try:
            while True:
                page = await self._call("message.list", limit=_PAGE, **({"cursor": cursor} if cursor else {}))
                found += [_of_message(item) for item in page["items"] if item["role"] in ("user", "assistant")]
                cursor = page["next_cursor"]
                if cursor is None:
                    break
        except SoulmemRemoteError as error:
            if error.name not in ("mind_not_found", "not_found"):
                raise
        self._heard, self._read_at = found, now
        return found

    async def _add(self, known: list[Heard], names: CallerNames, turn: Turn, *, is_last: bool = True) -> None:
        before = known[-1].id if known else ""
        id_ = _id_after(before, turn)
        speaker = turn.name or (names.speaker if turn.role == "user" else names.persona)
        params: dict[str, Any] = {"role": turn.role, "content": turn.text}
        if speaker is not None:
            params["speaker"] = speaker
        answer = await self._call("message.add", id=id_, **params)
        if answer.get("deleted") and is_last and id_ in self._dropped:
            id_ = _id_after(f"{before} {answer['seq']} {len(self._dropped)}", turn)
            answer = await self._call("message.add", id=id_, **params)
        if not answer.get("deleted") and all(each.id != id_ for each in known):
            known.append(Heard(id_, answer["seq"], turn.role, turn.mark, turn.text[:_BEGINNING]))

    async def _edit(self, known: list[Heard], id_: str, turn: Turn) -> None:
        await self._call("message.update", id=id_, content=turn.text)
        for place, each in enumerate(known):
            if each.id == id_:
                known[place] = Heard(id_, each.seq, each.role, turn.mark, turn.text[:_BEGINNING])

    async def _drop(self, known: list[Heard], id_: str) -> None:
        await self._call("message.delete", id=id_)
        self._dropped.add(id_)
        known[:] = [each for each in known if each.id != id_]

    async def _name_mind(self, names: CallerNames) -> None:
        """Give a new mind the name that people know it by."""
        try:
            params = {"mind": names.mind, "title": names.persona}
            await self._client.call("mind.create", params, timeout=_CALL_S, retry=True)
        except SoulmemRemoteError as error:
            if error.name != "mind_exists":
                raise

    async def _call(self, method: str, **params: Any) -> dict[str, Any]:
        return await self._client.call(method, {**self._where, **params}, timeout=_CALL_S, retry=True)


def _of_message(item: dict[str, Any]) -> Heard:
    text = heard(item["content"])
    return Heard(item["id"], item["seq"], item["role"], mark_of(item["role"], text), text[:_BEGINNING])


def _id_after(before: str, turn: Turn) -> str:
    return "proxy-" + sha256(f"{before}\0{turn.mark}".encode()).hexdigest()[:32]
