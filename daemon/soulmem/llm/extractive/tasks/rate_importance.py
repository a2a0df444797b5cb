"""Rating importance 1..10 without a model: what kind of event a text tells of, and how it is told (algorithms.md §8.2).

The level is that of the weightiest event found (a death 9, a wedding 8, a new home 7, an exam 6), else that of its
topic (`lexicon.WEIGHT`), else 3 for a statement, 2 for daily routine, 1 for small talk and idleness. First person,
feeling, dates, numbers, novelty and length add at most 2; what is asked, denied, dreamt, or seen in a film is less.
Text in a script that none of the word lists can read gets the fail-safe 4.
"""

# ruff: noqa: E501 (a level and its words stand on long lines, as a table)

from __future__ import annotations

import re

from soulmem.core.dates.date_parser import find_dates
from soulmem.core.importance.importance_rating import weigh
from soulmem.core.importance.retention_periods import Level
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.schema.engine_tasks import ImportanceRequest, Labelled
from soulmem.core.text.word_file import read_rows
from soulmem.core.wordlists.fictional_events import IDIOM, UNREAL_TEXT
from soulmem.llm.extractive.language.chinese_lexicon import CHINESE
from soulmem.llm.extractive.language.content_words import amount, content_terms
from soulmem.llm.extractive.language.english_lexicon import ENGLISH
from soulmem.llm.extractive.language.lexicon import WEIGHT, Lexicon
from soulmem.llm.extractive.language.sentence_splitter import CJK, sentences_of
from soulmem.llm.extractive.wording.comparable_wording import LOOKED_AT, numbers_in, subject_terms, without_day

UNREADABLE = 4
_IDLE, _ROUTINE, _PLAIN, _VITAL = 1, 2, 3, 8
_EVENT = 6  # from here on a level is an event's, not a topic's
_MOST_EXTRA = 2.0
_UNREAL = 4  # the most that a question, a dream or a film is worth
_LONG = 12.0  # words of content
_MOST_SENTENCES = 12
_ALIKE = 0.9  # share of the terms that an earlier item of the batch holds too

_EVENTS: tuple[tuple[int, LazyPattern], ...] = tuple(
    (int(level), CaselessPattern(rf"\b(?:{english})\b|{chinese}"))
    for level, english, chinese in read_rows("llm/extractive/tasks/event_levels.txt", {})
)
_ROUTINES = CaselessPattern(
    r"\b(?:woke up|wakes? up|brush(?:ed|ing|es) (?:my|his|her|their)? ?teeth|ma(?:de|kes) (?:the |my |his |her )?(?:bed|breakfast|lunch|dinner|coffee|tea)|got dressed|(?:took|takes) a (?:shower|bath|nap)|(?:had|have|has|eats?|ate) (?:breakfast|lunch|dinner|a snack|a sandwich|cereal|toast)|(?:went|goes) to (?:bed|sleep)|slept|is sleeping|commut\w+|did the (?:dishes|laundry)|does the (?:dishes|laundry)|doing (?:the )?(?:dishes|laundry)|bought groceries|watch(?:ed|ing|es) (?:tv|television)|walk(?:ed|s|ing) the dog|cleaned (?:the|my) (?:room|kitchen|desk)|wait(?:ed|ing|s) for the (?:bus|train))\b"
    r"|起床|刷牙|洗脸|洗澡|吃(?:了|过|完)?(?:早|午|晚|夜)?(?:饭|餐|宵)|喝了(?:杯|点)?(?:水|咖啡|茶)|睡觉|睡了|睡醒|洗衣服|洗碗|买菜|遛狗|看电视|打扫|等(?:公交|地铁|车)|上厕所"
)
_IDLE_TEXT = CaselessPattern(
    r"\W*+(?:[\w ]{0,24}\b(?:is|am|are|was|['’]m) (?:idle|idling|doing nothing|bored|just chilling)|idle|nothing (?:much|new|special)?)\W*+"
    r"|\s*+\S{0,8}(?:发呆|闲着|没事(?:做|干)|无聊|空闲|什么(?:也|都)没做)\S{0,2}\W*+"
)
_DENIED_AHEAD = CaselessPattern(
    r"(?:\b(?:not|never|no|nobody|without|no one)|n['’]t)(?: [\w'’]+){0,2} ?$|(?:不|没|没有|未|别|不会|没人)$"
)
_NOVEL = CaselessPattern(
    r"\b(?:first time|for the first|finally|never (?:before|thought)|at last|out of nowhere|unexpected\w*|suddenly)\b|第一次|首次|终于|从没想到|没想到|突然|竟然|居然"
)
_LASTING = CaselessPattern(
    r"\b(?:i['’]ll (?:always|never)|i will (?:always|never)|forever|for the rest of (?:my|our)|never forget|most important|changed my life|i owe)\b|永远|一辈子|一生|这辈子|绝不|改变了我|最重要|再也不"
)
_STRONG_FEELING = CaselessPattern(
    r"\b(?:devastat\w+|heartbroken|terrified|furious|overjoyed|ecstatic|thrilled|desperate|ashamed|cried|crying|sobbing|in tears|grieving|panic\w*|so (?:happy|sad|angry|proud|scared|excited|lonely)|hate (?:him|her|myself|them)|love you)\b|崩溃|绝望|哭了|大哭|痛哭|心碎|气死|吓坏|激动|太?(?:难过|伤心|害怕|开心|高兴|幸福|生气|孤独)了|特别(?:难过|开心|害怕|生气)|我(?:好)?爱你|恨"
)
_READABLE = LazyPattern(r"[A-Za-z]{2}|[\u4e00-\u9fff]")
_KANA = LazyPattern(r"[\u3040-\u30ff]")


