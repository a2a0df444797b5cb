"""The listening socket: bound without ever stealing a live one, or taken over from systemd.

Owns the path, its lock file and the unlinking at the end; opened by `daemon.py`, handed to `rpc/transport/server.py`.
Invariants: a socket that anything answers on is never replaced (L1); the file is removed on close only while it
is still ours (L2); nobody can connect before mode and group are set (L3).
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import grp
import os
import socket
import stat
import struct

from soulmem.errors import StartupError

PATH_BYTES = 107  # sun_path holds 108 with its final NUL
EX_CANTCREAT = 73
EX_TEMPFAIL = 75
EX_CONFIG = 78

BACKLOG = 1024
_PROBE_SECONDS = 1.0
_ALL_BITS = 0o777


class Listener:
    """An open listening socket. `group_gid` is the group of its file, None when it has no file."""

    __slots__ = ("_identity", "_lock_fd", "group_gid", "path", "sock")

    def __init__(self, sock: socket.socket, path: str, *, lock_fd: int | None) -> None:
        self.sock = sock
        self.path = path
        self._lock_fd = lock_fd
        found = _lstat(path)
        self.group_gid = found.st_gid if found is not None else None
        # An adopted socket (no lock) belongs to systemd: its file is not ours to remove.
        self._identity = (found.st_dev, found.st_ino) if found is not None and lock_fd is not None else None

    def accept_waiting(self, most: int) -> tuple[list[socket.socket], OSError | None]:
        """Accept who waits already, so many at the most; what kept another one from being accepted."""
        accepted: list[socket.socket] = []
        try:
            while len(accepted) < most:
                accepted.append(self.sock.accept()[0])
        except BlockingIOError:
            pass
        except OSError as error:
            return accepted, error
        return accepted, None

    def close(self) -> None:
        """Stop listening, remove the file if it is still ours (L2), let the next daemon in. Idempotent."""
        if self._identity is not None:
            found = _lstat(self.path)
            if found is not None and (found.st_dev, found.st_ino) == self._identity:
                with contextlib.suppress(OSError):
                    os.unlink(self.path)
            self._identity = None
        self.sock.close()
        if self._lock_fd is not None:
            os.close(self._lock_fd)
            self._lock_fd = None


def open_listener(
    path: str | os.PathLike[str], *, mode: int = 0o660, group: str | int | None = None, backlog: int = BACKLOG
) -> Listener:
    """Bind and listen on `path`; its directory is made (0700) when missing, a stale socket replaced.

    Raises StartupError: 75 when a daemon is there already, 73 when the path is taken by something else or cannot be
    made, 78 when it is too long or the group does not exist.
    """
    path = os.path.abspath(os.fspath(path))
    length = len(os.fsencode(path))
    if length > PATH_BYTES:
        raise StartupError(
            f"the socket path has {length} bytes, the system allows {PATH_BYTES}: {path}; say a shorter --socket PATH",
            exit_code=EX_CONFIG,
        )
    gid = _group_id(group)
    _make_directory(os.path.dirname(path))
    lock_fd = _lock(path)
    try:
        _clear_stale(path)
        return Listener(_bind(path, mode, gid, backlog), path, lock_fd=lock_fd)
    except OSError as error:
        os.close(lock_fd)
        raise _cannot_create(path, error) from error
    except BaseException:
        os.close(lock_fd)
        raise


def adopt_listener(sock: socket.socket) -> Listener:
    """Take over a listening Unix stream socket that systemd's socket activation passed on."""
    sock.setblocking(False)
    name = sock.getsockname()
    return Listener(sock, name if isinstance(name, str) else "", lock_fd=None)


def _bind(path: str, mode: int, gid: int | None, backlog: int) -> socket.socket:
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        umask = os.umask(_ALL_BITS & ~mode)  # a chmod afterwards would leave a window (L3)
        try:
            sock.bind(path)
        finally:
            os.umask(umask)
        if gid is not None:
            os.chown(path, -1, gid)
        sock.setblocking(False)
        sock.listen(backlog)
    except BaseException:
        sock.close()
        raise
    return sock


def _clear_stale(path: str) -> None:
    """Remove a socket file nobody answers on; the lock keeps a starting daemon from being taken for one."""
    found = _lstat(path)
    if found is None:
        return
    if not stat.S_ISSOCK(found.st_mode):
        raise StartupError(
            f"{path} is {_kind(found.st_mode)}, not a socket; remove it or say another --socket PATH",
            exit_code=EX_CANTCREAT,
        )
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_PROBE_SECONDS)
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            os.unlink(path)
            return
        except FileNotFoundError:
            return
        except (TimeoutError, BlockingIOError):  # a full backlog: busy, so alive
            owner = ""
        except OSError as error:
            raise _cannot_create(path, error) from error
        else:
            pid = struct.unpack("3i", probe.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
            owner = f" (pid {pid})"
    raise StartupError(
        f"something{owner} already answers on {path}; stop it or say another --socket PATH", exit_code=EX_TEMPFAIL
    )


def _lock(path: str) -> int:
    lock_path = f"{path}.lock"
    try:
        fd = os.open(lock_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise _cannot_create(lock_path, error) from error
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
    except BlockingIOError as error:
        pid = os.pread(fd, 32, 0).decode("ascii", "replace").strip() or "unknown"
        os.close(fd)
        raise StartupError(
            f"another soulmem (pid {pid}) serves {path}; stop it or say another --socket PATH", exit_code=EX_TEMPFAIL
        ) from error
    except OSError as error:
        os.close(fd)
        raise _cannot_create(lock_path, error) from error
    return fd


def _make_directory(directory: str) -> None:
    try:
        os.makedirs(directory, mode=0o700, exist_ok=True)
        owner = os.stat(directory).st_uid
    except OSError as error:
        raise _cannot_create(directory, error) from error
    if owner not in (0, os.geteuid()) and os.geteuid() != 0:
        raise StartupError(
            f"the directory {directory} belongs to uid {owner}; say a --socket PATH in one of your own",
            exit_code=EX_CANTCREAT,
        )


def _group_id(group: str | int | None) -> int | None:
    if group is None or isinstance(group, int):
        return group
    try:
        return grp.getgrnam(group).gr_gid
    except KeyError as error:
        raise StartupError(f"the socket's group {group!r} does not exist", exit_code=EX_CONFIG) from error


def _cannot_create(path: str, error: OSError) -> StartupError:
    reason = error.strerror or errno.errorcode.get(error.errno or 0, "unknown error")
    return StartupError(f"cannot use {path}: {reason}; say another --socket PATH", exit_code=EX_CANTCREAT)


def _lstat(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path) if path and not path.startswith("\0") else None
    except OSError:
        return None


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a directory"
    if stat.S_ISREG(mode):
        return "a regular file"
    return "a symbolic link" if stat.S_ISLNK(mode) else "a special file"
