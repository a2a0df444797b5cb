"""Account methods: what language models cost, what the write gate refused and what no note tells.

The ledger of a mind lies in its file. `ledger.get` reads the files themselves, each over a read-only connection of its
own in a worker thread: a closed mind is not opened (which would set it to work), and the reader of an open one is not
kept from recalling while a long ledger is summed. Today's figures are those the budgets are enforced by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import anyio.to_thread
from pydantic import Field

from soulmem.core.calendar import iso8601
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.grounding.grounding_gate import Reason
from soulmem.core.schema.sentence_accounting import Untold
from soulmem.errors import ErrorName, SoulmemError
from soulmem.rpc.methods.method_service import Service, read_cursor
from soulmem.rpc.methods.wire_shapes import (
    AskedTime,
    Limit,
    MindName,
    PageParams,
    Params,
    asked_span,
    optional,
    preset,
)
from soulmem.rpc.transport.jsonrpc import Peer
from soulmem.store.journal import call_ledger
from soulmem.store.journal.call_ledger import CallRow, Grouping, Place, Total
from soulmem.store.notes import gate_rejections
from soulmem.store.sqlite import driver, list_pages, migrations
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.storage_errors import storage_error

_LEDGER_SINCE = 2  # schema version that brought the ledger; an older file holds no calls


class GetLedger(Params):
    mind: MindName | None = optional("only calls for this mind")
    from_: AskedTime | None = optional(
        "calls begun at or after this time; a day kept only as sums counts where it began", alias="from"
    )
    to: AskedTime | None = optional("calls begun before this time")
    by: Literal["task", "model", "day", "outcome", "mind"] = preset("task", "what the totals are grouped by")
    limit: Limit = 100
    cursor: str | None = optional("next_cursor of the page before; without it the first page", max_length=128)


class _Wish(NamedTuple):
    """What is read of each file."""

    by: Grouping
    from_ms: int | None
    to_ms: int | None
    limit: int
    until: tuple[int, str, int] | None  # the last call of the page before: when it began, its mind, its number


class _Found(NamedTuple):
    calls: list[tuple[str, CallRow]]
    totals: list[Total]


async def get_ledger(service: Service, params: GetLedger, _peer: Peer) -> dict[str, Any]:
    """Calls, latest first, and their sums; without a mind, those of all minds, open or closed.

    Single calls are kept for `forgetting.journal_days`; of the days before only sums.
    """
    names = service.minds.names()
    if params.mind is not None:
        if params.mind not in names:
            async with service.minds.use(params.mind):
                pass  # it says what is missing
        names = [params.mind]
    wish = _Wish(
        Grouping(params.by), *_range(params, service.world.clock.now_ms()), params.limit + 1, _read_place(params.cursor)
    )
    files = [(name, service.minds.directory / f"{name}.db") for name in names]
    found = await anyio.to_thread.run_sync(partial(_read_files, files, wish, alone=params.mind is not None))
    shown = found.calls[: params.limit]
    more = len(found.calls) > params.limit
    return {
        "calls": [_call_view(mind, call) for mind, call in shown],
        "next_cursor": _place(*shown[-1]) if more else None,
        "totals": [_total_view(params.by, total) for total in found.totals],
        "today": service.budgets.spent_today(params.mind),
    }


def _range(params: GetLedger, now_ms: int) -> tuple[int | None, int | None]:
    """`from` and `to` in UTC milliseconds."""
    first, last = asked_span(params.from_, params.to, now_ms)
    if first is not None and last is not None and last < first:
        message = f"to: {params.to} is before from: {params.from_}"
        raise SoulmemError(ErrorName.INVALID_PARAMS, message, hint="swap them, or leave one out")
    return first, last


def _read_files(files: Sequence[tuple[str, Path]], wish: _Wish, *, alone: bool) -> _Found:
    """In a worker thread. Of many minds, one that was deleted meanwhile or cannot be read is left out."""
    calls: list[tuple[str, CallRow]] = []
    totals: list[Total] = []
    for name, path in files:
        try:
            found = _read_file(name, path, wish)
        except SoulmemError:
            if alone:
                raise
            continue
        calls += found.calls
        totals += found.totals
    # Latest first; of calls that began together, by mind, then the later one first.
    calls.sort(key=lambda each: (-each[1].at, each[0], -each[1].id))
    return _Found(calls[: wish.limit], call_ledger.merged(totals))


def _read_file(name: str, path: Path, wish: _Wish) -> _Found:
    try:
        connection = driver.reader(path, traceless=True)()
    except driver.DatabaseError as error:
        raise storage_error(error, path) from error
    try:
        connection.execute("BEGIN")  # one snapshot for the page and the sums
        if migrations.versions(connection)[0] < _LEDGER_SINCE:
            return _Found([], [])
        times = {"from_ms": wish.from_ms, "to_ms": wish.to_ms}
        page = call_ledger.list_page(connection, limit=wish.limit, until=_until(name, wish), **times)
        totals = call_ledger.totals(connection, wish.by, **times)
        if wish.by is Grouping.MIND:
            totals = [replace(total, group=name) for total in totals]
        return _Found([(name, call) for call in page], totals)
    except driver.DatabaseError as error:
        raise storage_error(error, path) from error
    finally:
        connection.close()


def _until(name: str, wish: _Wish) -> Place | None:
    """Where the page begins in this mind's ledger; see the order in `_read_files`."""
    if wish.until is None:
        return None
    at, mind, number = wish.until
    if name == mind:
        return Place(at, number)
    return Place(at + 1, 0) if name > mind else Place(at, 0)


