"""The form of ids: plain for a mind's owner, blind in front of whom something may be hidden from.

The one place where ids are translated, both ways: what comes in by the parameters that are marked as ids
(`rpc/methods/wire_shapes`), what goes out by the ids themselves (`ItemId`), wherever they stand in a result or error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from soulmem.core.schema.blind_ids import BlindIds, Sentence, is_blind
from soulmem.errors import ErrorName, SoulmemError
from soulmem.minds.registry import MindRegistry


async def read_ids(minds: MindRegistry, params: Any, fields: Sequence[str]) -> Any:
    """The parameters with their ids (`fields`) in the plain form; a plain one is none where ids are blind."""
    given = {name: value for name in fields if (value := getattr(params, name)) is not None}
    if not given:
        return params
    conversation = _conversation(params)
    some_blind = any(is_blind(text) for value in given.values() for text in _texts(value))
    if conversation is None and not some_blind:
        return params
    try:
        async with minds.use(params.mind) as mind:
            hides = mind.scoping.hides_from(conversation)
            if not hides and not some_blind:
                return params
            ids = await mind.scoping.blind_ids()
    except SoulmemError as error:
        if error.name is ErrorName.MIND_NOT_FOUND:
            return params  # the method says so, after what else it has to say
        raise

    def read(value: Any) -> Any:
        if isinstance(value, list):
            return [ids.read(text, plain_too=not hides) for text in value]
        return ids.read(value, plain_too=not hides)

    return params.model_copy(update={name: read(value) for name, value in given.items()})


async def show_ids(minds: MindRegistry, params: Any, result: dict[str, Any]) -> dict[str, Any]:
    """The result as it goes out."""
    ids = await _blinding(minds, params)
    if ids is None:
        return result
    shown: dict[str, Any] = ids.shown(result)
    return shown


async def show_ids_of_error(minds: MindRegistry, params: Any, error: SoulmemError) -> None:
    """Let an error name ids as a result would."""
    if not isinstance(error.message, Sentence) and not isinstance(error.hint, Sentence):
        return
    ids = await _blinding(minds, params)
    if ids is not None:
        error.message, error.hint = ids.shown(error.message), ids.shown(error.hint)


async def _blinding(minds: MindRegistry, params: Any) -> BlindIds | None:
    conversation = _conversation(params)
    if conversation is None:
        return None
    async with minds.use(params.mind) as mind:
        return await mind.scoping.blind_ids() if mind.scoping.hides_from(conversation) else None


def _conversation(params: Any) -> str | None:
    found: str | None = getattr(params, "conversation", None)
    return found


def _texts(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]
