"""Same telling: whether two notes tell one thing, so that nothing is lost where one of them stands for both.

Called by digestion (`idle/merging/merge_step`) with notes that mean nearly the same (algorithms.md §6.4). What decides
is what they say and not how near their vectors lie, for one name, number or "not" hardly moves a vector: the same words
in the same order, but for what fills and for words that everybody says for one another. One may tell more than the
other, of the same hours, in a clause of its own where nobody and no number comes. Pure and symmetric.
"""

from __future__ import annotations

import re
from functools import cache, cached_property

from soulmem.core.calendar.calendar_math import DAY_MS, HOUR_MS
from soulmem.core.conversation.retelling import Saying
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.names.name_recogniser import find_names
from soulmem.core.numbers import number_words
from soulmem.core.numbers.amount_parser import find_amounts
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.note_requests import NoteKind
from soulmem.core.tense import chinese_tense, english_tense
from soulmem.core.text import tokens
from soulmem.core.text.word_file import read_sections
from soulmem.fast_dataclasses import dataclass

NEAR_MS = 6 * HOUR_MS  # two similar evenings are two evenings
_LASTS_MS = 30 * DAY_MS  # a number that is told again later may have been counted anew
_LEAST = 1.0  # words with a meaning, below which two notes may be of anything
_LEAST_TOLD = 2.0  # of the shorter one, where the other tells more
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:[.,:]\d+)*|[,;:.!?，；：。！？…—、\n]")
_STOP = frozenset(",;:.!?，；：。！？…—、\n")
_NEGATED = LazyPattern(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|hardly|barely|almost|nearly|cannot|stopp?(?:ed|ing|s)?"
    r"|quit|refused?|declin\w+|cancell?\w*|anymore|any more|no longer|used to|supposed to|if|unless|joking|kidding)\b"
    r"|[不没無无未非别勿]|差点|险些|几乎|取消|停止|戒|拒绝|假如|如果|要是|除非|开玩笑"
)
_AGAIN = LazyPattern(
    r"\b(?:again|another|once more|as usual|second|third|twice|every|each|other)\b"
    r"|(?<![遍次天年个])又|再|[这那]次|[这那]回|照旧|另|别的|每"
)
_PERSON = frozenset(
    """i me you he him she her we us they them it my your his our their mine 我 你 他 她 它 咱 您 mother father brother
    sister husband wife son daughter grandmother grandfather uncle aunt cousin friend boss colleague child 妈 爸 哥 姐
    弟 妹""".split()
)
_TO_COME = LazyPattern(
    r"\b(?:will|shall|going to|gonna|want(?:s|ed)?|would|could|might|may|should|must|plan(?:s|ned|ning)?"
    r"|hop(?:e|es|ed|ing)|wish(?:es|ed)?|try(?:ing)?|tries|tried|need(?:s|ed)?|about to|can|dream(?:s|ed|t|ing)?)\b"
    r"|[想要将会能该]|打算|计划|准备|希望|可能|也许|大概|应该|试|梦"
)
_ABSENT = LazyPattern(r"\b(?:he|she|they|him|them|her|hers|his|their)\b|[他她]")
_PERFECT = LazyPattern(
    r"\b(?:have|has)(?= (?:just |already |finally )?"
    r"(?:\w{2,}(?:ed|en|own|ought|aught)|been|got|done|gone|made|had)\b)"
)
_TAIL = LazyPattern(r"[呢啊呀吧呗嘛的哦哈。！!.…\s]+$")
_STRESSED = LazyPattern(r"是(?=[^，。,.是]{2,40}的(?:[，。！!,.]|$))")  # 是…的
_DIGITS = {word: str(value) for value, word in enumerate(number_words.UNITS[:13])}
_DIGITS |= {char: str(value) for char, value in number_words.DIGITS.items()}
_CODE = re.compile(r"\d+")


