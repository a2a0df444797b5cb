"""What was said and is in no note: asked for apart from what was refused, with and without a language model."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from misbehaviours import M
from scripted_endpoint import scripted_endpoint

TALK = (
    ("user", "Ann", "Hey Mira, good evening! How are you?"),
    ("assistant", "Mira", "Hello Ann, all well. Tell me everything!"),
    ("user", "Ann", "My brother Ivo bought a boat in Split. I am allergic to hazelnuts. lol"),
    ("user", "Ann", "The rent went up to 900 and my car broke down."),
    ("user", "小苇", "哈哈哈！我下周四去体检。你说我要空腹吗？"),
    ("user", "小苇", "我爸学会发微信了"),
    ("assistant", "Mira", "太好了！"),
)
TOLD = {3: ("boat", "hazelnuts"), 4: ("900", "broke down"), 5: ("体检",), 6: ("微信",)}


def told(daemon: Daemon) -> tuple[list[dict[str, Any]], list[dict[str, Any]], dict[str, Any]]:
    """The notes of the talk, what was left out of it, and the audit's counts."""
    for role, speaker, content in TALK:
        daemon.call("message.add", {"mind": "mira", "role": role, "speaker": speaker, "content": content})
    daemon.call("idle.run", {"mind": "mira", "wait": True})
    page = daemon.call("audit.list", {"mind": "mira", "outcome": "left_out", "limit": 500})
    return daemon.call("note.list", {"mind": "mira"})["items"], page["items"], page["counts"]


def assert_whole(notes: list[dict[str, Any]], rows: list[dict[str, Any]], counts: dict[str, Any]) -> None:
    for seq, words in TOLD.items():
        told_of = [note["text"] for note in notes if seq in {source["seq"] for source in note["sources"]}]
        assert all(any(word in text for text in told_of) for word in words), (seq, told_of)
    assert {row["outcome"] for row in rows} == {"left_out"}
    assert {row["reason"] for row in rows} <= {"small_talk", "question", "no_statement"}
    assert {row["seq"] for row in rows} >= {1, 7}
    assert len({(row["seq"], row["reason"]) for row in rows}) == len(rows)
    assert counts["left_out"] == sum(row["count"] for row in rows) == sum(counts["left_out_by_reason"].values())


def test_small_talk_can_be_looked_up_and_is_no_junk(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        assert_whole(*told(daemon))
        audit = daemon.call("audit.list", {"mind": "mira", "reason": "question"})
        assert audit["items"]
        assert audit["counts"]["refused"] == 0
        assert audit["junk_rate"] == 0.0
        assert daemon.call("audit.list", {"mind": "mira", "outcome": "refused"})["items"] == []

        def shown(*options: str) -> str:
            command = [sys.executable, "-m", "soulmem", "audit", "--mind", "mira", "--socket", str(daemon.socket)]
            return subprocess.run([*command, *options], capture_output=True, text=True, check=True, timeout=60).stdout

        assert "nothing was refused" in shown()
        assert "small_talk" in shown("--left-out")
        assert "哈哈哈" in shown("--left-out")


@pytest.mark.parametrize("did", [M.NONE, M.NO_JSON, M.BROKEN], ids=lambda did: did.value)
def test_what_a_model_leaves_untold_is_told_after_all(tmp_path: Path, did: M) -> None:
    with scripted_endpoint() as endpoint:
        endpoint.misbehaviour = did
        env = {"BASE_URL": endpoint.url, "MODEL": "tiny", "DEADLINE_S": "2", "RETRIES": "0", "PATIENCE_S": "0"}
        with daemon_process(tmp_path, env={f"SOULMEM_ENGINE_{name}": value for name, value in env.items()}) as daemon:
            assert_whole(*told(daemon))
