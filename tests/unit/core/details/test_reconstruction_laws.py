"""Laws of filling in: whatever comes back, clear words stay, what was hidden stays hidden, elements stay sound."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_reconstruction import MINE, NOW, element, faded, fills, shown, texts

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.traces import Trace
from soulmem.core.details.elements import Element
from soulmem.core.details.gap_fills import Faded, Refusal, RefusedFillError, refusals, usable
from soulmem.core.details.gists import leaks
from soulmem.core.details.masking import is_bare, render
from soulmem.core.details.reconstruction import Reconstruction, assemble
from soulmem.core.schema.detail_tasks import Fill
from soulmem.core.schema.note_requests import Anchor

EXAMPLES = 20_000 if os.environ.get("SOULMEM_TORTURE") else 300


def test_one_detail_is_filled_as_a_whole_or_not_at_all() -> None:
    text = "we took a red kite to the beach"
    note = faded(
        text, element(text, text, 0.3, "an afternoon", number=1, level=0), element(text, "red kite", 0.9, number=2)
    )
    given = fills(s1="they flew a")
    assert [(each.reason, each.segment) for each in refusals(note, given)] == [(Refusal.HALF_FILLED, 1)]
    assert usable(note, given) == ()
    assert usable(note, [*given, *fills(s3="all day"), Fill(MINE, 9, "x")]) == (*given, *fills(s3="all day"))


def test_a_note_is_never_emptied() -> None:
    text = "We met."
    note = faded(text, element(text, text, 0.3, "x", number=1, level=0))
    with pytest.raises(RefusedFillError) as caught:
        assemble(note, fills(s1=None), NOW)
    assert caught.value.reason is Refusal.NOTHING_LEFT


@st.composite
def faded_notes(draw: st.DrawFn) -> Faded:
    text = draw(texts)
    elements = []
    for number in range(1, draw(st.integers(1, 9)) + 1):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        trace = Trace(draw(st.sampled_from([0.1, 0.19, 0.3, 0.45, 0.6, 0.9])), NOW, draw(st.integers(1, 30)) * DAY_MS)
        gist = draw(st.sampled_from(["", "zzz", "某物"]))
        level = 0 if (start, end) == (0, len(text)) else draw(st.integers(1, 2))
        elements.append(Element(number, start, end, level, gist, Anchor.NONE, trace))
    return faded(text, *elements)


@st.composite
def answered(draw: st.DrawFn) -> tuple[Faded, list[Fill]]:
    note = draw(faded_notes())
    given = []
    for piece in note.rendering.pieces:
        if piece.is_masked and not piece.is_gone and draw(st.booleans()):
            word = draw(st.sampled_from([None, "q", "Q🍜", "字", "q́"]))
            given.append(Fill(MINE, piece.number, word))
    return note, list(usable(note, given))


def assembled(note: Faded, given: list[Fill]) -> Reconstruction | None:
    """The filled note; None where there was nothing to fill or nothing would be left."""
    if not given:
        return None
    try:
        return assemble(note, given, NOW)
    except RefusedFillError as refused:
        if refused.reason is not Refusal.NOTHING_LEFT:
            raise
    return None


@settings(max_examples=EXAMPLES, deadline=None)
@given(answered())
def test_every_clear_stretch_and_every_clear_element_keeps_its_words(case: tuple[Faded, list[Fill]]) -> None:
    note, given = case
    done = assembled(note, given)
    if done is None:
        return
    at = 0
    for piece in note.rendering.pieces:
        if not piece.is_masked:
            clear = note.text[piece.start : piece.end]
            at = done.text.index(clear, at) + len(clear)
    now_there = {each.id: each for each in done.elements}
    places = {i for p in note.rendering.pieces if not p.is_masked for i in range(p.start, p.end)}
    for each in note.elements:
        wholly_clear = places.issuperset(range(each.start, each.end))
        if wholly_clear and each.id in note.rendering.visible and each.id in now_there:
            after = now_there[each.id]
            assert done.text[after.start : after.end] == note.text[each.start : each.end]
            assert after.trace.strength(NOW) >= each.trace.strength(NOW)


@pytest.mark.parametrize(("gone", "secret"), [("at dawn ", "Ann"), ("清晨", "安娜"), ("清晨 ", "Ann")])
def test_what_alone_is_left_stays_hidden(gone: str, secret: str) -> None:
    """All else was given up, so the clear whole has come to span what is hidden, and nothing more."""
    text = gone + secret
    whole = element(text, text, 0.6, number=3, level=0)
    note = faded(
        text,
        element(text, gone, 0.1, number=1, level=1),
        element(text, secret, 0.3, number=2, level=1),
        whole,
        replace(whole, id=4, trace=replace(whole.trace, a0=0.1)),
    )
    done = assemble(note, fills(s1=None), NOW)
    assert done.text == secret
    assert secret not in shown(done)


@settings(max_examples=EXAMPLES, deadline=None)
@given(answered())
def test_what_was_not_answered_shows_no_more_than_before(case: tuple[Faded, list[Fill]]) -> None:
    note, given = case
    # each hidden character gets a letter of its own, so that it can be recognised
    secret = "".join(chr(0x4E00 + at) if not is_bare(char) else char for at, char in enumerate(note.text))
    note = faded(secret, *note.elements)
    done = assembled(note, list(usable(note, given)))
    if done is None:
        return
    seen = {c for p in note.rendering.pieces if not p.is_masked for c in secret[p.start : p.end] if not is_bare(c)}
    rendering = render(done.text, [each.mask(NOW) for each in done.elements])
    after = {c for p in rendering.pieces if not p.is_masked for c in done.text[p.start : p.end] if not is_bare(c)}
    assert after <= seen | set("qQ🍜字q́")
    assert seen <= after


@settings(max_examples=EXAMPLES, deadline=None)
@given(answered())
def test_the_elements_of_a_filled_note_are_sound(case: tuple[Faded, list[Fill]]) -> None:
    note, given = case
    done = assembled(note, given)
    if done is None:
        return
    bounds = [(each.start, each.end) for each in done.elements]
    assert len(bounds) == len(set(bounds))
    assert all(0 <= start <= end <= len(done.text) for start, end in bounds)
    assert len({each.id for each in done.elements}) == len(done.elements)
    quotes = [done.text[start:end] for start, end in bounds if start < end]
    assert not any(each.gist and leaks(each.gist, quotes) for each in done.elements)
    by_id = {each.id: each for each in note.elements}
    for each in done.elements:
        if each.id in by_id:
            assert each.trace.stability_ms >= by_id[each.id].trace.stability_ms


@settings(max_examples=EXAMPLES, deadline=None)
@given(faded_notes(), st.lists(st.tuples(st.integers(-2, 12), st.one_of(st.none(), st.text(max_size=12))), max_size=8))
def test_whatever_a_model_returns_only_what_fits_is_used(note: Faded, raw: list[tuple[int, str | None]]) -> None:
    given = [Fill(MINE, number, text) for number, text in raw]
    good = usable(note, given)
    assert set(good) <= set(given)
    if good:
        assert refusals(note, good) == ()
