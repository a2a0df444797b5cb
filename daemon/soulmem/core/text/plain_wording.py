"""Plain wording: a question in the everyday speech of a region, in the words that everybody asks with.

Called by recall before a question is read, so that whoever reads it needs to know one wording of each: 啥 and 乜嘢 ask
what 什么 asks, 上哪儿 what 去哪里 asks, 礼拜天 is 周日. Only what asks and the little words around it are exchanged;
what is asked about stays as it was said. Pure, linear in the length of the text. Invariant: a text without such a
word stays as it is.
"""

from __future__ import annotations

from soulmem.core.regex.lazy_regex import HAN, LazyPattern
from soulmem.core.text.word_file import read_rows

_TABLE = tuple((LazyPattern(pattern), plain) for pattern, plain in read_rows("core/text/plain_wording.txt", {}))


def in_plain_words(text: str) -> str:
    """A question with its words of a region in those that everybody asks with."""
    if text.isascii() or not HAN.search(text):
        return text
    for pattern, plain in _TABLE:
        text = pattern.sub(plain, text)
    return text
