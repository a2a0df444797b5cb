"""Where something that was deleted might still stand: every file of a state directory, every table of a mind's file.

For tests of deletion. Files are read as bytes; word indexes, which keep words in pieces, are asked for their terms.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from soulmem.core.text import tokens
from soulmem.store.sqlite import offline_reader

ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")
_INDEXES = ("message_search", "note_search")


def files_with(state: Path, secret: str, named: str = "") -> list[str]:
    """The files below a directory in whose bytes the secret stands, as it is or as JSON writes it.

    `named`: what stands in the name of all that are looked at.
    """
    wanted = _forms(secret)
    return [name for name, data in _files(state, named) if any(each in data for each in wanted)]


def kept_of(state: Path, secrets: Sequence[str]) -> set[str]:
    """Which of these stand in the bytes of any file below a directory; each file is read once."""
    kept: set[str] = set()
    for _, data in _files(state):
        kept |= {each for each in set(secrets) - kept if any(form in data for form in _forms(each))}
    return kept


def _forms(secret: str) -> set[bytes]:
    return {secret.encode(encoding) for encoding in ENCODINGS} | {json.dumps(secret)[1:-1].encode()}


def _files(state: Path, named: str = "") -> Iterator[tuple[str, bytes]]:
    for path in sorted(state.rglob("*")):
        if named in (name := str(path.relative_to(state))) and path.is_file():
            yield name, path.read_bytes()


def tables_with(database: Path, secret: str) -> list[str]:
    """The columns of any table of a file, virtual ones and their shadows included, in which the secret stands."""
    return offline_reader.look(
        database, lambda connection: sorted({*_columns(connection, secret), *_terms(connection, secret)})
    )


def _columns(connection: Any, secret: str) -> Iterator[str]:
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    written, encoded = {secret, json.dumps(secret)[1:-1]}, [secret.encode(encoding) for encoding in ENCODINGS]
    for name in names:
        if name in _INDEXES or (name.startswith("vec_") and "_" not in name[4:]):
            continue  # their shadow tables hold all there is
        for row in connection.execute(f'SELECT * FROM "{name}"').fetchall():
            for place, value in enumerate(row):
                if _holds(value, written, encoded):
                    yield f"{name}.{place}"


def _holds(value: object, written: set[str], encoded: Sequence[bytes]) -> bool:
    if isinstance(value, str):
        return any(each in value for each in written)
    return isinstance(value, bytes) and any(each in value for each in encoded)


def _terms(connection: Any, secret: str) -> Iterator[str]:
    """The words that only the secret has, as the word indexes keep them."""
    wanted = {term for term in tokens.segment(secret) if len(term) > 1}
    for name in _INDEXES:
        connection.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{name}_terms USING fts5vocab(main, {name}, row)")
        held = {row[0] for row in connection.execute(f"SELECT term FROM temp.{name}_terms")}
        if wanted and wanted <= held:
            yield f"{name}: {sorted(wanted & held)}"
