"""How two people stand to each other, through the socket: from what is told of both, for whoever may know it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import Json
from daemon_fixture import daemon_process
from household import START, Home
from shell import Shell

LIVES = {
    "en": ("Lena", ["My sister Mei lives in Leeds.", "Mei gave me a red scarf for my birthday.",
                    "I bought a kettle.", "Mei and I quarrelled about the car.", "Tom fixed the roof."]),
    "zh": ("林晓", ["我妈妈叫沈月华，她住在苏州。", "我妈送了我一条红围巾。", "我买了一个水壶。",
                   "我妈和我因为车的事吵了一架。", "老周修好了屋顶。"]),
}  # fmt: skip
KIN = {"en": ("Mei", "my sister", "sister"), "zh": ("沈月华", "妈妈", "妈妈")}
SHARED = {"en": ("scarf", "quarrelled"), "zh": ("围巾", "吵")}
ELSE = {"en": ("kettle", "roof"), "zh": ("水壶", "屋顶")}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with daemon_process(tmp_path_factory.mktemp("between"), "--simulated-clock", START) as daemon:
        yield Home(daemon)


@pytest.fixture(scope="module", params=LIVES)
def told(request: pytest.FixtureRequest, home: Home) -> tuple[str, str]:
    """A mind that was told a life and has slept, and its language."""
    language: str = request.param
    return home.told(*LIVES[language]), language


def between(home: Home, mind: str, name: str, other: str, **more: object) -> Json:
    found: Json = home.api.call("profile.between", mind=mind, name=name, other=other, **more)
    return found


def test_what_one_is_to_the_other_and_what_is_told_of_both(home: Home, told: tuple[str, str]) -> None:
    mind, language = told
    who, (kin, _, relation) = LIVES[language][0], KIN[language]
    found = between(home, mind, who, kin)
    assert [(each["who"], each["whose"], each["relation"]) for each in found["ties"]] == [(kin, who, relation)]
    assert found["ties"][0]["evidence"]
    shared = " ".join(each["quote"] for each in found["shared"])
    assert all(each in shared for each in SHARED[language])
    assert not any(each in shared for each in ELSE[language])
    dates = [each["at"] for each in found["shared"]]
    assert dates == sorted(dates)
    assert all(each in found["text"] for each in (kin, who, *SHARED[language]))
    assert home.api.call("note.get", mind=mind, id=found["shared"][-1]["id"])


def test_the_other_way_round_and_by_another_name_it_tells_the_same(home: Home, told: tuple[str, str]) -> None:
    mind, language = told
    who, (kin, word, _) = LIVES[language][0], KIN[language]
    one, other = between(home, mind, who, word), between(home, mind, kin, who)
    assert one["ties"] == other["ties"]
    assert one["shared"] == other["shared"]


def test_within_a_budget_and_at_another_time(home: Home, told: tuple[str, str]) -> None:
    mind, language = told
    who, (kin, _, _) = LIVES[language][0], KIN[language]
    first, last = SHARED[language]
    assert between(home, mind, who, kin, budget=0)["text"] == ""
    full = between(home, mind, who, kin)["text"]
    short = between(home, mind, who, kin, budget=48)["text"]
    assert last in short or first not in short, "the latest stay"
    assert len(short) < len(full)
    then = between(home, mind, who, kin, as_of="2026-02-12T00:00:00Z")
    assert last not in repr(then)
    assert first in repr(then)


def test_who_is_not_known_and_one_with_himself_is_refused(home: Home, told: tuple[str, str]) -> None:
    mind, language = told
    who, (kin, word, _) = LIVES[language][0], KIN[language]
    home.api.refused("not_found", "profile.between", mind=mind, name=who, other="Zebedee 泽贝德")
    assert "mean" in home.api.refused("invalid_params", "profile.between", mind=mind, name=kin, other=word).message


def test_what_was_deleted_or_may_not_be_known_is_not_told(home: Home) -> None:
    mind = home.mind(settings={"recall.sharing": "conversation"})
    home.api.say(mind, "My sister Mei lives in Leeds.", speaker="Ann", conversation="tea", id="s")
    home.api.say(mind, "Mei gave me a red scarf. 围巾", speaker="Ann", conversation="tea", id="g")
    home.api.say(mind, "I am Ann's neighbour. Ann is kind.", speaker="Bo", conversation="pub")
    home.api.call("idle.run", mind=mind)
    home.api.settle(mind)
    assert "scarf" in repr(between(home, mind, "Ann", "Mei", conversation="tea"))
    home.api.refused("not_found", "profile.between", mind=mind, name="Ann", other="Mei", conversation="pub")
    home.api.call("message.delete", mind=mind, conversation="tea", id="g")
    left = between(home, mind, "Ann", "Mei", conversation="tea")
    assert "scarf" not in repr(left)
    assert left["ties"]


def test_the_command_line_tells_it(home: Home, told: tuple[str, str], tmp_path: Path) -> None:
    mind, language = told
    who, (kin, _, relation) = LIVES[language][0], KIN[language]
    said = Shell(home.daemon.socket, tmp_path)("profile", who, "--with", kin, "--mind", mind).stdout
    assert relation in said
    assert SHARED[language][1] in said
