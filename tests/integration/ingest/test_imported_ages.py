"""A history may fade as if it had been told today, or as if it had been heard when it was said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from household import Home
from shell import Shell

# said in January 2024, two years before the daemon's clock: what is vital, what is trivial; then last week
TOLD = {
    "en": ("I am allergic to penicillin.", "It rained on the market today, so I had soup.", "I bought a red bicycle."),
    "zh": ("我对青霉素过敏。", "今天集市下雨，我喝了碗汤。", "我买了一辆红色的自行车。"),
}
both = pytest.mark.parametrize("language", list(TOLD))


def lines(language: str, until: int = 40) -> list[dict[str, Any]]:
    """Forty days of talk in spring 2024, then a week ago."""
    vital, trivial, new = TOLD[language]
    said = [("2024-01-10T10:00:00Z", vital), ("2024-01-10T10:01:00Z", trivial)]
    said += [(f"2024-0{2 + day // 28}-{1 + day % 28:02}T18:00:00Z", f"ok {day}") for day in range(until)]
    said += [("2026-02-22T10:00:00Z", new)]
    return [{"role": "user", "speaker": "Mara", "content": text, "at": at} for at, text in said]


def states(home: Home, mind: str) -> list[str]:
    """How each note is told now, in the order in which they were made; what is gone from sight among them."""
    notes = home.api.call("note.list", mind=mind)["items"]
    away = home.api.call("note.list", mind=mind, state="forgotten")["items"]
    found = {note["id"]: note["state"] for note in notes} | {note["id"]: "forgotten" for note in away}
    return [found[name] for name in sorted(found, key=lambda name: int(name[1:]))]


@both
def test_what_would_have_faded_since_then_has_faded_where_that_is_asked(home: Home, language: str) -> None:
    minds = {age: home.mind(profile="companion", language=language) for age in ("as_new", "as_then")}
    for age, mind in minds.items():
        home.api.call("message.import", mind=mind, messages=lines(language), age=age)
        home.api.call("idle.run", mind=mind)
        home.api.settle(mind)
    assert states(home, minds["as_new"]) == ["clear", "clear", "clear"]
    assert states(home, minds["as_then"]) == ["clear", "blank", "clear"]  # vital; trivial; a week old
    found = home.api.call("recall", mind=minds["as_then"], query=TOLD[language][1], record=False)["items"]
    assert TOLD[language][1] not in json.dumps(found, ensure_ascii=False)
    looked = home.api.call("recall", mind=minds["as_then"], query=TOLD[language][1], reach="archive", record=False)
    assert TOLD[language][1] in json.dumps(looked["items"], ensure_ascii=False), "what was said lies in the archive"


def test_what_was_imported_may_still_be_told_to_age_until_it_is_digested(home: Home) -> None:
    mind = home.mind(profile="companion")
    for age in ("as_new", "as_then", "as_then"):
        done = home.api.call("message.import", mind=mind, messages=lines("en", 2), age=age)
    assert len(done["duplicates"]) == 5
    home.api.say(mind, "I live in Lisbon now.", speaker="Mara")
    home.api.call("idle.run", mind=mind)
    home.api.settle(mind)
    assert states(home, mind) == ["clear", "blank", "clear", "clear"], "what is said now is new"


def test_the_command_says_how_far_back_it_goes_and_what_can_be_asked(home: Home, tmp_path: Path) -> None:
    mind, file = home.mind(profile="companion"), tmp_path / "old.jsonl"
    file.write_text("\n".join(json.dumps(each, ensure_ascii=False) for each in lines("zh", 2)), "utf-8")
    shell = Shell(home.daemon.socket, home.daemon.state)
    told = shell("import", str(file), "-m", mind, "--dry-run").stdout
    assert "it goes back to 2024-01-10" in told
    assert "--age as-then" in told
    told = shell("import", str(file), "-m", mind, "--age", "as-then").stdout
    assert "it goes back" not in told
    home.api.call("idle.run", mind=mind)
    home.api.settle(mind)
    assert states(home, mind) == ["clear", "blank", "clear"]
