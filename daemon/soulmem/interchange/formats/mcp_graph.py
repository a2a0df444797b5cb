"""The file of the reference memory server of MCP: a line is an entity with what was observed of it, or a relation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from soulmem.interchange.reading import json_pieces
from soulmem.interchange.reading.byte_sources import ByteSource
from soulmem.interchange.records import LeftOut, Observed, Record, Related, Wishes


def recognises(first: Any) -> bool:
    return isinstance(first, dict) and first.get("type") in ("entity", "relation") and "content" not in first


def read(source: ByteSource, _wishes: Wishes) -> Iterator[Record]:
    with source.open() as stream:
        for number, line in json_pieces.lines(stream):
            place = f"line {number}"
            try:
                found = json_pieces.parsed(line or b"")
            except ValueError:
                yield LeftOut(place, "a line is broken", is_fault=True)
                continue
            yield _record(place, found)


def _record(place: str, found: Any) -> Record:
    match found.get("type") if isinstance(found, dict) else None:
        case "entity":
            name = _first(found, "name", "entityName", "id")
            listed = found.get("observations")
            observations = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
            if name is not None:
                kind = _first(found, "entityType", "entity_type") or ""
                return Observed(place, name, kind, tuple(each for each in observations if each.strip()))
        case "relation":
            source, target = _first(found, "from", "from_id", "source"), _first(found, "to", "to_id", "target")
            if source is not None and target is not None:
                return Related(place, source, target, _first(found, "relationType", "relation_type") or "")
        case _:
            return LeftOut(place, "a line is neither an entity nor a relation", is_fault=True)
    return LeftOut(place, "an entity or relation without a name", is_fault=True)


def _first(found: dict[str, Any], *names: str) -> str | None:
    return next((each for name in names if isinstance(each := found.get(name), str) and each.strip()), None)
