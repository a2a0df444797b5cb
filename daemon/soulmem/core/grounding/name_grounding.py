"""Names a note states, and whether somebody said them.

Used by the gate. A name is grounded if it stands in the open text of a raw turn of the epoch, or is known: to the
graph, as a speaker, as the character's own. Quotations within a note must be somebody's words too. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from soulmem.core.names import chinese_name_claims, chinese_names, english_names
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.quote_matching import find_quote
from soulmem.core.text.tokens import fold, is_grammar, segment

_WORD = LazyPattern(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CJK = LazyPattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CJK_RUN = LazyPattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_LATIN_RUN = LazyPattern(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’.-]*[A-Za-zÀ-ɏ]")
_QUOTED = LazyPattern(
    r"“([^“”\n]{2,200})”|「([^「」\n]{2,200})」|『([^『』\n]{2,200})』|《([^《》\n]{1,60})》|\"([^\"\n]{2,200})\""
)
_EXPLAINED = LazyPattern(r"\s?[(（][^()（）]*\d[^()（）]*[)）]")  # a date that was added
_COMMON_LATIN = frozenset(
    """
    ok app ppt ktv wifi wi-fi tv vip ai pc email e-mail diy dj id it hr logo vlog blog up offer deadline party live pk
    cosplay cp bug demo excel word wechat km kg cm mm ml vs asked said says user assistant
    """.split()
)


class Said:
    """All words that were said or are known, folded, for one epoch."""

    def __init__(self, texts: Iterable[str], known: Iterable[str]) -> None:
        self.texts = tuple(texts)
        self.known = tuple(known)
        self.words: set[str] = set()
        self._initials: list[str] = []
        self._stems: set[str] | None = None
        self._people: frozenset[str] | None = None
        for text in (*self.texts, *self.known):
            words = [fold(word) for word in _WORD.findall(text)]
            self.words.update(words, *(re.split(r"['’]", word) for word in words if "'" in word or "’" in word))
            self._initials.append("".join(word[0] for word in words))
        self._squeezed = "\n".join(_squeezed(text) for text in (*self.texts, *self.known))

    def holds_characters(self, name: str, *, in_part: bool = False) -> bool:
        """Whether a run of characters was said, blanks and width aside; `in_part`: any two of it."""
        squeezed = _squeezed(name)
        if squeezed in self._squeezed:
            return True
        return in_part and any(squeezed[i : i + 2] in self._squeezed for i in range(len(squeezed) - 1))

    def holds_word(self, name: str) -> bool:
        """Whether a Latin word was said, in any case, singular or plural, or as the initials of what was said."""
        word = fold(name)
        if {word, word.removesuffix("s"), word + "s", word.removesuffix("'s")} & self.words:
            return True
        if english_names.is_demonym(name):
            return any(other[:3] == word[:3] and len(other) > 3 for other in self.words)
        if name.isupper() and len(word) >= 3 and any(word in initials for initials in self._initials):
            return True
        return self.holds_characters(name) if any(char.isdigit() for char in name) else False

    def holds_name(self, name: str) -> bool:
        """Whether a name was said, or each of its words."""
        words = _WORD.findall(name)
        return self.holds_characters(name) or (
            bool(words) and all(self.holds_word(word) or self.holds_stem(word) for word in words)
        )

    def holds_stem(self, word: str) -> bool:
        """Whether a common Latin word was said, in any form of it (skiing, ski)."""
        if self._stems is None:
            self._stems = {term for text in (*self.texts, *self.known) for term in segment(text)}
        return all(is_grammar(term) or term in self._stems for term in segment(word))

    @property
    def people(self) -> frozenset[str]:
        """The Chinese names that were said or are known: a note may put other words behind them."""
        if self._people is None:
            self._people = frozenset(each.name for text in self.texts for each in chinese_names.find(text, self.known))
        return self._people.union(self.known)

    def holds_quotation(self, words: str) -> bool:
        plain = words.strip(" .,!?。，！？…")
        if self.holds_characters(plain) or self.holds_characters(_EXPLAINED.sub("", plain)):
            return True
        return any(find_quote(words, text) is not None for text in (*self.texts, *self.known))


_ROLES_ZH = frozenset({"用户", "助手"})  # who speaks without a name, before words in either language


def missing_names(text: str, said: Said) -> Iterator[str]:
    """The names and quotations of a note that nobody said, in no particular order."""
    for match in _QUOTED.finditer(text):
        words = next(group for group in match.groups() if group)
        if not said.holds_quotation(words):
            yield words
    for name, in_part in chinese_name_claims.names_in(text, said.people):
        if not said.holds_characters(name, in_part=in_part):
            yield name
    if 2 * len(_CJK.findall(text)) >= sum(map(len, _LATIN_RUN.findall(text))):
        yield from _missing_latin(text, said)
        return
    for name in english_names.names_in(text):
        if not said.holds_word(name):
            yield name
    for match in _CJK_RUN.finditer(text):
        if match[0] not in _ROLES_ZH and not said.holds_characters(match[0], in_part=len(match[0]) > 3):
            yield match[0]


def _missing_latin(text: str, said: Said) -> Iterator[str]:
    """In a Chinese note every Latin word is somebody's, but for common abbreviations."""
    for match in _LATIN_RUN.finditer(text):
        word = match[0]
        common = fold(word) in _COMMON_LATIN or english_names.is_common_capital(word)
        if not common and not all(said.holds_word(part) or said.holds_stem(part) for part in _WORD.findall(word)):
            yield word


def _squeezed(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())
