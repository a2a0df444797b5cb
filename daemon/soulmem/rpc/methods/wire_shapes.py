"""The shapes of parameters, checked when a method is called.

Parameters are strict: an unknown name is refused with the nearest known one, a number is not a string. Text and times
have their own errors, because clients handle them apart. The shapes of results are `soulmem.results`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, ClassVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from soulmem.core.calendar import iso8601
from soulmem.core.schema.requested_times import UnreadTimeError, read_stretch
from soulmem.core.text.did_you_mean import did_you_mean
from soulmem.errors import ErrorName, SoulmemError

TEXT_BYTES = 256 * 1024
ATTRIBUTES_CHARS = 8_192  # of a message, as JSON
MOST_ITEMS = 1_000  # of a list or an object: no parameter takes more, and to check 300,000 takes a second
_HALF = re.compile("[\ud800-\udfff]")
_TOO_LONG = re.compile(r"(value|list) should have at (most|least) (\d+) items? after validation, not (\d+)")
_MIND_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")


def checked_text(text: str) -> str:
    """Refuse text that is empty, too long, or holds what no person typed.

    Raises SoulmemError: `invalid_text`, `too_large`.
    """
    if not text.strip():
        raise SoulmemError(ErrorName.INVALID_TEXT, "the text is empty", hint="send at least one visible character")
    if "\x00" in text:
        raise SoulmemError(ErrorName.INVALID_TEXT, "the text holds a NUL character", hint="remove U+0000")
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise SoulmemError(
            ErrorName.INVALID_TEXT,
            "the text holds a lone surrogate, which is no character",
            hint="send valid UTF-8; check how the client cuts its strings",
        ) from error
    if size > TEXT_BYTES:
        raise SoulmemError(
            ErrorName.TOO_LARGE,
            f"the text has {size} bytes, at most {TEXT_BYTES} are taken",
            hint="split it into several messages",
        )
    return text


def checked_label(text: str) -> str:
    """Short text that may be empty: titles, speakers, tags."""
    return checked_text(text) if text else text


def parsed_time(text: str) -> int:
    """UTC milliseconds of an ISO 8601 time. Raises SoulmemError: `invalid_time`."""
    try:
        return iso8601.parse_iso(text)
    except iso8601.InvalidInstantError as error:
        raise SoulmemError(
            ErrorName.INVALID_TIME, str(error), hint="write it like 2026-03-01T10:30:00Z, years 0001 to 9999"
        ) from error


def asked_span(since: str | None, until: str | None, now_ms: int) -> tuple[int | None, int | None]:
    """`from` and `to` in UTC milliseconds: the first moment of what `from` names, the end of what `to` names.

    Raises SoulmemError: `invalid_time`.
    """
    return _asked(since, now_ms)[0], _asked(until, now_ms)[1]


def asked_as_of(text: str | None, now_ms: int) -> int | None:
    """`as_of` in UTC milliseconds: the last moment of what it names, no later than now unless it is an ISO 8601 time.

    Raises SoulmemError: `invalid_time`.
    """
    first, end = _asked(text, now_ms)
    if first is None or end is None or first == end:
        return first
    return max(first, min(end - 1, now_ms))


def _asked(text: str | None, now_ms: int) -> tuple[int, int] | tuple[None, None]:
    """The stretch of time a text names; of an ISO 8601 time both are that moment, of a date alone its midnight."""
    if text is None:
        return None, None
    try:
        moment = iso8601.parse_iso(text)
    except iso8601.InvalidInstantError:
        try:
            return read_stretch(text, now_ms)
        except UnreadTimeError as error:
            raise SoulmemError(ErrorName.INVALID_TIME, str(error), hint=error.hint) from error
    return moment, moment


def _mind_name(name: str) -> str:
    if not _MIND_NAME.match(name):
        raise SoulmemError(
            ErrorName.INVALID_PARAMS,
            f"{name[:80]!r} cannot be the name of a mind",
            hint="use 1 to 64 of a-z, 0-9, - and _, beginning with a letter or digit; put other names into title",
        )
    return name


MindName = Annotated[
    str,
    AfterValidator(_mind_name),
    Field(
        description="name of the mind: a-z, 0-9, - and _, at most 64",
        json_schema_extra={"pattern": "^[a-z0-9][a-z0-9_-]{0,63}$"},
    ),
]
Text = Annotated[str, AfterValidator(checked_text), Field(description="1 B to 256 KiB of UTF-8")]
Label = Annotated[str, AfterValidator(checked_label), Field(max_length=256)]
LongLabel = Annotated[str, AfterValidator(checked_label)]
IsoTime = Annotated[str, Field(description="ISO 8601, years 0001 to 9999")]
TIME_WORDS = "ISO 8601, or as 2026-03, yesterday, 上周"
AskedTime = Annotated[str, Field(description=TIME_WORDS)]
Identifier = Annotated[str, AfterValidator(checked_text), Field(min_length=1, max_length=256)]
Key = Annotated[str, AfterValidator(checked_text), Field(min_length=1, max_length=256)]
Share = Annotated[float, Field(ge=0, le=1)]
Valence = Annotated[float, Field(ge=-1, le=1)]
Limit = Annotated[int, Field(ge=1, le=500, description="at most so many items")]
Cursor = Annotated[str, Field(max_length=64)]
Mood = Annotated[
    dict[str, float | str] | None,
    Field(description="how the character feels, in words or figures of yours: gaps in what faded are filled in so"),
]


def _checked_attributes(given: dict[str, Any]) -> dict[str, Any]:
    """Refuse what is too large, or what JSON cannot hold. Raises SoulmemError: `invalid_params`, `too_large`."""
    try:
        size = len(stored_attributes(given) or "")
    except (ValueError, RecursionError) as error:
        raise SoulmemError(ErrorName.INVALID_PARAMS, f"attributes: JSON cannot hold them: {str(error)[:80]}") from error
    if size > ATTRIBUTES_CHARS:
        raise SoulmemError(
            ErrorName.TOO_LARGE, f"the attributes have {size} characters as JSON, at most {ATTRIBUTES_CHARS} are taken",
            hint="keep what is long elsewhere, and its name here",
        )  # fmt: skip
    return given


def stored_attributes(given: dict[str, Any] | None) -> str | None:
    """Attributes as they are stored: JSON, the same text for the same object; None where there are none."""
    return json.dumps(given, ensure_ascii=False, allow_nan=False, sort_keys=True) if given else None


MessageAttributes = Annotated[
    dict[str, Any] | None,
    AfterValidator(lambda given: given if given is None else _checked_attributes(given)),
    Field(
        description="whatever else belongs to it, kept as it is, deleted with it; recall finds by it. 8,192 characters "
        "of JSON"
    ),
]


class Params(BaseModel):
    """What a method takes. Unknown names are refused. Its checks are made on its first call, not at each start."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)
    alone: ClassVar[frozenset[str]] = frozenset()  # lists of which each item is checked by itself


