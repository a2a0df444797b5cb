"""The benchmark of a year of forgetting looks into the file of the daemon that lives it."""

from __future__ import annotations

from pathlib import Path

from benchmarks.forgetting import forget_year


def test_two_evenings_are_lived_and_their_file_is_looked_into(tmp_path: Path) -> None:
    said: list[str] = []
    year = forget_year.live(tmp_path, days=2, every=2, embedder="hashing", seed=1, settings={}, say=said.append)

    begin, end = year.checkpoints
    assert not year.failures
    assert (begin.notes, begin.remembered_bytes) == (0, 0)
    assert end.notes > begin.notes
    assert 0 < end.remembered_bytes < end.file_bytes
    assert sum(end.tables.values()) in range(end.file_bytes * 9 // 10, end.file_bytes + 1) or not end.tables
    assert len(said) == len(year.checkpoints)
