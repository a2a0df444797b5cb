"""The terminal interface, its keys pressed by Textual's own pilot, before a real daemon."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("textual", reason="the extra soulmem[tui] is not installed")

from textual.pilot import Pilot
from textual.widgets import DataTable, Input, RichLog, Static, TextArea

from daemon_fixture import Daemon, daemon_process
from shell import Shell
from soulmem.bridges.tui.memory_app import MemoryApp
from soulmem.bridges.tui.note_text import event_line, plain, row, told
from soulmem.bridges.tui.wording import LANGUAGES, WORDS, language_of
from soulmem.client import AsyncClient

TEXTS = {
    "en": "Mara is allergic to hazelnuts.",
    "zh": "小苇对青霉素过敏，也怕雷雨。",
    "mixed": "Mara 在 Lisbon 养了两只猫。",
}
PATIENCE_S = 20


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("tui")) as running:
        yield running


@pytest.fixture
def mind(daemon: Daemon, request: pytest.FixtureRequest) -> str:
    """A mind of the test's own with three notes."""
    name = f"m{abs(hash(request.node.name)) % 10**9}"
    for at, text in zip(("2026-01-01", "2026-01-02", "2026-01-03"), TEXTS.values(), strict=True):
        daemon.call("note.add", {"mind": name, "kind": "semantic", "text": text, "at": f"{at}T00:00:00Z"})
    return name


@asynccontextmanager
async def screen(
    daemon: Daemon, mind: str | None, language: str = "en"
) -> AsyncIterator[tuple[MemoryApp, Pilot[None]]]:
    async with AsyncClient(daemon.socket) as client:
        app = MemoryApp(client, mind, language)
        async with app.run_test(size=(140, 40)) as pilot:
            await until(pilot, lambda: app.query_one(DataTable).row_count > 0 or mind is None)
            yield app, pilot


async def until(pilot: Pilot[None], true: Callable[[], bool]) -> None:
    for _ in range(PATIENCE_S * 20):
        await pilot.pause()
        if true():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the screen does not come to show it")


def full(app: MemoryApp) -> str:
    """The note in full, as it stands on the screen."""
    return str(app.query_one("#told", Static).content)


def listed(app: MemoryApp) -> list[str]:
    table = app.query_one(DataTable)
    return [str(table.get_row_at(number)[2]) for number in range(table.row_count)]


def seen(daemon: Daemon, mind: str, **filters: Any) -> list[dict[str, Any]]:
    items = daemon.call("note.list", {"mind": mind, **filters})["items"]
    return sorted(items, key=lambda item: item["at"])


@pytest.mark.parametrize("language", LANGUAGES)
async def test_minds_notes_and_one_note_are_shown_in_both_languages(daemon: Daemon, mind: str, language: str) -> None:
    async with screen(daemon, mind, language) as (app, pilot):
        assert app.query_one("#minds").border_title == WORDS[language]["minds"]
        assert listed(app) == list(reversed(TEXTS.values()))
        await until(pilot, lambda: TEXTS["mixed"] in full(app))
        await pilot.press("down")
        await until(pilot, lambda: TEXTS["zh"] in full(app))
        assert WORDS[language]["version"].format(number=1) in full(app)
        shot = app.export_screenshot()
        assert "青霉素" in shot
        assert WORDS[language]["edit"] in shot


