"""What of a faded note shows: the rules of overlap, the pieces, the placeholders; Chinese, English, marks and emoji."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.decay.decay_policy import Fading
from soulmem.core.details.elements import Flaw, checked
from soulmem.core.details.masking import (
    PLACEHOLDERS,
    Mask,
    NoteState,
    Rendering,
    masked_note,
    placeholder_for,
    render,
    state_of,
)
from soulmem.core.schema.note_requests import ElementDraft, NoteKind
from soulmem.core.text.graphemes import widened

CLEAR, BLUR, BLANK = 0.9, 0.3, 0.1

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


@every_row(
    [
        ("我在𠮷野家遇见了她", "𠮷野家", "我在xxx遇见了她"),
        ("at the cafe\u0301 we met", "cafe\u0301", "at the xxx we met"),
        ("we ate 🍜 with 👩‍👩‍👧 there", "👩‍👩‍👧", "we ate 🍜 with xxx there"),
        ("flag 🇫🇷🇩🇪 day", "🇩🇪", "flag 🇫🇷xxx day"),
        ("मैं दिल्ली गया", "दिल्ली", "मैं xxx गया"),
        ("서울에서 만났다", "서울", "xxx에서 만났다"),
    ],
    unpack=True,
)
def test_offsets_are_code_points(text: str, hidden: str, rest: str) -> None:
    assert render(text, [over(text, hidden, BLANK, number=1)]).text == rest


@every_row(
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
    unpack=True,
)
def test_a_bound_never_parts_a_visible_character(text: str, cut: tuple[int, int], whole: tuple[int, int]) -> None:
    assert widened(text, *cut) == whole


# -- drafted elements ----------------------------------------------------------------------------------------


def test_every_note_has_an_element_over_its_whole_text() -> None:
    done = checked("We walked home.", [], gist="an outing")
    assert [(d.start, d.end, d.level, d.gist) for d in done.elements] == [(0, 15, 0, "an outing")]
    assert checked("We walked home.", [ElementDraft(3, 9, 2)], kind=NoteKind.PROCEDURAL).flaws == ((0, Flaw.KIND),)


@every_row(
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
    unpack=True,
)
def test_drafts_that_make_no_sense_are_named(draft: ElementDraft, flaw: Flaw) -> None:
    done = checked("We walked home.", [draft])
    assert done.flaws == ((0, flaw),)
    assert [d.level for d in done.elements] == [0]


# -- laws ----------------------------------------------------------------------------------------------------

letters = st.sampled_from("abcdefgh XY,.，。!?\n猫在图书馆门口𠮷🍜👩‍👧e\u0301é한xxx")
