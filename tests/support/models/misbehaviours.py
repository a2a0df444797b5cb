"""Everything a scripted endpoint can do wrong, and how it spoils a good answer.

`AWAY`: there is no answer at all; `GOOD`: a good answer is in what it sends; `BAD`: what it says is no use, or only in
parts. A test may iterate over any of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

_LABEL = re.compile(r"[A-Z]{1,2}\d{1,4}")


class Misbehaviour(StrEnum):
    """What the endpoint does wrong."""

    NONE = "none"
    # it is away
    DOWN = "down"
    HANG = "hang"
    DRIP = "drip"
    RESET = "reset"
    BUSY = "busy"  # 429, Retry-After: 1
    BUSY_FOR_LONG = "busy_for_long"  # 429, Retry-After: 3600
    BROKEN = "broken"  # 500
    HTML = "html"
    WRONG_KEY = "wrong_key"  # 401
    NO_MODEL = "no_model"  # 404
    NO_V1 = "no_v1"  # 404 for every path that begins with /v1
    # it answers, and a good answer is in it
    FENCED = "fenced"
    TALKATIVE = "talkative"
    SINGLE_QUOTES = "single_quotes"
    THINKING = "thinking"
    THINKING_UNOPENED = "thinking_unopened"
    REASONING_FIELD = "reasoning_field"
    NO_JSON_SCHEMA = "no_json_schema"
    NO_RESPONSE_FORMAT = "no_response_format"
    NO_MAX_TOKENS = "no_max_tokens"
    NO_TEMPERATURE = "no_temperature"
    NO_USAGE = "no_usage"
    LYING_USAGE = "lying_usage"
    # it answers, and what it says is no use, or only in parts
    NULL = "null"
    NULL_CONTENT = "null_content"
    EMPTY_CHOICES = "empty_choices"
    NO_JSON = "no_json"
    CUT = "cut"
    CUT_BY_LIMIT = "cut_by_limit"
    SCHEMA = "schema"
    WRONG_LABELS = "wrong_labels"
    DUPLICATE_LABELS = "duplicate_labels"
    OTHER_LANGUAGE = "other_language"
    NAN = "nan"
    HUGE = "huge"
    REFUSAL = "refusal"
    BAD_REQUEST = "bad_request"  # 400 that says nothing
    WRONG_SIZE = "wrong_size"  # of embeddings


M = Misbehaviour
AWAY = (M.DOWN, M.HANG, M.DRIP, M.RESET, M.BUSY, M.BUSY_FOR_LONG, M.BROKEN, M.HTML, M.WRONG_KEY, M.NO_MODEL, M.NO_V1)
GOOD = (
    M.FENCED, M.TALKATIVE, M.SINGLE_QUOTES, M.THINKING, M.THINKING_UNOPENED, M.REASONING_FIELD, M.NO_JSON_SCHEMA,
    M.NO_RESPONSE_FORMAT, M.NO_MAX_TOKENS, M.NO_TEMPERATURE, M.NO_USAGE, M.LYING_USAGE,
)  # fmt: skip
BAD = (
    M.NULL, M.NULL_CONTENT, M.EMPTY_CHOICES, M.NO_JSON, M.CUT, M.CUT_BY_LIMIT, M.SCHEMA, M.WRONG_LABELS,
    M.DUPLICATE_LABELS, M.OTHER_LANGUAGE, M.NAN, M.HUGE, M.REFUSAL, M.BAD_REQUEST,
)  # fmt: skip


def error(message: str, *, code: str | None = None, param: str | None = None) -> Any:
    """An error as OpenAI words it."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def spoilt(did: Misbehaviour, answer: Any, body: Mapping[str, Any]) -> Any:
    """A good answer's JSON with what is wrong in its content."""
    match did:
        case M.SCHEMA:
            schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
            return schema or {"type": "object", "properties": {name: {"type": "string"} for name in answer}}
        case M.WRONG_LABELS:
            return _mapped(answer, lambda text: "Z99" if _LABEL.fullmatch(text) else text)
        case M.DUPLICATE_LABELS:
            return _doubled(answer)
        case M.OTHER_LANGUAGE:
            return _mapped(answer, lambda text: text if _LABEL.fullmatch(text) else "Кто-то где-то что-то сказал.")
        case M.NAN:
            return json.dumps(_with_nan(answer))
    return answer


def worded(did: Misbehaviour, text: str) -> str | None:
    """The text of a message around an answer's JSON, or what is left of it."""
    match did:
        case M.FENCED:
            return f"```json\n{text}\n```"
        case M.TALKATIVE:
            return f"Of course! Here {{it}} is:\n\n{text}\n\nI hope {{this}} helps."
        case M.SINGLE_QUOTES:
            return repr(json.loads(text)) if text.startswith("{") else text
        case M.THINKING:
            return f'<think>\nMaybe {{"draft": true}}? No.\n</think>\n\n{text}'
        case M.THINKING_UNOPENED:
            return f'Maybe {{"draft": true}}? No.\n</think>\n\n{text}'
        case M.NULL_CONTENT:
            return None
        case M.NO_JSON:
            return "I am sorry, I do not know what you mean."
        case M.CUT | M.CUT_BY_LIMIT:
            return text[: len(text) * 2 // 3]
    return text


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    match value:
        case str():
            return change(value)
        case list():
            return [_mapped(item, change) for item in value]
        case dict():
            return {name: _mapped(item, change) for name, item in value.items()}
    return value


def _doubled(value: Any) -> Any:
    """Every list twice, so every label stands there twice."""
    match value:
        case list():
            return [_doubled(item) for item in value] * 2
        case dict():
            return {name: _doubled(item) for name, item in value.items()}
    return value


def _with_nan(value: Any) -> Any:
    match value:
        case bool() | None | str():
            return value
        case int() | float():
            return float("nan")
        case list():
            return [_with_nan(item) for item in value]
        case dict():
            return {name: _with_nan(item) for name, item in value.items()}
    return value
