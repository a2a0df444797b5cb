"""Kin facts: who belongs to a speaker's family by what name is a fact of its own, wherever it was told in passing.

Called by `split_step` with what the engine drafted, a large model, a small one or none: an outing is forgotten within
weeks, the name of a grandson is not. A fact that an engine drafted itself, or that stands in another of the epoch, is
not drafted twice; one that is known gains a source (`split_step`). Runs in a worker thread. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from soulmem.core.details.gists import Kind, kind_gist
from soulmem.core.names.kin_names import NamedKin, named_kin
from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.schema.note_requests import NoteDraft, NoteKind, Role, SourceQuote, Turn
from soulmem.core.text.tokens import fold, wording_language

_WEIGHT = 0.9
# Who takes back what he just said: 外孙豆豆九岁……不对，是孙子; "my nephew Bo, no wait, he's my cousin".
_TAKEN_BACK = CaselessPattern(
    r"(?:[—…,，。.!！;；\s])(?:不对|说错了|不是不是|口误|我说错|讲错了)(?=[，,。.!！、\s—…啊呀了])"
    r"|\b(?:no,? wait|scratch that|wait,? no|sorry,? no|i mean(?:t)?,? (?:my|his|her|the|he|she)\b|correction)\b"
)


def kin_facts(turns: Sequence[Turn], told: Iterable[NoteDraft]) -> list[NoteDraft]:
    """A fact for each relative whom somebody named, unless a fact among what is `told` says it."""
    facts = [fold(draft.text) for draft in told if draft.kind is NoteKind.SEMANTIC]
    drafts: dict[str, NoteDraft] = {}
    for turn in turns:
        if turn.role is not Role.USER or not turn.speaker:
            continue
        for kin in named_kin(turn.text, [turn.speaker]):
            if _TAKEN_BACK.search(turn.text, kin.end) is not None:
                continue  # what is right stands behind it, in words of its own
            words = [fold(word) for word in (kin.kin, *kin.names)]
            if not any(all(word in fact for word in words) for fact in facts):
                draft = _draft(turn, kin)
                drafts.setdefault(draft.text, draft)
    return list(drafts.values())


def _draft(turn: Turn, kin: NamedKin) -> NoteDraft:
    language = wording_language(turn.text)
    text = kin.fact(turn.speaker, chinese=language == "zh")
    return NoteDraft(
        label="",
        kind=NoteKind.SEMANTIC,
        text=text,
        sources=(SourceQuote(turn.seq, turn.text[kin.start : kin.end]),),
        at_ms=turn.at_ms,
        gist=kind_gist(Kind.RELATIVE, text, language),
        tags=("fact", "relative"),
        entities=(turn.speaker, *kin.names),
        importance=_WEIGHT,
        attributes={"subject": turn.speaker, "relation": "relative", "object": f"{kin.kin} {' '.join(kin.names)}"},
    )
