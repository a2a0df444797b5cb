"""Condensing insights without a model: what says the same is merged, the best of the rest stays (algorithms.md §8.3).

The citations of those that go are taken over by the most similar one that stays. Nothing is concluded here: without a
model what recurs is counted (`core/reflection/recurrence`).
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.schema.engine_tasks import CondenseRequest, Insight
from soulmem.core.text.tokens import fold
from soulmem.llm.extractive.language.content_words import amount, content_terms
from soulmem.llm.extractive.language.statement_similarity import differ_by_number, diverse_order, overlap
from soulmem.llm.extractive.wording.comparable_wording import LOOKED_AT

_ALIKE = 0.8  # share of content words from which two insights say the same


def condense(request: CondenseRequest) -> tuple[Insight, ...]:
    """At most `limit` insights in their order, unlike one another; together they cite all that was cited."""
    given = [insight for insight in request.insights if insight.evidence]
    if request.limit < 1 or not given:
        return ()
    terms = [content_terms(insight.text) for insight in given]
    asked = content_terms(request.question[:LOOKED_AT])
    worth = [
        round(min(1.0, 0.15 * len(insight.evidence) + 0.05 * amount(own) + 0.1 * len(own & asked)), 4)
        for insight, own in zip(given, terms, strict=True)
    ]
    order = [pick.index for pick in diverse_order(worth, terms)]
    kept: list[int] = []
    for index in order:
        if len(kept) < request.limit and not any(_says_same(given, terms, index, other) for other in kept):
            kept.append(index)
    kept.sort()
    cited: dict[int, dict[str, None]] = {index: dict.fromkeys(given[index].evidence) for index in kept}
    wording = {index: given[index].text for index in kept}
    for index in range(len(given)):
        if index in cited:
            continue
        heir = max(kept, key=lambda other: (_likeness(terms[index], terms[other]), -other))
        cited[heir] |= dict.fromkeys(given[index].evidence)
        if _says_same(given, terms, index, heir) and terms[index] > content_terms(wording[heir]):
            wording[heir] = given[index].text
    return tuple(Insight(wording[index], tuple(cited[index])) for index in kept)


def _says_same(given: Sequence[Insight], terms: Sequence[frozenset[str]], one: int, other: int) -> bool:
    if fold(given[one].text.strip()) == fold(given[other].text.strip()):
        return True
    return overlap(terms[one], terms[other]) >= _ALIKE and not differ_by_number(terms[one], terms[other])


def _likeness(left: frozenset[str], right: frozenset[str]) -> float:
    return round(len(left & right) / len(left | right), 6) if left | right else 0.0
