"""Make a mind by the daemon of a former commit, and keep its files as `upgrades/NNNN.mind.xz` and `NNNN.catalog.xz`.

    python tests/support/lives/freeze_mind.py <commit> <schema version as four digits>

What it tells is `STORY`; `test_upgrades` expects it of every file. The daemon of the commit runs with the packages that
are installed now.
"""

from __future__ import annotations

import json
import lzma
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[2] / "upgrades"
ROOT = HERE.parents[1]
NOW = "2026-03-01T09:00:00Z"
STORY = (
    ("user", "Ann", "I am allergic to hazelnuts."),
    ("assistant", "Mira", "No hazelnuts for you, then."),
    ("user", "Ann", "My sister Ruth moved to Lisbon on Monday."),
    ("assistant", "Mira", "Lisbon! Does she like it?"),
    ("user", "Ann", "She works as a baker there, and her cat is called Biscuit."),
    ("assistant", "Mira", "Biscuit is a good name."),
    ("user", "小苇", "我对青霉素过敏。"),
    ("assistant", "Mira", "好的，我记住了。"),
    ("user", "小苇", "我姐姐在杭州教小提琴，周五来吃晚饭。"),
    ("assistant", "Mira", "那我们做什么菜？"),
    ("user", "小苇", "做鱼吧，她最喜欢清蒸鲈鱼。"),
    ("assistant", "Mira", "好，清蒸鲈鱼。"),
)
UNDIGESTED = (
    ("Ann", "This is not digested yet: the key lies under the blue pot."),
    ("小苇", "还没有整理的话：备用钥匙在蓝花盆下面。"),
)
PINNED = "Ann plays the cello in a quartet on Thursdays."
LINKED = "小苇在灯塔下面找到了一枚旧硬币。"
FORGOTTEN = "The ferry was late."


class _Talker:
    """A client of any version of the protocol: one request, one reply."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        deadline = time.monotonic() + 30
        while True:
            try:
                self._socket.connect(str(path))
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
        self._file = self._socket.makefile("rw", encoding="utf-8")

    def __call__(self, method: str, **params: Any) -> dict[str, Any]:
        self._file.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
        self._file.flush()
        while "id" not in (reply := json.loads(self._file.readline())):
            pass
        if "error" in reply:
            raise SystemExit(f"{method}: {reply['error']}")
        result: dict[str, Any] = reply["result"]
        return result


def tell(call: _Talker) -> None:
    """The story."""
    call("mind.create", mind="mira", title="米拉 of the lighthouse", profile="companion")
    for number, (role, speaker, content) in enumerate(STORY, 1):
        call("message.add", mind="mira", role=role, speaker=speaker, content=content, id=f"m{number}")
    cello = call("note.add", mind="mira", kind="semantic", text=PINNED, importance=0.8, tags=["music"])["id"]
    coin = call("note.add", mind="mira", kind="episodic", text=LINKED, importance=0.6)["id"]
    call("link.add", mind="mira", src=cello, dst=coin, kind="association", strength=0.7)
    call("note.pin", mind="mira", id=cello)
    call("idle.run", mind="mira")
    recalled = call("recall", mind="mira", query="What is Ann allergic to? 过敏", k=5)
    call("feedback", mind="mira", recall_id=recalled["recall_id"], verdict="good")
    ferry = call("note.add", mind="mira", kind="episodic", text=FORGOTTEN, importance=0.1)["id"]
    call("note.forget", mind="mira", id=ferry)
    for number, (speaker, content) in enumerate(UNDIGESTED, 1):
        call(
            "message.add", mind="mira", conversation="second", role="user", speaker=speaker, content=content,
            id=f"open{number}",
        )  # fmt: skip


def freeze(commit: str, version: str) -> None:
    root = Path(tempfile.mkdtemp(prefix="freeze-"))
    archive = subprocess.run(["git", "archive", commit, "daemon", "schemas"], check=True, capture_output=True, cwd=ROOT)
    subprocess.run(["tar", "-x", "-C", str(root)], input=archive.stdout, check=True)
    environment = {**os.environ, "PYTHONPATH": str(root / "daemon"), "SOULMEM_EMBEDDER_NAME": "hashing"}
    command = ["-m", "soulmem", "daemon", "--state", str(root / "state"), "--socket", str(root / "s")]
    process = subprocess.Popen([sys.executable, *command, "--simulated-clock", NOW], env=environment, cwd=root)
    try:
        tell(_Talker(root / "s"))
    finally:
        process.terminate()
        process.wait(30)
    for file, name in (("minds/mira.db", "mind"), ("catalog.db", "catalog")):
        packed = lzma.compress((root / "state" / file).read_bytes(), preset=9 | lzma.PRESET_EXTREME)
        (HERE / f"{version}.{name}.xz").write_bytes(packed)
    shutil.rmtree(root)


if __name__ == "__main__":
    freeze(*sys.argv[1:3])
