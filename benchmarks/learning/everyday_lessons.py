"""Lessons of everyday talk: what a reply used, a judge found useful or somebody blamed decides what comes next time.

Part of `learn`. Of each thing (`lessons.tsv`) words find one note; two more are tied to it as strongly. It is asked for
once a day by a message, and answered; nobody says what was good. Before: the first day, after: what is looked up,
unrecorded, when some days have gone by. One mind for each way to learn: a reply made of the right note, one that used
nothing, one made of the wrong note that is blamed by the next message, and, with a model, a judge that finds the right
note useful while no reply comes. Invariant: the right note never contains what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.learning.measured_daemon import Figure, Measured, figure, place_of, scenes
from scripted_answers import default_answer, task_of
from soulmem.core.schema.engine_tasks import Task

DAYS = 4
_MOST, _FIRST = 10, 3
_LINK = 0.35
_NOTHING = {"en": "Oh, I see.", "zh": "嗯嗯，这样啊。"}
_BLAME = {"en": "No, that's completely wrong!", "zh": "不对，你完全记错了！"}
_OTHERS = {"en": "The tram number {} was late on Friday.", "zh": "星期五{}路电车晚点了。"}
_SETTINGS = {"recall.min_score": 0.0, "forgetting.deletes": False}


@dataclass(frozen=True, slots=True)
class Thing:
    """What is asked for, the ids of what may come, and replies made of either."""

    asked: str
    hard: str
    right: str
    wrong: str
    told: str  # the right note's text
    uses_right: str
    uses_wrong: str


@dataclass(frozen=True, slots=True)
class Seen:
    """Where the right and the wrong note stood."""

    right: int
    wrong: int
    share: float  # of the best item's score, the right one's
    wrong_share: float  # the wrong one's


def measure(on: Measured, language: str) -> list[Figure]:
    """The figures of all things of a language."""
    if on.endpoint is not None:
        on.endpoint.answer = _model([row[1] for row in scenes("lessons.tsv", language)])
    figures = [*_replied(on, language), *_nothing(on, language), *_blamed(on, language)]
    return figures + (_judged(on, language) if on.endpoint is not None else [])


def _replied(on: Measured, language: str) -> list[Figure]:
    mind, things = f"{language}-replied", _furnish(on, f"{language}-replied", language)
    before = _see(on, mind, things)
    for _ in range(DAYS):
        for each in things:
            _talk(on, mind, each.asked, each.uses_right)
        on.pass_days(1)
    return _reached("a reply used it", before, _see(on, mind, things))


def _nothing(on: Measured, language: str) -> list[Figure]:
    """Of each thing once what was used, then once nothing: the ways to the best three gain by half."""
    mind, things = f"{language}-nothing", _furnish(on, f"{language}-nothing", language)
    for says in (lambda each: each.uses_right, lambda _: _NOTHING[language]):
        for each in things:
            _talk(on, mind, each.asked, says(each))
    learnt = on.rows(mind, "SELECT strength FROM feedback WHERE verdict = 'judged' ORDER BY recall")
    weights = [float(strength) for (strength,) in learnt]
    used = on.rows(mind, "SELECT max(coalesce(used, 0)) FROM recall_hit GROUP BY recall ORDER BY recall")
    kept, half = [float(was_used) for (was_used,) in used], len(things)
    what = "what a reply used; one that used nothing"
    return [
        figure(f"{what}: what it teaches", weights[:half], weights[half:], "weight"),
        figure(f"{what}: something is rehearsed", kept[:half], kept[half:]),
    ]


def _blamed(on: Measured, language: str) -> list[Figure]:
    mind, things = f"{language}-blamed", _furnish(on, f"{language}-blamed", language)
    for _ in range(DAYS):
        for each in things:
            _talk(on, mind, each.asked, each.uses_wrong)
        on.pass_days(1)
    before = _see(on, mind, things)
    for _ in range(2):
        for each in things:
            _talk(on, mind, each.asked, each.uses_wrong)
            known = on.verdicts(mind)
            on.say(mind, _BLAME[language])
            on.learnt(mind, known)
        on.pass_days(1)
    after = _see(on, mind, things)
    return [
        figure("blamed twice: the wrong one before the right one",
               [float(one.wrong < one.right) for one in before], [float(one.wrong < one.right) for one in after]),
        figure("blamed twice: the wrong one's share of the best score",
               [one.wrong_share for one in before], [one.wrong_share for one in after]),
    ]  # fmt: skip


def _judged(on: Measured, language: str) -> list[Figure]:
    mind, things = f"{language}-judged", _furnish(on, f"{language}-judged", language)
    before = _see(on, mind, things, hard=True)
    for _ in range(DAYS):
        for each in things:
            known = on.verdicts(mind)
            on.say(mind, each.hard, recall=True)
            on.learnt(mind, known)
        on.pass_days(1)
    return _reached("a judge found it useful", before, _see(on, mind, things, hard=True))


def _reached(why: str, before: list[Seen], after: list[Seen]) -> list[Figure]:
    return [
        figure(f"{why}: before what nobody used", [_ahead(one) for one in before], [_ahead(one) for one in after]),
        figure(f"{why}: among the first three",
               [float(one.right <= _FIRST) for one in before], [float(one.right <= _FIRST) for one in after]),
        figure(f"{why}: its place", [float(one.right) for one in before], [float(one.right) for one in after], "place"),
        figure(f"{why}: its share of the best score", [one.share for one in before], [one.share for one in after]),
    ]  # fmt: skip


def _ahead(seen: Seen) -> float:
    return float(seen.right < seen.wrong)


def _furnish(on: Measured, mind: str, language: str) -> list[Thing]:
    on.call("mind.create", mind=mind, profile="companion", settings=_SETTINGS)
    things = []
    for door, right, wrong, asked, hard, uses_right, uses_wrong in scenes("lessons.tsv", language):
        # By turns the one and the other is the older one, which is what decides where nothing else does.
        told = [door, right, wrong] if len(things) % 2 else [door, wrong, right]
        ids = {text: on.note(mind, text) for text in told}
        for end in (right, wrong):
            on.call("link.add", mind=mind, src=ids[door], dst=ids[end], kind="association", strength=_LINK)
        things.append(Thing(asked, hard, ids[right], ids[wrong], right, uses_right, uses_wrong))
    for number in range(40):
        on.note(mind, _OTHERS[language].format(number))
    on.settle(mind)
    return things


def _talk(on: Measured, mind: str, asked: str, reply: str) -> None:
    known = on.verdicts(mind)
    on.say(mind, asked, recall=True)
    on.reply(mind, reply)
    on.learnt(mind, known)


def _see(on: Measured, mind: str, things: list[Thing], *, hard: bool = False) -> list[Seen]:
    seen = []
    for each in things:
        items = on.look(mind, each.hard if hard else each.asked, k=_MOST)
        best = max((item["score"] for item in items), default=0.0) or 1.0
        places = [place_of(items, note, _MOST) for note in (each.right, each.wrong)]
        shares = [items[place - 1]["score"] / best if place <= _MOST else 0.0 for place in places]
        seen.append(Seen(places[0], places[1], shares[0], shares[1]))
    return seen


def _model(right: list[str]) -> Any:
    """A model to whom the right notes are of use, and who hears blame."""

    def answer(body: Mapping[str, Any]) -> Any:
        prompt = body["messages"][-1]["content"]
        if task_of(body) is Task.FEEDBACK and any(blame.rstrip("!！") in prompt for blame in _BLAME.values()):
            return {"verdict": "bad", "strength": 1.0}
        if task_of(body) is not Task.JUDGE:
            return default_answer(body)
        found = [re.search(rf"^\[(N\d+)\] .*{re.escape(text)}$", prompt, re.MULTILINE) for text in right]
        useful = [match[1] for match in found if match is not None]
        return {
            "sufficient": bool(useful), "confidence": 0.9, "missing": [] if useful else ["?"],
            "useful_nodes": useful, "useful_links": [], "useful_dummies": [], "follow": [],
        }  # fmt: skip

    return answer
