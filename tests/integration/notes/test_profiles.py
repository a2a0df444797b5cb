"""Profiles through the socket: put together from what was told, gone with what they rest on, for whoever may know."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import Json
from daemon_fixture import daemon_process
from household import DAY, START, Home

LIVES = {
    "en": ("Lena", ["My sister Mei lives in Leeds.", "Mei gave me a red scarf for my birthday.", "Mei moved to York.",
                    "I was in Lisbon for three days."]),
    "zh": ("林晓", ["我妈妈叫沈月华，她住在苏州。", "我妈送了我一条红围巾。", "我妈搬到上海了。",
                   "国庆我们去成都玩了五天。"]),
}  # fmt: skip
KIN = {"en": ("Mei", "my sister", "York", "Leeds"), "zh": ("沈月华", "妈妈", "上海", "苏州")}
LISTS = {"en": ("a red scarf", "Lisbon"), "zh": ("一条红围巾", "成都")}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with daemon_process(tmp_path_factory.mktemp("profiles"), "--simulated-clock", START) as daemon:
        yield Home(daemon)


@pytest.fixture(scope="module", params=LIVES)
def told(request: pytest.FixtureRequest, home: Home) -> tuple[str, str]:
    """A mind that was told a life and has slept, and its language."""
    language: str = request.param
    return home.told(*LIVES[language]), language


def values(profile: Json, name: str, when: str = "now") -> list[str]:
    return [held["value"] for each in profile["attributes"] if each["name"] == name for held in each[when]]


def entries(profile: Json, kind: str) -> list[str]:
    return [each["what"] for each in profile["lists"].get(kind, {"items": []})["items"]]


def test_a_told_life_is_known_by_each_name(home: Home, told: tuple[str, str]) -> None:
    mind, language = told
    name, word, now, before = KIN[language]
    for asked in (name, word):
        profile = home.api.call("profile.get", mind=mind, name=asked)
        assert profile["name"] == name
        assert values(profile, "home") == [now]
        assert values(profile, "home", "earlier") == [before]
    assert now in profile["text"]
    then = home.api.call("profile.get", mind=mind, name=name, as_of="2026-02-11T00:00:00Z")
    assert values(then, "home") == [before]


def test_lists_have_their_evidence(home: Home, told: tuple[str, str]) -> None:
    mind, language = told
    who = LIVES[language][0]
    profile = home.api.call("profile.get", mind=mind, name=who)
    gift, place = LISTS[language]
    assert entries(profile, "gifts") == [gift]
    assert entries(profile, "trips") == [place]
    (evidence,) = profile["lists"]["gifts"]["items"][0]["evidence"]
    note = home.api.call("note.get", mind=mind, id=evidence["id"])["note"]
    assert evidence["quote"] == note["rendered"]
    only = home.api.call("profile.get", mind=mind, name=who, lists=["trips"], budget=0)
    assert set(only["lists"]) == {"trips"}
    assert only["text"] == ""


def test_a_context_holds_it_as_a_stable_block_within_its_budget(home: Home, told: tuple[str, str]) -> None:
    mind, language = told
    name, word, now, _ = KIN[language]

    def blocks(**params: object) -> dict[str, str]:
        found = home.api.call("context.get", mind=mind, **params)
        assert sum(block["tokens"] for block in found["blocks"]) <= params.get("max_tokens", 2000)
        return {block["kind"]: block["text"] for block in found["blocks"]}

    assert "profile" not in blocks(query=name)
    block = blocks(profile=word)["profile"]
    assert now in block
    assert blocks(profile=name, query="Lisbon 成都")["profile"] == block
    assert "profile" not in blocks(profile="Zog 佐格")
    assert len(blocks(profile=word, max_tokens=200)["profile"]) < 200


def test_whoever_is_known_is_listed(home: Home, told: tuple[str, str]) -> None:
    mind, language = told
    names = {each["name"] for each in home.api.call("profile.list", mind=mind)["items"]}
    assert {LIVES[language][0], KIN[language][0]} <= names


def test_the_command_tells_it_and_says_one_line_of_nobody(home: Home, told: tuple[str, str]) -> None:
    mind, language = told
    command = [sys.executable, "-m", "soulmem", "--mind", mind, "--socket", str(home.daemon.socket), "profile"]
    shown = subprocess.run([*command, KIN[language][1]], capture_output=True, text=True, check=True)
    assert KIN[language][2] in shown.stdout
    lost = subprocess.run([*command, "Zog 佐格"], capture_output=True, text=True, check=False)
    assert lost.returncode == 1
    assert lost.stdout == ""
    assert "Zog 佐格" in lost.stderr
    assert "Traceback" not in lost.stderr


@pytest.mark.parametrize("name", ["Zog", "佐格", "%", "my", "的", "x" * 256])
def test_who_is_not_known_is_not_found(home: Home, told: tuple[str, str], name: str) -> None:
    error = home.api.refused("not_found", "profile.get", mind=told[0], name=name)
    assert "\n" not in error.message


@pytest.mark.parametrize(
    ("texts", "name", "kind", "what"),
    [
        (["Tom gave me a watch.", "Tom gave me a pen."], "Ann", "gifts", "a watch"),
        (["同事小林送了我一块手表。", "同事小林送了我一支钢笔。"], "Ann", "gifts", "一块手表"),
    ],
)
def test_what_is_forgotten_or_purged_is_gone_at_once(
    home: Home, texts: list[str], name: str, kind: str, what: str
) -> None:
    mind = home.mind()
    first, _ = (home.api.note(mind, f"Ann: {text}") for text in texts)
    assert what in entries(home.api.call("profile.get", mind=mind, name=name), kind)
    home.api.call("note.forget", mind=mind, id=first)
    assert what not in entries(home.api.call("profile.get", mind=mind, name=name), kind)
    home.api.call("note.restore", mind=mind, id=first)
    assert what in entries(home.api.call("profile.get", mind=mind, name=name), kind)
    home.api.call("note.purge", mind=mind, id=first)
    assert what not in repr(home.api.call("profile.get", mind=mind, name=name))


def test_a_message_that_is_deleted_takes_its_entry_along(home: Home) -> None:
    mind = home.mind(profile="companion")
    home.api.say(mind, "My sister Mei lives in Leeds.", speaker="Ann", id="a")
    home.api.say(mind, "I was in Lisbon for three days.", speaker="Ann", id="b")
    home.api.call("idle.run", mind=mind)
    assert home.api.call("profile.get", mind=mind, name="Mei")
    home.api.call("message.delete", mind=mind, id="a")
    home.api.refused("not_found", "profile.get", mind=mind, name="Mei")
    assert "Leeds" not in repr(home.api.call("profile.get", mind=mind, name="Ann"))


def test_a_note_that_is_corrected_says_the_new_at_once(home: Home) -> None:
    mind = home.mind()
    note = home.api.note(mind, "Ann lives in Leeds.", kind="semantic")
    assert values(home.api.call("profile.get", mind=mind, name="Ann"), "home") == ["Leeds"]
    home.api.call("note.update", mind=mind, id=note, text="Ann lives in Bath.")
    profile = home.api.call("profile.get", mind=mind, name="Ann")
    assert values(profile, "home") == ["Bath"]
    assert "Leeds" not in repr(profile)


@pytest.mark.parametrize("sharing", ["conversation", "participants"])
def test_what_is_hidden_leaves_no_trace(home: Home, sharing: str) -> None:
    mind = home.mind(profile="companion", settings={"recall.sharing": sharing})
    home.api.say(mind, "My sister Mei lives in Leeds.", speaker="Ann", conversation="tea")
    home.api.say(mind, "我妈妈叫沈月华，她住在苏州。", speaker="Ann", conversation="tea")
    home.api.say(mind, "I was in Lisbon for three days.", speaker="Bo", conversation="pub")
    home.api.call("idle.run", mind=mind)
    assert home.api.call("profile.get", mind=mind, name="Mei", conversation="tea")
    for name in ("Mei", "my sister", "妈妈", "Ann"):
        home.api.refused("not_found", "profile.get", mind=mind, name=name, conversation="pub")
    shown = home.api.call("profile.list", mind=mind, conversation="pub")
    assert "Mei" not in repr(shown)
    assert "Ann" not in repr(shown)


def test_who_bears_one_name_is_asked_for_by_whose_he_is(home: Home) -> None:
    mind = home.mind()
    home.api.note(mind, "Ann: My sister Mei lives in Leeds.", kind="semantic")
    home.api.note(mind, "Tom: My colleague Mei lives in Bath.", kind="semantic")
    error = home.api.refused("invalid_params", "profile.get", mind=mind, name="Mei")
    assert "Ann's sister" in error.message
    assert "Tom's colleague" in error.message
    assert values(home.api.call("profile.get", mind=mind, name="Ann's sister"), "home") == ["Leeds"]


def test_what_fades_fades_from_the_profile(tmp_path: Path) -> None:
    """In a daemon of its own: years would pass for all minds of the file."""
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        home = Home(daemon)
        mind = home.mind(settings={"forgetting.clock": "wall"})
        home.api.note(mind, "Ann: Tom gave me a watch in the garden of Saint Mary.")
        assert "watch" in repr(home.api.call("profile.get", mind=mind, name="Ann"))
        home.pass_time(2_000 * DAY)
        home.api.refused("not_found", "profile.get", mind=mind, name="Ann")
