"""The recogniser of names: people in both languages, in marked sentences and in awkward ones."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from names_measure import lots_of_names, marked, measured
from soulmem.core.grounding.evidence import Ground, Grounds
from soulmem.core.grounding.grounding_gate import judge
from soulmem.core.names.name_recogniser import NameKind, find_names, people_in
from soulmem.core.names.self_introductions import introduced
from soulmem.core.schema.note_requests import NoteDraft, NoteKind, Role, SourceQuote, Turn
from soulmem.core.text.chinese_segmenter import word_spans

LOTS = lots_of_names()
CHINESE = (*LOTS["first_zh"], *LOTS["second_zh"], *LOTS["third_zh"], *LOTS["fourth_zh"], *LOTS["fifth_zh"])
ENGLISH = (*LOTS["first_en"], *LOTS["second_en"], *LOTS["third_en"], *LOTS["fourth_en"])
ALL = (*CHINESE, *ENGLISH)
PLAIN = (
    *LOTS["plain_zh"],
    *LOTS["second_plain_zh"],
    *LOTS["third_plain_zh"],
    *LOTS["fourth_plain_zh"],
    *LOTS["plain_en"],
    *LOTS["second_plain_en"],
    *LOTS["third_plain_en"],
    *LOTS["fourth_plain_en"],
)


def breaks_word(text: str, start: int, end: int) -> bool:
    """Whether a span begins or ends within a Chinese word."""
    return any(s < start < e or s < end < e for s, e in word_spans(text))


def people(text: str) -> list[tuple[int, int]]:
    return [(each.start, each.end) for each in find_names(text) if each.kind is NameKind.PERSON]


def test_the_corpus_is_large_enough_and_has_no_sentence_twice() -> None:
    chinese = [each for each in CHINESE if word_spans(marked(each)[0])]
    assert len(ALL) >= 250
    assert len(chinese) >= 120
    assert len(PLAIN) >= 80
    assert len({*ALL, *PLAIN}) == len(ALL) + len(PLAIN)


@every_row(
    [
        (LOTS["first_zh"], 0.98, 0.97),
        (LOTS["second_zh"], 0.98, 0.94),
        (LOTS["third_zh"], 0.98, 0.95),
        (LOTS["fourth_zh"], 0.95, 0.87),  # names that are words, most of them
        (LOTS["fifth_zh"], 0.98, 0.95),
        (LOTS["first_en"], 0.98, 0.97),
        (LOTS["second_en"], 0.98, 0.97),
        (LOTS["third_en"], 0.95, 0.95),
        (LOTS["fourth_en"], 0.97, 0.95),
    ],
    unpack=True,
)
def test_people_are_found(sentences: list[str], precision: float, recall: float) -> None:
    result = measured(sentences, people)
    assert result.precision >= precision, result
    assert result.recall >= recall, result


def test_nobody_is_found_where_nobody_is_named() -> None:
    result = measured(PLAIN, people)
    assert result.invented <= len(PLAIN) // 100, result


@every_row(
    [
        ("陈默住在杭州", ["陈默"], ["陈默"]),
        ("花生过敏的是他", ["花"], []),
        ("林深说下次再来", ["林深"], ["林深"]),
        ("pell and maureen talked", ["Pell", "Maureen"], ["pell", "maureen"]),
        ("我和佩尔聊了很久", ["佩尔"], ["佩尔"]),
        ("今天好高兴", ["高兴"], []),
        ("高兴也爱喝茶", ["高兴"], ["高兴"]),
        ("小石头硌脚", ["小石"], []),
        ("你不要同汪振生搞混，汪振生三点水，如今在邵伯湖边上养蜂，年年送我两瓶蜜", [], ["汪振生"]),
        ("她在南京编童书，小美生了个女儿", [], ["小美"]),
        ("I gave mark a mark", ["Mark"], []),
        ("the assistant said so", ["assistant"], []),
    ],
    unpack=True,
)
def test_known_names_are_names_wherever_they_stand_as_words_of_their_own(
    text: str, known: list[str], expected: list[str]
) -> None:
    assert list(people_in(text, known)) == expected


@every_row(
    [
        ("I moved to Utrecht", NameKind.PLACE),
        ("She works at Siemens", NameKind.ORGANISATION),
        ("watched Severance all night", NameKind.THING),
        ("I carry an EpiPen", NameKind.THING),
        ("she speaks Finnish", NameKind.THING),
        ("我搬到昆明了", NameKind.PLACE),
        ("她在腾讯上班", NameKind.ORGANISATION),
    ],
    unpack=True,
)
def test_places_and_things_are_no_people(text: str, kind: NameKind) -> None:
    kinds = [each.kind for each in find_names(text)]
    assert kinds == [kind]


@given(st.text(max_size=300), st.lists(st.text(max_size=6), max_size=4))
def test_spans_lie_in_the_text_in_order_and_apart(text: str, known: list[str]) -> None:
    spans = find_names(text, known)
    assert all(text[each.start : each.end] == each.name and each.name for each in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))


@pytest.mark.parametrize("text", ["陈默住在杭州说他", "Van der Berg de la Cruz and Will, May ", "·约翰·", "a.B ", "乐"])
def test_a_wall_of_text_is_read_in_linear_time(text: str) -> None:
    def seconds(times: int) -> float:
        began = time.thread_time()
        find_names(text * times)
        return time.thread_time() - began

    short, long = 9.0, 9.0
    for _ in range(3):  # a collection of garbage falls anywhere
        short, long = min(short, seconds(500)), min(long, seconds(2_000))
        if long < 12 * short + 0.2:
            break
    assert long < 12 * short + 0.2


# -- introductions --------------------------------------------------------------------------------------------


@every_row(
    [
        ("Hi Pell, I am Tom", "Tom"),
        ("i'm tom btw", "tom"),
        ("my name is Siobhan O'Brien.", "Siobhan O'Brien"),
        ("call me jo", "jo"),
        ("I'm Anneke van der Berg and I work at ASML", "Anneke van der Berg"),
        ("It's Beth from work", "Beth"),
        ("I'm Rose, nice to meet you", "Rose"),
        ("我叫陈默", "陈默"),
        ("我是李雷，今年二十八", "李雷"),
        ("叫我小陈就行", "小陈"),
        ("你好，我是玛丽亚·加西亚", "玛丽亚·加西亚"),
        ("我叫高兴，就是高兴的高兴", "高兴"),
        ("我叫Kevin，在上海读书", "Kevin"),
        ("I'm Tom's sister", None),
        ("I am not Tom", None),
        ("I'm Irish", None),
        ("I'm happy today", None),
        ("call me later", None),
        ("this is Tom, my brother", None),
        ("我是李雷的妈妈", None),
        ("我叫王芳来接我", None),
        ("我叫了外卖", None),
        ("我是安徽人", None),
        ("我是单身狗", None),
        ("我不是李雷", None),
        ("我以为我是王菲", None),
    ],
    unpack=True,
)
def test_who_introduces_himself(text: str, name: str | None) -> None:
    found = introduced(text)
    assert (found.name if found else None) == name


# -- the gate -------------------------------------------------------------------------------------------------


@every_row(
    [
        ("陈默", "我住在杭州", "陈默住在杭州"),
        ("李雷", "我家在城东", "李雷家在城东"),
        ("欧阳修远", "我喝不了酒", "欧阳修远喝不了酒"),
        ("小苇", "我想学大提琴", "小苇想学大提琴"),
        ("高兴", "我说过我怕狗", "高兴说过自己怕狗"),
        ("汪沅", "我对芒果过敏", "汪沅对芒果过敏"),
        ("Will", "I live in Cork", "Will lives in Cork"),
        ("siobhan o'brien", "I keep bees", "Siobhan O'Brien keeps bees"),
    ],
    unpack=True,
)
def test_the_name_of_a_speaker_is_known_whatever_follows_it(speaker: str, text: str, note: str) -> None:
    turn = Turn(1, Role.USER, speaker, text, 1_790_000_000_000)
    draft = NoteDraft(label="N1", kind=NoteKind.SEMANTIC, text=note, sources=(SourceQuote(1, text),), at_ms=turn.at_ms)
    (verdict,) = judge([draft], Grounds((Ground(turn),)))
    assert verdict.admitted, verdict.refusal


def test_who_one_is_is_no_small_talk() -> None:
    turn = Turn(1, Role.USER, "Tom", "Hi Pell, I am Tom", 1_790_000_000_000)
    draft = NoteDraft(
        label="N1",
        kind=NoteKind.SEMANTIC,
        text="Tom's name is Tom",
        sources=(SourceQuote(1, "I am Tom"),),
        at_ms=turn.at_ms,
    )
    (verdict,) = judge([draft], Grounds((Ground(turn),), names=("Pell",)))
    assert verdict.admitted, verdict.refusal


@pytest.mark.parametrize("text", ["我对花生过敏", "小石头硌脚", "我高中休过学", "他们家花生米卖得好"])
def test_words_are_known_as_wholes(text: str) -> None:
    whole = {"花生", "小石头", "高中", "花生米"}
    words = [text[start:end] for start, end in word_spans(text)]
    assert "".join(words) == text
    assert any(word in whole for word in words)
    at = next(text.index(word) for word in words if word in whole)
    assert breaks_word(text, at, at + 1)
    assert not breaks_word(text, 0, len(text))


@every_row(["a", "May", "ma", "五月", "周启明", "今天"])
def test_a_name_that_is_part_of_a_date_hides_none(name: str) -> None:
    """The day of telling stands in many notes: whoever is called so makes it no invention."""
    said = "Ines told me a story at the harbour"
    turn = Turn(1, Role.USER, name, said, 1_780_000_000_000)
    text = f"{name} (28 May 2026): {said}"
    draft = NoteDraft(label="N1", kind=NoteKind.EPISODIC, text=text, sources=(SourceQuote(1, said),), at_ms=turn.at_ms)
    (verdict,) = judge([draft], Grounds((Ground(turn),), names=(name, "Mira")))
    assert verdict.admitted, verdict.refusal
