"""Prompt context: what a prompt should hold of this memory, within a budget of tokens, the most stable parts first.

Called by `mind` for `context.get` and for `message.add` with `recall: true`. The blocks stand in the order core,
profile, summary, plans, behaviour, notes, window, because a prompt whose beginning stays the same is cached by the
model's server. What is already in the window is not repeated among the notes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from soulmem.core.facts.validity_intervals import marked
from soulmem.core.schema.attribute_filters import Tree
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.core.text import tokens
from soulmem.core.text.prompt_lines import contained, lines_of, named
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state import window_state
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.messages import conversations, message_log, rolling_summaries
from soulmem.store.notes import note_rows, note_validity
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import private_id, public_id
from soulmem.store.views import verbatim_messages
from soulmem.working.planning import plan_lines

DEFAULT_TOKENS = 2000
_CORE_SHARE = 0.25  # of the whole budget, at most
PROFILE_SHARE = 1 / 6
_SUMMARY_SHARE = 0.3
PLANS_SHARE = 0.1
_BEHAVIOUR_SHARE = 0.2  # of what these leave
_EVER = 1 << 62  # what will hold until a day is told with that day
_WINDOW_SHARE = 0.5  # of what these leave, while recalled notes want the rest
_WIDER, _TOKENS_EACH = 2, 100  # how many times the usual items a prompt may hold, if there is so much room for each
_NOTHING_KNOWN = {"en": "(Nothing is known about this.)", "zh": "（关于这件事，什么也不知道。）"}


def most_items(usual: int, max_tokens: int) -> int:
    """How many items a prompt asks for: as many as a recall brings, and up to twice that where there is room.

    Who reads a prompt finds an answer in the fifteenth line as well as in the first.
    """
    return max(usual, min(_WIDER * usual, max_tokens // _TOKENS_EACH))


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """What a client asks of a context. `attributes`, `min_score`: of what is recalled for the `query`; `exclude`: ids.

    `profile`: of whom what is known is told; `tells_rewritten`: of recalled notes it is said that gaps were filled in.
    """

    conversation: str | None = None
    query: str | None = None
    max_tokens: int = DEFAULT_TOKENS
    exclude: Sequence[str] = ()
    mood: str = ""
    min_score: float | None = None
    tells_rewritten: bool = False
    profile: str | None = None
    attributes: Tree | None = None


@dataclass(frozen=True, slots=True)
class Material:
    """Everything a context may be made of, oldest first within each part."""

    persona: str
    pinned: list[note_rows.Note]
    summary: list[str]
    window: list[message_log.Message]
    profile: list[str] = field(default_factory=list)  # of whom the client wants it told
    plans: list[Line] = field(default_factory=list)  # what is to be done now and next


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a block: its text and the id of what it shows."""

    text: str
    id: str


def gather(
    connection: Connection,
    conversation: str | None,
    persona: str,
    now: int,
    now_exp: int,
    max_tokens: int,
    scope: Scope,
    *,
    is_rolled_late: bool = False,
) -> Material:
    """All that stands in a context whatever is asked; plans as far as there is room: the others may be recalled.

    `is_rolled_late`: what slid out of the window is summarised a while later, and told as it was said till then.
    """
    found = _stable(connection, conversation, persona, now_exp, scope, is_rolled_late=is_rolled_late)
    plans = plan_lines.current_lines(connection, now, now_exp, scope)
    lines = [Line(each.text, public_id("n", each.note)) for each in plans]
    return replace(found, plans=_first(lines, int(max_tokens * PLANS_SHARE)))


