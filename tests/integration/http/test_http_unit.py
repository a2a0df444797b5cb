"""The unit that runs `soulmem http` for a user, judged by systemd, and its command by a start."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from household import Home
from http_bench import http_process

UNITS = Path(__file__).parents[3] / "systemd" / "user"
UNIT = (UNITS / "soulmem-http.service").read_text("utf-8")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_the_unit_verifies_beside_those_of_the_daemon(tmp_path: Path) -> None:
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    for path in UNITS.iterdir():
        text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", path.read_text("utf-8"), flags=re.MULTILINE)
        (tmp_path / path.name).write_text(text, "utf-8")
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", str(tmp_path / "soulmem-http.service")],
        capture_output=True, text=True, check=False, timeout=60, env={**os.environ, "XDG_RUNTIME_DIR": str(runtime)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_its_command_starts(home: Home) -> None:
    found = re.search(r"^ExecStart=%h/.local/bin/soulmem http (.*)$", UNIT, re.MULTILINE)
    assert found
    arguments = found[1].replace("8767", "0").split()
    assert arguments == ["--port", "0"]
    with http_process(home.daemon, *arguments) as server:
        assert server.call("system.ping")["now"]
