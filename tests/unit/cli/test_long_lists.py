"""Lists longer than what is shown of them: the latest are picked while the list is read, and no more is held."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from soulmem.cli.commands.notes import latest

TIMES = st.lists(st.sampled_from(["2026-03-01T08:00:00Z", "2026-03-02T08:00:00Z", "", "2025-12-31T23:59:59Z"]))


@given(TIMES, st.integers(1, 9))
def test_the_latest_come_first_and_of_one_time_what_is_listed_last(times: list[str], limit: int) -> None:
    items: list[dict[str, Any]] = [{"id": f"n{place}", "at": time or None} for place, time in enumerate(times)]
    found, count = latest(iter(items), limit, "at")
    assert found == sorted(items, key=lambda item: str(item["at"] or ""))[::-1][:limit]
    assert count == len(items)


def test_no_more_is_held_than_is_shown() -> None:
    class Note(dict[str, Any]):
        """One that can be watched."""

    alive = 0
    most = 0

    def gone() -> None:
        nonlocal alive
        alive -= 1

    def listed() -> Iterator[Note]:
        nonlocal alive, most
        for place in range(20_000):
            note = Note(id=f"n{place}", at=f"{place * 7919 % 20_000:05}", text="一只黑猫, a black cat")
            alive += 1
            most = max(most, alive)
            weakref.finalize(note, gone)
            yield note

    found, count = latest(listed(), 50, "at")
    assert count == 20_000
    assert [note["at"] for note in found] == [f"{place:05}" for place in range(19_999, 19_949, -1)]
    assert most < 60
