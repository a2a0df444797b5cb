"""Make the pictures of `docs/viewer.md`: tell the lives of `examples` to a daemon, let them fade, photograph each view.

`python docs/viewer_pictures.py [FOLDER]`; needs Node, Chromium and what `make viewer` fetches.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from soulmem.cli.demo.simulated_daemon import Sandbox
from soulmem.client import Client

ROOT = Path(__file__).parents[1]
LIVES = {"pell": ("pear_tide.en.json", "Pell"), "ayan": ("chive_pocket.zh.json", "阿砚")}
NIGHT = timedelta(hours=9)
FADING = timedelta(days=24)
CONFIG = '[embedder]\nname = "hashing"\n'
SHOTS = [
    {"name": "memories", "mind": "pell", "view": "graph", "theme": "dark", "lang": "en"},
    {"name": "note", "mind": "pell", "view": "graph", "theme": "light", "lang": "en", "note": "get it below two before the 21st"},
    {"name": "memories-zh", "mind": "ayan", "view": "graph", "theme": "dark", "lang": "zh", "note": "韭菜盒子"},
    {"name": "timeline", "mind": "pell", "view": "timeline", "theme": "dark", "lang": "en"},
    {
        "name": "recall", "mind": "pell", "view": "recall", "theme": "dark", "lang": "en",
        "question": "What happened to the barometer?",
    },
    {"name": "facts-zh", "mind": "ayan", "view": "facts", "theme": "light", "lang": "zh"},
    {"name": "forgotten", "mind": "pell", "view": "forgotten", "theme": "light", "lang": "en"},
    {"name": "refused", "mind": "ayan", "view": "gate", "theme": "dark", "lang": "en"},
    {"name": "costs", "mind": "pell", "view": "costs", "theme": "light", "lang": "en"},
]  # fmt: skip


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def wait_until(client: Client, at: datetime) -> None:
    left = (at - moment(client.call("system.ping", {})["now"])).total_seconds()
    if left > 0:
        client.call("clock.advance", {"seconds": left}, timeout=300)


def live(client: Client, mind: str, file: str, title: str) -> None:
    """Tell a life as it went, with its nights; asked about it, it remembers some of it better."""
    (talk,) = json.loads((ROOT / "examples" / file).read_text("utf-8"))["conversations"]
    client.call("mind.create", {"mind": mind, "title": title})
    for message in talk["messages"]:
        wait_until(client, moment(message["at"]))
        told = {name: message[name] for name in ("role", "content", "speaker", "conversation", "id")}
        client.call("message.add", {"mind": mind, **told}, timeout=120)
    wait_until(client, moment(talk["messages"][-1]["at"]) + NIGHT)
    client.call("idle.run", {"mind": mind}, timeout=300)
    for question in talk["questions"][:8]:
        client.call("recall", {"mind": mind, "query": question["text"], "k": 4}, timeout=120)


def forget_some(client: Client, mind: str) -> None:
    notes = client.call("note.list", {"mind": mind, "limit": 500})["items"]
    slight = sorted((each for each in notes if each["state"] == "clear"), key=lambda each: each["importance"])[:4]
    for note in [*slight, *[each for each in notes if each["state"] == "blurred"][:1]]:
        client.call("note.forget", {"mind": mind, "id": note["id"]})


@contextlib.contextmanager
def opened(socket: Path, mind: str) -> Iterator[dict[str, str]]:
    command = [sys.executable, "-m", "soulmem", "view", "--socket", str(socket), "-m", mind, "--edit", "--no-open"]
    with subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            lines = ""
            while not lines.endswith("}\n"):
                lines += process.stdout.readline()
            told: dict[str, Any] = json.loads(lines)
            yield {"link": told["link"], "address": told["address"]}
        finally:
            process.terminate()


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "viewer"
    with Sandbox("2026-03-01T08:00:00Z", config=CONFIG) as sandbox, Client(sandbox.socket) as client:
        for mind, (file, title) in LIVES.items():
            live(client, mind, file, title)
        wait_until(client, moment(client.call("system.ping", {})["now"]).astimezone(UTC) + FADING)
        forget_some(client, "pell")
        with contextlib.ExitStack() as pages:
            links = {mind: pages.enter_context(opened(sandbox.socket, mind)) for mind in LIVES}
            asked = {"folder": str(folder.resolve()), "pages": links, "shots": SHOTS}
            subprocess.run(["node", str(ROOT / "viewer/scripts/pictures.mjs"), json.dumps(asked)], check=True)


if __name__ == "__main__":
    main()
