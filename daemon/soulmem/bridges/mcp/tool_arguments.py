"""What tools take and give, as JSON schemas that every client reads, and the check of what a model sent.

Called by `bridges/mcp/mcp_tool`. A schema is plain: no references, no titles, no alternatives with null; a null that a
model sends for something optional counts as left out, and "5" counts as 5. What is wrong with an argument is told in
one line that names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from soulmem.bridges.mcp.mind_door import ToolFaultError, one_line
from soulmem.core.text.did_you_mean import did_you_mean
from soulmem.rpc.methods.wire_shapes import holds_half_character


class Arguments(BaseModel):
    """What a tool takes. An unknown name is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@cache
def plain_schema(shape: type) -> dict[str, Any]:
    """The JSON schema of a shape, with all that it refers to put in its place."""
    schema = TypeAdapter(shape).json_schema(mode="validation")
    definitions = schema.pop("$defs", {})
    plain = _plain(schema, definitions)
    assert isinstance(plain, dict)
    plain.pop("description", None)  # of the class, for readers of the code
    plain.setdefault("properties", {})
    return plain


def _plain(part: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(part, list):
        return [_plain(each, definitions) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        inner = {key: value for key, value in definitions[part["$ref"].rpartition("/")[2]].items() if key != "title"}
        return _plain({**inner, **{key: value for key, value in part.items() if key != "$ref"}}, definitions)
    kept = {key: value for key, value in part.items() if key != "title" or isinstance(value, dict)}
    if "anyOf" in kept:
        others = [each for each in kept["anyOf"] if each != {"type": "null"}]
        if len(others) == 1:
            kept = {**others[0], **{key: value for key, value in kept.items() if key != "anyOf"}}
            return _plain(kept, definitions)
    if "default" in kept and kept["default"] is None:
        del kept["default"]
    return {
        key: {name: _plain(value, definitions) for name, value in each.items()}
        if key == "properties"
        else _plain(each, definitions)
        for key, each in kept.items()
    }


def read_arguments(model: type[Arguments], given: Mapping[str, Any] | None) -> Arguments:
    """Check what was sent.

    Raises ToolFaultError: which argument is wrong, and how.
    """
    sent = {name: value for name, value in (given or {}).items() if value is not None}
    if holds_half_character(sent):
        raise ToolFaultError("the arguments hold a lone surrogate, which is no character; send valid Unicode")
    try:
        return model.model_validate(sent)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise ToolFaultError(_told(model, first["loc"], first["type"], first["msg"])) from None


def _told(model: type[Arguments], place: tuple[int | str, ...], kind: str, message: str) -> str:
    name = ".".join(str(step) for step in place)[:80]
    known = ", ".join(model.model_fields) or "none"
    if kind == "extra_forbidden":
        meant = did_you_mean(str(place[-1]), model.model_fields if len(place) == 1 else (), otherwise="")
        hint = meant or (f"the arguments are: {known}" if len(place) == 1 else "leave it out")
        return one_line(f"unknown argument `{name}` — {hint}")
    if kind == "missing":
        return f"the argument `{name}` is missing"
    if not name:
        return one_line(message.removeprefix("Value error, "))
    return one_line(f"`{name}`: {message[0].lower()}{message[1:].removeprefix('alue error, ')}")
