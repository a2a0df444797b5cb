"""Guided recalls: does what a question is after decide what comes, whichever way it is put?

Part of `learn`. Of each thing (`guided.tsv`) one note is found by words; how it is done and what once happened are
tied to it by links of the same strength. Each thing is asked for by a client, for a context, by a message somebody
waits for, and by one that nobody waits for. Before: a question that is after nothing in particular; after: one that is.
With a scripted model, the model takes that same plain question to be after something. Invariant: the embedder hashes
words, so that what links tie to a thing is found by links alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.learning.measured_daemon import Figure, Measured, figure, scenes
from scripted_answers import default_answer, task_of
from soulmem.core.schema.engine_tasks import Task

ENVIRONMENT = {"SOULMEM_ENGINE_ANALYSIS": "normal", "SOULMEM_EMBEDDER_NAME": "hashing"}
_SETTINGS = {"recall.min_score": 0.0, "recall.k": 80}
_FOG = {"en": "Fog in {}, {} hours.", "zh": "{}有雾，{}小时。"}
_FOGS = 11  # notes of each thing that say nothing, so that what links tie to it is found by links alone
_EVEN = {"specific": 0.25, "abstract": 0.25, "semantic": 0.25, "procedural": 0.25}
_CALM = {"valence": 0.0, "arousal": 0.2, "impatience": 0.0}
_SAD, _GLAD = {"valence": -1, "arousal": 1}, {"valence": 1, "arousal": 1}

Ask = Callable[[Measured, str, str, dict[str, Any]], object]
WAYS: Mapping[str, Ask] = {
    "client": lambda on, mind, text, more: on.call("recall", mind=mind, query=text, k=80, **more),
    "context": lambda on, mind, text, more: on.call("context.get", mind=mind, query=text, **more),
    "message": lambda on, mind, text, more: on.say(mind, text, recall=True, **more),
    "background": lambda on, mind, text, more: on.say(mind, text, **more),
}


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing by what is known of it, with the ids of what links tie to it."""

    door: str
    how: str
    when: str
    calm: str
    hurried: str
    hard: str
    act: str
    event: str


@dataclass(slots=True)
class Script:
    """A model that takes questions as it is told to; `leans`: what plain ones are after."""

    taken: dict[str, dict[str, Any]] = field(default_factory=dict)
    leans: str = ""

    def __call__(self, body: Mapping[str, Any]) -> Any:
        if task_of(body) is not Task.ANALYSE_QUERY:
            return default_answer(body)
        prompt = body["messages"][-1]["content"]
        meant: dict[str, Any] = next((told for text, told in self.taken.items() if text in prompt), {})
        leaning = meant.get("leaning") or (_leaning(self.leans) if self.leans else _EVEN)
        mood = {**_CALM, **meant.get("mood", {})}
        return {"subquestions": [], "depth": meant.get("depth", "normal"), "leaning": leaning, "mood": mood}


def measure(on: Measured, language: str) -> list[Figure]:
    """The figures of all things of a language."""
    things, lines = _furnish(on, language)
    script = Script()
    for each in things:
        script.taken |= {
            each.how: {"leaning": _leaning("procedural")}, each.when: {"leaning": _leaning("specific")},
            each.hurried: {"mood": {"impatience": 0.9}}, each.hard: {"depth": "deep"},
        }  # fmt: skip
    if on.endpoint is not None:
        on.endpoint.answer = script
    figures = [figure for way in WAYS for figure in _guided(on, way, things, lines, script)]
    deep = [[_deep(on, language, getattr(each, name)) for each in things] for name in ("calm", "hard")]
    return [*figures, figure("looked for as deeply as why asks for; before: a plain question", *deep)]


