"""One contract per task: what the model is shown, the shape it must answer in, and how its answer is checked."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from soulmem.core.schema.engine_tasks import Task
from soulmem.llm.contracts.analyse_query import ANALYSE_QUERY
from soulmem.llm.contracts.feedback import FEEDBACK
from soulmem.llm.contracts.identify import IDENTIFY
from soulmem.llm.contracts.insights import INSIGHTS
from soulmem.llm.contracts.judge import JUDGE
from soulmem.llm.contracts.link import LINK
from soulmem.llm.contracts.merge import MERGE
from soulmem.llm.contracts.misremember import MISREMEMBER
from soulmem.llm.contracts.parts.contract_base import Contract
from soulmem.llm.contracts.rate_importance import RATE_IMPORTANCE
from soulmem.llm.contracts.reconcile import RECONCILE
from soulmem.llm.contracts.reconstruct import RECONSTRUCT
from soulmem.llm.contracts.replay import REPLAY
from soulmem.llm.contracts.split import SPLIT
from soulmem.llm.contracts.summarise import SUMMARISE

_ALL: tuple[Contract[Any, Any, Any], ...] = (
    SUMMARISE, SPLIT, LINK, JUDGE, RATE_IMPORTANCE, ANALYSE_QUERY, RECONCILE, INSIGHTS, IDENTIFY,
    RECONSTRUCT, MERGE, FEEDBACK, MISREMEMBER, REPLAY,
)  # fmt: skip

TABLE: Mapping[Task, Contract[Any, Any, Any]] = MappingProxyType({contract.task: contract for contract in _ALL})
"""The contract of every task."""
