"""What tells the same, on planted pairs and by its laws."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.merging.merging import HALVES, LANGUAGES, merged, pairs, shares
from every_row import every_row
from soulmem.core.merging.note_clusters import MOST, Candidate, clusters
from soulmem.core.merging.same_telling import Telling, fuller
from soulmem.core.schema.note_requests import NoteKind
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder

AT = 1_780_000_000_000
HOUR = 3_600_000
PAIRS = list(pairs())
TEXTS = [told.text for pair in PAIRS[::3] for told in (pair.one, pair.other)]


def telling(text: str, at: int = AT, kind: NoteKind = NoteKind.EPISODIC, speaker: str = "") -> Telling:
    return Telling(text, kind, speaker, at, at)


def test_there_are_as_many_pairs_of_each_sort() -> None:
    assert len(PAIRS) >= 120
    for language, half in itertools.product(LANGUAGES, HALVES):
        own = [pair.is_same for pair in PAIRS if (pair.language, pair.half) == (language, half)]
        assert own.count(True) == own.count(False) >= 15


@pytest.mark.parametrize("language", LANGUAGES)
def test_nearly_nothing_becomes_one_that_is_two(language: str) -> None:
    own = [pair for pair in PAIRS if pair.language == language]
    figures = shares(own, merged(own, HashingEmbedder()))
    print(language, figures)
    assert figures["precision"] >= 0.98
    assert figures["recall"] >= 0.7


@every_row([
    ("I bought a red bike", "I bought 2 red bikes"),
    ("I'm happy with Ann", "I'm not happy with Ann"),
    ("I live in Leeds", "I live in Leiden"),
    ("We met on 3 May 2019", "We met on 4 May 2019"),
    ("My brother lent Tom a drill", "Tom lent my brother a drill"),
    ("I told her the news", "She told me the news"),
    ("我在大连上班", "我在大理上班"),
    ("我没去大连", "我去了大连"),
    ("我有两个孩子", "我有三个孩子"),
    ("我们 2019 年 5 月 3 日认识的", "我们 2019 年 5 月 4 日认识的"),
    ("我哥借给小明一把电钻", "小明借给我哥一把电钻"),
    ("I 周五 fly to Oslo", "I 周六 fly to Oslo"),
    ("我在 Lidl 上班", "我在 Aldi 上班"),
], unpack=True)  # fmt: skip
def test_what_a_friend_would_not_mix_up_stays_two(first: str, second: str) -> None:
    for kind in (NoteKind.EPISODIC, NoteKind.SEMANTIC):
        assert fuller(telling(first, kind=kind), telling(second, kind=kind)) is None


@pytest.mark.parametrize(
    "text", ["We had fish and chips by the pier", "我们在码头吃了炸鱼薯条", "我们在 pier 吃了 fish and chips"]
)
def test_two_evenings_are_two(text: str) -> None:
    assert fuller(telling(text), telling(text, AT + 5 * HOUR)) is not None
    assert fuller(telling(text), telling(text, AT + 24 * HOUR)) is None
    assert fuller(telling(text, speaker="Ann"), telling(text, speaker="Ben")) is None


@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.integers(0, 400))
def test_the_order_of_two_changes_nothing(first: str, second: str, hours: int) -> None:
    for kind in (NoteKind.EPISODIC, NoteKind.SEMANTIC):
        one, other = telling(first, kind=kind), telling(second, AT + hours * HOUR, kind)
        found, turned = fuller(one, other), fuller(other, one)
        assert (found is None) == (turned is None)
        assert found is None or (found in (one, other) and found == turned)
        assert fuller(one, one) in (None, one)


@given(st.lists(st.tuples(st.sampled_from(TEXTS), st.integers(0, 9), st.booleans()), min_size=2, max_size=9), st.data())
def test_clusters_are_linked_completely(told: list[tuple[str, int, bool]], data: st.DataObject) -> None:
    notes = {
        number: Candidate(number, telling(text, AT + hours * HOUR), 0.5, pinned=pinned)
        for number, (text, hours, pinned) in enumerate(told)
    }
    near = data.draw(st.permutations(list(itertools.combinations(notes, 2))))
    found = clusters(notes, near)
    assert found == clusters(notes, [(other, one) for one, other in reversed(near)])
    members = [note for each in found for note in (each.survivor, *each.others)]
    assert len(members) == len(set(members))
    for each in found:
        whole = (each.survivor, *each.others)
        assert 2 <= len(whole) <= MOST
        assert not any(notes[other].pinned for other in each.others)
        for one, other in itertools.combinations(whole, 2):
            assert fuller(notes[one].telling, notes[other].telling) is not None
        assert all(len(notes[each.survivor].telling.words) >= len(notes[other].telling.words) for other in each.others)
