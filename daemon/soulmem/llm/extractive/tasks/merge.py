"""Deciding without a model whether notes that look alike tell the same (algorithms.md §6.4).

They are the same when the fullest of them holds the names, numbers, times and content words of every other one; the
merged wording is the fullest one's, so nothing is lost and nothing made up. They are variants when they tell of the
same thing with another time or detail: then the common part of their wordings is the abstract parent's text. All else
is different: another person, the contrary, another subject.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cached_property

from soulmem.core.calendar.calendar_math import HOUR_MS
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.schema.engine_tasks import Merged, MergeRequest, Sameness
from soulmem.core.text.tokens import fold
from soulmem.llm.extractive.facts.claims import Claim, claim_of, is_denied
from soulmem.llm.extractive.language.content_words import amount, content_terms
from soulmem.llm.extractive.language.sentence_splitter import CJK, WORD, language_of
from soulmem.llm.extractive.wording.comparable_wording import (
    Compared,
    is_within,
    names_in,
    numbers_in,
    subject_of,
)

_APART_MS = 6 * HOUR_MS  # two similar evenings are two evenings (§6.4)
_RELATED = 0.5  # share of the smaller note's content words
_LEAST_COMMON = 1.5  # words of content that an abstract parent must hold
_LOOSE_END = CaselessPattern(
    r"(?:[\s,，:：;；、…]|\b(?:with|at|in|on|to|for|the|an?|and|of|from|her|his|their|my|by|then|but|or|about|into|was|is)\b$"
    r"|(?<=[\u4e00-\u9fff])[的在和跟与去了给把被]$|[，、]$){1,40}$"
)
_PIECE = rf"{WORD.pattern}|[^\w\s]|_|\s+"


class _Told(Compared):
    """A note that may be another's twin."""

    @cached_property
    def timeless(self) -> str:
        """The text without its dates."""
        left = self.text
        for span in reversed(find_dates(left, self.note.at_ms)):
            left = f"{left[: span.start].rstrip()} {left[span.end :].lstrip()}"
        return re.sub(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])", "", " ".join(left.split()))

    @cached_property
    def terms(self) -> frozenset[str]:
        return content_terms(self.timeless)

    @cached_property
    def numbers(self) -> frozenset[str]:
        return numbers_in(self.timeless)

    @cached_property
    def subject(self) -> str:
        return fold(subject_of(self.text))

    @cached_property
    def claim(self) -> Claim | None:
        return claim_of(self.text)


def merge(request: MergeRequest) -> Merged:
    """The verdict over all notes together, and the merged or the common wording."""
    told = [_Told(note) for note in {note.label: note for note in request.notes}.values() if note.text.strip()]
    if len(told) < 2:
        return Merged(Sameness.DIFFERENT)
    fullest = max(told, key=lambda one: (amount(one.terms), len(one.names), len(one.text), -told.index(one)))
    others = [one for one in told if one is not fullest]
    if any(_is_other(one, fullest) for one in others):
        return Merged(Sameness.DIFFERENT)
    if all(_is_held(one, fullest) for one in others):
        return Merged(Sameness.SAME, fullest.note.text.strip())
    common = _common(told) if all(_is_related(one, fullest) for one in others) else ""
    return Merged(Sameness.VARIANT, common) if common else Merged(Sameness.DIFFERENT)


def _is_other(one: _Told, fullest: _Told) -> bool:
    """Whether two notes speak of different people, say the contrary, or state two different facts."""
    if one.subject and fullest.subject and one.subject != fullest.subject:
        return True
    if is_denied(one.text) is not is_denied(fullest.text):
        return True
    said, other = one.claim, fullest.claim
    if said is None or other is None:
        return False
    return (said.subject, said.relation) != (other.subject, other.relation) or (said.lapsed, said.past) != (
        other.lapsed,
        other.past,
    )


def _is_held(one: _Told, fullest: _Told) -> bool:
    """Whether the fullest note tells all that this one tells."""
    if one.words == fullest.words:
        return not _at_other_times(one, fullest)
    held = one.terms <= fullest.terms or is_within(one.words, fullest.words)
    held = held and one.names <= fullest.names and one.numbers <= fullest.numbers
    return bool(one.terms) and held and not _at_other_times(one, fullest)


def _at_other_times(one: _Told, other: _Told) -> bool:
    """Whether two notes name different times, or tell of moments more than six hours apart as if each its own."""
    if one.times and other.times and one.times != other.times:
        return True
    if one.claim is not None and other.claim is not None:
        return False  # a fact told twice is one fact
    return bool(one.note.at_ms and other.note.at_ms) and abs(one.note.at_ms - other.note.at_ms) >= _APART_MS


def _is_related(one: _Told, fullest: _Told) -> bool:
    if one.claim is not None and fullest.claim is not None:  # two values of one relation are two facts
        return set(_plain(one.claim.object)) <= set(_plain(fullest.claim.object))
    shared = one.terms & fullest.terms
    return amount(shared) >= 1 and len(shared) >= _RELATED * min(len(one.terms), len(fullest.terms))


def _plain(text: str) -> list[str]:
    return WORD.findall(fold(text))


def _common(told: Sequence[_Told]) -> str:
    """The wording that all notes share, with a mark where they differ; empty if it says too little."""
    shortest = min(told, key=lambda one: (len(one.timeless), one.note.label))
    piece = _pieces_of(told)
    pieces = piece.findall(shortest.timeless)
    kept = [True] * len(pieces)
    for one in told:
        if one is not shortest:
            theirs = [fold(each) for each in piece.findall(one.timeless)]
            matcher = SequenceMatcher(None, [fold(each) for each in pieces], theirs, autojunk=False)
            here = [False] * len(pieces)
            for block in matcher.get_matching_blocks():
                for index in range(block.a, block.a + block.size):
                    here[index] = True
            kept = [was and is_now for was, is_now in zip(kept, here, strict=True)]
    runs = _runs(pieces, kept)
    common = " … ".join(run for run in runs if run)
    chinese = language_of(shortest.text) == "zh"
    common = common.replace(" … ", "…") if chinese else common
    if amount(content_terms(common)) < _LEAST_COMMON:
        return ""
    if len({one.times for one in told}) > 1 or any(_at_other_times(one, shortest) for one in told):
        common = f"不止一次：{common}" if chinese else f"More than once: {common}"
    return common.rstrip(".。!！ ") + ("。" if chinese else ".")


def _pieces_of(told: Sequence[_Told]) -> re.Pattern[str]:
    """What the notes' texts are cut into to be compared: words, characters, and Chinese names as a whole."""
    names = {name for one in told for name in names_in(one.text) if CJK.search(name)}
    whole = [re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name))]
    return re.compile("|".join([*whole, _PIECE]))


def _runs(pieces: Sequence[str], kept: Sequence[bool]) -> list[str]:
    """The stretches that are kept, without loose ends; of a stretch of one short word nothing is left."""
    runs: list[str] = []
    current = ""
    for piece, keep in (*zip(pieces, kept, strict=True), ("", False)):
        if keep:
            current += piece
            continue
        run = current if not piece and not runs else _LOOSE_END.sub("", current.strip())
        least = 2 if CJK.search(run) else 3
        if sum(map(str.isalnum, run)) >= least and (content_terms(run) or not runs):
            runs.append(run.strip(" ,，.。"))
        current = ""
    return runs
