"""What `soulmem doctor` finds: one thing looked at, how it stands, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    FINE = "fine"
    NOTICE = "notice"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: what was found, and what to do unless it is fine."""

    subject: str
    verdict: Verdict
    found: str
    advice: str = ""
