"""Scope: the rule of sharing, the same in memory, in SQL and in plain words; what is hidden weighs nothing."""

from __future__ import annotations

import os
import sqlite3

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.schema.audience import SEVERAL, Audience, Sharing, audience, column_home, may_surface
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import KIND_CODES, ItemKind, RowBatch
from soulmem.core.search.memory_index import SearchIndex
from soulmem.core.search.relevance_scoring import read_question, speaker_key
from soulmem.core.text.tokens import text_hashes
from soulmem.store.conversation_state import audience as stored
from soulmem.store.conversation_state.audience import WHOLE, Scope, Speakers

EXAMPLES = 3_000 if os.environ.get("SOULMEM_TORTURE") else 150
NAMES = st.sampled_from(["ann", "bo", "小林", "小明", "user"])
TALKS = st.dictionaries(st.integers(1, 8), st.frozensets(NAMES, max_size=4), max_size=8)
HERE = st.none() | st.integers(1, 8)
HOMES = st.frozensets(st.integers(1, 5), max_size=3)
AUDIENCES = st.frozensets(st.integers(1, 5))


# -- the rule ----------------------------------------------------------------------------------------------


@given(here=HERE, talks=TALKS)
@settings(max_examples=EXAMPLES, deadline=None)
def test_participants_hear_what_each_of_them_heard(here: int | None, talks: dict[int, frozenset[str]]) -> None:
    heard = audience(Sharing.PARTICIPANTS, here, talks)
    assert heard is not None
    assert heard <= {*talks, *([] if here is None else [here])}
    assert here is None or here in heard
    present = talks.get(here, frozenset()) if here is not None else frozenset()
    for there, those in talks.items():
        if there != here:
            everyone = bool(present) and all(name in those for name in present)
            assert (there in heard) == (everyone and "user" not in present)


@given(here=st.integers(1, 8), talks=TALKS, newcomer=NAMES)
@settings(max_examples=EXAMPLES, deadline=None)
def test_who_joins_never_widens_what_a_conversation_knows(
    here: int, talks: dict[int, frozenset[str]], newcomer: str
) -> None:
    before = audience(Sharing.PARTICIPANTS, here, talks)
    after = audience(Sharing.PARTICIPANTS, here, {**talks, here: talks.get(here, frozenset()) | {newcomer}})
    assert before is not None
    assert after is not None
    if talks.get(here):
        assert after <= before


@given(here=HERE, talks=TALKS)
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_three_ways_of_sharing_are_ordered(here: int | None, talks: dict[int, frozenset[str]]) -> None:
    assert audience(Sharing.OPEN, here, talks) is None
    alone = audience(Sharing.CONVERSATION, here, talks)
    some = audience(Sharing.PARTICIPANTS, here, talks)
    assert alone == (frozenset() if here is None else {here})
    assert some is not None
    assert alone <= some


@given(homes=HOMES, more=HOMES, heard=AUDIENCES)
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_note_of_several_conversations_is_as_strict_as_all_of_them(
    homes: frozenset[int], more: frozenset[int], heard: Audience
) -> None:
    assert may_surface(homes | more, heard) == (may_surface(homes, heard) and may_surface(more, heard))
    assert may_surface(homes, None)
    assert may_surface(frozenset(), heard)
    assert column_home(homes) == (0 if not homes else SEVERAL if len(homes) > 1 else min(homes))


@pytest.mark.parametrize(("name", "same"), [("Ann", "  aNN "), ("小林", "小林"), ("Zoë", "ZOË"), ("Straße", "STRASSE")])
def test_a_name_is_one_person_however_it_is_written(name: str, same: str) -> None:
    speakers = Speakers()
    speakers.take([(1, name)])
    version = speakers.version
    speakers.heard(1, same)
    speakers.heard(2, same)
    assert speakers.by_conversation == {1: {speaker_key(name)}, 2: {speaker_key(name)}}
    assert speakers.version == version + 1


# -- in memory -----------------------------------------------------------------------------------------------

