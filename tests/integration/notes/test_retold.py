"""What somebody tells again on another day is the same note: it comes back, gains by it, and rests on both tellings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process
from leftovers import tables_with

START = "2026-03-02T18:00:00Z"
DAY_S = 86_400
LANGUAGES = ("en", "zh")
SETTINGS: Json = {"forgetting.clock": "wall", "forgetting.deletes": False}
FACT = {"en": "The spare key hangs behind the blue barometer.", "zh": "备用钥匙挂在蓝色的晴雨表后面。"}
OTHER_FACT = {"en": "The spare key hangs behind the green barometer.", "zh": "备用钥匙挂在绿色的晴雨表后面。"}
EPISODE = {
    "en": "Once Marta fell into the lighthouse pond with her yellow accordion.",
    "zh": "小时候玛塔抱着黄色手风琴掉进了灯塔旁的池塘。",
}
CODE = {
    "en": "I repeated the locker number of the old gym over and over until I knew it: 4471.",
    "zh": "我反复背老体育馆的柜子编号，背了一遍又一遍：4471。",
}
TOLD_IN = {"en": ("Marta", "lighthouse", "accordion"), "zh": ("玛塔", "手风琴", "灯塔")}
SUPPER = {"en": "We had fish for dinner today.", "zh": "今天晚饭我们吃了鱼。"}
BETWEEN = {"en": "The tram was late, the driver sang.", "zh": "电车晚点了，司机在唱歌。"}


class House:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.api: Checking = checking(daemon)
        self.made = 0

    def mind(self, **settings: object) -> str:
        self.made += 1
        self.api.call("mind.create", mind=f"r{self.made}", profile="companion", settings={**SETTINGS, **settings})
        return f"r{self.made}"

    def tell(self, mind: str, text: str, days: float = 1.0, **params: object) -> None:
        """Say something, let the mind digest it, and let days go by."""
        self.api.say(mind, text, speaker="Ann", **params)
        self.api.call("clock.advance", seconds=int(days * DAY_S))
        self.api.settle(mind)

    def telling(self, mind: str, words: str) -> list[Json]:
        return [note for note in self.api.notes(mind) if words in note["text"]]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("r"), "--simulated-clock", START) as daemon:
        yield House(daemon)


@pytest.fixture(autouse=True)
def _left(house: House) -> Iterator[None]:
    yield
    house.api.delete_minds()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_told_every_day_is_one_note(house: House, language: str) -> None:
    mind = house.mind()
    for day in range(10):
        house.tell(mind, FACT[language], id=f"t{day}")
    found = house.telling(mind, FACT[language][:-1])
    assert len(found) == 1
    assert [source["id"] for source in found[0]["sources"]] == [f"t{day}" for day in range(10)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_repeats_one_fact_a_hundred_times_makes_one_note_that_keeps_within_bounds(
    house: House, language: str
) -> None:
    """In one evening, beside a mind that was told once."""
    often, once = house.mind(), house.mind()
    for number in range(99):
        house.api.client.call(
            "message.add",
            {"mind": often, "role": "user", "speaker": "Ann", "content": FACT[language], "id": f"t{number}"},
        )
    for mind in (often, once):
        house.tell(mind, FACT[language])
    words = FACT[language][:-1]
    assert [len(house.telling(mind, words)) for mind in (often, once)] == [1, 1]
    growths = [
        rows(house.daemon, mind, "SELECT max(stability) FROM element WHERE level = 0")[0][0] for mind in (often, once)
    ]
    assert growths[0] <= 3 * growths[1], "a growth every ten minutes at most"
    found = house.api.found(often, words)
    assert len([item for item in found if words in item["text"]]) == 1
    assert len(house.api.links(often)) <= 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_evenings_are_two_notes(house: House, language: str) -> None:
    mind = house.mind()
    house.tell(mind, SUPPER[language])
    house.tell(mind, SUPPER[language])
    assert len(house.api.notes(mind)) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_forgotten_comes_back_when_it_is_told_again(house: House, language: str) -> None:
    mind = house.mind()
    house.tell(mind, EPISODE[language], days=300)
    (old,) = house.api.notes(mind)
    assert old["state"] == "blank"
    house.tell(mind, EPISODE[language], days=0.2)
    (note,) = house.api.notes(mind)
    assert note["id"] == old["id"]
    assert len(note["sources"]) == 2
    for word in TOLD_IN[language]:
        assert word in note["rendered"]
    asked = " ".join(TOLD_IN[language])
    assert note["id"] in [item["id"] for item in house.api.found(mind, asked)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_learnt_by_heart_lasts_the_longer_for_each_day_it_is_repeated(house: House, language: str) -> None:
    mind = house.mind()
    house.tell(mind, CODE[language], id="first")
    once = _stability_ms(house, mind)
    for day in range(3):
        house.tell(mind, CODE[language], id=f"again{day}")
    (note,) = house.api.notes(mind)
    assert "4471" in note["rendered"]
    assert _stability_ms(house, mind) > 2 * once


def _stability_ms(house: House, mind: str) -> int:
    """Of the anchor that holds the code."""
    query = (
        "SELECT max(e.stability) FROM element e JOIN note n ON n.id = e.note WHERE e.level = 2 "
        "AND substr(n.text, e.start + 1, e.\"end\" - e.start) LIKE '%4471%'"
    )
    return int(rows(house.daemon, mind, query)[0][0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_contradicts_a_faded_fact_refreshes_nothing(house: House, language: str) -> None:
    mind = house.mind(**{"idle.replay": False})  # a night goes over what belongs to what is new, and this does
    house.tell(mind, FACT[language], days=900)
    (old,) = house.api.notes(mind)
    house.tell(mind, OTHER_FACT[language], days=0.2)
    again = next(note for note in house.api.notes(mind) if note["id"] == old["id"])
    assert len(house.api.notes(mind)) == 2
    assert again["state"] == old["state"]
    assert [each["blanks_at"] for each in again["elements"]] == [each["blanks_at"] for each in old["elements"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_two_tellings_one_may_be_deleted(house: House, language: str) -> None:
    mind = house.mind()
    house.tell(mind, EPISODE[language], id="first")
    house.tell(mind, BETWEEN[language])
    house.tell(mind, EPISODE[language], id="second")
    house.api.call("message.delete", mind=mind, id="first")
    house.api.call("clock.advance", seconds=2 * DAY_S)
    house.api.settle(mind)
    words = EPISODE[language][:12]
    (note,) = house.api.until(lambda: house.telling(mind, words), "the note on its other telling")
    assert [source["id"] for source in note["sources"]] == ["second"]

    house.api.call("message.delete", mind=mind, id="second")
    house.api.call("clock.advance", seconds=2 * DAY_S)
    house.api.settle(mind)
    assert not house.telling(mind, words)
    file = house.daemon.state / "minds" / f"{mind}.db"
    assert not tables_with(file, words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_many_tellings_the_first_may_be_deleted_and_one_note_stays(house: House, language: str) -> None:
    mind = house.mind()
    for day in range(6):
        house.tell(mind, EPISODE[language], id=f"d{day}")
    house.api.call("message.delete", mind=mind, id="d0")
    house.api.call("clock.advance", seconds=2 * DAY_S)
    house.api.settle(mind)
    (note,) = house.api.until(lambda: house.telling(mind, EPISODE[language][:12]), "the note on its other tellings")
    assert {source["id"] for source in note["sources"]} == {f"d{day}" for day in range(1, 6)}
