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
from soulmem.ops.process.heap_trim import give_back

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
