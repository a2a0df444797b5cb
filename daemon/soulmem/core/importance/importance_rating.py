"""Importance rating: how much a friend would mind having forgotten what a text tells, and why.

Asked where notes are made (digestion with and without a model, `note.add` without a rating) and by the extractive
rating of events; it also corrects what a model rated, for models call a loaf of bread an 8 and insulin a 5. Health,
family, names, promises, fears, dislikes and dates ahead are vital; weather, meals and chores are trifles; what is
emphasised matters more. Pure, Chinese and English, linear in the text, of which the first `LOOKED_AT` characters count.

Invariants: the value is in [0, 1] and never falls by emphasis; a text with nothing vital in it is below `VITAL_FROM`;
the same text gives the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.facts.fact_reader import asked_before
from soulmem.core.importance.retention_periods import TRIVIAL_BELOW, VITAL_FROM, Keeping, Level, level_of
from soulmem.core.importance.sentence_signs import beside_trifles, signs_in
from soulmem.core.names.kin_names import named_kin
from soulmem.core.regex.lazy_regex import HAN_WIDE, CaselessPattern, LazyPattern
from soulmem.core.schema.note_requests import NoteKind
from soulmem.core.wordlists.fictional_events import IDIOM, UNREAL_TEXT
from soulmem.core.wordlists.important_events import (
    EMPHASIS,
    KIN,
    KIN_ZH,
    TO_REMEMBER,
    Reason,
)
from soulmem.core.wordlists.trivial_events import COMMITMENT, PASSING, WEIGHTS
from soulmem.fast_dataclasses import dataclass

LOOKED_AT = 2_000  # characters
MOST_SENTENCES = 24
_TRIFLE, _PLAIN, _NOBODYS = 0.15, 0.41, 0.38
_MOST_PLAIN, _MOST_BESIDE = 0.72, 0.43
_AHEAD = 0.6  # a plan for one of the next days
_EMPHASISED = 0.82
_SURE, _MOST_RATED = 0.9, 0.74
_RAISED = 0.3  # what emphasis adds to a trifle
_QUESTION_MOST, _UNREAL_MOST, _ADVICE_MOST = 0.35, 0.4, 0.6
_FAR_MS = 10 * DAY_MS  # a plan that lies further ahead is arranged, not merely meant
_AFTER_MS = 7 * DAY_MS  # how long a day that has come is still talked of
_MOST_AHEAD_MS = 3_650 * DAY_MS

_CUT = LazyPattern(r"[.!?…](?=\s|$)|[！？](?![！？])|[。；;\n]")
_ASKS = LazyPattern(r"[?？][\"'”’)）\s]*$|(?:吗|呢|么)[。!！\s]*$")
_EXCLAIMED = LazyPattern(r"(?:[?？][?？!！]|[!！][?？])\s{0,4}$")
_INQUIRES = CaselessPattern(
    r"^\W*(?:(?:so|and|but|ok|hey)[, ]+)?(?:is|are|do|does|did|can|could|will|would|should|have|has)\b"
    r"|\b(?:what|who|why|how|where|when|which)\b|吗|呢|什么|怎么|哪|谁|几|多少|([\u4e00-\u9fff])不\1"
)
_FRAME = LazyPattern(r"^[^:：\n]{1,48}[:：]\s*")
_BRACKETED_DAY = LazyPattern(r"\s?[(（][^()（）]{0,40}\d{4}[^()（）]{0,40}[)）]")
_FIRST_PERSON = CaselessPattern(r"\b(?:i|i['’](?:m|ve|ll|d)|my|me|mine|we|our|us)\b|我|咱|俺")
# It tells of somebody: a person speaks or is spoken of, or what a Chinese sentence leaves unsaid.
_OF_SOMEBODY = CaselessPattern(
    rf"\b(?:i|i['’]\w+|im|ive|my|mine|we|we['’]\w+|our|us|he|she|they|he['’]\w+|she['’]\w+|they['’]\w+|his|her|their|him|them|{KIN})\b"
    r"|^\W*(?-i:(?!Thi|Tha|It|The|Wha|Noth|Every|Some|Toda|Work|Her|How|So |All )[A-Z])[\w'’-]+ "
    r"(?:is|was|has|can|will|\w{2,}s|\w{2,}ed)\b"
    r"|^\W*(?:been|got|had|have|went|saw|met|took|gonna|wanna|never|still|always|used to|\w{3,}ed)\b"
    rf"|{KIN_ZH}|[我咱俺他她]|[\u3400-\u9fff]{{4}}"
)
_GENERIC = CaselessPattern(
    r"^\W*(?:people|some people|most people|everyone|everybody|many|doctors|patients|those) "
    r"|^\W*(?:人们|有些人|很多人|大家|患者|一般人|医生们)"
)
_NAMED = LazyPattern(
    r"(?<=[a-z,] )[A-ZÀ-Þ][a-zà-ÿ]{2,}|阿[\u4e00-\u9fff]|小(?![时区心说学孩朋吃店卖组事雨名])[\u4e00-\u9fff]"
    r"|老(?![板师家是了样人街早])[\u4e00-\u9fff]|《"
)
_WORD = LazyPattern(r"[A-Za-zÀ-ɏ0-9'’]+|[\u3400-\u9fff]{1,3}")
_NUMBER = LazyPattern(r"\d|[一二两三四五六七八九十百千万][个只盆公块罐年次]")
_COSTS = CaselessPattern(
    r"[£$€]\s?\d|\b(?:\w+|\d+) (?:quid|bucks|dollars|euros|pounds)\b"
    r"|[花修赔扣罚退][了掉]?[我他她]?[\d一二两三四五六七八九十百千]{2}"
)
_LONG = {False: 9, True: 5}  # words, Latin ones and those of Chinese
_FEW = {False: 5, True: 3}
_TRAITS = frozenset({Reason.ALLERGY, Reason.FEAR, Reason.DISLIKE, Reason.DIET, Reason.PROMISE, Reason.BIRTHDAY})
_HATED = frozenset({Reason.WEATHER, Reason.TRANSIT, Reason.CHORE, Reason.THING, Reason.PASTIME})


@dataclass(frozen=True, slots=True)
class Importance:
    """How much a text matters, 0..1, and why, the weightiest reason first.

    `sense`: spans of the text that say what matters, in order; the rest of it is colour. `until_ms`: the end of the
    time ahead that it speaks of, with a while after, UTC; None where nothing lies ahead. `after`: what it is worth once
    that is over, where that is less.
    """

    value: float
    reasons: tuple[Reason, ...] = ()
    sense: tuple[tuple[int, int], ...] = ()
    until_ms: int | None = None
    after: float | None = None

    @property
    def level(self) -> Level:
        return level_of(self.value)


@dataclass(frozen=True, slots=True)
class _Sentence:
    start: int
    end: int
    text: str


def weigh(text: str, at_ms: int, *, said: str = "", by_companion: bool = False) -> Importance:
    """How much a text matters that was told at `at_ms` (UTC milliseconds).

    Args:
        said: the message it was told in: emphasis laid there counts.
        by_companion: the mind itself said it; its own promises to remember and its advice weigh little.
    """
    text = text[:LOOKED_AT]
    asked = asked_before(text) if by_companion else ""
    if asked:  # what it takes up of a question ("The funeral one will do.") is not its own
        text = text.replace(asked, " " * len(asked), 1)
    weighed = [_weighed(sentence, text, at_ms, by_companion, asked) for sentence in _sentences(text)]
    if not weighed:
        return Importance(_TRIFLE, (Reason.COURTESY,))
    value = max(each.value for each in weighed)
    ranked = sorted(weighed, key=lambda each: -each.value)
    reasons = dict.fromkeys(reason for each in ranked for reason in each.reasons)
    if not by_companion and any(_stresses(part) for part in (text, said[:LOOKED_AT]) if part):
        value = max(value, _EMPHASISED) if value >= TRIVIAL_BELOW else value + _RAISED
        reasons = {Reason.EMPHASIS: None, **reasons}
    ahead = [each.until_ms for each in weighed if each.until_ms is not None]
    least = VITAL_FROM if value >= VITAL_FROM and Reason.EMPHASIS not in reasons else 0.0
    sense = [span for each in weighed if each.value >= least for span in each.sense]
    lasts = max((each.value if each.after is None else each.after for each in weighed), default=0.0)
    after = round(lasts, 3) if lasts < VITAL_FROM <= value and Reason.EMPHASIS not in reasons else None
    return Importance(round(min(1.0, value), 3), tuple(reasons), tuple(sense), max(ahead, default=None), after)


def keeping(
    found: Importance, importance: float, kind: NoteKind, text: str, now_ms: int, *, by_hand: bool = False
) -> Keeping:
    """What decides how long a note of this text keeps from `now_ms` (UTC) on.

    Of a vital note the sentences that say why are its sense; of one that was only rated so, all of it is. In any other
    the names of one's family keep as long as the whole. One that a client wrote `by_hand` keeps by the plain formula,
    unless its words and its rating both call it vital.
    """
    if by_hand and not (found.level is Level.VITAL and importance >= VITAL_FROM):
        return Keeping(kind, is_plain=True)
    sense: tuple[tuple[int, int], ...] = ()
    if level_of(importance) is Level.VITAL:
        sense = found.sense if found.level is Level.VITAL and found.sense else ((0, len(text)),)
    else:
        sense = tuple((kin.start, kin.end) for kin in named_kin(text))
    ahead = 0 if found.until_ms is None else max(0, found.until_ms - now_ms)
    return Keeping(kind, sense, ahead, most=1.0 if found.after is None else found.after)


def corrected(given: float | None, found: Importance) -> float:
    """What a note's importance is where somebody rated it and its words were weighed.

    What the words show to be vital is, whoever thought less of it; a trifle is one, unless it was rated vital on the
    strength of what the words do not show; and of what they do not show, only a high rating is believed.
    """
    if given is None:
        return found.value
    if found.level is Level.VITAL:
        return max(given, found.value)
    if found.level is Level.TRIVIAL:
        if found.reasons[0] is Reason.PLAIN:  # no sign of weight, nor of a trifle
            return round((given + found.value) / 2, 3)
        return min(given, found.value + 0.1) if given < VITAL_FROM else _PLAIN
    return given if given >= _SURE else min(given, _MOST_RATED)


def _sentences(text: str) -> Iterator[_Sentence]:
    count, start = 0, 0
    for end in (*(match.end() for match in _CUT.finditer(text)), len(text)):
        part = text[start:end]
        if any(char.isalnum() for char in part):
            yield _Sentence(start, end, part)
            count += 1
            if count >= MOST_SENTENCES:
                return
        start = end


def _weighed(sentence: _Sentence, text: str, at_ms: int, by_companion: bool, asked: str) -> Importance:
    frame = _FRAME.match(sentence.text) if sentence.start == 0 else None
    told = sentence.text[frame.end() :] if frame else sentence.text
    plain = _BRACKETED_DAY.sub(" ", IDIOM.sub(" ", told)).strip()
    span = (sentence.start, sentence.end)
    until = _until(told, at_ms)
    seen = signs_in(plain)
    trifle, vital = seen.trifle, list(seen.vital)
    if by_companion:
        own = _FIRST_PERSON.search(plain) is not None
        its = [own and (row.reason in _TRAITS or not row.pattern.search(asked)) for row, _ in vital]
        vital = [(row, value if is_its else _ADVICE_MOST) for (row, value), is_its in zip(vital, its, strict=True)]
    if _GENERIC.search(plain):
        vital = [(row, min(value, _ADVICE_MOST)) for row, value in vital]
    vital += seen.matters
    # To hate a rainy Monday is no dislike that anybody has to know of.
    strong = [each for each in vital if not (trifle in _HATED and each[0].reason is Reason.DISLIKE)]
    if strong:
        best = max(value for _, value in strong)
        reasons = [row.reason for row, value in sorted(strong, key=lambda each: -each[1])]
        value = min(1.0, best + 0.02 * (len(set(reasons)) - 1))
    elif vital:
        value, reasons = 0.55, [vital[0][0].reason]
    elif trifle:
        value, reasons = _trifling(plain, trifle, named=seen.names_people)
        if rest := beside_trifles(plain, seen.nameless):
            beside, signs = _plain(rest)
            value, reasons = max(value, min(beside, _MOST_BESIDE)), [*signs, trifle]
    else:
        value, reasons = _plain(plain)
    after: float | None = None
    if until is not None and trifle is None:
        after = max(value, _MOST_PLAIN) if value < VITAL_FROM else None
        far = until - at_ms > _FAR_MS + _AFTER_MS
        if far or COMMITMENT.search(plain):
            value, reasons = max(value, VITAL_FROM + 0.02), [*reasons, Reason.DATE_AHEAD]
        else:
            value, reasons = max(value, _AHEAD), [*reasons, Reason.DATE_AHEAD]
    if not strong and UNREAL_TEXT.search(plain):
        value, reasons = min(value, _UNREAL_MOST), [Reason.UNREAL, *reasons]
    if _ASKS.search(plain) and not _is_exclaimed(plain):
        value, reasons = min(value, _QUESTION_MOST), [Reason.QUESTION, *reasons]
    elif plain.endswith(("!", "！")) and trifle is None:
        value += 0.02
    is_sense = value >= TRIVIAL_BELOW
    return Importance(min(1.0, value), tuple(dict.fromkeys(reasons)), (span,) if is_sense else (), until, after)


def _is_exclaimed(plain: str) -> bool:
    """News that its speaker cannot believe: "he asked me out and I said yes???"."""
    return (
        _EXCLAIMED.search(plain) is not None and _FIRST_PERSON.search(plain) is not None and not _INQUIRES.search(plain)
    )


def _signs(plain: str) -> list[tuple[Reason, float]]:
    return [(reason, weight) for reason, weight, words in WEIGHTS if words.search(plain)]


def _trifling(plain: str, trifle: Reason, *, named: bool) -> tuple[float, list[Reason]]:
    """A trifle that is told of people, or of what lasts, is a small thing in a life that goes on."""
    found = _signs(plain)
    if named:
        found.append((Reason.PEOPLE, 0.0))
    if len(dict(found)) >= 2 and PASSING.search(plain) is None:
        return 0.45, [*(reason for reason, _ in found), trifle]
    if (trifle is Reason.THING and _COSTS.search(plain)) or (trifle is Reason.TRANSIT and Reason.EVENT in dict(found)):
        return _PLAIN, [trifle]  # 飞度卖了，以后坐地铁 tells of the car
    return _TRIFLE + 0.05 * len(found), [trifle]


def _plain(plain: str) -> tuple[float, list[Reason]]:
    """What a statement weighs that is neither vital nor of a trifling kind; of nobody and without a sign, little."""
    found = _signs(plain)
    named = _NAMED.search(plain) is not None
    passing = PASSING.search(plain) is not None
    if not found and not (named or _OF_SOMEBODY.search(plain) or _COSTS.search(plain)):
        says_little = passing or len(_WORD.findall(plain)) < _FEW[HAN_WIDE.search(plain) is not None]
        return _NOBODYS - 0.1 * says_little - 0.06 * passing, [Reason.PLAIN]
    value = _PLAIN + sum(weight for _, weight in found) + 0.04 * named - 0.06 * passing
    value += 0.03 * (len(_WORD.findall(plain)) >= _LONG[HAN_WIDE.search(plain) is not None]) + 0.02 * (
        _NUMBER.search(plain) is not None
    )
    return max(0.24, min(_MOST_PLAIN, value)), [*(reason for reason, _ in found), Reason.PLAIN]


def _until(told: str, at_ms: int) -> int | None:
    """Until when a sentence is of use: the end of the last time ahead that it names, and a while after."""
    # Of a day that may be either of two the later one counts: what is kept too long does no harm.
    periods = (period for span in find_dates(told, at_ms) for period in span.readings)
    ends = [each.to_ms for each in periods if each.from_ms > at_ms and each.to_ms - at_ms > DAY_MS // 2]
    return min(max(ends), at_ms + _MOST_AHEAD_MS) + _AFTER_MS if ends else None


def _stresses(text: str) -> bool:
    return any(
        EMPHASIS.search(sentence.text) and not _ASKS.search(sentence.text) and not TO_REMEMBER.search(sentence.text)
        for sentence in _sentences(text)
    )
