"""The embedder without a model: words and character n-grams hashed into 256 signed places.

Used in tests and as the last resort when no weights can be had. It knows spelling, not meaning: texts that share
words, parts of words or Chinese characters come out near one another. Invariant: the vector of a text depends
on the text and `_VERSION` alone, on every machine.

Feature hashing: Weinberger et al. 2009; subword n-grams: Bojanowski et al. 2017. A feature of weight w that
occurs n times adds ±w·sqrt(n) at the place its hash names; the sign is another bit of the hash.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Sequence

import numpy as np

from soulmem.embed.base.text_preparation import legible
from soulmem.ports import FloatMatrix
from soulmem.text_memo import text_memo

_VERSION = "hashing-1"
_DIMENSION = 256
_MAX_CHARS = 8192
# Han with its extensions, kana, Hangul: scripts written without spaces, or in which a syllable carries much
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_RUN = re.compile(rf"[{_CJK}]+|[^\W{_CJK}]+")
_CJK_START = re.compile(rf"[{_CJK}]")
_WORD, _GRAM, _CHARACTER, _BIGRAM = 1.0, 0.3, 0.5, 1.0
_COMMON = 0.2  # what a word of grammar keeps of its weight
_GRAMMAR_WORDS = (
    "a an and are as at be but by can did do does for from had has have he her him his how i in is it its me my"
    " not of on or our she so that the their them they this to was we were what when where which who why will"
    " with would you your 的 了 是 在 我 你 他 她 它 们 有 和 就 不 都 也 很 吗 吧 呢 啊 这 那"
)
_GRAMMAR = frozenset(_GRAMMAR_WORDS.split())


class HashingEmbedder:
    """The `Embedder` port over hashed words and n-grams; no state, thread-safe."""

    # It computes in Python. A thread that holds the interpreter and gets no processor would keep everybody waiting.
    holds_interpreter = True
    name = "hashing"
    dimension = _DIMENSION
    fingerprint = hashlib.sha256(f"{_VERSION}:{_DIMENSION}".encode()).hexdigest()[:12]

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Embed texts into an (n, 256) float32 matrix with rows of unit length."""
        matrix = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            counted = Counter(_features(text))
            weights = [weight if count == 1 else weight * count**0.5 for (_, weight), count in counted.items()]
            # One by one in their order, in single precision: the order of addition decides the last bit.
            np.add.at(matrix[row], [place for place, _ in counted], np.array(weights, dtype=np.float32))
            norm = float(np.linalg.norm(matrix[row]))
            if norm > 0.0:
                matrix[row] /= norm
            else:  # nothing to read, or everything cancelled out: one fixed direction
                matrix[row, 0] = 1.0
        return matrix

    def coverage(self, text: str) -> float:
        """Always 1.0: there is no vocabulary a text could fall out of."""
        return 1.0


def _features(text: str) -> list[tuple[int, float]]:
    folded = unicodedata.normalize("NFKC", legible(text, max_chars=_MAX_CHARS)).casefold()
    features: list[tuple[int, float]] = []
    for run in _RUN.findall(folded) or folded.split():
        features += (
            [*map(_character_feature, run), *map(_pair_feature, map(str.__add__, run, run[1:]))]
            if _CJK_START.match(run)
            else _word_features(run)
        )
    return features


@text_memo(8192)
def _word_features(word: str) -> tuple[tuple[int, float], ...]:
    if word in _GRAMMAR:
        return (_hashed(f"w{word}", _WORD * _COMMON),)
    framed = f"<{word[:64]}>"
    grams = {framed[start : start + 3] for start in range(len(framed) - 2)} if len(word) > 2 else set()
    # sorted, because the order of addition decides the last bit of a float
    return (_hashed(f"w{word}", _WORD), *(_hashed(f"g{gram}", _GRAM) for gram in sorted(grams)))


@text_memo(8192)
def _character_feature(character: str) -> tuple[int, float]:
    return _hashed(f"w{character}", _CHARACTER * (_COMMON if character in _GRAMMAR else 1.0))


@text_memo(16384)
def _pair_feature(pair: str) -> tuple[int, float]:
    return _hashed(f"w{pair}", _BIGRAM)


@text_memo(32768)
def _hashed(feature: str, weight: float) -> tuple[int, float]:
    # zlib's crc32 is the same everywhere and quick, but its low bits are linear: mix before taking them
    value = (zlib.crc32(feature.encode("utf-8")) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    return (value >> 40) % _DIMENSION, weight if (value >> 32) & 1 else -weight
