"""Finding the details of a note: speech and titles, dates, numbers and codes, names and places, plain nouns.

Called by `details`, which decides what becomes of them. Each finder gives spans of the text with their kind; the first
to claim a stretch keeps it, so no two details overlap. All occurrences of a wording are found, for one that stays would
tell what the others hide. Offsets are code points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import islice

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Period
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.details.elements import MOST_ELEMENTS
from soulmem.core.details.gists import Kind
from soulmem.core.names import place_names
from soulmem.core.names.english_names import is_demonym
from soulmem.core.names.name_recogniser import NameKind, NameSpan, find_names
from soulmem.core.numbers.rough_numbers import CHINESE_NUMBER, ENGLISH_NUMBER, SHORT_ENGLISH_NUMBER, value_of
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.chinese_segmenter import cost, is_noun, word_spans
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.details import detail_kinds as words
from soulmem.llm.extractive.details.detail_kinds import ENGLISH_NOUNS, KIND_WORDS, chinese_kind, english_kind
from soulmem.llm.extractive.details.detail_titles import allergens, kind_of_quoted, titles_in
from soulmem.llm.extractive.language.english_lexicon import ENGLISH
from soulmem.llm.extractive.language.sentence_splitter import CJK, LONGEST, language_of

LOOKED_AT = 4_000  # characters of a note in which details are looked for

_QUOTED = LazyPattern(
    r"\"([^\"\n]{1,300})\"|“([^“”\n]{1,300})”|「([^「」\n]{1,300})」|『([^『』\n]{1,300})』|《([^《》\n]{1,60})》"
)
_CODE = LazyPattern(
    r"(?<![A-Za-z0-9])(?=[A-Za-z-]{0,12}\d)[A-Za-z0-9](?:[A-Za-z0-9]|-(?=[A-Za-z0-9])){2,30}(?![A-Za-z0-9])"
)
_ENGLISH_NUMBER = CaselessPattern(
    rf"(?<![\w.,:/-])[$€£¥]?\d[\d,]*(?:\.\d+)?(?:\s?(?:k|m|bn|million|thousand|hundred|dozen)\b)?(?![\d:/)）]|[A-Za-z])|\b{ENGLISH_NUMBER}\b"
)
_CHINESE_NUMBER = LazyPattern(
    rf"(?<![\d.几第初A-Za-z])\d[\d,]*(?:\.\d+)?[百千万亿]*(?![\d:)）年月日号点时A-Za-z])"
    rf"|(?<![几第初周期])(?!十分(?!钟)|万一|千万[别不要]|一[个次下些点起样直天定般旦共边])({CHINESE_NUMBER})(?=[{words.MEASURES}])"
)
_AGE_AHEAD = LazyPattern(
    r"\b(?:i|he|she|they|who|[A-Z]\w+) (?:was|is|am|are|were|turned|turns|just turned) (?:only |about |almost )?$"
)
_AGE_BEHIND = LazyPattern(r"\s*(?:$|[.,;!?)]|(?:when|and|but|now|at|then|last|this|in)\b)")
_SPENT = LazyPattern(rf"(?<=[花赚存借欠付值交缴])了?({CHINESE_NUMBER})(?![{words.MEASURES}])")
_SPEAKS = CaselessPattern(
    r"\b(?:speak\w*|spoke|learn\w*|stud\w+|in|teach\w*|taught|fluent in) "
    r"(?:(?:some |a little |both )?[A-Z][a-z]+(?:,| and|, and) ){0,4}$"
)
_SCORE = CaselessPattern(
    rf"[\d零一二两三四五六七八九十]{{1,3}}比[\d零一二两三四五六七八九十]{{1,3}}"
    rf"|\b(?:\d+|{SHORT_ENGLISH_NUMBER})[ -](?:nil|all)\b(?! of)"
)
_TRAVELS = CaselessPattern(
    r"\b(?:trains?|flights?|bus|coach|ferry|plane|tram|trip|way|drive|drove|flew|fly|flying|travel\w*|moved|went|off|back"
    r"|cycled|walked|sailed) (?:back |over |up |down |all the way )?to $"
)
_BUILT = LazyPattern(
    r"铁塔|大桥|大学|医院|广场|教堂|机场|公园|中学|小学|图书馆|博物馆|美术馆|体育馆|大街|大道"
    r"|[路街桥塔庙寺](?![\u4e00-\u9fff]?[上过着了来去])"
)
_SIZED = frozenset({Kind.FOOD, Kind.ANIMAL})  # of which 小 is part: 小番茄
_PENS = frozenset("笔针泵")  # of a medicine, the device
_GOES = LazyPattern(r"(?:去|飞|到|回|往|来自|住在?)了?$")
_ALONE = frozenset("猫狗鱼虾蟹酒茶药汤粥糖诗鸡鸭")  # characters that are nouns by themselves
_RARE = 14.0  # bits from which a noun of no known kind tells something
_BRACKET = LazyPattern(r"\s?[(（][^()（）]{1,60}[)）]")
_YEAR = LazyPattern(r"(?:19|20)\d\d")
_LED = CaselessPattern(r"\b(?:on|in) $")
_SPEECH_END = LazyPattern(r"[.!?…。！？~～]$")
_LONGEST_NAME = (
    80  # characters: whatever is longer is none, and to look for it everywhere takes its length at each place
)
_FEW_OTHERS = 3  # Chinese key terms of no known kind


@dataclass(frozen=True, slots=True)
class Detail:
    """A span of the text with its kind; `period` of a date, `pronoun` of who spoke."""

    start: int
    end: int
    kind: Kind
    period: Period | None = None
    pronoun: str = ""


@dataclass(slots=True)
class _Claims:
    """What has been found, without overlap."""

    taken: list[tuple[int, int]]
    found: list[Detail] = field(default_factory=list)

    def claim(self, details: Iterable[Detail]) -> None:
        for each in details:
            if each.start < each.end and not any(each.start < end and start < each.end for start, end in self.taken):
                self.taken.append((each.start, each.end))
                self.found.append(each)


def found_in(text: str, at_ms: int, *, speaker: str = "", names: frozenset[str] = frozenset()) -> list[Detail]:
    """The details of a note's text in order.

    `at_ms`: what "yesterday" is counted from; `speaker`: whose note it is; that name is its frame, not a detail;
    `names`: known names of people.
    """
    claims = _Claims([])
    seen = text[:LOOKED_AT]
    claims.claim(_spoken(seen))
    claims.claim(Detail(each.start, each.end, each.kind) for each in titles_in(seen))
    claims.taken += _own_name(seen, speaker) if speaker else ()
    claims.claim(_dates(seen, at_ms))
    claims.claim(Detail(m.start(), m.end(), Kind.DURATION) for m in words.DURATION.finditer(seen))
    claims.claim(_codes(seen))
    claims.taken += (match.span() for match in _SCORE.finditer(seen))  # 三比零: half a score says nothing
    claims.claim(_named(text, seen, speaker, names))
    claims.claim(_numbers(seen))
    claims.claim(_nouns(text, seen))
    return sorted(claims.found, key=lambda each: each.start)


def _own_name(text: str, speaker: str) -> Iterator[tuple[int, int]]:
    """Where who speaks is named, also as people type their own name: "hi, priyanka here"."""
    yield from occurrences(text, speaker)
    typed = speaker.lower()
    if typed != speaker and typed not in ENGLISH.stop:  # "will" and "may" are not always Will and May
        yield from occurrences(text, typed)


def occurrences(text: str, wording: str) -> Iterator[tuple[int, int]]:
    """Where a wording stands: as words of their own in Latin letters, never within a word in Chinese."""
    pattern = re.escape(wording)
    if not CJK.search(wording):
        pattern = rf"(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])"
        return (match.span() for match in re.finditer(pattern, text))
    inside = [span for span in word_spans(text) if span[1] - span[0] > len(wording)]
    found = (match.span() for match in re.finditer(pattern, text))
    return (each for each in found if not any(s <= each[0] and each[1] <= e for s, e in inside))


def _few(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """All spans of a wording; none of one that stands there too often for all of them to fade."""
    found = list(islice(spans, MOST_ELEMENTS))
    return found if len(found) < MOST_ELEMENTS else []


def kind_of(wording: str, at_ms: int, names: frozenset[str] = frozenset()) -> tuple[Kind, Period | None]:
    """Of which kind a wording is by itself, and the period a date means; one as long as a sentence is never a date."""
    if len(wording) > LONGEST:
        return Kind.PERSON if wording in names else Kind.CLAUSE, None
    spans = find_dates(wording, at_ms)
    if spans and spans[0].end - spans[0].start >= len(wording.strip()) - 4:
        return Kind.TIME, spans[0].period
    if wording in names:
        return Kind.PERSON, None
    if _CODE.fullmatch(wording) and (len(wording) >= 6 or wording[0] == "0"):
        return Kind.CODE, None
    number = value_of(wording)
    if number is not None and len(wording) <= 24:
        return Kind.NUMBER, None
    spans_named = find_names(wording, names)
    if spans_named and len(spans_named[0].name) >= len(wording) - 2:
        return _named_kind(wording, spans_named[0]), None
    is_chinese = CJK.search(wording) is not None
    if len(wording) > (8 if is_chinese else 30):
        return Kind.CLAUSE, None
    kind = chinese_kind(wording) if is_chinese else english_kind(wording)
    if kind is None and not is_chinese:
        kind = next((kind for kind, pattern in ENGLISH_NOUNS if pattern.search(wording)), None)
    return kind or Kind.THING, None


def _spoken(text: str) -> Iterator[Detail]:
    for match in _QUOTED.finditer(text):
        group = next(i for i, held in enumerate(match.groups(), 1) if held)
        start, end = match.span()
        inner, ahead = match[group], text[max(0, match.start() - 60) : match.start()]
        long = len(inner.split()) >= 5 or len(CJK.findall(inner)) >= 8
        if not any(map(str.isalnum, inner)):
            continue
        if group == 5 or not (long or words.SPEECH_AHEAD.search(ahead) or _SPEECH_END.search(inner)):
            yield Detail(start, end, kind_of_quoted(text, start, end))
        elif words.QUESTION_AHEAD.search(ahead) or inner.rstrip()[-1:] in "?？":
            yield Detail(start, end, Kind.QUESTION)
        else:
            yield Detail(start, end, Kind.SPEECH, pronoun=_pronoun(ahead))


def _pronoun(ahead: str) -> str:
    said = [match[0].lower() for match in words.PRONOUN.finditer(ahead)]
    return words.PRONOUNS.get(said[-1], "they") if said else ""


def _dates(text: str, at_ms: int) -> Iterator[Detail]:
    """Dates, with the absolute day in brackets that explains them and the preposition that leads to them."""
    spans = list(find_dates(text, at_ms))
    while spans:
        span = spans.pop(0)
        start, end, period = span.start, span.end, span.period
        bracket = _BRACKET.match(text, end)
        if bracket and spans and spans[0].end <= bracket.end():
            end, period = bracket.end(), spans[0].period
            spans = [later for later in spans if later.start >= end]
        led = _LED.search(text, max(0, start - 4), start)
        yield Detail(led.start() if led else start, end, Kind.TIME, period)


def _codes(text: str) -> Iterator[Detail]:
    for match in _CODE.finditer(text):
        bare = match[0].isdigit() and (len(match[0]) >= 6 or match[0][0] == "0")
        if bare or words.CODE_AHEAD.search(text, max(0, match.start() - 60), match.start()):
            yield Detail(match.start(), match.end(), Kind.CODE)


def _numbers(text: str) -> Iterator[Detail]:
    patterns = [_ENGLISH_NUMBER] if language_of(text) == "en" else [_CHINESE_NUMBER, _ENGLISH_NUMBER]
    for pattern in patterns:
        for match in pattern.finditer(text):
            value = value_of(match[0])
            if _YEAR.fullmatch(match[0]):
                yield Detail(match.start(), match.end(), Kind.TIME, calendar_math.year(int(match[0])))
            elif value is not None and value >= 2 and match[0].lower() not in {"couple", "twice"}:
                ahead = text[max(0, match.start() - 30) : match.start()]
                age = _AGE_AHEAD.search(ahead) and _AGE_BEHIND.match(text, match.end()) and value < 130
                yield Detail(match.start(), match.end(), Kind.AGE if age else Kind.NUMBER)
    for match in _SPENT.finditer(text):
        if value_of(match[1]) is not None:
            yield Detail(*match.span(1), Kind.NUMBER)


def _named(text: str, seen: str, speaker: str, names: frozenset[str]) -> Iterator[Detail]:
    """Names, each wherever it stands; all occurrences of one wording or none."""
    found: dict[str, list[Detail]] = {}
    for match in words.HOUSES.finditer(seen):
        found.setdefault(match[0], []).append(Detail(match.start(), match.end(), Kind.PLACE))
    for each in find_names(seen, names | ({speaker} if speaker else frozenset())):
        if any(d.start <= each.start and each.end <= d.end for spans in found.values() for d in spans):
            continue
        if each.kind is NameKind.THING and any(p.match(seen, each.start) for _, p in ENGLISH_NOUNS):
            continue  # a German shepherd is a dog
        if each.name.casefold() != speaker.casefold() and any(map(str.isalpha, each.name)):
            built = _BUILT.match(seen, each.end) if each.kind is NameKind.PERSON and CJK.search(each.name) else None
            end, kind = (built.end(), Kind.PLACE) if built else (each.end, _named_kind(seen, each))
            found.setdefault(seen[each.start : end], []).append(Detail(each.start, end, kind))
    for wording in sorted(found, key=lambda name: (-len(name), name)):
        kinds = [each.kind for each in found[wording]]
        kind = next((kind for kind in (Kind.PERSON, *kinds) if kind in kinds), Kind.THING)
        if 1 < len(wording) <= _LONGEST_NAME:
            for start, end in _few(occurrences(text, wording)):
                yield Detail(start, end, kind)


def _named_kind(text: str, each: NameSpan) -> Kind:
    match each.kind:
        case NameKind.PERSON:
            ahead = text[max(0, each.start - 8) : each.start]
            if ahead.endswith(("玩", "玩了", "通关")):
                return Kind.GAME
            if CJK.search(each.name) and (known := chinese_kind(each.name)) is not None:
                return known  # 尤 is a surname, 尤克里里 an instrument
            if _TRAVELS.search(text, max(0, each.start - 40), each.start):
                return Kind.PLACE
            return Kind.VEHICLE if "辆" in ahead else Kind.PERSON
        case NameKind.PLACE:
            return Kind.PLACE
        case NameKind.ORGANISATION:
            if place_names.ENGLISH_EVENTS.search(each.name):
                return Kind.EVENT
            return Kind.PLACE if place_names.is_building(each.name) else Kind.ORGANISATION
        case _:
            known = english_kind(each.name)
            if known is None and is_demonym(each.name):
                ahead = text[max(0, each.start - 48) : each.start]
                known = Kind.LANGUAGE if _SPEAKS.search(ahead) else None
            return known or Kind.THING


def _nouns(text: str, seen: str) -> Iterator[Detail]:
    found: dict[str, Kind] = {}
    for start, end in allergens(seen):
        wording = seen[start:end]
        found.setdefault(wording, english_kind(wording) or Kind.THING)
    for kind, pattern in ENGLISH_NOUNS:
        for match in pattern.finditer(seen):
            wording = _without_grammar(match[0]) if kind is Kind.ANIMAL else match[0]
            if wording and wording.lower() not in ENGLISH.stop:
                found.setdefault(wording, kind)
    if not seen.isascii():
        for wording, kind in _chinese_nouns(seen):
            found.setdefault(wording, kind)
    for wording in sorted(found, key=lambda each: (-len(each), each)):
        for start, end in _few(occurrences(text, wording)):
            yield Detail(start, end, found[wording])


def _without_grammar(noun: str) -> str:
    """A noun without the grammar before it: of "of dogs" the dogs."""
    first, blank, rest = noun.partition(" ")
    plain = first.lower()
    no_attribute = plain.endswith(("ing", "ed")) or plain in ENGLISH.generic or plain in words.NO_ATTRIBUTES
    return _without_grammar(rest) if blank and (plain in ENGLISH.stop or no_attribute) else noun


def _chinese_nouns(text: str) -> Iterator[tuple[str, Kind]]:
    """Nouns of a known kind with the nouns that belong to them (番茄汤), and the rarest of the others."""
    spans = word_spans(text)
    others: list[tuple[float, str, bool]] = []
    taken = -1
    for place, (start, end) in enumerate(spans):
        word = text[start:end]
        if start < taken or word in KIND_WORDS:
            continue
        kind = chinese_kind(word) if len(word) > 1 or word in _ALONE else None
        if kind is not None:
            taken = end + (kind is Kind.MEDICINE and text[end : end + 1] in _PENS)
            begin = _begins(text, spans, place)
            begin -= kind in _SIZED and begin == start and text[start - 1 : start] == "小"
            yield text[begin:taken], kind
        elif is_noun(word) and (bits := cost(word) or 0) >= _RARE:
            others.append((-bits, word, _is_placed(text, start, end)))
    for _, word, is_place in sorted(set(others))[:_FEW_OTHERS]:
        yield word, Kind.PLACE if is_place else Kind.THING


def _is_placed(text: str, start: int, end: int) -> bool:
    """Whether one is at or goes to what stands here: 去昆山, 在仓库; but not 在沙发上."""
    if _GOES.search(text, max(0, start - 3), start):
        return True
    return text[start - 1 : start] == "在" and text[end : end + 1] not in set("上里下旁边中")


def _begins(text: str, spans: list[tuple[int, int]], place: int) -> int:
    """Where a noun begins with the nouns before it that say of what it is: 番茄汤, 银行卡密码."""
    start, end = spans[place]
    if end - start <= 2 and place and spans[place - 1][1] == start and is_noun(text[slice(*spans[place - 1])]):
        word = text[slice(*spans[place - 1])]
        if chinese_kind(word) is None or end - start == 1:
            return spans[place - 1][0]
    return start
