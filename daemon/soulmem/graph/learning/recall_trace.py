"""Recall trace: what is kept of a recall, so that what is said of it later finds the links that led to its notes.

Made of the forest of a recall when it is recorded, stored as bytes, read again when feedback or a judgement comes;
`edge_learning` takes it like the forest itself. Source: algorithms.md §3.9. Invariants: a trail names every link that
was followed, and the ways that were found afterwards apart from them, because nobody chose those; reading what was
written gives the same trail, its vectors rounded to half precision; bytes that are no trail are refused.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field, replace

import numpy as np

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.state.id_table import IntArray, Vector

TEXT_MOST = 2_000  # characters of a question that are kept

_VERSION = 1
_HEAD = struct.Struct("<BIIIII")  # version, questions, dimension, followed, found, returned
_MOST_BYTES = 64 * 1024 * 1024  # unpacked; more is no trail


@dataclass(frozen=True, slots=True)
class TrailLink:
    """A link as it was walked, from `src` to `dst`; `question` numbers the sub-question."""

    link: int
    src: int
    dst: int
    is_backward: bool
    question: int


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """What a recall followed and gave back.

    `questions` holds a row for each sub-question and `texts` its words; `followed` are the links an expansion chose,
    `found` those by which other notes are connected; `returned` are the notes given back, the best first.
    """

    questions: Vector
    texts: tuple[str, ...]
    followed: tuple[TrailLink, ...] = ()
    found: tuple[TrailLink, ...] = ()
    returned: tuple[int, ...] = ()
    _by_end: dict[int, list[TrailLink]] = field(init=False, default_factory=dict, repr=False)
    _notes: set[int] = field(init=False, default_factory=set, repr=False)

    def __post_init__(self) -> None:
        """Raises ValueError when the numbers do not belong together, or a vector is not finite."""
        if self.questions.ndim != 2 or len(self.questions) != len(self.texts):
            raise ValueError(f"{len(self.texts)} questions, but vectors of shape {self.questions.shape}")
        if not np.isfinite(self.questions).all():
            raise ValueError("a question's vector must be finite")
        self._notes.update(self.returned)
        for each in (*self.followed, *self.found):
            if not 0 <= each.question < len(self.texts):
                raise ValueError(f"link {each.link} was followed for question {each.question}, which is not there")
            self._by_end.setdefault(each.dst, []).append(each)
            self._notes.update((each.src, each.dst))

    def holds(self, note: int) -> bool:
        """Whether this note was met or given back."""
        return note in self._notes

    def links(self) -> Sequence[TrailLink]:
        """All links that were followed, in the order their notes were reached; ways found afterwards are not among
        them.
        """
        return self.followed

    def ways_to(self, notes: Iterable[int]) -> list[TrailLink]:
        """Every link on a way to one of these notes: the ancestor closure, by a walk against the links."""
        open_notes = list(notes)
        reached = set(open_notes)
        while open_notes:
            for each in self._by_end.get(open_notes.pop(), ()):
                if each.src not in reached:
                    reached.add(each.src)
                    open_notes.append(each.src)
        ways = [each for each in (*self.followed, *self.found) if each.dst in reached]
        return list(dict.fromkeys(ways))  # a way that was both followed and found counts once

    def ways_over(self, links: Collection[tuple[int, bool]]) -> list[TrailLink]:
        """These links, by number and direction, as far as they belong to the trail, and every link on a way to them."""
        named = [each for each in (*self.followed, *self.found) if (each.link, each.is_backward) in links]
        return list(dict.fromkeys([*self.ways_to(each.src for each in named), *named]))

    def with_questions(self, questions: Vector) -> Trail:
        """The same trail with its questions as another embedder sees them."""
        return Trail(questions, self.texts, self.followed, self.found, self.returned)

    def to_bytes(self) -> bytes:
        """Compact; the first byte is the version of the form."""
        count, dimension = self.questions.shape
        numbers = np.concatenate([_columns(self.followed), _columns(self.found), np.array(self.returned, dtype="<i8")])
        head = _HEAD.pack(_VERSION, count, dimension, len(self.followed), len(self.found), len(self.returned))
        words = json.dumps(self.texts, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return head + zlib.compress(numbers.tobytes() + self.questions.astype("<f2").tobytes() + words, 1)

    @classmethod
    def from_bytes(cls, data: bytes) -> Trail:
        """Raises ValueError when this is no trail."""
        try:
            version, count, dimension, followed, found, returned = _HEAD.unpack_from(data)
        except struct.error as error:
            raise ValueError("too short for a trail") from error
        if version != _VERSION:
            raise ValueError(f"a trail of form {version}, not {_VERSION}")
        try:
            body = zlib.decompressobj().decompress(data[_HEAD.size :], _MOST_BYTES)
        except zlib.error as error:
            raise ValueError("a trail that cannot be unpacked") from error
        places = 5 * (followed + found) + returned
        start = 8 * places
        end = start + 2 * count * dimension
        if end > len(body):
            raise ValueError("a trail that was cut off")
        numbers = np.frombuffer(body, dtype="<i8", count=places)
        vectors = np.frombuffer(body, dtype="<f2", count=count * dimension, offset=start)
        texts = tuple(str(text) for text in json.loads(body[end:].decode("utf-8", "surrogatepass")))
        return cls(
            vectors.reshape(count, dimension).astype(np.float32),
            texts,
            _links(numbers[: 5 * followed]),
            _links(numbers[5 * followed : 5 * (followed + found)]),
            tuple(numbers[5 * (followed + found) :].tolist()),
        )


def _columns(links: Collection[TrailLink]) -> IntArray:
    """The links as five columns, one after the other: alike stands next to alike, which packs well."""
    rows = [(each.link, each.src, each.dst, int(each.is_backward), each.question) for each in links]
    return np.array(rows, dtype="<i8").reshape(len(rows), 5).T.ravel()


def _links(numbers: IntArray) -> tuple[TrailLink, ...]:
    columns = numbers.reshape(5, -1).tolist()
    return tuple(
        TrailLink(link, src, dst, bool(is_backward), question)
        for link, src, dst, is_backward, question in zip(*columns, strict=True)
    )


def together(trails: Sequence[Trail], returned: Sequence[int]) -> Trail | None:
    """The trails of several searches as one, each with its own questions; None of none."""
    if not trails:
        return None
    shifts = np.cumsum([0, *(len(each.texts) for each in trails)]).tolist()

    def shifted(links: Iterable[TrailLink], by: int) -> Iterable[TrailLink]:
        return (replace(link, question=link.question + by) for link in links)

    pairs = list(zip(trails, shifts, strict=False))
    return Trail(
        np.concatenate([each.questions for each in trails]),
        tuple(text for each in trails for text in each.texts),
        tuple(link for each, by in pairs for link in shifted(each.followed, by)),
        tuple(link for each, by in pairs for link in shifted(each.found, by)),
        tuple(returned),
    )
