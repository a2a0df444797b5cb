"""A daemon that cannot start says so in one line, with the exit code that service managers understand."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from daemon_fixture import daemon_process
from shell import run

EX_USAGE, EX_CANTCREAT, EX_TEMPFAIL, EX_CONFIG = 64, 73, 75, 78


def refused(*arguments: str | Path, env: dict[str, str] | None = None) -> tuple[int, str]:
    """Start a daemon that should refuse; its exit code and the one line it said."""
    environment = {**os.environ, "SOULMEM_EMBEDDER_NAME": "hashing", "SOULMEM_STRICT_EVENTS": "1", **(env or {})}
    done = run("daemon", *map(str, arguments), env=environment)
    told = done.stderr.decode()
    assert done.stdout == b""
    assert "Traceback" not in told
    assert "this is a bug" not in told
    # The log stands on the same stream once it is open; what is said to a person is what is left.
    said = [line for line in told.splitlines() if line and not line.startswith("{")]
    assert len(said) == 1, told
    return done.returncode, said[0]


def places(root: Path) -> tuple[str, ...]:
    return ("--state", str(root / "state"), "--socket", str(root / "d.sock"))


def test_second_daemon_on_the_same_state(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        daemon.call("message.add", {"mind": "mira", "role": "user", "content": "first here. 我先来的。"})
        code, line = refused("--state", daemon.state, "--socket", tmp_path / "other.sock")
        assert code == EX_TEMPFAIL
        assert str(daemon.process.pid) in line
        assert str(daemon.state) in line
        assert not (tmp_path / "other.sock").exists()
        assert daemon.call("system.status")["minds"][0]["messages"] == 1


def test_second_daemon_where_the_lock_of_the_first_was_removed(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        daemon.call("message.add", {"mind": "mira", "role": "user", "content": "first here. 我先来的。"})
        (daemon.state / "soulmem.lock").unlink()
        for _ in range(2):  # the first of them leaves a lock of its own
            code, line = refused("--state", daemon.state, "--socket", tmp_path / "other.sock")
            assert code == EX_TEMPFAIL
            assert "another soulmem daemon (whose soulmem.lock was removed) already runs on" in line
        assert not (tmp_path / "other.sock").exists()
        assert daemon.call("system.status")["minds"][0]["messages"] == 1
    with daemon_process(tmp_path, name="again") as daemon:
        assert daemon.call("system.status")["minds"][0]["messages"] == 1


def test_second_daemon_on_the_same_socket(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        code, line = refused("--state", tmp_path / "elsewhere", "--socket", daemon.socket)
        assert code == EX_TEMPFAIL
        assert str(daemon.socket) in line
        assert daemon.call("system.ping") is not None


def test_many_starts_at_once_leave_one_daemon(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        command = [sys.executable, "-m", "soulmem", "daemon", *places(tmp_path)]
        rivals = [subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(3)]
        codes = [(rival.communicate(timeout=30), rival.returncode)[1] for rival in rivals]
        assert codes == [EX_TEMPFAIL] * 3
        assert daemon.call("system.status")["pid"] == daemon.process.pid


def test_stale_socket_of_a_killed_daemon_is_replaced(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        daemon.kill()
        assert daemon.socket.exists()
    with daemon_process(tmp_path) as daemon:
        assert daemon.call("system.ping") is not None


def test_socket_path_taken_by_a_file(tmp_path: Path) -> None:
    taken = tmp_path / "d.sock"
    taken.write_text("somebody's notes")
    code, line = refused(*places(tmp_path))
    assert code == EX_CANTCREAT
    assert str(taken) in line
    assert taken.read_text() == "somebody's notes"


def test_socket_path_taken_by_a_directory(tmp_path: Path) -> None:
    (tmp_path / "d.sock").mkdir()
    code, line = refused(*places(tmp_path))
    assert code == EX_CANTCREAT
    assert "d.sock" in line


def test_socket_of_another_program_is_not_stolen(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
        other.bind(str(tmp_path / "d.sock"))
        other.listen()
        code, line = refused(*places(tmp_path))
    assert code == EX_TEMPFAIL
    assert "d.sock" in line


def test_socket_path_too_long(tmp_path: Path) -> None:
    path = tmp_path / ("很长的目录" * 10) / "soulmem.sock"
    code, line = refused("--state", tmp_path / "state", "--socket", path)
    assert code == EX_CONFIG
    assert "107" in line


def test_state_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    code, line = refused(*places(tmp_path))
    assert code == EX_CANTCREAT
    assert str(tmp_path / "state") in line
    assert "--state" in line


def test_state_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, line = refused("--state", tmp_path / "file" / "state", "--socket", tmp_path / "d.sock")
    assert code == EX_CANTCREAT
    assert "--state" in line


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere; test_storage_faults has a read-only mount")
def test_state_directory_not_writable(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o500)
    code, line = refused(*places(tmp_path))
    assert code == EX_CANTCREAT
    assert "permission" in line.lower()


def test_unwritable_directory_of_the_kernel() -> None:
    """/proc takes no new directory, not even root's."""
    code, line = refused("--state", "/proc/soulmem-state", "--socket", "/tmp/soulmem-never.sock")
    assert code == EX_CANTCREAT
    assert "/proc/soulmem-state" in line


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[window]\ncapactiy = 20\n", "window.capacity"),
        ("[windwo]\ncapacity = 20\n", "window"),
        ("[window]\ncapacity = 'many'\n", "window.capacity"),
        ("[window]\ncapacity = 0\n", "window.capacity"),
        ("window = 3\n", "window"),
        ("[window\n", "TOML"),
        ("# 配置\n[window]\ncapacité = 3\n", "TOML"),
    ],
)
def test_bad_configuration(tmp_path: Path, text: str, said: str) -> None:
    config = tmp_path / "soulmem.toml"
    config.write_text(text, encoding="utf-8")
    code, line = refused(*places(tmp_path), "--config", config)
    assert code == EX_CONFIG
    assert str(config) in line
    assert said in line
    assert not (tmp_path / "state").exists()


