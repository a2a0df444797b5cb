"""What `soulmem doctor` finds: one thing looked at, how it stands, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    FINE = "fine"
    NOTICE = "notice"
    WRONG = "wrong"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: what was found, and what to do unless it is fine."""

    subject: str
    verdict: Verdict
    found: str
    advice: str = ""


def unchecked(subject: str, why: str, advice: str = "") -> Finding:
    """One thing that was not looked at. Nobody may take it for fine."""
    return Finding(subject, Verdict.UNCHECKED, f"not checked: {why}", advice)
