"""The daemon as the proxy sees it: asked for a memory within a deadline, told what was said behind the answer's back.

Called by `bridges/proxy/proxy_app`. Owns the connection, the conversations that are known, and what is yet to be told.
Invariants: nobody waits longer for the daemon than the deadline; a failure is one line on stderr without a word of what
was said; what could not be told is told by the next request, which brings the whole history.
"""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from soulmem.bridges.proxy.caller_names import CallerNames
from soulmem.bridges.proxy.conversation_log import ConversationLog
from soulmem.bridges.proxy.spoken_turns import Turn, named_words
from soulmem.client import AsyncClient, CallTimeout, DaemonUnavailable, SoulmemRemoteError

_KEPT_LOGS = 200
_MOST_TASKS = 256  # tellings under way; beyond it they wait for the next request
_BLOCKS = ("core", "summary", "behaviour", "plans", "notes")  # the request holds the window, unless a talk begins
_CATCH_UP_S = 0.1
_QUIET_S = 30.0  # between two lines of the same failure
_STOP_S = 3.0


@dataclass(frozen=True, slots=True)
class MemorySetting:
    """`deadline_s`: how long a request waits for its memory. `max_tokens`: how long that may be."""

    deadline_s: float = 0.5
    max_tokens: int = 1000
    read_only: bool = False


class MemoryDoor:
    """What of the daemon a proxy needs."""

    def __init__(self, client: AsyncClient, setting: MemorySetting) -> None:
        self.setting = setting
        self._client = client
        self._logs: OrderedDict[tuple[str, str], ConversationLog] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._said_at: dict[str, float] = {}

    async def remembered(self, names: CallerNames, query: str, turns: Sequence[Turn]) -> str | None:
        """What comes to mind for a prompt; None if nothing does, or not in time."""
        if not query:
            return None
        params: dict[str, Any] = {
            "mind": names.mind, "conversation": names.conversation, "query": query,
            "max_tokens": self.setting.max_tokens,
        }  # fmt: skip
        log = self._logs.get((names.mind, names.conversation))
        if log is not None and len(turns) == 1:  # what is just being heard decides whether the talk begins anew
            await log.caught_up(_CATCH_UP_S)
        shown = log.ids_of(turns) if log is not None else []
        if shown:
            params["exclude"] = shown
        try:
            found = await self._client.call("context.get", params, timeout=self.setting.deadline_s, retry=True)
        except SoulmemRemoteError as error:
            if error.name != "mind_not_found":  # it comes into being with its first message
                self._tell(f"the memory refused: {error.name}")
            return None
        except (DaemonUnavailable, CallTimeout) as error:
            self._tell_away(error)
            return None
        left_out = ("summary",) if log is not None and log.is_told_whole(turns) else ()
        told = [block for block in found["blocks"] if block["kind"] in _BLOCKS and block["kind"] not in left_out]
        if len(turns) == 1:  # a new talk of the same name: what was said last is nowhere else yet
            log = self._logs.get((names.mind, names.conversation))
            own = {*shown, *(log.ids_of(turns) if log is not None else ())}  # it may have been heard meanwhile
            told += [block for block in found["blocks"] if block["kind"] == "window" and own.isdisjoint(block["items"])]
        texts = [block["text"] for block in told]
        return "\n\n".join(texts) or None

    def tell_history(self, names: CallerNames, turns: Sequence[Turn]) -> None:
        """Let the daemon hear a history, as far as it did not; nobody waits for it."""
        if turns:
            self._later(lambda: self._log(names).hear(names, turns))

    def tell_answer(self, names: CallerNames, turns: Sequence[Turn], text: str) -> None:
        """Let it hear what was answered to that history, in its place."""
        speaker, words = named_words(text, names.speakers)
        self._later(lambda: self._log(names).hear_answer(names, turns, Turn("assistant", words, speaker)))

    async def close(self) -> None:
        """Tell what is still to be told, for a moment."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_STOP_S)
        for task in self._tasks:
            task.cancel()
        await self._client.aclose()

    def _log(self, names: CallerNames) -> ConversationLog:
        key = (names.mind, names.conversation)
        log = self._logs.get(key)
        if log is None:
            log = self._logs[key] = ConversationLog(self._client, *key)
        self._logs.move_to_end(key)
        while len(self._logs) > _KEPT_LOGS:
            idle = next((each for each, kept in self._logs.items() if not kept.is_busy), None)
            if idle is None or idle == key:
                break
            del self._logs[idle]
        return log

    def _later(self, telling: Callable[[], Awaitable[None]]) -> None:
        if self.setting.read_only:
            return
        if len(self._tasks) >= _MOST_TASKS:
            self._tell("the memory is behind: what was said now is told with the next request")
            return
        task = asyncio.get_running_loop().create_task(self._told(telling))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _told(self, telling: Callable[[], Awaitable[None]]) -> None:
        try:
            await telling()
        except SoulmemRemoteError as error:
            self._tell(f"the memory did not take what was said: {error.name}")
        except (DaemonUnavailable, CallTimeout) as error:
            self._tell_away(error)
        except Exception as error:  # a fault of ours costs the memory of a turn, not the talk
            self.tell_fault(error)

    def tell_fault(self, error: Exception) -> None:
        self._tell(f"a fault of the proxy's own ({type(error).__name__}); the talk goes on without it")

    def _tell_away(self, error: DaemonUnavailable | CallTimeout) -> None:
        if isinstance(error, CallTimeout):
            self._tell(f"the memory did not answer in time ({error.method}); the talk goes on without it")
        else:
            self._tell("the memory is not running (start it with `soulmem daemon`); the talk goes on without it")

    def _tell(self, line: str) -> None:
        """One line, and not again within half a minute."""
        now = asyncio.get_running_loop().time()
        if now - self._said_at.get(line, -_QUIET_S) >= _QUIET_S:
            self._said_at[line] = now
            sys.stderr.write(f"soulmem: {line}\n")
            sys.stderr.flush()
