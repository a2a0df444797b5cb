"""Rating importance without a model: planted events, routine and idioms, and that any text is rated 1..10."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import pytest
from hypothesis import given, settings

from every_row import every_row
from soulmem.core.schema.engine_tasks import ImportanceRequest, Labelled
from soulmem.core.schema.note_requests import Cast
from soulmem.llm.extractive import ExtractiveEngine
from soulmem.llm.extractive.tasks.rate_importance import UNREADABLE, rate
from spoken_texts import labelled

AT = 1_700_000_000_000

BETWEEN = {
    (9, 10): ["My father passed away last night.", "我奶奶昨天去世了。", "Anna's mother died of cancer in March.", "小红的爸爸过世了", "My mom 去世了"],
    (8, 10): [
        "I'm getting married in June!", "We are pregnant!", "我怀孕了！", "她们下个月结婚", "I was diagnosed with diabetes.",
        "Tom had a heart attack", "我们离婚了。", "My sister gave birth to twins", "我爸住院了",
    ],
    (7, 9): [
        "I moved to Berlin last week.", "我搬到上海了", "I'm allergic to peanuts", "我对芒果过敏", "We broke up.", "我昨天辞职了",
        "I promise I'll never leave you", "I got fired", "Ann graduated from Yale", "小李考上了北大", "我答应过你一起去看海",
        "我们分手了 and I can't stop crying",
    ],
    (5, 8): [
        "I have an exam on Friday.", "明天要期末考试", "I had a big fight with my boss", "我昨晚发烧了", "My birthday is 4 May",
        "I won first prize at the fair", "养了一只猫，叫豆包", "My name is Clara",
    ],
    (3, 6): ["I like pottery.", "我喜欢爬山。", "Anna works at a bakery", "周末打算去博物馆", "We hiked Mount Hood", "I bought a new guitar"],
    (1, 2): [
        "ok", "Hi there!", "哈哈", "你好", "I brushed my teeth.", "早上起床吃了早饭", "Anna is idle", "", "thanks!", "我在发呆", "lol",
        "好的，谢谢", "Nice weather today", "今天天气不错", "watched TV",
    ],
}  # fmt: skip
NO_EVENT = [
    "My phone died again.", "笑死我了", "I almost died laughing at that joke", "In the movie his wife died.", "Did you get married?",
    "我还没结婚", "他是搬家具的", "累死了今天", "如果我辞职了怎么办", "nobody died", "电影里他老婆去世了", "He is married to his job",
]  # fmt: skip


def rated(*texts: str, character: str = "") -> tuple[int, ...]:
    return rate(
        ImportanceRequest(
            tuple(Labelled(f"N{i}", text, AT) for i, text in enumerate(texts)), cast=Cast(persona=character)
        )
    )


@every_row([(*bounds, text) for bounds, told in BETWEEN.items() for text in told], unpack=True)
def test_planted_cases(low: int, high: int, text: str) -> None:
    (score,) = rated(text)
    assert low <= score <= high


@every_row(NO_EVENT)
def test_words_of_an_event_where_there_is_none(text: str) -> None:
    (score,) = rated(text)
    assert score <= 5


@pytest.mark.parametrize(
    "text", ["Привет, как дела?", "昨日は友達と映画を見ました。とても楽しかったです", "안녕하세요 반갑습니다"]
)
def test_what_no_word_list_can_read_gets_the_fail_safe(text: str) -> None:
    assert rated(text) == (UNREADABLE,)


def test_the_day_a_note_carries_adds_nothing() -> None:
    assert rated("Ann (8 May 2023): I like tea.") == rated("Ann: I like tea.")
    assert rated("小林（2023年5月8日）：我喜欢喝茶。") == rated("小林：我喜欢喝茶。")


@pytest.mark.parametrize(
    ("plain", "strong"),
    [
        ("I failed the exam.", "I failed the exam and cried for the first time in years!"),
        ("我和他吵架了", "我和他吵架了，我崩溃了，这辈子都不会忘！"),
    ],
)
def test_how_it_is_told_counts(plain: str, strong: str) -> None:
    before, after = rated(plain)[0], rated(strong)[0]
    assert before < after <= 10


def test_what_was_just_told_counts_less() -> None:
    first, second = rated("We hiked Mount Hood with Clara.", "We hiked Mount Hood with Clara!")
    assert second == first - 1


@settings(deadline=None)
@given(notes=labelled(0, 20), character=labelled(1, 1))
async def test_any_items_are_rated_in_order_and_always_the_same(
    notes: tuple[Labelled, ...], character: tuple[Labelled, ...]
) -> None:
    request = ImportanceRequest(notes, cast=Cast(persona=character[0].text))
    scores = await ExtractiveEngine().rate_importance(request)
    assert len(scores) == len(notes)
    assert all(isinstance(score, int) and 1 <= score <= 10 for score in scores)
    assert scores == await ExtractiveEngine().rate_importance(request)


def test_a_wall_of_text_is_rated() -> None:
    assert 1 <= rated("so I said " * 50_000)[0] <= 10
    assert 1 <= rated("然后我说" * 50_000)[0] <= 10
