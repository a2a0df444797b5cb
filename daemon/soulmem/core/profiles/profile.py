"""Profile: what is known of one person or thing, as a view that is put together from notes whenever somebody asks.

Attributes with when they held, relationships, lists with the evidence of each entry. Nothing of it is stored: it says
what the notes say that it is made of, and nothing once they are gone. Pure. Invariants: each entry has evidence; what
is the same stands once, with all its evidence; the same notes give the same profile, word for word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field

from soulmem.core.facts.clause_reader import OWN
from soulmem.core.facts.fact_reader import readings_of, subject_key
from soulmem.core.facts.relations import Mode, is_one, terms_of
from soulmem.core.names.kin_names import one_kin, same_kin
from soulmem.core.profiles.identities import Identity
from soulmem.core.profiles.list_entries import KINDS, entries_of
from soulmem.core.profiles.telling import Telling, is_kin_word, kin_in
from soulmem.core.profiles.timelines import Held, as_written, split_at, timelines
from soulmem.core.text.tokens import fold
from soulmem.fast_dataclasses import dataclass

_IN_LISTS = {"pet": "pets", "home": "homes"}
_COUNTED = re.compile(r"^(?:[一两二三四五几\d]+)?[只条匹个头尾]")
_ANIMALS = frozenset("dog cat puppy kitten rabbit parrot horse tortoise hamster 狗 猫 兔子 鹦鹉 乌龟 仓鼠".split())


@dataclass(slots=True)
class Attribute:
    """What somebody is, has or likes: what holds, and what held before."""

    name: str
    now: list[Held]
    earlier: list[Held]


@dataclass(slots=True)
class Relationship:
    """Who somebody is to another; `name` is empty where nobody said it. `until`: when that ended."""

    relation: str
    name: str
    until: int | None = None
    evidence: list[Telling] = field(default_factory=list)


@dataclass(slots=True)
class Listed:
    """One entry of a list; `at`: when it was, by the first that tells it."""

    what: str
    at: int
    evidence: list[Telling] = field(default_factory=list)


@dataclass(slots=True)
class Profile:
    """What is known of one."""

    who: Identity
    attributes: list[Attribute]
    relationships: list[Relationship]
    lists: dict[str, list[Listed]]

    @property
    def is_empty(self) -> bool:
        return not (self.attributes or self.relationships or self.lists)


def profile_of(who: Identity, told: Sequence[Telling], at: int, lists: Sequence[str] = KINDS) -> Profile:
    """What is known of one at a time, from what may be seen."""
    standing = [each for each in told if each.holds]
    lines = timelines(who, standing)
    attributes = []
    for relation in sorted(lines):
        if relation in {"partner", "pet"}:
            continue
        now, earlier = split_at(lines[relation], at)
        now = now[:1] if is_one(relation) and not any(each.reading.also for each in now) else now
        if now or earlier:
            attributes.append(Attribute(relation, now, earlier))
    return Profile(who, attributes, _relationships(who, standing, lines, at), _lists(who, standing, lines, at, lists))


def _relationships(who: Identity, told: Iterable[Telling], lines: dict[str, list[Held]], at: int) -> list[Relationship]:
    found: dict[tuple[str, str], Relationship] = {}
    gone: dict[str, int] = {}
    for telling in told:
        own = who.is_meant(subject_key(telling.speaker), telling.speaker)
        over = telling.until("", "kin")
        for kin in kin_in(telling.text, telling.speaker) if own else ():
            each = found.setdefault((one_kin(kin.kin), fold(kin.name)), Relationship(kin.kin, kin.name))
            each.evidence.append(telling)
            each.until = over if over is not None and over <= at else None
        for reading in readings_of(telling.text, telling.speaker):
            owner, has, kin_word = reading.subject.rpartition(OWN)
            if has and who.is_meant(owner, telling.speaker) and is_kin_word(kin_word):
                word = one_kin(kin_word)
                if not any(same_kin(word, relation) or word == relation for relation, _ in found):
                    found[word, ""] = Relationship(kin_word, "")
                if (word, "") in found:
                    found[word, ""].evidence.append(telling)
            if reading.relation == "life" and own and reading.mode is Mode.ENDED and telling.told <= at:
                gone[one_kin(reading.object)] = telling.told
    for held in lines.get("partner", ()):
        name = as_written(held.reading.object, held.evidence[0].text)
        if name not in held.evidence[0].text:
            name = name.split()[0]  # "married to Will, one dog, Juno"
        key = next((key for key in found if key[1] == fold(name)), ("partner", fold(name)))
        each = found.setdefault(key, Relationship("partner", name))
        each.evidence += [telling for telling in held.evidence if telling not in each.evidence]
        each.until = held.until if held.until is not None and held.until <= at else None
    for each in found.values():
        dead = gone.get(one_kin(each.relation)) or gone.get(fold(each.name))
        each.until = dead if dead is not None else each.until
    named = {relation for relation, name in found if name}
    kept = [
        each
        for (relation, name), each in found.items()
        if name or not any(same_kin(relation, other) for other in named)
    ]
    return sorted(
        (each for each in kept if each.evidence),
        key=lambda each: (each.until is not None, each.evidence[0].told, each.relation),
    )


def _lists(
    who: Identity, told: Iterable[Telling], lines: dict[str, list[Held]], at: int, wanted: Sequence[str]
) -> dict[str, list[Listed]]:
    found: dict[str, dict[frozenset[str], Listed]] = {kind: {} for kind in KINDS if kind in wanted}
    for telling in sorted(told, key=lambda each: (each.at or each.told, each.note)):
        when = telling.at or telling.told
        if when > at:
            continue
        for entry in entries_of(telling.text, telling.speaker):
            if entry.kind in found and who.is_meant(entry.owner, telling.speaker) and not telling.is_wrong(entry.said):
                _put(found[entry.kind], entry.what, telling, when)
        if "pets" in found and who.is_meant(subject_key(telling.speaker), telling.speaker):
            for kin in kin_in(telling.text, telling.speaker):
                if kin.kin in _ANIMALS:
                    _put(found["pets"], f"{kin.kin} {kin.name}", telling, when)
    for relation, kind in _IN_LISTS.items():
        for held in lines.get(relation, ()) if kind in found else ():
            for telling in held.evidence:
                if telling.told <= at:
                    value = _plain(as_written(held.value, telling.text))
                    _put(found[kind], value, telling, held.since or telling.at or telling.told)
    return {kind: sorted(items.values(), key=lambda each: each.at) for kind, items in found.items() if items}


def _plain(value: str) -> str:
    """一只橘猫叫欧皇 as 橘猫欧皇."""
    return _COUNTED.sub("", value).replace("名叫", "").replace("叫", "") if not value.isascii() else value


def _put(items: dict[frozenset[str], Listed], what: str, telling: Telling, at: int) -> None:
    key = terms_of(what) or frozenset({fold(what)})
    same = next((each for each in items if each <= key or key <= each), None)
    if same is None:
        items[key] = Listed(what, at, [telling])
        return
    each = items[same]
    if telling not in each.evidence:
        each.evidence.append(telling)
    if len(key) > len(same):
        each.what = what
        items[key] = items.pop(same)
