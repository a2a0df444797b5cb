"""A whole mind out of one daemon and into another: nothing is lost, and nothing that was deleted comes along."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checking import Checking, Json, checking
from daemon_fixture import Daemon, daemon_process, start, wait_ready
from shell import Shell
from soulmem.client import Client, SoulmemRemoteError
from soulmem.interchange.exporting import mind_lines
from soulmem.store.session import mind_records, verify
from soulmem.store.sqlite import driver, migrations

START = "2026-03-01T08:00:00Z"
DAY = 86_400
ANN = [
    "My sister Ines moved from Porto to Ghent last week.", "我妹妹上周搬到了成都，在那里教大提琴。",
    "On Friday I meet Rui at the harbour, at half past three.", "我妈妈的生日是六月三号。",
    "Actually Ines teaches the viola, not the cello.", "火锅我不吃辣的，小林知道。",
    "My rent is 840 now, it was 820.", "下个月我去里斯本找Ines。", "I am allergic to hazelnuts, almonds are fine.",
    "I sold the boat on Sunday, Rui bought it.", "小林辞职了，现在开了一家咖啡馆。", "Rui and I broke up.",
]  # fmt: skip
QUESTIONS = [
    "Where does Ines live?", "我妹妹住在哪里？", "What does Ines teach?", "妈妈的生日是几号？", "When do I meet Rui?",
    "How much is my rent?", "小林做什么工作？", "What can't I eat?", "Rui", "last week", "上周", "hazelnuts", "火锅",
    "Who bought the boat?", "谁去里斯本？", "咖啡馆", "What happened on Sunday?", "the harbour", "Ines 和 小林",
    "nobody ever said this",
]  # fmt: skip
SECRET = "quarzplover66125"
# How long after the first lines of a mind came in the daemon dies.
DELAYS_S = [0.0, 0.03, 0.15] if not os.environ.get("SOULMEM_TORTURE") else [each / 40 for each in range(12)]


def live(api: Checking, mind: str) -> None:
    """A life with talk in two languages, digestion, fading, learning, corrections, forgetting and deletions."""
    api.call("mind.create", mind=mind, persona="米拉, keeper of a lighthouse.", settings={"window.capacity": 4})
    for day in range(3):
        for number, line in enumerate(ANN):
            conversation = ("tea", "茶")[number % 2]
            said = {"conversation": conversation, "id": f"m{day}-{number}", "speaker": "Ann"}
            api.say(mind, f"{line} {day}" if day else line, recall=number % 3 == 0, **said)
        api.say(mind, f"My code is {SECRET} on day {day}.", conversation="tea", id=f"s{day}")
        api.call("idle.run", mind=mind)
        api.call("message.update", mind=mind, conversation="tea", id=f"m{day}-0", content=f"{ANN[0]} So it is.")
        api.call("message.delete", mind=mind, conversation="tea", id=f"s{day}")
        api.call("clock.advance", seconds=9 * DAY)
    notes = api.notes(mind)
    api.call("link.add", mind=mind, src=notes[0]["id"], dst=notes[1]["id"], kind="semantic", verb="told with")
    recalled = api.call("recall", mind=mind, query=QUESTIONS[0], record=True)
    api.call("feedback", mind=mind, recall_id=recalled["recall_id"], verdict="good", used=[notes[0]["id"]])
    api.call("note.update", mind=mind, id=notes[2]["id"], text="Something else 别的.")
    api.call("note.pin", mind=mind, id=notes[3]["id"])
    api.call("note.forget", mind=mind, id=notes[4]["id"])
    api.call("note.purge", mind=mind, id=notes[5]["id"])
    api.call("idle.run", mind=mind)
    api.until(lambda: not api.status(mind)["embed_backlog"], "at rest")
    api.settle(mind)


def exported(daemon: Daemon, mind: str, path: Path) -> bytes:
    with Client(str(daemon.socket)) as client, path.open("wb") as stream:
        mind_lines.write(client, mind, stream, lambda *_: None)
    return path.read_bytes()


def taken_in(daemon: Daemon, path: Path, mind: str) -> dict[str, Any]:
    with Client(str(daemon.socket)) as client:
        return mind_lines.read_in(client, path, mind, lambda *_: None)


def answers(api: Checking, mind: str) -> Iterator[Any]:
    for query in QUESTIONS:
        told = api.call("recall", mind=mind, query=query, k=10, record=False)
        yield [
            (each["id"], each["kind"], each["text"], each["state"], round(each["score"], 4)) for each in told["items"]
        ]
    for conversation in ("tea", "茶"):
        yield api.call("context.get", mind=mind, conversation=conversation, query=QUESTIONS[0])["text"]
    for name in ("Ann", "Ines", "小林"):
        yield api.call("profile.get", mind=mind, name=name)["text"]
    for note in api.notes(mind):
        yield note
        yield api.call("note.history", mind=mind, id=note["id"])
    yield api.notes(mind, state="forgotten")
    yield api.links(mind)


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Daemon, Daemon]]:
    one, two = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("two")
    with daemon_process(one, "--simulated-clock", START) as first:
        live(checking(first), "mira")
        now = checking(first).call("system.ping")["now"]
        with daemon_process(two, "--simulated-clock", now) as second:
            yield first, second


def test_a_mind_that_went_elsewhere_is_the_same_mind(houses: tuple[Daemon, Daemon], tmp_path: Path) -> None:
    first, second = houses
    before = exported(first, "mira", tmp_path / "a")
    assert exported(first, "mira", tmp_path / "again") == before, "looking changes nothing"
    told = taken_in(second, tmp_path / "a", "mira")
    there = checking(first).call("mind.get", mind="mira")["mind"]
    assert [told[each] for each in ("messages", "notes", "links")] == [
        there[each] for each in ("messages", "notes", "links")
    ]
    assert exported(second, "mira", tmp_path / "b") == before
    api = checking(second)
    api.until(lambda: not api.status("mira")["embed_backlog"], "embedded")
    api.settle("mira")
    assert exported(second, "mira", tmp_path / "c") == before
    for here, elsewhere in zip(answers(checking(first), "mira"), answers(api, "mira"), strict=True):
        assert here == elsewhere
    assert verify.damages(second.state / "minds" / "mira.db") == []
    again = taken_in(second, tmp_path / "a", "mira")
    assert (again["duplicate"], again["notes"]) == (True, told["notes"])


def test_what_was_deleted_is_not_in_it_and_ids_are_not_given_again(
    houses: tuple[Daemon, Daemon], tmp_path: Path
) -> None:
    first, second = houses
    lines = exported(first, "mira", tmp_path / "a")
    assert SECRET.encode() not in lines
    taken_in(second, tmp_path / "a", "other")
    ids = [checking(each).note(name, "一 new note") for each, name in ((first, "mira"), (second, "other"))]
    assert ids[0] == ids[1]
    assert checking(second).call("mind.get", mind="other")["mind"]["mind"] == "other"


def test_every_table_of_truth_is_in_it() -> None:
    """A table that comes into the schema later is taken too, unless it is named as one that is made anew."""
    connection = migrations.begun("mind")
    taken = {table.name for table in mind_records.tables(connection)}
    rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall()
    indexes = [name for name, sql in rows if sql.startswith("CREATE VIRTUAL")]
    others = {name for name, _ in rows} - taken - mind_records.NOT_TAKEN - {mind_records.COUNTERS}
    assert others
    assert all(name.startswith(tuple(indexes)) for name in others)
    assert {"note", "element", "link", "link_memory", "recall_hit", "ending", "claim", "tombstone", "history"} <= taken


def test_a_mind_is_given_to_its_owner_alone(houses: tuple[Daemon, Daemon]) -> None:
    described = checking(houses[0]).call("system.describe")["methods"]
    assert [described[each]["rights"] for each in ("mind.export", "mind.import")] == ["admin", "admin"]


def test_of_lines_that_are_not_whole_nothing_is_kept(houses: tuple[Daemon, Daemon], tmp_path: Path) -> None:
    first, second = houses
    lines = exported(first, "mira", tmp_path / "a").splitlines(keepends=True)
    head = json.loads(lines[0])
    note = next(number for number, line in enumerate(lines) if line.startswith(b'{"note":'))
    bad = {
        "line 1": [b"soup\n"], "begin": [b'{"note": {}}\n'], "another soulmem": [_with(head, schema=9999), *lines[1:]],
        "cut off": lines[:-1], "missing": [*lines[:note], *lines[note + 1 :]],
        "changed": [*lines[:note], lines[note].replace(b"Ann", b"Bob"), *lines[note + 1 :]],
        "follows": [*lines, b"{}\n"],
    }  # fmt: skip
    for why, content in bad.items():
        assert why in _refusal(second, b"".join(content).decode()), why
    sealed = {
        "no row": b'{"sqlite_master": {"name": "x"}}\n', "has not": b'{"note": {"colour": 1}}\n',
        "does not fit": b'{"note": {"id": "soup"}}\n',
        "daemon to say": b'{"meta": {"key": "blinding", "value": "00"}}\n',
        "is not there": b'{"note_source": {"note": 99999, "position": 0, "message": 99999}}\n',
        "counts": b'{"sqlite_sequence": {"name": "vector", "seq": 1}}\n',
    }  # fmt: skip
    for why, row in sealed.items():
        assert why in _refusal(second, _sealed([*lines[:-1], row])), why
    odd = [line.replace(b'window.capacity\\":4', b'window.capacity\\":\\"soup\\"') for line in lines[:-1]]
    assert odd != lines[:-1]
    assert "window.capacity" in _refusal(second, _sealed(odd))
    tampered = [lines[0], *[line.replace(b"hazelnuts", b"chestnuts") for line in lines[1:-1]]]
    assert "not what was written" in _refusal(second, _sealed(tampered))
    assert not [each.name for each in (second.state / "minds").iterdir() if each.name.startswith("bad")]


def _refusal(daemon: Daemon, text: str) -> str:
    """What is said of lines that are no mind."""
    with Client(str(daemon.socket)) as client:
        cursor: str | None = None
        for place in range(0, len(text) - 100_000, 100_000):
            cursor = client.import_mind("bad", text[place : place + 100_000], cursor=cursor)["next_cursor"]
        rest = text[(len(text) - 1) // 100_000 * 100_000 :]
        with pytest.raises(SoulmemRemoteError) as told:
            client.import_mind("bad", rest, cursor=cursor, end=True)
    assert told.value.name == "invalid_params"
    return told.value.message


def _with(head: Json, **more: Any) -> bytes:
    return json.dumps({**head, **more}).encode() + b"\n"


def _sealed(lines: list[bytes]) -> str:
    """Lines as if they had been written so."""
    import hashlib  # noqa: PLC0415

    text = b"".join(lines)
    end = {"end": {"lines": len(lines), "sha256": hashlib.sha256(text).hexdigest()}}
    return (text + json.dumps(end).encode() + b"\n").decode()


def test_a_deletion_ends_an_export_under_way(houses: tuple[Daemon, Daemon]) -> None:
    api = checking(houses[0])
    for number in range(20):  # of more than two pieces
        api.say("long", f"{number} 很长 " + "x" * 20_000, id=f"l{number}")
    first = api.call("mind.export", mind="long")
    assert first["next_cursor"]
    piece = api.call("mind.export", mind="long", cursor=first["next_cursor"])
    assert piece == api.call("mind.export", mind="long", cursor=first["next_cursor"])
    api.call("message.delete", mind="long", id="l3")
    api.refused("version_conflict", "mind.export", mind="long", cursor=piece["next_cursor"])
    api.refused("version_conflict", "mind.export", mind="mira", cursor=piece["next_cursor"])


def test_an_export_of_a_mind_that_is_talked_to_is_of_one_moment(houses: tuple[Daemon, Daemon], tmp_path: Path) -> None:
    """Something is said after every piece of it, and nothing of that is in it."""
    first, second = houses
    api, said = checking(first), 0

    def talk(*_: int) -> None:
        nonlocal said
        said += 1
        api.say("busy", f"Message 第{said}句 " + "y" * 30_000, id=f"b{said}")

    for _ in range(9):  # of more than two pieces
        talk()
    for number in range(2):
        before = said
        with Client(str(first.socket)) as client, (tmp_path / "busy").open("wb") as stream:
            mind_lines.write(client, "busy", stream, talk)
        assert said >= before + 3
        taken_in(second, tmp_path / "busy", f"busy{number}")
        heard = [each["id"] for each in checking(second).messages(f"busy{number}")]
        assert heard == [f"b{each}" for each in range(1, before + 1)]


def test_a_mind_of_an_older_schema_is_brought_up_to_date(houses: tuple[Daemon, Daemon], tmp_path: Path) -> None:
    """Lines that were written by the first schema that has such notes, and become a mind of today."""
    first, second = houses
    lines = exported(first, "mira", tmp_path / "a").splitlines(keepends=True)
    old = driver.in_memory()
    migrations.begin_at(old, "mind", 10)
    known = {table.name: set(table.columns) for table in mind_records.tables(old)}
    rows = []
    for line in lines[1:-1]:
        ((name, values),) = json.loads(line).items()
        if name in known or (name == mind_records.COUNTERS and values["name"] in known):
            kept = {key: value for key, value in values.items() if name not in known or key in known[name]}
            rows.append(json.dumps({name: kept}).encode() + b"\n")
    (tmp_path / "old").write_text(_sealed([_with(json.loads(lines[0]), schema=10), *rows]))
    told = taken_in(second, tmp_path / "old", "old")
    assert told["notes"] == checking(first).call("mind.get", mind="mira")["mind"]["notes"]
    assert checking(second).found("old", "hazelnuts")
    assert [path.name for path in (second.state / "minds").glob("old*.db")] == ["old.db"]


def test_the_commands_write_and_read_a_file(houses: tuple[Daemon, Daemon], tmp_path: Path) -> None:
    first, second = houses
    here, there = Shell(first.socket, tmp_path), Shell(second.socket, tmp_path)
    file = tmp_path / "mira.jsonl"
    assert "written to" in here("export", str(file), "-m", "mira").stdout
    assert file.stat().st_mode & 0o777 == 0o600
    assert here("export", "-", "-m", "mira").stdout.encode() == file.read_bytes()
    assert "nothing was stored" in there("import", str(file), "--dry-run").stdout
    assert there.json("import", str(file), "-m", "third")["mind"] == "third"
    assert "is there already" in there("import", str(file), "-m", "third").stdout
    file.write_bytes(file.read_bytes()[:-200])
    assert there("import", str(file), "-m", "fourth", code=64).stderr.count("\n") == 1
    assert here("export", str(tmp_path / "no" / "where"), "-m", "mira", code=74).stderr.count("\n") == 1
    done = here("export", str(tmp_path / "x"), "-m", "nobody", code=1)
    assert (done.stderr.count("\n"), (tmp_path / "x").exists()) == (1, False)


@pytest.mark.thorough
def test_a_kill_while_a_mind_comes_in_leaves_it_whole_or_not_at_all(
    houses: tuple[Daemon, Daemon], tmp_path: Path
) -> None:
    first, _ = houses
    wanted = exported(first, "mira", tmp_path / "a")
    outcomes = set[bool]()
    root = tmp_path / "third"
    root.mkdir()
    now = checking(first).call("system.ping")["now"]
    for attempt, delay_s in enumerate(DELAYS_S):
        daemon = start(root, "--simulated-clock", now)
        try:
            wait_ready(daemon)
            assert [path.name for path in (daemon.state / "minds").glob("*.importing*")] == []
            run = subprocess.Popen(
                [sys.executable, "-m", "soulmem", "import", str(tmp_path / "a"), "-m", f"k{attempt}"],
                env=Shell(daemon.socket, tmp_path).environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            )  # fmt: skip
            began = time.monotonic()
            part = daemon.state / "minds" / f"k{attempt}.importing"
            while not part.exists() and run.poll() is None and time.monotonic() < began + 20:
                time.sleep(0.001)
            time.sleep(delay_s)
            daemon.kill()
            _, said = run.communicate(timeout=60)
            assert b"Traceback" not in said
        finally:
            if daemon.process.poll() is None:
                daemon.kill()
    with daemon_process(root, "--simulated-clock", now) as daemon:
        for attempt in range(len(DELAYS_S)):
            is_there = (daemon.state / "minds" / f"k{attempt}.db").exists()
            outcomes.add(is_there)
            told = taken_in(daemon, tmp_path / "a", f"k{attempt}")
            assert told["duplicate"] is is_there
            assert _rows(exported(daemon, f"k{attempt}", tmp_path / "b")) == _rows(wanted)
    assert False in outcomes


def _rows(lines: bytes) -> list[bytes]:
    """What says the same of minds of different names."""
    return [line for line in lines.splitlines()[1:-1] if not line.startswith(b'{"mind":')]
