"""A real daemon in a subprocess for tests: its own state directory and socket, ended for certain."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import warm_start
from slowness import within
from soulmem.client import Client, DaemonUnavailable
from warm_start import WARM, WarmProcess


@dataclass
class Daemon:
    """A daemon process under test."""

    process: subprocess.Popen[bytes] | WarmProcess
    state: Path
    socket: Path
    log_path: Path
    clients: list[Client] = field(default_factory=list)

    def client(self, timeout: float = 60.0) -> Client:
        client = Client(str(self.socket), timeout=timeout)
        self.clients.append(client)
        return client

    def call(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        with Client(str(self.socket), timeout=60.0) as client:
            return client.call(method, params or {})

    def log(self) -> list[dict[str, Any]]:
        """Every event the daemon wrote so far."""
        lines = self.log_path.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def events(self, name: str) -> list[dict[str, Any]]:
        return [record for record in self.log() if record["event"] == name]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)

    def terminate(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.ended()

    def ended(self, timeout: float = 15.0) -> int:
        """Wait for its end, on a slow machine longer; how slow this one is is asked only when there is need."""
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            return self.process.wait(within(timeout) - timeout)

    def settle(self, mind: str, timeout: float = 60.0) -> dict[str, Any]:
        """Wait until a mind has no background work left; its line of the status."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            line = next(each for each in self.call("system.status")["minds"] if each["mind"] == mind)
            if not line["embed_backlog"]:
                return line
            time.sleep(0.02)
        raise AssertionError(f"{mind} did not settle: {line}")


def start(
    root: Path, *arguments: str, name: str = "d", env: dict[str, str] | None = None, warm: bool | None = None,
    uid: int | None = None,
) -> Daemon:  # fmt: skip
    """Start a daemon on `root`/state without waiting for it.

    `warm`: forked or not, whatever the suite does. `uid`: as whom, in a group of the same number, and then forked: he
    may have no right to read the interpreter. Only root may say so.
    """
    state, socket = root / "state", root / f"{name}.sock"
    log_path = root / f"{name}.log"
    environment = {
        **os.environ,
        "SOULMEM_EMBEDDER_NAME": "hashing",
        "SOULMEM_STRICT_EVENTS": "1",
        "PYTHONUNBUFFERED": "1",
        **({} if uid is None else {"HOME": str(root)}),
        **(env or {}),
    }
    command = ["daemon", "--state", str(state), "--socket", str(socket), *arguments]
    process: subprocess.Popen[bytes] | WarmProcess
    if uid is None and not (WARM in os.environ if warm is None else warm):
        with log_path.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "soulmem", *command], stderr=log, stdout=log, env=environment
            )
    else:
        process = warm_start.start(command, environment, log_path, uid)
    return Daemon(process, state, socket, log_path)


def wait_ready(daemon: Daemon, timeout: float = 20.0) -> float:
    """Wait until it answers; seconds it took from now."""
    began = time.monotonic()
    while (waited := time.monotonic() - began) < timeout or waited < within(timeout):
        if daemon.process.poll() is not None:
            raise AssertionError(f"the daemon ended with {daemon.process.returncode}: {daemon.log_path.read_text()}")
        try:
            with Client(str(daemon.socket), timeout=5.0) as client:
                client.call("system.ping", {})
            return time.monotonic() - began
        except (DaemonUnavailable, ConnectionError, OSError):
            time.sleep(0.01)
    raise AssertionError(f"the daemon is not ready: {daemon.log_path.read_text()}")


@contextlib.contextmanager
def daemon_process(
    root: Path, *arguments: str, name: str = "d", env: dict[str, str] | None = None, check_log: bool = True,
    uid: int | None = None,
) -> Iterator[Daemon]:  # fmt: skip
    """A ready daemon; at the end it is stopped, and no critical event may stand in its log."""
    daemon = start(root, *arguments, name=name, env=env, uid=uid)
    try:
        wait_ready(daemon)
        yield daemon
    finally:
        for client in daemon.clients:
            client.close()
        if daemon.process.poll() is None:
            daemon.process.send_signal(signal.SIGTERM)
            try:
                daemon.ended()
            except subprocess.TimeoutExpired:
                daemon.process.kill()
                daemon.process.wait(5)
                raise
    if check_log:
        critical = [record for record in daemon.log() if record["level"] == "critical"]
        assert not critical, critical
        failed = daemon.events("request_failed")
        assert not failed, failed
