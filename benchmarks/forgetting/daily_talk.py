"""Daily talk: what somebody tells a companion on every evening of a year, in English and Chinese, made from a seed.

Called by the year of `forget`. A few people, places and habits come back all the time, as they do in a life; what
happens there is new each day and gets a name, a number or a thing of its own. Every evening one of the questions is
about what was told long before. Invariant: the same seed and day give the same messages.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from benchmarks.speed.speech import Speech

MESSAGES_A_DAY = 20

_PEOPLE = ("Mara", "Olga", "Tom", "Ines", "my brother Jonas", "old Mr Pell", "Dr Weiss", "little Nora")
_PLACES = (
    "the harbour", "the bakery on Mill Street", "the climbing hall", "our allotment", "the night market",
    "the swimming lake", "the repair shop", "the chess café",
)  # fmt: skip
_DEEDS = (
    "gave me {thing}", "told me about {name}", "beat me by {number} points", "wants to sell {thing}",
    "lost {thing} again", "is moving to {name} in {number} days", "cooked for {number} people", "met {name} by chance",
)  # fmt: skip
_THINGS = ("a copper lamp", "an old compass", "a jar of quince jam", "a blue kayak", "two opera tickets", "a parrot")
_FEELINGS = (
    "I was so happy that I could not sleep.", "It made me sad, to be honest.", "I could not stop laughing.",
    "I love evenings like that.", "I am still a little angry about it.", "I am proud of that.",
)  # fmt: skip
_REPLIES = (
    "That sounds like {person}!", "Oh, and what happened then?", "I like how you tell it.", "How did that feel?",
    "You and {place}, always.", "I will think of {thing} tonight.",
)  # fmt: skip
_QUESTIONS = (
    "Do you remember what {person} did at {place}?", "What did I tell you about {person}?",
    "Who was with me at {place} last time?", "What makes {person} special to me?",
)  # fmt: skip

_PEOPLE_ZH = ("小苇", "阿明", "表姐林静", "老陈", "邻居赵叔", "王医生", "同事小韩", "小侄女朵朵")
_PLACES_ZH = ("码头", "巷口的面包店", "攀岩馆", "我们的菜园", "夜市", "湖边浴场", "修车铺", "棋社")
_DEEDS_ZH = (
    "送了我{thing}", "跟我讲了{name}的事", "赢了我{number}分", "想卖掉{thing}", "又把{thing}弄丢了",
    "{number}天后要搬去和{name}住", "给{number}个人做了饭", "碰巧遇见了{name}",
)  # fmt: skip
_THINGS_ZH = ("一盏铜灯", "一个旧罗盘", "一罐木瓜酱", "一艘蓝色皮划艇", "两张戏票", "一只鹦鹉")
_FEELINGS_ZH = (
    "我高兴得睡不着。", "说实话有点难过。", "我笑得停不下来。", "我喜欢这样的晚上。", "到现在还有点生气。",
    "我为此很自豪。",
)  # fmt: skip
_REPLIES_ZH = (
    "这就是{person}呀！",
    "后来呢？",
    "我喜欢听你讲这些。",
    "你当时什么感觉？",
    "又是{place}。",
    "今晚我会想着{thing}。",
)
_QUESTIONS_ZH = (
    "你记得{person}在{place}做了什么吗？",
    "我跟你说过{person}的什么事？",
    "上次谁和我一起在{place}？",
    "{person}对我来说为什么特别？",
)


@dataclass(frozen=True, slots=True)
class Said:
    role: str
    text: str


class Life:
    """A year and more of one person's evenings."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def evening(self, day: int) -> list[Said]:
        """What is said on a day: English on even days, Chinese on odd ones, and a word of the other in between."""
        chance = random.Random(f"{self._seed}:{day}")
        names = Speech(chance.randrange(1 << 30))
        said: list[Said] = []
        for turn in range(MESSAGES_A_DAY // 2):
            chinese = (day % 2 == 1) != (turn == MESSAGES_A_DAY // 4)
            fill = _filling(chance, names, chinese=chinese)
            is_question = turn == MESSAGES_A_DAY // 2 - 1
            said.append(Said("user", _asked(chance, fill, chinese) if is_question else _told(chance, fill, chinese)))
            said.append(Said("assistant", chance.choice(_REPLIES_ZH if chinese else _REPLIES).format(**fill)))
        return said

    def questions(self, count: int) -> list[str]:
        """Questions about what comes back all the time, half of them Chinese; the same on every day."""
        chance, names = random.Random(f"{self._seed}:questions"), Speech(self._seed)
        return [
            _asked(chance, _filling(chance, names, chinese=number % 2 == 1), number % 2 == 1) for number in range(count)
        ]


def _filling(chance: random.Random, names: Speech, *, chinese: bool) -> dict[str, str]:
    return {
        "person": chance.choice(_PEOPLE_ZH if chinese else _PEOPLE),
        "place": chance.choice(_PLACES_ZH if chinese else _PLACES),
        "thing": chance.choice(_THINGS_ZH if chinese else _THINGS),
        "name": names.name(chinese=chinese),
        "number": str(chance.randint(2, 400)),
    }


def _told(chance: random.Random, fill: dict[str, str], chinese: bool) -> str:
    deed = chance.choice(_DEEDS_ZH if chinese else _DEEDS).format(**fill)
    feeling = chance.choice(_FEELINGS_ZH if chinese else _FEELINGS)
    if chinese:
        return f"今天在{fill['place']}，{fill['person']}{deed}。{feeling}"
    return f"Today at {fill['place']} {fill['person']} {deed}. {feeling}"


def _asked(chance: random.Random, fill: dict[str, str], chinese: bool) -> str:
    return chance.choice(_QUESTIONS_ZH if chinese else _QUESTIONS).format(**fill)
