"""A power-cut simulator: from a trace of a daemon's system calls to the disks it could have left behind.

`strace` records every write, sync and change of a name below the state directory, and every reply on the socket. A
`Disk` replays that record up to any line. What a finished fsync or fdatasync covered is certain; of everything else
each 512-byte sector may or may not have arrived, a file may have grown before its data came, and of the names made or
removed since a directory was last synced only the earlier ones may be there. That is harsher than the file systems
people use, which is the point.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

TRACED = "pwrite64,write,fdatasync,fsync,ftruncate,unlink,rename,openat,mkdir,sendto,sendmsg"
SECTOR = 512
PAGE = 4096
WAL_HEADER, FRAME_HEADER = 32, 24

_LINE = re.compile(r"^(\d+)\s+(.*)$")
_RESUMED = re.compile(r"^<\.\.\. (\w+) resumed>(.*)$")
_CALL = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+|\?)(?:<((?:\\x..)*)>)?")
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_DESCRIPTOR = re.compile(r"^\d+<([^>]*)>")


def strace_command(output: Path) -> list[str]:
    """How a daemon is started so that its life can be replayed."""
    options = ["-f", "-y", "-xx", "-s", "2000000", "--seccomp-bpf", "-e", f"trace={TRACED}"]
    return ["strace", *options, "-o", str(output)]


@dataclass(frozen=True, slots=True)
class Call:
    """One system call that succeeded. `began` and `ended` are lines of the trace; names are full paths."""

    kind: str
    path: str
    began: int
    ended: int
    data: bytes = b""
    offset: int = 0
    other: str = ""
    creates: bool = False


def read_trace(path: Path) -> list[Call]:
    """The calls of all threads, in the order in which they began."""
    calls: list[Call] = []
    waiting: dict[str, tuple[int, str]] = {}
    with path.open(encoding="ascii", errors="replace") as lines:
        for number, line in enumerate(lines):
            found = _LINE.match(line)
            if found is None:
                continue
            thread, text = found[1], found[2]
            began = number
            if text.endswith("<unfinished ...>"):
                waiting[thread] = (number, text.removesuffix("<unfinished ...>"))
                continue
            resumed = _RESUMED.match(text)
            if resumed is not None:
                began, first = waiting.pop(thread)
                text = first.rstrip() + resumed[2].lstrip()
            call = _read_call(text, began, number)
            if call is not None:
                calls.append(call)
    # A call that never returned may have done its work: a write counts from where it began.
    never = len(calls) and max(call.ended for call in calls) + 1
    for began, text in waiting.values():
        call = _read_call(f"{text.rstrip()}) = {2**31}", began, never)
        if call is not None and call.kind == "write":
            calls.append(call)
    return sorted(calls, key=lambda call: call.began)


def _read_call(text: str, began: int, ended: int) -> Call | None:
    found = _CALL.match(text)
    if found is None or found[3] == "?" or int(found[3]) < 0:
        return None
    name, arguments = found[1], found[2]
    strings = [_bytes(each) for each in _STRING.findall(arguments)]
    descriptor = _DESCRIPTOR.match(arguments)
    where = os.fsdecode(_bytes(descriptor[1])) if descriptor else ""
    match name:
        case "pwrite64":
            return Call("write", where, began, ended, strings[0][: int(found[3])], int(arguments.rpartition(",")[2]))
        case "fdatasync" | "fsync":
            return Call("sync", where, began, ended)
        case "ftruncate":
            return Call("truncate", where, began, ended, offset=int(arguments.rpartition(",")[2]))
        case "unlink":
            return Call("unlink", os.fsdecode(strings[0]), began, ended)
        case "rename":
            return Call("rename", os.fsdecode(strings[0]), began, ended, other=os.fsdecode(strings[1]))
        case "mkdir":
            return Call("mkdir", os.fsdecode(strings[0]), began, ended)
        case "openat":
            return Call("open", os.fsdecode(_bytes(found[4] or "")), began, ended, creates="O_CREAT" in arguments)
        case "sendto" | "sendmsg" | "write":
            return Call("send", where, began, ended, b"".join(strings)[: int(found[3])])
    return None


def _bytes(escaped: str) -> bytes:
    return bytes.fromhex(escaped.replace("\\x", "")) if "\\x" in escaped else escaped.encode()


# ---------------------------------------------------------------------------------------------- what was promised when


def replies(calls: list[Call]) -> Iterator[Call]:
    """What the daemon sent to its clients."""
    return (call for call in calls if call.kind == "send" and b'"jsonrpc"' in call.data)


def synced_before(calls: list[Call], wal: str, token: bytes, reply: Call) -> bool:
    """Whether the transaction that holds `token` was wholly in the log, and the log synced, before the reply left."""
    written = [call for call in calls if call.kind == "write" and call.path == wal]
    held = next((place for place, call in enumerate(written) if token in call.data), None)
    if held is None:
        return False
    # SQLite writes a frame as its header, then its page; the header of the page with the token is the one before.
    commit = next((place for place in range(max(0, held - 1), len(written)) if _is_commit(written[place])), None)
    if commit is None or commit + 1 >= len(written):
        return False
    page = written[commit + 1]
    assert page.offset == written[commit].offset + FRAME_HEADER
    syncs = (call for call in calls if call.kind == "sync" and call.path == wal)
    return any(sync.began > page.ended and sync.ended < reply.began for sync in syncs)


def _is_commit(call: Call) -> bool:
    """Whether this write is the header of a frame that ends a transaction: its size field is not zero."""
    is_header = len(call.data) == FRAME_HEADER and (call.offset - WAL_HEADER) % (PAGE + FRAME_HEADER) == 0
    return is_header and int.from_bytes(call.data[4:8], "big") != 0


# ---------------------------------------------------------------------------------------------- what may be left of it


@dataclass
class _File:
    """One file: what is certain of it, and what was done since and may be lost."""

    certain: bytearray = field(default_factory=bytearray)
    since: list[Call] = field(default_factory=list)

    def settle(self, before: int) -> None:
        """A sync that began at this line is through."""
        for call in self.since:
            if call.ended < before:
                _apply(self.certain, call)
        self.since = [call for call in self.since if call.ended >= before]

    def possible(self, chance: random.Random) -> bytes:
        """One of the states in which the power cut may leave it."""
        content = bytearray(self.certain)
        mood = chance.choice(("nothing", "everything", "torn", "torn", "torn"))
        if mood == "nothing":
            return bytes(content)
        for call in self.since:
            if mood == "everything" or chance.random() < 0.4:
                _apply(content, call)
            elif call.kind == "write":
                _apply_torn(content, call, chance)
            elif chance.random() < 0.5:
                _apply(content, call)
        if chance.random() < 0.3 and self.since:  # the size arrived before the data
            longest = max((call.offset + len(call.data) for call in self.since), default=0)
            content.extend(bytes(max(0, longest - len(content))))
        return bytes(content)


def _apply(content: bytearray, call: Call) -> None:
    if call.kind == "truncate":
        del content[call.offset :]
        content.extend(bytes(call.offset - len(content)))
        return
    end = call.offset + len(call.data)
    content.extend(bytes(max(0, end - len(content))))
    content[call.offset : end] = call.data


def _apply_torn(content: bytearray, call: Call, chance: random.Random) -> None:
    """Let each sector of a write arrive or not."""
    at, end = call.offset, call.offset + len(call.data)
    while at < end:
        border = min(end, (at // SECTOR + 1) * SECTOR)
        if chance.random() < 0.5:
            content.extend(bytes(max(0, border - len(content))))
            content[at:border] = call.data[at - call.offset : border - call.offset]
        at = border


@dataclass
class _Change:
    """A name that was made, removed or moved in a directory since it was last synced."""

    kind: str
    path: str
    ended: int
    file: _File | None = None
    other: str = ""


def _moment(call: Call) -> int:
    """When a call takes effect: it may at once, but a sync promises nothing before it returns."""
    return call.ended if call.kind == "sync" else call.began


class Disk:
    """The files below `root` at a line of the trace. Replays forward only."""

    def __init__(self, root: Path, calls: list[Call], before: Path | None = None) -> None:
        """Args: before: a copy of what was there, and certain, when the trace began."""
        self._root = str(root)
        inside = (call for call in calls if f"{call.path}/".startswith(f"{self._root}/"))
        self._calls = sorted(inside, key=_moment)
        self._at = 0
        self._open: dict[str, _File] = {}  # by the name the daemon sees
        self._names: dict[str, _File] = {}  # names that are certain
        self._folders: set[str] = {self._root}
        self._changes: list[_Change] = []
        self._unsynced_folders: list[str] = []
        for path in sorted(before.rglob("*")) if before is not None else ():
            name = str(root / path.relative_to(before)) if before is not None else ""
            if path.is_dir():
                self._folders.add(name)
            else:
                self._open[name] = self._names[name] = _File(bytearray(path.read_bytes()))

    def replay(self, line: int) -> None:
        """Let everything happen that had begun by this line; a sync counts when it has ended."""
        ready = [call for call in self._calls[self._at :] if _moment(call) <= line]
        self._at += len(ready)  # they stand in the order of their moments: a sync that is under way comes next time
        for call in ready:
            self._do(call)

    def _do(self, call: Call) -> None:
        match call.kind:
            case "open" if call.creates and call.path not in self._open:
                self._open[call.path] = _File()
                self._changes.append(_Change("make", call.path, call.ended, self._open[call.path]))
            case "mkdir":
                self._folders.add(call.path)
                self._unsynced_folders.append(call.path)
            case "unlink" if self._open.pop(call.path, None) is not None:
                self._changes.append(_Change("unlink", call.path, call.ended))
            case "rename" if call.path in self._open:
                self._open[call.other] = self._open.pop(call.path)
                self._changes.append(_Change("rename", call.path, call.ended, self._open[call.other], call.other))
            case "write" | "truncate" if call.path in self._open:
                self._open[call.path].since.append(call)
            case "sync" if call.path in self._open:
                self._open[call.path].settle(call.began)
            case "sync":
                self._settle_names(call.path, call.began)

    def _settle_names(self, folder: str, before: int) -> None:
        through = [each for each in self._changes if os.path.dirname(each.path) == folder and each.ended < before]
        for change in through:
            _rename(change, self._names)
            self._changes.remove(change)
        self._unsynced_folders = [path for path in self._unsynced_folders if os.path.dirname(path) != folder]

    def unsynced_folders(self) -> list[str]:
        """Directories whose own name no sync has made certain. Images hold them all the same: they have a test."""
        return list(self._unsynced_folders)

    def image(self, target: Path, chance: random.Random, only: Callable[[str], bool] = bool) -> None:
        """Write one disk that the power cut may leave, below `target`.

        Args: only: which files, by their path below the root; a file name is never empty.
        """
        names = dict(self._names)
        for folder in sorted({os.path.dirname(change.path) for change in self._changes}):
            waiting = [change for change in self._changes if os.path.dirname(change.path) == folder]
            for change in waiting[: chance.randint(0, len(waiting))]:
                _rename(change, names)
        target.mkdir(parents=True)
        for path in sorted(self._folders - {self._root}):
            (target / os.path.relpath(path, self._root)).mkdir(parents=True, exist_ok=True)
        for path, file in names.items():
            if not path.endswith(("-shm", ".lock")) and only(os.path.relpath(path, self._root)):
                (target / os.path.relpath(path, self._root)).write_bytes(file.possible(chance))


def _rename(change: _Change, names: dict[str, _File]) -> None:
    match change.kind:
        case "make" if change.file is not None:
            names[change.path] = change.file
        case "unlink":
            names.pop(change.path, None)
        case "rename" if change.file is not None:
            names.pop(change.path, None)
            names[change.other] = change.file
