"""`soulmem import`: reading in what was said before, from a file of JSON Lines.

A line is an object: `role`, `content` and `at`, and whatever else `message.import` takes. The file is read as it is
sent, so it may be larger than memory; a line that cannot be taken is told by its number and harms no other. Run again
it stores what is missing and nothing twice.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from soulmem.cli.commands.talk import ConversationOption
from soulmem.cli.output.command_session import CommandError, ExitCode, Session, opens_session
from soulmem.cli.output.tables import err, one_line, out, out_json, paint, plural

_BATCH_LINES = 500
_BATCH_BYTES = 512 * 1024  # of a request, which may have 1 MiB
_LINE_BYTES = 400 * 1024  # 256 KiB of text, with names and escapes
_SHOWN = 20  # refused lines that a person is told of
_CALL_S = 600.0
_COUNTED = ("stored", "reordered", "late", "sessions")


@dataclass(slots=True)
class _Sum:
    """What became of the lines so far; `refused` by line number."""

    stored: int = 0
    known: int = 0
    deleted: int = 0
    reordered: int = 0
    late: int = 0
    sessions: int = 0
    refused: list[dict[str, Any]] = field(default_factory=list)

    def refuse(self, line: int, error: str, message: str, name: str | None = None) -> None:
        self.refused.append({"line": line, "id": name, "error": error, "message": message})

    def add(self, result: dict[str, Any], numbers: list[int]) -> None:
        for name in _COUNTED:
            setattr(self, name, getattr(self, name) + result[name])
        self.known += len(result["duplicates"])
        self.deleted += len(result["deleted"])
        for each in result["refused"]:
            told = f"{each['message']} — {each['hint']}" if each["hint"] else each["message"]
            self.refuse(numbers[each["index"]], each["error"], told, each["id"])


# `import` is a word of Python's own.
@opens_session
def import_messages(
    session: Session,
    file: Annotated[str, typer.Argument(metavar="FILE", help="JSON Lines, or - to read them from stdin.")],
    conversation: ConversationOption = None,
    recall: Annotated[
        bool, typer.Option("--recall", help="Let each message of a user bring something to mind, as talk does.")
    ] = False,
) -> None:
    """Read in what was said before: JSON Lines with role, content and at, and what else there is. Safe to repeat."""
    done = _Sum()
    with _opened(file) as stream, session.connect() as client:
        batches = _batches(stream, done, conversation)
        batch = next(batches, None)
        while batch is not None:
            following = next(batches, None)
            said = [message for _, message in batch]
            result = client.import_messages(
                session.mind, said, recall=recall or None, continues=True if following else None, timeout=_CALL_S
            )
            done.add(result, [number for number, _ in batch])
            _show_progress(done)
            batch = following
    _end_progress()
    _report(session, done)
    if done.refused:
        raise typer.Exit(ExitCode.REFUSED_INPUT)


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = Path(file).open("rb")  # noqa: SIM115 - closed below; only the opening may fail so
    except OSError as error:
        message = f"cannot read {file}: {error.strerror or error}"
        raise CommandError(message, hint="give a file of JSON Lines, or -", code=ExitCode.REFUSED_INPUT) from error
    with stream:
        yield stream


def _batches(stream: BinaryIO, done: _Sum, conversation: str | None) -> Iterator[list[tuple[int, dict[str, Any]]]]:
    """Messages with their line numbers, as many as one request takes; what is no message is told in `done`."""
    batch: list[tuple[int, dict[str, Any]]] = []
    size = 0
    for number, line in _lines(stream):
        message = _message(number, line, done)
        if message is None or line is None:
            continue
        if conversation is not None:
            message.setdefault("conversation", conversation)
        if batch and (len(batch) >= _BATCH_LINES or size + len(line) > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append((number, message))
        size += len(line)
    if batch:
        yield batch


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """The lines that are not blank, with their numbers; None for one that is too long to be read."""
    number = 0
    while line := stream.readline(_LINE_BYTES + 1):
        number += 1
        is_long = len(line) > _LINE_BYTES
        while is_long and not line.endswith(b"\n") and line:
            line = stream.readline(_LINE_BYTES)
        if is_long or line.strip():
            yield number, None if is_long else line


def _message(number: int, line: bytes | None, done: _Sum) -> dict[str, Any] | None:
    if line is None:
        done.refuse(number, "too_large", f"the line is longer than {_LINE_BYTES} bytes")
        return None
    try:
        found = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        is_json = isinstance(error, UnicodeEncodeError)
        told = "it holds a lone surrogate, which is no character" if is_json else f"not JSON in UTF-8: {error}"
        done.refuse(number, "invalid_text" if is_json else "parse_error", one_line(told)[:200])
        return None
    if not isinstance(found, dict):
        done.refuse(number, "invalid_params", "a message is an object with role, content and at")
        return None
    return found


def _show_progress(done: _Sum) -> None:
    if sys.stderr.isatty():
        told = f"{plural(done.stored, 'message')} stored, {done.known} known, {len(done.refused)} refused"
        sys.stderr.write(f"\r\x1b[K{told}")
        sys.stderr.flush()


def _end_progress() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def _report(session: Session, done: _Sum) -> None:
    if session.as_json:
        out_json({
            **{name: getattr(done, name) for name in _COUNTED},
            "known": done.known, "deleted": done.deleted, "refused": done.refused,
        })  # fmt: skip
        return
    done.refused.sort(key=lambda each: each["line"])
    for each in done.refused[:_SHOWN]:
        err(one_line(f"soulmem: line {each['line']}: {each['message']}"))
    if len(done.refused) > _SHOWN:
        err(f"soulmem: and {plural(len(done.refused) - _SHOWN, 'more line')}; --json tells all")
    told = [f"{plural(done.stored, 'message')} stored"]
    told += [f"{done.known} known before"] if done.known else []
    told += [f"{done.deleted} deleted since"] if done.deleted else []
    told += [f"{done.reordered} put in the order of their times"] if done.reordered else []
    told += [f"{done.late} older than what was heard before"] if done.late else []
    told += [f"{len(done.refused)} refused"] if done.refused else []
    out(", ".join(told))
    if done.stored:
        out(paint("`soulmem sleep` makes notes of it now; ten quiet minutes do the same", "dim"))
