"""The daemon's log as the command line reads it: lines from a file, a pipe or the journal, and the event in each.

Called by `logs` and `monitor`. Invariant: a line that is no event is handed on as it is, never dropped or guessed at.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from soulmem.cli.output.command_session import CommandError, ExitCode
from soulmem.cli.output.tables import one_line, parse_time

SYSTEM_UNIT, USER_UNIT = "soulmem.service", "soulmem"
STDIN = "-"
_PREFIX = re.compile(r"^(<\d>)?(?=\{)")  # of a syslog priority, as the journal's reader may have left it
_FRAME = ("event", "ts", "at", "seq", "level", "boot")  # fields of every event, shown apart or not at all
_PAUSE_S = 0.3


def parse(line: str) -> dict[str, Any] | None:
    """The event of a line; None if there is none in it."""
    if not _PREFIX.match(line):
        return None
    try:
        record = json.loads(_PREFIX.sub("", line, count=1))
    except ValueError:
        return None
    return record if isinstance(record, dict) and isinstance(record.get("event"), str) else None


def shown(record: Mapping[str, Any]) -> str:
    """One event as one line: when, what, and its own fields."""
    moment = parse_time(record.get("ts") or record.get("at"))
    clock = moment.astimezone().strftime("%H:%M:%S") if moment else "--:--:--"
    fields = " ".join(f"{name}={value_of(value)}" for name, value in own_fields(record).items() if value is not None)
    return f"{clock}  {one_line(str(record.get('event', '?'))):<20}  {fields}".rstrip()


def own_fields(record: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are not those of every event."""
    return {one_line(name): value for name, value in record.items() if name not in _FRAME}


def value_of(value: object) -> str:
    """A value as one line without control characters."""
    return one_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def lines(path: str | None, *, user: bool = False, follow: bool = False) -> Iterator[str]:
    """The lines of a log, without their ends; with `follow` those that are still to come.

    `path`: a file, `-` for stdin, None for the journal; `user`: of the service of this user, where the journal is read.
    Raises: CommandError: it cannot be read, or there is no journal here.
    """
    if path == STDIN:
        yield from _stripped(sys.stdin)
    elif path is None:
        yield from _journal(user=user, follow=follow)
    else:
        yield from _file(Path(path), follow=follow)


def _file(path: Path, *, follow: bool) -> Iterator[str]:
    try:
        opened = path.open(encoding="utf-8", errors="replace")
    except OSError as error:
        raise CommandError(
            f"{path} cannot be read: {error.strerror}", hint="name the file that holds the daemon's stderr"
        ) from error
    with opened:
        part = ""
        while True:
            part += opened.readline()
            if part.endswith("\n"):
                yield part.rstrip("\r\n")
                part = ""
            elif follow:
                time.sleep(_PAUSE_S)
            else:
                break
        if part:
            yield part


def _journal(*, user: bool, follow: bool) -> Iterator[str]:
    unit = ["--user", f"--unit={USER_UNIT}"] if user else [f"--unit={SYSTEM_UNIT}"]
    command = ["journalctl", "--output=cat", "--no-pager", *unit, *(["--follow", "--lines=1000"] if follow else [])]
    try:
        reader = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")  # noqa: S603 - no shell
    except OSError as error:
        raise CommandError(
            "there is no journal to read here",
            hint="name the file of the log, or - and give the log on stdin",
            code=ExitCode.CONFIGURATION,
        ) from error
    assert reader.stdout is not None
    try:
        with closing(reader.stdout):
            yield from _stripped(reader.stdout)
    finally:
        reader.terminate()
        reader.wait()


def _stripped(stream: IO[str]) -> Iterator[str]:
    return (line.rstrip("\r\n") for line in stream)
