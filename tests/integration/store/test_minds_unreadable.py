"""A directory of minds that the daemon may not look into: what is in it is neither gone nor new, and told as hidden."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from daemon_fixture import Daemon, daemon_process, wait_ready
from probing import add, error_of, ids
from shell import CONFIGURATION, Shell
from soulmem.store.sqlite import mind_files

_BOUND = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")  # what lets root pass over modes
_TOLD = "the directory minds cannot be read: Permission denied"
EX_FAILED, EX_STORAGE = 1, 74


pytestmark = pytest.mark.skipif(
    os.geteuid() == 0 and shutil.which(_BOUND[0]) is None, reason="modes bind nobody who may pass over them"
)


@contextmanager
def _bound(root: Path, name: str) -> Iterator[Daemon]:
    """A ready daemon whom the modes of files bind; at the end it is stopped in order, and was amazed by nothing."""
    state, sock, log = root / "state", root / f"{name}.sock", root / f"{name}.log"
    bound = _BOUND if os.geteuid() == 0 else ()
    command = [*bound, sys.executable, "-m", "soulmem", "daemon", "--state", str(state), "--socket", str(sock)]
    environment = {**os.environ, **CONFIGURATION, "HOME": str(root), "SOULMEM_STRICT_EVENTS": "1"}
    with log.open("ab") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
    daemon = Daemon(process, state, sock, log)
    try:
        wait_ready(daemon)
        yield daemon
        assert daemon.terminate() == 0
        assert not daemon.events("request_failed")
        assert not [line for line in log.read_text("utf-8").splitlines() if not line.startswith("{")]
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(10)


@contextmanager
def _hidden(root: Path) -> Iterator[None]:
    minds = root / "state" / "minds"
    minds.chmod(0)
    try:
        yield
    finally:
        minds.chmod(0o700)


def _refused(daemon: Daemon, mind: str) -> None:
    for call in (
        partial(add, daemon, mind, 7), partial(daemon.call, "recall", {"mind": mind, "query": "key"}),
        partial(daemon.call, "mind.create", {"mind": mind}),
        partial(daemon.call, "mind.delete", {"mind": mind, "confirm": mind}),
        partial(daemon.call, "ledger.get", {"mind": mind}),
    ):  # fmt: skip
        error = error_of(call)
        assert (error.name, error.message) == ("storage_readonly", _TOLD)
        assert "permissions" in (error.hint or "")


def _lines(daemon: Daemon) -> dict[str, tuple[int, str | None]]:
    """Of each mind in the status: its messages, and its trouble."""
    minds = daemon.call("system.status")["minds"]
    assert [each["mind"] for each in minds] == [each["mind"] for each in daemon.call("mind.list")["items"]]
    return {each["mind"]: (each["messages"], (each["trouble"] or {}).get("error")) for each in minds}


def test_hidden_at_the_start(tmp_path: Path) -> None:
    with daemon_process(tmp_path, name="first") as daemon:
        add(daemon, "mira", 0)
        add(daemon, "luna", 0)
    with _hidden(tmp_path), _bound(tmp_path, "blind") as daemon:
        for mind in ("mira", "luna", "new"):
            _refused(daemon, mind)
        assert _lines(daemon) == dict.fromkeys(("mira", "luna"), (1, "storage_readonly"))
        assert [event["error"] for event in daemon.events("job_failed")] == [_TOLD]
        shell = Shell(daemon.socket, tmp_path)
        assert _TOLD in shell("notes", "--mind", "mira", code=EX_STORAGE).stderr
        assert _TOLD in shell("doctor", code=EX_FAILED).stdout
        (tmp_path / "state" / "minds").chmod(0o700)
        assert not add(daemon, "mira", 1)["duplicate"], "as soon as it can"
        assert _lines(daemon) == {"mira": (2, None), "luna": (1, None)}
    with daemon_process(tmp_path, name="after") as daemon:
        assert ids(daemon, "mira") == ["m-0", "m-1"]
        assert ids(daemon, "luna") == ["m-0"]


def test_hidden_while_it_runs(tmp_path: Path) -> None:
    with daemon_process(tmp_path, name="first") as daemon:
        add(daemon, "luna", 0)
        daemon.call("idle.run", {"mind": "luna"})  # else it would be opened at the next start
    with _bound(tmp_path, "blinded") as daemon:
        add(daemon, "mira", 0)
        daemon.settle("mira")
        with _hidden(tmp_path):
            _refused(daemon, "luna")
            _refused(daemon, "new")
            refused = error_of(partial(add, daemon, "mira", 1))
            assert (refused.name, "rights" in refused.message) == ("storage_readonly", True), (
                "open, but not safe to write"
            )
            assert ids(daemon, "mira") == ["m-0"], "reading goes on"
            assert _lines(daemon) == dict.fromkeys(("luna", "mira"), (1, "storage_readonly"))
        assert ids(daemon, "luna") == ["m-0"]
        assert not add(daemon, "mira", 1)["duplicate"], "as soon as it may be"
        assert _lines(daemon) == {"luna": (1, None), "mira": (2, None)}
        (tmp_path / "state" / "minds").chmod(0)  # it stops in order all the same
    (tmp_path / "state" / "minds").chmod(0o700)
    with daemon_process(tmp_path, name="after") as daemon:
        assert ids(daemon, "mira") == ["m-0", "m-1"]


def test_where_there_is_no_directory_there_are_no_minds(tmp_path: Path) -> None:
    assert mind_files.mind_files(tmp_path / "none") == []
    assert not mind_files.is_there(tmp_path / "none" / "mira.db")
