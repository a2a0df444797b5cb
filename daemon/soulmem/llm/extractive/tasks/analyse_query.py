"""Understanding a question without a model: its parts, their times and names, and how it is asked (algorithms.md §3.2).

A question is cut where two questions are joined ("where does she live and what does she do", 住在哪里，做什么工作), and
each part takes its own dates, else those of the whole. A part that leans on what was said before ("and her dog?") is
given the names last spoken of, and one without any content the words it follows. Bounds: one to three parts, none with
depth `none` alone; a part's `from_ms` lies before its `to_ms`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from soulmem.core.calendar import calendar_math
from soulmem.core.dates.date_parser import DateSpan, Tense, Wording, find_dates
from soulmem.core.questions.query_cues import (
    both_moods,
    depth_of,
    given_mood,
    leaning_of,
    mood_of,
    without_courtesy,
)
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.schema.engine_tasks import Depth, QueryAnalysis, QueryRequest, Subquestion
from soulmem.core.schema.note_requests import Role, Turn
from soulmem.llm.extractive.language.asker_concern import cares
from soulmem.llm.extractive.language.sentence_splitter import Sentence, sentences_of
from soulmem.llm.extractive.wording.comparable_wording import LOOKED_AT, names_in, subject_terms
from soulmem.llm.extractive.wording.standalone_sentences import display_name

MOST_PARTS = 3
_MOST_JOINTS = 16  # places where it may be cut: on either side of each all of it is read
_LONGEST_PART = 400
_FOLLOWED = 160  # characters of the last message that an empty question is read with
_LOOKED_BACK = 4
_LEAST_QUESTION = 4  # letters of a question that can stand by itself

_WH = r"(?:what|where|who|whom|whose|when|why|how|which)(?:['’](?:s|re|d|ve|ll))?"
_AUXILIARY = r"(?:did|do|does|is|are|was|were|has|have|had|can|could|will|would|should)(?:n['’]t)?"
_ENGLISH_ASKING = rf"(?:{_WH}|{_AUXILIARY})"
# "and is he well" asks; "and is delicious" does not.
_BEGINS_ASKING = (
    rf"(?:{_WH}\b|{_AUXILIARY} (?:i|you|he|she|it|we|they|there|this|that)\b"
    r"|(?:did|does|do|was|were|will|would|is|are) (?:my|your|our|(?-i:[A-Z])\w+)\b"
    r"|(?:did|does|do) (?:the|his|her|their)\b)"
)
_JOINT = CaselessPattern(
    # bounded: a run of spaces would be tried from each of them
    rf"(?:,\s{{0,8}}(?:and|also|plus|but|or)?\s{{0,8}}|\s{{1,8}}(?:and|also|plus)\s{{1,8}}(?:also\s{{1,8}}|then\s{{1,8}})?|\s{{0,8}};\s{{0,8}}(?:and\s{{1,8}}|also\s{{1,8}})?)(?={_BEGINS_ASKING})"
    r"|[，,；;、]?\s{0,8}(?:以及|还有|另外|顺便(?:问一下)?|同时|并且|而且|然后)[，,]?|[，,；;]+"
)
_ASKING = CaselessPattern(
    r"(?:^\W*+|[,，]\W{0,8}+)"  # bounded: a run of commas would be tried from each of them; what follows is no sign
    rf"(?:and |also |so |but |well |then |tell me |do you (?:know|remember) )*{_ENGLISH_ASKING}\b"
    r"|什么|哪|谁|几(?:个|只|岁|号|点|月|次|年|天|口|本)|多少|多大|多久|多高|怎么|为何|为什么|如何|何时|何地|吗|呢|是不是|有没有|是否|会不会|能不能|要不要"
)
_LEANS_BACK = CaselessPattern(
    r"\b(?:he|she|it|they|him|her|them|his|hers|their|its|that|this|those|there|then)\b|[他她它]|那(?:个|次|天|里|边|时|呢)|这(?:个|次|件)|其中|呢[？?]?$|^(?:然后|后来|还有)"
)
_BEFORE_EN = CaselessPattern(r"\b(?:before|until|till|prior to|up to|earlier than)\s+(?:the\s+)?$")
_AFTER_EN = CaselessPattern(r"\b(?:after|later than)\s+(?:the\s+)?$")
_SINCE = CaselessPattern(r"\bsince\s+(?:the\s+)?$|^since\b|自(?:从)?$")
_BEFORE_ZH = LazyPattern(r"\s?(?:的)?(?:之前|以前|前(?!面|往|台|男|女|任))")
_AFTER_ZH = LazyPattern(r"\s?(?:的)?(?:之后|以后|过后|后(?!来|面|天|悔))")
_SINCE_ZH = LazyPattern(r"\s?(?:以来|至今|到现在|开始|起)")
_YEARS = LazyPattern(
    r"\b(?:between|from)\s+([12]\d{3})\s+(?:and|to|until|till)\s+([12]\d{3})\b|([12]\d{3})年?[到至~-]([12]\d{3})年"
)
# What is asked for may be sought in its time; what is merely told, or wanted as advice, is not of that time.
_WANTS = CaselessPattern(
    rf"[?？]|{_ASKING.pattern}|\b(?:where|when|what|who|why|how|which|tell|remind|show|list|summari[sz]e|recap|describe|explain|compare|remember|recall|find)\b"
    r"|告诉|说说|讲讲|讲一|说一|聊聊|回忆|回想|回顾|总结|概括|列|记得|想想"
)
_ADVICE = CaselessPattern(
    r"\b(?:should|shall|recommend|suggest|advice|ideas? for)\b|应该|该[不怎去吃做穿买]|推荐|建议|怎么办"
)
_LOOKS_AHEAD = CaselessPattern(
    r"\b(?:will|shall|going to|gonna|upcoming|next|tomorrow|soon)\b|['’]ll\b|\bplan(?:s|ning|ned)? (?:to|for)\b"
    r"|(?:(?<![主需重必])[要会将]|打算|准备|计划)(?:去|做|有|是|干|在)?(?:什么|哪|几|怎|吗)|将要|接下来[要会我你]|明天|后天|下周|下个?月|明年|有什么(?:打算|计划|安排)"
)
_PLANNED = LazyPattern("打算|计划|准备|预约|约好|记得|之后|到时|期待|主要|[要会]")
_MONTH_SIDE = LazyPattern(r"(?<!个)((?:\d{1,2}|[一二三四五六七八九十]{1,2})月份?)(之前|以前|前|之后|以后|后)")


def analyse(request: QueryRequest) -> QueryAnalysis:
    """What is asked for, where and when to look, how hard, and in what state it is asked."""
    text = request.query[:LOOKED_AT].strip()
    mood = both_moods(mood_of(text), given_mood(request.mood))
    asked = without_courtesy(text)
    leaning = leaning_of(asked or text, is_dated=bool(find_dates(asked or text, request.now_ms)))
    if not asked:
        return QueryAnalysis((), Depth.NONE, leaning, mood, cares=False)
    turns = [turn for turn in request.turns if turn.role is not Role.SYSTEM and turn.text.strip()][-_LOOKED_BACK:]
    known = frozenset(name for turn in turns if (name := display_name(turn.speaker, "en")))
    parts = _parts(asked)
    names = names_in(asked, known)
    timed = _WANTS.search(asked) is not None and _ADVICE.search(asked) is None
    whole = _times(asked, request.now_ms) if timed else (None, None)
    found = [_subquestion(part, names, whole, turns, known, request.now_ms) for part in parts]
    unique = tuple({part.text: part for part in found}.values())
    depth = depth_of(asked, len(unique), mood)
    return QueryAnalysis(unique, depth, leaning, mood, cares=cares(asked, mood, of_others=bool(names)))


def _parts(text: str) -> list[str]:
    """The questions of a text, at most three; all of it where nothing is asked. The last one takes in the rest."""
    sentences = sentences_of(0, text) or (Sentence(0, 0, text),)
    questions = [each for each in sentences if each.is_question or _ASKING.search(each.text)]
    if not questions:
        return [text[:_LONGEST_PART]]
    parts = [part for sentence in questions for part in _split(sentence.text)]
    if len(parts) > MOST_PARTS:
        parts = [*parts[: MOST_PARTS - 1], " ".join(parts[MOST_PARTS - 1 :])]
    first = questions[0]
    alone = len(subject_terms(parts[0])) < 2 or _LEANS_BACK.search(parts[0]) is not None
    before = [each.text for each in sentences if each.start < first.start]
    if alone and before:  # "I went to Rome with Anna. What did we eat there?"
        parts[0] = f"{before[-1]} {parts[0]}"
    return [part[:_LONGEST_PART] for part in parts]


def _split(question: str) -> list[str]:
    """A question cut at the joints that have a question on either side."""
    parts: list[str] = []
    start = 0
    for joint in islice(_JOINT.finditer(question), _MOST_JOINTS):
        left, right = question[start : joint.start()], question[joint.end() :]
        if _is_question(left) and _is_question(right):
            parts.append(left)
            start = joint.end()
    return [part.strip(" ,，;；、") for part in (*parts, question[start:]) if any(map(str.isalnum, part))]


def _is_question(text: str) -> bool:
    return _ASKING.search(text) is not None and sum(map(str.isalnum, text)) >= _LEAST_QUESTION


def _subquestion(
    text: str,
    names: Sequence[str],
    whole: tuple[int | None, int | None],
    turns: Sequence[Turn],
    known: frozenset[str],
    now_ms: int,
) -> Subquestion:
    """A part with its own names and times, else with those of the whole, else with the names last spoken of."""
    own = names_in(text, known)
    leans = _LEANS_BACK.search(text) is not None or not subject_terms(text)
    if not own and leans:
        own = tuple(names) or _names_before(turns, known)
    if not subject_terms(text) and turns:
        text = f"{text} {turns[-1].text.strip()[:_FOLLOWED]}"
    from_ms, to_ms = _times(text, now_ms) if whole != (None, None) else whole
    if from_ms is None and to_ms is None:
        from_ms, to_ms = whole
    return Subquestion(text, from_ms, to_ms, own[:8])


def _names_before(turns: Iterable[Turn], known: frozenset[str]) -> tuple[str, ...]:
    """The names of the latest message that holds any, at most three."""
    for turn in reversed(list(turns)):
        if names := names_in(turn.text, known):
            return names[:3]
    return ()


def _times(text: str, now_ms: int) -> tuple[int | None, int | None]:
    """When a question asks about, `[from, to)`; "before", "after" and "since" leave one side open."""
    plain = _MONTH_SIDE.sub(lambda match: match[1] + "，" * len(match[2]), text)  # 五月之前 is not five months ago
    if years := _YEARS.search(text):
        opens, closes = (int(year) for year in years.groups() if year)
        return (
            (calendar_math.year(opens).from_ms, calendar_math.year(closes).to_ms) if opens <= closes else (None, None)
        )
    low: list[int | None] = []
    high: list[int | None] = []
    for span in _spans(plain, now_ms):
        first, last = _bounds(text, span)
        low.append(first)
        high.append(last)
    if not low:
        return None, None
    starts, ends = [each for each in low if each is not None], [each for each in high if each is not None]
    from_ms = min(starts) if len(starts) == len(low) or not ends else (max(starts) if starts else None)
    to_ms = max(ends) if len(ends) == len(high) or not starts else (min(ends) if ends else None)
    if from_ms is not None and to_ms is not None and from_ms >= to_ms:
        return None, None
    return from_ms, to_ms


def _spans(text: str, now_ms: int) -> list[DateSpan]:
    """The dates of a question, which mostly asks of the past.

    A date that may lie ahead or behind lies behind then, whatever was planned in what is told; and beside a date
    a relative one ("the week after", 下周) is counted from that date, not from now, so it is left out.
    """
    ahead = _LOOKS_AHEAD.search(text) is not None
    plain = text if ahead else _PLANNED.sub(lambda match: "，" * len(match[0]), text)
    spans = find_dates(plain, now_ms, Tense.UNTOLD if ahead else Tense.BEHIND)
    if any(span.wording is not Wording.RELATIVE for span in spans):
        spans = tuple(span for span in spans if span.wording is not Wording.RELATIVE)
    return list(spans)


def _bounds(text: str, span: DateSpan) -> tuple[int | None, int | None]:
    ahead = text[max(0, span.start - 24) : span.start]
    words = text[span.start : span.end]
    if _SINCE.search(ahead) or _SINCE.search(words) or _SINCE_ZH.match(text, span.end):
        return span.from_ms, None
    if _BEFORE_EN.search(ahead):
        return None, span.from_ms
    if _AFTER_EN.search(ahead):
        return span.to_ms, None
    if _BEFORE_ZH.match(text, span.end):
        return None, span.from_ms
    if _AFTER_ZH.match(text, span.end):
        return span.to_ms, None
    periods = span.readings
    return min(period.from_ms for period in periods), max(period.to_ms for period in periods)
