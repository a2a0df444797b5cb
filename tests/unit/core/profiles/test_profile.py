"""Profiles put together from tellings: what holds and what held, who belongs to whom, who is meant by a name."""

from __future__ import annotations

import random

import pytest

from soulmem.core.calendar.iso8601 import parse_iso
from soulmem.core.facts.validity_intervals import CORRECT, SUPERSEDE, Ending
from soulmem.core.profiles.identities import MOST_NAMES, identities
from soulmem.core.profiles.profile import Profile, profile_of
from soulmem.core.profiles.profile_lines import wording
from soulmem.core.profiles.telling import Telling

NOW = parse_iso("2026-01-01T00:00:00Z")


def at(day: str) -> int:
    return parse_iso(f"{day}T10:00:00Z")


def told(*lines: tuple[str, str], speaker: str = "Lena", first: int = 1) -> list[Telling]:
    return [Telling(first + i, text, speaker, at(day), at(day)) for i, (day, text) in enumerate(lines)]


def known(name: str, life: list[Telling], when: int = NOW) -> Profile:
    (who,) = identities(name, life)
    return profile_of(who, life, when)


def now(profile: Profile, relation: str) -> list[str]:
    return [held.value for each in profile.attributes if each.name == relation for held in each.now]


def earlier(profile: Profile, relation: str) -> list[str]:
    return [held.value for each in profile.attributes if each.name == relation for held in each.earlier]


def listed(profile: Profile, kind: str) -> list[str]:
    return [each.what for each in profile.lists.get(kind, [])]


def kin(profile: Profile) -> set[tuple[str, str]]:
    return {(each.relation, each.name) for each in profile.relationships if each.until is None}


MOVES = {
    "en": ("Lena", ["I live in Hamburg.", "I moved to Bremen.", "I moved to Kiel.", "I moved back to Hamburg."],
           ["Hamburg", "Bremen", "Kiel"]),
    "zh": ("林晓", ["我住在杭州。", "我搬到南京了。", "我搬到苏州了。", "我搬到杭州了。"], ["杭州", "南京", "苏州"]),
}  # fmt: skip
DAYS = ("2025-01-04", "2025-04-02", "2025-06-02", "2025-09-02")


@pytest.mark.parametrize("language", MOVES)
def test_a_new_home_ends_the_old_one_and_back_and_forth_is_told(language: str) -> None:
    who, texts, homes = MOVES[language]
    life = told(*zip(DAYS, texts, strict=True), speaker=who)
    profile = known(who, life)
    assert now(profile, "home") == [homes[0]]
    assert sorted(earlier(profile, "home")) == sorted(homes)
    ends = [held.until for each in profile.attributes if each.name == "home" for held in each.earlier]
    assert ends == [at(DAYS[3]), at(DAYS[2]), at(DAYS[1])]


@pytest.mark.parametrize("language", MOVES)
def test_as_of_tells_what_held_then(language: str) -> None:
    who, texts, homes = MOVES[language]
    life = told(*zip(DAYS, texts, strict=True), speaker=who)
    then = known(who, life, at("2025-05-01"))
    assert now(then, "home") == [homes[1]]
    assert earlier(then, "home") == [homes[0]]
    assert homes[2] not in listed(then, "homes")


def test_order_of_tellings_changes_nothing() -> None:
    life = told(*zip(DAYS, MOVES["en"][1], strict=True)) + told(("2025-02-02", "Mei gave me a scarf."), first=9)
    first = wording(known("Lena", life), 500)
    for seed in range(3):
        random.Random(seed).shuffle(life)
        assert wording(known("Lena", life), 500) == first


@pytest.mark.parametrize(
    ("who", "texts", "relation", "values"),
    [
        (
            "Lena",
            ["I am allergic to hazelnuts.", "I'm allergic to penicillin."],
            "allergy",
            ["penicillin", "hazelnuts"],
        ),
        ("林晓", ["我对花生过敏。", "我对青霉素过敏。"], "allergy", ["青霉素", "花生"]),
    ],
)
def test_what_adds_up_is_kept_beside(who: str, texts: list[str], relation: str, values: list[str]) -> None:
    profile = known(who, told(*zip(DAYS, texts, strict=False), speaker=who))
    assert now(profile, relation) == values
    assert earlier(profile, relation) == []


