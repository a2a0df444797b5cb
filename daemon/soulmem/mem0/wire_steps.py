"""Wire steps: what a method asks of the daemon, step by step, without any I/O.

A method is a generator: it yields calls and is sent their results, so that the blocking and the asynchronous class say
the same. Owns the calls that many of them make: the mind that it all stands in, its conversations, its notes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from soulmem.client.faults import SoulmemRemoteError
from soulmem.mem0.filter_trees import UNKNOWN, passes
from soulmem.mem0.input_errors import Mem0ValidationError
from soulmem.mem0.memory_config import MemoryConfig
from soulmem.mem0.scope_ids import KEYS, scope_named

T = TypeVar("T")
Result = dict[str, Any]
_PAGE = 500  # the most that a list gives at once
_NAMED = 1000  # the most conversations that a call may name
_REFUSALS = frozenset({"invalid_params", "invalid_text", "invalid_time", "too_large"})


class Call(NamedTuple):
    """One call; `timeout` None: the client's; `retry`: it may be sent again where the connection breaks."""

    method: str
    params: Mapping[str, Any]
    timeout: float | None = None
    retry: bool = False


Steps = Generator[Call, Result, T]


def as_input_error(error: SoulmemRemoteError) -> Exception:
    """What the daemon refuses of what it was given is a `ValueError`; all else is as it is."""
    if error.name not in _REFUSALS:
        return error
    return Mem0ValidationError(error.message + (f" ({error.hint})" if error.hint else ""))


# how a mind is made in which each scope is a conversation that shares nothing
OF_SCOPES: Result = {"profile": "assistant", "settings": {"recall.sharing": "conversation"}}


def ensure_mind(config: MemoryConfig) -> Steps[Result]:
    """The mind that the memories stand in, made where there is none.

    Raises Mem0ValidationError: there is one of this name that was not made for this: what is told in one of its
    conversations is known in others.
    """
    try:
        mind = (yield Call("mind.get", {"mind": config.mind}, retry=True))["mind"]
    except SoulmemRemoteError as error:
        if error.name != "mind_not_found":
            raise
        try:
            mind = (yield Call("mind.create", {"mind": config.mind, **OF_SCOPES}))["mind"]
        except SoulmemRemoteError as late:
            if late.name != "mind_exists":
                raise
            mind = (yield Call("mind.get", {"mind": config.mind}, retry=True))["mind"]
    if mind["settings"].get("recall.sharing") != "conversation":
        raise Mem0ValidationError(
            f"the mind {config.mind!r} was not made for this: its conversations share what they hear, so scopes would "
            "not hold; name another one, or set its recall.sharing to conversation"
        )
    config.known.belong_to(mind["created_at"])
    found: Result = mind
    return found


def pages(
    method: str,
    params: Mapping[str, Any],
    *,
    after: str | None = None,
    at_once: int = _PAGE,
    enough: Callable[[list[Result]], bool] = lambda _: False,
) -> Steps[list[Result]]:
    """The items of a list, `after` excluded, page by page until there are enough."""
    items: list[Result] = []
    cursor = after
    while True:
        at = {} if cursor is None else {"cursor": cursor}
        page = yield Call(method, {**params, "limit": min(at_once, _PAGE), **at}, retry=True)
        items += page["items"]
        cursor = page["next_cursor"]
        if cursor is None or enough(items):
            return items


def matching_conversations(config: MemoryConfig, tree: Mapping[str, Any]) -> Steps[list[str]]:
    """The conversations in which there may be what passes."""
    known = config.known
    for each in (yield from pages("conversation.list", {"mind": config.mind}, after=known.last)):
        known.last = each["id"]
        scope = scope_named(each["name"])
        if scope is not None:
            known.scopes[each["name"]] = scope
    return [
        name
        for name, scope in list(known.scopes.items())
        if passes(tree, dict.fromkeys(KEYS) | scope, otherwise=UNKNOWN) is not False
    ]


def named_in_batches(names: Sequence[str]) -> Iterator[list[str]]:
    """As many names a call as it may have."""
    for first in range(0, len(names), _NAMED):
        yield list(names[first : first + _NAMED])


def notes_heard_in(
    config: MemoryConfig,
    names: Sequence[str],
    *,
    at_once: int = _PAGE,
    enough: Callable[[list[Result]], bool] = lambda _: False,
    **more: Any,
) -> Steps[list[Result]]:
    """The notes of these conversations, oldest first, until there are enough."""
    notes: list[Result] = []
    for batch in named_in_batches(names):
        asked = {"mind": config.mind, "heard_in": batch, **more}
        so_far = partial(_with, notes, enough)
        notes = notes + (yield from pages("note.list", asked, at_once=at_once, enough=so_far))
        if enough(notes):
            break
    return notes


def _with(before: list[Result], enough: Callable[[list[Result]], bool], found: list[Result]) -> bool:
    return enough(before + found)


def daemon_time() -> Steps[str]:
    """Now, by the daemon's clock."""
    return str((yield Call("system.ping", {}, retry=True))["now"])
