"""A daemon of one's own for the length of a command: fresh state, its own socket, a simulated clock.

Used by the demo. Invariant: whatever happens to the command (an error, Ctrl-C), the daemon it started is
gone afterwards, and so is its directory unless somebody asked to keep it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from soulmem.cli.output.command_session import CommandError, ExitCode
from soulmem.client import Client, DaemonUnavailable

_READY_FOR_S = 30.0
_STOP_FOR_S = 10.0
_LONGEST_DIRECTORY = 80  # bytes; a socket's path may have 107


class Sandbox:
    """Starts a private daemon on entry and ends it on exit.

    `at`: where the simulated clock begins, ISO 8601; `keep`: leave the directory behind; `config`: the whole
    configuration file; nothing of the user's own configuration applies.
    """

    def __init__(self, at: str, *, keep: bool = False, config: str = "") -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="soulmem-demo-", dir=_short_temporary_directory()))
        self.state = self.directory / "state"
        self.socket = self.directory / "soulmem.sock"
        self.log = self.directory / "daemon.log"
        self.keep = keep
        self.ready_ms = 0.0
        self._at = at
        self._config = config
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def _start(self) -> None:
        config = self.directory / "config.toml"
        config.write_text(self._config, encoding="utf-8")
        command = [sys.executable, "-m", "soulmem", "daemon"]
        command += ["--state", str(self.state), "--socket", str(self.socket), "--config", str(config)]
        command += ["--simulated-clock", self._at]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SOULMEM_")}
        started = time.perf_counter()
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                start_new_session=True,  # Ctrl-C reaches us alone; we end it in order
            )
        while not self._answers():
            if self._process.poll() is not None:
                raise CommandError(f"the demo's daemon ended: {self._last_words()}", code=ExitCode.DAEMON_AWAY)
            if time.perf_counter() - started > _READY_FOR_S:
                raise CommandError(f"the demo's daemon is not ready after {_READY_FOR_S:.0f} s", hint=f"see {self.log}")
            time.sleep(0.05)
        self.ready_ms = (time.perf_counter() - started) * 1000

    def _answers(self) -> bool:
        if not self.socket.exists():
            return False
        try:
            with Client(self.socket) as client:
                client.call("system.ping", {})
        except DaemonUnavailable:
            return False
        return True

    def _last_words(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        self.keep = True  # the log is worth reading
        return f"{lines[-1] if lines else 'it said nothing'} (log: {self.log})"

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(_STOP_FOR_S)
            except (subprocess.TimeoutExpired, KeyboardInterrupt):
                self._process.kill()
                self._process.wait()
        if not self.keep:
            shutil.rmtree(self.directory, ignore_errors=True)


def _short_temporary_directory() -> str | None:
    """Avoid temporary directories too long for a socket's path."""
    return "/tmp" if len(os.fsencode(tempfile.gettempdir())) > _LONGEST_DIRECTORY else None  # noqa: S108 - mkdtemp makes it private
