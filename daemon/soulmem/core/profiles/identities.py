"""Identities: who is meant by a name, a word for somebody's relative or an alias, and by which other names.

妈, 妈妈 and 沈月华 are one where somebody said so; "my sister" is Mei. Called for profiles with what may be seen. Pure.
Invariants: names that lead to each other in a circle are followed once, at most `MOST_NAMES` of them; two who bear one
name are told apart by whose they are, and nothing of the one is told of the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from soulmem.core.facts.clause_reader import OWN
from soulmem.core.facts.fact_reader import SELF, readings_of, subject_key
from soulmem.core.names.kin_names import one_kin, same_kin
from soulmem.core.names.name_recogniser import NameKind, find_names
from soulmem.core.profiles.telling import SOCIAL, SOCIAL_ZH, Kin, Telling, kin_in
from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.text.tokens import fold
from soulmem.core.wordlists.important_events import CARED, CARED_ZH
from soulmem.fast_dataclasses import dataclass

MOST_NAMES = 8
_WORD = rf"(?:{CARED}|{SOCIAL}|{CARED_ZH}|{SOCIAL_ZH})"
_LOOSE = re.compile(f"{SOCIAL}|{SOCIAL_ZH}")
_ASKED = CaselessPattern(
    rf"(?:(?:my|our) |我们?家?的?|咱家?的?|(?P<owner>[^'’的]{{1,60}})(?:['’]s |的))?"
    rf"(?P<kin>{_WORD})(?: (?P<name>\S.{{0,60}}))?"
)


@dataclass(frozen=True, slots=True)
class Identity:
    """One person or thing. `keys`: how facts name it; `owner`, `kin`: whose it is, and what of his."""

    name: str
    names: tuple[str, ...]
    owner: str = ""
    kin: str = ""
    shares_kin: bool = False  # with another one of the same owner: two sisters
    shares_name: bool = False  # with somebody else's, whom others mean by it
    is_one_of_two: bool = False  # of the same owner who bear one name: then the bare name tells nothing

    def is_meant(self, subject: str, speaker: str) -> bool:
        """Whether what somebody says of this subject is of this one."""
        if subject in {subject_key(name) for name in self.names}:
            return not self.is_one_of_two and (not self.shares_name or subject_key(speaker) == self.owner)
        owner, has, kin = subject.rpartition(OWN)
        return bool(has and self.kin) and not self.shares_kin and owner == self.owner and same_kin(kin, self.kin)

    @property
    def called(self) -> str:
        """It as others of its name are told from it."""
        if not self.kin:
            return self.name
        whose = "" if self.owner == SELF else self.owner
        if not self.kin.isascii():
            return f"{whose}的{self.kin}" if whose else self.kin
        return f"{whose.title()}'s {self.kin}" if whose else f"my {self.kin}"


def identities(asked: str, told: Sequence[Telling]) -> list[Identity]:
    """Who may be meant: none, one, or several who bear the name."""
    wanted = " ".join(fold(asked).split())
    kin = list(
        dict.fromkeys(each for telling in told if telling.holds for each in kin_in(telling.text, telling.speaker))
    )
    match = _ASKED.fullmatch(" ".join(asked.split()))
    if match is not None:
        return _of_kin(match, kin, told)
    groups: list[Identity] = []
    for each in kin:
        if fold(each.name) == wanted and not any(
            one.owner == each.owner and same_kin(one.kin, each.kin) for one in groups
        ):
            groups.append(_identity(each, kin))
    groups = _without_bearer(groups)
    if groups:
        return groups
    name = _seen(_bearer(wanted, told), told)
    if name is None:
        return []
    return [Identity(name, _aliases(name, told))]


def _without_bearer(groups: list[Identity]) -> list[Identity]:
    """Without those that say less of the same one: a friend who is called wife elsewhere is the wife."""
    close = [each for each in groups if not _LOOSE.fullmatch(each.kin)]
    return (
        [each for each in groups if each in close or not any(one.owner == each.owner for one in close)]
        if close
        else groups
    )


def _of_kin(match: re.Match[str], kin: Sequence[Kin], told: Sequence[Telling]) -> list[Identity]:
    word = fold(match["kin"])
    owner = subject_key(match["owner"]) if match["owner"] else ""
    name = fold(match["name"] or "")
    found: list[Identity] = []
    for each in kin:
        fits = same_kin(each.kin, word) and (not owner or each.owner == owner) and (not name or fold(each.name) == name)
        if fits and not any(one.is_meant(fold(each.name), each.owner) and one.owner == each.owner for one in found):
            found.append(_identity(each, kin))
    unnamed = dict.fromkeys(
        (of, what)
        for telling in told
        if telling.holds
        for reading in readings_of(telling.text, telling.speaker)
        for of, has, what in [reading.subject.rpartition(OWN)]
        if has and same_kin(what, word) and (not owner or of == owner) and not name
    )
    for of, what in unnamed:
        if not any(one.owner == of and same_kin(one.kin, what) for one in found):
            found.append(Identity(match["kin"], (match["kin"],), of, what))
    return found


def _identity(each: Kin, kin: Sequence[Kin]) -> Identity:
    """One by name, with the other names that the same owner has for the same relative, unless he has several such."""
    alike = [other for other in kin if other.owner == each.owner and same_kin(other.kin, each.kin)]
    several = [
        other for other in alike if one_kin(other.kin) == one_kin(each.kin) and not _of_one(other.name, each.name)
    ]
    if several and not one_of_a_kind(each.kin):
        names = [each.name, *(other.name for other in alike if _of_one(other.name, each.name))]
        who = Identity(each.name, tuple(dict.fromkeys(names))[:MOST_NAMES], each.owner, each.kin, shares_kin=True)
        return _beside(who, kin)
    names = [each.name, *(other.name for other in alike)]
    return _beside(Identity(each.name, tuple(dict.fromkeys(names))[:MOST_NAMES], each.owner, each.kin), kin)


def _beside(who: Identity, kin: Sequence[Kin]) -> Identity:
    """One with what tells it from others who bear one of its names."""
    own = {fold(name) for name in who.names}
    others = [each for each in kin if fold(each.name) in own]
    return replace(
        who,
        shares_name=any(each.owner != who.owner for each in others),
        is_one_of_two=any(each.owner == who.owner and _is_another(each.kin, who.kin) for each in others),
    )


def _is_another(one: str, other: str) -> bool:
    """Whether two words cannot be of one: a friend may be a colleague too, and a sister is no aunt."""
    return not same_kin(one, other) and not _LOOSE.fullmatch(one) and not _LOOSE.fullmatch(other)


def _of_one(one: str, other: str) -> bool:
    """Whether two names may be of one: the same, or one the beginning or the end of the other."""
    short, long = sorted((fold(one), fold(other)), key=len)
    return long == short or long.startswith(f"{short} ") or (not short.isascii() and long.endswith(short))


_ONLY = frozenset(
    "mum dad husband wife mother father 妈 爸 妈妈 爸爸 老公 老婆 男朋友 女朋友 boyfriend girlfriend partner".split()
)


def one_of_a_kind(kin: str) -> bool:
    """Whether somebody has one of it at a time."""
    return kin in _ONLY or one_kin(kin) in _ONLY


def _bearer(wanted: str, told: Sequence[Telling]) -> str:
    """Who said that he is called so as well; else the name itself."""
    for telling in told:
        if telling.holds and fold(telling.speaker) != wanted and wanted in fold(telling.text):
            for reading in readings_of(telling.text, telling.speaker):
                if reading.relation == "name" and reading.holds and reading.object == wanted != reading.subject:
                    if reading.subject != subject_key(telling.speaker):
                        return reading.subject
                    return fold(telling.speaker) or wanted  # of a note that nobody said the name is all there is
    return wanted


def _seen(wanted: str, told: Sequence[Telling]) -> str | None:
    """A name as it is written, where somebody bears it: who speaks, of whom something is said, or who is named."""
    for telling in told:
        if telling.holds and telling.speaker and subject_key(telling.speaker) == subject_key(wanted):
            return telling.speaker
    for telling in told:
        if not telling.holds or wanted not in fold(telling.text):
            continue
        for span in find_names(telling.text, [telling.speaker]):
            if fold(span.name) == wanted and span.kind is not NameKind.PLACE:
                return span.name
        if any(reading.subject == wanted for reading in readings_of(telling.text, telling.speaker)):
            return wanted
    return None


def _aliases(name: str, told: Sequence[Telling]) -> tuple[str, ...]:
    """What somebody is called as well, by his own words or those of others: "everybody calls me Lenny"."""
    names, open_names = [name], [fold(name)]
    while open_names and len(names) < MOST_NAMES:
        subject = open_names.pop()
        for telling in told:
            if not telling.holds:
                continue
            for reading in readings_of(telling.text, telling.speaker):
                if reading.relation != "name" or not reading.holds or reading.subject != subject:
                    continue
                for span in find_names(telling.text):
                    if fold(span.name) == reading.object and reading.object not in map(fold, names):
                        names.append(span.name)
                        open_names.append(reading.object)
    return tuple(names[:MOST_NAMES])
