"""`soulmem doctor --model`: what the configured language model can be held to, and how it does each task.

Every task is put once, on a small talk of our own, in English or Chinese; nothing of anybody's memory is sent. The
figures are this moment's: a local model that has to be loaded first is slow the first time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from soulmem.cli.findings import Finding, Verdict

if TYPE_CHECKING:
    from soulmem.llm.engine import OpenAIEngine
    from soulmem.ops.config import Config

_BLANK = "no model is configured: the built-in engine does every task"
_WORDS = {
    "json_schema": "held to a JSON schema",
    "json_object": "held to JSON, not to a schema",
    "text": "held to nothing: its JSON is read out of its text",
}


def engine_finding(config: Config) -> Finding:
    """Which engine the configuration asks for; asks nobody."""
    engine = config.engine
    if engine.name == "extractive" or not (engine.base_url and engine.model):
        if engine.name == "openai":
            missing = "base_url" if not engine.base_url else "model"
            return Finding("engine", Verdict.WRONG, f"openai, but engine.{missing} is not set", "set it")
        return Finding("engine", Verdict.FINE, "extractive: no language model")
    from soulmem.errors import SoulmemError  # noqa: PLC0415 - keeps the other commands light
    from soulmem.llm.address import address_of  # noqa: PLC0415 - ditto

    key = "with a key" if engine.api_key else "without a key"
    try:
        shown = address_of(engine.base_url).shown
    except SoulmemError as error:
        return Finding("engine", Verdict.WRONG, error.message, error.hint or "")
    return Finding("engine", Verdict.FINE, f"{engine.model} at {shown}, {key}", "soulmem doctor --model tries it")


def try_endpoint(config: Config, language: str) -> Iterator[Finding]:
    """Probe the endpoint, then put every task to it.

    Args:
        language: of the samples, `en` or `zh`.
    """
    if not (config.engine.base_url and config.engine.model) or config.engine.name == "extractive":
        yield Finding("engine", Verdict.NOTICE, _BLANK, "set engine.base_url and engine.model")
        return
    yield from asyncio.run(_tried(config, language))


async def _tried(config: Config, language: str) -> list[Finding]:
    from soulmem.core.tasks import Task  # noqa: PLC0415 - only this command pays for the engine
    from soulmem.errors import SoulmemError  # noqa: PLC0415 - ditto
    from soulmem.llm.samples import sample  # noqa: PLC0415 - ditto

    findings: list[Finding] = []
    engine = _engine(config)
    try:
        try:
            known = await engine.probe()
        except SoulmemError as error:
            return [Finding("endpoint", Verdict.WRONG, error.message, error.hint or "")]
        rung = known.rung.value
        verdict = Verdict.NOTICE if rung == "text" else Verdict.FINE
        findings.append(Finding("endpoint", verdict, f"{config.engine.model} answers; {_WORDS.get(rung, rung)}"))
        for task in Task:
            await getattr(engine, task.value)(sample(task, language))
            findings.append(_task_finding(engine, task))
    finally:
        await engine.aclose()
    return findings


def _engine(config: Config) -> OpenAIEngine:
    from soulmem.llm.budgets import Budgets  # noqa: PLC0415 - only this command pays for the engine
    from soulmem.llm.engine import OpenAIEngine  # noqa: PLC0415 - ditto
    from soulmem.llm.extractive import ExtractiveEngine  # noqa: PLC0415 - ditto
    from soulmem.llm.options import BudgetOptions  # noqa: PLC0415 - ditto
    from soulmem.llm.prompts import Prompts  # noqa: PLC0415 - ditto
    from soulmem.ops.clock import SystemClock  # noqa: PLC0415 - ditto
    from soulmem.world import engine_options  # noqa: PLC0415 - ditto

    def silent(_event: str, /, **_fields: Any) -> None:
        """A trial belongs to nobody's log."""

    options, clock = engine_options(config.engine, config), SystemClock()
    budgets = Budgets(BudgetOptions(0, 0, 0, 0.0), clock, silent)
    return OpenAIEngine(options, Prompts(options.prompts_dir), budgets, ExtractiveEngine(), clock, silent)


def _task_finding(engine: OpenAIEngine, task: Any) -> Finding:
    report = engine.report(task)
    if report is None:
        return Finding(task.value, Verdict.NOTICE, "was not put to the model")
    spent = f"{report.took_ms / 1000:.1f} s, {report.tokens_in} + {report.tokens_out} tokens"
    if report.answered:
        again = f", {report.calls} calls" if report.calls > 1 else ""
        return Finding(task.value, Verdict.FINE, f"{spent}{again}")
    return Finding(task.value, Verdict.NOTICE, f"{report.error} ({spent}); the built-in engine stood in", report.hint)
