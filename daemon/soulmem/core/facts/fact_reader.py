"""Fact reader: what a text says is so, has become so, or is so no more, and of whom.

Called by reconciliation (what does a new note end?), by its guard (is what a model wants ended about the same?) and at
recall (does what was just said end what is remembered?), so all three mean the same by a fact. A text is cut into
clauses; in each the patterns of its language are sought, and what stands before says of whom. What is asked, wished,
supposed or told of somebody unknown is no reading. Invariants: pure, the same for the same text; at most 24 readings of
at most 2,000 characters; a clause is looked at once by each pattern whose words it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType

from soulmem.core.facts.clause_reader import NAMED_AFTER, OWN, ClauseReader, grammar_of
from soulmem.core.facts.relations import Mode, Reading, alike, attribute
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.tokens import fold
from soulmem.text_memo import text_memo

SELF = "self"  # the subject of what is told in first person by nobody that is named
LOOKED_AT = 2_000
MOST = 24
_LONGEST_CLAUSE = 160
_SENTENCE = LazyPattern(r"(?:[^.!?;。！？；\n]|(?<=\d)\.(?=\d)){1,500}+[.!?;。！？；\n]*")  # 76.3 is one number
_TITLE = LazyPattern(r"\b(Dr|Mrs|Mr|Ms|Prof|St)\.(?= [A-ZÀ-Þ])")  # ends no sentence
# What is shown ("Here is my code: ```...```") says nothing of anybody, nor does what it is introduced by.
_CODE = re.compile(r"(?:[^.!?。！？\n`]{0,80}[:：]\s*)?```.*?(?:```|\Z)", re.DOTALL)
_BRACKETS = LazyPattern(r"\s?[(（][^()（）]{0,60}[)）]")
_ASKED = LazyPattern(
    r"^(?P<name>[^:：\"“]{1,40}?)"
    r"(?:, asked [\"“](?P<asked>[^\"“”]{1,300})[\"”]|被问“(?P<asked_zh>[^“”]{1,300})”)\s?[:：]\s?"
)
_HEAD = LazyPattern(r"^(?P<name>[^:：,，。.!?\n\"“]{1,40}?)\s?[:：]\s?")
_NAME_HEAD = LazyPattern(r"[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*){0,2}|[\u4e00-\u9fff·]{2,4}")
_ROLES = frozenset({"user", "用户", "the user", "self", "human", "我", "i", ""})


def readings_of(text: str, speaker: str = "") -> tuple[Reading, ...]:
    """What a text says, clause by clause.

    Args:
        text: a message, in first person; or a note, about its speaker in third person or with the name before it.
        speaker: who says it, if that is known.
    """
    return _read(text[:LOOKED_AT], speaker)


def sentences_of(text: str, speaker: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each sentence of a text, made first person, with its clauses."""
    for sentence in _SENTENCE.findall(_plain(text[:LOOKED_AT], speaker)[1]):
        yield sentence, tuple(_clauses(grammar_of(sentence), sentence))


def clauses_of(text: str, speaker: str = "") -> tuple[tuple[str, ...], ...]:
    """The clauses of each sentence of a text, worded as readings quote them (`Reading.said`)."""
    return tuple(
        tuple(_clauses(grammar_of(each), each)) for each in _SENTENCE.findall(_plain(text[:LOOKED_AT], speaker)[1])
    )


def in_first_person(text: str, speaker: str) -> str:
    """A text as its speaker would say it, without its brackets and the name a note puts before it."""
    return _plain(text[:LOOKED_AT], speaker)[1]


def told_by(text: str, speaker: str = "") -> str:
    """Who says a text: its speaker, or whom a note names before the words it leaves as they were said."""
    return _plain(text[:LOOKED_AT], speaker)[0]


def asked_before(text: str) -> str:
    """The question that a note says was answered by it: 'Nora (2 May 2026), asked "Which team?": The Reds!'."""
    asked = _ASKED.match(_BRACKETS.sub("", text[:LOOKED_AT]))
    return (asked["asked"] or asked["asked_zh"]) if asked is not None else ""


