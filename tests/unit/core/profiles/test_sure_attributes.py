"""What is read loosely is no part of a profile, what is said plainly is; and only who bears a name is listed."""

from __future__ import annotations

import pytest

from soulmem.core.calendar.iso8601 import parse_iso
from soulmem.core.profiles.bearers import bearers
from soulmem.core.profiles.identities import identities
from soulmem.core.profiles.profile import profile_of
from soulmem.core.profiles.profile_lines import wording
from soulmem.core.profiles.telling import Telling

AT = parse_iso("2026-03-04T10:00:00Z")


def _told(who: str, *texts: str) -> list[Telling]:
    return [Telling(number, text, who, AT, AT) for number, text in enumerate(texts, 1)]


def _profile(who: str, *texts: str) -> str:
    told = _told(who, *texts)
    return wording(profile_of(identities(who, told)[0], told, AT), 500)


@pytest.mark.parametrize(
    "text",
    [
        "My head is spinning.",
        "My flight has been put back.",
        "I have an interview on Wednesday.",
        "He has been moody like father used to be.",
        "We've had the same table since like year 4.",
        "I run out of milk.",
    ],
)
def test_what_passes_is_no_attribute(text: str) -> None:
    assert _profile("Dora", "I live in Hull.", text) == "[Dora]\nhome: Hull\nplaces lived: Hull (2026-03-04)"


@pytest.mark.parametrize("text", ["把它贴冰箱上了。", "老忘事。", "我的头好疼。", "每天打胰岛素。", "跑去问了。"])
def test_what_passes_is_no_attribute_in_chinese(text: str) -> None:
    assert _profile("林海", "我住在苏州。", text) == "【林海】\n住处：苏州\n住过的地方：苏州（2026-03-04）"


@pytest.mark.parametrize(
    ("who", "text", "line"),
    [
        ("Dora", "I love ice hockey.", "likes: ice hockey"),
        ("Dora", "My shoe size is 39.", "shoe size: 39"),
        ("Dora", "My favourite colour is green.", "favourite colour: green"),
        ("林海", "我喜欢打羽毛球。", "喜欢"),
        ("林海", "我的血型是A型。", "血型"),
    ],
)
def test_what_is_said_plainly_is_told(who: str, text: str, line: str) -> None:
    assert line in _profile(who, text)


def test_a_partner_has_one_name_and_a_pet_is_told_without_its_count() -> None:
    assert "partner: Will\n" in f"{_profile('Helena', 'Married to Will, one dog, Juno.')}\n"
    assert "一只" not in _profile("方乐", "我养了一只橘猫叫欧皇。")
    assert "欧皇" in _profile("方乐", "我养了一只橘猫叫欧皇。")


def test_only_who_bears_a_name_is_listed() -> None:
    told = _told("dora", "My sister Mei lives in Leeds.", "mei and Tom went to Kew.", "离家近，答应了。")
    names = dict(bearers(told))

    assert names["Mei"] == 2
    assert names["dora"] == 3
    assert "Tom" in names
    assert not {"Leeds", "Kew", "离家近", "答应"} & set(names)


@pytest.mark.parametrize(
    ("text", "name"), [("My name is Bo and I work in Bergen.", "Bo"), ("我叫小明，在成都上班。", "小明")]
)
def test_whoever_is_listed_is_known_also_from_notes_that_nobody_said(text: str, name: str) -> None:
    told = _told("", text)

    assert name in dict(bearers(told))
    assert [each.name for each in identities(name, told)] == [name]
