"""`soulmem profile`: what is known of a person or thing, put together from the notes of the mind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from soulmem.cli.output.command_session import Session, opens_session
from soulmem.cli.output.tables import columns, out, table
from soulmem.cli.output.typed_times import Edge, typed_time

_DAY = len("2026-05-09")


def _paths(result: Mapping[str, Any]) -> Iterator[str]:
    """Each path in a line, with how often its last step was told and when last."""
    for path in result["paths"]:
        line = str(result["name"])
        for edge in path["edges"]:
            over = f" until {edge['until'][:_DAY]}" if edge["until"] else ""
            line += f" - {edge['relation']}{over} - {edge['target'] or '?'}"
        last = path["edges"][-1]
        yield f"{line}  (told {last['mentions']} times, last {last['last_told'][:_DAY]})"
    if not result["paths"]:
        yield f"nothing leads on from {result['name']} that way"


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
    along: Annotated[
        str | None,
        typer.Option(metavar="RELATIONS", help="What leads on from there, like sister,work or 妈妈,住处; * for any."),
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
    if along is not None:
        relations = [each.strip() for each in along.replace("，", ",").split(",") if each.strip()]
        result = session.call("profile.path", mind=session.mind, name=name, relations=relations, as_of=as_of)
        if not session.gave_json(result):
            for line in _paths(result):
                out(line)
        return
    if other is not None:
        result = session.call("profile.between", mind=session.mind, name=name, other=other, as_of=as_of, budget=4000)
        if not session.gave_json(result):
            out(result["text"] or f"nothing is known of {result['name']} and {result['other']} together")
        return
    result = session.call("profile.get", mind=session.mind, name=name, as_of=as_of, budget=4000)
    if session.gave_json(result):
        return
    out(result["text"] or f"{result['known_as']}: no facts are known, only the name")
