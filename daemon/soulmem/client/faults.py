"""What a client's call can end in: the daemon's own errors, and its absence.

Owns the two exceptions of the client library and the reading of an error reply; used by both clients. Imports
nothing but the path search, so that the command line starts fast.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class SoulmemRemoteError(Exception):
    """The daemon answered with an error.

    `name` is stable and meant for code (`mind_not_found`), `message` and `hint` for people; `retryable` says
    whether the same call may succeed later, `retry_after_ms` when.
    """

    def __init__(
        self,
        name: str,
        message: str,
        *,
        hint: str | None = None,
        code: int = -1,
        retryable: bool = False,
        retry_after_ms: int | None = None,
    ) -> None:
        super().__init__(f"{name}: {message}" + (f" ({hint})" if hint else ""))
        self.name = name
        self.message = message
        self.hint = hint
        self.code = code
        self.retryable = retryable
        self.retry_after_ms = retry_after_ms

    @classmethod
    def from_reply(cls, error: object) -> SoulmemRemoteError:
        """Read the `error` member of a reply; tolerates servers that leave out our `data`."""
        fields: Mapping[str, Any] = error if isinstance(error, dict) else {}
        data = fields.get("data")
        extra: Mapping[str, Any] = data if isinstance(data, dict) else {}
        return cls(
            str(extra.get("name", "internal")),
            str(fields.get("message", "the daemon sent an error without a message")),
            hint=extra.get("hint"),
            code=int(fields.get("code", -1)),
            retryable=bool(extra.get("retryable", False)),
            retry_after_ms=extra.get("retry_after_ms"),
        )


class DaemonUnavailable(ConnectionError):  # noqa: N818 it names a state of the world, as callers read it
    """No daemon answers on `path`: it does not run, or the connection broke."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"no soulmem daemon on {path}: {reason}; start one with `soulmem daemon`")
        self.path = path
        self.reason = reason


class CallTimeout(TimeoutError):  # noqa: N818 named like the built-in it extends
    """The reply did not come in time. The daemon may still carry the call out."""

    def __init__(self, method: str, timeout: float) -> None:
        super().__init__(f"{method} was not answered within {timeout:g} s")
        self.method = method
