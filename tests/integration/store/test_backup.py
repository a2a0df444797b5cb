"""Backups while writers write: each opens, is sound, and holds every message acknowledged before it was begun.

`make test` makes a few, with the log folded into the file now and then; `make torture` goes on for longer.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon_fixture import Daemon, daemon_process
from household import START
from probing import add, ids
from shell import Shell
from soulmem.store.session import mind_backup, verify
from soulmem.store.sqlite import driver
from stream import Sent, Speaker, check_file, check_stored, speakers, stored

LONG = bool(os.environ.get("SOULMEM_TORTURE"))
COPIES, WRITERS = (60, 4) if LONG else (3, 1)
BETWEEN_S = 0.5 if LONG else 0.1
FOLDED_AFTER_S = 601.0  # of the daemon's time; then a tick folds logs into their files


def _acknowledged(clients: list[Speaker]) -> list[Sent]:
    return [message for client in clients for message in list(client.sent.values()) if message.seq is not None]


def _held(root: Path, copy: Path, mind: str) -> dict[tuple[str, str], dict[str, object]]:
    """What a daemon shows of a copy that was put where minds lie."""
    (root / "state" / "minds").mkdir(parents=True)
    shutil.copy(copy, root / "state" / "minds" / f"{mind}.db")
    with daemon_process(root, "--simulated-clock", START) as daemon:
        return stored(daemon.client(), mind)


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_a_backup_under_load_holds_all_that_was_acknowledged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taken: list[tuple[Path, list[Sent]]] = []
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        clients = speakers(daemon.socket, "mira", "backup")[:WRITERS]
        for client in clients:
            client.start()
        while not _acknowledged(clients):
            time.sleep(0.01)
        for number in range(COPIES):
            time.sleep(BETWEEN_S)
            if number % 3 == 1:
                daemon.call("clock.advance", {"seconds": FOLDED_AFTER_S})
            owed, copy = _acknowledged(clients), tmp_path / f"copy-{number}.db"
            mind_backup.save(daemon.state / "minds" / "mira.db", copy)
            taken.append((copy, owed))
        for client in clients:
            client.stop()
        for client in clients:
            client.join()
            assert not client.refused, client.refused[:3]
        said = [message for client in clients for message in client.sent.values()]
        assert check_stored(said, stored(daemon.client(), "mira")) == 0
    counted = []
    for copy, owed in taken:
        counted.append(check_file(copy))
        assert counted[-1] >= len(owed)
    assert verify.damages(taken[-1][0]) == []
    assert counted == sorted(counted)
    assert counted[0] < counted[-1] <= len(said), "somebody wrote meanwhile"
    copy, owed = taken[-1]
    check_stored(owed, _held(tmp_path / "back", copy, "mira"))
    with capsys.disabled():
        print(
            f"\n{len(taken)} backups under load: {counted[0]} to {counted[-1]} messages, {len(said)} in the end, 0 lost"
        )


def test_a_log_folded_amid_the_copy_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between file and log, the moment at which a copy by hand mixes what was and what is."""
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        for number in range(40):
            add(daemon, "mira", number)
        copies: list[Path] = []

        def copy_and_fold(source: Path, target: Path) -> None:
            target.write_bytes(source.read_bytes())
            copies.append(source)
            if len(copies) == 1:
                daemon.call("clock.advance", {"seconds": FOLDED_AFTER_S})
                for number in range(40, 44):
                    add(daemon, "mira", number)

        monkeypatch.setattr(shutil, "copyfile", copy_and_fold)
        file = daemon.state / "minds" / "mira.db"
        mind_backup.save(file, tmp_path / "copy.db")
        monkeypatch.undo()
        assert len(copies) > 2, "the first attempt was given up"
        assert check_file(tmp_path / "copy.db") == 44
        assert verify.damages(tmp_path / "copy.db") == []


@pytest.fixture
def daemon_of_two(tmp_path: Path) -> Iterator[Daemon]:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        for number in range(20):
            add(daemon, "mira", number)
            add(daemon, "xiaowei", number)
        yield daemon


def test_the_command_copies_every_mind_beside_the_running_daemon(daemon_of_two: Daemon, tmp_path: Path) -> None:
    shell, there = Shell(daemon_of_two.socket, tmp_path), tmp_path / "备份"
    told = shell.json("backup", str(there))
    assert [(each["mind"], each["failed"]) for each in told["minds"]] == [("mira", None), ("xiaowei", None)]
    assert sorted(path.name for path in there.iterdir()) == ["mira.db", "xiaowei.db"]
    assert {path.stat().st_mode & 0o777 for path in there.iterdir()} == {0o600}
    assert all(each["bytes"] == (there / f"{each['mind']}.db").stat().st_size for each in told["minds"])
    assert "2 minds copied" in shell("backup", str(there)).stdout
    assert daemon_of_two.terminate() == 0
    shutil.rmtree(daemon_of_two.state / "minds")
    shutil.copytree(there, daemon_of_two.state / "minds")
    with daemon_process(tmp_path, "--simulated-clock", START, name="back") as daemon:
        assert ids(daemon, "mira") == ids(daemon, "xiaowei") == [f"m-{number}" for number in range(20)]


def test_what_cannot_be_copied_is_named_and_its_last_copy_stays(daemon_of_two: Daemon, tmp_path: Path) -> None:
    """Damaged rows, rubbish, a pipe: the last good copy of each is kept, and the others are copied."""
    shell, there = Shell(tmp_path / "none.sock", tmp_path), tmp_path / "kept"
    state = ("--state", str(daemon_of_two.state))
    assert daemon_of_two.terminate() == 0
    shell("backup", str(there), *state)
    good = (there / "mira.db").read_bytes()
    minds = daemon_of_two.state / "minds"
    connection = driver.writer(minds / "mira.db")()
    connection.execute("UPDATE message SET content = 'never said' WHERE id = 3")
    connection.close()
    (minds / "rubbish.db").write_text("eggs, 豆腐\n" * 100, encoding="utf-8")
    os.mkfifo(minds / "pipe.db")
    done = shell("backup", str(there), *state, code=74)
    lines = {line.split()[1]: line for line in done.stdout.splitlines()}
    assert lines["mira"].startswith("✗")
    assert "not what was written" in lines["mira"]
    assert lines["rubbish"].startswith("✗")
    assert lines["pipe"].startswith("✗")
    assert lines["xiaowei"].startswith("✓")
    assert (there / "mira.db").read_bytes() == good
    assert sorted(path.name for path in there.iterdir()) == ["mira.db", "xiaowei.db"]


def test_copies_never_lie_among_the_minds(daemon_of_two: Daemon, tmp_path: Path) -> None:
    shell = Shell(daemon_of_two.socket, tmp_path)
    assert "among the minds" in shell("backup", str(daemon_of_two.state / "minds"), code=1).stderr
    assert "is not there" in shell("backup", str(tmp_path / "x"), "--state", str(tmp_path / "no"), code=1).stderr
    (tmp_path / "taken").write_text("x", encoding="utf-8")
    assert "cannot be written" in shell("backup", str(tmp_path / "taken"), code=74).stderr
