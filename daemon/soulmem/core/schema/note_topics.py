"""Topics of life: what a note may be about, as its tags name it; the closed list that code and models choose from."""

from __future__ import annotations

from enum import StrEnum


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


TOPICS = tuple(topic for topic in Topic if topic is not Topic.CHANGE)
"""Those under which a note may be listed anew: that it tells a change is read out of its words."""
