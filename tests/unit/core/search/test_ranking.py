"""Reading questions and fusing evidence: names, times, scales, and the baseline."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.recall.rank_fusion import reciprocal_ranks
from every_row import every_row
from soulmem.core.search import relevance_scoring
from soulmem.core.search.cosine_calibration import Scale
from soulmem.core.search.relevance_scoring import (
    Evidence,
    fuse,
    read_question,
)
from soulmem.core.text.tokens import term_hashes

DAY_MS = 86_400_000


def ms(year: int, month: int, day: int) -> int:
    return int(datetime(year, month, day, tzinfo=UTC).timestamp() * 1000)


def speakers_named(text: str, speakers: list[str], *, asker: str | None = None) -> frozenset[str]:
    return read_question(text, speakers, asker=asker).named


def periods_named(text: str, at_ms: int) -> tuple[tuple[int, int], ...]:
    return read_question(text, at_ms=at_ms).periods


def floats(*values: float) -> relevance_scoring.Floats:
    return np.array(values, dtype=np.float32)


# -- names ------------------------------------------------------------------------------------------------


@every_row(
    [
        ("What did Caroline research?", {"caroline"}),
        ("Melanie's and CAROLINE’s plans", {"caroline", "melanie"}),
        ("What does Mary Ann like?", {"mary ann"}),
        ("What does Mary like?", set()),
        ("小明喜欢什么？", {"小明"}),
        ("Where is the carol sung?", set()),
        ("", set()),
    ],
    unpack=True,
)
def test_speakers_named(text: str, named: set[str]) -> None:
    assert speakers_named(text, ["Caroline", "Melanie", "Mary Ann", "小明"]) == named


def test_a_name_that_is_also_grammar_needs_its_capital() -> None:
    assert speakers_named("What did Will eat?", ["will"]) == {"will"}
    assert speakers_named("Will it rain?", ["will"]) == frozenset()
    assert speakers_named("what will happen", ["will"]) == frozenset()


@pytest.mark.parametrize("text", ["Where did I park?", "what's my name", "我喜欢什么？", "I'm tired"])
def test_first_person_names_the_asker(text: str) -> None:
    assert speakers_named(text, ["Bo"], asker="Ann") == {"ann"}
    assert speakers_named(text, ["Bo"]) == frozenset()


@pytest.mark.parametrize("text", ["Is it in time?", "我们去了哪里？", "Myanmar"])
def test_other_words_do_not_name_the_asker(text: str) -> None:
    assert speakers_named(text, ["Bo"], asker="Ann") == frozenset()


def test_names_are_neither_searched_nor_embedded() -> None:
    question = read_question("When did Caroline's sister visit Melanie?", ["caroline", "melanie"])
    assert question.embed_text == "When did sister visit ?"
    assert question.terms.tolist() == term_hashes(["sister", "visit"]).tolist()
    assert set(question.name_terms.tolist()) == set(term_hashes(["carolin", "melani"]).tolist())
    assert question.weights.tolist() == [1, 1]


@every_row(
    [
        ("小明喜欢什么？", "喜欢什么？"),
        ("我和小明去了哪里", "我和 去了哪里"),
        ("Does Ann like Annika’s cat?", "Does like Annika’s cat?"),
        ("ANN’s cat", "cat"),
        ("what did b+c say (d)", "what did say (d)"),
    ],
    unpack=True,
)
def test_names_are_taken_out_whole(text: str, embedded: str) -> None:
    assert read_question(text, ["小明", "Ann", "b+c"]).embed_text == embedded


def test_a_question_of_names_alone_searches_for_them() -> None:
    question = read_question("Caroline?", ["Caroline"])
    assert question.terms.tolist() == term_hashes(["carolin"]).tolist()
    assert question.embed_text == "Caroline?"
    assert read_question("", ["Caroline"]).terms.shape == (0,)


def test_a_pair_of_characters_weighs_half() -> None:
    question = read_question("艺术 go")
    assert dict(zip(question.terms.tolist(), question.weights.tolist(), strict=True)) == dict(
        zip(term_hashes(["艺", "术", "艺术", "go"]).tolist(), [1, 1, 0.5, 1], strict=True)
    )


# -- times ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["What happened in May 2023?", "2023年5月发生了什么？"])
def test_a_named_month_reaches_a_little_past_its_end(text: str) -> None:
    assert periods_named(text, ms(2024, 1, 10)) == ((ms(2023, 5, 1), ms(2023, 6, 1) + 3 * DAY_MS),)


@pytest.mark.parametrize("text", ["1月中旬我见了谁？", "3月15日我做了什么", "What did I do in March?", "昨天呢"])
def test_a_time_without_a_year_lies_behind(text: str) -> None:
    present = ms(2025, 12, 31)
    for from_ms, to_ms in periods_named(text, present):
        assert from_ms <= present
        assert present - to_ms < 366 * DAY_MS
    assert periods_named(text, present)


def test_what_may_be_either_of_two_days_on_one_side_names_both() -> None:
    """Said on a Wednesday: both lie ahead or both behind; of two Januaries one is meant."""
    present = ms(2026, 5, 13)
    ahead = periods_named("what are we doing next Saturday?", present)
    assert [from_ms for from_ms, _ in ahead] == [ms(2026, 5, 16), ms(2026, 5, 23)]
    behind = periods_named("what did I do last Tuesday?", present)
    assert [from_ms for from_ms, _ in behind] == [ms(2026, 5, 5), ms(2026, 5, 12)]
    assert [from_ms for from_ms, _ in periods_named("who came in January?", present)] == [ms(2026, 1, 1)]
    assert [from_ms for from_ms, _ in periods_named("周五发生了什么", present)] == [ms(2026, 5, 8)]


def test_no_present_no_period() -> None:
    assert read_question("in May 2023").periods == ()
    assert read_question("in May 2023", at_ms=ms(2024, 1, 1)).periods


def test_without_a_date_there_is_no_period() -> None:
    assert periods_named("What does Ann like?", ms(2024, 1, 1)) == ()


# -- scales -----------------------------------------------------------------------------------------------


def test_bm25_terms_saturate_and_rare_ones_weigh_more() -> None:
    norm = relevance_scoring.length_norm(floats(10, 10), floats(10, 10))
    assert norm.tolist() == pytest.approx([1.2, 1.2])
    one, many = relevance_scoring.saturated(floats(1, 1000), norm)
    assert one == pytest.approx(1.0)
    assert one < many < relevance_scoring.BM25_K1 + 1
    assert relevance_scoring.idf(1000, 1) > relevance_scoring.idf(1000, 10) > relevance_scoring.idf(1000, 900) > 0


def test_common_terms_are_left_out_of_a_large_index_only() -> None:
    found = [0, 50, 9_000, 100, 8_000, 7_000]
    assert relevance_scoring.telling(found, 10_000) == [1, 3, 5]
    assert relevance_scoring.telling([9_000, 9_500, 9_900, 9_950], 10_000) == [0, 1, 2]
    assert sorted(relevance_scoring.telling([100, 90, 99, 98, 97], 100)) == [0, 1, 2, 3, 4]


def test_a_lone_candidate_keeps_its_own_cosine() -> None:
    assert Scale.of(floats(0.37)).scaled(floats(0.37)).tolist() == pytest.approx([0.37])
    assert Scale.of(floats(0.4, 0.4)).scaled(floats(0.4, 0.4)).tolist() == pytest.approx([0.4, 0.4])


@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=30))
def test_scales_stay_within_bounds_and_keep_the_order(values: list[float]) -> None:
    cosines = np.array(values, dtype=np.float32)
    scaled = Scale.of(cosines).scaled(cosines)
    assert scaled.min() >= 0
    assert scaled.max() <= 1
    order = np.argsort(cosines, kind="stable")
    assert np.all(np.diff(scaled[order]) >= 0)


def evidence(**changes: object) -> Evidence:
    base: dict[str, object] = {
        "lexical": floats(1, 0.5, 0),
        "dense": floats(0, 1, 1),
        "seen": np.array([True, True, True]),
        "named": None,
        "timely": None,
        "asks": np.array([False, False, False]),
    }
    return Evidence(**(base | changes))  # type: ignore[arg-type]  # arrays by name, mixed on purpose


def test_fusion_is_a_weighted_share_of_what_was_asked_for() -> None:
    most = 1 + relevance_scoring.DENSE_WEIGHT
    assert fuse(evidence()).tolist() == pytest.approx([1 / most, 1.25 / most, 0.75 / most])
    assert fuse(evidence(dense=None)).tolist() == pytest.approx([1, 0.5, 0])


def test_speaker_period_and_question_move_the_score_the_right_way() -> None:
    plain = fuse(evidence(lexical=floats(0.5, 0.5, 0.5), dense=None))
    named = fuse(evidence(lexical=floats(0.5, 0.5, 0.5), dense=None, named=floats(1, 0, 0)))
    timely = fuse(evidence(lexical=floats(0.5, 0.5, 0.5), dense=None, timely=floats(0, 1, 0)))
    asking = fuse(evidence(lexical=floats(0.5, 0.5, 0.5), dense=None, asks=np.array([False, False, True])))
    assert named[0] > named[1] == named[2]
    assert timely[1] > timely[0] == timely[2]
    assert asking[2] < asking[0] == plain[0]


def test_what_has_no_vector_is_judged_by_its_words() -> None:
    blind = fuse(evidence(seen=np.array([False, True, True])))
    assert blind[0] == pytest.approx(
        (1 + relevance_scoring.DENSE_WEIGHT * relevance_scoring.BLIND_SHARE) / (1 + relevance_scoring.DENSE_WEIGHT)
    )
    assert blind[0] > blind[1]


# -- baseline ---------------------------------------------------------------------------------------------


def test_reciprocal_ranks() -> None:
    # ranks (1, 3) against (2, 2): 1/61 + 1/63 = .03227 > 2/62 = .03226
    assert reciprocal_ranks([[7, 9, 8], [5, 9, 7]])[:2] == [7, 9]
    assert 1 / 61 + 1 / 63 > 2 / 62
    assert reciprocal_ranks([[1, 2], [2, 1]]) == [1, 2]
    assert reciprocal_ranks([[3], []]) == [3]
    assert reciprocal_ranks([]) == []
