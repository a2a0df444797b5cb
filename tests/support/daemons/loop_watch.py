"""A watch on the event loop of a daemon under test: which of its callbacks took how much of the processor.

The folder it makes goes before all on PYTHONPATH; Python reads `sitecustomize` there before the daemon begins.
Processor time of the loop's own thread is counted, so that nobody else who uses the machine or the interpreter shows.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

_WATCH = """
import asyncio.events, json, os, time

_run, _told = asyncio.events.Handle._run, {}

def _watched(handle):
    began = time.thread_time()
    _run(handle)
    ms = (time.thread_time() - began) * 1000
    if ms > 5.0:
        task = getattr(handle._callback, "__self__", None)
        coroutine = task.get_coro() if hasattr(task, "get_coro") else None
        name = getattr(coroutine, "__qualname__", None) or repr(handle._callback)
        where = getattr(coroutine, "cr_frame", None)
        inner = coroutine
        while getattr(inner, "cr_await", None) is not None and hasattr(inner.cr_await, "cr_code"):
            inner = inner.cr_await
        name += " > " + getattr(inner, "__qualname__", "")
        with open(os.environ["LOOP_WATCH"], "a") as kept:
            kept.write(json.dumps([round(ms, 1), name, time.monotonic()]) + "\\n")

asyncio.events.Handle._run = _watched
"""


_STEPS, _ORDINARY_MS = 100_000, 3.0  # as in `slowness`


def processor_slowness() -> float:
    """How many times longer a fixed piece of work takes a processor here than an ordinary one; at least 1."""
    began = time.thread_time()
    total = 0
    for step in range(_STEPS * 5):
        total += step
    return max(1.0, (time.thread_time() - began) * 1000 / 5 / _ORDINARY_MS)


def watched(folder: Path) -> dict[str, str]:
    """The environment of a daemon whose loop is watched."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sitecustomize.py").write_text(_WATCH, encoding="utf-8")
    before = [each for each in (os.environ.get("PYTHONPATH"),) if each]
    return {"PYTHONPATH": os.pathsep.join((str(folder), *before)), "LOOP_WATCH": str(folder / "kept")}


def slow(folder: Path) -> list[tuple[float, str, float]]:
    """What took more than 5 ms: milliseconds, what it was, when it ended."""
    kept = folder / "kept"
    return [tuple(json.loads(line)) for line in kept.read_text("utf-8").splitlines()] if kept.exists() else []
