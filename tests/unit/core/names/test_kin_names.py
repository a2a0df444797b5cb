"""Whose name somebody tells in passing is found in both languages; nobody else's kin is taken for his own."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.names.kin_names import asked_kin, named_kin, names_of_kin, words_for
from soulmem.core.schema.note_requests import NoteDraft, NoteKind, Role, SourceQuote, Turn
from soulmem.idle.steps.kin_facts import kin_facts

NAMED = [
    ("took our grandson Anselm to the aquarium", "grandson", ("Anselm",)),
    ("Mila, my granddaughter, drew me a heron", "granddaughter", ("Mila",)),
    ("the kids, Ada and Ben, are at their gran's", "kids", ("Ada", "Ben")),
    ("had tea with my sister Ingrid", "sister", ("Ingrid",)),
    ("our dog Biscuit ate a sock", "dog", ("Biscuit",)),
    ("带我孙子豆豆去公园玩了", "孙子", ("豆豆",)),
    ("接外孙乐乐放学，路上堵车", "外孙", ("乐乐",)),
    ("我家老大子轩今天考试", "老大", ("子轩",)),
    ("跟我妹妹雨桐喝了杯咖啡", "妹妹", ("雨桐",)),
    ("our lad Aled is off to sea", "lad", ("Aled",)),
    ("老伴儿叫孙德全，就爱养鸟", "老伴儿", ("孙德全",)),
    ("我弟大鸣 他今年考研", "弟", ("大鸣",)),
    ("我哥大伟，在工地上", "哥", ("大伟",)),
    ("我弟知远今年高考，压力巨大", "弟", ("知远",)),
    ("我妹小雨考上了", "妹", ("小雨",)),
    ("我哥建国退休了", "哥", ("建国",)),
    ("我老公志强加班", "老公", ("志强",)),
]
NOT_OWN = [
    "Callum says they're calling the girls Isla and Wren",
    "her son Otto plays drums", "Tom's wife Greta called", "my neighbour's daughter Lily sang",
    "my boss Helen was late", "my sister in Leeds rang", "my son and Ben went fishing",
    "她女儿糖糖发烧了", "他家闺女安安很乖", "我同事小韩迟到了", "老王的儿子小军考上大学了", "我女儿喜欢画画",
    "我弟今年高考", "我弟学小号，吹得邻居投诉", "我儿子真行", "我女儿小学毕业了", "我妹小气得很", "我弟明早来",
    "我孙子今天不肯睡觉", "我哥大学，在外地上", "我姐老是，这样", "my sister and him and me",
]  # fmt: skip


@every_row(NAMED, unpack=True)
def test_a_relative_named_in_passing_is_found(text: str, kin: str, names: tuple[str, ...]) -> None:
    [found] = named_kin(text)
    assert (found.kin, found.names) == (kin, names)
    assert all(name in text[found.start : found.end] for name in names)


@every_row(NOT_OWN)
def test_nobody_elses_kin_is_taken_for_ones_own(text: str) -> None:
    assert named_kin(text) == ()


def turn(text: str, role: Role = Role.USER) -> Turn:
    return Turn(1, role, "Robin", text, 0)


@every_row(NAMED, unpack=True)
def test_it_becomes_a_fact_of_the_one_who_told_it(text: str, kin: str, names: tuple[str, ...]) -> None:
    [draft] = kin_facts([turn(text)], [])
    assert draft.kind is NoteKind.SEMANTIC
    assert draft.text.startswith("Robin")
    assert all(word in draft.text for word in (kin, *names))
    assert draft.sources[0].quote in text
    assert kin_facts([turn(text, Role.ASSISTANT)], []) == [], "the companion has no family of its own here"
    known = NoteDraft("", NoteKind.SEMANTIC, f"the {kin} of Robin: {' '.join(names)}", (SourceQuote(1, text),), 0)
    assert kin_facts([turn(text)], [known]) == [], "an engine has drafted it"
    assert len(kin_facts([turn(text), turn(text)], [])) == 1


@settings(deadline=None, max_examples=80)
@given(st.text(alphabet="my our son Otto and, 我的家孙子豆和、AZ'’", max_size=120))
def test_whatever_is_said_spans_lie_within_it(text: str) -> None:
    for found in named_kin(text):
        assert 0 <= found.start < found.end <= len(text)
        assert found.names
        assert all(found.names)


@pytest.mark.parametrize("unit", ["my son ", "我孙子", "my son Otto and ", "我家老大子轩和"])
def test_a_wall_of_text_takes_no_time(unit: str) -> None:
    began = time.process_time()
    named_kin(unit * 2_000)
    assert time.process_time() - began < 2


@every_row(
    [
        ("What does my husband do?", "husband"),
        ("How old is our younger daughter?", "daughter"),
        ("What is my husband's mother called?", ""),
        ("What does Callum do?", ""),
        ("我老公做什么工作？", "老公"),
        ("我家孩子几岁了", "孩子"),
        ("我老公的妈妈叫什么", ""),
        ("周航的妈妈叫什么", ""),
    ],
    unpack=True,
)
def test_a_question_speaks_of_ones_own_kin(question: str, kin: str) -> None:
    assert asked_kin(question) == kin


@every_row(
    [
        ("I moved to Leeds with my husband Callum and our kids, Asha and Rory.", "husband", "Priya", ("Callum",)),
        ("I moved to Leeds with my husband Callum and our kids, Asha and Rory.", "daughter", "Priya", ("Asha", "Rory")),
        ("Priya's husband is called Callum", "partner", "Priya", ("Callum",)),
        ("Ann's husband is called Tom", "husband", "Priya", ()),
        ("我跟老公周航搬到了苏州", "丈夫", "沈岚", ("周航",)),
        ("沈岚的老公叫周航", "老公", "沈岚", ("周航",)),
        ("他老公周航也来了", "老公", "沈岚", ()),
    ],
    unpack=True,
)
def test_kin_have_names(text: str, kin: str, asker: str, names: tuple[str, ...]) -> None:
    assert names_of_kin(text, kin, asker) == names


@pytest.mark.parametrize(
    ("question", "kin"),
    [
        ("Where does my boy work?", "boy"), ("what does our lad do?", "lad"), ("老伴儿现在养什么？", "老伴儿"),
        ("外孙为什么住院？", "外孙"), ("我外孙几岁？", "外孙"), ("昨天外孙怎么了？", ""), ("他外孙几岁？", ""),
    ],
)  # fmt: skip
def test_a_question_speaks_of_the_askers_kin_without_saying_whose(question: str, kin: str) -> None:
    assert asked_kin(question) == kin


def test_one_word_for_a_husband_or_a_son_stands_for_another() -> None:
    assert names_of_kin("老伴儿叫孙德全", "老公") == ("孙德全",)
    assert names_of_kin("my son Aled rang", "boy") == ("Aled",)
    assert names_of_kin("my son Aled rang", "lass") == ()


def test_others_may_say_it_in_another_word() -> None:
    assert words_for("missus")[0] == "missus"
    assert {"wife", "老婆", "老伴"} <= set(words_for("missus"))
    assert "husband" not in words_for("missus")
    assert words_for("goat") == ("goat",)


@pytest.mark.parametrize("question", ["我姐夫是做什么的？", "我妹夫在哪儿？", "我弟媳叫什么？", "我女婿呢？"])
def test_whom_a_relative_married_is_not_the_relative(question: str) -> None:
    assert asked_kin(question) == ""
