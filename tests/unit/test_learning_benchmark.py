"""The tables of the learning benchmark ask the same of both languages, and what they claim to hide is hidden."""

from __future__ import annotations

import pytest

from benchmarks.learning.measured_daemon import figure, scenes
from soulmem.core.text.tokens import query_terms

TABLES = ("guided.tsv", "lessons.tsv", "relearning.tsv", "faded.tsv", "gaps.tsv", "deep_questions.tsv")
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh"])


@pytest.mark.parametrize("name", TABLES)
def test_both_languages_are_asked_as_much(name: str) -> None:
    english, chinese = scenes(name, "en"), scenes(name, "zh")
    assert len(english) == len(chinese) >= 4
    assert {len(row) for row in (*english, *chinese)} == {len(english[0])}
    assert all(cell.strip() == cell and cell for row in (*english, *chinese) for cell in row)


@LANGUAGES
def test_what_fades_stands_in_what_is_told(language: str) -> None:
    for text, detail, gist, question, filled, reply, supposed in scenes("gaps.tsv", language):
        assert detail in text
        assert gist not in text
        assert detail not in question + reply + supposed
        assert filled in reply
        assert filled in supposed
    for _, text, says, detail, noted, other, word in scenes("relearning.tsv", language):
        assert says in text
        assert detail in text
        assert detail in noted
        assert word in other
        assert detail not in other
    for told, _, question, word in scenes("faded.tsv", language):
        assert word in told
        assert word not in question


@LANGUAGES
def test_no_word_of_a_question_leads_to_its_answer(language: str) -> None:
    for question, *_, answer, missing, never in scenes("deep_questions.tsv", language):
        asked = set(query_terms(question)) | set(query_terms(never))
        assert not asked & set(query_terms(answer)), (question, answer)
        assert set(query_terms(missing)) & set(query_terms(answer)), "what is missing leads to it"
    for door, right, wrong, question, hard, uses_right, uses_wrong in scenes("lessons.tsv", language):
        assert set(query_terms(question)) & set(query_terms(door))
        for asked in (question, hard):
            assert not set(query_terms(asked)) & set(query_terms(right) + query_terms(wrong)), (asked, right, wrong)
        assert len(set(query_terms(uses_right)) & set(query_terms(right))) >= 2
        assert len(set(query_terms(uses_wrong)) & set(query_terms(wrong))) >= 2


def test_a_figure_is_the_mean_of_its_askings() -> None:
    told = figure("x", [0.0, 1.0], [1.0, 1.0], "share")
    assert (told.before, told.after, told.of, told.unit) == (0.5, 1.0, 2, "share")
    assert figure("x", [], []).of == 0