def rate(request: ImportanceRequest) -> tuple[int, ...]:
    """A whole number 1..10 for each item, in order; what repeats an earlier item of the batch counts one less."""
    persona = content_terms(request.cast.persona[:LOOKED_AT])
    rated: list[int] = []
    heard: list[frozenset[str]] = []
    for item in request.items:
        score, terms = _rate(item, persona), subject_terms(without_day(item.text))
        repeated = len(terms) >= 3 and any(len(terms & other) >= _ALIKE * len(terms | other) for other in heard)
        rated.append(max(_IDLE, score - 1) if repeated else score)
        heard.append(terms)
    return tuple(rated)


def _rate(item: Labelled, persona: frozenset[str]) -> int:
    text = without_day(item.text).strip()
    if not any(char.isalnum() for char in text):
        return _IDLE
    if not _READABLE.search(text) or len(_KANA.findall(text)) > len(text) // 4:
        return UNREADABLE
    vital = _VITAL if weigh(text, item.at_ms).level is Level.VITAL else _IDLE
    told = [sentence.text for sentence in sentences_of(0, text)[:_MOST_SENTENCES]] or [text]
    level = max(_level(sentence) for sentence in told)
    if level <= _ROUTINE:
        return max(level, vital)
    extra = _extra(text, item.at_ms, event=level >= _EVENT)
    extra += 0.5 * (len(content_terms(text) & persona) >= 2)
    return max(vital, min(10, int(level + min(extra, _MOST_EXTRA) + 0.5)))


def _level(sentence: str) -> int:
    """What a sentence tells of, without how it is told."""
    plain = IDIOM.sub(" ", sentence)
    unreal = UNREAL_TEXT.search(sentence) is not None or sentence.rstrip("\"'”’) ").endswith(("?", "？", "吗", "呢"))
    for level, words in _EVENTS:
        match = words.search(plain)
        if match is not None:
            denied = _DENIED_AHEAD.search(plain[max(0, match.start() - 24) : match.start()]) is not None
            stated = max(_PLAIN, level - 4) if denied else level
            return min(stated, _UNREAL) if unreal else stated
    if _IDLE_TEXT.fullmatch(sentence) or _is_small_talk(sentence):
        return _IDLE
    if _ROUTINES.search(sentence):
        return _ROUTINE
    topics = [WEIGHT[topic] for lexicon in _lexicons(plain) for topic in lexicon.topics_of(plain)]
    least = _PLAIN if amount(content_terms(plain)) >= 1 else _ROUTINE
    level = int(2 + 4 * max(topics, default=0.0) + 0.5) if topics else least
    return min(level, _PLAIN) if unreal else min(level, _EVENT - 1)


def _lexicons(text: str) -> tuple[Lexicon, ...]:
    """A mixed text is read in both languages."""
    return (CHINESE, ENGLISH) if CJK.search(text) else (ENGLISH,)


def _is_small_talk(sentence: str) -> bool:
    if any(char.isdigit() for char in sentence) or amount(content_terms(sentence)) >= 3:
        return False
    return any(lexicon.small_talk.fullmatch(sentence) is not None for lexicon in (ENGLISH, CHINESE))


def _extra(text: str, at_ms: int, *, event: bool) -> float:
    """What the telling adds: who tells it, how strongly, how exactly. Plain statements gain by it half as much."""
    lexicons = _lexicons(text)
    extra = 1.0 * any(lexicon.first_person.search(text) for lexicon in lexicons) * event
    feeling = max(abs(lexicon.valence(text)) for lexicon in lexicons)
    extra += 1.0 if _STRONG_FEELING.search(text) else 0.5 * (feeling >= 0.6)
    extra += 0.25 * bool(re.search(r"[!！]", text))
    extra += 1.0 * bool(_LASTING.search(text)) + 0.5 * bool(_NOVEL.search(text))
    extra += 0.25 * bool(find_dates(text, at_ms)) + 0.25 * bool(numbers_in(text))
    extra += 0.5 * (amount(content_terms(text)) >= _LONG)
    return extra if event else extra / 2 + 0.5 * bool(_LASTING.search(text))
