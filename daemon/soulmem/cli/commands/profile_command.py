"""`soulmem profile`: what is known of a person or thing, put together from the notes of the mind."""

from __future__ import annotations

from typing import Annotated

import typer

from soulmem.cli.output.command_session import Session, opens_session
from soulmem.cli.output.tables import columns, out, table
from soulmem.cli.output.typed_times import Edge, typed_time


@opens_session
def profile(
    session: Session,
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A person or thing; also 'my sister' or 妈妈. Without it: who is known."),
    ] = None,
    other: Annotated[
        str | None, typer.Option("--with", metavar="NAME", help="How both stand to each other, and what they share.")
    ] = None,
    as_of: Annotated[
        str | None, typer.Option(metavar="TIME", help="What held at this time, like 2025-03-01 or 'last year'.")
    ] = None,
) -> None:
    """Tell what is known of somebody: what holds and what held, relationships, gifts, trips, books and the like."""
    if name is None:
        result = session.call("profile.list", mind=session.mind, limit=500)
        if not session.gave_json(result):
            rows = [(each["name"], str(each["notes"])) for each in result["items"]]
            for line in table(columns("name*, notes"), rows):
                out(line)
        return
    as_of = typed_time(session, as_of, Edge.AS_OF)
    if other is not None:
        result = session.call("profile.between", mind=session.mind, name=name, other=other, as_of=as_of, budget=4000)
        if not session.gave_json(result):
            out(result["text"] or f"nothing is known of {result['name']} and {result['other']} together")
        return
    result = session.call("profile.get", mind=session.mind, name=name, as_of=as_of, budget=4000)
    if session.gave_json(result):
        return
    out(result["text"] or f"{result['known_as']}: no facts are known, only the name")
