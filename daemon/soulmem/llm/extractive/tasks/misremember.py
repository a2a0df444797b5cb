"""What a faded detail could be taken for, without a model: vaguer by its kind, then another of that kind.

From slightly vaguer to alike but wrong: without its epithet ("black cat" → "cat"), a step up the ladder of gists (the
day becomes its month, 43 about forty), then the neighbours it is easily taken for: the day before or after, the next
number, a name this mind knows that is of the same kind and most alike in letters. Pure, Chinese and English; the same
request gives the same answer. Nothing is invented beyond that: a detail of no known kind has few or no such wordings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import chain

from soulmem.core.calendar.calendar_math import Period
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.dates.english_date_words import MONTHS
from soulmem.core.details import gists
from soulmem.core.details.gists import Kind
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.schema.detail_tasks import FadedDetail, Misremembered, MisrememberRequest
from soulmem.core.text.tokens import fold
from soulmem.llm.extractive.details.detail_finding import kind_of
from soulmem.llm.extractive.language.sentence_splitter import CJK, language_of

_ABOUT_A_DATE = 4  # characters: a preposition, brackets
_VAGUER = 3  # of the five wordings at most; the rest are wrong ones
_NAMED = frozenset({Kind.PERSON, Kind.PLACE, Kind.RELATIVE, Kind.TITLE, Kind.THING, Kind.ANIMAL, Kind.FOOD})
_NO_EPITHET = frozenset({Kind.TIME, Kind.NUMBER, Kind.CODE, Kind.SPEECH, Kind.QUESTION, Kind.TITLE, Kind.CLAUSE})
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAY = CaselessPattern(rf"\b(?:{'|'.join(_DAYS)})\b")
_DAY_ALONE = CaselessPattern(rf"(?:(?:on|last|this|next) )?(?:{'|'.join(_DAYS)})")
_CHINESE_DAY = LazyPattern(r"((?:上个?|这个?|下个?|本)?(?:周|星期|礼拜))([一二三四五六日天])")
_CHINESE_DAYS = "一二三四五六日"
_MONTH = LazyPattern(rf"\b(?:{'|'.join(MONTHS)})\b")
_DAY_NUMBER = LazyPattern(
    r"(?<![\d:.])([12]?\d|3[01])(?=(?:st|nd|rd|th)?\s+(?:of\s+)?[A-Z][a-z]{2}|[日号])|(?<=-)([012]\d)(?!\d|-)"
)
_DIGITS = LazyPattern(r"\d{1,9}(?![\d.])")
_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_UNIT = CaselessPattern(rf"\b(?:{'|'.join(_UNITS)})\b(?!.*\b(?:{'|'.join(_UNITS)})\b)")
_CHINESE_UNITS = "一二三四五六七八九"
_CHINESE_UNIT = LazyPattern(f"[{_CHINESE_UNITS}](?!.*[{_CHINESE_UNITS}])")
_PHRASE = LazyPattern(r"((?:an?|the|his|her|my|our|their|some) )?((?:[a-zà-ÿ'’-]+ ){1,3})([a-zà-ÿ'’-]+)")
_CHINESE_PHRASE = LazyPattern(r"[\u4e00-\u9fff]{1,8}的([\u4e00-\u9fff]{1,6})")
_LED = CaselessPattern(r"\b(?:in|on|at|by|of|from|since|until|till|before|after|for|to|around|about) $")
_LEADING = LazyPattern(r"^(?:in|on|at) ")
_SENTENCE_END = LazyPattern(r"(?:^|[.!?…:\"“]\s*)$")


def misremember(request: MisrememberRequest) -> tuple[Misremembered, ...]:
    """Up to `count` wordings for each detail that has any."""
    found = ((each.label, _wordings(each, request.count)) for each in request.details)
    return tuple(Misremembered(label, wordings) for label, wordings in found if wordings)


def _wordings(detail: FadedDetail, count: int) -> tuple[str, ...]:
    text = detail.text.strip()
    if not text:
        return ()
    language = "zh" if CJK.search(text) or language_of(detail.before + detail.after) == "zh" else "en"
    kind, period = _kind_of(text, detail.at_ms)
    ladder = gists.ladder(kind, text, language, period=period)
    vaguer = _distinct(chain(_without_epithet(text, kind), _some_day(text), ladder), text)[:_VAGUER]
    wrong = _distinct(chain(_beside(text, kind), _others(text, kind, detail)), text)
    # What is wrong fills up what is vaguer, and the other way round where there is little of it.
    chosen = (*vaguer[: max(_VAGUER, count - len(wrong))], *wrong)[:count]
    return _distinct((_fit(each, detail, text) for each in chosen), text)


def _kind_of(text: str, at_ms: int) -> tuple[Kind, Period | None]:
    """The kind by itself; a date in other words about it ("yesterday (8 May 2026)", "on Tuesday") is one too."""
    if _DAY_ALONE.fullmatch(text) or _CHINESE_DAY.fullmatch(text):
        return Kind.TIME, kind_of(text, at_ms)[1]
    spans = list(find_dates(text, at_ms))
    if spans and len(text) - sum(span.end - span.start for span in spans) <= _ABOUT_A_DATE * len(spans):
        return Kind.TIME, spans[-1].period
    return kind_of(text, at_ms)


def _distinct(wordings: Iterable[str], text: str) -> tuple[str, ...]:
    kept: dict[str, str] = {}
    for each in wordings:
        kept.setdefault(fold(each), each)
    kept.pop(fold(text), None)
    return tuple(kept.values())


def _fit(wording: str, detail: FadedDetail, text: str) -> str:
    """The wording as it stands in its sentence: no second preposition, a capital where the detail had one for that."""
    if _LED.search(detail.before) and not _LEADING.match(text):
        wording = _LEADING.sub("", wording)
    begins = _SENTENCE_END.search(detail.before) is not None
    return wording[:1].upper() + wording[1:] if begins and text[:1].isupper() else wording


def _without_epithet(text: str, kind: Kind) -> Iterator[str]:
    if kind in _NO_EPITHET:
        return
    if match := _PHRASE.fullmatch(text):
        article = (match[1] or "").lower()
        if article in {"a ", "an "}:
            article = "an " if match[3][0] in "aeiou" else "a "
        yield f"{article}{match[3]}"
    elif match := _CHINESE_PHRASE.fullmatch(text):
        yield match[1]


def _some_day(text: str) -> Iterator[str]:
    if _DAY_ALONE.fullmatch(text):
        yield "one day that week"
    elif _CHINESE_DAY.fullmatch(text):
        yield "那周的一天"


def _beside(text: str, kind: Kind) -> Iterator[str]:
    """The neighbours of a day, a month or a number, in the form it has here."""
    if kind is Kind.TIME:
        yield from _next_in(text, _DAY, _DAYS)
        for step in (1, -1):
            if match := _CHINESE_DAY.search(text):
                place = _CHINESE_DAYS.index("日" if match[2] == "天" else match[2])
                day = _CHINESE_DAYS[(place + step) % 7]
                yield f"{text[: match.start(2)]}{day}{text[match.end(2) :]}"
            if (match := _DAY_NUMBER.search(text)) and 1 <= (day_number := int(match[0]) + step) <= 28:
                yield f"{text[: match.start()]}{day_number:0{len(match[0])}d}{text[match.end() :]}"
        yield from _next_in(text, _MONTH, MONTHS)
    elif kind is Kind.NUMBER:
        yield from _numbers(text)
    elif kind is Kind.CODE:
        places = [at for at in range(len(text) - 1) if text[at : at + 2].isdigit() and text[at] != text[at + 1]]
        for at in places[-2:]:
            yield f"{text[:at]}{text[at + 1]}{text[at]}{text[at + 2 :]}"


def _next_in(text: str, pattern: LazyPattern, row: tuple[str, ...] | list[str]) -> Iterator[str]:
    """The text with the first of the row's words in it exchanged for the next, then for the one before."""
    match = pattern.search(text)
    lowered = [word.lower() for word in row]
    if match is None or match[0].lower() not in lowered:
        return
    place = lowered.index(match[0].lower())
    for step in (1, -1):
        word = row[(place + step) % len(row)]
        yield f"{text[: match.start()]}{word if match[0][0].isupper() else word.lower()}{text[match.end() :]}"


