"""Whom a pronoun at the beginning of a message may mean: the one person of whom its speaker spoke just before.

Used by `statements`. Certain only within one sitting, and only where nobody else was named meanwhile.
"""

from __future__ import annotations

from soulmem.core.schema.note_requests import Turn
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.facts.third_person_facts import Person, people_in
from soulmem.llm.extractive.language.sentence_splitter import LONGEST, Sentence, sentences_of
from soulmem.llm.extractive.wording.standalone_sentences import display_name

# Sentences of one message that are looked at: of a wall of text its beginning and its end. A summary has no use for
# more; what notes leave out of one is told to the audit.
MOST_SENTENCES = 180

SITTING_MS = 30 * 60_000  # after a longer break a pronoun may mean somebody else
RECENT = 4  # messages before a request that may name whom its first pronoun means
_LAST_SENTENCES = 3  # of a message, in which whom it speaks of at its end is looked for


@dataclass(frozen=True, slots=True)
class SpokenOf:
    """Of whom a speaker's last message spoke at its end, and the sentence that named them."""

    people: tuple[Person, ...]
    sentence: Sentence
    at_ms: int


def remember(turn: Turn, spoken_of: dict[str, SpokenOf]) -> None:
    """Keep of whom a message speaks at its end. Whoever else names somebody leaves no pronoun certain."""
    before = spoken_of.get(turn.speaker)
    people, told = (before.people, before.sentence) if before is not None else ((), None)
    named = False
    for sentence in looked_at(turn, _LAST_SENTENCES)[-_LAST_SENTENCES:]:
        chinese = sentence.language == "zh"
        now = people_in(sentence.text, display_name(turn.speaker, sentence.language), people, chinese=chinese)
        if now != people:
            named, told = named or bool(now), sentence
        people = now
    if named:
        spoken_of.clear()
    if people and told is not None:
        spoken_of[turn.speaker] = SpokenOf(people, told, turn.at_ms)
    else:
        spoken_of.pop(turn.speaker, None)


def looked_at(turn: Turn, most: int = MOST_SENTENCES) -> tuple[Sentence, ...]:
    """The sentences of a message, of a wall of text the first and the last."""
    text = turn.text
    head = most * 2 // 3
    tail = most - head
    if len(text) <= most * LONGEST:
        sentences = sentences_of(turn.seq, text)
        return sentences if len(sentences) <= most else sentences[:head] + sentences[-tail:]
    # Of a wall of text only as much is cut as is looked at; the first piece of its end may be half a sentence.
    beginning = sentences_of(turn.seq, text, 0, head * LONGEST)
    ending = sentences_of(turn.seq, text, len(text) - tail * LONGEST)
    return beginning[:head] + ending[1:][-tail:]
