"""What became of an import so far: counted by kind, and what was refused or left out, with where it stood.

Invariant: however much is refused or left out, no more of it is kept than is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from soulmem.interchange.records import LeftOut

_MOST_REFUSED = 1_000  # kept one by one
_MOST_KINDS = 200
COUNTED = ("stored", "reordered", "late", "sessions")


@dataclass(slots=True)
class Kind:
    """How many were left out for one reason, and where the first stood."""

    why: str
    count: int
    first: str


@dataclass(slots=True)
class Tally:
    """`known`: messages that had been heard before; `notes_updated`: entries whose words changed in the file."""

    read: int = 0
    stored: int = 0
    known: int = 0
    deleted: int = 0
    reordered: int = 0
    late: int = 0
    sessions: int = 0
    notes_read: int = 0
    notes: int = 0
    notes_known: int = 0
    notes_updated: int = 0
    entities: int = 0
    relations: int = 0
    observations: int = 0
    persona: str = ""  # set, known, kept
    oldest_at: str = ""  # of what was read the first time, as it is sent
    faults: int = 0
    source: str = ""  # what is read now
    source_bytes: int = 0
    read_bytes: int = 0
    refused: list[dict[str, Any]] = field(default_factory=list)
    left_out: dict[str, Kind] = field(default_factory=dict)
    files: dict[str, int] = field(default_factory=dict)  # by format

    def refuse(self, place: str, error: str, message: str, name: str | None = None) -> None:
        self.faults += 1
        if len(self.refused) < _MOST_REFUSED:
            self.refused.append({"place": place, "id": name, "error": error, "message": message})

    def leave_out(self, each: LeftOut) -> None:
        if each.is_fault:
            self.refuse(each.place, "parse_error", each.why)
        elif each.why in self.left_out or len(self.left_out) < _MOST_KINDS:
            self.left_out.setdefault(each.why, Kind(each.why, 0, each.place)).count += 1

    def heard(self, result: Mapping[str, Any], places: Sequence[str]) -> None:
        """Count what one call of `message.import` answered; `places` of the messages it was given."""
        for name in COUNTED:
            setattr(self, name, getattr(self, name) + result[name])
        self.known += len(result["duplicates"])
        self.deleted += len(result["deleted"])
        for each in result["refused"]:
            told = f"{each['message']} — {each['hint']}" if each["hint"] else each["message"]
            self.refuse(places[each["index"]], each["error"], told, each["id"])

    def as_json(self) -> dict[str, Any]:
        told = asdict(self)
        for name in ("source", "source_bytes", "read_bytes", "oldest_at"):
            del told[name]
        told["left_out"] = list(told["left_out"].values())
        return told
