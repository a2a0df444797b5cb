"""`soulmem restore` and `soulmem move`: copies become minds again, and a mind goes to another state directory.

While a daemon runs a copy can come in beside the minds there are, by its socket; in place of one only while none runs,
for the files are its own. Invariants: what a copy takes the place of is kept beside it; a mind that moves is whole in
its new place before it goes from the old one.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from soulmem.cli.checks.daemon_checks import find_daemon
from soulmem.cli.commands.backup import StateOption, backup_at, backups_in, minds_folder
from soulmem.cli.output.command_session import DEFAULT_MIND, CommandError, ExitCode, Session, opens_session
from soulmem.cli.output.tables import out, out_json, paint, plural


@dataclass(frozen=True, slots=True)
class _Restored:
    """One mind: where what stood in its place is kept, or what kept it from coming back."""

    mind: str
    kept: str | None = None
    failed: str | None = None


@opens_session
def restore(
    session: Session,
    copy: Annotated[
        Path, typer.Argument(metavar="BACKUP", help="A copy of a mind, or a directory of them, as `backup` makes them.")
    ],
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="TIME",
            help="Of backups in turn (`backup --keep`) the last before it: 2026-03-01, yesterday, 昨天.",
        ),
    ] = None,
    state: StateOption = None,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="In place of a mind that is there, which is kept beside it; no daemon runs."),
    ] = False,
) -> None:
    """Make minds of copies, each checked; under another name with -m."""
    if at is not None:
        copy = _made_by_then(session, copy, at)
    files = _copies(copy)
    if session.mind != DEFAULT_MIND and len(files) > 1:
        raise CommandError("one name for several minds", hint="name the file of one", code=ExitCode.WRONG_USAGE)
    running = find_daemon(session, None)
    is_here = running.status is not None and (state is None or running.state_dir == state.absolute())
    done = []
    if is_here:
        if replace:
            raise CommandError(
                "a daemon runs, and the minds are its own", hint="stop it first, or leave out --replace and name it -m"
            )
        there = Session(socket=running.path, mind=session.mind)
        done = [_by_socket(there, file, _name(session, file)) for file in files]
    else:
        minds = _made(minds_folder(session, state))
        with _locked(minds.parent):
            done = [_by_file(file, minds, _name(session, file), replace) for file in files]
    _report(session, done)


def _made_by_then(session: Session, copy: Path, at: str) -> Path:
    """What the last backup before a time holds of it: all minds of a directory, or the one that a file is called by."""
    folder = backup_at(session, copy.parent if copy.suffix == ".db" else copy, at)
    if not session.as_json:
        out(f"the backup of {folder.name}")
    return folder / copy.name if copy.suffix == ".db" else folder


def _copies(copy: Path) -> list[Path]:
    from soulmem.store.sqlite import mind_files  # noqa: PLC0415 - keeps the other commands light

    try:
        files = mind_files.mind_files(copy) if copy.is_dir() else [copy] if copy.is_file() else []
    except OSError as error:
        raise CommandError(f"{copy} cannot be read: {error.strerror}", code=ExitCode.STORAGE) from error
    if not files:
        in_turn = backups_in(copy) if copy.is_dir() else []
        hint = f"--at {in_turn[-1].name[:10]} takes the last of its backups" if in_turn else "name what `backup` made"
        raise CommandError(f"there is no copy of a mind at {copy}", hint=hint)
    return files


def _name(session: Session, file: Path) -> str:
    from soulmem.cli.checks.state_checks import is_mind_name  # noqa: PLC0415 - only who needs it pays

    name = session.mind if session.mind != DEFAULT_MIND else file.stem
    if not is_mind_name(name):
        raise CommandError(f"{name!r} cannot be the name of a mind", hint="give it one with -m")
    return name


def _made(minds: Path) -> Path:
    from soulmem.store.sqlite import mind_files  # noqa: PLC0415 - only who needs it pays

    try:
        mind_files.make(minds)
    except OSError as error:
        raise CommandError(f"{minds} cannot be written: {error.strerror}", code=ExitCode.STORAGE) from error
    return minds


@contextmanager
def _locked(state: Path) -> Iterator[None]:
    """The state directory, while no daemon may take it."""
    from soulmem.errors import StartupError  # noqa: PLC0415 - only who needs it pays
    from soulmem.store.sqlite.lock import StateLock  # noqa: PLC0415 - only who needs it pays

    lock = StateLock(state)
    try:
        lock.acquire()
    except StartupError as error:
        raise CommandError(str(error), code=ExitCode(error.exit_code)) from error
    try:
        yield
    finally:
        lock.release()


def _by_file(copy: Path, minds: Path, name: str, replace: bool) -> _Restored:
    from soulmem.errors import SoulmemError  # noqa: PLC0415 - only who needs it pays
    from soulmem.store.session import mind_backup  # noqa: PLC0415 - only who needs it pays

    file = minds / f"{name}.db"
    if not replace and file.exists():
        return _Restored(name, failed="there is already such a mind: --replace puts the copy in its place, -m names it")
    try:
        kept = mind_backup.put_back(copy, file, name)
    except SoulmemError as error:
        return _Restored(name, failed=error.message)
    except OSError as error:
        return _Restored(name, failed=f"it cannot be written: {error.strerror or error}")
    return _Restored(name, kept=str(kept) if kept is not None else None)


def _by_socket(session: Session, copy: Path, name: str) -> _Restored:
    from soulmem.client import SoulmemRemoteError  # noqa: PLC0415 - only who needs it pays
    from soulmem.errors import SoulmemError  # noqa: PLC0415 - only who needs it pays
    from soulmem.interchange.exporting import mind_lines  # noqa: PLC0415 - only who needs it pays
    from soulmem.store.session import mind_records  # noqa: PLC0415 - only who needs it pays
    from soulmem.store.sqlite import driver, offline_reader  # noqa: PLC0415 - only who needs it pays

    with tempfile.TemporaryDirectory(prefix="soulmem-") as folder:
        lines = Path(folder) / "mind"

        def write(connection: driver.Connection) -> None:
            driver.refuse_foreign(connection, copy)
            with lines.open("wb") as stream:
                stream.writelines(mind_records.lines(connection))

        try:
            offline_reader.look(copy, write)
            with session.connect() as client:
                mind_lines.read_in(client, lines, name, lambda *_: None)
        except SoulmemRemoteError as error:
            return _Restored(name, failed=f"{error.message}: stop the daemon and say --replace, or name it with -m")
        except (SoulmemError, driver.DatabaseError, OSError, TypeError) as error:
            return _Restored(name, failed=getattr(error, "message", None) or f"it cannot be read: {error}")
    return _Restored(name)


def _report(session: Session, done: list[_Restored]) -> None:
    failed = [each for each in done if each.failed is not None]
    if session.as_json:
        out_json({"minds": [asdict(each) for each in done]})
    else:
        for each in done:
            told = each.failed or (f"what was there is kept: {each.kept}" if each.kept else "is there")
            out(f"{paint('✓', 'green') if each.failed is None else paint('✗', 'red')} {each.mind}  {told}")
        out(f"{plural(len(done) - len(failed), 'mind')} restored")
    raise typer.Exit(ExitCode.STORAGE if failed else ExitCode.DONE)


@opens_session
def move(
    session: Session,
    target: Annotated[Path, typer.Argument(metavar="STATE", help="The state directory that the mind (-m) goes to.")],
    state: StateOption = None,
) -> None:
    """Move a mind to another state directory: one file. No daemon may run on either; else export and import."""
    from soulmem.store.sqlite import mind_files  # noqa: PLC0415 - only who needs it pays

    minds = minds_folder(session, state)
    source, goal = minds / f"{session.mind}.db", _made(target / "minds") / f"{session.mind}.db"
    if minds.resolve() == goal.parent.resolve():
        raise CommandError("it is there already", hint="name another state directory", code=ExitCode.WRONG_USAGE)
    with _locked(minds.parent), _locked(target):
        if not source.is_file():
            raise CommandError(f"there is no mind {session.mind!r} in {minds}")
        if goal.exists():
            _refuse_another(source, goal)
        else:
            result = _by_file(source, goal.parent, session.mind, replace=False)
            if result.failed is not None:
                raise CommandError(f"{session.mind}: {result.failed}", code=ExitCode.STORAGE)
        remains = [str(each) for each in mind_files.copies_of(source)]
        mind_files.remove(source)
    told: dict[str, Any] = {"mind": session.mind, "file": str(goal), "remains": remains}
    if not session.gave_json(told):
        out(f"{session.mind} is in {target} now")
        for each in remains:
            out(f"a copy of it from before an update is left: {each}")


def _refuse_another(source: Path, goal: Path) -> None:
    """Refuse to take the place of another mind; the same is there where a move was cut off."""
    from soulmem.store.session import mind_backup  # noqa: PLC0415 - only who needs it pays

    if not mind_backup.is_same(source, goal):
        raise CommandError(
            f"there is another mind at {goal}", hint="export this one, and import it under another name",
            code=ExitCode.REFUSED_INPUT,
        )  # fmt: skip