def test_configuration_that_is_not_text(tmp_path: Path) -> None:
    config = tmp_path / "soulmem.toml"
    config.write_bytes(b"\xff\xfe\x00soul")
    code, line = refused(*places(tmp_path), "--config", config)
    assert code == EX_CONFIG
    assert str(config) in line


def test_configuration_that_is_missing(tmp_path: Path) -> None:
    code, line = refused(*places(tmp_path), "--config", tmp_path / "没有.toml")
    assert code == EX_CONFIG
    assert "没有.toml" in line


def test_bad_environment_variable(tmp_path: Path) -> None:
    code, line = refused(*places(tmp_path), env={"SOULMEM_WINDOW_CAPACTIY": "3"})
    assert code == EX_CONFIG
    assert "SOULMEM_WINDOW_CAPACITY" in line


def test_unknown_embedder(tmp_path: Path) -> None:
    code, line = refused(*places(tmp_path), env={"SOULMEM_EMBEDDER_NAME": "minilmm"})
    assert code == EX_CONFIG
    assert "minilmm" in line


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01T00:00:00Z", "昨天", "0", "2026-02-30"])
def test_bad_simulated_clock(tmp_path: Path, text: str) -> None:
    code, line = refused(*places(tmp_path), "--simulated-clock", text)
    assert code == EX_USAGE
    assert "--simulated-clock" in line
    assert not (tmp_path / "d.sock").exists()


def test_unknown_option_is_a_usage_error(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "soulmem", "daemon", *places(tmp_path), "--satte", "x"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode in (2, EX_USAGE)
    assert "Traceback" not in done.stderr
    assert "--satte" in done.stderr
    assert "--state" in done.stderr
