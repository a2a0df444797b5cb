"""Proxying benchmark: how much later does the first word come through `soulmem proxy` than from the endpoint itself?

    python -m benchmarks.speed.proxying [--calls N] [--notes N] [--embedder NAME]

A real daemon with so many notes, a real endpoint that answers at once, and between them a real proxy, which recalls for
every request and hears the talk. Direct calls and proxied ones alternate, over connections that are kept. Printed: p50
and p95 of the time to the first word of both, and of the difference of each pair.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx2

from benchmarks.speed.subject import Subject
from chat_upstream import chat_upstream

_ABOUT = ["bees", "the harbour", "茶叶", "a red bicycle", "里斯本的雨", "choir practice", "榛子蛋糕", "the old mill"]
_WARM_UP = 20
_PAUSE_S = 0.3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=200, help="pairs of calls")
    parser.add_argument("--notes", type=int, default=1000, help="what the mind remembers")
    parser.add_argument("--embedder", default="hashing", help="auto: the embedded model")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as root,
        chat_upstream() as behind,
        Subject(Path(root) / "state", options.embedder) as subject,
        httpx2.Client(timeout=60) as client,
    ):
        fill(subject, options.notes)
        with _Proxy(subject, behind.url, Path(root) / "proxy.log") as url:
            pairs = measure(client, behind.url, url, options.calls)
    direct, proxied = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    found = {
        name: {"p50_ms": round(statistics.median(each), 2), "p95_ms": round(statistics.quantiles(each, n=20)[-1], 2)}
        for name, each in {
            "direct": direct, "proxied": proxied, "overhead": [later - now for now, later in pairs],
        }.items()
    }  # fmt: skip
    load = round(os.getloadavg()[0], 1)
    print(json.dumps({"benchmark": "proxying", **found, "calls": options.calls, "notes": options.notes, "load": load}))


def fill(subject: Subject, notes: int) -> None:
    """Give the mind something to remember."""
    with subject.client() as client:
        client.call("mind.create", {"mind": "bench", "persona": "Pell, a gardener. 佩尔，园丁。"})
        for number in range(notes):
            about = _ABOUT[number % len(_ABOUT)]
            text = f"Mara told of {about} on day {number}, and of number {number * 7919 % 10_007}."
            client.call("note.add", {"mind": "bench", "kind": "semantic", "text": text})
        while next(each for each in client.call("system.status")["minds"] if each["mind"] == "bench")["embed_backlog"]:
            time.sleep(0.05)


def measure(client: httpx2.Client, direct: str, proxied: str, calls: int) -> list[tuple[float, float]]:
    """Milliseconds to the first word, of the endpoint itself and through the proxy."""
    pairs = []
    for number in range(calls + _WARM_UP):
        time.sleep(_PAUSE_S)  # people read before they write; what was said before is heard meanwhile
        words = f"What did Mara tell of {_ABOUT[number % len(_ABOUT)]}, the {number}th time?"
        body = {"model": "tiny", "stream": True, "messages": [{"role": "user", "content": words}]}
        headers = {"X-Soulmem-Persona": "bench", "X-Soulmem-Session": f"s{number}"}
        pair = (first_word_ms(client, direct, body, {}), first_word_ms(client, proxied, body, headers))
        if number >= _WARM_UP:
            pairs.append(pair)
    return pairs


def first_word_ms(client: httpx2.Client, url: str, body: dict[str, object], headers: dict[str, str]) -> float:
    began = time.perf_counter()
    taken = 0.0
    with client.stream("POST", f"{url}/chat/completions", json=body, headers=headers) as answer:
        for piece in answer.iter_raw():
            if not taken and b"Noted" in piece:
                taken = (time.perf_counter() - began) * 1000
    if not taken:
        raise RuntimeError(f"no word came: status {answer.status_code}")
    return taken


class _Proxy:
    """The proxy in a process of its own, for as long as the `with` block lasts."""

    def __init__(self, subject: Subject, upstream: str, log: Path) -> None:
        self._log = log
        command = ["proxy", "--socket", str(subject.socket), "--upstream", upstream, "--listen", "127.0.0.1:0"]
        self._command = [sys.executable, "-m", "soulmem", *command, "--deadline-ms", "20000"]

    def __enter__(self) -> str:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(self._command, stderr=log)
        while not self._log.read_text().endswith("\n"):
            if self._process.poll() is not None:
                raise RuntimeError(f"the proxy did not start: {self._log.read_text()}")
            time.sleep(0.01)
        return self._log.read_text().split()[4].rstrip(",")

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(30)


if __name__ == "__main__":
    main()
