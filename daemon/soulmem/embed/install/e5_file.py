"""Reading the file of multilingual-e5-small that its wheel holds: its pieces, and where its tensors lie.

Called when the model is installed. The file begins with `E5S1`, a version and the sizes of the network; then come the
pieces with their scores, a table of normalisation that nobody here needs, and a directory of tensors: matrices as
blocks (`packed_table`), all else as float32. All numbers are little-endian. Invariant: what is returned lies within the
file and has the sizes that the network has.
"""

from __future__ import annotations

import struct
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.base.packed_table import BLOCK, BLOCK_BYTES
from soulmem.errors import model_unavailable
from soulmem.fast_dataclasses import dataclass

_MAGIC, _VERSION = b"E5S1", 1
_FLOATS, _BLOCKS = 0, 1  # kinds of tensors
_FLOAT_BYTES = 4


@dataclass(frozen=True, slots=True)
class E5Shape:
    """The sizes of the network."""

    hidden: int
    layers: int
    heads: int
    wide: int
    positions: int


@dataclass(frozen=True, slots=True)
class E5Tensor:
    """Where a tensor lies: weights as float32 or in blocks, their number, and where they begin."""

    in_blocks: bool
    count: int
    offset: int

    @property
    def length(self) -> int:
        """In bytes."""
        return self.count // BLOCK * BLOCK_BYTES if self.in_blocks else self.count * _FLOAT_BYTES


class E5File:
    """The file, mapped; what is asked of it is a copy."""

    def __init__(self, file: Path) -> None:
        """Raises SoulmemError: `model_unavailable`, when this is no such file."""
        try:
            self._bytes = np.memmap(file, dtype=np.uint8, mode="r")
            reader = _Reader(self._bytes)
            if reader.taken(4) != _MAGIC or reader.numbers("<I") != (_VERSION,):
                raise ValueError("it does not begin as such a file does")
            hidden, layers, heads, wide, _, positions, _ = reader.numbers("<7i")
            reader.numbers("<f")  # what is added to a variance: it is that of all such networks
            if reader.numbers("<i") != (BLOCK,):
                raise ValueError("its blocks have another size")
            self.shape = E5Shape(hidden, layers, heads, wide, positions)
            self.controls, self.pieces = _pieces(reader)
            reader.taken(reader.numbers("<iI")[1])
            self._places = _directory(reader)
        except (OSError, ValueError, struct.error, UnicodeDecodeError) as error:
            raise model_unavailable(f"{file.name} is no file of multilingual-e5-small: {error}") from error

    def floats(self, name: str) -> NDArray[np.float32]:
        """A tensor of float32, (n,). Raises KeyError: there is none of that name."""
        place = self._places[name]
        if place.in_blocks:
            raise KeyError(name)
        return self._bytes[place.offset : place.offset + place.length].view("<f4").astype(np.float32)

    def blocks(self, name: str, width: int) -> NDArray[np.uint8]:
        """The rows of a matrix of so many columns, (n, width / 32 * 18). Raises KeyError: there is none such."""
        place = self._places[name]
        if not place.in_blocks:
            raise KeyError(name)
        found = np.array(self._bytes[place.offset : place.offset + place.length])
        return found.reshape(-1, width // BLOCK * BLOCK_BYTES)


class _Reader:
    """Reads a file from its beginning."""

    def __init__(self, held: NDArray[np.uint8]) -> None:
        self._held, self._at = held, 0

    def taken(self, size: int) -> bytes:
        """The next bytes. Raises ValueError: there are not so many."""
        if size < 0 or self._at + size > len(self._held):
            raise ValueError("it ends too early")
        found = self._held[self._at : self._at + size].tobytes()
        self._at += size
        return found

    def numbers(self, form: str) -> tuple[int, ...]:
        return struct.unpack(form, self.taken(struct.calcsize(form)))

    @property
    def size(self) -> int:
        """Of the whole file."""
        return len(self._held)


def _pieces(reader: _Reader) -> tuple[tuple[int, int, int, int], list[tuple[str, float]]]:
    """The ids of begin, end, padding and unknown; each piece with its score."""
    count, *controls = reader.numbers("<5i")
    (size,) = reader.numbers("<Q")
    bounds = np.frombuffer(reader.taken((count + 1) * 4), "<u4").tolist()
    scores = np.frombuffer(reader.taken(count * 4), "<f4").tolist()
    text = reader.taken(size)
    if (
        bounds != sorted(bounds)
        or (bounds[0], bounds[-1]) != (0, size)
        or not all(0 <= number < count for number in controls)
    ):
        raise ValueError("its pieces do not fit one another")
    begin, end, padding, unknown = controls
    spelt = [text[start:stop].decode() for start, stop in pairwise(bounds)]
    return (begin, end, padding, unknown), list(zip(spelt, scores, strict=True))


def _directory(reader: _Reader) -> dict[str, E5Tensor]:
    found = {}
    (count,) = reader.numbers("<i")
    for _ in range(count):
        (length,) = reader.numbers("<H")
        name = reader.taken(length).decode()
        kind, weights, offset, size = reader.numbers("<BIQQ")
        tensor = E5Tensor(kind == _BLOCKS, weights, offset)
        if kind not in (_FLOATS, _BLOCKS) or tensor.length != size or offset + size > reader.size:
            raise ValueError(f"the tensor {name} does not lie in it")
        found[name] = tensor
    return found
