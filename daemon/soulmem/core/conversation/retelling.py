"""Retelling: whether somebody tells again what he told before, in the same words, as people do on other days.

Called by digestion (`idle/steps/retold_drafts`) before a draft becomes a note of its own. The same is what has the same
words in the same order, but for contractions, articles and what only fills: so the same names, numbers and negations,
the same tense and the same person. What is dated is the same on the same day alone: "today we had fish" on two days
are two evenings. A deed without a day is another one each time unless it is told of long ago or in many words, and what
is so for a moment ("I'm on the train") is so once. Pure.
"""

from __future__ import annotations

import re
from functools import cached_property

from soulmem.core.calendar.calendar_math import DAY_MS, HOUR_MS
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.tense import chinese_tense, english_tense
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass

LOOKED_AT = 1_000  # characters; what is longer is told once
_LEAST = 2.0  # words with a meaning, below which two tellings may be of anything
_TOLD_WELL = 4.0  # from which on a deed is known by its words
_TOLD_WELL_ROUTINE = 5.0  # one of those that come again every week
_AT_ONCE_MS = 12 * HOUR_MS  # a deed that is told twice within it is one
_LEAST_KEY = 3  # letters
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_BRACKET = re.compile(r"\s?[(（]([^()（）]{1,60})[)）]")
_LEAD = re.compile(r"\s*(?:[(（][^()（）]{1,60}[)）])?\s*[:：]\s*")
_SHORT = (
    (re.compile(r"\bcan(?:no|')t\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"(?<=[a-z])'(?:s|d)(?= (?:called|named|not|a|an|the|my|in|at|on|from|allergic|afraid)\b)"), " is"),
    (re.compile(r"\b(he|she|it|that|there|who|what|where)'s\b"), r"\1 is"),
)
_FILLS = LazyPattern(
    r"\b(?:as i (?:said|told you|mentioned)|(?:like )?i (?:already )?(?:told|said to) you(?: before| already)?"
    r"|did i (?:ever )?(?:tell|mention to) you(?: that)?|have i (?:ever )?told you(?: that)?|by the way|just|really)\b"
    r"|(?:^|(?<=[.!?,] ))(?:you know|you see|remember|anyway|actually|well|so|oh|and|but)\b|\b(?:the|an?)\b"
    r"|[啊呀呢嘛哦噢哈的]|其实|对了|说起来|话说|我(?:之前|以前)?(?:跟|和|对)你(?:说|讲|提)过(?:没有?)?|你知道吗?|你记得吗?|记得吗",
)
_AGAIN = LazyPattern(
    r"\b(?:again|another|once more|this time|as usual|second time|third time)\b"
    r"|(?<![遍次天年个])又|再次|再一次|[这那]次|[这那]回|照旧"
)
_LONG_AGO = LazyPattern(
    r"\bonce\b(?! a\b| every\b)|\bas a (?:child|kid|boy|girl|student|teenager|baby)\b"
    r"|\bwhen (?:i|we|he|she) (?:was|were)\b"
    r"|\bused to\b|\byears ago\b|\bback in\b|\bback then\b|\bin those days\b|\bgrew up\b|\bgrowing up\b|\bwas born\b"
    r"|小时候|小的时候|那年|当年|年轻时|以前|从前|有一次|有一回|曾经?|年前|读书时|上学时|出生|长大"
)
_ROUTINE = LazyPattern(
    r"\b(?:went|ate|had|ran|swam|walked|worked|slept|cooked|watched|played|met|saw|called|rang|visited|trained|bought"
    r"|drank|read|cleaned|washed|made|took|did|got|came|drove|cycled|talked|spoke)\b"
    r"|[去吃跑游走睡看玩买喝读做洗练逛聊见]|上班|打电话|加班"
)
_MOMENT = LazyPattern(
    r"\b(?:just now|right now|at the moment|currently|these days|now|later|soon|tonight)\b"
    r"|\b(?:i am|we are|it is)(?: not)? (?:so|really|very|still|now|finally|back|off|on|at|home|here|there|out|up"
    r"|(?!interest)\w+ing|tired|hungry|cold|ill|sick|sad|happy|bored|late|busy|fine|ok|okay|exhausted|angry)\b"
    r"|\b(?:feel|feels|feeling|hurts?|aches?)\b"
    r"|刚[才刚]|现在|正在|此刻|这会儿|今儿|最近|好[累困饿烦冷热开难]|[很太真][累困饿烦冷热开难]|不舒服|觉得|感觉|疼|痛"
)


@dataclass(frozen=True)
class Saying:
    """What somebody told, as it is compared; `at_ms`: when, `happened_ms`: when it is said to have been."""

    text: str
    speaker: str
    at_ms: int
    happened_ms: int

    @cached_property
    def bare(self) -> str:
        """The words themselves, without who says them and without the days that a note adds in brackets."""
        text = self.text[:LOOKED_AT]
        if self.speaker and text.startswith(self.speaker) and (lead := _LEAD.match(text, len(self.speaker))):
            text = text[lead.end() :]
        return _BRACKET.sub(lambda match: "" if _is_day(match[1], self.at_ms) else match[0], text)

    @cached_property
    def plain(self) -> str:
        """The words in full and in lower case, without what only fills."""
        text = tokens.fold(self.bare)
        for short, full in _SHORT:
            text = short.sub(full, text)
        return _FILLS.sub(" ", text)

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(_WORD.findall(self.plain))

    @cached_property
    def times(self) -> frozenset[tuple[int, int]]:
        return frozenset((span.from_ms, span.to_ms) for span in find_dates(self.bare, self.at_ms))

    @cached_property
    def day(self) -> int | None:
        """The day that it is dated to, if that is not when it was told."""
        return self.happened_ms // DAY_MS if abs(self.happened_ms - self.at_ms) > _AT_ONCE_MS else None

    @cached_property
    def substance(self) -> float:
        """Roughly how many words have a meaning; a Chinese character counts half."""
        found = {word for word in self.words if not tokens.is_grammar(tokens.stemmed(word))}
        return sum(1.0 if word.isascii() or len(word) > 1 else 0.5 for word in found)

    @property
    def comes_again(self) -> bool:
        """Whether the same words on another day would be of another time."""
        text = self.plain
        if _AGAIN.search(text) or _MOMENT.search(text):
            return True
        if self.times or self.day is not None or _LONG_AGO.search(text) or not _is_deed(text):
            return False
        return self.substance < (_TOLD_WELL_ROUTINE if _ROUTINE.search(text) else _TOLD_WELL)

    @property
    def key(self) -> str:
        """Letters that stand in whatever tells the same; empty where there are none to go by."""
        found = (
            word[1:]  # which may be a capital
            for word in self.words
            if word.isascii() and not tokens.is_grammar(tokens.stemmed(word))
        )
        best = max(found, key=len, default="")
        if len(best) >= _LEAST_KEY and best in self.text:
            return best
        runs = re.findall(r"[\u3400-\u9fff]+", _FILLS.sub(" ", self.bare))
        return max(runs, key=len, default="")[:6]


def is_retelling(new: Saying, former: Saying) -> bool:
    """Whether `new` tells what `former` told, so that nothing of it is lost where it becomes no note of its own."""
    if new.speaker != former.speaker or new.words != former.words or new.substance < _LEAST:
        return False
    if new.bare.rstrip(" \"'”’」").endswith(("?", "？")) or new.times != former.times or new.day != former.day:
        return False
    if new.times and _AGAIN.search(tokens.fold(new.bare)):
        return False
    return abs(new.at_ms - former.at_ms) < _AT_ONCE_MS or not new.comes_again


def said_in(words: str, saying: Saying) -> bool:
    """Whether some words of a note, a detail of it, are said in what was told now."""
    wanted = _WORD.findall(tokens.fold(words))
    said = set(saying.words) | set(_WORD.findall(tokens.fold(saying.bare)))
    return bool(wanted) and said.issuperset(wanted)


def _is_day(words: str, at_ms: int) -> bool:
    return any(span.end - span.start >= len(words) // 2 for span in find_dates(words, at_ms))


def _is_deed(text: str) -> bool:
    if tokens.script_of(text) == "latin":
        return english_tense.sign_of("", text, verbs_only=True) == chinese_tense.BEHIND
    return chinese_tense.sign_of("", text) == chinese_tense.BEHIND or (
        english_tense.sign_of("", text, verbs_only=True) == chinese_tense.BEHIND
    )
