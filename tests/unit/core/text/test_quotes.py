"""Quotations are found where they stand, whatever a copyist did to blanks, widths and marks, and nowhere else."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.text.quote_matching import find_quote, is_telling

TEXT = "昨天 Ann 说：“我 喜欢\n乌龙茶，very much…” ❤️ naïve 👩‍👩‍👧 ㎏ the end."


@every_row(
    [
        ("我 喜欢\n乌龙茶", "我 喜欢\n乌龙茶"),
        ("我喜欢 ⏎ 乌龙茶", "我 喜欢\n乌龙茶"),
        ("我喜欢乌龙茶,very  much...", "我 喜欢\n乌龙茶，very much…"),
        ('"我喜欢乌龙茶"', "我 喜欢\n乌龙茶"),
        ("「very much」", "very much"),
        ("Ａｎｎ 说:", "Ann 说："),
        ("nai\u0308ve", "naïve"),
        ("❤️", "❤️"),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
        ("the end!", "the end"),
        ("...the end", "the end"),
        ("very\u200bmuch", "very much"),
    ],
    unpack=True,
)
def test_a_bent_copy_is_found_as_it_stands(quote: str, found: str) -> None:
    span = find_quote(quote, TEXT)
    assert span is not None
    assert TEXT[slice(*span)] == found


@every_row(["", " ", "\u200b", "?!", "我喜欢红茶", "ann 说", "very much indeed", "Ann … much", "end the", "x" * 10_000])
def test_what_does_not_stand_there_is_not_found(quote: str) -> None:
    assert find_quote(quote, TEXT) is None
    assert find_quote(quote, "") is None


def test_the_occurrence_wanted_is_found_or_the_last_there_is() -> None:
    text = "tea, more tea, no tea"
    assert [find_quote("tea", text, occurrence=n) for n in (1, 2, 3, 9)] == [(0, 3), (10, 13), (18, 21), (18, 21)]
    assert find_quote("ｔｅａ", text, occurrence=2) == (10, 13)


def test_a_quotation_tells_something_by_two_letters_or_by_being_all_there_is() -> None:
    assert is_telling("茶好", "茶好。")
    assert is_telling("no", "no way")
    assert is_telling("好", " 好 ")
    assert is_telling("👍", "👍")
    assert not is_telling("I", "I went")
    assert not is_telling("…", "so…")


words = st.text(st.sampled_from(list("ab Z9é好茶，。“”…\n\u3000👍❤\ufe0f-'ｆ１")), min_size=1, max_size=40)


@given(words, st.data())
def test_every_piece_of_a_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    piece = text[start:end].strip()
    span = find_quote(piece, text)
    if piece:
        assert span is not None
        assert text[slice(*span)] == piece


@given(st.text(st.sampled_from(list("ab Z9好茶 \n\u3000ｆ１")), min_size=2, max_size=30), st.booleans())
def test_a_piece_bent_in_blanks_and_width_is_found_around_the_same_letters(text: str, wide: bool) -> None:
    bent = "".join(unicodedata.normalize("NFKC", text).split())
    bent = "\u3000".join(chr(ord(c) + 0xFEE0) if wide and c.isascii() else c for c in bent)
    span = find_quote(bent, text)
    if bent:
        assert span is not None
        found = "".join(unicodedata.normalize("NFKC", text[slice(*span)]).split())
        assert found == "".join(unicodedata.normalize("NFKC", bent).split())


@given(st.text(max_size=60), st.text(max_size=60), st.integers(-2, 5))
def test_any_texts_give_a_span_inside_or_none(quote: str, text: str, occurrence: int) -> None:
    span = find_quote(quote, text, occurrence=occurrence)
    if span is not None:
        assert 0 <= span[0] < span[1] <= len(text)
