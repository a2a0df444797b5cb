"""Relearning: what a fact loses first, what comes back when it is told again, and what a mind says of what it forgot.

Part of `learn`. Facts (`relearning.tsv`) are told, digested and left alone for five hundred days; then they are told
again, or with another detail. What was lived through once (`faded.tsv`) is left alone for longer, and asked for.
Before: what was so when it had faded, or was told for the first time; after: when it was told again. One mind a fact.
Invariant: the daemon lives by the wall clock, so that a day is a day of forgetting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.learning.measured_daemon import Figure, Measured, figure, scenes
from scripted_answers import default_answer, task_of
from soulmem.core.calendar.iso8601 import parse_iso
from soulmem.core.schema.engine_tasks import Task

_SETTINGS = {"forgetting.clock": "wall"}
_KEPT = {**_SETTINGS, "forgetting.deletes": False}
_FADES_DAYS, _LOST_DAYS = 500, 900
_TIMES = 100
_DAY_MS = 86_400_000
_Note = dict[str, Any]


def measure(on: Measured, language: str) -> list[Figure]:
    """The figures of all facts and of what faded, of a language."""
    table = scenes("relearning.tsv", language)
    if on.endpoint is not None:
        on.endpoint.answer = _noting({row[1]: row[4] for row in table})
    return [*_told_again(on, language, table), *_repeated(on, language, table[0]), *_lost(on, language)]


def _told_again(on: Measured, language: str, table: list[list[str]]) -> list[Figure]:
    says_it, shows, back, kept, wrong = [], [], [], ([], []), []
    minds = [(f"{language}-again-{number}", f"{language}-other-{number}") for number in range(len(table))]
    for row, both in zip(table, minds, strict=True):
        for mind in both:
            on.call("mind.create", mind=mind, settings=_SETTINGS)
            _tell(on, mind, row[0], row[1])
        kept[0].append(_keeps(on, both[0], row[3]))
    on.pass_days(_FADES_DAYS)
    for row, (mind, other) in zip(table, minds, strict=True):
        speaker, text, says, detail, _, otherwise, _ = row
        faded = _shown(on, mind)
        says_it.append(float(says in faded))
        shows.append(float(detail in faded))
        _tell(on, mind, speaker, text)
        back.append(float(detail in _shown(on, mind)))
        kept[1].append(_keeps(on, mind, detail))
        _tell(on, other, speaker, otherwise)
        wrong.append(float(detail in _shown(on, other)))
    return [
        figure(f"after {_FADES_DAYS} days: its details show; what it says does", shows, says_it),
        figure("a detail shows; after: when it was told again", shows, back),
        figure("how long a detail keeps: told once; told again", *kept, "days"),
        figure("a detail shows; after: when it was told with another", shows, wrong),
    ]


def _repeated(on: Measured, language: str, row: list[str]) -> list[Figure]:
    """Somebody who repeats one fact a hundred times."""
    mind, (speaker, text, says, detail, *_) = f"{language}-hundred", row
    on.call("mind.create", mind=mind, settings=_SETTINGS)
    notes, stability = [], []
    for times in (1, _TIMES - 1):
        for _ in range(times):
            on.say(mind, text, speaker=speaker)
        on.settle(mind)
        on.call("idle.run", mind=mind)
        notes.append(float(sum(says in each["text"] for each in _notes(on, mind))))
        stability.append(_keeps(on, mind, detail))
    return [
        figure(f"told once; {_TIMES} times in one evening: notes of it", notes[:1], notes[1:], "notes"),
        figure(
            f"told once; {_TIMES} times in one evening: how long a detail keeps", stability[:1], stability[1:], "days"
        ),
    ]


def _lost(on: Measured, language: str) -> list[Figure]:
    minds = []
    for number, (told, other, asked, word) in enumerate(scenes("faded.tsv", language)):
        mind = f"{language}-lost-{number}"
        on.call("mind.create", mind=mind, settings=_KEPT)
        for text in (told, other):
            _tell(on, mind, "Ann", text)
        minds.append((mind, asked, word))
    fresh = [_has(on.call("recall", mind=mind, query=asked, record=False), word) for mind, asked, word in minds]
    on.pass_days(_LOST_DAYS)
    answers = [on.call("recall", mind=mind, query=asked, record=False) for mind, asked, _ in minds]
    reached = [on.call("recall", mind=mind, query=asked, record=False, reach="archive") for mind, asked, _ in minds]
    words = [word for *_, word in minds]
    faded = [_has(each, word) for each, word in zip(answers, words, strict=True)]
    found = [_has(each, word) for each, word in zip(reached, words, strict=True)]
    marked = [float(any(item.get("from") == "archive" for item in each["items"])) for each in reached]
    says = [float(_says_so(each)) for each, told in zip(answers, faded, strict=True) if not told]
    none = [0.0] * len(minds)
    return [
        figure(f"what was lived through is told in words; after: {_LOST_DAYS} days later", fresh, faded),
        figure("a mind that forgot says so, and that the words lie in the archive", none[: len(says)], says),
        figure("the words are found; after: with `reach: archive`", faded, found),
        figure("what comes from there is marked so", none, marked),
    ]


def _says_so(answer: dict[str, Any]) -> bool:
    """Whether an answer tells that something has faded: there is nothing, or nothing but notes with gaps."""
    if not answer["items"]:
        return bool(answer.get("reason") == "faded" and answer.get("archived"))
    return any(item.get("archived") and item["state"] in {"blurred", "blank"} for item in answer["items"])


def _has(answer: dict[str, Any], word: str) -> float:
    return float(any(word in item["text"] for item in answer["items"]))


def _tell(on: Measured, mind: str, speaker: str, text: str) -> None:
    on.say(mind, text, speaker=speaker)
    on.settle(mind)
    on.call("idle.run", mind=mind)


def _notes(on: Measured, mind: str) -> list[_Note]:
    ids = [each["id"] for each in on.call("note.list", mind=mind, limit=500)["items"]]
    return [on.call("note.get", mind=mind, id=each)["note"] for each in ids]


def _shown(on: Measured, mind: str) -> str:
    """All that the notes of a mind show now."""
    return "\n".join(each["rendered"] for each in _notes(on, mind))


def _keeps(on: Measured, mind: str, detail: str) -> float:
    """For how many days from now a detail shows; 0 where no note has it as one."""
    now, lasting = on.now_ms(), 0.0
    for note in _notes(on, mind):
        texts = [(note["text"][each["start"] : each["end"]], each["blurs_at"]) for each in note["elements"]]
        parts = [(len(text), until) for text, until in texts if detail in text]
        if parts and (until := min(parts)[1]):  # the smallest part that has it is what hides it
            lasting = max(lasting, (parse_iso(until) - now) / _DAY_MS)
    return round(lasting, 1)


def _noting(notes: Mapping[str, str]) -> Callable[[Mapping[str, Any]], Any]:
    """A model that notes facts as facts, in the words given for what was said."""

    def answer(body: Mapping[str, Any]) -> Any:
        answered = default_answer(body)
        if task_of(body) is not Task.SPLIT:
            return answered
        for note in answered["notes"]:
            if (noted := next((text for said, text in notes.items() if note["text"].endswith(said)), None)) is not None:
                note |= {"type": "semantic", "text": noted}
        return answered

    return answer
