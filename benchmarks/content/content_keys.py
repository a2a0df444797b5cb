"""What a text says, for `content`: does it hold these keys, is it marked as outdated, how sure is a share.

Called by everything that scores. All texts are compared in lower case, NFKC, with single spaces; a key of Latin letters
or digits begins at a word's beginning, so that `work` is found in `works` and `art` is not found in `party`.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

from benchmarks.content.content_data import Keys

# Words by which a text says that something holds no more. One list for both languages, used for every engine alike.
_PAST = re.compile(
    r"\b(?:until|till|no longer|not any ?more|isn't any ?more|used to|former(?:ly)?|previously|at (?:that|the) time|"
    r"outdated|superseded|said by mistake|ended (?:on|in)|back then|was (?:true|so) |no more|"
    r"(?:the|my|her|his|their) old (?:one|number|address|phone|job|flat|place))\b|anymore"
    r"|以前|(?<![底日号月点年天])之前|曾|原先|原来|本来|原本|不再|为止|截至|直到|当时|旧的|旧号|已不|已经不|已过时|早先|那时|说错了[)）]"
)
_ENDS = ("valid_to", "valid_until", "invalid_at", "ended_at", "until", "to", "end", "superseded_by", "outdated")
_CURRENT = ("", "current", "valid", "open", "active", "true")


def normal(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).lower().replace("’", "'")
    return " ".join(folded.split())


def holds(keys: Keys, text: str) -> bool:
    """Whether of every group of keys one stands in the text."""
    within = normal(text)
    return bool(keys) and all(any(_pattern(key).search(within) for key in group) for group in keys)


@cache
def _pattern(key: str) -> re.Pattern[str]:
    wanted = normal(key)
    start = r"(?<![a-z0-9])" if re.match(r"[a-z0-9]", wanted) else ""
    end = r"(?![0-9])" if re.search(r"[0-9]$", wanted) else ""
    return re.compile(start + re.escape(wanted) + end)


def is_marked(item: Mapping[str, Any], now: str = "9999") -> bool:
    """Whether an item of a recall, or a note, says that it holds no more: by a field or in its words.

    `now` is ISO 8601: what ends later still holds.
    """
    attributes = item.get("attributes") or {}
    for place in (item, item.get("validity"), attributes, attributes.get("validity")):
        if isinstance(place, Mapping) and any(_is_over(place.get(name), now) for name in _ENDS):
            return True
    validity = item.get("validity")
    if isinstance(validity, str) and validity.lower() not in _CURRENT:
        return True
    return says_past(str(item.get("text", "")))


def _is_over(end: Any, now: str) -> bool:
    if isinstance(end, str) and re.match(r"\d{4}-\d\d", end):
        return end[: len(now)] <= now
    return end not in (None, False, "")


def says_past(text: str) -> bool:
    return _PAST.search(normal(text)) is not None


def wilson(right: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if n == 0:
        return 0.0, 1.0
    share = right / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)
