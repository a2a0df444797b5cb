"""`soulmem messages`: what was said to a mind, word for word."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from soulmem.cli.commands.notes import LimitOption, needs_no_table, pages, whole_list
from soulmem.cli.output.command_session import Session, opens_session
from soulmem.cli.output.tables import moment, out, paint, plural, show_table
from soulmem.cli.output.typed_times import Edge, typed_time


@opens_session
def messages(
    session: Session,
    name: Annotated[str | None, typer.Argument(metavar="[MIND]", help="The mind. [default: that of --mind]")] = None,
    conversation: Annotated[
        str | None, typer.Option("--conversation", "-c", metavar="NAME", help="Only this one. [default: all]")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option("--from", metavar="TIME", help="Only what was said then or later; also 2026-03, yesterday, 上周."),
    ] = None,
    until: Annotated[
        str | None, typer.Option("--to", metavar="TIME", help="Only what was said before then, or before its end.")
    ] = None,
    limit: LimitOption = 50,
) -> None:
    """Show what was said to a mind, word for word: the latest messages, oldest first."""
    session = session.to(name)
    span = {"from": typed_time(session, since), "to": typed_time(session, until, Edge.END)}
    if conversation is not None:
        names = [conversation]
    else:
        names = [str(each["name"]) for each in whole_list(session, "conversation.list")]
    found: list[dict[str, Any]] = []
    for each in names:
        found += reversed(pages(session, "message.list", limit + 1, conversation=each, order="latest", **span))
        if len(names) > 1:
            found = sorted(found, key=lambda item: str(item["at"]))[-limit - 1 :]
    items = found[-limit:]
    if needs_no_table(session, items, "nothing was said", "`soulmem say 'hello'` says something"):
        return
    rows = [
        (
            str(item["id"]),
            *([str(item["conversation"])] if len(names) > 1 else []),
            moment(item["at"]),
            str(item["speaker"] or item["role"]),
            str(item["content"]),
        )
        for item in items
    ]
    show_table(f"id, {'conversation, ' if len(names) > 1 else ''}when, who, text*", rows)
    more = "; --limit shows more" if len(found) > len(items) else ""
    out(paint(f"{plural(len(items), 'message')}{more}", "dim"))
