"""A recall looks at the file once, at one moment; what is recorded is shown as it is afterwards."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

from mind_bench import Host, hosted
from soulmem.working.recall.recall_request import RecallRequest

QUESTION = "Who hid the violet lantern behind the bakery?"


async def furnished(host: Host) -> None:
    names = ("violet lantern", "violin", "garden key", "渡船 ferry")
    made = [
        await host.note(f"Mira hid the {name} behind the old bakery, day {day}.") for name in names for day in (1, 2)
    ]
    for src, dst in pairwise(made):
        await host.link(src, dst, 0.6)


async def watched(host: Host, **asked: Any) -> tuple[dict[str, Any], list[str]]:
    """What a recall answers, and the statements it read by."""
    statements: list[str] = []

    def watch(connection: Any) -> None:
        connection.set_trace_callback(statements.append)

    def leave(connection: Any) -> None:
        connection.set_trace_callback(None)

    database = host.mind.memory.database
    wanted = RecallRequest(QUESTION, 5, min_score=0.0, **asked)
    await host.mind.recall(wanted, (), record=False, explained=False)  # so that nothing is loaded for the first time
    await database.read(watch)
    found = await host.mind.recall(wanted, (), record=False, explained=False)
    await database.read(leave)
    return found, statements[1:-1]  # without the end of the one reading and the beginning of the other


async def test_all_that_is_read_is_read_in_one_transaction(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        await furnished(host)
        found, statements = await watched(host)
        assert len(found["items"]) == 5
        verbs = [statement.split()[0] for statement in statements if not statement.startswith("--")]
        assert verbs[0] == "BEGIN"
        assert verbs[-1] == "COMMIT"
        assert set(verbs[1:-1]) == {"SELECT"}
        assert sum("SELECT id, kind, text" in statement for statement in statements) == 1, "notes are read once"


async def test_who_is_hidden_is_not_looked_for_among_all_notes(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False, recall__sharing="conversation") as host:
        await furnished(host)
        await host.hear("We took the ferry to the harbour.")
        _, statements = await watched(host, conversation="main")
        assert not any("lifecycle <> 'forgotten'" in each for each in statements)


async def test_what_is_recorded_is_shown_as_it_is_afterwards(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        await furnished(host)
        seen = await host.mind.recall(RecallRequest(QUESTION, 5), (), record=False, explained=False)
        kept = await host.mind.recall(RecallRequest(QUESTION, 5), (), record=True, explained=False)
        assert kept["recall_id"] is not None
        assert kept["items"] == seen["items"]
