"""`soulmem audit`: what was kept out of a mind's memory, and why.

Every draft that the write gate refused and every stretch of a message that was the mind's own text coming back, with
the reason, what was found wrong and the words it named; and the junk rate, the share of what was proposed that was
refused. Apart from those, with `--left-out`, what was said and is in no note because it tells nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from soulmem.cli.commands.notes import LimitOption
from soulmem.cli.output.command_session import Session, opens_session
from soulmem.cli.output.tables import moment, out, paint, plural, show_table

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
_WHY_LEFT_OUT = {
    "small_talk": "small talk",
    "question": "it asks",
    "no_statement": "it states nothing",
    "said_before": "said before in the same words",
    "too_long": "the middle of a very long message",
}


@opens_session
def audit(
    session: Session,
    reason: Annotated[
        str | None, typer.Option(metavar="REASON", help=f"Only this reason: {', '.join((*_WHY, *_WHY_LEFT_OUT))}.")
    ] = None,
    left_out: Annotated[
        bool, typer.Option("--left-out", help="List what was said and is in no note because it tells nothing.")
    ] = False,
    limit: LimitOption = 50,
) -> None:
    """List what was refused as a memory, and why; with the junk rate."""
    outcome = "left_out" if left_out or reason in _WHY_LEFT_OUT else "refused"
    items, last = _read(session, reason, outcome, limit)
    if session.gave_json({"items": items, "counts": last["counts"], "junk_rate": last["junk_rate"]}):
        return
    if items:
        titles = f"when, reason, message, {outcome.replace('_', ' ')}*, why*"
        show_table(titles, [_row(item) for item in items])
    else:
        out(
            f"nothing was {'left out' if outcome == 'left_out' else 'refused'}"
            + (f" for the reason {reason}" if reason else "")
        )
    for line in _summary(last["counts"], last["junk_rate"]):
        out(paint(line, "dim"))


def _read(
    session: Session, reason: str | None, outcome: str, limit: int
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The rows page by page up to a limit, and the last page, which holds the counts."""
    items: list[dict[str, Any]] = []
    request: dict[str, Any] = {"mind": session.mind, "outcome": outcome} | (
        {"reason": reason} if reason is not None else {}
    )
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
        why(str(item.get("reason", "")), str(item.get("detail") or ""), int(item.get("count", 1))),
    )


def why(reason: str, detail: str, count: int = 1) -> str:
    """The reason in words, with what was found wrong, or of how many sentences it is the reason."""
    said = _WHY.get(reason) or _WHY_LEFT_OUT.get(reason, reason)
    said += f" ({count} sentences)" if count > 1 else ""
    return f"{said}: {detail}" if detail and detail != said else said


def _summary(counts: Mapping[str, Any], junk_rate: float) -> Sequence[str]:
    reasons = ", ".join(f"{name} {number}" for name, number in counts["by_reason"].items())
    untold = ", ".join(f"{name} {number}" for name, number in counts["left_out_by_reason"].items())
    return (
        f"{plural(counts['refused'], 'refusal')}" + (f" ({reasons})" if reasons else ""),
        f"{plural(counts['left_out'], 'sentence')} left out as telling nothing" + (f" ({untold})" if untold else ""),
        f"{plural(counts['admitted'], 'note')} admitted; junk rate {100 * junk_rate:.1f} %",
    )
