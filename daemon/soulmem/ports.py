"""The ports: what the mind needs from the world, as protocols. Adapters live in `embed/`, `llm/`, `ops/`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from soulmem.core.drafts import LinkDraft, LinkRequest, NoteDraft, SplitRequest, SummariseRequest, Summary

FloatMatrix = NDArray[np.float32]
FloatVector = NDArray[np.float32]


BLIND_BELOW = 0.5
"""Share of known tokens under which an embedder's vector of a text means little: words lead there."""


class Clock(Protocol):
    """The one source of time. All values are integer milliseconds."""

    def now_ms(self) -> int:
        """Wall time, UTC."""
        ...

    def trusted_now_ms(self) -> int:
        """Wall time as decay uses it: an unexplained jump does not move it until it is accepted."""
        ...

    def monotonic_ms(self) -> float:
        """Real elapsed time since an arbitrary start, for durations; never simulated."""
        ...

    @property
    def suspect(self) -> bool:
        """True while the wall clock has jumped and nothing irreversible may happen."""
        ...

    @property
    def simulated(self) -> bool: ...


class Embedder(Protocol):
    """Turns text into unit vectors. Synchronous and thread-safe; callers run it in a worker thread."""

    @property
    def name(self) -> str:
        """For people: `minilm`, `hashing`, `openai:<model>`, `onnx:<folder name>`."""
        ...

    @property
    def fingerprint(self) -> str:
        """12 hex characters of what decides the vectors; equal fingerprints mean comparable vectors."""
        ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Embed texts into an (n, dimension) float32 matrix with rows of unit length.

        Raises:
            SoulmemError: `model_unavailable`, when an endpoint does not answer properly.
        """
        ...

    def coverage(self, text: str) -> float:
        """Share 0..1 of the text's tokens the model knows; below 0.5 its vector means little."""
        ...


class Embedding(Protocol):
    """The embedder at work: in the background for what was written, at once for what is asked."""

    @property
    def embedder(self) -> Embedder: ...

    async def embed_background(self, texts: Sequence[str]) -> FloatMatrix: ...

    async def embed_now(self, text: str) -> FloatVector: ...


class LanguageModel(Protocol):
    """The tasks of a language model. Every implementation answers or raises `model_unavailable`."""

    @property
    def name(self) -> str: ...

    async def summarise(self, request: SummariseRequest) -> Summary: ...

    async def split(self, request: SplitRequest) -> tuple[NoteDraft, ...]: ...

    async def link(self, request: LinkRequest) -> tuple[LinkDraft, ...]: ...


class Emit(Protocol):
    """Writes one event of `schemas/events.json` to the log and to `events.watch`."""

    def __call__(self, event: str, /, **fields: Any) -> None: ...


class Notifier(Protocol):
    """Tells the service manager about our state (systemd's sd_notify)."""

    def notify(self, **fields: str) -> None: ...


@dataclass(frozen=True, slots=True)
class World:
    """Everything a mind reaches beyond its own file."""

    clock: Clock
    emit: Emit
    embedding: Embedding
    model: LanguageModel
