"""The dates of notes as they come from real sentences: which days a note states, and where it says when it was told."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from every_row import every_row
from soulmem.core.schema.note_requests import NoteDraft, Role, SplitRequest, Summary, Turn
from soulmem.llm.extractive.tasks.split import split


def _note(text: str, said: str, speaker: str) -> NoteDraft:
    at = int(datetime.fromisoformat(f"{said}T10:00").replace(tzinfo=UTC).timestamp() * 1000)
    (note,) = split(SplitRequest(Summary(""), (Turn(1, Role.USER, speaker, text, at),)))
    return note


def _day(note: NoteDraft) -> str:
    return datetime.fromtimestamp((note.at_ms or 0) / 1000, UTC).date().isoformat()


@every_row([
        ("2026-09-16", "the boiler man came Monday and he's back again Friday",
         ["14 September 2026", "18 September 2026"], "2026-09-14"),
        ("2026-06-05", "I'm seeing the consultant Monday 22nd", ["22 June 2026"], "2026-06-22"),
        ("2026-06-05", "we'll have been married ten years in August", ["August 2026"], "2026-08-01"),
        ("2026-09-16", "the shop will be shut from Thursday until Sunday week",
         ["17 September 2026", "27 September 2026"], "2026-09-17"),
        ("2027-01-10", "今年正月十五咱一起看灯", ["2027年2月20日"], "2027-02-20"),
        ("2026-05-12", "三月份面的试，八月才出结果", ["2026年三月", "2026年八月"], "2026-03-01"),
        ("2026-09-16", "他下周一到周三出差", ["2026年9月21日", "2026年9月23日"], "2026-09-21"),
        ("2026-03-12", "清明回不去了，托我叔上坟", ["2026年4月5日"], "2026-04-05"),
        ("2026-06-05", "除夕那天我值班来着", ["2026年2月16日"], "2026-02-16"),
    ], unpack=True)  # fmt: skip
def test_every_date_of_a_sentence_is_stated_as_it_was_meant(
    said: str, text: str, stated: list[str], happened: str
) -> None:
    note = _note(text, said, "Ada" if text.isascii() else "林夏")
    assert [day for day in stated if day not in note.text] == []
    assert _day(note) == happened


@every_row([
        "以前在绵阳待过两年", "我在电台实习过几年", "说好周六来的，结果又放鸽子", "我妈生日在五月",
        "my sister's birthday is in May", "we lived in Ghent for two years before this",
        "he was supposed to come on Friday but he never showed up",
    ])  # fmt: skip
def test_a_duration_or_a_doubt_states_no_day_but_that_of_the_telling(text: str) -> None:
    note = _note(text, "2026-06-05", "Ada" if text.isascii() else "林夏")
    years = {part for part in ("2024", "2025", "2026", "2027", "2028") if part in note.text}
    assert years <= {"2026"}
    assert note.text.count("2026") <= 1
    assert _day(note) == "2026-06-05"


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("I got made redundant the week before Christmas", "Ada (29 December 2026): "),
        ("my passport expires 3/2/27", "Ada (29 December 2026): "),
        ("我打算过完年辞职", "林夏（2026年12月29日）："),
    ],
)
def test_the_day_of_the_telling_never_stands_behind_a_time_that_nobody_can_reckon(text: str, head: str) -> None:
    assert _note(text, "2026-12-29", "Ada" if text.isascii() else "林夏").text == head + text


def test_behind_what_has_no_time_it_does() -> None:
    assert _note("I love the old harbour", "2026-12-29", "Ada").text == "Ada loves the old harbour (29 December 2026)"


def _told(lines: list[str], said: str = "2026-09-16") -> list[str]:
    at = int(datetime.fromisoformat(f"{said}T10:00").replace(tzinfo=UTC).timestamp() * 1000)
    who = ("Ada", "Pip") if lines[0].isascii() else ("林夏", "石榴")
    turns = tuple(
        Turn(place, Role.USER if line[0] == "U" else Role.ASSISTANT, who[line[0] != "U"], line[2:], at + place * 40_000)
        for place, line in enumerate(lines, 1)
    )
    return [note.text for note in split(SplitRequest(Summary(""), turns))]


@every_row([
        (["U:My interview got moved.", "U:It's on the 9th now."],
         "Ada's interview got moved, it's on the 9th (9 October 2026) now."),
        (["U:The gig is off.", "C:Cancelled?", "U:Moved to the 3rd."],
         "Ada: The gig is off, moved to the 3rd (3 October 2026)."),
        (["U:The audition was pushed back.", "C:Oh, to when?", "U:To the 9th."],
         "Ada: The audition was pushed back, to the 9th (9 October 2026)."),
        (["U:面试改期了。", "C:改到什么时候？", "U:下周三下午。"],
         "林夏：面试改期了，下周三下午（2026年9月23日）。"),
        (["U:演唱会延期了", "U:现在是下个月八号"], "林夏：演唱会延期了，现在是下个月八号（2026年10月8日）"),
        (["U:体检取消了。", "C:那怎么办？", "U:挪到月底。"],
         "林夏：体检取消了，挪到月底（2026年9月下旬）。"),
    ], unpack=True)  # fmt: skip
def test_a_day_alone_is_told_with_what_it_is_of(lines: list[str], last: str) -> None:
    assert _told(lines)[-1] == last


@pytest.mark.parametrize(
    "lines",
    [
        ["U:I had soup for lunch.", "C:When is your exam?", "U:On Friday."],
        ["U:午饭喝了汤。", "C:你哪天考试啊？", "U:周五。"],
    ],
)  # fmt: skip
def test_a_day_that_somebody_else_asked_for_is_not_tied_to_what_was_told_before(lines: list[str]) -> None:
    assert not any("soup" in text and "Friday" in text for text in _told(lines))
    assert not any("汤" in text and "周五" in text for text in _told(lines))


def test_a_day_told_long_after_is_not_tied_to_what_was_told_before() -> None:
    at = int(datetime(2026, 9, 16, 10, tzinfo=UTC).timestamp() * 1000)
    turns = (
        Turn(1, Role.USER, "Ada", "My interview got moved.", at),
        Turn(2, Role.USER, "Ada", "It's on the 9th now.", at + 3 * 3_600_000),
    )
    texts = [note.text for note in split(SplitRequest(Summary(""), turns))]
    assert not any("interview" in text and "9th" in text for text in texts)
