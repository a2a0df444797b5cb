"""Splitting a text into the pieces of a SentencePiece unigram vocabulary, without the vocabulary's strings in memory.

Written by `install_use` as one small file, read by `use`. A piece is known by a 64-bit hash of its characters: the
hashes of all stretches of a text are computed and looked up at once, and a Viterbi pass over what was found chooses the
likeliest split. 128,000 pieces take 2 MB; a table of strings would take twenty times as much. Invariant: the ids of a
text are those that SentencePiece gives it (`nmt_nfkc`, a space in front, spaces as ▁), but that no text can spell a
control piece.

Method: Kudo 2018 (subword regularisation), its most probable segmentation.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from soulmem.text_memo import text_memo

Hashes = NDArray[np.uint64]

UNKNOWN = 0
_SPACE = "▁"
# What `nmt_nfkc` makes a space beyond what NFKC does, and the one character it leaves alone.
_SPACES = dict.fromkeys(map(ord, "\t\n\f\r\u1680\u200b\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd"), " ")
_KEPT = "\uff5e"
# Han with its extensions, kana, Hangul, Thai: a character may be a word
_UNSPACED = re.compile(
    "[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_BASE, _SPREAD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
_UNKNOWN_PENALTY = 10.0  # below the least score of any piece, as SentencePiece has it
_LOWEST = -1e38
_SPLITS_KEPT = 64  # texts: those of a few batches
_LAYOUT = np.dtype([("key", "<u8"), ("id", "<i4"), ("score", "<f4")])


class Unigram:
    """A vocabulary: its pieces by hash, with their ids and scores (log-probabilities)."""

    def __init__(self, keys: Hashes, ids: NDArray[np.int32], scores: NDArray[np.float32], longest: int) -> None:
        """Args: keys: sorted; longest: characters of the longest piece."""
        self._keys = keys
        self._ids = ids
        self._scores = scores
        self._longest = longest
        self._unknown_score = float(scores.min()) - _UNKNOWN_PENALTY
        # Whether a text can be read is asked shortly before its pieces are.
        self._split = text_memo(_SPLITS_KEPT)(self._likeliest_split)

    @classmethod
    def read(cls, file: Path) -> Unigram:
        """The vocabulary that `write` left. Raises OSError, ValueError: the file is missing or damaged."""
        table = np.load(file, allow_pickle=False)
        if table.dtype != _LAYOUT or len(table) < 2 or not (np.diff(table["key"][1:].view(np.int64)) != 0).all():
            raise ValueError(f"{file.name} holds no vocabulary")
        held = table[1:]  # the first row tells the longest piece
        return cls(
            np.ascontiguousarray(held["key"]),
            np.ascontiguousarray(held["id"]),
            np.ascontiguousarray(held["score"]),
            int(table["id"][0]),
        )

    @property
    def last(self) -> int:
        """The largest id."""
        return int(self._ids.max())

    def ids(self, text: str, *, most: int) -> list[int]:
        """The ids of the first `most` pieces of a text; `[UNKNOWN]` for one without anything to read."""
        written = normalised(text)
        return [number for number, _ in self._split(written)[:most]] if written else [UNKNOWN]

    def share_read(self, text: str) -> float:
        """The share of a text's characters that lie in pieces with a meaning; 0.0 where there are none at all.

        A single letter of an alphabet has none; a character of a script that is written without spaces may.
        """
        written = normalised(text)
        read = total = at = 0
        for number, length in self._split(written):
            piece = written[at : at + length].lstrip(_SPACE)
            at += length
            total += len(piece)
            if number != UNKNOWN and (len(piece) > 1 or not _is_letter(piece)):
                read += len(piece)
        return read / total if total else 0.0

    def _likeliest_split(self, written: str) -> list[tuple[int, int]]:
        """The likeliest pieces of a normalised text: their ids and lengths."""
        codes = _codes(written)
        starts, lengths, found = self._pieces_in(codes)
        # Where pieces begin, the likeliest way there so far: its score, and the last piece of it.
        count = len(codes)
        best, came, piece = [0.0] + [_LOWEST] * count, [0] * (count + 1), [UNKNOWN] * (count + 1)
        bounds = np.searchsorted(starts, np.arange(count + 1)).tolist()
        ends, ids = (starts + lengths).tolist(), self._ids[found].tolist()
        scores = self._scores[found].tolist()
        for start in range(count):
            here, after = best[start], start + 1
            first, last = bounds[start], bounds[after]
            for place in range(first, last):
                score = here + scores[place]
                end = ends[place]
                if score > best[end]:
                    best[end], came[end], piece[end] = score, start, ids[place]
            if first == last or ends[first] != after:  # no piece of this one character
                score = here + self._unknown_score
                if score > best[after]:
                    best[after], came[after], piece[after] = score, start, UNKNOWN
        path = []
        while count:
            path.append((piece[count], count - came[count]))
            count = came[count]
        return path[::-1]

    def _pieces_in(self, codes: Hashes) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Where pieces start in a text, their lengths, and their places in the vocabulary, by start and length."""
        count = len(codes)
        ahead = np.concatenate([codes, np.zeros(self._longest, dtype=np.uint64)])
        keys = np.empty((count, self._longest), dtype=np.uint64)
        rolling = np.zeros(count, dtype=np.uint64)
        for length in range(self._longest):
            rolling = rolling * _BASE + ahead[length : length + count]
            keys[:, length] = rolling
        places = np.searchsorted(self._keys, keys.ravel())
        places[places == len(self._keys)] = 0
        hits = np.flatnonzero(self._keys[places] == keys.ravel())
        starts, lengths = hits // self._longest, hits % self._longest + 1
        whole = starts + lengths <= count
        return starts[whole], lengths[whole], places[hits[whole]]


