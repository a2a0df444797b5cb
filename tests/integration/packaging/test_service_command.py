"""`soulmem service`: units that systemd accepts, files of others left alone, and one line where there is no systemd.

`systemctl` and `loginctl` are stood in for by programs on PATH that record their calls.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from daemon_fixture import daemon_process
from shell import Shell

SYSTEMCTL = """#!/bin/sh
# What systemctl --user does to its units is a file here: active.
cd "$(dirname "$0")"
echo "$*" >> calls
case "$*" in
  *show-environment*) test ! -e nobus || { echo "Failed to connect to bus: No medium found" >&2; exit 1; } ;;
  *enable*--now*) test ! -e broken || { echo "Unit soulmem.socket failed." >&2; exit 1; }; echo active > active ;;
  *disable*--now*) rm -f active ;;
  *is-active*) cat active 2>/dev/null || { echo inactive; exit 3; } ;;
  *is-enabled*) test -e active && echo enabled || { echo disabled; exit 1; } ;;
esac
"""
LOGINCTL = '#!/bin/sh\ncat "$(dirname "$0")/lingers" 2>/dev/null || echo no\n'


class Desk:
    """A user's home, with a systemctl of its own."""

    def __init__(self, root: Path) -> None:
        self.programs = root / "bin"
        self.programs.mkdir()
        for name, text in (("systemctl", SYSTEMCTL), ("loginctl", LOGINCTL)):
            (self.programs / name).write_text(text, "utf-8")
            (self.programs / name).chmod(0o755)
        self.config = root / "配置"
        self.units = self.config / "systemd" / "user"
        self.shell = Shell(root / "none.sock", root)
        self.shell.environment |= {
            "PATH": f"{self.programs}:{os.environ['PATH']}", "XDG_CONFIG_HOME": str(self.config),
        }  # fmt: skip

    def __call__(self, *words: str, code: int = 0) -> str:
        done = self.shell("service", *words, code=code)
        return done.stdout if code in (0, 69) else done.stderr

    def calls(self) -> list[str]:
        """What changed something since it was last asked."""
        log = self.programs / "calls"
        told = log.read_text("utf-8").splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        asking = ("show-environment", "is-active", "is-enabled")
        return [line.removeprefix("--user ") for line in told if not any(word in line for word in asking)]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_it_is_written_started_told_of_and_removed(desk: Desk) -> None:
    assert "not installed" in desk("status", code=69)
    first = desk("install")
    assert f"wrote {desk.units / 'soulmem.service'}" in first
    assert "loginctl enable-linger" in first
    assert desk.calls() == ["daemon-reload", "enable --now soulmem.socket soulmem.service", "restart soulmem.service"]
    told = json.loads(desk("status", "--json"))
    assert (told["active"], told["enabled"], told["lingers"]) == ("active", "enabled", False)
    assert {unit["state"] for unit in told["units"].values()} == {"current"}
    (desk.programs / "lingers").write_text("yes\n")
    again = desk("install")
    assert "nothing had to change" in again
    assert "linger" not in again
    assert desk.calls() == ["enable --now soulmem.socket soulmem.service"]
    assert desk("uninstall").count("removed ") == 2
    assert desk.calls() == ["disable --now soulmem.socket soulmem.service", "daemon-reload"]
    assert list(desk.units.iterdir()) == []
    assert desk("uninstall") == "it is not installed\n"
    assert desk.calls() == []


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_accepts_what_it_writes(desk: Desk, tmp_path: Path) -> None:
    desk("install")
    (tmp_path / "run").mkdir(mode=0o700)
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", *(str(unit) for unit in sorted(desk.units.iterdir()))],
        capture_output=True, text=True, check=False, timeout=60,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path / "run")},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    started = next(line for line in (desk.units / "soulmem.service").read_text().splitlines() if "ExecStart=" in line)
    program = started.removeprefix("ExecStart=").split()
    told = subprocess.run([*program, "--help"], capture_output=True, text=True, check=True, timeout=60)
    assert "Run the daemon in the foreground" in told.stdout


def test_a_dry_run_prints_and_changes_nothing(desk: Desk) -> None:
    (desk.programs / "nobus").touch()
    text = desk("install", "--dry-run")
    for line in ("Type=notify", "ListenStream=%t/soulmem/soulmem.sock", f"# {desk.units / 'soulmem.service'}"):
        assert line in text
    assert not desk.config.exists()
    assert desk.calls() == []


@pytest.mark.parametrize("found", [b"[Service]\nExecStart=/bin/true\n", b"\xff\xfe"])
def test_a_file_of_somebody_else_stays_until_it_is_said(desk: Desk, found: bytes) -> None:
    desk.units.mkdir(parents=True)
    theirs = desk.units / "soulmem.service"
    theirs.write_bytes(found)
    assert "was not written by this program" in desk("install", code=64)
    assert "was not written by this program" in desk("uninstall", code=64)
    assert theirs.read_bytes() == found
    assert "not ours" in desk("status", code=69)
    assert f"kept in {theirs}.before" in desk("install", "--replace")
    assert (desk.units / "soulmem.service.before").read_bytes() == found


def test_one_that_was_edited_is_somebody_elses_and_an_older_one_is_not(desk: Desk) -> None:
    desk("install")
    unit = desk.units / "soulmem.service"
    written = unit.read_text("utf-8")
    unit.write_text(written.replace("RestartSec=1", "RestartSec=7"), "utf-8")
    assert "changed since" in desk("install", code=64)
    shipped = Path(__file__).parents[3] / "systemd" / "user" / "soulmem.service"
    shutil.copy(shipped, unit)  # as it was copied by hand
    desk.calls()
    assert f"wrote {unit}" in desk("install")
    assert unit.read_text("utf-8") == written
    assert desk.calls()[0] == "daemon-reload"


def test_without_systemd_one_line_says_how_to_run_it(desk: Desk) -> None:
    (desk.programs / "nobus").touch()
    told = desk("install", code=78)
    assert told.count("\n") == 1
    assert "Failed to connect to bus" in told
    assert "soulmem daemon" in told
    assert not desk.config.exists()
    desk.shell.environment["PATH"] = str(desk.config)
    assert "there is no systemctl" in desk("install", code=78)
    assert "no systemd" in desk("status", code=69)


def test_what_systemd_refuses_is_told(desk: Desk) -> None:
    (desk.programs / "broken").touch()
    told = desk("install", code=1)
    assert "Unit soulmem.socket failed." in told
    assert "journalctl" in told


def test_what_the_service_will_not_see_is_told(desk: Desk) -> None:
    told = desk.shell("service", "install").stderr
    assert "does not see SOULMEM_EMBEDDER_NAME, SOULMEM_SOCKET of this terminal" in told


def test_a_daemon_that_runs_already_keeps_its_socket(desk: Desk, tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        desk.shell.environment["SOULMEM_SOCKET"] = str(daemon.socket)
        assert f"pid {daemon.process.pid}" in desk("install", code=75)
        assert not desk.units.exists()
