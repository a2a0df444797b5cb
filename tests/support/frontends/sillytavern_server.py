"""SillyTavern itself, from the npm registry: its server on data of its own, and its page in a real browser.

`make integrations` brings SillyTavern, `make viewer` what drives a browser; the browser is Chromium.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
PROGRAM = Path(os.environ.get("SILLYTAVERN", ROOT / ".integrations/sillytavern/node_modules/sillytavern"))
BROWSER_TOOLS = ROOT / "viewer" / "node_modules"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PAGE = ROOT / "tests" / "support" / "frontends" / "sillytavern_page.mjs"
NODE = shutil.which("node") or ""
LACKING = next(
    (
        reason
        for reason, is_there in (
            ("there is no node", bool(NODE)),
            ("SillyTavern is not installed; `make integrations` brings it", PROGRAM.is_dir()),
            (f"there is no {CHROMIUM}", Path(CHROMIUM).exists()),
            ("`make viewer` has not fetched playwright-core", (BROWSER_TOOLS / "playwright-core").is_dir()),
        )
        if not is_there
    ),
    "",
)
_STARTS_S = 300  # it packs the libraries of its page when it starts


@dataclass(frozen=True, slots=True)
class SillyTavern:
    """A running server and the folder of its user."""

    address: str
    user: Path

    def play(
        self, steps: list[dict[str, Any]], *, characters: list[str], group: str = "", picture: str = ""
    ) -> dict[str, Any]:
        """What the page shows after these steps; no script of it failed on the way."""
        asked = {
            "address": self.address, "tools": str(BROWSER_TOOLS), "browser": CHROMIUM, "characters": characters,
            "group": group, "steps": steps, "picture": picture,
        }  # fmt: skip
        done = subprocess.run(
            [NODE, str(PAGE), json.dumps(asked)], capture_output=True, text=True, timeout=280, check=False
        )
        assert done.returncode == 0, done.stderr
        played: dict[str, Any] = json.loads(done.stdout)
        assert not played["faults"], played["faults"]
        return played

    def settings(self) -> dict[str, Any]:
        """What its server keeps of the settings."""
        kept: dict[str, Any] = json.loads((self.user / "settings.json").read_text("utf-8"))
        return kept


@contextlib.contextmanager
def sillytavern(folder: Path, extension: Path, endpoint: str) -> Iterator[SillyTavern]:
    """SillyTavern as its user has it who followed the README of the extension, before this endpoint."""
    user = folder / "data" / "default-user"
    (user / "extensions").mkdir(parents=True)
    shutil.copytree(extension, user / "extensions" / "soulmem")
    settings = json.loads((PROGRAM / "default" / "content" / "settings.json").read_text("utf-8"))
    settings |= {"firstRun": False, "username": "Mara", "main_api": "openai"}
    settings["power_user"]["auto_connect"] = True
    settings["oai_settings"] |= {
        "chat_completion_source": "custom", "custom_url": endpoint, "custom_model": "tiny", "stream_openai": True,
    }  # fmt: skip
    settings["extension_settings"]["soulmem"] = {"proxy": endpoint.removesuffix("/v1")}
    (user / "settings.json").write_text(json.dumps(settings), "utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        NODE, "server.js", "--dataRoot", str(folder / "data"), "--configPath", str(folder / "config.yaml"),
        "--port", str(port), "--browserLaunchEnabled", "false",
    ]  # fmt: skip
    log = folder / "sillytavern.txt"
    with log.open("wb") as out, subprocess.Popen(command, cwd=PROGRAM, stdout=out, stderr=out) as server:
        try:
            running = SillyTavern(f"http://127.0.0.1:{port}/", user)
            _wait_for(running.address, server, log)
            yield running
        finally:
            server.terminate()
            server.wait(30)


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _STARTS_S
    while True:
        with contextlib.suppress(OSError, urllib.error.URLError), urllib.request.urlopen(address, timeout=5):
            return
        assert server.poll() is None, log.read_text("utf-8")[-2000:]
        assert time.monotonic() < deadline, log.read_text("utf-8")[-2000:]
        time.sleep(0.2)
