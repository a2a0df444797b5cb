"""A forecast comes true: what it says of a day is what the mind shows on that day, if nobody talked till then."""

from __future__ import annotations

import datetime as dt
import math

import pytest

from checking import Checking, Json, ids_of, rows
from household import Home

START = "2026-03-01T08:00:00Z"
DAY = 86_400
SWEEP = 3_600  # what falls due within an hour is swept together
FADING = 6 * SWEEP  # and what blurs within six: a note that was kept by a detail goes with it
# a text with a clause, a detail in it, and one that is held back from fading
TEXTS = {
    "en": ("At the barn Mara saw a hedgehog, and rain fell", "Mara saw a hedgehog", "hedgehog", "rain"),
    "zh": ("在老谷仓里小苇看见一只刺猬，下着大雨", "小苇看见一只刺猬", "刺猬", "大雨"),
    "mixed": ("在 barn 里 Mara 看见一只 hedgehog，下着大雨", "Mara 看见一只 hedgehog", "hedgehog", "大雨"),
}
LANGUAGES = list(TEXTS)


def moment(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text)


def until(api: Checking, at: dt.datetime) -> None:
    left = (at - moment(api.call("system.ping")["now"])).total_seconds()
    if left > 0:
        api.call("clock.advance", seconds=left)


def shown(api: Checking, mind: str, note: str) -> Json:
    return dict(api.call("note.get", mind=mind, id=note)["note"])


def assert_as_shown(api: Checking, mind: str, told: Json) -> None:
    """A forecast agrees with what the mind shows now."""
    note = shown(api, mind, told["id"])
    assert (told["text"], told["state"]) == (note["rendered"], note["state"])
    elements = {element["id"]: element for element in note["elements"]}
    assert [element["id"] for element in told["elements"]] == list(elements)
    for element in told["elements"]:
        now = elements[element["id"]]
        for name in ("level", "anchor", "state", "opacity", "blurs_at", "blanks_at"):
            assert element[name] == now[name], name
        assert element["points"][0] == [0, pytest.approx(now["opacity"], abs=1e-6)]
    links = {link["id"]: link for link in api.links(mind, note=told["id"])}
    assert {link["id"] for link in told["links"]} == links.keys()
    for link in told["links"]:
        now = links[link["id"]]
        assert (link["dies_at"], link["strength"]) == (now["dies_at"], now["strength"])


# -- it comes true -------------------------------------------------------------------------------------------


WAYS = [
    ("experienced", "exponential", "en"), ("experienced", "power", "zh"), ("experienced", "exponential", "mixed"),
    ("wall", "exponential", "zh"), ("wall", "power", "mixed"), ("wall", "power", "en"),
]  # fmt: skip


