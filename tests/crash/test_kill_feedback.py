"""kill -9 while a mind learns from its recalls: at most the turn under way is lost, and none counts half.

A child opens a mind's file and runs turn after turn: a recall is recorded, its trail is remembered, feedback is given.
What it has said to be done must be in the file afterwards, and every vector must hold just the lessons that the
verdicts on record taught.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from learning_bench import EMBEDDER, bench, furnish
from soulmem.core.schema.engine_tasks import Reaction
from soulmem.store.graph import link_memory
from soulmem.store.sqlite import driver, migrations

DEATHS = 40 if os.environ.get("SOULMEM_TORTURE") else 3
TURNS = """
import sys
from pathlib import Path
import anyio
from learning_bench import Bench, bench, trail_of
from soulmem.core.schema.engine_tasks import Reaction

async def turns(path):
    async with bench(path, furnished=True) as house, anyio.create_task_group() as group:
        group.start_soon(house.feedback.run)
        while True:
            recall = await house.recall()
            await house.feedback.remember(recall, trail_of())
            print("recalled", recall, flush=True)
            outcome = await house.feedback.apply(f"r{recall}", Reaction.GOOD, 1.0, ["n3"])
            assert outcome.enhanced == 2, outcome
            print("learnt", recall, flush=True)

anyio.run(turns, Path(sys.argv[1]))
"""


def killed(path: Path, after_s: float) -> dict[str, list[int]]:
    """Let a child live for a while after its first turn; what it said it had done."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    child = subprocess.Popen(
        [sys.executable, "-c", TURNS, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    assert child.stdout is not None
    first = child.stdout.readline()
    time.sleep(after_s)
    child.send_signal(signal.SIGKILL)
    rest, errors = child.communicate(timeout=20)
    assert first.startswith(b"recalled"), errors.decode()
    said: dict[str, list[int]] = {"recalled": [], "learnt": []}
    whole, _, _ = (first + rest).decode().rpartition("\n")  # a line that the kill cut off says nothing
    for line in whole.splitlines():
        what, recall = line.split()
        said[what].append(int(recall))
    return said


def test_a_kill_loses_one_turn_at_most_and_no_lesson_counts_half(tmp_path: Path) -> None:
    path, chance = tmp_path / "mira.db", random.Random(7)
    connection = driver.writer(path)()
    migrations.migrate(connection, path, "mind")
    furnish(connection)
    connection.close()
    learnt = 0
    for _ in range(DEATHS):
        said = killed(path, chance.uniform(0.0, 0.25))
        learnt += len(said["learnt"])
        connection = driver.writer(path)()
        try:
            assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            verdicts = {row[0] for row in connection.execute("SELECT recall FROM feedback WHERE enhanced = 2")}
            assert set(said["learnt"]) <= verdicts, "what was answered is on disk"
            counted = connection.execute("SELECT link, enhanced FROM link_memory ORDER BY link").fetchall()
            assert counted == ([(1, len(verdicts)), (2, len(verdicts))] if verdicts else [])
            lost = connection.execute(
                "SELECT count(*) FROM recall WHERE id >= ? AND id NOT IN (SELECT recall FROM recall_trail)",
                (said["recalled"][0],),
            ).fetchone()[0]
            assert lost <= 1, "the trails of earlier turns are kept"
            for each in link_memory.load(connection, EMBEDDER.fingerprint, EMBEDDER.dimension, 10):
                assert np.isfinite(each.vector).all()
                assert np.linalg.norm(each.vector) <= 1.0
        finally:
            connection.close()
    assert learnt > DEATHS, "it must have learnt for the test to mean anything"


async def test_feedback_on_the_last_recall_before_a_kill_is_answered(tmp_path: Path) -> None:
    """Whether its trail still came to the disk or not."""
    path = tmp_path / "mira.db"
    async with bench(path) as house:
        before = await house.recall()
    said = await asyncio.to_thread(killed, path, 0.0)
    async with bench(path, furnished=True) as house:
        last = await house.feedback.apply(f"r{said['recalled'][-1]}", Reaction.BAD, 1.0, ["n3"])
        assert last.is_recorded
        assert bool(last.warnings) == (not await house.rows(f"SELECT 1 FROM recall_trail WHERE recall = {last.recall}"))
        lost = await house.feedback.apply(f"r{before}", Reaction.BAD, 1.0, ["n3"])
        assert (lost.is_recorded, lost.penalised, len(lost.warnings)) == (True, 0, 1)