@cache
def _meaning() -> dict[str, str]:
    """The word that stands for each that is said for it."""
    table = read_sections("core/merging/interchangeable_words.txt")
    lines = (line.split() for name in ("english", "chinese") for line in table[name].splitlines())
    return {word: words[0] for words in lines for word in words[1:]}


@cache
def _fills() -> frozenset[str]:
    return frozenset(read_sections("core/merging/interchangeable_words.txt")["fills"].split())


@cache
def _phrases() -> re.Pattern[str]:
    """What is read as a whole in Chinese, where words are not parted: the longest first."""
    found = [word for word in (*_meaning(), *_fills()) if not word.isascii() and len(word) > 1]
    return re.compile("|".join(sorted(found, key=lambda word: (-len(word), word))))


@dataclass(frozen=True)
class Telling:
    """A note as it is compared; `at_ms`: when it happened, `told_ms`: when it was told first."""

    text: str
    kind: NoteKind
    speaker: str
    at_ms: int
    told_ms: int

    @cached_property
    def _saying(self) -> Saying:
        return Saying(self.text, self.speaker, self.told_ms, self.at_ms)

    @cached_property
    def _bare(self) -> str:
        """The words without dates, whoever says them being I."""
        text = self._saying.bare
        for span in reversed(find_dates(text, self.told_ms)):
            text = f"{text[: span.start].rstrip()} {text[span.end :].lstrip()}"
        if self.speaker and len(self.speaker) > 1:
            text = re.sub(rf"(?<!\w){re.escape(self.speaker)}(?!\w)", "I", text)
        return text

    @cached_property
    def plain(self) -> str:
        """The same in full and in lower case, without what only fills."""
        text = _PERFECT.sub("", Saying(_STRESSED.sub("", self._bare), "", self.told_ms, self.told_ms).plain)
        if text.isascii():
            return text
        return _phrases().sub(lambda match: "" if match[0] in _fills() else _meaning()[match[0]], text)

    @cached_property
    def clauses(self) -> tuple[tuple[str, ...], ...]:
        """What it says, word for word, clause by clause: each word by its meaning, without what fills."""
        found: list[list[str]] = [[]]
        for word in _WORD.findall(self.plain):
            if word in _STOP:
                found.append([])
                continue
            meant = _meaning().get(word) or _DIGITS.get(word, word)
            if word not in _fills() and meant not in _fills():
                found[-1].append(tokens.stemmed(meant) if meant.isascii() else meant)
        return tuple(_without_me(tuple(clause)) for clause in found if clause)

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(word for clause in self.clauses for word in clause)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(tokens.fold(each.name) for each in find_names(self._bare) if tokens.fold(each.name) != "i")

    @cached_property
    def numbers(self) -> tuple[tuple[float, float], ...]:
        found = find_amounts(self._bare)
        codes = [m for m in _CODE.finditer(self._bare) if not any(e.start <= m.start() < e.end for e in found)]
        return tuple(sorted([(e.low, e.high) for e in found] + [(float(m[0][:15]), -1.0) for m in codes]))

    @cached_property
    def negations(self) -> tuple[str, ...]:
        return tuple(sorted(_NEGATED.findall(self.plain)))

    @cached_property
    def intentions(self) -> tuple[str, ...]:
        return tuple(sorted(_TO_COME.findall(self.plain)))

    @cached_property
    def people(self) -> tuple[str, ...]:
        return tuple(word for word in self.words if word in _PERSON)

    @cached_property
    def tense(self) -> tuple[str | None, ...]:
        if tokens.script_of(self._bare) == "latin":
            return (english_tense.sign_of("", self._bare, verbs_only=True),)
        return (chinese_tense.sign_of("", _TAIL.sub("", self._bare)),)

    @cached_property
    def times(self) -> frozenset[tuple[int, int]]:
        return self._saying.times

    @property
    def asks(self) -> bool:
        return tokens.asks(self._saying.bare)

    @property
    def substance(self) -> float:
        """Roughly how many words have a meaning; a Chinese character counts half."""
        found = {word for word in self.words if not tokens.is_grammar(word) and word not in _PERSON}
        return sum(1.0 if word.isascii() else 0.5 for word in found)

    @property
    def comes_again(self) -> bool:
        return self._saying.comes_again


