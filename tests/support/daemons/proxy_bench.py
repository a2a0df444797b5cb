"""`soulmem proxy` as its users run it: a process of its own before a real endpoint, and the official client."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

import openai

from chat_upstream import ChatUpstream
from daemon_fixture import Daemon
from served_process import served
from soulmem.client import SoulmemRemoteError

Messages = list[Any]
PATIENCE_S = 30.0


@dataclass
class ProxyBench:
    """A proxy, what stands behind it, and the daemon that remembers."""

    url: str
    log: Path
    upstream: ChatUpstream
    daemon: Daemon

    def client(self, **headers: str) -> openai.OpenAI:
        """The official client; underscores of headers stand for dashes, values go percent-encoded."""
        return openai.OpenAI(
            base_url=self.url, api_key="sk-of-the-client", default_headers=_headers(headers), max_retries=0,
            timeout=PATIENCE_S,
        )  # fmt: skip

    @cached_property
    def _client(self) -> openai.OpenAI:
        """One for all requests that are whole: each of its own would read all certificates of the machine anew."""
        return self.client()

    def say(self, messages: Messages, **headers: str) -> str:
        """One request, whole; the words of the answer."""
        client = self._client.with_options(default_headers=_headers(headers))
        answer = client.chat.completions.create(model="tiny", messages=messages)
        return answer.choices[0].message.content or ""

    def heard(self, mind: str, conversation: str = "main") -> list[tuple[str, str]]:
        """Who said what, as the daemon holds it."""
        try:
            page = self.daemon.call("message.list", {"mind": mind, "conversation": conversation, "limit": 500})
        except SoulmemRemoteError as error:
            if error.name not in ("mind_not_found", "not_found"):
                raise
            return []
        return [(item["role"], item["content"]) for item in page["items"]]

    def comes_to_hear(self, mind: str, said: Sequence[tuple[str, str]], conversation: str = "main") -> None:
        """Wait until exactly this is what was heard."""
        deadline = time.monotonic() + PATIENCE_S
        while (found := self.heard(mind, conversation)) != list(said):
            assert time.monotonic() < deadline, found
            time.sleep(0.02)

    def hears(self, mind: str, said: Sequence[tuple[str, str]], conversation: str = "main") -> None:
        """Wait until exactly this is what was heard, and stays it."""
        self.comes_to_hear(mind, said, conversation)
        time.sleep(0.15)
        assert self.heard(mind, conversation) == list(said)

    def close(self) -> None:
        if "_client" in vars(self):
            self._client.close()

    def lines(self) -> list[str]:
        """What it said on stderr, behind where it listens."""
        return self.log.read_text().splitlines()[1:]


@contextlib.contextmanager
def proxy_process(
    upstream: ChatUpstream, daemon: Daemon, *arguments: str, url: str | None = None, **env: str
) -> Iterator[ProxyBench]:
    """A proxy on a free port, or where the arguments say; it ends with 0 and leaves no traceback."""
    asked = list(arguments if {"--listen", "--uds"} & set(arguments) else ("--listen", "127.0.0.1:0", *arguments))
    if "SOULMEM_PROXY_UPSTREAM" not in env:
        asked += ["--upstream", url or upstream.url]
    says = r"soulmem: OpenAI proxy on (\S+/v1), before (\S+)\n"
    with (
        served(["proxy", "--socket", str(daemon.socket), *asked], says, **env) as running,
        contextlib.closing(ProxyBench(running.said[1], running.log, upstream, daemon)) as bench,
    ):
        yield bench


def _headers(named: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): quote(value) for name, value in named.items()}


def user(text: Any) -> dict[str, Any]:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def system(text: str) -> dict[str, Any]:
    return {"role": "system", "content": text}
