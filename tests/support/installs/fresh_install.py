"""As a new user has it: a wheel, installed with pip, pipx or uv into folders of its own, and a home of its own.

Nothing of the repository and of this Python's environment is in reach: programs are found where the installer put them.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
INSTALLERS = ("pip", "pipx", "uv")
_OURS = ("SOULMEM_", "XDG_", "PIPX_", "UV_TOOL", "VIRTUAL_ENV", "PYTHON", "COVERAGE")
_PATIENCE_S = 900


@dataclass(frozen=True)
class FreshInstall:
    """Where it was installed to, and the environment of its user."""

    home: Path
    programs: Path
    python: Path  # of the environment it was installed into
    environment: dict[str, str]

    def run(self, *command: str, code: int = 0, said: str = "") -> str:
        """Run a program of this user to its end; what it printed, or what it said where it was to fail."""
        done = subprocess.run(
            command, input=said, capture_output=True, text=True, env=self.environment, cwd=self.home, check=False,
            timeout=_PATIENCE_S,
        )  # fmt: skip
        assert done.returncode == code, (command, done.stdout[-2000:], done.stderr[-2000:])
        assert "Traceback" not in done.stderr
        return done.stderr if code else done.stdout

    def soulmem(self, *arguments: str, code: int = 0) -> str:
        return self.run(str(self.programs / "soulmem"), *arguments, code=code)

    def json(self, *arguments: str) -> dict[str, Any]:
        found = json.loads(self.soulmem(*arguments, "--json"))
        assert isinstance(found, dict)
        return found

    @contextlib.contextmanager
    def daemon(self) -> Iterator[None]:
        """`soulmem daemon`, until it answers; stopped at the end."""
        with (self.home / "daemon.log").open("ab") as log:
            process = subprocess.Popen(
                [str(self.programs / "soulmem"), "daemon"], env=self.environment, cwd=self.home, stdout=log, stderr=log
            )
        try:
            deadline = time.monotonic() + 60
            while subprocess.run(
                [str(self.programs / "soulmem"), "status"], env=self.environment, capture_output=True, check=False
            ).returncode:
                assert process.poll() is None, (self.home / "daemon.log").read_text()
                assert time.monotonic() < deadline
                time.sleep(0.1)
            yield
        finally:
            process.terminate()
            assert process.wait(60) == 0


def _clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}


def build_wheel(folder: Path) -> Path:
    """Build the wheel as whoever publishes it does: from the source archive, with what the project says it needs."""
    tools = _environment(folder / "builder", "build")
    subprocess.run(
        [str(tools / "python"), "-m", "build", "--outdir", str(folder / "dist"), str(ROOT)],
        check=True, capture_output=True, timeout=_PATIENCE_S, env=_clean(),
    )  # fmt: skip
    (wheel,) = (folder / "dist").glob("*.whl")
    return wheel


def install(root: Path, wheel: Path, installer: str, extras: str = "") -> FreshInstall:
    """Install a wheel by one command, below `root`. `extras`: as `[mcp]`."""
    tools = _environment(root / "tools", *(() if installer == "pip" else (installer,)))
    home = root / "home"
    home.mkdir()
    runtime = root / "run"
    runtime.mkdir(mode=0o700)
    kept = _clean()
    environment = {
        **kept, "HOME": str(home), "XDG_RUNTIME_DIR": str(runtime), "PIPX_HOME": str(root / "pipx"),
        "PIPX_BIN_DIR": str(root / "bin"), "PIPX_MAN_DIR": str(root / "man"), "UV_TOOL_DIR": str(root / "uv"),
        "UV_TOOL_BIN_DIR": str(root / "bin"), "PATH": f"{root / 'bin'}:{kept['PATH']}",
    }  # fmt: skip
    command = {
        "pip": [str(tools / "pip"), "install"],
        "pipx": [str(tools / "pipx"), "install"],
        "uv": [str(tools / "uv"), "tool", "install"],
    }[installer]
    python = {"pip": tools, "pipx": root / "pipx/venvs/soulmem/bin", "uv": root / "uv/soulmem/bin"}[
        installer
    ] / "python"
    fresh = FreshInstall(home, tools if installer == "pip" else root / "bin", python, environment)
    fresh.run(*command, f"{wheel}{extras}")
    return fresh


def _environment(folder: Path, *packages: str) -> Path:
    """An empty virtual environment with these packages; where its programs lie."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, capture_output=True, timeout=120)
    if packages:
        subprocess.run(
            [str(folder / "bin" / "pip"), "install", "--quiet", *packages],
            check=True, capture_output=True, timeout=_PATIENCE_S, env=_clean(),
        )  # fmt: skip
    return folder / "bin"
