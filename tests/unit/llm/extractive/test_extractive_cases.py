"""Planted cases: what a conversation says once must come out in a note with its name and its absolute date."""

from __future__ import annotations

import pytest

from soulmem.core.calendar import calendar_math
from soulmem.core.schema.note_requests import NoteDraft, NoteKind, Role, SplitRequest, Summary, Turn
from soulmem.llm.extractive import ExtractiveEngine

MONDAY = calendar_math.day_number(2023, 5, 8) * calendar_math.DAY_MS + 14 * calendar_math.HOUR_MS  # 8 May 2023

EN_BEFORE = [("Bob", "Hey! How are you? Good to hear from you!"), ("Ann", "Hi Bob, I'm good, thanks!")]
EN_AFTER = [("Bob", "Wow, that's great!"), ("Ann", "Thanks, talk to you soon!")]
ZH_BEFORE = [("阿杰", "你好呀，好久不见！"), ("小林", "嗨，你好！")]
ZH_AFTER = [("阿杰", "哇，真不错！"), ("小林", "谢谢，回头聊！")]


def turns(lines: list[tuple[str, str]], at_ms: int = MONDAY) -> tuple[Turn, ...]:
    return tuple(
        Turn(seq, Role.USER, speaker, text, at_ms + seq * 20_000) for seq, (speaker, text) in enumerate(lines, 1)
    )


async def notes_of(lines: list[tuple[str, str]]) -> tuple[NoteDraft, ...]:
    told = turns(lines)
    notes = await ExtractiveEngine().split(SplitRequest(Summary(""), told))
    texts = {turn.seq: turn.text for turn in told}
    for note in notes:
        assert note.sources
        assert all(source.quote and source.quote in texts[source.seq] for source in note.sources)
    return notes


# what is said, and what one note must hold (all of it)
ENGLISH = [
    ("I went to an LGBTQ support group yesterday and it was powerful.", ("Ann", "support group", "7 May 2023")),
    ("I ran a charity race for mental health last Saturday.", ("Ann", "charity race", "6 May 2023")),
    ("My sister Clara got married in Lisbon two weeks ago.", ("Ann", "Clara", "Lisbon", "the week of 24 April 2023")),
    ("I adopted a grey cat named Miso last Friday.", ("Ann", "Miso", "5 May 2023")),
    ("We are flying to Tokyo next month.", ("Ann", "Tokyo", "June 2023")),
    ("I painted that lake sunrise last year.", ("Ann", "lake sunrise", "2022")),
    ("My father passed away three years ago.", ("Ann", "father", "2020")),
    ("I start my new job at Fairview Hospital next Monday.", ("Ann", "Fairview Hospital", "15 May 2023")),
    ("I broke my ankle skiing last winter.", ("Ann", "ankle", "winter 2022–23")),
    ("I met Daniel Ortega at a conference in March.", ("Ann", "Daniel Ortega", "March 2023")),
    ("We camped on Mount Hood over the weekend.", ("Ann", "Mount Hood", "6–7 May 2023")),
    ("I moved from Boston to Denver a month ago.", ("Ann", "Boston", "Denver", "April 2023")),
    ("I saw \"Dune\" at the Rialto last night.", ("Ann", "Dune", "Rialto", "7 May 2023")),
    ("The exam is on 3 June, I have to study hard.", ("Ann", "exam", "3 June 2023")),
    ("I promised Grandpa Joe to finish his boat this summer.", ("Ann", "Joe", "boat", "summer 2023")),
    ("I won 500 dollars in a chess tournament the day before yesterday.", ("Ann", "chess", "6 May 2023")),
    ("I no longer eat meat since last summer.", ("Ann", "meat", "summer 2022")),
    ("Mum had her birthday Thursday. “Seventy-three is not an achievement.”", ("Seventy-three", "4 May 2023")),
    ("My boss read my report yesterday. “I have seen worse in this office.”", ("seen worse", "boss", "7 May 2023")),
    ("I asked the vet about Biddy on Friday. “She is deaf as a post.”", ("vet", "Biddy", "deaf", "5 May 2023")),
    ("My kids were stoked for the dinosaur exhibit.", ("Ann", "dinosaur", "8 May 2023")),
]  # fmt: skip
CHINESE = [
    ("我昨天去参加了互助小组，很受鼓舞。", ("小林", "互助小组", "2023年5月7日")),
    ("我上周五搬到杭州了。", ("小林", "杭州", "2023年5月5日")),
    ("我妹妹小雨下个月要结婚了。", ("小林", "小雨", "结婚", "2023年6月")),
    ("我前天领养了一只橘猫，叫豆包。", ("小林", "豆包", "2023年5月6日")),
    ("我爸爸三年前去世了。", ("小林", "爸爸", "2020年")),
    ("去年夏天我和王磊去了云南旅行。", ("小林", "王磊", "云南", "2022年夏天")),
    ("我下周三要去协和医院做手术。", ("小林", "协和医院", "2023年5月17日")),
    ("我上个月辞职了，现在在开咖啡店。", ("小林", "辞职", "2023年4月")),
    ("明天下午三点我要去面试腾讯。", ("小林", "腾讯", "2023年5月9日15:00")),
    ("我1月中旬看了《流浪地球》。", ("小林", "流浪地球", "2023年1月")),
    ("我答应外婆年底带她去看海。", ("小林", "外婆", "2023年底")),
    ("我大前天晚上和张伟吵架了。", ("小林", "张伟", "2023年5月5日")),
    ("5月20号是我和阿明的婚礼。", ("小林", "阿明", "2023年5月20")),
    ("我半年前开始学大提琴。", ("小林", "大提琴", "2022年11月")),
    ("我去年10月3号跑完了北京马拉松。", ("小林", "北京马拉松", "2022年10月3")),
    ("上周末我们去莫干山露营了。", ("小林", "莫干山", "2023年5月6日至7日")),
    ("我最近在准备考研，报的是复旦新闻系。", ("小林", "复旦", "2023年5月8日")),
    ("老师昨天看了我的画。“这孩子有天分。”", ("小林", "老师", "天分", "2023年5月7日")),
    ("我 last week 在 Google 面试了 two times.", ("小林", "Google", "the week of 1 May 2023")),
]


