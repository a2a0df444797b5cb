"""What recurs: three days at least, with whom mostly, what a mood has to do with; and what is none of it."""

# Sentences stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import random

from every_row import every_row
from soulmem.core.reflection.recurrence import Occasion, findings
from soulmem.core.reflection.reflection_wording import language_of, worded

MAY = 20_576  # 3 May 2026


def told(*lines: tuple[int, str], speaker: str = "Anna") -> list[Occasion]:
    return [Occasion(number, MAY + day, text, speaker) for number, (day, text) in enumerate(lines, 1)]


def said(occasions: list[Occasion]) -> list[str]:
    texts = {each.note: each.text for each in occasions}
    return [worded(each, language_of([texts[note] for note in each.evidence])) for each in findings(occasions)]


CLIMBS = [
    (0, "Anna went climbing with Tom."), (4, "Anna: Climbing again with Tom."), (7, "Anna: Went climbing alone."),
    (11, "Anna: Tom and I went climbing."),
]  # fmt: skip
MATCHES = [(0, "林溪和周宁去打羽毛球了。"), (4, "林溪：又跟周宁打羽毛球。"), (9, "林溪：今天打了羽毛球。")]
SAID: list[tuple[list[Occasion], list[str]]] = [
    (told(*CLIMBS), ["Between 3 and 14 May 2026 Anna went climbing four times, mostly with Tom."]),
    (told(*MATCHES, speaker="林溪"), ["2026年5月3日到12日之间，林溪打了三次羽毛球，大多是和周宁一起。"]),
    (
        told((0, "Anna: I visited Grandma."), (7, "Anna: Saw Grandma again."), (40, "Anna: I took Grandma out.")),
        ["Between 3 May and 12 June 2026 Anna saw Grandma three times."],
    ),
    (
        told((0, "林溪：去看奶奶。"), (8, "林溪：又去看奶奶了。"), (30, "林溪：看望了奶奶。"), speaker="林溪"),
        ["2026年5月3日到6月2日之间，林溪去看了奶奶三次。"],
    ),
    (
        told((0, "Anna: I was in tears, Karen again."), (5, "Anna: Karen shouted and I was so upset."),
             (9, "Anna: I'm scared of Karen."), (3, "Anna: The tram was late."), (12, "Anna: I feel better today."),
             (14, "Anna: I had a good day.")),
        ["Between 3 and 12 May 2026 Anna felt low or upset on three days, mostly when Karen came up; "
         "from 15 May on things looked brighter."],
    ),
    (
        told((0, "林溪：主任又改排班，委屈得想哭。"), (5, "林溪：主任骂我，我好难过。"), (9, "林溪：主任又来邮件，压力很大。"),
             (3, "林溪：买了一把伞。"), speaker="林溪"),
        ["2026年5月3日到12日之间，林溪有三天心情不好，多半和主任有关。"],
    ),
    (
        told((0, "Anna: Couldn't sleep last night."), (3, "Anna: I slept badly."), (8, "Anna: Didn't sleep again.")),
        ["Between 3 and 11 May 2026 Anna slept badly on three days."],
    ),
    (
        told((0, "林溪：昨晚失眠了。"), (3, "林溪：又没睡好。"), (8, "林溪：一夜没睡。"), speaker="林溪"),
        ["2026年5月3日到11日之间，林溪有三天没睡好。"],
    ),
    (
        told((0, "Anna: I restored the boat."), (3, "Anna: I restored the boat some more."), (8, "Anna: Restored the boat.")),
        ["Between 3 and 11 May 2026 Anna restored the boat three times."],
    ),
]  # fmt: skip
NOTHING: list[list[Occasion]] = [
    told(*CLIMBS[:2]),
    told((0, "Anna went climbing."), (0, "Anna: Climbing again."), (1, "Anna: Went climbing.")),  # two days
    told(*((day, f"Anna: Tom told me about film {day}.") for day in range(8))),  # merely mentioned
    told(*((day, "Anna: The weather is awful.") for day in range(8))),
    told(*((day, f"Anna: I bought item {day} at the shop.") for day in range(8))),
    told(*((day, f"林溪：周宁说起第{day}部电影。") for day in range(8)), speaker="林溪"),
    told(*((day, "林溪：今天天气真糟。") for day in range(8)), speaker="林溪"),
]


@every_row(SAID, unpack=True)
def test_what_recurs_is_said_as_a_friend_would(occasions: list[Occasion], sentences: list[str]) -> None:
    assert said(occasions) == sentences


@every_row(NOTHING)
def test_what_is_only_spoken_of_or_happened_on_two_days_does_not_recur(occasions: list[Occasion]) -> None:
    assert said(occasions) == []


def test_each_finding_rests_on_its_days_and_the_order_of_telling_does_not_matter() -> None:
    occasions = told(*CLIMBS, (1, "Anna: I baked bread."), (5, "Anna: Baked rolls."), (6, "Anna: I baked a cake."))
    found = findings(occasions)
    assert [each.topic for each in found] == ["deed:anna:climbing", "deed:anna:baking"]
    days = {each.note: each.day for each in occasions}
    for each in found:
        assert sorted({days[note] for note in each.evidence}) == list(each.days)
        assert len(each.days) >= 3
    for seed in range(5):
        shuffled = list(occasions)
        random.Random(seed).shuffle(shuffled)
        assert findings(shuffled) == found


def test_what_rests_on_the_same_notes_is_found_once() -> None:
    lines = [(day, "Anna: I visited Grandma, we played cards.") for day in (0, 5, 9)]
    assert [each.topic for each in findings(told(*lines))] == ["deed:anna:cards"] or [
        each.topic for each in findings(told(*lines))
    ] == ["deed:anna:see:grandma"]


def test_languages_are_counted_together() -> None:
    mixed = told((0, "Anna went climbing with Tom."), (4, "Anna：今晚和Tom去攀岩了。"), (8, "Anna: Went climbing."))
    assert said(mixed) == ["Between 3 and 11 May 2026 Anna went climbing three times, mostly with Tom."]