WORDS = st.sampled_from(["violin", "cello", "艺术", "展览", "home?", "Ann", "yesterday"])
ITEMS = st.lists(
    st.tuples(
        st.sampled_from([ItemKind.MESSAGE, ItemKind.NOTE]),
        st.integers(1, 30),
        st.lists(WORDS, min_size=1, max_size=4).map(" ".join),
        HOMES,
        st.sampled_from(["Ann", "Bo", "小明"]),
        st.integers(0, 50).map(lambda n: n * 3_600_000),
        st.none() | st.sampled_from([(1.0, 0.0), (0.0, 1.0), (0.6, 0.8)]),
    ),
    max_size=20,
    unique_by=lambda item: (item[0], item[1]),
)
Item = tuple[ItemKind, int, str, frozenset[int], str, int, tuple[float, float] | None]


def homes_of(item: Item) -> frozenset[int]:
    return item[3] if item[0] is ItemKind.NOTE else frozenset({min(item[3], default=1)})


def built(items: list[Item]) -> SearchIndex:
    index = SearchIndex()
    for item in items:
        kind, key, text, _, speaker, at_ms, vector = item
        homes = homes_of(item)
        index.add(
            kind,
            key,
            conversation=min(homes, default=0),
            seq=key,
            speaker=speaker,
            at_ms=at_ms,
            terms=text_hashes(text),
            homes=homes,
        )
        if vector is not None:
            index.set_vectors(kind, key, np.array(vector, dtype=np.float32))
    return index


def loaded(items: list[Item]) -> SearchIndex:
    index = SearchIndex()
    terms = [text_hashes(item[2]) for item in items]
    noted = [item for item in items if item[0] is ItemKind.NOTE]
    index.load(
        RowBatch(
            kinds=np.array([KIND_CODES[item[0]] for item in items], dtype=np.uint8),
            keys=np.array([item[1] for item in items], dtype=np.int64),
            conversations=np.array([column_home(homes_of(item)) for item in items], dtype=np.int64),
            seqs=np.array([item[1] for item in items], dtype=np.int64),
            speakers=[item[4] for item in items],
            at_ms=np.array([item[5] for item in items], dtype=np.int64),
            terms=np.concatenate([np.zeros(0, dtype=np.uint32), *terms]),
            offsets=np.cumsum([0, *map(len, terms)]).astype(np.int64),
            vectors=np.array([item[6] or (0, 0) for item in items], dtype=np.float32).reshape(len(items), 2),
            seen=np.array([item[6] is not None for item in items], dtype=np.bool_),
            homes={item[1]: item[3] for item in noted if len(item[3]) > 1},
        )
    )
    return index


def answers(index: SearchIndex, text: str, heard: Audience | None, *, dense: bool) -> list[tuple[object, ...]]:
    question = read_question(text, index.speakers_within(heard), at_ms=index.newest_within(heard))
    vector = np.array([1, 0], dtype=np.float32) if dense else None
    hits = index.search(Query(question, vector, k=40, audience=heard))
    return [(h.kind, h.key, round(h.score, 4), {n: round(v, 4) for n, v in h.channels.items()}) for h in hits]


@given(
    items=ITEMS,
    heard=AUDIENCES,
    text=st.sampled_from(["violin", "Ann's cello and 艺术", "Bo 展览 yesterday", "小明 home"]),
    dense=st.booleans(),
)
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_search_within_an_audience_is_a_search_of_a_mind_that_heard_no_more(
    items: list[Item], heard: Audience, text: str, dense: bool
) -> None:
    visible = [item for item in items if may_surface(homes_of(item), heard)]
    expected = answers(built(visible), text, None, dense=dense)
    for index in (built(items), loaded(items)):
        assert answers(index, text, heard, dense=dense) == expected
        index.compact()
        assert answers(index, text, heard, dense=dense) == expected


