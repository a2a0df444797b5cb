"""Detail service: what of a text fades by itself, for notes that no engine drafted.

Given to the notebook by `mind`. The work runs in a worker thread, and the words it knows are loaded there the first
time, for that takes a while.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import anyio.to_thread

from soulmem.core.schema.note_requests import ElementDraft
from soulmem.fast_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Details:
    """The details of a text, without the whole of it; `arousal` 0..1: how stirred up its words are."""

    elements: tuple[ElementDraft, ...] = ()
    arousal: float = 0.0


async def details_of(text: str, at_ms: int) -> Details:
    """Find the details of a text that was told at `at_ms`, UTC milliseconds; Chinese and English, without a model."""

    def work() -> Details:
        module: Any = import_module("soulmem.llm.extractive.details.note_details")  # a module has no type of its own
        return Details(module.details(text, at_ms), module.arousal_of(text))

    return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
