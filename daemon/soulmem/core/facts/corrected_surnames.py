"""Surnames that were told wrong: 馆长是姓冉不是阮.

Called by `core/facts/spoken_corrections.py`. Pure. Invariant: one character stands in other names and in words, so it
is put right only where it is said to be a surname or stands before what its bearer is called.
"""

from __future__ import annotations

from soulmem.core.regex.lazy_regex import LazyPattern

_TITLE = LazyPattern(r"(?P<title>[\u4e00-\u9fff]{2})的?(?:名字)?$")  # 新馆长


def is_surname(wrong: str) -> bool:
    """Whether what is wrong is one Chinese character."""
    return len(wrong) == 1 and "\u4e00" <= wrong <= "\u9fff"


def surname_put_right(statement: str, wording: str, wrong: str, about: str) -> str | None:
    """A statement with another surname: of 姓阮, 叫阮 or (about 馆长) 阮馆长; None where it has none of them."""
    called = _TITLE.search(about)
    title = called["title"] if called else ""
    led = [statement.find(lead + wrong) + 1 for lead in "姓叫" if lead + wrong in statement]
    at = min(led) if led else statement.find(wrong + title) if title else -1
    right = wording.lstrip("姓叫") if wording[1:] else wording
    return statement[:at] + right + statement[at + 1 :] if at >= 0 else None
