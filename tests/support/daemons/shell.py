"""`soulmem` as people and scripts run it: a process of its own, its output checked for what no output may hold."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import warm_start
from warm_start import WARM

PATIENCE_S = 60
CONFIGURATION = {"SOULMEM_EMBEDDER_NAME": "hashing"}  # no weights, no download

_OF_THE_INTERPRETER = ("PYTHON", "LC_", "LANG")  # what Python heeds while it starts
_MOST_CHARACTERS = 20_000


def run(*arguments: str | bytes, env: dict[str, str], said: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run `soulmem` to its end: forked where daemons are, unless a fresh process would heed something else."""
    words = [each for each in arguments if isinstance(each, str) and len(each) < _MOST_CHARACTERS]
    own = {
        name for name, value in env.items() if name.startswith(_OF_THE_INTERPRETER) and os.environ.get(name) != value
    }
    if WARM in os.environ and len(words) == len(arguments) and not own:
        return warm_start.run(words, env, said=said, timeout=PATIENCE_S)
    command = [sys.executable, "-m", "soulmem", *arguments]
    return subprocess.run(command, input=said, capture_output=True, env=env, timeout=PATIENCE_S, check=False)


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
        done = run(
            *arguments,
            said=stdin.encode() if isinstance(stdin, str) else stdin,
            env={**self.environment, **environment},
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
