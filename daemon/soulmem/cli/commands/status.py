"""`soulmem status` and `watch`: how the daemon is, and what it does, event by event."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from soulmem.cli.output import log_lines
from soulmem.cli.output.command_session import (
    CommandError,
    ExitCode,
    JsonOption,
    MindOption,
    Session,
    SocketOption,
    open_session,
    opens_session_without,
)
from soulmem.cli.output.spoken_words import said_and_noted, spoken_line
from soulmem.cli.output.tables import clip, duration, out, paint, pairs, plural, show_table, terminal_cells

_LEVEL_COLOURS = {"debug": "dim", "warning": "yellow", "error": "red", "critical": "red"}


@opens_session_without("mind")
def status(session: Session) -> None:
    """Say how the daemon is and which minds it keeps."""
    result = session.call("system.status")
    if session.gave_json(result):
        return
    backlog = int(result.get("embed_backlog") or 0)
    facts = [
        ("daemon", f"{result.get('state')}, pid {result.get('pid')}, up {duration(result.get('uptime_s') or 0)}"),
        ("engine", str(result.get("engine", "-")) + _standing(result.get("model"))),
        ("embedder", str(result.get("embedder", "-")) + (f", {backlog} still to embed" if backlog else "")),
    ]
    for line in pairs(facts):
        out(line)
    minds = result.get("minds", [])
    out()
    if not minds:
        out("no minds yet")
        out(paint("`soulmem say 'hello'` brings the first one into being", "dim"))
        return
    rows = [
        (
            str(mind.get("mind")),
            str(mind.get("state", "-"))
            + _recalling(mind.get("pending_recalls"))
            + _aside(mind.get("quarantined"))
            + _unmet(mind.get("unmet_requests")),
            *(str(mind.get(count, "-")) for count in ("messages", "notes", "links", "pending_jobs")),
            str(mind.get("title") or ""),
        )
        for mind in minds
    ]
    show_table("mind, state, messages>, notes>, links>, due>, title*", rows)
    if asked := next((mind for mind in minds if mind.get("unmet_requests")), None):
        out(
            paint(
                f"`soulmem forgotten -m {asked.get('mind')}` names what was asked to be forgotten and is there", "dim"
            )
        )


def _recalling(count: int | None) -> str:
    """How many messages have not called anything to mind yet."""
    return f", {plural(count, 'recall')} to come" if count else ""


def _aside(count: int | None) -> str:
    """How many steps are set aside because the daemon died over them."""
    return f", {count} set aside" if count else ""


def _unmet(count: int | None) -> str:
    """How many requests to forget could not be obeyed."""
    return f", {plural(count, 'request')} to forget not met" if count else ""


def _standing(model: Mapping[str, Any] | None) -> str:
    """Where the language model is, and whether it is left alone at present."""
    if not model:
        return ""
    pause_ms = int(model.get("pause_ms") or 0)
    rests = f", which does not answer: asked again in {duration(pause_ms / 1000)}" if pause_ms else ""
    return f" at {model.get('endpoint')}{rests}"


def watch(
    ctx: typer.Context,
    event: Annotated[list[str] | None, typer.Option("--event", "-e", help="Only this event; may be repeated.")] = None,
    words: Annotated[
        bool, typer.Option("--words", help="Show what is said and noted, word for word, instead of events.")
    ] = False,
    mind: MindOption = None,
    socket: SocketOption = None,
    as_json: JsonOption = False,
) -> None:
    """Watch what the daemon does, until Ctrl-C."""
    session = open_session(ctx, mind, socket, as_json)
    if words:
        if event:
            raise CommandError("--words shows words, --event events", hint="leave one out", code=ExitCode.WRONG_USAGE)
        for happened in said_and_noted(session, mind):
            out(
                json.dumps(happened, ensure_ascii=False)
                if session.as_json
                else spoken_line(happened, names_mind=mind is None)
            )
            sys.stdout.flush()
        return
    with session.connect() as client:
        for happened in client.watch(events=event or None, mind=mind):
            if session.as_json:
                out(json.dumps(happened, ensure_ascii=False))
            else:
                out(_line(happened))
            sys.stdout.flush()


def _line(happened: Mapping[str, Any]) -> str:
    line = log_lines.shown(happened)
    cells = terminal_cells()
    colour = _LEVEL_COLOURS.get(str(happened.get("level")), "")
    shown = clip(line, cells) if cells else line
    return paint(shown, colour) if colour else shown
