"""Event references: words that tell a day by what happened on it ("at the gig", "the night before we moved", 演出那天).

Read by `event_dates`, which looks for the day. An event is named by a noun of those that have a day of their own
(`core/wordlists/dated_events.txt`), or told by a deed; then all words of the deed are looked for. Pure. Invariant: a
reference is cheap to find and says how many days it lies from its event.
"""

from __future__ import annotations

from collections.abc import Iterator

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.wordlists.dated_events import event_called, event_words, words_of_event
from soulmem.fast_dataclasses import dataclass

READ = 600  # characters of a text
_MOST = 4  # references of a text

WHOSE = r"(?:the|my|our|his|her|their|this|that|[A-Z][\w’']*?(?:['’]s|s['’]))"
_NO_PLACE = (
    r"(?![ -](?:room|hall|floor|cent(?:re|er)|area|price|counter|ticket|deck|venue|shop|table|dress|cake|card"
    r"|present)s?\b)"
)
_NOUN = CaselessPattern(
    r"\b(?:the )?(?:(?P<far>two|three|four|five|[2-5]) days|day|night|morning|evening|afternoon) "
    r"(?P<side>before|after|of) "
    rf"(?:(?P<whose>{WHOSE}) (?P<marks>(?:[a-z][\w'’-]* ){{0,2}}?))?(?P<event>{event_words('en')})\b{_NO_PLACE}"
    rf"|\b(?!on the (?:ball|move)\b)(?:at|during|in|on) (?P<whose1>{WHOSE}) (?P<marks1>(?:[a-z][\w'’-]* ){{0,2}}?)"
    rf"(?P<event1>{event_words('en')})\b{_NO_PLACE}"
    rf"|\b(?:at|during) (?P<marks2>[a-z][\w'’-]*s['’]? )?(?P<event2>{event_words('en', only_kind=True)})\b"
    rf"|\bat (?P<marks3>[a-z][\w'’-]*s['’]? )(?P<event3>party|supper|concert|fair|sale)\b"
    r"|(?:^|(?<=[.,;:!?] ))(?:on )?(?P<event4>moving|wedding|graduation|results|sports) day\b"
)
_DEED = CaselessPattern(
    r"(?:\bthe (?:day|night|morning|evening)(?: (?P<side>before|after)| that)?"
    r"|(?:^|(?<=[,.!?;] ))(?:and )?(?:day|night|morning|evening) (?P<side1>before|after))"
    r" (?P<who>i|we|(?-i:[A-Z]\w+)) (?P<deed>moved|flew|arrived|landed|married|got married)(?= ?[^\w ]| home| in\b"
    r"| (?:i|we|he|she|they|it|the|my|our|[A-Z])|$)"
)
_DAY_ZH = r"(?P<side>(?:的)?(?:那[天日晚]|当[天日晚]|第二天|次日|转天|隔天|后一天|前一[天晚]|头一[天晚]|头天晚上|前夜))"
_NOUN_ZH = LazyPattern(
    rf"(?:(?P<whose>[\u4e00-\u9fff]{{1,4}})的)?(?P<event>{event_words('zh')})(?:{_DAY_ZH}|的时候|现场|上(?![次周个回头半午]))"
)
_DEED_ZH = LazyPattern(
    rf"(?:^|(?<=[，。！？；：、\s]))(?P<deed>[\u4e00-\u9fff]{{2,8}}?)(?<![今昨明前后][天儿日])[完了过]?{_DAY_ZH}"
)
_AFTER_ZH, _BEFORE_ZH = ("第二天", "次日", "转天", "隔天", "后一天"), ("前一", "头一", "头天", "前夜")
_EMPTY_ZH = frozenset("我你他她它们咱俩的了完过着就在做搞弄是把给和跟又还都也那这个结果后然说")
# Of these one is told for another: who arrived had said that he would come.
_LIKE_ZH = {each: frozenset(group) for group in ("到来回抵", "走去离", "牙齿") for each in group}
_MOVES_ZH = frozenset("到来回抵走去离")
_COUNTED = {"two": 2, "2": 2, "three": 3, "3": 3, "four": 4, "4": 4, "five": 5, "5": 5}
_SPEAKER = frozenset({"i", "we"})
_DEEDS = {  # each by the words that tell it
    "moved": frozenset({"move", "moved", "moving", "moves"}),
    "flew": frozenset({"fly", "flew", "flying", "flies"}),
    "arrived": frozenset({"arrive", "arrived", "arrives", "arriving"}),
    "landed": frozenset({"land", "landed", "lands", "landing"}),
    "married": frozenset({"marry", "married", "marrying", "wedding"}),
}


@dataclass(frozen=True, slots=True)
class Reference:
    """Words that tell a day by an event: `text[start:end]`; `days` is how far from the event it lies.

    `event`: its noun, empty where a deed tells it; `deed`: sets of words or characters, of each of which one stands in
    what tells of it;
    `whose` and `marks`: of whom it is, and the words before the noun; `seek`: by which words it is looked for.
    """

    start: int
    end: int
    days: int
    event: str = ""
    whose: str = ""
    marks: frozenset[str] = frozenset()
    deed: tuple[frozenset[str], ...] = ()
    seek: str = ""


def references(text: str) -> tuple[Reference, ...]:
    """The events that a text reckons by, from left to right."""
    found = [*_english(text)]
    if not text.isascii():
        found += _chinese(text)
    return tuple(sorted(found, key=lambda each: each.start)[:_MOST])


def _english(text: str) -> Iterator[Reference]:
    for match in _NOUN.finditer(text, 0, READ):
        day = f"{match['event4']} day" if match["event4"] else ""
        event = match["event"] or match["event1"] or match["event2"] or match["event3"] or day
        marks = match["marks"] or match["marks1"] or match["marks2"] or match["marks3"] or ""
        days = _COUNTED.get((match["far"] or "").lower(), 1) * _side(match["side"])
        whose = match["whose"] or match["whose1"] or ""
        name = event_called(event.lower())
        seek = " ".join((marks.strip(), *words_of_event(name))).strip()
        yield Reference(*match.span(), days, name, whose, frozenset(marks.lower().split()), seek=seek)
    for match in _DEED.finditer(text, 0, READ):
        who = match["who"].lower()
        subject = _SPEAKER if who in _SPEAKER else frozenset({who})
        told = _DEEDS[match["deed"].lower().split()[-1]]
        yield Reference(
            *match.span(), _side(match["side"] or match["side1"]), deed=(subject, told), seek=" ".join(sorted(told))
        )


def _side(word: str | None) -> int:
    return {"before": -1, "after": 1}.get((word or "").lower(), 0)


def _chinese(text: str) -> Iterator[Reference]:
    ends = set[int]()
    for match in _NOUN_ZH.finditer(text, 0, READ):
        ends.add(match.end())
        name = event_called(match["event"])
        seek = " ".join(words_of_event(name))
        yield Reference(*match.span(), _side_zh(match["side"]), name, match["whose"] or "", seek=seek)
    for match in _DEED_ZH.finditer(text, 0, READ):
        told = frozenset(match["deed"]) - _EMPTY_ZH
        if len(told - _MOVES_ZH) > 1 and match.end() not in ends:
            deed = tuple(_LIKE_ZH.get(each, frozenset(each)) for each in sorted(told))
            yield Reference(*match.span(), _side_zh(match["side"]), deed=deed, seek=match["deed"])


def _side_zh(words: str | None) -> int:
    words = words or ""
    return 1 if any(each in words for each in _AFTER_ZH) else -1 if any(each in words for each in _BEFORE_ZH) else 0
