"""Bare dates: a message that says when and nothing else, of what its speaker told just before.

"My interview got moved." — "It's on the 9th now.", 演唱会延期了 — 现在是下个月八号: the day stands in one message and
what it is of in the one before, with perhaps "When?" between. Used by `statements`, so that one note holds both. Sure
only within one sitting; where somebody asked for the day of something else, that question goes before.
"""

from __future__ import annotations

from soulmem.core.dates.date_parser import find_dates
from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.schema.note_requests import Turn
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.language.sentence_splitter import Sentence
from soulmem.llm.extractive.reading.pronoun_antecedents import SITTING_MS

_LONGEST = 60  # characters of what says only when
_LONGEST_TOLD = 160  # of what it is of
_FILLING = CaselessPattern(
    r"\b(?:it['’]?s|it|is|will|be|that['’]?s|that|moved|changed|pushed|put|set|fixed|rescheduled|postponed|switched|brought"
    r"|forward|back|now|so|then|well|yeah|yes|just|probably|hopefully|on|to|at|for|by|from|until|till|in|the|a|of"
    r"|instead|actually|oh|um|again|am|pm|o['’]clock|weeks?|days?|and|or)\b"
    r"|[改挪推延换调到了是在就现那定于成的吧呢啊嗯哦对也要等去下来又变]|应该|可能|大概|听说|时间|日子|\d|[点半]"
)
# "When?" asks of what was just told.
_WHEN = CaselessPattern(
    r"\W*(?:(?:oh|ah|ok(?:ay)?|and|so|nice|great|wow)\W+){0,2}(?:to |until |till |for |on )?"
    r"(?:when|what (?:day|date|time)|which day)(?:['’]?s (?:it|that)| (?:is|was|will|are) (?:it|that|this|they)(?: be)?"
    r"| then| now| exactly| to)?\W*"
    r"|[^？?]{0,4}(?:改|挪|推|延|换|定|调)?[到在成]?(?:什么时候|哪一?天|几号|几月几号|何时|什么日子)(?:[到去来走的呢啊呀了]|开始)?\W*"
)

_MOVED = CaselessPattern(
    r"\W*(?:(?:it['’]?s |it )?(?:been |got )?(?:moved|changed|pushed|rescheduled|postponed)\b|[改挪推延换调])"
)
_MOVED_WORDS = CaselessPattern(
    r"\b(?:moved|changed|pushed|put|rescheduled|postponed|delayed|brought|bumped|shifted)\b|[改挪推延换调提]"
)


@dataclass(frozen=True, slots=True)
class LastTold:
    """What a speaker told last, and when."""

    sentence: Sentence
    at_ms: int


def is_bare_date(text: str, at_ms: int) -> bool:
    """Whether a sentence names a day and nothing that happens on it."""
    if len(text) > _LONGEST:
        return False
    spans = find_dates(text, at_ms)
    if not spans:
        return False
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return not any(map(str.isalnum, _FILLING.sub(" ", text)))


def told_of(sentence: Sentence, turn: Turn, last: LastTold | None, question: Sentence | None) -> Sentence | None:
    """What a bare date is of: what its speaker told last, unless somebody asked of something else; None where it is
    no bare date or nothing was told, and where it would lie behind what is to come."""
    if last is None or not 0 <= turn.at_ms - last.at_ms <= SITTING_MS or len(last.sentence.text) > _LONGEST_TOLD:
        return None
    if question is not None and not (_WHEN.fullmatch(question.text) or _MOVED.match(sentence.text)):
        return None
    if not is_bare_date(sentence.text, turn.at_ms):
        return None
    joined = continued(last.sentence, sentence)
    place = len(joined) - len(sentence.text)
    over = any(span.certain and span.to_ms <= turn.at_ms for span in find_dates(joined, turn.at_ms) if span.end > place)
    return None if over and _MOVED_WORDS.search(joined) else last.sentence


def continued(last: Sentence, sentence: Sentence) -> str:
    """Both as one sentence: "My interview got moved, it's on the 9th now."."""
    chinese = last.language == "zh"
    head = last.text.rstrip(" .。!！~～,，")
    words = sentence.text.strip()
    own = _FILLING.match(words) is not None and words[:1].isupper() and not words[:2].isupper()
    return f"{head}{'，' if chinese else ', '}{words[:1].lower() + words[1:] if own else words}"
