"""What is about the talk itself becomes no note, whoever says it; what tells of a life does, however short it is."""

from __future__ import annotations

import time

import pytest

from every_row import every_row
from soulmem.core.schema.note_requests import Role, SplitRequest, Summary, Turn
from soulmem.core.schema.sentence_accounting import Untold
from soulmem.llm.extractive.language.courtesies import is_about_the_talk
from soulmem.llm.extractive.reading.statements import statements_of
from soulmem.llm.extractive.tasks import split

AT = 1_775_070_000_000
OF_ANYBODY = (
    "ok gotta run, ttyl", "hang on, someone's at the door", "I remember you said that.", "never mind",
    "back! where were we",
    "先不聊了，拜拜", "等我一下，有人敲门", "算了", "我回来了，刚说到哪了", "帮我记住哈", "哈哈哈笑死我了",
    "Thanks for listening.", "it was nice talking to you", "I was only joking!", "sorry for rambling",
    "what was I saying",
    "谢谢你陪我聊天。", "谢谢你今天听我唠叨", "跟你聊天真开心", "开玩笑的", "今天就聊到这儿吧", "不好意思又跟你抱怨",
)  # fmt: skip
OF_A_COMPANION = (
    "I'm here, take your time.", "I've made a note of it, don't worry.", "Your secret's safe with me.",
    "Fingers crossed for Thursday!", "I'm proud of you for saying no.", "You deserve a proper rest after all that.",
    "在呢，慢慢说。", "这个一定要记牢。", "好的，我记下了，放心。", "听着就累，抱抱你。", "我替你保密，谁也不说。",
    "你妈肯定高兴坏了。", "I didn't hear a thing.", "Already forgotten.", "好,我不记得了", "我什么都没听见。",
)  # fmt: skip
TOLD = (
    "Coeliac. Since birth.", "Widowed, two kids, one dog, that's me.", "No pets, sadly, the landlord won't have it.",
    "Forty-two on Friday, can you believe it?", "Why does my brother always borrow money from me?",
    "Did you know I used to race pigeons?", "I'm here in Lyon until May.", "My aunt is a saint.",
    "乳糖不耐，从小就这样。", "没养宠物，房东不让。", "你知道吗，我以前养过信鸽。", "我弟怎么老找我借钱？",
    "你猜怎么着，她有对象了！",
    "Thanks for coming to my mum's funeral.", "I forgot my sister's birthday.", "He was joking about the money.",
    "谢谢你陪我去医院。", "我忘了我妈的生日。", "她爸不记得我了。",
    "高考那几天我请了假陪她", "我在里昂待到五月。", "离过婚，带俩娃，还有条狗。",
)  # fmt: skip


def _untold(text: str, role: Role) -> list[Untold | None]:
    return [statement.untold for statement in statements_of([Turn(1, role, "Nell", text, AT)])]


@every_row(OF_ANYBODY, [Role.USER, Role.ASSISTANT])
def test_leave_taking_is_no_note(text: str, role: Role) -> None:
    assert None not in _untold(text, role)


@every_row(OF_A_COMPANION)
def test_a_companion_who_listens_tells_nothing(text: str) -> None:
    assert None not in _untold(text, Role.ASSISTANT)


@every_row(TOLD)
def test_what_tells_of_a_life_is_told(text: str) -> None:
    assert None in _untold(text, Role.USER)
    assert not is_about_the_talk(text, companion=True)


@pytest.mark.parametrize("number", ["4417", "7"])
def test_a_number_is_never_a_courtesy(number: str) -> None:
    assert is_about_the_talk("take your time", companion=True)
    assert not is_about_the_talk(f"take your time {number}", companion=True)


@pytest.mark.parametrize(
    ("text", "together"),
    [
        ("I have a bad shoulder. The right one. They want to scan it on the fifth of June.", ("shoulder", "June")),
        ("小马？我表弟，在苏州那个。", ("小马", "表弟")),
    ],
)
def test_a_sentence_leans_on_all_that_it_needs(text: str, together: tuple[str, ...]) -> None:
    last = statements_of([Turn(1, Role.USER, "Nell", text, AT)])[-1]
    said = " ".join(sentence.text for sentence in last.spoken)
    assert all(word in said for word in together)
    assert all(source.quote in text for source in last.sources)


@every_row(["嗯", "好", "都会", "haha", "ok "])
def test_the_work_stays_small_where_a_form_nearly_fits(piece: str) -> None:
    began = time.thread_time()
    is_about_the_talk((piece * 100)[:118] + "x", companion=True)
    assert time.thread_time() - began < 0.5


@every_row(["Evening Wren.", "hiii wren its helen", "Anyway, night.", "Fingers crossed!", "晚安小禾"])
def test_who_greets_by_name_tells_nothing(said: str) -> None:
    turns = [
        Turn(1, Role.ASSISTANT, "小禾" if "小禾" in said else "Wren", "Hello.", 0),
        Turn(2, Role.USER, "Helen", said, 1_000),
    ]
    assert all(each.untold is not None for each in statements_of(turns))


@pytest.mark.parametrize("said", ["I'm Helen Marsh.", "Night shift again, Wren.", "Wren, my son has asthma."])
def test_a_name_among_what_is_told_is_no_greeting(said: str) -> None:
    turns = [Turn(1, Role.ASSISTANT, "Wren", "Hello.", 0), Turn(2, Role.USER, "Helen", said, 1_000)]
    assert any(each.untold is None for each in statements_of(turns) if each.turn.role is Role.USER)


def test_what_a_sentence_leaves_open_is_told_with_it() -> None:
    (note,) = split.split(SplitRequest(Summary(""), (Turn(1, Role.USER, "Dani", "so chem result... B!!!!", 0),)))
    assert "B!!!!" in note.text


def test_counted_by_and_some_is_told() -> None:
    turns = [Turn(1, Role.USER, "老周", "昨天钓了两条鲫鱼一条大头鱼，五斤几重", 0)]
    assert [each.untold for each in statements_of(turns)] == [None]


@every_row(
    [
        ("tell me about it. n rents gone up too, its 350 now", "350"),
        ("This time last week I was on a glacier.", "glacier"),
        ("打了石膏，昨天我跟老唐把她接到成都来了，鸡在阳台上拉得到处都是", "成都"),
        ("电梯动工的头一天我们这栋要停水，孙婆婆来喊我多接几桶", "停水"),
    ],
    unpack=True,
)
def test_what_begins_or_ends_like_a_request_or_a_broken_sentence_is_told(text: str, word: str) -> None:
    told = [each for each in statements_of([Turn(1, Role.USER, "Ann", text, 1_780_000_000_000)]) if each.untold is None]
    assert any(word in each.text for each in told)
