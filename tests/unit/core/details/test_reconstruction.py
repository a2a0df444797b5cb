"""Filling what faded: the text is assembled here, clear words stay to the letter, and what is refused has a name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.decay_policy import Fading
from soulmem.core.decay.traces import Trace
from soulmem.core.details.elements import Element
from soulmem.core.details.gap_fills import Faded, Refusal, RefusedFillError, refusals, usable
from soulmem.core.details.gists import leaks
from soulmem.core.details.masking import render
from soulmem.core.details.reconstruction import Reconstruction, assemble
from soulmem.core.schema.detail_tasks import Fill
from soulmem.core.schema.note_requests import Anchor

NOW = 1_000 * DAY_MS
GATE = "yesterday I saw a hissing black cat at the library gate"
MINE = "N1"


def element(text: str, quote: str, opacity: float, gist: str = "", *, number: int, level: int = 2) -> Element:
    """An element whose strength is `opacity` at NOW."""
    start = text.index(quote)
    trace = Trace(opacity, NOW, 7 * DAY_MS)
    return Element(number, start, start + len(quote), level, gist, Anchor.NONE, trace)


def faded(text: str, *elements: Element, version: int = 3) -> Faded:
    return Faded(MINE, version, text, elements, render(text, [each.mask(NOW) for each in elements]))


def gate() -> Faded:
    return faded(
        GATE,
        element(GATE, GATE, 0.40, "an outing", number=1, level=0),
        element(GATE, "at the library gate", 0.30, "some public place", number=2, level=1),
        element(GATE, "hissing", 0.10, "angry", number=3),
        element(GATE, "black cat", 0.90, "an animal", number=4),
    )


def fills(**texts: str | None) -> list[Fill]:
    return [Fill(MINE, int(number[1:]), text) for number, text in texts.items()]


def spans(done: Reconstruction) -> dict[int, str]:
    return {each.id: done.text[each.start : each.end] for each in done.elements}


def shown(done: Reconstruction, now: int = NOW) -> str:
    return render(done.text, [each.mask(now) for each in done.elements]).text


# -- assembling ----------------------------------------------------------------------------------------------


def test_the_gaps_of_the_library_gate_are_filled() -> None:
    done = assemble(gate(), fills(s1="last week I met a", s2="friendly", s4="by the market"), NOW)
    assert done.text == "last week I met a friendly black cat by the market"
    assert spans(done) == {
        1: done.text,
        2: "by the market",
        3: "friendly",
        4: "black cat",
    }
    assert (done.blur_fills, done.blank_fills, done.given_up) == (2, 1, 0)
    assert done.fidelity == pytest.approx(0.85**2 * 0.6)
    strength = {each.id: each.trace.strength(NOW) for each in done.elements}
    assert strength == pytest.approx({1: 0.7, 2: 0.7, 3: 0.6, 4: 0.95})
    gists = {each.id: each.gist for each in done.elements}
    assert gists == {1: "an outing", 2: "some public place", 3: "", 4: "an animal"}
    assert shown(done) == done.text


def test_stability_grows_once_from_what_was_left() -> None:
    done = assemble(gate(), fills(s1="last week I met a", s2="friendly", s4="by the market"), NOW)
    grown = {each.id: each.trace.stability_ms / (7 * DAY_MS) for each in done.elements}
    resistance = 7**-0.1
    expected = {1: 1 + 1.2 * resistance, 2: 1 + 1.4 * resistance, 3: 1 + 1.8 * resistance, 4: 1 + 0.2 * resistance}
    assert grown == pytest.approx(expected, rel=1e-6)
    assert all(each.trace.grown_ms == NOW for each in done.elements)


def test_later_clear_elements_keep_their_exact_words_when_lengths_change() -> None:
    text = "On Monday Ann baked a huge pie for Bob and sang."
    note = faded(
        text,
        element(text, text, 0.9, number=1, level=0),
        element(text, "Monday", 0.3, "a day", number=2),
        element(text, "huge pie", 0.1, number=3),
        element(text, "Bob", 0.9, "someone", number=4),
        element(text, "sang", 0.6, "made music", number=5),
    )
    done = assemble(note, fills(s2="some odd day", s4="loaf"), NOW)
    assert done.text == "On some odd day Ann baked a loaf for Bob and sang."
    assert spans(done)[4] == "Bob"
    assert spans(done)[5] == "sang"
    assert spans(done)[1] == done.text


def test_a_null_fill_keeps_the_placeholder_and_gives_the_detail_up() -> None:
    text = "Ann met Bob at the lake."
    note = faded(text, element(text, text, 0.9, number=1, level=0), element(text, "Bob", 0.1, "x", number=2))
    done = assemble(note, fills(s2=None), NOW)
    assert done.text == "Ann met  at the lake."
    assert shown(done) == "Ann met xxx at the lake."
    gone = next(each for each in done.elements if each.id == 2)
    assert (gone.start, gone.end, gone.gist) == (8, 8, "")
    assert done.fidelity == 1.0
    assert done.given_up == 1
    again = faded(done.text, *done.elements)
    assert refusals(again, fills(s2="Bob"))[0].reason is Refusal.GONE
    assert not again.rendering.has_gaps


def test_a_gap_given_up_within_a_longer_element_is_marked_too() -> None:
    text = "We drove far and ate plums and slept."
    note = faded(
        text,
        element(text, text, 0.3, "a trip", number=1, level=0),
        element(text, "ate plums", 0.9, number=2),
    )
    done = assemble(note, fills(s1=None, s3="and danced."), NOW)
    assert done.text == "ate plums and danced."
    assert shown(done) == "xxx ate plums and danced."
    assert [each.id for each in done.elements if each.start == each.end] == [-1]


def test_what_is_not_answered_stays_hidden() -> None:
    done = assemble(gate(), fills(s4="by the market"), NOW)
    assert done.text == "yesterday I saw a hissing black cat by the market"
    assert shown(done) == "xxx(an outing) black cat by the market"


def test_a_fresh_fill_uncovers_nothing_of_a_neighbour_that_still_is_hidden() -> None:
    text = "abcdefgh secret tail"
    note = faded(
        text,
        Element(1, 0, 15, 2, "letters", Anchor.NONE, Trace(0.45, NOW, DAY_MS)),
        Element(2, 9, 20, 2, "words", Anchor.NONE, Trace(0.3, NOW, DAY_MS)),
    )
    done = assemble(note, fills(s2="ends"), NOW)
    assert done.text == "abcdefgh secret ends"
    assert shown(done) == "xxx(letters) ends"


def test_blanks_that_flowed_together_share_one_fill() -> None:
    text = "I like plums, pears now"
    note = faded(
        text,
        element(text, text, 0.9, number=1, level=0),
        element(text, "plums", 0.1, number=2),
        element(text, ", ", 0.1, number=4),
        element(text, "pears", 0.1, number=3),
    )
    assert len(note.rendering.pieces) == 3
    done = assemble(note, fills(s2="red fruit"), NOW)
    assert done.text == "I like red fruit now"
    assert [done.text[e.start : e.end] for e in done.elements] == ["I like red fruit now", "red fruit"]
    assert shown(done) == done.text


def test_a_wholly_blank_note_is_told_anew() -> None:
    text = "Ann wept at the sea"
    note = faded(
        text,
        element(text, text, 0.1, number=1, level=0),
        element(text, "Ann", 0.1, number=2),
        element(text, "sea", 0.1, number=3),
    )
    done = assemble(note, fills(s1="Someone laughed"), NOW)
    assert done.text == "Someone laughed"
    assert [each.id for each in done.elements] == [1]
    assert done.fidelity == pytest.approx(0.6)


def test_the_chinese_fill_of_an_astral_text_keeps_its_offsets() -> None:
    text = "小林在𠮷野家👩‍👧门口哭了"
    note = faded(
        text,
        element(text, "𠮷野家", 0.3, "某个地方", number=1),
        element(text, "👩‍👧", 0.9, number=2),
        element(text, "哭", 0.9, number=3),
    )
    done = assemble(note, fills(s2="一家面馆"), NOW, language="zh")
    assert done.text == "小林在一家面馆👩‍👧门口哭了"
    assert spans(done) == {1: "一家面馆", 2: "👩‍👧", 3: "哭"}


def test_a_gist_that_the_fill_repeats_is_made_vaguer() -> None:
    text = "we met Tom there"
    note = faded(text, element(text, "Tom", 0.3, "a boy", number=1))
    done = assemble(note, fills(s2="a boy"), NOW)
    assert done.text == "we met a boy there"
    assert not leaks(done.elements[0].gist, ["a boy"])


def test_the_power_curve_starts_from_the_fills_strength_without_its_steep_beginning() -> None:
    text = "we met Tom there"
    trace = Fading().dues(Trace(0.9, NOW, DAY_MS))
    assert trace.blur_ms > NOW
    powered = replace(
        element(text, "Tom", 0.3, "a boy", number=1), trace=Trace(0.3, NOW, DAY_MS, curve=Fading().curve.POWER)
    )
    done = assemble(faded(text, powered), fills(s2="Tim"), NOW)
    after = done.elements[0].trace
    assert after.strength(NOW) == pytest.approx(0.7, abs=1e-6)
    assert after.strength(NOW + DAY_MS // 100) > 0.6


# -- refusals --------------------------------------------------------------------------------------------------


@every_row(
    [
        ([Fill("N2", 1, "x")], Refusal.WRONG_NOTE),
        ([Fill(MINE, 0, "x")], Refusal.UNKNOWN_SEGMENT),
        ([Fill(MINE, 99, "x")], Refusal.UNKNOWN_SEGMENT),
        ([Fill(MINE, 3, "a dog")], Refusal.NOT_MASKED),
        ([Fill(MINE, 2, "sad"), Fill(MINE, 2, "glad")], Refusal.FILLED_TWICE),
        ([Fill(MINE, 2, "")], Refusal.EMPTY),
        ([Fill(MINE, 2, " \n\t")], Refusal.EMPTY),
        ([Fill(MINE, 2, "...")], Refusal.EMPTY),
        ([Fill(MINE, 2, "\u200b\u200b")], Refusal.EMPTY),
        ([Fill(MINE, 2, "w" * 15)], Refusal.TOO_LONG),
        ([Fill(MINE, 2, "xxx")], Refusal.PLACEHOLDER),
        ([Fill(MINE, 2, "XXX(angry)")], Refusal.PLACEHOLDER),
        ([Fill(MINE, 2, "___ cat")], Refusal.PLACEHOLDER),
        ([Fill(MINE, 2, "<b>sad</b>")], Refusal.MARKUP),
        ([Fill(MINE, 2, "**sad**")], Refusal.MARKUP),
        ([Fill(MINE, 2, '{"a": 1}')], Refusal.MARKUP),
        ([Fill(MINE, 2, "sad\nglad")], Refusal.MARKUP),
        ([Fill(MINE, 2, "sad\x00")], Refusal.MARKUP),
        ([Fill(MINE, 2, "a\u202eb")], Refusal.MARKUP),
        ([Fill(MINE, 2, "a\ud800")], Refusal.MARKUP),
        ([], Refusal.NOTHING_FILLED),
    ],
    unpack=True,
)
def test_fills_that_cannot_be_used_are_refused_by_name(given: list[Fill], reason: Refusal) -> None:
    note = gate()
    assert refusals(note, given)[0].reason is reason
    with pytest.raises(RefusedFillError) as caught:
        assemble(note, given, NOW)
    assert caught.value.reason is reason
    assert usable(note, given) in ((), (Fill(MINE, 2, "sad"),))


def test_a_fill_may_be_twice_as_long_and_no_longer() -> None:
    assert refusals(gate(), fills(s2="w" * 14)) == ()
    assert refusals(gate(), fills(s2=f"  {'w' * 14}  ")) == (), "blanks around it do not count"


def test_another_version_refuses_everything() -> None:
    assert [each.reason for each in refusals(gate(), fills(s2="sad"), version=2)] == [Refusal.WRONG_VERSION]
    assert refusals(gate(), fills(s2="sad"), version=3) == ()


# -- laws --------------------------------------------------------------------------------------------------------

letters = st.sampled_from("abcdef GH,。猫在门口𠮷🍜e\u0301")
texts = st.text(letters, min_size=1, max_size=30)
