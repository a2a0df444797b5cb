"""What is done to a daemon whose power is cut, and what of it must be there when the power is back.

One life in five parts, each in minds of its own: talk and digestion, edits and deletions, minds that come and go, a
mind of a former schema, import. Requests go one after another, so a disk holds what was acknowledged before the cut
and at the most the one request that was under way then, wholly.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frozen_minds import thaw, told
from leftovers import files_with
from power_deeds import Client, Deed, is_there, mark_of, marks, rows
from soulmem.store.session import verify
from soulmem.store.sqlite import driver, migrations
from story import first_evening, second_evening

OLD = 5  # the schema of the mind that is brought up to date
LONG = bool(os.environ.get("SOULMEM_TORTURE"))


@dataclass(frozen=True)
class Part:
    """A part of the life: `play` does it; `check` looks at a disk and says how much of what was owed it found.

    `check` is given the state directory, what was acknowledged, and the request that may have been under way.
    """

    name: str
    minds: tuple[str, ...]
    play: Callable[[Client], None]
    check: Callable[[Path, list[Deed], Deed | None], int]

    def file(self, path: str) -> bool:
        """Whether a file of the state directory belongs to it."""
        folder, _, name = path.rpartition("/")
        return folder != "minds" or name.partition(".")[0] in self.minds


def before_the_life(state: Path) -> None:
    """What lies on the disk before the daemon is started: a mind of a former schema."""
    thaw(OLD, "catalog", state / "catalog.db")
    thaw(OLD, "mind", state / "minds" / "mira.db")


# -- talk and digestion ------------------------------------------------------------------------------------------


def _talk(client: Client) -> None:
    def hear(lines: list[Any]) -> None:
        for line in lines:
            client.ask("talk", "message.add", **{**line.params(), "mind": "talker"})

    def note(number: int) -> str:
        text = f"On Friday {mark_of(number)} is due at the harbour. 周五在港口。"
        return str(client.ask("talk", "note.add", mind="talker", kind="episodic", text=text)["id"])

    hear(first_evening()[: 32 if LONG else 8])
    first, second = note(900), note(901)
    client.ask("talk", "link.add", mind="talker", src=first, dst=second, kind="semantic")
    client.ask("talk", "idle.run", mind="talker")
    client.ask("talk", "note.list", mind="talker", limit=500)
    hear(second_evening()[: 16 if LONG else 4])
    client.ask("talk", "note.update", mind="talker", id=first, text=f"{mark_of(902)} was put off. 推迟了。")
    client.ask("talk", "recall", mind="talker", conversation="porch", query="What did the cat do to the starter?")
    client.ask("talk", "note.pin", mind="talker", id=second)


def _check_talk(state: Path, owed: list[Deed], under_way: Deed | None) -> int:
    file = state / "minds" / "talker.db"
    if not is_there(file, owed):
        return 0
    heard = "SELECT c.name, m.client_id, m.content FROM message m JOIN conversation c ON c.id = m.conversation"
    said = {(home, name): content for home, name, content in rows(file, heard)}
    notes: dict[str, tuple[str, int]] = {
        f"n{number}": (text, pinned) for number, text, pinned in rows(file, "SELECT id, text, pinned FROM note")
    }
    links = {f"l{number}" for (number,) in rows(file, "SELECT id FROM link")}
    texts: dict[str, str] = {}
    for deed in owed:
        params, result = deed.params, deed.result
        match deed.method:
            case "message.add":
                assert said.get((params["conversation"], params["id"])) == params["content"], (
                    f"acknowledged and lost: {deed}"
                )
            case "note.add":
                texts[result["id"]] = params["text"]
            case "note.update":
                texts[params["id"]] = params["text"]
            case "link.add":
                assert result["id"] in links, f"acknowledged and lost: {deed}"
            case "note.list":
                lost = {each["id"] for each in result["items"]} - set(notes)
                assert not lost, f"shown and lost: {lost}"
            case "note.pin":
                assert notes[params["id"]][1], f"acknowledged and lost: {deed}"
    for note, text in texts.items():
        allowed = {text}
        if under_way is not None and under_way.params.get("id") == note:
            allowed.add(under_way.params.get("text", text))
        assert notes[note][0] in allowed, f"acknowledged and lost: {note}"
    return len(owed)


# -- edits and deletions -----------------------------------------------------------------------------------------

_EDITED = 40 if LONG else 9
_DELETED = (1, 2, 5, 6, 8, *range(9, _EDITED, 3))


def _edit(client: Client) -> None:
    lines = ["My locker {} stands at the station.", "保险箱的密码是 {}，别告诉别人。", "I moved to {} in March."]
    for number in range(_EDITED):
        text = lines[number % 3].format(mark_of(number))
        client.ask("edit", "message.add", mind="edited", role="user", content=text, id=f"e{number}", speaker="Ann")
    client.ask("edit", "idle.run", mind="edited")
    for number in range(_EDITED // 2):
        text = f"{lines[(number + 1) % 3].format(mark_of(100 + number))} " * (1, 60)[number % 2]
        client.ask("edit", "message.update", mind="edited", id=f"e{number}", content=text)
    note = client.ask("edit", "note.add", mind="edited", kind="episodic", text=f"The heron {mark_of(200)} 白鹭")["id"]
    for number in _DELETED:
        client.ask("edit", "message.delete", mind="edited", id=f"e{number}")
    client.ask("edit", "note.purge", mind="edited", id=note)
    client.ask("edit", "message.add", mind="edited", role="user", content="And now? 现在呢？", id="last")


def _check_edits(state: Path, owed: list[Deed], under_way: Deed | None) -> int:
    file = state / "minds" / "edited.db"
    if not is_there(file, owed):
        return 0
    bytes_left = [marks(deed, owed) for deed in owed if deed.result.get("erased")]
    for mark in (mark for left in bytes_left for mark in left):  # before the file is opened, which may tidy it
        assert files_with(state, mark) == [], f"{mark} was erased and stands on the disk"
    said = dict(rows(file, "SELECT client_id, content FROM message"))
    notes = {f"n{number}" for (number,) in rows(file, "SELECT id FROM note WHERE text <> ''")}
    now: dict[str, str] = {}
    for deed in owed:
        match deed.method:
            case "message.add" | "message.update":
                now[deed.params["id"]] = deed.params["content"]
            case "message.delete":
                now[deed.params["id"]] = ""
            case "note.purge":
                assert deed.params["id"] not in notes, "deleted and there again"
    for message, content in now.items():
        allowed = {content}
        if under_way is not None and under_way.params.get("id") == message:
            allowed.add(under_way.params.get("content", ""))
        assert said.get(message) in allowed, f"{message}: {content[:60]!r} is owed, {said.get(message)!r} is there"
    return len(owed)


# -- minds that come and go --------------------------------------------------------------------------------------


def _come_and_go(client: Client) -> None:
    def make(name: str, number: int) -> None:
        client.ask(
            "minds", "mind.create", mind=name, title=mark_of(number), profile=("companion", "assistant")[number % 2]
        )
        client.ask("minds", "message.add", mind=name, role="user", content=f"{name} 你好", id="hello")

    make("one", 300)
    make("two", 301)
    client.ask("minds", "mind.update", mind="two", title=mark_of(302))
    client.ask("minds", "mind.delete", mind="one", confirm="one")
    make("three", 303)
    client.ask("minds", "mind.delete", mind="two", confirm="two")
    make("one", 304)
    client.ask("minds", "mind.update", mind="one", persona="A lighthouse keeper. 守灯塔的人。")
    client.ask("minds", "mind.delete", mind="three", confirm="three")
    client.ask("minds", "mind.list")


def _check_minds(state: Path, owed: list[Deed], under_way: Deed | None) -> int:
    titles: dict[str, str] = {}
    deleted: set[str] = set()
    hello: set[str] = set()
    for deed in owed:
        mind = deed.params.get("mind", "")
        match deed.method:
            case "mind.create":
                titles[mind] = deed.params["title"]
            case "mind.update":
                titles[mind] = deed.params.get("title", titles[mind])
            case "mind.delete":
                deleted.add(titles.pop(mind))
                hello.discard(mind)
            case "message.add":
                hello.add(mind)
    uncertain = under_way.params.get("mind") if under_way is not None else None
    for name in ("one", "two", "three"):
        file = state / "minds" / f"{name}.db"
        if name == uncertain:
            continue
        if name not in titles:
            assert not file.exists(), f"{name} was deleted and is there again"
            continue
        assert rows(file, "SELECT title FROM mind") == [(titles[name],)], f"{name} was acknowledged"
        said = rows(file, "SELECT client_id FROM message")
        assert said == ([("hello",)] if name in hello else []), name
    for title in deleted:
        assert files_with(state, title) == [], "a title of a deleted mind stands on the disk"
    return len(owed)


# -- a mind of a former schema -----------------------------------------------------------------------------------


def _update(client: Client) -> None:
    client.ask("upgrade", "message.list", mind="mira", limit=500)
    for number in range(6):
        client.ask("upgrade", "message.add", mind="mira", role="user", content=f"{number}: 灯塔 again", id=f"u{number}")
    client.ask("upgrade", "note.add", mind="mira", kind="episodic", text="The lamp was mended. 灯修好了。")


def _check_update(state: Path, owed: list[Deed], under_way: Deed | None) -> int:
    file, original = state / "minds" / "mira.db", state.parent / "original.db"
    before = told(thaw(OLD, "mind", original))
    for copy in (state / "minds").glob("mira.before-*.db"):
        assert told(copy) == before, "a copy from before is whole, or not there"
    with closing(driver.writer(file)()) as connection:
        migrations.migrate(connection, file, "mind")  # what the next start does
    after = told(file)
    assert all(set(before[kind]) <= set(after[kind]) for kind in before), "what was there before is there"
    assert verify.damages(file) == []
    said = {row[0] for row in after["messages"]}
    for deed in owed:
        assert deed.method != "message.add" or deed.params["id"] in said, f"acknowledged and lost: {deed}"
        assert deed.method != "note.add" or deed.params["text"] in {row[2] for row in after["notes"]}
    return len(owed)


# -- import ------------------------------------------------------------------------------------------------------

_LINES, _CALLS = 60, 6


def _import(client: Client) -> None:
    for call in range(_CALLS):
        lines = [
            {
                "role": ("user", "assistant")[number % 2], "id": f"i{number}", "at": f"2025-0{call + 1}-03T10:00:00Z",
                "content": f"{number}: we ate at Lou's, 然后去了江边。",
                "conversation": ("main", "茶话")[number % 3 == 0],
            }
            for number in range(call * _LINES, (call + 1) * _LINES)
        ]  # fmt: skip
        client.ask("import", "message.import", mind="imported", messages=lines)


def _check_import(state: Path, owed: list[Deed], under_way: Deed | None) -> int:
    file = state / "minds" / "imported.db"
    if not is_there(file, owed):
        return 0
    said = dict(rows(file, "SELECT client_id, content FROM message WHERE role IN ('user', 'assistant')"))
    lines = [line for deed in owed for line in deed.params["messages"]]
    lost = [line["id"] for line in lines if said.get(line["id"]) != line["content"]]
    assert not lost, f"acknowledged and lost: {lost}"
    return len(lines)


PARTS = (
    Part("upgrade", ("mira",), _update, _check_update),
    Part("talk", ("talker",), _talk, _check_talk),
    Part("edit", ("edited",), _edit, _check_edits),
    Part("minds", ("one", "two", "three"), _come_and_go, _check_minds),
    Part("import", ("imported",), _import, _check_import),
)


def play(path: Path) -> list[Deed]:
    """Live it all; what was asked and answered."""
    client = Client(path)
    try:
        for part in PARTS:
            part.play(client)
        return client.deeds
    finally:
        client.close()
