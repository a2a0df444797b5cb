"""Topics of life: how much each matters, what is left of it once it has faded, and what may be asked about it.

The rows stand in `life_topics.txt`, both languages beside one another, with the words that touch a topic.
`FACT_GISTS`: the gists of facts, by their relation.
"""

from __future__ import annotations

from enum import StrEnum

from soulmem.core.text.word_file import read_rows


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


_ROWS = [(Topic(row[0]), row[1:]) for row in read_rows("llm/extractive/language/life_topics.txt", {})]


def _column(place: int) -> dict[Topic, str]:
    return {topic: cells[place] for topic, cells in _ROWS if cells[place]}


WEIGHT = {topic: float(weight) for topic, weight in _column(0).items()}
QUESTIONS = {"en": _column(1), "zh": _column(2)}
GISTS = {"en": _column(3), "zh": _column(4)}
WORDS = {"en": _column(5), "zh": _column(6)}
"""The words that touch a topic: patterns of English words, of Chinese stretches."""

_FACTS = {
    "likes": ("someone's liking", "某人的喜好"),
    "dislikes": ("someone's dislike", "某人不喜欢的东西"),
    "favourite": ("someone's favourite", "某人的最爱"),
    "name": ("what someone is called", "某人的称呼"),
    "lives_in": ("where someone lives", "某人住的地方"),
    "from": ("where someone comes from", "某人的家乡"),
    "occupation": ("what someone does for a living", "某人的职业"),
    "works_at": ("where someone works", "某人工作的地方"),
    "studies": ("what someone studies", "某人学的东西"),
    "allergic_to": ("something someone cannot bear", "某人碰不得的东西"),
    "birthday": ("someone's special day", "某人的特别日子"),
    "age": ("how old someone is", "某人的年纪"),
    "pet": ("someone's animal", "某人的动物"),
    "relative": ("someone's relative", "某人的亲人"),
    "afraid_of": ("someone's fear", "某人害怕的东西"),
    "diet": ("what someone does not eat", "某人的忌口"),
    "status": ("how someone lives", "某人的状况"),
    "owns": ("something someone has", "某人拥有的东西"),
    "activity": ("something someone does often", "某人常做的事"),
    "moved_to": ("where someone went to live", "某人的新住处"),
}
FACT_GISTS: dict[str, dict[str, str]] = {
    "en": {relation: english for relation, (english, _) in _FACTS.items()},
    "zh": {relation: chinese for relation, (_, chinese) in _FACTS.items()},
}
DEFAULT_GIST = {"en": "something that was talked about", "zh": "聊过的一件事"}