@text_memo(512)
def _plain(text: str, speaker: str) -> tuple[str, str]:
    """Who speaks, and the text in first person without its brackets and the name before it."""
    told = _CODE.sub(" ", text) if "```" in text else text
    speaker, plain = _without_head(_TITLE.sub(r"\1", _BRACKETS.sub("", told)), speaker)
    return speaker, _in_first_person(plain, speaker)


@text_memo(512)
def _read(text: str, speaker: str) -> tuple[Reading, ...]:
    speaker, plain = _plain(text, speaker)
    reader = ClauseReader(subject_key(speaker))
    found: dict[tuple[str, str, str, Mode], Reading] = {}
    for clause in _clauses(grammar_of(plain), plain):
        for reading in reader.read(clause):
            found.setdefault((reading.subject, reading.relation, reading.object, reading.mode), reading)
        if len(found) >= MOST:
            break
    return _once(list(found.values()))[:MOST]


def _is_named_by(each: Reading, other: Reading) -> bool:
    """Whether one reading only gives the name of what another says somebody has: "my girlfriend is called Nora"."""
    owner, _, thing = each.subject.rpartition(OWN)
    return (
        each.relation == "name"
        and bool(thing)
        and other.subject == owner
        and other.object == each.object
        and other.relation in {"partner", attribute(thing)}
    )


def _once(found: list[Reading]) -> tuple[Reading, ...]:
    """Without what another reading says too: an animal is no belonging beside, and its name is no second one."""
    return tuple(
        each
        for each in found
        if not any(_is_named_by(each, other) for other in found)
        and not any(
            other is not each
            and (other.subject, other.mode) == (each.subject, each.mode)
            and (
                (each.relation == "owns" and other.relation == "pet" and alike(each, other))
                or (
                    each.relation == other.relation
                    and other.object.startswith(f"{each.object} ")
                    and each.relation in NAMED_AFTER
                )
            )
            for other in found
        )
    )


def subject_key(speaker: str) -> str:
    """A speaker as the subject of what is said in first person."""
    folded = " ".join(fold(speaker).split())
    return SELF if folded in _ROLES else folded


def _without_head(text: str, speaker: str) -> tuple[str, str]:
    """The speaker and the text without the name that a note puts before words it leaves as they were said."""
    asked = _ASKED.match(text)
    if asked is not None:
        return speaker or asked["name"], text[asked.end() :]
    head = _HEAD.match(text)
    if head is None:
        return speaker, text
    name = head["name"].strip()
    is_speaker = fold(name) == fold(speaker) if speaker else _NAME_HEAD.fullmatch(name) is not None
    is_role = fold(name) in _ROLES
    return (speaker or ("" if is_role else name), text[head.end() :]) if is_speaker or is_role else (speaker, text)


def _in_first_person(text: str, speaker: str) -> str:
    """The text with its speaker's name made "I", so that one grammar reads what was said and what was noted of it."""
    for name in (speaker, "the user", "User", "用户"):
        if not name or name.casefold() not in text.casefold():
            continue
        if name.isascii():
            text = re.sub(rf"(?<!\w){re.escape(name)}['’]s\b", "my", text, flags=re.IGNORECASE)
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)\s?(?=[\u4e00-\u9fff])", "我", text, flags=re.IGNORECASE)
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "I", text, flags=re.IGNORECASE)
        else:
            text = re.sub(rf"{re.escape(name)}['’]s\b", "my", text)
            text = re.sub(rf"{re.escape(name)}(?=\s+[A-Za-z])", "I", text).replace(name, "我")
    return text


def _clauses(grammar: ModuleType, text: str) -> Iterator[str]:
    """The clauses of a text that state something."""
    start = 0
    for match in grammar.CLAUSE_END.finditer(text):
        if "?" not in match[0] and "？" not in match[0]:
            yield text[start : match.start()].strip()[:_LONGEST_CLAUSE]
        start = match.end()
    rest = text[start:].strip()
    if not rest.endswith(("?", "？")):
        yield rest[:_LONGEST_CLAUSE]
