"""How two people stand to each other: what one is to the other, and what is told of both (algorithms.md §8.4).

Put together from notes whenever it is asked for, as a profile is; nothing of it is stored. Pure. Invariants: each part
has evidence; asked the other way round it tells the same; the same notes give the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from soulmem.core.calendar.iso8601 import to_iso
from soulmem.core.facts.fact_reader import subject_key
from soulmem.core.facts.validity_intervals import marked
from soulmem.core.names.kin_names import same_kin
from soulmem.core.profiles.identities import Identity
from soulmem.core.profiles.profile import Profile
from soulmem.core.profiles.telling import SOCIAL, SOCIAL_ZH, Telling
from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.text import tokens
from soulmem.core.text.tokens import fold
from soulmem.core.wordlists.important_events import CARED, CARED_ZH
from soulmem.fast_dataclasses import dataclass

_DAY = len("2026-05-09")
_KIN = CaselessPattern(rf"\b(?:{CARED}|{SOCIAL})\b|{CARED_ZH}|{SOCIAL_ZH}")


@dataclass(frozen=True, slots=True)
class Tie:
    """What one (`who`) is to the other (`whose`). `until`: when that ended."""

    word: str
    who: str
    whose: str
    until: int | None
    evidence: tuple[Telling, ...]


@dataclass(slots=True)
class Shared:
    """What is known of two people together; `told`: the notes that speak of both, in the order in which it happened."""

    one: Identity
    other: Identity
    ties: list[Tie] = field(default_factory=list)
    told: list[Telling] = field(default_factory=list)


def shared_by(one: Profile, other: Profile, told: Sequence[Telling], at: int) -> Shared:
    """What is known of two, at a time, from what may be seen."""
    ties = [*_ties(one, other), *_ties(other, one)]
    both = [
        each
        for each in told
        if each.holds and (each.at or each.told) <= at and _speaks_of(each, one.who) and _speaks_of(each, other.who)
    ]
    both.sort(key=lambda each: (each.at or each.told, each.note))
    return Shared(one.who, other.who, ties, both)


def _ties(whose: Profile, who: Profile) -> Iterator[Tie]:
    names = {fold(name) for name in who.who.names}
    for each in whose.relationships:
        by_word = not each.name and who.who.owner in _keys(whose.who) and same_kin(fold(each.relation), who.who.kin)
        if fold(each.name) in names or by_word:
            yield Tie(each.relation, who.who.name, whose.who.name, each.until, tuple(each.evidence))


def _keys(who: Identity) -> frozenset[str]:
    return frozenset(subject_key(name) for name in who.names)


def _speaks_of(telling: Telling, who: Identity) -> bool:
    """Whether a note comes from somebody or names him, by a name or as the one he is to who tells it."""
    speaker = subject_key(telling.speaker)
    if telling.speaker and speaker in _keys(who) and not who.is_one_of_two:
        return True
    text = fold(telling.text)
    is_his = not who.is_one_of_two and (not who.shares_name or speaker == who.owner)
    if is_his and any(_names(fold(name), text) for name in who.names):
        return True
    if not who.kin or who.shares_kin or speaker != who.owner:
        return False
    return any(same_kin(match[0], who.kin) for match in _KIN.finditer(text))


def _names(name: str, text: str) -> bool:
    if not name.isascii():
        return name in text
    return re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", text) is not None


def wording(shared: Shared, at: int, budget: int) -> str:
    """The same in lines of at most so many tokens, in the language of the notes; the latest of many notes are told."""
    sample = next((each.text for each in (*(tie.evidence[0] for tie in shared.ties), *shared.told)), "")
    chinese = tokens.wording_language(sample or shared.one.name) == "zh"
    lines = list(_head(shared, chinese=chinese))
    budget -= sum(_cost(line) for line in lines)
    if budget < 0 or len(lines) == 1:
        return ""
    kept: list[str] = []
    for each in reversed(shared.told):
        line = _line(each, at)
        budget -= _cost(line)
        if budget < 0:
            break
        kept.append(line)
    return "\n".join([*lines, *reversed(kept)])


def _head(shared: Shared, *, chinese: bool) -> Iterator[str]:
    yield f"【{shared.one.name}和{shared.other.name}】" if chinese else f"[{shared.one.name} and {shared.other.name}]"
    for tie in shared.ties:
        ended = ""
        if tie.until is not None:
            day = to_iso(tie.until)[:_DAY]
            ended = f"（到{day}为止）" if chinese else f" (until {day})"
        yield (
            f"{tie.who}是{tie.whose}的{tie.word}{ended}" if chinese else f"{tie.who} is {tie.whose}'s {tie.word}{ended}"
        )
    if shared.told:
        first, last = (to_iso(each.at or each.told)[:_DAY] for each in (shared.told[0], shared.told[-1]))
        if chinese:
            span = first if first == last else f"{first}到{last}"
            yield f"说到两人的有{len(shared.told)}条（{span}）："
        else:
            notes = "1 note" if len(shared.told) == 1 else f"{len(shared.told)} notes"
            span = first if first == last else f"{first} to {last}"
            yield f"{notes} of both ({span}):"


def _line(telling: Telling, at: int) -> str:
    who = f"{telling.speaker}: " if telling.speaker and fold(telling.speaker) not in fold(telling.text) else ""
    return f"{to_iso(telling.at or telling.told)[:_DAY]} {who}{marked(telling.text, telling.endings, at)}"


def _cost(line: str) -> int:
    return tokens.estimate_tokens(line) + 1
