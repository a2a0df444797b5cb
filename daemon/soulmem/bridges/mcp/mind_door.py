"""The one mind that an MCP server speaks for: where its calls go, in front of whom, and how a failure is told.

Called by every tool and resource. Owns the connection to the daemon, which is made anew when it broke: every write
carries a key, so sending it twice does it once. Invariant: a failure is one line that says what to do, never the
daemon's own word for a fault of its own.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from soulmem.client import CallTimeout, DaemonUnavailable, SoulmemRemoteError

if TYPE_CHECKING:
    from soulmem.client import AsyncClient

_LINE = 400  # characters of a failure
_CALL_S = 60.0


class ToolFaultError(Exception):
    """A tool cannot do what was asked: one line for whoever called it."""


@dataclass(frozen=True, slots=True)
class DoorSetting:
    """Whose memory it is, and how it is spoken to.

    `conversation`: where messages are heard, and in front of whom all else is asked; None: main, as the owner.
    `speaker`: who says what is heard and names nobody. `read_only`: nothing is changed, and no recall leaves a trace.
    """

    mind: str = "default"
    conversation: str | None = None
    speaker: str | None = None
    read_only: bool = False


class MindDoor:
    """Calls to the daemon for one mind, from any number of MCP sessions."""

    def __init__(self, client: AsyncClient, setting: DoorSetting) -> None:
        self.setting = setting
        self._client = client

    async def ask_daemon(self, method: str, *, timeout: float | None = None, **params: Any) -> dict[str, Any]:
        """Call a method; parameters that are None are left out.

        Raises ToolFaultError: with the line to tell.
        """
        given = {name: value for name, value in params.items() if value is not None}
        try:
            return await self._client.call(method, given, timeout=timeout or _CALL_S, retry=True)
        except (DaemonUnavailable, CallTimeout, SoulmemRemoteError) as error:
            raise ToolFaultError(fault_line(error, self.setting)) from error

    async def ask_mind(self, method: str, *, timeout: float | None = None, **params: Any) -> dict[str, Any]:
        """The same about this mind."""
        return await self.ask_daemon(method, mind=self.setting.mind, timeout=timeout, **params)

    async def ask_here(self, method: str, **params: Any) -> dict[str, Any]:
        """The same in front of this conversation."""
        return await self.ask_mind(method, conversation=self.setting.conversation, **params)

    async def write_here(self, method: str, **params: Any) -> dict[str, Any]:
        """Change something, once, however often the connection breaks."""
        return await self.ask_here(method, key=f"mcp-{uuid.uuid4().hex}", **params)


def one_line(text: str) -> str:
    """Text without line breaks, at most as long as a failure may be."""
    plain = " ".join(text.split())
    return plain if len(plain) <= _LINE else plain[: _LINE - 1] + "…"


def fault_line(error: Exception, setting: DoorSetting) -> str:
    """What a failed call means for whoever asked, and what to do."""
    match error:
        case DaemonUnavailable():
            said = f"the memory is not running: no daemon on {error.path} ({error.reason}); start it with"
            return one_line(f"{said} `soulmem daemon`, then call again")
        case CallTimeout():
            return one_line(f"the memory did not answer in time ({error}); it may still do it: look before you repeat")
        case SoulmemRemoteError(name="mind_not_found"):
            way = "" if setting.read_only else "; add_memory brings it into being"
            return f"the mind {setting.mind!r} does not exist yet{way}"
        case SoulmemRemoteError(name="access_denied"):
            return one_line(f"{error.message}: this server runs as a user who may not; run it as the daemon's owner")
        case SoulmemRemoteError(name="internal"):
            return "the memory failed at this; its log tells why (`soulmem logs`), and nothing was changed"
        case SoulmemRemoteError():
            again = " — try again in a moment" if error.retryable else ""
            return one_line(error.message + (f" — {error.hint}" if error.hint else again))
        case _:
            return one_line(f"this server failed at it: {type(error).__name__}")
