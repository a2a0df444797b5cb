"""Ratings from 1 to 10, read out of whatever a model wraps them in (algorithms.md §8.2)."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

from soulmem.llm.contracts.parts.answer_fields import text_of

FAIL_SAFE = 4
_RANGE = re.compile(
    r"(?<![A-Za-z0-9_.])\d+(?:\.\d+)?\s*(?:-|–|—|~|〜|to|and|through|到|至|和)\s*\d+(?:\.\d+)?(?![A-Za-z0-9_])"
)
_DENOMINATOR = re.compile(r"/\s*\d+(?:\.\d+)?")
_RATING = re.compile(r"(?<![A-Za-z0-9_.\-])(?:10|[1-9])(?![A-Za-z0-9_])")
_LONGEST = 2_000


def rating_in(text: str) -> int | None:
    """The first whole number from 1 to 10 that is neither what is rated against (`/10`) nor the end of a range."""
    plain = unicodedata.normalize("NFKC", text[:_LONGEST])
    found = _RATING.search(_DENOMINATOR.sub(" ", _RANGE.sub(" ", plain)))
    return int(found[0]) if found else None


def parse_importance(text: str) -> int:
    """A rating as a number from 1 to 10: "8/10" is 8, "7.5" is 7; 4 where the text gives none, or only a range."""
    rating = rating_in(text)
    return FAIL_SAFE if rating is None else rating


def _rating_of(value: object) -> int | None:
    text = text_of(value)
    return None if text is None else rating_in(text)


Rating = Annotated[int | None, BeforeValidator(_rating_of), WithJsonSchema({"type": "integer"})]
"""A field that holds a rating; None where nothing in it is one."""
