"""The mind that a stream stands in, and who thinks for it: named once, found at the first use.

Invariant: nothing is opened before something is stored or looked for; a mind is made where there is none, in which
nothing fades by itself.
"""

from __future__ import annotations

import os
from datetime import datetime
from functools import cached_property
from typing import Any

from soulmem.client import Client, SoulmemRemoteError
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.generative_agents.insight_engine import ExtractiveEngine, InsightEngine
from soulmem.ops.settings.default_paths import models_directory
from soulmem.ports import Embedder

DEFAULT_MIND = "memory-stream"


class StreamSession:
    """One mind of one daemon."""

    def __init__(self, mind: str, socket: str | None, engine: InsightEngine) -> None:
        self.mind = mind
        self.engine = engine
        self._socket = socket

    @cached_property
    def client(self) -> Client:
        client = Client(self._socket)
        try:
            client.call("mind.create", {"mind": self.mind, "profile": "assistant"})
        except SoulmemRemoteError as error:
            if error.name != "mind_exists":
                client.close()
                raise
        return client

    @cached_property
    def embedder(self) -> Embedder:
        """What texts are made vectors by here: the one the daemon would choose where nothing else is set."""
        name = os.environ.get("SOULMEM_EMBEDDER_NAME", "auto")
        return load_embedder(EmbedderSpec(name), models_directory(os.environ))[0]

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        given = {name: value for name, value in params.items() if value is not None}
        return self.client.call(method, {"mind": self.mind, **given})

    def now(self) -> datetime:
        """The present, by the clock of the daemon."""
        return datetime.fromisoformat(self.client.call("system.ping", {})["now"]).astimezone()

    def close(self) -> None:
        """Let the connection go; the next call opens another."""
        client = self.__dict__.pop("client", None)
        if client is not None:
            client.close()


_SESSIONS: list[StreamSession] = [StreamSession(DEFAULT_MIND, None, ExtractiveEngine())]


def connect(mind: str = DEFAULT_MIND, socket: str | None = None, engine: InsightEngine | None = None) -> StreamSession:
    """Name the mind and the socket that what is made from now on stands in, and who thinks for it.

    Without it: the mind `memory-stream` of the daemon that is found as by any client, and no model.
    """
    _SESSIONS[:] = [StreamSession(mind, socket, engine or ExtractiveEngine())]
    return _SESSIONS[0]


def current() -> StreamSession:
    """The session that was named last."""
    return _SESSIONS[0]
