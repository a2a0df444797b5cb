"""The memory stream of generative agents over the daemon's socket: what was written for its classes runs on a mind.

>>> from soulmem.generative_agents import Memory, MemoryStream                              # doctest: +SKIP
>>> stream = MemoryStream([], alpha_recency=1, alpha_importance=1, alpha_relevance=1,
...                       decay_factor=0.99, context_window_size=5)                         # doctest: +SKIP

`docs/generative_agents.md` tells what maps to what. Needs `soulmem[generative-agents]` for its data frames.
"""

from __future__ import annotations

from soulmem.generative_agents.insight_engine import InsightEngine, PromptedEngine
from soulmem.generative_agents.memory_stream import MemoryStream
from soulmem.generative_agents.reflecting import (
    condense_insights,
    generate_insight,
    generate_reflection,
    parse_insights,
)
from soulmem.generative_agents.stream_items import Memory, Reflection
from soulmem.generative_agents.stream_session import connect

__all__ = [
    "InsightEngine",
    "Memory",
    "MemoryStream",
    "PromptedEngine",
    "Reflection",
    "condense_insights",
    "connect",
    "generate_insight",
    "generate_reflection",
    "parse_insights",
]
