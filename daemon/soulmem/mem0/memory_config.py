"""Configuration: which mind of which daemon, out of what code for Mem0 configures.

What chooses models, stores and prompts is the daemon's business here: it is taken, and has no effect. Ours stands under
`soulmem`. A collection of a vector store keeps applications apart, so without a mind of ours it names the mind.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Mapping
from typing import Any

from soulmem.mem0.input_errors import Mem0ValidationError
from soulmem.mem0.scope_ids import Scope

_LOG = logging.getLogger("soulmem.mem0")
_MIND = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
_OURS = ("mind", "socket", "timeout", "digest_s", "add_policy")
_POLICIES = ("additive", "classic")
_THEIRS = frozenset(
    {
        "llm", "embedder", "vector_store", "graph_store", "reranker", "history_db_path", "version", "api_version",
        "custom_prompt", "custom_instructions", "custom_fact_extraction_prompt", "custom_update_memory_prompt",
    }
)  # fmt: skip


class KnownConversations:
    """The conversations of the mind that stand for scopes, as far as they were listed.

    They only become more, so only the later ones are asked for, until the mind is another by the same name.
    """

    def __init__(self) -> None:
        self.scopes: dict[str, Scope] = {}
        self.last: str | None = None  # the id of the last one that was listed
        self.awaited: dict[str, Any] = {}  # what `add` was told of notes that were not there in time
        self._made_at: str | None = None

    def belong_to(self, made_at: str) -> None:
        """The mind was made then; what is known of another is forgotten."""
        if self._made_at != made_at:
            self._made_at, self.last, self.scopes, self.awaited = made_at, None, {}, {}


class MemoryConfig:
    """`soulmem`: `mind`, its name; `socket`, of the daemon; `timeout` of a call and `digest_s`, how long `add` waits
    for notes, in seconds; `add_policy`, `additive` or `classic` (`changing.as_events`). Whatever else Mem0 knows may be
    given, and has no effect but for the name of a collection.

    >>> MemoryConfig(soulmem={"mind": "support"}).mind
    'support'
    """

    def __init__(self, *, soulmem: Mapping[str, Any] | None = None, **theirs: Any) -> None:
        ours = dict(soulmem or {})
        for name in ours.keys() - set(_OURS):
            raise Mem0ValidationError(f"soulmem.{name}: there is no such setting; there are {', '.join(_OURS)}")
        for name in theirs.keys() - _THEIRS:
            known = ", ".join(sorted({"soulmem", *_THEIRS}))
            raise Mem0ValidationError(f"{name}: there is no such setting; there are {known}")
        if unused := sorted(theirs):
            _LOG.info("without effect here, the daemon's own settings count: %s", ", ".join(unused))
        mind = ours.get("mind") or _mind_of(theirs.get("vector_store"))
        if not isinstance(mind, str) or not _MIND.match(mind):
            raise Mem0ValidationError(
                f"soulmem.mind: {str(mind)[:80]!r} cannot be the name of a mind: a-z, 0-9, - and _"
            )
        self.mind = mind
        socket = ours.get("socket")
        self.socket: str | None = os.fspath(socket) if socket else None
        self.timeout = _seconds(ours.get("timeout", 30.0), "timeout")
        self.digest_s = _seconds(ours.get("digest_s", 600.0), "digest_s")
        policy = ours.get("add_policy", _POLICIES[0])
        if policy not in _POLICIES:
            raise Mem0ValidationError(f"soulmem.add_policy: {str(policy)[:80]!r} is none of {', '.join(_POLICIES)}")
        self.is_classic = policy == "classic"
        self.known = KnownConversations()

    def __repr__(self) -> str:
        return f"MemoryConfig(soulmem={{'mind': {self.mind!r}, 'socket': {self.socket!r}}})"


def read_config(config: object) -> MemoryConfig:
    """Raises Mem0ValidationError."""
    if config is None:
        return MemoryConfig()
    if isinstance(config, MemoryConfig):
        return config
    if not isinstance(config, Mapping):
        raise Mem0ValidationError(f"config must be a dictionary or a MemoryConfig, not {type(config).__name__}")
    return MemoryConfig(**{str(name): value for name, value in config.items()})


def _seconds(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
        raise Mem0ValidationError(f"soulmem.{name}: {value!r} must be a number of seconds above 0")
    return float(value)


def _mind_of(store: Any) -> str:
    settings = store.get("config") if isinstance(store, Mapping) else None
    name = settings.get("collection_name") if isinstance(settings, Mapping) else None
    if not isinstance(name, str) or not name:
        return "mem0"
    return name if _MIND.match(name) else "mem0-" + hashlib.sha256(name.encode(errors="replace")).hexdigest()[:16]
