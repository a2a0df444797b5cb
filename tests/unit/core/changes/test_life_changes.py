"""Matters of a life that turned, told in other words than how they were told: cases in both languages, and laws."""

# Cases stand on long lines, as tables.

from __future__ import annotations

import pytest
from hypothesis import given, settings

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.changes.change_clauses import Statement, statement_of, topics_of
from soulmem.core.changes.change_detection import changes
from soulmem.core.changes.life_changes import is_of_others, turns_matter
from soulmem.core.changes.supersession import Effect, findings
from soulmem.core.facts.fact_reader import readings_of
from soulmem.core.wordlists.life_matters import MATTERS
from spoken_texts import texts

START = 1_772_442_000_000  # a Monday


def read(text: str, later: int = 0) -> Statement:
    return statement_of(text, "Ana" if text.isascii() else "小安", START + later * DAY_MS)


def turns(old: str, new: str) -> bool:
    return any(turns_matter(one, other) for one in read(new, 9).clauses for other in read(old).clauses)


@every_row(
    [
        ("We rent a flat over a bakery.", "Picked up the keys to the cottage on Friday."),
        ("I work for a shoe shop.", "Handed in my notice this morning."),
        ("My sister is pregnant.", "My sister gave birth on Tuesday."),
        ("I'm in plaster up to the knee.", "Plaster came off at last."),
        ("I work from home.", "They want me in the office four days a week."),
        ("我们租在城西", "新家的钥匙拿到了"),
        ("我在印刷厂上班", "我上个月离职了"),
        ("我右手打着石膏", "石膏拆了"),
        ("我一天一包烟", "烟早就不抽了，戒烟半年"),
    ],
    unpack=True,
)
def test_what_turned_needs_no_word_in_common(old: str, new: str) -> None:
    assert turns(old, new)


@every_row(
    [
        ("We rent a flat over a bakery.", "My cousin picked up the keys to her cottage."),  # another's
        ("I work for a shoe shop.", "I'm going to hand in my notice if this goes on."),  # supposed
        ("I work for a shoe shop.", "You handed in your notice, didn't you"),  # the other's
        ("I have a glass of red every evening.", "Not a drop tonight."),  # of one evening
        ("We rent a flat over a bakery.", "I want to move out."),  # wished
        ("我们租在城西", "同事新家的钥匙拿到了"),
        ("我在印刷厂上班", "我打算辞职"),
        ("大宝上二年级", "二宝上小学了"),
        ("科目三下周二考", "科目二我一把过的"),
    ],
    unpack=True,
)
def test_what_is_of_another_or_wished_or_of_one_day_turns_nothing(old: str, new: str) -> None:
    assert not turns(old, new)


def test_a_matter_that_turned_is_sought_by_the_words_of_how_it_was() -> None:
    assert any("flat" in each for each in topics_of(read("Boxes everywhere, we've just moved in.")))
    assert any("工作" in each for each in topics_of(read("我上个月离职了")))
    assert not topics_of(read("The weather is lovely."))


def test_every_matter_can_be_sought_and_no_two_have_a_name() -> None:
    assert all(each.seek.split() for each in MATTERS)
    assert len({each.name for each in MATTERS}) == len(MATTERS)


@settings(max_examples=150, deadline=None)
@given(texts, texts)
def test_of_any_two_texts_the_answer_is_the_same_again(old: str, new: str) -> None:
    for one in read(new, 9).clauses:
        for other in read(old).clauses:
            assert turns_matter(one, other) is turns_matter(one, other)
            assert not (one.said == other.said and is_of_others(one, other))


@every_row(
    [
        ("I live in Ghent, on Coupure Links", "Our new house number is 214"),
        ("I live in Leeds, near the station", "we got a new flat screen"),
        ("我住在嘉兴", "我们家新的门牌号是14号"),
        ("我和表姐合租在徐汇", "表姐年底要搬走"),
        ("My lodger Ana lives upstairs", "Ana is going to move out next year"),
    ],
    unpack=True,
)
def test_what_belongs_to_a_home_or_is_yet_to_come_ends_no_home(old: str, new: str) -> None:
    assert not changes(statement_of(new, "Ana", 2), statement_of(old, "Ana", 1))


@every_row(
    [
        ("Gareth is coming on Saturday", "Gareth's coming a day early"),
        ("Mum arrives on Thursday", "Mum's arriving two days later"),
        ("表弟周六过来", "表弟提前一天来"),
        ("婷婷周六来看我", "婷婷要早一天到"),
        ("My boss is called Mr Keller", "I have a new boss, her name is Ines"),
        ("My boss is Karin", "New boss from Monday: Derek"),
        ("My dentist is Dr Albers", "I've switched dentists, it's Dr Mehta now"),
        ("我领导姓马，马经理", "换领导了，新领导叫何静"),
    ],
    unpack=True,
)
def test_a_plan_that_shifts_and_who_holds_a_post_are_other_than_they_were(old: str, new: str) -> None:
    assert changes(statement_of(new, "Rae", 2), statement_of(old, "Rae", 1))


@pytest.mark.parametrize("new", ["Zoe's coming a day early", "舅舅提前一天来"])
def test_another_ones_plan_shifts_nothing(new: str) -> None:
    old = "Gareth is coming on Saturday" if new.isascii() else "表弟周六过来"
    assert not changes(statement_of(new, "Rae", 2), statement_of(old, "Rae", 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我最喜欢的歌手是陈奕迅。", "我现在最喜欢的歌手是李健。"),
        ("My favourite singer is Adele", "My current favourite singer is Sade"),
    ],
)
def test_what_is_so_now_is_of_the_same_matter_as_what_was(old: str, new: str) -> None:
    assert [each.effect for each in findings(readings_of(new, "Rae"), readings_of(old, "Rae"))] == [Effect.SUPERSEDE]


@every_row(
    [
        ("我住在扬州", "箱子收拾了三遍，老秦说我像搬家"),
        ("我住在扬州", "行李多得跟搬家似的"),
        ("我住在扬州", "楼上清静了，那小两口搬走了，现在住的是两个女学生"),
        ("我住在扬州", "那家人搬走了"),
        ("我住在扬州", "我如今闲不住，现在学国画"),
        ("我闲不住，在老年大学报了国画班", "我现在住三楼"),
        ("四月去洛阳看牡丹，住三晚", "我现在住三楼"),
        ("I live in Leeds", "Three cases packed, Ted says it looks like I'm moving house"),
        ("I live in Leeds", "The couple upstairs have moved out, two students are living there now"),
        ("We're staying in Porto for three nights", "I live on the third floor now"),
    ],
    unpack=True,
)
def test_what_only_sounds_like_living_elsewhere_ends_no_home(old: str, new: str) -> None:
    assert changes(read(new, 9), read(old)) == ()
    later, earlier = (readings_of(text, "Ana" if text.isascii() else "小安") for text in (new, old))
    assert not [each for each in findings(later, earlier) if each.effect is not Effect.REINFORCE]


@every_row(
    [
        ("我住在扬州", "我搬家了，在河西"),
        ("我住在扬州", "我现在住三楼"),
        ("我住在扬州", "我们小两口搬家了"),
        ("我住宿舍", "现在我住的是单间"),
    ],
    unpack=True,
)
def test_who_lives_elsewhere_lives_no_more_where_they_did(old: str, new: str) -> None:
    assert changes(read(new, 9), read(old)) != ()
