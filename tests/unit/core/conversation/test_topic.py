"""Topic changes on small conversations of our own: announced and unannounced, English, Chinese and mixed.

A leading `>` is a user's message, `<` the character's, and `!` a user's message that opens another topic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from every_row import every_row
from soulmem.core.conversation.topic_shift import WINDOW, Cue, Utterance, is_change, utterance

GARDEN_THEN_FLAT = """
> My tomatoes are finally turning red, the first ones since April
< Lovely! Did the copper tape keep the snails away from the plants?
> Mostly. Two snails still got into the lettuce beside the tomatoes
< Try crushed eggshells around the lettuce, snails hate those.
> Eggshells I have plenty of. The basil likes them too
< Basil and tomatoes, you are one mozzarella away from dinner.
! By the way, the landlord finally answered about the broken heating
< And? Will he send somebody to repair it?
> A plumber comes on Thursday, the landlord pays half
< Half is not much for a heating that broke by itself.
> I know. The contract says repairs are his business entirely
< Then show him the contract, politely.
! Let's talk about something else, contracts make me tired
< Gladly. What did you read last night?
> The second volume of that trilogy about lighthouse keepers
"""

EXAM_THEN_CAT = """
> 明天就要考驾照科目二了，我倒车入库老是压线
< 别紧张，倒车入库的时候多看看后视镜。
> 教练也这么说，可是一看后视镜方向盘就打晚了
< 那就先慢一点，半联动控制好车速再打方向盘。
> 好吧，我今晚再去驾校练两把倒车入库
< 练的时候把座椅调到考试时的位置。
! 对了，我家猫昨天把窗帘扯下来了
< 哈哈，窗帘还好吗？
> 窗帘破了个大洞，猫还一脸无辜地蹲在旁边
< 猫大概觉得窗帘在挑衅它。
> 可能吧，它最近总是半夜在客厅跑酷
< 换个逗猫棒消耗一下它的精力。
! 换个话题吧，周末你想听什么故事
< 讲一个关于灯塔的故事好吗？
> 好啊，从前海边有一座没人住的灯塔
"""

MIXED = """
> 这个 deadline 我肯定赶不上了，report 还差三章
< 先把 report 的结论写了，章节可以后补。
> 老板说 report 必须周五 deadline 之前交
< 那就周四晚上我陪你改 report。
> 也只能这样了，deadline 真的太狠
< 先睡一觉，report 不会跑。
! Btw 我上周报名了 pottery 课，陶艺老师特别有意思
< 陶艺？你想做什么？
> 想做一个歪歪的 mug，老师说歪的才好看
"""

ONE_TOPIC = """
> We booked the night train to Vienna for the second weekend of May
< The sleeper with the small cabins?
> Yes, a cabin for two, with breakfast before Vienna
< How long is the train under way?
> About eleven hours, it leaves at eight in the evening
< And where will you stay once you are there?
> A small hotel near the market, my sister found it
< Does your sister come along?
> No, she stays home with the children, it is only the two of us
< Then Vienna is all yours. Do you want to see an opera?
> Standing places maybe, the opera sells them cheap on the same day
< Wear comfortable shoes then.
> 哈哈 good point, three hours of opera in heels would kill me
"""

GREETING = """
> I am soldering the last board of the synthesizer tonight
< Is it the filter board that gave you trouble?
> Exactly, the filter oscillates even with the resonance turned down
< Check the capacitor on the filter, it may be the wrong value.
> You were right, the capacitor was ten times too small
< Then tonight the synthesizer sings.
! Good morning! My grandmother came out of hospital today, her hip is mending
"""

EVERY = (GARDEN_THEN_FLAT, EXAM_THEN_CAT, MIXED, ONE_TOPIC, GREETING)
See = Callable[[str], "np.ndarray | None"]


def lines(text: str) -> list[tuple[str, str]]:
    return [(line[0], line[2:]) for line in text.strip().splitlines()]


def marked(text: str, see: See = lambda _: None) -> tuple[list[str], list[str]]:
    """Lines marked as a change, and lines that are one."""
    recent: list[Utterance] = []
    found = []
    for sign, said in lines(text):
        now = utterance(said, vector=see(said))
        if sign in ">!" and is_change(now, recent):
            now = replace(now, boundary=True)
            found.append(said)
        recent = [*recent, now][-WINDOW:]
    return found, [said for sign, said in lines(text) if sign == "!"]


@every_row(EVERY)
def test_changes_are_found_and_nothing_else_is(text: str) -> None:
    found, true = marked(text)
    assert found == true


def topics_as_axes(text: str) -> See:
    """An embedder that knows: one direction a topic, a little of the message's own."""
    axes: dict[str, np.ndarray] = {}
    topic = 0
    for at, (sign, said) in enumerate(lines(text)):
        topic += sign == "!"
        vector = np.zeros(64, dtype=np.float32)
        vector[topic], vector[10 + at] = 0.8, 0.6
        axes[said] = vector
    return axes.get


