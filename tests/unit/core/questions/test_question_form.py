"""Whether a text asks, and whether it does nothing else: with and without a mark, in both languages and mixed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.questions.question_detection import is_question, only_asks

QUESTIONS = [
    "where did i leave the umbrella", "what's my neighbour's name", "Who fixed the gate?", "when is the dentist",
    "and hers?", "hey, how old is the oak table", "so which train do we take", "did I pay the gas bill",
    "is my passport still valid", "tell me about the trip to Porto", "remind me what the doctor said",
    "do you remember who came on Sunday", "any idea where the spare key is", "I forgot where I parked",
    "ok but why did she leave", "can you tell me which shelf it was", "in which drawer are the candles",
    "has the parcel come", "Whose bike is that", "list my allergies",
    "我的伞放哪儿了", "邻居叫什么名字", "谁修的大门？", "牙医约的几点", "她的呢？", "那张桌子多大年头了",
    "我们坐哪趟车", "煤气费交了吗", "护照还有效没有？",
    "跟我说说去厦门那次", "告诉我医生怎么说的", "周日谁来了", "备用钥匙在哪里",
    "她为什么走了", "是哪一层来着", "快递到了没？", "我有没有交过押金", "我是不是答应过他", "我儿子多高", "家里狗叫啥",
    "my sister 叫什么名字", "how much 是房租",
]  # fmt: skip
STATEMENTS = [
    "I left the umbrella on the tram.", "my neighbour is called Rowan", "What a lovely evening!", "How nice of you!",
    "She knows where the key is.", "we took the slow train and it was fine", "no idea, honestly",
    "whatever you say", "When I was nine I broke my arm.", "I told him what happened",
    "Where there is smoke there is fire.", "how she laughed at that",
    "我把伞落在电车上了", "邻居叫罗恩", "今晚真美啊", "没什么大事", "谁都知道他爱钓鱼", "什么都没发生", "他几天没睡好",
    "我记得那家店的味道", "不知道怎么办才好", "哪怕下雨我也去", "她无论谁劝都不听", "买了几个苹果",
    "the party 真好玩", "他在 office 里睡着了",
]  # fmt: skip


@every_row(QUESTIONS)
def test_what_asks_is_seen_to_ask(text: str) -> None:
    assert is_question(text)
    assert only_asks(text)


@every_row(STATEMENTS)
def test_what_tells_is_no_question(text: str) -> None:
    assert not is_question(text)
    assert not only_asks(text)


@every_row([
        "I moved to the coast last spring. Where do you live?", "The vet said he's fine! Isn't that great?",
        "We've got a new dog called Rex, do you like dogs?", "I have an exam on Friday, can you wish me luck?",
        "boss is heather, wears crocs with charms, hugged me??", "my sister moved to Leeds, isn't that great?",
        "我们养了条新狗叫豆豆，你喜欢狗吗？",
        "我周五早上九点考试，你能给我打打气吗？", "老板姓何，穿洞洞鞋，还抱我？？",
        "小周是自贡的，你晓得不？", "我叫陈默，你呢？", "My name is Tom, 你呢？",
        "我上个月搬到海边了。你住哪儿？", "兽医说它没事，真好！你吃饭了吗？", "Mei 生了个女儿。Is it cold there?",
    ])  # fmt: skip
def test_what_tells_and_asks_does_not_only_ask(text: str) -> None:
    assert is_question(text)
    assert not only_asks(text)


@every_row([
        "if it rains on Friday, what do we do?", "when I get there, who picks me up?", "Ann, did you see my keys?",
        "I was wondering, what is my dog called?", "I forgot, what's my sister's name?", "I live where, again?",
        "You said I live in Leeds, didn't you?", "last time we spoke, what was I worried about?",
        "On Friday, what am I doing?", "what about my sister, is she well?",
        "我忘了，我妹叫什么？", "那个我想问，我住哪儿？", "我妹，她叫什么来着？", "你说我住利兹，是吗？",
        "上次我们聊天，我担心什么来着？", "如果周五下雨，我们怎么办？", "我住哪儿来着，杭州还是苏州？",
    ])  # fmt: skip
def test_what_stands_before_a_question_and_states_nothing_tells_nothing(text: str) -> None:
    assert only_asks(text)


@pytest.mark.parametrize("text", ["Hey! How was the ferry?", "对了，渡轮怎么样？", "Oh wow. What happened then?"])
def test_a_courtesy_tells_nothing_beside_a_question(text: str) -> None:
    assert only_asks(text)


@given(st.text(max_size=400))
def test_any_text_is_read_and_what_only_asks_asks(text: str) -> None:
    assert not only_asks(text) or is_question(text)


@every_row(["and so but ", "what is ", "is x ", "我什么都", "几", " a. "])
def test_of_a_long_text_only_the_beginning_is_read(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    assert is_question(text + "?") == is_question(text[:1_000])
    assert only_asks(text + "?") == only_asks(text[:1_000])


@every_row([
        "Last summer I lived in a van, did I say?", "we moved to the mill in May, remember?",
        "he sold the boat, right?",        "我去年住过帐篷，跟你说过吗？", "他把船卖了，对吧？",
    ])  # fmt: skip
def test_what_tells_and_asks_behind_it_whether_that_is_known_tells(text: str) -> None:
    assert not only_asks(text)
