"""How much memory may be taken, and how many minds are opened with it, read from files as the kernel writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from soulmem.minds.mind_opening import most_open
from soulmem.ops.process.process_memory import allowed_bytes

MIB = 1 << 20
_MACHINE = 16_384 * MIB


def _kernel(root: Path, group: str, limits: dict[str, str], *, machine: int = _MACHINE) -> tuple[Path, Path]:
    """Files like those of /proc and /sys/fs/cgroup. Args: limits: `memory.max` of each group."""
    proc, groups = root / "proc", root / "cgroup"
    (proc / "self").mkdir(parents=True)
    (proc / "meminfo").write_text(f"MemTotal:       {machine // 1024} kB\nMemFree:          1000 kB\n")
    (proc / "self" / "cgroup").write_text(f"4:memory:/elsewhere\n0::/{group}\n")
    groups.mkdir()
    for name, limit in limits.items():
        (groups / name).mkdir(parents=True, exist_ok=True)
        (groups / name / "memory.max").write_text(f"{limit}\n")
    return proc, groups


@pytest.mark.parametrize(
    ("limits", "allowed"),
    [
        ({}, _MACHINE), ({"a/b": "max"}, _MACHINE), ({"a/b": str(256 * MIB)}, 256 * MIB),
        ({"a/b": "max", "a": str(512 * MIB)}, 512 * MIB), ({"a/b": str(256 * MIB), "a": str(512 * MIB)}, 256 * MIB),
        ({"": str(128 * MIB)}, 128 * MIB), ({"elsewhere": str(MIB)}, _MACHINE), ({"a/b": "not a number"}, _MACHINE),
        ({"a/b": str(99_999 * MIB)}, _MACHINE), ({"a/b": ""}, _MACHINE),
    ],
)  # fmt: skip
def test_the_least_limit_counts(tmp_path: Path, limits: dict[str, str], allowed: int) -> None:
    assert allowed_bytes(*_kernel(tmp_path, "a/b", limits)) == allowed


def test_what_cannot_be_read_is_no_limit(tmp_path: Path) -> None:
    assert allowed_bytes(tmp_path / "proc", tmp_path / "cgroup") is None
    assert most_open(None, soft_files=1_000_000) == 256


@pytest.mark.parametrize(
    ("memory", "files", "minds"),
    [(16_384, 4096, 256), (1_024, 4096, 160), (512, 4096, 80), (16, 4096, 4), (512, 400, 20), (16_384, 400, 20)],
)
def test_open_minds_take_half_of_the_memory_at_most(memory: int, files: int, minds: int) -> None:
    assert most_open(memory * MIB, soft_files=files) == minds


def test_the_limit_of_this_very_process_is_read() -> None:
    found = allowed_bytes()
    assert found is not None
    assert found > 64 * MIB
