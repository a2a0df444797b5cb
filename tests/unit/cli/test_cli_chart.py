"""How forgetting is drawn: curves at their heights, bars that follow the text, pages that align in both languages."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.cli.commands.forecast import draw_forecast
from soulmem.cli.commands.forgotten import why
from soulmem.cli.commands.timeline import bar, opacities
from soulmem.cli.output.chart import Level, Points, chart, distinct, height, meter, value_at
from soulmem.cli.output.tables import width
from soulmem.core.details.masking import Mask, is_bare, render

LEVELS = (Level(0.5, "blurs"), Level(0.2, "goes"))
SHARE = st.floats(0.0, 1.0)


def fading(stability: float, days: int = 30) -> list[list[float]]:
    return [[day, round(0.9 * math.exp(-day / stability), 6)] for day in range(days + 1)]


# -- pieces --------------------------------------------------------------------------------------------------


@given(SHARE, SHARE, st.integers(1, 20))
def test_a_meter_grows_with_the_share_and_never_beyond_its_cells(one: float, other: float, cells: int) -> None:
    low, high = sorted((one, other))
    assert len(meter(low, cells)) <= len(meter(high, cells)) <= cells
    assert meter(1.0, cells) == "█" * cells
    assert meter(0.0, cells) == ""
    assert set(meter(one, cells)) <= set("▏▎▍▌▋▊▉█")


def test_heights_are_nine_and_only_nothing_is_a_dot() -> None:
    assert [height(eighths / 8) for eighths in range(9)] == list("·▁▂▃▄▅▆▇█")
    assert height(1e-9) == "▁"
    assert height(1.2) == "█"


@given(st.lists(SHARE, min_size=1, max_size=9), st.floats(-1, 20))
def test_between_two_points_a_curve_is_straight(shares: list[float], day: float) -> None:
    curve = [[2.0 * place, share] for place, share in enumerate(shares)]
    found = value_at(curve, day)
    left = shares[min(len(shares) - 1, max(0, int(day // 2)))]
    right = shares[min(len(shares) - 1, max(0, int(day // 2) + 1))]
    assert min(left, right) - 1e-9 <= found <= max(left, right) + 1e-9
    for at, share in curve:
        assert value_at(curve, at) == pytest.approx(share)


def test_curves_that_look_alike_share_a_letter() -> None:
    slow, fast = fading(30), fading(3)
    assert distinct([slow, fast, slow, [[day, at + 1e-5] for day, at in fast]]) == [0, 1, 0, 1]


# -- the chart -----------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(
    stabilities=st.lists(st.floats(0.1, 400), min_size=1, max_size=12), days=st.integers(1, 3650),
    columns=st.integers(1, 200), rows=st.integers(2, 20),
)  # fmt: skip
def test_a_chart_keeps_to_its_size_and_bears_every_letter(
    stabilities: list[float], days: int, columns: int, rows: int
) -> None:
    curves: list[Points] = [[[days * i / 40, math.exp(-i / each)] for i in range(41)] for each in stabilities]
    lines = chart(curves, columns=columns, rows=rows, levels=LEVELS)
    assert len(lines) == rows + 2
    assert all(width(line) <= max(20, columns) for line in lines)
    field = "".join(line.split("┤", 1)[1] for line in lines[:rows])
    if columns >= 60:
        assert {character for character in field if character.isascii() and character.isalpha()} == set(
            "abcdefghijkl"[: len(curves)]
        )
    assert lines[-1].split()[0] == "now"


def test_a_curve_is_drawn_where_it_is() -> None:
    lines = chart([[[0, 1.0], [10, 1.0]]], columns=40, rows=5, levels=LEVELS)
    assert re.fullmatch(r"    1 ┤[⠉a]+", lines[0])
    assert [line.split("┤")[0].strip() for line in lines[:5]] == ["1", "", "blurs", "goes", "0"]
    falling = chart([[[0, 1.0], [10, 0.0]]], columns=40, rows=5)
    firsts = [min(i for i, mark in enumerate(line) if mark > "⠀" or mark == "a") for line in falling[:5]]
    assert firsts == sorted(firsts)
    steep = chart([[[0, 1.0], [5, 1.0], [5.001, 0.0], [10, 0.0]]], columns=40, rows=5)
    assert all(re.search("[⠁-⣿a]", line.split("┤")[1]) for line in steep[:5]), "a fall leaves no gap"


@pytest.mark.parametrize(("days", "last"), [(1, "1 d"), (30, "30 d"), (3650, "3650 d")])
def test_the_days_stand_below(days: int, last: str) -> None:
    lines = chart([[[0, 1.0], [days, 0.5]]], columns=80, rows=4)
    assert lines[-1].endswith(last)
    assert width(lines[-1]) <= width(lines[-2])


# -- the page of a forecast ----------------------------------------------------------------------------------


def forecast(quotes: list[str], gists: list[str], text: str, **more: Any) -> dict[str, Any]:
    span = {"level": 2, "anchor": "none", "stability_days": 7.0, "blurs_at": "2026-03-15T08:00:00Z"}
    elements = [
        span | {"quote": words, "state": "clear", "opacity": 0.9, "blanks_at": None, "points": fading(7)}
        for words in quotes
    ]
    elements += [
        span | {"gist": words, "state": "blurred", "opacity": 0.3, "blanks_at": "2026-03-09T08:00:00Z",
                "blurs_at": "2026-02-01T08:00:00Z", "points": fading(3)}
        for words in gists
    ]  # fmt: skip
    links = [
        {"id": f"l{i}", "note": f"n{i}", "kind": "association", "verb": "", "strength": 0.5, "points": fading(9),
         "dies_at": "2026-05-01T08:00:00Z"}
        for i in range(2)
    ]  # fmt: skip
    return {
        "id": "n1", "text": text, "state": "clear", "now": "2026-03-01T08:00:00Z", "days": 30, "blur_below": 0.5,
        "blank_below": 0.2, "elements": elements, "links": links, "more_links": 0,
    } | more  # fmt: skip


@pytest.mark.parametrize(
    ("quotes", "gists", "text"),
    [
        (["the whole thing", "black cat"], ["an animal"], "I saw xxx(an animal)"),
        (["整件事情", "黑猫"], ["某种动物"], "我看见了xxx(某种动物)"),
        (["整件事 and more", "cat 猫"], ["某种 animal"], "我看见了xxx(某种 animal)"),
    ],
)
def test_a_page_aligns_in_both_languages_and_names_each_detail(quotes: list[str], gists: list[str], text: str) -> None:
    lines = draw_forecast(forecast(quotes, gists, text), {"n0": "长长的笔记", "n1": "short"})
    assert lines[0] == text
    start = next(i for i, line in enumerate(lines) if line.split() == ["now", "blurs", "goes", "what"])
    rows = lines[start + 1 : start + 1 + len(quotes) + len(gists)]
    at = width(lines[start][: lines[start].index("what")])
    for row, words in zip(rows, [*quotes, *(f"({gist})" for gist in gists)], strict=True):
        assert row.endswith(words)
        assert width(row[: -len(words)]) == at
    assert [row[0] for row in rows] == ["a", "a", "b"]
    assert "2026-03-15, 14 d" in rows[0]
    assert "never" in rows[0]
    assert rows[-1].split("  ")[2:4] == ["blurred", "2026-03-09, 8 d"] or "blurred" in rows[-1]
    head = next(i for i, line in enumerate(lines) if line.startswith("link"))
    ends = [width(lines[head + 1 + i].removesuffix(name)) for i, name in enumerate(("长长的笔记", "short"))]
    assert ends[0] == ends[1]
    assert "2026-05-01, 61 d" in lines[head + 1]


@every_row(
    [
        ({"at": None, "kept_by": "pinned"}, "pinned"),
        ({"at": None, "kept_by": "settings"}, "deletes nothing"),
        ({"at": None, "kept_by": "open_epoch"}, "soulmem sleep"),
        ({"at": None, "kept_by": None}, "not forgotten"),
        ({"at": "2026-04-10T08:00:00Z", "kept_by": None}, "forgotten: 2026-04-10, 40 d"),
        ({"at": "2026-03-31T08:00:00Z", "kept_by": "tombstone"}, "soulmem remember n1"),
    ],
    unpack=True,
)
def test_a_page_tells_how_the_note_ends(dies: dict[str, Any], told: str) -> None:
    lines = draw_forecast(forecast(["all of it"], [], "all of it", dies=dies), {})
    assert told in lines[-2]


def test_links_that_are_not_shown_are_counted() -> None:
    many = forecast(["x"], [], "x")
    many["links"] = many["links"] * 8
    lines = draw_forecast(many | {"more_links": 3}, {})
    assert sum(line.startswith(("l0", "l1")) for line in lines) == 12
    assert "and 7 weaker links" in lines


# -- the timeline --------------------------------------------------------------------------------------------


@st.composite
def spans(draw: st.DrawFn) -> tuple[str, list[dict[str, Any]]]:
    text = draw(st.text(alphabet="abc 猫狗，", min_size=1, max_size=16))
    edges = st.integers(0, len(text))
    pairs = draw(st.lists(st.tuples(edges, edges), max_size=5))
    shares = draw(st.lists(st.floats(0.01, 1.0), min_size=5, max_size=5, unique=True))
    return text, [
        {"start": min(pair), "end": max(pair), "opacity": share, "state": "clear"}
        for pair, share in zip(pairs, shares, strict=False)
        if pair[0] != pair[1]
    ]


@given(spans())
def test_a_bar_shows_what_a_reader_sees(found: tuple[str, list[dict[str, Any]]]) -> None:
    """The same element decides about a character here and where the text is masked."""
    text, elements = found
    masks = [Mask(i, each["start"], each["end"], each["opacity"]) for i, each in enumerate(elements)]
    left = opacities(len(text), elements)
    for piece in render(text, masks).pieces:
        for place in range(piece.start, piece.end):
            if not is_bare(text[place]):
                assert (left[place] < 0.5) is piece.is_masked


@pytest.mark.parametrize(
    ("text", "shown"),
    [("abcdefgh", "████▂▂▂▂"), ("ab", "████▂▂▂▂"), ("abcdefghijklmnop", "████▂▂▂▂"), ("图书馆里的一只猫", "████▂▂▂▂")],
)
def test_a_bar_runs_along_the_text(text: str, shown: str) -> None:
    half = len(text) // 2
    elements = [{"start": 0, "end": len(text), "opacity": 1.0}, {"start": half, "end": len(text), "opacity": 0.25}]
    assert bar({"text": text, "elements": elements}, 8) == shown
    assert bar({"text": text, "elements": []}, 8) == "████████"


def test_a_note_without_text_has_a_bar_too() -> None:
    assert len(bar({"text": "", "elements": []}, 8)) == 8


def test_reasons_are_words() -> None:
    assert why({"reason": "isolated"}) == "nothing led to it any more"
    assert why({"reason": "something new"}) == "something new"
    assert why({"reason": "merged", "merged_into": "n3"}) == "it became part of n3"
    assert why({}) == "-"


def test_colour_changes_nothing_but_the_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    page = forecast(["the cat", "黑猫"], ["某种动物"], "a cat 猫")
    plain = draw_forecast(page, {})
    assert not any("\x1b" in line for line in plain)
    monkeypatch.setattr("soulmem.cli.output.tables.coloured", lambda _: True)
    bright = draw_forecast(page, {})
    assert sum("\x1b" in line for line in bright) > 10
    assert [re.sub(r"\x1b\[\d+m", "", line) for line in bright] == plain
