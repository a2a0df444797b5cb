"""A state directory in which nothing can be written: the daemon starts, tells what it knows, and recovers by itself."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from pathlib import Path

import pytest

from daemon_fixture import Daemon, daemon_process
from full_disks import BULK, leave, small_disk
from probing import add, error_of, ids, outcome
from slowness import within
from soulmem.store.sqlite import mind_files
from soulmem.store.sqlite.readonly_copy import LockedAway
from spread import spread

_READS = (
    ("system.status", {}), ("mind.list", {}), ("mind.get", {"mind": "mira"}), ("message.list", {"mind": "mira"}),
    ("recall", {"mind": "mira", "query": "blue flowerpot"}), ("context.get", {"mind": "mira", "max_tokens": 500}),
    ("recall", {"mind": "luna", "query": "花盆", "record": False}), ("note.list", {"mind": "luna"}), ("ledger.get", {}),
)  # fmt: skip
_WRITES = (
    ("message.add", {"mind": "mira", "role": "user", "content": BULK}), ("idle.run", {"mind": "mira"}),
    ("note.add", {"mind": "luna", "kind": "lore", "text": BULK}), ("mind.create", {"mind": "new"}),
)  # fmt: skip
_AT_ONCE_S = 5.0


def _remount(disk: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)


def _reads_and_refuses(daemon: Daemon, name: str) -> None:
    for method, params in _READS:
        daemon.call(method, params)
    for method, params in _WRITES:
        began = time.monotonic()
        error = error_of(lambda method=method, params=params: daemon.call(method, params))  # type: ignore[misc]
        assert error.name == name, (method, error)
        assert time.monotonic() - began < within(_AT_ONCE_S), f"{method} is refused at once"
    assert daemon.call("system.status")["state"] == "running"


def _recovered(daemon: Daemon) -> None:
    assert not add(daemon, "mira", 9)["duplicate"]
    assert ids(daemon, "mira") == ["m-0", "m-1", "m-9"]
    assert outcome(lambda: daemon.call("idle.run", {"mind": "mira"})) == "answered"
    assert not add(daemon, "luna", 9)["duplicate"]
    assert daemon.call("mind.create", {"mind": "new"})["mind"]


@pytest.mark.parametrize(("trouble", "end"), spread(["storage_readonly", "storage_full"], ["killed", "stopped"]))
def test_a_daemon_starts_where_nothing_can_be_written(tmp_path: Path, trouble: str, end: str) -> None:
    with small_disk(tmp_path / "disk", megabytes=90) as disk:
        (disk / "run").mkdir()
        (tmp_path / "state").symlink_to(disk / "run")
        with daemon_process(tmp_path) as daemon:
            for mind in ("mira", "luna"):
                for number in range(2):
                    add(daemon, mind, number)
            daemon.settle("mira")
            if end == "killed":
                daemon.kill()
        before = sorted(path.name for path in (disk / "run").rglob("*"))
        if trouble == "storage_readonly":
            _remount(disk, "ro")
        else:
            with contextlib.suppress(OSError):
                leave(disk, 0)
        try:
            with daemon_process(tmp_path, name="again", check_log=False) as daemon:
                if trouble == "storage_full":  # the daemon may have given up its reserve by itself, at any moment
                    (disk / "run" / "reserve").unlink(missing_ok=True)
                    with contextlib.suppress(OSError):
                        (disk / "more").write_bytes(bytes(90 << 20))
                _reads_and_refuses(daemon, trouble)
                if trouble == "storage_readonly":
                    assert sorted(path.name for path in (disk / "run").rglob("*")) == before, "nothing is left there"
                    _remount(disk, "rw")
                else:
                    for filling in ("filling", "more"):
                        (disk / filling).unlink(missing_ok=True)
                _recovered(daemon)
                assert not daemon.events("request_failed")
        finally:
            if trouble == "storage_readonly":
                _remount(disk, "rw")
        with daemon_process(tmp_path, name="after") as daemon:
            assert ids(daemon, "mira") == ["m-0", "m-1", "m-9"]


def test_a_copy_of_what_cannot_be_written_goes_with_it(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", megabytes=8) as disk:
        file = disk / "a.db"
        assert LockedAway.of(file) is None, "what does not exist is for SQLite to make"
        mind_files.make_private(file)
        assert LockedAway.of(file) is None
        file.with_name("a.db-wal").write_bytes(os.urandom(100))
        _remount(disk, "ro")
        try:
            locked = LockedAway.of(file)
            assert locked is not None
            assert locked.readable != file
            assert locked.readable.exists()
            locked.leave()
            assert not locked.readable.parent.exists()
        finally:
            _remount(disk, "rw")
        locked.check()
