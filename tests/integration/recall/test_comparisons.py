"""Who asks how two compare gets what is known of either, however little of it says which."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_bench import hosted
from soulmem.working.recall.recall_request import RecallRequest

LIVES = {
    "en": (
        ("Mia Castell left school the year her gran died.", "Tom Birch took over the canal bakery."),
        ("Anna is 41 years old.", "Mia's baby is three months old.", "Pell turned 30 in May.", "Tom's dog is nine."),
        "Who is older, Mia Castell or Tom Birch?",
    ),
    "zh": (
        ("林溪外婆走的那年，林溪刚读完书。", "周宁接手了河边的面包店。"),
        ("小雨今年41岁。", "林溪的孩子三个月大。", "老陈五月满30岁。", "周宁的狗九岁了。"),
        "林溪和周宁谁大？",
    ),
    "mixed": (
        ("林溪外婆走的那年 she just left school。", "Tom Birch 接手了河边的 bakery。"),
        ("Anna 今年 41 岁。", "林溪的 baby is three months old。", "Pell turned 30 in May.", "Tom's dog 九岁了。"),
        "林溪和 Tom Birch 谁更大？",
    ),
}


@pytest.mark.parametrize("language", LIVES)
async def test_what_is_known_of_either_comes_first(tmp_path: Path, language: str) -> None:
    of_them, others, question = LIVES[language]
    async with hosted(tmp_path / "mira.db") as host:
        for text in (*others, *of_them):
            await host.note(text, "semantic")
        await host.mind.workers.wait_settled()
        answer = await host.mind.recall(RecallRequest(question, 3), (), record=False, explained=False)
        assert set(of_them) <= {each["text"] for each in answer["items"]}


@pytest.mark.parametrize(
    "question", ["Who is older, Zelda or Ganon?", "Which is closer, the gym or the pool?", "张三和李四谁大？"]
)
async def test_of_two_that_nobody_told_of_nothing_comes(tmp_path: Path, question: str) -> None:
    async with hosted(tmp_path / "mira.db") as host:
        for of_them, others, _ in LIVES.values():
            for text in (*others, *of_them):
                await host.note(text, "semantic")
        await host.mind.workers.wait_settled()
        answer = await host.mind.recall(RecallRequest(question, 3), (), record=False, explained=False)
        assert answer["items"] == []
