"""What was freed leaves the process, as the system sees it."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

# Small pieces of a thread's own heap, freed but for the last, which keeps its end in use: as after reading a mind.
PROCESS = """
import threading
from pathlib import Path
from soulmem.ops.process.process_memory import give_back

def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

kept = []

def read_and_forget():
    pieces = [bytes(1500) for _ in range(40_000)]
    kept.append(pieces[-1])

thread = threading.Thread(target=read_and_forget)
thread.start()
thread.join()
before = resident_mb()
give_back()
print(before - resident_mb())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has something to give back")
def test_what_was_freed_goes_back_to_the_system() -> None:
    done = subprocess.run([sys.executable, "-c", PROCESS], capture_output=True, text=True, check=True, timeout=30)
    assert float(done.stdout) > 40


HEAPS = """
import ctypes, sys, tempfile, threading
from soulmem.ops.process.process_memory import keep_few_arenas

if sys.argv[1] == "few":
    keep_few_arenas()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
gate = threading.Barrier(13)

def live():
    kept = bytes(1500)
    gate.wait()

threads = [threading.Thread(target=live) for _ in range(12)]
for each in threads:
    each.start()
with tempfile.NamedTemporaryFile() as told:
    stream = libc.fopen(told.name.encode(), b"w")
    libc.malloc_info(0, ctypes.c_void_p(stream))
    libc.fclose(ctypes.c_void_p(stream))
    print(told.read().count(b"<heap nr="))
gate.wait()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has so many heaps")
@pytest.mark.parametrize("how", ["few", "many"])
def test_threads_share_two_heaps(how: str) -> None:
    """Else each thread of each mind begins one of its own, until there are eight for each processor."""
    done = subprocess.run([sys.executable, "-c", HEAPS, how], capture_output=True, text=True, check=True, timeout=30)
    assert (int(done.stdout) <= 2) is (how == "few")
