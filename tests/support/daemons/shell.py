"""`soulmem` as people and scripts run it: a process of its own, its output checked for what no output may hold."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

PATIENCE_S = 60
CONFIGURATION = {"SOULMEM_EMBEDDER_NAME": "hashing"}  # no weights, no download


class Shell:
    """Runs `soulmem` with a socket, in an environment of its own."""

    def __init__(self, socket: Path, home: Path) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SOULMEM_", "XDG_"))}
        self.environment = {**kept, **CONFIGURATION, "HOME": str(home), "SOULMEM_SOCKET": str(socket)}

    def command(self, *arguments: str | bytes) -> list[str | bytes]:
        return [sys.executable, "-m", "soulmem", *arguments]

    def __call__(
        self, *arguments: str | bytes, stdin: str | bytes = b"", code: int | None = 0, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            self.command(*arguments),
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            env={**self.environment, **environment},
            timeout=PATIENCE_S,
            check=False,
        )
        shown = subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
        assert code is None or shown.returncode == code, (shown.stdout, shown.stderr)
        assert "Traceback" not in shown.stderr
        assert "\x1b" not in shown.stdout + shown.stderr
        return shown

    def json(self, *arguments: str) -> dict[str, Any]:
        found = json.loads(self(*arguments, "--json").stdout)
        assert isinstance(found, dict)
        return found
