"""Of whom a clause tells, and whether that is whom a question asks about: English and Chinese."""

from __future__ import annotations

import time

from every_row import every_row
from soulmem.core.questions.asked.asked_subject import Teller, clauses_told, tells_of, tells_of_asker
from soulmem.core.search.answer_kind import things_of
from soulmem.core.search.answer_type import meets, read_calls


@every_row(
    [
        ("I play the cello", ["self"]),
        ("Rolf's my neighbour, drives a van and plays the fiddle", ["other", "other", "other"]),
        ("my aunt Vera teaches maths, she lives in Ghent", ["other", "other"]),
        ("mum and I go every year", ["other", "self"]),
        ("works nights at the mill", ["implied"]),
        ("Rolf came by. Was great fun", ["other", "open"]),
        ("Arjun is the youngest. Three years old, in charge", ["other", "other", "other"]),
        ("Arjun came by. Three pints later", ["other", "open"]),
        ("小军是老小。三岁了", ["other", "other"]),
        ("grandad's old Fiat, smells of tobacco", ["open", "open"]),
        ("grandad's got the flu", ["other"]),
        ("我会拉二胡", ["self"]),
        ("我姑妈在银行上班，快退休了", ["other", "other"]),
        ("我们班主任住六楼", ["self"]),
        ("他在学开车", ["other"]),
        ("昨天去爬山了", ["implied"]),
        ("今天邻居送了一筐桃", ["other"]),
    ],
    unpack=True,
)
def test_of_whom_each_clause_tells(text: str, tellers: list[str]) -> None:
    assert [each.of.value for each in clauses_told(text)] == tellers


@every_row(
    [
        ("what instrument do I play?", "Rolf's my neighbour, drives a van and plays the fiddle", -1),
        ("what instrument do I play?", "my aunt is loud, and I play the cello", 1),
        ("what instrument do I play?", "started the cello at nine", 0),
        ("what medicine do I take?", "mum's been poorly, she's on statins", -1),
        ("我会什么乐器", "我表妹会拉二胡", -1),
        ("我会什么乐器", "表妹跳舞，我拉二胡", 1),
        ("我开什么车", "爷爷的老桑塔纳，一股烟味", 0),
    ],
    unpack=True,
)
def test_whether_a_clause_of_the_kind_is_told_of_the_asker(question: str, text: str, expected: int) -> None:
    assert tells_of_asker(text, things_of(question)) == expected


@every_row(
    [
        ("vera", "I turn sixty in May", -1),
        ("vera", "Rolf turns sixty in May", -1),
        ("vera", "she turns sixty in May", 0),
        ("vera", "my aunt turns sixty in May", 0),
        ("vera", "Vera came, I turn sixty in May", 0),
        ("vera", "My granddaughter Cara's eleven and plays the fiddle", -1),
        ("vera", "my brother Hamish turns sixty in May", -1),
        ("vera", "my sister Ines works in Leith", -1),
        ("vera", "my brother works in Leith", 0),
        ("vera", "Her brother's eight and would eat you out of house and home", 0),
        ("邵婷", "我家住四楼", -1),
        ("邵婷", "她家住四楼", 0),
        ("邵婷", "住四楼", 0),
    ],
    unpack=True,
)
def test_whether_a_text_tells_of_another_than_whom_a_question_names(name: str, text: str, expected: int) -> None:
    assert tells_of(text, [name], ()) == expected


def test_what_another_plays_drives_or_takes_is_no_answer_of_ones_own() -> None:
    for question, others, own in (
        ("what instrument do I play?", "Rolf's my neighbour and plays the fiddle", "I play the fiddle"),
        ("what medicine do I take?", "mum's poorly, she's on statins", "I'm on statins"),
        ("when is Vera's birthday?", "I turn sixty on 3 May", "Vera turns sixty on 3 May"),
        ("邵婷住几楼？", "我家住四楼", "邵婷家住四楼"),
    ):
        calls = read_calls(question, "Ida")
        assert meets(calls, others, "Ida", "user").other_kind, question
        assert meets(calls, own, "Ida", "user").of_kind, question


def test_mums_birthday_is_not_the_askers() -> None:
    calls = read_calls("where did we go for mum's birthday?", "Ida")
    assert not meets(calls, "Mum turned 61, we took her to the harbour", "Ida", "user").other_kind


@every_row(["my mum's ", "and but so ", "我妈的", "Rolf and ", "i think ", "，他"])
def test_the_work_stays_small(piece: str) -> None:
    began = time.perf_counter()
    assert all(each.of in Teller for each in clauses_told(piece * 4_000))
    assert time.perf_counter() - began < 2
