"""Content words and entities of a sentence: what it says beyond grammar and courtesy.

Used for salience (how much is said), for redundancy (is it said already) and for links (do two notes share
something). English content words are lower-case words; Chinese ones are the bigrams of runs between grammatical
characters, because words cannot be told apart without a dictionary.
"""

from __future__ import annotations

from collections.abc import Iterable

from soulmem.core.names.name_recogniser import NameKind, NameSpan, find_names
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.llm.extractive.language.chinese_lexicon import CHINESE
from soulmem.llm.extractive.language.english_lexicon import ENGLISH
from soulmem.llm.extractive.language.lexicon import Lexicon
from soulmem.text_memo import WordCache, text_memo

_SPELLED = LazyPattern(r"[A-Za-zÀ-ɏ]+(?:['’][A-Za-z]+)?|\d+(?:[.,:]\d+)*")
_CJK_RUN = LazyPattern(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
_CHINESE_WORD = LazyPattern(f"(?:(?![{''.join(sorted(CHINESE.stop))}]){_CJK_RUN.pattern[:-1]})+")
_TITLE = LazyPattern(r"《([^《》\n]{1,40})》|[\"“]([^\"“”\n]{2,40})[\"”]|「([^「」\n]{1,40})」")
_QUOTING = LazyPattern(r"[《\"“「]")  # what a title begins with


def lexicon_for(language: str) -> Lexicon:
    return CHINESE if language == "zh" else ENGLISH


@text_memo(4096)
def content_terms(text: str) -> frozenset[str]:
    """The terms that carry content: English words and numbers, Chinese bigrams."""
    terms = set(map(_CONTENT.__getitem__, _SPELLED.findall(text)))
    terms.discard("")
    if not text.isascii():
        terms.update(_chinese_terms(text))
    return frozenset(terms)


def _content(raw: str) -> str:
    """The term that a word or number counts as; empty if it has no content."""
    word = raw.lower().removesuffix("'s").removesuffix("’s")
    said = (len(word) > 2 or word.isdigit()) and word not in ENGLISH.stop and word not in ENGLISH.generic
    return _stem(word) if said else ""


def _stem(word: str) -> str:
    """Folds a plain plural, so that `dogs` meets `dog`."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


_CONTENT = WordCache(_content, 16_384)


def _chinese_terms(text: str) -> Iterable[str]:
    """The pairs of characters of each run between grammatical ones, and what stands alone there."""
    for word in _CHINESE_WORD.findall(text):
        if len(word) == 1:
            yield word
        for pair in map(str.__add__, word, word[1:]):
            if pair not in CHINESE.generic:
                yield pair


def amount(terms: Iterable[str]) -> float:
    """Roughly how many words of content: a lone Chinese character or one bigram of a longer run counts half."""
    return sum(map(WORTH.__getitem__, terms))


def _worth(term: str) -> float:
    return 0.6 if _CJK_RUN.match(term) else 1.0


WORTH = WordCache(_worth, 16_384)  # by the term: its `amount`


def entities_of(text: str, speakers: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Names, titles and places in order of appearance, at most eight; `speakers` are known names."""
    found: dict[str, int] = {}
    for match in _TITLE.finditer(text) if _QUOTING.search(text) else ():
        title = next(group for group in match.groups() if group)
        if len(title.split()) <= 6:
            found.setdefault(title.strip(" .,!?，。！？"), match.start())
    titles = [(start, start + len(title) + 2) for title, start in found.items()]
    for each in find_names(text, speakers):
        if not any(start <= each.start and each.end <= end for start, end in titles):
            found.setdefault(spelt(each), each.start)
    for speaker in speakers:
        if speaker and speaker in text:
            found.setdefault(speaker, text.index(speaker))
    return tuple(sorted(found, key=lambda name: (found[name], name))[:8])


def spelt(each: NameSpan) -> str:
    """A name as it is written: that of a person with capitals, however it was typed."""
    if each.kind is NameKind.PERSON and each.name.isascii() and each.name.islower():
        return each.name.title()
    return each.name


_KEY_STOP = CHINESE.stop | frozenset(
    "一二三四五六七八九十几两只条个位名张本次趟回搬住养叫改每年月日周天号点早晚昨今明前后做买卖吃喝看想爱让请送最参加被问起开始准备终于"
)


def key_terms(text: str, limit: int = 4) -> tuple[str, ...]:
    """Chinese key terms: runs of two to four characters between grammatical and common ones, longest first."""
    runs: dict[str, int] = {}
    for match in _CJK_RUN.finditer(text):
        word = ""
        for char in (*match[0], "的"):
            if char not in _KEY_STOP:
                word += char
                continue
            if 2 <= len(word) <= 4 and word not in CHINESE.generic:
                runs.setdefault(word, len(runs))
            word = ""
    return tuple(sorted(runs, key=lambda run: (-len(run), runs[run]))[:limit])
