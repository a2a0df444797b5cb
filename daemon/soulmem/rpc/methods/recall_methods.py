"""What a mind is asked: the methods of recall, of the context of a prompt, and of feedback."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import Field

from soulmem.core.reranking import filter_expressions
from soulmem.core.reranking.stream_ranking import Emphasis, StreamWish
from soulmem.core.schema.attribute_filters import InvalidFilterError, checked_tree
from soulmem.core.schema.engine_tasks import Reaction
from soulmem.core.schema.note_requests import NoteKind
from soulmem.errors import ErrorName, SoulmemError
from soulmem.minds.mind_api import Mind
from soulmem.rpc.methods.method_service import Service
from soulmem.rpc.methods.wire_shapes import (
    ID,
    TIME_WORDS,
    AskedTime,
    Excluded,
    HeardIn,
    Identifier,
    InFrontOf,
    Label,
    MindParams,
    Mood,
    Share,
    Text,
    asked_as_of,
    asked_span,
    optional,
    preset,
)
from soulmem.rpc.transport.jsonrpc import Peer
from soulmem.rpc.transport.peer_access import Rights
from soulmem.store.sqlite import list_pages
from soulmem.working.recall.recall_request import RecallRequest
from soulmem.working.respond.prompt_context import DEFAULT_TOKENS, ContextRequest

AskedAttributes = Annotated[
    dict[str, Any] | None,
    Field(
        description='only what has these attributes: {"topic": "bees"}, {"stars": {"gte": 4}}, with eq ne in nin gt '
        'gte lt lte contains icontains, "*" for any value, and AND, OR, NOT of lists; what has faded matches nothing'
    ),
]


class Recall(MindParams):
    query: Text = Field(description="what is asked, or what the talk is about; 1 B to 256 KiB of UTF-8")
    k: int = preset(
        10,
        "at most so many items; left out, a question for all of something (which cities) brings up to 40",
        ge=1,
        le=500,
    )
    depth: Literal["skim", "normal", "deep"] | None = optional(
        "how hard to think: skim follows few links, deep asks a language model, if there is one; left out, the "
        "question says how far links are followed, and no model judges before the answer"
    )
    conversation: InFrontOf = None
    heard_in: HeardIn = None
    kinds: list[str] | None = optional("only these: message, summary, note, or kinds of notes like episodic")
    speaker: Label | None = optional("only what this speaker said")
    from_: AskedTime | None = optional(f"only what happened at or after this time, {TIME_WORDS}", alias="from")
    to: AskedTime | None = optional(f"only what happened before this time, {TIME_WORDS}: before their end")
    tags: list[Label] | None = optional("only notes with all of these tags", max_length=64)
    attributes: AskedAttributes = None
    exclude: Excluded = None
    as_of: AskedTime | None = optional(
        f"what held then is wanted, not what holds now (valid time); not in the future; {TIME_WORDS}: at their end"
    )
    ranking: Literal["association", "stream"] = preset(
        "association", "stream ranks notes by how recent, important and relevant they are"
    )
    filter: str | None = optional(f"what passes in the memory stream, at most {filter_expressions.LONGEST} characters")
    weights: Literal["even", "relevance"] | None = optional(
        "what counts most in the memory stream: nothing, or relevance"
    )
    record: bool = preset(True, "whether it counts as remembering, which strengthens what came; false leaves no trace")
    explain: bool = preset(False, "say of each item why it came: scores, and the links that led to it")
    mood: Mood = None
    min_score: Share | None = optional(
        "items that score less are not returned, 0 returns all; without it as the mind is set "
        "(recall.min_score), where a statement needs a third"
    )
    reach: Literal["memory", "archive"] = preset(
        "memory",
        "archive, for the owner alone (admin rights): also what was said word for word and is recalled no more, found "
        "by its words; such items are marked by from. They are not remembered by it: nothing of them is recorded",
    )


async def recall(service: Service, params: Recall, peer: Peer) -> dict[str, Any]:
    started = service.world.clock.monotonic_ms()
    stream = _stream(params)
    if params.reach == "archive":
        _check_archive(params, peer)
    now = service.world.clock.now_ms()
    since, until = asked_span(params.from_, params.to, now)
    async with service.minds.use(params.mind) as mind:
        wanted = RecallRequest(
            params.query,
            k=params.k,
            widens="k" not in params.model_fields_set,
            depth=params.depth,
            conversation=params.conversation,
            heard_in=tuple(params.heard_in) if params.heard_in is not None else None,
            kinds=_kinds(params.kinds),
            speaker=params.speaker,
            from_ms=since,
            to_ms=until,
            tags=frozenset(params.tags or ()),
            attributes=_attributes(params.attributes),
            mood=json.dumps(params.mood, ensure_ascii=False) if params.mood else "",
            stream=stream,
            as_of=asked_as_of(params.as_of, now),
            min_score=params.min_score,
            reaches_archive=params.reach == "archive",
        )
        result = await mind.recall(wanted, params.exclude or (), record=params.record, explained=params.explain)
    if wanted.from_ms is not None and wanted.to_ms is not None and wanted.from_ms >= wanted.to_ms:
        result["reason"] = "no time lies between from and to: to must be later"
    took = service.world.clock.monotonic_ms() - started
    result["elapsed_ms"] = round(took, 3)
    _fit(result)
    _count_recall(service, mind, params, len(result["items"]), took)
    return result


def _check_archive(params: Recall, peer: Peer) -> None:
    """Raises SoulmemError: `access_denied` for all but the owner; `invalid_params` for what no archive has."""
    if peer.rights < Rights.ADMIN:
        raise SoulmemError(
            ErrorName.ACCESS_DENIED,
            f"reach: the archive is the owner's: it needs admin rights, this connection has {peer.rights.label}",
            hint="run as the daemon's user, or leave reach out",
        )
    for name, is_given in (("ranking", params.ranking == "stream"), ("as_of", params.as_of is not None)):
        if is_given:
            raise SoulmemError(
                ErrorName.INVALID_PARAMS, f"{name}: belongs to memory, not to the archive", hint="leave it or reach out"
            )


def _fit(result: dict[str, Any]) -> None:
    """Of items whose texts are more than one answer holds, the first ones."""
    items = result["items"]
    kept = list_pages.shown(items, len(items), lambda item: len(item["text"].encode()) // 3)
    if len(kept) < len(items):
        left_out = f"items: {len(items) - len(kept)} of {len(items)} left out, their texts are too long for one answer"
        result["items"] = kept
        result["warnings"] = [*(result.get("warnings") or ()), left_out]


def _count_recall(service: Service, mind: Mind, params: Recall, hits: int, took: float) -> None:
    if params.record:
        service.meter.recall(params.mind, took)
    service.world.emit(
        "recall_served",
        mind=mind.name,
        conversation=params.conversation or "",
        recall="recorded" if params.record else "",
        hits=hits,
        depth=params.depth or "",
        ms=round(took, 3),
    )


class GiveFeedback(MindParams):
    recall_id: Annotated[Identifier, ID] = Field(description="id of the recall, like r17")
    verdict: Literal["good", "bad"] = Field(description="whether what it brought was of use")
    strength: Share = preset(1.0, "how strongly it is meant")
    used: Annotated[list[Identifier] | None, ID] = optional(
        "ids of the items that were of use, like n17; without it the first three notes, at half the weight",
        max_length=100,
    )
    conversation: InFrontOf = None


async def give_feedback(service: Service, params: GiveFeedback, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        scope = await mind.scoping.in_front_of(params.conversation)
        outcome = await mind.workers.feedback.apply(
            params.recall_id, Reaction(params.verdict), params.strength, params.used, scope=scope
        )
    return outcome.view()


_ITEM_KINDS = ("message", "summary", "note", *(kind.value for kind in NoteKind if kind is not NoteKind.TRIGGER))


def _kinds(kinds: list[str] | None) -> frozenset[str] | None:
    if kinds is None:
        return None
    for kind in kinds:
        if kind not in _ITEM_KINDS:
            raise SoulmemError(
                ErrorName.INVALID_PARAMS,
                f"kinds: there is no kind {kind[:40]!r}",
                hint=f"known: {', '.join(_ITEM_KINDS)}",
            )
    return frozenset(kinds)


def _attributes(given: dict[str, Any] | None) -> dict[str, Any] | None:
    """The tree of conditions on attributes, if there is one. Raises SoulmemError: `invalid_params`."""
    try:
        return checked_tree(given) if given else None
    except InvalidFilterError as error:
        raise SoulmemError(ErrorName.INVALID_PARAMS, f"attributes: {error}") from error


def _stream(params: Recall) -> StreamWish | None:
    """How the memory stream is wanted, if it is; checked before anything is searched.

    Raises SoulmemError: `invalid_params`.
    """
    if params.ranking == "association":
        for name in ("filter", "weights"):
            if getattr(params, name) is not None:
                raise SoulmemError(
                    ErrorName.INVALID_PARAMS,
                    f"{name}: belongs to the memory stream",
                    hint='ask with ranking "stream", or leave it out',
                )
        return None
    if params.kinds is not None and not set(params.kinds).difference(("message", "summary")):
        raise SoulmemError(
            ErrorName.INVALID_PARAMS,
            "kinds: the memory stream holds notes, neither messages nor summaries",
            hint='leave kinds out, or ask with ranking "association"',
        )
    try:
        chosen = filter_expressions.parse(params.filter) if params.filter is not None else None
    except filter_expressions.InvalidFilterError as error:
        raise SoulmemError(ErrorName.INVALID_PARAMS, f"filter: {error}", hint=error.hint) from error
    return StreamWish(chosen, Emphasis(params.weights or Emphasis.EVEN))


class GetContext(MindParams):
    conversation: Identifier | None = optional(
        "whose summary and window are told, and in front of whom; without it the latest, for the owner"
    )
    query: Text | None = optional("what the talk is about: what it brings to mind is told too")
    max_tokens: int = preset(
        DEFAULT_TOKENS, "how long the text may be, in tokens as they are counted here", ge=50, le=1_000_000
    )
    exclude: Excluded = None
    mood: Mood = None
    min_score: Share | None = optional("what is recalled for the query scores so much; without it as the mind is set")
    attributes: AskedAttributes = Field(
        default=None, description="what is recalled for the query has these attributes, as recall takes them"
    )
    profile: Identifier | None = optional(
        "a person or thing, as profile.get takes it: what is known of it stands behind the core, in at most a sixth of "
        "the tokens and in the same words while the facts are the same; of who is not known nothing does"
    )
    tell_rewritten: bool = preset(
        False,
        "say of each recalled note whose gaps were filled in that it is not as it was told, in words and by rewritten",
    )


async def get_context(service: Service, params: GetContext, _peer: Peer) -> dict[str, Any]:
    started = service.world.clock.monotonic_ms()
    if params.attributes and params.query is None:
        raise SoulmemError(
            ErrorName.INVALID_PARAMS, "attributes: belong to what is recalled for a query", hint="give query, or none"
        )
    async with service.minds.use(params.mind) as mind:
        asked = ContextRequest(
            conversation=params.conversation,
            query=params.query,
            max_tokens=params.max_tokens,
            exclude=params.exclude or (),
            mood=json.dumps(params.mood, ensure_ascii=False) if params.mood else "",
            min_score=params.min_score,
            tells_rewritten=params.tell_rewritten,
            profile=params.profile,
            attributes=_attributes(params.attributes),
        )
        result = await mind.context(asked)
    took = service.world.clock.monotonic_ms() - started
    if params.query:
        service.meter.recall(params.mind, took)
    service.world.emit(
        "context_served",
        mind=params.mind,
        conversation=params.conversation or "",
        tokens=sum(block["tokens"] for block in result["blocks"]),
        ms=round(took, 3),
    )
    return result
