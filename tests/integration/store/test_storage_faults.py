"""Disks that are full, read-only or lying: one clear error each, nothing acknowledged lost, everything else works."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest

from daemon_fixture import Daemon, daemon_process
from full_disks import BULK, fill, leave, small_disk
from probing import add, error_of, ids, stopped
from soulmem.errors import SoulmemError
from soulmem.store.session.mind_metadata import Identity
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

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
    with small_disk(tmp_path / "disk", megabytes=9) as disk:
        ballast = [disk / f"ballast-{number}" for number in range(2)]
        for file in ballast:
            file.write_bytes(bytes(3_000_000))  # more than all that waited for room, which may be written first
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
