"""Of two answers to a question about how things stand the later one counts; of what was, and of what differs, both."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from every_row import every_row
from soulmem.core.reranking import competing_answers
from soulmem.core.reranking.competing_answers import (
    ALONE,
    MARKED,
    WITH_MODEL,
    Answer,
    Later,
    pairs,
    rivals,
)
from soulmem.core.reranking.rival_features import Held
from soulmem.core.reranking.rival_questions import has_rivals

DAY = 86_400_000
RIVALS = [
    ("How much do I owe Bea?", "I owe Bea six hundred.", "Gave Bea two hundred back, so I owe her four hundred now."),
    ("What do I drive?", "I drive a Fiesta.", "The Fiesta is gone, I drive a little Yaris now."),
    ("我一个月房租多少钱？", "我房租一个月一千一。", "房租涨了，现在一个月一千五。"),
    ("我上什么班？", "我在厂里上夜班。", "我现在改上早班了，不上夜班了。"),
    ("Bea 现在在哪儿上班？", "Bea 在 Greggs 上班。", "Bea 不在 Greggs 干了，现在在 Tesco 上班。"),
]
BOTH = [
    ("What is my sister called?", "My sister's called Maureen.", "Rain all day, I read on the sofa."),
    ("我对什么过敏？", "我吃菠萝就嘴巴肿。", "昨天下雨，我在家看书。"),
    ("Bea 怕什么？", "Bea 怕 moths。", "Bea 昨天在 Leeds 吃了面。"),
]


def places(found: Mapping[int, Later]) -> dict[int, int]:
    assert all(each.sure >= 0 for each in found.values())
    return {place: each.place for place, each in found.items()}


def told(first: str, then: str, *, later: int = 9 * DAY, speaker: str = "Ana", near: float = 0.6) -> list[Answer]:
    return [Answer(first, "Ana", (DAY, 1), 1.0, near), Answer(then, speaker, (DAY + later, 2), 0.8, near)]


@every_row(RIVALS, unpack=True)
def test_the_later_answer_counts(question: str, first: str, then: str) -> None:
    assert has_rivals(question)
    near = [[1.0, 0.6], [0.6, 1.0]]
    assert places(rivals(question, "Ana", told(first, then), near)) == {0: 1}
    assert places(rivals(question, "Ana", told(first, then)[::-1], near)) == {1: 0}  # whichever came to mind first
    assert rivals(question, "Ana", told(first, then, later=0, speaker="Ben"), near) == {}


OF_OTHERS = [
    (
        "When is Sam's trip to Kerry?",
        "Sam's trip to Kerry is on 14 May.",
        "My cousin Lin moves in with Hal on 22 January.",
    ),
    ("一鸣哪天去黄山？", "一鸣五月十四号去黄山。", "我表姐林静一月二十二号要搬去和黄江冬住。"),
    ("Sam 哪天去 Kerry？", "Sam 五月十四号去 Kerry。", "My cousin Lin 一月二十二号搬去 Cork。"),
]


@pytest.mark.parametrize(("question", "first", "then"), OF_OTHERS)
def test_a_day_of_others_takes_no_place_of_the_one_that_is_asked_for(question: str, first: str, then: str) -> None:
    held = Held(question, "Ana", told(f"Ana: {first}", f"Ana: {then}"), [[1.0, 0.6], [0.6, 1.0]], None)
    assert not held.may_compete(0, 1)
    moved = Held(
        question, "Ana", told(first, "It has been moved to the 21st. 改到二十一号了。"), [[1.0, 0.6], [0.6, 1.0]], None
    )
    assert moved.may_compete(0, 1)


@pytest.mark.parametrize(("question", "first", "then"), BOTH)
def test_what_merely_came_later_takes_no_place(question: str, first: str, then: str) -> None:
    answers = [Answer(first, "Ana", (DAY, 1), 1.0, 0.6), Answer(then, "Ana", (9 * DAY, 2), 0.4, 0.2)]
    assert rivals(question, "Ana", answers, [[1.0, 0.1], [0.1, 1.0]]) == {}


def test_of_a_person_who_comes_up_every_day_nothing_takes_the_place_of_anything() -> None:
    """Their statements are all near each other, and have other numbers: none is news of another."""
    said = [
        "Teddy can't have kiwi, his lips swell up.",
        "I've a son, Teddy, he's six, and a greyhound called Biscuit.",
        "Teddy lost his first tooth today!!",
        "Biscuit ate one of Teddy's school shoes, so that's forty quid gone.",
        "Teddy says he wants to call the baby Biscuit Two.",
    ]
    answers = [Answer(text, "Ana", (day * DAY, day), 1.0 - day / 20, 0.46) for day, text in enumerate(said, 1)]
    near = [[1.0 if a == b else 0.7 for a in range(5)] for b in range(5)]
    for question in ("What is Teddy allergic to?", "How old is Teddy?", "What does Teddy want to be?"):
        assert rivals(question, "Ana", answers, near) == {}


@every_row(["Where did I live before?", "我以前住哪儿？", "Bea 以前在哪儿上班？", "dinner tonight", "晚饭"])
def test_what_was_and_what_is_no_question_has_no_rivals(query: str) -> None:
    assert not has_rivals(query)


@every_row(
    [
        "Where am I from?",
        "When is Bea's birthday?",
        "How did Bea and I meet?",
        "我是哪儿的人？",
        "Bea 老家在哪儿？",
        "我跟 Bea 是怎么认识的？",
        "What's my birthday?",
        "What am I allergic to?",
        "我对什么过敏？",
        "我会说什么外语？",
        "我老家是哪里的呢？",
    ]
)
def test_what_never_changes_has_no_rivals(query: str) -> None:
    assert not has_rivals(query)


@every_row(
    [
        "where is the letter from him?",
        "Where do I come from on Mondays to get here?",
        "Where does my water come from?",
        "老家还养鸭子吗？",
        "When is Leo's birthday party?",
        "What's the plan for mum's birthday?",
        "What pills does he take for his heart?",
        "我儿子现在对什么过敏？",
        "明天开会讲什么话题？",
        "家属什么时候能去探视？",
        "妈妈生日什么时候聚餐？",
        "老家在装修的房子弄好了吗？",
        "Has the child been born?",
        "Where is our veg box from?",
        "家里现在几个人？",
    ]
)
def test_what_only_sounds_like_it_may_have_rivals(query: str) -> None:
    assert has_rivals(query)


@every_row(
    [
        (
            "Which tablets do I take?",
            "I take warfarin every evening.",
            "The GP has put me on blood pressure tablets too.",
        ),
        ("我现在不能吃什么？", "我不能吃花生。", "大夫说麸质也不行。"),
    ],
    unpack=True,
)
def test_one_thing_more_takes_no_place(question: str, first: str, then: str) -> None:
    near = [[1.0, 0.6], [0.6, 1.0]]
    assert rivals(question, "Ana", told(first, then), near, [[0.0, 9.0], [-9.0, 0.0]]) == {}


def test_who_asks_of_now_is_not_told_of_a_change_that_the_model_does_not_see() -> None:
    near = [[1.0, 0.6], [0.6, 1.0]]
    answers = told("I can't eat nuts, they could kill me.", "The doctor says no more gluten for me.")
    assert rivals("What food should I avoid these days?", "Ana", answers, near, [[0.0, -0.2], [-9.0, 0.0]]) == {}


def test_a_question_is_no_answer() -> None:
    question, first, _ = RIVALS[1]
    assert rivals(question, "Ana", told(first, "What do I drive these days?"), [[1.0, 0.9], [0.9, 1.0]]) == {}


def test_nearly_all_questions_whose_answer_changed_may_have_rivals() -> None:
    corpus = Path(__file__).parents[3] / "corpora" / "changes_asked.tsv"
    rows = [line.split("\t") for line in corpus.read_text(encoding="utf-8").splitlines()]
    for language in ("en", "zh"):
        asked = [row[3] for row in rows if row[1:3] == [language, "over"]]
        assert len(asked) > 70
        assert sum(map(has_rivals, asked)) >= 0.97 * len(asked)


@every_row([*RIVALS, *BOTH], unpack=True)
def test_no_pair_scores_more_than_is_told_before_its_texts_are_read(question: str, first: str, then: str) -> None:
    cosines = [[1.0, 0.6], [0.6, 1.0]]
    for curve, replaced in ((ALONE, None), (WITH_MODEL, [[0.0, 3.0], [-9.0, 0.0]])):
        for later in (0, 9 * DAY):
            answers = told(first, then, later=later)
            for pair, found in pairs(question, "Ana", answers, cosines, replaced).items():
                known = dict(Held(question, "Ana", answers, cosines, replaced).later_than(pair[0]))[pair[1]]
                assert curve.score(found) <= curve.most()(known)
    far = told(first, then, later=0, near=0.0)
    known = dict(Held(question, "Ana", far, [[1.0, 0.0], [0.0, 1.0]], None).later_than(0))
    assert all(ALONE.most()(each) < MARKED for each in known.values())


@every_row(RIVALS, unpack=True)
def test_what_the_replacement_model_says_decides_where_words_do_not(question: str, first: str, then: str) -> None:
    """The same words: what is surely replaced is marked, what surely stands is not."""
    near = [[1.0, 0.6], [0.6, 1.0]]
    assert places(rivals(question, "Ana", told(first, then), near, [[0.0, 9.0], [-9.0, 0.0]])) == {0: 1}
    assert rivals(question, "Ana", told(first, then), near, [[0.0, -19.0], [9.0, 0.0]]) == {}


def test_a_mark_is_of_the_message_and_the_note_of_its_words_and_of_no_other_note() -> None:
    question, first, then = RIVALS[2]
    answers = [
        Answer(first, "Ana", (DAY, 1), 1.0, 0.6),
        Answer(f"Ana（2026年3月2日）：{first}", "Ana", (DAY, 1), 0.9, 0.6),
        Answer("我的猫叫年糕。", "Ana", (DAY, 1), 0.5, 0.1),
        Answer(then, "Ana", (9 * DAY, 2), 0.8, 0.6),
    ]
    near = [[1.0 if a == b else 0.1 if 2 in (a, b) else 0.7 for a in range(4)] for b in range(4)]
    assert places(rivals(question, "Ana", answers, near)) == {0: 3, 1: 3}


def test_who_asks_how_things_stand_now_has_the_later_answer_sooner() -> None:
    for plain, now in (
        ("What do I do at the clinic?", "What do I do at the clinic now?"),
        ("我在食堂做什么？", "我现在在食堂做什么？"),
        ("Have I the Morris?", "Have I the Morris still?"),
    ):
        assert competing_answers.least_of(now) < competing_answers.least_of(plain) == MARKED


IN_ONE_TALK = (
    (
        "What time is the bank?", "The bank is on Thursday at nine.",
        "The bank has this minute sent a message, it's at two.", "At two I feed the cat.",
    ),
    ("面试是几号？", "面试是十二号。", "刚来短信，推到十四号了。", "十四号我要喂猫。"),
)  # fmt: skip


@every_row(IN_ONE_TALK, unpack=True)
def test_second_thoughts_count_in_the_talk_that_told_the_first(
    question: str, first: str, otherwise: str, beside: str
) -> None:
    near, replaced = [[1.0, 0.6], [0.6, 1.0]], [[0.0, 6.0], [-9.0, 0.0]]
    minutes = 5 * 60_000
    assert places(rivals(question, "Ana", told(first, otherwise, later=minutes), near, replaced)) == {0: 1}
    assert rivals(question, "Ana", told(first, beside, later=minutes), near, replaced) == {}