def _place(mind: str, call: CallRow) -> str:
    return f"{call.at}.{call.id}.{mind}"


def _read_place(cursor: str | None) -> tuple[int, str, int] | None:
    if cursor is None:
        return None
    at, _, rest = cursor.partition(".")
    number, _, mind = rest.partition(".")
    sign = -1 if at.startswith("-") else 1
    if not mind:
        raise SoulmemError(
            ErrorName.INVALID_PARAMS, "cursor: not one of ours", hint="pass next_cursor of the previous page"
        )
    return sign * read_cursor(at.removeprefix("-")), mind, read_cursor(number)


def _call_view(mind: str, call: CallRow) -> dict[str, Any]:
    return {
        "mind": mind,
        "id": str(call.id),
        "at": iso8601.to_iso(call.at),
        "key": call.key,
        "task": call.task,
        "model": call.model,
        "lane": call.lane,
        "attempt": call.attempt,
        "run": call.run,
        "outcome": call.outcome,
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "estimated": call.estimated,
        "cost": round(call.cost, 6),
        "ms": round(call.took_ms, 1),
        "rung": call.rung,
        "error": call.error,
        "finished_at": iso8601.to_iso(call.finished_at) if call.finished_at is not None else None,
    }


def _total_view(by: str, total: Total) -> dict[str, Any]:
    return {
        by: total.group,
        "calls": total.calls,
        "tokens_in": total.tokens_in,
        "tokens_out": total.tokens_out,
        "cost": round(total.cost, 6),
        "ms": round(total.took_ms, 1),
        "median_ms": round(total.median_ms, 1),
    }


class ListAudit(PageParams):
    reason: Annotated[Reason, Field(strict=False)] | Annotated[Untold, Field(strict=False)] | None = optional(
        "only what has this reason"
    )
    outcome: Literal["refused", "left_out"] | None = optional(
        "only drafts that were not believed, or only what was said and says nothing"
    )


async def list_audit(service: Service, params: ListAudit, _peer: Peer) -> dict[str, Any]:
    """What was refused or left out, and why; `counts` and `junk_rate` are of all the time that refusals are kept."""
    after = read_cursor(params.cursor)

    def read(
        connection: Connection, since: int
    ) -> tuple[list[dict[str, Any]], dict[str, int], dict[str, int], int, int]:
        items = gate_rejections.list_page(
            connection, after=after, limit=params.limit + 1, reason=params.reason, outcome=params.outcome,
            iso=iso8601.to_iso,
        )  # fmt: skip
        drafts = gate_rejections.drafts_refused(connection, since)
        untold = gate_rejections.counts(connection, since, left_out=True)
        return items, gate_rejections.counts(connection, since), untold, drafts, call_ledger.admitted(connection, since)

    async with service.minds.use(params.mind) as mind:
        since = service.world.clock.trusted_now_ms() - round(mind.life.settings().forgetting.journal_days * DAY_MS)
        items, by_reason, untold, drafts, admitted = await mind.memory.database.read(read, since)
    shown = list_pages.shown(items, params.limit, gate_rejections.text_size)
    counts = {
        "admitted": admitted,
        "refused": sum(by_reason.values()),
        "by_reason": by_reason,
        "left_out": sum(untold.values()),
        "left_out_by_reason": untold,
    }
    return {
        "items": shown,
        "next_cursor": _number(shown[-1]["id"]) if len(items) > len(shown) else None,
        "counts": counts,
        "junk_rate": round(drafts / (drafts + admitted), 4) if drafts else 0.0,
    }


def _number(item_id: object) -> str:
    """The running number in an item's id, whatever letter stands before it."""
    return str(item_id).lstrip("abcdefghijklmnopqrstuvwxyz")