def write_vocabulary(pieces: Sequence[tuple[int, str, float]], file: Path) -> None:
    """Write pieces, as (id, characters, score), to where `Unigram.read` finds them.

    Raises ValueError: two of them have one hash.
    """
    table = np.zeros(len(pieces) + 1, dtype=_LAYOUT)
    table["id"][0] = max(len(piece) for _, piece, _ in pieces)
    held = table[1:]
    held["id"] = [number for number, _, _ in pieces]
    held["score"] = [score for _, _, score in pieces]
    held["key"] = _keys([piece for _, piece, _ in pieces])
    held.sort(order="key")
    if len(np.unique(held["key"])) != len(held):
        raise ValueError("two pieces of the vocabulary cannot be told apart")
    with file.open("wb") as stream:
        np.save(stream, table, allow_pickle=False)


def normalised(text: str) -> str:
    """A text as the vocabulary spells it: `nmt_nfkc`, one ▁ before each word."""
    spaced = text.translate(_SPACES)
    folded = _KEPT.join(unicodedata.normalize("NFKC", part) for part in spaced.split(_KEPT))
    words = [word for word in folded.split(" ") if word]
    return "".join(_SPACE + word for word in words)


def _is_letter(character: str) -> bool:
    return character.isalpha() and not _UNSPACED.match(character)


def _codes(text: str) -> Hashes:
    """The characters of a text as numbers far apart; none is 0."""
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4").astype(np.uint64)
    mixed: Hashes = (codes + np.uint64(1)) * _SPREAD
    return mixed ^ (mixed >> np.uint64(29))


def _keys(pieces: Sequence[str]) -> Hashes:
    """The hash of each piece, of all at once: there are a hundred thousand."""
    lengths = np.array([len(piece) for piece in pieces], dtype=np.int64)
    codes, starts = _codes("".join(pieces)), np.cumsum(lengths) - lengths
    keys: Hashes = np.zeros(len(pieces), dtype=np.uint64)
    for place in range(int(lengths.max(initial=0))):
        longer = np.flatnonzero(lengths > place)
        keys[longer] = keys[longer] * _BASE + codes[starts[longer] + place]
    return keys
