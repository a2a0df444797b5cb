"""A daemon with a language model behind it: an endpoint that answers, lies, stalls, breaks off, costs, comes back."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import dropwhile
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process, start, wait_ready
from misbehaviours import AWAY, BAD, GOOD, M
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint
from slowness import within
from soulmem.core.schema.engine_tasks import Task

KEY = "sk-never-to-be-seen-0451"
TALK = (
    ("user", "Ann", "I moved to Lisbon on Monday, to a flat above a bakery."),
    ("assistant", "Mira", "Above a bakery! How are the mornings?"),
    ("user", "Ann", "They smell of cinnamon. And I am allergic to hazelnuts."),
    ("assistant", "Mira", "No hazelnuts, then."),
    ("user", "小苇", "我对青霉素过敏，姐姐周五来吃晚饭。"),
    ("assistant", "Mira", "好的，记住了。"),
)


def settings(endpoint: ScriptedEndpoint, **more: str) -> dict[str, str]:
    """The environment of a daemon that is pointed at the endpoint; deadlines short enough for tests."""
    common = {
        "BASE_URL": endpoint.url,
        "MODEL": "tiny",
        "DEADLINE_S": "2",
        "INTERACTIVE_DEADLINE_S": "0.5",
        "RETRIES": "0",
        "PATIENCE_S": "0",
    }
    cold = {"SOULMEM_RECALL_CARES": "false"}  # what people say to a reply would be asked at any moment
    return cold | {f"SOULMEM_ENGINE_{name}": value for name, value in (common | more).items()}


def tell(daemon: Daemon, mind: str, talk: tuple[tuple[str, str, str], ...] = TALK) -> None:
    for role, speaker, content in talk:
        daemon.call("message.add", {"mind": mind, "role": role, "speaker": speaker, "content": content})


def notes_of(daemon: Daemon, mind: str) -> list[dict[str, Any]]:
    return list(daemon.call("note.list", {"mind": mind})["items"])


def assert_digested(daemon: Daemon, mind: str) -> None:
    """Every step done, something remembered, nothing twice, every quote where it says it is."""
    jobs = daemon.call("job.list", {"mind": mind})["items"]
    assert {job["state"] for job in jobs} == {"done"}, jobs
    notes = notes_of(daemon, mind)
    texts = [note["text"] for note in notes]
    assert texts
    assert len(texts) == len(set(texts)), texts
    said = {m["id"]: m["content"] for m in daemon.call("message.list", {"mind": mind, "conversation": "main"})["items"]}
    assert len(said) >= len(TALK)
    for note in notes:
        assert note["sources"]
        for source in note["sources"]:
            assert source["quote"] in said[source["id"]]


# -- every task, every way to go wrong -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def house(endpoint: ScriptedEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    root = tmp_path_factory.mktemp("model")
    env = settings(endpoint) | {"SOULMEM_ENGINE_API_KEY": KEY}
    with daemon_process(root, "--simulated-clock", "2026-05-09T18:00:00Z", env=env) as daemon:
        yield daemon


def test_a_model_makes_the_summary_the_notes_and_the_links(endpoint: ScriptedEndpoint, house: Daemon) -> None:
    endpoint.requests.clear()
    tell(house, "plain")
    house.call("idle.run", {"mind": "plain"})
    assert_digested(house, "plain")
    # The last lines of a talk that is over are summed up without it.
    assert {request.task for request in endpoint.tasks} - {Task.RECONCILE} == {Task.SPLIT, Task.LINK}
    assert any(link["origin"] == "model" for link in house.call("link.list", {"mind": "plain"})["items"])
    found = house.call("recall", {"mind": "plain", "query": "Where does Ann live?", "depth": "deep", "explain": True})
    assert found["analysis"]["subquestions"]
    assert [request.task for request in endpoint.tasks[-2:]] == [Task.ANALYSE_QUERY, Task.JUDGE]
    calls = house.call("ledger.get", {"mind": "plain"})["calls"]
    assert {call["outcome"] for call in calls} == {"ok"}
    assert "openai:tiny" in house.call("system.status")["engine"]


def test_persona_and_mood_go_only_where_the_character_speaks(endpoint: ScriptedEndpoint, house: Daemon) -> None:
    endpoint.requests.clear()
    house.call("mind.create", {"mind": "persona", "persona": "A lighthouse keeper called Oona-the-Grey."})
    tell(house, "persona")
    house.call("idle.run", {"mind": "persona"})
    house.call("recall", {"mind": "persona", "query": "why does Ann avoid nuts?", "depth": "deep"})
    shown = {request.task for request in endpoint.tasks if "Oona-the-Grey" in json.dumps(request.body)}
    assert shown == {Task.SPLIT, Task.LINK, Task.ANALYSE_QUERY}
    assert not any("the mind persona" in json.dumps(request.body) for request in endpoint.tasks)


@pytest.mark.parametrize(
    "did",
    [
        pytest.param(did, id=did.value, marks=pytest.mark.torture if place % 5 else [])
        for place, did in enumerate((*AWAY, *GOOD, *BAD))
    ],
)  # what the engine makes of each of them, `test_llm_misbehaviour` shows
def test_whatever_it_does_the_epoch_is_digested_once(endpoint: ScriptedEndpoint, house: Daemon, did: M) -> None:
    mind = f"odd-{did.value.replace('_', '-')}"
    endpoint.misbehaviour = did
    try:
        tell(house, mind)
        house.call("idle.run", {"mind": mind})
        assert house.call("recall", {"mind": mind, "query": "hazelnuts 榛子", "depth": "deep"})["items"]
    finally:
        endpoint.misbehaviour = M.NONE
    assert_digested(house, mind)


def test_the_key_is_seen_nowhere(endpoint: ScriptedEndpoint, house: Daemon) -> None:
    assert any(request.headers["authorization"] == f"Bearer {KEY}" for request in endpoint.requests)
    assert KEY not in house.log_path.read_text("utf-8")
    assert KEY not in json.dumps(house.call("system.status"))
    files = [path for path in house.state.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


def test_requests_hold_to_the_protocol(endpoint: ScriptedEndpoint, house: Daemon) -> None:
    assert house.process.poll() is None
    known = {"model", "messages", "temperature", "max_tokens", "max_completion_tokens", "response_format", "stream"}
    for request in endpoint.requests:
        assert set(request.body) <= known
        assert [each["role"] for each in request.body["messages"]][:2] == ["system", "user"]


# -- away for a while ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("did", [M.DOWN, M.HANG, M.BROKEN], ids=lambda did: did.value)
def test_work_waits_for_an_endpoint_that_comes_back(tmp_path: Path, did: M) -> None:
    with scripted_endpoint() as endpoint:
        env = settings(endpoint, PATIENCE_S="86400", PAUSE_S="0.2")
        with daemon_process(tmp_path, "--simulated-clock", "2026-05-09T18:00:00Z", env=env) as daemon:
            tell(daemon, "mira")
            endpoint.misbehaviour = did
            daemon.call("idle.run", {"mind": "mira"})
            assert notes_of(daemon, "mira") == []
            failed = daemon.events("step_failed")
            assert failed
            assert failed[0]["step"] == "split"
            heard = daemon.call("message.add", {"mind": "mira", "role": "user", "content": "Are you there?"})
            assert heard["seq"] == len(TALK) + 1
            if did is M.DOWN:  # refused at once again and again: it is left alone for a while
                for _ in range(4):
                    daemon.call("idle.run", {"mind": "mira"})
                wait_for(lambda: daemon.events("breaker_opened"))
            endpoint.misbehaviour = M.NONE
            time.sleep(0.5)  # the breaker's pause is real time
            daemon.call("clock.advance", {"seconds": 7200})
            assert_digested(daemon, "mira")
            assert any(link["origin"] == "model" for link in daemon.call("link.list", {"mind": "mira"})["items"])
            if did is M.DOWN:
                assert daemon.events("breaker_closed")


def test_a_sweep_during_an_outage_takes_no_retry_away(tmp_path: Path) -> None:
    with scripted_endpoint() as endpoint:
        env = settings(endpoint, PATIENCE_S="86400", PAUSE_S="0.2")
        with daemon_process(tmp_path, "--simulated-clock", "2026-05-09T18:00:00Z", env=env) as daemon:
            tell(daemon, "mira")
            endpoint.misbehaviour = M.BROKEN
            daemon.call("idle.run", {"mind": "mira"})
            assert notes_of(daemon, "mira") == []
            daemon.call("idle.run", {"mind": "mira", "steps": ["sweep"]})
            waiting = [job for job in daemon.call("job.list", {"mind": "mira"})["items"] if job["step"] == "split"]
            assert [(job["state"], bool(job["error"])) for job in waiting] == [("pending", True)]
            endpoint.misbehaviour = M.NONE
            time.sleep(0.5)
            daemon.call("clock.advance", {"seconds": 600})
            assert_digested(daemon, "mira")


def test_work_waits_through_a_restart_for_an_endpoint_that_comes_back(tmp_path: Path) -> None:
    with scripted_endpoint() as endpoint:
        env = settings(endpoint, PATIENCE_S="86400", PAUSE_S="0.2")
        with daemon_process(tmp_path, "--simulated-clock", "2026-05-09T18:00:00Z", env=env) as daemon:
            tell(daemon, "mira")
            endpoint.misbehaviour = M.BROKEN
            daemon.call("idle.run", {"mind": "mira"})
            assert notes_of(daemon, "mira") == []
        endpoint.misbehaviour = M.NONE
        with daemon_process(tmp_path, "--simulated-clock", env=env) as daemon:
            wait_for(lambda: "sweep" in dropwhile("link".__ne__, [e["step"] for e in daemon.events("step_finished")]))
            assert_digested(daemon, "mira")  # the first call to this mind: it took up its work by itself


def wait_for(seen: Callable[[], object], timeout: float = 30.0) -> None:
    began = time.monotonic()
    while not seen():
        assert time.monotonic() - began < timeout, "it did not come"
        time.sleep(0.02)


def test_patience_has_an_end(tmp_path: Path) -> None:
    with scripted_endpoint() as endpoint:
        env = settings(endpoint, PATIENCE_S="3600", PAUSE_S="0.2")
        with daemon_process(tmp_path, "--simulated-clock", "2026-05-09T18:00:00Z", env=env) as daemon:
            endpoint.misbehaviour = M.DOWN
            tell(daemon, "mira")
            daemon.call("clock.advance", {"seconds": 3000})
            assert notes_of(daemon, "mira") == []
            daemon.call("clock.advance", {"seconds": 7200})
            assert_digested(daemon, "mira")


def test_nobody_waits_for_a_model_that_hangs(tmp_path: Path) -> None:
    with scripted_endpoint() as endpoint:
        endpoint.misbehaviour = M.HANG
        env = settings(endpoint, DEADLINE_S="30", PATIENCE_S="3600")
        with daemon_process(tmp_path, env=env) as daemon:
            tell(daemon, "mira")
            daemon.call("idle.run", {"mind": "mira", "wait": False})
            while not endpoint.requests:
                time.sleep(0.01)
            tell(daemon, "mira")
            assert daemon.call("recall", {"mind": "mira", "query": "bakery"})["items"]
            began = time.monotonic()
            assert daemon.terminate() == 0
            assert time.monotonic() - began < within(5)
    assert daemon.events("daemon_stopped")


# -- slow, interrupted, killed -------------------------------------------------------------------------------


def test_a_slow_model_gets_its_step_done_after_three_interruptions(tmp_path: Path) -> None:
    with scripted_endpoint() as endpoint, ThreadPoolExecutor(1) as pool:
        env = settings(endpoint, DEADLINE_S="60", PATIENCE_S="86400")
        with daemon_process(tmp_path, "--simulated-clock", "2026-05-09T18:00:00Z", env=env) as daemon:
            tell(daemon, "mira")
            daemon.call("idle.run", {"mind": "mira", "steps": ["flush", "freeze", "summarise"]})
            endpoint.latency_s = 1.0
            for _ in range(3):
                before = len(endpoint.tasks)
                daemon.call("idle.run", {"mind": "mira", "steps": ["summarise", "split"], "wait": False})
                while len(endpoint.tasks) == before:
                    time.sleep(0.01)
                tell(daemon, "mira", (("user", "Ann", "Still awake?"),))
            before = len(endpoint.tasks)
            digesting = pool.submit(
                daemon.call, "idle.run", {"mind": "mira", "steps": ["summarise", "split"], "wait": True}
            )
            while len(endpoint.tasks) == before:
                time.sleep(0.01)
            tell(daemon, "mira", (("user", "Ann", "And now?"),))
            digesting.result(30)
            assert notes_of(daemon, "mira")
            calls = [c for c in daemon.call("ledger.get", {"mind": "mira"})["calls"] if c["task"] == "split"]
            assert sorted(call["outcome"] for call in calls) == ["ok", "preempted", "preempted", "preempted"]


def test_a_call_in_flight_at_a_crash_is_lost_once_and_repeated_once(tmp_path: Path) -> None:
    with scripted_endpoint() as endpoint:
        env = settings(endpoint, DEADLINE_S="60", PATIENCE_S="86400")
        daemon = start(tmp_path, "--simulated-clock", "2026-05-09T18:00:00Z", env=env)
        wait_ready(daemon)
        tell(daemon, "mira")
        daemon.call("idle.run", {"mind": "mira", "steps": ["flush", "freeze", "summarise"]})
        endpoint.latency_s = 5.0
        daemon.call("idle.run", {"mind": "mira", "steps": ["summarise", "split"], "wait": False})
        while not any(request.task is Task.SPLIT for request in endpoint.tasks):
            time.sleep(0.01)
        daemon.kill()
        endpoint.latency_s = 0.0
        with daemon_process(tmp_path, "--simulated-clock", env=env) as daemon:
            daemon.call("clock.advance", {"seconds": 3600})
            assert_digested(daemon, "mira")
            calls = [c for c in daemon.call("ledger.get", {"mind": "mira"})["calls"] if c["task"] == "split"]
            assert sorted(call["outcome"] for call in calls) == ["lost", "ok"]
        assert sum(request.task is Task.SPLIT for request in endpoint.tasks) == 2


# -- what it may cost ----------------------------------------------------------------------------------------


def test_an_exhausted_budget_is_said_once_and_is_over_the_next_day(tmp_path: Path) -> None:
    with scripted_endpoint() as endpoint:
        env = settings(endpoint) | {"SOULMEM_BUDGET_TOKENS_PER_DAY": "300"}
        with daemon_process(tmp_path, "--simulated-clock", "2026-05-09T08:00:00Z", env=env) as daemon:
            for mind in ("one", "two", "three"):
                tell(daemon, mind)
                daemon.call("idle.run", {"mind": mind})
                assert_digested(daemon, mind)
            assert [event["budget"] for event in daemon.events("budget_exhausted")] == ["day"]
            paid = len(endpoint.requests)
            assert paid <= 3  # 120 tokens each: the third goes beyond 300, the fourth is not made
            daemon.call("clock.advance", {"seconds": 86_400})
            tell(daemon, "four")
            daemon.call("idle.run", {"mind": "four"})
            assert_digested(daemon, "four")
            assert len(endpoint.requests) > paid


# -- wrong settings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("did", "setting"),
    [(M.WRONG_KEY, "engine.api_key"), (M.NO_MODEL, "engine.model"), (M.NO_V1, "engine.base_url")],
    ids=lambda value: getattr(value, "value", value),
)
def test_a_wrong_setting_is_one_line_that_names_it(tmp_path: Path, did: M, setting: str) -> None:
    with scripted_endpoint() as endpoint:
        endpoint.misbehaviour = did
        env = settings(endpoint, PATIENCE_S="3600")
        with daemon_process(tmp_path, "--simulated-clock", "2026-05-09T18:00:00Z", env=env) as daemon:
            tell(daemon, "mira")
            daemon.call("idle.run", {"mind": "mira"})
            (line,) = {event["error"] for event in daemon.events("step_failed")}
            assert setting in line
            assert "\n" not in line
            assert daemon.call("system.ping")


def test_a_model_behind_a_unix_socket(tmp_path: Path) -> None:
    with scripted_endpoint(tmp_path / "llm.sock") as endpoint:
        with daemon_process(tmp_path, "--simulated-clock", "2026-05-09T18:00:00Z", env=settings(endpoint)) as daemon:
            tell(daemon, "mira")
            daemon.call("idle.run", {"mind": "mira"})
            assert_digested(daemon, "mira")
        assert endpoint.tasks
