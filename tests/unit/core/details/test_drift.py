"""Drift: where a meaning is moved, what is picked, which wordings are fit, and what becomes of the note."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from every_row import every_row
from soulmem.core.decay.decay_policy import Fading
from soulmem.core.decay.traces import Trace
from soulmem.core.details import drift, gists
from soulmem.core.details.elements import Element
from soulmem.core.schema.note_requests import Anchor

NOW = 1_000_000_000
DIMENSION = 12
numbers = st.floats(-1, 1, width=32)
shares = st.floats(0, 1)


@st.composite
def units(draw: st.DrawFn) -> np.ndarray:
    vector = draw(arrays(np.float64, DIMENSION, elements=numbers))
    length = float(np.linalg.norm(vector))
    assume(length > 1e-3)
    return np.asarray(vector / length)


def axis(place: int) -> np.ndarray:
    return np.eye(DIMENSION)[place]


# -- meaning -------------------------------------------------------------------------------------------------


@given(units(), units(), shares, st.integers(0, 2**32), st.floats(0, 2))
def test_a_moved_meaning_is_a_unit_vector(
    original: np.ndarray, gist: np.ndarray, opacity: float, seed: int, strength: float
) -> None:
    stray = drift.stray_from(original, gist, seed)
    assume(np.linalg.norm(original + gist) > 1e-3)  # opposite ones may cancel out
    moved = drift.move_meaning(original, gist, opacity, stray, strength=min(strength, 0.9))
    assert np.linalg.norm(moved) == pytest.approx(1, abs=1e-9)


@given(units(), units(), shares, st.integers(0, 2**32))
def test_no_strength_or_a_full_memory_leaves_the_meaning(
    original: np.ndarray, gist: np.ndarray, opacity: float, seed: int
) -> None:
    stray = drift.stray_from(original, gist, seed)
    assert np.allclose(drift.move_meaning(original, gist, opacity, stray, strength=0.0), original, atol=1e-12)
    assert np.allclose(drift.move_meaning(original, gist, 1.0, stray), original, atol=1e-12)


@given(units(), units(), st.integers(0, 2**63))
def test_the_stray_direction_is_of_length_one_orthogonal_to_both_and_known_by_its_seed(
    original: np.ndarray, gist: np.ndarray, seed: int
) -> None:
    stray = drift.stray_from(original, gist, seed)
    assert np.linalg.norm(stray) == pytest.approx(1, abs=1e-9)
    assert abs(float(stray @ original)) < 1e-7
    assert abs(float(stray @ gist)) < 1e-5  # of a gist all but parallel to the original, a little may remain
    assert np.array_equal(stray, drift.stray_from(original, gist, seed))
    assert not np.allclose(stray, drift.stray_from(original, gist, seed + 1))


def test_the_formula_to_the_letter() -> None:
    original, gist, stray = axis(0), axis(1), axis(2)
    way = (gist - original) / math.sqrt(2)
    step = math.cos(math.radians(25)) * way + math.sin(math.radians(25)) * stray
    wanted = original + 0.35 * (1 - 0.3) * step
    assert np.allclose(drift.move_meaning(original, gist, 0.3, stray), wanted / np.linalg.norm(wanted))
    further = drift.move_meaning(original, gist, 0.2, stray)
    assert further @ original < drift.move_meaning(original, gist, 0.4, stray) @ original, "the fainter, the further"


def test_a_gist_that_means_the_same_leads_only_astray() -> None:
    moved = drift.move_meaning(axis(0), axis(0), 0.3, axis(2))
    assert moved[2] > 0
    assert np.allclose(moved[[1, *range(3, DIMENSION)]], 0)


def test_where_there_is_no_room_nothing_strays() -> None:
    assert not drift.stray_from(np.array([1.0, 0.0]), np.array([0.0, 1.0]), 7).any()


@given(units(), units(), st.lists(units(), max_size=6))
def test_what_is_picked_is_nearest_and_like_the_original(
    original: np.ndarray, aim: np.ndarray, candidates: list[np.ndarray]
) -> None:
    place = drift.pick_wording(original, aim, candidates)
    cosines = [float(each @ aim) for each in candidates]
    if place is not None:
        assert cosines[place] == pytest.approx(max(cosines))
        assert cosines[place] >= float(original @ aim) - 1e-9
        assert float(candidates[place] @ original) >= drift.LIKE_ENOUGH - 1e-9
    elif cosines and max(cosines) > float(original @ aim) + 1e-9:
        best = candidates[int(np.argmax(cosines))]
        assert float(best @ original) < drift.LIKE_ENOUGH + 1e-9, "the nearest was not like it: the second is no help"


@given(units(), st.lists(units(), max_size=6))
def test_the_original_is_always_allowed_to_win(original: np.ndarray, candidates: list[np.ndarray]) -> None:
    assert drift.pick_wording(original, original, candidates) is None, "nothing is nearer to a place than what is there"
    assert drift.pick_wording(original, original, [original, *candidates]) is None, "and a tie is its own"


def test_a_wording_halfway_is_picked_and_one_too_far_is_not() -> None:
    near = (axis(0) + 0.3 * axis(1)) / math.hypot(1, 0.3)
    aim = drift.move_meaning(axis(0), axis(1), 0.2, np.zeros(DIMENSION), strength=0.8)
    assert drift.pick_wording(axis(0), aim, [axis(3), near]) == 1
    assert drift.pick_wording(axis(0), axis(1), [axis(1)]) is None, "nearest of all, but not like the original"


def test_rarity_is_the_mean_distance_to_the_twenty_nearest() -> None:
    assert drift.rarity([]) is None
    assert drift.rarity([0.5, 0.7]) == pytest.approx(0.4)
    assert drift.rarity([0.9] * 20 + [0.0] * 50) == pytest.approx(0.1)
    common, rare = drift.rarity([0.8] * 20), drift.rarity([0.2] * 20)
    assert common is not None
    assert rare is not None
    assert rare > common


# -- wordings ------------------------------------------------------------------------------------------------


def element(
    number: int, start: int, end: int, opacity: float = 0.3, gist: str = "something", level: int = 2
) -> Element:
    return Element(number, start, end, level, gist, Anchor.NONE, Trace(opacity, NOW, 86_400_000))


TEXT = "Olga hid 43 violet lanterns in Lisbon on 12 May 2023."
WHOLE = element(1, 0, len(TEXT), 0.8, "an outing", 0)


def at(number: int, words: str, opacity: float = 0.3, gist: str = "something", level: int = 2) -> Element:
    start = TEXT.index(words)
    return element(number, start, start + len(words), opacity, gist, level)


def able(*elements: Element, text: str = TEXT) -> set[int]:
    return {each.id for each in drift.driftable(text, elements, NOW, Fading())}


def test_only_blurred_details_of_their_own_drift() -> None:
    assert able(WHOLE, at(2, "Lisbon")) == {2}
    assert able(WHOLE, at(2, "Lisbon", 0.9), at(3, "43", 0.1)) == set(), "neither clear nor blank"
    assert able(element(1, 0, len(TEXT), 0.3, "an outing", 0)) == set(), "not the whole note"
    assert able(WHOLE, at(2, "Lisbon", gist=" ")) == set(), "without a gist there is nowhere to go"
    assert able(WHOLE, at(2, "43 violet lanterns", level=1), at(3, "43")) == {3}, "not what holds another"
    assert able(WHOLE, at(2, "43 violet"), at(3, "violet lanterns")) == set(), "nor what overlaps one"
    assert able(WHOLE, element(2, 5, 9, 0.3), element(3, 7, 7, 0.05)) == set(), "nor around a gap"
    twice = "Lisbon in May, LISBON in June"
    assert able(element(2, 0, 6), text=twice) == set(), "its words stand elsewhere too"
    assert drift.driftable(TEXT, [at(2, "Lisbon")], NOW, Fading(blurs=False)) == ()


@every_row(
    [
        (["Porto", " porto ", "a  city"], "Lisbon", [], ("Porto", "a city")),
        (["LISBON", "lisbon!", "near Lisbon", ""], "Lisbon", [], ()),
        (["Olga's town", "Porto"], "Lisbon", ["Olga"], ("Porto",)),
        (["xxx", "**Porto**", "<b>Porto</b>", "Porto\u202e", "…", "\u0301o"], "Lisbon", [], ()),
        (["a" * 25, "a" * 24], "Lisbon", [], ("a" * 24,)),
        (["上海", "北京的", "小王家"], "北京", ["小王"], ("上海",)),
        (list("abcdefgh"), "Lisbon", [], tuple("abcde")),
    ],
    unpack=True,
)
def test_wordings_are_short_plain_and_give_nothing_away(
    offered: list[str], original: str, hidden: list[str], kept: tuple[str, ...]
) -> None:
    assert drift.usable(offered, original, hidden) == kept


def test_other_words_move_what_stands_behind_them() -> None:
    elements = (
        WHOLE,
        at(2, "43", gist="dozens"),
        at(3, "Lisbon", gist="a town"),
        at(4, "on 12 May 2023", gist="in 2023"),
    )
    text, moved = drift.replace_details(TEXT, elements, {2: "about forty", 4: "in May 2023"})
    assert text == "Olga hid about forty violet lanterns in Lisbon in May 2023."
    by_id = {each.id: each for each in moved}
    said = {number: text[each.start : each.end] for number, each in by_id.items()}
    assert said == {1: text, 2: "about forty", 3: "Lisbon", 4: "in May 2023"}
    assert [by_id[each.id].trace for each in elements] == [each.trace for each in elements], "as faded as before"


def test_a_gist_that_would_tell_what_the_note_says_now_gives_way() -> None:
    elements = (WHOLE, at(2, "on 12 May 2023", gist="in May 2023"), at(3, "43", gist="dozens"))
    text, moved = drift.replace_details(TEXT, elements, {2: "in May 2023"})
    quotes = [text[each.start : each.end] for each in moved]
    assert all(each.gist and not gists.leaks(each.gist, quotes) for each in moved)
    assert moved[2].gist == "dozens" or moved[1].gist == "dozens", "what tells nothing stays"


def test_blanks_at_the_ends_of_a_detail_stay() -> None:
    text, moved = drift.replace_details("a  b  c", (element(1, 1, 6),), {1: "dd"})
    assert (text, (moved[0].start, moved[0].end)) == ("a  dd  c", (1, 7))


def test_wordings_for_nothing_or_running_into_a_neighbour_are_refused() -> None:
    with pytest.raises(ValueError, match="lie apart"):
        drift.replace_details(TEXT, (WHOLE,), {7: "x"})
    with pytest.raises(ValueError, match="lie apart"):
        drift.replace_details(TEXT, (at(2, "43 violet"), at(3, "violet lanterns")), {2: "x", 3: "y"})
    with pytest.raises(ValueError, match="neighbour"):
        drift.replace_details("a\U0001f642", (element(1, 0, 1),), {1: "c\u200d"})


words = st.text(alphabet="abc 东é", min_size=1, max_size=8).filter(lambda each: each.strip())


@given(st.data())
def test_what_is_not_replaced_keeps_its_words(data: st.DataObject) -> None:
    pieces = data.draw(st.lists(words, min_size=1, max_size=7))
    text = "|".join(pieces)
    starts = [sum(len(each) + 1 for each in pieces[:place]) for place in range(len(pieces))]
    elements = [element(0, 0, len(text), level=0)]
    elements += [
        element(place, start, start + len(each))
        for place, (start, each) in enumerate(zip(starts, pieces, strict=True), 1)
    ]
    chosen = data.draw(st.dictionaries(st.integers(1, len(pieces)), words))
    chosen = {place: each for place, each in chosen.items() if place <= len(pieces)}
    result, moved = drift.replace_details(text, elements, chosen)
    said = {each.id: result[each.start : each.end] for each in moved}
    assert said[0] == result
    for place, piece in enumerate(pieces, 1):
        wanted = chosen.get(place, piece).strip() if place in chosen else piece
        assert (said[place].strip() if place in chosen else said[place]) == wanted
    assert len(result) - len(text) == sum(len(c.strip()) - len(pieces[p - 1].strip()) for p, c in chosen.items())


def test_a_seed_is_the_same_everywhere() -> None:
    assert drift.seed_of(1, 2, 3) == 16_128_923_455_237_991_563
    assert drift.seed_of(1, 2, 3) != drift.seed_of(1, 23)