@given(items=ITEMS, more=HOMES, heard=AUDIENCES)
@settings(max_examples=EXAMPLES, deadline=None)
def test_homes_follow_a_note_through_every_change(items: list[Item], more: frozenset[int], heard: Audience) -> None:
    index = built(items)
    for item in items:
        answers(index, "violin 艺术", heard, dense=False)
        if item[0] is ItemKind.NOTE:
            assert index.homes_of(item[1]) == item[3]
            index.replace_terms(ItemKind.NOTE, item[1], text_hashes("a new text 新的"))
            assert index.homes_of(item[1]) == item[3]
            index.set_homes(item[1], item[3] | more)
    index.compact()
    hits = index.search(Query(read_question("new 新的"), k=40, kinds=frozenset({ItemKind.NOTE}), audience=heard))
    noted = [item for item in items if item[0] is ItemKind.NOTE]
    assert {hit.key for hit in hits} == {item[1] for item in noted if may_surface(item[3] | more, heard)}
    for item in noted:
        index.remove(ItemKind.NOTE, item[1])
        assert index.homes_of(item[1]) == frozenset()


# -- on disk -------------------------------------------------------------------------------------------------


def mind(noted: list[tuple[int | None, frozenset[int]]]) -> sqlite3.Connection:
    """The tables that scope reads, with notes of a home and of sources; every second is a reflection."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        "CREATE TABLE message (id INTEGER PRIMARY KEY, conversation INTEGER, role TEXT, speaker TEXT);"
        "CREATE TABLE note (id INTEGER PRIMARY KEY, conversation INTEGER, kind TEXT);"
        "CREATE TABLE note_source (note INTEGER, position INTEGER, message INTEGER);"
        "CREATE TABLE reflection_home (note INTEGER, conversation INTEGER);"
        "CREATE TABLE link (id INTEGER PRIMARY KEY, src INTEGER, dst INTEGER);"
    )
    connection.executemany(
        "INSERT INTO message VALUES (?, ?, 'user', 'Ann')", [(n, (n + 1) // 2) for n in range(1, 11)]
    )
    for number, (home, sources) in enumerate(noted, start=1):
        is_concluded = number % 2 == 0
        kind, told_in = ("reflection", None) if is_concluded else ("semantic", home)
        connection.execute("INSERT INTO note VALUES (?, ?, ?)", (number, told_in, kind))
        if is_concluded and home is not None:
            connection.execute("INSERT INTO reflection_home VALUES (?, ?)", (number, home))
        said = [2 * source - side for source in sorted(sources) for side in (0, 1)]  # two messages of each
        connection.executemany(
            "INSERT INTO note_source VALUES (?, ?, ?)", [(number, *each) for each in enumerate(said)]
        )
    pairs = [(a, b) for a in range(1, len(noted) + 1) for b in range(a + 1, len(noted) + 1)]
    connection.executemany("INSERT INTO link (src, dst) VALUES (?, ?)", pairs)
    return connection


@given(noted=st.lists(st.tuples(st.none() | st.integers(1, 5), HOMES), max_size=5), heard=AUDIENCES)
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_clauses_say_what_the_rule_says(noted: list[tuple[int | None, frozenset[int]]], heard: Audience) -> None:
    connection = mind(noted)
    try:
        homes = {n: sources | ({home} if home else set()) for n, (home, sources) in enumerate(noted, start=1)}
        visible = {note for note, where in homes.items() if may_surface(where, heard)}
        scope = Scope(heard)
        assert scope.may_surface(connection, homes) == visible
        assert WHOLE.may_surface(connection, homes) == set(homes)
        clause, values = scope.links("l")
        shown = connection.execute(f"SELECT src, dst FROM link l WHERE {clause}", values).fetchall()
        assert set(shown) == {(a, b) for a in visible for b in visible if a < b}
        assert scope.within(connection, "message", range(1, 11)) == {n for n in range(1, 11) if (n + 1) // 2 in heard}
        assert stored.homes(connection) == {note: where for note, where in homes.items() if where}
        assert stored.homes(connection, list(homes)[:2]) == {
            note: where for note, where in list(homes.items())[:2] if where
        }
    finally:
        connection.close()
