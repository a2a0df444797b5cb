"""Every sentence of a talk is told by a note or left out with a reason: no cap, no silent loss, the same each time."""

# What is said stands on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar import calendar_math
from soulmem.core.grounding import grounding_gate
from soulmem.core.grounding.evidence import Ground, Grounds
from soulmem.core.schema.note_requests import NoteDraft, Role, SourceQuote, SplitRequest, Summary, Turn
from soulmem.core.schema.sentence_accounting import Account, AccountRequest, Untold
from soulmem.llm.extractive.language.sentence_splitter import sentences_of
from soulmem.llm.extractive.reading.statements import MOST_TOLD
from soulmem.llm.extractive.tasks import account as account_task
from soulmem.llm.extractive.tasks import split

AT = calendar_math.day_number(2026, 5, 13) * calendar_math.DAY_MS + 19 * calendar_math.HOUR_MS
IN_FULL = "SOULMEM_TORTURE" in os.environ
EXAMPLES = 1000 if IN_FULL else 12
MOST = MOST_TOLD if IN_FULL else MOST_TOLD // 4  # sentences of a message that are told; walls are as much shorter

TOLD = [
    "I moved to Porto last week.", "My brother Ivo is a baker.", "allergic to shellfish btw", "Dad had a stroke in March.",
    "we broke up", "I can't sleep since the accident.", "he died", "The rent went up to 900.", "wow my cat had kittens",
    "ok so I quit my job at the bank", "hey mom is in hospital again", "Tess and I are having twins!!",
    "gym at 6 every morning", "I don't drink anymore.", "If I had a garden I would keep bees.", "my boss is called Wendt",
    "I wish I had a sister", "Nadia told me \"I never loved him\".", "Did I tell you I got the part?",
    "I live in Ghent, remember?", "So my aunt sold the farm, can you believe it?", "I love you", "broke my wrist lol",
    "it's my birthday on the 9th of June", "Passed my driving test today 🎉", "Luca's got a fever",
    "搬到苏州了", "我对虾过敏。", "昨天我爸住院了", "早上我去了趟银行", "好的我下周去体检", "我妹妹怀孕啦！", "我们分手了",
    "我跟你说过我养了只鹦鹉吗？", "我住在宁波，你忘了吗？", "失业了，心情很差", "他走了", "要是我有条狗就好了",
    "我在等面试结果呢。", "老板姓顾", "每周四晚上练瑜伽", "我想你了", "我妈说“别告诉你爸”。", "房租涨到三千五了",
    "你猜怎么着，我姐把工牌一交，盘了个小店卖花", "您猜怎么着，他辞职了", "老公说月底跟几个同学去水库住两宿",
    "我买了几本二手书带回家", "国庆后我把头发染粉了，我妈视频里尖叫",
    "I 刚 finish 了 my thesis", "下个月去 Osaka 出差",
]  # fmt: skip
LEFT_OUT = [
    "Hi!", "good morning :)", "How are you?", "thanks so much!", "lol", "Sounds good.", "What should I cook tonight?",
    "You're the best!", "so cute!", "ok", "see you tomorrow", "where are you", "Write me a haiku about rain.", "!!!",
    "https://example.org/a?b=c", "你好呀", "谢谢你！", "哈哈哈", "你在干嘛？", "晚安，好梦", "真的吗", "加油！", "嗯嗯", "太好了！",
    "养了一只叫", "她有条狗叫", "你有几个孩子", "现在几点了", "my sister is called", "今天吃什么呢？", "帮我写一首关于秋天的诗",
]  # fmt: skip


def turns_of(lines: Sequence[tuple[str, str]]) -> tuple[Turn, ...]:
    return tuple(
        Turn(seq, Role.ASSISTANT if speaker == "Mira" else Role.USER, speaker, text, AT + seq * 30_000)
        for seq, (speaker, text) in enumerate(lines, 1)
    )


