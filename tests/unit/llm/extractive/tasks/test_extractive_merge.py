"""Merging notes without a model: planted repetitions, variants and strangers, and that nothing is made up."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import re

from hypothesis import example, given, settings

from every_row import every_row
from soulmem.core.schema.engine_tasks import Labelled, Merged, MergeRequest, Sameness
from soulmem.llm.extractive import ExtractiveEngine
from soulmem.llm.extractive.tasks.merge import merge
from spoken_texts import labelled

HOUR = 3_600_000
AT = 1_684_000_000_000
Told = list[tuple[str, int]]  # text, hours after AT

SAME: list[tuple[Told, str]] = [
    ([("Anna likes pottery", 0), ("Anna likes pottery.", 200)], "Anna likes pottery."),
    ([("Anna adopted a cat", 0), ("Anna adopted a grey cat named Miso", 1)], "Anna adopted a grey cat named Miso"),
    ([("Anna lives in Denver", 0), ("Anna lives in Denver, Colorado", 900)], "Anna lives in Denver, Colorado"),
    ([("Anna met Bob at the park", 0), ("Anna met Bob at the park", 0), ("Anna met Bob", 0)], "Anna met Bob at the park"),
    ([("Anna is a nurse (8 May 2023)", 0), ("Anna is a nurse", 50)], "Anna is a nurse (8 May 2023)"),
    ([("小红喜欢爬山", 0), ("小红喜欢爬山。", 300)], "小红喜欢爬山。"),
    ([("小红领养了一只猫", 0), ("小红领养了一只橘猫，叫豆包", 1)], "小红领养了一只橘猫，叫豆包"),
    ([("小红对芒果过敏（2023年5月8日）", 0), ("小红对芒果过敏", 99)], "小红对芒果过敏（2023年5月8日）"),
    ([("Anna喜欢hiking", 0), ("Anna喜欢 hiking。", 0)], "Anna喜欢 hiking。"),
]  # fmt: skip
VARIANTS: list[tuple[Told, str]] = [
    ([("Anna went to the Louvre with Bob (8 May 2023)", 0), ("Anna went to the Louvre with Carl (9 June 2023)", 700)], "More than once: Anna went to the Louvre."),
    ([("Anna went to the museum yesterday", 0), ("Anna went to the museum last week", 900)], "More than once: Anna went to the museum."),
    ([("Anna ran 5 km in the park", 0), ("Anna ran 10 km in the park", 0)], "Anna ran … km in the park."),
    ([("Anna had pasta in Rome with Bob", 0), ("Anna had pizza in Rome with Bob", 72)], "More than once: Anna had … in Rome with Bob."),
    ([("Anna met Bob at the park", 0), ("Anna met Bob at the park", 48), ("Anna met Carl at the park", 99)], "More than once: Anna met … at the park."),
    ([("小红昨天去了美术馆看展览", 0), ("小红上周去了美术馆看展览", 900)], "不止一次：小红去了美术馆看展览。"),
    ([("小红和小明一起吃了火锅", 0), ("小红和小李一起吃了火锅", 0)], "小红…一起吃了火锅。"),
    ([("Anna 去 Starbucks 喝了咖啡", 0), ("Anna 去 Starbucks 喝了咖啡", 120)], "不止一次：Anna 去 Starbucks 喝了咖啡。"),
]  # fmt: skip
DIFFERENT: list[Told] = [
    [("Anna likes pottery", 0), ("Bob likes pottery", 0)], [("Anna likes pottery", 0), ("Anna likes jazz", 0)],
    [("Anna likes cats", 0), ("Anna doesn't like cats", 0)], [("Anna ran a marathon", 0), ("The weather was lovely today", 0)],
    [("Anna is a nurse", 0), ("Anna lives in Rome", 0)], [("Anna lives in Denver", 0)], [("Anna used to live in Rome", 0), ("Anna lives in Rome", 0)],
    [("小红喜欢爬山", 0), ("小明喜欢爬山", 0)], [("小红住在北京", 0), ("小红住在上海", 0)], [("小红不喜欢猫", 0), ("小红喜欢猫", 0)],
    [("今天下雨了", 0), ("小红考上了北大", 0)], [("Anna住在北京", 0), ("Bob住在北京", 0)], [("", 0), ("  ", 0)], [],
]  # fmt: skip


def merged(told: Told) -> Merged:
    return merge(
        MergeRequest(tuple(Labelled(f"N{i}", text, AT + hours * HOUR) for i, (text, hours) in enumerate(told, 1)))
    )


@every_row(SAME, unpack=True)
def test_the_same_keeps_the_fullest_wording(told: Told, text: str) -> None:
    assert merged(told) == Merged(Sameness.SAME, text)
    assert merged(told[::-1]).verdict is Sameness.SAME


@every_row(VARIANTS, unpack=True)
def test_variants_share_a_parent(told: Told, text: str) -> None:
    assert merged(told) == Merged(Sameness.VARIANT, text)
    assert merged(told[::-1]).verdict is Sameness.VARIANT


@every_row(DIFFERENT)
def test_the_rest_is_different(told: Told) -> None:
    assert merged(told) == Merged(Sameness.DIFFERENT)
    assert merged(told[::-1]) == Merged(Sameness.DIFFERENT)


@settings(deadline=None)
@example((Labelled("N1", "0A_A1", 1), Labelled("N2", "0A0A1", 21_600_001)))
@given(labelled(2, 5))
async def test_any_notes_give_a_valid_verdict_in_their_own_words(notes: tuple[Labelled, ...]) -> None:
    answer = await ExtractiveEngine().merge(MergeRequest(notes))
    assert bool(answer.text) is (answer.verdict is not Sameness.DIFFERENT)
    if answer.verdict is Sameness.SAME:
        assert answer.text in {note.text.strip() for note in notes}
    if answer.verdict is Sameness.VARIANT:
        own = re.sub(r"^(?:More than once: |不止一次：)", "", answer.text)
        spoken = " ".join(note.text for note in notes)
        assert all(word in spoken for word in re.findall(r"[A-Za-z]+|[\u4e00-\u9fff]", own))
    assert answer == await ExtractiveEngine().merge(MergeRequest(notes))


def test_a_wall_of_text_is_compared() -> None:
    assert merged([("Anna likes tea and " * 5_000, 0), ("Anna likes tea or " * 5_000, 0)]).verdict in set(Sameness)
    assert merged([("小红喜欢喝茶和" * 5_000, 0), ("小红喜欢喝茶或" * 5_000, 0)]).verdict in set(Sameness)
