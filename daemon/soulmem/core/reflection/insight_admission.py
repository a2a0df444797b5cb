"""Insight admission: which of a model's insights become reflections (algorithms.md §8.3).

Called by the step `reflect` for what a model answered. An insight must rest on two statements at least that it was
shown, must not rest on all of them, must name nobody whom none of them names, must say what none of them says by
itself, must not say again what is known, and must not lie too far from what was told. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum

from soulmem.core.names.name_recogniser import people_in
from soulmem.core.numbers.amount_parser import AmountKind, find_amounts
from soulmem.core.schema.engine_tasks import Insight
from soulmem.core.text.tokens import fold, query_terms
from soulmem.fast_dataclasses import dataclass

MOST_DEPTH = 4
LEAST_EVIDENCE = 2
MOST_ADMITTED = 5
_ALL_OF = 8  # statements from which on to rest on all of them is to rest on none
_STATED = frozenset({AmountKind.MONEY, AmountKind.PERCENT, AmountKind.AGE, AmountKind.PHONE})
_ALIKE = 0.8  # share of words from which two texts say the same


class Why(StrEnum):
    """Why an insight is refused."""

    UNKNOWN = "unknown_evidence"
    LONE = "lone_evidence"
    ALL = "all_evidence"
    INVENTED = "invented_name"
    PARAPHRASE = "paraphrase"
    KNOWN = "known"
    DEEP = "too_deep"


@dataclass(frozen=True, slots=True)
class Shown:
    """A statement that a model was shown: its note, what it says, how far it lies from what was told."""

    note: int
    text: str
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Admitted:
    text: str
    evidence: tuple[int, ...]
    depth: int


@dataclass(frozen=True, slots=True)
class Admission:
    admitted: tuple[Admitted, ...]
    refused: Mapping[str, int]


def admit(
    insights: Sequence[Insight], shown: Mapping[str, Shown], known: Sequence[str], people: Sequence[str] = ()
) -> Admission:
    """The insights that may be kept, a handful, and how many were refused for what.

    Args:
        shown: the statements by the labels they were shown under.
        known: what reflections say already.
        people: who took part, whom an insight may name in any case.
    """
    kept: list[Admitted] = []
    refused = Counter[str]()
    said = [_words(text) for text in known]
    for insight in insights:
        why = _refusal(insight, shown, said, people)
        if why is not None:
            refused[why.value] += 1
        elif len(kept) < MOST_ADMITTED:
            evidence = tuple(dict.fromkeys(shown[label].note for label in insight.evidence))
            depth = 1 + max(shown[label].depth for label in insight.evidence)
            kept.append(Admitted(insight.text, evidence, depth))
            said.append(_words(insight.text))
    return Admission(tuple(kept), dict(refused))


def _refusal(
    insight: Insight, shown: Mapping[str, Shown], said: Sequence[frozenset[str]], people: Sequence[str]
) -> Why | None:
    if any(label not in shown for label in insight.evidence) or not insight.evidence:
        return Why.UNKNOWN
    cited = [shown[label] for label in dict.fromkeys(insight.evidence)]
    if len({each.note for each in cited}) < LEAST_EVIDENCE:
        return Why.LONE
    if len(cited) >= _ALL_OF and len({each.note for each in cited}) == len({each.note for each in shown.values()}):
        return Why.ALL
    if 1 + max(each.depth for each in cited) > MOST_DEPTH:
        return Why.DEEP
    told = fold("\n".join((*(each.text for each in cited), *people)))
    if any(fold(name) not in told for name in people_in(insight.text, people)) or _is_invented(insight.text, told):
        return Why.INVENTED
    words = _words(insight.text)
    if any(_overlap(words, _words(each.text)) >= _ALIKE for each in cited):
        return Why.PARAPHRASE
    return Why.KNOWN if any(_overlap(words, other) >= _ALIKE for other in said) else None


def _is_invented(text: str, told: str) -> bool:
    """Whether an amount is stated that no statement states: how often something was may be counted."""
    return any(fold(text[each.start : each.end]) not in told for each in find_amounts(text) if each.kind in _STATED)


def _words(text: str) -> frozenset[str]:
    return frozenset(query_terms(text))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))
