"""What becomes of a memory: the method `note.forecast`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from soulmem.core.decay.decay_forecast import FARTHEST_DAYS
from soulmem.core.schema.note_requests import LinkKind
from soulmem.minds import note_calls
from soulmem.rpc.methods.method_service import Service
from soulmem.rpc.methods.note_methods import NoteParams
from soulmem.rpc.methods.wire_shapes import Result, optional
from soulmem.rpc.transport.jsonrpc import Peer

Points = list[tuple[float, float]]


class ForecastNote(NoteParams):
    days: int | None = optional(
        "how many silent days to look ahead; without it, until the last ordinary detail is gone", ge=1, le=FARTHEST_DAYS
    )


class ElementForecast(Result):
    id: str
    level: Literal[0, 1, 2]
    anchor: Literal["none", "spontaneous", "forced"]
    state: Literal["clear", "blurred", "blank"]
    opacity: float
    stability_days: float
    blurs_at: str | None
    blanks_at: str | None
    quote: str | None = optional("of a clear one: its words as they show now")
    gist: str | None = optional("of a blurred one")
    points: Points = Field(description="[day, opacity], evenly spaced from now (day 0), at most 120")


class LinkForecast(Result):
    id: str
    note: str = Field(description="the note at its other end")
    kind: LinkKind
    verb: str
    strength: float
    stability_days: float
    dies_at: str | None
    points: Points = Field(description="[day, strength]; 0 once it is dead")


class EndShape(Result):
    at: str | None = Field(description="when it is forgotten, about; null for one that is kept")
    kept_by: str | None = Field(
        description="what keeps it: pinned, lore, open_epoch (its conversation is not digested yet), clear (a detail "
        "that never blurs), settings (the mind deletes nothing), tombstone (it is forgotten, and can be restored until "
        "`at`)"
    )


class ForecastResult(Result):
    id: str
    text: str = Field(description="as it shows now")
    state: Literal["clear", "blurred", "blank"]
    now: str
    days: int
    blur_below: float
    blank_below: float
    elements: list[ElementForecast]
    links: list[LinkForecast] = Field(description="the strongest 40")
    more_links: int
    dies: EndShape | None = optional("told to the owner only: not where a conversation is named")


async def forecast_note(service: Service, params: ForecastNote, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        return await note_calls.forecast_note(mind, params.id, params.days, params.conversation)
