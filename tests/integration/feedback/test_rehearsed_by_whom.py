"""Only what was laid before somebody is rehearsed: talk of other things keeps nothing alive, being asked for does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checking import Json, rows
from daemon_fixture import daemon_process
from faded_minds import DAY, House
from spread import IN_FULL

START = "2026-03-01T08:00:00Z"
TALES = {
    "en": (
        "Mara mended the copper kettle in the boathouse.",
        "I bought a copper kettle too.",
        "Who mended the kettle?",
    ),
    "zh": ("阿宁在船屋修好了那把铜壶。", "我也买了一把铜壶。", "铜壶是谁修的？"),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    env = {"SOULMEM_EMBEDDER_NAME": "hashing"}
    with daemon_process(tmp_path_factory.mktemp("who"), "--simulated-clock", START, env=env) as daemon:
        yield House(daemon, None)


@pytest.fixture(autouse=True)
def _left(house: House) -> Iterator[None]:
    yield
    house.api.delete_minds()


def whole(house: House, mind: str, note: str) -> Json:
    found: Json = house.api.call("note.get", mind=mind, id=note)["note"]["elements"][0]
    return found


@pytest.mark.parametrize("language", TALES)
@pytest.mark.parametrize("waits", [False, True])
def test_a_message_rehearses_what_it_brings_to_mind_only_if_somebody_waits_for_that(
    house: House, language: str, waits: bool
) -> None:
    tale, near, _ = TALES[language]
    mind = f"who-{language}-{str(waits).lower()}"
    settings = {"forgetting.clock": "wall", "idle.replay": False}  # a night would go over what belongs to the day
    house.api.call("mind.create", mind=mind, settings=settings)
    note = house.api.note(mind, tale)
    for day in range(1, 6):
        house.api.call("clock.advance", seconds=DAY)
        house.api.call("message.add", mind=mind, role="user", speaker="Ann", content=f"{near} {day}", recall=waits)
        house.api.settle(mind)
    house.api.until(  # the recall of a message that nobody waits for is recorded when it is done
        lambda: rows(house.daemon, mind, "SELECT recalls FROM note WHERE id = ?", int(note[1:])) >= [(5,)],
        "five recalls on record",
    )
    [(stability,)] = rows(
        house.daemon, mind, "SELECT stability FROM element WHERE note = ? AND level = 0", int(note[1:])
    )
    assert (stability > 30 * DAY * 1000) == waits


@pytest.mark.parametrize("language", TALES)
def test_what_came_up_faintly_gains_less_than_what_was_asked_for(house: House, language: str) -> None:
    tale, _, query = TALES[language]
    mind = f"share-{language}"
    house.api.call("mind.create", mind=mind, settings={"forgetting.clock": "wall", "recall.min_score": 0.0})
    best = house.api.note(mind, tale)
    other = house.api.note(mind, "The ferry left at noon." if language == "en" else "渡轮中午开走了。")
    house.api.call("clock.advance", seconds=4 * DAY)
    items = house.api.call("recall", mind=mind, query=query)["items"]
    assert items[0]["id"] == best
    gained = {note: whole(house, mind, note)["opacity"] for note in (best, other)}
    assert gained[best] > gained[other]


@pytest.mark.parametrize("language", TALES)
def test_what_is_only_ever_laid_there_never_keeps_for_life(house: House, language: str) -> None:
    tale, _, query = TALES[language]
    mind = f"laid-{language}"
    settings = {"forgetting.clock": "wall", "forgetting.ordinary_factor": 1.5}
    house.api.call("mind.create", mind=mind, settings=settings)
    note = house.api.note(mind, tale)
    answer: Json = {}
    for _ in range(60 if IN_FULL else 30):
        house.api.call("clock.advance", seconds=4 * DAY)
        answer = house.api.call("recall", mind=mind, query=query, k=1)
        assert [item["id"] for item in answer["items"]] == [note]
    days = kept_days(house, mind, note)
    assert 44 < days <= 45, "as an ordinary note does"
    house.api.call("clock.advance", seconds=4 * DAY)
    house.api.call("feedback", mind=mind, recall_id=answer["recall_id"], verdict="good", used=[note])
    assert kept_days(house, mind, note) > days, "what is used may keep longer"


def kept_days(house: House, mind: str, note: str) -> float:
    [(stability,)] = rows(
        house.daemon, mind, "SELECT stability FROM element WHERE note = ? AND level = 0", int(note[1:])
    )
    return float(stability) / (DAY * 1000)
