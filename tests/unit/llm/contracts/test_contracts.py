"""Contracts as a whole: fields read leniently, and any junk answered with a result or a refusal, never with a crash."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from every_row import every_row
from goldens.answers_given import answer as good
from goldens.requests_sent import AT, DAY, request
from soulmem.core.calendar.iso8601 import parse_iso
from soulmem.core.details.drift import limit_of
from soulmem.core.schema.engine_tasks import Depth, QueryAnalysis, Task
from soulmem.core.schema.note_requests import Anchor, NoteDraft, Summary
from soulmem.core.text.tokens import estimate_tokens
from soulmem.llm.contracts import TABLE
from soulmem.llm.contracts.parts.answer_fields import flag_of, labels_of, number_of, parse_importance, text_of, texts_of
from soulmem.llm.contracts.parts.answer_times import happened_at, read_time
from soulmem.llm.contracts.parts.contract_base import RejectedAnswerError
from soulmem.llm.contracts.parts.short_labels import Shown

TORTURE = bool(os.environ.get("SOULMEM_TORTURE"))
EXAMPLES = 3_000 if TORTURE else 8
LANGUAGES = ("en", "zh")


def read(task: Task, answer: Any, asked: Any) -> Any:
    contract = TABLE[task]
    return contract.read(contract.answer.model_validate(answer), asked)


@every_row([
        ("8/10", 8), ("Rating: 10", 10), ("7.5", 7), ("", 4), ("between 3 and 5", 4), ("3-5", 4), ("１０／１０", 10),
        ("重要性8分", 8), ("3到5之间", 4), ("On a scale of 1 to 10, I say 9.", 9), ("1-10: 6", 6), ("/10: 6", 6),
        ("110", 4), ("0", 4), ("0.8", 4), ("N7 is a 2", 2), ("eight", 4), ("8 out of 10", 8), ("-3", 4),
    ], unpack=True)  # fmt: skip
def test_a_rating_is_read_out_of_its_wrapping(text: str, rating: int) -> None:
    assert parse_importance(text) == rating


@every_row([
        (0.5, 0.5), ("0.7", 0.7), ("80%", 0.8), ("about -1", -1.0), ("high", None), (True, None), (None, None),
        (float("nan"), None), (float("inf"), None), (10**400, None), ([1], None), ("-", None),
    ], unpack=True)  # fmt: skip
def test_a_number_is_finite_or_none(value: object, number: float | None) -> None:
    assert number_of(value) == number


def test_texts_labels_and_flags_are_read_as_they_are_meant() -> None:
    assert text_of("a\x00b\ud800c\n") == "abc\n"
    assert (text_of(3), text_of(True), text_of({}), text_of(10**400)) == ("3", None, None, None)
    assert texts_of("one\ntwo\n") == ["one", "two"]
    assert texts_of(["a", None, 3, {}, " "]) == ["a", "3"]
    assert labels_of("P1, T3；P2") == ["P1", "T3", "P2"]
    assert (labels_of(None), labels_of(3), labels_of({})) == ([], ["3"], [])
    assert [flag_of(v) for v in (True, "yes", "是。", 1, "no", "否", 0, "maybe", None, [], 10**5000)] == [
        True, True, True, True, False, False, False, None, None, None, None,
    ]  # fmt: skip


def test_a_label_is_meant_only_if_it_is_plain_which() -> None:
    shown = Shown(("N1", "N2", "H1", "K12"))
    assert [shown.meant(said) for said in ("N1", "[N1]", "n2", "note N2: tea", "**H1**", "12", "2")] == [
        "N1", "N1", "N2", "N2", "H1", "K12", "N2",
    ]  # fmt: skip
    assert [shown.meant(said) for said in ("1", "N9", "", "N", "x", "N10", "🙂")] == [None] * 7
    assert shown.all_meant(["H1", "N1", "H1", "Q5"]) == ("H1", "N1")
    assert Shown(("1", "2")).meant("2.") == "2"


def test_times_are_spans_of_what_they_name() -> None:
    def span(text: str) -> tuple[str, str] | None:
        found = read_time(text, AT)
        return None if found is None else (found[0], found[1] - found[0])  # type: ignore[return-value]

    assert span("2026-05-08") == (parse_iso("2026-05-08"), DAY)
    assert span("2026年5月8日") == (parse_iso("2026-05-08"), DAY)
    assert span("2026-05-08T14:00") == (parse_iso("2026-05-08T14:00:00Z"), 60_000)
    assert span("2026-05-08T14:00:00+08:00") == (parse_iso("2026-05-08T06:00:00Z"), 60_000)
    assert span("2026-02") == (parse_iso("2026-02-01"), 28 * DAY)
    assert span("2024") == (parse_iso("2024-01-01"), 366 * DAY)
    assert span("yesterday") == (parse_iso("2026-05-08"), DAY)
    assert span("昨天") == (parse_iso("2026-05-08"), DAY)
    for none in ("", "null", "2026-02-30", "2026-13-01", "2026-05-08T25:00", "0000", "soon", "x" * 100):
        assert read_time(none, AT) is None, none


def test_something_that_happened_on_the_day_it_was_told_happened_when_it_was_told() -> None:
    assert happened_at("2026-05-09", AT) == happened_at(None, AT) == happened_at("2026", AT) == AT
    assert happened_at("2026-05-08", AT) == parse_iso("2026-05-08")


INNER = """
    from quote text label importance sources turn type elements gist level occurrence anchor specific semantic start src
    dst kind verb new event known evidence note segment impatience op notes
    """.split()
WORDS = """
    T2 T4 P1 N1 N2 H1 F2 K1 S1 D1 L1 [T2] N99 8/10 2026-05-08 榛子过敏 specific semantic deep none same good update
    abstract_of trigger true 小安搬家了。 {{x}}
    """.split()
names = sorted({*INNER, *(name for contract in TABLE.values() for name in contract.answer.model_fields)})
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from([*WORDS, "allergic to hazelnuts", "Ann moved.", "insight [S1, S9]", "\ud800"]),
)
junk = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(names), inner, max_size=7),
    max_leaves=24,
)


@pytest.mark.parametrize("task", list(Task), ids=str)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lang=st.sampled_from(LANGUAGES), data=st.data())
def test_any_junk_gives_a_valid_result_or_a_refusal(task: Task, lang: str, data: st.DataObject) -> None:
    field = next(iter(TABLE[task].answer.model_fields))
    answer = data.draw(junk | st.fixed_dictionaries({field: junk}) | st.fixed_dictionaries({field: st.lists(junk)}))
    held_up(task, answer, request(task, lang))


@pytest.mark.parametrize("task", list(Task), ids=str)
@settings(max_examples=2 * EXAMPLES if TORTURE else EXAMPLES, deadline=None)
@given(lang=st.sampled_from(LANGUAGES), data=st.data())
def test_a_good_answer_spoilt_in_places_gives_a_valid_result_or_a_refusal(
    task: Task, lang: str, data: st.DataObject
) -> None:
    held_up(task, spoilt(good(task, lang), data), request(task, lang))


def spoilt(value: Any, data: st.DataObject) -> Any:
    """The same value, here and there left out, exchanged or said twice."""
    match data.draw(st.integers(0, 9)):
        case 0:
            return data.draw(junk)
        case 1:
            return [value, value]
    if isinstance(value, dict):
        return {name: spoilt(part, data) for name, part in value.items() if data.draw(st.integers(0, 9)) > 0}
    return [spoilt(part, data) for part in value] if isinstance(value, list) else value


def held_up(task: Task, answer: Any, asked: Any) -> None:
    try:
        result = read(task, answer, asked)
    except (ValidationError, RejectedAnswerError) as refused:
        result = getattr(refused, "rest", None)
        if result is None:
            return
    valid(task, result, asked)


def valid(task: Task, result: Any, asked: Any) -> None:
    """What holds of every result, whatever the answer was."""
    match task:
        case Task.SUMMARISE:
            assert isinstance(result, Summary)
            assert result.points or not result.text, "an answer may drop all there was"
            assert estimate_tokens(result.text) <= asked.max_tokens
            said = {turn.seq: turn.text for turn in asked.turns} | {1: asked.previous.points[0].sources[0].quote}
            assert all(s.quote in said[s.seq] for point in result.points for s in point.sources)
        case Task.SPLIT:
            for note in result:
                valid_note(note, {turn.seq: turn.text for turn in asked.turns})
            assert [note.label for note in result] == [f"N{i}" for i in range(1, len(result) + 1)]
        case Task.LINK:
            labels = {node.label for node in (*asked.new, *asked.hot)}
            assert all({link.src, link.dst} <= labels and link.src != link.dst for link in result)
            assert all(0 <= link.intensity <= 1 and 0 <= link.confidence <= 1 for link in result)
        case Task.JUDGE:
            assert set(result.useful_nodes) <= {note.label for note in asked.notes}
            assert set(result.useful_links) <= {"L1"}
            assert set(result.useful_dummies) <= {"D1"}
            assert 0 <= result.confidence <= 1
        case Task.RATE_IMPORTANCE:
            assert len(result) == len(asked.items)
            assert all(1 <= rating <= 10 for rating in result)
        case Task.ANALYSE_QUERY:
            assert isinstance(result, QueryAnalysis)
            assert len(result.subquestions) <= 3
            assert result.subquestions or result.depth is Depth.NONE
            leaning = result.leaning
            total = leaning.specific + leaning.abstract + leaning.semantic + leaning.procedural
            assert total == pytest.approx(1)
        case Task.RECONCILE:
            assert list(dict.fromkeys(each.new for each in result)) == [fact.label for fact in asked.new]
            assert all((each.known is None) == (each.event == "add") for each in result)
        case Task.INSIGHTS:
            assert all(insight.evidence and set(insight.evidence) <= {"S1", "S2", "S3"} for insight in result)
        case Task.RECONSTRUCT:
            assert {fill.segment for fill in result} <= {2, 4}
        case Task.MERGE:
            assert bool(result.text) is (result.verdict != "different")
        case Task.FEEDBACK:
            assert 0 <= result.strength <= 1
        case Task.MISREMEMBER:
            shown = {detail.label: detail for detail in asked.details}
            assert len({each.label for each in result}) == len(result)
            for each in result:
                original = shown[each.label].text
                assert 0 < len(each.wordings) <= asked.count
                assert all(0 < len(w) <= limit_of(original) and "\n" not in w for w in each.wordings)
                assert original not in each.wordings
        case Task.IDENTIFY:
            assert [each.pair for each in result] == [pair.label for pair in asked.pairs]
            for each, pair in zip(result, asked.pairs, strict=True):
                one, other = ({line.label for line in told} for told in (pair.of_one, pair.of_other))
                assert set(each.evidence) <= one | other
                assert bool(each.evidence) is (each.verdict == "same")
                assert each.verdict != "same" or (one & set(each.evidence) and other & set(each.evidence))
        case Task.REPLAY:
            labels = {note.label for note in asked.notes}
            assert len(result) <= 10
            for each in result:
                assert set(each.notes) <= labels
                least = 1 if each.kind in ("rephrase", "retag") else 2
                assert len(set(each.notes)) == len(each.notes) >= least
                assert each.kind == "abstract" or len(each.notes) == least
                assert bool(each.text) is (each.kind in ("abstract", "rephrase"))
                assert (0 < len(each.topics) <= 3) is (each.kind == "retag")
                assert 0 <= each.strength <= 1
                assert "\n" not in each.text


def valid_note(note: NoteDraft, said: dict[int, str]) -> None:
    assert note.sources
    assert all(source.quote in said.get(source.seq, source.quote) for source in note.sources)
    assert note.importance is None or 0 < note.importance <= 1
    assert -1 <= note.valence <= 1
    assert len(note.gist) < 60
    spans = [(element.start, element.end) for element in note.elements]
    assert len(set(spans)) == len(spans) <= 12
    for element in note.elements:
        assert 0 <= element.start < element.end <= len(note.text)
        assert element.gist
        assert element.level in {1, 2}
    anchors = [element.anchor for element in note.elements]
    assert anchors.count(Anchor.SPONTANEOUS) <= 2
    assert anchors.count(Anchor.FORCED) <= 3
