"""The rule of a setting: what its value must be, and how a value from a file, the environment or a flag is read by it.

Sections declare their keys with `setting`; `ops/settings/config_loader.py` and the tables of
`ops/settings/engine_settings.py` hand what they found to `parse`. Invariant: a value that exists has passed its rule,
wherever it came from.
"""

from __future__ import annotations

import json
import re
from dataclasses import field
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from soulmem.fast_dataclasses import dataclass

T = TypeVar("T")


class Secret:
    """A key or password. Its text leaves only through `reveal`; printing and logging show a mask."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "Secret(****)"

    def __str__(self) -> str:
        return "****"

    def __format__(self, spec: str) -> str:
        return format("****", spec)

    def __reduce__(self) -> str:
        raise TypeError("a Secret is not written out")


@dataclass(frozen=True, slots=True)
class Rule:
    """What a value must be. `low` and `high` are inclusive; `assistant` is the default under that profile."""

    means: str
    low: float | None = None
    high: float | None = None
    pattern: str | None = None
    per_mind: bool = False
    assistant: bool | int | float | str | None = None


def setting(
    default: T, means: str, low: float | None = None, high: float | None = None, *, pattern: str | None = None
) -> T:
    """Declare one key of a section, which holds for the whole daemon; `low` and `high` are inclusive."""
    return field(default=default, metadata={"rule": Rule(means, low, high, pattern)})


def mind_setting(
    default: T,
    means: str,
    low: float | None = None,
    high: float | None = None,
    *,
    assistant: bool | int | float | str | None = None,
) -> T:
    """Declare one key that a mind may set for itself; `assistant` is the default under that profile."""
    return field(default=default, metadata={"rule": Rule(means, low, high, None, True, assistant)})


class RejectedError(ValueError):
    """A value broke its rule; the text continues the sentence 'key …'."""


def parse(kind: object, rule: Rule, value: object, *, from_text: bool = False) -> object:
    """Check one value against its type and rule, and return it in its own type.

    `kind`: the resolved type: bool, int, float, str, a StrEnum, or `Path | None`; `from_text`: the value is text of the
    environment or command line and is read first.
    Raises: RejectedError: with what is wrong.
    """
    if from_text and isinstance(value, str):
        value = _read_text(kind, value)
    if kind is bool:
        if not isinstance(value, bool):
            raise RejectedError(f"must be true or false, not {_shown(value)}")
        return value
    if kind is int or kind is float:
        return _number(kind is int, rule, value)
    if not isinstance(value, str | Path) or (value == "" and kind is not str):
        raise RejectedError(f"must be text, not {_shown(value)}")
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        choices = [member.value for member in kind]
        if value not in choices:
            raise RejectedError(f"must be one of {', '.join(choices)}, not {_shown(value)}")
        return kind(value)
    text = str(value)
    if "\0" in text:
        raise RejectedError("must not contain NUL")
    if kind is not str:
        return Path(text)
    if rule.pattern is not None and not re.fullmatch(rule.pattern, text):
        raise RejectedError(f"is not valid: {_shown(value)} ({rule.means})")
    return text


def _number(whole: bool, rule: Rule, value: object) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        raise RejectedError(f"must be a {'whole number' if whole else 'number'}, not {_shown(value)}")
    low, high = rule.low, rule.high
    # NaN fails every comparison, so it is refused too
    if not ((low is None or value >= low) and (high is None or value <= high)):
        raise RejectedError(f"must be {_range(low, high)}, not {value}")
    return value if whole else float(value)


def _range(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f"between {low:.10g} and {high:.10g}"
    return f"at least {low:.10g}" if low is not None else f"at most {high:.10g}"


def _read_text(kind: object, text: str) -> object:
    """Read a value of the environment: numbers and booleans as people write them, the rest as it stands."""
    lowered = text.strip().lower()
    if kind is bool:
        if lowered in {"true", "yes", "on", "1"}:
            return True
        return False if lowered in {"false", "no", "off", "0"} else text
    if kind is int or kind is float:
        try:
            return int(lowered) if kind is int else float(lowered)
        except ValueError:
            return text
    return text


def _shown(value: object) -> str:
    if isinstance(value, str):
        return json.dumps(value[:60], ensure_ascii=False)  # a line break in it makes no second line
    return {dict: "a table", list: "a list", type(None): "null"}.get(type(value), str(value)[:60])
