"""`soulmem view` as its users run it: a process of its own, and what a browser would send to it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import httpx2

from daemon_fixture import Daemon
from served_process import PATIENCE_S, served


@dataclass
class ViewerBench:
    """A page that is served, with the token of its link."""

    address: str
    link: str
    log: Path
    process: Any
    client: httpx2.Client

    def get(self, name: str, **headers: str) -> httpx2.Response:
        return self.client.get(f"{self.address}{name}", headers=headers)

    @property
    def behind_hash(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(self.link.partition("#")[2]).items()}

    @property
    def token(self) -> str:
        return self.behind_hash["token"]

    def post(self, method: str, params: Any = None, **headers: str) -> httpx2.Response:
        """A call as the page sends it; headers named here come in place of its own."""
        own = {
            "authorization": f"Bearer {self.token}", "content-type": "application/json",
            "origin": self.address.rstrip("/"), "sec-fetch-site": "same-origin",
        }  # fmt: skip
        sent = own | {name.replace("_", "-"): value for name, value in headers.items()}
        body = json.dumps({"method": method, "params": params if params is not None else {}})
        return self.client.post(f"{self.address}call", content=body, headers=sent)

    def call(self, method: str, **params: Any) -> Any:
        answer = self.post(method, params)
        assert answer.status_code == 200, answer.text
        return answer.json()["result"]


@contextlib.contextmanager
def viewer_process(daemon: Daemon, *arguments: str, **env: str) -> Iterator[ViewerBench]:
    """A page that is served until the end; it ends with 0, leaves no traceback and tells its token once at the most."""
    asked = ["view", "--socket", str(daemon.socket), "--json", *arguments]
    with (
        served(asked, r"(?s)(\{.*\})\n", **env) as running,
        httpx2.Client(timeout=PATIENCE_S, verify=False) as client,
    ):
        told = json.loads(running.said[1])
        yield ViewerBench(told["address"], told["link"], running.log, running.process, client)
