"""Reflection over a stream: questions that the latest memories raise, insights with their evidence, kept as memories.

Called by whoever owns a stream, when it suits him; what is concluded is `insight_engine`'s. Invariant: an insight cites
memories that are in the stream.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.generative_agents.insight_engine import CONDENSED, Cited, Statement, line_of, parsed
from soulmem.generative_agents.memory_stream import MemoryStream
from soulmem.generative_agents.stream_items import Memory, Reflection
from soulmem.generative_agents.stream_session import current

_NEAR = "relevance > 0.5"
_FEW = 2  # memories below which nothing can be concluded from them together


def parse_insights(insight_responses: str) -> list[Cited]:
    """The lines of a model's answer that are insights, each with the indices of its evidence."""
    return parsed(insight_responses)


def condense_insights(insight_list: str) -> str:
    """A list of insights in at most five numbered lines, which cite all that it cites."""
    condensed = current().engine.condense(parsed(insight_list))
    return "\n".join(f"{place}. {line_of(text, cited)}" for place, (text, cited) in enumerate(condensed, 1))


def generate_insight(
    memory_stream: MemoryStream, context_window: int, threshold: float
) -> tuple[list[str], list[list[Cited]]] | None:
    """What the latest memories say together: (questions, the insights for each); None while they matter too little.

    For a question the memories that are near to it are looked at; where hardly any is, those that fit best.
    """
    recent = memory_stream.memories[-context_window:] if context_window > 0 else []
    if not recent or sum(each.importance for each in recent) < threshold:
        return None
    engine = memory_stream.session.engine
    questions = engine.questions([each.description for each in recent])
    found: list[list[Cited]] = []
    for question in questions:
        now = memory_stream.session.now()
        asked = Memory(question, now, now)
        near = memory_stream.retrieve_memories(asked, _NEAR)
        if len(near) < _FEW:
            near = memory_stream.retrieve_memories(asked)
        statements = {
            place: Statement(memory_stream.memories[place].description, memory_stream.memories[place].day)
            for place in near["pointer"].tolist()
        }
        insights = engine.insights(question, statements)
        found.append(engine.condense(insights) if len(insights) > CONDENSED else insights)
    return questions, found


def generate_reflection(memory_stream: MemoryStream, insights_list: Sequence[Sequence[Cited]]) -> MemoryStream:
    """Put each insight into the stream as a reflection; the stream itself."""
    for insights in insights_list:
        for text, pointers in insights:
            now = memory_stream.session.now()
            memory_stream.add_memory(Reflection(text, now, now, pointers))
    return memory_stream
