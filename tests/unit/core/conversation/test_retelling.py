"""Who tells again what he told before says one thing twice; who says something else, or of another day, does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.conversation.retelling import Saying, is_retelling

MONDAY = 1_772_474_400_000  # 2 March 2026, 18:00 UTC


def _told(text: str, days: int = 0, speaker: str = "Ann") -> Saying:
    return Saying(text, speaker, MONDAY + days * DAY_MS, MONDAY + days * DAY_MS)


def _again(one: str, other: str, days: int = 7) -> bool:
    return is_retelling(_told(other, days), _told(one))


SAME = [
    ("My sister's called Ines.", "My sister is called Ines!"),
    ("Ann (2 March 2026): The wifi code here is 4471-KP.", "Ann (9 March 2026): the wifi code here is 4471-KP"),
    ("Once I got lost in Genoa as a child.", "Did I tell you? Once I got lost in Genoa as a child."),
    ("I keep bees on the roof.", "As I said, I keep bees on the roof."),
    ("I left my blue bike behind the old bakery in Ghent.", "I left my blue bike behind the old bakery in Ghent."),
    ("In 1998 we sailed to Crete.", "In 1998 we sailed to Crete."),
    ("我姐姐叫Ines。", "我的姐姐叫Ines呀！"),
    ("Ann（2026年3月2日）：家里的wifi密码是4471-KP。", "Ann（2026年3月9日）：家里的wifi密码是4471-KP。"),
    ("小时候我在热那亚的港口走丢过。", "我跟你说过没，小时候我在热那亚的港口走丢过。"),
    ("我在屋顶上养蜜蜂。", "其实我在屋顶上养蜜蜂。"),
    ("我姨妈修手风琴, she likes it.", "我姨妈修手风琴，she likes it."),
]  # fmt: skip
OTHER = [
    ("We had fish for dinner today.", "We had fish for dinner today."),
    ("Ann: We had fish today (2 March 2026).", "Ann: We had fish today (9 March 2026)."),
    ("I went swimming with Ida.", "I went swimming with Ida."),
    ("I burnt the rice.", "I burnt the rice."),
    ("I'm on the train to Ghent.", "I'm on the train to Ghent."),
    ("My back hurts a lot, doctor says rest.", "My back hurts a lot, doctor says rest."),
    ("I lost my blue umbrella in the tram again.", "I lost my blue umbrella in the tram again."),
    ("My sister's called Ines.", "My sister's called Inez."),
    ("My sister's called Ines.", "My brother's called Ines."),
    ("The wifi code at the cabin is 4471-KP.", "The wifi code at the cabin is 4472-KP."),
    ("I eat meat and fish.", "I don't eat meat and fish."),
    ("I lived in Ghent with Tom.", "I live in Ghent with Tom."),
    ("Tom taught Ida the cello years ago.", "Ida taught Tom the cello years ago."),
    ("I moved from Ghent to Bruges years ago.", "I moved to Ghent from Bruges years ago."),
    ("My sister keeps bees in Ghent.", "Your sister keeps bees in Ghent."),
    ("Does Tom keep bees in Ghent?", "Does Tom keep bees in Ghent?"),
    ("今天晚饭吃了鱼。", "今天晚饭吃了鱼。"),
    ("我跟艾达去游泳了。", "我跟艾达去游泳了。"),
    ("我现在在去根特的火车上。", "我现在在去根特的火车上。"),
    ("我的伞又丢在电车上了。", "我的伞又丢在电车上了。"),
    ("我姐姐叫周慧。", "我姐姐叫周惠。"),
    ("家里的wifi密码是4471-KP。", "家里的wifi密码是4471-KQ。"),
    ("我吃香菜和牛肉。", "我不吃香菜和牛肉。"),
    ("我在上海住过三年。", "我在上海住过四年。"),
    ("王磊教李雷下棋。", "李雷教王磊下棋。"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_is_told_again_is_the_same(one: str, other: str) -> None:
    assert _again(one, other)
    assert _again(one, other, 300)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_is_told_of_something_else_or_of_another_day_is_not(one: str, other: str) -> None:
    assert not _again(one, other)


@pytest.mark.parametrize(
    "text", ["I burnt the rice.", "We had fish for dinner today.", "今天晚饭吃了鱼。", "我把米饭烧糊了。"]
)
def test_a_deed_that_is_told_twice_in_an_evening_is_one(text: str) -> None:
    assert is_retelling(Saying(text, "Ann", MONDAY + 60_000, MONDAY + 60_000), _told(text))


def test_another_speaker_tells_of_himself() -> None:
    text = "I keep bees on the roof."
    assert not is_retelling(_told(text, 7, "Ben"), _told(text))


def test_what_an_event_dated_is_the_same_on_that_day_alone() -> None:
    text = "At the gig our amp caught fire near the stage."
    gig = MONDAY - 20 * DAY_MS
    former = Saying(text, "Ann", MONDAY, gig)
    assert is_retelling(Saying(text, "Ann", MONDAY + 9 * DAY_MS, gig), former)
    assert not is_retelling(Saying(text, "Ann", MONDAY + 9 * DAY_MS, gig + 5 * DAY_MS), former)
    assert not is_retelling(_told(text, 9), former)


_NAMES = st.sampled_from(["Ines", "Ivo", "Marta", "Tom", "周慧", "李雷", "王磊"])
_NUMBERS = st.integers(0, 99_999)
_DENIED = st.booleans()


@given(_NAMES, _NUMBERS, _DENIED, _NAMES, _NUMBERS, _DENIED, st.integers(1, 400))
def test_twins_never_merge(
    name: str, number: int, denied: bool, other_name: str, other_number: int, other_denied: bool, days: int
) -> None:
    """Names, numbers and negations tell twins apart, and nothing else does."""
    for said in (
        lambda who, what, no: f"The locker of {who} is {'not ' if no else ''}number {what} in the cellar.",
        lambda who, what, no: f"{who}在地下室的柜子编码{'不' if no else ''}是{what}。",
    ):
        same = (name, number, denied) == (other_name, other_number, other_denied)
        assert _again(said(name, number, denied), said(other_name, other_number, other_denied), days) == same


@given(st.text(max_size=60), st.text(max_size=60), st.integers(0, 400))
def test_any_text_is_read(one: str, other: str, days: int) -> None:
    if _again(one, other, days):
        assert _told(one).words == _told(other).words
