"""A mind is closed after a rest and opened again for its next caller; one in use is never closed beneath it."""

from __future__ import annotations

import time
from pathlib import Path

from checking import checking
from daemon_fixture import daemon_process

SHORT = {"SOULMEM_MEMORY_CLOSE_AFTER_S": "1"}


def test_an_unused_mind_is_closed_and_opened_again_for_its_next_caller(tmp_path: Path) -> None:
    with daemon_process(tmp_path, env=SHORT) as daemon:
        api = checking(daemon)
        api.note("mira", "The lighthouse key hangs behind the door 钥匙挂在门后")
        deadline = time.monotonic() + 15
        while not daemon.events("mind_closed") and time.monotonic() < deadline:
            time.sleep(0.1)
        assert [record["reason"] for record in daemon.events("mind_closed")] == ["rest"]
        assert [item["kind"] for item in api.found("mira", "钥匙 key")] == ["episodic"]
        assert [record["mind"] for record in daemon.events("mind_opened")] == ["mira", "mira"]


def test_a_mind_whose_last_talk_was_long_ago_stays_open_while_it_is_asked(tmp_path: Path) -> None:
    """A mind that holds only notes has no last message: asking it must not open it over and over."""
    with daemon_process(tmp_path, env=SHORT) as daemon:
        api = checking(daemon)
        api.note("mira", "The lighthouse key hangs behind the door 钥匙挂在门后")
        for _ in range(30):
            assert api.found("mira", "钥匙 key", record=False)
            time.sleep(0.1)
        assert len(daemon.events("mind_opened")) == 1
