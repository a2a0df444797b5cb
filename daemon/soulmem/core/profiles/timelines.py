"""Timelines: what held of somebody and when, put together from statements in the order in which they were told.

Of what is held one at a time (a home, a job) a new value ends the old one, also where it comes back later; likings and
languages add up. Pure. Invariants: the same statements give the same timeline in whatever order they are handed in;
nothing is held that was said by mistake; an ending ends no more than it names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from soulmem.core.dates.date_parser import find_dates
from soulmem.core.facts.fact_reader import readings_of, subject_key
from soulmem.core.facts.relations import ANY, ATTRIBUTE, Mode, Reading, alike, is_one
from soulmem.core.profiles.identities import Identity
from soulmem.core.profiles.sure_attributes import is_sure
from soulmem.core.profiles.telling import Telling, is_kin_word
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.tokens import fold
from soulmem.fast_dataclasses import dataclass

_LOOSE_END = LazyPattern(r" (?:from|for|to|with|at|in|of|by|and|a|the)$")
_THIRD = LazyPattern(r"(?:lives|works|rents|owns|drives|plays|studies|teaches|goes|has|likes|loves|hates|is)\b")
_SPOKEN_OF = CaselessPattern(r"\b(?:he|she|they)\b")


@dataclass(slots=True)
class Held:
    """A value and when it held, `[since, until)`; None: not known, or still."""

    value: str
    reading: Reading
    since: int | None
    until: int | None = None
    told: int = 0
    evidence: list[Telling] = field(default_factory=list)

    def holds_at(self, at: int) -> bool:
        return (self.since is None or self.since <= at) and (self.until is None or at < self.until)


def timelines(who: Identity, told: Iterable[Telling]) -> dict[str, list[Held]]:
    """By relation, what held of somebody, as it was told."""
    found: dict[str, list[Held]] = {}
    for telling in sorted(told, key=lambda each: (each.told, each.note)):
        for reading in _of(who, telling):
            _take(found, reading, telling)
    return {relation: held for relation, held in found.items() if held}


def _of(who: Identity, telling: Telling) -> Iterator[Reading]:
    if not telling.holds:
        return
    for reading in readings_of(telling.text, telling.speaker):
        if _is_of_another(reading, telling):
            continue
        if who.is_meant(reading.subject, telling.speaker) and not telling.is_wrong(reading.said):
            yield reading


def _is_of_another(reading: Reading, telling: Telling) -> bool:
    """Whether a clause without a subject goes on with somebody just spoken of: "she lives in Leeds and works as …"."""
    if reading.subject != subject_key(telling.speaker) or not _THIRD.match(reading.said):
        return False
    return _SPOKEN_OF.search(telling.text[: max(0, telling.text.find(reading.said))]) is not None


def _take(found: dict[str, list[Held]], reading: Reading, telling: Telling) -> None:
    if reading.mode is Mode.ENDED:
        _end(found, reading, telling)
        return
    relation = reading.relation
    if not reading.object or _is_of_kin(relation) or not is_sure(reading):
        return
    held = found.setdefault(relation, [])
    since, until = _since(reading, telling), telling.until(reading.said, relation)
    value = _LOOSE_END.sub("", as_written(reading.object, telling.text))
    if reading.mode is Mode.PAST:
        held.append(Held(value, reading, None, until or telling.told, telling.told, [telling]))
        return
    last = [each for each in held if each.until is None]
    told_again = (each for each in held if each.until is None or telling.told <= each.until)
    same = next((each for each in told_again if alike(each.reading, reading)), None)
    if same is not None:
        same.evidence.append(telling)
        same.until = until if same.until is None else same.until
        if len(value) > len(same.value):
            same.value, same.reading = value, reading
        return
    if is_one(relation) and not reading.also:
        for each in last:
            each.until = max(since if since is not None else telling.told, each.since or 0)
    held.append(Held(value, reading, since, until, telling.told, [telling]))


def _end(found: dict[str, list[Held]], reading: Reading, telling: Telling) -> None:
    at = _since(reading, telling)
    for relation, held in found.items():
        if reading.relation not in {ANY, relation}:
            continue
        for each in held:
            over = not reading.object if reading.relation == relation else False
            if each.until is None and (over or (reading.object and alike(each.reading, reading))):
                each.until = max(at if at is not None else telling.told, each.since or 0)


def _since(reading: Reading, telling: Telling) -> int | None:
    """Since when what is read holds; None where nobody said."""
    dates = find_dates(reading.said, telling.told)
    if dates and (dates[0].from_ms <= telling.told or reading.mode is Mode.AHEAD):
        return dates[0].from_ms
    if telling.valid_from is not None and reading.mode is not Mode.ENDED:
        return telling.valid_from
    return None if reading.mode is Mode.HOLDS else telling.told


def _is_of_kin(relation: str) -> bool:
    return relation.startswith(ATTRIBUTE) and is_kin_word(relation.removeprefix(ATTRIBUTE))


def as_written(value: str, text: str) -> str:
    """A folded value as it stands in the text, or itself."""
    folded = fold(text)
    if len(folded) != len(text):
        return value
    at = folded.find(value)
    if at >= 0:
        return text[at : at + len(value)]
    words = [(word, folded.find(word)) for word in value.split()]
    return " ".join(text[at : at + len(word)] if at >= 0 else word for word, at in words)


def split_at(held: Sequence[Held], at: int) -> tuple[list[Held], list[Held]]:
    """What holds at a time, the latest told first, and what held before it, the latest first."""
    now = sorted((each for each in held if each.holds_at(at)), key=lambda each: -each.told)
    over = [each for each in held if each.until is not None and each.until <= at]
    return now, sorted(over, key=lambda each: -(each.until or 0))
