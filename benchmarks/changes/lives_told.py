"""Invented lives and statements of `lives/`, in which it is marked what leaves what outdated.

A file has lives of thirty lines (`number | day | what was typed`), the file 16 whole talks with a companion. A line
that leaves earlier ones outdated says which and what a friend may ask later (`| > 4 | question`); `| ~ 4` is of the
same matter as line 4, which stands. Of all other pairs both stand. Behind them stand statements on their own: an
earlier one, a later one that leaves it outdated, a later one that sounds like it and does not, and a question
(`a || b || c || question`).

What is asked of lines that stand is in `asked/`, by the same names of files and lives: `4 | question`; `- | question`
is one that nothing in that life answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

LIVES, ASKED = (Path(__file__).with_name(name) for name in ("lives", "asked"))
LANGUAGES = ("en", "zh")


@dataclass(slots=True)
class ToldLife:
    """What one person said over ten weeks: (day, text) by number, and what a later line does to an earlier one."""

    name: str
    lines: dict[int, tuple[int, str]] = field(default_factory=dict)
    replaced: dict[tuple[int, int], str] = field(default_factory=dict)  # the question by (later, earlier)
    alike: set[tuple[int, int]] = field(default_factory=set)
    asked: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)  # questions, with the lines that answer them

    def pairs(self) -> Iterator[tuple[int, int]]:
        """All (later, earlier)."""
        for later in self.lines:
            yield from ((later, earlier) for earlier in self.lines if earlier < later)


@dataclass(frozen=True, slots=True)
class Apart:
    """Statements on their own: of `old` and `new` the second counts, of `old` and `alike` both."""

    old: str
    new: str
    alike: str
    question: str


@dataclass(frozen=True, slots=True)
class ToldFile:
    """What one author wrote."""

    name: str
    language: str
    lives: list[ToldLife]
    apart: list[Apart]


def told_files() -> list[ToldFile]:
    """Every file, in the order of languages and names. Raises ValueError for a line that cannot be read."""
    return [_read(path, language) for language in LANGUAGES for path in sorted((LIVES / language).glob("*.txt"))]


def _read(path: Path, language: str) -> ToldFile:
    found = ToldFile(path.stem, language, [], [])
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("# life:"):
            found.lives.append(ToldLife(line.partition(":")[2].strip()))
        elif "||" in line:
            found.apart.append(Apart(*(part.strip() for part in line.split("||"))))
        elif line.strip():
            try:
                _add(found.lives[-1], [part.strip() for part in line.split("|")])
            except (ValueError, KeyError, IndexError) as error:
                raise ValueError(f"{path.name}, line {number}: {error}") from error
    _read_asked(found, ASKED / language / path.name)
    return found


def _read_asked(told: ToldFile, path: Path) -> None:
    lives = iter(told.lives)
    life: ToldLife | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("# life:"):
            life = next(lives, None)
            if life is None or life.name != line.partition(":")[2].strip():
                raise ValueError(f"{path.name}, line {number}: not the life that stands here in `lives`")
        elif line.strip():
            of, _, question = line.partition("|")
            numbers = () if of.strip() == "-" else tuple(int(each) for each in of.split(","))
            if life is None or not question.strip() or not life.lines.keys() >= set(numbers):
                raise ValueError(f"{path.name}, line {number}: {line[:60]}")
            life.asked.append((question.strip(), numbers))


def _add(life: ToldLife, parts: list[str]) -> None:
    number = int(parts[0])
    life.lines[number] = (int(parts[1]), parts[2])
    if len(parts) > 3:
        sign, of = parts[3][0], [int(each) for each in parts[3][1:].split(",")]
        for earlier in of:
            if earlier not in life.lines or earlier >= number:
                raise ValueError(f"no line {earlier} before it")
            if sign == ">":
                life.replaced[number, earlier] = parts[4]
            else:
                life.alike.add((number, earlier))
