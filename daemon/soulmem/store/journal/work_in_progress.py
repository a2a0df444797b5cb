"""Under way: what background work outside of digestion is at, so that what the daemon dies of is not tried for ever.

Embedding, recalls for messages, full-text feeding, shelving, erasing, what links remember and the opening of minds have
no job of their own, and come back first after a crash.
What they are at stands in one small file of the state directory, written before and after, never flushed: the death of
the process leaves it, and a power cut, which is nobody's fault, may lose it. Who starts next counts the deaths. Called
by the workers through `World.underway`; steps of digestion count theirs in their own rows (`step_quarantine`).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from soulmem.ports import Underway
from soulmem.store.journal.step_quarantine import MOST_DEATHS, WHY
from soulmem.store.sqlite import mind_files

NAME = "underway"
_MOST = 1_024  # remembered; of more what died once is forgotten first, then what is set aside, oldest first
_MOST_BYTES = 1 << 20


class UnderwayFile:
    """The record of one daemon; where it cannot be written, nothing is counted."""

    def __init__(self, state: Path) -> None:
        self._deaths: dict[str, int] = {}
        self._now: Counter[str] = Counter()
        self._descriptor: int | None = None
        self._size = 0  # bytes of the file
        mind_files.tighten(state / NAME)
        with suppress(OSError):
            self._descriptor = os.open(state / NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            content = os.pread(self._descriptor, _MOST_BYTES, 0)
            self._size = len(content)
            self._count(content)
            self._write()

    def _count(self, content: bytes) -> None:
        try:
            found = json.loads(content)
            deaths, died = dict(found["deaths"]), list(found["now"])
        except (ValueError, KeyError, TypeError):
            return
        for key in died:
            deaths[str(key)] = int(deaths.get(key, 0)) + 1
        once = [key for key, count in deaths.items() if count < MOST_DEATHS]
        aside = [key for key, count in deaths.items() if count >= MOST_DEATHS]
        kept = frozenset([*once, *aside][-_MOST:])
        self._deaths = {key: count for key, count in deaths.items() if key in kept}

    @contextmanager
    def at(self, mind: str, step: str, items: Sequence[str] = ("",)) -> Iterator[None]:
        """Work on these items of a mind; when it has ended, however, nobody died of them."""
        keys = [_key(mind, step, item) for item in items]
        self._now.update(keys)
        self._write()
        try:
            yield
        finally:
            self._now.subtract(keys)
            self._now = +self._now
            for key in keys:
                self._deaths.pop(key, None)
            self._write()

    def deaths(self, mind: str, step: str, item: str = "") -> int:
        """How often the daemon died over it, one time after another."""
        return self._deaths.get(_key(mind, step, item), 0)

    def is_set_aside(self, mind: str, step: str, item: str = "") -> bool:
        return self.deaths(mind, step, item) >= MOST_DEATHS

    def aside(self, mind: str) -> list[tuple[str, str]]:
        """What of a mind is set aside: (step, item)."""
        keys = [key.split("/", 2) for key, count in self._deaths.items() if count >= MOST_DEATHS]
        return [(step, item) for name, step, item in keys if name == mind]

    def release(self, mind: str, ids: Collection[str] | None = None) -> list[tuple[str, str]]:
        """Let what of a mind is set aside be tried again, all or what is called so (`id_of`); returns step and item."""
        released = [each for each in self.aside(mind) if ids is None or id_of(*each) in ids]
        gone = {_key(mind, *each) for each in released}
        if ids is None:
            gone.update(key for key in self._deaths if key.startswith(f"{mind}/"))
        self._deaths = {key: count for key, count in self._deaths.items() if key not in gone}
        self._write()
        return released

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _write(self) -> None:
        if self._descriptor is None:
            return
        # As long as before, in one write: who is killed between two would leave the end of a longer record behind it.
        content = json.dumps({"now": sorted(self._now), "deaths": self._deaths}).encode().ljust(self._size)
        with suppress(OSError):  # a full disk: what is not written is not counted
            os.pwrite(self._descriptor, content, 0)
            self._size = len(content)


def id_of(step: str, item: str) -> str:
    """What it is called where it stands beside jobs, for it has no number there."""
    return f"{step} {item}".strip()


def listed(underway: Underway, mind: str) -> list[dict[str, Any]]:
    """What of a mind is set aside, in the form of `digestion_jobs.list_page`; nobody knows when it was begun."""
    unknown = dict.fromkeys(("conversation", "epoch", "created_at", "started_at", "finished_at", "result"))
    return [
        {"id": id_of(step, item), "step": step, "state": "quarantined",
         "attempts": underway.deaths(mind, step, item), "error": WHY} | unknown
        for step, item in underway.aside(mind)
    ]  # fmt: skip


def _key(mind: str, step: str, item: str) -> str:
    return f"{mind}/{step}/{item}"
