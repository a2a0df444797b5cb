"""The engine without a model: summaries, notes and links by extraction, Chinese and English.

Implements the `LanguageModel` port; made by the composition root. It only ever repeats what was said, with
names and dates made explicit. The work runs in a worker thread, so the event loop keeps answering; the same
request gives the same answer, byte for byte.
"""

from __future__ import annotations

from functools import partial

import anyio.to_thread

from soulmem.core.drafts import LinkDraft, LinkRequest, NoteDraft, SplitRequest, SummariseRequest, Summary
from soulmem.llm.extractive import links, notes, rolling
from soulmem.ports import Embedder


class ExtractiveEngine:
    """`LanguageModel` by extraction. With an embedder, repetition is also recognised in other words."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        return "extractive"

    async def summarise(self, request: SummariseRequest) -> Summary:
        """Roll the summary on by the request's turns; within `max_tokens`."""
        work = partial(rolling.summarise, request, self._embedder)
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)

    async def split(self, request: SplitRequest) -> tuple[NoteDraft, ...]:
        """Cut an epoch into notes, each with verbatim quotes of its sources."""
        work = partial(notes.split, request, self._embedder)
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)

    async def link(self, request: LinkRequest) -> tuple[LinkDraft, ...]:
        """Propose links among new and hot notes; at most 3·new + hot."""
        return await anyio.to_thread.run_sync(partial(links.link, request), abandon_on_cancel=True)
