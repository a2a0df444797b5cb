"""Notes and links without a model: sourced, bounded, deterministic, unmoved by odd input."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar import calendar_math
from soulmem.core.importance.retention_periods import VITAL_FROM
from soulmem.core.schema.note_requests import (
    LinkKind,
    LinkNode,
    LinkRequest,
    NoteKind,
    Role,
    SourceQuote,
    SplitRequest,
    SummariseRequest,
    Summary,
    SummaryPoint,
    Turn,
)
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.llm.extractive import ExtractiveEngine
from soulmem.llm.extractive.language.sentence_splitter import sentences_of
from soulmem.llm.extractive.tasks import link as link_task
from soulmem.llm.extractive.tasks import split, summarise

AT = calendar_math.day_number(2024, 4, 17) * calendar_math.DAY_MS + 20 * calendar_math.HOUR_MS
EXAMPLES = 2000 if os.environ.get("SOULMEM_TORTURE") else 100

CHAT_ZH = """小林|你好呀，好久不见！
阿杰|好久不见！最近怎么样？
小林|我上周五搬到杭州了，在一家游戏公司做美术设计师。
阿杰|哇，恭喜恭喜！
小林|谢谢！对了，我养了一只橘猫，叫豆包，特别黏人。
阿杰|好可爱！我对猫毛过敏，只能云吸猫。
小林|哈哈，那你可惨了。
阿杰|我妹妹下个月要结婚了，我得回成都一趟。
小林|什么时候的婚礼？
阿杰|5月20号。
小林|我昨天晚上梦见我外婆了，她去年冬天去世的，我很想她。
阿杰|抱抱你。
小林|没事，谢谢你。
阿杰|你还在学钢琴吗？
小林|不学了，我现在改学吉他，每周三上课。
阿杰|厉害！我最近在准备考研，报的是复旦的新闻系。
小林|加油！你一定可以的。
阿杰|谢谢，早点休息吧，晚安。"""
CHAT_EN = """Ann|Hey Bob! Long time no see!
Bob|Hi! How have you been?
Ann|I moved to Denver last Friday and started as a designer at Pixel Forge.
Bob|Wow, congrats!
Ann|Thanks! I also adopted a grey cat named Miso.
Bob|So cute! I'm allergic to cats, sadly.
Ann|Haha, poor you.
Bob|My sister Clara is getting married next month, so I have to fly to Lisbon.
Ann|When is the wedding?
Bob|On 20 May.
Ann|I dreamt of my grandmother last night. She died last winter and I miss her.
Bob|I'm so sorry.
Ann|Thanks, that's sweet.
Bob|Are you still playing the piano?
Ann|No, I switched to the guitar, I have lessons every Wednesday.
Bob|Great! I'm preparing for the bar exam in July.
Ann|Good luck, you can do it!
Bob|Thanks, sleep well. Good night!"""
SMALL_TALK = """Ann|Hey! Good morning!
Bob|Hi Ann, how are you?
Ann|I'm good, thanks! And you?
Bob|Great, thank you!
Ann|Wow, that's awesome!
Bob|Haha, yeah. Talk to you soon!
小林|你好！
阿杰|嗨，最近怎么样？
小林|挺好的，谢谢你！
阿杰|哈哈，那就好。
小林|太好了！
阿杰|晚安，再见！"""


def turns(script: str) -> tuple[Turn, ...]:
    return tuple(
        Turn(seq, Role.USER, *line.split("|", 1), AT + seq * 20_000) for seq, line in enumerate(script.splitlines(), 1)
    )


@pytest.mark.parametrize(("chat", "least"), [(CHAT_EN, 8), (CHAT_ZH, 8)])
async def test_a_conversation_becomes_notes(chat: str, least: int) -> None:
    told = turns(chat)
    made = await ExtractiveEngine().split(SplitRequest(Summary(""), told))
    assert least <= len(made) <= 15
    assert [note.label for note in made] == [f"N{index}" for index in range(1, len(made) + 1)]
    texts = {turn.seq: turn.text for turn in told}
    for note in made:
        assert all(source.quote in texts[source.seq] for source in note.sources)
        assert 0.0 <= note.importance <= 1.0
        assert -1.0 <= note.valence <= 1.0
        assert 0 < len(note.gist) < 60
        assert not any(entity.lower() in note.gist.lower() for entity in note.entities)
        assert not any(char.isdigit() for char in note.gist)
    death = next(
        note for note in made if "She died" in note.text or "grandmother died" in note.text or "去世" in note.text
    )
    assert death.importance == max(note.importance for note in made if "fact" not in note.tags or note is death)
    assert death.valence < 0
    assert any(name in note.entities for note in made for name in ("Denver", "杭州"))


async def test_event_time_is_when_it_happened() -> None:
    made = await ExtractiveEngine().split(SplitRequest(Summary(""), turns("小林|我上周五搬到杭州了，在游戏公司上班。")))
    assert made[0].at_ms == calendar_math.day_number(2024, 4, 12) * calendar_math.DAY_MS
    made = await ExtractiveEngine().split(SplitRequest(Summary(""), turns("Ann|I painted the lake two years ago.")))
    assert made[0].at_ms == calendar_math.day_number(2022, 1, 1) * calendar_math.DAY_MS


async def test_small_talk_becomes_no_note() -> None:
    made = await ExtractiveEngine().split(SplitRequest(Summary(""), turns(SMALL_TALK)))
    assert [note.text for note in made] == []


async def test_talk_of_the_weather_matters_least() -> None:
    script = (
        "Ann|A storm with heavy rain and snow hit Bergen and Oslo yesterday.\nBob|My father died in Bergen yesterday."
    )
    made = await ExtractiveEngine().split(SplitRequest(Summary(""), turns(script)))
    weather, death = (next(n for n in made if word in n.text) for word in ("storm", "died"))
    assert weather.importance < 0.3 < 0.7 < death.importance


async def test_system_messages_become_no_note() -> None:
    secret = Turn(1, Role.SYSTEM, "system", "I live in Denver and my name is Rosebud.", AT)
    assert await ExtractiveEngine().split(SplitRequest(Summary(""), (secret,))) == ()


async def test_points_of_the_summary_stand_in_for_messages_not_given() -> None:
    point = SummaryPoint(
        "Ann moved to Denver (17 April 2024).", (SourceQuote(3, "I moved to Denver"),), AT, salience=0.8
    )
    made = await ExtractiveEngine().split(SplitRequest(Summary("", (point,)), turns("Ann|hi")[:0]))
    assert [(note.text, note.sources) for note in made] == [(point.text, point.sources)]


async def test_every_statement_of_a_long_epoch_has_its_note() -> None:
    script = "\n".join(
        f"Ann|I visited {city} with my cousin {name} in {year} and bought a painted {thing} there."
        for year, (city, name, thing) in enumerate(
            [("Rome", "Pia", "vase"), ("Oslo", "Ute", "chair"), ("Bonn", "Kai", "lamp"), ("Graz", "Lea", "clock")] * 25,
            1960,
        )
    )
    made = await ExtractiveEngine().split(SplitRequest(Summary(""), turns(script)))
    assert len(made) == 100
    assert {source.seq for note in made for source in note.sources} == set(range(1, 101))


async def test_same_request_same_answer_with_and_without_embedder() -> None:
    told = turns(CHAT_EN + "\n" + CHAT_ZH)
    for embedder in (None, HashingEmbedder()):
        engine = ExtractiveEngine(embedder)
        summary = await engine.summarise(SummariseRequest(None, told))
        assert summary == await ExtractiveEngine(embedder).summarise(SummariseRequest(None, told))
        first = await engine.split(SplitRequest(summary, told))
        assert first == await ExtractiveEngine(embedder).split(SplitRequest(summary, told))


async def test_links_hold_their_rules() -> None:
    made = await ExtractiveEngine().split(SplitRequest(Summary(""), turns(CHAT_EN)))
    new = tuple(LinkNode(n.label, n.kind, n.text, n.entities, n.at_ms) for n in made)
    hot = (
        LinkNode("H1", NoteKind.EPISODIC, "Ann: Miso the cat broke my guitar (2 April 2024).", ("Ann", "Miso"), AT),
        LinkNode("H2", NoteKind.SEMANTIC, "Clara likes Lisbon", ("Clara", "Lisbon"), AT),
        LinkNode("H3", NoteKind.EPISODIC, "The soup was green.", (), AT),
    )
    found = await ExtractiveEngine().link(LinkRequest(new, hot))
    labels = {node.label for node in (*new, *hot)}
    assert len(found) <= 3 * len(new) + len(hot)
    assert len({(link.src, link.dst, link.kind, link.verb) for link in found}) == len(found)
    for link in found:
        assert link.src != link.dst
        assert {link.src, link.dst} <= labels
        assert 0.0 <= link.intensity <= 1.0
        assert link.kind in {LinkKind.SEMANTIC, LinkKind.ASSOCIATION}
    pairs = {frozenset((link.src, link.dst)) for link in found}
    by_text = {node.label: node.text for node in (*new, *hot)}
    assert any("H1" in pair and any("Miso" in by_text[o] for o in pair - {"H1"}) for pair in pairs)
    clara = [link for link in found if "H2" in {link.src, link.dst}]
    assert clara
    assert clara[0].kind is LinkKind.SEMANTIC
    assert clara[0].verb
    assert not any("H3" in pair for pair in pairs)
    assert found == await ExtractiveEngine().link(LinkRequest(new, hot))
    assert link_task.link(LinkRequest((), ())) == ()


ODD = [
    "😀🎉😀🎉",
    "\n\n  \t",
    "???!!!",
    "[[[[]]]]",
    "\u200b\u200d",
    "https://example.org/a?b=c",
    "```python\nprint('x')\n```",
    "I",
    "我",
    "***",
    '"',
    "ﬀ①Ⅳ",
    "العربية مرحبا",
    "I'm",
]


@pytest.mark.parametrize("text", ODD)
async def test_odd_texts_do_no_harm(text: str) -> None:
    told = (
        Turn(1, Role.USER, "", text, AT),
        Turn(2, Role.ASSISTANT, "Ann", text * 9, AT),
        Turn(3, Role.USER, "self", text, AT),
    )
    summary = await ExtractiveEngine().summarise(SummariseRequest(None, told))
    await ExtractiveEngine().split(SplitRequest(summary, told))


PIECES = st.sampled_from(
    [line.split("|")[1] for line in (CHAT_EN + "\n" + CHAT_ZH + "\n" + SMALL_TALK).splitlines()]
    + [*ODD, "[shares a picture: a red barn]"]
)
MESSAGES = st.lists(PIECES | st.text(max_size=80), min_size=1, max_size=4).map(" ".join)


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    said=st.lists(st.tuples(st.sampled_from(["Ann", "小林", "", "user"]), MESSAGES), max_size=24),
    at_ms=st.integers(
        calendar_math.day_number(1, 1, 1) * calendar_math.DAY_MS,
        calendar_math.day_number(9999, 12, 31) * calendar_math.DAY_MS,
    ),
)
def test_every_quote_stands_in_its_source(said: list[tuple[str, str]], at_ms: int) -> None:
    told = tuple(Turn(seq, Role.USER, speaker, text, at_ms + seq) for seq, (speaker, text) in enumerate(said, 1))
    texts = {turn.seq: turn.text for turn in told}
    for turn in told:
        for sentence in sentences_of(turn.seq, turn.text):
            assert turn.text[sentence.start : sentence.start + len(sentence.text)] == sentence.text
    summary = summarise.summarise(SummariseRequest(None, told), None)
    made = split.split(SplitRequest(summary, told))
    for item in (*summary.points, *made):
        assert item.sources
        assert item.text.strip()
        assert all(source.quote and source.quote in texts[source.seq] for source in item.sources)
    total = sum(len(turn.text) for turn in told if turn.text.strip())
    if total >= summarise.SHORT:
        assert len(summary.text) <= 0.4 * total
    elif total >= 200:  # of a few lines at least one statement is kept, whatever its share
        assert len(summary.text) <= summarise.SHORT_SHARE * total or len(summary.points) == 1
    sentences = sum(len(sentences_of(turn.seq, turn.text)) for turn in told)
    assert len(made) <= 3 * sentences  # no statement has more than three facts


@every_row(
    [
        ("你有几个孩子？", "俩。都上小学了", "俩。都上小学了"),
        ("How many kids have you got?", "2. Both at primary school.", "2. Both"),
    ],
    unpack=True,
)
def test_an_answer_of_one_number_is_told_with_what_follows(question: str, answer: str, told: str) -> None:
    turns = (Turn(1, Role.ASSISTANT, "Wren", question, AT), Turn(2, Role.USER, "Ann", answer, AT + 1_000))
    notes = split.split(SplitRequest(Summary(""), turns))
    assert any(told in note.text for note in notes)
    assert all(any(source.quote in turn.text for turn in turns) for note in notes for source in note.sources)


@every_row(
    [
        ("We were to drive up on the 16th but there's snow. So it's the 18th now.", "2026-03-18"),
        ("Deadline was Friday the 6th, and now, wait for it, it's Monday the 16th.", "2026-03-16"),
        ("毕业典礼本来说二十号，后来又改成二十五号了。", "2026-03-25"),
        ("The dentist is on the 20th.", "2026-03-20"),
    ],
    unpack=True,
)
def test_a_plan_that_was_moved_is_for_its_new_day(text: str, day: str) -> None:
    at_ms = calendar_math.day_number(2026, 3, 9) * calendar_math.DAY_MS
    [note] = split.split(SplitRequest(Summary(""), (Turn(1, Role.USER, "Ann", text, at_ms),)))[:1]
    assert calendar_math.civil(note.at_ms // calendar_math.DAY_MS) == tuple(map(int, day.split("-")))


@every_row(
    [
        ("Do I need a hat or will the funeral one do?", "The funeral one with a cheerful ribbon."),
        ("我穿葬礼那套行吗？", "葬礼那套配条亮一点的围巾。"),
    ],
    unpack=True,
)
def test_what_a_companion_takes_up_of_a_question_is_rated_as_a_remark(asked: str, answered: str) -> None:
    talk = (Turn(1, Role.USER, "Ann", asked, AT), Turn(2, Role.ASSISTANT, "Wren", answered, AT + 20_000))
    made = split.split(SplitRequest(Summary(""), talk))
    assert all((note.importance or 0.0) < VITAL_FROM for note in made)
    assert any(answered[:6] in note.text for note in made)
