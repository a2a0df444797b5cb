"""`soulmem view` as a command: how the browser gets its link, that each start has its own, and what it refuses."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from daemon_fixture import daemon_process
from household import Home
from served_process import PATIENCE_S, environment
from viewer_bench import ViewerBench, viewer_process

BROWSER = """#!/bin/sh
printf '%s\\n' "$1" > "$0.given"
file="${1#file://}"
cat "$file" > "$0.read"
stat -c '%a' "$file" "$(dirname "$file")" > "$0.modes"
"""


def written(path: Path) -> str:
    deadline = time.monotonic() + PATIENCE_S
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.03)
    return path.read_text()


def test_the_browser_gets_a_file_that_only_its_owner_reads(home: Home, mind: str, tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(BROWSER)
    browser.chmod(0o700)
    env = {"BROWSER": f"{browser} %s", "XDG_RUNTIME_DIR": str(tmp_path)}
    with viewer_process(home.daemon, "-m", mind, "--lang", "zh", **env) as page:
        modes = written(tmp_path / "browser.modes").split()
        given = (tmp_path / "browser.given").read_text()
        assert page.token not in given  # every user of the machine can read the arguments of a process
        assert page.token in (tmp_path / "browser.read").read_text()
        assert modes == ["600", "700"]
        assert page.behind_hash == {"token": page.token, "mind": mind, "lang": "zh"}
        assert list(tmp_path.glob("soulmem-view-*"))
    assert not list(tmp_path.glob("soulmem-view-*"))


def test_each_start_has_a_token_of_its_own(home: Home, page: ViewerBench, mind: str) -> None:
    with viewer_process(home.daemon, "--no-open", "-m", mind) as other:
        assert other.token != page.token
        assert len(other.token) >= 40
        assert other.post("mind.list", authorization=f"Bearer {page.token}").status_code == 401
        assert other.address != page.address


def test_it_listens_on_this_machine_alone(page: ViewerBench) -> None:
    port = int(page.address.rsplit(":", 1)[1].strip("/"))
    lines = Path("/proc/net/tcp").read_text().splitlines()
    bound = {
        line.split()[1] for line in lines[1:] if line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A"
    }
    assert bound == {f"0100007F:{port:04X}"}


def test_refusals_are_one_line(home: Home, mind: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for arguments, code, line in (
            (["--socket", str(home.daemon.socket), "-m", "nobody"], 1, "nobody"),
            (["--socket", str(home.daemon.socket), "-m", mind, "--no-open", "--port", port], 78, f"port {port}"),
            (["--socket", "/nowhere/soulmem.sock"], 69, "no daemon on"),
            (["--socket", str(home.daemon.socket), "--port", "70000"], 2, "70000"),
            (["--socket", str(home.daemon.socket), "--lang", "fr"], 2, "fr"),
        ):
            command = [sys.executable, "-m", "soulmem", "view", *arguments]
            ended = subprocess.run(
                command, env=environment(), capture_output=True, text=True, timeout=PATIENCE_S, check=False
            )
            assert ended.returncode == code, ended.stderr
            assert line in ended.stderr
            assert not ended.stdout
            assert "Traceback" not in ended.stderr
            assert "this is a bug" not in ended.stderr


def test_a_daemon_that_goes_away_is_told(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        daemon.call("mind.create", {"mind": "pell"})
        with viewer_process(daemon, "--no-open", "-m", "pell") as page:
            assert page.call("mind.list")["items"]
            assert daemon.terminate() == 0
            answer = page.post("mind.list")
            assert (answer.status_code, answer.json()["error"]["name"]) == (503, "daemon_away")


@pytest.mark.parametrize("name", ["soulmem.bridges.viewer.page_files", "soulmem.bridges.viewer.offered_calls"])
def test_what_an_export_needs_asks_for_no_web_server(name: str) -> None:
    code = f"import {name}, sys; sys.exit('starlette' in sys.modules or 'uvicorn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
