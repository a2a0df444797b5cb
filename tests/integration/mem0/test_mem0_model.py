"""`add` where a language model makes the notes: in time, too late, or not at all."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from daemon_fixture import Daemon, daemon_process
from scripted_endpoint import M, ScriptedEndpoint, scripted_endpoint
from soulmem.mem0 import Memory


@contextmanager
def _behind(endpoint: ScriptedEndpoint, root: Path, **more: str) -> Iterator[Daemon]:
    engine = {"BASE_URL": endpoint.url, "MODEL": "tiny", "RETRIES": "0", "PATIENCE_S": "0", **more}
    with daemon_process(root, env={f"SOULMEM_ENGINE_{name}": value for name, value in engine.items()}) as daemon:
        yield daemon


def test_notes_of_a_model_come_back_and_one_that_is_away_loses_nothing(tmp_path: Path) -> None:
    with scripted_endpoint() as endpoint, _behind(endpoint, tmp_path, DEADLINE_S="5") as daemon:
        with Memory({"soulmem": {"socket": str(daemon.socket)}}) as memory:
            for text, word, misbehaves in (("I love jazz.", "jazz", M.NONE), ("我住在杭州。", "杭州", M.DOWN)):
                endpoint.misbehaviour = misbehaves
                added = memory.add(text, user_id=word, metadata={"k": word})["results"]
                assert any(word in each["memory"] for each in added)
                found = memory.search(word, user_id=word)["results"]
                assert {item["id"] for item in found} == {each["id"] for each in added}
                assert all(item["metadata"] == {"k": word} for item in found)
        assert endpoint.requests


def test_what_is_said_of_notes_that_come_late_is_kept_with_them(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with scripted_endpoint() as endpoint, _behind(endpoint, tmp_path, DEADLINE_S="30") as daemon:
        endpoint.latency_s = 0.4
        with Memory({"soulmem": {"socket": str(daemon.socket), "digest_s": 0.1}}) as memory:
            with caplog.at_level(logging.WARNING):
                added = memory.add("I love jazz.", user_id="a", metadata={"k": 1}, expiration_date="2999-01-01")
            assert added == {"results": []}
            assert "still at making notes" in caplog.text
            daemon.call("idle.run", {"mind": "mem0"})
            deadline = time.monotonic() + 60
            while not (found := memory.get_all(user_id="a")["results"]) and time.monotonic() < deadline:
                daemon.call("idle.run", {"mind": "mem0"})
            assert found
            for item in memory.search("jazz", user_id="a", limit=5)["results"]:
                assert (item["metadata"], item["expiration_date"]) == ({"k": 1}, "2999-01-01")
            assert [row["event"] for row in memory.history(found[0]["id"])] == ["ADD"]
            assert not memory.config.known.awaited
