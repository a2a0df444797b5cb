"""What rates, asks, concludes and condenses: without a model, or by anything that completes a prompt.

The one place that knows how reflection is worked out (algorithms.md §8.2, §8.3). Without a model what recurs on three
days or more is counted, and nothing else is concluded. Statements are shown under numbers; invariant: an insight cites
numbers that were shown, one at least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from soulmem.core.names.name_recogniser import NameKind, find_names
from soulmem.core.reflection.recurrence import Occasion, findings
from soulmem.core.reflection.reflection_wording import language_of, worded
from soulmem.core.schema.engine_tasks import CondenseRequest, ImportanceRequest, Insight, Labelled
from soulmem.core.text.tokens import wording_language
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.contracts.parts.answer_fields import parse_importance
from soulmem.llm.contracts.parts.insight_evidence import parse_line
from soulmem.llm.extractive.tasks import condense as extractive_condensing
from soulmem.llm.extractive.tasks import rate_importance as extractive_rating

Cited = tuple[str, list[int]]
QUESTIONS, INSIGHTS, CONDENSED = 3, 5, 5
_MOST_LINES = 200
_LEAST_OFTEN = 3  # statements that begin with what may be a name
_ASKED = {"en": "What keeps coming back in the days of {}?", "zh": "{}这些日子常有什么事？"}


@dataclass(frozen=True, slots=True)
class Statement:
    """What a memory says, and on which day it was made, since 1970."""

    text: str
    day: int


Statements = Mapping[int, Statement]  # by the numbers under which they are shown


class InsightEngine(Protocol):
    """Whoever thinks for a stream."""

    def rate(self, text: str) -> int:
        """How much a memory matters, 1 to 10."""
        ...

    def questions(self, statements: Sequence[str]) -> list[str]:
        """What these say that is worth asking, at most three."""
        ...

    def insights(self, question: str, statements: Statements) -> list[Cited]:
        """What follows from these, each with the numbers of those it rests on."""
        ...

    def condense(self, insights: Sequence[Cited]) -> list[Cited]:
        """At most five of them, that cite all that these cite."""
        ...


class ExtractiveEngine:
    """Without a model: what recurs is counted."""

    def rate(self, text: str) -> int:
        return next(iter(extractive_rating.rate(ImportanceRequest((Labelled("1", text),)))), 4)

    def questions(self, statements: Sequence[str]) -> list[str]:
        language = language_of(list(statements))
        return [_ASKED[language].format(name) for name in _people(statements)[:QUESTIONS]]

    def insights(self, question: str, statements: Statements) -> list[Cited]:
        texts = [each.text for each in statements.values()]
        people = _people(texts)
        found: list[Cited] = []
        for who in (name for name in people if name in question):
            told = [
                Occasion(number, each.day, each.text, who) for number, each in statements.items() if who in each.text
            ]
            others = [name for name in people if name != who]
            said = [(worded(one, language_of(texts)), list(one.evidence)) for one in findings(told, others)]
            found += [(text, numbers) for text, numbers in said if text]
        return found[:INSIGHTS]

    def condense(self, insights: Sequence[Cited]) -> list[Cited]:
        given = tuple(Insight(text, tuple(map(str, cited))) for text, cited in insights if cited)
        found = extractive_condensing.condense(CondenseRequest("", given, CONDENSED))
        return [(each.text, [int(label) for label in each.evidence]) for each in found]


def _people(statements: Sequence[str]) -> list[str]:
    """Who is spoken of, most often first: by name, or by what many of the statements begin with."""
    counts = Counter[str]()
    for text in statements:
        counts.update({each.name for each in find_names(text) if each.kind is NameKind.PERSON})
    begun = Counter(text[:2] for text in statements if not text[:2].isascii() and text[:2].isalpha())
    counts |= Counter({name: count for name, count in begun.items() if count >= _LEAST_OFTEN})
    return [name for name, _ in sorted(counts.items(), key=lambda each: (-each[1], each[0]))]


_PROMPTS = {
    "en": {
        "rate": "How much does this matter in somebody's life, from 1 (routine) to 10 (life-changing)? "
        "Answer with one whole number.\n\n{}",
        "questions": "Which three questions, about those it names, does this answer when it is taken together? "
        "One a line, nothing else.\n\n{}",
        "insights": "{question}\nWhat follows from these statements taken together? At most five sentences, one a "
        "line, each with the numbers of the statements it rests on in square brackets at its end.\n\n{}",
        "condense": "Say this in at most five sentences, one a line, each with all its numbers in square brackets at "
        "its end. Lose no number.\n\n{}",
    },
    "zh": {
        "rate": "下面这件事在一个人的生活中有多重要？从1（日常琐事）到10（改变一生）。只回答一个整数。\n\n{}",
        "questions": "把下面这些话放在一起看，能回答关于其中人物的哪三个问题？每行一个，不要别的。\n\n{}",
        "insights": "{question}\n把下面这些话放在一起看，能得出什么？最多五句，每行一句，"
        "句末用方括号写上所依据的编号。\n\n{}",
        "condense": "把下面的内容概括成最多五句，每行一句，句末用方括号写上全部编号，一个也不要漏。\n\n{}",
    },
}  # fmt: skip


class PromptedEngine(ExtractiveEngine):
    """By whatever completes a prompt; what an answer does not give is worked out without it."""

    def __init__(self, complete: Callable[[str], str]) -> None:
        self._complete = complete

    def rate(self, text: str) -> int:
        return parse_importance(self._asked("rate", text))

    def questions(self, statements: Sequence[str]) -> list[str]:
        lines = self._asked("questions", "\n".join(statements)).splitlines()
        asked = [line.strip().lstrip("-*•0123456789.)、 ") for line in lines[:_MOST_LINES]]
        return [line for line in asked if line][:QUESTIONS] or super().questions(statements)

    def insights(self, question: str, statements: Statements) -> list[Cited]:
        shown = "\n".join(f"[{number}] {each.text}" for number, each in statements.items())
        found = _among(parsed(self._asked("insights", shown, question=question)), statements)
        return found[:INSIGHTS] or super().insights(question, statements)

    def condense(self, insights: Sequence[Cited]) -> list[Cited]:
        shown = "\n".join(line_of(text, cited) for text, cited in insights)
        known = {number for _, cited in insights for number in cited}
        found = _among(parsed(self._asked("condense", shown)), known)[:CONDENSED]
        lost = known - {number for _, cited in found for number in cited}
        if not found:
            return super().condense(insights)
        last, cited = found[-1]
        return [*found[:-1], (last, [*cited, *sorted(lost)])]

    def _asked(self, task: str, shown: str, **more: str) -> str:
        return self._complete(_PROMPTS[wording_language(shown)][task].format(shown, **more))


def parsed(text: str) -> list[Cited]:
    """The lines of an answer that are insights: a sentence, and numbers in brackets behind it."""
    found = []
    for line in text.splitlines()[:_MOST_LINES]:
        read = parse_line(line)
        if read is not None and all(each.isdecimal() for each in read[1]):
            found.append((read[0], [int(each) for each in read[1]]))
    return found


def line_of(text: str, cited: Sequence[int]) -> str:
    return f"{text} [{', '.join(map(str, cited))}]"


def _among(found: Sequence[Cited], known: Collection[int]) -> list[Cited]:
    cited = [(text, [number for number in numbers if number in known]) for text, numbers in found]
    return [(text, numbers) for text, numbers in cited if numbers]