def test_a_job_that_was_quit_is_earlier() -> None:
    life = told(("2025-01-04", "I work as a nurse."), ("2025-07-02", "I quit my job. Now I work as a teacher."))
    profile = known("Lena", life)
    assert now(profile, "job") == ["teacher"]
    assert earlier(profile, "job") == ["nurse"]


def test_what_the_night_marked_as_over_is_earlier() -> None:
    end = Ending(by=7, event=SUPERSEDE, valid_to=at("2025-05-01"), expired_at=NOW)
    life = [Telling(1, "I live in Hamburg.", "Lena", at("2025-01-04"), at("2025-01-04"), endings=(end,))]
    assert now(known("Lena", life), "home") == []
    assert earlier(known("Lena", life), "home") == ["Hamburg"]
    assert now(known("Lena", life, at("2025-03-01")), "home") == ["Hamburg"]


@pytest.mark.parametrize(
    ("who", "wrong", "right", "home"),
    [("Lena", "I live in Hamburg.", "I live in Homburg.", "Homburg"), ("林晓", "我住在杭州。", "我住在湖州。", "湖州")],
)
def test_what_was_said_by_mistake_never_held(who: str, wrong: str, right: str, home: str) -> None:
    taken_back = Ending(by=2, event=CORRECT, valid_to=None, expired_at=NOW)
    life = [
        Telling(1, wrong, who, at("2025-01-04"), at("2025-01-04"), endings=(taken_back,)),
        Telling(2, right, who, at("2025-01-05"), at("2025-01-05")),
    ]
    profile = known(who, life)
    assert now(profile, "home") == [home]
    assert earlier(profile, "home") == []
    assert listed(profile, "homes") == [home]


def test_a_pin_keeps_a_note_and_makes_nothing_true_again() -> None:
    life = [
        Telling(1, "I live in Hamburg.", "Lena", at("2025-01-04"), at("2025-01-04"), pinned=True),
        Telling(2, "I moved to Bremen.", "Lena", at("2025-04-02"), at("2025-04-02")),
    ]
    assert now(known("Lena", life), "home") == ["Bremen"]
    assert earlier(known("Lena", life), "home") == ["Hamburg"]


@pytest.mark.parametrize(
    ("who", "texts", "wanted"),
    [
        ("Lena", ["My sister Mei is visiting.", "My colleague Tom moved to Bristol.", "My friend Nora is here."],
         {("sister", "Mei"), ("colleague", "Tom"), ("friend", "Nora")}),
        ("林晓", ["我妈妈叫沈月华。", "我同事老王搬家了。", "跟朋友小雅吃饭。"],
         {("妈妈", "沈月华"), ("同事", "老王"), ("朋友", "小雅")}),
    ],
)  # fmt: skip
def test_relationships_by_name(who: str, texts: list[str], wanted: set[tuple[str, str]]) -> None:
    assert kin(known(who, told(*zip(DAYS, texts, strict=False), speaker=who))) == wanted


@pytest.mark.parametrize("asked", ["妈妈", "妈", "沈月华", "林晓的妈妈", "我妈", "母亲"])
def test_mother_by_each_of_her_names_zh(asked: str) -> None:
    life = told(
        ("2025-01-10", "我妈妈叫沈月华，她住在苏州。"), ("2025-07-02", "我妈搬到上海了。"),
        ("2025-09-01", "沈月华对花生过敏。"),
        speaker="林晓",
    )  # fmt: skip
    profile = known(asked, life)
    assert now(profile, "home") == ["上海"]
    assert earlier(profile, "home") == ["苏州"]
    assert now(profile, "allergy") == ["花生"]


@pytest.mark.parametrize("asked", ["my sister", "Mei", "Lena's sister", "mei", "Lena’s sister", "sister"])
def test_sister_by_each_of_her_names_en(asked: str) -> None:
    life = told(
        ("2025-01-10", "My sister Mei lives in Leeds."), ("2025-07-02", "Mei moved to York."),
        ("2025-09-01", "My sister is allergic to peanuts."), ("2025-09-02", "I gave Mei a teapot for her birthday."),
    )  # fmt: skip
    profile = known(asked, life)
    assert now(profile, "home") == ["York"]
    assert earlier(profile, "home") == ["Leeds"]
    assert now(profile, "allergy") == ["peanuts"]
    assert listed(profile, "gifts") == ["a teapot"]


