"""The weeks that `weeks` tells a mind: their form on disk, read into records.

A week is a text file of `told/`: a head (`key: value`), sessions `== 2026-10-17 17:00`, lines `U:` and `C:`, and at the
end what was asked:
    ? question | key/other + key | outdated/other      `?-`: nothing told answers it
Keys are those of `content_data`. The third field says how an item shows that it tells what holds no more. The weeks
were written by somebody who had not seen the code.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from pathlib import Path

from benchmarks.content.content_data import Keys, Life, Line, Session, keys

WEEKS = Path(__file__).parent / "told"
_SESSION = re.compile(r"== (\d{4}-\d\d-\d\d \d\d:\d\d)")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question; without `right` nothing told answers it."""

    text: str
    right: Keys
    outdated: Keys


@dataclass(frozen=True, slots=True)
class Week:
    life: Life
    asked: list[Asked]


def weeks(languages: tuple[str, ...], halves: tuple[str, ...] = ("dev",)) -> list[Week]:
    """All weeks of these languages and halves, by name of their files."""
    read = [read_week(path) for path in sorted(WEEKS.glob("*.week"))]
    return [week for week in read if week.life.language in languages and week.life.half in halves]


def read_week(path: Path) -> Week:
    """One week.

    Raises:
        ValueError: a line that says nothing known.
    """
    head: dict[str, str] = {"persona": ""}
    life: Life | None = None
    asked: list[Asked] = []
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if match := _SESSION.fullmatch(line):
            life = life or Life(**head)
            at = dt.datetime.strptime(match[1], "%Y-%m-%d %H:%M").replace(tzinfo=dt.UTC)
            life.sessions.append(Session(at, "main"))
        elif life is None:
            name, _, value = line.partition(":")
            head[name.strip()] = value.strip()
        elif line[:2] in ("U:", "C:"):
            role, speaker = ("user", life.user) if line[0] == "U" else ("assistant", life.companion)
            life.sessions[-1].steps.append(Line(f"{life.mind}-{number}", role, speaker, line[2:].strip()))
        elif line.startswith("?"):
            text, right, outdated = ([each.strip() for each in line.lstrip("?- ").split("|")] + ["", ""])[:3]
            if line.startswith("?-") == bool(right):
                raise ValueError(f"{path.name}:{number}: {line[:60]}")
            asked.append(Asked(text, keys(right), keys(outdated)))
        else:
            raise ValueError(f"{path.name}:{number}: what is this: {line[:60]}")
    if life is None:
        raise ValueError(f"{path.name}: no session")
    return Week(life, asked)
