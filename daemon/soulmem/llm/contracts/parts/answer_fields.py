"""The fields of answers, read with a lenient eye: what a weak model meant, where that is plain; nothing, where not.

Small models write `"importance": "8/10"`, one string instead of a list, `"yes"` for true. None of that is worth a
second call, so a field of the wrong kind is read if it can be, and else counts as left out; only an answer without its
main field, or that is no object at all, fails validation. The JSON Schema of a field says what is wanted of it: a plain
type, and null only where leaving it out means something. Ratings from 1 to 10: algorithms.md §8.2.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, GetCoreSchemaHandler, GetJsonSchemaHandler, WithJsonSchema, model_validator
from pydantic_core import CoreSchema, core_schema

from soulmem.llm.contracts.parts.contract_base import Answer

T = TypeVar("T")

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d{1,12}(?:\.\d{1,12})?|\.\d{1,12})(?P<percent>\s?%)?")
_BETWEEN_LABELS = re.compile(r"[\s,;、，；]+")
_YES = frozenset({"true", "yes", "y", "1", "是", "对", "有", "够"})
_NO = frozenset({"false", "no", "n", "0", "否", "不", "不是", "没有", "不够"})
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def text_of(value: object) -> str | None:
    """Text as it is, without control characters and halves of characters; a number as its digits; else None."""
    if isinstance(value, str):
        return _UNPRINTABLE.sub("", value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return repr(value) if abs(value) < 1e15 else None


def number_of(value: object) -> float | None:
    """A finite number, or the first one in a text ("0.7", "80%"); else None."""
    if isinstance(value, str):
        found = _NUMBER.search(value)
        if found is None:
            return None
        read = float(found[0].rstrip("% ")) / (100 if found["percent"] else 1)
    elif isinstance(value, bool) or not isinstance(value, int | float):
        return None
    else:
        try:
            read = float(value)
        except OverflowError:
            return None
    return read if math.isfinite(read) else None


def flag_of(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    word = (text_of(value) or "").strip(" .。!！").lower()
    return True if word in _YES else False if word in _NO else None


def texts_of(value: object) -> list[str]:
    """Texts of a list; one text alone is a list of its lines."""
    parts: list[Any] = value.splitlines() if isinstance(value, str) else _as_list(value)
    return [text for part in parts if (text := text_of(part)) and text.strip()]


def labels_of(value: object) -> list[str]:
    """Labels of a list; one text alone is cut at commas and blanks."""
    parts: list[Any] = _BETWEEN_LABELS.split(value) if isinstance(value, str) else _as_list(value)
    return [text for part in parts if (text := text_of(part)) and text.strip()]


def items_of(value: object) -> list[object]:
    """The objects of a list; what stands among them and is none is left out."""
    if isinstance(value, Mapping):
        return [value]
    return [item for item in _as_list(value) if isinstance(item, Mapping | Answer)]


def _as_list(value: object) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _object_or_none(value: object) -> object:
    return value if isinstance(value, Mapping | Answer) else None


class Choice:
    """Marks a field that takes one of some words: read as one of them, or by another name in `also`; else None."""

    def __init__(self, words: Iterable[str], also: Mapping[str, str]) -> None:
        self.words = tuple(words)
        self.known = {word: word for word in self.words} | dict(also)

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.read, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}

    def read(self, value: object) -> str | None:
        said = (text_of(value) or "").strip(" \t\n\"'.。").lower().replace("-", "_").replace(" ", "_")
        return self.known.get(said)


Text = Annotated[str, BeforeValidator(lambda value: text_of(value) or "")]
MaybeText = Annotated[str | None, BeforeValidator(text_of)]
Number = Annotated[float | None, BeforeValidator(number_of), WithJsonSchema({"type": "number"})]
Whole = Annotated[float | None, BeforeValidator(number_of), WithJsonSchema({"type": "integer"})]
Flag = Annotated[bool | None, BeforeValidator(flag_of), WithJsonSchema({"type": "boolean"})]
Texts = Annotated[list[str], BeforeValidator(texts_of)]
Labels = Annotated[list[str], BeforeValidator(labels_of)]
Items = Annotated[list[T], BeforeValidator(items_of)]
Part = Annotated[T | None, BeforeValidator(_object_or_none)]


class ListAnswer(Answer):
    """An answer that is one list: the list alone, without its name, is taken for it."""

    @model_validator(mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        if not isinstance(value, list):
            return value
        name, field = next(iter(cls.model_fields.items()))
        return {field.alias or name: value}


def within(value: float | None, low: float, high: float, default: float) -> float:
    """The number held between its bounds; `default` where there is none."""
    return default if value is None else min(high, max(low, value))


def one_line(text: str) -> str:
    """Text on one line, its inner blanks single."""
    return " ".join(text.split())


FAIL_SAFE = 4
_RANGE = re.compile(
    r"(?<![A-Za-z0-9_.])\d+(?:\.\d+)?\s*(?:-|–|—|~|〜|to|and|through|到|至|和)\s*\d+(?:\.\d+)?(?![A-Za-z0-9_])"
)
_DENOMINATOR = re.compile(r"/\s*\d+(?:\.\d+)?")
_RATING = re.compile(r"(?<![A-Za-z0-9_.\-])(?:10|[1-9])(?![A-Za-z0-9_])")
_LONGEST = 2_000


def rating_in(text: str) -> int | None:
    """The first whole number from 1 to 10 that is neither what is rated against (`/10`) nor the end of a range."""
    plain = unicodedata.normalize("NFKC", text[:_LONGEST])
    found = _RATING.search(_DENOMINATOR.sub(" ", _RANGE.sub(" ", plain)))
    return int(found[0]) if found else None


def parse_importance(text: str) -> int:
    """A rating as a number from 1 to 10: "8/10" is 8, "7.5" is 7; 4 where the text gives none, or only a range."""
    rating = rating_in(text)
    return FAIL_SAFE if rating is None else rating


def _rating_of(value: object) -> int | None:
    text = text_of(value)
    return None if text is None else rating_in(text)


Rating = Annotated[int | None, BeforeValidator(_rating_of), WithJsonSchema({"type": "integer"})]
"""A field that holds a rating; None where nothing in it is one."""
