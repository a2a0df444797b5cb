"""Segmentation: how text becomes the terms that lexical search compares, in the store and in the index.

Owns the one definition of a term: width-normalised, case-folded, accent-folded; Latin words stemmed; CJK text as single
characters and overlapping pairs; digits with their date unit. Called by the store (FTS5 columns), by
`core.search.memory_index` and by anything that counts words. Invariants: indexing and querying use the same `segment`;
every term consists of letters and digits only, so FTS5's `unicode61` never splits one; stems come from one stemmer
(Snowball English, in C), because they are stored.
"""

from __future__ import annotations

import math
import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Literal
from zlib import crc32

import numpy as np
import Stemmer
from numpy.typing import NDArray

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.text_memo import WordCache

Script = Literal["latin", "cjk", "mixed", "none"]

# Scripts written without spaces (or, as Korean, with long inflected words): characters and pairs are terms.
_CJK = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005\u3007\u3040-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_IS_CJK = LazyPattern(f"[{_CJK}]")
_CJK_RUN = LazyPattern(f"[{_CJK}]+")
_PIECE = LazyPattern(
    r"(?P<date>\d+[年月日号號点點时時岁歲])"
    r"|(?P<number>\d+(?:,\d{3})*)"
    f"|(?P<cjk>(?:(?=\\w)[{_CJK}])+)"
    f"|(?P<word>[^\\W\\d_{_CJK}]+(?:'[^\\W\\d_{_CJK}]+)*)"
)
# What no folded text of letters, Han and the common punctuation of both has; such a text needs only the next one.
_BEYOND_HAN = LazyPattern("[^\x00-\x7f\u2010-\u2027\u3001-\u3005\u3007-\u3020\u4e00-\u9fff]")
_HAN_PIECE = LazyPattern(
    "[\u3005\u3007\u4e00-\u9fff]+|[a-z]+(?:'[a-z]+)*|[0-9]+[年月日号號点點时時岁歲]|[0-9]+(?:,[0-9]{3})*"
)
_ASCII_PIECE = LazyPattern(r"[a-z]+(?:'[a-z]+)*|[0-9]+(?:,[0-9]{3})*")
# Stands among a text's hashes when it ends in a question; the hash of no term, for "?" is none.
ASKING = crc32(b"?")
_ASKS = LazyPattern(r"[?？][^\w?？]*$")  # only the last one can be it
# Not among these: common characters that no folding changes, so that most texts are not looked at one by one.
_FOLDABLE = LazyPattern("[^\x00-\x7f\u2010-\u2027\u3001-\u3020\u4e00-\u9fff]")
_SAME_UNIT = str.maketrans({"号": "日", "號": "日", "點": "点", "时": "点", "時": "点", "歲": "岁"})

# Words of questions and of grammar: they say how something is asked, not what is asked for.
_STOP_EN = frozenset(
    """a about above after again all also am an and any are as at be because been before being both but by can
    could did do does doing down during each ever few for from further had has have having he her here hers
    herself him himself his how i if in into is it its itself just let me might more most must my myself no nor
    not of off on once one only or other our ours out over own please same shall she should so some such tell
    than that the their theirs them themselves then there these they this those through to too under until up
    us very was we were what when where which while who whom whose why will with would you your yours yourself
    im ive id youre youve theyre dont didnt doesnt isnt arent wasnt werent cant couldnt wont wouldnt hes shes
    whats thats lets""".split()
)
_STOP_ZH = frozenset(
    """什么 甚么 怎么 怎样 怎么样 如何 哪些 哪个 哪里 哪儿 哪位 哪一 哪天 哪次 哪种 为什么 为何
    何时 何地 是否 多少 几次 几个
    请问 谁 吗 呢 吧 啊 呀 的 了 着 过 是 在 有 和 与 及 或 也 都 就 还 又 很 这 那 他 她 它 我 你 您 们
    我们 你们 他们 她们
    自己 之 而 但 被 把 给 对 从 向 到 于 以 为 其 并 且 所 则 个 位 一 不""".split()
)
_ZH_QUESTION = LazyPattern("|".join(sorted(sorted(w for w in _STOP_ZH if len(w) > 1), key=len, reverse=True)))

_ZH_QUESTION_PAIRS = frozenset(word[:2] for word in _STOP_ZH if len(word) > 1)


_WIDE = tuple((wide, unicodedata.normalize("NFKC", wide)) for wide in "，？！：；（）～…")
_LONG_WORD = 4_096  # characters
_WORDS_KEPT = 65_536


