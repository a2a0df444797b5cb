"""Row hashes and ids: what all tables of a mind share.

Every row of a table that holds truth carries a hash of its content, because SQLite's pages carry no checksums;
`doctor --deep` compares them. Ids travel as opaque strings with a letter for the kind.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import blake2b
from struct import Struct
from typing import Any

from soulmem.core.schema.blind_ids import ItemId, NoId, Sentence, as_given
from soulmem.errors import ErrorName, SoulmemError

HASH_BYTES = 16
_LENGTH = Struct(">I").pack
AMONG = "IN (SELECT value FROM json_each(?))"
_NAMES = {"n": "note", "l": "link", "r": "recall", "j": "job", "m": "message"}


def row_hash(*values: Any) -> bytes:
    """A 16-byte hash of the values, unambiguous about where one ends and the next begins."""
    # What `repr` shows has no lone surrogates. The rest is done without a step of Python for each value.
    raw = [value if type(value) is bytes else repr(value).encode() for value in values]
    parts = [b""] * (2 * len(raw))
    parts[::2] = map(_LENGTH, map(len, raw))
    parts[1::2] = raw
    return blake2b(b"".join(parts), digest_size=HASH_BYTES).digest()


def dump_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def listed(ids: Iterable[int]) -> str:
    """What to bind where a statement says `AMONG`: however many ids, one variable; SQLite has room for 32,766."""
    return json.dumps(list(ids))


def public_id(letter: str, number: int) -> ItemId:
    return ItemId(f"{letter}{number}")


def not_there(letter: str, text: str) -> SoulmemError:
    """The one refusal of an id: for what is none, for what never was, and for what is hidden from the caller."""
    shown = ("'", text, "'") if type(text) is ItemId else (repr(as_given(text)[:40]),)
    return SoulmemError(ErrorName.NOT_FOUND, Sentence(f"there is no {_NAMES[letter]} ", *shown, " in this mind"))


def private_id(letter: str, text: str) -> int:
    """The number inside an opaque id. Raises SoulmemError: `not_found` when it is not one of ours."""
    if (
        not isinstance(text, NoId)
        and text[:1] == letter
        and text[1:].isascii()
        and text[1:].isdigit()
        and len(text) < 20
    ):
        number = int(text[1:])
        if text == public_id(letter, number):  # n01 is no other name of n1
            return number
    raise not_there(letter, text)
