"""No descriptor left, at the start or amid everything: the daemon says so or makes room, and recovers."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
import time
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from checking import Wire
from daemon_fixture import WARM, Daemon, daemon_process
from pinging import pinging, summary
from probing import add, ids, outcome
from slowness import within
from soulmem.errors import StartupError
from soulmem.ops.process import file_descriptors

_FEW = 24  # less than a daemon needs
_FILES = 1_024
_MINDS = int(os.environ.get("TORTURE_MINDS", "400"))


def _limit(daemon: Daemon, files: int) -> None:
    _, hard = resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (files, hard))


def _leave(daemon: Daemon, spare: int) -> None:
    """From now on so many more files may be opened: a new one takes the lowest number that is free."""
    taken = {int(each) for each in os.listdir(f"/proc/{daemon.process.pid}/fd")}
    free = (number for number in range(_FILES) if number not in taken)
    _limit(daemon, next(islice(free, spare, None)))


def test_too_few_descriptors_to_start_with_are_told_in_one_line(tmp_path: Path) -> None:
    limited = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, ({_FEW}, {_FEW})); "
        "from soulmem.cli.main import run; run()"
    )
    places = ["--state", str(tmp_path / "state"), "--socket", str(tmp_path / "d.sock")]
    done = subprocess.run(
        [sys.executable, "-c", limited, "daemon", *places], capture_output=True, text=True, check=False
    )
    assert done.returncode == file_descriptors.EX_OSERR
    assert done.stderr.count("\n") == 1
    assert f"only {_FEW} files" in done.stderr


def test_what_fails_for_want_of_a_descriptor_is_known_by_its_cause() -> None:
    try:
        try:
            raise OSError(24, "Too many open files")
        except OSError as error:
            raise StartupError("the catalogue cannot be opened", exit_code=78) from error
    except StartupError as error:
        refusal = file_descriptors.refusal(error)
    assert refusal is not None
    assert refusal.exit_code == file_descriptors.EX_OSERR
    assert file_descriptors.refusal(ValueError("another")) is None


def test_minds_make_room_where_no_descriptor_is_left(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        for number in range(5):
            add(daemon, f"m{number}", 0)
        for spare in (0, 1, 2, 4, 7):
            client = daemon.client()
            client.call("system.ping", {})
            _leave(daemon, spare)
            for mind in ("m0", "m3", f"new{spare}"):
                told = {"mind": mind, "role": "user", "content": "hello", "id": f"amid-{spare}"}
                assert outcome(partial(client.call, "message.add", told)) in {"answered", "overloaded"}
            assert client.call("system.status", {})["state"] == "running"
            _limit(daemon, _FILES)
            client.close()
            assert not add(daemon, f"new{spare}", 1)["duplicate"]
            assert not add(daemon, "m1", 10 + spare)["duplicate"]
        assert ids(daemon, "m1") == ["m-0", *(f"m-{10 + spare}" for spare in (0, 1, 2, 4, 7))]


def test_no_descriptor_for_a_client_is_a_pause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(WARM, raising=False)  # a process with descriptors of its own
    with daemon_process(tmp_path) as daemon, contextlib.ExitStack() as stack:
        client = daemon.client()
        client.call("system.ping", {})
        _leave(daemon, 0)
        wires = [stack.enter_context(Wire(daemon)) for _ in range(12)]  # some numbers may become free meanwhile
        deadline = time.monotonic() + within(5)
        while not daemon.events("accept_paused") and time.monotonic() < deadline:
            client.call("system.ping", {})
            time.sleep(0.05)
        _limit(daemon, _FILES)
        assert len(daemon.events("accept_paused")) == 1
        assert all("result" in wire.ask("system.ping", "{}") for wire in wires)


@pytest.mark.torture
@pytest.mark.timeout(900)
def test_many_minds_in_turn_keep_nobody_waiting(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with daemon_process(tmp_path) as daemon:
        _limit(daemon, _FILES)
        with pinging(daemon.socket) as pings:
            began = time.monotonic()
            for number in range(_MINDS):
                add(daemon, f"m{number}", 0)
            for number in range(0, _MINDS, 3):
                assert ids(daemon, f"m{number}") == ["m-0"]
            ended = time.monotonic()
        with capsys.disabled():
            print(f"\n{_MINDS} minds in turn under {_FILES} descriptors: {summary(pings.during(began, ended))}")
        assert pings.during(began, ended)[-1] <= within(150)