def test_two_with_one_name_are_told_apart() -> None:
    life = told(("2025-01-10", "My sister Mei lives in Leeds.")) + told(
        ("2025-01-11", "My colleague Mei lives in Bath."), speaker="Tom", first=5
    )
    assert [each.called for each in identities("Mei", life)] == ["Lena's sister", "Tom's colleague"]
    assert now(known("Lena's sister", life), "home") != now(known("Tom's colleague", life), "home")


def test_two_with_one_name_are_told_apart_zh() -> None:
    life = told(("2025-01-10", "我妈妈叫沈月华。"), speaker="林晓") + told(
        ("2025-01-11", "我姐姐叫沈月华。"), speaker="周明", first=5
    )
    assert [each.called for each in identities("沈月华", life)] == ["林晓的妈妈", "周明的姐姐"]


def test_of_two_sisters_each_has_her_own() -> None:
    life = told(
        ("2025-01-10", "My sister Mei lives in Leeds."), ("2025-01-11", "My sister Anna lives in Bath."),
        ("2025-01-12", "My sister is allergic to peanuts."),
    )  # fmt: skip
    assert len(identities("my sister", life)) == 2
    assert now(known("Mei", life), "allergy") == []
    assert kin(known("Lena", life)) == {("sister", "Mei"), ("sister", "Anna")}


def test_aliases_in_a_circle_end() -> None:
    names = [f"Ab{chr(97 + n)}y" for n in range(20)]
    life = [
        each
        for n, name in enumerate(names)
        for each in told(("2025-01-10", f"Everybody calls me {names[(n + 1) % 20]}. Call me {names[(n + 1) % 20]}."),
                         speaker=name, first=n + 1)
    ]  # fmt: skip
    (who,) = identities(names[0], life)
    assert 1 <= len(who.names) <= MOST_NAMES


def test_nobody_is_made_up() -> None:
    life = told(("2025-01-10", "My sister Mei lives in Leeds."))
    for name in ("Zog", "沈月华", "my brother", "妈妈", "", "'s", "的", "%", "my"):
        assert identities(name, life) == []


def test_lists_keep_the_evidence_of_each_entry() -> None:
    life = told(
        ("2025-02-02", "Mei gave me a red scarf for my birthday."), ("2025-02-03", "Mei gave me a red scarf."),
        ("2025-02-20", "I got a pair of hiking boots from my parents."),
    )  # fmt: skip
    items = known("Lena", life).lists["gifts"]
    assert [(each.what, [one.note for one in each.evidence]) for each in items] == [
        ("a red scarf", [1, 2]),
        ("a pair of hiking boots", [3]),
    ]


@pytest.mark.parametrize(("who", "text"), [("Lena", "My cat Momo sleeps."), ("林晓", "我领养了一只猫，叫团子。")])
def test_pets_are_listed_by_name(who: str, text: str) -> None:
    (pet,) = listed(known(who, told(("2025-01-10", text), speaker=who)), "pets")
    assert pet.endswith(("Momo", "团子"))


def test_the_words_stay_the_same_while_the_facts_do_and_fit_the_budget() -> None:
    life = told(*zip(DAYS, MOVES["en"][1], strict=True))
    profile = known("Lena", life)
    assert wording(profile, 500) == wording(known("Lena", life, NOW + 86_400_000), 500)
    assert wording(profile, 0) == ""
    short = wording(profile, 40)
    assert wording(profile, 500).startswith(short)


def test_of_what_is_gone_nothing_stays() -> None:
    life = told(("2025-01-10", "My sister Mei lives in Leeds."), ("2025-02-02", "Tom gave me a watch."))
    assert kin(known("Lena", life[1:])) == set()
    assert identities("Mei", life[1:]) == []
    assert listed(known("Lena", life[:1]), "gifts") == []
