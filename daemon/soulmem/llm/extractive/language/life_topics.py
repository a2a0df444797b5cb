"""Topics of life: how much each matters, what is left of it once it has faded, and what may be asked about it.

A row a topic, both languages beside one another; the words by which a topic is known stand in the lexicon of their
language. `FACT_GISTS`: the same of the relations of facts.
"""

# A topic stands on one line, as a table.
# ruff: noqa: E501

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


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


class _Row(NamedTuple):
    weight: float  # how much a topic matters by itself, 0..1
    gist_en: str
    gist_zh: str
    question_en: str  # {s}: whom it is about; empty where nothing is worth asking
    question_zh: str


_TOPICS = {
    Topic.DEATH: _Row(0.95, "a loss", "一次离别", "What loss has {s} lived through?", "{s}经历过怎样的离别？"),
    Topic.HEALTH: _Row(0.8, "something about someone's health", "关于身体的事", "What is known about {s}'s health?", "{s}的身体怎么样？"),
    Topic.LOVE: _Row(0.8, "a matter of the heart", "一件感情上的事", "What is going on in {s}'s love life?", "{s}的感情生活怎么样？"),
    Topic.BIRTH: _Row(0.85, "a new life in a family", "家里添了新生命", "What birth or adoption is there in {s}'s life?", "{s}的生活里有怎样的新生命？"),
    Topic.PROMISE: _Row(0.75, "something promised or confided", "一个约定或秘密", "What has {s} promised or confided?", "{s}答应过或透露过什么？"),
    Topic.CHANGE: _Row(0.65, "something that had changed", "某件事有了变化", "What has changed in {s}'s life?", "{s}的生活有什么变化？"),
    Topic.WORK: _Row(0.65, "something about work", "工作上的事", "How is {s} getting on at work?", "{s}的工作怎么样？"),
    Topic.STUDY: _Row(0.55, "something about learning", "学习上的事", "What is {s} learning or studying?", "{s}在学什么？"),
    Topic.HOME: _Row(0.65, "something about where someone lives", "住处的事", "What is known about {s}'s home?", "关于{s}的住处，都知道些什么？"),
    Topic.MONEY: _Row(0.55, "a matter of money", "钱方面的事", "How does {s} deal with money?", "{s}在钱的方面怎么样？"),
    Topic.CONFLICT: _Row(0.65, "a quarrel or an upset", "一次不愉快", "What upsets {s}, or whom does {s} quarrel with?", "什么让{s}不愉快，{s}和谁有过争执？"),
    Topic.ACHIEVEMENT: _Row(0.65, "something achieved", "做成了一件事", "What has {s} achieved?", "{s}做成了什么？"),
    Topic.FAMILY: _Row(0.55, "something about family", "家里的事", "What is known about {s}'s family?", "关于{s}的家人，都知道些什么？"),
    Topic.FRIEND: _Row(0.45, "an outing with a friend", "和朋友有关的事", "What does {s} do with friends?", "{s}和朋友一起做什么？"),
    Topic.PET: _Row(0.55, "something about an animal", "关于动物的事", "What animals are there in {s}'s life?", "{s}的生活里有哪些动物？"),
    Topic.TRAVEL: _Row(0.5, "an outing somewhere", "一次外出", "Where does {s} travel?", "{s}去过哪里？"),
    Topic.PLAN: _Row(0.45, "something intended", "一个打算", "What does {s} intend to do?", "{s}有什么打算？"),
    Topic.TASTE: _Row(0.45, "someone's taste", "某人的喜好", "What does {s} like and dislike?", "{s}喜欢什么，不喜欢什么？"),
    Topic.FEELING: _Row(0.4, "how someone felt", "某人的心情", "How has {s} been feeling?", "{s}最近的心情怎么样？"),
    Topic.ART: _Row(0.4, "something about art or music", "关于文艺的事", "What do art and music mean to {s}?", "艺术和音乐对{s}意味着什么？"),
    Topic.SPORT: _Row(0.4, "something about sport", "关于运动的事", "What sport does {s} do?", "{s}做什么运动？"),
    Topic.FOOD: _Row(0.35, "something about food", "关于吃喝的事", "What does {s} eat, drink and cook?", "{s}吃什么，喝什么，做什么菜？"),
    Topic.GAME: _Row(0.35, "something about playing", "关于玩的事", "What does {s} like to play?", "{s}喜欢玩什么？"),
    Topic.WEATHER: _Row(0.1, "a remark on the weather", "说到了天气", "", ""),
}  # fmt: skip
WEIGHT: dict[Topic, float] = {topic: row.weight for topic, row in _TOPICS.items()}
GISTS: dict[str, dict[Topic, str]] = {
    "en": {topic: row.gist_en for topic, row in _TOPICS.items()},
    "zh": {topic: row.gist_zh for topic, row in _TOPICS.items()},
}
QUESTIONS: dict[str, dict[Topic, str]] = {
    "en": {topic: row.question_en for topic, row in _TOPICS.items() if row.question_en},
    "zh": {topic: row.question_zh for topic, row in _TOPICS.items() if row.question_zh},
}

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
