"""What says that something told a moment ago is otherwise, and what merely goes on: both languages."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.facts.second_thoughts import reconsiders

OTHERWISE = (
    "Hang on, I checked the calendar, it's the 17th.",
    "No, I tell a lie, she was seven in January.",
    "The garage has this minute sent a message, they want me at two.",
    "I looked at the ticket again. It leaves from the other station.",
    "Mum just rang, the party's at ours instead.",
    "It turns out the plumber is called Reg.",
    "Wait, that's the old number.",
    "等等，我翻了下日历，是十七号",
    "哎不对，是蓝色的那把",
    "刚来短信，牙医推到周四了",
    "老板刚说改到下周二",
    "我记错了，是四千五",
    "店家退单了，换了炒饭",
)
GOES_ON = (
    "I can hardly wait for the summer.",
    "We hold on to the rail going down.",
    "The kettle is on and the cat is asleep.",
    "I had porridge this morning.",
    "She is out by the pond.",
    "我等了半个小时的车",
    "今天晒了被子，真香",
    "猫又在窗台上打呼噜",
    "他一口气吃了三碗",
)


@every_row(OTHERWISE)
def test_second_thoughts_say_so(text: str) -> None:
    assert reconsiders(text)


@every_row(GOES_ON)
def test_what_goes_on_takes_nothing_back(text: str) -> None:
    assert not reconsiders(text)
