"""Embedding by an OpenAI-compatible `/embeddings` endpoint: Ollama, llama.cpp, vLLM, or a paid service.

Built by `embedder_choice` when the user names one; called from the threads of `embedding_threads`. The official client
runs on an event loop in a thread of its own, because only there can one deadline end a whole call, a server that drips
bytes included. Invariant: whatever the server does, a caller gets a proper matrix or `model_unavailable`.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from soulmem.embed.adapters.remote_model_fingerprint import recognise
from soulmem.embed.base.text_preparation import legible, unit_rows
from soulmem.errors import SoulmemError, model_unavailable
from soulmem.ports import FloatMatrix

_BATCH_TEXTS = 64
_MAX_CHARS = 6000  # fits 8,192 tokens, the usual limit, in every script
_PROBE = "The first snow of the year fell on Tuesday. 今年的第一场雪下在星期二。"
_GRACE_SECONDS = 1.0


class OpenAIEmbedder:
    """The `Embedder` port over an endpoint; thread-safe. It asks nothing until it is first used."""

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str | None = None,
        *,
        dimensions: int | None = None,
        deadline_s: float = 30.0,
        acquaintances: Path | None = None,
    ) -> None:
        """`deadline_s` bounds each request as a whole; `acquaintances` remembers models met before.

        Raises SoulmemError: `model_unavailable`, when the URL or the model name cannot be one.
        """
        if urlsplit(base_url).scheme not in ("http", "https") or not urlsplit(base_url).hostname:
            raise model_unavailable(f"{base_url!r} is not an http(s) URL", "set `embedder.base_url`")
        if not model:
            raise model_unavailable("no embedding model is named", "set `embedder.model`")
        self._base_url, self._model, self._api_key = base_url, model, api_key
        self._dimensions, self._deadline_s, self._acquaintances = dimensions, deadline_s, acquaintances
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: Any = None
        self._identity: tuple[str, int] | None = None

    @property
    def name(self) -> str:
        return f"openai:{self._model}"

    @property
    def fingerprint(self) -> str:
        """From the model's name and a probe vector; asks the endpoint the first time.

        Raises SoulmemError: `model_unavailable`, when the endpoint does not answer properly.
        """
        return self._identify()[0]

    @property
    def dimension(self) -> int:
        """Asks the endpoint the first time; raises as `fingerprint` does."""
        return self._identify()[1]

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Embed texts into an (n, dimension) float32 matrix with rows of unit length.

        Raises SoulmemError: `model_unavailable`, when the endpoint does not answer properly.
        """
        dimension = self.dimension
        parts = [
            self._request(texts[start : start + _BATCH_TEXTS], dimension)
            for start in range(0, len(texts), _BATCH_TEXTS)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, dimension), dtype=np.float32)

    def coverage(self, text: str) -> float:
        """Always 1.0: an endpoint does not show its vocabulary."""
        return 1.0

    def close(self) -> None:
        """End the thread of the event loop; a request in flight fails. The embedder may be used again."""
        with self._lock:
            loop, client = self._loop, self._client
            self._loop = self._client = None
        if loop is not None:
            future = asyncio.run_coroutine_threadsafe(client.close(), loop)
            with contextlib.suppress(Exception):  # the connections die with the loop in any case
                future.result(_GRACE_SECONDS)
            loop.call_soon_threadsafe(loop.stop)

    def _identify(self) -> tuple[str, int]:
        if self._identity is None:
            probe = self._request([_PROBE], None)[0]
            self._identity = recognise(self._acquaintances, self._model, probe), len(probe)
        return self._identity

    def _request(self, texts: Sequence[str], dimension: int | None) -> FloatMatrix:
        # servers refuse an empty string
        passages = [legible(text, max_chars=_MAX_CHARS) or " " for text in texts]
        try:
            loop = self._running_loop()
            future = asyncio.run_coroutine_threadsafe(self._ask(passages), loop)
            answer = future.result(self._deadline_s + _GRACE_SECONDS)
            matrix = _matrix(answer, len(passages))
        except SoulmemError:
            raise
        except Exception as error:  # against a broken server the client raises nearly anything
            raise self._translated(error) from error
        if dimension is not None and matrix.shape[1] != dimension:
            raise model_unavailable(
                f"{self.name} answered with {matrix.shape[1]} numbers a text where it gave {dimension} before",
                "the model behind `embedder.model` has changed; restart the daemon",
            )
        return unit_rows(matrix, source=self.name)

    async def _ask(self, passages: list[str]) -> Any:
        async with asyncio.timeout(self._deadline_s):
            chosen = {} if self._dimensions is None else {"dimensions": self._dimensions}
            return await self._client.embeddings.create(
                model=self._model, input=passages, encoding_format="float", **chosen
            )

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                import openai  # noqa: PLC0415  # 0.6 s and 40 MB that only its users pay

                self._client = openai.AsyncOpenAI(
                    base_url=self._base_url,
                    api_key=self._api_key or "none",  # the client refuses to be made without one
                    max_retries=0,
                    timeout=self._deadline_s,
                )
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=_serve, args=(self._loop,), name="soulmem-embed-endpoint", daemon=True).start()
            return self._loop

    def _translated(self, error: Exception) -> SoulmemError:
        status = getattr(error, "status_code", None)
        where = f"the embedding endpoint {_without_secrets(self._base_url)}"
        if isinstance(error, TimeoutError | concurrent.futures.TimeoutError):
            return model_unavailable(
                f"{where} did not answer within {self._deadline_s:g} s", "check `embedder.base_url`, or wait"
            )
        if status in (401, 403):
            return model_unavailable(f"{where} refused the key (HTTP {status})", "check `embedder.api_key`")
        if status == 404:
            return model_unavailable(
                f"{where} knows no model {self._model!r}, or no /embeddings (HTTP 404)",
                "check `embedder.model` and `embedder.base_url` (it usually ends in /v1)",
            )
        if status is not None:
            return model_unavailable(f"{where} answered HTTP {status}", "check `embedder.model` and the server's log")
        return model_unavailable(
            f"{where} did not answer properly ({type(error).__name__})",
            "check `embedder.base_url` (it usually ends in /v1) and that the server runs",
        )


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        if tasks:
            loop.run_until_complete(asyncio.wait(tasks, timeout=_GRACE_SECONDS))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _matrix(answer: Any, expected: int) -> FloatMatrix:
    """The answer's vectors in the order of the questions; anything odd about them raises."""
    rows: dict[int, Any] = {item.index: item.embedding for item in answer.data}
    if sorted(rows) != list(range(expected)) or len(answer.data) != expected:
        raise model_unavailable(
            f"the embedding endpoint answered with {len(answer.data)} vectors for {expected} texts",
            "check that `embedder.base_url` is an OpenAI-compatible endpoint",
        )
    if not all(isinstance(row, list) and row and len(row) == len(rows[0]) for row in rows.values()):
        raise model_unavailable(
            "the embedding endpoint answered with vectors of unequal length",
            "check that `embedder.model` is an embedding model",
        )
    return np.asarray([rows[index] for index in range(expected)], dtype=np.float32)


def _without_secrets(base_url: str) -> str:
    parts = urlsplit(base_url)
    return f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}{parts.path}"
