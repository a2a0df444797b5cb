"""Splitting texts into pieces: what is found is the likeliest split there is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.embed.base.packed_table import PackedTable, packed, unpacked
from soulmem.embed.tokenizer.sentencepiece_file import read_pieces
from soulmem.embed.tokenizer.unigram_tokenizer import UNKNOWN, Unigram, normalised, write_vocabulary
from soulmem.errors import SoulmemError
from tiny_multilingual import CONTROL, PIECES, write_pieces

KNOWN = {piece: (number, score) for number, (piece, score) in enumerate(PIECES) if number >= len(CONTROL)}
NOBODYS = min(score for _, score in KNOWN.values()) - 10.0


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Unigram:
    folder = tmp_path_factory.mktemp("pieces")
    write_pieces(folder / "sp.model")
    read = read_pieces(folder / "sp.model")
    assert [(text, np.float32(score)) for text, score in PIECES] == [(text, np.float32(score)) for text, score in read]
    numbered = [(number, text, score) for number, (text, score) in enumerate(read) if number >= len(CONTROL)]
    write_vocabulary(numbered, folder / "pieces.npy")
    return Unigram.read(folder / "pieces.npy")


def splits(text: str) -> Iterator[tuple[float, list[int]]]:
    """Every split of a text, with its score: each step a piece, or one character that is none."""
    if not text:
        yield 0.0, []
        return
    for end in range(1, len(text) + 1):
        if text[:end] in KNOWN:
            number, score = KNOWN[text[:end]]
        elif end == 1:
            number, score = UNKNOWN, NOBODYS
        else:
            continue
        for rest, numbers in splits(text[end:]):
            yield score + rest, [number, *numbers]


@pytest.mark.thorough
@settings(max_examples=300)
@given(text=st.text(alphabet="acatlke 我去湖边娜🙂é", max_size=9))
def test_no_split_is_likelier(vocabulary: Unigram, text: str) -> None:
    written = normalised(text)
    found = vocabulary.ids(text, most=100)
    if not written:
        assert found == [UNKNOWN]
        return
    scored = list(splits(written))
    assert max(score for score, _ in scored) == pytest.approx(next(s for s, ids in scored if ids == found), abs=1e-4)


@every_row(
    [
        ("", ""),
        (" \t\n\u200b\ufeff", ""),
        ("the  cat\tsat", "▁the▁cat▁sat"),
        ("ＡＢ①　½", "▁AB1▁1⁄2"),
        ("e\u0301 é", "▁é▁é"),
        ("好的～", "▁好的～"),
        ("a▁b", "▁a▁b"),
    ],
    unpack=True,
)
def test_a_text_is_spelt_as_the_vocabulary_is(text: str, written: str) -> None:
    assert normalised(text) == written


def test_control_pieces_cannot_be_spelt_and_the_rest_is_cut(vocabulary: Unigram) -> None:
    assert not {1, 2} & set(vocabulary.ids("</s> <s>", most=100))
    assert vocabulary.ids("the cat 湖边", most=2) == vocabulary.ids("the cat", most=100)


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("the cat", 1.0),
        ("我去湖边", 1.0),
        ("🙂", 0.0),
        ("", 0.0),
        ("n n n n", 0.0),
        ("湖边 🙂🙂", 0.5),
        ("the nnn", 0.5),
    ],
)
def test_only_what_lies_in_pieces_with_a_meaning_is_read(vocabulary: Unigram, text: str, share: float) -> None:
    assert vocabulary.share_read(text) == pytest.approx(share)


@pytest.mark.parametrize("content", [b"", b"\x0a\x7f", b"\x0b", b"\xff\xff\xff", b"\x12\x01a"])
def test_what_is_no_vocabulary_is_one_clear_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "sp.model").write_bytes(content)
    with pytest.raises(SoulmemError) as raised:
        read_pieces(tmp_path / "sp.model")
    assert raised.value.name == "model_unavailable"
    assert "\n" not in raised.value.message
    np.save(tmp_path / "pieces.npy", np.arange(5))
    with pytest.raises(ValueError, match="no vocabulary"):
        Unigram.read(tmp_path / "pieces.npy")


@pytest.mark.thorough
@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 9), quarter=st.integers(1, 40))
def test_packing_loses_nothing(seed: int, rows: int, quarter: int) -> None:
    numbers = np.random.default_rng(seed).integers(0, 64, (rows, 4 * quarter), dtype=np.uint8)
    assert packed(numbers).shape == (rows, 3 * quarter)
    assert np.array_equal(unpacked(packed(numbers)), numbers)


def test_rows_are_read_from_the_disk_again_and_again(tmp_path: Path) -> None:
    numbers = np.random.default_rng(1).integers(0, 64, (50, 512), dtype=np.uint8)
    packed(numbers).tofile(tmp_path / "rows.bin")
    table = PackedTable(tmp_path / "rows.bin", 512)
    wanted = np.random.default_rng(2).integers(0, 50, 700)
    for _ in range(7):  # so many that pages are let go in between
        assert np.array_equal(table.rows(wanted), numbers[wanted])
    (tmp_path / "rows.bin").write_bytes(b"12345")
    with pytest.raises(ValueError, match="whole rows"):
        PackedTable(tmp_path / "rows.bin", 512)