def told_by(turns: Sequence[Turn]) -> tuple[tuple[NoteDraft, ...], Account]:
    """What the splitting step makes of turns: the notes that the gate admits, and the account of the rest."""
    made = split.split(SplitRequest(Summary(""), tuple(turns)))
    grounds = Grounds(tuple(Ground(turn) for turn in turns))
    admitted = tuple(verdict.draft for verdict in grounding_gate.judge(made, grounds) if verdict.admitted)
    account = Account()
    for literal in (False, True):
        account = account_task.account(AccountRequest(tuple(turns), admitted, literal=literal))
        admitted += tuple(v.draft for v in grounding_gate.judge(account.missing, grounds) if v.admitted)
        if not account.missing:
            break
    return admitted, account


def quoted(seq: int, text: str, made: Sequence[NoteDraft]) -> bool:
    return any(s.seq == seq and (text in s.quote or s.quote in text) for note in made for s in note.sources)


def left_out(seq: int, text: str, account: Account) -> bool:
    return any(row.seq == seq and text[:40] in row.text for row in account.left_out)


@every_row(TOLD)
def test_what_tells_of_a_life_becomes_a_note(text: str) -> None:
    made, account = told_by(turns_of([("Tess", "Hello!"), ("Mira", "Hello."), ("Tess", text)]))
    assert quoted(3, text, made), account
    assert not [row for row in account.left_out if row.seq == 3]


def test_a_word_too_short_to_quote_takes_nothing_along() -> None:
    made, account = told_by(turns_of([("Mira", "你冷不冷？"), ("Tess", "穿！我妈给我买了件枣红的毛衣")]))
    assert quoted(2, "我妈给我买了件枣红的毛衣", made)
    assert [row.text for row in account.left_out if row.seq == 2] == ["穿！"]


@every_row(LEFT_OUT)
def test_what_tells_nothing_stands_in_the_audit(text: str) -> None:
    made, account = told_by(turns_of([("Tess", text)]))
    assert not made
    if any(map(str.isalnum, text)):
        assert [row.reason for row in account.left_out] in (
            [Untold.SMALL_TALK], [Untold.QUESTION], [Untold.NO_STATEMENT],
        )  # fmt: skip


MESSAGES = st.lists(st.sampled_from(TOLD + LEFT_OUT), min_size=1, max_size=4)
TALKS = st.lists(st.tuples(st.sampled_from(["Tess", "Mira", "陈默", "user", "self", ""]), MESSAGES), max_size=20)


@settings(max_examples=EXAMPLES, deadline=None)
@example(said=[("user", ["I live in Ghent, remember?", "下个月去 Osaka 出差"])])  # 用户 is nobody's name
@given(said=TALKS)
def test_every_sentence_is_accounted_for(said: list[tuple[str, list[str]]]) -> None:
    turns = turns_of([(speaker, "\n".join(texts)) for speaker, texts in said])
    made, account = told_by(turns)
    assert (made, account) == told_by(turns)
    texts = {turn.seq: turn.text for turn in turns}
    assert all(source.quote and source.quote in texts[source.seq] for note in made for source in note.sources)
    for turn in turns:
        for sentence in sentences_of(turn.seq, turn.text):
            assert quoted(turn.seq, sentence.text, made) or left_out(turn.seq, sentence.text, account), sentence
    assert len({(row.seq, row.reason) for row in account.left_out}) == len(account.left_out)


