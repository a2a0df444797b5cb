"""`soulmem monitor`: the daemon at a glance, drawn from its events alone, over the socket or out of its log.

On a terminal the picture is drawn anew all the time; elsewhere it is printed once, at the end of the log or of the time
given.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from soulmem.cli.commands.logs import COLOURS
from soulmem.cli.output import log_lines
from soulmem.cli.output.command_session import Session, opens_session_without
from soulmem.cli.output.observed_state import MindSeen, Picture
from soulmem.cli.output.tables import clip, columns, duration, one_line, out, out_json, paint, table, terminal_cells

_HEARTBEAT_S = 30
_LOOK_S = 0.5  # between two drawings
_PATIENCE_S = _HEARTBEAT_S + 5.0  # in which a daemon that is well was heard
_MINDS = 12
_AGAIN_S = 1.0

_END = object()


@opens_session_without("mind")
def monitor(
    session: Session,
    log: Annotated[
        str | None,
        typer.Option(
            "--log", metavar="FILE", help="Read this log, or - for stdin. [default: ask the daemon for events]"
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--for", metavar="SECONDS", min=0.1, help="Stop after so long. [default: Ctrl-C; 35 in a pipe]"),
    ] = None,
) -> None:
    """Watch the daemon's health, traffic and minds, from its events alone."""
    live = sys.stdout.isatty() and not session.as_json
    heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
    source = (
        _watch_events(session, live=live) if log is None else _log_records(log, follow=live and log != log_lines.STDIN)
    )
    threading.Thread(target=_listen, args=(source, heard), daemon=True).start()
    until = seconds if seconds is not None or live or log is not None else _PATIENCE_S
    picture = Picture()
    if live:
        _draw(picture, heard, until)
    else:
        _hear(picture, heard, until)
        if session.as_json:
            out_json(picture.as_json())
        else:
            out("\n".join(draw_picture(picture)))


def _listen(source: Iterator[Mapping[str, Any]], heard: queue.SimpleQueue[Any]) -> None:
    try:
        for record in source:
            heard.put(record)
    except Exception as error:  # it is for the thread that draws to say
        heard.put(error)
    heard.put(_END)


def _log_records(log: str, *, follow: bool) -> Iterator[Mapping[str, Any]]:
    return (record for line in log_lines.lines(log, follow=follow) if (record := log_lines.parse(line)) is not None)


def _watch_events(session: Session, *, live: bool) -> Iterator[Mapping[str, Any]]:
    """Events from the socket; on a terminal a daemon that was there once is waited for when it goes."""
    from soulmem.client import DaemonUnavailable  # noqa: PLC0415 - only commands that talk pay for it

    was_there = False
    while True:
        try:
            with session.connect() as client:
                client.call("system.ping", {})
                was_there = True
                yield from client.watch()
        except DaemonUnavailable:
            if not (was_there and live):
                raise
        time.sleep(_AGAIN_S)


def _hear(picture: Picture, heard: queue.SimpleQueue[Any], until: float | None) -> bool:
    """Take in what comes until the time is over; False when nothing more will come."""
    deadline = None if until is None else time.monotonic() + until  # noqa: TID251 - a command has no clock of its own
    while True:
        left = None if deadline is None else deadline - time.monotonic()  # noqa: TID251 - ditto
        if left is not None and left <= 0:
            return True
        try:
            record = heard.get(timeout=left)
        except queue.Empty:
            return True
        if record is _END:
            return False
        if isinstance(record, Exception):
            raise record
        picture.take(record)


def _draw(picture: Picture, heard: queue.SimpleQueue[Any], until: float | None) -> None:
    from rich.live import Live  # noqa: PLC0415 - rich takes longer to load than most commands last
    from rich.text import Text  # noqa: PLC0415 - only who needs it pays

    rounds = None if until is None else max(1, round(until / _LOOK_S))
    with Live(screen=True, auto_refresh=False) as live:
        going = True
        while going and rounds != 0:
            going = _hear(picture, heard, _LOOK_S)
            live.update(Text.from_ansi("\n".join(draw_picture(picture))), refresh=True)
            rounds = None if rounds is None else rounds - 1
    out("\n".join(draw_picture(picture)))


def draw_picture(picture: Picture) -> list[str]:
    """The picture as lines of text."""
    cells = terminal_cells()
    lines = [*_vital_lines(picture), ""]
    lines += [paint(_wrong_line(name, whose, record), "red") for (name, whose), record in picture.wrong.items()]
    lines += [*_mind_lines(picture), ""] if picture.minds else [paint("no mind was heard of yet", "dim"), ""]
    for record in picture.recent:
        text = log_lines.shown(record)
        colour = COLOURS.get(str(record.get("level")), "dim")
        lines.append(paint(clip(text, cells) if cells else text, colour))
    return lines


def _vital_lines(picture: Picture) -> list[str]:
    vitals, traffic = picture.vitals, picture.traffic
    state = one_line(picture.state or "nothing heard yet")
    parts = [state]
    if vitals:
        parts += [
            f"up {duration(vitals.get('uptime_s') or 0)}",
            f"{(vitals.get('rss_bytes') or 0) / 1e6:.0f} MB",
            f"{vitals.get('minds_open')} minds open",
            f"{vitals.get('connections')} connections",
            f"{vitals.get('pending_jobs')} jobs due",
            f"{vitals.get('embed_backlog')} to embed",
            f"loop late by {vitals.get('loop_lag_ms')} ms",
        ]
    else:
        parts.append(f"a heartbeat comes every {_HEARTBEAT_S} s")
    lines = [" · ".join(parts)]
    if traffic:
        lines.append(
            f"{_rate(traffic, 'messages')} messages/s (p99 {_ms(traffic.get('adds_p99_ms'))}) · "
            f"{_rate(traffic, 'recalls')} recalls/s (p95 {_ms(traffic.get('recalls_p95_ms'))}) · "
            f"{traffic.get('refused')} refused · {traffic.get('errors')} failed"
        )
    if picture.tokens:
        tokens = picture.tokens
        lines.append(f"language model: {tokens['calls']} calls, {tokens['in']} tokens in, {tokens['out']} out")
    return lines


def _wrong_line(name: str, whose: str, record: Mapping[str, Any]) -> str:
    detail = record.get("detail") or record.get("reason") or ""
    return one_line(f"{name}{f' of {whose}' if whose else ''} since {record.get('ts')} {detail}").rstrip()


def _mind_lines(picture: Picture) -> list[str]:
    latest = sorted(picture.minds.items(), key=lambda each: each[1].last, reverse=True)
    left_out = len(latest) - _MINDS
    titles = columns("mind*, state, messages>, notes>, links>, said now>, recalled now>, last step")
    lines = table(titles, [_row(name, seen) for name, seen in latest[:_MINDS]])
    return lines + ([paint(f"and {left_out} more", "dim")] if left_out > 0 else [])


def _row(name: str, seen: MindSeen) -> tuple[str, ...]:
    counts = ("-" if count is None else str(count) for count in seen.counts.values())
    return (name, seen.state or "-", *counts, str(seen.messages_now), str(seen.recalls_now), seen.step or "-")


def _rate(traffic: Mapping[str, Any], what: str) -> str:
    return f"{(traffic.get(f'{what}_total') or 0) / (traffic.get('window_s') or 1):.1f}"


def _ms(value: object) -> str:
    return f"{value:g} ms" if isinstance(value, int | float) else "-"
