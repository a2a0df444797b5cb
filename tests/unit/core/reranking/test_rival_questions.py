"""Which questions ask how things stand: of several answers the one told last counts, but of what happened all do."""

from __future__ import annotations

import pytest

from every_row import every_row
from soulmem.core.reranking.rival_questions import (
    asks_now,
    asks_whereabouts,
    has_rivals,
    is_of_event,
    names_unasked,
    prices_another,
)

# How people ask in Chinese without a word for it, and without a mark.
BARE = (
    "阿贵还在厂里不", "她跟外婆怎么联系", "婆媳俩关系怎样", "她爸妈还在做生意没得", "中级考过没有",
    "他哥靠啥把羊群拢回家", "他们家的车什么样", "她把车停公司一个月要花好多钱", "他写稿用纸笔还是电脑",
    "奶糖白天睡几回", "我妈的 iPad 怎么充电",
)  # fmt: skip
TOLD = (
    "我不知道怎么联系她。", "昨天下雨了。", "我在厂里上班。", "无论怎样我都去。", "I work at the mill.",
    "今天去 Lidl 买菜了。",
)  # fmt: skip
STAYS = (
    "Where are you from?", "How did you two meet?", "Why did she leave?", "你老家是哪儿的？", "你们怎么认识的？",
    "他为什么走？",
)  # fmt: skip


@pytest.mark.parametrize("text", BARE)
def test_chinese_asks_without_a_mark_too(text: str) -> None:
    assert has_rivals(text)
    assert has_rivals(f"{text}？")


@pytest.mark.parametrize("text", [*TOLD, *STAYS])
def test_what_is_told_and_what_never_changes_has_no_rivals(text: str) -> None:
    assert not has_rivals(text)


HERE = (
    "Where is Dylan?", "Where's my brother these days?", "where do I live", "Where does Mia work?", "谭鑫在哪儿？",
    "我弟住哪？", "他现在在什么地方上班？",
)  # fmt: skip
ELSEWHERE = (
    "Where will Dylan live?", "Where is Dylan going?", "Where are we off to in May?", "What does Dylan do?",
    "谭鑫以后在哪儿？", "谭鑫明年在哪上学？", "婚礼在哪儿办？", "谭鑫是谁？",
)  # fmt: skip


@pytest.mark.parametrize("text", HERE)
def test_it_is_asked_where_somebody_is(text: str) -> None:
    assert asks_whereabouts(text)


@pytest.mark.parametrize("text", ELSEWHERE)
def test_where_somebody_will_be_is_another_question(text: str) -> None:
    assert not asks_whereabouts(text)


def test_how_it_is_asked() -> None:
    assert asks_now("Does he still smoke?")
    assert asks_now("他现在住哪？")
    assert not asks_now("Where does he live?")
    assert is_of_event("What happened at the weir?") == is_of_event("那天怎么了？") == 1.0
    assert is_of_event("我当了多少年教书匠？") == is_of_event("他在那儿住过几年？") == 1.0
    assert (
        is_of_event("老郝往门口撂了箱啥？") == is_of_event("三八节单位发的啥？") == is_of_event("他吃了几碗？") == 1.0
    )
    assert is_of_event("Where does he live?") == is_of_event("他换了什么工作？") == is_of_event("搬到了哪儿？") == 0.0


@every_row(
    [
        ("苹果今年多少钱一斤？", "苹果今年一斤三块二", "杭州那个活，一趟给八千", True),
        ("苹果今年多少钱一斤？", "苹果今年一斤三块二", "苹果涨了，一斤三块五", False),
        ("How much is a bale?", "Tweddle pays 32 a bale", "the vet was 86", True),
        ("How much is a bale?", "Tweddle pays 32 a bale", "he's come up to 38 a bale", False),
        ("how much do I pay a month?", "it's 700 a month", "it went up to 750", False),
    ],
    unpack=True,
)
def test_the_price_of_another_thing_is_no_later_answer(query: str, earlier: str, later: str, is_another: bool) -> None:
    assert prices_another(query, earlier, later) is is_another


@every_row(
    [
        ("What does my brother do for a living?", "Marisol's brother is called Nando", True),
        ("What is my brother called?", "Marisol's brother is called Nando", False),
        ("Who is my brother married to?", "Marisol's brother's wife is called Ines", False),
        ("What does my brother do?", "Nando is called in at four every morning, he drives a lorry", False),
        ("我闺女在哪儿上学？", "秀珍的闺女叫谭小满", True),
        ("我闺女叫什么？", "秀珍的闺女叫谭小满", False),
        ("我闺女做什么？", "闺女叫我别跑车了，她毕业了当护士", False),
    ],
    unpack=True,
)
def test_a_name_that_nobody_asks_is_over_by_no_other_answer(query: str, earlier: str, names: bool) -> None:
    assert names_unasked(query, earlier) is names
