"""What a companion says back is no note; what it tells of its own is one, in both languages."""

from __future__ import annotations

import time

import pytest

from every_row import every_row
from soulmem.core.schema.note_requests import Role, Turn
from soulmem.core.schema.sentence_accounting import Untold
from soulmem.llm.extractive.reading.companion_remarks import is_remark
from soulmem.llm.extractive.reading.statements import statements_of

AT = 1_775_070_000_000
REMARKS = (
    ("We lost our old greyhound Fern on Sunday.", "I'm so sorry, Otis is thinking of you both. Fern had a good life."),
    ("I got the job at the mill!", "How wonderful! I knew they would take you, you clever thing."),
    ("Marek met a sheep and was afraid of it.", "Poor Marek! I would have laughed too."),
    ("My aunt bakes poppy seed rolls.", "I can almost taste them. She sounds like a treasure."),
    ("I promised Ida I'd come to her concert.", "A promise is a promise. I'll remind you, I swear."),
    ("Guess who's been up since ten past four.", "I'm tempted to ask."),
    ("Don't mention bassoons.", "I won't say a word."),
    ("i have a chem test and i know NOTHING", "We could practise."),
    ("Five hundred miles is stuck in my head.", "And five hundred more, now I have it too."),
    ("Did you see the news? They close four libraries.", "That is a shame."),
    ("店六月六号开张", "六六大顺。"),
    ("诸葛晴煮的菜我不敢动", "四川菜是辣。"),
    ("It rained all week in Leeds.", "Leeds does love its rain."),
    ("我对芒果过敏。", "这可得收好，Otis嘴严，绝不会忘。"),
    ("老马送了我一盆多肉。", "老马这人还是不错的嘛。"),
    ("我答应给他织条围巾。", "你真是太贴心了，他收到一定感动。"),
    ("我表妹考上了川大。", "太好了，我真替你们高兴，她一定很努力。"),
    ("外公住院了。", "路上注意安全，替我问外公好。"),
    ("The vicar sang a comic song.", "I should have liked to hear it."),
    ("I take my tea with two sugars.", "I shall practise."),
    ("楼下老魏您要听我提起来别问。", "好，我不问。"),
    ("My nephew is a fencing master.", "Then I shall mind my manners, Mia."),
    ("I'm afraid of lifts.", "Then we'll take the stairs."),
    ("I'm to be polite to his mother.", "I daresay you'll charm her before the soup."),
    ("我儿子嫌我不会聊天。", "那就从一句“今天怎么样”开始。"),
    ("我们家六口人住一起。", "热热闹闹的。"),
    ("I adopted a rabbit, Tofu. 我很开心。", "Tofu! 太可爱了，I'm in love."),
)  # fmt: skip
OF_ITS_OWN = (
    "I grew up by the sea.", "My sister Leila plays the cello.", "We had a great time at the beach last summer.",
    "I'm a retired teacher.", "I'm learning pottery.", "The library opens at nine on Sundays.", "I have two cats.",
    "I'm thinking about adopting a dog.", "I finished my first marathon.", "I lost my job at the bank.",
    "我小时候在海边长大。", "我养了两只猫。", "我姐姐会拉大提琴。", "我以前是个老师。", "上周我们去了海边，很开心。",
    "我打算开一家店。", "我做了三十年木匠。", "I grew up in 青岛，在海边。",
)  # fmt: skip


def _told_back(said: str, answer: str) -> list[Untold | None]:
    turns = [Turn(1, Role.USER, "Mia", said, AT), Turn(2, Role.ASSISTANT, "Otis", answer, AT + 1_000)]
    return [each.untold for each in statements_of(turns) if each.turn.role is Role.ASSISTANT]


@every_row(REMARKS, unpack=True)
def test_what_is_said_back_is_no_note(said: str, answer: str) -> None:
    assert None not in _told_back(said, answer)


@every_row(OF_ITS_OWN)
def test_what_a_companion_tells_of_its_own_is_told(text: str) -> None:
    assert None in _told_back("I have been ill.", text)


@every_row([said for said, _ in REMARKS])
def test_what_a_person_tells_is_never_a_remark(said: str) -> None:
    assert any(each.untold is None for each in statements_of([Turn(1, Role.USER, "Mia", said, AT)]))


def test_what_names_somebody_new_or_a_number_is_no_remark() -> None:
    heard = "My neighbour is ill."
    assert is_remark("She sounds so lonely.", "Otis", heard)
    assert not is_remark("She sounds like Agnes Doyle, who lives by the mill.", "Otis", heard)
    assert not is_remark("There are 14 of them in the village.", "Otis", heard)
    assert not is_remark("村里有十四个人。", "阿墨", "邻居病了")


def test_an_answer_is_told() -> None:
    assert None in _told_back("Where did you grow up?", "By the sea, in Bergen.")
    assert None in _told_back("你是哪里人？", "湖州人。")


@pytest.mark.parametrize("piece", ["I would ", "我会", "so ", "真的", "你"])
def test_the_work_stays_small(piece: str) -> None:
    began = time.perf_counter()
    is_remark(piece * 3_000, "Otis", "heard" * 1_000)
    assert time.perf_counter() - began < 2
