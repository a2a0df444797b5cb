"""What leads from one to another along relations, through the socket and the shell: with evidence and validity."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import Json
from daemon_fixture import daemon_process
from household import START, Home
from shell import Shell
from soulmem.client import SoulmemRemoteError

LIVES = {
    "en": ("Lena", ["My sister Mei lives in Leeds.", "Mei works at a bakery.", "My sister Mei visited us today.",
                    "Mei moved to York last week.", "I live in Hull."]),
    "zh": ("林晓", ["我妈妈叫沈月华，她住在苏州。", "沈月华在医院上班。", "我妈妈沈月华今天来看我们了。",
                   "沈月华上周搬到了南京。", "我住在无锡。"]),
}  # fmt: skip
SISTER = {"en": ("sister", "Mei", "York", "Leeds", "home"), "zh": ("妈妈", "沈月华", "南京", "苏州", "住处")}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with daemon_process(tmp_path_factory.mktemp("path"), "--simulated-clock", START) as daemon:
        yield Home(daemon)


@pytest.fixture(scope="module", params=LIVES)
def told(request: pytest.FixtureRequest, home: Home) -> tuple[str, str]:
    """A mind that was told a life and has slept, and its language."""
    language: str = request.param
    return home.told(*LIVES[language]), language


def path(home: Home, mind: str, name: str, *relations: str, **more: object) -> Json:
    found: Json = home.api.call("profile.path", mind=mind, name=name, relations=list(relations), **more)
    return found


def test_two_relations_lead_to_where_the_relative_lives(home: Home, told: tuple[str, str]) -> None:
    mind, language = told
    who, (kin, name, now, before, lives) = LIVES[language][0], SISTER[language]
    found = path(home, mind, who, kin, lives)
    assert not found["truncated"]
    ways = {each["edges"][1]["target"]: each["edges"] for each in found["paths"]}
    assert {now, before} <= ways.keys()
    for edges in ways.values():
        assert [edges[0]["source"], edges[0]["target"], edges[1]["source"]] == [who, name, name]
        assert all(edge["evidence"] and edge["last_told"] for edge in edges)
    assert ways[now][1]["until"] is None
    assert ways[before][1]["until"] is not None
    evidence = ways[now][1]["evidence"][-1]
    assert now in evidence["quote"]
    assert home.api.call("note.get", mind=mind, id=evidence["id"])


def test_how_often_it_was_told_and_when_last_stands_with_it(home: Home, told: tuple[str, str]) -> None:
    mind, language = told
    who, (kin, name, *_) = LIVES[language][0], SISTER[language]
    edge = path(home, mind, who, kin)["paths"][0]["edges"][0]
    assert edge["mentions"] >= 2
    assert edge["last_told"] > "2026-02-11"
    profile = home.api.call("profile.get", mind=mind, name=who)
    mine = next(each for each in profile["relationships"] if each["name"] == name)
    assert (mine["mentions"], mine["last_told"]) == (edge["mentions"], edge["last_told"])
    other = home.api.call("profile.get", mind=mind, name=name)
    assert all(each["mentions"] >= 1 for found in other["attributes"] for each in found["now"])


def test_any_relation_never_comes_back_to_where_it_was(home: Home, told: tuple[str, str]) -> None:
    mind, language = told
    who = LIVES[language][0]
    for each in path(home, mind, who, "*", "*", "*")["paths"]:
        targets = [edge["target"] for edge in each["edges"]]
        assert who not in targets
        assert len(set(targets)) == len(targets)


def test_what_leads_nowhere_is_no_path_and_who_is_not_known_is_said(home: Home, told: tuple[str, str]) -> None:
    mind, language = told
    assert path(home, mind, LIVES[language][0], "uncle", "home")["paths"] == []
    with pytest.raises(SoulmemRemoteError, match="not_found"):
        path(home, mind, "Zoltan", "*")
    for relations in ([], ["*"] * 5):
        given = {"mind": mind, "name": LIVES[language][0], "relations": relations}
        with pytest.raises(SoulmemRemoteError, match="invalid_params"):
            home.daemon.call("profile.path", given)


def test_the_shell_tells_each_path_in_a_line(home: Home, told: tuple[str, str], tmp_path: Path) -> None:
    mind, language = told
    who, (kin, name, now, _, lives) = LIVES[language][0], SISTER[language]
    shell = Shell(home.daemon.socket, tmp_path)
    lines = shell("--mind", mind, "profile", who, "--along", f"{kin},{lives}").stdout
    assert all(each in lines for each in (who, kin, name, now))
    assert "nothing leads on" in shell("--mind", mind, "profile", who, "--along", "uncle").stdout
