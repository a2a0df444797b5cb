"""Wire steps: what a method asks of the daemon, step by step, without any I/O.

A method is a generator: it yields calls and is sent their results, so that the blocking and the asynchronous class say
the same. Owns the calls that many of them make: the mind that it all stands in, its conversations, its notes.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from soulmem.client.faults import SoulmemRemoteError
from soulmem.mem0.filter_trees import UNKNOWN, passes
from soulmem.mem0.input_errors import Mem0ValidationError
from soulmem.mem0.memory_config import MemoryConfig
from soulmem.mem0.scope_ids import KEYS, conversation_of, scope_named

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
        made = {"mind": config.mind, "profile": "assistant", "settings": {"recall.sharing": "conversation"}}
        try:
            mind = (yield Call("mind.create", made))["mind"]
        except SoulmemRemoteError as late:
            if late.name != "mind_exists":
                raise
            mind = (yield Call("mind.get", {"mind": config.mind}, retry=True))["mind"]
    if mind["settings"].get("recall.sharing") != "conversation":
        raise Mem0ValidationError(
            f"the mind {config.mind!r} was not made for this: its conversations share what they hear, so scopes would "
            "not hold; name another one, or set its recall.sharing to conversation"
        )
    found: Result = mind
    return found


def pages(method: str, params: Mapping[str, Any], *, most: int | None = None) -> Steps[list[Result]]:
    """All items of a list, or about so many of the first."""
    items: list[Result] = []
    cursor: dict[str, str] = {}
    while True:
        page = yield Call(method, {**params, "limit": _PAGE, **cursor}, retry=True)
        items += page["items"]
        if page["next_cursor"] is None or (most is not None and len(items) >= most):
            return items
        cursor = {"cursor": page["next_cursor"]}


def matching_conversations(config: MemoryConfig, tree: Mapping[str, Any]) -> Steps[list[str]]:
    """The conversations in which there may be what passes."""
    listed = yield from pages("conversation.list", {"mind": config.mind})
    found = []
    for each in listed:
        scope = scope_named(each["name"])
        if scope is not None and passes(tree, dict.fromkeys(KEYS) | scope, otherwise=UNKNOWN) is not False:
            found.append(each["name"])
    return found


def named_in_batches(names: Sequence[str]) -> Iterator[list[str]]:
    """As many names a call as it may have."""
    for first in range(0, len(names), _NAMED):
        yield list(names[first : first + _NAMED])


def notes_heard_in(
    config: MemoryConfig, names: Sequence[str], *, most: int | None = None, **more: Any
) -> Steps[list[Result]]:
    """The notes of these conversations, oldest first; all of them, or about so many."""
    notes: list[Result] = []
    for batch in named_in_batches(names):
        if most is None or len(notes) < most:
            notes += yield from pages("note.list", {"mind": config.mind, "heard_in": batch, **more}, most=most)
    return notes


def notes_of(config: MemoryConfig, scope: Mapping[str, str]) -> Steps[list[Result]]:
    """The notes of one scope alone."""
    return (yield from notes_heard_in(config, [conversation_of(dict(scope))]))


def daemon_time() -> Steps[str]:
    """Now, by the daemon's clock."""
    return str((yield Call("system.ping", {}, retry=True))["now"])
