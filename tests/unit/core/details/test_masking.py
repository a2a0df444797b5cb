"""What of a faded note shows: the rules of overlap, the pieces, the placeholders; Chinese, English, marks and emoji."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import groupby, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.decay.decay_policy import Fading
from soulmem.core.details.elements import MOST_ELEMENTS, Flaw, born, checked, everywhere, located
from soulmem.core.details.gap_fills import may_rewrite
from soulmem.core.details.masking import (
    PLACEHOLDERS,
    Mask,
    NoteState,
    Rendering,
    is_bare,
    masked_note,
    placeholder_for,
    render,
    segments_of,
    state_of,
    visible,
)
from soulmem.core.schema.detail_tasks import SegmentState
from soulmem.core.schema.note_requests import Anchor, ElementDraft, NoteKind
from soulmem.core.text.graphemes import widened

EXAMPLES = 20_000 if os.environ.get("SOULMEM_TORTURE") else 300
CLEAR, BLUR, BLANK = 0.9, 0.3, 0.1
ORDINARY = Fading()

GATE = "yesterday I saw a hissing black cat at the library gate"


def over(text: str, quote: str, opacity: float, gist: str = "", *, number: int, is_anchor: bool = False) -> Mask:
    start = text.index(quote)
    return Mask(number, start, start + len(quote), opacity, gist, is_anchor)


def states(rendering: Rendering) -> list[tuple[int, int, str]]:
    return [(piece.start, piece.end, piece.state.value) for piece in rendering.pieces]


# -- the known examples -----------------------------------------------------------------------------------


def test_the_cat_at_the_library_gate() -> None:
    masks = [
        Mask(1, 0, len(GATE), 0.40, "an outing"),
        over(GATE, "at the library gate", 0.30, "some public place", number=2),
        over(GATE, "hissing", 0.10, "angry", number=3),
        over(GATE, "black cat", 0.90, "an animal", number=4, is_anchor=True),
    ]
    shown = render(GATE, masks)
    assert shown.text == "xxx(an outing) black cat xxx(some public place)", "one mask for what is masked side by side"
    assert shown.state is NoteState.BLURRED
    assert shown.visible == {4}
    assert states(shown) == [(0, 18, "blur"), (18, 25, "blank"), (25, 36, "clear"), (36, 55, "blur")]


def test_a_faded_detail_hides_inside_a_clear_note() -> None:
    text = "Ann keeps a black cat at home"
    shown = render(text, [Mask(1, 0, len(text), CLEAR, "a pet"), over(text, "black cat", BLUR, "an animal", number=2)])
    assert shown.text == "Ann keeps a xxx(an animal) at home"
    assert shown.visible == {1}


def test_of_two_that_overlap_the_better_remembered_stays_legible() -> None:
    text = "abcdefghijklmn"
    shown = render(text, [Mask(1, 0, 10, CLEAR), Mask(2, 6, 14, BLUR, "letters")])
    assert shown.text == "abcdefghijxxx(letters)"
    assert states(shown) == [(0, 10, "clear"), (10, 14, "blur")]


@pytest.mark.parametrize(
    ("left", "right", "owner"),
    [
        (Mask(1, 0, 8, 0.3), Mask(2, 4, 12, 0.3, is_anchor=True), 2),
        (Mask(1, 0, 9, 0.3), Mask(2, 4, 12, 0.3), 2),
        (Mask(1, 0, 8, 0.3), Mask(2, 4, 12, 0.3), 1),
        (Mask(2, 0, 8, 0.3), Mask(1, 0, 8, 0.3), 1),
    ],
    ids=["anchor", "shorter", "lower id", "the same span"],
)
def test_ties_are_broken_by_anchor_length_and_id(left: Mask, right: Mask, owner: int) -> None:
    shown = render("abcdefghijkl", [left, right])
    middle = next(piece for piece in shown.pieces if piece.start <= 5 < piece.end)
    assert middle.owners == (owner,)


def test_what_no_element_covers_always_shows() -> None:
    shown = render("left middle right", [Mask(1, 5, 11, BLANK)])
    assert shown.text == "left xxx right"
    assert shown.pieces[0].owners == ()


def test_the_gist_stands_once_and_later_pieces_are_bare() -> None:
    text = "we took a red kite to the beach"
    masks = [Mask(1, 0, len(text), BLUR, "an afternoon"), over(text, "red kite", CLEAR, number=2)]
    assert render(text, masks).text == "xxx(an afternoon) red kite xxx"


@pytest.mark.parametrize(
    ("text", "start", "end", "opacity", "expected"),
    [
        ("Robin (5 May 2026): we sang", 7, 17, BLANK, "Robin: we sang"),
        ("Robin likes plums (5 May 2026).", 19, 29, BLANK, "Robin likes plums."),
        ("阿宁（2026年5月5日）：唱了歌", 3, 12, BLANK, "阿宁：唱了歌"),
        ("a (big) dog", 3, 6, CLEAR, "a (big) dog"),
    ],
)
def test_a_bracket_of_which_all_is_blank_is_none(
    text: str, start: int, end: int, opacity: float, expected: str
) -> None:
    shown = render(text, [Mask(1, start, end, opacity, "some time")])
    assert shown.text == expected
    assert shown.has_gaps == (opacity < CLEAR)


@pytest.mark.parametrize(
    ("text", "low", "expected"),
    [("Ann ran and fell over", 8, "xxx(a mishap)"), ("阿宁跑步摔了一跤", 2, "xxx(一次意外)")],
)
def test_a_note_masked_as_a_whole_says_the_one_thing_it_was(text: str, low: int, expected: str) -> None:
    gist, other = ("a mishap", "somebody") if text.isascii() else ("一次意外", "某个人")
    masks = [Mask(1, 0, len(text), BLUR, gist), Mask(2, 0, low, BLUR, other), Mask(3, low + 2, low + 3, BLANK)]
    assert render(text, masks).text == expected


def test_bare_placeholders_in_a_row_are_one() -> None:
    text = "one two three four"
    masks = [over(text, "one two", BLANK, number=1), over(text, "three four", BLUR, "", number=2)]
    assert render(text, masks).text == "xxx", "the blank between parts nothing"
    masks.append(Mask(3, 0, len(text), BLANK))
    assert render(text, masks).text == "xxx"


def test_punctuation_joins_masked_neighbours_and_shows_beside_clear_ones() -> None:
    text = "cats, dogs!"
    whole = Mask(1, 0, len(text), BLUR, "pets")
    both = [whole, over(text, "cats", BLANK, number=2), over(text, "dogs", BLANK, number=3)]
    assert render(text, both).text == "xxx"
    one = [whole, over(text, "cats", BLANK, number=2), over(text, "dogs", CLEAR, number=3)]
    assert render(text, one).text == "xxx, dogs!"


def test_a_note_of_which_no_letter_is_left_is_blank() -> None:
    assert render("Hello!", [Mask(1, 0, 5, BLUR, "a greeting")]).state is NoteState.BLANK
    assert render("Hello you!", [Mask(1, 0, 5, BLUR, "a greeting")]).state is NoteState.BLURRED
    assert render("Hello!", [Mask(1, 0, 5, CLEAR)]).state is NoteState.CLEAR
    assert render("", []).state is NoteState.CLEAR


def test_thresholds_are_the_minds_own() -> None:
    strict = Fading(blur_below=0.95, blank_below=0.9)
    assert [state_of(value).value for value in (0.5, 0.499, 0.2, 0.199)] == ["clear", "blur", "blur", "blank"]
    assert render("secret", [Mask(1, 0, 6, 0.92, "x")], strict).text == "xxx(x)"
    assert render("secret", [Mask(1, 0, 6, 0.0, "x")], Fading(blurs=False)).text == "secret"


def test_a_note_that_says_xxx_gets_another_sentinel() -> None:
    text = "she signed it xxx and left"
    shown = render(text, [over(text, "left", BLANK, number=1)])
    assert shown.text == "she signed it xxx and ___"
    assert placeholder_for("xxx ___ □□□ ▒▒▒") == "xxxx"
    assert placeholder_for("plain", ["a kiss xxx"]) == "___"
    assert placeholder_for("plain") == PLACEHOLDERS[0]


def test_segments_are_numbered_and_tell_only_what_is_known() -> None:
    text = "小林昨天在杭州哭了"
    masks = [over(text, "昨天", BLUR, "某个时候", number=1), over(text, "杭州", BLANK, "某地", number=2)]
    note = masked_note("N1", text, render(text, masks))
    assert [(s.number, s.state.value, s.text, s.gist, s.length) for s in note.segments] == [
        (1, "clear", "小林", "", 2),
        (2, "blur", "", "某个时候", 2),
        (3, "clear", "在", "", 1),
        (4, "blank", "", "", 2),
        (5, "clear", "哭了", "", 2),
    ]


def test_a_detail_that_was_given_up_leaves_a_gap() -> None:
    assert render("I met  there", [Mask(1, 6, 6, CLEAR)]).text == "I met xxx there"
    assert render("我见了。", [Mask(1, 3, 3, CLEAR)]).text == "我见了xxx。"
    swallowed = [Mask(1, 0, 5, BLUR, "something"), Mask(2, 3, 3, BLANK)]
    assert render("hello you", swallowed).text == "xxx(something) you"
    assert not render("I met  there", [Mask(1, 6, 6, CLEAR)]).has_gaps


def test_clear_words_stay_words_of_their_own() -> None:
    text = "we saw black cats again"
    masks = [Mask(1, 0, len(text), BLUR, "a walk"), over(text, "black cats", CLEAR, number=2)]
    assert render(text, masks).text == "xxx(a walk) black cats xxx"


# -- writing systems ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "hidden", "rest"),
    [
        ("我在𠮷野家遇见了她", "𠮷野家", "我在xxx遇见了她"),
        ("at the cafe\u0301 we met", "cafe\u0301", "at the xxx we met"),
        ("we ate 🍜 with 👩‍👩‍👧 there", "👩‍👩‍👧", "we ate 🍜 with xxx there"),
        ("flag 🇫🇷🇩🇪 day", "🇩🇪", "flag 🇫🇷xxx day"),
        ("मैं दिल्ली गया", "दिल्ली", "मैं xxx गया"),
        ("서울에서 만났다", "서울", "xxx에서 만났다"),
    ],
    ids=["astral", "combining", "joined emoji", "flags", "devanagari", "hangul"],
)
def test_offsets_are_code_points(text: str, hidden: str, rest: str) -> None:
    assert render(text, [over(text, hidden, BLANK, number=1)]).text == rest


@pytest.mark.parametrize(
    ("text", "cut", "whole"),
    [
        ("cafe\u0301!", (0, 4), (0, 5)),
        ("a👩‍👧b", (1, 2), (1, 4)),
        ("a👍🏽b", (2, 3), (1, 3)),
        ("🇫🇷🇩🇪", (1, 3), (0, 4)),
        ("🇫🇷🇩🇪", (2, 4), (2, 4)),
        ("\u1112\u1161\u11ab", (0, 1), (0, 3)),
        ("plain", (1, 3), (1, 3)),
        ("橘猫", (1, 2), (1, 2)),
    ],
)
def test_a_bound_never_parts_a_visible_character(text: str, cut: tuple[int, int], whole: tuple[int, int]) -> None:
    assert widened(text, *cut) == whole


# -- drafted elements ----------------------------------------------------------------------------------------


def test_every_note_has_an_element_over_its_whole_text() -> None:
    done = checked("We walked home.", [], gist="an outing")
    assert [(d.start, d.end, d.level, d.gist) for d in done.elements] == [(0, 15, 0, "an outing")]
    assert checked("We walked home.", [ElementDraft(3, 9, 2)], episodic=False).flaws == ((0, Flaw.KIND),)


@pytest.mark.parametrize(
    ("draft", "flaw"),
    [
        (ElementDraft(-1, 3, 2), Flaw.OUTSIDE),
        (ElementDraft(0, 99, 2), Flaw.OUTSIDE),
        (ElementDraft(5, 2, 2), Flaw.REVERSED),
        (ElementDraft(2, 2, 2), Flaw.EMPTY),
        (ElementDraft(2, 3, 2), Flaw.EMPTY),
        (ElementDraft(0, 2, 7), Flaw.LEVEL),
        (ElementDraft(0, 2, 0), Flaw.LEVEL),
        (ElementDraft(0, 15, 2), Flaw.DUPLICATE),
    ],
)
def test_drafts_that_make_no_sense_are_named(draft: ElementDraft, flaw: Flaw) -> None:
    done = checked("We walked home.", [draft])
    assert done.flaws == ((0, flaw),)
    assert [d.level for d in done.elements] == [0]


def test_duplicates_and_crowds_are_cut_and_anchors_go_first() -> None:
    text = " ".join(f"word{number:04}" for number in range(3_000))
    drafts = [ElementDraft(9 * i, 9 * i + 8, 2, "a word") for i in range(3_000)]
    drafts[500] = ElementDraft(4_500, 4_508, 2, "a word", Anchor.SPONTANEOUS)
    done = checked(text, [*drafts[:2], drafts[0], *drafts[2:]])
    assert len(done.elements) == MOST_ELEMENTS
    assert any(d.anchor is Anchor.SPONTANEOUS for d in done.elements)
    assert len(done.flaws) == 3_001 - (MOST_ELEMENTS - 1)
    assert (2, Flaw.DUPLICATE) in done.flaws


def test_a_quote_is_located_by_code_and_a_leaking_gist_replaced() -> None:
    text = "小林 told me the café code is 4821."
    found = located(text, "cafe\u0301 code", anchor=Anchor.NONE)
    assert found is not None
    assert text[found.start : found.end] == "café code"
    assert located(text, "nowhere", anchor=Anchor.NONE) is None
    code = located(text, "4821", gist="the number 4821", anchor=Anchor.NONE)
    assert code is not None
    done = checked(text, [code], gist="about the code 4821")
    assert done.leaking == 2
    assert all("4821" not in draft.gist for draft in done.elements)


def test_only_an_episodic_note_with_a_gap_is_rewritten_and_not_twice_within_ten_minutes() -> None:
    gap = render("secret word", [Mask(1, 0, 6, BLUR, "x")])
    assert may_rewrite(NoteKind.EPISODIC, gap, 0)
    assert not may_rewrite(NoteKind.SEMANTIC, gap, 0)
    assert not may_rewrite(NoteKind.EPISODIC, gap, 0, pinned=True)
    assert not may_rewrite(NoteKind.EPISODIC, gap, 599_999, rewritten_ms=0)
    assert may_rewrite(NoteKind.EPISODIC, gap, 600_000, rewritten_ms=0)
    assert not may_rewrite(NoteKind.EPISODIC, render("secret word", [Mask(1, 0, 6, CLEAR)]), 0)


# -- laws ----------------------------------------------------------------------------------------------------

letters = st.sampled_from("abcdefgh XY,.，。!?\n猫在图书馆门口𠮷🍜👩‍👧e\u0301é한xxx")
texts = st.text(letters, min_size=1, max_size=40)


@st.composite
def masked_texts(draw: st.DrawFn) -> tuple[str, list[Mask]]:
    text = draw(texts)
    masks = []
    for number in range(draw(st.integers(0, 12))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, len(text)))
        opacity = draw(st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.4999, 0.5, 0.7, 1.0]))
        masks.append(
            Mask(number, start, end, opacity, draw(st.sampled_from(["", "GIST", "某物"])), draw(st.booleans()))
        )
    return text, masks


def shown_places(rendering: Rendering) -> set[int]:
    return {at for piece in rendering.pieces if not piece.is_masked for at in range(piece.start, piece.end)}


def strictly_in(inner: Mask, outer: Mask) -> bool:
    spans = (inner.start, inner.end), (outer.start, outer.end)
    return spans[0] != spans[1] and outer.start <= inner.start and inner.end <= outer.end


@settings(max_examples=EXAMPLES, deadline=None)
@given(masked_texts())
def test_a_masked_innermost_element_never_shows_and_a_clear_one_always_does(case: tuple[str, list[Mask]]) -> None:
    text, masks = case
    shown = shown_places(render(text, masks))
    for mask in masks:
        others = [m for m in masks if m is not mask and m.start < mask.end and mask.start < m.end and m.start < m.end]
        if mask.start == mask.end or any(strictly_in(other, mask) for other in others):
            continue
        for at in range(mask.start, mask.end):
            over_it = [m for m in others if m.start <= at < m.end and not strictly_in(mask, m)]
            # a better remembered one, not around it and with nothing finer at this place, may show there
            if mask.opacity >= ORDINARY.blur_below:
                assert at in shown
            elif not any(m.opacity >= ORDINARY.blur_below for m in over_it) and not is_bare(text[at]):
                assert at not in shown


@settings(max_examples=EXAMPLES, deadline=None)
@given(masked_texts(), st.randoms(use_true_random=False))
def test_the_order_of_elements_changes_nothing(case: tuple[str, list[Mask]], shuffler: object) -> None:
    text, masks = case
    shuffled = list(masks)
    shuffler.shuffle(shuffled)  # type: ignore[attr-defined]
    assert render(text, shuffled) == render(text, masks)


@settings(max_examples=EXAMPLES, deadline=None)
@given(masked_texts())
def test_pieces_cover_the_text_once_and_alternate(case: tuple[str, list[Mask]]) -> None:
    text, masks = case
    shown = render(text, masks)
    assert "".join(text[piece.start : piece.end] for piece in shown.pieces) == text
    assert [piece.number for piece in shown.pieces] == list(range(1, len(shown.pieces) + 1))
    for left, right in pairwise(shown.pieces):
        assert left.end == right.start
        assert left.is_masked or right.is_masked
        assert not (left.state is right.state is SegmentState.BLANK)
    assert shown.placeholder not in text
    masked = [piece for piece in shown.pieces if piece.is_masked]
    assert not masked or shown.placeholder in shown.text or "(" in text or "（" in text, "but for the day in a bracket"
    assert masked or shown.placeholder not in shown.text
    for piece in masked:
        assert piece.owners
        for owner in (mask for mask in masks if mask.id in piece.owners and mask.start < mask.end):
            assert owner.opacity < ORDINARY.blur_below


@settings(max_examples=EXAMPLES, deadline=None)
@given(masked_texts())
def test_what_is_visible_is_told_without_rendering(case: tuple[str, list[Mask]]) -> None:
    text, masks = case
    for fading in (ORDINARY, Fading(blurs=False)):
        assert visible(text, masks, fading) == render(text, masks, fading).visible


@pytest.mark.parametrize("opacities", [(CLEAR, BLUR, CLEAR), (CLEAR, BLANK, BLUR), (BLUR, CLEAR, BLANK), (CLEAR,) * 3])
def test_a_clear_element_full_of_masked_ones_is_visible_by_what_is_clear_inside_those(
    opacities: tuple[float, ...],
) -> None:
    text = "a hissing black cat"
    spans = ((0, len(text)), (0, len(text) - 1), (2, 9))
    masks = [Mask(number, *span, opacity) for number, (span, opacity) in enumerate(zip(spans, opacities, strict=True))]
    assert visible(text, masks) == render(text, masks).visible


@settings(max_examples=EXAMPLES, deadline=None)
@given(masked_texts())
def test_segments_of_a_clear_note_give_the_text_back(case: tuple[str, list[Mask]]) -> None:
    text, masks = case
    clear = [Mask(m.id, m.start, m.end, max(m.opacity, 0.5), m.gist, m.is_anchor) for m in masks if m.start < m.end]
    shown = render(text, clear)
    assert shown.text == text
    assert "".join(segment.text for segment in segments_of(text, shown)) == text
    assert shown.state is NoteState.CLEAR
    assert shown.visible == {m.id for m in clear if not is_bare(text[m.start : m.end])}


@settings(max_examples=EXAMPLES, deadline=None)
@given(masked_texts())
def test_what_is_shown_is_made_of_clear_text_gists_and_placeholders_only(case: tuple[str, list[Mask]]) -> None:
    text, masks = case
    shown = render(text, masks)
    mark = re.escape(shown.placeholder)
    assert re.fullmatch("".join(_patterns(text, shown, mark)), shown.text, re.DOTALL)


def _patterns(text: str, shown: Rendering, mark: str) -> Iterator[str]:
    """What each stretch of clear text and each run of masks may look like, in order.

    A blank between two masks may be swallowed, a bracket too of which all is masked; of the gists some are told.
    """
    for is_masked, run in groupby(shown.pieces, key=lambda piece: piece.is_masked):
        stretch = list(run)
        if not is_masked:
            yield _clear_pattern(text[stretch[0].start : stretch[-1].end])
            continue
        every = "|".join(re.escape(" ".join(piece.gist.split())) for piece in shown.pieces if piece.shows_gist)
        told = rf"(?:{every})(?:(?:, |，)(?:{every}))*" if every else "(?!)"
        yield rf" ?(?:{mark}(?:\({told}\))?|{told})? ?"


def _clear_pattern(clear: str) -> str:
    """Clear text, of which brackets and blanks at the ends may be gone."""
    match = re.fullmatch(r"([)）]?)(.*?)( *[(（]?|\s*)", clear, re.DOTALL)
    assert match
    return "".join(
        rf"(?:{re.escape(part)})?" if at != 2 else re.escape(part) for at, part in enumerate(match.groups(), 1)
    )


@pytest.mark.parametrize(
    ("text", "spans", "expected"),
    [
        (
            "Ann met Tom in Rome",
            [(0, 3, "someone"), (8, 11, "someone"), (15, 19, "somewhere")],
            "xxx(someone) met xxx(someone) in xxx(somewhere)",
        ),
        ("my sister Ines sang", [(3, 9, "family"), (10, 14, "someone")], "my xxx(family, someone) sang"),
        ("Ines my sister", [(0, 4, "someone"), (5, 14, "someone in the family")], "xxx(someone in the family)"),
        ("我姐姐王芳来了", [(1, 3, "家里的某个人"), (3, 5, "某个人")], "我xxx(家里的某个人)来了"),
        ("Ines and more", [(0, 4, "someone"), (5, 8, "something more about it")], "xxx(someone) more"),
        ("王芳还有别的事", [(0, 2, "某个人"), (2, 4, "还有些别的")], "xxx(某个人)别的事"),
        ("Robin (5 May 2026): we sang", [(7, 17, "in May 2026")], "Robin (in May 2026): we sang"),
        ("阿宁（2026年5月5日）：唱了歌", [(3, 12, "2026年5月")], "阿宁（2026年5月）：唱了歌"),
        ("陈默昨天来了", [(0, 2, "某个人"), (2, 4, "某个时候")], "xxx(某个人，某个时候)来了"),
        ("ab cd", [(0, 2, "a person"), (3, 5, "a person")], "xxx(a person)"),
        ("one two three four five", [(0, 3, "w"), (4, 7, "x"), (8, 13, "y"), (14, 18, "z")], "xxx(w, x, y) five"),
        ("Ann, Tom and Li", [(0, 3, "someone"), (5, 8, "somebody")], "xxx(someone), xxx(somebody) and Li"),
    ],
)
def test_neighbouring_masks_are_told_in_one(text: str, spans: list[tuple[int, int, str]], expected: str) -> None:
    masks = [Mask(i, start, end, BLUR, gist) for i, (start, end, gist) in enumerate(spans, 1)]
    shown = render(text, masks)
    assert shown.text == expected
    assert [piece.owners for piece in shown.pieces if piece.is_masked] == [(i,) for i in range(1, len(spans) + 1)]


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts, st.lists(st.tuples(st.integers(-5, 45), st.integers(-5, 45), st.integers(-1, 3), texts), max_size=20))
def test_whatever_is_drafted_the_elements_are_sound(text: str, spans: list[tuple[int, int, int, str]]) -> None:
    drafts = [ElementDraft(start, end, level, gist) for start, end, level, gist in spans]
    done = checked(text, drafts, gist=text)
    bounds = [(d.start, d.end) for d in done.elements]
    assert len(bounds) == len(set(bounds)) <= MOST_ELEMENTS
    assert bounds[0] == (0, len(text))
    assert all(0 <= start < end <= len(text) for start, end in bounds)
    for draft in done.elements:
        for start, end in bounds:
            quote = text[start:end].strip()
            assert not quote or quote not in draft.gist or not draft.gist
    elements = born(done.elements, 0, Fading())
    assert render(text, [e.mask(0) for e in elements]).text == text
    assert render(text, [e.mask(10**12) for e in elements]).state is NoteState.BLANK or is_bare(text)


def test_what_is_sense_in_one_place_is_sense_everywhere() -> None:
    text = "Ann saw Bo. Bo saw Cy."
    drafts = [ElementDraft(0, 3, 2), ElementDraft(8, 10, 2), ElementDraft(12, 14, 2), ElementDraft(19, 21, 2)]
    assert set(everywhere(text, drafts, [(0, 11)])) == {(0, 11), (0, 3), (8, 10), (12, 14)}
    assert everywhere(text, drafts, []) == ()
