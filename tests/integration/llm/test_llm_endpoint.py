"""The engine with a model against a real endpoint: what is asked, what is answered, what it costs, who waits."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import run
from typing import Any, get_type_hints

import pytest
from pydantic import TypeAdapter

from engine_bench import Bench, extractive
from misbehaviours import M
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint
from soulmem.core.schema.engine_tasks import Task
from soulmem.errors import ErrorName, SoulmemError
from soulmem.llm.endpoint.capabilities import Rung
from soulmem.llm.endpoint.endpoint_options import BudgetOptions, Price, TaskOptions
from soulmem.llm.engine.sample_requests import sample
from soulmem.ports import CallOutcome, Lane

DAY_MS = 86_400_000
LANGUAGES = ("en", "zh")


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with scripted_endpoint() as running:
        yield running


@pytest.fixture(params=["loopback", "unix"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ScriptedEndpoint]:
    with scripted_endpoint(tmp_path / "llm.sock" if request.param == "unix" else None) as running:
        yield running


# -- what is sent ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rung", [M.NONE, M.NO_JSON_SCHEMA, M.NO_RESPONSE_FORMAT])
async def test_every_task_in_both_languages_on_every_rung(either: ScriptedEndpoint, rung: M) -> None:
    either.misbehaviour = rung
    async with Bench(either) as bench:
        for task in Task:
            for language in LANGUAGES:
                assert await bench.do(task, language)
        bench.journal.check()
        calls = len(Task) * len(LANGUAGES)
        assert bench.journal.outcomes == [CallOutcome.OK] * calls
        assert not bench.log.of("model_failed")
        wanted = {M.NONE: "json_schema", M.NO_JSON_SCHEMA: "json_object", M.NO_RESPONSE_FORMAT: "text"}[rung]
        assert bench.engine.counts() == {f"{wanted}.ok": calls}
        assert [each["outcome"] for each in bench.log.of("model_called")][-calls:] == ["ok"] * calls
    sent = {request.body.get("response_format", {"type": "text"})["type"] for request in either.tasks}
    assert sent == {wanted}
    shown = [request for request in either.tasks if request.body["messages"][-1]["content"].count("{") > 0]
    assert (len(shown) == 0) == (wanted == "json_schema")


async def test_requests_are_those_of_the_protocol(endpoint: ScriptedEndpoint) -> None:
    """Held against the official client's own types, which are made from the protocol's specification."""
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming  # noqa: PLC0415 - it takes a second to read

    form = TypeAdapter(CompletionCreateParamsNonStreaming)
    known = get_type_hints(CompletionCreateParamsNonStreaming).keys()
    endpoint.script.extend([M.NONE, M.NO_JSON])
    async with Bench(endpoint) as bench:
        for task in Task:
            await bench.do(task)
    assert len(endpoint.requests) == 1 + len(Task) + 1
    for request in endpoint.requests:
        assert request.body.keys() <= known
        checked: Any = form.validate_python(request.body)
        assert [message["role"] for message in checked["messages"]]
        assert request.path == "/v1/chat/completions"


async def test_nothing_is_taken_from_the_environment(
    endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-leaked")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-leaked")
    monkeypatch.setenv("OPENAI_ORG_ID", "leaked-org")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "leaked-project")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Leaked: yes\nAuthorization: Bearer sk-leaked")
    async with Bench(endpoint, api_key=None) as bench:
        await bench.do(Task.JUDGE)
    (request,) = endpoint.tasks
    assert "leaked" not in repr(request.headers).lower()
    assert request.headers["authorization"] == "Bearer none"
    assert request.headers.keys() <= {
        "host", "accept", "accept-encoding", "connection", "content-type", "content-length", "authorization",
        "user-agent",
    }  # fmt: skip


async def test_a_name_and_password_in_the_url_are_sent_and_never_shown(endpoint: ScriptedEndpoint) -> None:
    url = endpoint.url.replace("http://", "http://me:hunter2@")
    async with Bench(endpoint, base_url=url) as bench:
        await bench.do(Task.JUDGE)
        assert endpoint.tasks[0].headers["authorization"] == "Basic bWU6aHVudGVyMg=="
        assert "hunter2" not in repr(bench.engine.standing())


async def test_each_task_has_its_own_model_and_bounds(endpoint: ScriptedEndpoint) -> None:
    own = {Task.SPLIT: TaskOptions("big", 0.7, 4000), Task.JUDGE: TaskOptions(temperature=0.0)}
    async with Bench(endpoint, tasks=own, temperature=0.3, max_tokens=500) as bench:
        for task in (Task.SPLIT, Task.JUDGE, Task.LINK):
            await bench.do(task)
    sent = {request.task: request.body for request in endpoint.tasks}
    chosen = {task: (body["model"], body["temperature"], body["max_tokens"]) for task, body in sent.items()}
    assert chosen == {Task.SPLIT: ("big", 0.7, 4000), Task.JUDGE: ("tiny", 0.0, 500), Task.LINK: ("tiny", 0.3, 500)}


def test_the_library_is_imported_by_the_first_call_alone() -> None:
    program = (
        "import sys, soulmem.llm.engine.model_engine\n"
        "print(sorted({'openai', 'httpx2', 'httpcore2', 'json_repair'} & set(sys.modules)))"
    )
    assert run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip() == "[]"


# -- the ladder -----------------------------------------------------------------------------------------------------


async def test_a_rejected_answer_is_sent_back_once_with_the_reason(endpoint: ScriptedEndpoint) -> None:
    endpoint.script.extend([M.NONE, M.WRONG_LABELS])
    async with Bench(endpoint) as bench:
        answer = await bench.do(Task.INSIGHTS)
        assert answer != await extractive(Task.INSIGHTS)
        assert bench.journal.outcomes == [CallOutcome.INVALID, CallOutcome.OK]
        assert [entry.attempt for entry in bench.journal.entries.values()] == [1, 2]
    first, second = endpoint.tasks
    assert second.body["messages"][:2] == first.body["messages"]
    assert [message["role"] for message in second.body["messages"][2:]] == ["assistant", "user"]
    assert "N1" in second.body["messages"][-1]["content"]


async def test_twice_no_use_is_the_extractive_answer(endpoint: ScriptedEndpoint) -> None:
    async with Bench(endpoint) as bench:
        await bench.do(Task.JUDGE)
        endpoint.misbehaviour = M.NO_JSON
        assert await bench.do(Task.INSIGHTS) == await extractive(Task.INSIGHTS)
        (failed,) = bench.log.of("model_failed")
        assert (failed["task"], failed["error"]) == ("insights", "invalid_answer")
        assert bench.engine.counts() == {"json_schema.ok": 1, "json_schema.invalid": 2, "extractive": 1}
        report = bench.engine.report(Task.INSIGHTS)
        assert report is not None
        assert (report.answered, report.calls) == (False, 2)
    assert endpoint.tasks[-1].body["messages"][-1]["content"].count('"insights"') == 1  # now it is told the form


async def test_an_answer_that_ran_into_the_limit_may_be_longer_the_next_time(endpoint: ScriptedEndpoint) -> None:
    endpoint.script.extend([M.NONE, M.CUT_BY_LIMIT])
    async with Bench(endpoint, max_tokens=100) as bench:
        assert len(await bench.do(Task.SPLIT)) == 3
    assert [request.body["max_tokens"] for request in endpoint.tasks] == [100, 200]


async def test_what_an_endpoint_can_do_is_probed_once_and_remembered(
    endpoint: ScriptedEndpoint, tmp_path: Path
) -> None:
    file = tmp_path / "state" / "endpoints.json"
    endpoint.misbehaviour = M.NO_JSON_SCHEMA
    for _ in range(2):
        async with Bench(endpoint, capabilities_file=file) as bench:
            await bench.do(Task.JUDGE)
            await bench.do(Task.LINK)
            assert bench.engine.standing()["rungs"] == {"tiny": "json_object"}
    assert len(endpoint.requests) - len(endpoint.tasks) == 1 + 1  # the probe's refused step and its second
    assert "secret" not in file.read_text("utf-8")
    endpoint.misbehaviour, endpoint.model = M.NONE, "another"  # behind the same name
    async with Bench(endpoint, capabilities_file=file) as bench:
        await bench.do(Task.JUDGE)
        await bench.do(Task.LINK)
        assert bench.engine.standing()["rungs"] == {"tiny": "json_schema"}


async def test_a_place_that_cannot_be_written_to_costs_no_answer(endpoint: ScriptedEndpoint, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be", encoding="utf-8")
    async with Bench(endpoint, capabilities_file=tmp_path / "state" / "endpoints.json") as bench:
        assert await bench.do(Task.JUDGE)
        assert await bench.do(Task.LINK)
        assert not bench.log.of("model_failed")


async def test_an_endpoint_that_begins_to_refuse_a_format_is_asked_another_way_at_once(
    endpoint: ScriptedEndpoint,
) -> None:
    async with Bench(endpoint) as bench:
        await bench.do(Task.JUDGE)
        endpoint.misbehaviour = M.NO_RESPONSE_FORMAT
        assert await bench.do(Task.LINK)
        assert bench.engine.standing()["rungs"] == {"tiny": "text"}
        assert not bench.log.of("model_failed")


async def test_an_endpoint_that_ignores_the_format_is_found_out(endpoint: ScriptedEndpoint) -> None:
    endpoint.misbehaviour = M.TALKATIVE
    async with Bench(endpoint) as bench:
        assert (await bench.engine.probe()).rung is Rung.TEXT
        await bench.do(Task.JUDGE)
        assert bench.engine.counts() == {"text.repaired": 1}


@pytest.mark.parametrize("refused", [M.NO_MAX_TOKENS, M.NO_TEMPERATURE])
async def test_a_parameter_that_is_refused_is_left_out_from_then_on(endpoint: ScriptedEndpoint, refused: M) -> None:
    endpoint.misbehaviour = refused
    async with Bench(endpoint) as bench:
        await bench.do(Task.JUDGE)
        count = len(endpoint.requests)
        await bench.do(Task.LINK)
        assert len(endpoint.requests) == count + 1
    last = endpoint.requests[-1].body
    assert ("max_completion_tokens" in last) == (refused is M.NO_MAX_TOKENS)
    assert ("temperature" in last) == (refused is M.NO_MAX_TOKENS)


# -- the ledger -----------------------------------------------------------------------------------------------------


async def test_an_answer_that_was_paid_for_is_not_paid_for_again(endpoint: ScriptedEndpoint) -> None:
    async with Bench(endpoint) as bench:
        first = await bench.do(Task.SPLIT)
        count = len(endpoint.requests)
        assert await bench.do(Task.SPLIT) == first
        assert await bench.do(Task.SPLIT, key="another job") == first
        assert len(endpoint.requests) == count + 1


async def test_a_piece_of_work_that_lost_two_calls_is_not_given_to_the_model_again(endpoint: ScriptedEndpoint) -> None:
    async with Bench(endpoint) as bench:
        bench.journal.lost = {"once": 1, "twice": 2}
        assert await bench.do(Task.INSIGHTS, key="once") != await extractive(Task.INSIGHTS)
        count = len(endpoint.requests)
        assert await bench.do(Task.INSIGHTS, key="twice") == await extractive(Task.INSIGHTS)
        assert len(endpoint.requests) == count
        assert bench.log.of("model_failed")[-1]["error"] == "lost"


async def test_tokens_and_cost_are_counted_or_estimated(endpoint: ScriptedEndpoint) -> None:
    async with Bench(endpoint, prices={"tiny": Price(10.0, 100.0)}) as bench:
        await bench.do(Task.JUDGE)
        end = bench.journal.ends[1]
        assert (end.tokens_in, end.tokens_out, end.estimated) == (100, 20, False)
        assert end.cost == pytest.approx(0.003)
        assert bench.budgets.spent_today()["tokens"] == 2 * 120  # the probe is paid for too
        for misbehaviour in (M.NO_USAGE, M.LYING_USAGE):
            endpoint.misbehaviour = misbehaviour
            await bench.do(Task.JUDGE, key=misbehaviour.value)
        for number in (2, 3):
            assert bench.journal.ends[number].estimated
            assert 100 < bench.journal.ends[number].tokens_in < 2_000
            assert 5 < bench.journal.ends[number].tokens_out < 200


async def test_a_used_up_budget_falls_to_extractive_says_so_once_and_resumes_the_next_day(
    endpoint: ScriptedEndpoint,
) -> None:
    async with Bench(endpoint, BudgetOptions(tokens_per_day=300, tokens_per_run=0)) as bench:
        for turn in range(6):
            answer = await bench.do(Task.INSIGHTS, key=f"job-{turn}")
            assert (answer == await extractive(Task.INSIGHTS)) == (turn >= 2)
        assert len(bench.log.of("budget_exhausted")) == 1
        assert not bench.log.of("model_failed")
        assert len(endpoint.tasks) == 2
        bench.clock.advance(DAY_MS)
        assert await bench.do(Task.INSIGHTS, key="tomorrow") != await extractive(Task.INSIGHTS)
        bench.journal.check()


async def test_without_a_call_nothing_is_entered_or_charged(endpoint: ScriptedEndpoint) -> None:
    async with Bench(endpoint) as bench:
        assert await bench.engine.judge(sample(Task.JUDGE, "zh"))
        assert (bench.journal.entries, bench.budgets.spent_today()["tokens"]) == ({}, 0)


async def test_without_a_journal_nothing_is_sent(endpoint: ScriptedEndpoint) -> None:
    async with Bench(endpoint) as bench:
        bench.journal.broken = SoulmemError(ErrorName.STORAGE_FULL, "the disk is full")
        with pytest.raises(SoulmemError) as raised:
            await bench.do(Task.JUDGE)
        assert raised.value.name is ErrorName.STORAGE_FULL
        assert await bench.do(Task.JUDGE, lane=Lane.INTERACTIVE) == await extractive(Task.JUDGE)
        assert endpoint.tasks == []


# -- for people -----------------------------------------------------------------------------------------------------


async def test_every_task_reports_how_it_went(endpoint: ScriptedEndpoint) -> None:
    async with Bench(endpoint) as bench:
        assert bench.engine.name == "openai:tiny"
        assert bench.engine.report(Task.SPLIT) is None
        assert (await bench.engine.probe()).rung is Rung.JSON_SCHEMA
        await bench.engine.split(sample(Task.SPLIT, "zh"))
        report = bench.engine.report(Task.SPLIT)
        assert report is not None
        assert (report.answered, report.rung, report.calls, report.tokens_in) == (True, "json_schema", 1, 100)
        assert report.took_ms > 0
        json.dumps(bench.engine.standing())


async def test_the_engine_may_be_closed_and_used_again(either: ScriptedEndpoint) -> None:
    async with Bench(either) as bench:
        for key in ("a", "b"):
            assert await bench.do(Task.JUDGE, key=key)
            await bench.engine.aclose()
        await bench.engine.aclose()
