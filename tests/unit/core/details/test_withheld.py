"""What is kept back beside a faded text: tags, names, attributes and times that would say what its masks hide."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.iso8601 import parse_iso
from soulmem.core.details.field_redaction import UNKNOWN_AT_MS, Withheld
from soulmem.core.details.masking import Mask, render
from soulmem.core.text import tokens

EXAMPLES = 5_000 if os.environ.get("SOULMEM_TORTURE") else 200
BLUR, BLANK = 0.3, 0.1


def over(text: str, quote: str, opacity: float, gist: str = "") -> Withheld:
    start = text.index(quote)
    return Withheld(text, render(text, [Mask(1, start, start + len(quote), opacity, gist)]))


@every_row(
    [
        ("Mira hid the violet lantern in the bakery.", "violet lantern", "lantern", True),
        ("Mira hid the violet lantern in the bakery.", "violet lantern", "Violets", True),
        ("Mira hid the violet lantern in the bakery.", "violet lantern", "ultraviolet_lanterns", True),
        ("Mira hid the violet lantern in the bakery.", "violet lantern", "bakery", False),
        ("Mira hid the violet lantern in the bakery.", "the violet lantern", "the harbour", False),
        ("The lantern and another lantern.", "another lantern", "lantern", False),
        ("The code is 4711.", "4711", "pin-4711", True),
        ("The code is 4711.", "4711", "4712", False),
        ("米拉把紫水晶藏在港口。", "紫水晶", "水晶", True),
        ("米拉把紫水晶藏在港口。", "紫水晶", "港口", False),
        ("米拉把紫水晶藏在港口。", "紫水晶", "水果", False),
        ("李来了。", "李", "小李", True),
        ("Mira 把 amethyst 藏在港口。", "amethyst", "AMETHYST 石", True),
    ],
    unpack=True,
)
def test_words_that_hold_what_is_masked_tell(text: str, quote: str, words: str, tells: bool) -> None:
    assert over(text, quote, BLANK).tells(words) is tells
    assert over(text, quote, 0.9).tells(words) is False, "while it is clear nothing is kept back"


def test_a_value_loses_the_parts_that_tell() -> None:
    given: dict[str, Any] = {
        "hives": 3, "place": {"town": "Évora", "code": 4711}, "names": ["红", "the violet one"], "violet": 1,
        "on": True,
    }  # fmt: skip
    text = "In Évora the code of the violet door is 4711."
    withheld = over(text, "the code of the violet door is 4711", BLANK)
    assert withheld.without(given) == {"hives": 3, "place": {"town": "Évora"}, "names": ["红"], "on": True}
    assert over(text, "Évora", 0.9).without(given) == given


AT = parse_iso("2026-05-14T18:30:00Z")


@every_row(
    [
        ("On 14 May 2026 Mira sold the boat.", "14 May 2026", "in May 2026", "2026-05", None),
        ("On 14 May 2026 Mira sold the boat.", "14 May 2026", "in 2026", "2026", None),
        ("On 14 May 2026 Mira sold the boat.", "14 May 2026", "at some time", None, None),
        ("On 14 May 2026 Mira sold the boat.", "the boat", "a thing", "2026-05-14T18:30:00Z", "2026-05-14T18:30:00Z"),
        ("In May 2026 Mira sold the boat, at 18:30.", "at 18:30", "late", "2026-05-14", "2026-05-14"),
        ("米拉晚上六点卖了船。", "晚上六点", "某个时候", "2026-05-14", "2026-05-14"),
        ("2026年5月14日米拉卖了船。", "2026年5月14日", "2026年5月", "2026-05", None),
        ("2026年5月14日米拉卖了船。", "卖了船", "做了什么", "2026-05-14T18:30:00Z", "2026-05-14T18:30:00Z"),
        ("Today Mira sold the boat.", "Today", "lately", None, None),
        ("Mira was born on 3 June 1990.", "3 June 1990", "in 1990", "2026-05-14T18:30:00Z", "2026-05-14T18:30:00Z"),
    ],
    unpack=True,
)
def test_a_time_is_told_only_as_finely_as_it_still_shows(
    text: str, quote: str, gist: str, blurred: str | None, blank: str | None
) -> None:
    assert over(text, quote, BLUR, gist).known(AT) == blurred
    assert over(text, quote, BLANK, gist).known(AT) == blank
    assert over(text, quote, 0.9, gist).known(AT) == "2026-05-14T18:30:00Z"


def test_for_order_and_filters_a_known_stretch_counts_from_its_beginning() -> None:
    text = "On 14 May 2026 Mira sold the boat."
    assert over(text, "14 May 2026", BLUR, "in May 2026").known_from(AT) == parse_iso("2026-05-01T00:00:00Z")
    assert over(text, "14 May 2026", BLUR, "in 2026").known_from(AT) == parse_iso("2026-01-01T00:00:00Z")
    assert over(text, "14 May 2026", BLANK).known_from(AT) == UNKNOWN_AT_MS
    assert over(text, "the boat", BLANK).known_from(AT) == AT


@given(
    text=st.text(alphabet="abcdef 银钥匙在哪里12.,\n", max_size=60),
    spans=st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20), st.floats(0, 1)), max_size=5),
    at=st.integers(parse_iso("1900-01-01"), parse_iso("2100-01-01")),
)
@settings(max_examples=EXAMPLES, deadline=None)
def test_nothing_clear_is_kept_back_and_no_masked_word_passes(
    text: str, spans: list[tuple[int, int, float]], at: int
) -> None:
    rendering = render(text, [Mask(n, a, a + length, o) for n, (a, length, o) in enumerate(spans)])
    withheld = Withheld(text, rendering)
    assert bool(withheld) == any(piece.is_masked and not piece.is_gone for piece in rendering.pieces)
    assert not withheld.tells(rendering.text), "what shows may be said"
    shown = set(tokens.segment(rendering.text))
    for piece in rendering.pieces:
        words = text[piece.start : piece.end]
        hidden = {t for t in tokens.segment(words) if not tokens.is_grammar(t) and (len(t) > 1 or t.isascii())} - shown
        if piece.is_masked and hidden:
            assert withheld.tells(words)
            assert withheld.without({"a": [words]}) == {"a": []}
    assert withheld.known_from(at) <= at
