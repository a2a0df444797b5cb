"""Supersession: what one thing that was said makes of another that is known.

Two readings are compared by subject, relation and object. A new value of what is held one at a time ends the old one
(a home, a job, a number); what is said to be over ends what is alike; what is said again strengthens it. Nothing is
ended because it merely differs: likings add up, and two people's homes have nothing to do with each other. Pure; called
for the rules of the extractive engine, for the guard around a model's answers, and at recall. Invariant: what was told
earlier ends nothing that was told later.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from soulmem.core.changes.change_values import weekdays_in
from soulmem.core.facts.relations import (
    ANY,
    ATTRIBUTE,
    DOES,
    EVENT,
    MANY,
    Mode,
    Reading,
    alike,
    ends_any,
    is_one,
    same_event,
    same_subject,
    terms_of,
)
from soulmem.core.numbers.rough_numbers import value_of
from soulmem.core.regex.lazy_regex import KeptPattern
from soulmem.core.text.tokens import script_of
from soulmem.fast_dataclasses import dataclass

# What is done with many things, and so says nothing of which is over.
_DOING = frozenset(
    "play go do take drink eat work use wear run ride read watch studi learn teach make have get live be see".split()
)
_TASTES = frozenset({"likes", "habit", "diet"})
# "no longer allergic to cats": an ending that names how it was held, in words.
_SAID_SO = {"allergy": ("allergic",), "fear": ("afraid", "scared"), "likes": ("like", "likes", "love", "loves", "喜欢")}
_PLACES = frozenset({"work", "job", "school", "home"})  # left by whatever word of its name
_LIGHT = frozenset("membership subscription account card habit lesson lessons class classes course anymore".split())
_PREPOSITION = KeptPattern(r" (?:for|in|at|on|with|and|from|to|of|because|after|since|last|this|so)\b")
# A verb and a measure before what is drunk, smoked or played.
_CORE = KeptPattern(
    r"^(?:每天|晚上|都|要|去)*[抽喝吃打弹玩练学用看做养上听追骑开]?(?:了|着)?(?:[一两几半]?[杯包根瓶点些口个支把台辆]小?)?"
)
_ORIGIN = KeptPattern(r"[州京海城市省县村津庆国港台北南西东川江岛山]人$")
_AGE = KeptPattern(r"(?:满|虚岁|快)?[\d零一二两三四五六七八九十百]{1,4}岁?了?|\d{1,3}")
_UNATTACHED = frozenset({"single", "divorced", "widowed", "separated", "单身", "离婚", "丧偶"})


class Effect(StrEnum):
    """What becomes of what is known."""

    SUPERSEDE = "supersede"  # another value holds instead
    INVALIDATE = "invalidate"  # it holds no more, and nothing instead of it
    REINFORCE = "reinforce"  # it was said again


@dataclass(frozen=True, slots=True)
class Finding:
    """What a new reading makes of a known one."""

    effect: Effect
    new: Reading
    old: Reading


def findings(new: Sequence[Reading], old: Iterable[Reading]) -> tuple[Finding, ...]:
    """What new readings make of known ones, each of these at most once: its end comes before its being said again."""
    found: list[Finding] = []
    for known in old:
        each = [Finding(effect, said, known) for said in new if (effect := effect_of(said, known)) is not None]
        over = [one for one in each if one.effect is not Effect.REINFORCE]
        if over or each:
            found.append((over or each)[0])
    return tuple(found)


def may_concern(relation: str) -> frozenset[str]:
    """The relations of new readings that may make something of a known one of this relation."""
    found = {relation, "life"} | ({ANY} if ends_any(relation) or relation in _SAID_SO else set[str]())
    if relation in {"job", "work"}:
        found.add("work")
    if relation in {"partner", "status"}:
        found |= {"partner", "status"}
    if relation in _TASTES:
        found |= _TASTES
    return frozenset(found)


def effect_of(new: Reading, old: Reading) -> Effect | None:
    """What one reading makes of another; None where they have nothing to do with each other, or both hold."""
    if EVENT in {new.relation, old.relation}:
        if new.mode is Mode.ENDED and old.relation == DOES:  # "we're camping this weekend", called off
            return Effect.INVALIDATE if terms_of(new.subject) and terms_of(new.subject) <= old.terms else None
        return _of_events(new, old)
    if new.relation == "life":
        return Effect.INVALIDATE if _concerns(new, old) else None
    if not same_subject(new.subject, old.subject):
        return None
    if not new.holds and not old.holds:
        return Effect.REINFORCE if {new.relation, old.relation} & {ANY} and alike(new, old) else None
    if new.relation == ANY:
        said_so = new.object.split(" ", 1)[0] in _SAID_SO.get(old.relation, ())
        return Effect.INVALIDATE if old.holds and (said_so or ends_any(old.relation)) and _ends(new, old) else None
    if old.relation == ANY:  # what was given up is taken up again
        return Effect.SUPERSEDE if new.holds and ends_any(new.relation) and alike(new, old) else None
    if old.relation == DOES and new.mode is Mode.ENDED and new.object:
        return Effect.INVALIDATE if _ends(new, old) else None
    if DOES in {new.relation, old.relation}:
        return None
    if new.relation != old.relation:
        return _across(new, old)
    if _is_age(new) is not _is_age(old) or _is_origin(new) is not _is_origin(old):
        return None  # 我妈是满六十六 gives her no other name, 我妈是老师 no other home
    return _of_one_relation(new, old)


def _is_age(reading: Reading) -> bool:
    return reading.relation.startswith(ATTRIBUTE) and _AGE.fullmatch(reading.object) is not None


def _is_origin(reading: Reading) -> bool:
    return reading.relation.startswith(ATTRIBUTE) and _ORIGIN.search(reading.object) is not None


def _ends(ending: Reading, old: Reading) -> bool:
    """Whether what is said to be over is what somebody has or does: by what it is above all, or what it is called."""
    if old.relation == f"of:{ending.object}" or alike(ending, old):
        return True
    if old.relation in _PLACES:
        return bool(ending.terms & (old.terms | terms_of(old.said)))
    if not ending.object.isascii():
        core, held = _CORE.sub("", ending.object), _CORE.sub("", old.object)
        return len(core) > 1 and (core in held or (len(held) > 1 and held in core))
    head = _head(ending.object)
    return bool(head) and head not in _DOING and head in old.terms


def _head(words: str) -> str:
    """What a phrase is about: its last word before a preposition, without what only says that it is had."""
    phrase = _PREPOSITION.split(words)[0].split()
    telling = [word for word in phrase if word not in _LIGHT and terms_of(word)]
    return min(terms_of(telling[-1])) if telling else ""


def _of_one_relation(new: Reading, old: Reading) -> Effect | None:
    if new.mode is Mode.PAST:
        return Effect.INVALIDATE if old.holds and alike(new, old) else None
    if new.mode is Mode.ENDED:
        return Effect.INVALIDATE if old.holds and (not new.object or not old.object or alike(new, old)) else None
    if old.mode is Mode.PAST:
        return None
    if old.mode is Mode.ENDED:
        return Effect.SUPERSEDE if not old.object or alike(new, old) else None
    if alike(new, old):
        return Effect.REINFORCE
    if not is_one(new.relation) or new.also or old.also:
        return None
    if not new.object or not old.object:
        return None
    if new.relation == "age" and _is_younger(new.object, old.object):
        return None  # 孙子小石榴，四岁: nobody grows younger, it is somebody else's age
    written_alike = (script_of(new.object) == "cjk") == (script_of(old.object) == "cjk")
    return Effect.SUPERSEDE if written_alike or new.mode is not Mode.HOLDS else None  # 北京 may well be Beijing


def _is_younger(new: str, old: str) -> bool:
    """Whether an age told later is less than the one before."""
    ages = value_of(new), value_of(old)
    return ages[0] is not None and ages[1] is not None and ages[0] < ages[1]


def _across(new: Reading, old: Reading) -> Effect | None:
    """What the end of one thing makes of another."""
    if not old.holds:
        taken_up = new.holds and {new.relation, old.relation} <= _TASTES
        return Effect.SUPERSEDE if taken_up and alike(new, old) else None
    if new.mode is Mode.ENDED and {new.relation, old.relation} <= _TASTES and new.relation == "likes":
        return None
    if new.relation == "work" and new.mode is Mode.ENDED and old.relation == "job":
        return Effect.INVALIDATE if not new.object or alike(new, old) else None
    if new.relation == "status" and new.holds and new.object in _UNATTACHED and old.relation == "partner":
        return Effect.INVALIDATE
    if new.relation == "partner" and old.relation == "status":
        if new.holds:
            return Effect.SUPERSEDE if old.object in _UNATTACHED else None
        return (
            Effect.INVALIDATE
            if old.object not in _UNATTACHED and old.object not in {"pregnant", "怀孕", "退休"}
            else None
        )
    return None


def _of_events(new: Reading, old: Reading) -> Effect | None:
    if new.relation != old.relation or not same_event(new.subject, old.subject) or not old.holds:
        return None
    named, known = weekdays_in(new.subject), weekdays_in(old.object)
    if named and known and named.isdisjoint(known):
        return None  # "the one on Wednesday was moved"
    if new.mode is Mode.ENDED:
        return Effect.INVALIDATE
    if new.object == old.object:
        return Effect.REINFORCE
    return Effect.SUPERSEDE if new.mode is Mode.CHANGED else None


def _concerns(death: Reading, old: Reading) -> bool:
    """Whether somebody's death ends what was so: it was said of the dead, or the dead is what somebody has."""
    who = death.terms
    if not old.holds or not who:
        return False
    of = old.subject.rpartition("›")[2]
    if of == death.object or (terms_of(of) and terms_of(of) <= who):
        return True
    has = (
        old.relation in MANY - {"likes", "fear", "allergy"}
        or old.relation in {"partner"}
        or old.relation.startswith("of:")
    )
    return has and same_subject(death.subject, old.subject) and alike(death, old)