def stemmed(word: str) -> str:
    """Stem one folded word."""
    word = word.removesuffix("'s").replace("'", "")
    if not word.isascii():
        return word
    # A fresh stemmer each time, 0: without a memory of its own. Its object holds state, and callers run in threads.
    return str(Stemmer.Stemmer("english", 0).stemWord(word))


_stem = WordCache(stemmed, _WORDS_KEPT).__getitem__


def is_grammar(term: str) -> bool:
    """Whether a term is grammar: a stop word, or a CJK pair with a stop word in it (去了, 的人)."""
    return term in _STOP_STEMS if term.isascii() else _IS_GRAMMAR[term]


def is_stop_word(word: str) -> bool:
    """Whether a whole word is grammar; of a pair, unlike `is_grammar`, not whether a stop word stands in it."""
    return word in _STOP_STEMS


def _grammar(term: str) -> bool:
    return term in _STOP_STEMS or (is_cjk_pair(term) and not _STOP_ZH.isdisjoint(term))


_IS_GRAMMAR = WordCache(_grammar, _WORDS_KEPT)


def fold(text: str) -> str:
    """NFKC, case-folded, without accents or other combining marks; length may change."""
    if text.isascii():
        return text.lower()
    straight = text.replace("\u2019", "'").replace("\u02bc", "'").replace("\uff07", "'")
    folded = _normal(straight).casefold()
    return _FOLDABLE.sub(_bare_match, folded) if _FOLDABLE.search(folded) else folded


def _normal(text: str) -> str:
    """NFKC. The full-width punctuation of Chinese goes first: a text without any is seen to be normal at once."""
    for wide, narrow in _WIDE:
        text = text.replace(wide, narrow)
    return unicodedata.normalize("NFKC", text)


def _bare_match(match: re.Match[str]) -> str:
    return _bare(match[0])


@lru_cache(maxsize=16_384)
def _bare(char: str) -> str:
    decomposed = char if _IS_CJK.match(char) else unicodedata.normalize("NFKD", char)
    return "".join(c for c in decomposed if not unicodedata.category(c).startswith("M"))


def segment(text: str) -> list[str]:
    """Split text into search terms, in order, repeats kept; emoji and punctuation give none.

    Latin words become stems ("Running" -> "run"), a CJK run becomes its characters and its overlapping
    pairs ("艺术展" -> 艺 术 展 艺术 术展), a number with a date unit stays whole ("1月18号" -> 1月 18日).
    """
    return segment_folded(fold(text))


def segment_folded(folded: str) -> list[str]:
    """`segment` of a text that went through `fold` already."""
    if folded.isascii():
        return list(chain.from_iterable(map(_PIECES.__getitem__, folded.split())))
    terms: list[str] = []
    if not _BEYOND_HAN.search(folded):
        for piece in _HAN_PIECE.findall(folded):
            if piece[0] > "\u3000":
                terms += piece
                terms += [piece[at : at + 2] for at in range(len(piece) - 1)]
            elif piece[0] > "9":
                terms.append(_stem(piece))
            else:
                terms.append(piece.translate(_SAME_UNIT) if piece[-1] > "9" else piece.replace(",", ""))
        return terms
    for match in _PIECE.finditer(folded):
        piece = match[0]
        match match.lastgroup:
            case "cjk":
                terms += piece
                terms += map(str.__add__, piece, piece[1:])
            case "date":
                terms.append(piece.translate(_SAME_UNIT))
            case "number":
                terms.append(piece.replace(",", ""))
            case _:
                terms.append(_stem(piece))
    return terms


def pieces(word: str, stem: Callable[[str], str] = _stem) -> tuple[str, ...]:
    """The terms of what stands between two spaces of a folded ASCII text."""
    bare = word.strip(".,!?;:")
    if bare.isalpha():  # most are no more than that, and names come anew all the time
        return (stem(bare),)
    # One search after the other where there are many: all at once would hold the interpreter.
    found = _ASCII_PIECE.findall(word) if len(word) < _LONG_WORD else (m[0] for m in _ASCII_PIECE.finditer(word))
    return tuple(stem(p) if p[0] > "9" else p.replace(",", "") for p in found)


_PIECES = WordCache(pieces, _WORDS_KEPT)
_STOP_STEMS = frozenset(_stem(word) for word in _STOP_EN) | _STOP_ZH


