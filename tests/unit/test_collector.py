"""What is loaded when the daemon is ready is never looked through again."""

from __future__ import annotations

import subprocess
import sys

_PROGRAM = """
import gc
from soulmem.ops.collector import set_aside_what_is_loaded

loaded = [[number] for number in range(20_000)]
set_aside_what_is_loaded()
assert gc.get_freeze_count() > 20_000
assert gc.get_threshold()[0] > 700

class Ring:
    pass

alive = []
gc.callbacks.append(lambda phase, info: alive.append(info))
for _ in range(20_000):
    ring = Ring()
    ring.itself = ring
assert gc.collect() >= 0
assert sum(info["collected"] for info in alive) >= 19_000, "new cycles are found as ever"
"""


def test_what_is_loaded_is_set_aside_and_what_comes_after_is_collected() -> None:
    subprocess.run([sys.executable, "-c", _PROGRAM], check=True, timeout=60)
