"""The answers benchmark's own judgement: words, dates and "nothing is known" are read right in both languages.

Every expectation here is worked out by hand. What the benchmark measures of a mind stands in its table, not here.
"""

from __future__ import annotations

import pytest

from benchmarks.answers.answer_scores import bleu1, dates, f1, f1_of, has_dates, says_unknown
from benchmarks.answers.answers import report
from benchmarks.answers.cases import Case, sampled
from benchmarks.answers.reading import answer_prompt, is_right, verdict_prompt
from every_row import every_row


@every_row(
    [
        ("Mount Talkeetna", "Mount Talkeetna", 1.0),
        ("the dogs", "A dog", 1.0),
        ("a red kite", "blue kite", 0.5),
        ("rain", "sun", 0.0),
        ("", "sun", 0.0),
        ("苏州", "苏州", 1.0),
        ("在苏州", "苏州人", 2 / 3),
    ],
    unpack=True,
)
def test_f1_counts_stemmed_words_without_articles(answer, right, expected) -> None:
    assert f1(answer, right) == pytest.approx(expected)


def test_of_an_answer_with_several_parts_each_is_looked_for() -> None:
    assert f1_of("swimming, pottery", "pottery, camping, swimming", "1") == pytest.approx(2 / 3)
    assert f1_of("游泳、陶艺", "陶艺，游泳", "1") == pytest.approx(1.0)


def test_of_an_open_answer_the_reasons_do_not_count() -> None:
    assert f1_of("likely no", "Likely no; she hates crowds", "3") == pytest.approx(1.0)


def test_what_was_never_said_is_answered_by_saying_so() -> None:
    assert f1_of("Not mentioned.", "", "5") == 1.0
    assert f1_of("A brown dog", "", "5") == 0.0


def test_a_short_answer_has_less_of_bleu_and_an_unlike_one_almost_nothing() -> None:
    assert bleu1("red kite", "red kite") == 1.0
    assert bleu1("kite", "red kite") == pytest.approx(2.718281828**-1)
    assert bleu1("rain", "kite") == pytest.approx(0.1)
    assert bleu1("", "kite") == 0.0


@every_row(["Not mentioned", "No information available.", "I do not know", "没有提到", "不知道", "上下文没有相关信息"])
def test_saying_that_nothing_is_known_is_understood(text) -> None:
    assert says_unknown(text)


@every_row(["Two notes", "Nothing could stop her", "知道的，是周三", "有提到过"])
def test_other_answers_are_not_taken_for_it(text) -> None:
    assert not says_unknown(text)


@every_row(
    [
        ("7 May 2023", {(2023, 5, 7)}),
        ("May 7, 2023", {(2023, 5, 7)}),
        ("2023-05-07", {(2023, 5, 7)}),
        ("2023年5月7日", {(2023, 5, 7)}),
        ("the week before 9 June 2023", {(2023, 6, 9)}),
        ("June 2023", {(2023, 6, None)}),
        ("in 2022", {(2022, None, None)}),
        ("5月3号和6月", {(None, 5, 3), (None, 6, None)}),
        ("they may leave", set()),
        ("room 12", set()),
    ],
    unpack=True,
)
def test_dates_are_read(text, expected) -> None:
    assert dates(text) == expected


@every_row(
    [
        ("on 7 May 2023", "7 May 2023", True),
        ("7 May 2023", "May 2023", True),
        ("May 2023", "7 May 2023", False),
        ("8 May 2023", "7 May 2023", False),
        ("2023年5月7日", "5月7日", True),
        ("a kite", "a red kite", None),
    ],
    unpack=True,
)
def test_an_answer_names_the_right_date_as_closely(answer, right, expected) -> None:
    assert has_dates(answer, right) is expected


@every_row(
    [
        ("CORRECT", True),
        ("correct.", True),
        ("WRONG", False),
        ("INCORRECT", False),
        ("", False),
        ("It is wrong, not correct", False),
    ],
    unpack=True,
)
def test_a_verdict_is_its_first_word_for_it(said, expected) -> None:
    assert is_right(said) is expected


def test_prompts_are_in_the_language_of_the_question() -> None:
    assert "没有提到" in answer_prompt("她住在苏州", "她住哪儿？", "zh")
    assert "Not mentioned" in answer_prompt("She lives in Leeds", "Where?", "en")
    assert "正确答案: 苏州" in verdict_prompt("她住哪儿？", "苏州", "杭州", "zh")


def test_a_sample_has_every_category_and_is_the_same_each_time() -> None:
    questions = [{"id": str(n), "category": n % 3 + 1, "answer": "x" if n % 7 else ""} for n in range(60)]
    chosen = sampled(questions, 9, "talk")

    assert [row["id"] for row in chosen] == [row["id"] for row in sampled(questions, 9, "talk")]
    assert sorted(row["category"] for row in chosen) == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert all(row["answer"] for row in chosen)
    assert len(sampled(questions, None, "talk")) == sum(bool(row["answer"]) for row in questions)


def test_both_sides_are_scored_apart_and_what_nobody_judged_has_no_share() -> None:
    found = [
        Case(f"t:q{number}:{side}", side, "4", "en", "Where?", "Leeds", "…", 10, 1.5 if side == "soulmem" else None)
        for number in range(2)
        for side in ("soulmem", "turns")
    ]
    said = {"t:q0:soulmem": "Leeds", "t:q1:soulmem": "York", "t:q0:turns": "York"}

    sides = report(found, said, {"t:q0:soulmem": "CORRECT", "t:q1:soulmem": "WRONG"})

    assert (sides["soulmem"]["questions"], sides["soulmem"]["f1"], sides["soulmem"]["right"]) == (2, 0.5, 0.5)
    assert (sides["turns"]["questions"], sides["turns"]["f1"], sides["turns"]["right"]) == (1, 0.0, None)
