"""Reading a reaction without a model: planted praise, blame and neither, and that any text gives a valid answer."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import pytest
from hypothesis import given, settings

from every_row import every_row
from soulmem.core.schema.engine_tasks import Feedback, FeedbackRequest, Reaction
from soulmem.llm.extractive import ExtractiveEngine
from soulmem.llm.extractive.tasks.feedback import feedback
from spoken_texts import texts

GOOD = [
    "Exactly!", "That's right, thanks", "yes, you remembered!", "Thank you so much", "spot on", "Perfect.", "You're right",
    "No, you're right, my mistake", "not bad at all", "Great memory!", "haha yes that's it", "wow, impressive",
    "I love that, thanks", "You weren't wrong", "You got it right", "对！", "没错，就是那天", "谢谢你", "你还记得啊！太感动了", "说得对",
    "不错不错", "对对对", "是我记错了，你说得对", "嗯 exactly, 没错", "没想到你还记得", "答对了", "对的，谢谢", "完全正确", "👍",
]  # fmt: skip
BAD = [
    "No, that's wrong.", "That's not right", "wrong", "I never said that", "You're mixing me up with Bob",
    "Thanks, but that's not what I asked", "Actually, it was Tuesday", "not quite", "that isn't true",
    "nope, that's the wrong day", "You got it wrong", "that was not helpful", "Good try, but it wasn't Anna",
    "I didn't say that!", "no that's not it 你搞错了", "不对", "你记错了", "才不是呢", "我没说过这话", "谢谢，但是不对", "你怎么又忘了？",
    "胡说八道", "其实是星期二", "其实，是星期二", "不对不对，是妹妹", "根本没这回事", "不是的", "你不记得了吗？", "👎",
]  # fmt: skip
NEUTRAL = [
    "I went to the shop today.", "What about Bob?", "right now I'm eating", "no problem", "I took the wrong bus", "Okay", "",
    "Is that correct?", "thanks to my sister I passed", "And then?", "so where are you?", "I had a great day at work",
    "Are you sure?", "what went wrong at work", "好的", "对了，我明天要去北京", "对不起", "我坐错了车", "今天天气好热", "我对芒果过敏",
    "我错过了火车", "对不对？", "我最近不太对劲",
]  # fmt: skip


def read(reaction: str, *, query: str = "What is my dog called?", reply: str = "Your dog is called Rex.") -> Feedback:
    return feedback(FeedbackRequest(query, reply, reaction))


@every_row(GOOD)
def test_praise(reaction: str) -> None:
    answer = read(reaction)
    assert answer.verdict is Reaction.GOOD, answer
    assert answer.strength >= 0.2


@every_row(BAD)
def test_blame(reaction: str) -> None:
    answer = read(reaction)
    assert answer.verdict is Reaction.BAD, answer
    assert answer.strength >= 0.2


@every_row(NEUTRAL)
def test_neither(reaction: str) -> None:
    assert read(reaction) == Feedback(Reaction.NEUTRAL, 0.0)


@pytest.mark.parametrize(
    ("weak", "strong"),
    [
        ("thanks", "Exactly, you remembered!"),
        ("谢谢", "没错，太对了！"),
        ("no", "completely wrong!"),
        ("其实是周二", "胡说，你记错了！"),
    ],
)
def test_strength_follows_the_words(weak: str, strong: str) -> None:
    assert read(weak).verdict is read(strong).verdict
    assert read(weak).strength < read(strong).strength


@every_row(["no", "nope", "yes", "是的", "不是要"])
def test_a_plain_answer_to_a_question_is_no_judgement(answer: str) -> None:
    assert read(answer, reply="Shall I tell you about Rex?").verdict is Reaction.NEUTRAL


@pytest.mark.parametrize(
    ("query", "again"),
    [("What is my dog called?", "What is my dog called??"), ("我的生日是哪天？", "我的生日到底是哪天？")],
)
def test_asking_the_same_again_is_mild_blame(query: str, again: str) -> None:
    answer = read(again, query=query, reply="Nice weather.")
    assert answer.verdict is Reaction.BAD
    assert answer.strength < 0.5


@settings(deadline=None)
@given(query=texts, reply=texts, reaction=texts)
async def test_any_text_gives_a_valid_answer_and_always_the_same(query: str, reply: str, reaction: str) -> None:
    request = FeedbackRequest(query, reply, reaction)
    answer = await ExtractiveEngine().feedback(request)
    assert 0.0 <= answer.strength <= 1.0
    assert (answer.strength == 0.0) is (answer.verdict is Reaction.NEUTRAL)
    assert answer == await ExtractiveEngine().feedback(request)


def test_a_wall_of_text_is_read_at_once() -> None:
    assert read("so " * 200_000).verdict is Reaction.NEUTRAL
    assert read("不" * 200_000).verdict is Reaction.NEUTRAL
