"""Topics of life: how much each matters, and what is left of it once it has faded.

The rows stand in `life_topics.txt`, both languages beside one another, with the words that touch a topic.
`FACT_GISTS`: the gists of facts, by their relation.
"""

from __future__ import annotations

from soulmem.core.schema.note_topics import Topic
from soulmem.core.text.word_file import read_rows

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
