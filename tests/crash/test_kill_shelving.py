"""kill -9 while digested messages leave the search indexes or come back: whoever starts again ends where he should."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from daemon_fixture import Daemon, daemon_process, start, wait_ready
from slowness import within
from soulmem.store.session.verify import damages
from soulmem.store.sqlite import offline_reader

pytestmark = pytest.mark.usefixtures("warm_starts")

TORTURE = bool(os.environ.get("SOULMEM_TORTURE"))
MIND = "mira"
SAID = [f"Word number {number} of Ann is quartz{number}. 第{number}句话说的是石英{number}。" for number in range(120)]
KILLS = 20 if TORTURE else 6


def count(path: Path, sql: str) -> int:
    return int(offline_reader.look(path, lambda connection: connection.execute(sql).fetchone()[0]))


def indexed(path: Path) -> int:
    """Messages in the full-text index."""
    return count(path, "SELECT count(*) FROM message_search_docsize")


def choose(daemon: Daemon, *, searched: bool) -> None:
    daemon.call("mind.update", {"mind": MIND, "settings": {"recall.digested_messages": searched}})


def found(daemon: Daemon, number: int) -> bool:
    asked = {"mind": MIND, "query": f"quartz{number}", "kinds": ["message"], "record": False}
    return SAID[number] in [item["text"] for item in daemon.call("recall", asked)["items"]]


@pytest.mark.parametrize("seed", range(1, 4) if TORTURE else [1])
def test_indexes_end_as_the_setting_wants_however_often_the_daemon_dies(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "state" / "minds" / f"{MIND}.db"
    with daemon_process(tmp_path) as daemon:
        daemon.call("mind.create", {"mind": MIND, "settings": {"recall.digested_messages": True}})
        with daemon.client() as client:
            for content in SAID:
                client.call("message.add", {"mind": MIND, "role": "assistant", "content": content})
            client.call("idle.run", {"mind": MIND})
        daemon.settle(MIND)
        assert count(path, "SELECT count(DISTINCT item) FROM vector WHERE kind = 'message'") == len(SAID)
    chance = random.Random(seed)
    half_way = 0
    turn, now = 0, len(SAID)
    while turn < KILLS or (half_way < 2 and turn < 8 * KILLS):  # a batch takes 3 ms: not every kill comes between two
        daemon = start(tmp_path)
        wait_ready(daemon)
        choose(daemon, searched=now == 0 or (now < len(SAID) and chance.random() < 0.5))
        time.sleep(chance.uniform(0.0, 0.025))
        daemon.kill()
        now = indexed(path)
        half_way += 0 < now < len(SAID)
        turn += 1
        assert damages(path) == []
    for searched in (True, False):
        with daemon_process(tmp_path) as daemon:
            daemon.call("job.retry", {"mind": MIND})  # what was under way at two of the kills waits for that
            choose(daemon, searched=searched)
            due = "shelved_through > 0" if searched else f"shelved_through < {1 << 62} AND state = 'consolidated'"
            deadline = time.monotonic() + within(60)
            while count(path, f"SELECT count(*) FROM epoch WHERE {due}") and time.monotonic() < deadline:
                time.sleep(0.02)
            daemon.settle(MIND)
            wanted = len(SAID) if searched else 0
            assert indexed(path) == wanted
            vectors = count(path, "SELECT count(DISTINCT item) FROM vector WHERE kind = 'message'")
            assert vectors == wanted, daemon.call("job.list", {"mind": MIND})
            assert found(daemon, 7) is searched
            assert found(daemon, 113) is searched
        assert damages(path) == []
    assert half_way, "nothing was ever cut off in the middle"
