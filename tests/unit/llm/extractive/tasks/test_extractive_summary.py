"""The rolling summary: short, within its budget, and loyal to what was said first."""

from __future__ import annotations

import random

import pytest

from soulmem.core.calendar import calendar_math
from soulmem.core.schema.note_requests import Role, SummariseRequest, Summary, Turn
from soulmem.core.text.tokens import estimate_tokens
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.llm.extractive import ExtractiveEngine
from spread import spread

DAY = calendar_math.day_number(2024, 5, 8)

FACTS_EN = {
    "Miso": "I adopted a grey cat named Miso last week.",
    "nurse": "I work as a nurse at Riverside Hospital.",
    "peanuts": "I'm allergic to peanuts, so please never bring them.",
    "Lisbon": "My sister Anna got married in Lisbon two months ago.",
    "Denver": "I moved from Boston to Denver in March.",
    "birthday": "My birthday is on 3 June.",
    "ankle": "I broke my left ankle skiing last winter.",
    "boat": "I promised my grandfather to finish his boat.",
    "cello": "I'm learning the cello on Tuesdays.",
    "passed away": "My father passed away three years ago.",
}
LATER_EN = (
    "We visited the {} museum on Sunday with Petra and the twins.",
    "I bought {} tickets for the concert in Hamburg.",
    "My boss Ruth wants me to lead the {} project next month.",
    "I finally finished the {} novel you gave me.",
    "Our neighbours from {} invited us for dinner yesterday.",
)
FILL_EN = (
    "Hey! How are you doing today? I hope you are having a good one.",
    "That sounds really great, I am so happy for you, you must be so proud.",
    "Wow, thanks a lot, that means so much to me, you are the best.",
    "Haha, yeah, totally, I know exactly what you mean, it happens to everyone.",
    "Good morning! I slept okay, just a bit lazy today, nothing special.",
    "I agree with you, taking it slow is important, we should all do that more.",
    "Talk to you soon, take care and have a good rest of the day!",
)
FACTS_ZH = {
    "豆包": "我上周领养了一只橘猫，叫豆包。",
    "护士": "我在人民医院当护士，已经做了五年。",
    "花生": "我对花生过敏，你可千万别带花生来。",
    "厦门": "我姐姐两个月前在厦门结婚了。",
    "成都": "我三月份从北京搬到了成都。",
    "六月三号": "我的生日是六月三号。",
    "脚踝": "我去年冬天滑雪摔断了左脚踝。",
    "船": "我答应爷爷要把他的船修好。",
    "大提琴": "我最近在学大提琴，每周二上课。",
    "去世": "我爸爸三年前去世了。",
}
LATER_ZH = (
    "我们周日和小佩带着双胞胎去了{}博物馆。",
    "我买了{}演唱会的票，在上海体育馆。",
    "我老板周姐让我下个月负责{}项目。",
    "我终于看完了你送我的那本{}小说。",
    "我家隔壁从{}来的邻居昨天请我们吃饭。",
)
FILL_ZH = (
    "你好呀，今天过得怎么样？希望你一切都顺顺利利的，好好休息。",
    "听起来真不错，我真替你高兴，你一定特别开心吧，真的太好了。",
    "哇，太谢谢你了，你真好，每次跟你聊天我都觉得特别放松呢。",
    "哈哈哈，是啊是啊，我完全懂你的意思，大家其实都是这样子的啦。",
    "早上好！我睡得还行，就是有点懒洋洋的，也没有什么特别的事情。",
    "我同意你说的，慢慢来就好，咱们都应该这样，别太着急了。",
    "那回头再聊吧，你注意身体，祝你今天接下来一切都顺利哦。",
)
WORDS_EN = ("railway", "maritime", "glass", "toy", "folklore", "textile", "botany", "clock", "mining", "puppet")
WORDS_ZH = ("铁路", "航海", "玻璃", "玩具", "民俗", "纺织", "植物", "钟表", "矿山", "木偶")


def block(number: int, told: list[str], fill: tuple[str, ...], names: tuple[str, str]) -> tuple[Turn, ...]:
    """Twenty messages: every other one may hold something told, inside courtesy."""
    rng = random.Random(number)
    left = list(told)
    turns = []
    for index in range(20):
        text = rng.choice(fill)
        if index % 2 == 0 and left:
            text = f"{text} {left.pop(0)}"
        seq = number * 20 + index + 1
        turns.append(Turn(seq, Role.USER, names[index % 2], text, (DAY + number) * calendar_math.DAY_MS + seq * 60_000))
    return tuple(turns)


async def roll(
    facts: dict[str, str],
    later: tuple[str, ...],
    words: tuple[str, ...],
    fill: tuple[str, ...],
    names: tuple[str, str],
    crowded: bool,
) -> tuple[Summary, list[float]]:
    engine = ExtractiveEngine()
    summary: Summary | None = None
    shares = []
    for number in range(6):
        told = list(facts.values())
        if number:
            told = [pattern.format(words[(number * 2 + i) % 10]) for i, pattern in enumerate(later)]
            told = told if crowded else told[:1]
        turns = block(number, told, fill, names)
        before = len(summary.text) if summary else 0
        summary = await engine.summarise(SummariseRequest(summary, turns))
        shares.append((len(summary.text) - before) / sum(len(turn.text) for turn in turns))
        assert estimate_tokens(summary.text) <= 800
    assert summary is not None
    return summary, shares


