"""What a model is asked about: statements that speak of a change, and known notes that are of the same matter."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.changes.contradiction import Outcome, Refused, Told, concern, outcomes
from soulmem.core.facts.topic_terms import matter_of, words_of_matter
from soulmem.core.schema.engine_tasks import FactEvent
from soulmem.idle.steps.asked_pairs import Change, change_in

NOW = 1_772_452_800_000  # 2 March 2026
CHANGED = [
    "The ferry got cancelled", "Ines quit the choir", "our hedgehog died", "we sold the van", "the recital is postponed",
    "No, I said it wrong, it's Thursday", "I no longer fence", "her rent went up, update: it is 900", "she's staying put after all",
    "渡轮取消了", "伊内斯退学了", "我们的刺猬死了", "把面包车卖了", "演出推迟到周日", "我说错了，是周四", "不练击剑了", "房租涨到九百", "他们分手了",
]  # fmt: skip
UNCHANGED = [
    "The soup was lovely",
    "I like brass bands",
    "Herons nest by the weir",
    "汤很好喝",
    "我爱听铜管乐",
    "水坝边有白鹭",
]


@every_row(CHANGED)
def test_a_statement_that_speaks_of_a_change(text: str) -> None:
    assert change_in(text) is Change.PLAIN


@every_row(UNCHANGED)
def test_a_statement_that_speaks_of_none(text: str) -> None:
    assert change_in(text) is Change.NONE


def told(note: int, text: str, speaker: str, *names: str) -> Told:
    return Told(note, text, speaker, (NOW + note * DAY_MS, note), entities=frozenset(names))


@every_row([
        ("Biscotti died on Tuesday", "Ruth has a hedgehog called Biscotti", "Ruth", ("Biscotti",), ("Biscotti",)),
        ("Piet left for Oslo", "Ruth is seeing Piet Dekker", "Ruth", ("Piet",), ("Piet Dekker",)),
        ("the wedding moved to 4 July", "They are getting married on 20 June", "Ruth", (), ()),
        ("the rent is 1,090 from April", "Ruth's rent is 1,150", "Ruth", (), ()),
        ("我跟一鸣分手了", "男朋友叫林一鸣", "阿禾", ("一鸣",), ("林一鸣",)),
        ("婚礼改到七月四号了", "他们六月二十号结婚", "阿禾", (), ()),
        ("房租降到一千零九十", "房租一千一百五", "阿禾", (), ()),
    ], unpack=True)  # fmt: skip
def test_notes_of_one_matter(
    new: str, known: str, speaker: str, names: tuple[str, ...], other_names: tuple[str, ...]
) -> None:
    assert concern(told(2, new, speaker, *names), told(1, known, speaker, *other_names)) > 0


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("Ruth (2 March 2026): the soup boiled over", "Ruth (2 March 2026): herons nest by the weir"),
        ("Ruth paid 340 for it on Monday", "340 people came on Monday"),
        ("阿禾（2026年3月2日）：汤溢出来了", "阿禾（2026年3月2日）：水坝边有白鹭"),
        ("阿禾周一花了三百四", "周一来了三百四十个人"),
    ],
)
def test_a_day_a_number_and_who_says_it_are_no_matter(new: str, known: str) -> None:
    speaker = "Ruth" if new.isascii() else "阿禾"
    assert concern(told(2, new, speaker, speaker), told(1, known, speaker, speaker)) == 0


def test_whom_everybody_names_and_what_many_notes_say_is_no_matter() -> None:
    new, known = told(2, "Pip likes the lamp", "Ruth", "Pip"), told(1, "Pip broke the lamp", "Ruth", "Pip")
    assert concern(new, known) >= 3
    assert concern(new, known, people=frozenset({"Pip"})) == 1
    assert concern(new, known, people=frozenset({"Pip"}), common=frozenset({"lamp"})) == 0


def test_words_for_the_same_thing_are_one_matter() -> None:
    assert matter_of("the wedding", NOW) & matter_of("they got married", NOW)
    assert matter_of("我妈妈", NOW) & matter_of("我母亲", NOW)
    assert "marry" in words_of_matter("the wedding on 4 July", NOW)
    assert "July" not in words_of_matter("the wedding on 4 July", NOW)


@pytest.mark.parametrize(
    ("new", "known", "speaker"),
    [("the lamp went to the flea market", "Ruth: the lamp hangs crooked in the hall", "Ruth"),
     ("那盏灯拿去跳蚤市场了", "走廊里的那盏灯挂歪了", "阿禾")],
)  # fmt: skip
def test_a_model_that_looks_is_believed_where_one_that_ends_everything_is_not(
    new: str, known: str, speaker: str
) -> None:
    later, earlier = told(2, new, speaker), told(1, known, speaker)
    believed = outcomes(later, earlier, FactEvent.INVALIDATE, NOW, discerning=True)
    assert not isinstance(believed, Refused)
    assert [(each.ended, each.by) for each in believed if isinstance(each, Outcome)] == [(1, 2)]
    refused = outcomes(later, earlier, FactEvent.INVALIDATE, NOW)
    assert isinstance(refused, Refused)
    assert refused.reason == "unrelated"
    bounded = outcomes(later, earlier, FactEvent.INVALIDATE, NOW, discerning=True, unread=2)
    assert isinstance(bounded, Refused)
    assert bounded.reason == "too_many"
