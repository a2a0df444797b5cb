"""Surnames that were told wrong: 馆长是姓冉不是阮.

Called by `core/facts/spoken_corrections.py`. Pure. Invariant: one character stands in other names and in words, so it
is put right only where a statement says of the same person that this is the surname.
"""

from __future__ import annotations

from soulmem.core.regex.lazy_regex import LazyPattern

_TITLE = LazyPattern(r"(?P<title>[\u4e00-\u9fff]{2})的?(?:名字)?$")  # 新馆长


def is_surname(wrong: str) -> bool:
    """Whether what is wrong is one Chinese character."""
    return len(wrong) == 1 and "\u4e00" <= wrong <= "\u9fff"


def surname_put_right(statement: str, wording: str, wrong: str, about: str) -> str | None:
    """A statement with another surname where it says 馆长姓阮 of whom it is about; None where it does not."""
    called = _TITLE.search(about)
    for lead in ("姓", "叫", "是姓") if called else ():
        told = f"{called['title'] if called else ''}{lead}{wrong}"
        at = statement.find(told)
        if at >= 0 and not "\u4e00" <= statement[at + len(told) : at + len(told) + 1] <= "\u9fff":
            right = wording.lstrip("姓叫") if wording[1:] else wording
            return statement[: at + len(told) - 1] + right + statement[at + len(told) :]
    return None
