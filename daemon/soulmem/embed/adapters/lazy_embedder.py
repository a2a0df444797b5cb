"""An embedder that is loaded when it is first needed, or when there is time: nobody waits for a model to be READY.

Made by `embedder_choice` for models that run in this process and whose files are complete, so that it is known what it
will be. Loading takes a quarter of a second. Whoever asks for more than the name waits for it, so that is done in
threads only.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from soulmem.ports import Embedder, FloatMatrix

Loaded = tuple[Embedder, str | None]  # with a line saying why it is not the one that was asked for


class LateEmbedder:
    """The `Embedder` port over what `load` returns; it is called once, by whoever comes first."""

    def __init__(self, name: str, load: Callable[[], Loaded], after: Callable[[], None] | None = None) -> None:
        """Args: name: what it is called until it is loaded; after: called once it is, for loading needs much memory."""
        self._name = name
        self._load = load
        self._after = after
        self._turn = threading.Lock()
        self._loaded: Loaded | None = None

    def loaded(self) -> Loaded:
        """The embedder itself, and why it is not the one that was asked for."""
        with self._turn:
            if self._loaded is None:
                loaded = self._load()
                _ = loaded[0].fingerprint  # of these files: others may take their place before somebody asks
                self._loaded = loaded
                if self._after is not None:
                    self._after()
            return self._loaded

    @property
    def name(self) -> str:
        return self._name if self._loaded is None else self._loaded[0].name

    @property
    def fingerprint(self) -> str:
        return self.loaded()[0].fingerprint

    @property
    def dimension(self) -> int:
        return self.loaded()[0].dimension

    @property
    def holds_interpreter(self) -> bool:
        return bool(getattr(self.loaded()[0], "holds_interpreter", False))

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        return self.loaded()[0].embed(texts)

    def coverage(self, text: str) -> float:
        return self.loaded()[0].coverage(text)