@every_row(EVERY)
def test_vectors_that_agree_change_nothing(text: str) -> None:
    found, true = marked(text, topics_as_axes(text))
    assert found == true


SILENT = """
> The dough rises slowly, my sourdough starter is only a week old
< Keep the dough somewhere warm, a starter wants company.
> Beside the radiator the dough doubled within three hours
< Then shape the loaf and let it rest once more.
> Shaped, resting, and the oven heats up for the sourdough
< Steam for the first ten minutes keeps the crust soft.
! Yesterday Marlene quit her job at the harbour office without telling anybody
"""


def test_an_unannounced_change_needs_vectors_or_many_new_words() -> None:
    found, true = marked(SILENT, topics_as_axes(SILENT))
    assert found == true
    short = SILENT.replace(" at the harbour office without telling anybody", "")
    assert marked(short)[0] == [], "too few words to tell without vectors"


def test_near_meaning_is_no_change_whatever_the_words() -> None:
    same = np.zeros(8, dtype=np.float32)
    same[0] = 1.0
    assert marked(SILENT, lambda _: same)[0] == []


def test_an_answer_is_no_change() -> None:
    asked = SILENT.replace("keeps the crust soft.", "keeps the crust soft. And what happened yesterday?")
    assert marked(asked, topics_as_axes(asked))[0] == []
    replying = SILENT.replace("! Yesterday Marlene", "> Yeah, yesterday Marlene")
    assert marked(replying, topics_as_axes(replying))[0] == []


def test_rest_after_a_boundary() -> None:
    turn = utterance("By the way, the violin lesson was moved to Friday afternoon")
    other = [utterance(f"snails everywhere in lettuce bed number {at}") for at in range(5)]
    assert is_change(turn, other)
    for ago in (1, 2):
        fresh = [*other[:-ago], replace(other[-ago], boundary=True), *other[len(other) - ago + 1 :]]
        assert not is_change(turn, fresh)
    assert is_change(turn, [*other[:-3], replace(other[-3], boundary=True), *other[-2:]])


def test_a_conversation_must_have_begun() -> None:
    turn = utterance("换个话题，我们聊聊电影")
    assert not is_change(turn, [])
    assert not is_change(turn, [utterance("你好"), utterance("你好呀")])


@every_row(
    [
        ("By the way, did I tell you", Cue.TURN),
        ("oh, BTW I moved", Cue.TURN),
        ("Anyway, the train was late", Cue.TURN),
        ("对了，我忘了说", Cue.TURN),
        ("啊，說起來我昨天看到他了", Cue.TURN),
        ("话说你吃过榴莲吗", Cue.TURN),
        ("On a different note, I found a trail", Cue.SWITCH),
        ("Can we change the subject?", Cue.SWITCH),
        ("我们聊点别的吧", Cue.SWITCH),
        ("Good evening! How was work", Cue.GREETING),
        ("好久不见！", Cue.GREETING),
        ("I stood by the way station for an hour", Cue.NONE),
        ("他说的对了吗", Cue.NONE),
        ("history is long", Cue.NONE),
        ("", Cue.NONE),
        ("🙂🙂🙂", Cue.NONE),
    ],
    unpack=True,
)
def test_cues(text: str, cue: Cue) -> None:
    assert utterance(text).cue is cue


def test_a_very_long_message_is_cheap_and_harmless() -> None:
    long = utterance("对了 " + "啊，" * 100_000)
    assert not is_change(long, [utterance("番茄红了，蜗牛还在")] * 4)
