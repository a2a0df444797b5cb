"""Log lines: whole, bounded, in the right dress, and never in the way."""

from __future__ import annotations

import json
import logging
import os
import pty
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from soulmem.ops.log.log_output import LINE_BYTES, LineWriter, capture_libraries, open_log
from soulmem.ops.settings.setting_rules import Secret
from soulmem.ops.settings.setting_sections import LogFormat, LogLevel, LogSettings


class Pipe:
    """A pipe with a logger on its writing end."""

    def __init__(self) -> None:
        self.read_fd, self.write_fd = os.pipe()
        os.set_blocking(self.read_fd, False)

    def read(self) -> bytes:
        try:
            return os.read(self.read_fd, 1 << 20)
        except BlockingIOError:
            return b""

    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.read().splitlines()]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    os.close(made.read_fd)
    os.close(made.write_fd)


def test_json_when_not_on_a_terminal(pipe: Pipe) -> None:
    log = open_log(LogSettings(), fd=pipe.write_fd, environ={})
    log.info("note_created", mind="小夜", count=2, key=Secret("sk-1"), ts="t", seq=1, boot="b")
    log.debug("message_recorded")
    raw = pipe.read()
    assert raw.count(b"\n") == 1
    assert "小夜".encode() in raw, "Chinese stays readable"
    assert b"sk-1" not in raw
    assert list(json.loads(raw)) == ["event", "level", "ts", "seq", "boot", "mind", "count", "key"]


def test_levels(pipe: Pipe) -> None:
    log = open_log(LogSettings(level=LogLevel.WARNING), fd=pipe.write_fd, environ={})
    for level in ("debug", "info", "warning", "error", "critical"):
        getattr(log, level)("x")
    assert [record["level"] for record in pipe.records()] == ["warning", "error", "critical"]


def test_priorities_only_when_the_journal_reads(pipe: Pipe) -> None:
    status = os.fstat(pipe.write_fd)
    stream = f"{status.st_dev}:{status.st_ino}"
    log = open_log(LogSettings(), fd=pipe.write_fd, environ={"JOURNAL_STREAM": stream})
    log.info("a")
    log.critical("b")
    assert pipe.read() == b'<6>{"event":"a","level":"info"}\n<2>{"event":"b","level":"critical"}\n'
    # inherited by a daemon whose stderr was sent elsewhere
    for other in ("1:2", "", "x:y", "9", f"{status.st_dev}:²"):
        open_log(LogSettings(), fd=pipe.write_fd, environ={"JOURNAL_STREAM": other}).info("a")
        assert pipe.read().startswith(b"{")


