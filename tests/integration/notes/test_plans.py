"""Plans through the socket: made, listed, moved, settled, replaced, missed, and refused with one clear error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from checking import Json
from daemon_fixture import daemon_process
from household import DAY, START, Home

WORDS = {
    "en": ("Breakfast with Tom", "Dentist", "Stay in bed"),
    "zh": ("和小林吃早饭", "看牙医", "在家躺着"),
    "mixed": ("和 Tom 吃早饭", "Dentist 牙医", "在家 sleep"),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with daemon_process(tmp_path_factory.mktemp("plans"), "--simulated-clock", START) as daemon:
        yield Home(daemon)


@pytest.fixture
def mind(home: Home) -> Iterator[str]:
    made = home.made
    yield home.mind(profile="companion")
    home.leave(made)


def item(text: str, hour: int, lasts: int = 1, day: int = 2, **more: Any) -> Json:
    start, end = (f"2026-03-{day:02}T{each:02}:00:00Z" for each in (hour, hour + lasts))
    return {"text": text, "start": start, "end": end, **more}


def add(home: Home, mind: str, *items: Json, **more: Any) -> list[str]:
    return [each["id"] for each in home.api.call("plan.add", mind=mind, items=list(items), **more)["items"]]


def states(home: Home, mind: str, **more: Any) -> dict[str, str]:
    return {each["id"]: each["status"] for each in home.api.call("plan.list", mind=mind, **more)["items"]}


@pytest.mark.parametrize("language", WORDS)
def test_the_newer_wins_and_what_gave_way_holds_again_when_it_is_deleted(home: Home, mind: str, language: str) -> None:
    meal, tooth, bed = WORDS[language]
    (first,) = add(home, mind, item(meal, 8, 3))
    (later,) = add(home, mind, item(tooth, 10))
    made = home.api.call("plan.add", mind=mind, items=[item(bed, 9, 4)])
    (newest,) = [each["id"] for each in made["items"]]
    assert (made["superseded"], made["shortened"]) == ([later], [first])
    plans = {each["id"]: each for each in home.api.call("plan.list", mind=mind)["items"]}
    assert plans[first]["end"] == "2026-03-02T09:00:00Z"
    assert plans[first]["told_end"] == "2026-03-02T11:00:00Z"
    assert plans[later]["status"] == "superseded"
    assert plans[later]["superseded_by"] == newest
    assert home.api.call("plan.delete", mind=mind, id=newest)["purged"]
    plans = {each["id"]: each for each in home.api.call("plan.list", mind=mind)["items"]}
    assert plans[later]["status"] == "planned"
    assert plans[first]["end"] == "2026-03-02T10:00:00Z", "the one before still ends where the second begins"
    home.api.refused("not_found", "plan.delete", mind=mind, id=newest)


def test_planned_anew_from_a_time_on(home: Home, mind: str) -> None:
    day = home.api.call(
        "plan.add", mind=mind, items=[{"text": "A day in Bergen", "start": "2026-03-02", "level": "day"}]
    )["items"][0]["id"]
    parts = add(home, mind, item("Museum", 9, 3), item("Harbour", 13, 3), parent=day)
    fine = add(
        home,
        mind,
        item("Buy the ticket", 9, level="action"),
        item("The upper floor", 11, level="action"),
        parent=parts[0],
    )
    other = add(home, mind, item("Train home", 9, day=3))
    made = home.api.call(
        "plan.supersede", mind=mind, **{"from": "2026-03-02T11:00:00Z", "to": "2026-03-03T00:00:00Z"},
        items=[item("In bed with a fever", 11, 9)],
    )  # fmt: skip
    assert made["superseded"] == [parts[1], fine[1]]
    assert made["shortened"] == [parts[0]]
    assert states(home, mind, status=["planned"]).keys() == {day, parts[0], fine[0], *other, made["items"][0]["id"]}
    rest = home.api.call("plan.supersede", mind=mind, **{"from": "2026-03-03T00:00:00Z"})
    assert (rest["items"], rest["superseded"]) == ([], other)
    assert states(home, mind)[other[0]] == "superseded"


def test_what_becomes_of_a_plan(home: Home, mind: str) -> None:
    whole, other = add(home, mind, item("Clean the house", 9, 3), item("Call Ann", 14))
    (part,) = add(home, mind, item("Windows", 10, level="action"), parent=whole)
    moved = home.api.call("plan.update", mind=mind, id=whole, start="2026-03-02T10:00:00Z")["items"][0]
    assert (moved["start"], moved["end"]) == ("2026-03-02T10:00:00Z", "2026-03-02T13:00:00Z")
    assert home.api.call("plan.list", mind=mind, parent=whole)["items"][0]["start"] == "2026-03-02T11:00:00Z"
    assert home.api.call("note.get", mind=mind, id=whole)["note"]["at"] == "2026-03-02T10:00:00Z"
    onto = home.api.call("plan.update", mind=mind, id=other, start="2026-03-02T11:00:00Z")
    assert onto["shortened"] == [whole]
    assert onto["superseded"] == [part]
    assert home.api.call("plan.update", mind=mind, id=other, status="done")["items"][0]["status"] == "done"
    dropped = home.api.call("plan.update", mind=mind, id=whole, status="dropped", text="Clean it all")
    assert dropped["items"][0]["status"] == "dropped"
    assert dropped["items"][0]["text"] == "Clean it all"
    again = home.api.call("plan.update", mind=mind, id=whole, status="planned")
    assert again["items"][0]["status"] == "planned"
    assert again["items"][0]["end"] == "2026-03-02T13:00:00Z"
    assert states(home, mind) == {whole: "planned", other: "done", part: "superseded"}
    home.api.refused("version_conflict", "plan.update", mind=mind, id=whole, text="x", version=1)


def test_what_nobody_settled_is_missed_once_in_the_idle_hours(home: Home, mind: str) -> None:
    gone, kept, ahead = add(home, mind, item("Run", 9), item("Read", 11), item("Swim", 9, day=20))
    home.api.call("plan.update", mind=mind, id=kept, status="done")
    home.pass_time(DAY + 2 * 3600 - 1800)
    assert states(home, mind)[gone] == "active"
    home.pass_time(3600)
    home.api.call("idle.run", mind=mind)
    assert states(home, mind) == {gone: "missed", kept: "done", ahead: "planned"}
    jobs = [each for each in home.api.jobs(mind) if each["step"] == "plans"]
    assert [each["result"] for each in jobs] == [{"missed": 1}]
    history = home.api.call("note.history", mind=mind, id=gone)["history"]
    assert [each["action"] for each in history] == ["note_created", "plan_missed"]
    home.api.call("idle.run", mind=mind)
    assert [each for each in home.api.jobs(mind) if each["step"] == "plans"] == jobs
    assert home.api.call("plan.update", mind=mind, id=gone, status="done")["items"][0]["status"] == "done"
    assert (
        "its time is over"
        in home.api.refused("invalid_params", "plan.update", mind=mind, id=gone, status="planned").message
    )


WRONG: list[tuple[str, Json, str]] = [
    ("invalid_time", {"end": "2026-03-02T08:00:00Z"}, "ends before it begins"),
    ("invalid_time", {"end": "2026-03-02T09:00:00Z"}, "no time at all"),
    ("invalid_time", {"start": "0000-12-31T00:00:00Z"}, "calendar"),
    ("invalid_time", {"start": "0001-01-01T00:00:00+01:00"}, "0001 to 9999"),
    ("invalid_time", {"start": "9999-12-31T23:59:59Z", "end": None}, "0001 to 9999"),
    ("invalid_time", {"start": "tomorrow 明天"}, "not an ISO 8601 time"),
    ("invalid_params", {"level": "week"}, "level"),
    ("invalid_text", {"text": " "}, "empty"),
]


@pytest.mark.parametrize(("name", "given", "said"), WRONG)
def test_what_cannot_be_a_plan_is_refused_and_nothing_is_made(
    home: Home, mind: str, name: str, given: Json, said: str
) -> None:
    wrong = {key: value for key, value in {**item("A walk 散步", 9), **given}.items() if value is not None}
    error = home.api.refused(name, "plan.add", mind=mind, items=[item("Rest 休息", 7), wrong])
    assert said in error.message
    assert states(home, mind) == {}


def test_the_ends_of_the_calendar_can_be_planned_for(home: Home, mind: str) -> None:
    old, new = add(
        home, mind, {"text": "Found Rome 建城", "start": "0001-01-01", "level": "day"},
        {"text": "Look back 回顾", "start": "9999-12-31T23:00:00Z", "end": "9999-12-31T23:59:59.999Z"},
    )  # fmt: skip
    everything = {"text": "Be 存在", "start": "0001-01-01T00:00:00Z", "end": "9999-12-31T23:59:59Z", "level": "action"}
    (always,) = add(home, mind, everything)
    assert states(home, mind) == {old: "planned", always: "active", new: "planned"}
    home.api.call("idle.run", mind=mind)
    assert states(home, mind)[old] == "missed"
    for plan in (old, new, always):
        assert home.api.call("note.forecast", mind=mind, id=plan)["id"] == plan


def test_a_call_takes_two_hundred_and_a_thousand_are_refused_at_once(home: Home, mind: str) -> None:
    def minute(number: int) -> Json:
        start = f"2026-03-02T{number // 60:02}:{number % 60:02}:00Z"
        end = f"2026-03-02T{(number + 1) // 60:02}:{(number + 1) % 60:02}:00Z"
        return {"text": f"Step {number} 第{number}步", "start": start, "end": end, "level": "action"}

    assert (
        "at most 200"
        in home.api.refused(
            "invalid_params", "plan.add", mind=mind, items=[minute(each) for each in range(1_000)]
        ).message
    )
    assert len(add(home, mind, *[minute(each) for each in range(200)])) == 200
    one = home.api.call("plan.add", mind=mind, items=[item("Sleep 睡觉", 0, 23, level="action")])
    assert len(one["superseded"]) == 200
    first = home.api.call("plan.list", mind=mind, limit=150)
    rest = home.api.call("plan.list", mind=mind, limit=150, cursor=first["next_cursor"])
    assert len({each["id"] for each in first["items"] + rest["items"]}) == 201
    assert rest["next_cursor"] is None


def test_parts_and_calls_that_cannot_be_are_told_apart(home: Home, mind: str) -> None:
    (whole,) = add(home, mind, item("Work 上班", 9, 3))
    for wrong, said in (
        ([item("x", 9)], "no part of a plan of the level hour"),
        ([item("x", 11, 2, level="action")], "lies outside of the plan"),
        ([item("x", 9, level="action"), item("y", 9, level="action")], "items.0 and items.1 overlap"),
    ):
        assert said in home.api.refused("invalid_params", "plan.add", mind=mind, items=wrong, parent=whole).message
    note = home.api.note(mind, "no plan 不是计划", kind="plan")
    for method, given in (("plan.update", {"status": "done"}), ("plan.delete", {})):
        assert "is no plan" in home.api.refused("invalid_params", method, mind=mind, id=note, **given).message
        home.api.refused("not_found", method, mind=mind, id="n999", **given)
    home.api.refused("invalid_params", "note.update", mind=mind, id=whole, at="2026-03-01T00:00:00Z")
    home.api.refused("invalid_params", "note.restore", mind=mind, id=whole, version=1)
    home.api.refused("invalid_params", "plan.update", mind=mind, id=whole)
    home.api.refused("invalid_time", "plan.supersede", mind=mind, **{"from": "2026-03-02", "to": "2026-03-02"})
    assert home.api.call("plan.update", mind=mind, id=whole, status="dropped")
    assert (
        "not to be kept"
        in home.api.refused(
            "invalid_params", "plan.add", mind=mind, items=[item("x", 9, level="action")], parent=whole
        ).message
    )


def test_a_call_under_a_key_is_done_once(home: Home, mind: str) -> None:
    given: Json = {"mind": mind, "items": [item("Bake 烤面包", 9)], "key": "k1"}
    first = home.api.call("plan.add", **given)
    again = home.api.call("plan.add", **given)
    assert again == first | {"duplicate": True}
    home.api.refused("idempotency_conflict", "plan.add", **{**given, "items": [item("Bake more 多烤", 9)]})
    (plan,) = [each["id"] for each in first["items"]]
    done = {"mind": mind, "id": plan, "status": "done", "key": "k2"}
    assert home.api.call("plan.update", **done)["items"][0]["version"] == 2
    assert home.api.call("plan.update", **done)["items"][0]["version"] == 2
    assert home.api.call("plan.delete", mind=mind, id=plan, key="k3")["purged"]
    assert home.api.call("plan.delete", mind=mind, id=plan, key="k3")["duplicate"]
    assert home.api.call("plan.add", **given)["items"] == [], "what was deleted does not come back"
    assert states(home, mind) == {}


def test_a_plan_does_not_fade_before_its_time(home: Home, mind: str) -> None:
    far = {"text": "See the eclipse in Burgos 去看日食", "start": "2026-12-20T18:00:00Z", "importance": 0.2}
    (plan,) = add(home, mind, far)
    near = home.api.note(mind, "Saw a heron 看见一只苍鹭", importance=0.2)
    home.pass_time(200 * DAY)
    home.api.call("idle.run", mind=mind)
    assert home.api.call("plan.list", mind=mind)["items"][0]["state"] == "clear"
    assert near not in {each["id"] for each in home.api.notes(mind) if each["state"] == "clear"}
    home.api.call("plan.update", mind=mind, id=plan, start="2027-06-01T18:00:00Z")
    home.pass_time(200 * DAY)
    assert home.api.call("plan.list", mind=mind)["items"][0]["state"] == "clear"