def _guided(on: Measured, way: str, things: list[Thing], lines: str, script: Script) -> list[Figure]:
    """The figures of one way of asking; each wording is put to a mind of its own, which is the same at first."""

    def brought(name: str, wording: str, **more: Any) -> list[dict[str, int]]:
        mind = f"{way}-{name}"
        on.call("mind.import", mind=mind, text=lines, end=True)
        on.settle(mind)
        return [_brought(on, mind, way, getattr(each, wording), more) for each in things]

    def acts(found: list[dict[str, int]]) -> list[float]:
        return [_first(one, each.act, each.event) for one, each in zip(found, things, strict=True)]

    def events(found: list[dict[str, int]]) -> list[float]:
        return [_first(one, each.event, each.act) for one, each in zip(found, things, strict=True)]

    def came(found: list[dict[str, int]]) -> list[float]:
        return [float(each.act in one or each.event in one) for one, each in zip(found, things, strict=True)]

    plain = brought("plain", "calm")
    figures = [
        figure(f"{way}: how it is done comes first where that is asked", acts(plain), acts(brought("how", "how"))),
        figure(f"{way}: what happened comes first where that is asked", events(plain), events(brought("when", "when"))),
        figure(
            f"{way}: what was sad comes first in a sad mood; before: a glad one",
            events(brought("glad", "calm", mood=_GLAD)), events(brought("sad", "calm", mood=_SAD)),
        ),
        figure(f"{way}: what links tie to it comes to who is in haste", came(plain), came(brought("haste", "hurried"))),
    ]  # fmt: skip
    if on.endpoint is not None:
        script.leans = "procedural"
        taken = acts(brought("taken", "calm"))
        script.leans = ""
        figures.append(figure(f"{way}: how it is done comes first where the model takes it so", acts(plain), taken))
    return figures


def _furnish(on: Measured, mind: str) -> tuple[list[Thing], str]:
    """The things of a language in a mind, and the lines of it."""
    on.call("mind.create", mind=mind)
    on.call("mind.update", mind=mind, settings=_SETTINGS)
    things = []
    for name, door, act, event, how, when, calm, hurried, hard in scenes("guided.tsv", mind):
        ids = {door: on.note(mind, door, kind="semantic")}
        # By turns the one and the other is the older one, which is what decides where nothing else does.
        for text in (act, event) if len(things) % 2 else (event, act):
            more = {"kind": "procedural"} if text == act else {"valence": -1.0}
            ids[text] = on.note(mind, text, **more)
            on.call("link.add", mind=mind, src=ids[door], dst=ids[text], kind="association", strength=0.5)
        for hours in range(_FOGS):
            on.note(mind, _FOG[mind].format(name, hours))
        things.append(Thing(door, how, when, calm, hurried, hard, ids[act], ids[event]))
    on.settle(mind)
    exported = on.call("mind.export", mind=mind)
    if exported["next_cursor"] is not None:
        raise RuntimeError("the mind is exported in more than one piece")
    return things, exported["text"]


def _brought(on: Measured, mind: str, way: str, text: str, more: dict[str, Any]) -> dict[str, int]:
    """The notes that a recall on record brought, with their places; each message in a talk of its own."""
    asked = on.rows(mind, "SELECT count(*) FROM recall")[0][0]
    WAYS[way](on, mind, text, more if way in ("client", "context") else {"conversation": f"c{asked}", **more})
    on.settle(mind)
    last = on.rows(mind, "SELECT id FROM recall WHERE state <> 'pending' ORDER BY id DESC LIMIT 1")[0]
    hits = on.rows(mind, "SELECT item, rank FROM recall_hit WHERE recall = ? AND kind = 'note'", *last)
    return {f"n{item}": rank for item, rank in hits}


def _leaning(kind: str) -> dict[str, float]:
    return {each: 0.55 if each == kind else 0.15 for each in _EVEN}


def _first(found: Mapping[str, int], one: str, other: str) -> float:
    """Whether the one came, and before the other."""
    return float(one in found and found[one] < found.get(other, len(found) + 1_000))


def _deep(on: Measured, mind: str, text: str) -> float:
    found = on.call("recall", mind=mind, query=text, record=False, explain=True)
    return float(found["analysis"]["depth"] == "deep")
