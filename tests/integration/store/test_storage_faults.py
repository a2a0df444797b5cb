"""Disks that are full, read-only or lying: one clear error each, nothing acknowledged lost, everything else works."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import anyio
import pytest

from daemon_fixture import Daemon, daemon_process
from full_disks import BULK, fill, leave, small_disk
from probing import add, error_of, ids, outcome, stopped
from soulmem.errors import SoulmemError
from soulmem.store.session.mind_metadata import Identity
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.disk_reserve import RESERVE_BYTES
from soulmem.store.sqlite.driver import Connection

TORTURE = bool(os.environ.get("SOULMEM_TORTURE"))


# ------------------------------------------------------------------------------------------------- full


def episodes(daemon: Daemon) -> tuple[int, int]:
    """How often the disk was full, and how often that ended."""
    return len(daemon.events("storage_full")), len(daemon.events("storage_recovered"))


def episode(daemon: Daemon, known: list[int], free: Callable[[], None]) -> None:
    """Fill the disk, see what still works, free some space, see that all is well again."""
    before = episodes(daemon)
    assert before[0] == before[1]
    fill(daemon, known)
    for record in (False, True):
        asked = {"mind": "mira", "query": "Where is the key? 钥匙在哪里？", "record": record, "min_score": 0}
        answer = daemon.call("recall", asked)
        assert answer["items"], "recall must go on while the disk is full"
    assert daemon.call("context.get", {"mind": "mira", "max_tokens": 100_000})["text"]
    assert len(ids(daemon, "mira")) == len(known)
    full, recovered = episodes(daemon)
    assert full == recovered + 1 > before[0], "one event an episode, however many writes were refused in it"
    free()
    assert add(daemon, "mira", len(known), BULK)["duplicate"] is False
    known.append(len(known))
    assert episodes(daemon) == (full, full)
    assert ids(daemon, "mira") == [f"m-{number}" for number in known]


def test_full_disk(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", megabytes=5) as disk:
        ballast = [disk / f"ballast-{number}" for number in range(2)]
        for file in ballast:
            file.write_bytes(bytes(1_200_000))
        (disk / "run").mkdir()
        (tmp_path / "state").symlink_to(disk / "run")
        known: list[int] = []
        with daemon_process(tmp_path) as daemon:
            episode(daemon, known, ballast[0].unlink)
            episode(daemon, known, ballast[1].unlink)
        with daemon_process(tmp_path) as daemon:
            assert ids(daemon, "mira") == [f"m-{number}" for number in known]


def test_full_disk_does_not_keep_the_daemon_from_stopping(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", megabytes=3) as disk:
        (tmp_path / "state").symlink_to(disk)
        known: list[int] = []
        with daemon_process(tmp_path) as daemon:
            fill(daemon, known)
            assert stopped(daemon) == ""
        with daemon_process(tmp_path) as daemon:
            assert ids(daemon, "mira") == [f"m-{number}" for number in known]


def test_what_faded_keeps_nobody_from_recalling_on_a_full_disk(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", megabytes=4) as disk:
        (tmp_path / "state").symlink_to(disk)
        known: list[int] = []
        with daemon_process(tmp_path, "--simulated-clock", "2026-03-01T08:00:00Z") as daemon:
            awake = {"forgetting.clock": "wall", "idle.after_s": 31_536_000}
            daemon.call("mind.create", {"mind": "mira", "settings": awake})
            elements = [{"quote": "copper compass", "level": 2}]
            text = "Olga lost her copper compass near the lighthouse."
            daemon.call("note.add", {"mind": "mira", "kind": "episodic", "text": text, "elements": elements})
            add(daemon, "mira", 0)
            known.append(0)
            daemon.call("clock.advance", {"seconds": 5 * 86_400})
            fill(daemon, known)
            asked = {"mind": "mira", "query": "Olga near the lighthouse", "record": False}
            assert "n1" in [item["id"] for item in daemon.call("recall", asked)["items"]]
            leave(disk, 0)  # now not even the log has room, unless it held some before
            assert "n1" in [item["id"] for item in daemon.call("recall", asked)["items"]]


def test_a_mind_opened_on_a_full_disk_can_be_read_and_writes_when_there_is_room(tmp_path: Path) -> None:
    async def live(disk: Path) -> None:
        path = disk / "mira.db"
        mira = Identity("mira", "Mira", "companion", "", "", {}, 1, 1, 1, 0)

        async def open_it(create: Identity | None) -> OpenMind:
            return (await OpenMind.open(path, fingerprint="hashing", dimension=8, now=1, create=create))[0]

        def amid_a_step(connection: Connection) -> None:
            connection.execute("INSERT INTO job (step, state, created_at) VALUES ('link', 'running', 1)")

        def states(connection: Connection) -> list[tuple[str]]:
            return connection.execute("SELECT state FROM job").fetchall()

        memory = await open_it(mira)
        await memory.database.write("work", amid_a_step)
        await memory.close()
        leave(disk, 4096)  # an empty log can be made, what is prepared at the opening has no room in it
        memory = await open_it(None)
        prepared: list[bool] = []
        memory.attach(when_prepared=lambda: prepared.append(True))
        try:
            assert memory.who == mira
            assert await memory.database.read(states) == [("running",)]
            with pytest.raises(SoulmemError, match="takes no more"):
                await memory.database.write("look", states)
            (disk / "filling").unlink()
            assert await memory.database.write("look", states) == [("pending",)], "what was left undone goes first"
            await memory.database.write("look", states)
            assert prepared == [True], "told once"
        finally:
            await memory.close()

    with small_disk(tmp_path / "disk", megabytes=3) as disk:
        anyio.run(live, disk)


def test_no_room_for_a_new_mind(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", megabytes=4) as disk:
        (tmp_path / "state").symlink_to(disk)
        with daemon_process(tmp_path) as daemon:
            add(daemon, "mira", 0)
            free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
            with contextlib.suppress(OSError):  # the daemon may have taken some of it meanwhile: full is full
                (disk / "ballast").write_bytes(bytes(max(0, free - 8192)))
            assert error_of(lambda: add(daemon, "luna", 0)).name == "storage_full"
            assert ids(daemon, "mira") == ["m-0"]
            (disk / "ballast").unlink()
            assert add(daemon, "luna", 0)["seq"] == 1
            assert add(daemon, "mira", 1)["seq"] == 2


def test_file_size_limit(tmp_path: Path) -> None:
    """The other way a disk says no: a write fails amid a file that may not grow."""
    known: list[int] = []
    with daemon_process(tmp_path) as daemon:
        add(daemon, "mira", 0, BULK)
        known.append(0)

        def limit(size: int) -> None:
            resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

        limit(1_500_000)
        episode(daemon, known, lambda: limit(resource.RLIM_INFINITY))


# ------------------------------------------------------------------------------------------------- read-only


def test_mind_file_that_became_read_only(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        add(daemon, "mira", 0)
        add(daemon, "luna", 0)
    file = tmp_path / "state" / "minds" / "mira.db"
    with unchangeable(file), daemon_process(tmp_path) as daemon:
        error = error_of(lambda: add(daemon, "mira", 1))
        assert (error.name, error.retryable) == ("storage_readonly", False)
        assert "mira.db" in error.message
        assert len(daemon.events("storage_readonly")) == 1
        assert add(daemon, "luna", 1)["seq"] == 2
    with daemon_process(tmp_path) as daemon:
        assert add(daemon, "mira", 1)["seq"] == 2
        assert ids(daemon, "mira") == ["m-0", "m-1"]


@contextlib.contextmanager
def unchangeable(file: Path) -> Iterator[None]:
    """A file that cannot be written: by its mode, or where that does not bind, by its immutable flag."""
    if os.geteuid() != 0:
        file.chmod(0o400)
        yield
        file.chmod(0o600)
        return
    chattr = shutil.which("chattr")
    if chattr is None or subprocess.run([chattr, "+i", str(file)], capture_output=True, check=False).returncode:
        pytest.skip("this file system knows no immutable files, and root may write all others")
    try:
        yield
    finally:
        subprocess.run([chattr, "-i", str(file)], check=True)


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
