"""A name in a text: where it stands and what bears it. The value that the recognisers of both languages give."""

from __future__ import annotations

from enum import StrEnum

from soulmem.fast_dataclasses import dataclass


class NameKind(StrEnum):
    """What bears a name. An animal that somebody keeps is named as people are."""

    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class NameSpan:
    """Characters `[start, end)` of a text; `name` is what stands there, without a title before it."""

    start: int
    end: int
    name: str
    kind: NameKind = NameKind.PERSON
