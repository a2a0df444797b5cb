"""`soulmem export`: a whole mind as lines that another daemon reads, or what it remembers as other programs read it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from soulmem.cli.output.command_session import CommandError, ExitCode, Session, opens_session
from soulmem.cli.output.progress_bar import end_bar, show_bar
from soulmem.cli.output.tables import out, plural

if TYPE_CHECKING:
    from soulmem.interchange.exporting.mind_lines import Written


@opens_session
def export(
    session: Session,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Where the whole mind goes, as lines of JSON; - is stdout.")
    ] = None,
) -> None:
    """Write a whole mind to a file: `soulmem import` makes the same mind of it, here or elsewhere."""
    from soulmem.interchange.exporting import private_files  # noqa: PLC0415 - keeps the other commands light

    if file is None:
        raise CommandError("nothing says where to", hint="name a file", code=ExitCode.WRONG_USAGE)
    try:
        if str(file) == "-":
            _write_out(session)
            return
        with private_files.written(file) as stream, session.connect() as client:
            from soulmem.interchange.exporting import mind_lines  # noqa: PLC0415 - as above

            done = mind_lines.write(client, session.mind, stream, _show)
    except OSError as error:
        end_bar()
        raise _unwritable(file, error) from error
    finally:
        end_bar()
    _report(session, file, done)


def _write_out(session: Session) -> None:
    from soulmem.interchange.exporting import mind_lines  # noqa: PLC0415 - as above

    with session.connect() as client:
        mind_lines.write(client, session.mind, sys.stdout.buffer, lambda *_: None)
    sys.stdout.buffer.flush()


def _show(done: int, whole: int) -> None:
    show_bar(done / whole if whole else 1.0, f"{done / 1e6:.1f} MB")


def _report(session: Session, file: Path, done: Written) -> None:
    if not session.gave_json({"mind": session.mind, "file": str(file), "bytes": done.bytes, "lines": done.lines}):
        out(f"{session.mind}: {plural(done.lines, 'line')}, {done.bytes / 1e6:.1f} MB, written to {file}")


def _unwritable(file: Path, error: OSError) -> CommandError:
    return CommandError(
        f"cannot write {file}: {error.strerror or error}", hint="name another place", code=ExitCode.STORAGE
    )