async def test_a_search_finds_and_leaves_no_trace(daemon: Daemon, mind: str) -> None:
    async with screen(daemon, mind) as (app, pilot):
        for question, answer in (("hazelnuts", "en"), ("青霉素", "zh"), ("Lisbon 的猫", "mixed")):
            await pilot.press("slash")
            app.query_one(Input).value = question
            await pilot.press("enter")
            await until(pilot, lambda answer=answer: TEXTS[answer] in full(app))
            assert listed(app)[0] == TEXTS[answer]
        await pilot.press("escape")
        await until(pilot, lambda: len(listed(app)) == len(TEXTS))
    assert daemon.call("recall", {"mind": mind, "query": "Lisbon"})["recall_id"] == "r1"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_was_asked_to_be_forgotten_in_vain_stands_with_the_forgotten(
    daemon: Daemon, mind: str, language: str
) -> None:
    said = {"en": "Please forget what I told you about the boat.", "zh": "那个网贷的事你给我忘了吧"}[language]
    daemon.call("message.add", {"mind": mind, "role": "user", "content": said, "id": "asks", "speaker": "Orrin"})
    daemon.call("idle.run", {"mind": mind})
    async with screen(daemon, mind, language) as (app, pilot):
        await pilot.press("t")
        await until(pilot, lambda: any(WORDS[language]["unmet"] in line for line in listed(app)))
        assert app.query_one(DataTable).get_row_at(0)[0].plain == "main/asks"
        await until(pilot, lambda: WORDS[language]["unmet_nothing"] in full(app))
        await pilot.press("f")  # it is no note
        assert seen(daemon, mind)


@pytest.mark.parametrize("wording", ["Mara may eat almonds.", "小苇只对青霉素过敏。"])
async def test_a_note_is_reworded_with_its_history_and_back(daemon: Daemon, mind: str, wording: str) -> None:
    async with screen(daemon, mind) as (app, pilot):
        await until(pilot, lambda: TEXTS["mixed"] in full(app))
        await pilot.press("e")
        app.screen.query_one(TextArea).text = wording
        await pilot.press("ctrl+s")
        await until(pilot, lambda: wording in full(app))
        assert "History" in full(app)
        assert f"version 1: {TEXTS['mixed']}" in full(app)
        assert seen(daemon, mind)[-1]["text"] == wording
        await pilot.press("u")
        await until(pilot, lambda: full(app).startswith(TEXTS["mixed"]))
    assert seen(daemon, mind)[-1]["text"] == TEXTS["mixed"]


@pytest.mark.torture
async def test_a_wording_that_is_left_or_empty_changes_nothing(daemon: Daemon, mind: str) -> None:
    async with screen(daemon, mind) as (app, pilot):
        await until(pilot, lambda: app.shown is not None)
        for text, key in (("", "ctrl+s"), ("something else", "escape")):
            await pilot.press("e")
            app.screen.query_one(TextArea).text = text
            await pilot.press(key)
            assert not app.screen.query(TextArea)
    assert [each["version"] for each in seen(daemon, mind)] == [1, 1, 1]


async def test_it_is_pinned_forgotten_restored_and_all_that_taken_back(daemon: Daemon, mind: str) -> None:
    async with screen(daemon, mind) as (app, pilot):
        await until(pilot, lambda: app.shown is not None)
        await pilot.press("p")
        await until(pilot, lambda: bool(seen(daemon, mind)[-1]["pinned"]))
        await until(pilot, lambda: bool(app.shown and app.shown["pinned"]))
        await pilot.press("u")
        await until(pilot, lambda: not (app.shown and app.shown["pinned"]))
        assert not seen(daemon, mind)[-1]["pinned"]
        await pilot.press("f", "n")
        await pilot.press("f", "y")
        await until(pilot, lambda: TEXTS["mixed"] not in listed(app))
        assert len(seen(daemon, mind)) == 2
        await pilot.press("t")
        await until(pilot, lambda: listed(app) == [TEXTS["mixed"]] and app.shown is not None)
        await pilot.press("r")
        await until(pilot, lambda: listed(app) == [])
        assert len(seen(daemon, mind)) == 3
        await pilot.press("u")
        await until(pilot, lambda: len(seen(daemon, mind)) == 2)
        await pilot.press("u")
        await until(pilot, lambda: len(seen(daemon, mind)) == 3)
        await pilot.press("t")
        await until(pilot, lambda: len(listed(app)) == 3)
        await pilot.press("u")
        assert [str(each.message) for each in app._notifications][-1] == WORDS["en"]["nothing_to_undo"]