@pytest.mark.parametrize(("said", "held"), ENGLISH)
async def test_english_names_are_kept_and_dates_resolved(said: str, held: tuple[str, ...]) -> None:
    notes = await notes_of([*EN_BEFORE, ("Ann", f"Oh, by the way! {said}"), *EN_AFTER])
    assert any(all(part in note.text for part in held) for note in notes), [note.text for note in notes]


@pytest.mark.parametrize(("said", "held"), CHINESE)
async def test_chinese_names_are_kept_and_dates_resolved(said: str, held: tuple[str, ...]) -> None:
    notes = await notes_of([*ZH_BEFORE, ("小林", f"对了，{said}"), *ZH_AFTER])
    assert any(all(part in note.text for part in held) for note in notes), [note.text for note in notes]


FACTS = [
    ("I'm a nurse.", "occupation", "nurse", "Ann is a nurse"),
    ("I live in Denver.", "lives_in", "Denver", "Ann lives in Denver"),
    ("I really love pottery!", "likes", "pottery", "Ann likes pottery"),
    ("I hate cilantro and olives.", "dislikes", "cilantro and olives", "Ann dislikes cilantro and olives"),
    ("I'm allergic to peanuts, so be careful.", "allergic_to", "peanuts",
     "Ann is allergic to peanuts, so be careful (8 May 2023)."),
    ("My birthday is on 3 June.", "birthday", "3 June", "Ann's birthday is 3 June"),
    ("I have a dog named Rex.", "pet", "dog named Rex", "Ann has a dog named Rex"),
    ("My sister is called Clara.", "relative", "Clara", "Ann's sister is called Clara"),
    ("I'm from Sweden.", "from", "Sweden", "Ann is from Sweden"),
    ("My favourite book is Dune.", "favourite", "Dune", "Ann's favourite book is Dune"),
    ("I moved to Denver last month.", "lives_in", "Denver", "Ann moved to Denver last month (April 2023)."),
    ("I'm terrified of spiders.", "afraid_of", "spiders", "Ann is afraid of spiders"),
    ("I'm called Annika.", "name", "Annika", "Ann is called Annika"),
    ("My dog is called Biscuit.", "pet", "Biscuit", "Ann's dog is called Biscuit"),
    ("我叫林晓。", "name", "林晓", "小林名叫林晓"),
    ("我叫林晓，来自成都。", "name", "林晓", "小林名叫林晓"),
    ("我特别喜欢芒果。", "likes", "芒果", "小林喜欢芒果"),
    ("我最讨厌香菜。", "dislikes", "香菜", "小林不喜欢香菜"),
    ("我住在杭州。", "lives_in", "杭州", "小林住在杭州"),
    ("我是一名护士。", "occupation", "护士", "小林是护士"),
    ("我对花生过敏，千万别带。", "allergic_to", "花生", "小林对花生过敏，千万别带（2023年5月8日）。"),
    ("我养了一只橘猫，叫豆包。", "pet", "橘猫豆包", "小林养了橘猫，名叫豆包"),
    ("我的生日是六月三号。", "birthday", "六月三号", "小林的生日是六月三号"),
    ("我妹妹叫小雨。", "relative", "小雨", "小林的妹妹叫小雨"),
    ("我在人民医院工作。", "works_at", "人民医院", "小林在人民医院工作"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "relation", "value", "text"), FACTS)
