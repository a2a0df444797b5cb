"""Deep questions: does a recall that thinks find what neither words nor links lead to, and say what it misses?

Part of `learn`. Of each scene (`deep_questions.tsv`) much is told that sounds like the question, and one thing that
answers it in no word of it; the question itself was put in the same talk before. Before: the recall that everybody
gets; after: `depth: deep`. The scripted judge knows the answer when it is shown it, and else names what is missing.
Without a model both are asked the same, to show what a model brings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.learning.measured_daemon import Figure, Measured, figure, place_of, scenes
from scripted_answers import default_answer, task_of
from scripted_endpoint import Received
from soulmem.core.schema.engine_tasks import Task

ENVIRONMENT = {"SOULMEM_ENGINE_INTERACTIVE_DEADLINE_S": "20"}
_MOST = 10
_MUCH = 40
_SINCE = {"en": "Hm, tell me more.", "zh": "嗯，再说说。"}


def measure(on: Measured, language: str) -> list[Figure]:
    """The figures of all scenes of a language."""
    table = scenes("deep_questions.tsv", language)
    minds = [_furnish(on, f"{language}-{number}", language, row) for number, row in enumerate(table)]
    if on.endpoint is not None:
        known = {row[0]: (row[4], row[5]) for row in table}
        on.endpoint.answer = _judge(known | {row[6]: ("", row[6]) for row in table})
    plain, deep, misses, told, steps, itself = [], [], [], [], [], list[float]()
    for row, (mind, note) in zip(table, minds, strict=True):
        asked = {"k": _MOST, "conversation": "c"}
        plain.append(float(place_of(on.look(mind, row[0], **asked), note, _MOST)))
        begun = len(on.endpoint.requests) if on.endpoint is not None else 0
        found = on.call("recall", mind=mind, query=row[0], depth="deep", record=False, explain=True, **asked)
        deep.append(float(place_of(found["items"], note, _MOST)))
        if on.endpoint is not None:
            itself += [_shows(each, row[0]) for each in on.endpoint.requests[begun:] if each.task is Task.JUDGE]
        thought = found.get("deliberation", {"judgements": [], "calls": 0})
        told.append(float(len(thought["judgements"]) == thought["calls"] > 0))
        steps.append(float(thought["calls"]))
        never = on.call("recall", mind=mind, query=row[6], depth="deep", record=False, **asked)
        misses.append(float(bool(never.get("missing"))))
    figures = [
        figure("what answers comes first", [float(at == 1) for at in plain], [float(at == 1) for at in deep]),
        figure(f"its place, {_MOST + 1} if nowhere", plain, deep, "place"),
    ]
    if on.endpoint is None:
        return figures
    none = [0.0] * len(table)
    return [
        *figures,
        figure("says what is missing, of what was never told", none, misses),
        figure("tells each step", none, told),
        figure("calls of the judge", none, steps, "calls"),
        figure("judgements that were shown the question itself", [0.0] * len(itself), itself),
    ]


def _shows(request: Received, question: str) -> float:
    """Whether a judgement was laid a question before as if it were a memory."""
    lines = request.body["messages"][-1]["content"].splitlines()
    return float(any(question in line for line in lines if line.startswith("[N")))


def _furnish(on: Measured, mind: str, language: str, row: list[str]) -> tuple[str, str]:
    question, one, other, much, answer, *_ = row
    on.call("mind.create", mind=mind)
    for text in (one, other, *(much.format(number) for number in range(1, _MUCH + 1))):
        on.note(mind, text)
    note = on.note(mind, answer)
    for text in (question, _SINCE[language]):
        on.say(mind, text, conversation="c")
    on.settle(mind)
    return mind, note


def _judge(known: Mapping[str, tuple[str, str]]) -> Callable[[Mapping[str, Any]], Any]:
    """A judge that knows by question the answer when it sees it, if there is one, and else what is missing."""

    def answer(body: Mapping[str, Any]) -> Any:
        if task_of(body) is not Task.JUDGE:
            return default_answer(body)
        prompt = body["messages"][-1]["content"]
        asked = prompt.split("<<<")[1]
        told, missing = next((known[question] for question in known if question in asked), ("", "?"))
        lines = [line for line in prompt.splitlines() if line[:2] == "[N"]
        useful = [line[1:].split("]")[0] for line in lines if told and line.endswith(told)]
        return {
            "sufficient": bool(useful), "confidence": 0.9, "missing": [] if useful else [missing],
            "useful_nodes": useful, "useful_links": [], "useful_dummies": [], "follow": [],
        }  # fmt: skip

    return answer