class MindParams(Params):
    mind: MindName


def optional(description: str, **bounds: Any) -> Any:  # as pydantic's own `Field`
    """A parameter that may be missing: None then."""
    return Field(default=None, description=description, **bounds)


def preset(default: Any, description: str, **bounds: Any) -> Any:  # ditto
    """A parameter that is taken for `default` where it is missing."""
    return Field(default=default, description=description, **bounds)


InFrontOf = Annotated[
    Identifier | None,
    Field(
        description="in front of whom: with sharing other than open, what may not surface in this conversation "
        "is not found; without it the call is the owner's and sees everything"
    ),
]


HeardIn = Annotated[
    list[Identifier] | None,
    Field(
        max_length=MOST_ITEMS,
        description="only what was heard in conversations of these names, and what is common, whatever recall.sharing "
        "says; a note of several only if all of them are named",
    ),
]

# Parameters that many methods take: what they mean is said once.
NextPage = Annotated[Cursor | None, Field(description="next_cursor of the page before; without it the first page")]
InConversation = Annotated[Identifier, Field(description="name of the conversation; main where none is given")]
MessageId = Annotated[Identifier, Field(description="id of the message: yours, or the one message.add gave it")]


class IdMark:
    """Marks a parameter that is an id, or a list of ids, of what a mind numbers: `minds/id_forms` reads it."""


