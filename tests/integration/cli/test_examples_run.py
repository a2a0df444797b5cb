"""The examples meet the daemon where it listens, without being told."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import warm_start
from daemon_fixture import daemon_process
from soulmem.ops.settings.default_paths import socket_candidates

EXAMPLES = Path(__file__).parents[3] / "examples"
# What `socat - UNIX-CONNECT:path` does, for machines that have none.
SOCAT = f"""#!{sys.executable}
import socket, sys
with socket.socket(socket.AF_UNIX) as link:
    link.settimeout(10)
    link.connect(sys.argv[-1].removeprefix("UNIX-CONNECT:"))
    link.sendall(sys.stdin.buffer.read())
    answer = b""
    while not answer.endswith(b"\\n"):
        answer += link.recv(65536)
sys.stdout.buffer.write(answer)
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "socat").write_text(SOCAT, "utf-8")
    (programs / "socat").chmod(0o755)
    home = tmp_path / "家"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SOULMEM_", "XDG_"))}
    return {**kept, "PATH": f"{programs}:{kept['PATH']}", "HOME": str(home)}


def tour(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(EXAMPLES / "socket.sh"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("place", ["named", "runtime", "state", "home", "service", "relative"])
def test_the_shell_finds_the_socket_that_the_daemon_chose(
    tmp_path: Path, environment: dict[str, str], place: str
) -> None:
    environment |= {
        "named": {"SOULMEM_SOCKET": str(tmp_path / "x" / "我的.sock"), "XDG_RUNTIME_DIR": str(tmp_path)},
        "runtime": {"XDG_RUNTIME_DIR": str(tmp_path / "run")},
        "state": {"XDG_STATE_HOME": str(tmp_path / "st ate")},
        "home": {},
        "service": {"RUNTIME_DIRECTORY": f"{tmp_path / 'svc'}:/run/other", "XDG_RUNTIME_DIR": str(tmp_path / "run")},
        "relative": {"XDG_RUNTIME_DIR": "run", "XDG_STATE_HOME": "state"},
    }[place]
    chosen = socket_candidates(environment)[0]
    missing = tour(environment, "system.ping")
    assert missing.returncode == 69
    assert f"no socket at {chosen}: " in missing.stderr
    quick = {**environment, "SOULMEM_EMBEDDER_NAME": "hashing"}
    daemon = warm_start.start(["daemon", "--state", str(tmp_path / "kept")], quick, tmp_path / "d.log")
    try:
        while not chosen.is_socket():
            assert daemon.poll() is None
            time.sleep(0.02)
        done = tour(environment, "system.status")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["result"]["socket"] == str(chosen)
        if place == "home":
            answers = [json.loads(line) for line in tour(environment).stdout.splitlines()]
            assert len(answers) == 6
            assert all("result" in answer for answer in answers)
    finally:
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(60) == 0


@pytest.mark.parametrize(("arguments", "speaker"), [(("--name", "陈默"), "陈默"), ((), "user")])
def test_the_companion_knows_who_speaks(tmp_path: Path, arguments: tuple[str, ...], speaker: str) -> None:
    with daemon_process(tmp_path) as daemon:
        done = subprocess.run(
            [sys.executable, str(EXAMPLES / "chat.py"), *arguments], input="我住在杭州。\n\n",
            env={**os.environ, "SOULMEM_SOCKET": str(daemon.socket)}, capture_output=True, text=True, timeout=60,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        heard = daemon.call("message.list", {"mind": "pell"})["items"]
        assert [(each["role"], each["speaker"]) for each in heard] == [("user", speaker), ("assistant", "Pell")]
        assert heard[0]["content"] == "我住在杭州。"


def test_the_ci_checks_all_and_quick_needs_no_daemon() -> None:
    root = EXAMPLES.parent
    assert re.search(r"^make check$", (root / ".ci" / "run").read_text("utf-8"), re.MULTILINE)
    makefile = (root / "Makefile").read_text("utf-8")
    quick = makefile[makefile.index("\nquick: ") :].split("\n\n", 1)[0]
    for each in ("ruff format", "ruff check", "mypy", "pytest", "tests/unit"):
        assert each in quick
    assert "tests/integration" not in quick
