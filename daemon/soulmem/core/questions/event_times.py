"""When something happened: whether what a text tells belongs to a stretch of time that is asked about.

Called by recall for time questions (`core/questions/time_questions.py`); the dates of texts are read by
`core.dates.date_parser`. Who asks what befell him, or where he went, is answered by whatever he told of that day; who
asks what he painted wants no visit to the dentist. Pure. Invariants: what a text dates elsewhere does not belong to the
time it was told in; a stretch much longer than the one that is asked for ("2023" for a day) says nothing of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum

from soulmem.core.calendar.calendar_math import DAY_MS, Granularity, Period, Wording
from soulmem.core.dates.adjacent_dates import is_denied
from soulmem.core.dates.date_parser import DateSpan, find_dates
from soulmem.core.questions.asked import asked_stretches
from soulmem.core.regex.lazy_regex import HAN_WIDE, CaselessPattern, LazyPattern
from soulmem.core.tense import chinese_tense, english_tense
from soulmem.core.tense.english_verb_forms import BEHIND
from soulmem.core.wordlists.fictional_events import is_supposed

_COARSER = 2  # times the stretch that is asked for, or a day
_BRACKETED = 2  # characters between a date and what explains it
_PARTS = frozenset({Granularity.DAY_PART, Granularity.HOUR})
_IN_BRACKETS = LazyPattern(r"[)）]\s*[。.!！]?\s*$")
_BRACKET = LazyPattern(r"[(（][^()（）]{0,60}[)）]")
_TIMELESS = CaselessPattern(
    r"\b(?:used to|(?:was|were) born|grew up|can['’]t (?:have|eat|stand|drink)|(?:is|am) allergic|is called)\b"
    r"|以前|曾经|小时候|从小|出生|不能吃|过敏|[是][^，。]{1,6}人(?:[，。（]|$)|的名字[是叫]")  # fmt: skip
# What is told is only held against it: "last year it was shampoo at least", 去年好歹还是洗发水.
_COMPARED = CaselessPattern(
    r"\b(?:at least )?last year(?: \(\d{4}\))?,? (?:it was|(?:it|they|we|he|she) at least|they (?:gave|sent))\b"
    r"|[去前]年(?:（\d{4}年）)?[^，。（]{0,3}(?:好歹|还[是有]|才)"
)
_GOES = CaselessPattern(
    r"\b(?:went|go(?:es|ing)?|been|drove|flew|cycled|walked|trip|back) (?:\w+ ){0,2}?"
    r"(?:to|into|in|at|round|up|down|from)\b"
    r"|\b(?:visit(?:ed|ing)?|at) (?:the|my|a)\b|[去回到跑飞](?!家里?吃|头|来|年|底|处|时)[了过趟]?[\u4e00-\u9fff]{2}"
)
_SENTENCE_END = LazyPattern(r"[.!?。！？；;\n]+")
_PREFIX = LazyPattern(r"[^:：]{0,60}[:：]")
# What is usual, and what is only wanted, happened on no day: it was told on one.
_USUAL = CaselessPattern(
    r"\b(?:every|each|always|usually|normally|often|whenever|most) \w+|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
    r"|\b(?:want(?:s|ed)? to|(?:i|we|he|she|they)['’]d (?:like|love)|hop(?:e|es|ing) to|dream(?:s|ing)? of"
    r"|(?:can|could)(?:['’]?t|not) stand|dislikes?|hates?)\b"
    r"|每[天周月年个逢到次]|逢[周年]|平时|通常|一般|总是|经常|常常|老是|一直想|特别想|希望|受不了|讨厌")  # fmt: skip


class Belonging(IntEnum):
    """How it is known that something happened in a stretch of time, surest first."""

    SAYS_SO = 0  # it dates itself there
    HAPPENED = 1  # a note that is dated there, or begins so
    ROUGHLY = 2  # it dates itself there, by a longer stretch than is asked about
    TOLD = 3  # it was told then, and dates itself nowhere


def belongs(
    text: str, at_ms: int, periods: Sequence[tuple[int, int]], *, dated: bool = False, from_ms: int | None = None
) -> Belonging | None:
    """Whether what a text tells happened in one of these periods, and how that is known.

    `at_ms`: when it was told; of a note when it happened; `dated`: it is a note's, whose own time is when it happened;
    `from_ms`: what is over by then does not count, nor what names no day.
    """
    spans = [span for span in find_dates(text, at_ms) if not is_denied(text, span)]
    compared = [each.span() for each in _COMPARED.finditer(text)]
    spans = [span for span in spans if not any(start <= span.start < end for start, end in compared)]
    if dated and any(span.wording is Wording.COMPLETE for span in spans):  # made absolute when it was written down
        spans = _as_explained(spans)
        if (prefix := _PREFIX.match(text)) and spans[0].end <= prefix.end():  # when it was told stands in front of what
            told, spans = spans[0], spans[1:]
            if not spans:
                if from_ms is not None or is_timeless(text[prefix.end() :]):
                    return None
                return Belonging.HAPPENED if any(_told_within(told, at_ms, period) for period in periods) else None
        elif len(spans) == 1 and _IN_BRACKETS.match(text, spans[0].end) and is_timeless(text):
            return None  # the date behind it is that of the telling
    elif dated:
        spans = []
    there = [each for span in spans for each in span.readings if any(_within(each, period) for period in periods)]
    if from_ms is not None:
        there = [each for each in there if each.to_ms > from_ms]
    if there:
        longest = max(end - start for start, end in periods)
        is_fine = any(each.to_ms - each.from_ms <= longest for each in there)
        return Belonging.SAYS_SO if is_fine else Belonging.ROUGHLY
    if any(_goes_on(each, periods) for each in asked_stretches.from_to(text, spans, at_ms, is_ahead=False).values()):
        return Belonging.ROUGHLY
    if spans or from_ms is not None or not any(start <= at_ms < end for start, end in periods):
        return None
    if is_timeless(text):
        return None
    return Belonging.HAPPENED if dated else Belonging.TOLD


def _as_explained(spans: Sequence[DateSpan]) -> list[DateSpan]:
    """The absolute dates of a note; one that explains a part of a day ("tonight (13 May 2026)") is that part of it."""
    found: list[DateSpan] = []
    for before, span in zip((None, *spans), spans, strict=False):
        if span.wording is not Wording.COMPLETE:
            continue
        part = before is not None and span.start - before.end <= _BRACKETED and before.granularity
        if before is not None and part in _PARTS and span.granularity is Granularity.DAY:
            shift = span.from_ms - before.from_ms // DAY_MS * DAY_MS
            moved = replace(before.period, from_ms=before.from_ms + shift, to_ms=before.to_ms + shift, other=None)
            span = DateSpan(span.start, span.end, moved)  # noqa: PLW2901 - the same span, moved
        found.append(span)
    return found


def is_timeless(text: str) -> bool:
    """Whether a text tells of no event: what would be, or what was so or used to be, whenever that was told."""
    bare = _BRACKET.sub("", text)
    return is_supposed(bare) or _TIMELESS.search(text) is not None or _is_usual(bare)


def _is_usual(text: str) -> bool:
    said = [each for each in _SENTENCE_END.split(text) if each.strip()]
    return bool(said) and all(_USUAL.search(each) is not None for each in said)


def goes_somewhere(text: str) -> bool:
    """Whether a text tells where somebody went or was."""
    return _GOES.search(_BRACKET.sub("", text)) is not None


def is_event(text: str) -> bool:
    """Whether a text tells what was done or befell, and not how things stand: by its verbs."""
    bare = _BRACKET.sub("", text)
    signs = {chinese_tense.sign_of(bare, "")} if HAN_WIDE.search(bare) else {english_tense.sign_of(bare, "")}
    return BEHIND in signs


def _goes_on(stretch: DateSpan, periods: Sequence[tuple[int, int]]) -> bool:
    """Whether all of a period lies in a stretch ("from the 5th to the 10th")."""
    return any(stretch.from_ms <= start and end <= stretch.to_ms for start, end in periods)


def _told_within(told: DateSpan, at_ms: int, period: tuple[int, int]) -> bool:
    """Whether what was told on a day was told in a period; in a part of that day only the moment says so."""
    if told.from_ms <= at_ms < told.to_ms and period[1] - period[0] < DAY_MS:
        return period[0] <= at_ms < period[1]
    return _within(told, period)


def _within(span: DateSpan | Period, period: tuple[int, int]) -> bool:
    """Whether half of either lies in the other, and the span is not much longer.

    A night is half of either day, and belongs to the one that it began on.
    """
    if period[1] - period[0] < DAY_MS == span.to_ms - span.from_ms:
        return span.from_ms <= period[0] < span.to_ms  # Saturday is not the night that began on Friday
    shared = min(span.to_ms, period[1]) - max(span.from_ms, period[0])
    length, asked = span.to_ms - span.from_ms, period[1] - period[0]
    least = min(length, asked) + (span.from_ms < period[0])
    return 2 * shared >= least > 0 and length <= max(DAY_MS, _COARSER * asked)


# Each row: a deed in all its forms, and the words that tell it as well.
_HAD = r"had(?! (?:to|been|an? (?:tooth|cold|fall|row|call|look|word|visit|letter)|my|the)\b)"
_DEEDS = (
    (r"paint(?:ed|ing|s)?|drew|draw(?:n|ing)?|sketch(?:ed|ing)?", r"portrait|watercolou?r|canvas|[画绘]"),
    (r"cook(?:ed|ing)?|bak(?:ed?|ing)|fr(?:y|ied)|roast(?:ed)?|grill(?:ed)?", r"made|mak(?:e|ing)|oven|dish|stew|soup"),
    (r"ate|eat(?:en|ing)?", rf"{_HAD}|lunch|dinner|supper|breakfast|meal|restaurant|food|tasted"),
    (r"dr[aiu]nk(?:ing)?", rf"{_HAD}|glass|pint|cup|bottle|beer|wine|tea|coffee"),
    (r"read(?:ing)?", r"book|novel|pages?|finished|chapter"),
    (r"watch(?:ed|ing)?", r"saw|film|movie|episode|series|match|game|telly|tv|show"),
    (r"wr[io]te?|writ(?:ten|ing)", r"letter|poem|essay|chapter|lines|sent"),
    (r"s[aiu]ng|singing|play(?:ed|ing)?", r"song|choir|concert|piano|guitar|violin|band|gig|game|match"),
    (r"kn[ie]t(?:ted|ting)?|sew(?:ed|n|ing)?|crochet(?:ed)?|wove", r"made|finished|scarf|jumper|socks|stitch\w*"),
    (r"plant(?:ed|ing)?|s[oe]w(?:ed|ing)? seeds?", r"put in|bulbs?|seeds?|seedlings?|garden|beds?"),
    (r"bought|buy(?:ing)?|purchased?|spend|spent", r"got|paid|pay|cost|costs|\d+|pounds|dollars|euros|shop\w*|ordered"),
    (r"sell(?:s|ing)?|sold", r"gave|went for|buyer|let go"),
    (r"wear(?:s|ing)?|wore|worn", r"dress\w*|suit|shirt|jacket|coat|shoes|dressed|had on"),
    (r"w[io]n|winning", r"first|prize|beat|medal|cup|raffle|second|third|place"),
    (r"lost|los(?:e|ing)", r"gone|missing|left|dropped|stolen|forgot|beat"),
    (r"borrow(?:ed)?|l[ae]nt|lend", r"gave|took|loan\w*"),
    (r"learn(?:ed|t)?|stud(?:y|ied)", r"lesson|class|course|taught|practised|practiced|how to"),
)
_DEEDS_ZH = (
    ("画(?!展)", "涂|绘|水彩|素描|临摹"),
    ("吃(?![惊亏力])", "饭|餐|菜|锅|饺|面|饼|糕|蒸|煮|炖|烤|馅|尝|请客|馆子"),
    ("喝", "酒|茶|咖啡|汤|杯|瓶"),
    ("读|看了?什么书|看的?什么书", "书|本|章|页|小说"),
    ("看了?什么(?:电影|片|剧)|看的?什么(?:电影|片|剧)", "电影|影院|片|剧|集"),
    ("写", "信|文|字|稿|诗|日记|作业"),
    ("唱", "歌|曲|台|K"),
    ("(?<!组)织|缝|绣", "毛衣|围巾|线|针"),
    ("(?<![这那各哪一几])种(?!类)", "苗|籽|地里|栽|菜|花"),
    ("买|花了?多少钱|花钱", "块|元|百|千|万|换了|订|淘|网购|下单|\\d"),
    ("(?<!外)卖", "出手|转手|买走"),
    ("穿", "衣|裙|裤|鞋|衫|袍"),
    ("赢", "奖|名次|第[一二三]|冠军|胜"),
    ("丢", "没了|不见|找不|忘|落在"),
    ("借", "给了|欠|还"),
    ("(?<![同大中小放开上])学(?![校生院期])", "课|教|练|会了"),
    ("做饭|煮|炒|烤|包了?什么", "锅|菜|饺|面|饼|蒸|炖|馅"),
)
_ROWS = tuple(
    (CaselessPattern(rf"\b(?:{deed})\b"), CaselessPattern(rf"\b(?:{deed}|{told})\b")) for deed, told in _DEEDS
)
_ROWS_ZH = tuple((LazyPattern(deed), LazyPattern(f"{deed}|{told}")) for deed, told in _DEEDS_ZH)


def tells_deed(question: str, text: str) -> bool:
    """Whether a text may tell the deed that a question asks of; where it asks of none in particular, any text does."""
    asked = [told for deed, told in (*_ROWS, *_ROWS_ZH) if deed.search(question) is not None]
    return not asked or any(told.search(text) is not None for told in asked)
