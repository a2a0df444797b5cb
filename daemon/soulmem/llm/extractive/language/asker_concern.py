"""Asker concern: whether a question is about the life or the feelings of whoever asks it (algorithms.md §3.2)."""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.schema.engine_tasks import Mood
from soulmem.llm.extractive.language import chinese_lexicon, english_lexicon

_ASIDE_OF_SELF = CaselessPattern(
    r"\b(?:tell|show|remind|give|let|help|ask|excuse|forgive) (?:me|us)\b|\b(?:can|could|may|should) i (?:ask|know)\b|\bi (?:wonder|was wondering|want to know|['’]d like to know|guess|think|mean|heard|ask)\b"
    r"|(?:告诉|问问?|给|帮|提醒|教|跟|和)(?:一下)?我|我(?:想(?:知道|问)|问你|记得|觉得|听说|忘了|好奇|猜)"
)


def cares(text: str, mood: Mood, *, of_others: bool) -> bool:
    """Whether the question concerns the asker's own life or feelings; `of_others`: it names somebody."""
    own = _ASIDE_OF_SELF.sub(" ", text)
    about_self = english_lexicon.ENGLISH.first_person.search(own) or chinese_lexicon.CHINESE.first_person.search(own)
    return about_self is not None or (abs(mood.valence) >= 0.5 and not of_others)
