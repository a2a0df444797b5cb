"""The error registry: every failure a caller may see, with its stable name and JSON-RPC number.

Adapters translate foreign exceptions into these at their edge (`raise … from`); nothing above them knows
another library's error names. `schemas/rpc/errors.json` is generated from this table.
"""

from __future__ import annotations

from enum import StrEnum


class ErrorName(StrEnum):
    """Stable names of all errors; the value is what travels in `data.name`."""

    PARSE_ERROR = "parse_error"
    INVALID_REQUEST = "invalid_request"
    UNKNOWN_METHOD = "unknown_method"
    INVALID_PARAMS = "invalid_params"
    INTERNAL = "internal"
    MIND_NOT_FOUND = "mind_not_found"
    NOT_FOUND = "not_found"
    MIND_EXISTS = "mind_exists"
    IDEMPOTENCY_CONFLICT = "idempotency_conflict"
    INVALID_TEXT = "invalid_text"
    INVALID_TIME = "invalid_time"
    TOO_LARGE = "too_large"
    VERSION_CONFLICT = "version_conflict"
    STORAGE_FULL = "storage_full"
    STORAGE_READONLY = "storage_readonly"
    STORAGE_DAMAGED = "storage_damaged"
    MODEL_UNAVAILABLE = "model_unavailable"
    BUDGET_EXHAUSTED = "budget_exhausted"
    ACCESS_DENIED = "access_denied"
    OVERLOADED = "overloaded"
    STOPPING = "stopping"
    SIMULATED_CLOCK_ONLY = "simulated_clock_only"


# name -> (JSON-RPC code, retryable). Blocks: 100s request, 200s store, 300s model, 400s access, 500s lifecycle.
REGISTRY: dict[ErrorName, tuple[int, bool]] = {
    ErrorName.PARSE_ERROR: (-32700, False),
    ErrorName.INVALID_REQUEST: (-32600, False),
    ErrorName.UNKNOWN_METHOD: (-32601, False),
    ErrorName.INVALID_PARAMS: (-32602, False),
    ErrorName.INTERNAL: (-1, False),
    ErrorName.MIND_NOT_FOUND: (101, False),
    ErrorName.NOT_FOUND: (102, False),
    ErrorName.MIND_EXISTS: (103, False),
    ErrorName.IDEMPOTENCY_CONFLICT: (104, False),
    ErrorName.INVALID_TEXT: (105, False),
    ErrorName.INVALID_TIME: (106, False),
    ErrorName.TOO_LARGE: (107, False),
    ErrorName.VERSION_CONFLICT: (108, True),
    ErrorName.STORAGE_FULL: (201, True),
    ErrorName.STORAGE_READONLY: (202, False),
    ErrorName.STORAGE_DAMAGED: (203, False),
    ErrorName.MODEL_UNAVAILABLE: (301, True),
    ErrorName.BUDGET_EXHAUSTED: (302, True),
    ErrorName.ACCESS_DENIED: (401, False),
    ErrorName.OVERLOADED: (501, True),
    ErrorName.STOPPING: (502, True),
    ErrorName.SIMULATED_CLOCK_ONLY: (503, False),
}


class SoulmemError(Exception):
    """A failure with a name, a sentence for a person, and optionally what to do about it."""

    def __init__(
        self, name: ErrorName, message: str, *, hint: str | None = None, retry_after_ms: int | None = None
    ) -> None:
        super().__init__(message)
        self.name = name
        self.message = message
        self.hint = hint
        self.retry_after_ms = retry_after_ms

    @property
    def line(self) -> str:
        """What is wrong and what to do about it, in one line."""
        return f"{self.message}; {self.hint}" if self.hint else self.message

    @property
    def code(self) -> int:
        return REGISTRY[self.name][0]

    @property
    def retryable(self) -> bool:
        return REGISTRY[self.name][1]


def model_unavailable(message: str, hint: str | None = None) -> SoulmemError:
    """What a model that cannot be had, read or asked is answered with."""
    return SoulmemError(ErrorName.MODEL_UNAVAILABLE, message, hint=hint)


class StartupError(Exception):
    """The daemon cannot start; `exit_code` is a sysexits number, the message says what to do."""

    def __init__(self, message: str, *, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code
