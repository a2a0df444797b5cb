"""Binding the socket: what is alive is never stolen, what is stale is replaced, the rest is said clearly."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from soulmem.errors import StartupError
from soulmem.rpc.transport.listener import adopt_listener, open_listener


def refusal(path: Path | str, code: int, *, group: str | None = None) -> str:
    with pytest.raises(StartupError) as refused:
        open_listener(path, group=group)
    assert refused.value.exit_code == code
    return str(refused.value)


def answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as sock:
        return sock.connect_ex(str(path)) == 0


def test_mode_directory_and_clean_up(tmp_path: Path) -> None:
    path = tmp_path / "run" / "soulmem.sock"
    umask = os.umask(0o022)
    try:
        listener = open_listener(path)
        assert os.umask(0o022) == 0o022, "the process's umask is put back"
    finally:
        os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o660
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert listener.group_gid == path.stat().st_gid
    assert answers(path)
    listener.close()
    listener.close()
    assert not path.exists()
    private = open_listener(path, mode=0o600)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    private.close()


def test_a_second_daemon_is_refused_and_told_whose_it_is(tmp_path: Path) -> None:
    path = tmp_path / "s.sock"
    first = open_listener(path)
    said = refusal(path, 75)
    assert str(os.getpid()) in said
    assert str(path) in said
    assert answers(path), "the first one still has it"
    first.close()
    open_listener(path).close()


def test_a_foreign_live_socket_is_not_stolen(tmp_path: Path) -> None:
    path = tmp_path / "s.sock"
    with socket.socket(socket.AF_UNIX) as foreign:
        foreign.bind(str(path))
        foreign.listen(1)
        assert str(os.getpid()) in refusal(path, 75)
        with socket.socket(socket.AF_UNIX) as a, socket.socket(socket.AF_UNIX) as b:
            for guest in (a, b):
                guest.setblocking(False)
                guest.connect_ex(str(path))
            refusal(path, 75)  # its backlog is full: busy is alive, too
        assert path.is_socket()


def test_a_stale_socket_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "s.sock"
    code = (
        "import os, sys; from soulmem.rpc.transport.listener import open_listener; open_listener(sys.argv[1]); "
        "os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 9
    assert path.is_socket()
    assert not answers(path)
    listener = open_listener(path)
    assert answers(path)
    listener.close()


@pytest.mark.parametrize("kind", ["a regular file", "a directory", "a symbolic link", "a special file"])
def test_a_path_taken_by_something_else(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "s.sock"
    match kind:
        case "a regular file":
            path.write_text("precious")
        case "a directory":
            path.mkdir()
        case "a symbolic link":
            path.symlink_to(tmp_path / "elsewhere")
        case _:
            os.mkfifo(path)
    assert f"{path} is {kind}" in refusal(path, 73)
    assert os.path.lexists(path), "what is not ours stays"


def test_paths_that_cannot_be(tmp_path: Path) -> None:
    long = tmp_path / ("长" * 40)
    said = refusal(long, 78)
    assert "107" in said
    assert str(len(os.fsencode(long))) in said
    (tmp_path / "file").write_text("")
    assert "cannot use" in refusal(tmp_path / "file" / "s.sock", 73)
    assert "no-such-group" in refusal(tmp_path / "s.sock", 78, group="no-such-group")
    assert not (tmp_path / "s.sock").exists()


def test_the_longest_path_is_107_bytes(tmp_path: Path) -> None:
    room = 107 - len(os.fsencode(tmp_path)) - 1
    if room < 1:
        pytest.skip("the temporary directory is too deep")
    open_listener(tmp_path / ("s" * room)).close()
    refusal(tmp_path / ("s" * (room + 1)), 78)


def test_only_our_own_socket_file_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "s.sock"
    listener = open_listener(path)
    path.unlink()
    path.write_text("somebody else's")
    listener.close()
    assert path.read_text() == "somebody else's"


def test_an_activated_socket_is_used_and_left_in_place(tmp_path: Path) -> None:
    path = tmp_path / "s.sock"
    sock = socket.socket(socket.AF_UNIX)
    sock.bind(str(path))
    sock.listen()
    listener = adopt_listener(sock)
    assert listener.path == str(path)
    assert listener.group_gid == path.stat().st_gid
    listener.close()
    assert path.exists(), "the file is systemd's"
