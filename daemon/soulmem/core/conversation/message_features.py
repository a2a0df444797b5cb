"""Message features: all that the words of a new message decide, worked out in one pass over them.

Called by `working/ingest/message_ingest` for every message; a message costs more here than in any other step before its
commit, so a word that was met before is looked up once for everything. Invariant: the result is what
`tokens.estimate_tokens`, `tokens.text_hashes` and `topic_shift.utterance` give, each asked by itself.
"""

from __future__ import annotations

from array import array
from itertools import chain

from soulmem.core.conversation import topic_shift
from soulmem.core.conversation.topic_shift import Utterance
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import WordCache

_WORDS_KEPT = 32_768
_KINDS_READ: set[bool] = set()  # whether they were ASCII
_ASKING = array("I", (tokens.ASKING,)).tobytes()


@dataclass(frozen=True, slots=True)
class Reading:
    """`tokens`: about how many for a language model; `hashes`: what is stored and indexed of it, uint32 bytes."""

    tokens: int
    hashes: bytes
    said: Utterance


def is_prepared(text: str) -> bool:
    """Whether one of its kind was read before, so that the patterns are there which that takes."""
    return text.isascii() in _KINDS_READ


def read(text: str, *, opens: bool) -> Reading:
    """Read a message.

    `opens`: whether it may open a topic; of one that may not, the opening words are left unread.
    """
    is_ascii = text.isascii()
    reading = _read_ascii if is_ascii and 0 < len(text) <= topic_shift.LOOK else _read_any
    found = reading(text, opens=opens)
    _KINDS_READ.add(is_ascii)
    return found


def _read_any(text: str, *, opens: bool) -> Reading:
    folded = tokens.fold(text)
    terms = tokens.segment_folded(folded)
    hashes = tokens.stored_hashes(terms, asking=tokens.asks(text))
    if len(text) <= topic_shift.OPENING:
        said = topic_shift.said(text, folded, topic_shift.subjects_of(text, terms), opens=opens)
    else:
        said = topic_shift.utterance(text, terms=terms, opens=opens)
    return Reading(tokens.estimate_tokens(text), hashes, said)


def _read_ascii(text: str, *, opens: bool) -> Reading:
    folded = text.lower()
    words = folded.split()
    known = list(map(_WORDS.__getitem__, words))
    hashes = b"".join([word[0] for word in known])
    if hashes and tokens.asks(text):
        hashes += _ASKING
    subjects = frozenset(chain.from_iterable([word[1] for word in known]))
    # Where no word names a subject, what does depends on all of them together.
    if subjects:
        said = topic_shift.said(text, folded[: topic_shift.OPENING], subjects, opens=opens)
    else:
        said = topic_shift.utterance(text, opens=opens)
    return Reading(tokens.estimate_words(words), hashes, said)


def _known(word: str) -> tuple[bytes, tuple[str, ...]]:
    """Of what stands between two spaces of a folded ASCII text: its terms' hashes, and those that name a subject.

    Worked out without the memories of words that are asked elsewhere: names come anew all the time, and a word that is
    remembered here is not looked up there.
    """
    terms = tokens.pieces(word, tokens.stemmed)
    return array("I", map(tokens.hash_of, terms)).tobytes(), tuple(filter(topic_shift.names_subject, terms))


_WORDS = WordCache(_known, _WORDS_KEPT)
