"""From what a model wrote to JSON: strictly if possible, mended if need be, never guessed from nothing.

Used by `structured_output_ladder`. The order is that of algorithms.md §0.3: as it stands; without reasoning and fences;
the outermost braces; then json-repair. Invariants: any text gives an object, or a list, or `UnreadableError`; what
comes out holds exact numbers and clean text only; a schema that was repeated instead of filled in is refused; what a
model left half-said when it was cut off is dropped, never completed.
"""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any

from soulmem.fast_dataclasses import dataclass

_DEEPEST = 64
_TRIED_BRACES = 20
_LARGEST = 2**53  # beyond it, numbers are not exact in JSON
_OUTERMOST = 2  # levels of an answer that its end closes
_REPAIRED_CHARS = 200_000  # beyond it the repair would take seconds, and no answer is that long
_END_OF_REASONING = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_OPEN_REASONING = re.compile(r"\A\s*<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]*[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", re.DOTALL)
_UNTIDY = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_SCHEMA_WORDS = frozenset({"$defs", "$schema", "properties"})


class UnreadableError(ValueError):
    """There is no usable JSON object in the text; the message says why, and may be shown to the model."""


@dataclass(frozen=True, slots=True)
class Found:
    """`mended`: it was not JSON as it stood. `cut`: the end is missing, what was half-said has been dropped."""

    value: dict[str, Any] | list[Any]
    mended: bool = False
    cut: bool = False


def find_object(text: str, fields: frozenset[str]) -> Found:
    """The JSON object in the text, at best one that has some of these fields; or the list it may consist of.

    Raises UnreadableError: when there is none.
    """
    try:
        found = _found(text, fields)
        return Found(_filled_in(_clean(found.value), fields), found.mended, found.cut)
    except RecursionError:
        raise UnreadableError("the JSON is nested too deeply") from None


def _found(text: str, fields: frozenset[str]) -> Found:
    if (value := _loaded(text)) is not None:
        return Found(value)
    bare = _without_reasoning(text)
    if (value := _loaded(bare)) is not None:
        return Found(value)
    candidates = [*_FENCE.findall(bare), *_outermost(bare, fields)]
    for strict in (True, False):
        for candidate in candidates:
            if (value := _loaded(candidate, strict=strict)) is not None:
                return Found(value, mended=True)
    start = bare.find("{")
    if start < 0:
        raise UnreadableError("there is no JSON object in the answer")
    return _repaired(bare[start:])


def _loaded(text: str, *, strict: bool = True) -> Any:
    """What the text is as JSON, an object or a list; None if it is anything else. Not strict: raw line ends pass."""
    try:
        value = json.loads(text, parse_constant=_refuse_constant, strict=strict)
    except ValueError:
        return None
    return value if isinstance(value, dict | list) else None


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


def _without_reasoning(text: str) -> str:
    """A reasoning model may close its block, have opened it before the answer begins, or never close it."""
    if text.lstrip().startswith(("{", "`")):
        return text
    rest = _END_OF_REASONING.split(text)[-1]
    return _OPEN_REASONING.sub("", rest)


def _outermost(text: str, fields: frozenset[str]) -> list[str]:
    """From the first brace to the last, and what stands in braces amid talk that has braces of its own."""
    start, end = text.find("{"), text.rfind("}")
    candidates = [text[start : end + 1]] if 0 <= start < end else []
    decoder = json.JSONDecoder(parse_constant=_refuse_constant)
    for _ in range(_TRIED_BRACES):
        if start < 0:
            break
        length = 1
        with contextlib.suppress(ValueError):
            value, length = decoder.raw_decode(text[start:])
            if fields & value.keys():
                candidates.append(text[start : start + length])
        start = text.find("{", start + length)
    return candidates


def _repaired(text: str) -> Found:
    if len(text) > _REPAIRED_CHARS:
        raise UnreadableError("the answer is too long to be mended")
    whole, cut = _cut_back(text.split("\n```", maxsplit=1)[0].rstrip())
    value = _loaded(whole, strict=False)
    if value is None:
        import json_repair  # noqa: PLC0415  # 50 ms that only bad answers pay

        try:
            value = json_repair.loads(whole, skip_json_loads=True)
        except (ValueError, TypeError, IndexError, KeyError, AttributeError):
            value = None
    if not isinstance(value, dict | list) or not value:
        raise UnreadableError("the answer is not valid JSON")
    return Found(value, mended=True, cut=cut)


def _cut_back(text: str) -> tuple[str, bool]:
    """The text's object if it is whole or broken in another way; else what was said in full, and True: it was cut.

    Said in full are the items of the outermost list, and members of the object outside all lists.
    """
    stack: list[str] = []
    kept, closing = 0, ""
    quoted = escaped = False
    for place, char in enumerate(text):
        if quoted:
            quoted = escaped or char != '"'
            escaped = char == "\\" and not escaped
            continue
        match char:
            case '"':
                quoted = True
            case "{" | "[":
                stack.append("}" if char == "{" else "]")
            case "}" | "]":
                if not stack or stack.pop() != char:
                    return text, False
                if not stack:
                    return text[: place + 1], False
                if _holds_whole_items(stack):
                    kept, closing = place + 1, "".join(reversed(stack))
            case "," if _holds_whole_items(stack):
                kept, closing = place, "".join(reversed(stack))
        if len(stack) > _DEEPEST:
            raise UnreadableError("the JSON is nested too deeply")
    ends_whole = "".join(text[-_OUTERMOST * 4 :].split()).endswith("".join(reversed(stack[:_OUTERMOST])))
    if quoted and ends_whole:  # a quotation mark too many, or too few; a lone brace may stand in a string that is cut
        return text, False
    if not kept:
        raise UnreadableError("the answer breaks off before anything is said")
    return text[:kept] + closing, kept < len(text) or "]" in closing


def _holds_whole_items(stack: list[str]) -> bool:
    """Whether what ends here is an item of the outermost list, or a member of an object outside all lists."""
    return "]" not in stack[:-1]


def _clean(value: Any, depth: int = 0) -> Any:
    """The same value without what no store takes: lone surrogates, control characters, numbers that are none."""
    if depth > _DEEPEST:
        raise UnreadableError("the JSON is nested too deeply")
    match value:
        case str():
            return _UNTIDY.sub("", value)
        case float() | int() if not abs(value) <= _LARGEST:  # so written for NaN
            return None
        case list():
            return [_clean(item, depth + 1) for item in value]
        case dict():
            return {_clean(str(name), depth + 1): _clean(item, depth + 1) for name, item in value.items()}
    return value


def _filled_in(value: Any, fields: frozenset[str]) -> Any:
    """The value itself, or what a model has wrapped once too often."""
    if isinstance(value, list) and len(value) == 1 and _has_some(value[0], fields):
        return value[0]
    if isinstance(value, dict) and not _has_some(value, fields):
        if value.keys() & _SCHEMA_WORDS or (value.get("type") == "object" and "required" in value):
            raise UnreadableError("the answer repeats the schema; it must hold values, not their description")
        inner = next(iter(value.values()), None)
        if len(value) == 1 and _has_some(inner, fields):
            return inner
    return value


def _has_some(value: Any, fields: frozenset[str]) -> bool:
    return isinstance(value, dict) and bool(fields & value.keys())
