"""Recurrence: what keeps coming back over weeks, found in notes that each tell of one day (algorithms.md §8.3).

Called by the step `reflect`, with a model and without one. Three things recur: what somebody does (with whom he mostly
does it), what befalls him (bad nights, a sore back), and how he feels (and what it mostly has to do with). Invariants:
each finding rests on three separate days at least and on a note for each, and says what none of them says; what is
merely spoken of is none; of findings that rest on the same notes one is kept; the same notes give the same findings,
in whatever order they come. Pure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.reflection.deed_reader import Deed, deeds_in
from soulmem.core.reflection.mood_reader import Cause, causes_in, mood_in
from soulmem.core.text.tokens import fold
from soulmem.fast_dataclasses import dataclass

LEAST_DAYS = 3
MOST_FOUND = 5
MOST_EVIDENCE = 40
_LEAST_DAYS_WITHOUT_CAUSE = 4
_LEAST_GOOD_DAYS = 2
_MOSTLY = 0.6  # share of the days
_LIFT = 1.5  # times as often as on other days
_SHARED = 0.6  # share of a finding's notes from which it repeats another
_PLAIN_WEIGHT = 0.7  # of a verb and a thing beside what a table knows


@dataclass(frozen=True, slots=True)
class Occasion:
    """One note: `day` since 1970 on which it happened, as it shows now; `speaker` whose it is."""

    note: int
    day: int
    text: str
    speaker: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What recurs. `topic` tells findings apart, and is the same whenever the same is found again.

    `deed` is None for a mood (`low` or not). `evidence`: notes, by their days. `beside`: who mostly took part, `always`
    or mostly. `cause`: what a mood mostly has to do with. `turned`: the day from which on it was the other way round.
    """

    topic: str
    speaker: str
    days: tuple[int, ...]
    evidence: tuple[int, ...]
    deed: Deed | None = None
    wordings: tuple[Deed, ...] = ()
    beside: str = ""
    always: bool = False
    low: bool = False
    cause: Cause | None = None
    turned: int | None = None

    @property
    def weight(self) -> float:
        """How much it says: on how many days, and whether with whom or why is known."""
        known = 1.25 if self.beside or self.cause is not None else 1.0
        return len(self.days) * known * (_PLAIN_WEIGHT if self.deed is not None and self.deed.plain else 1.0)


def day_of(at_ms: int) -> int:
    return at_ms // DAY_MS


def findings(occasions: Iterable[Occasion], people: Sequence[str] = ()) -> tuple[Finding, ...]:
    """What recurs, what says most first. `people`: whom the mind knows by name."""
    by_speaker: dict[str, list[Occasion]] = defaultdict(list)
    for each in sorted(occasions, key=lambda each: (each.day, each.note)):
        by_speaker[fold(each.speaker)].append(each)
    found: list[Finding] = []
    for told in by_speaker.values():
        known = [name for name in people if fold(name) != fold(told[0].speaker)]
        found += [*_deeds(told, known), *_moods(told, known)]
    return _unlike(sorted(found, key=lambda each: (-each.weight, each.topic)))


def _unlike(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings without those that rest on what a better one rests on."""
    kept: list[Finding] = []
    for each in found:
        own = set(each.evidence)
        if all(len(own & set(other.evidence)) < _SHARED * len(own) for other in kept):
            kept.append(each)
    return tuple(kept)


def _deeds(told: Sequence[Occasion], people: Sequence[str]) -> list[Finding]:
    done: dict[str, list[tuple[Occasion, Deed]]] = defaultdict(list)
    for each in told:
        for deed in deeds_in(each.text, each.speaker, people):
            done[deed.name].append((each, deed))
    found = []
    for name, occasions in done.items():
        by_day: dict[int, list[tuple[Occasion, Deed]]] = defaultdict(list)
        for each, deed in occasions:
            by_day[each.day].append((each, deed))
        if len(by_day) < LEAST_DAYS:
            continue
        beside, always = _companion(by_day)
        evidence = tuple(dict.fromkeys(each.note for each, _ in occasions))
        speaker = told[-1].speaker
        first = occasions[0][1]
        found.append(
            Finding(
                f"deed:{fold(speaker)}:{name}", speaker, tuple(sorted(by_day)),
                evidence[-MOST_EVIDENCE:], first, tuple(deed for _, deed in occasions), beside, always,
            )
        )  # fmt: skip
    return found


def _companion(by_day: Mapping[int, Sequence[tuple[Occasion, Deed]]]) -> tuple[str, bool]:
    """Who took part on most of the days, and whether on all of them; "" where nobody did."""
    with_whom: Counter[str] = Counter()
    spelled: dict[str, str] = {}
    for each in by_day.values():
        names = {fold(name): name for _, deed in each for name in deed.beside}
        spelled |= names
        with_whom.update(names.keys())
    if not with_whom:
        return "", False
    name, count = min(with_whom.items(), key=lambda pair: (-pair[1], pair[0]))
    return (spelled[name], count == len(by_day)) if count >= 2 and count >= _MOSTLY * len(by_day) else ("", False)


def _moods(told: Sequence[Occasion], people: Sequence[str]) -> list[Finding]:
    felt: dict[int, dict[int, list[int]]] = {-1: defaultdict(list), 1: defaultdict(list)}
    about: dict[int, set[Cause]] = defaultdict(set)
    for each in told:
        about[each.day] |= set(causes_in(each.text, each.speaker, people))
        if mood := mood_in(each.text, each.speaker, people):
            felt[mood][each.day].append(each.note)
    for day in felt[-1].keys() & felt[1].keys():  # a day of both is neither
        del felt[-1][day], felt[1][day]
    speaker, found = told[-1].speaker, []
    for sign, days in felt.items():
        cause = _cause(frozenset(days), about)
        if len(days) < (LEAST_DAYS if cause is not None else _LEAST_DAYS_WITHOUT_CAUSE):
            continue
        evidence = [note for day in sorted(days) for note in days[day]]
        after = sorted(day for day in felt[-sign] if day > max(days))
        turned = after[0] if sign < 0 and len(after) >= _LEAST_GOOD_DAYS else None
        if turned is not None:
            evidence += [note for day in after for note in felt[-sign][day]]
        found.append(
            Finding(
                f"mood:{fold(speaker)}:{'low' if sign < 0 else 'high'}", speaker, tuple(sorted(days)),
                tuple(dict.fromkeys(evidence))[-MOST_EVIDENCE:], low=sign < 0, cause=cause, turned=turned,
            )
        )  # fmt: skip
    return found


def _cause(days: frozenset[int], about: Mapping[int, set[Cause]]) -> Cause | None:
    """What most of these days have to do with, and others do not; somebody rather than something."""
    if not days:
        return None
    on, off = Counter[Cause](), Counter[Cause]()
    for day, causes in about.items():
        (on if day in days else off).update(causes)
    others = len(about) - len(days)
    apt = [
        cause
        for cause, count in on.items()
        if count >= 2
        and count >= _MOSTLY * len(days)
        and (not others or count / len(days) >= _LIFT * off[cause] / others)
    ]
    return min(apt, key=lambda cause: (-on[cause] - 0.5 * cause.is_person, cause.name), default=None)
