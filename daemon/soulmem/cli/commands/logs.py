"""`soulmem logs`: the log of the daemon for people, and what each event in it means, from the catalogue of events."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal

import typer

from soulmem.cli.output import log_lines
from soulmem.cli.output.command_session import CommandError, ExitCode, Session, opens_session_without
from soulmem.cli.output.tables import clip, one_line, out, paint, terminal_cells
from soulmem.core.text.did_you_mean import did_you_mean
from soulmem.ops.log.event_catalogue import LEVELS, schema

COLOURS = {"debug": "dim", "warning": "yellow", "error": "red", "critical": "red"}
_UNTOLD = "an event that this version of soulmem does not know."
_NO_EVENT = "no event: a line that was written before the log was open, or by a library."


@cache
def _catalogue() -> dict[str, Any]:
    return schema()


@opens_session_without("mind", "socket")
def logs(
    session: Session,
    log: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="The log, or - to read it from stdin. [default: the journal]")
    ] = None,
    meaning: Annotated[bool, typer.Option("--explain", help="Say of each event and field what it means.")] = False,
    event: Annotated[list[str] | None, typer.Option("--event", "-e", help="Only this event; may be repeated.")] = None,
    level: Annotated[
        Literal["debug", "info", "warning", "error", "critical"], typer.Option(help="Only what is so grave, or graver.")
    ] = "debug",
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Wait for more at the end, until Ctrl-C.")] = False,
    user: Annotated[bool, typer.Option("--user", help="The journal of this user's service.")] = False,
) -> None:
    """Show the daemon's log in a readable form, and explain it."""
    events = _catalogue()["events"]
    for name in event or ():
        if name not in events:
            hint = did_you_mean(name, events, otherwise="schemas/events.json lists all events")
            raise CommandError(f"there is no event {one_line(name)!r}", hint=hint, code=ExitCode.REFUSED_INPUT)
    for line, record in _chosen(log_lines.lines(log, user=user, follow=follow), set(event or ()), level):
        if session.as_json:
            if record is not None:
                told = {"explained": explain_record(record)} if meaning else {}
                out(json.dumps({**record, **told}, ensure_ascii=False))
        else:
            _print(line, record, meaning=meaning)
        if follow:
            sys.stdout.flush()


def _chosen(given: Iterable[str], wanted: set[str], level: str) -> Iterator[tuple[str, Mapping[str, Any] | None]]:
    """Lines with their events; what is no event is left out as soon as a choice was made."""
    least = LEVELS[level]
    for line in given:
        record = log_lines.parse(line)
        if record is None:
            if line.strip() and not wanted and level == "debug":
                yield line, None
        elif (not wanted or record["event"] in wanted) and LEVELS.get(str(record.get("level")), least) >= least:
            yield line, record


def _print(line: str, record: Mapping[str, Any] | None, *, meaning: bool) -> None:
    cells = terminal_cells()
    text = one_line(line) if record is None else log_lines.shown(record)
    colour = COLOURS.get(str((record or {}).get("level")), "")
    text = clip(text, cells) if cells and not meaning else text
    out(paint(text, colour) if colour else text)
    if not meaning:
        return
    if record is None:
        out(paint(f"    {_NO_EVENT}", "dim"))
        return
    told = explain_record(record)
    out(f"    {told['meaning']}" + (f" Metric: {told['metric']}." if told.get("metric") else ""))
    for name, value in log_lines.own_fields(record).items():
        out(paint(f"    {name} = {log_lines.value_of(value)}: {told['fields'].get(name, 'not catalogued')}", "dim"))


def explain_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """What the catalogue says of an event: its meaning, its metric if there is one, and the meaning of each field."""
    catalogue = _catalogue()
    entry = catalogue["events"].get(record["event"])
    if entry is None:
        return {"meaning": _UNTOLD, "fields": {}}
    known = {**catalogue["common"], **entry["fields"]}
    fields = {name: known[name]["meaning"] for name in log_lines.own_fields(record) if name in known}
    metric = {"metric": entry["metric"]} if "metric" in entry else {}
    return {"meaning": entry["meaning"], **metric, "fields": fields}
