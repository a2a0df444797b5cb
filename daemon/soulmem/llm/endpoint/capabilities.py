"""What an endpoint's model can be asked for: how its answers are held to a shape, and which parameters it takes.

Used by `structured_output_ladder`. Learnt from one tiny call, and from what the endpoint refuses or does later;
remembered in a file, so that it is learnt once. Invariants: what is known of a model only ever gets lower until it is
probed again; losing the file costs one tiny call; the file holds no credentials.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from soulmem import file_kinds
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.endpoint.endpoint_failures import Feature
from soulmem.llm.endpoint.openai_request import Ask, Reply

_VIOLATIONS = 3  # in a row, after which a rung is not trusted any more
_NAMES = 8
_KEPT = 64
_PROBE_TOKENS = 256
_PROBE_FIELD = "k7"  # nobody answers with it by chance
_PROBE_SCHEMA = {
    "title": "probe",
    "type": "object",
    "properties": {_PROBE_FIELD: {"type": "string"}},
    "required": [_PROBE_FIELD],
    "additionalProperties": False,
}


class Rung(StrEnum):
    """How an answer is held to its shape, best first."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    TEXT = "text"

    @property
    def next(self) -> Rung:
        return Rung.JSON_OBJECT if self is Rung.JSON_SCHEMA else Rung.TEXT


@dataclass(frozen=True, slots=True)
class Capability:
    """What is known of one model. `answered_by`: the names under which it answered; another means it has changed."""

    rung: Rung = Rung.JSON_SCHEMA
    probed: bool = False
    takes_max_tokens: bool = True  # else max_completion_tokens
    takes_temperature: bool = True
    answered_by: tuple[str, ...] = ()


def response_format(rung: Rung, schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The request's `response_format` for a schema in strict form; its title is the name."""
    match rung:
        case Rung.JSON_SCHEMA:
            return {
                "type": "json_schema",
                "json_schema": {"name": schema["title"], "strict": True, "schema": dict(schema)},
            }
        case Rung.JSON_OBJECT:
            return {"type": "json_object"}
    return None  # some servers refuse even {"type": "text"}


def probe(model: str, rung: Rung, known: Capability) -> Ask:
    """A tiny request that shows whether a rung is held to: nothing in its words tells the field's name."""
    return Ask(
        model=model,
        messages=({"role": "user", "content": "Name one colour, in JSON."},),
        max_tokens=_PROBE_TOKENS,
        response_format=response_format(rung, _PROBE_SCHEMA),
        takes_max_tokens=known.takes_max_tokens,
        rung=rung.value,
    )


def holds(reply: Reply, rung: Rung) -> bool:
    """Whether the answer to a probe kept to the shape; a model still thinking at the limit has the benefit of doubt."""
    try:
        value = json.loads(reply.text)
    except (ValueError, RecursionError):
        return reply.cut
    return isinstance(value, dict) and (rung is not Rung.JSON_SCHEMA or _PROBE_FIELD in value)


class Capabilities:
    """What is known of the models of one endpoint. `endpoint`: its URL without credentials."""

    def __init__(self, file: Path | None, endpoint: str) -> None:
        self._file, self._endpoint = file, endpoint
        self._known = {model: known for place, model, known in _read(file) if place == endpoint}
        self._violations: dict[str, int] = {}
        self.unsaved = False

    def of(self, model: str) -> Capability:
        """What is known; the best is assumed of a model nobody has probed."""
        return self._known.get(model, Capability())

    def all(self) -> dict[str, Capability]:
        return dict(self._known)

    def found(self, model: str, rung: Rung, answered_by: str = "") -> Capability:
        """A probe showed which rung holds."""
        self._violations.pop(model, None)
        known = replace(self.of(model), rung=rung, probed=True)
        self._keep(model, replace(known, answered_by=_with(known.answered_by, answered_by)))
        return self.of(model)

    def forget(self, model: str) -> None:
        """Probe it anew the next time."""
        if self._known.pop(model, None) is not None:
            self.unsaved = True

    def refused(self, model: str, feature: Feature | None, tried: Capability) -> bool:
        """The endpoint refused a feature; False if there is nothing else to try."""
        known = self.of(model)
        match feature:
            case Feature.FORMAT if tried.rung is not Rung.TEXT:
                if known.rung is tried.rung:
                    self._keep(model, replace(known, rung=known.rung.next))
            case Feature.MAX_TOKENS if tried.takes_max_tokens:
                self._keep(model, replace(known, takes_max_tokens=False))
            case Feature.TEMPERATURE if tried.takes_temperature:
                self._keep(model, replace(known, takes_temperature=False))
            case _:
                return False
        return True

    def answered(self, model: str, tried: Capability, *, by: str, in_shape: bool) -> None:
        """What an answer showed: who gave it, and whether it kept to the shape its rung promises."""
        known = self.of(model)
        if by and by not in known.answered_by:
            # behind the same name there is another model now, which may be able to do more, or less
            changed = bool(known.answered_by)
            self._keep(
                model, replace(known, probed=known.probed and not changed, answered_by=_with(known.answered_by, by))
            )
        if in_shape or tried.rung is Rung.TEXT:
            self._violations.pop(model, None)
            return
        self._violations[model] = self._violations.get(model, 0) + 1
        if self._violations[model] >= _VIOLATIONS and self.of(model).rung is tried.rung:
            del self._violations[model]
            self._keep(model, replace(self.of(model), rung=tried.rung.next))

    def save(self) -> None:
        """Write the file if something was learnt; blocks. Without it the worst is one tiny call too many.

        Raises OSError: when it cannot be written.
        """
        if not self.unsaved or self._file is None:
            return
        self.unsaved = False
        others = [entry for entry in _read(self._file) if entry[0] != self._endpoint]
        own = [(self._endpoint, model, known) for model, known in self._known.items()]
        entries = [
            {"endpoint": place, "model": model, **asdict(known)} for place, model, known in [*others, *own][-_KEPT:]
        ]
        self._file.parent.mkdir(parents=True, exist_ok=True)
        partial = self._file.with_name(f".{self._file.name}.{os.getpid()}")
        try:
            partial.write_text(json.dumps(entries, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            partial.replace(self._file)
        finally:
            partial.unlink(missing_ok=True)

    def _keep(self, model: str, known: Capability) -> None:
        self._known[model] = known
        self.unsaved = True


def _with(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return (*names, name)[-_NAMES:] if name and name not in names else names


def _read(file: Path | None) -> list[tuple[str, str, Capability]]:
    """What the file holds; a damaged or missing one holds nothing, nor does what is none."""
    if file is None:
        return []
    try:
        if file_kinds.irregular(file) is not None:
            return []
        return [
            (
                str(entry["endpoint"]),
                str(entry["model"]),
                Capability(
                    rung=Rung(entry["rung"]),
                    probed=bool(entry["probed"]),
                    takes_max_tokens=bool(entry["takes_max_tokens"]),
                    takes_temperature=bool(entry["takes_temperature"]),
                    answered_by=tuple(str(name) for name in entry["answered_by"])[:_NAMES],
                ),
            )
            for entry in json.loads(file.read_text("utf-8"))
        ]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
