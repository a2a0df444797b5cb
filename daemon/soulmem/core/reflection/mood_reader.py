"""Mood reader: whether a note says that its speaker felt low or in good spirits, and what the note is about.

Called for notes over which a mind reflects (`core/reflection/recurrence`). Only the speaker's own feelings count, and
not those that are denied. What a feeling may be about are people and a few great matters of life. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.facts.fact_reader import clauses_of
from soulmem.core.names.name_recogniser import people_in
from soulmem.core.regex.lazy_regex import HAN, CaselessPattern, LazyPattern
from soulmem.core.text.tokens import fold
from soulmem.core.text.word_file import read_sections
from soulmem.fast_dataclasses import dataclass

LOOKED_AT = 1_200  # characters of a note
_MOST_CLAUSES = 16
_SECTIONS = read_sections("core/reflection/mood_words.txt")


def _words(section: str) -> LazyPattern:
    english, chinese = _SECTIONS[section].split("\n")[:2]
    return CaselessPattern(rf"\b(?:{english})\b|(?:{chinese})")


_LOW, _HIGH = _words("low"), _words("high")
_DENIED = LazyPattern(
    r"(?:\b(?:not|never|no longer|hardly|less)|n['’]t)(?: \w+){0,2} $|(?:不|没|没有|别)(?:再|那么|太)?$"
)
_OWN = CaselessPattern(r"\b(?:i|me|my|we|i['’]m)\b")
_BARE = CaselessPattern(
    r"(?:(?:so|very|really|still|just|was|been|being|am|felt|feeling|feel|feels|bit|a bit|and|again|it was|it's|had|"
    r"today|what|absolutely) ){0,4}"
)
_OTHERS_ZH = LazyPattern(r"^(?:[他她它你您谁]|人家|大家|别人)")


@dataclass(frozen=True, slots=True)
class Cause:
    """What a feeling may be about, as it is said in either language."""

    name: str
    english: str
    chinese: str
    is_person: bool = False


_CAUSES = tuple(
    (Cause(name, english, chinese), CaselessPattern(words))
    for name, english, chinese, words in (line.split("\t") for line in _SECTIONS["causes"].splitlines())
)


def mood_in(text: str, speaker: str, people: Sequence[str] = ()) -> int:
    """-1: the speaker felt low; 1: in good spirits; 0: neither is said, or both."""
    found = set[int]()
    for sentence in clauses_of(text[:LOOKED_AT], speaker):
        for clause in sentence[:_MOST_CLAUSES]:
            for pattern, sign in ((_LOW, -1), (_HIGH, 1)):
                for match in pattern.finditer(clause):
                    before = clause[: match.start()]
                    if _is_own(before, clause, people) and not _DENIED.search(before[-40:]):
                        found.add(sign)
    return found.pop() if len(found) == 1 else 0


def _is_own(before: str, clause: str, people: Sequence[str]) -> bool:
    """Whether a feeling is the speaker's: he names himself, or nobody is named as who feels it."""
    if HAN.search(clause):
        if _OTHERS_ZH.search(clause):
            return False
        return "我" in before or not any(clause.startswith(name) for name in people)
    bare = _BARE.match(before)
    return _OWN.search(before) is not None or (bare is not None and bare.end() == len(before))


def causes_in(text: str, speaker: str, people: Sequence[str] = ()) -> tuple[Cause, ...]:
    """What and whom a note is about that a feeling may be about."""
    text = text[:LOOKED_AT]
    named = [name for name in dict.fromkeys((*people_in(text, people), *people)) if name in text]
    found = [Cause(f"person:{fold(each)}", each, each, is_person=True) for each in named if fold(each) != fold(speaker)]
    return (*found, *(cause for cause, pattern in _CAUSES if pattern.search(text)))
