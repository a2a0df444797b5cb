"""A file, or what stands in an archive under a name: how it is opened, and how its begin looks.

Made by `interchange/importing/import_sources`. Invariant: nothing is unpacked under a name that an archive gives; what
must be read twice lies in a file without a name meanwhile.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

HEAD_BYTES = 64 * 1024
_PIECE_BYTES = 1 << 20


class UnreadableError(Exception):
    """A file, or a part of it, cannot be read: one line that says why."""


@dataclass(frozen=True, slots=True)
class ByteSource:
    """`name`: for people; `size`: bytes, or about as many; `is_file`: it may be read at any place, and again."""

    name: str
    open: Callable[[], BinaryIO]
    size: int
    is_file: bool = True

    def head(self) -> bytes:
        """How it begins."""
        with self.open() as stream:
            return stream.read(HEAD_BYTES)

    @contextmanager
    def repeatable(self) -> Iterator[BinaryIO]:
        """A stream that may be read at any place.

        Raises UnreadableError: there is no room for it.
        """
        if self.is_file:
            with self.open() as stream:
                yield stream
            return
        with tempfile.TemporaryFile() as copy:
            try:
                with self.open() as stream:
                    shutil.copyfileobj(stream, copy, _PIECE_BYTES)
            except OSError as error:
                message = f"there is no room to unpack it: {error.strerror or error}"
                raise UnreadableError(message) from error
            copy.seek(0)
            yield cast("BinaryIO", copy)


def file_source(path: Path, name: str | None = None) -> ByteSource:
    """A file on disk."""
    return ByteSource(name or path.name, lambda: path.open("rb"), path.stat().st_size)
