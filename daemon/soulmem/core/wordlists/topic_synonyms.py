"""Synonyms of topics: words of talk that are about the same matter of somebody's life, each matter under one mark.

Called by `topic_terms`, which puts the mark in the place of the words, so that a raise is about the salary and 租金 about
房租. Narrower than the table of concepts by which questions are answered: there a job goes with a hospital, and nothing
may end because of that. Pure.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import re

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.word_file import read_rows

MARK = "="
_CARS = "corolla|polo|golf|yaris|mazda|toyota|honda|volvo|clio|corsa|civic|astra|jetta|passat|prius|micra|qashqai|octavia|fabia|megane|duster|dacia|vauxhall|citroen|mercedes|subaru|suzuki|mitsubishi|lexus|opel|jeep|ford|fiesta|fiat|bmw|audi|skoda|kia|hyundai|tesla|renault|peugeot|nissan|捷达|朗逸|卡罗拉|思域|雅阁|凯美瑞|帕萨特|速腾|宝来|高尔夫|轩逸|蔚来|小鹏|理想汽车|哈弗|长安汽车|奇瑞|日产|起亚|斯柯达|马自达|雷克萨斯|沃尔沃|保时捷|路虎|雪佛兰|标致|比亚迪|大众|丰田|本田|宝马|奥迪|特斯拉|五菱|吉利|奔驰|别克|桑塔纳"
_PHONES = "iphone|nokia|oneplus|motorola|pixel|samsung|galaxy|android|huawei|xiaomi|华为|红米|诺基亚|一加|魅族|荣耀|小米|苹果手机|三星"
_MATTERS = {row[0]: row[1] for row in read_rows("core/wordlists/topic_synonyms.txt", globals())}


def _either(words: str, *, ascii_only: bool) -> str:
    return "|".join(w for w in words.split("|") if w.isascii() is ascii_only) or "$^"


_MATTER = LazyPattern(
    "|".join(
        rf"(?P<{name}>\b(?:{_either(words, ascii_only=True)})\b|(?:{_either(words, ascii_only=False)}))"
        for name, words in _MATTERS.items()
    ),
    re.IGNORECASE | re.ASCII,
)
# The same words without telling which matter they are of: `re` skips alternatives that begin with another character,
# but neither where case is ignored nor where a group begins, and nearly all texts hold none of these words.
_CAPITAL = re.compile(r"(?<!\\)[A-Z]")
_LATIN_WORDS, _HAN_WORDS = (
    _CAPITAL.sub(
        lambda capital: capital[0].lower(),
        "|".join(_either(words, ascii_only=ascii_only) for words in _MATTERS.values()),
    )
    for ascii_only in (True, False)
)
_LATIN = LazyPattern(rf"\b(?:{_LATIN_WORDS})\b", re.ASCII)
_ANY = LazyPattern(rf"\b(?:{_LATIN_WORDS})\b|{_HAN_WORDS}", re.ASCII)


def marked(text: str) -> tuple[str, frozenset[str]]:
    """A folded text without the words of the matters it is about, and the marks of these."""
    any_word = _LATIN if text.isascii() else _ANY
    kept: list[str] = []
    marks: set[str] = set()
    at = 0
    while (place := any_word.search(text, at)) and (found := _MATTER.match(text, place.start())):
        marks.add(f"{MARK}{found.lastgroup}")
        kept += text[at : found.start()], " "
        at = found.end()
    return "".join([*kept, text[at:]]), frozenset(marks)


def said_as(term: str) -> str:
    """The plain words for a mark, to seek by; of any other term, itself."""
    if not term.startswith(MARK):
        return term
    words = re.sub(r"\(\?[^()]*\)|[\[\]()?\\]", " ", _MATTERS[term[1:]])
    return " ".join(word for word in words.split("|") if word.strip())
