"""Choosing the engine: a language model behind an endpoint where one is configured, else none at all.

Called once by the composition root and by `soulmem doctor --model`. Nothing is asked of an endpoint here: it may be
away now and back later. The adapter and its library are imported only when an endpoint is configured.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from soulmem.errors import SoulmemError, StartupError
from soulmem.llm.endpoint.endpoint_address import address_of
from soulmem.llm.extractive import ExtractiveEngine
from soulmem.ports import Clock, Embedder, Emit, LanguageModel

if TYPE_CHECKING:
    from soulmem.llm.endpoint.budgets import Budgets
    from soulmem.llm.endpoint.endpoint_options import EngineOptions

_EX_CONFIG = 78


def load_engine(
    name: str, options: EngineOptions, budgets: Budgets, embedder: Embedder, clock: Clock, emit: Emit
) -> LanguageModel:
    """The engine that the settings ask for.

    Args: name: `extractive`, `openai`, or `auto`: openai where a URL and a model are set.
    Raises: StartupError: as `asks_endpoint` does.
    """
    extractive = ExtractiveEngine(embedder)
    if not asks_endpoint(name, options):
        return extractive
    from soulmem.llm.engine.model_engine import OpenAIEngine  # noqa: PLC0415 - see the module's first paragraph
    from soulmem.llm.prompts import Prompts  # noqa: PLC0415 - only who needs it pays

    return OpenAIEngine(options, Prompts(options.prompts_dir), budgets, extractive, clock, emit)


def asks_endpoint(name: str, options: EngineOptions) -> bool:
    """Whether the settings ask for a language model behind an endpoint; nobody is asked.

    Raises StartupError: exit code 78, when they do so by halves or with an address that cannot be one.
    """
    given = {"base_url": options.base_url, "model": options.model}
    if name == "extractive" or (name == "auto" and not any(given.values())):
        return False
    for setting, value in given.items():
        if not value:
            other = next((f"engine.{each}" for each, is_set in given.items() if is_set), "engine.name = openai")
            raise StartupError(
                f"{other} is set, but engine.{setting} is not: set it, or engine.name to extractive",
                exit_code=_EX_CONFIG,
            )
    try:
        address_of(options.base_url)
    except SoulmemError as error:
        raise StartupError(error.line, exit_code=_EX_CONFIG) from error
    return True


async def prepare_engine(engine: LanguageModel) -> None:
    """Load the library of an endpoint's client, if there is an endpoint: it takes a moment, best one of calm."""
    prepare: Callable[[], Awaitable[None]] | None = getattr(engine, "open", None)
    if prepare is not None:
        await prepare()


async def close_engine(engine: LanguageModel) -> None:
    """Let go of an endpoint's connections, if it has any."""
    close: Callable[[], Awaitable[None]] | None = getattr(engine, "aclose", None)
    if close is not None:
        await close()


def standing_of(engine: LanguageModel) -> dict[str, Any] | None:
    """The endpoint behind an engine for `system.status`, without credentials; None where there is none."""
    standing: Callable[[], dict[str, Any]] | None = getattr(engine, "standing", None)
    return standing() if standing is not None else None