ID = IdMark()


@cache
def id_fields(model: type[Params]) -> tuple[str, ...]:
    """The parameters of a method that are ids, or lists of ids."""
    return tuple(name for name, field in model.model_fields.items() if ID in field.metadata)


NoteId = Annotated[Identifier, ID, Field(description="id of the note, like n17")]
Excluded = Annotated[
    list[str] | None,
    ID,
    Field(max_length=1000, description="ids of what is not wanted, like n17: what is in your prompt already"),
]
RequestKey = Annotated[
    Key | None,
    Field(description="your name for this request: sent again under it, it is done once and answered as then"),
]


class PageParams(MindParams):
    limit: Limit = 100
    cursor: NextPage = None


class ItemPageParams(PageParams):
    """Of a list in which the cursor is the id of the last item."""

    cursor: Annotated[NextPage, ID] = None


def _too_long(found: re.Match[str]) -> str:
    """Say of a text what the checker says of any value with a length."""
    what, bound, limit, given = found.groups()
    unit = "characters" if what == "value" else "items"
    return f"has {given} {unit}, at {bound} {limit} are taken"


def _names_at(model: type[BaseModel], place: Sequence[int | str]) -> list[str]:
    """The names of parameters, as they travel, of the object in which a name stands that is none of them."""
    for step in place[:-1]:
        names = {field.alias or name: field for name, field in model.model_fields.items()}
        inner = _model_in(names[step].annotation) if step in names else None
        model = inner or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The object that a parameter is, or is a list of; None for one that is plain."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for each in get_args(annotation) if (found := _model_in(each))), None)


def _refuse_crowd(name: str, value: Any) -> None:
    if isinstance(value, list | dict) and len(value) > MOST_ITEMS:
        message = f"{name[:80]}: has {len(value)} items, at most {MOST_ITEMS} are taken"
        raise SoulmemError(ErrorName.INVALID_PARAMS, message)


def holds_half_character(value: Any) -> bool:
    """Whether a lone surrogate stands anywhere in it, names within objects too: no file can hold it."""
    level = [value]
    while level:
        each = level.pop()
        if isinstance(each, str):
            if not each.isascii() and _HALF.search(each):
                return True
        elif isinstance(each, list):
            level += each
        elif isinstance(each, dict):
            level += each.keys()
            level += each.values()
    return False


def read_params(model: type[Params], params: dict[str, Any]) -> Params:
    """Check the parameters of a call.

    Raises SoulmemError: `invalid_params` with what was wrong and the nearest known name; `invalid_text`, `too_large`.
    """
    for name, value in params.items():
        _refuse_crowd(name, value)
        if name not in model.alone and holds_half_character(value):
            raise SoulmemError(
                ErrorName.INVALID_TEXT,
                f"{name[:80]}: the text holds a lone surrogate, which is no character",
                hint="send valid UTF-8; check how the client cuts its strings",
            )
    try:
        return model.model_validate(params)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "params"
        if first["type"] == "extra_forbidden":
            known = _names_at(model, first["loc"])
            hint = did_you_mean(str(first["loc"][-1]), known, otherwise=f"known: {', '.join(known) or 'none'}")
            raise SoulmemError(ErrorName.INVALID_PARAMS, f"unknown parameter {place[:80]!r}", hint=hint) from error
        if first["type"] == "missing":
            raise SoulmemError(ErrorName.INVALID_PARAMS, f"the parameter {place!r} is missing") from error
        message = _TOO_LONG.sub(_too_long, first["msg"][0].lower() + first["msg"][1:])
        raise SoulmemError(ErrorName.INVALID_PARAMS, f"{place[:80]}: {message}") from error
