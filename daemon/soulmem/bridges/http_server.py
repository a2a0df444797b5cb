"""The HTTP server that the bridges run on, as each of them ends it. Needs the extra of the bridge that asks."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Iterator

import uvicorn


class StoppableServer(uvicorn.Server):
    """One that ends with exit code 0 when it is told to stop."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield
