"""Writes and syncs that fail: never acknowledged, told by name, and everything else works."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from daemon_fixture import Daemon, daemon_process
from full_disks import BULK, leave, small_disk
from probing import add, error_of, ids, outcome, stopped
from soulmem.store.sqlite.disk_reserve import RESERVE_BYTES

TORTURE = bool(os.environ.get("SOULMEM_TORTURE"))


# ------------------------------------------------------------------------------------------------- lying


@contextlib.contextmanager
def failing(daemon: Daemon, calls: str, *, when: str, error: str = "EIO", after_ms: int = 0) -> Iterator[None]:
    """Let system calls of a running daemon fail, `after_ms` after they began."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    rule = f"inject={calls}:error={error}:when={when}" + (f":delay_enter={after_ms * 1000}" if after_ms else "")
    tracer = subprocess.Popen(
        ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}", "-e", rule, "-p", str(daemon.process.pid)],
        stderr=subprocess.PIPE,
    )
    status = Path(f"/proc/{daemon.process.pid}/task")
    deadline = time.monotonic() + 10
    while not all(_is_traced(thread) for thread in status.iterdir()):
        if tracer.poll() is not None or time.monotonic() > deadline:
            tracer.kill()
            pytest.skip(f"strace may not attach here: {tracer.communicate()[1].decode().strip()}")
        time.sleep(0.01)
    time.sleep(0.3)  # a thread is traced from its next stop on, not from the moment it is attached
    try:
        yield
    finally:
        tracer.terminate()
        tracer.communicate(timeout=10)


def _is_traced(thread: Path) -> bool:
    lines = (thread / "status").read_text(encoding="ascii").splitlines()
    return any(line.startswith("TracerPid:") and line.split()[1] != "0" for line in lines)


def test_failed_sync_is_never_acknowledged(tmp_path: Path) -> None:
    """After an fsync that failed nobody knows what is on the disk: no write is acknowledged until a restart."""
    acknowledged = []
    with daemon_process(tmp_path) as daemon:
        for number in range(5):
            acknowledged.append(add(daemon, "mira", number)["id"])
        add(daemon, "luna", 0)
        daemon.settle("mira")
        daemon.settle("luna")
        with failing(daemon, "fdatasync,fsync", when="1"):
            first = error_of(lambda: add(daemon, "mira", 5))
        assert (first.name, first.retryable) == ("storage_readonly", False), "a retry cannot help before a restart"
        for number in range(5, 12):
            later = error_of(partial(add, daemon, "mira", number))
            assert (later.name, later.retryable) == ("storage_readonly", False)
            assert "restart" in (later.hint or "")
        assert ids(daemon, "mira")[:5] == acknowledged
        assert daemon.call("recall", {"mind": "mira", "query": "钥匙 key", "record": False})["items"]
        assert add(daemon, "luna", 1)["seq"] == 2
        assert daemon.events("storage_readonly")
        daemon.kill()
    with daemon_process(tmp_path) as daemon:
        found = ids(daemon, "mira")
        assert found[:5] == acknowledged
        assert set(found) <= {f"m-{number}" for number in range(6)}, "refused and stored all the same"
        assert add(daemon, "mira", 5)["id"] == "m-5"
        assert add(daemon, "mira", 6)["duplicate"] is False


def test_what_waits_behind_a_failed_sync_is_refused_with_it(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        add(daemon, "mira", 0)
        daemon.settle("mira")
        with failing(daemon, "fdatasync,fsync", when="1", after_ms=500), ThreadPoolExecutor(8) as clients:
            answers = list(clients.map(lambda number: outcome(lambda: add(daemon, "mira", number)), range(1, 9)))
        assert answers == ["storage_readonly"] * 8
        daemon.kill()
    with daemon_process(tmp_path) as daemon:
        assert ids(daemon, "mira")[0] == "m-0"


def test_sync_that_fails_in_the_background(tmp_path: Path) -> None:
    """What follows from a message (its recall, its vectors) meets the bad disk: only this mind stops taking writes."""
    with daemon_process(tmp_path) as daemon:
        add(daemon, "mira", 0)
        add(daemon, "luna", 0)
        daemon.settle("mira")
        daemon.settle("luna")
        with failing(daemon, "fdatasync,fsync", when="2+"):
            answered = outcome(lambda: add(daemon, "mira", 1))
            time.sleep(0.5)
        assert answered in {"answered", "storage_readonly"}
        assert daemon.process.poll() is None
        assert ids(daemon, "mira")[0] == "m-0"
        assert daemon.call("recall", {"mind": "mira", "query": "钥匙 key", "record": False})["items"]
        assert error_of(lambda: add(daemon, "mira", 2)).name == "storage_readonly"
        assert add(daemon, "luna", 1)["seq"] == 2
        assert daemon.call("system.status")["state"] == "running"
        assert stopped(daemon) == ""
    with daemon_process(tmp_path) as daemon:
        assert ids(daemon, "mira")[: 1 + (answered == "answered")] == ["m-0", "m-1"][: 1 + (answered == "answered")]


def test_disk_that_fills_up_in_the_background(tmp_path: Path) -> None:
    """The disk may be full for what follows from a message, not for the message: that work waits and is done later."""
    known: list[int] = []
    with daemon_process(tmp_path) as daemon:
        add(daemon, "mira", 0)
        known.append(0)
        daemon.settle("mira")
        for writes in (10, 25, 40, 60) * (5 if TORTURE else 1):
            with failing(daemon, "pwrite64", when=f"{writes}+", error="ENOSPC"):
                for number in range(len(known), len(known) + 4):
                    if outcome(partial(add, daemon, "mira", number)) != "answered":
                        break
                    known.append(number)
                time.sleep(0.2)
            assert daemon.process.poll() is None, f"the daemon ended when write {writes} failed"
            assert add(daemon, "mira", len(known))["duplicate"] is False
            known.append(len(known))
        daemon.settle("mira")
        assert ids(daemon, "mira") == [f"m-{number}" for number in known]
        waiting = daemon.call("mind.get", {"mind": "mira"})["mind"]
        assert waiting["messages"] == len(known)
        assert stopped(daemon) == ""


def test_failed_write_harms_nothing_else(tmp_path: Path) -> None:
    """A write that fails once is reported once; the next is fine, and what was acknowledged is whole."""
    with daemon_process(tmp_path) as daemon:
        add(daemon, "mira", 0)
        daemon.settle("mira")
        with failing(daemon, "pwrite64", when="1", error="ENOSPC"):
            error = error_of(lambda: add(daemon, "mira", 1))
        assert (error.name, error.retryable) == ("storage_full", True)
        assert add(daemon, "mira", 1)["duplicate"] is False
        assert ids(daemon, "mira") == ["m-0", "m-1"]
        daemon.kill()
    with daemon_process(tmp_path) as daemon:
        assert ids(daemon, "mira") == ["m-0", "m-1"]


def test_a_daemon_starts_on_a_disk_without_a_byte(tmp_path: Path) -> None:
    """What it laid up for that is let go: reading goes on, a mind that cannot be made leaves nothing."""
    with small_disk(tmp_path / "disk", megabytes=90) as disk:
        (disk / "run").mkdir()
        (tmp_path / "state").symlink_to(disk / "run")
        with daemon_process(tmp_path) as daemon:
            add(daemon, "mira", 0)
            daemon.settle("mira")
        assert (disk / "run" / "reserve").stat().st_size == RESERVE_BYTES
        with contextlib.suppress(OSError):
            leave(disk, 0)
        with daemon_process(tmp_path, name="full", check_log=False) as daemon:
            assert daemon.call("system.status")["minds"][0]["mind"] == "mira"
            assert daemon.call("recall", {"mind": "mira", "query": "the blue flowerpot", "record": False})["items"]
            with contextlib.suppress(OSError):  # full is full
                (disk / "more").write_bytes(bytes(RESERVE_BYTES))
            assert error_of(lambda: daemon.call("mind.create", {"mind": "other"})).name == "storage_full"
            assert not list((disk / "run" / "minds").glob("other*"))
            assert error_of(lambda: add(daemon, "mira", 1, BULK)).name == "storage_full"
            assert daemon.call("system.status")["state"] == "running"
            for filling in ("more", "filling"):
                (disk / filling).unlink(missing_ok=True)
            assert daemon.call("mind.create", {"mind": "other"})["mind"]
