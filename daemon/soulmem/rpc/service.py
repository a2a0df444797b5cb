"""What the methods work with: the minds, the world, time, the daemon's vital signs; and how lists are paged."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import field
from typing import Any, TypeVar

from soulmem.errors import ErrorName, SoulmemError
from soulmem.llm.budgets import Budgets
from soulmem.mind import Mind
from soulmem.minds import Minds
from soulmem.ops.config import Config
from soulmem.ops.events import EventBus, Subscription
from soulmem.ops.traffic import TrafficMeter
from soulmem.ports import World
from soulmem.records import dataclass
from soulmem.rpc.shapes import PageParams
from soulmem.store import pages
from soulmem.store.driver import Connection
from soulmem.timekeeping import Timekeeping
from soulmem.vitals import Vitals

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Service:
    minds: Minds
    world: World
    config: Config
    bus: EventBus
    meter: TrafficMeter
    vitals: Vitals
    time: Timekeeping
    budgets: Budgets
    watchers: Callable[[Coroutine[Any, Any, None]], None]
    schemas: Callable[[], dict[str, Any]]  # reads files
    watching: dict[int, Subscription] = field(default_factory=dict)  # of each connection, by its number


async def page(
    mind: Mind,
    params: PageParams,
    read: Callable[[Connection, int, int], list[T]],
    *,
    view: Callable[[T], dict[str, Any]],
    cursor: Callable[[T], int],
    size_of: Callable[[T], int] = lambda _row: 0,
) -> dict[str, Any]:
    """One page of a list that is ordered by a growing number: `{items, next_cursor}`."""
    after = read_cursor(params.cursor)
    rows = await mind.memory.database.read(read, after, params.limit + 1)
    shown = pages.shown(rows, params.limit, size_of)
    more = len(rows) > len(shown)
    return {"items": [view(row) for row in shown], "next_cursor": str(cursor(shown[-1])) if more else None}


def read_cursor(cursor: str | None) -> int:
    """Raises: SoulmemError: `invalid_params`."""
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 19):
        raise SoulmemError(
            ErrorName.INVALID_PARAMS, "cursor: not one of ours", hint="pass next_cursor of the previous page"
        )
    return int(cursor)
