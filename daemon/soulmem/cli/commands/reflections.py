"""`soulmem reflections`: what a mind concluded from what it noted, and on what that rests."""

from __future__ import annotations

from typing import Annotated

import typer

from soulmem.cli.output.command_session import Session, opens_session
from soulmem.cli.output.tables import out


@opens_session
def reflections(
    session: Session,
    evidence: Annotated[bool, typer.Option(help="Show the notes each of them rests on.")] = False,
    limit: Annotated[int, typer.Option(help="How many at most.", min=1, max=500)] = 100,
) -> None:
    """Tell what the mind concluded: what keeps coming back, and what a language model made of it."""
    result = session.call("reflection.list", mind=session.mind, limit=limit)
    if session.gave_json(result):
        return
    if not result["items"]:
        out("nothing yet: a mind concludes something once enough has come together, while it digests")
    for each in result["items"]:
        mark = " (to be made anew)" if each["stale"] else ""
        out(f"{each['id']}  {each['text']}{mark}")
        if evidence:
            for note in each["evidence"]:
                out(f"    {note['id']}  {note['quote']}")
