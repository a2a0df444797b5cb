"""Synonyms of topics: words of talk that are about the same matter of somebody's life, each matter under one mark.

Called by `topic_terms`, which puts the mark in the place of the words, so that a raise is about the salary and 租金 about
房租. Narrower than the table of concepts by which questions are answered: there a job goes with a hospital, and nothing
may end because of that. Pure.
"""

# Word lists stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.word_file import read_rows

MARK = "="
_CARS = "corolla|polo|golf|yaris|mazda|toyota|honda|volvo|clio|corsa|civic|astra|jetta|passat|prius|micra|qashqai|octavia|fabia|megane|duster|dacia|vauxhall|citroen|mercedes|subaru|suzuki|mitsubishi|lexus|opel|jeep|ford|fiesta|fiat|bmw|audi|skoda|kia|hyundai|tesla|renault|peugeot|nissan|捷达|朗逸|卡罗拉|思域|雅阁|凯美瑞|帕萨特|速腾|宝来|高尔夫|轩逸|蔚来|小鹏|理想汽车|哈弗|长安汽车|奇瑞|日产|起亚|斯柯达|马自达|雷克萨斯|沃尔沃|保时捷|路虎|雪佛兰|标致|比亚迪|大众|丰田|本田|宝马|奥迪|特斯拉|五菱|吉利|奔驰|别克|桑塔纳"
_PHONES = "iphone|nokia|oneplus|motorola|pixel|samsung|galaxy|android|huawei|xiaomi|华为|红米|诺基亚|一加|魅族|荣耀|小米|苹果手机|三星"
_MATTERS = {row[0]: row[1] for row in read_rows("core/wordlists/topic_synonyms.txt", globals())}
_MATTER = LazyPattern(
    "|".join(
        rf"(?P<{name}>\b(?:{'|'.join(w for w in words.split('|') if w.isascii()) or '$^'})\b|(?:{'|'.join(w for w in words.split('|') if not w.isascii()) or '$^'}))"
        for name, words in _MATTERS.items()
    ),
    re.IGNORECASE | re.ASCII,
)


def marked(text: str) -> tuple[str, frozenset[str]]:
    """The text without the words of the matters it is about, and the marks of these."""
    found: set[str] = set()

    def mark(match: re.Match[str]) -> str:
        found.add(f"{MARK}{match.lastgroup}")
        return " "

    return _MATTER.sub(mark, text), frozenset(found)


def said_as(term: str) -> str:
    """The plain words for a mark, to seek by; of any other term, itself."""
    if not term.startswith(MARK):
        return term
    words = re.sub(r"\(\?[^()]*\)|[\[\]()?\\]", " ", _MATTERS[term[1:]])
    return " ".join(word for word in words.split("|") if word.strip())
