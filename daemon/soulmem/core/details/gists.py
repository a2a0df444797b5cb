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
from soulmem.core.schema.note_fields import GIST_LENGTH
from soulmem.core.text.tokens import fold
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


# By kind, in English and in Chinese: the nearer wording and the vaguer one.
_BY_KIND: dict[Kind, tuple[tuple[str, str], tuple[str, str]]] = {
    Kind.PERSON: (("someone", "a person"), ("某个人", "一位")),
    Kind.RELATIVE: (("someone in the family", "someone"), ("家里的某个人", "某个人")),
    Kind.PLACE: (("somewhere", "a certain spot"), ("某个地方", "某处")),
    Kind.TIME: (("at some time", "once"), ("某个时候", "有一回")),
    Kind.NUMBER: (("some number", "an amount"), ("某个数目", "一些")),
    Kind.CODE: (("some digits", "a sequence"), ("某串数字", "一串记号")),
    Kind.SPEECH: (("something said", "some words"), ("某句话", "说过的什么")),
    Kind.QUESTION: (("something asked", "some words"), ("某个问题", "问过的什么")),
    Kind.TITLE: (("the name of something", "some work"), ("某个名称", "某部作品")),
    Kind.FILM: (("some film or series", "something one watches"), ("某部影视", "看过的什么")),
    Kind.BOOK: (("some book", "something to read"), ("某本书", "读过的什么")),
    Kind.MUSIC: (("some music or band", "something one hears"), ("某种音乐", "听过的什么")),
    Kind.ORGANISATION: (("some organisation", "a group"), ("某家机构", "某个团体")),
    Kind.EVENT: (("some event", "an occasion"), ("某场活动", "某个场合")),
    Kind.PROGRAM: (("some program or website", "something technical"), ("某个软件或网站", "某种技术产品")),
    Kind.VEHICLE: (("some vehicle", "something that moves"), ("某种车辆", "某种代步的东西")),
    Kind.LANGUAGE: (("some language", "a way to speak"), ("某门语言", "某种说法")),
    Kind.MEDICINE: (
        ("some medicine or medical device", "something against a complaint"),
        ("某种药物或器械", "某种治病的东西"),
    ),
    Kind.COLOUR: (("some colour", "a hue"), ("某种颜色", "某种色调")),
    Kind.DURATION: (("some time", "a while"), ("一段时间", "某个时长")),
    Kind.AGE: (("some age", "a number of years"), ("某个岁数", "某个年纪")),
    Kind.ANIMAL: (("some animal", "a creature"), ("某种动物", "某种活物")),
    Kind.FOOD: (("something to eat or drink", "something tasty"), ("某种吃喝的东西", "某种入口之物")),
    Kind.ART: (("some kind of art", "something creative"), ("某种文艺", "某种创作")),
    Kind.SPORT: (("some kind of exercise", "something one does to keep fit"), ("某种运动", "某种锻炼")),
    Kind.GAME: (("something one plays", "a pastime"), ("某种玩的", "某种消遣")),
    Kind.WORK: (("something about a job", "an occupation"), ("某种工作上的事", "某个行当")),
    Kind.STUDY: (("something one learns", "a course of learning"), ("某种要学的", "某门功课")),
    Kind.HEALTH: (("something about the body", "a complaint"), ("身体上的什么", "某种不适")),
    Kind.FEELING: (("some feeling", "a state of mind"), ("某种心情", "某种滋味")),
    Kind.THING: (("something", "a certain matter"), ("某件事物", "什么")),
    Kind.CLAUSE: (("something more about it", "a circumstance"), ("还有些别的", "某种情形")),
    Kind.NOTE: (("something that happened", "a memory"), ("一件事", "某段回忆")),
}
_WORDS = {
    "en": {kind: english for kind, (english, _) in _BY_KIND.items()},
    "zh": {kind: chinese for kind, (_, chinese) in _BY_KIND.items()},
}
_EMPTY = frozenset(
    rung for words in _WORDS.values() for kind in (Kind.THING, Kind.CLAUSE, Kind.NOTE) for rung in words[kind]
)
_SAID_BY = {"she": "something she said", "he": "something he said", "they": "something they said"}
_LAST = {"en": ("something", "someone", "it", "…"), "zh": ("什么", "某某", "它", "…")}
_REMEMBERED_LENGTH = 500  # characters
_DATED = LazyPattern(r"^(?:in|on) |\d年|年代")
_EDGES = LazyPattern(r"^\W+|\W+$")


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
    return of_kind[-1] if of_kind else ""


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
