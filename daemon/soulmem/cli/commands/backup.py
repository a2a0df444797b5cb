"""`soulmem backup`: whole copies of all minds in another directory, while the daemon runs or none does.

A copy by hand of a file that is in use may mix two moments, and nothing in it says so: this one is of one moment,
and checked. Invariants: a mind that could not be copied is named, and keeps none of the others from being; an older
backup goes only when a newer one is whole.
"""

from __future__ import annotations

import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from soulmem import file_kinds
from soulmem.cli.checks.daemon_checks import find_daemon
from soulmem.cli.output.command_session import CommandError, ExitCode, Session, configuration, opens_session_without
from soulmem.cli.output.tables import out, out_json, paint, plural
from soulmem.cli.output.typed_times import Edge, typed_time

StateOption = Annotated[Path | None, typer.Option("--state", metavar="DIR", help="The state directory.")]
_STAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}\Z")


@dataclass(frozen=True, slots=True)
class _Copied:
    """One mind: the copy and its size, or what kept it from being made."""

    mind: str
    path: str | None = None
    bytes: int = 0
    failed: str | None = None


@opens_session_without("mind")
def backup(
    session: Session,
    directory: Annotated[
        Path, typer.Argument(metavar="DIRECTORY", help="Where the copies go; made if it is not there.")
    ],
    state: StateOption = None,
    keep: Annotated[
        int | None,
        typer.Option(
            "--keep", metavar="N", min=1, help="Copy into a folder of this moment, and keep the last N of them."
        ),
    ] = None,
) -> None:
    """Copy all minds, each whole and checked; the daemon may go on writing."""
    minds = minds_folder(session, state)
    if os.path.realpath(minds) == os.path.realpath(directory):
        raise CommandError("the copies would lie among the minds", hint="name another directory")
    whole = directory
    if keep is not None:
        directory = whole / _stamp()
    copied = [_copy(file, directory) for file in _files(minds, directory)]
    failed = [each for each in copied if each.failed is not None]
    gone = _rotate(whole, keep) if keep is not None and not failed else []
    if session.as_json:
        out_json({"directory": str(directory), "minds": [asdict(each) for each in copied], "removed": gone})
    else:
        for each in copied:
            told = f"{each.bytes / 1e6:.1f} MB" if each.failed is None else each.failed
            out(f"{paint('✓', 'green') if each.failed is None else paint('✗', 'red')} {each.mind}  {told}")
        out(f"{plural(len(copied) - len(failed), 'mind')} copied to {directory}")
        if gone:
            out(f"older backups removed: {', '.join(gone)}")
        elif keep is not None and failed:
            out("older backups stay: this one is not whole")
    raise typer.Exit(ExitCode.STORAGE if failed else ExitCode.DONE)


def _now() -> str:
    from soulmem.core.calendar import iso8601  # noqa: PLC0415 - keeps the other commands light
    from soulmem.ops.process.clock import SystemClock  # noqa: PLC0415 - only who needs it pays

    return iso8601.to_iso(SystemClock().now_ms())


def _stamp() -> str:
    """The moment, as the name of a folder; in UTC, so that names are in the order of time."""
    return _now()[:19].replace(":", "-")


def backup_at(session: Session, whole: Path, at: str) -> Path:
    """The last of the backups in turn that was made at or before this time. Raises CommandError: there is none."""
    from soulmem.core.calendar.iso8601 import InvalidInstantError, parse_iso  # noqa: PLC0415 - only who needs it pays

    told = typed_time(session, at, Edge.AS_OF, now=_now())
    try:
        latest = parse_iso(told or at)
    except InvalidInstantError as error:
        raise CommandError(str(error), code=ExitCode.REFUSED_INPUT) from error
    try:
        stamped = backups_in(whole)
    except OSError as error:
        raise CommandError(f"{whole} cannot be read: {error.strerror}", code=ExitCode.STORAGE) from error
    made = [each for each in stamped if parse_iso(_moment_of(each.name)) <= latest]
    if not made:
        first = f"the first is of {_moment_of(stamped[0].name)}" if stamped else "`soulmem backup --keep N` makes them"
        raise CommandError(f"there is no backup in {whole} that is so old", hint=first)
    return made[-1]


def backups_in(whole: Path) -> list[Path]:
    """The folders of backups in turn, the oldest first. Raises OSError."""
    return sorted(each for each in whole.iterdir() if _STAMP.match(each.name) and each.is_dir())


def _moment_of(name: str) -> str:
    day, _, clock = name.partition("T")
    return f"{day}T{clock.replace('-', ':')}Z"


def _rotate(whole: Path, keep: int) -> list[str]:
    """Remove the oldest backups beyond so many: folders of ours, in which nothing but copies of minds lies."""
    stamped = sorted(each for each in whole.iterdir() if _STAMP.match(each.name) and not each.is_symlink())
    gone = []
    for folder in stamped[:-keep]:
        copies = list(folder.iterdir())
        if all(each.suffix == ".db" and each.is_file() and not each.is_symlink() for each in copies):
            for copy in copies:
                copy.unlink()
            folder.rmdir()
            gone.append(folder.name)
    return gone


def minds_folder(session: Session, state: Path | None) -> Path:
    """Where the minds lie: where it was said, where the running daemon keeps them, or where a start would look."""
    if state is None:
        config = configuration({"socket": str(session.socket) if session.socket else None})
        state = find_daemon(session, config.socket).state_dir or config.state_dir
    return state / "minds"


def _files(minds: Path, directory: Path) -> list[Path]:
    from soulmem.store.sqlite import mind_files  # noqa: PLC0415 - keeps the other commands light

    try:
        if (what := file_kinds.irregular(minds, folder=True)) is not None:
            raise CommandError(f"{minds} is {what}", hint="move it out of the way", code=ExitCode.STORAGE)
        os.listdir(minds)
    except (FileNotFoundError, NotADirectoryError):
        raise CommandError(f"{minds} is not there", hint="say where the minds are with --state") from None
    except OSError as error:
        raise CommandError(
            f"{minds} cannot be read: {error.strerror}", hint="ask as the user of the daemon", code=ExitCode.STORAGE
        ) from error
    try:
        mind_files.make(directory)
    except OSError as error:
        raise CommandError(
            f"{directory} cannot be written: {error.strerror}", hint="name another directory", code=ExitCode.STORAGE
        ) from error
    return mind_files.mind_files(minds)


def _copy(file: Path, directory: Path) -> _Copied:
    from soulmem.errors import SoulmemError  # noqa: PLC0415 - only who needs it pays
    from soulmem.store.session import mind_backup  # noqa: PLC0415 - only who needs it pays

    copy = directory / file.name
    try:
        mind_backup.save(file, copy)
    except SoulmemError as error:
        failed = error.message
    except OSError as error:
        failed = f"it cannot be copied: {error.strerror or error}"
    else:
        return _Copied(file.stem, str(copy), copy.stat().st_size)
    return _Copied(file.stem, failed=failed)
