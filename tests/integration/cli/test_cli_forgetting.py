"""The shell shows forgetting: what will fade and when, what has faded, what is gone, and brings it back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import Checking, checking
from daemon_fixture import daemon_process
from shell import Shell
from soulmem.cli.commands.notes import listed_text, pages, whole_list
from soulmem.cli.output.command_session import Session
from soulmem.cli.output.tables import width

START = "2026-03-01T08:00:00Z"
DAY = 86_400


class Room:
    """A shell beside a daemon whose clock the test moves."""

    def __init__(self, shell: Shell, api: Checking) -> None:
        self.shell = shell
        self.api = api

    def __call__(self, *arguments: str, code: int | None = 0) -> str:
        done = self.shell(*arguments, code=code, TZ="UTC")
        return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    home = tmp_path_factory.mktemp("home")
    with daemon_process(tmp_path_factory.mktemp("c"), "--simulated-clock", START) as daemon:
        yield Room(Shell(daemon.socket, home), checking(daemon))


def column(line: str, words: str) -> int:
    """The cell at which words stand in a line."""
    return width(line[: line.index(words)])


@pytest.mark.parametrize(
    ("mind", "text", "other"),
    [
        ("en", "Mara saw a black cat at the gate", "The gate of the old library"),
        ("zh", "小苇在图书馆门口看见一只黑猫", "老图书馆的大门"),
        ("mixed", "小苇 saw 一只 black cat", "老 library 的 gate"),
    ],
)
def test_a_note_from_its_first_day_to_its_return(room: Room, mind: str, text: str, other: str) -> None:
    api = room.api
    note = api.note(mind, text, importance=0.1)
    pinned = api.note(mind, other, pinned=True)
    api.call("link.add", mind=mind, src=note, dst=pinned, strength=0.4)

    page = room("forecast", note, "-m", mind).splitlines()
    told = api.call("note.forecast", mind=mind, id=note)
    assert page[0] == text
    assert [line.split("┤")[0].strip() for line in page if "┤" in line] == [
        "1",
        "",
        "",
        "",
        "blurs",
        "",
        "",
        "goes",
        "0",
    ]
    head = next(i for i, line in enumerate(page) if line.split() == ["now", "blurs", "goes", "what"])
    assert page[head + 1].endswith(f"  {text}")
    assert column(page[head + 1], text) == column(page[head], "what")
    for name in ("blurs_at", "blanks_at"):
        assert told["elements"][0][name][:10] in page[head + 1]
    (tie,) = [line for line in page if line.startswith("l1 ")]
    assert told["links"][0]["dies_at"][:10] in tie
    assert tie.endswith(other)
    assert any(line.startswith("forgotten: 2026-") for line in page)
    assert room.shell.json("forecast", note, "-m", mind, "--days", "9") == api.call(
        "note.forecast", mind=mind, id=note, days=9
    )

    lines = room("timeline", "-m", mind).splitlines()
    assert [line.split()[2] for line in lines[1:3]] == [note, f"{pinned}*"]
    assert column(lines[1], text) == column(lines[2], other) == column(lines[0], "text")
    assert all("▕████████████████▏" in line for line in lines[1:3])
    assert [item["id"] for item in room.shell.json("timeline", "-m", mind)["items"]] == [note, pinned]
    assert "1 older one left out" in room("timeline", "-m", mind, "--limit", "1")

    assert room("forgotten", "-m", mind) == "nothing has been forgotten\n"
    assert room("remember", note, "-m", mind) == f"{note} was not forgotten\n"
    assert "forgotten" in room("note", note, "--forget", "--yes", "-m", mind)
    lines = room("forgotten", "-m", mind).splitlines()
    assert lines[1].split("  ")[0] == note
    assert "somebody asked for it" in lines[1]
    assert lines[1].endswith(text)
    (gone,) = room.shell.json("forgotten", "-m", mind)["items"]
    assert (gone["reason"], gone["lifecycle"]) == ("client", "forgotten")
    assert gone["purge_at"][:10] in lines[1]
    assert f"soulmem remember {note}" in room("forecast", note, "-m", mind)
    assert note not in room("timeline", "-m", mind)

    back = room("remember", note, "-m", mind).splitlines()
    assert back[:2] == [f"{note} is back: {text}", "and with it 1 link"]
    assert "0.4" in back[3]
    assert text not in room("forgotten", "-m", mind)


def test_bars_sink_as_days_pass(room: Room) -> None:
    api = room.api
    api.call("mind.create", mind="days", settings={"forgetting.clock": "wall", "forgetting.deletes": False})
    half: list[dict[str, object]] = [{"quote": "五月一日", "level": 2}]
    early = api.note("days", "May 五月一日", importance=0.5, elements=half)
    api.call("clock.advance", seconds=20 * DAY)
    late = api.note("days", "May 五月一日", importance=0.5, elements=half)
    shown = room("timeline", "-m", "days").splitlines()[1:3]
    bars = {note: line for line in shown for note in (early, late) if note in line.split()}
    assert list(bars) == [early, late], "one whose day is forgotten stands first"
    assert "▕▄▄▄▄▄▄▄▄▁▁▁▁▁▁▁▁▏" in bars[early], "0.9·e^(-20/30) = 0.46 of it, 0.9·e^(-20/7) = 0.05 of the detail"
    assert "▕████████████████▏" in bars[late]


@pytest.mark.parametrize(
    ("text", "hidden", "gist", "kept"),
    [
        ("Mara saw a hedgehog by the well", "hedgehog", "some animal", "the well"),
        ("小苇在井边看见一只刺猬", "刺猬", "某种动物", "井边"),
    ],
    ids=["en", "zh"],
)
def test_a_detail_that_has_faded_is_called_by_its_gist(
    room: Room, text: str, hidden: str, gist: str, kept: str
) -> None:
    api, mind = room.api, "gist" if text.isascii() else "gist-zh"
    api.call("mind.create", mind=mind, settings={"forgetting.clock": "wall"})
    note = api.note(mind, text, elements=[
        {"quote": hidden, "level": 2, "gist": gist}, {"quote": kept, "level": 2, "anchor": "spontaneous"},
    ])  # fmt: skip
    assert f"  {hidden}\n" in room("forecast", note, "-m", mind)
    api.call("clock.advance", seconds=5 * DAY)
    page = room("forecast", note, "-m", mind)
    assert hidden not in page
    assert page.splitlines()[0] == text.replace(hidden, f"xxx({gist})")
    (line,) = [line for line in page.splitlines() if line.endswith(f"  ({gist})")]
    assert "blurred" in line
    assert f"  {kept}, which struck\n" in page
    api.call("clock.advance", seconds=6 * DAY)
    page = room("forecast", note, "-m", mind)
    assert gist not in page
    (line,) = [line for line in page.splitlines() if line.endswith("  (no longer known)")]
    assert "gone" in line


def test_a_list_is_read_page_by_page_to_its_end(room: Room) -> None:
    api = room.api
    notes = [api.note("pages", f"note {number} 第{number}条", at=f"2026-01-{30 - number:02}") for number in range(7)]
    here = Session(Path(room.shell.environment["SOULMEM_SOCKET"]), "pages")
    for at_once in (1, 3, 7, 500):
        assert [item["id"] for item in whole_list(here, "note.list", at_once=at_once)] == notes
        assert [item["id"] for item in whole_list(here, "note.list", at_once=at_once, kind="lore")] == []
    assert [item["id"] for item in pages(here, "note.list", 4)] == notes[:4]
    shown = room.shell.json("timeline", "-m", "pages", "--limit", "2")["items"]
    assert [item["id"] for item in shown] == [notes[1], notes[0]], "by when it was, not by when it was noted"
    assert "5 older ones left out" in room("timeline", "-m", "pages", "--limit", "2")


@pytest.mark.parametrize(
    ("mind", "wrong", "right", "moved"),
    [
        (
            "over-en",
            "I see the dentist on 24 March at 3 pm.",
            "Sorry, the dentist is on 25 March, not 24 March.",
            "dentist",
        ),
        ("over-zh", "我3月24号下午三点看牙。", "说错了，是3月25号看牙，不是3月24号。", "看牙"),
    ],
)
def test_what_holds_no_more_is_listed_with_what_says_so(
    room: Room, mind: str, wrong: str, right: str, moved: str
) -> None:
    for text in (wrong, right):
        room.api.say(mind, text, speaker="Mara")
    room.api.call("idle.run", mind=mind, wait=True)
    listed = [each for each in room.api.notes(mind) if moved in each["text"]]
    over = [each for each in listed if each["superseded_by"]]
    assert over
    assert "24" in over[0]["text"]
    for command in ("notes", "timeline"):
        lines = room(command, "-m", mind).splitlines()
        for note in listed:
            shown = next(line for line in lines if note["id"] in line.split())
            is_over = f": {note['superseded_by']}) {note['text'][:12]}" in shown
            assert is_over == (note in over), shown


@pytest.mark.parametrize(
    ("ended", "shown"),
    [
        ({"valid_to": None, "superseded_by": None}, "Ivo 住在里斯本"),
        ({"valid_to": "2026-03-01T08:00:00Z", "superseded_by": "n2"}, "(until 2026-03-01: n2) Ivo 住在里斯本"),
        ({"valid_to": "2026-03-01T08:00:00Z", "superseded_by": None}, "(until 2026-03-01) Ivo 住在里斯本"),
    ],
)
def test_until_when_it_held_stands_in_front_though_what_says_so_is_gone(ended: dict[str, str], shown: str) -> None:
    assert listed_text({"rendered": "Ivo 住在里斯本", "valid_from": None, **ended}) == shown


def test_the_latest_to_be_forgotten_stands_first(room: Room) -> None:
    api = room.api
    notes = [api.note("order", text) for text in ("one 一", "two 二", "three 三")]
    for note in (notes[1], notes[2], notes[0]):
        api.call("note.forget", mind="order", id=note)
        api.call("clock.advance", seconds=60)
    lines = room("forgotten", "-m", "order").splitlines()
    assert [line.split()[0] for line in lines[1:4]] == [notes[0], notes[2], notes[1]]
    assert room("forgotten", "-m", "order", "--limit", "2").splitlines()[-1].startswith("2 notes, of 3;")
    assert "nothing leads to it" in room("remember", notes[1], "-m", "order")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("forecast", "n999"), 1, "soulmem notes"),
        (("forecast", "n1", "--days", "0"), 2, "--days"),
        (("forecast", "n1", "--days", "1000000"), 2, "--days"),
        (("forecast",), 2, "ID"),
        (("remember", "n999"), 1, "n999"),
        (("remember", "soup"), 1, "soup"),
        (("timeline", "--limit", "0"), 2, "--limit"),
        (("forgotten", "-m", "nobody"), 1, "nobody"),
    ],
)
def test_what_cannot_be_shown_is_said(room: Room, arguments: tuple[str, ...], code: int, told: str) -> None:
    room.api.note("said", "x 某")
    given = arguments if "-m" in arguments else (*arguments, "-m", "said")
    assert told in room(*given, code=code)


@pytest.mark.parametrize(("mind", "text"), [("gone-en", "Mara sold the ferry"), ("gone-zh", "小苇卖掉了渡轮")])
def test_what_went_for_good_is_told_by_kind_and_count(room: Room, mind: str, text: str) -> None:
    api = room.api
    api.call("mind.create", mind=mind, settings={"forgetting.clock": "wall"})
    for number in range(3):
        kind = "episodic" if number else "semantic"
        api.call("note.forget", mind=mind, id=api.note(mind, f"{text} {number}", kind=kind))
    assert text in room("forgotten", "-m", mind)
    api.call("clock.advance", seconds=32 * DAY)
    api.call("idle.run", mind=mind)
    page = room("forgotten", "-m", mind)
    assert text not in page, "nothing of what it said"
    assert "gone for good: 2 episodic notes" in page
    assert "gone for good: 1 semantic note" in page
