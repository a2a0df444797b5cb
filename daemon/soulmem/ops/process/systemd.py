"""What the service manager and we tell each other: state, watchdog, inherited sockets, credentials.

`daemon.py` calls it once at the start and at each change of state. Invariant: without systemd every call is a
silent no-op, and a service manager that went away never disturbs the daemon.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping, MutableMapping
from pathlib import Path

from soulmem.errors import StartupError

FIRST_FD = 3
EX_CONFIG = 78


class SystemdNotifier:
    """Sends sd_notify datagrams; implements the `Notifier` port. Does nothing without `$NOTIFY_SOCKET`."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        address = (os.environ if environ is None else environ).get("NOTIFY_SOCKET", "")
        if address.startswith("@"):
            address = "\0" + address[1:]  # a name in the abstract namespace
        self._address = address if address.startswith(("/", "\0")) else ""

    @property
    def present(self) -> bool:
        return bool(self._address)

    def notify(self, **fields: str) -> None:
        """Send fields in one datagram, e.g. `notify(READY="1", STATUS="3 minds")`; losing one is no error."""
        if not self._address:
            return
        # one field a line: a line break in a value would forge another field
        text = "\n".join(f"{name}={value}".replace("\n", " ") for name, value in fields.items())
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
                sender.setblocking(False)
                sender.sendto(text.encode(), self._address)
        except OSError:
            return


def watchdog_interval_s(environ: Mapping[str, str] | None = None) -> float | None:
    """Return how often to send `WATCHDOG=1` (half of `$WATCHDOG_USEC`), or None when nobody watches us."""
    environ = os.environ if environ is None else environ
    period = environ.get("WATCHDOG_USEC", "")
    if not period.isascii() or not period.isdigit() or int(period) == 0:
        return None
    if environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    return int(period) / 2_000_000


def listen_fds(environ: MutableMapping[str, str] | None = None) -> tuple[socket.socket, ...]:
    """Take over the listening Unix sockets of socket activation; empty when started by hand.

    The variables are removed, so that no child believes they are meant for it.

    Raises StartupError: exit code 78, when a passed descriptor is no listening Unix stream socket.
    """
    environ = os.environ if environ is None else environ
    names = ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")
    pid, count, _ = (environ.pop(name, "") for name in names)
    if pid != str(os.getpid()) or not count.isascii() or not count.isdigit():
        return ()
    return tuple(_listener(fd) for fd in range(FIRST_FD, FIRST_FD + int(count)))


def _listener(fd: int) -> socket.socket:
    try:
        listener = socket.socket(fileno=fd)
        fits = listener.family == socket.AF_UNIX and listener.type == socket.SOCK_STREAM
        listening = fits and bool(listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
    except OSError as error:
        reason = f"descriptor {fd} of socket activation cannot be used: {error.strerror}"
        raise StartupError(reason, exit_code=EX_CONFIG) from None
    if not listening:
        listener.close()
        hint = "use ListenStream= with a path"
        raise StartupError(
            f"descriptor {fd} of socket activation is no listening Unix stream socket; {hint}", exit_code=EX_CONFIG
        )
    listener.set_inheritable(False)
    listener.setblocking(False)
    return listener


def credential(name: str, environ: Mapping[str, str] | None = None) -> str | None:
    """Read a credential given by `LoadCredential=name:…`, stripped; None if there is none.

    Raises StartupError: exit code 78, when it exists and cannot be read.
    """
    directory = (os.environ if environ is None else environ).get("CREDENTIALS_DIRECTORY", "")
    if not directory:
        return None
    path = Path(directory) / name
    try:
        return path.read_text("utf-8").strip() or None
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not text"
        raise StartupError(f"credential {name} cannot be read: {reason}", exit_code=EX_CONFIG) from None
