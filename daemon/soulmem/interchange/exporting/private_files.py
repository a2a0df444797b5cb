"""Files that are written whole or not at all, and that nobody but their owner may read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

_MODE = 0o600
_PART = ".part"


@contextmanager
def written(path: Path) -> Iterator[BinaryIO]:
    """A stream to what will stand under this name, in place of what does, once all is written.

    Raises OSError: as `open` does.
    """
    part = path.with_name(f"{path.name[:200]}{_PART}")
    with suppress(FileNotFoundError):
        part.unlink()
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _MODE)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.rename(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
