"""What SQLite says is wrong with a file, as errors of ours that say what to do."""

from __future__ import annotations

from pathlib import Path

from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.sqlite import driver, mind_files

_NO_TEXT = "Could not decode to UTF-8"  # what the driver says of bytes that are no text, without a code
_SHORT_READ = 522  # of _IOERR: the file ends where it must not
_LACKS = ("no such table", "no such column")  # of a statement of ours: what the schema promises is not there
_BUSY, _FULL, _READONLY, _IOERR, _CORRUPT, _CANTOPEN, _NOTADB = 5, 13, 8, 10, 11, 14, 26


def storage_error(error: BaseException, path: Path) -> BaseException:
    """Translate a driver's error into ours; anything else is returned as it is."""
    if not isinstance(error, driver.DatabaseError):
        return error
    code = getattr(error, "sqlite_errorcode", 0) or 0
    primary = code & 0xFF
    text = str(error)
    if code == _SHORT_READ:
        primary = _CORRUPT
    if primary in (_IOERR, _CANTOPEN) and (refusal := _irregular(path)) is not None:
        return refusal
    if primary == _FULL or "disk is full" in text or (primary == _IOERR and mind_files.is_full(path)):
        return SoulmemError(
            ErrorName.STORAGE_FULL,
            f"the disk under {path.name} takes no more: {text}",
            hint="free some space; the write may then be repeated, recall goes on working",
        )
    if primary == _IOERR:
        return SoulmemError(
            ErrorName.STORAGE_READONLY,
            f"the disk under {path.name} failed: {text}",
            hint="check the disk, then restart the daemon",
        )
    is_starved = primary == _CANTOPEN and not mind_files.forbids(path) and mind_files.lacks_descriptors()
    if "Too many open files" in text or is_starved:
        return SoulmemError(
            ErrorName.OVERLOADED,
            f"too many files are open to open {path.name}",
            hint="try again; raise the limit of open files of the daemon (LimitNOFILE of its unit)",
            retry_after_ms=500,
        )
    if primary == _BUSY:
        return SoulmemError(
            ErrorName.STORAGE_READONLY,
            f"another program has {path.name} open",
            hint="close that program; a mind can be looked at while the daemon is stopped, or in a copy",
        )
    if primary in (_READONLY, _CANTOPEN):
        return SoulmemError(
            ErrorName.STORAGE_READONLY,
            f"{path.name} cannot be {'opened' if primary == _CANTOPEN else 'written'}: {text}",
            hint="check the owner and permissions of the state directory",
        )
    if text.startswith(_NO_TEXT):  # what it quotes is for no log
        text = "what stands where a text was is none"
        primary = _CORRUPT
    if primary in (_CORRUPT, _NOTADB) or text.startswith(_LACKS):
        return SoulmemError(
            ErrorName.STORAGE_DAMAGED,
            f"{path.name} is damaged or not a soulmem file: {text}",
            hint="restore the file from a backup, or move it away",
        )
    return error


def _irregular(path: Path) -> SoulmemError | None:
    try:
        mind_files.refuse_irregular(path)
    except SoulmemError as refusal:
        return refusal
    return None


def is_failed_flush(error: BaseException, path: Path) -> bool:
    """Whether the disk failed to keep what it was given, though there is room: nobody knows what stands there."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == _IOERR and not mind_files.is_full(path)
