"""How much memory this process may take: that of the machine, or less where its control group has a limit.

Whoever goes beyond it is killed by the kernel. A limit of a group above counts as well (kernel.org, cgroup-v2). Asked
by `mind_opening`. Invariant: what cannot be read is no limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_PROC, _GROUPS = Path("/proc"), Path("/sys/fs/cgroup")


def allowed_bytes(proc: Path = _PROC, groups: Path = _GROUPS) -> int | None:
    """The least of all limits; None where none can be read.

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
