"""The memory of the process: what was freed in small pieces goes back to the system, and how much it may take.

Called by `runtime` where much is freed at once: when a mind has been read into memory, and after a round of digestion;
by `wiring` when an embedder is loaded; and by `daemon` at the start.
glibc keeps such pieces in the heap of the thread that asked for them, 33 MB after 100,000 notes were read, and nobody
needs that much again. Other C libraries give memory back by themselves or not at all; there nothing is done.
Whoever takes more than its control group allows is killed by the kernel, and a limit of a group above counts as well
(kernel.org, cgroup-v2); `mind_opening` asks for the least. What cannot be read is no limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_ARENA_MAX = -8  # of mallopt(3)
_ARENAS = 2
_PROC, _GROUPS = Path("/proc"), Path("/sys/fs/cgroup")


def keep_few_arenas() -> None:
    """Let all threads share two heaps; before there are any threads.

    Each mind has two threads, and each heap keeps something of every mind that was in it. They take turns anyway.
    """
    import ctypes  # noqa: PLC0415 - NumPy is not loaded yet, which does the same

    choose = getattr(ctypes.CDLL(None), "mallopt", None)
    if choose is not None:
        choose(_ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Return free memory to the system; milliseconds, in which the interpreter is not held."""
    import ctypes  # noqa: PLC0415 - a start does not need it

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def allowed_bytes(proc: Path = _PROC, groups: Path = _GROUPS) -> int | None:
    """How much memory this process may take, the least of all limits; None where none can be read.

    Args: proc, groups: where the kernel tells of processes and of control groups.
    """
    limits = [int(words[1]) * 1024 for words in _lines(proc / "meminfo") if words[0] == "MemTotal:"]
    for name in _own_groups(proc):
        limits += [int(words[0]) for words in _lines(groups / name / "memory.max") if words[0].isdigit()]
    return min(limits, default=None)


def _own_groups(proc: Path) -> Iterator[str]:
    """The group of this process, of version 2, and those above it, below the mount point."""
    for line, *_ in _lines(proc / "self" / "cgroup"):
        if line.startswith("0::/"):
            path = Path(line.removeprefix("0::/"))
            yield from (str(each) for each in (path, *path.parents))


def _lines(path: Path) -> list[list[str]]:
    """The words of each line that has some."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [words for line in text.splitlines() if (words := line.split())]
