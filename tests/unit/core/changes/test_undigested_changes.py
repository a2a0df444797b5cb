"""Which messages of change an item is held against: those with most of its words, found by word and not one by one."""

from __future__ import annotations

import pytest

from soulmem.core.changes.change_owners import kin_in
from soulmem.core.facts.topic_terms import terms_in
from soulmem.core.facts.validity_intervals import Ending
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.wordlists.life_matters import MATTERS
from soulmem.store.views.undigested_talk import Said
from soulmem.working.validity.undigested_changes import about_ended, changing_talk

TALK = [
    "My rent went up to 900 now.",
    "We moved to Antwerp, keys handed in on Saturday.",
    "I quit the choir.",
    "The dentist moved my appointment to Friday.",
    "My sister broke up with Callum.",
    "What a lovely day.",
    "房租涨到一千五了。",
    "我辞职了，不在厂里干了。",
    "我妈出院了。",
    "约会改到周五了。",
]
ITEMS = [
    "My rent is 800 a month, my sister says that is a lot.",
    "I live in a flat in Ghent.",
    "I sing in a choir with my sister on Fridays.",
    "I have a dentist's appointment on Monday.",
    "房租一个月一千二。",
    "我在厂里上班，我妈住院了。",
    "I like tea.",
]


def said(row: int, text: str, told: int, before: str = "") -> Said:
    return Said(row, 1, "Ana", text, (told, row), told, before)


def words_of(item: Said) -> frozenset[str]:
    text = f"{item.before}\n{item.text}"
    return terms_in(text, ()) | kin_in(text)


def one_by_one(item: Said, talk: list[Said]) -> list[Said]:
    changing = changing_talk(talk).talk
    found = []
    for each in changing:
        shared = len(words_of(each) & words_of(item))
        turned = [matter for matter in MATTERS if matter.turns.search(each.text) and matter.holds.search(item.text)]
        if each.told > item.told and (shared or turned):
            found.append((shared, each.told, each))
    return [each for _, _, each in sorted(found, key=lambda one: one[:2], reverse=True)[:3]]


def test_an_item_meets_those_that_share_most_with_it() -> None:
    talk = [said(row, text, 1_000 * row, TALK[row - 1] if row else "") for row, text in enumerate(TALK)]
    compared = 0
    for number, text in enumerate(ITEMS):
        for told in (0, 4_500):
            item = said(100 + number, text, told, ITEMS[number - 1])
            near = changing_talk(talk).near((ItemKind.NOTE, item.row), item)
            assert near == one_by_one(item, talk)
            compared += len(near)
    assert compared >= len(ITEMS)


def test_what_comes_after_a_change_and_the_change_itself_meet_nothing() -> None:
    talk = [said(row, text, 1_000 * row) for row, text in enumerate(TALK)]
    late = said(200, ITEMS[0], 1_000_000)
    assert changing_talk(talk).near((ItemKind.MESSAGE, 200), late) == []
    early = said(0, TALK[0], -1)
    assert all(each.row for each in changing_talk(talk).near((ItemKind.MESSAGE, 0), early))


def test_a_mask_over_several_lines_is_read_as_one() -> None:
    masked = said(1, "the flat xxx(somewhere\nnear the rent office) is small", 0)
    talk = [said(7, "My rent went up to 900 now.", 10)]
    assert changing_talk(talk).near((ItemKind.NOTE, 1), masked) == []


@pytest.mark.parametrize(
    ("asked", "said", "over", "about"),
    [
        ("秦姐去哪里了？", "秦姐要调去北京了，下周新主编是邵岩，三十出头。", "三十出头", (False, False)),
        (
            "Where is Mona going?",
            "Mona is going to Bergen, the new editor is Tom, he's thirty",
            "he's thirty",
            (False, False),
        ),
        ("How much is the rent?", "the rent. it's 1,150 now", "it's 1,150 now", (True, False)),
        ("What does my wife do?", "My wife Petra is a midwife, she works nights", "she works nights", (False, False)),
        ("When does my wife work?", "My wife Petra is a midwife, she works nights", "she works nights", (True, False)),
        ("am i seeing someone?", "I'm seeing someone. his name is Emeka", "I'm seeing someone", (True, True)),
        ("我有对象吗？", "我有对象了，叫江越，在医院上班。", "我有对象了", (True, True)),
    ],
)
def test_a_part_that_is_over_is_asked_for_by_its_words_or_those_just_before_and_surely_by_words_of_it_alone(
    asked: str, said: str, over: str, about: tuple[bool, bool]
) -> None:
    ending = Ending(2, "supersede", None, 0, said=over, whole=False)
    assert about_ended(terms_in(asked, ()), said, (ending,)) == about


@pytest.mark.parametrize(
    ("asked", "note", "over", "speaker"),
    [
        ("高尔夫怎么了？", "苏禾开一辆旧的高尔夫，空调坏了。", "我开一辆旧的高尔夫", "苏禾"),
        ("How is my knee?", "Nell (2 March 2026): My knee hurts, I skipped judo.", "My knee hurts", "Nell"),
    ],
)
def test_a_note_says_by_name_what_its_speaker_said_of_himself(asked: str, note: str, over: str, speaker: str) -> None:
    ending = Ending(2, "invalidate", None, 0, said=over, whole=False)
    assert about_ended(terms_in(asked, ()), note, (ending,), speaker).is_so
