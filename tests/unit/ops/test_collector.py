"""What is loaded when the daemon is ready is never looked through again."""

from __future__ import annotations

import subprocess
import sys

_PROGRAM = """
import gc
from soulmem.ops.process.garbage_collector import set_aside_what_is_loaded

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

_OLD_CYCLES = """
import gc, weakref
from soulmem.ops.process.garbage_collector import set_aside_what_is_loaded

loaded = [[number] for number in range(400_000)]
set_aside_what_is_loaded()

class Ring:
    pass

old = Ring()
old.itself = old
ref = weakref.ref(old)
gc.collect(1)
gc.collect(1)
assert ref() is not None
del old
for _ in range(700_000):
    ring = []
    ring.append(ring)
assert ref() is None, "a cycle that grew old is found without anybody asking"
"""

_LOADING = """
import gc
from soulmem.ops.process.garbage_collector import rest_while_loading, set_aside_what_is_loaded

looked = []
gc.callbacks.append(lambda phase, info: looked.append(phase))
rest_while_loading()
loaded = [[number] for number in range(50_000)]
assert not looked, "nothing is collected while it is loaded"
set_aside_what_is_loaded()
assert gc.isenabled() and gc.get_freeze_count() > 50_000
"""


def test_nothing_is_collected_while_the_daemon_is_loaded() -> None:
    subprocess.run([sys.executable, "-c", _LOADING], check=True, timeout=60)


def test_what_grew_old_does_not_wait_for_as_much_as_was_set_aside() -> None:
    subprocess.run([sys.executable, "-c", _OLD_CYCLES], check=True, timeout=60)


def test_what_is_loaded_is_set_aside_and_what_comes_after_is_collected() -> None:
    subprocess.run([sys.executable, "-c", _PROGRAM], check=True, timeout=60)