async def test_self_descriptions_become_facts(said: str, relation: str, value: str, text: str) -> None:
    chinese = said[0] == "我"
    lines = [*ZH_BEFORE, ("小林", said), *ZH_AFTER] if chinese else [*EN_BEFORE, ("Ann", said), *EN_AFTER]
    facts = [note for note in await notes_of(lines) if note.kind is NoteKind.SEMANTIC]
    facts = [note for note in facts if note.attributes["relation"] == relation]
    assert [note.text for note in facts] == [text]
    assert facts[0].attributes == {"subject": "小林" if chinese else "Ann", "relation": relation, "object": value}


@pytest.mark.parametrize(
    ("speaker", "said"),
    [
        ("Ann", "I love it!"),
        ("Ann", "If I lived in Rome, I'd eat pizza every day."),
        ("Ann", "Do you think I'm a nurse?"),
        ("Ann", "I love your painting."),
        ("Ann", 'He said "I\'m a doctor" and left.'),
        ("Ann", "I'm called in on Sundays."),
        ("Ann", "My name is mud around here."),
        ("Ann", "Call me later."),
        ("Ann", "My sister is coming."),
        ("Ann", "I like to just take a look."),
        ("小林", "我叫顾师傅来看。"),
        ("小林", "我叫顾师傅看。"),
        ("小林", "我叫王磊，让他来帮忙。"),
        ("小林", "我叫救护车。"),
        ("小林", "我爱你。"),
        ("小林", "如果我住在北京就好了。"),
        ("小林", "我喜欢你这样说话。"),
        ("小林", "你说我是不是该养一只猫叫豆包？"),
    ],
)
async def test_what_is_asked_wished_or_borrowed_is_no_fact(speaker: str, said: str) -> None:
    assert not [note for note in await notes_of([(speaker, said)]) if note.kind is NoteKind.SEMANTIC]


async def test_a_short_answer_keeps_its_question() -> None:
    notes = await notes_of([("Ann", "What game were you playing last night?"), ("Bob", "Valorant.")])
    assert len(notes) == 1
    assert "What game were you playing last night?" in notes[0].text
    assert "Bob" in notes[0].text
    assert "Valorant" in notes[0].text
    assert [source.seq for source in notes[0].sources] == [1, 2]
    notes = await notes_of([("小林", "你们什么时候举行婚礼？"), ("阿杰", "5月20号。")])
    assert [source.seq for source in notes[0].sources] == [1, 2]
    assert "婚礼" in notes[0].text
    assert "2023年5月20号" in notes[0].text


UNSURE = [
    ("I moved the piano lesson to next Saturday, so no bowling.", "Ann (8 May 2023): ", "next Saturday"),
    ("I always play bridge at the Elks lodge on Tuesdays.", "Ann plays bridge", "on Tuesdays"),
    ("我每周二去少年宫教孩子们下围棋。", "小林每周二去", "每周二"),
    ("周六我在家看《三体》，特别过瘾。", "小林（2023年5月8日）：", "周六"),
]


@pytest.mark.parametrize(("said", "head", "words"), UNSURE)
async def test_a_date_that_is_not_certain_keeps_its_words(said: str, head: str, words: str) -> None:
    chinese = "小林" in head
    lines = [*(ZH_BEFORE if chinese else EN_BEFORE), ("小林" if chinese else "Ann", said)]
    (note,) = (note for note in await notes_of(lines) if words in note.text)
    assert note.text.startswith(head)
    assert f"{words} (" not in note.text
    assert f"{words}（" not in note.text
    assert calendar_math.civil(note.at_ms // calendar_math.DAY_MS) == (2023, 5, 8)
