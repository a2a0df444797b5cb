"""What can go wrong with an endpoint, in our own few words: which kind, one line for people, which setting mends it.

Made by `openai_request`, acted upon by `endpoint_calls` and `structured_output_ladder`. Pure. Invariant: no message
holds a word that an endpoint sent but for a short code: servers repeat keys and prompts in their errors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from soulmem.fast_dataclasses import dataclass
from soulmem.llm.endpoint.endpoint_address import address_of
from soulmem.llm.endpoint.endpoint_options import EngineOptions
from soulmem.llm.endpoint.retries import retry_after_ms

_CODE = re.compile(r"[a-z][a-z_]{2,39}")
_ABOUT_FORMAT = re.compile(r"response.?format|json.?schema|json.?object|json.?mode|structured.output|grammar")
_READ_CHARS = 2000


class Kind(StrEnum):
    AWAY = "away"  # not reached, busy, broken, or set up wrongly: the same request may succeed later
    REFUSED = "refused"  # this request will never be answered
    UNSUPPORTED = "unsupported"  # one parameter of it is not known there; without it, it may be answered
    GARBLED = "garbled"  # what came back is not an answer


class Feature(StrEnum):
    """What an endpoint may not support."""

    FORMAT = "response_format"
    MAX_TOKENS = "max_tokens"
    TEMPERATURE = "temperature"


@dataclass(frozen=True, slots=True)
class Failure:
    """`message` follows the words "the endpoint X …". `passing`: worth repeating within the same call."""

    kind: Kind
    message: str
    hint: str
    status: int | None = None
    passing: bool = False
    timed_out: bool = False
    misset: bool = False  # a setting is wrong: asking again at once would change nothing
    retry_after_ms: int | None = None
    feature: Feature | None = None


class EndpointError(Exception):
    """A call that brought no answer."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def of_status(
    status: int, body: Any, headers: Mapping[str, str], options: EngineOptions, model: str, now_ms: int
) -> Failure:
    """What an HTTP error means. `body`: its JSON or text, `headers` with names in lower case, `now_ms` wall time."""
    error = body.get("error", body) if isinstance(body, dict) else body
    said = _lowered(error.get("message", error.get("detail")) if isinstance(error, dict) else error)
    code, param = (_lowered(error.get(name)) if isinstance(error, dict) else "" for name in ("code", "param"))
    what = _what(status, code, options.api_key)
    if (400 <= status < 500 or status in (500, 501)) and status not in (401, 403, 404, 408, 429):
        feature = _feature(param, said)
        if feature is not None:
            line = f"does not support {feature.value} ({what})"
            return Failure(Kind.UNSUPPORTED, line, "choose another `engine.model`", status, feature=feature)
    if status in (401, 403):
        line = f"refused the key ({what})" if options.api_key else f"wants a key ({what})"
        return Failure(Kind.AWAY, line, "check `engine.api_key_file`", status, misset=True)
    if status == 402:
        line = f"wants to be paid first ({what})"
        return Failure(Kind.AWAY, line, "check the account behind `engine.api_key_file`", status, misset=True)
    if status == 404 or "model_not_found" in code:
        return _not_found(status, what, f"{code} {said}", options, model)
    if status == 405 or 300 <= status < 400:
        line = f"does not speak the protocol ({what})"
        return Failure(Kind.AWAY, line, _other_url(options.base_url), status, misset=True)
    if status in (408, 409, 425, 429) or status >= 500:
        line = f"is busy ({what})" if status == 429 else f"failed ({what})"
        pause = retry_after_ms(headers, now_ms)
        return Failure(Kind.AWAY, line, "wait, or look at its log", status, passing=True, retry_after_ms=pause)
    hint = "check `engine.model`, `engine.max_tokens` and its log"
    return Failure(Kind.REFUSED, f"refused the request ({what})", hint, status)


def timed_out(setting: str) -> Failure:
    """`setting`: the one that the deadline came from."""
    return Failure(Kind.AWAY, "did not answer in time", f"raise `{setting}`, or see why it is slow", timed_out=True)


def not_reached(reason: str) -> Failure:
    """`reason`: a name of ours, or that of an exception's type."""
    hint = "check `engine.base_url` and that the server runs"
    return Failure(Kind.AWAY, f"was not reached ({reason})", hint, passing=True)


def left_alone(pause_ms: int) -> Failure:
    line = f"failed several times and is left alone for {max(1, round(pause_ms / 1000))} s"
    return Failure(Kind.AWAY, line, "see `soulmem doctor --model`", retry_after_ms=max(pause_ms, 1000))


def no_turn() -> Failure:
    line = "was busy with other calls of ours all the time"
    return Failure(Kind.AWAY, line, "raise `engine.concurrency`, if it serves several at once")


def not_an_api(base_url: str) -> Failure:
    line = "answered with a web page"
    return Failure(Kind.AWAY, line, _other_url(base_url), misset=True)


def garbled(message: str) -> Failure:
    return Failure(Kind.GARBLED, message, "check that `engine.base_url` is an OpenAI-compatible endpoint")


def _what(status: int, code: str, key: str | None) -> str:
    """The status, with the endpoint's own code if it is a plain word and no part of a key."""
    telling = _CODE.fullmatch(code) and not (key and (code in key.lower() or key.lower() in code))
    return f"HTTP {status}, {code}" if telling else f"HTTP {status}"


def _feature(param: str, said: str) -> Feature | None:
    if param.startswith("response_format") or (not param and _ABOUT_FORMAT.search(said)):
        return Feature.FORMAT
    if param == "max_tokens" or (not param and "max_completion_tokens" in said):
        return Feature.MAX_TOKENS
    if param == "temperature" or (not param and "temperature" in said):
        return Feature.TEMPERATURE
    return None


def _not_found(status: int, what: str, said: str, options: EngineOptions, model: str) -> Failure:
    if "model" in said:
        return Failure(Kind.AWAY, f"knows no model {model!r} ({what})", "check `engine.model`", status, misset=True)
    line = f"has no /chat/completions ({what})"
    return Failure(Kind.AWAY, line, _other_url(options.base_url), status, misset=True)


def _other_url(base_url: str) -> str:
    address = address_of(base_url)
    if address.v1 == address.shown:
        return f"check `engine.base_url`, which is {address.shown}"
    return f"try {address.v1} as `engine.base_url`"


def _lowered(value: Any) -> str:
    return value[:_READ_CHARS].lower() if isinstance(value, str) else ""
