"""What was said to a mind does not stay in the process once the mind is gone: counted, of many minds.

The folder made here goes before all on PYTHONPATH; Python reads `sitecustomize` there before the daemon begins. Told by
a signal, it writes down how many texts of these minds stand in anything that Python keeps.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from daemon_fixture import Daemon, start, wait_ready
from slowness import PATIENCE_S

_MINDS = 200 if os.environ.get("SOULMEM_TORTURE") else 60
_MARK = "Quillfeather"  # a word of nobody else's
_COUNT = """
import gc, os, signal

def _texts(kept):
    each = [*kept.keys(), *kept.values()] if isinstance(kept, dict) else list(kept)
    return {text for text in each if isinstance(text, str) and os.environ["COUNT_OF"] in text}

def _count(*_):
    gc.unfreeze()
    gc.collect()
    found = set()
    for kept in gc.get_objects():
        if isinstance(kept, (dict, list, set, frozenset, tuple)):
            found |= _texts(kept)
    with open(os.environ["COUNT_TO"] + ".new", "w") as told:
        told.write("\\n".join(sorted(found)))
    os.rename(os.environ["COUNT_TO"] + ".new", os.environ["COUNT_TO"])

signal.signal(signal.SIGUSR1, _count)
"""


def _kept(daemon: Daemon, told: Path) -> list[str]:
    told.unlink(missing_ok=True)
    daemon.process.send_signal(signal.SIGUSR1)
    ends = time.monotonic() + PATIENCE_S
    while not told.exists():
        assert time.monotonic() < ends
        time.sleep(0.01)
    return told.read_text("utf-8").splitlines()


@pytest.mark.thorough
@pytest.mark.timeout(400)
def test_texts_of_minds_that_came_and_went_are_not_kept(tmp_path: Path) -> None:
    hook, told = tmp_path / "hook", tmp_path / "told"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(_COUNT, encoding="utf-8")
    path = os.pathsep.join((str(hook), *(each for each in (os.environ.get("PYTHONPATH"),) if each)))
    daemon = start(tmp_path, env={"PYTHONPATH": path, "COUNT_OF": _MARK, "COUNT_TO": str(told)}, warm=False)
    try:
        wait_ready(daemon)
        with daemon.client() as client:
            for number in range(_MINDS):
                mind = {"mind": f"m{number}"}
                client.call("message.add", {**mind, "role": "user", "content": f"{_MARK} {number} 住在北京。"})
                client.call("recall", {**mind, "query": f"Where is {_MARK} {number}? 在哪里？"})
                if number == 0:
                    assert _kept(daemon, told), "they are seen while they are there"
                client.call("mind.delete", {**mind, "confirm": mind["mind"]})
        kept = _kept(daemon, told)
        assert len(kept) <= 2, kept[:5]  # of the call that came last
    finally:
        assert daemon.terminate() == 0
