"""The way back from a backup, backups in turn, and a mind that goes to another state directory as one file."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from checking import checking
from daemon_fixture import Daemon, daemon_process
from shell import Shell
from soulmem.store.session import mind_records, verify
from soulmem.store.sqlite import offline_reader

TALK = ["My sister Ines keeps bees.", "我妹妹搬到了成都。", "I am allergic to hazelnuts, 对花生也过敏。"]


def tell(daemon: Daemon, mind: str, *more: str) -> None:
    api = checking(daemon)
    for number, text in enumerate([*TALK, *more]):
        api.say(mind, text, id=f"m{number}")
    api.call("idle.run", mind=mind)
    api.until(lambda: not api.status(mind)["embed_backlog"], "embedded")


def lines(file: Path) -> list[bytes]:
    """What a file holds, whatever its mind is called."""
    found: list[bytes] = offline_reader.look(file, lambda connection: list(mind_records.lines(connection)))
    return [line for line in found[1:-1] if not line.startswith((b'{"mind":', b'{"meta":'))]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state directory with two minds on which no daemon runs, and a backup of it."""
    with daemon_process(tmp_path) as daemon:
        tell(daemon, "mira")
        tell(daemon, "小".encode().hex()[:6], "另一个")
        shell = Shell(daemon.socket, tmp_path)
        shell("backup", str(tmp_path / "copies"))
    return tmp_path / "state"


def test_a_copy_comes_back_in_place_of_a_mind_which_is_kept(state: Path, tmp_path: Path) -> None:
    shell, minds = Shell(tmp_path / "none.sock", tmp_path), state / "minds"
    was = lines(tmp_path / "copies" / "mira.db")
    with daemon_process(tmp_path) as daemon:
        checking(daemon).say("mira", "What came after the backup 之后。", id="after")
    refused = shell("restore", str(tmp_path / "copies" / "mira.db"), "--state", str(state), code=74)
    assert "--replace" in refused.stdout
    done = shell("restore", str(tmp_path / "copies" / "mira.db"), "--state", str(state), "--replace")
    kept = minds / "mira.before-restore.db"
    assert str(kept) in done.stdout
    assert lines(minds / "mira.db") == was
    assert any("之后".encode() in line for line in lines(kept))
    with daemon_process(tmp_path) as daemon:
        assert [each["id"] for each in checking(daemon).messages("mira")] == ["m0", "m1", "m2"]
        assert any("hazelnuts" in each["text"] for each in checking(daemon).found("mira", "allergic to?"))
    assert verify.damages(minds / "mira.db") == []


def test_all_of_a_backup_comes_back_into_an_empty_place(state: Path, tmp_path: Path) -> None:
    shutil.rmtree(state)
    shell = Shell(tmp_path / "none.sock", tmp_path)
    assert "2 minds restored" in shell("restore", str(tmp_path / "copies"), "--state", str(state)).stdout
    with daemon_process(tmp_path) as daemon:
        assert len(checking(daemon).pages("mind.list")) == 2
        assert any("成都" in each["text"] for each in checking(daemon).found("mira", "搬到哪里？"))


def test_a_damaged_mind_gives_way_and_is_kept_as_it_lies(state: Path, tmp_path: Path) -> None:
    shell, file = Shell(tmp_path / "none.sock", tmp_path), state / "minds" / "mira.db"
    file.write_bytes(b"\xff" * 40_000)
    shell("restore", str(tmp_path / "copies" / "mira.db"), "--state", str(state), "--replace")
    assert file.with_suffix(".damaged").read_bytes() == b"\xff" * 40_000
    assert verify.damages(file) == []
    assert len(lines(file)) == len(lines(tmp_path / "copies" / "mira.db"))


def test_a_copy_that_is_damaged_or_none_of_ours_replaces_nothing(state: Path, tmp_path: Path) -> None:
    shell, file = Shell(tmp_path / "none.sock", tmp_path), state / "minds" / "mira.db"
    before, good = lines(file), (tmp_path / "copies" / "mira.db").read_bytes()
    for number, bad in enumerate((b"", b"soup", good[:9_000], good.replace(b"hazelnuts", b"chestnuts"))):
        copy = tmp_path / f"bad{number}.db"
        copy.write_bytes(bad)
        done = shell("restore", str(copy), "-m", "mira", "--state", str(state), "--replace", code=74)
        assert "0 minds restored" in done.stdout
        assert lines(file) == before
    assert sorted(path.name for path in file.parent.glob("mira*")) == ["mira.db"]


