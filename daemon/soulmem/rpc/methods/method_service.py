"""What the methods work with: the minds, the world, time, the daemon's vital signs; and how lists are paged."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import field
from typing import Any, TypeVar

from soulmem.core.schema.blind_ids import NoId
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.endpoint.budgets import Budgets
from soulmem.minds.health import DaemonHealth
from soulmem.minds.mind_api import Mind
from soulmem.minds.registry import MindRegistry
from soulmem.minds.ticks import MindTicks
from soulmem.minds.transfer.mind_exports import MindExports
from soulmem.minds.transfer.mind_uploads import MindUploads
from soulmem.ops.log.event_bus import EventBus, Subscription
from soulmem.ops.log.traffic_counters import TrafficMeter
from soulmem.ops.settings.config_loader import Config
from soulmem.ports import World
from soulmem.rpc.methods.wire_shapes import PageParams
from soulmem.store.sqlite import list_pages
from soulmem.store.sqlite.driver import Connection

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Service:
    minds: MindRegistry
    world: World
    config: Config
    bus: EventBus
    meter: TrafficMeter
    vitals: DaemonHealth
    time: MindTicks
    budgets: Budgets
    watchers: Callable[[Coroutine[Any, Any, None]], None]
    schemas: Callable[[], dict[str, Any]]  # reads files
    exports: MindExports = field(default_factory=MindExports)
    uploads: MindUploads = field(default_factory=MindUploads)
    watching: dict[int, Subscription] = field(default_factory=dict)  # of each connection, by its number


async def page(
    mind: Mind,
    params: PageParams,
    read: Callable[[Connection, int, int], list[T]],
    *,
    view: Callable[[T], dict[str, Any]],
    cursor: Callable[[T], str],
    letter: str = "",
    size_of: Callable[[T], int] = lambda _row: 0,
) -> dict[str, Any]:
    """One page of a list that is ordered by a growing number: `{items, next_cursor}`.

    A cursor is what the last item shown is known by, its number or its id with this letter: it tells nothing of what
    lies between, and stays true while items are added or go.
    """
    after = read_cursor(params.cursor, letter)
    rows = await mind.memory.database.read(read, after, params.limit + 1)
    shown = list_pages.shown(rows, params.limit, size_of)
    more = len(rows) > len(shown)
    return {"items": [view(row) for row in shown], "next_cursor": cursor(shown[-1]) if more else None}


def read_cursor(cursor: str | None, letter: str = "") -> int:
    """The number behind this letter. Raises: SoulmemError: `invalid_params`."""
    if cursor is None:
        return 0
    number = cursor.removeprefix(letter)
    if isinstance(cursor, NoId) or not (
        cursor.startswith(letter) and number.isascii() and number.isdigit() and len(number) < 19
    ):
        raise SoulmemError(
            ErrorName.INVALID_PARAMS, "cursor: not one of ours", hint="pass next_cursor of the previous page"
        )
    return int(number)
