"""The content benchmark's own judgement: its lives are long enough, its dates, marks and bytes are read right.

Every expectation here is worked out by hand. What the benchmark measures of a mind stands in its table, not here.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from benchmarks.content.content_data import HALVES, LANGUAGES, Change, Deletion, Edit, Line, Question, When, keys, lives
from benchmarks.content.content_dates import dates_in, judge, span
from benchmarks.content.content_gone import check_secrets, files_with
from benchmarks.content.content_keys import holds, is_marked, wilson
from benchmarks.content.content_measures import _is_doubted
from benchmarks.content.content_voice import note_of
from every_row import every_row

TOLD = dt.date(2026, 3, 4)


def _judged(when: str, note: str, *, vague: bool = False, said: str = "") -> str:
    return judge(When(tuple(when.split()), vague), dates_in(note), told=TOLD, said=dates_in(said), others=[])


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_as_many_things_to_count_as_the_benchmark_promises(language: str) -> None:
    told = lives((language,), HALVES)
    statements = [each for life in told for each in life.statements.values()]
    questions = [step for life in told for step in life.steps(Question) if isinstance(step, Question)]
    kinds = [each.kind for each in questions]

    assert len(statements) >= 150
    assert sum(each.when is not None for each in statements) >= 40
    assert sum(len(life.steps(Change)) for life in told) >= 20
    assert sum(len(life.steps(Edit)) for life in told) >= 10
    assert sum(len(life.steps(Deletion)) for life in told) >= 10
    assert kinds.count("answer") >= 60
    assert kinds.count("none") + kinds.count("near") >= 30
    assert kinds.count("time") >= 20
    assert {life.half for life in told} == set(HALVES)


@every_row(lives(LANGUAGES, HALVES))
def test_a_statement_stands_in_its_message_and_in_the_scripted_note(life) -> None:
    for statement in life.statements.values():
        assert holds(statement.must, note_of(life, statement, life.texts[statement.message])), statement.name


@every_row(lives(LANGUAGES, HALVES))
def test_what_is_to_be_deleted_is_said_in_one_message_alone(life) -> None:
    lines = [step for step in life.steps(Line) if isinstance(step, Line)]
    deletions = [step for step in life.steps(Deletion) if isinstance(step, Deletion)]
    messages = {name: statement.message for name, statement in life.statements.items()}

    assert check_secrets(lines, deletions, messages) == []
    for deletion in deletions:
        said = life.texts[messages[deletion.of]].lower()
        assert any(secret.lower() in said for secret in deletion.secrets), deletion.of


@every_row(
    [
        ("2026-03-06", "The exam is on Friday (6 March 2026).", "right"),
        ("2026-03-06", "考试在周五（2026年3月6日）。", "right"),
        ("2026-03-06", "The exam is on Friday (27 February 2026).", "wrong"),
        ("2026-03-06", "The exam is on Friday.", "words"),
        ("2026-03-06", "4 March 2026: the exam is on Friday.", "words"),
        ("2026-11-02", "He starts on the second of November.", "right"),
        ("2027-05-15", "做到五月十五号。", "right"),
        ("--05-09", "The birthday is on 9 May 2026.", "right"),
        ("2026-02-16..2026-02-22", "It was last week (20 February 2026).", "right"),
        ("2026-02-16..2026-02-22", "It was last week (5 February 2026).", "wrong"),
        ("2026-09", "The course begins in September 2026.", "right"),
        ("2026-09", "The course begins in September 2025.", "wrong"),
        ("2026-09-08", "It is in 2026.", "words"),
    ],
    unpack=True,
)
def test_a_date_is_right_wrong_or_left_in_words(when: str, note: str, verdict: str) -> None:
    assert _judged(when, note) == verdict


def test_a_date_that_may_be_either_is_right_in_words_and_wrong_elsewhere() -> None:
    both = "2026-03-07 2026-03-14"
    assert _judged(both, "She comes next Saturday.", vague=True) == "right"
    assert _judged(both, "She comes next Saturday (14 March 2026).", vague=True) == "right"
    assert _judged(both, "She comes next Saturday (21 March 2026).", vague=True) == "wrong"


def test_a_date_that_the_message_names_itself_is_not_wrong() -> None:
    assert _judged("2026-03-06", "Moved from 9 April 2026 to Friday.", said="not on 9 April 2026 but Friday") == "words"


def test_a_key_begins_at_a_word_and_a_number_ends_where_it_ends() -> None:
    assert holds(keys("art"), "She likes art.")
    assert not holds(keys("art"), "She likes the party.")
    assert not holds(keys("16"), "It is on the 161st day.")
    assert holds(keys("cat/dog + Noodle"), "NOODLE is a dog")
    assert not holds(keys("cat/dog + Noodle"), "Noodle sleeps")


@every_row(
    [
        ({"text": "Ann lives in Berlin"}, False),
        ({"text": "Ann lived in Berlin until March 2026"}, True),
        ({"text": "安安以前住在柏林"}, True),
        ({"text": "月底之前要搬走"}, False),
        ({"text": "Ann lives in Berlin", "validity": {"from": "2024-01-01", "to": None}}, False),
        ({"text": "Ann lives in Berlin", "validity": {"from": "2024-01-01", "to": "2026-03-01"}}, True),
        ({"text": "Ann lives in Berlin", "valid_to": "2026-03-01"}, True),
        ({"text": "Ann lives in Berlin", "valid_to": None}, False),
        ({"text": "Ann lives in Berlin", "validity": "outdated"}, True),
        ({"text": "Ann lives in Berlin", "validity": "current"}, False),
    ],
    unpack=True,
)
def test_what_counts_as_marked(item: dict[str, object], marked: bool) -> None:
    assert is_marked(item) is marked


def test_what_ends_later_still_holds() -> None:
    item = {"text": "Ann lives in Berlin", "valid_to": "2026-03-01T00:00:00Z"}
    assert is_marked(item, "2026-03-02T10:00:00")
    assert not is_marked(item, "2026-02-27T10:00:00")


def test_bytes_of_a_secret_are_found_in_every_spelling_and_not_in_backups(tmp_path: Path) -> None:
    spellings = {
        "plain": "槐安里".encode(),
        "wide": "槐安里".encode("utf-16-le"),
        "escaped": b'"\\u69d0\\u5b89\\u91cc"',
        "none": b"x",
    }
    for name, content in spellings.items():
        (tmp_path / name).write_bytes(b"\0\1" + content + b"\2")
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "old").write_bytes("槐安里".encode())

    assert files_with(tmp_path, "槐安里") == ["escaped", "plain", "wide"]


def test_figures_within_a_longer_number_are_no_secret(tmp_path: Path) -> None:
    (tmp_path / "strengths").write_bytes(b"[0.8881447199413908,7254471014]")
    (tmp_path / "told").write_bytes(b"the code is 4471, keep it")

    assert files_with(tmp_path, "4471") == ["told"]


def test_a_time_is_a_day_a_month_a_year_or_a_range() -> None:
    assert (span("2026-02").first, span("2026-02").last) == (dt.date(2026, 2, 1), dt.date(2026, 2, 28))
    assert (span("2026").first, span("2026").last) == (dt.date(2026, 1, 1), dt.date(2026, 12, 31))
    assert span("2026-02-03..2026-02-05").last == dt.date(2026, 2, 5)


def test_the_interval_of_a_share() -> None:
    low, high = wilson(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.49, 0.943)


@pytest.mark.parametrize(
    ("item", "doubted"),
    [
        ({"text": "Ann: I used to teach music."}, False),
        ({"text": "周：老伴以前是音乐老师"}, False),
        ({"text": "晓棠在北京当律师，三十六了还没对象（“三十六了还没对象”到2027年2月为止）"}, False),
        ({"text": "晓棠在北京当律师（“在北京当律师”到2027年2月为止）"}, True),
        ({"text": "I sing alto (in part until October 2026)"}, True),
        ({"text": "豆沙怕打雷（早先说的，可能已过时）"}, True),
        ({"text": "Ann lives in Rome", "superseded_by": "n9"}, True),
    ],
)
def test_what_answers_is_doubted_by_a_mark_alone(item: dict[str, str], doubted: bool) -> None:
    assert _is_doubted(item, [keys("music/音乐/律师/alto/打雷/rome")]) is doubted