@pytest.mark.parametrize("crowded", [False, True])
async def test_first_facts_survive_five_rolls_english(crowded: bool) -> None:
    summary, shares = await roll(FACTS_EN, LATER_EN, WORDS_EN, FILL_EN, ("Ann", "Bob"), crowded)
    assert sum(key in summary.text for key in FACTS_EN) >= 7, summary.text
    assert max(shares) <= 0.4
    assert "Ann" in summary.text
    assert "8 May 2024" in summary.text


@pytest.mark.parametrize("crowded", [False, True])
async def test_first_facts_survive_five_rolls_chinese(crowded: bool) -> None:
    summary, shares = await roll(FACTS_ZH, LATER_ZH, WORDS_ZH, FILL_ZH, ("小林", "阿杰"), crowded)
    assert sum(key in summary.text for key in FACTS_ZH) >= 7, summary.text
    assert max(shares) <= 0.4
    assert "小林" in summary.text
    assert "2024年5月8日" in summary.text


async def test_a_trivial_text_is_its_own_summary() -> None:
    turn = Turn(1, Role.USER, "Ann", "My train leaves at nine.", DAY * calendar_math.DAY_MS)
    summary = await ExtractiveEngine().summarise(SummariseRequest(None, (turn,)))
    assert turn.text in summary.text
    assert summary.points[0].sources[0].quote == turn.text
    more = Turn(2, Role.USER, "小林", "我到上海了。", DAY * calendar_math.DAY_MS + 1)
    summary = await ExtractiveEngine().summarise(SummariseRequest(summary, (more,)))
    assert turn.text in summary.text
    assert more.text in summary.text


async def test_nothing_new_leaves_the_summary_as_it_was() -> None:
    turn = Turn(1, Role.USER, "Ann", "My train leaves at nine.", DAY * calendar_math.DAY_MS)
    summary = await ExtractiveEngine().summarise(SummariseRequest(None, (turn,)))
    assert await ExtractiveEngine().summarise(SummariseRequest(summary, ())) == summary
    assert await ExtractiveEngine().summarise(SummariseRequest(None, ())) == Summary("")


async def test_system_messages_are_never_summarised() -> None:
    secret = Turn(
        1, Role.SYSTEM, "system", "The secret password of the castle is Rosebud 1941.", DAY * calendar_math.DAY_MS
    )
    turns = (secret, *block(0, list(FACTS_EN.values()), FILL_EN, ("Ann", "Bob")))
    assert "Rosebud" not in (await ExtractiveEngine().summarise(SummariseRequest(None, turns))).text


async def test_a_changed_fact_keeps_both_and_says_so() -> None:
    engine = ExtractiveEngine()
    first = block(0, ["I live in Boston.", "I work as a nurse."], FILL_EN, ("Ann", "Bob"))
    second = block(1, ["Actually I moved to Denver last week."], FILL_EN, ("Ann", "Bob"))
    summary = await engine.summarise(SummariseRequest(None, first))
    summary = await engine.summarise(SummariseRequest(summary, second))
    boston = summary.text.index("Boston")
    denver = summary.text.index("Denver")
    assert boston < denver
    assert "[before: Boston]" in summary.text[denver:]


async def test_said_twice_is_kept_once_with_both_sources() -> None:
    engine = ExtractiveEngine()
    told = "我养了一只橘猫，名字叫豆包，今年三岁。"
    summary = await engine.summarise(SummariseRequest(None, block(0, [told], FILL_ZH, ("小林", "阿杰"))))
    summary = await engine.summarise(SummariseRequest(summary, block(1, [told], FILL_ZH, ("小林", "阿杰"))))
    holding = [point for point in summary.points if "豆包" in point.text]
    assert len(holding) == 1
    assert {source.seq for source in holding[0].sources} == {1, 21}


async def test_budget_and_determinism() -> None:
    turns = tuple(
        turn
        for number in range(3)
        for turn in block(
            number, [p.format(WORDS_EN[number + i]) for i, p in enumerate(LATER_EN)], FILL_EN, ("Ann", "Bob")
        )
    )
    for budget, embedder in spread((0, 30, 100, 300), (None, HashingEmbedder())):
        request = SummariseRequest(None, turns, max_tokens=budget)
        first = await ExtractiveEngine(embedder).summarise(request)
        again = await ExtractiveEngine(embedder).summarise(request)
        assert first == again
        assert estimate_tokens(first.text) <= budget
        texts = {turn.seq: turn.text for turn in turns}
        assert all(s.quote in texts[s.seq] for point in first.points for s in point.sources)
        assert all(0.0 <= point.salience <= 1.0 for point in first.points)
