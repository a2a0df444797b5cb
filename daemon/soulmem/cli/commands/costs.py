"""`soulmem costs`: what language models cost, by task, model, day, outcome or mind, and what is left of today.

Days are UTC days of the daemon's clock, as its budgets are. Without `--mind` all minds are summed, closed ones
included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Any, Literal

import typer

from soulmem.cli.output.command_session import DEFAULT_MIND, JsonOption, MindOption, SocketOption, open_session
from soulmem.cli.output.tables import iso, out, paint, pairs, parse_time, plural, show_table

_SHOWN_CALLS = 1  # the table shows sums; single calls are for programs
_JSON_CALLS = 100


def costs(
    ctx: typer.Context,
    by: Annotated[Literal["task", "model", "day", "outcome", "mind"], typer.Option(help="What to sum by.")] = "task",
    days: Annotated[int, typer.Option(help="This many days, today included.", min=1, max=36_500)] = 30,
    mind: MindOption = None,
    socket: SocketOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what language models cost, and what is left of today's budget. All minds, unless one is named."""
    session = open_session(ctx, mind, socket, as_json)
    chosen = mind or (session.mind if session.mind != DEFAULT_MIND else None)
    params: dict[str, Any] = {"by": by, "limit": _JSON_CALLS if session.as_json else _SHOWN_CALLS}
    if chosen is not None:
        params["mind"] = chosen
    with session.connect() as client:
        since = first_day(client.call("system.ping", {})["now"], days)
        if since is not None:
            params["from"] = since
        result = client.call("ledger.get", params)
    if session.gave_json(result):
        return
    totals = result.get("totals", [])
    if totals:
        _print_totals(by, totals)
    else:
        out(f"no calls of a language model in {plural(days, 'day')}")
    out()
    for line in pairs(today_lines(result.get("today", {}), chosen)):
        out(line)


def first_day(now: object, days: int) -> str | None:
    """The midnight, UTC, at which the earliest of the last `days` days began; None is before all calendars."""
    moment = parse_time(now)
    if moment is None:
        return None
    midnight = datetime.combine(moment.astimezone(UTC).date(), time(), UTC)
    try:
        return iso(midnight - timedelta(days=days - 1))
    except OverflowError:
        return None


def _print_totals(by: str, totals: Sequence[Mapping[str, Any]]) -> None:
    rows = [
        (
            str(total.get(by) or "-"),
            *(f"{int(total.get(name, 0)):,}" for name in ("calls", "tokens_in", "tokens_out")),
            money(total.get("cost", 0)),
            f"{total.get('median_ms', 0):.0f}",
        )
        for total in totals
    ]
    if len(rows) > 1:
        sums = [sum(int(total.get(name, 0)) for total in totals) for name in ("calls", "tokens_in", "tokens_out")]
        cost = money(sum(float(total.get("cost", 0)) for total in totals))
        rows.append(("all", *(f"{count:,}" for count in sums), cost, "-"))
    show_table(f"{by}, calls>, tokens in>, tokens out>, cost>, median ms>", rows)


def money(amount: object) -> str:
    """An amount in the user's currency: small ones keep the digits that count."""
    value = float(amount) if isinstance(amount, int | float) else 0.0
    return f"{value:.2f}" if value == 0 or value >= 1 else f"{value:.4f}"


def today_lines(today: Mapping[str, Any], mind: str | None) -> list[tuple[str, str]]:
    """What today came to and what is left, as `name  value` lines."""
    limits, left = today.get("limits", {}), today.get("left", {})
    lines = [("today", _tokens(today.get("tokens", 0), limits.get("tokens_per_day"), left.get("tokens")))]
    own = today.get("mind")
    if mind is not None and own:
        lines.append((mind, _tokens(own.get("tokens", 0), limits.get("tokens_per_mind"), own.get("left"))))
    cost, most = today.get("cost", 0), limits.get("cost_per_day")
    if most is not None:
        rest = paint("used up", "yellow") if not left.get("cost") else f"{money(left['cost'])} left"
        lines.append(("cost", f"{money(cost)} of {money(most)}, {rest}"))
    elif cost:
        lines.append(("cost", money(cost)))
    if limits.get("tokens_per_run") is not None:
        lines.append(("a round", f"{limits['tokens_per_run']:,} tokens at most"))
    return lines


def _tokens(spent: int, limit: int | None, left: int | None) -> str:
    if limit is None:
        return f"{spent:,} tokens, no limit"
    rest = f"{left:,} left" if left else paint("used up: done without a model until midnight UTC", "yellow")
    return f"{spent:,} of {limit:,} tokens, {rest}"
