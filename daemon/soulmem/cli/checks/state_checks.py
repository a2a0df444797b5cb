"""What `soulmem doctor` says of a state directory: what lies in it, what does not belong there, whether rows are whole.

Called by `doctor` with the directory that the running daemon named, or the one that a start would take. Reads alone,
and reads little: of each file the first bytes, and its name for itself. Invariant: a directory that cannot be read is
said to be unread, and no file is said to be well that was not opened.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from soulmem import file_kinds
from soulmem.cli.checks.findings import Finding, Verdict, unchecked

_MAGIC = b"SQLite format 3\x00"
_APPLICATION_ID_AT = slice(68, 72)  # in the header of an SQLite file
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")  # of a mind, as `message.add` takes it
_BESIDE = ("-wal", "-shm", "-journal")  # what SQLite lays beside a file
_ELSEWHERE = "move it out of there"
_AWAY = "move it out of the way"


def is_mind_name(name: str) -> bool:
    return _NAME.match(name) is not None


def state_findings(directory: Path, *, is_served: bool, deep: bool) -> Iterator[Finding]:
    """Look at a state directory; `is_served`: a daemon runs on it, so that it need not be ours to write."""
    existing = directory
    while not os.path.lexists(existing) and existing != existing.parent:
        existing = existing.parent
    if not existing.is_dir():
        yield Finding("state", Verdict.WRONG, f"{existing} is not a directory", "choose another with --state")
        return
    if existing != directory:
        if os.access(existing, os.W_OK | os.X_OK):
            yield Finding("state", Verdict.FINE, f"{directory}, made at the first start")
        elif os.access(existing, os.X_OK):
            yield _not_writable(existing)
        else:
            yield unchecked("state", f"{existing} may not be looked into", "ask as the user of the daemon")
        return
    if not is_served and not os.access(directory, os.W_OK | os.X_OK):
        yield _not_writable(directory)
        return
    folder = directory / "minds"
    try:
        yield from _catalogue(directory / "catalog.db")
        what = file_kinds.irregular(folder, folder=True)
        if what is not None:
            yield Finding("state", Verdict.WRONG, f"{folder} is {what}", _AWAY)
            return
        entries = sorted(folder.iterdir()) if folder.exists() else []
    except OSError as error:
        yield _unread("state", folder, error, is_served=is_served)
        return
    yield _summed(directory, entries)
    readable = []
    for entry in entries:
        finding = _entry(entry, {each.name for each in entries})
        if finding is not None:
            yield finding
        if entry.suffix == ".db" and (finding is None or finding.verdict is Verdict.NOTICE):
            readable.append(entry)
    yield from _rows(readable) if deep else [_shallow(readable)]


def _not_writable(directory: Path) -> Finding:
    return Finding("state", Verdict.WRONG, f"{directory} cannot be written", "change its owner, or choose another")


def _unread(subject: str, path: Path, error: OSError, *, is_served: bool = True) -> Finding:
    """What we may not read the daemon may, unless it is ours, or we are who would start one."""
    reason = error.strerror or type(error).__name__
    if is_served and not _is_ours(path):
        return unchecked(subject, f"{path} cannot be read: {reason}", "ask as the user of the daemon")
    return Finding(subject, Verdict.WRONG, f"{path} cannot be read: {reason}", "change its permissions, or its owner")


def _is_ours(path: Path) -> bool:
    try:
        return path.lstat().st_uid == os.geteuid()
    except OSError:
        return False


def _catalogue(path: Path) -> Iterator[Finding]:
    """Without it no daemon starts."""
    for part in (path, *(Path(f"{path}{suffix}") for suffix in _BESIDE)):
        if (what := file_kinds.irregular(part)) is not None:
            yield Finding(part.name, Verdict.WRONG, f"{part} is {what}", _AWAY)


def _summed(directory: Path, entries: list[Path]) -> Finding:
    files = [entry for entry in entries if entry.suffix == ".db" and entry.is_file()]  # copies take room too
    minds = sum(".before-" not in entry.name for entry in files)
    size = sum(entry.stat().st_size for entry in files)
    found = f"{directory}: {minds} {'mind' if minds == 1 else 'minds'}, {size / 1e6:.1f} MB"
    return Finding("state", Verdict.FINE, found)


def _entry(path: Path, names: set[str]) -> Finding | None:
    """What is wrong with one entry of `minds/`; None if it belongs there and can be read."""
    for suffix in _BESIDE:
        if path.name.endswith(suffix):
            if path.name.removesuffix(suffix) in names:
                return None
            return Finding(path.name, Verdict.NOTICE, "the file it belongs to is not there", _ELSEWHERE)
    what = file_kinds.irregular(path)
    if what is not None:
        return _foreign(path, f"is {what}")
    if path.suffix in (".damaged", ".part"):
        left = "a damaged file that was set aside" if path.suffix == ".damaged" else "what a start left unfinished"
        return Finding(path.name, Verdict.NOTICE, left, "delete it when nobody needs it")
    if path.suffix != ".db":
        return Finding(path.name, Verdict.NOTICE, "does not belong there", _ELSEWHERE)
    return _database(path)


def _foreign(path: Path, what: str) -> Finding:
    """What the daemon takes for a mind and cannot open; anything else disturbs nobody."""
    verdict = Verdict.WRONG if path.suffix == ".db" else Verdict.NOTICE
    return Finding(path.name, verdict, what, _ELSEWHERE)


def _database(path: Path) -> Finding | None:
    from soulmem.errors import SoulmemError  # noqa: PLC0415 - keeps the other commands light
    from soulmem.store.sqlite import driver, mind_files  # noqa: PLC0415 - the driver brings the numeric libraries

    try:
        mind_files.refuse_irregular(path)  # before anything is opened, which might wait for ever
        with path.open("rb") as file:
            header = file.read(100)
    except SoulmemError as error:
        return Finding(path.name, Verdict.WRONG, error.message, error.hint or "")
    except OSError as error:
        return _unread(path.name, path, error)
    log = Path(f"{path}-wal")
    if not header:
        if log.exists() and log.stat().st_size:
            return None
        return Finding(path.name, Verdict.NOTICE, "is empty", "delete it, or put a copy in its place")
    if not header.startswith(_MAGIC):
        return _foreign(path, "is no SQLite file")
    own = int.from_bytes(header[_APPLICATION_ID_AT], "big") == driver.APPLICATION_ID
    has_log = log.exists() and log.stat().st_size > 0
    if not own and not has_log:  # what is in the log may not stand in the header yet
        return _foreign(path, "is an SQLite file of another program")
    return _called_otherwise(path)


def _called_otherwise(path: Path) -> Finding | None:
    """Whether a file of ours is another mind's than it is called, or bears a name nobody can ask for."""
    from soulmem.errors import SoulmemError  # noqa: PLC0415 - keeps the other commands light
    from soulmem.store.session import mind_metadata  # noqa: PLC0415 - only who needs it pays
    from soulmem.store.sqlite import driver, offline_reader  # noqa: PLC0415 - only who needs it pays

    def named(connection: driver.Connection) -> mind_metadata.Identity | None:
        driver.refuse_foreign(connection, path)
        return mind_metadata.load(connection)

    name = path.stem.partition(".before-")[0]
    try:
        who = offline_reader.look(path, named)
    except SoulmemError:
        return _foreign(path, "is an SQLite file of another program")
    except driver.DatabaseError as error:
        return Finding(path.name, Verdict.WRONG, f"cannot be read: {error}", "restore the file from a copy")
    except OSError as error:
        return unchecked(path.name, f"it cannot be read: {error.strerror}", "ask again when the daemon rests")
    if not _NAME.match(name):
        return Finding(
            path.name, Verdict.NOTICE, f"{name!r} cannot be the name of a mind: nobody can ask it", "rename it"
        )
    if who is not None and who.name != name:
        return Finding(
            path.name,
            Verdict.NOTICE,
            f"a copy of {who.name!r}, or renamed: it is kept as a mind of its own",
            "move it out of there, unless it is meant so",
        )
    return None


def _shallow(readable: list[Path]) -> Finding:
    if not readable:
        return Finding("rows", Verdict.FINE, "there are none yet")
    return unchecked("rows", "the content of the files", "soulmem doctor --deep compares each row with its hash")


def _rows(readable: list[Path]) -> Iterator[Finding]:
    from soulmem.store.session.verify import damages  # noqa: PLC0415 - brings the driver and the numeric libraries

    for path in readable:
        found = damages(path)
        if found:
            shown = "; ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "")
            yield Finding(path.name, Verdict.WRONG, shown, "restore the file from a copy")
        else:
            yield Finding(path.name, Verdict.FINE, "every row is what was written")
