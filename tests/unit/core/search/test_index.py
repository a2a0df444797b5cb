"""The in-memory index: what it finds, what it filters, and that order of arrival does not matter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import SESSION_GAP_MS, ItemKind
from soulmem.core.search.memory_index import Hit, SearchIndex
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.text.tokens import text_hashes

MESSAGE, NOTE = ItemKind.MESSAGE, ItemKind.NOTE


@dataclass(frozen=True, slots=True)
class Item:
    key: int
    text: str
    kind: ItemKind = MESSAGE
    conversation: int = 1
    seq: int = 0
    speaker: str = "Ann"
    at_ms: int = 0
    vector: tuple[float, ...] | None = None


def put(index: SearchIndex, item: Item) -> None:
    index.add(
        item.kind,
        item.key,
        conversation=item.conversation,
        seq=item.seq or item.key,
        speaker=item.speaker,
        at_ms=item.at_ms,
        terms=text_hashes(item.text),
    )
    if item.vector is not None:
        index.set_vectors(item.kind, item.key, np.array(item.vector, dtype=np.float32))


def built(*items: Item) -> SearchIndex:
    index = SearchIndex()
    for item in items:
        put(index, item)
    return index


def find(index: SearchIndex, text: str, **filters: object) -> list[Hit]:
    question = read_question(text, index.speakers_within(None), at_ms=index.newest_within(None))
    return index.search(Query(question, **filters))  # type: ignore[arg-type]  # filters by name


def keys(hits: list[Hit]) -> list[int]:
    return [hit.key for hit in hits]


# -- what is found ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("Which instrument does she play?", 1),
        ("她在哪里看了艺术展？", 2),
        ("哪家 Starbucks？", 3),
    ],
)
def test_finds_english_chinese_and_mixed_text(question: str, best: int) -> None:
    index = built(
        Item(1, "I play two instruments, the violin and the drums", conversation=1),
        Item(2, "昨天在美术馆看了艺术展", conversation=2),
        Item(3, "我们在新街口的 Starbucks 见面吧", conversation=3),
        Item(4, "今天天气不错", conversation=4),
    )
    assert keys(find(index, question))[0] == best


def test_an_empty_index_and_a_question_without_terms_find_nothing() -> None:
    assert find(SearchIndex(), "anything") == []
    assert find(built(Item(1, "hello")), "😀") == []
    assert find(built(Item(1, "hello")), "hello", k=0) == []
    assert find(built(Item(1, "hello")), "goodbye") == []


def test_an_answer_is_found_by_the_words_of_the_question_before_it() -> None:
    index = built(
        Item(1, "Which instrument do you play?", seq=1),
        Item(2, "The violin, since I was six!", seq=2, speaker="Bo"),
        Item(3, "The weather is nice", conversation=2, seq=1, speaker="Bo"),
    )
    hits = find(index, "What instrument does Bo play?")
    assert keys(hits) == [2, 1]
    assert hits[0].channels["speaker"] == 1


def test_neighbours_belong_to_one_conversation_even_when_conversations_interleave() -> None:
    index = built(
        Item(1, "my violin broke", conversation=1, seq=1),
        Item(2, "what a pity", conversation=2, seq=1),
        Item(3, "oh no", conversation=1, seq=2),
        Item(4, "indeed", conversation=2, seq=2),
    )
    assert set(keys(find(index, "violin"))) == {1, 3}


def test_an_hour_of_silence_parts_neighbours() -> None:
    index = built(
        Item(1, "my violin broke", seq=1, at_ms=0),
        Item(2, "oh no", seq=2, at_ms=SESSION_GAP_MS),
        Item(3, "good morning", seq=3, at_ms=2 * SESSION_GAP_MS + 1),
    )
    assert keys(find(index, "violin")) == [1, 2]


def test_a_note_and_a_message_compete_and_a_note_that_mentions_the_named_speaker_gains() -> None:
    index = built(
        Item(1, "The violin is lovely", speaker="Bo"),
        Item(1, "Ann plays the violin", kind=NOTE, speaker=""),
        Item(2, "Bo plays the violin", kind=NOTE, speaker=""),
    )
    put(index, Item(9, "hello", speaker="Ann", conversation=7))
    hits = find(index, "Does Ann play the violin?")
    assert (hits[0].kind, hits[0].key) == (NOTE, 1)


def test_a_named_time_prefers_what_was_told_then() -> None:
    day = 86_400_000
    index = built(
        Item(1, "went to the museum", conversation=1, at_ms=100 * day),
        Item(2, "went to the museum", conversation=2, at_ms=200 * day),
        Item(3, "went to the museum", conversation=3, at_ms=300 * day),
    )
    assert keys(find(index, "museum in July 1970"))[0] == 2
    assert keys(find(index, "1970年7月的 museum"))[0] == 2
    assert find(index, "museum in July 1970")[0].channels["time"] == 1


def test_dense_evidence_finds_what_shares_no_word() -> None:
    index = built(
        Item(1, "a feline", conversation=1, vector=(1, 0)),
        Item(2, "a lorry", conversation=2, vector=(0, 1)),
    )
    question = read_question("kitten")
    hits = index.search(Query(question, np.array([1, 0], dtype=np.float32)))
    assert keys(hits) == [1]
    assert hits[0].channels == {"lexical": 0.0, "dense": 1.0}


def test_words_lead_where_there_is_no_vector() -> None:
    index = built(
        Item(1, "艺术展很好看", conversation=1),
        Item(2, "a lorry", conversation=2, vector=(1, 0)),
    )
    hits = index.search(Query(read_question("艺术展"), np.array([1, 0], dtype=np.float32)))
    assert keys(hits) == [1, 2]


def test_a_turn_that_asks_ranks_below_one_that_tells() -> None:
    index = built(Item(1, "the violin?", conversation=1), Item(2, "the violin!", conversation=2))
    assert keys(find(index, "violin")) == [2, 1]
