"""Gap filling: does who asks get an answer at once, and does the gap in it show filled the next time?

Part of `learn`. A detail of each note (`gaps.tsv`) has faded to its gist. A message asks for it. A scripted model,
which takes a second, fills in; else the companion's reply does, unless it only supposes. Before: the first answer;
after: the next one. Invariant: what faded is never shown to whoever fills in.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.learning.measured_daemon import Figure, Measured, figure, scenes
from scripted_answers import default_answer, task_of
from soulmem.core.schema.engine_tasks import Task

ENVIRONMENT = {"SOULMEM_EMBEDDER_NAME": "hashing"}
_SETTINGS = {"forgetting.clock": "wall", "forgetting.deletes": False, "forgetting.whole_days": 3000.0}
_FADED_AFTER = 6  # days
_THINKS_S = 1.0
_HEARD = "Listen. 听我说。"


def measure(on: Measured, language: str) -> list[Figure]:
    """The figures of all notes of a language."""
    told = scenes("gaps.tsv", language)
    figures = []
    if on.endpoint is not None:
        on.endpoint.answer = _model({row[0]: row[4] for row in told})
        figures += _filled(on, f"{language}-model", told, "the model", lambda _row: None)
        on.endpoint.answer = _model({})  # it remembers nothing of it
    figures += _filled(on, f"{language}-reply", told, "the reply", lambda row: row[5])
    supposed = _filled(on, f"{language}-supposed", told, "a reply that only supposes", lambda row: row[6])
    return [*figures, supposed[0]]


def _filled(
    on: Measured, name: str, told: list[list[str]], who: str, reply: Callable[[list[str]], str | None]
) -> list[Figure]:
    minds = [_faded(on, f"{name}-{number}", row) for number, row in enumerate(told)]
    on.pass_days(_FADED_AFTER)
    first, waited, then, is_told, again = [], [], [], [], []
    for row, (mind, _) in zip(told, minds, strict=True):
        _, detail, gist, question, words, *_ = row
        began = time.perf_counter()
        shown = on.say(mind, question, recall=True)["context"]["text"]
        waited.append((time.perf_counter() - began) * 1000)
        if detail in shown or gist not in shown:
            raise RuntimeError(f"the detail has not faded to its gist: {shown}")
        first.append(float(words in shown))
        if (said := reply(row)) is not None:
            known = on.verdicts(mind)
            on.reply(mind, said)
            on.learnt(mind, known)
    on.call("clock.advance", seconds=1)  # what was begun beside the talk is done then
    for row, (mind, note) in zip(told, minds, strict=True):
        began = time.perf_counter()
        item = next((each for each in on.look(mind, row[3]) if each["id"] == note), None)
        again.append((time.perf_counter() - began) * 1000)
        then.append(float(item is not None and row[4] in item["text"]))
        versions = on.call("note.history", mind=mind, id=note)["versions"]
        is_rewritten = item is not None and item["state"] == "rewritten"
        is_told.append(float(is_rewritten and [each["text"] for each in versions] == [row[0]]))
    return [
        figure(f"filled in by {who}", first, then),
        figure(f"filled in by {who}: says that it is rewritten, and has its history", [0.0] * len(told), is_told),
        figure(f"filled in by {who}: time of the first answer, of the next look", waited, again, "ms"),
    ]


def _faded(on: Measured, mind: str, row: list[str]) -> tuple[str, str]:
    """A mind that has heard something for a note to rest on, and its note, of which a detail will fade."""
    text, detail, gist, *_ = row
    on.call("mind.create", mind=mind, settings=_SETTINGS)
    on.say(mind, _HEARD, id="told")
    elements = [{"quote": detail, "level": 2, "gist": gist}]
    return mind, on.note(mind, text, elements=elements, sources=[{"conversation": "main", "id": "told"}])


def _model(words: Mapping[str, str]) -> Callable[[Mapping[str, Any]], Any]:
    """A model that takes a second to fill a gap with its own words, told by what still shows of the note."""

    def answer(body: Mapping[str, Any]) -> Any:
        if task_of(body) is not Task.RECONSTRUCT:
            return default_answer(body)
        time.sleep(_THINKS_S)
        prompt = body["messages"][-1]["content"]
        said = next((word for text, word in words.items() if _names(text) in prompt), None)
        return {"fills": [{**fill, "text": said} for fill in default_answer(body)["fills"]]}

    return answer


def _names(text: str) -> str:
    """Who a note is about: its first word, or the first two characters of a Chinese one."""
    return text.split(maxsplit=1)[0] if " " in text else text[:2]