def _stable(
    connection: Connection, conversation: str | None, persona: str, now_exp: int, scope: Scope, *, is_rolled_late: bool
) -> Material:
    """Pinned notes, the rolling summary and the window of a conversation, else the latest."""
    pinned = _marked(connection, note_rows.pinned(connection, scope), scope)
    home = conversations.conversation(connection, conversation) if conversation else conversations.latest(connection)
    held = window_state.load(connection, home.id) if home else None
    if home is None or held is None:
        return Material(persona, pinned, [], [])
    state = held[0]
    rolled = rolling_summaries.latest(connection, home.id, state.epoch)
    lo = state.win_lo
    if is_rolled_late:
        lo = min(lo, max(rolled.covers_hi + 1 if rolled else 1, lo - state.capacity // 2))
    said = message_log.between(connection, home.id, lo, state.max_pos) if state.size else []
    said = [each for each in said if (each.pos or 0) >= state.win_lo or each.epoch == state.epoch]
    told = verbatim_messages.still_told(connection, [m for m in said if m.content and not m.deleted], now_exp)
    summary = lines_of(rolled.summary.text, [point.text for point in rolled.summary.points]) if rolled else []
    return Material(persona, pinned, summary, told)


def _marked(connection: Connection, pinned: list[note_rows.Note], scope: Scope) -> list[note_rows.Note]:
    """Pinned notes, each with a word of until when it held if it holds no more: a pin keeps what was said."""
    ended = note_validity.endings(connection, [note.id for note in pinned], scope)
    return [
        replace(note, text=marked(note.text, ended[note.id], _EVER)) if note.id in ended else note for note in pinned
    ]


def in_window(material: Material) -> frozenset[tuple[ItemKind, int]]:
    """What a recall for this context leaves out."""
    return frozenset((ItemKind.MESSAGE, message.id) for message in material.window) | frozenset(
        (ItemKind.NOTE, note)
        for note in (*(each.id for each in material.pinned), *(private_id("n", each.id) for each in material.plans))
    )


def assemble(
    material: Material, recalled: Sequence[Line], max_tokens: int, behaviour: Sequence[Line] = ()
) -> dict[str, Any]:
    """Lay out the blocks within the budget: `{text, blocks: [{kind, text, tokens, items}]}`.

    `behaviour` are tendencies that the situation calls for: they say what to do, the recalled ones what is so.

    The newest messages, the best recalled items and the newest lines of the summary survive a small budget.
    """
    core = [Line(material.persona, "persona")] if material.persona else []
    core += [Line(contained(note.text), public_id("n", note.id)) for note in material.pinned]
    kept_core = _first(core, int(max_tokens * _CORE_SHARE))
    # The stable parts come first and are cut by the budget alone, so that the next question leaves them as they are.
    kept_profile = _first([Line(contained(line), "") for line in material.profile], int(max_tokens * PROFILE_SHARE))
    summary = [Line(line, "") for line in material.summary]
    kept_summary = _last(summary, int(max_tokens * _SUMMARY_SHARE))
    kept_plans = _first(material.plans, int(max_tokens * PLANS_SHARE))
    left = max_tokens - _cost(kept_core) - _cost(kept_profile) - _cost(kept_summary) - _cost(kept_plans)
    kept_behaviour = _first(list(behaviour), int(left * _BEHAVIOUR_SHARE))
    left -= _cost(kept_behaviour)
    said = [
        Line(f"{named(message.speaker)}: {contained(message.content)}", message.client_id)
        for message in material.window
    ]
    share = max(int(left * _WINDOW_SHARE), left - _cost(list(recalled)))
    kept_window = _last(said, share)
    kept_notes = _first(list(recalled), left - _cost(kept_window))
    blocks = [
        _block("core", kept_core),
        _block("profile", kept_profile),
        _block("summary", kept_summary),
        _block("plans", kept_plans),
        _block("behaviour", kept_behaviour),
        _block("notes", kept_notes),
        _block("window", kept_window),
    ]
    shown = [block for block in blocks if block["text"]]
    return {"text": "\n\n".join(block["text"] for block in shown), "blocks": shown}


def recalled_lines(hits: Sequence[Hit], shown: dict[tuple[str, int], str], said: Mapping[int, str]) -> list[Line]:
    """The recalled items as lines, best first.

    Args: said: how clients call the recalled messages; their rows would count what was said elsewhere.
    """
    names: dict[ItemRef, str] = {(hit.kind, hit.key): public_id(hit.kind.value[0], hit.key) for hit in hits}
    names |= {(ItemKind.MESSAGE, row): name for row, name in said.items()}
    return [
        Line(shown[hit.kind.value, hit.key], names[hit.kind, hit.key])
        for hit in hits
        if (hit.kind.value, hit.key) in shown
    ]


def nothing_known(query: str) -> Line:
    """What stands for the recalled notes where a question is asked of which nothing is known."""
    return Line(_NOTHING_KNOWN[tokens.wording_language(query)], "")


def notes_in(body: dict[str, Any], recalled: Sequence[int]) -> list[int]:
    """Which of the recalled notes stand in a context, best first."""
    shown: list[str] = next((block["items"] for block in body["blocks"] if block["kind"] == "notes"), [])
    by_name = {f"n{note}": note for note in recalled}
    return [by_name[item] for item in shown if item in by_name]


def with_told(body: dict[str, Any], told: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """The context with what is told of its recalled notes: which have gaps, lie in the archive, were rewritten."""
    beside = {name: list(what) for name, what in told.items() if what}
    if not beside:
        return body
    return {**body, "blocks": [block | (beside if block["kind"] == "notes" else {}) for block in body["blocks"]]}


def _block(kind: str, lines: list[Line]) -> dict[str, Any]:
    return {
        "kind": kind,
        "text": "\n".join(line.text for line in lines),
        "tokens": _cost(lines),
        "items": [line.id for line in lines if line.id],
    }


def _cost(lines: list[Line]) -> int:
    return sum(tokens.estimate_tokens(line.text) + 1 for line in lines)


def _first(lines: list[Line], budget: int) -> list[Line]:
    """Lines from the front while they fit; one that does not is passed over."""
    kept = []
    for line in lines:
        price = tokens.estimate_tokens(line.text) + 1
        if price <= budget:
            kept.append(line)
            budget -= price
    return kept


def _last(lines: list[Line], budget: int) -> list[Line]:
    """The newest lines that fit, in their order; stops at the first that does not, to leave no gap."""
    kept: list[Line] = []
    for line in reversed(lines):
        price = tokens.estimate_tokens(line.text) + 1
        if price > budget:
            break
        kept.append(line)
        budget -= price
    return kept[::-1]
