"""Bytes of deleted words: in files whose pages were moved about, and on disks that are full."""

from __future__ import annotations

import random
import subprocess
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from checking import Checking, checking, rows
from daemon_fixture import daemon_process
from full_disks import fill, leave, small_disk
from leftovers import files_with, kept_of, tables_with
from mind_bench import hosted
from soulmem.store.sqlite import driver

START = "2026-03-02T09:00:00Z"


def mark_of(number: int) -> str:
    return f"quarz{number * 7919 % 100_000:05d}plover"


def told(chance: random.Random, number: int, words: int) -> str:
    filler = chance.choices(["harbour", "lantern", "violin", "港口", "望远镜", "kite", "桂花糕", "Bergen"], k=words)
    at = chance.randrange(len(filler))
    return " ".join([*filler[:at], mark_of(number), *filler[at:]]) + "."


@dataclass(frozen=True)
class Sizes:
    """How much is told: words of messages, of notes and of edits, how often there is an edit, how many go."""

    messages: int
    said: tuple[int, ...]
    noted: int
    edited: tuple[int, ...]
    rounds: int
    deleted: int


# Short rows, many on a page, are those that are moved about; long ones have pages of their own.
SHORT = Sizes(20, (3, 8, 20), 20, (2, 20, 60), rounds=8, deleted=8)
LONG = Sizes(60, (3, 8, 40, 400), 300, (2, 600), rounds=1, deleted=12)
TOLD = [
    (0, SHORT),
    *(pytest.param(seed, SHORT, marks=pytest.mark.torture) for seed in range(1, 20)),
    *(pytest.param(seed, LONG, marks=pytest.mark.torture) for seed in range(4)),
]


@pytest.mark.parametrize(("seed", "sizes"), TOLD, ids=lambda each: {SHORT: "short", LONG: "long"}.get(each, str(each)))
def test_no_page_keeps_a_copy(tmp_path: Path, seed: int, sizes: Sizes) -> None:
    """Messages and notes grow and shrink, so that pages are split and joined; then some are deleted.

    Of the first seed a page keeps a copy of which later rows overwrote the end: no whole sentence stands there.
    """
    chance, everyone = random.Random(seed), range(sizes.messages)
    cheap = {"SOULMEM_EMBEDDER_NAME": "hashing"}  # whose vectors lie on as many pages
    with daemon_process(tmp_path, "--simulated-clock", START, env=cheap) as daemon:
        api: Checking = checking(daemon)
        api.call("mind.create", mind="m", profile=chance.choice(["companion", "assistant"]))
        for number in everyone:
            text = told(chance, number, chance.choice(sizes.said))
            api.say("m", text, id=f"s{number}", speaker="Ann", conversation=chance.choice(["main", "茶话"]))
            if chance.random() < 0.5:
                note = api.note("m", told(chance, number, 12), tags=[mark_of(number)], key=f"k{number}")
                longer = told(chance, number, sizes.noted)
                api.call("note.update", mind="m", id=note, text=longer, key=f"u{number}")
                api.call("note.update", mind="m", id=note, text=told(chance, number, 3))
        homes = {row[0]: row[1] for row in rows(daemon, "m", "SELECT m.client_id, c.name FROM message m "
                                                "JOIN conversation c ON c.id = m.conversation")}  # fmt: skip
        for _ in range(sizes.rounds):
            for number in chance.sample(everyone, sizes.messages // 2):
                text = told(chance, number, chance.choice(sizes.edited))
                api.call("message.update", mind="m", id=f"s{number}", conversation=homes[f"s{number}"], content=text)
        api.call("idle.run", mind="m")
        for number in chance.sample(everyone, sizes.deleted):
            mark = mark_of(number)
            deleted = api.call("message.delete", mind="m", id=f"s{number}", conversation=homes[f"s{number}"])
            repeats = {each["id"] for each in deleted["repeats"] if each["kind"] == "note"}
            for note in [each["id"] for each in api.notes("m") if each["id"] in repeats and mark in repr(each)]:
                deleted = api.call("note.purge", mind="m", id=note)
            assert deleted["erased"] is True
            assert tables_with(daemon.state / "minds" / "m.db", mark) == []
            assert files_with(daemon.state, mark) == []
        kept = kept_of(daemon.state, [mark_of(number) for number in everyone])
        assert len(kept) == sizes.messages - sizes.deleted, "the others are all there"


async def test_a_copy_on_a_page_is_found_and_the_file_written_anew(tmp_path: Path) -> None:
    """The daemon itself looks whether the deleted words stand in the file, and does what gets them out."""
    path = tmp_path / "a.db"
    async with hosted(path, works=False) as host:
        await host.hear("My locker opens with quarzplover66125, remember it.", id="s")
        await host.hear("And it stands at the station.", id="t")
    # A stray copy: a page that is free, with the words still on it, as a file of an older version may have them.
    with closing(driver.writer(path)()) as connection:
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("CREATE TABLE stray (text)")
        connection.execute("INSERT INTO stray VALUES (?)", ("My locker opens with quarzplover66125, remember it" * 3,))
        connection.execute("DELETE FROM stray")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"quarzplover66125" in path.read_bytes()
    async with hosted(path) as host:
        deleted = await host.mind.amend("main", "s", None, key=None)
        assert deleted["erased"] is True
        assert files_with(tmp_path, "quarzplover66125") == []
        assert [message["id"] for message in deleted["repeats"]] == []
        assert await host.rows("SELECT content FROM message WHERE deleted = 0") == [("And it stands at the station.",)]


async def test_a_deletion_whose_file_was_not_gone_over_is_ended_at_the_next_opening(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with hosted(path, works=False) as host:
        await host.hear("My locker opens with quarzplover66125, remember it.", id="s")
        deleted = await host.amend("main", "s", None)
        assert deleted["erased"] is False, "nobody works"
        assert await host.rows("SELECT count(*) FROM erasure") == [(1,)]
    async with hosted(path) as host:
        assert await host.mind.workers.erasing.done(10)
        assert files_with(tmp_path, "quarzplover66125") == []


def test_on_a_full_disk_a_deletion_is_done_or_not_at_all(tmp_path: Path) -> None:
    mark = "quarzplover66125"
    with small_disk(tmp_path / "disk", megabytes=4) as disk:
        (tmp_path / "state").symlink_to(disk)
        with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
            api: Checking = checking(daemon)
            api.call("mind.create", mind="mira", profile="assistant")
            api.say("mira", f"My locker opens with {mark}, remember it.", id="s", speaker="Ann")
            note = api.note("mira", f"The locker: {mark}", sources=[{"id": "s"}])
            fill(daemon, [])
            leave(disk, 0)
            for _ in range(3):
                refused = api.refused("storage_full", "message.delete", mind="mira", id="s")
                assert refused.retryable is True
                assert mark in repr(api.messages("mira")), "nothing half done"
                assert mark in api.call("note.get", mind="mira", id=note)["note"]["text"]
            subprocess.run(["mount", "-o", "remount,size=32m", str(disk)], check=True)
            deleted = api.call("message.delete", mind="mira", id="s")
            assert deleted["purged"] == [note]
            api.until(lambda: not rows(daemon, "mira", "SELECT 1 FROM erasure"), "the bytes")
            assert files_with(daemon.state, mark) == []
