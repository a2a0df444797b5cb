"""The methods of `Memory` and `AsyncMemory`, spelt out once, in both dialects of Mem0.

In the first a call names ids beside its query (`user_id=...`, `limit=...`); in the second they stand in its `filters`
(`filters={"user_id": ...}`, `top_k=...`). Both may be mixed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from soulmem.mem0 import adding, changing, finding
from soulmem.mem0.changing import UNSET
from soulmem.mem0.memory_config import MemoryConfig, read_config
from soulmem.mem0.wire_steps import Steps

Reply = TypeVar("Reply")
Self = TypeVar("Self", bound="MemoryMethods[Any]")
Filters = Mapping[str, Any]
_BEST = 20  # of what the second dialect finds, without a number


class MemoryMethods(ABC, Generic[Reply]):
    """Each method returns what `_run` returns: a result, or an awaitable of one.

    Raises Mem0ValidationError, a `ValueError`: something in the call is wrong, or there is no such memory;
    DaemonUnavailable, a `ConnectionError`: no daemon answers; SoulmemRemoteError: it answered with another error.
    """

    def __init__(self, config: MemoryConfig | Mapping[str, Any] | None = None) -> None:
        self.config = read_config(config)

    @classmethod
    def from_config(cls: type[Self], config_dict: Mapping[str, Any]) -> Self:
        """One with this configuration, as Mem0 takes it; what is ours stands under `soulmem`."""
        return cls(config_dict)

    @abstractmethod
    def _run(self, steps: Steps[Any]) -> Reply:
        """Carry out the steps of a method."""

    def _run_caught_up(self, steps: Steps[Any]) -> Reply:
        """The same, after what calls before it said of notes that came late was kept with them."""
        return self._run(adding.caught_up(self.config, steps))

    def add(
        self,
        messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        timestamp: Any = None,
        expiration_date: Any = None,
        infer: bool = True,
        memory_type: str | None = None,
        prompt: str | None = None,
        llm: Any = None,
    ) -> Reply:
        """Remember what was said; the memories that were made of it are found by the next call.

        `infer=False` keeps each message in its own words; `memory_type="procedural_memory"` all of them as one, or
        what `llm` (a function of messages, or what has `invoke`) makes of them.
        """
        ids = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        steps = adding.add(
            self.config, messages, ids, metadata, timestamp, expiration_date, infer, memory_type, prompt, llm
        )
        return self._run_caught_up(changing.as_events(self.config, steps))

    def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        filters: Filters | None = None,
        top_k: int | None = None,
        limit: int | None = None,
        threshold: float | None = None,
        rerank: bool = False,
        explain: bool = False,
        show_expired: bool = False,
    ) -> Reply:
        """What a query brings to mind in a scope, best first; without a `threshold` however unsure."""
        ids = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        count = _count(top_k, limit, _BEST if filters else finding.LISTED)
        return self._run_caught_up(
            finding.search(
                self.config,
                query,
                ids,
                filters,
                count,
                threshold,
                explain=bool(explain),
                show_expired=bool(show_expired),
            )
        )

    def get_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        filters: Filters | None = None,
        top_k: int | None = None,
        limit: int | None = None,
        show_expired: bool = False,
    ) -> Reply:
        """The memories of a scope, oldest first."""
        ids = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        count = _count(top_k, limit, finding.LISTED)
        return self._run_caught_up(finding.get_all(self.config, ids, filters, count, show_expired=bool(show_expired)))

    def get(
        self, memory_id: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Reply:
        """A memory by its id; None where there is none, or it is not of the scope that is named."""
        ids = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        return self._run_caught_up(finding.get(self.config, memory_id, ids))

    def history(
        self, memory_id: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Reply:
        """What was done with a memory, as rows, oldest first; deleted ones too."""
        ids = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        return self._run(finding.history(self.config, memory_id, ids))

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        *,
        data: str | None = None,
        expiration_date: Any = UNSET,
        timestamp: Any = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Reply:
        """Change a memory; metadata is added to what there is, `expiration_date=None` takes the day away."""
        ids = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        return self._run(changing.update(self.config, memory_id, ids, text, data, metadata, expiration_date, timestamp))

    def batch_update(self, memories: Sequence[Mapping[str, Any]]) -> Reply:
        """Change many, each named by its `memory_id` beside what `update` takes; none, if one of them is not there."""
        return self._run(changing.batch_update(self.config, memories))

    def delete(
        self, memory_id: str, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Reply:
        """Delete a memory; for 30 days `restore` brings it back."""
        ids = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        return self._run(changing.delete(self.config, memory_id, ids))

    def batch_delete(self, memories: Sequence[Mapping[str, Any]]) -> Reply:
        """Delete many, each named by its `memory_id`; none, if one of them is not there."""
        return self._run(changing.batch_delete(self.config, memories))

    def delete_all(
        self,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        *,
        dry_run: bool = False,
        purge: bool = False,
    ) -> Reply:
        """Delete the memories of all the ids that are named, and no other; their `ids` can be given to `restore`.

        `dry_run` deletes nothing and says what would go; `purge` takes the messages too, and nothing brings them back.
        """
        ids = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        return self._run_caught_up(changing.delete_all(self.config, ids, dry_run=bool(dry_run), purge=bool(purge)))

    def restore(
        self,
        memory_ids: str | Sequence[str],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Reply:
        """Bring back what was deleted."""
        ids = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        return self._run(changing.restore(self.config, memory_ids, ids))

    def users(self) -> Reply:
        """Whose memories there are: each user, agent and run, with how many of them are its."""
        return self._run_caught_up(finding.users(self.config))

    def reset(self) -> Reply:
        """Delete all memories of the mind, for good."""
        return self._run(changing.reset(self.config))


def _count(top_k: int | None, limit: int | None, otherwise: int) -> int:
    given = limit if top_k is None else top_k
    return otherwise if given is None else given