@pytest.mark.parametrize("prefixed", [False, True])
@pytest.mark.parametrize(
    "fields",
    [
        {"detail": "x" * 100_000},
        {"detail": "长" * 4000, "reason": "short"},
        {"result": {str(n): n for n in range(5000)}},
        {f"field_{n}": "y" * 900 for n in range(20)},
        {f"field_{n}": "z" * 40 for n in range(3000)},
        {"detail": "\ud800" * 3000},
        {"detail": '"\\\n' * 4000},
    ],
)
def test_a_line_is_never_longer_than_its_cap(pipe: Pipe, fields: dict[str, Any], prefixed: bool) -> None:
    status = os.fstat(pipe.write_fd)
    environ = {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"} if prefixed else {}
    open_log(LogSettings(), fd=pipe.write_fd, environ=environ).info("x", ts="t", seq=7, boot="b", **fields)
    raw = pipe.read()
    assert len(raw) <= LINE_BYTES
    assert raw.count(b"\n") == 1
    record = json.loads(raw[raw.index(b"{") :])
    assert record["truncated"] is True
    assert (record["event"], record["seq"]) == ("x", 7)
    assert record.get("reason", "short") == "short"


def test_a_line_of_just_the_cap_is_left_alone(pipe: Pipe) -> None:
    bare = len(b'{"event":"x","level":"info","detail":""}\n')
    log = open_log(LogSettings(), fd=pipe.write_fd, environ={})
    log.info("x", detail="d" * (LINE_BYTES - bare))
    raw = pipe.read()
    assert len(raw) == LINE_BYTES
    assert b"truncated" not in raw
    log.info("x", detail="d" * (LINE_BYTES - bare + 1))
    assert b"truncated" in pipe.read()


@pytest.mark.parametrize("plain", [False, True])
def test_colours_on_a_terminal(plain: bool) -> None:
    master, slave = pty.openpty()
    try:
        log = open_log(LogSettings(), fd=slave, environ={"NO_COLOR": "1"} if plain else {})
        log.warning("storage_full", mind="小夜", ts="2026-01-01T00:00:00.000Z", seq=9, boot="b00t")
        text = os.read(master, 65536).decode()
    finally:
        os.close(master)
        os.close(slave)
    assert ("\x1b[" in text) is not plain
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert "storage_full" in stripped
    assert "mind=小夜" in stripped
    assert stripped.startswith("2026-01-01T00:00:00.000Z")
    assert "b00t" not in stripped


def test_console_and_json_can_be_demanded(pipe: Pipe) -> None:
    open_log(LogSettings(format=LogFormat.CONSOLE), fd=pipe.write_fd, environ={}).error(
        "request_failed", traceback="Traceback\nOSError: x\n"
    )
    text = pipe.read()
    assert b"request_failed" in text
    assert text.endswith(b"Traceback\nOSError: x\n")
    assert b"\x1b[" not in text


FORGED = ("a\nb", "a\r\nb", "a\x0bb", "a\x1cb", "a\x85b", "a\u2028b", "a\u2029茶", "a\x1b[2Jb", "a\x9b2Jb", "小\x85夜")


@pytest.mark.parametrize("wanted", [LogFormat.JSON, LogFormat.CONSOLE])
@pytest.mark.parametrize("name", FORGED)
def test_no_name_ends_a_line_or_orders_a_terminal_about(pipe: Pipe, wanted: LogFormat, name: str) -> None:
    log = open_log(LogSettings(format=wanted), fd=pipe.write_fd, environ={})
    log.info("epoch_frozen", conversation=name, ts="t", seq=1, boot="b")
    text = pipe.read().decode("utf-8")
    assert len(text.splitlines()) == 1
    assert not [sign for sign in text[:-1] if sign < " " or "\x7f" <= sign < "\xa0"]
    if wanted is LogFormat.JSON:
        assert json.loads(text)["conversation"] == name


def test_a_broken_stderr_disturbs_nobody(tmp_path: Path) -> None:
    read_fd, write_fd = os.pipe()
    os.close(read_fd)
    log = open_log(LogSettings(), fd=write_fd, environ={})
    log.info("x")  # EPIPE
    os.close(write_fd)
    log.info("x")  # EBADF
    with open("/dev/full", "wb") as full:
        writer = LineWriter(full.fileno())
        writer.info(b"x\n")
        assert writer.lost == 1


def test_a_reader_that_is_behind_loses_lines_but_blocks_nobody(pipe: Pipe) -> None:
    os.set_blocking(pipe.write_fd, False)
    writer = LineWriter(pipe.write_fd)
    for _ in range(100):
        writer.msg(b"x" * 4095 + b"\n")
    assert 0 < writer.lost < 100


def test_context_of_a_connection_is_added(pipe: Pipe) -> None:
    log = open_log(LogSettings(), fd=pipe.write_fd, environ={})
    with structlog.contextvars.bound_contextvars(conn=3):
        log.info("x")
    log.info("x")
    first, second = pipe.records()
    assert first["conn"] == 3
    assert "conn" not in second


class Emitted:
    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, event: str, /, **fields: Any) -> None:
        self.events.append((event, fields))


def test_libraries_are_heard_from_warning_up() -> None:
    emitted = Emitted()
    root = logging.getLogger()
    before = list(root.handlers)
    with capture_libraries(emitted):
        logger = logging.getLogger("some.library")
        logger.debug("the text of a message")
        logger.info("the text of a message")
        logger.warning("run %d missed", 3)
        try:
            raise ValueError("我的秘密")
        except ValueError:
            logger.exception("job %s failed", "sweep")
        logger.error("%d", "not a number")
        logger.error("长" * 5000)
    assert root.handlers == before
    assert {event for event, _ in emitted.events} == {"library_log"}
    told = [fields for _, fields in emitted.events]
    assert told[0] == {"logger": "some.library", "severity": "warning", "message": "run 3 missed"}
    assert re.fullmatch(
        r"job sweep failed \[ValueError at test_libraries_are_heard_from_warning_up:\d+\]", told[1]["message"]
    )
    assert told[2]["message"] == "%d (TypeError while formatting)"
    assert len(told[3]["message"]) == 500


def test_warnings_of_python_are_heard() -> None:
    emitted = Emitted()
    with warnings.catch_warnings(), capture_libraries(emitted):
        warnings.simplefilter("always")
        warnings.warn("old ways", DeprecationWarning, stacklevel=1)
    ((_, fields),) = emitted.events
    assert fields["logger"] == "py.warnings"
    assert "old ways" in fields["message"]