def is_cjk_pair(term: str) -> bool:
    """Whether a term is a pair of CJK characters (which stands beside its two characters)."""
    return len(term) == 2 and not term.isascii() and _IS_CJK.match(term) is not None


def asks(text: str) -> bool:
    """Whether a text ends in a question mark, whatever quotes or emoji follow it."""
    return _ASKS.search(text) is not None


def index_text(text: str) -> str:
    """The terms joined by spaces: what an FTS5 column with `tokenize="unicode61"` stores."""
    return " ".join(segment(text))


def query_terms(text: str, terms: list[str] | None = None) -> list[str]:
    """The distinct terms worth searching for, in order of appearance.

    Question words and grammar are left out in English and Chinese; if nothing would be left, all terms stay,
    so the result is empty only for a text without any term. `terms` is its `segment`, if that is known.
    """
    terms = segment(text) if terms is None else terms
    told = [term for term in dict.fromkeys(parted(text, terms)) if not _IS_GRAMMAR[term]]
    return told or list(dict.fromkeys(terms))


def parted(text: str, terms: list[str] | None = None) -> list[str]:
    """The terms of a text without its Chinese question words, which part what stands on either side of them.

    `terms` is its `segment`, if that is known; it stands where there is no such word.
    """
    if text.isascii():
        return segment(text) if terms is None else terms
    terms = segment(text) if terms is None else terms
    # Each such word begins with a pair that is a term; only where one is, the words are looked for in their order.
    if not _ZH_QUESTION_PAIRS.isdisjoint(terms) and _ZH_QUESTION.search(text):
        return segment(_ZH_QUESTION.sub(" ", text))
    return terms


def fts_query(text: str) -> str:
    """An FTS5 expression matching any of the query terms, each quoted; "" when there is no term."""
    return " OR ".join(f'"{term}"' for term in query_terms(text))


def term_hashes(terms: Iterable[str]) -> NDArray[np.uint32]:
    """CRC-32 of each term's UTF-8: stable over processes and versions, so it may be stored."""
    return np.array(array("I", map(_HASHES.__getitem__, terms)), dtype=np.uint32)


def hash_of(term: str) -> int:
    """CRC-32 of a term."""
    return crc32(term.encode("utf-8", "surrogatepass"))


_HASHES = WordCache(hash_of, _WORDS_KEPT)


def text_hashes(text: str) -> NDArray[np.uint32]:
    """What is stored and indexed of a text: the hashes of its terms, and `ASKING` if it ends in a question."""
    return np.frombuffer(stored_hashes(segment(text), asking=asks(text)), dtype=np.uint32)


def stored_hashes(terms: Sequence[str], *, asking: bool) -> bytes:
    """The bytes of `text_hashes` from the terms of a text and whether it `asks`."""
    marked = chain(terms, "?") if asking and terms else terms
    return array("I", map(_HASHES.__getitem__, marked)).tobytes()


def script_of(text: str) -> Script:
    """Which writing leads: `cjk` or `latin` when the other has under a fifth of the letters, else `mixed`.

    A CJK character counts as two letters, because it says as much as a short word.
    """
    cjk = 2 * len(_IS_CJK.findall(text))
    latin = sum(map(str.isalpha, text)) - cjk // 2
    if cjk + latin <= 0:
        return "none"
    share = cjk / (cjk + latin)
    return "cjk" if share >= 0.8 else "latin" if share < 0.2 else "mixed"


def wording_language(text: str) -> Literal["en", "zh"]:
    """In which language something is worded that is to stand within a text."""
    return "zh" if script_of(text) in ("cjk", "mixed") else "en"


def estimate_tokens(text: str) -> int:
    """About how many tokens a language model counts: 1 per CJK character, 1.3 per word, 1 per 6 letters."""
    if not text:
        return 0
    cjk = 0
    if not text.isascii():
        folded = _normal(text)
        others = _CJK_RUN.split(folded)
        cjk = len(folded) - sum(map(len, others))
        text = " ".join(others)
    return estimate_words(text.split(), cjk)


def estimate_words(words: Sequence[str], cjk: int = 0) -> int:
    """`estimate_tokens` of a text with these words, split at white space, and so many CJK characters."""
    lengths = list(map(len, words))
    long = [length for length in lengths if length > 7]  # 8 letters are the first to count more than a word
    counted = 1.3 * (len(lengths) - len(long)) + sum(long) / 6
    return max(1, math.ceil(round(cjk + counted, 6)))
