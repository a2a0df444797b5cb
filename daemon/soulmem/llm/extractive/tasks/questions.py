"""Questions that a set of statements can answer, without a model (algorithms.md §8.3).

Counted are whom the statements are about and which topics of life they touch; the pairs that recur most, weighed by how
much a topic matters, become questions in the statements' language, each about another person or topic
than before.
Where nobody is named, the words that recur are asked about.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.engine_tasks import Labelled, QuestionsRequest
from soulmem.llm.extractive.language.chinese_lexicon import CHINESE
from soulmem.llm.extractive.language.content_words import content_terms, key_terms
from soulmem.llm.extractive.language.english_lexicon import ENGLISH
from soulmem.llm.extractive.language.life_topics import QUESTIONS, WEIGHT, Topic
from soulmem.llm.extractive.language.sentence_splitter import CJK, LONGEST, language_of
from soulmem.llm.extractive.wording.comparable_wording import names_in, subjects_of, without_day

_MOST_STATEMENTS = 200
_MOST_QUESTIONS = 20
_MENTION = 0.4  # what it counts to be mentioned, against being spoken of
_ONCE = 0.5  # what a topic is worth that only one statement touches: there is little to gather
_LEAST_WEIGHT = 0.2
_REPEATED = 0.45  # what a person or topic is worth that was asked about already
_LEAST_OF_TERM = 2

_PLACES = LazyPattern("[\u4e00-\u9fff]{1,3}(?:馆|店|园|校|院|山|湖|街|家|课|会|赛)")
_GENERAL = {"en": "What is known about {s}?", "zh": "关于{s}，都知道些什么？"}
_OF_TERM = {"en": "What was said about “{s}”?", "zh": "关于“{s}”，说过些什么？"}
_OF_TOPIC = {
    topic: [LazyPattern(re.escape(asked[topic]).replace(r"\{s\}", ".+")) for asked in QUESTIONS.values()]
    for topic in QUESTIONS["en"]
}


def topics_in(text: str) -> frozenset[Topic]:
    """The topics of life a text touches, in either language."""
    found = set(ENGLISH.topics_of(text))
    return frozenset(found | set(CHINESE.topics_of(text)) if CJK.search(text) else found)


def topics_asked(question: str) -> frozenset[Topic]:
    """The topics a question is about: of one of ours its own, of any other those it touches."""
    is_ours = len(question) <= LONGEST  # ours are short, and a name within one may be anything
    own = [topic for topic, forms in _OF_TOPIC.items() if is_ours and any(form.fullmatch(question) for form in forms)]
    return frozenset(own[:1]) or topics_in(question)


def questions(request: QuestionsRequest) -> tuple[str, ...]:
    """Up to `count` questions, the weightiest first; none where nothing is stated."""
    statements = [one for one in request.statements if one.text.strip()][:_MOST_STATEMENTS]
    count = max(0, min(request.count, _MOST_QUESTIONS))
    if not statements or not count:
        return ()
    language = _language(request, statements)
    wordings = QUESTIONS[language]
    pairs = _pairs(statements)
    asked: list[str] = []
    used: Counter[str] = Counter()
    while pairs and len(asked) < count:
        best = max(pairs, key=lambda pair: (round(pairs[pair] * _REPEATED ** (used[pair[0]] + used[pair[1]]), 6), pair))
        name, topic = best
        del pairs[best]
        used.update((name, topic))
        asked.append((wordings[Topic(topic)] if topic else _GENERAL[language]).format(s=name))
    for term in _recurring(statements, language):
        if len(asked) >= count:
            break
        if not any(term in question for question in asked):
            asked.append(_OF_TERM[language].format(s=term))
    return tuple(dict.fromkeys(asked))


def _language(request: QuestionsRequest, statements: Sequence[Labelled]) -> str:
    if request.language:
        return "zh" if request.language.lower().startswith("zh") else "en"
    return language_of(" ".join(one.text[:300] for one in statements))


def _pairs(statements: Sequence[Labelled]) -> dict[tuple[str, str], float]:
    """Weights of (who, topic); a topic of "" is all there is to know of somebody."""
    subjects = subjects_of([one.text for one in statements])
    known = frozenset(name for name in subjects if name)
    weights: dict[tuple[str, str], float] = defaultdict(float)
    support: Counter[tuple[str, str]] = Counter()
    for one, subject in zip(statements, subjects, strict=True):
        text = without_day(one.text)
        mentioned = [name for name in names_in(text, known) if name in known and name != subject]
        topics = [topic for topic in topics_in(text) if topic in QUESTIONS["en"]]
        for name, share in ((subject, 1.0), *((name, _MENTION) for name in mentioned)):
            if name:
                weights[name, ""] += 0.3 * share
                for topic in topics:
                    weights[name, topic.value] += share * WEIGHT[topic]
                support.update((name, topic.value) for topic in topics)
    rare = {pair: _ONCE for pair in weights if pair[1] and support[pair] < 2}
    return {pair: weight * rare.get(pair, 1.0) for pair, weight in weights.items() if weight >= _LEAST_WEIGHT}


def _recurring(statements: Sequence[Labelled], language: str) -> list[str]:
    """Words of content that several statements hold, the most frequent first; else one word of the first."""
    texts = [without_day(one.text) for one in statements]
    counts: Counter[str] = Counter()
    if language == "zh":
        words = {word for text in texts for word in (*key_terms(text), *_PLACES.findall(text))}
        counts.update({word: sum(word in text for text in texts) for word in sorted(words)})
    else:
        counts.update(term for text in texts for term in content_terms(text) if term.isalpha())
    often = [term for term in counts if counts[term] >= min(_LEAST_OF_TERM, len(statements))]
    return sorted(often, key=lambda term: (-counts[term], -len(term), term))
