"""Who is talked about keeps a name: to hear it again is to learn it again, wherever it was first told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checking import Checking, Json, checking
from daemon_fixture import daemon_process

START = "2026-03-01T08:00:00Z"
DAY = 86_400
SETTINGS: Json = {"forgetting.clock": "wall", "forgetting.deletes": False}
FIRST, LAST, APART = 20, 100, 20  # days
# what is told first, the name in it, and how it comes up again
TALK = {
    "en": ("the boss is heather, wears crocs with tiny charms on", "heather", "{} brought everyone coffee on day {}"),
    "zh": ("来店里试工的叫周小川，葱花切得比我还细", "周小川", "{}今天又早到了，第{}天"),
}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checking]:
    with daemon_process(tmp_path_factory.mktemp("heard"), "--simulated-clock", START) as daemon:
        yield checking(daemon)


def lived(api: Checking, language: str, mind: str, *, is_named: bool) -> str:
    """The first note, as it shows after a hundred days in which its name came up, or did not."""
    first, name, again = TALK[language]
    api.call("mind.create", mind=mind, settings=SETTINGS)
    api.say(mind, first, speaker="Ann", id=f"{mind}-0")
    api.settle(mind)
    api.call("idle.run", mind=mind)
    note = api.call("note.list", mind=mind)["items"][0]["id"]
    for day in range(FIRST, LAST, APART):
        api.call("clock.advance", seconds=APART * DAY)
        if is_named:
            for place in (0, 1):
                api.say(mind, again.format(name, day + place), speaker="Ann", id=f"{mind}-{day}-{place}")
        else:
            api.say(mind, f"It rained on day {day}.", speaker="Ann", id=f"{mind}-{day}")
        api.settle(mind)
        api.call("idle.run", mind=mind)
    listed = api.call("note.list", mind=mind)["items"]
    return next(str(each["rendered"]) for each in listed if each["id"] == note)


@pytest.mark.parametrize("language", sorted(TALK))
def test_a_name_that_is_still_heard_stays(api: Checking, language: str) -> None:
    assert TALK[language][1] in lived(api, language, f"heard-{language}", is_named=True)


@pytest.mark.parametrize("language", sorted(TALK))
def test_a_name_that_nobody_says_any_more_fades(api: Checking, language: str) -> None:
    shown = lived(api, language, f"gone-{language}", is_named=False)
    assert TALK[language][1] not in shown
    assert "xxx" in shown
