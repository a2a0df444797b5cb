"""Simulated time that passes while somebody talks without end: it passes all the same, and others sleep on it."""

from __future__ import annotations

import threading
from pathlib import Path

from checking import checking
from daemon_fixture import Daemon, daemon_process
from household import DAY, START
from slowness import PATIENCE_S

_TALK = ("I left the green umbrella at the dentist.", "我把绿色的雨伞忘在牙医那里了。")

_BREATH_S = 0.02


def _talk(daemon: Daemon, until: threading.Event, said: list[int]) -> None:
    """Message upon message, never a moment's silence as a mind goes by it."""
    with daemon.client(timeout=PATIENCE_S) as client:
        while not until.wait(_BREATH_S):
            line = {"mind": "luna", "role": "user", "content": _TALK[len(said) % 2], "id": f"l{len(said)}"}
            said.append(client.call("message.add", line)["seq"])


def test_time_passes_beside_talk_without_end(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        api.say("mira", "My sister Ines is allergic to nuts.", speaker="Ann")
        until, said = threading.Event(), list[int]()
        talker = threading.Thread(target=_talk, args=(daemon, until, said))
        talker.start()
        try:
            api.until(lambda: len(said) > 20, "talk")
            passed = api.call("clock.advance", seconds=10 * DAY)
            amid = len(said)
            api.until(lambda: len(said) > amid, "talk that still goes on")
            states = {mind["mind"]: mind["state"] for mind in api.call("system.status")["minds"]}
        finally:
            until.set()
            talker.join(PATIENCE_S)
        assert passed["now"] == "2026-03-11T08:00:00Z"
        assert states == {"mira": "idle", "luna": "working"}, "who is silent sleeps, who is talked to stays awake"
        assert api.notes("mira"), "what fell due meanwhile was done"
        assert said == list(range(1, len(said) + 1))
        api.call("clock.advance", seconds=DAY)  # the talk is over: it falls silent like any other
        states = {mind["mind"]: mind["state"] for mind in api.call("system.status")["minds"]}
        assert states["luna"] == "idle"
        assert api.notes("luna")
