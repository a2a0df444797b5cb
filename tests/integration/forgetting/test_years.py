"""Years with a companion: facts keep, what is told loses its colour first and its sense last, and what is told again
comes back stronger than it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process

START = "2026-01-07T19:00:00Z"
DAY = 86_400
YEAR = 365 * DAY


@dataclass(frozen=True)
class Life:
    """`fact` is asked for by `asked` and known by `word`, `liking` by `liked`; of `tale` the `sense` matters."""

    language: str
    speaker: str
    fact: str
    asked: str
    word: str
    liking: str
    liked: str
    tale: str
    sense: str
    colour: str
    trifle: str


LIVES = [
    Life(
        "en", "Robin", "I work as a bookbinder in Ghent.", "What does Robin do for work?", "bookbinder",
        "I love liquorice.", "liquorice",
        "I'm allergic to walnuts. We were at a picnic with Anselm and eleven geese in Bruges.", "walnuts", "Bruges",
        "it drizzled again, had soup for lunch",
    ),
    Life(
        "zh", "小满", "我在苏州当裱画师。", "小满在苏州当什么？", "裱画师",
        "我喜欢吃甘草糖。", "甘草糖",
        "我对核桃过敏。那天跟阿城在同里野餐，旁边有十一只鹅。", "核桃", "同里", "今天又下雨，中午喝了碗汤",
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("years"), "--simulated-clock", START) as found:
        yield found


@pytest.fixture(params=LIVES, ids=[life.language for life in LIVES])
def told(request: pytest.FixtureRequest, daemon: Daemon) -> Iterator[tuple[Life, Checking, str]]:
    """A mind that has heard all of it on one evening, and lives by the wall clock."""
    life: Life = request.param
    api, mind = checking(daemon), f"{life.language}{next(NUMBERS)}"
    api.call("mind.create", mind=mind, language=life.language, settings={"forgetting.clock": "wall"})
    for line in (life.fact, life.liking, life.tale, life.trifle):
        say(api, mind, life, line)
    yield life, api, mind
    api.call("mind.delete", mind=mind, confirm=mind)


NUMBERS = iter(range(100))


def say(api: Checking, mind: str, life: Life, line: str) -> None:
    api.call("message.add", mind=mind, role="user", speaker=life.speaker, content=line)
    api.call("idle.run", mind=mind)


def holding(api: Checking, mind: str, word: str) -> list[Json]:
    """The living notes in which a word can be read."""
    return [note for note in api.notes(mind) if word in note["rendered"]]


def test_a_fact_keeps_for_two_years_and_a_trifle_does_not_keep_a_season(told: tuple[Life, Checking, str]) -> None:
    life, api, mind = told
    trifles = {note["id"] for note in api.notes(mind) if life.trifle[-4:] in note["rendered"]}
    assert trifles, "it was noted"
    api.call("clock.advance", seconds=90 * DAY)
    assert not [note for note in api.notes(mind) if note["id"] in trifles and note["state"] != "blank"]
    api.call("clock.advance", seconds=2 * YEAR - 90 * DAY)
    assert holding(api, mind, life.word)
    assert holding(api, mind, life.liked)
    found = api.call("recall", mind=mind, query=life.asked, record=False)["items"]
    assert life.word in found[0]["text"]


def test_colour_goes_first_and_sense_last(told: tuple[Life, Checking, str]) -> None:
    life, api, mind = told
    assert holding(api, mind, life.sense)
    assert holding(api, mind, life.colour)
    lost: dict[str, int] = {}
    for season in range(1, 9):
        api.call("clock.advance", seconds=YEAR // 4)
        for word in (life.sense, life.colour):
            if not holding(api, mind, word):
                lost.setdefault(word, season)
    assert life.sense not in lost, "after two years it is still known"
    assert lost.get(life.colour, 99) <= 4, "within the first the place is gone"


def test_what_was_lost_and_is_told_again_comes_back_stronger(told: tuple[Life, Checking, str], daemon: Daemon) -> None:
    life, api, mind = told
    [note] = holding(api, mind, life.liked)
    first = whole(daemon, mind, note["id"])
    api.call("clock.advance", seconds=4 * YEAR)
    [faded] = [each for each in api.notes(mind) if each["id"] == note["id"]]
    assert life.liked not in faded["rendered"], "nobody spoke of it for years"
    assert "xxx(" in faded["rendered"], "of what kind it was is known still"
    say(api, mind, life, life.liking)
    [again] = holding(api, mind, life.liked)
    assert (again["id"], again["state"]) == (note["id"], "clear"), "it is the note it was"
    assert whole(daemon, mind, again["id"]) > first
    api.call("clock.advance", seconds=3 * YEAR)
    assert holding(api, mind, life.liked), "longer than the first time"


def whole(daemon: Daemon, mind: str, note: str) -> int:
    """The stability of a note as a whole, milliseconds."""
    [(stability,)] = rows(daemon, mind, "SELECT stability FROM element WHERE note = ? AND level = 0", int(note[1:]))
    return int(stability)


@pytest.mark.parametrize(
    ("speaker", "language", "line", "word"),
    [
        ("Robin", "en", "I have asthma; damp cellars set it off", "cellars"),
        ("小满", "zh", "我有哮喘；冷空气一吹就犯", "冷空气"),
    ],
)
def test_what_a_semicolon_joins_to_something_vital_is_no_small_thing(
    daemon: Daemon, speaker: str, language: str, line: str, word: str
) -> None:
    api, mind = checking(daemon), f"joined-{language}"
    api.call("mind.create", mind=mind, language=language, settings={"forgetting.clock": "wall"})
    api.call("message.add", mind=mind, role="user", speaker=speaker, content=line)
    api.call("idle.run", mind=mind)
    api.call("clock.advance", seconds=150 * DAY)
    assert holding(api, mind, word)


def test_names_of_the_family_told_in_passing_are_known_after_years(daemon: Daemon) -> None:
    api = checking(daemon)
    lines = {
        "en": (
            "Robin",
            "took our grandson Anselm to the aquarium, it was packed",
            "Anselm",
            "What is my grandson called?",
        ),
        "zh": ("小满", "接外孙乐乐放学，路上堵车", "乐乐", "我外孙叫什么？"),
    }
    for language, (speaker, line, name, question) in lines.items():
        mind = f"kin-{language}"
        api.call("mind.create", mind=mind, language=language, settings={"forgetting.clock": "wall"})
        for _ in range(2):
            api.call("message.add", mind=mind, role="user", speaker=speaker, content=line)
            api.call("idle.run", mind=mind)
        assert len(api.notes(mind, kind="semantic")) == 1, "told again it is no other fact"
        api.call("clock.advance", seconds=2 * YEAR)
        found = api.call("recall", mind=mind, query=question, record=False)["items"]
        assert name in found[0]["text"]
