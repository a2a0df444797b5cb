"""Self-descriptions as facts: "I'm a nurse", "I live in Denver", 我对芒果过敏 and their like, Chinese and English.

A fact is (subject, relation, object) with the words it was read from. Patterns are strict: what is negated,
asked, wished or borrowed by a pronoun ("I love it") is no fact. Used by notes (semantic notes) and by the
summary (a later fact of an exclusive relation marks a change).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from soulmem.core.dates import find_dates
from soulmem.core.signs import may_hold, signs_of
from soulmem.llm.extractive import facts_chinese, facts_english
from soulmem.llm.extractive.sentences import Sentence
from soulmem.records import dataclass

# Relations that hold one value at a time: a later one replaces the earlier.
EXCLUSIVE = frozenset({"name", "lives_in", "occupation", "works_at", "age", "birthday", "status"})


@dataclass(frozen=True, slots=True)
class Fact:
    """`text` is the whole statement ("Caroline likes pottery"); `quote` the words of the message it rests on."""

    subject: str
    relation: str
    object: str
    text: str
    quote: str
    is_change: bool = False


_CHANGE = re.compile(
    r"\b(?:no longer|anymore|any more|now|actually|these days|moved|switched|quit|used to)\b"
    r"|不再|其实|现在|改|换|搬|以后|后来|不.{1,6}了",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"\b(?:if|wish|would|['’]d|pretend|imagine|dreamt|as if|should)\b|如果|要是|假如|假装|但愿|梦见|是不是|会不会",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“”「」]")


def facts_of(sentence: Sentence, speaker: str) -> tuple[Fact, ...]:
    """The facts a sentence states about its speaker, at most three; none without a speaker's name."""
    text = sentence.text
    if not speaker or sentence.is_question or sentence.is_aside or len(text) > 320:
        return ()
    chinese = sentence.language == "zh"
    found: dict[tuple[str, str], Fact] = {}
    taken: list[tuple[int, int]] = []
    for pattern, relation, wording in _possible_chinese(text) if chinese else _possible_english(text):
        for match in pattern.finditer(text):
            ahead = text[max(0, match.start() - 40) : match.start()]
            overlaps = any(match.start() < end and start < match.end() for start, end in taken)
            if overlaps or _HYPOTHETICAL.search(ahead) or _QUOTED.search(ahead):
                continue
            fact = _fact(match, relation, wording, speaker, text, chinese=chinese)
            if fact is not None:
                found.setdefault((fact.relation, fact.object.lower()), fact)
                taken.append(match.span())
    return tuple(found.values())[:3]


def _possible_english(text: str) -> Iterator[tuple[re.Pattern[str], str, str]]:
    """The patterns that may match, in their order: most sentences have none of their words."""
    signs = signs_of(text)
    return ((found, relation, say) for found, needs, relation, say in facts_english.PATTERNS if may_hold(signs, needs))


def _possible_chinese(text: str) -> tuple[tuple[re.Pattern[str], str, str], ...]:
    """All of them or none: every pattern holds the word for oneself."""
    return facts_chinese.PATTERNS if facts_chinese.SELF in text else ()


def _fact(match: re.Match[str], relation: str, wording: str, speaker: str, text: str, *, chinese: bool) -> Fact | None:
    raw, kin = match[match.re.groups], match[1] if match.re.groups > 1 else ""
    value = _chinese_object(raw) if chinese else _english_object(raw, relation)
    if not value:
        return None
    named = value
    if relation == "pet" and kin:
        named = f"{kin}{value}" if chinese else f"{kin} named {value}"
        value = value if chinese else named
    quote = text[match.start() : match.end(match.re.groups)]
    end = quote.rfind(raw) + len(raw)
    spoken = wording.format(s=speaker, o=value, k=kin)
    if not chinese and relation == "occupation" and value[0].lower() in "aeiou":
        spoken = spoken.replace(f" a {value}", f" an {value}")
    if not chinese and relation == "activity":
        verb = re.search(r"\b(play|collect)\b", match[0], re.IGNORECASE)
        spoken = f"{speaker} {verb[1].lower() if verb else 'play'}s {value}"
    tail = text[match.end() : match.end() + 12]
    lapsed = relation == "likes" and re.match(r"\s*(?:anymore|any more)", tail, re.IGNORECASE)
    return (
        None
        if lapsed
        else Fact(speaker, relation, named, spoken, quote[:end], is_change=_CHANGE.search(text) is not None)
    )


def _english_object(raw: str, relation: str) -> str:
    value = raw.strip() if relation == "birthday" else facts_english.STOP_AT.sub("", raw.strip())
    if relation != "birthday" and (dates := find_dates(value, 0)):
        value = value[: dates[0].start].rstrip()
    value = re.sub(r"^(?:a |an )(?=.)", "", value) if relation in {"occupation", "allergic_to"} else value
    if relation in {"likes", "dislikes"} and value[:4].lower() == "the " and not value[4:5].isupper():
        return ""  # "the energy" of something said before
    value = re.sub(r"\b(?:my|our)\b", "their", value, flags=re.IGNORECASE).replace("myself", "themselves")
    if facts_english.NO_OBJECT.search(value) or len(value.split()) > 7 or not value[:1].isalnum():
        return ""
    return value.strip(" '’-")


def _chinese_object(raw: str) -> str:
    value = facts_chinese.TAIL.sub("", raw)
    return "" if not value or facts_chinese.NO_OBJECT.search(value) else value
