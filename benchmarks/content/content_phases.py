"""What `content` borrows: the engine that a daemon is given, and the measure of retention.

Called by `content`. The scripted model is `content_model`; the labelled set of what must stay is `retention`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from benchmarks.content.content_data import Life
from benchmarks.forgetting import retention as labelled


class Engine(Protocol):
    def environment(self, life: Life) -> dict[str, str]: ...
    def cost(self, life: Life) -> dict[str, Any]: ...


class Embedded:
    """The engine that needs no model."""

    def environment(self, life: Life) -> dict[str, str]:
        return {}

    def cost(self, life: Life) -> dict[str, Any]:
        return {}


ENGINES = ("embedded", "model")


@contextmanager
def engine(name: str) -> Iterator[Engine]:
    if name == "embedded":
        yield Embedded()
        return
    from benchmarks.content.content_model import scripted_model  # noqa: PLC0415  # only a run with a model needs it

    with scripted_model() as model:
        yield model


def retention(languages: Iterable[str], half: str, directory: Path, embedder: str) -> list[dict[str, Any]]:
    """The rows of the labelled set of what must stay."""
    return labelled.measure(languages=tuple(languages), directory=directory, embedder=embedder, half=half)
