"""The contract of `reconstruct`: the character fills in what faded from his own memories (algorithms.md §7.7).

The character himself speaks here, so the request carries persona and mood. The model gives the fills alone; we put the
text together. Invariants: a fill belongs to a faded segment that was shown, at most one each; it is at most twice as
long as what was there, and gives no number where what is left gives none; None is "I really do not remember".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import model_validator

from soulmem.core.schema.detail_tasks import Fill, MaskedNote, ReconstructRequest, Segment, SegmentState
from soulmem.core.schema.engine_tasks import Task
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import Items, ListAnswer, MaybeText, Text, Whole, one_line
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import who_is_who
from soulmem.llm.contracts.parts.short_labels import Shown, shown_list
from soulmem.llm.extractive.wording.comparable_wording import numbers_in

PLACEHOLDER = "xxx"
SHORTEST_LIMIT = 8  # characters; a fill of a short word may be this long in any case
UNKNOWN_LIMIT = 80
_ONE = frozenset({"1"})  # 一只 and "one of them" count nothing
_WORDS = {
    "en": {"blur": "roughly: {gist}; at most {limit} characters", "blank": "gone; at most {limit} characters"},
    "zh": {"blur": "大概是：{gist}；不超过{limit}字", "blank": "全忘了；不超过{limit}字"},
}


class FillItem(Answer):
    note: Text = ""
    segment: Whole = None
    text: MaybeText = None


class ReconstructAnswer(ListAnswer):
    fills: Items[FillItem]

    @model_validator(mode="before")
    @classmethod
    def _by_note(cls, value: object) -> object:
        """Fills by note and number (`{"N3": {"2": "…"}}`) are fills too."""
        given: Any = value.get("fills", value) if isinstance(value, Mapping) else value
        if isinstance(given, Mapping) and given and all(isinstance(part, Mapping) for part in given.values()):
            return {"fills": list(_flat(given))}
        return value


def _flat(given: Mapping[Any, Mapping[Any, Any]]) -> Iterator[dict[str, object]]:
    for note, fills in given.items():
        for segment, text in fills.items():
            yield {"note": str(note), "segment": segment, "text": text}


def limit_of(segment: Segment) -> int:
    """Characters a fill may have: twice what was there."""
    return max(SHORTEST_LIMIT, 2 * segment.length) if segment.length > 0 else UNKNOWN_LIMIT


def _is_too_precise(text: str, segment: Segment) -> bool:
    """Whether a fill gives a number where all that is left of the piece has none."""
    is_blurred = segment.state is SegmentState.BLUR and bool(segment.gist)
    return is_blurred and bool(numbers_in(text) - numbers_in(segment.gist) - _ONE)


def _line(segment: Segment, lang: str) -> str:
    if segment.state is SegmentState.CLEAR:
        return f"{segment.number}. {prompt_wording.folded(segment.text)}"
    state = "blur" if segment.state is SegmentState.BLUR and segment.gist else "blank"
    told = _WORDS[lang][state].format(gist=prompt_wording.folded(segment.gist), limit=limit_of(segment))
    return f"{segment.number}. ____ ({told})" if lang == "en" else f"{segment.number}. ____（{told}）"


def _note(note: MaskedNote, lang: str) -> str:
    return "\n".join([f"[{note.label}]", *(_line(segment, lang) for segment in note.segments)])


def _variables(request: ReconstructRequest, lang: str) -> dict[str, str]:
    return {
        "who": who_is_who(request.cast, lang, persona=False),
        "persona": prompt_wording.or_nothing(request.persona, lang),
        "mood": prompt_wording.or_nothing(request.mood, lang, 60),
        "notes": "\n".join(_note(note, lang) for note in request.notes) or prompt_wording.or_nothing("", lang),
    }


def _read(answer: ReconstructAnswer, request: ReconstructRequest) -> tuple[Fill, ...]:
    shown = Shown(note.label for note in request.notes)
    faded = {
        (note.label, segment.number): segment
        for note in request.notes
        for segment in note.segments
        if segment.state is not SegmentState.CLEAR
    }
    fills: dict[tuple[str, int], Fill] = {}
    for item in answer.fills:
        label = shown.meant(item.note)
        place = (label or "", int(item.segment) if item.segment is not None else -1)
        segment = faded.get(place)
        if label is None or segment is None or place in fills:
            continue
        text = one_line(item.text or "").strip('"“”_')
        if PLACEHOLDER in text or len(text) > limit_of(segment) or _is_too_precise(text, segment):
            continue
        fills[place] = Fill(label, segment.number, text or None)
    if faded and not fills:
        wanted = shown_list(f"{label}/{number}" for label, number in faded)
        raise RejectedAnswerError(f"no fill fits a faded piece ({wanted}): mind the numbers and the length allowed")
    return tuple(fills.values())


RECONSTRUCT = Contract(
    Task.RECONSTRUCT,
    ReconstructAnswer,
    _variables,
    _read,
    lambda asked: (segment.text or segment.gist for note in asked.notes for segment in note.segments),
)
