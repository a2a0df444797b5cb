"""`soulmem audit`: what was kept out of a mind's memory, and why.

Every draft that the write gate refused and every stretch of a message that was the mind's own text coming back, with
the reason, what was found wrong and the words it named; and the junk rate, the share of what was proposed that was
refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from soulmem.cli.memory import LimitOption
from soulmem.cli.session import JsonOption, MindOption, Session, SocketOption, open_session
from soulmem.cli.tables import Column, moment, out, out_json, paint, plural, table

_PAGE = 100
_WHY = {
    "unquoted": "no words of the talk support it",
    "invented_name": "nobody mentioned",
    "invented_number": "nobody said",
    "injected": "it repeats what the memory itself handed out",
    "system_text": "it comes from a system message",
    "persona": "the card says so already",
    "trivial": "small talk",
    "duplicate": "noted already",
    "empty": "it says nothing",
}


def audit(
    ctx: typer.Context,
    reason: Annotated[str | None, typer.Option(metavar="REASON", help=f"Only this reason: {', '.join(_WHY)}.")] = None,
    limit: LimitOption = 50,
    mind: MindOption = None,
    socket: SocketOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what was refused as a memory, and why; with the junk rate."""
    session = open_session(ctx, mind, socket, as_json)
    items, last = _read(session, reason, limit)
    if session.as_json:
        out_json({"items": items, "counts": last["counts"], "junk_rate": last["junk_rate"]})
        return
    if items:
        for line in table(_COLUMNS, [_row(item) for item in items]):
            out(line)
    else:
        out("nothing was refused" + (f" for the reason {reason}" if reason else ""))
    for line in _summary(last["counts"], last["junk_rate"]):
        out(paint(line, "dim"))


_COLUMNS = (
    Column("when"),
    Column("reason"),
    Column("message"),
    Column("refused", flexible=True),
    Column("why", flexible=True),
)


def _read(session: Session, reason: str | None, limit: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The refusals page by page up to a limit, and the last page, which holds the counts."""
    items: list[dict[str, Any]] = []
    request: dict[str, Any] = {"mind": session.mind} | ({"reason": reason} if reason is not None else {})
    with session.connect() as client:
        while True:
            page = client.call("audit.list", {**request, "limit": min(_PAGE, limit - len(items))})
            items += page["items"]
            if len(items) >= limit or not page.get("next_cursor"):
                return items, page
            request["cursor"] = page["next_cursor"]


def _row(item: Mapping[str, Any]) -> tuple[str, ...]:
    named = f"{item['conversation']}/{item['message']}" if item.get("message") else "-"
    return (
        moment(item.get("at")),
        str(item.get("reason", "-")),
        named,
        str(item.get("text", "")),
        why(str(item.get("reason", "")), str(item.get("detail") or "")),
    )


def why(reason: str, detail: str) -> str:
    """The reason in words, with what was found wrong."""
    said = _WHY.get(reason, reason)
    return f"{said}: {detail}" if detail and detail != said else said


def _summary(counts: Mapping[str, Any], junk_rate: float) -> Sequence[str]:
    reasons = ", ".join(f"{name} {number}" for name, number in counts["by_reason"].items())
    return (
        f"{plural(counts['refused'], 'refusal')}" + (f" ({reasons})" if reasons else ""),
        f"{plural(counts['admitted'], 'note')} admitted; junk rate {100 * junk_rate:.1f} %",
    )