@pytest.mark.thorough
@settings(max_examples=EXAMPLES, deadline=None)
@given(said=TALKS, data=st.data())
def test_what_an_engine_forgot_is_told_after_all(said: list[tuple[str, list[str]]], data: st.DataObject) -> None:
    """Whatever part of the notes is missing, the account makes up for it, and once it did nothing is missing."""
    turns = turns_of([(speaker, " \n".join(texts)) for speaker, texts in said])
    made = split.split(SplitRequest(Summary(""), turns))
    kept = tuple(note for note in made if data.draw(st.booleans()))
    account = account_task.account(AccountRequest(turns, kept))
    for turn in turns:
        for sentence in sentences_of(turn.seq, turn.text):
            assert quoted(turn.seq, sentence.text, (*kept, *account.missing)) or left_out(
                turn.seq, sentence.text, account
            ), sentence
    again = account_task.account(AccountRequest(turns, (*kept, *account.missing)))
    assert again.missing == ()
    assert again.left_out == account.left_out


def test_a_model_that_tells_it_in_its_own_words_is_believed() -> None:
    turns = turns_of([("Tess", "I moved to Porto last week and I work at a bakery now. My cat Plum hates it.")])
    mine = NoteDraft(
        "N1", split.NoteKind.EPISODIC, "Tess moved to Porto and works at a bakery.",
        (SourceQuote(1, "I moved to Porto last week"),), AT,
    )  # fmt: skip
    account = account_task.account(AccountRequest(turns, (mine,)))
    assert [source.quote for note in account.missing for source in note.sources] == ["My cat Plum hates it."]


def test_what_was_refused_for_good_is_not_told_again() -> None:
    turns = turns_of([("Tess", "I keep bees on the roof. My aunt Ilse paints boats.")])
    refused = (SourceQuote(1, "I keep bees on the roof."),)
    account = account_task.account(AccountRequest(turns, (), settled=refused))
    assert [source.quote for note in account.missing for source in note.sources] == ["My aunt Ilse paints boats."]


def test_a_hundred_statements_are_a_hundred_notes() -> None:
    script = [
        ("Tess", f"I painted the {n}th boat for {name} in {1900 + n}.") for n in range(50) for name in ("Bo", "Al")
    ]
    made, _ = told_by(turns_of(script))
    assert len(made) == 100


@pytest.fixture
def most(monkeypatch: pytest.MonkeyPatch) -> int:
    """How many sentences of a message are told, here."""
    for step in (split, account_task):
        assert step.MOST_TOLD == MOST_TOLD
        monkeypatch.setattr(step, "MOST_TOLD", MOST)
    return MOST


@pytest.mark.thorough
def test_a_wall_of_text_is_a_few_rows(most: int) -> None:
    lines = most * 9 // 4
    wall = "\n".join(f"Ship {number} left the harbour with {number * 3} crates." for number in range(lines))
    made, account = told_by(turns_of([("Tess", wall), ("Tess", "lol\n" * lines)]))
    assert 0 < len(made) <= most
    assert len(account.left_out) <= 4
    middle = next(row for row in account.left_out if row.reason is Untold.TOO_LONG)
    assert middle.seq == 1
    assert middle.count >= lines - most
    assert sum(row.count for row in account.left_out if row.seq == 2) >= lines - 1
    assert all(len(row.text) <= 500 for row in account.left_out)


@pytest.mark.thorough
def test_of_a_wall_of_long_sentences_fewer_are_read_and_the_rest_is_told(most: int) -> None:
    rigged = " and then ".join(f"we rigged mast {number}" for number in range(10))
    wall = " ".join(f"Ship {number} left the harbour, {rigged}." for number in range(most))
    made, account = told_by(turns_of([("Tess", wall)]))
    texts = " ".join(note.text for note in made)
    read = sum(f"Ship {number} " in texts for number in range(most))
    middle = next(row for row in account.left_out if row.reason is Untold.TOO_LONG)
    assert most // 4 < read < most * 3 // 4
    assert read + middle.count >= most * 3 // 4


def test_a_word_in_a_desert_of_blanks_is_told() -> None:
    _, account = told_by(turns_of([("Tess", " " * 200_000 + "I moved to Oslo."), ("Tess", " " * 50_000 + "lol")]))
    assert all(row.reason is not Untold.TOO_LONG for row in account.left_out)