def _numbers(text: str) -> Iterator[str]:
    if match := _DIGITS.search(text):
        value = int(match[0])
        step = 1 if value < 100 else 10 ** (len(match[0]) - 2)
        for other in (value + step, value - step):
            if other > 1 and match[0][0] != "0":
                yield f"{text[: match.start()]}{other}{text[match.end() :]}"
        return
    for pattern, row in ((_UNIT, _UNITS), (_CHINESE_UNIT, _CHINESE_UNITS)):
        if match := pattern.search(text):
            place = row.index(match[0].lower())
            least = 1 if match[0] == text or row is _UNITS else 0  # one of them would need another noun
            for other in (place + 1, place - 1):
                if least <= other < len(row):
                    word = row[other].title() if match[0][0].isupper() else row[other]
                    yield f"{text[: match.start()]}{word}{text[match.end() :]}"
            return


def _others(text: str, kind: Kind, detail: FadedDetail) -> tuple[str, ...]:
    """Names this mind knows that are of the same kind, the most alike in letters first."""
    if kind not in _NAMED:
        return ()
    told = (each for each in detail.known if each.strip())
    known = [each for each in told if _kind_of(each, detail.at_ms)[0] is kind and not _overlaps(each, text)]
    likeness = {each: SequenceMatcher(None, fold(text), fold(each)).ratio() for each in known}
    return tuple(sorted(known, key=lambda each: (-likeness[each], abs(len(each) - len(text)), each)))


def _overlaps(one: str, other: str) -> bool:
    """Whether one of them is part of the other: then it is no mistake."""
    first, second = fold(one), fold(other)
    return first in second or second in first
