"""What is answered: results and errors as JSON, and the HTTP status that stands for each error of the protocol.

Every error has one form, `{"error": {code, message, data}, "detail": line}`: the error object of JSON-RPC, and one line
where clients of Mem0's server look for it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from soulmem.client.faults import CallTimeout, DaemonUnavailable, SoulmemRemoteError
from soulmem.errors import REGISTRY, ErrorName, SoulmemError

_SERVER_ERROR = -32000  # of JSON-RPC, for what the registry of the daemon cannot name: that it is away
STATUS_OF: Mapping[str, int] = {
    "parse_error": 400,
    "invalid_request": 400,
    "unknown_method": 404,
    "invalid_params": 400,
    "internal": 500,
    "mind_not_found": 404,
    "not_found": 404,
    "mind_exists": 409,
    "idempotency_conflict": 409,
    "invalid_text": 400,
    "invalid_time": 400,
    "too_large": 413,
    "version_conflict": 409,
    "storage_full": 507,
    "storage_readonly": 503,
    "storage_damaged": 500,
    "model_unavailable": 503,
    "budget_exhausted": 503,
    "access_denied": 403,
    "overloaded": 503,
    "stopping": 503,
    "simulated_clock_only": 409,
    "daemon_unavailable": 503,
    "timeout": 504,
    "unauthorized": 401,
    "unknown_path": 404,
    "wrong_verb": 405,
    "misdirected": 421,
    "slow_request": 408,
    "not_offered": 501,
}
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Failure:
    """An error, as it is told. `name` decides the status."""

    name: str
    message: str
    hint: str | None = None
    code: int = _SERVER_ERROR
    retryable: bool = False
    retry_after_ms: int | None = None

    @property
    def status(self) -> int:
        return STATUS_OF.get(self.name, 500)

    @property
    def error(self) -> dict[str, Any]:
        """The error object of JSON-RPC."""
        data: dict[str, Any] = {"name": self.name}
        more = {"hint": self.hint, "retryable": self.retryable or None, "retry_after_ms": self.retry_after_ms}
        data |= {name: value for name, value in more.items() if value is not None}
        return {"code": self.code, "message": self.message, "data": data}

    @property
    def line(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message

    @property
    def headers(self) -> dict[str, str]:
        if self.status == 405 and self.hint:
            return {"Allow": self.hint}
        if self.status == 401:
            return {"WWW-Authenticate": 'Bearer realm="soulmem"'}
        if self.retryable:
            return {"Retry-After": str(max(1, -(-(self.retry_after_ms or 1000) // 1000)))}
        return {}


class HttpRefusal(Exception):  # noqa: N818 - it names an answer
    """A request is refused before the daemon hears of it."""

    def __init__(self, name: str, message: str, hint: str | None = None, *, retryable: bool = False) -> None:
        super().__init__(message)
        code = REGISTRY[ErrorName(name)][0] if name in REGISTRY else _SERVER_ERROR
        self.failure = Failure(name, message, hint, code, retryable)


def failure_of(error: BaseException) -> Failure | None:
    """What is told of an error; None: it is none that a client can do anything about."""
    match error:
        case HttpRefusal():
            return error.failure
        case SoulmemRemoteError():
            more = (error.hint, error.code, error.retryable, error.retry_after_ms)
            return Failure(str(error.name), error.message, *more)
        case SoulmemError():
            more = (error.hint, error.code, error.retryable, error.retry_after_ms)
            return Failure(error.name.value, error.message, *more)
        case DaemonUnavailable():
            return Failure(
                "daemon_unavailable", "the daemon does not answer", "start it: soulmem daemon", retryable=True
            )
        case CallTimeout():
            hint = "it may still be carried out"
            return Failure("timeout", f"{error.method} was not answered in time", hint, retryable=True)
        case _:
            return None


def json_bytes(value: Any) -> bytes:
    text = _ENCODER.encode(value)
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate, echoed from the client
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def json_reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(json_bytes(value), status, headers, media_type="application/json")


def error_reply(failure: Failure) -> Response:
    return json_reply({"error": failure.error, "detail": failure.line}, failure.status, failure.headers)
