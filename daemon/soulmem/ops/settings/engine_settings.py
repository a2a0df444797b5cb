"""The settings of the language model: the endpoint, what differs by task, what it costs, what it may cost.

Part of `ops/settings/setting_sections`, apart because two of its keys are tables of their own. `table` reads such a
table: a name to a few values, each with its rule; what is wrong is told with the full name of the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

from soulmem.core.schema.engine_tasks import Task
from soulmem.fast_dataclasses import dataclass
from soulmem.ops.settings.setting_rules import RejectedError, Secret, parse, setting


class EngineName(StrEnum):
    AUTO = "auto"
    EXTRACTIVE = "extractive"
    OPENAI = "openai"


class Analysis(StrEnum):
    NEVER = "never"
    DEEP = "deep"
    NORMAL = "normal"


@dataclass(frozen=True, slots=True)
class TaskSettings:
    """What differs for one task; an absent key is as for all."""

    model: str | None = setting(None, "model for this task")
    temperature: float | None = setting(None, "sampling temperature", 0, 2)
    max_tokens: int | None = setting(None, "longest answer, tokens", 16, 1_000_000)
    deadline_s: float | None = setting(None, "time for this task, retries included", 0.1, 86_400)


@dataclass(frozen=True, slots=True)
class PriceSettings:
    """Money per million tokens, in the user's own currency."""

    input: float = setting(0.0, "price of a million tokens of prompt", 0, 1e9)
    output: float = setting(0.0, "price of a million tokens of answer", 0, 1e9)


@dataclass(frozen=True, slots=True)
class EngineSettings:
    name: EngineName = setting(
        EngineName.AUTO, "auto is openai where base_url and model are set, else extractive: no model at all"
    )
    base_url: str = setting(
        "",
        "address of an OpenAI-compatible endpoint: http(s)://host:port/v1, or unix:/path/of.sock",
        pattern=r"|https?://\S+|unix:/\S+",
    )
    model: str = setting("", "model name at the endpoint")
    api_key_file: Path | None = setting(None, "file that holds the endpoint's key")
    api_key: Secret | None = setting(None, "from the environment, a credential or api_key_file only")
    temperature: float = setting(0.2, "sampling temperature", 0, 2)
    max_tokens: int = setting(4096, "longest answer, tokens", 16, 1_000_000)
    deadline_s: float = setting(300.0, "time for a task while nobody waits, its retries included", 0.1, 86_400)
    interactive_deadline_s: float = setting(4.0, "the same while somebody waits", 0.05, 3600)
    concurrency: int = setting(1, "calls at a time", 1, 64)
    retries: int = setting(2, "repeats after a failure that may pass", 0, 10)
    patience_s: float = setting(
        600.0, "how long work waits for an endpoint that is away before it is done without a model", 0, 31_536_000
    )
    pause_s: float = setting(
        30.0,
        "how long an endpoint is left alone after three failures in a row; doubles up to 20 times that",
        0.05,
        3600,
    )
    analysis: Analysis = setting(
        Analysis.DEEP,
        "recalls that the model thinks about: deep: those asked for as deep, before they are answered, and after the "
        "answer hard questions; normal: every question, what recall asks is read before, and what messages and "
        "contexts ask by a model that answers within 0.1 s; never: none",
    )
    prompts_dir: Path | None = setting(None, "folder whose files replace prompts; default: prompts beside config.toml")
    tasks: Mapping[str, TaskSettings] | None = setting(None, "what differs by task, as [engine.tasks.<task>]")
    prices: Mapping[str, PriceSettings] | None = setting(
        None, 'what a million tokens cost, as [engine.prices."<model>"]'
    )


@dataclass(frozen=True, slots=True)
class BudgetSettings:
    tokens_per_day: int = setting(
        500_000, "tokens of language models a UTC day, all minds together; 0 is no limit", 0, 10**12
    )
    tokens_per_mind: int = setting(0, "the same for one mind", 0, 10**12)
    tokens_per_run: int = setting(100_000, "tokens of one round of digestion; 0 is no limit", 0, 10**12)
    cost_per_day: float = setting(0.0, "money a UTC day, in the currency of the prices; 0 is no limit", 0, 1e9)


_FORMER_TASKS = frozenset({"questions", "condense"})  # a file that names what is no task any more still loads


def table(cls: type, value: object, *, names: type[StrEnum] | None = None) -> Mapping[str, Any]:
    """Read a table of `cls` by name.

    Args: names: the names there may be; None allows any.
    Raises: RejectedError: with what is wrong, continuing the sentence 'key …'.
    """
    if not isinstance(value, Mapping):
        raise RejectedError("must be a table of tables, and can only stand in a file")
    known = [each.value for each in names] if names is not None else None
    hints = get_type_hints(cls)
    read: dict[str, Any] = {}
    for name, entry in value.items():
        if known is not None and name in _FORMER_TASKS:
            continue
        if known is not None and name not in known:
            raise RejectedError(f"has no {name}; there are {', '.join(known)}")
        if not isinstance(entry, Mapping):
            raise RejectedError(f"must hold a table under {name}")
        given: dict[str, Any] = {}
        rules = {item.name: item for item in fields(cls)}
        for key, inner in entry.items():
            if key not in rules:
                raise RejectedError(f"has an unknown key {name}.{key}; there are {', '.join(rules)}")
            kind = next((each for each in get_args(hints[key]) if each is not type(None)), hints[key])
            try:
                given[key] = parse(kind, rules[key].metadata["rule"], inner)
            except RejectedError as error:
                raise RejectedError(f"has a wrong {name}.{key}: it {error}") from None
        read[str(name)] = cls(**given)
    return MappingProxyType(read)


TABLES: Mapping[str, tuple[type, type[StrEnum] | None]] = MappingProxyType(
    {"engine.tasks": (TaskSettings, Task), "engine.prices": (PriceSettings, None)}
)
"""The keys that are tables: what an entry is, and which names there are."""
