"""The corpus of hostile and honest drafts, read: conversations, what a model answered, and what must become of it.

`corpora/hostile.jsonl` holds scenes (a talk, its card, its system messages and what had been handed out) and cases (a
draft with its quotations and the verdict expected: a reason of refusal, `admitted`, `directive`, or `mended`: told
without its wrong date).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from soulmem.core.grounding import grounding_gate
from soulmem.core.grounding.echo_masking import index_of, read_turns
from soulmem.core.grounding.evidence import Ground, Grounds
from soulmem.core.grounding.grounding_gate import Flag, Verdict
from soulmem.core.grounding.served_text_index import Origin, ServedText
from soulmem.core.schema.note_requests import NoteDraft, NoteKind, Role, SourceQuote, Turn

CORPUS = Path(__file__).parents[2] / "corpora" / "hostile.jsonl"
_MINUTE_MS = 60_000


@dataclass(frozen=True)
class Scene:
    name: str
    language: str
    grounds: Grounds


@dataclass(frozen=True)
class Case:
    """`expected` is a reason, `admitted`, `directive` or `mended`; `flags` those it must be given."""

    name: str
    category: str
    scene: Scene
    draft: NoteDraft
    expected: str
    flags: frozenset[Flag]

    @property
    def honest(self) -> bool:
        return self.category == "honest"


def _milliseconds(text: str) -> int:
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


def _scene(row: dict[str, Any]) -> Scene:
    began = _milliseconds(row["at"])
    turns = [
        Turn(seq, Role(role), speaker, text, began + seq * _MINUTE_MS)
        for seq, (role, speaker, text) in enumerate(row["turns"], 1)
    ]
    texts = [ServedText(row["persona"], Origin.PERSONA)]
    texts += [ServedText(text, Origin(origin), after) for text, origin, after in row["served"]]
    texts += [ServedText(turn.text, Origin.MESSAGE, turn.seq, turn.speaker) for turn in turns]
    served = index_of(texts)
    grounds = Grounds(
        tuple(Ground(*each) for each in read_turns(turns, served)),
        known=frozenset(row["known"]),
        names=(row["character"],),
        persona=row["persona"],
        system=tuple(row["system"]),
        served=served,
    )
    return Scene(row["scene"], row["language"], grounds)


def _case(row: dict[str, Any], scene: Scene) -> Case:
    draft = row["draft"]
    at_ms = {ground.turn.seq: ground.turn.at_ms for ground in scene.grounds.turns}
    quotes = [SourceQuote(seq, quote) for seq, quote in draft["quotes"]]
    said = at_ms.get(quotes[0].seq, 0) if quotes else 0
    return Case(
        row["id"],
        row["category"],
        scene,
        NoteDraft(
            label="N1",
            kind=NoteKind(draft["kind"]),
            text=draft["text"],
            sources=tuple(quotes),
            at_ms=_milliseconds(draft["at"]) if "at" in draft else said,
            importance=0.8,
            attributes={"told": True},
        ),
        row["expect"],
        frozenset(Flag(flag) for flag in row.get("flags", ())),
    )


@cache
def corpus() -> tuple[Case, ...]:
    """Every case with its scene."""
    scenes: dict[str, Scene] = {}
    cases: list[Case] = []
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "id" in row:
            cases.append(_case(row, scenes[row["scene"]]))
        else:
            scenes[row["scene"]] = _scene(row)
    return tuple(cases)


def outcome(verdict: Verdict) -> str:
    """A verdict in the words of the corpus."""
    if verdict.refusal is not None:
        return verdict.refusal.reason.value
    if Flag.DATE_MENDED in verdict.flags:
        return "mended"
    return "directive" if Flag.DIRECTIVE in verdict.flags else "admitted"


def told(case: Case) -> str:
    """All that the gate makes of a case, on one line."""
    (verdict,) = grounding_gate.judge([case.draft], case.scene.grounds)
    return f"{case.name} {outcome(verdict)} {verdict.refusal} {sorted(verdict.flags)} {verdict.draft}"
