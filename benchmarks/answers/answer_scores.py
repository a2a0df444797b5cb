"""How a short answer is scored against the right one: F1 of words, BLEU-1, and whether its dates are the same.

After LoCoMo's protocol (Maharana et al., ACL 2024): stemmed words without articles; of an answer with several parts
(category 1) each part is looked for and the best F1 counts; of an open answer (category 3) what stands before a
semicolon; a question of what was never said (category 5) is answered by saying so. BLEU-1 as Papineni et al. 2002 have
it for one word, smoothed where no word is shared (Chen and Cherry 2014, method 1). A Chinese character is a word.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

import Stemmer

MULTI_HOP, TEMPORAL, OPEN, ADVERSARIAL = "1", "2", "3", "5"
_ARTICLES = frozenset({"a", "an", "the", "and"})
_WORD = re.compile(r"[a-z0-9]+|[\u4e00-\u9fff]")
_PARTS = re.compile(r"[,，、;；]")
_SMOOTHING = 0.1
_UNKNOWN = re.compile(
    r"\bno(?:t| information)\b.{0,30}\b(?:available|mentioned|known|said|told|given|specified|recorded)\b|"
    r"\b(?:do(?:es)? ?n[o']t|can ?not|can't) (?:know|say|tell)\b|^\s*unknown\b|"
    r"不知道|没有?提(?:到|过|及)|没有?(?:相关)?(?:信息|记录|说过)|无法(?:得知|确定|回答)|未提及"
)
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS)
_DATES = (
    re.compile(r"(?P<year>\d{4})\s*[-/年]\s*(?P<month>\d{1,2})(?:\s*[-/月]\s*(?P<day>\d{1,2}))?"),
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<name>{_MONTH})\b\.?,?(?: (?P<year>\d{{4}}))?"),
    re.compile(
        rf"\b(?P<name>{_MONTH})\b\.?(?: (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b)?(?:,? (?:of )?(?P<year>\d{{4}}))?"
    ),
    re.compile(r"(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号])?"),
    re.compile(r"\b(?P<year>(?:19|20)\d\d)\b"),
)
_stem = Stemmer.Stemmer("english").stemWord

Date = tuple[int | None, int | None, int | None]


def words(text: str) -> list[str]:
    """The stemmed words of a text, without articles; of Chinese the characters."""
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in _ARTICLES]


def f1(answer: str, right: str) -> float:
    """The harmonic mean of how many of the answer's words are right and how many of the right ones it has, 0..1."""
    said, wanted = words(answer), words(right)
    shared = (Counter(said) & Counter(wanted)).total()
    return 2 * shared / (len(said) + len(wanted)) if shared else 0.0


def f1_of(answer: str, right: str, category: str) -> float:
    """F1 as the category of the question has it, 0..1."""
    if category == ADVERSARIAL:
        return float(says_unknown(answer))
    if category == OPEN:
        return f1(answer, right.partition(";")[0])
    if category == MULTI_HOP:
        said, wanted = _split(answer), _split(right)
        return sum(max(f1(part, whole) for part in said) for whole in wanted) / len(wanted)
    return f1(answer, right)


def _split(text: str) -> list[str]:
    return [part for part in _PARTS.split(text) if part.strip()] or [text]


def bleu1(answer: str, right: str) -> float:
    """The share of the answer's words that the right one has, each at most as often, less if it is shorter; 0..1."""
    said, wanted = words(answer), words(right)
    if not said or not wanted:
        return 0.0
    shared = (Counter(said) & Counter(wanted)).total()
    brevity = 1.0 if len(said) > len(wanted) else math.exp(1 - len(wanted) / len(said))
    return brevity * (shared or _SMOOTHING) / len(said)


def says_unknown(answer: str) -> bool:
    """Whether an answer says that nothing is known."""
    return _UNKNOWN.search(answer.lower()) is not None


def dates(text: str) -> set[Date]:
    """The dates of a text as (year, month, day); None for what is not said."""
    rest, found = text.lower(), set()
    for pattern in _DATES:
        for match in pattern.finditer(rest):
            said = match.groupdict()
            name = said.get("name")
            if name == "may" and not (said.get("day") or said.get("year")):
                continue  # a verb more often than a month
            month = next(place for place, each in enumerate(_MONTHS, 1) if each[:3] == name[:3]) if name else None
            numbers = {part: int(value) for part, value in said.items() if value and part != "name"}
            found.add((numbers.get("year"), month or numbers.get("month"), numbers.get("day")))
        rest = pattern.sub(" ", rest)
    return found


def has_dates(answer: str, right: str) -> bool | None:
    """Whether an answer names every date of the right one, as closely; None where that has none."""
    wanted = dates(right)
    said = dates(answer)
    return all(any(_covers(each, one) for each in said) for one in wanted) if wanted else None


def _covers(said: Date, wanted: Date) -> bool:
    return all(need is None or have == need for have, need in zip(said, wanted, strict=True))


def mean(values: Sequence[float]) -> float | None:
    """The mean to four digits; None of nothing."""
    return round(sum(values) / len(values), 4) if values else None