@pytest.mark.parametrize(("clock", "curve", "language"), WAYS)
def test_every_point_of_a_forecast_comes_true(house: Home, clock: str, curve: str, language: str) -> None:
    api = house.api
    mind = house.mind(settings={"forgetting.clock": clock, "forgetting.curve": curve, "forgetting.scale": 1.5})
    text, clause, detail, anchored = TEXTS[language]
    note = api.note(mind, text, importance=0.2, elements=[
        {"quote": clause, "level": 1}, {"quote": detail, "level": 2},
        {"quote": anchored, "level": 2, "anchor": "forced"},
    ])  # fmt: skip
    for strength in (0.9, 0.3, 0.08):
        other = api.note(mind, f"other {strength} 别的", pinned=True)
        api.call("link.add", mind=mind, src=note, dst=other, strength=strength)
    told = api.call("note.forecast", mind=mind, id=note, days=20)
    assert [element["quote"] for element in told["elements"] if element["level"]] == [clause, detail, anchored]
    assert_as_shown(api, mind, told)
    began = moment(told["now"])
    later = {link["id"]: dict(link["points"]) for link in told["links"]}
    dies = {link["id"]: moment(link["dies_at"]) for link in told["links"]}
    for day in [day for day, _ in told["elements"][0]["points"]][::17]:
        until(api, began + dt.timedelta(days=day))
        seen = {element["id"]: element for element in shown(api, mind, note)["elements"]}
        for element in told["elements"]:
            now = seen[element["id"]]
            assert now["opacity"] == pytest.approx(dict(element["points"])[day], abs=1e-6), (day, element["id"])
            for name in ("blurs_at", "blanks_at"):
                assert abs((moment(now[name]) - moment(element[name])).total_seconds()) < 0.01
            reached = began + dt.timedelta(days=day)
            past = [moment(element[name]) <= reached for name in ("blurs_at", "blanks_at")]
            assert now["state"] == {0: "clear", 1: "blurred", 2: "blank"}[sum(past)]
        links = {link["id"]: link["strength"] for link in api.links(mind, note=note)}
        for link, points in later.items():
            if link in links and points[day]:
                assert links[link] == pytest.approx(points[day], abs=1e-6), (day, link)
            else:
                assert points[day] == 0.0
                overdue = (began + dt.timedelta(days=day) - dies[link]).total_seconds()
                assert link not in links or 0 <= overdue <= SWEEP, "it waits for its sweep, no longer"
    assert day >= 15


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_masked_now_stands_nowhere_in_a_forecast(house: Home, language: str) -> None:
    """Not as a quote, not inside the quote of what holds it; its gist is told while it is only blurred."""
    api, mind = house.api, house.mind(settings={"forgetting.clock": "wall"})
    text, clause, detail, anchored = TEXTS[language]
    gist = {"en": "some animal", "zh": "某种动物", "mixed": "某种 animal"}[language]
    note = api.note(mind, text, pinned=False, elements=[
        {"quote": clause, "level": 1}, {"quote": detail, "level": 2, "gist": gist},
        {"quote": anchored, "level": 2, "anchor": "spontaneous"},
    ])  # fmt: skip
    start = moment(api.call("system.ping")["now"])
    for days, state in ((5, "blurred"), (11, "blank")):
        until(api, start + dt.timedelta(days=days))
        told = api.call("note.forecast", mind=mind, id=note, days=30)
        assert told["state"] == "blurred", "something of it still shows"
        whole, *parts = sorted(told["elements"], key=lambda element: element["level"] + element["opacity"] / 2)
        assert whole["level"] == 0
        by_name = {element.get("quote"): element for element in parts}
        assert by_name[anchored]["state"] == "clear"
        (faded,) = [element for element in parts if element["state"] == state]
        assert faded.get("gist") == (gist if state == "blurred" else None)
        assert "quote" not in faded
        assert detail not in str(told)
        assert anchored in whole["quote"]
        assert "xxx" in whole["quote"]
        assert (gist in told["text"]) is (state == "blurred")


@pytest.mark.parametrize("clock", ["experienced", "wall"])
def test_a_note_is_forgotten_when_its_forecast_says_so(house: Home, clock: str) -> None:
    api = house.api
    mind = house.mind(settings={"forgetting.clock": clock, "forgetting.dormancy_rate": 0.5})
    alone = api.note(mind, "gravel 砾石", importance=0.0)
    linked = api.note(mind, "a bridge 桥", importance=0.0)
    api.call("link.add", mind=mind, src=linked, dst=api.note(mind, "the river 河", pinned=True), strength=0.5)
    ends = {}
    for note in (alone, linked):
        dies = api.call("note.forecast", mind=mind, id=note)["dies"]
        assert dies["kept_by"] is None
        ends[note] = moment(dies["at"])
    for note, end in sorted(ends.items(), key=lambda pair: pair[1]):
        until(api, end - dt.timedelta(seconds=1))
        assert shown(api, mind, note)["lifecycle"] != "forgotten"
        until(api, end + dt.timedelta(seconds=FADING))
        gone = shown(api, mind, note)
        assert (gone["lifecycle"], gone["reason"]) == ("forgotten", "isolated")
    found = {item["id"]: item for item in api.notes(mind, state="forgotten")}
    assert set(ends) == set(found)
    for note, end in ends.items():
        item = found[note]
        assert 0 <= (moment(item["forgotten_at"]) - end).total_seconds() <= FADING
        assert moment(item["purge_at"]) - moment(item["forgotten_at"]) == dt.timedelta(days=30)
        told = api.call("note.forecast", mind=mind, id=note)["dies"]
        assert told == {"at": item["purge_at"], "kept_by": "tombstone"}
    api.call("note.restore", mind=mind, id=alone)
    assert not {"reason", "forgotten_at", "purge_at"} & shown(api, mind, alone).keys()
    assert "reason" not in api.notes(mind)[0]


def test_a_word_makes_the_days_count_again(house: Home) -> None:
    """A forecast is for silence: after a talk the same note fades as on the first days."""
    api, mind = house.api, house.mind()
    note = api.note(mind, TEXTS["en"][0])
    until(api, moment(api.call("system.ping")["now"]) + dt.timedelta(days=10))
    tired = api.call("note.forecast", mind=mind, id=note, days=2)
    api.say(mind, "I am back 我回来了")
    fresh = api.call("note.forecast", mind=mind, id=note, days=2)
    for slow, quick in zip(tired["elements"], fresh["elements"], strict=True):
        assert slow["points"][0] == quick["points"][0]
        fallen = [math.log(span["points"][0][1] / span["points"][-1][1]) for span in (slow, quick)]
        assert fallen[1] == pytest.approx(10 * fallen[0], rel=0.01)


