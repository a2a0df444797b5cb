"""Blind ids: what an id looks like to somebody who may not know how many others there are.

A plain id is a letter and the number of a row, so two of them tell how many were made between. A blind one, like
`n_4t0qk7wz2d`, is the number through a permutation keyed by a secret of the mind: a Feistel network over 50 bits,
one for each letter. It is one to one, so nothing needs to be kept, and every well-formed blind id is some number.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from typing import Any

SECRET_BYTES = 32
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u, which are taken for others
_VALUES = {ord(letter): value for value, letter in enumerate(_ALPHABET)}
_LENGTH = 10  # of five bits each
_HALF = 25
_MASK = (1 << _HALF) - 1
_ROUNDS = 4
_KEPT = 4096  # the ids that were shown last: an answer names a note and its links again and again
MOST = 1 << (2 * _HALF)
_PLAIN = re.compile(r"([a-z]{1,2})(\d{1,16})\Z", re.ASCII)
_BLIND = re.compile(rf"(n|l|r|js?|e|s)_([{_ALPHABET}]{{{_LENGTH}}})\Z", re.ASCII)


class ItemId(str):
    """A plain id that one of us made: it is known for one wherever it stands in an answer."""

    __slots__ = ()


class GivenId(ItemId):
    """The plain form of an id that a caller gave, with the words he gave it in."""

    given: str

    def __new__(cls, plain: str, given: str) -> GivenId:
        made = super().__new__(cls, plain)
        made.given = given
        return made


class NoId(str):
    """What a caller gave for an id and is none in front of whom he asks; the id of a message it may be.

    It equals no id, or who gives `n5` beside the blind form of it could see that both are one.
    """

    given: str

    def __new__(cls, given: str) -> NoId:
        made = super().__new__(cls, f"?{given}")
        made.given = given
        return made


class Sentence(str):
    """A sentence for people in which ids stand; they are still known for such."""

    parts: tuple[str, ...]

    def __new__(cls, *parts: str) -> Sentence:
        made = super().__new__(cls, "".join(parts))
        made.parts = parts
        return made


def as_given(text: str) -> str:
    """An id in the caller's own words."""
    return text.given if isinstance(text, GivenId | NoId) else text


def is_blind(text: str) -> bool:
    return _BLIND.match(text) is not None


class BlindIds:
    """The two forms of the ids of one mind."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._keyed: dict[str, list[Any]] = {}  # of each letter, the hashes that the rounds begin with
        self.blind = lru_cache(maxsize=_KEPT)(self._blind)

    def _blind(self, plain: str) -> str:
        """The blind form of a plain id."""
        found = _PLAIN.match(plain)
        if found is None or int(found[2]) >= MOST:
            raise ValueError("not a plain id")
        letter, number = found[1], int(found[2])
        left, right = number >> _HALF, number & _MASK
        for keyed in self._rounds(letter):
            left, right = right, left ^ _mixed(keyed, right)
        value = left << _HALF | right
        return f"{letter}_" + "".join(_ALPHABET[value >> at & 31] for at in range(5 * (_LENGTH - 1), -1, -5))

    def plain(self, blind: str) -> str | None:
        """The plain form of a blind id; None for what has not its form."""
        found = _BLIND.match(blind)
        if found is None:
            return None
        value = 0
        for digit in found[2]:
            value = value << 5 | _VALUES[ord(digit)]
        left, right = value >> _HALF, value & _MASK
        for keyed in reversed(self._rounds(found[1])):
            left, right = right ^ _mixed(keyed, left), left
        return f"{found[1]}{left << _HALF | right}"

    def _rounds(self, letter: str) -> list[Any]:
        found = self._keyed.get(letter)
        if found is None:
            found = self._keyed[letter] = [
                blake2b(key=self._secret, person=letter.encode(), salt=bytes([each]), digest_size=4)
                for each in range(_ROUNDS)
            ]
        return found

    def shown(self, value: Any) -> Any:
        """An answer, or a part of one, with its ids blind; what a client wrote is left as it is."""
        if isinstance(value, ItemId):
            return self.blind(value)
        if isinstance(value, Sentence):
            return "".join(self.shown(part) for part in value.parts)
        if isinstance(value, dict):
            return {key: self.shown(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.shown(each) for each in value]
        return value

    def read(self, text: str, *, plain_too: bool) -> str:
        """What a caller gave for an id: the plain form of a blind one, or what is no id in front of whom he asks."""
        plain = self.plain(text)
        if plain is not None:
            return GivenId(plain, text)
        return text if plain_too else NoId(text)


def _mixed(keyed: Any, half: int) -> int:
    hashed = keyed.copy()
    hashed.update(half.to_bytes(4, "big"))
    return int.from_bytes(hashed.digest(), "big") & _MASK
