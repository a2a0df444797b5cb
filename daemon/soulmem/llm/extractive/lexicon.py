"""What the extractive engine knows about words, whatever the language: topics of life, their weight and colour.

One `Lexicon` per language (`lexicon_english`, `lexicon_chinese`), chosen by a sentence's script. Read by
salience, facts, notes and gists; nothing here depends on a conversation.
"""

from __future__ import annotations

import re
from enum import StrEnum

from soulmem.records import dataclass


class Topic(StrEnum):
    """What a sentence is about, as far as it matters for how long it is worth keeping."""

    DEATH = "death"
    HEALTH = "health"
    LOVE = "love"
    BIRTH = "birth"
    PROMISE = "promise"
    CHANGE = "change"
    WORK = "work"
    STUDY = "study"
    HOME = "home"
    MONEY = "money"
    CONFLICT = "conflict"
    ACHIEVEMENT = "achievement"
    FAMILY = "family"
    FRIEND = "friend"
    PET = "pet"
    TRAVEL = "travel"
    PLAN = "plan"
    TASTE = "taste"
    FEELING = "feeling"
    ART = "art"
    SPORT = "sport"
    FOOD = "food"
    GAME = "game"
    WEATHER = "weather"


# How much a topic matters by itself, 0..1.
WEIGHT: dict[Topic, float] = {
    Topic.DEATH: 0.95,
    Topic.HEALTH: 0.8,
    Topic.LOVE: 0.8,
    Topic.BIRTH: 0.85,
    Topic.PROMISE: 0.75,
    Topic.CHANGE: 0.65,
    Topic.WORK: 0.65,
    Topic.STUDY: 0.55,
    Topic.HOME: 0.65,
    Topic.MONEY: 0.55,
    Topic.CONFLICT: 0.65,
    Topic.ACHIEVEMENT: 0.65,
    Topic.FAMILY: 0.55,
    Topic.FRIEND: 0.45,
    Topic.PET: 0.55,
    Topic.TRAVEL: 0.5,
    Topic.PLAN: 0.45,
    Topic.TASTE: 0.45,
    Topic.FEELING: 0.4,
    Topic.ART: 0.4,
    Topic.SPORT: 0.4,
    Topic.FOOD: 0.35,
    Topic.GAME: 0.35,
    Topic.WEATHER: 0.1,
}


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of one language.

    `stop` carry grammar only; `generic` are common in any chat and say nothing by themselves; `small_talk`
    matches a whole sentence that is courtesy; `openers` matches what may be cut from its front.
    """

    language: str
    stop: frozenset[str]
    generic: frozenset[str]
    small_talk: re.Pattern[str]
    openers: re.Pattern[str]
    first_person: re.Pattern[str]
    second_person: re.Pattern[str]
    praise: re.Pattern[str]  # words about the other, though "I" may say them
    anaphor: re.Pattern[str]  # begins with, or leans on, what was said before
    reply: re.Pattern[str]  # begins as an answer to yes or no
    happening: re.Pattern[str]  # first person + something done or undergone
    number: re.Pattern[str]
    self_description: re.Pattern[str]
    topics: tuple[tuple[Topic, re.Pattern[str]], ...]
    positive: re.Pattern[str]
    negative: re.Pattern[str]
    negation: re.Pattern[str]
    negation_reach: int  # characters before a word in which a negation turns it round
    gists: dict[Topic, str]
    fact_gists: dict[str, str]
    default_gist: str

    def topics_of(self, text: str) -> tuple[Topic, ...]:
        """The topics touched, weightiest first."""
        found = [topic for topic, pattern in self.topics if pattern.search(text)]
        return tuple(sorted(found, key=lambda topic: (-WEIGHT[topic], topic.value)))

    def valence(self, text: str) -> float:
        """How pleasant the words are, -1..1: positive against negative words, negated ones turned round."""
        score = 0
        for pattern, sign in ((self.positive, 1), (self.negative, -1)):
            for match in pattern.finditer(text):
                negated = self.negation.search(text, max(0, match.start() - self.negation_reach), match.start())
                score += -sign if negated else sign
        return round(max(-1.0, min(1.0, score / 3)), 3)