def test_looking_ahead_writes_nothing_and_rehearses_nothing(house: Home) -> None:
    api, mind = house.api, house.mind()
    note = api.note(mind, TEXTS["zh"][0])
    api.call("link.add", mind=mind, src=note, dst=api.note(mind, "x 某"), strength=0.4)
    api.settle(mind)
    tables = "SELECT group_concat(a0 || t0 || stability) FROM {}"
    before = [rows(house.daemon, mind, tables.format(table)) for table in ("element", "link")]
    answers = [api.call("note.forecast", mind=mind, id=note, days=days) for days in (30, 30)]
    assert answers[0] == answers[1]
    assert [rows(house.daemon, mind, tables.format(table)) for table in ("element", "link")] == before
    assert api.status(mind)["state"] == "idle"


# -- what does not fade --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "params", "kept"),
    [
        ("companion", {"pinned": True}, "pinned"),
        ("companion", {"kind": "lore"}, "lore"),
        ("assistant", {}, "settings"),
    ],
)
def test_what_does_not_fade_has_a_level_curve(house: Home, profile: str, params: Json, kept: str) -> None:
    api, mind = house.api, house.mind(profile=profile)
    note = api.note(mind, TEXTS["mixed"][0], **params)
    told = api.call("note.forecast", mind=mind, id=note)
    assert_as_shown(api, mind, told)
    for element in told["elements"]:
        assert (element["blurs_at"], element["blanks_at"]) == (None, None)
        assert len({strength for _, strength in element["points"]}) == 1
        assert element["quote"]
    assert told["dies"] == {"at": None, "kept_by": kept}


def test_the_strongest_links_are_told_and_the_rest_counted(house: Home) -> None:
    api, mind = house.api, house.mind()
    note = api.note(mind, "hub 中心")
    for number in range(43):
        api.call("link.add", mind=mind, src=note, dst=api.note(mind, f"spoke {number}"), strength=(number + 1) / 50)
    told = api.call("note.forecast", mind=mind, id=note)
    assert len(told["links"]) == 40
    assert told["more_links"] == 3
    strengths = [link["strength"] for link in told["links"]]
    assert strengths == sorted(strengths, reverse=True)
    assert min(strengths) == pytest.approx(0.08, abs=1e-6)


# -- what is refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("days", [0, -1, 3_651, 10**6, 2.5, "30", True])
def test_days_that_are_none(house: Home, days: object) -> None:
    mind = house.mind()
    note = house.api.note(mind, "x 某")
    error = house.api.refused_raw("invalid_params", "note.forecast", {"mind": mind, "id": note, "days": days})
    assert "days" in error.message


@pytest.mark.parametrize("days", [1, 3_650])
def test_the_nearest_and_the_farthest_day(house: Home, days: int) -> None:
    mind = house.mind()
    told = house.api.call("note.forecast", mind=mind, id=house.api.note(mind, "x 某"), days=days)
    for element in told["elements"]:
        assert element["points"][-1][0] == days
        assert len(element["points"]) <= 120


@pytest.mark.parametrize("unknown", ["n999", "l1", "soup", "n-1", "n1x"])
def test_notes_that_are_none(house: Home, unknown: str) -> None:
    mind = house.mind()
    house.api.refused("not_found", "note.forecast", mind=mind, id=unknown)
    house.api.refused("mind_not_found", "note.forecast", mind="nobody", id="n1")


def test_a_conversation_is_told_nothing_of_links_it_may_not_see(house: Home) -> None:
    """Not even when the note goes, which those links decide too."""
    api = house.api
    mind = house.mind(settings={"recall.sharing": "conversation"})
    common = api.note(mind, "The well in the yard 院子里的井", importance=0.0)
    blind = ids_of(house.daemon, mind).blind
    before = api.call("note.forecast", mind=mind, id=blind(common), conversation="pub", days=30)
    secret = api.note(mind, "Mara hid the ring there 戒指藏在那里", conversation="home")
    api.call("link.add", mind=mind, src=common, dst=secret, strength=0.9)
    assert api.call("note.forecast", mind=mind, id=blind(common), conversation="pub", days=30) == before
    assert "dies" not in before
    api.refused("not_found", "note.forecast", mind=mind, id=secret, conversation="pub")
    owner = api.call("note.forecast", mind=mind, id=common, days=30)
    assert [blind(link["note"]) for link in owner["links"]] == [secret]
    assert owner["dies"]["at"]
