"""An engine's links, checked: what of a language model's answer may become a link of the memory.

Digestion calls it with the drafts and the labels it showed; what holds becomes proposals for
`core/linking/hebbian_linking`, what does not is named with its reason for the log. Invariant: an accepted link joins
two different notes that were shown, fits its kind, and appears once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from soulmem.core.linking.hebbian_linking import LinkKey, LinkProposal, link_key, stability_of, strength_of
from soulmem.core.schema.note_requests import LinkDraft, LinkKind, LinkOrigin, NoteKind
from soulmem.fast_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LabelledNote:
    """A note under the short label an engine saw it by."""

    note: str
    kind: NoteKind


@dataclass(frozen=True, slots=True)
class DraftVerdict:
    """The drafts of an engine that hold, and why each other one does not."""

    accepted: tuple[LinkProposal, ...]
    refused: tuple[tuple[LinkDraft, str], ...]


_DRAFTABLE = (LinkKind.ASSOCIATION, LinkKind.SEMANTIC, LinkKind.ABSTRACT_OF, LinkKind.TRIGGER)
_SITUATIONS = (NoteKind.TRIGGER, NoteKind.ABSTRACT, NoteKind.EPISODIC)


def judge_drafts(
    drafts: Sequence[LinkDraft], new: Mapping[str, LabelledNote], hot: Mapping[str, LabelledNote]
) -> DraftVerdict:
    """Check an engine's links: known labels, no loops, one a link, kinds that fit, at most 3 new + hot."""
    known = {**new, **hot}
    accepted: dict[LinkKey, LinkProposal] = {}
    refused: list[tuple[LinkDraft, str]] = []
    for draft in drafts:
        reason = _fault(draft, known)
        if reason is None:
            src, dst = known[draft.src], known[draft.dst]
            key = link_key(src.note, dst.note, draft.kind, draft.verb)
            if key in accepted:
                reason = "the same link twice"
            elif len(accepted) >= 3 * len(new) + len(hot):
                reason = "too many links"
        if reason is not None:
            refused.append((draft, reason))
            continue
        confidence = min(1.0, max(0.0, draft.confidence))
        strength = strength_of(draft.kind, draft.intensity)
        accepted[key] = LinkProposal(
            key,
            LinkOrigin.MODEL,
            a0=strength,
            stability_ms=stability_of(draft.kind, confidence),
            coactivation=strength,
            confidence=confidence,
        )
    return DraftVerdict(tuple(accepted.values()), tuple(refused))


def _fault(draft: LinkDraft, known: Mapping[str, LabelledNote]) -> str | None:
    """Why a draft cannot be a link, or None."""
    if draft.src not in known or draft.dst not in known:
        return "unknown label"
    src, dst = known[draft.src], known[draft.dst]
    if src.note == dst.note:
        return "a link to itself"
    if not (math.isfinite(draft.intensity) and math.isfinite(draft.confidence)):
        return "not a number"
    if draft.kind not in _DRAFTABLE:
        return f"{draft.kind} links are not drafted"
    if draft.kind is LinkKind.ABSTRACT_OF and (src.kind, dst.kind) != (NoteKind.ABSTRACT, NoteKind.EPISODIC):
        return "abstract_of leads from abstract to episodic"
    if draft.kind is LinkKind.TRIGGER and not (src.kind in _SITUATIONS and dst.kind is NoteKind.PROCEDURAL):
        return "trigger leads from a situation to an action"
    return None
