"""The access token: made where there is none, in a file that its owner alone may read.

Called by the command. Invariant: a token that others could read, or guess, lets nobody in; its words are in no message.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import tempfile
from pathlib import Path

_SHORTEST, _LONGEST_BYTES = 16, 4096


class TokenFileError(Exception):
    """A token file that cannot be used: what is wrong, and what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def token_in(path: Path) -> str:
    """The token of a file, which is made with a new one where there is none.

    Raises TokenFileError.
    """
    try:
        try:
            return _read(path)
        except FileNotFoundError:
            _make(path)
            return _read(path)
    except OSError as error:
        raise TokenFileError(
            f"the token file {path} can be neither read nor made: {error.strerror or error}",
            "name another --token-file",
        ) from error


def _read(path: Path) -> str:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe would be waited for
    with open(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise TokenFileError(f"the token file {path} is no regular file", "name another --token-file")
        if found.st_mode & 0o077 or found.st_uid not in (0, os.geteuid()):
            raise TokenFileError(f"others may read the token file {path}, or own it", f"chmod 600 {path}")
        text = file.read(_LONGEST_BYTES + 1)
    token = text.decode("latin-1").strip()
    if len(text) > _LONGEST_BYTES or len(token) < _SHORTEST or not (token.isascii() and token.isprintable()):
        raise TokenFileError(
            f"the token in {path} must be one line of at least {_SHORTEST} plain characters",
            "remove the file, and a new one is made",
        )
    return token


def _make(path: Path) -> None:
    """Write a new token; of two that start at once the first one's stays."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # for its owner alone
    try:
        with open(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
            file.flush()
            os.fsync(descriptor)
        with contextlib.suppress(FileExistsError):
            os.link(name, path)
    finally:
        os.unlink(name)
