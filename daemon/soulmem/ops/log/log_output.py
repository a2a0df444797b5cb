"""How log lines look and where they go: JSON on stderr, colours on a terminal, one write a line.

`daemon.py` opens the log once; only `ops/log/event_bus.py` writes to it. Invariants: a line is at most 8 KiB, is whole,
nothing a client chose ends it or gives a terminal orders, and a stderr that is full, closed or gone never disturbs the
daemon.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from soulmem.ops.log.event_catalogue import LEVELS
from soulmem.ops.settings.setting_sections import LogFormat, LogSettings
from soulmem.ports import Emit


@contextmanager
def hidden(name: str) -> Iterator[None]:
    """Let a package seem not installed inside the block, unless it is imported already. For imports at the top only."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]  # how the import system is told that there is no such module
    try:
        yield
    finally:
        sys.modules.pop(name, None)


with hidden("rich"):  # which structlog shows tracebacks with, had we asked it to: a twentieth of the daemon's start
    import structlog
    from structlog.typing import EventDict, FilteringBoundLogger, Processor

LINE_BYTES = 8192
MESSAGE_CHARS = 500
# RFC 5424 severities, as the journal reads them from a line's first characters
_PREFIXES = {"debug": b"<7>", "info": b"<6>", "warning": b"<4>", "error": b"<3>", "critical": b"<2>"}
_HEAD = ("event", "level", "ts", "seq", "boot")
# What Unicode takes for the end of a line, and what orders a terminal about. JSON escapes those below the blank itself.
_ESCAPES = {code: f"\\u{code:04x}" for code in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)}


class LineWriter:
    """Writes whole lines to a descriptor; the logger at the bottom of structlog's chain."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self.lost = 0

    def msg(self, line: bytes | str) -> None:
        rest = memoryview(line if isinstance(line, bytes) else line.encode("utf-8", "backslashreplace"))
        try:
            while rest:
                rest = rest[os.write(self._fd, rest) :]
        except OSError:
            self.lost += 1  # there is nowhere left to tell it

    debug = info = warning = error = critical = msg


def is_journal(fd: int, environ: Mapping[str, str]) -> bool:
    """Say whether a descriptor leads to the journal: `$JOURNAL_STREAM` names its device and inode."""
    device, _, inode = environ.get("JOURNAL_STREAM", "").partition(":")
    if not (device.isascii() and device.isdigit() and inode.isascii() and inode.isdigit()):
        return False
    try:
        status = os.fstat(fd)
    except OSError:
        return False
    return (status.st_dev, status.st_ino) == (int(device), int(inode))


def _level(_logger: object, method: str, event: EventDict) -> EventDict:
    event["level"] = method
    return event


def _line(fields: Mapping[str, Any]) -> bytes:
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), default=str)
    return (text if text.isascii() else text.translate(_ESCAPES)).encode("utf-8", "backslashreplace")


def _fitted(fields: dict[str, Any], room: int) -> bytes:
    """Return the fields as JSON of at most `room` bytes, shortening the long ones when it must be."""
    line = _line(fields)
    for budget in (1000, 200, 50):
        if len(line) <= room:
            return line
        fields = {name: _cut(value, budget) for name, value in fields.items()} | {"truncated": True}
        line = _line(fields)
    if len(line) <= room:
        return line
    return _line({name: fields[name] for name in _HEAD if name in fields} | {"truncated": True})


def _cut(value: Any, budget: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= budget else value[:budget] + "…"
    size = len(_line({"": value}))
    return value if size <= budget else f"({size} bytes)"


def _json_renderer(prefixed: bool) -> Callable[[object, str, EventDict], bytes]:
    room = LINE_BYTES - (len(b"<6>") if prefixed else 0) - len(b"\n")

    def render(_logger: object, method: str, event: EventDict) -> bytes:
        ordered = {name: event[name] for name in _HEAD if name in event} | dict(event)
        return (_PREFIXES[method] if prefixed else b"") + _fitted(ordered, room) + b"\n"

    return render


def _console_renderer(colours: bool) -> Callable[[object, str, EventDict], str]:
    console = structlog.dev.ConsoleRenderer(
        colors=colours, pad_event_to=22, timestamp_key="ts", exception_formatter=structlog.dev.plain_traceback
    )

    def render(logger: object, method: str, event: EventDict) -> str:
        trace = event.pop("traceback", "")
        event.pop("seq", None)
        event.pop("boot", None)
        for name, value in event.items():
            if isinstance(value, str):
                event[name] = value.translate(_ESCAPES)
        return f"{console(logger, method, event)}\n{trace}"

    return render


def open_log(settings: LogSettings, *, fd: int = 2, environ: Mapping[str, str] | None = None) -> FilteringBoundLogger:
    """Make the logger for the event bus.

    `fd`: where lines go; format `auto` looks whether it is a terminal.
    """
    environ = os.environ if environ is None else environ
    terminal = os.isatty(fd)
    renderer: Callable[[object, str, EventDict], bytes | str]
    if settings.format is LogFormat.CONSOLE or (settings.format is LogFormat.AUTO and terminal):
        renderer = _console_renderer(terminal and not environ.get("NO_COLOR"))
    else:
        renderer = _json_renderer(is_journal(fd, environ))
    processors = [structlog.contextvars.merge_contextvars, _level, renderer]
    logger = structlog.wrap_logger(
        LineWriter(fd),
        processors=cast(list[Processor], processors),
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[settings.level]),
        context_class=dict,
    )
    return cast(FilteringBoundLogger, logger.bind())


class _LibraryHandler(logging.Handler):
    """Turns warnings and errors that libraries log into `library_log` events."""

    def __init__(self, emit: Emit) -> None:
        super().__init__(logging.WARNING)
        self._emit = emit

    def emit(self, record: logging.LogRecord) -> None:
        try:
            message = record.getMessage()
        except Exception as error:  # a library's own formatting mistake
            message = f"{record.msg!s} ({type(error).__name__} while formatting)"
        if record.exc_info and record.exc_info[0] is not None:
            where = traceback.extract_tb(record.exc_info[2])[-1:]
            place = f" at {where[0].name}:{where[0].lineno}" if where else ""
            message = f"{message} [{record.exc_info[0].__name__}{place}]"
        self._emit(
            "library_log", logger=record.name, severity=record.levelname.lower(), message=message[:MESSAGE_CHARS]
        )


@contextmanager
def capture_libraries(emit: Emit) -> Iterator[None]:
    """Send what libraries log through `logging` and `warnings` to the event bus; put back on leaving.

    Below warning nothing passes: libraries speak of requests and texts there.
    """
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    handler = _LibraryHandler(emit)
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        root.handlers[:] = before
        root.setLevel(level)
