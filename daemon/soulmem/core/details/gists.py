"""Gists: vaguer wordings of what may be forgotten, from the nearest to the vaguest, in English and Chinese.

A gist stands where the wording has faded, so it must never hold that wording, nor any other that is to fade in the same
note (algorithms.md §6.3). What is given here knows only of which kind a detail is: a date is said one step coarser, a
number roughly, anything else by a word for its kind. Called by the extractive engine, by the check of all elements
(`elements`) and, step by step, by drift. Pure. Invariant: `vaguer` returns nothing that leaks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Granularity, Period
from soulmem.core.dates.english_date_words import MONTHS
from soulmem.core.numbers.rough_numbers import about, value_of
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.note_requests import GIST_LENGTH
from soulmem.core.text.tokens import fold
from soulmem.core.text.word_file import read_rows
from soulmem.text_memo import text_memo


class Kind(StrEnum):
    """Of which kind a detail is."""

    PERSON = "person"
    RELATIVE = "relative"
    PLACE = "place"
    TIME = "time"
    NUMBER = "number"
    CODE = "code"
    SPEECH = "speech"
    QUESTION = "question"
    TITLE = "title"
    FILM = "film"
    BOOK = "book"
    MUSIC = "music"
    ORGANISATION = "organisation"
    EVENT = "event"
    PROGRAM = "program"
    VEHICLE = "vehicle"
    LANGUAGE = "language"
    MEDICINE = "medicine"
    COLOUR = "colour"
    DURATION = "duration"
    AGE = "age"
    ANIMAL = "animal"
    FOOD = "food"
    ART = "art"
    SPORT = "sport"
    GAME = "game"
    WORK = "work"
    STUDY = "study"
    HEALTH = "health"
    FEELING = "feeling"
    THING = "thing"
    CLAUSE = "clause"
    NOTE = "note"


_ROWS = {Kind(kind): wordings for kind, *wordings in read_rows("core/details/gists.txt", {})}
# By kind: the nearer wording and the vaguer one.
_WORDS = {
    "en": {kind: (nearer, vaguer) for kind, (nearer, vaguer, *_) in _ROWS.items()},
    "zh": {kind: (nearer, vaguer) for kind, (*_, nearer, vaguer) in _ROWS.items()},
}
_OF_PEOPLE = frozenset(
    rung for words in _WORDS.values() for kind in (Kind.PERSON, Kind.RELATIVE) for rung in words[kind]
)
_EMPTY = frozenset(
    rung for words in _WORDS.values() for kind in (Kind.THING, Kind.CLAUSE, Kind.NOTE) for rung in words[kind]
)
_SAID_BY = {"she": "something she said", "he": "something he said", "they": "something they said"}
_LAST = {"en": ("something", "someone", "it", "…"), "zh": ("什么", "某某", "它", "…")}
_REMEMBERED_LENGTH = 500  # characters
_DATED = LazyPattern(r"^(?:in|on) |\d年|年代")
_ABOUT_LENGTH = 36  # characters; what is longer says more than a topic
# What a note or a clause was about, as vague as it gets: there is no vaguer wording for it.
_ABOUT = LazyPattern(
    r"^(?:something about |something someone |someone['’]s |(?:what|where|how|how old) someone "
    r"|a (?:loss$|matter of |new life |quarrel |remark on )|an outing "
    r"|something (?:achieved|intended|promised|that had)(?= |$))[a-z ’']*$"
    r"|^(?:关于.{1,4}的事|.{1,6}(?:[上里处]|方面|有关)的事|某人.+|一次(?:离别|不愉快|外出)|家里添了新生命"
    r"|一个(?:约定或秘密|打算)|某件事有了变化|做成了一件事|说到了天气)$"
)
_EDGES = LazyPattern(r"^\W+|(?<!\W)\W++$")  # a run of marks is tried once, not from each of them


def stands_for_somebody(gist: str) -> bool:
    """Whether a gist says but that it was a person."""
    return gist in _OF_PEOPLE


def ladder(
    kind: Kind, quote: str, language: str, *, period: Period | None = None, pronoun: str = ""
) -> tuple[str, ...]:
    """Vaguer wordings for a detail, the nearest first; whether they leak is not looked at.

    Args:
        period: what a date means.
        pronoun: who spoke, `she`, `he` or `they`, for what was said in English.
    """
    rungs: list[str] = []
    if period is not None:
        rungs += date_rungs(period, language)
    if kind is Kind.NUMBER and (value := value_of(quote)) is not None:
        rungs += about(value, language)
    if kind is Kind.SPEECH and language == "en" and pronoun in _SAID_BY:
        rungs.append(_SAID_BY[pronoun])
    rungs += _WORDS[_known(language)][kind]
    return tuple(dict.fromkeys(rungs))


def vaguer(rungs: Iterable[str], hidden: Sequence[str], language: str) -> str:
    """The first wording that gives nothing of `hidden` away; "" where even the vaguest would."""
    return next((rung for rung in (*rungs, *_LAST[_known(language)]) if not leaks(rung, hidden)), "")


def kind_gist(
    kind: Kind,
    quote: str,
    language: str,
    *,
    hidden: Sequence[str] = (),
    period: Period | None = None,
    pronoun: str = "",
) -> str:
    """The nearest gist by kind that holds neither the quote nor any of `hidden`."""
    rungs = ladder(kind, quote, language, period=period, pronoun=pronoun)
    return vaguer(rungs, (quote, *hidden), language)


def kind_said(gist: str, language: str) -> str:
    """Of which kind something was whose gist is gone too, in the vaguest wording; "" where the gist told no kind."""
    words = _WORDS[_known(language)]
    of_kind = next((rungs for rungs in words.values() if gist in rungs), None)
    if of_kind is None and _DATED.search(gist):
        of_kind = words[Kind.TIME]
    if of_kind is None and gist and value_of(gist.removeprefix("about ").removesuffix("左右")) is not None:
        of_kind = words[Kind.NUMBER]
    if of_kind is None:
        return gist if len(gist) <= _ABOUT_LENGTH and _ABOUT.search(gist) else ""
    return of_kind[-1]


def vaguest(kind: Kind, language: str) -> str:
    """The vaguest wording for a kind: what `kind_said` tells of it."""
    return _WORDS[_known(language)][kind][-1]


def is_empty(gist: str) -> bool:
    """Whether a gist tells no kind at all: that there was something, something more, or something that happened."""
    return gist in _EMPTY


def leaks(gist: str, hidden: Iterable[str]) -> bool:
    """Whether a gist is empty, 60 characters or longer, or holds any of the wordings it must not.

    Case, accents, width, blanks and marks around a wording make no difference.
    """
    if not gist.strip() or len(gist) >= GIST_LENGTH:
        return True
    plain = _even(gist).replace(" ", "")
    return any(_holds(gist, plain, each) for each in hidden)


def _holds(gist: str, plain: str, hidden: str) -> bool:
    wording = hidden.strip()
    if not wording:
        return False
    # Each wording of a note is held against each of its gists, so what remains of it is worked out once.
    core = _remembered(wording) if len(wording) <= _REMEMBERED_LENGTH else _core(wording)
    return wording in gist or bool(core and core in plain)


def _core(hidden: str) -> str:
    """A wording without marks at its ends and without blanks."""
    return _EDGES.sub("", _even(hidden)).replace(" ", "")


_remembered = text_memo(512)(_core)


def _even(text: str) -> str:
    return " ".join(fold(text).split())


def _known(language: str) -> str:
    return "zh" if language == "zh" else "en"


_WITHIN_MONTH = frozenset(
    {Granularity.DAY, Granularity.DAY_PART, Granularity.WEEKEND, Granularity.WEEK, Granularity.MONTH_PART}
)


def date_rungs(period: Period, language: str) -> tuple[str, ...]:
    """A period said one step coarser each time: its day, its month, its year, its decade."""
    rungs = tuple(_date_rungs(period, _known(language)))
    if period.other is None:
        return rungs
    shared = frozenset(_date_rungs(period.other, _known(language)))  # of what may be either, what both have
    return tuple(rung for rung in rungs if rung in shared)


def _date_rungs(period: Period, language: str) -> Iterator[str]:
    middle = (period.from_ms + period.to_ms) // 2 if period.approximate else period.from_ms
    year, month, day = calendar_math.civil(middle // calendar_math.DAY_MS)
    grain = period.granularity
    if grain is Granularity.RANGE and period.to_ms - period.from_ms <= 31 * calendar_math.DAY_MS:
        grain = Granularity.DAY
    if grain is Granularity.HOUR:
        yield f"{year}年{month}月{day}日" if language == "zh" else f"on {day} {MONTHS[month - 1]} {year}"
    if grain is Granularity.HOUR or grain in _WITHIN_MONTH:
        yield f"{year}年{month}月" if language == "zh" else f"in {MONTHS[month - 1]} {year}"
    if grain is not Granularity.YEAR:
        yield f"{year}年" if language == "zh" else f"in {year}"
    yield f"{year // 10 * 10}年代" if language == "zh" else f"in the {year // 10 * 10}s"
