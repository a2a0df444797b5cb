"""The HTTP server that bridges run on: where it listens and how it ends. Needs the extra of the bridge that asks."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import uvicorn

from soulmem.bridges.mcp.http_address import HttpAddress

_WAITING = 256  # connections that are not accepted yet


class StoppableServer(uvicorn.Server):
    """One that ends with exit code 0 when it is told to stop; `stop` ends what would go on for ever."""

    def __init__(self, config: uvicorn.Config, stop: Callable[[], None] | None = None) -> None:
        super().__init__(config)
        self._stop = stop

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._stop is not None:
            self._stop()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield


@contextlib.contextmanager
def listening(place: HttpAddress | Path) -> Iterator[socket.socket]:
    """A listener, for as long as it is used. Raises OSError: the place is taken, or not ours."""
    if isinstance(place, HttpAddress):
        family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
        with socket.create_server((place.host, place.port), family=family, backlog=_WAITING) as listener:
            # what is accepted inherits it; asyncio sets it for sockets that name their protocol, and this one does not
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            yield listener
        return
    _remove_stale(place)
    with socket.socket(socket.AF_UNIX) as listener:
        before = os.umask(0o177)  # for who runs it alone
        try:
            listener.bind(os.fspath(place))
        finally:
            os.umask(before)
        listener.listen(_WAITING)
        try:
            yield listener
        finally:
            place.unlink(missing_ok=True)


def _remove_stale(place: Path) -> None:
    """Remove the socket of a server that died; anything else stays. Raises OSError: somebody listens there."""
    if not place.exists() or not stat.S_ISSOCK(place.stat().st_mode):
        return
    with socket.socket(socket.AF_UNIX) as trial:
        try:
            trial.connect(os.fspath(place))
        except ConnectionRefusedError:
            place.unlink(missing_ok=True)


def shown_place(place: HttpAddress | Path, listener: socket.socket) -> str:
    """Where a listener is, as a client writes it."""
    if isinstance(place, Path):
        return f"unix:{place}:"
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
