"""What the extractive engine knows about words, whatever the language.

One `Lexicon` per language (`english_lexicon`, `chinese_lexicon`), chosen by a sentence's script. Read by
salience, facts, notes and gists; nothing here depends on a conversation. The topics of life, how much each matters, and
what is left of it once it has faded, stand in `life_topics.txt`, both languages beside one another, with the words that
touch a topic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.regex.regex_prefilter import DIGIT, signs_of, words_of
from soulmem.core.schema.note_topics import Topic
from soulmem.core.text.word_file import read_rows
from soulmem.core.wordlists.fictional_events import IDIOM
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import WordCache

_WORDS_KEPT = 8_192
_LETTERS = LazyPattern(r"[a-z]+?(?=[a-z][?*{]|[^a-z]|$)")  # those that no match is without
_WORD_ENDS = LazyPattern(r"(?:[ ]|\['’\])(?![?*{])|$")


class Openings:
    """Which of several lists of words a text may touch, by its words alone: to search for each costs much more."""

    def __init__(self, lists: Sequence[str]) -> None:
        """Each list: words or phrases, parted by `|`, each of which may go on as a pattern behind its first letters.

        Raises ValueError: how one of them begins cannot be told.
        """
        opened = [tuple(map(_opening, _parted(each))) for each in lists]
        self._whole = tuple(frozenset(letters for letters, whole in each if whole) for each in opened)
        self._begun = tuple(tuple(letters for letters, whole in each if not whole) for each in opened)
        self._known = WordCache(self._opened_by, _WORDS_KEPT)

    def possible(self, text: str) -> set[int]:
        """The places of the lists that the text may touch."""
        return set(chain.from_iterable(map(self._known.__getitem__, words_of(text))))

    def _opened_by(self, word: str) -> tuple[int, ...]:
        if word[0].isdecimal():
            word = DIGIT
        each = enumerate(zip(self._whole, self._begun, strict=True))
        return tuple(place for place, (whole, begun) in each if word in whole or word.startswith(begun))


def _parted(alternatives: str) -> Iterator[str]:
    depth = begins = 0
    for place, char in enumerate(alternatives):
        depth += (char in "([") - (char in ")]")
        if char == "|" and not depth:
            yield alternatives[begins:place]
            begins = place + 1
    yield alternatives[begins:]


def _opening(alternative: str) -> tuple[str, bool]:
    """The letters that any match of an alternative begins with, and whether they are its whole first word."""
    if alternative.startswith(r"\$\d"):
        return DIGIT, False
    found = _LETTERS.match(alternative)
    if found is None:
        raise ValueError(f"how does it begin: {alternative!r}")
    return found[0], _WORD_ENDS.match(alternative, found.end()) is not None


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of one language.

    `stop` carry grammar only; `generic` are common in any chat and say nothing by themselves; `small_talk`
    matches a whole sentence that is courtesy; `openers` matches what may be cut from its front.
    """

    language: str
    stop: frozenset[str]
    generic: frozenset[str]
    small_talk: LazyPattern
    openers: LazyPattern
    first_person: LazyPattern
    second_person: LazyPattern
    praise: LazyPattern  # words about the other, though "I" may say them
    address: str  # letters that no praise is without
    anaphor: LazyPattern  # begins with, or leans on, what was said before
    reply: LazyPattern  # begins as an answer to yes or no
    happening: LazyPattern  # first person + something done or undergone
    number: LazyPattern
    self_description: LazyPattern
    topics: tuple[tuple[Topic, LazyPattern], ...]
    positive: LazyPattern
    negative: LazyPattern
    negation: LazyPattern
    negation_reach: int  # characters before a word in which a negation turns it round
    openings: Openings | None = None  # of the topics, where their words can be told apart
    number_words: frozenset[str] = frozenset()  # those of `number`, ditto

    def praises(self, text: str) -> bool:
        """Whether the words are about the other."""
        return self.address in text.lower() and self.praise.search(text) is not None

    def counts(self, text: str) -> bool:
        """Whether there is a number, in digits or in words."""
        if not self.number_words:
            return self.number.search(text) is not None
        return DIGIT in signs_of(text) or not self.number_words.isdisjoint(words_of(text))

    def topics_of(self, text: str) -> tuple[Topic, ...]:
        """The topics touched, weightiest first."""
        topics = self.topics
        if self.openings is not None:
            topics = tuple(self.topics[place] for place in self.openings.possible(text))
        found = [topic for topic, pattern in topics if pattern.search(text)]
        if found and (plain := IDIOM.sub(" ", text)) != text:  # 慢死了 is no death, 吃不消 no meal
            found = [topic for topic, pattern in topics if topic in found and pattern.search(plain)]
        return tuple(sorted(found, key=lambda topic: (-WEIGHT[topic], topic.value)))

    def valence(self, text: str) -> float:
        """How pleasant the words are, -1..1: positive against negative words, negated ones turned round."""
        score = 0
        for pattern, sign in ((self.positive, 1), (self.negative, -1)):
            for match in pattern.finditer(text):
                negated = self.negation.search(text, max(0, match.start() - self.negation_reach), match.start())
                score += -sign if negated else sign
        return round(max(-1.0, min(1.0, score / 3)), 3)


_ROWS = [(Topic(row[0]), row[1:]) for row in read_rows("llm/extractive/language/life_topics.txt", {})]


def _column(place: int) -> dict[Topic, str]:
    return {topic: cells[place] for topic, cells in _ROWS if cells[place]}


WEIGHT = {topic: float(weight) for topic, weight in _column(0).items()}
GISTS = {"en": _column(1), "zh": _column(2)}
WORDS = {"en": _column(3), "zh": _column(4)}
"""The words that touch a topic: patterns of English words, of Chinese stretches."""

_FACTS = read_rows("llm/extractive/language/relation_gists.txt", {})
FACT_GISTS: dict[str, dict[str, str]] = {
    "en": {relation: english for relation, english, _ in _FACTS},
    "zh": {relation: chinese for relation, _, chinese in _FACTS},
}
DEFAULT_GIST = {"en": "something that was talked about", "zh": "聊过的一件事"}
