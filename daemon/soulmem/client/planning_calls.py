"""The methods of plans with their parameters spelt out, inherited by both clients through `Calls`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

Reply = TypeVar("Reply")


class PlanningCalls(ABC, Generic[Reply]):
    """What a client asks of plans."""

    @abstractmethod
    def call(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None, retry: bool = False
    ) -> Reply: ...

    def add_plans(
        self,
        mind: str,
        items: Sequence[Mapping[str, Any]],
        *,
        whose: str | None = None,
        parent: str | None = None,
        conversation: str | None = None,
        key: str | None = None,
    ) -> Reply:
        """Plan something: each item has `text`, `start` and, if you like, `end`, `level`, `importance`, `tags`.

        What cannot be kept beside it gives way (`superseded`, `shortened`). With a `key` it may be repeated freely.
        >>> with Client() as memory:  # doctest: +SKIP
        ...     memory.add_plans("mira", [{"text": "Dinner with Tom", "start": "2026-03-01T19:00:00+01:00"}])
        """
        given = [given_params(**item) for item in items]
        params = given_params(mind=mind, items=given, whose=whose, parent=parent, conversation=conversation, key=key)
        return self.call("plan.add", params, retry=key is not None)

    def plans(self, mind: str, *, since: Any = None, until: Any = None, **filters: Any) -> Reply:
        """What is planned, by time, by pages; `since` and `until` travel as `from` and `to` (`plan.list`)."""
        return self.call("plan.list", given_params(mind=mind, to=until, **{"from": since}, **filters), retry=True)

    def update_plan(self, mind: str, plan: str, *, key: str | None = None, **changes: Any) -> Reply:
        """Change any of text, start, end, status (planned, done, dropped), importance of a plan (`plan.update`)."""
        return self.call("plan.update", given_params(mind=mind, id=plan, key=key, **changes), retry=key is not None)

    def supersede_plans(
        self, mind: str, since: Any, items: Sequence[Mapping[str, Any]] = (), *, until: Any = None,
        key: str | None = None, **more: Any,
    ) -> Reply:  # fmt: skip
        """Plan anew from `since` on: what was planned then gives way, what runs ends there (`plan.supersede`)."""
        given = [given_params(**item) for item in items]
        params = given_params(mind=mind, items=given, to=until, key=key, **{"from": since}, **more)
        return self.call("plan.supersede", params, retry=key is not None)

    def delete_plan(self, mind: str, plan: str, *, conversation: str | None = None, key: str | None = None) -> Reply:
        """Remove a plan for good; what gave way to it holds again."""
        params = given_params(mind=mind, id=plan, conversation=conversation, key=key)
        return self.call("plan.delete", params, retry=key is not None)


def given_params(**params: Any) -> dict[str, Any]:
    """The parameters that were given, `datetime` and `date` as ISO 8601."""
    return {
        name: value.isoformat() if hasattr(value, "isoformat") else value
        for name, value in params.items()
        if value is not None
    }
