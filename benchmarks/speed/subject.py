"""The subject of the measurements: a real daemon in its own process, with a temporary state directory.

Used by the phases of `core`. READY is the event `daemon_ready` in the daemon's log. Invariant: the process has ended
when the `with` block is left.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from soulmem.client import Client
from soulmem.store.sqlite import driver

PATIENCE_S = 240.0


class Subject:
    """One run of the daemon; `state` may be that of an earlier run."""

    def __init__(self, state: Path, embedder: str, environment: Mapping[str, str] | None = None) -> None:
        self._environment = environment or {}
        self.state = state
        self.socket = state / "bench.sock"
        self._log = state / "bench.log"
        self._embedder = embedder
        self.ready_s = 0.0
        self.began = 0.0
        self._process: subprocess.Popen[bytes]

    def __enter__(self) -> Self:
        self.state.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "soulmem", "daemon", "--state", str(self.state), "--socket", str(self.socket)]
        environment = {**os.environ, "SOULMEM_EMBEDDER_NAME": self._embedder, "SOULMEM_LOG_FORMAT": "json"}
        environment |= self._environment
        with self._log.open("wb") as log:
            self.began = time.perf_counter()
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        while b'"daemon_ready"' not in self._log.read_bytes():
            if self._process.poll() is not None or time.perf_counter() - self.began > PATIENCE_S:
                raise RuntimeError(f"the daemon did not start: {self._log.read_text()[-2000:]}")
            time.sleep(0.002)
        self.ready_s = time.perf_counter() - self.began
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def pid(self) -> int:
        return self._process.pid

    def file_of(self, mind: str) -> Path:
        return self.state / "minds" / f"{mind}.db"

    def client(self) -> Client:
        return Client(str(self.socket), timeout=PATIENCE_S)

    def call(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        with self.client() as client:
            return client.call(method, params or {})

    def rss_mb(self) -> float:
        return float(self.call("system.status")["rss_bytes"]) / 1e6

    def drain(self) -> tuple[int, float]:
        """Wait until no text waits for its vector; (how many waited, seconds it took)."""
        began = time.perf_counter()
        with self.client() as client:
            first = backlog = int(client.call("system.status", {})["embed_backlog"])
            while backlog:
                if time.perf_counter() - began > PATIENCE_S:
                    raise RuntimeError(f"{backlog} texts still wait for their vectors")
                time.sleep(0.05)
                backlog = int(client.call("system.status", {})["embed_backlog"])
        return first, time.perf_counter() - began

    def vector_count(self, mind: str) -> int:
        with closing(driver.reader(self.file_of(mind))()) as connection:
            return int(connection.execute("SELECT count(*) FROM vector").fetchone()[0])
