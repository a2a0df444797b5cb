"""What a question covers, and what short words behind a statement tell, in both languages."""

from __future__ import annotations

import pytest

from every_row import every_row
from soulmem.core.schema.note_requests import Role, Turn
from soulmem.llm.extractive.reading.statements import statements_of
from soulmem.llm.extractive.tasks.split import drafts_of, speakers_of

AT = 1_775_070_000_000


def _notes(*turns: str, speaker: str = "Mia") -> list[str]:
    """The notes of a talk in turns, of which every second one is the companion's."""
    said = [
        Turn(n, Role.ASSISTANT, "Otis", text[1:], AT + n * 60_000)
        if text.startswith(">")
        else Turn(n, Role.USER, speaker, text, AT + n * 60_000)
        for n, text in enumerate(turns, 1)
    ]
    return [draft.text for draft in drafts_of(statements_of(said), speakers_of(said))]


@pytest.mark.parametrize(
    ("asked", "told", "else_"),
    [
        ("Which aisle?", "The baking one. Bruno sprained a paw. He rests for a week.", "sprained"),
        ("Which tooth?", "Upper left. Marta sold the allotment on Monday.", "allotment"),
        ("哪一节？", "第三节。瑶瑶把脚崴了，要休息一周。", "崴"),
    ],
)
def test_a_question_covers_only_what_answers_it(asked: str, told: str, else_: str) -> None:
    notes = _notes("The parents spoke of it.", f">{asked}", told)
    told_else = [note for note in notes if else_ in note]
    assert told_else
    assert all(asked not in note for note in told_else)


@pytest.mark.parametrize(
    ("asked", "told"),
    [("Has the cat come round?", "The tiles arrive a week late."), ("猫缓过来了吗？", "交房推迟两周，30号。")],
)
def test_other_news_is_no_answer_to_yes_or_no(asked: str, told: str) -> None:
    notes = _notes("The cat swallowed a button.", f">{asked}", told)
    assert all(asked not in note for note in notes)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Is the flat warm?", "Not really, no."),
        ("猫缓过来了吗？", "好多了，能吃了。"),
        ("Who is coming?", "The Nowaks and their two girls."),
    ],
)
def test_what_answers_keeps_its_question(asked: str, told: str) -> None:
    assert any(asked in note for note in _notes("We talked of it.", f">{asked}", told))


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("Ruben wants to sign the lease. I don't.", "I don't"),
        ("My sister is for moving to Porto. We are not.", "We are not"),
        ("老公想把店盘下来。我不想。", "我不想"),
        ("妈妈同意他俩结婚。但我不同意。", "我不同意"),
    ],
)
def test_that_it_is_otherwise_with_oneself_is_told(told: str, kept: str) -> None:
    assert any(kept in note for note in _notes(told))


def test_a_full_name_alone_is_told() -> None:
    assert any("Ada Lindqvist" in note for note in _notes("Ada Lindqvist. Forty-one. Bookbinder.", speaker="Ada"))
    assert any("顾小满" in note for note in _notes("顾小满。四十一岁，做装订的。", speaker="小满"))


@pytest.mark.parametrize(
    "told", ["so marek kissed me behind the gym and i kissed him back???", "他居然在操场上跟我表白了？？"]
)
def test_news_that_cannot_be_believed_is_told(told: str) -> None:
    assert _notes(told)


@every_row(("我妹苏晴，在前台上班，吃货一个", "我哥大刘，跑长途的，光棍一条"))
def test_a_noun_with_its_number_behind_ends_a_sentence(told: str) -> None:
    assert _notes(told)


@pytest.mark.parametrize("told", ["阿宁说周末不来，我没跟他提退租的事。", "小赵想去国外读书，我劝他再等等。"])
def test_he_is_whom_the_sentence_begins_with(told: str) -> None:
    assert all("（Mia" not in note for note in _notes("我爸这周要出差。", told))


@pytest.mark.parametrize(
    ("said", "together"),
    [
        ("Also latex. Hives up to the elbow.", ("latex", "Hives")),
        ("还有乳胶。一碰手肿到胳膊肘。", ("乳胶", "手肿")),
        ("I have a bad knee. The left one. They want to replace it in December.", ("bad knee", "replace it")),
        ("我右膝盖不好。右边那个。医生想给它换掉。", ("右膝盖", "换掉")),
    ],
)
def test_what_is_named_alone_stays_with_what_is_told_of_it(said: str, together: tuple[str, str]) -> None:
    notes = _notes(said)
    assert any(all(part in note for part in together) for note in notes), notes