async def test_what_happens_is_shown_while_it_happens(daemon: Daemon, mind: str) -> None:
    async with screen(daemon, mind) as (app, pilot):
        log = app.query_one("#events", RichLog)
        await asyncio.sleep(0.3)  # it listens by then
        told_now = "林溪搬到了杭州。"
        daemon.call("note.add", {"mind": mind, "kind": "semantic", "text": told_now})
        await until(pilot, lambda: any("note_created" in line.text and mind in line.text for line in log.lines))
        await until(pilot, lambda: told_now in listed(app))
        await pilot.press("l")
        assert not log.display


async def test_another_mind_is_chosen(daemon: Daemon, mind: str) -> None:
    daemon.call("mind.create", {"mind": f"{mind}-b", "title": "小满 [bold]"})
    daemon.call("note.add", {"mind": f"{mind}-b", "kind": "semantic", "text": "[red]x[/red] \x1b[31m\x07"})
    async with screen(daemon, mind) as (app, pilot):
        minds = app.query_one("#minds")
        minds.highlighted = minds.get_option_index(f"{mind}-b")
        await until(pilot, lambda: app.mind == f"{mind}-b" and len(listed(app)) == 1)
        assert listed(app) == ["[red]x[/red]  [31m "], "nothing of it paints"
        assert str(minds.get_option(f"{mind}-b").prompt) == "小满 [bold]"


@pytest.mark.torture
async def test_what_the_daemon_refuses_is_told_and_the_screen_stays(daemon: Daemon, mind: str) -> None:
    async with screen(daemon, mind) as (app, pilot):
        await until(pilot, lambda: app.shown is not None)
        daemon.call("note.purge", {"mind": mind, "id": app.shown["id"]})  # type: ignore[index]
        await pilot.press("p")
        await until(pilot, lambda: any(each.severity == "error" for each in app._notifications))
        await pilot.press("f5")
        await until(pilot, lambda: len(listed(app)) == 2)


@pytest.mark.torture
async def test_without_a_daemon_it_says_so_and_comes_back(tmp_path: Path) -> None:
    async with AsyncClient(tmp_path / "d.sock") as client:
        app = MemoryApp(client, None, "zh")
        async with app.run_test() as pilot:
            await until(pilot, lambda: any(WORDS["zh"]["away"] in str(each.message) for each in app._notifications))
            with daemon_process(tmp_path) as late:
                late.call("note.add", {"mind": "x", "kind": "semantic", "text": "回来了"})
                await pilot.press("f5")
                await until(pilot, lambda: listed(app) == ["回来了"])
                await pilot.press("q")


def test_the_command_wants_a_daemon_and_a_terminal(daemon: Daemon, tmp_path: Path) -> None:
    assert "needs a terminal" in Shell(daemon.socket, tmp_path)("tui", code=2).stderr
    assert "soulmem daemon" in Shell(tmp_path / "none.sock", tmp_path)("tui", code=69).stderr


def test_both_languages_have_all_words_and_the_terminal_chooses() -> None:
    assert WORDS["en"].keys() == WORDS["zh"].keys()
    chosen = [language_of({"LANG": name}) for name in ("zh_CN.UTF-8", "de_DE.UTF-8", "C", "")]
    assert chosen == ["zh", "en", "en", "en"]
    assert language_of({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"}) == "en"


def test_a_faded_note_shows_what_was_told_beside_what_is_left() -> None:
    note = {"id": "n1", "text": "Mara lives in Lisbon.", "rendered": "Mara lives in xxx(a town).", "state": "blurred"}
    text = str(told(note, {}, WORDS["en"]))
    assert text.startswith("Mara lives in xxx(a town).")
    assert "as first written: Mara lives in Lisbon." in text
    assert str(row(note)[2]) == "Mara lives in xxx(a town)."
    over = {**note, "valid_to": "2026-03-01T12:00:00Z"}
    assert str(row(over)[2]) == "→2026-03-01 Mara lives in xxx(a town)."
    assert "secret" not in str(event_line({"event": "x", "level": "info"}))
    assert plain("a\x1b[2J\u202eb") == "a [2J b"
