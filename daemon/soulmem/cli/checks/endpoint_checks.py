"""`soulmem doctor --model`: what the configured language model can be held to, and how it does each task.

Every task is put once, on a small talk of our own, in English or Chinese; nothing of anybody's memory is sent. The
figures are this moment's: a local model that has to be loaded first is slow the first time. Imported by the doctor only
when it is asked for, because it brings the whole engine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from soulmem.cli.checks.findings import Finding, Verdict, unchecked
from soulmem.core.schema.engine_tasks import Task
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.errors import SoulmemError, StartupError
from soulmem.llm.endpoint.budgets import Budgets
from soulmem.llm.endpoint.endpoint_address import address_of
from soulmem.llm.endpoint.endpoint_options import BudgetOptions
from soulmem.llm.engine.engine_choice import asks_endpoint, load_engine
from soulmem.llm.engine.model_engine import OpenAIEngine
from soulmem.llm.engine.sample_requests import sample
from soulmem.ops.process.clock import SystemClock
from soulmem.ops.settings.config_loader import Config
from soulmem.wiring import engine_options

_BLANK = "no model is configured: the built-in engine does every task"
_WORDS = {
    "json_schema": "held to a JSON schema",
    "json_object": "held to JSON, not to a schema",
    "text": "held to nothing: its JSON is read out of its text",
}


def engine_finding(config: Config, *, tried: bool) -> Finding:
    """Which engine the configuration asks for; asks nobody.

    `tried`: it is about to be.
    """
    options = engine_options(config.engine, config)
    try:
        if not asks_endpoint(config.engine.name.value, options):
            return Finding("engine", Verdict.FINE, "extractive: no language model")
    except StartupError as error:
        return Finding("engine", Verdict.WRONG, str(error), "put it right: the daemon does not start with it")
    key = "with a key" if options.api_key else "without a key"
    found = f"{options.model} at {address_of(options.base_url).shown}, {key}"
    if tried:
        return Finding("engine", Verdict.FINE, found)
    return unchecked("engine", f"whether {found}, answers", "soulmem doctor --model asks it")


def try_endpoint(config: Config, language: str) -> Iterator[Finding]:
    """Probe the endpoint, then put every task to it.

    `language`: of the samples, `en` or `zh`.
    """
    engine = _engine(config)
    if engine is None:
        yield Finding("endpoint", Verdict.NOTICE, _BLANK, "set engine.base_url and engine.model")
    else:
        yield from asyncio.run(_tried(engine, language))


def _engine(config: Config) -> OpenAIEngine | None:
    def silent(_event: str, /, **_fields: Any) -> None:
        """A trial belongs to nobody's log."""

    clock = SystemClock()
    budgets = Budgets(BudgetOptions(0, 0, 0, 0.0), clock, silent)
    options = engine_options(config.engine, config)
    engine = load_engine(config.engine.name.value, options, budgets, HashingEmbedder(), clock, silent)
    return engine if isinstance(engine, OpenAIEngine) else None


async def _tried(engine: OpenAIEngine, language: str) -> list[Finding]:
    findings: list[Finding] = []
    try:
        try:
            rung = (await engine.probe()).rung.value
        except SoulmemError as error:
            # an error of the endpoint says to ask the doctor, who is asking
            advice = (
                "see that it runs, and that engine.base_url is its address"
                if "doctor" in (error.hint or "")
                else error.hint
            )
            return [Finding("endpoint", Verdict.WRONG, error.message, advice or "")]
        verdict = Verdict.NOTICE if rung == "text" else Verdict.FINE
        findings.append(Finding("endpoint", verdict, f"{engine.name} answers; {_WORDS.get(rung, rung)}"))
        for task in Task:
            await getattr(engine, task.value)(sample(task, language))
            findings.append(_task_finding(engine, task))
    finally:
        await engine.aclose()
    return findings


def _task_finding(engine: OpenAIEngine, task: Task) -> Finding:
    report = engine.report(task)
    if report is None:
        return Finding(task.value, Verdict.NOTICE, "was not put to the model")
    spent = f"{report.took_ms / 1000:.1f} s, {report.tokens_in} + {report.tokens_out} tokens"
    if report.answered:
        again = f", {report.calls} calls" if report.calls > 1 else ""
        return Finding(task.value, Verdict.FINE, f"{spent}{again}")
    return Finding(task.value, Verdict.NOTICE, f"{report.error} ({spent}); the built-in engine stood in", report.hint)