def _without_me(clause: tuple[str, ...]) -> tuple[str, ...]:
    """A clause without whom it begins with where that is understood: "(I) lost my keys", "(my) gran sent me"."""
    if len(clause) > 2 and (clause[0] in ("i", "我") or (clause[0] == "my" and clause[1] in _PERSON)):
        return clause[1:]
    return clause


def fuller(one: Telling, other: Telling) -> Telling | None:
    """Of two notes that tell the same, the one that tells no less; None where each says something of its own."""
    if one.kind is not other.kind or tokens.fold(one.speaker) != tokens.fold(other.speaker):
        return None
    if one.asks or other.asks or min(one.substance, other.substance) < _LEAST or not _of_one_time(one, other):
        return None
    if sorted(one.names) != sorted(other.names) or one.numbers != other.numbers:
        return None
    if not one.names and _ABSENT.search(one.plain):  # who "she" is was told beside it
        return None
    if _in_order(one, other):
        return one if (len(one.text), one.told_ms) >= (len(other.text), other.told_ms) else other
    short, long = sorted((one, other), key=lambda each: len(each.words))
    return long if _tells_more(long, short) else None


def _in_order(one: Telling, other: Telling) -> bool:
    """Whether two notes have the same words in the same order, or one of them a clause in another place."""
    if (one.negations, one.intentions, one.tense) != (other.negations, other.intentions, other.tense):
        return False
    if one.people != other.people or one.names != other.names:
        return False
    if one.words == other.words:
        return True
    return _turned(one, other) or _turned(other, one) or _handled(one, other) or _handled(other, one)


def _handled(one: Telling, other: Telling) -> bool:
    """Whether what is done to a thing is told with 把 in one of them: 我把钥匙弄丢了, 我弄丢了钥匙."""
    if one.words.count("把") != 1:
        return False
    at = one.words.index("把")
    front, tail = one.words[:at], one.words[at + 1 :]
    return any((*front, *tail[cut:], *tail[:cut]) == other.words for cut in range(1, len(tail)))


def _turned(one: Telling, other: Telling) -> bool:
    """Whether the first clause of one stands at the end of the other: "After work, we swam", "we swam after work"."""
    if len(one.clauses) < 2:
        return False
    first = one.clauses[0]
    return not one.negations and (*one.words[len(first) :], *first) == other.words


def _tells_more(long: Telling, short: Telling) -> bool:
    """Whether a note says what the other says and a clause more, of the same hours."""
    if short.kind is not NoteKind.EPISODIC or short.substance < _LEAST_TOLD or long.names != short.names:
        return False
    if abs(long.told_ms - short.told_ms) >= NEAR_MS or long.negations != short.negations:
        return False
    for clauses in (long.clauses[1:], long.clauses[:-1]):
        if clauses and tuple(word for clause in clauses for word in clause) == short.words:
            return long.intentions == short.intentions
    return False


def _of_one_time(one: Telling, other: Telling) -> bool:
    """Whether two notes may tell of one moment: of the same days where they name any, else of the same hours."""
    if one.times != other.times:
        return False
    apart = abs(one.told_ms - other.told_ms)
    if one.kind is not NoteKind.EPISODIC:
        return apart < NEAR_MS or not (one.comes_again or other.comes_again or (one.numbers and apart >= _LASTS_MS))
    if abs(one.at_ms - other.at_ms) >= (DAY_MS if one.times else NEAR_MS):
        return False
    return apart < NEAR_MS or not (_AGAIN.search(one.plain) or _AGAIN.search(other.plain))
