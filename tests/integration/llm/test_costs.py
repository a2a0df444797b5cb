"""What a daemon tells of costs and refusals, from rows that stand in its files: in the protocol and in the CLI."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checking import Checking, Json, checking
from daemon_fixture import Daemon, daemon_process
from soulmem.core.calendar.iso8601 import parse_iso
from soulmem.core.schema.engine_tasks import Task
from soulmem.ports import CallEnd, CallEntry, CallOutcome, Lane
from soulmem.store.journal import call_ledger
from soulmem.store.sqlite import driver
from soulmem.store.sqlite.driver import Connection

START = "2026-03-02T08:00:00Z"
NOW = parse_iso(START)
HOUR, DAY = 3_600_000, 86_400_000
LIMITS = {"SOULMEM_BUDGET_TOKENS_PER_DAY": "50000", "SOULMEM_BUDGET_COST_PER_DAY": "2.5"}
SECRET = "我的秘密 my secret"


def enter(
    connection: Connection, task: Task, at: int, *, model: str = "qwen2.5:7b", outcome: CallOutcome = CallOutcome.OK,
    took_ms: float = 1000.0, tokens: tuple[int, int] = (900, 100), cost: float = 0.0,
) -> None:  # fmt: skip
    number = call_ledger.begin(connection, CallEntry(f"{task}:1", task, model, Lane.IDLE, "hash", 1, "run", at))
    if outcome is not CallOutcome.RUNNING:
        answer = json.dumps({"text": SECRET}, ensure_ascii=False)
        call_ledger.end(connection, number, CallEnd(outcome, *tokens, False, took_ms, cost, "text", answer), at + 5000)


def fill(state: Path) -> None:
    """Calls of yesterday and today in the files of mira and 'tom', one of them in flight when its daemon died."""
    mira = driver.writer(state / "minds" / "mira.db")()
    enter(mira, Task.SPLIT, NOW - DAY, tokens=(5000, 1000), cost=0.5)
    for took_ms in (100.0, 300.0, 900.0):
        enter(mira, Task.SUMMARISE, NOW - HOUR, took_ms=took_ms)
    enter(mira, Task.LINK, NOW - HOUR + 1, outcome=CallOutcome.INVALID, cost=0.25)
    enter(mira, Task.LINK, NOW - HOUR + 2, outcome=CallOutcome.RUNNING)
    mira.executemany(
        "INSERT INTO refusal (at, task, engine, conversation, epoch, reason, text, quote, message) "
        "VALUES (?, 'split', 'openai:qwen2.5:7b', 1, 1, ?, ?, ?, ?)",
        [
            (NOW - 60 * DAY, "unquoted", "Long ago", "", None),
            (NOW - 3, "unquoted", "Ann owns a castle", "", None),
            (NOW - 2, "invented_name", "小林 met 李雷", "我叫小林", 1),
            (NOW - 1, "unquoted", "她住在月球上", "", None),
        ],
    )
    mira.execute("UPDATE note SET created_at = ? WHERE id = (SELECT min(id) FROM note)", (NOW - 60 * DAY,))
    mira.close()
    tom = driver.writer(state / "minds" / "tom.db")()
    enter(tom, Task.SUMMARISE, NOW - HOUR, model="gpt-4o-mini", tokens=(2000, 500), cost=0.125)
    tom.close()


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    root = tmp_path_factory.mktemp("c")
    with daemon_process(root, "--simulated-clock", START) as first:
        api = checking(first)
        for mind in ("mira", "tom"):
            api.call("mind.create", mind=mind)
        for line in ("I am 小林 and I moved to Lisbon.", "我喜欢喝绿茶。", "My sister Ann lives in Porto."):
            api.say("mira", line)
        api.call("idle.run", mind="mira")
        first.settle("mira")
        assert api.call("audit.list", mind="mira")["counts"]["admitted"] >= 1
    fill(first.state)
    with daemon_process(root, "--simulated-clock", env=LIMITS, name="e") as second:
        yield second


@pytest.fixture
def api(daemon: Daemon) -> Checking:
    return checking(daemon)


def by_group(result: Json, by: str) -> dict[str, tuple[int, int, int]]:
    return {each[by]: (each["calls"], each["tokens_in"], each["tokens_out"]) for each in result["totals"]}


def test_all_minds_are_summed(api: Checking) -> None:
    result = api.call("ledger.get", by="mind")
    assert by_group(result, "mind") == {"mira": (6, 8600, 1400), "tom": (1, 2000, 500)}
    assert [call["mind"] for call in result["calls"]] == ["mira"] * 5 + ["tom", "mira"]


def test_the_sums_of_one_mind(api: Checking) -> None:
    result = api.call("ledger.get", mind="mira")
    totals = {each.pop("task"): each for each in result["totals"]}
    assert totals["summarise"] == {
        "calls": 3, "tokens_in": 2700, "tokens_out": 300, "cost": 0.0, "ms": 1300.0, "median_ms": 300.0,
    }  # fmt: skip
    assert (totals["link"]["calls"], totals["link"]["cost"]) == (2, 0.25)
    assert by_group(api.call("ledger.get", mind="mira", by="day"), "day") == {
        "2026-03-01": (1, 5000, 1000), "2026-03-02": (5, 3600, 400),
    }  # fmt: skip
    assert by_group(api.call("ledger.get", by="model"), "model").keys() == {"qwen2.5:7b", "gpt-4o-mini"}
    yesterday = api.call("ledger.get", mind="mira", by="outcome", **{"from": "2026-03-01", "to": "2026-03-02"})
    assert by_group(yesterday, "outcome") == {"ok": (1, 5000, 1000)}
    assert [call["task"] for call in yesterday["calls"]] == ["split"]


def test_a_call_in_flight_at_the_end_is_lost_when_its_mind_is_opened(daemon: Daemon, api: Checking) -> None:
    daemon.call("mind.get", {"mind": "mira"})
    calls = api.call("ledger.get", mind="mira")["calls"]
    assert [(call["task"], call["outcome"], call["finished_at"]) for call in calls[:2]] == [
        ("link", "lost", START), ("link", "invalid", "2026-03-02T07:00:05.001Z"),
    ]  # fmt: skip


def test_no_memory_text_is_in_the_ledger(daemon: Daemon) -> None:
    with daemon.client() as client:
        told = json.dumps(client.call("ledger.get", {}), ensure_ascii=False)
    assert "summarise" in told
    assert SECRET not in told


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 500])
def test_pages_hold_every_call_once(api: Checking, limit: int) -> None:
    whole = api.call("ledger.get")["calls"]
    seen: list[Json] = []
    cursor: Json = {}
    while True:
        page = api.call("ledger.get", limit=limit, **cursor)
        seen += page["calls"]
        if page["next_cursor"] is None:
            break
        assert len(page["calls"]) == limit
        cursor = {"cursor": page["next_cursor"]}
    assert seen == whole
    assert len({(call["mind"], call["id"]) for call in seen}) == 7


def test_today_is_what_the_budgets_know(daemon: Daemon, api: Checking) -> None:
    for mind in ("mira", "tom"):
        daemon.call("mind.get", {"mind": mind})
    today = api.call("ledger.get", mind="tom")["today"]
    assert (today["tokens"], today["cost"]) == (6500, 0.375)
    assert today["limits"]["tokens_per_day"] == 50_000
    assert today["left"] == {"tokens": 43_500, "cost": 2.125}
    assert today["mind"] == {"tokens": 2500, "cost": 0.125, "left": None}


def test_what_is_refused(api: Checking) -> None:
    api.refused("mind_not_found", "ledger.get", mind="nobody")
    for cursor in ("x", "1", "1.2", "1.2.", "1.x.mira", "--1.2.mira"):
        api.refused("invalid_params", "ledger.get", cursor=cursor)
    api.refused("invalid_time", "ledger.get", **{"from": "whenever"})
    api.refused("invalid_params", "ledger.get", **{"from": "2026-03-02T00:00:00Z", "to": "2026-03-01T00:00:00Z"})
    api.refused("mind_not_found", "audit.list", mind="nobody")
    api.refused("invalid_params", "audit.list", mind="mira", reason="bored")
    assert api.call("ledger.get", mind="mira", cursor="-5.1.mira")["calls"] == []


def test_the_audit_says_what_was_refused_and_the_junk_rate(api: Checking) -> None:
    result = api.call("audit.list", mind="mira")
    assert [(each["reason"], each["text"]) for each in result["items"]] == [
        ("unquoted", "Long ago"), ("unquoted", "Ann owns a castle"),
        ("invented_name", "小林 met 李雷"), ("unquoted", "她住在月球上"),
    ]  # fmt: skip
    counts = result["counts"]
    assert (counts["refused"], counts["by_reason"]) == (3, {"unquoted": 2, "invented_name": 1})
    notes = len(api.call("note.list", mind="mira")["items"])
    assert counts["admitted"] == notes - 1, "what was told long ago is no part of the rate"
    assert result["junk_rate"] == round(3 / (3 + counts["admitted"]), 4)
    some = api.call("audit.list", mind="mira", reason="unquoted")
    assert (len(some["items"]), some["counts"]) == (3, counts)
    pages = api.pages("audit.list", mind="mira", limit=1)
    assert [each["text"] for each in pages] == [each["text"] for each in result["items"]]
    none = api.call("audit.list", mind="tom")
    assert (none["items"], none["counts"]["refused"], none["junk_rate"]) == ([], 0, 0.0)


# -- the command -------------------------------------------------------------------------------------------


def run(daemon: Daemon, *arguments: str, code: int = 0) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SOULMEM_")}
    done = subprocess.run(
        [sys.executable, "-m", "soulmem", *arguments],
        capture_output=True, env={**kept, "SOULMEM_SOCKET": str(daemon.socket)}, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    return (done.stdout + done.stderr).decode()


def test_costs_as_a_table(daemon: Daemon) -> None:
    for mind in ("mira", "tom"):
        daemon.call("mind.get", {"mind": mind})
    shown = run(daemon, "costs")
    lines = [line.split() for line in shown.splitlines()]
    assert ["summarise", "4", "4,700", "800", "0.1250", "600"] in lines
    assert ["all", "7", "10,600", "1,900", "0.8750", "-"] in lines
    assert "6,500 of 50,000 tokens, 43,500 left" in shown
    assert "0.3750 of 2.50, 2.12 left" in shown
    day = [line.split() for line in run(daemon, "costs", "--days", "1", "--by", "day", "-m", "mira").splitlines()]
    assert ["2026-03-02", "5", "3,600", "400", "0.2500", "600"] in day
    assert not [line for line in day if line[:1] == ["2026-03-01"]]


def test_costs_for_programs(daemon: Daemon) -> None:
    daemon.call("mind.get", {"mind": "mira"})
    result: dict[str, Any] = json.loads(run(daemon, "costs", "--json", "--by", "outcome"))
    assert {each["outcome"] for each in result["totals"]} == {"ok", "invalid", "lost"}
    assert len(result["calls"]) == 7


def test_costs_of_nothing_and_of_nobody(daemon: Daemon) -> None:
    daemon.call("mind.create", {"mind": "fresh"})
    shown = run(daemon, "costs", "--mind", "fresh", "--days", "36500")
    assert "no calls of a language model" in shown
    assert "nobody" in run(daemon, "costs", "--mind", "nobody", code=1)
    run(daemon, "costs", "--by", "colour", code=2)
    run(daemon, "costs", "--days", "0", code=2)


# -- over a restart ------------------------------------------------------------------------------------------


def test_a_restart_forgets_nothing_of_today_even_of_a_deleted_mind(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as first:
        for mind in ("mira", "tom"):
            first.call("mind.create", {"mind": mind})
        first.call("message.add", {"mind": "mira", "role": "user", "content": "你好 hello"})
        first.call("message.add", {"mind": "mira", "role": "user", "content": "bye 再见", "mark": "end"})
    fill(first.state)
    with daemon_process(tmp_path, "--simulated-clock", name="e") as second:
        told = second.call("ledger.get", {"by": "mind"})["totals"]
        assert [(each["mind"], each["calls"]) for each in told] == [("mira", 6), ("tom", 1)]
        assert "tom" not in {event["mind"] for event in second.events("mind_opened")}, "it is read where it lies"
        for mind in ("mira", "tom"):
            second.call("mind.get", {"mind": mind})
        second.call("mind.delete", {"mind": "tom", "confirm": "tom"})
    with daemon_process(tmp_path, "--simulated-clock", name="f") as third:
        today = third.call("ledger.get")["today"]
        assert (today["tokens"], today["cost"]) == (6500, 0.375)
        third.call("mind.create", {"mind": "tom"})
        assert third.call("ledger.get", {"mind": "tom"})["today"]["mind"]["tokens"] == 2500
        third.call("clock.advance", {"seconds": 86_400})
        assert third.call("ledger.get")["today"]["tokens"] == 0
