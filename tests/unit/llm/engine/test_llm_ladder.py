"""What an answer is worth to a task, and what is remembered of an endpoint's abilities."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from every_row import every_row
from soulmem.core.schema.engine_tasks import Task
from soulmem.llm.contracts import TABLE
from soulmem.llm.endpoint.capabilities import Capabilities, Capability, Rung, holds, probe, response_format
from soulmem.llm.endpoint.endpoint_failures import Feature
from soulmem.llm.endpoint.openai_request import Reply
from soulmem.llm.engine.sample_requests import sample
from soulmem.llm.engine.structured_output_ladder import Question, judged, reread
from soulmem.llm.prompts import Prompts
from soulmem.ports import CallOutcome

INSIGHTS = {"insights": [{"text": "Ann is careful with food.", "evidence": ["N2"]}]}
RATINGS = {"ratings": [{"label": f"N{place}", "importance": 5} for place in (1, 2, 3)]}


def question(task: Task, language: str = "en") -> Question[Any, Any]:
    request, contract = sample(task, language), TABLE[task]
    return Question(contract, request, Prompts().render(task, language, contract.describe(request)), language)


def said(value: Any) -> Reply:
    return Reply(value if isinstance(value, str) else json.dumps(value))


def test_a_good_answer_passes_and_can_be_read_again() -> None:
    asked = question(Task.INSIGHTS)
    verdict = judged(asked, said(INSIGHTS), last=False)
    assert (verdict.outcome, verdict.in_shape, verdict.error) == (CallOutcome.OK, True, "")
    assert verdict.value is not None
    assert verdict.value[0].evidence == ("N2",)
    assert verdict.answer is not None
    assert reread(asked, verdict.answer).value == verdict.value


def test_a_mended_answer_is_counted_as_such() -> None:
    verdict = judged(question(Task.INSIGHTS), said(f"```json\n{json.dumps(INSIGHTS)}\n```"), last=False)
    assert (verdict.outcome, verdict.valid, verdict.in_shape) == (CallOutcome.REPAIRED, True, False)


@every_row(
    [
        (said(""), "empty"),
        (said("I do not know"), "no JSON object"),
        (said({"insights": [{"text": "x", "evidence": ["Z99"]}]}), "N1"),
        (said({}), "insights"),
        (said({"properties": {"insights": {"type": "array"}}, "type": "object"}), "repeats the schema"),
        (Reply("", cut=True), "cut off"),
        (Reply(json.dumps(INSIGHTS), declined=True), "declined"),
    ],
    unpack=True,
)
def test_a_bad_answer_says_what_is_wrong_with_it(reply: Reply, told: str) -> None:
    verdict = judged(question(Task.INSIGHTS), reply, last=True)
    assert (verdict.outcome, verdict.value, verdict.answer) == (CallOutcome.INVALID, None, None)
    assert told in verdict.error


def test_an_answer_that_broke_off_passes_only_if_there_will_be_no_other() -> None:
    cut = Reply(json.dumps(RATINGS)[:-12], cut=True)
    first = judged(question(Task.RATE_IMPORTANCE), cut, last=False)
    assert (first.valid, first.answer) == (False, None)
    assert "cut off" in first.error
    assert first.value is not None
    last = judged(question(Task.RATE_IMPORTANCE), cut, last=True)
    assert (last.outcome, last.value) == (CallOutcome.REPAIRED, first.value)


@every_row(Task, ["[]", "[[]]", "{}", '{"x": {"y": []}}', "[1, null]", '{"notes": 5, "links": {}}'])
def test_no_shape_gets_further_than_the_verdict(task: Task, text: str) -> None:
    verdict = judged(question(task), said(text), last=True)
    assert verdict.valid or verdict.error


# -- what is remembered of an endpoint ----------------------------------------------------------------------------


@pytest.fixture
def known(tmp_path: Path) -> Callable[[], Capabilities]:
    return lambda: Capabilities(tmp_path / "state" / "endpoints.json", "http://127.0.0.1:1/v1")


def test_what_was_found_is_found_again(known: Callable[[], Capabilities]) -> None:
    first = known()
    assert first.of("tiny") == Capability()
    first.found("tiny", Rung.JSON_OBJECT, "tiny-2026")
    first.refused("big", Feature.MAX_TOKENS, first.of("big"))
    first.refused("big", Feature.TEMPERATURE, first.of("big"))
    first.save()
    again = known()
    assert again.of("tiny") == Capability(Rung.JSON_OBJECT, probed=True, answered_by=("tiny-2026",))
    assert (again.of("big").takes_max_tokens, again.of("big").takes_temperature) == (False, False)
    assert not again.unsaved


def test_endpoints_keep_apart(tmp_path: Path) -> None:
    file = tmp_path / "endpoints.json"
    for place, rung in (("http://a/v1", Rung.TEXT), ("http://b/v1", Rung.JSON_OBJECT)):
        each = Capabilities(file, place)
        each.found("tiny", rung)
        each.save()
    assert Capabilities(file, "http://a/v1").of("tiny").rung is Rung.TEXT
    assert Capabilities(file, "http://b/v1").of("tiny").rung is Rung.JSON_OBJECT


@pytest.mark.parametrize("damage", ["", "[]", "{}", "[1]", '[{"model": "tiny"}]', "\x00", "[" * 100_000])
def test_a_damaged_file_is_begun_anew(tmp_path: Path, damage: str) -> None:
    file = tmp_path / "endpoints.json"
    file.write_text(damage, encoding="utf-8")
    known = Capabilities(file, "http://a/v1")
    assert known.of("tiny") == Capability()
    known.found("tiny", Rung.TEXT)
    known.save()
    assert Capabilities(file, "http://a/v1").of("tiny").rung is Rung.TEXT


def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "endpoints.json"
    os.mkfifo(file)
    known = Capabilities(file, "http://a/v1")
    assert known.all() == {}
    known.found("tiny", Rung.TEXT)
    known.save()
    assert Capabilities(file, "http://a/v1").of("tiny").rung is Rung.TEXT


def test_two_refusals_of_the_same_request_take_one_step(known: Callable[[], Capabilities]) -> None:
    abilities = known()
    tried = abilities.of("tiny")
    assert abilities.refused("tiny", Feature.FORMAT, tried)
    assert abilities.refused("tiny", Feature.FORMAT, tried)
    assert abilities.of("tiny").rung is Rung.JSON_OBJECT
    assert abilities.refused("tiny", Feature.FORMAT, abilities.of("tiny"))
    assert abilities.of("tiny").rung is Rung.TEXT
    assert not abilities.refused("tiny", Feature.FORMAT, abilities.of("tiny"))
    assert not abilities.refused("tiny", None, abilities.of("tiny"))


def test_three_violations_in_a_row_take_a_step_down(known: Callable[[], Capabilities]) -> None:
    abilities = known()
    abilities.found("tiny", Rung.JSON_SCHEMA)
    for in_shape in (False, False, True, False, False):
        abilities.answered("tiny", abilities.of("tiny"), by="", in_shape=in_shape)
    assert abilities.of("tiny").rung is Rung.JSON_SCHEMA
    abilities.answered("tiny", abilities.of("tiny"), by="", in_shape=False)
    assert abilities.of("tiny").rung is Rung.JSON_OBJECT


def test_another_model_behind_the_name_is_probed_anew(known: Callable[[], Capabilities]) -> None:
    abilities = known()
    abilities.found("tiny", Rung.TEXT, "tiny-1")
    abilities.answered("tiny", abilities.of("tiny"), by="tiny-1", in_shape=True)
    assert abilities.of("tiny").probed
    abilities.answered("tiny", abilities.of("tiny"), by="tiny-2", in_shape=True)
    assert not abilities.of("tiny").probed
    abilities.found("tiny", Rung.JSON_SCHEMA, "tiny-2")
    abilities.answered("tiny", abilities.of("tiny"), by="tiny-1", in_shape=True)
    assert abilities.of("tiny").probed


def test_a_probe_shows_by_a_name_nobody_would_guess_whether_a_schema_is_held_to() -> None:
    ask = probe("tiny", Rung.JSON_SCHEMA, Capability())
    field = next(iter(ask.body()["response_format"]["json_schema"]["schema"]["properties"]))
    assert all(field not in message["content"] for message in ask.messages)
    assert holds(Reply(json.dumps({field: "blue"})), Rung.JSON_SCHEMA)
    assert not holds(Reply('{"colour": "blue"}'), Rung.JSON_SCHEMA)
    assert holds(Reply('{"colour": "blue"}'), Rung.JSON_OBJECT)
    assert not holds(Reply("Blue."), Rung.JSON_OBJECT)
    assert holds(Reply("", cut=True), Rung.JSON_SCHEMA)  # still thinking at the limit


def test_no_format_is_sent_where_none_is_known() -> None:
    assert response_format(Rung.TEXT, {"title": "split"}) is None
