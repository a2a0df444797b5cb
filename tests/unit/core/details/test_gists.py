"""Vaguer wordings: by kind, one step coarser each time, and never with the wording they stand for."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar import calendar_math
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.details.gists import Kind, date_rungs, kind_gist, kind_said, ladder, leaks, vaguer
from soulmem.core.numbers.rough_numbers import about, value_of

EXAMPLES = 20_000 if os.environ.get("SOULMEM_TORTURE") else 300
MONDAY = calendar_math.day_number(2023, 5, 8) * calendar_math.DAY_MS + 14 * calendar_math.HOUR_MS

DATES = [
    ("7 May 2023 at 3 pm", "en", ("in May 2023", "in 2023", "in the 2020s")),
    ("7 May 2023", "en", ("in May 2023", "in 2023", "in the 2020s")),
    ("yesterday at 3 pm", "en", ("on 7 May 2023", "in May 2023", "in 2023", "in the 2020s")),
    ("last weekend", "en", ("in May 2023", "in 2023", "in the 2020s")),
    ("in May 2023", "en", ("in 2023", "in the 2020s")),
    ("last summer", "en", ("in 2022", "in the 2020s")),
    ("in 2019", "en", ("in the 2010s",)),
    ("昨天下午三点", "zh", ("2023年5月7日", "2023年5月", "2023年", "2020年代")),
    ("2023年5月7日", "zh", ("2023年5月", "2023年", "2020年代")),
    ("去年夏天", "zh", ("2022年", "2020年代")),
    ("2019年", "zh", ("2010年代",)),
]


@every_row(DATES, unpack=True)
def test_a_date_is_said_one_step_coarser_each_time(text: str, language: str, rungs: tuple[str, ...]) -> None:
    assert date_rungs(find_dates(text, MONDAY)[0].period, language) == rungs


@every_row(
    [
        ("42", 42, "about forty", "四十左右"),
        ("forty-two", 42, "about forty", "四十左右"),
        ("四十二", 42, "about forty", "四十左右"),
        ("40", 40, "dozens", "几十"),
        ("3", 3, "a few", "几"),
        ("13", 13, "a dozen or so", "十几"),
        ("1,234", 1_234, "about a thousand", "一千左右"),
        ("$42.50", 42.5, "about forty", "四十左右"),
        ("两百五十", 250, "about three hundred", "三百左右"),
        ("12万", 120_000, "about a hundred thousand", "十万左右"),
        ("三万五千", 35_000, "about forty thousand", "四万左右"),
        ("two hundred and six", 206, "about two hundred", "两百左右"),
        ("3 dozen", 36, "about forty", "四十左右"),
        ("2.4亿", 240_000_000, "about two hundred million", "两亿左右"),
        ("4１", 41, "about forty", "四十左右"),
    ],
    unpack=True,
)
def test_a_number_is_said_roughly(text: str, value: float, english: str, chinese: str) -> None:
    assert value_of(text) == pytest.approx(value)
    assert about(value, "en")[0] == english
    assert about(value, "zh")[0] == chinese


@every_row(["", "cat", "猫", "9" * 40, "亿" * 9, "-", "$"])
def test_what_is_no_number_has_no_value(text: str) -> None:
    assert value_of(text) is None


@every_row(
    [
        (Kind.PERSON, "Melanie", "someone", "某个人"),
        (Kind.PLACE, "Lisbon", "somewhere", "某个地方"),
        (Kind.NUMBER, "42", "about forty", "四十左右"),
        (Kind.NUMBER, "forty", "dozens", "几十"),
        (Kind.SPEECH, "I love you", "something she said", "某句话"),
        (Kind.ANIMAL, "black cat", "some animal", "某种动物"),
        (Kind.CODE, "4821", "some digits", "某串数字"),
    ],
    unpack=True,
)
def test_each_kind_has_its_word(kind: Kind, quote: str, english: str, chinese: str) -> None:
    assert kind_gist(kind, quote, "en", pronoun="she") == english
    assert kind_gist(kind, quote, "zh", pronoun="she") == chinese


def test_a_word_for_the_kind_that_leaks_gives_way_to_the_next() -> None:
    assert kind_gist(Kind.PERSON, "someone", "en") == "a person"
    assert kind_gist(Kind.PLACE, "某个地方", "zh") == "某处"
    assert kind_gist(Kind.PERSON, "Tom", "en", hidden=["some", "a", "it", "h", "…"]) == ""


@every_row(
    [
        ("", "x"),
        ("   ", "x"),
        ("g" * 60, "x"),
        ("meeting Tom", "Tom"),
        ("meeting TOM", "tom"),
        ("meeting Ｔｏｍ", "Tom"),
        ("at the café", "cafe\u0301"),
        ("at the cafe", "Café"),
        ("a  black\ncat", "black cat"),
        ("the blackcat", "black cat"),
        ("在图 书馆", "图书馆"),
        ("something «Tom» said", '"Tom"'),
        ("号码4821", "4821。"),
    ],
    unpack=True,
)
def test_leaks_are_found_however_they_are_written(gist: str, hidden: str) -> None:
    assert leaks(gist, [hidden])


def test_what_is_vaguer_does_not_leak() -> None:
    assert not leaks("an animal that hisses", ["black cat", "猫"])
    assert not leaks("会哈气的动物", ["猫", "black cat"])
    assert not leaks("g" * 59, ["x"])
    assert not leaks("someone", ["", "  "])


def test_the_ladder_leads_from_the_nearest_to_the_vaguest() -> None:
    period = find_dates("7 May 2023", MONDAY)[0].period
    rungs = ladder(Kind.TIME, "7 May 2023", "en", period=period)
    assert rungs == ("in May 2023", "in 2023", "in the 2020s", "at some time", "once")
    for step in range(len(rungs)):
        assert vaguer(rungs, rungs[:step], "en") not in rungs[:step]


quotes = st.one_of(
    st.text(min_size=1, max_size=12),
    st.sampled_from(
        ["someone", "something", "a", "某", "某个", "什么", "in", "2023", "四十", "forty", "…", "…。", "E\u0301"]
    ),
)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.sampled_from(list(Kind)), quotes, st.lists(quotes, max_size=6), st.sampled_from(["en", "zh"]))
def test_a_gist_never_holds_what_it_stands_for(kind: Kind, quote: str, nested: list[str], language: str) -> None:
    period = find_dates("7 May 2023", MONDAY)[0].period if kind is Kind.TIME else None
    gist = kind_gist(kind, quote, language, hidden=nested, period=period)
    assert len(gist) < 60
    for hidden in (quote, *nested):
        assert not gist or not hidden.strip() or hidden.strip().lower() not in gist.lower()


@pytest.mark.parametrize(
    ("gist", "language", "said"),
    [
        ("something about someone's health", "en", "something about someone's health"),
        ("where someone works", "en", "where someone works"),
        ("关于身体的事", "zh", "关于身体的事"),
        ("某人的职业", "zh", "某人的职业"),
        ("someone", "en", "a person"),
        ("some lamp", "en", ""),
        ("something about the plan to leave Pia for good", "en", ""),
        ("旧灯", "zh", ""),
    ],
)
def test_what_is_gone_is_told_by_its_kind_or_topic_and_by_nothing_nearer(gist: str, language: str, said: str) -> None:
    assert kind_said(gist, language) == said


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.floats(0, 1e14), st.sampled_from(["en", "zh"]))
def test_every_number_can_be_said_roughly(value: float, language: str) -> None:
    said = about(value, language)
    assert said
    assert all(each and len(each) < 60 for each in said)
    if said[0].startswith("about ") and (meant := value_of(said[0].removeprefix("about a ").removeprefix("about "))):
        one = 1 if not said[0].startswith("about a ") else meant
        assert meant * (one / meant) <= max(value, 1) * 2
    if said[0].endswith("左右"):
        meant = value_of(said[0].removesuffix("左右"))
        assert meant == pytest.approx(value, rel=0.5)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 10**12))
def test_a_number_in_chinese_words_is_read_back(value: int) -> None:
    said = about(float(value), "zh")[0]
    if said.endswith("左右"):
        assert value_of(said.removesuffix("左右")) != value