def test_while_a_daemon_runs_a_copy_comes_in_beside_the_minds_there_are(state: Path, tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        shell, copy = Shell(daemon.socket, tmp_path), str(tmp_path / "copies" / "mira.db")
        assert "already a mind" in shell("restore", copy, code=74).stdout
        assert "stop it first" in shell("restore", copy, "--replace", code=1).stderr
        shell("restore", copy, "-m", "sister")
        api = checking(daemon)
        assert [each["content"] for each in api.messages("sister")] == [
            each["content"] for each in api.messages("mira")
        ]
        assert api.call("mind.get", mind="sister")["mind"]["mind"] == "sister"
    assert lines(state / "minds" / "sister.db") == lines(state / "minds" / "mira.db")


def test_backups_in_turn_keep_the_last_and_leave_what_is_not_theirs(state: Path, tmp_path: Path) -> None:
    shell, all_of = Shell(tmp_path / "none.sock", tmp_path), tmp_path / "turn"
    all_of.mkdir()
    foreign = all_of / "2020-01-01T00-00-00"
    foreign.mkdir()
    (foreign / "letter.txt").write_text("not a copy of a mind")
    (all_of / "2020-01-02T00-00-00").mkdir()
    shutil.copy(tmp_path / "copies" / "mira.db", all_of / "2020-01-02T00-00-00" / "mira.db")
    (all_of / "notes").mkdir()
    removed: list[str] = []
    for _ in range(3):
        told = json.loads(shell("backup", str(all_of), "--keep", "2", "--state", str(state), "--json").stdout)
        removed += told["removed"]
        time.sleep(1.1)
    ours = sorted(each.name for each in all_of.iterdir() if each.name > "2021" and each.name != "notes")
    assert len(ours) == 2
    assert "2020-01-02T00-00-00" in removed
    assert (foreign / "letter.txt").exists()
    assert (all_of / "notes").exists()
    (state / "minds" / "mira.db").write_bytes(b"\xff" * 40_000)
    shell("backup", str(all_of), "--keep", "1", "--state", str(state), code=74)
    assert set(ours) <= {each.name for each in all_of.iterdir()}, "an older one stays while a newer one is not whole"


def test_the_minds_of_a_moment_come_back(state: Path, tmp_path: Path) -> None:
    shell, turn = Shell(tmp_path / "none.sock", tmp_path), tmp_path / "turn"
    shell("backup", str(turn), "--keep", "5", "--state", str(state))
    (made,) = turn.iterdir()
    days = [datetime.now(UTC) - timedelta(days=count) for count in (9, 2, 1)]
    for day in days:
        shutil.copytree(made, turn / day.strftime("%Y-%m-%dT00-00-00"))
    for file in turn.glob(f"{days[1]:%Y-%m-%d}T*/mira.db"):  # what this one holds is told from the others
        file.unlink()
    shutil.rmtree(made)
    shutil.rmtree(state)
    asked = ("--state", str(state), "--replace")
    for words, told in (
        (f"{days[1]:%Y-%m-%d}", days[1]),
        ("yesterday", days[2]),
        ("一周前", days[0]),
        ("now", days[2]),
    ):
        done = shell("restore", str(turn), "--at", words, *asked, TZ="UTC").stdout
        assert f"the backup of {told:%Y-%m-%d}T00-00-00" in done
        assert ("mira" in done) == (told != days[1])
    done = shell("restore", str(turn / "mira.db"), "--at", "yesterday", *asked, TZ="UTC").stdout
    assert "1 mind restored" in done
    early = shell("restore", str(turn), "--at", "2019-05", *asked, code=1).stderr
    assert "there is no backup" in early
    assert f"the first is of {days[0]:%Y-%m-%d}" in early
    assert "--at" in shell("restore", str(turn), *asked, code=1).stderr
    for wrong, code in (("sometime", 64), ("2026-13-40T00:00", 64)):
        assert "\n" not in shell("restore", str(turn), "--at", wrong, *asked, code=code).stderr.strip()


def test_a_mind_moves_to_another_state_directory(state: Path, tmp_path: Path) -> None:
    shell, was, other = (
        Shell(tmp_path / "none.sock", tmp_path),
        lines(state / "minds" / "mira.db"),
        tmp_path / "b" / "state",
    )
    shell("move", str(other), "-m", "mira", "--state", str(state))
    assert not list((state / "minds").glob("mira*"))
    assert lines(other / "minds" / "mira.db") == was
    assert "no mind" in shell("move", str(other), "-m", "mira", "--state", str(state), code=1).stderr
    with daemon_process(tmp_path / "b") as daemon:
        assert any("蜜蜂" in each["text"] or "bees" in each["text"] for each in checking(daemon).found("mira", "bees?"))
        assert "already runs" in shell("move", str(state), "-m", "mira", "--state", str(other), code=75).stderr
    with daemon_process(tmp_path) as daemon:
        assert [each["mind"] for each in checking(daemon).pages("mind.list")] == ["小".encode().hex()[:6]]
        checking(daemon).say("mira", "Another of this name.")
    assert "another mind" in shell("move", str(state), "-m", "mira", "--state", str(other), code=64).stderr
    assert lines(other / "minds" / "mira.db") == was


@pytest.mark.thorough
def test_a_kill_amid_a_move_leaves_the_mind_whole_somewhere(state: Path, tmp_path: Path) -> None:
    """It is in one place or in both; the same move again ends it."""
    was, chance, kills = lines(state / "minds" / "mira.db"), random.Random(4), 0
    shell = Shell(tmp_path / "none.sock", tmp_path)
    for attempt in range(6):
        there = tmp_path / f"t{attempt}"
        run = subprocess.Popen(
            [sys.executable, "-m", "soulmem", "move", str(there), "-m", "mira", "--state", str(state)],
            env=shell.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        deadline = time.monotonic() + 20
        while not (there / "minds").exists() and run.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.1))
        if run.poll() is None:
            os.kill(run.pid, signal.SIGKILL)
            kills += 1
        run.wait(10)
        here, goal = state / "minds" / "mira.db", there / "minds" / "mira.db"
        assert here.exists() or goal.exists()
        if here.exists():
            shell("move", str(there), "-m", "mira", "--state", str(state))
        assert lines(goal) == was
        assert not here.exists()
        assert [each.name for each in goal.parent.iterdir()] == ["mira.db"]
        shell("move", str(state), "-m", "mira", "--state", str(there))
    assert kills
