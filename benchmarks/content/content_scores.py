"""What is counted: one outcome for each thing that could be right, and the shares they make.

Filled by the measures of `content`, shown by it as a table and as one JSON line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TextIO

from benchmarks.content.content_keys import wilson

# What each share is to be at least (or at most), with the embedded engine and with a model.
GOALS = {
    "kept": (0.92, 0.97, "statements that became notes"),
    "kept.audited": (None, None, "  in the audit, with a reason"),
    "kept.lost": (None, None, "  lost without a word"),
    "untrue": (None, None, "  untrue notes that might be made, and were"),
    "current.first": (None, None, "current fact first, after the sleep"),
    "current": (0.85, 0.97, "current fact first, outdated marked, after"),
    "current.plain": (0.85, 0.97, "  of these, of what was said in so many words"),
    "current.found": (None, None, "  the current fact among what came to mind"),
    "current.marked": (None, None, "  nothing outdated there that is not marked"),
    "current.talk": (0.85, 0.97, "  the same before the sleep"),
    "current.messages": (None, None, "  after, raw messages marked as well"),
    "still.over": (None, None, "what never changed, marked as over (at most)"),
    "answer.earlier": (0.05, 0.05, "what answers and never changed, marked (at most)"),
    "corrected": (1.0, 1.0, "corrected: new there, old gone"),
    "corrected.new": (None, None, "  new value there after the sleep"),
    "corrected.gone": (None, None, "  old value nowhere, at once and after"),
    "deleted": (1.0, 1.0, "deleted: in no method and no byte"),
    "deleted.methods": (None, None, "  in no method, after the sleep"),
    "deleted.once": (None, None, "  in no method, at once"),
    "deleted.bytes": (None, None, "  no byte in the files"),
    "dates": (0.90, 0.90, "dates right"),
    "dates.wrong": (0.02, 0.02, "  wrong (at most)"),
    "dates.kept": (None, None, "  right, of statements that were kept"),
    "unanswerable": (0.75, 0.75, "unanswerable: nothing or not known"),
    "unanswerable.near": (None, None, "  of these, about what is known otherwise"),
    "answer": (None, None, "answerable: among the first 10"),
    "answer.first": (None, None, "  first"),
    "time": (0.85, 0.85, "time questions answered first"),
}
_AT_MOST = frozenset({"dates.wrong", "still.over", "untrue", "answer.earlier"})


@dataclass(frozen=True, slots=True)
class Outcome:
    measure: str
    language: str
    half: str
    life: str
    name: str
    right: bool
    seen: str = ""


@dataclass(slots=True)
class Scores:
    outcomes: list[Outcome] = field(default_factory=list)

    def shares(self, languages: Iterable[str], halves: Iterable[str]) -> list[dict[str, Any]]:
        """One line for every measure, language and half of which anything was counted."""
        lines = []
        measures = [*GOALS, *sorted({each.measure for each in self.outcomes} - set(GOALS))]
        for measure in measures:
            for language in languages:
                for half in halves:
                    wanted = (measure, language, half)
                    those = [each for each in self.outcomes if (each.measure, each.language, each.half) == wanted]
                    if those:
                        right = sum(each.right for each in those)
                        low, high = wilson(right, len(those))
                        lines.append({
                            "measure": measure, "language": language, "half": half, "n": len(those), "right": right,
                            "share": round(right / len(those), 3), "low": round(low, 3), "high": round(high, 3),
                        })  # fmt: skip
        return lines

    def misses(self, measure: str | None) -> list[Outcome]:
        """What was not right, never of a half that is held back."""
        wanted = [each for each in self.outcomes if measure in (None, "all", each.measure)]
        return [each for each in wanted if each.half != "held" and each.right == (each.measure in _BAD)]


_BAD = frozenset(
    {"kept.lost", "kept.audited", "untrue", "dates.wrong", "answer.earlier", "still.over"}
)  # where to be counted is the miss


def show(lines: list[dict[str, Any]], engine: str, stream: TextIO) -> None:
    """Print the table."""
    title = f"share, with the {'embedded engine' if engine == 'embedded' else 'scripted model'}"
    print(f"\n{title:46} {'lang':4} {'half':4} {'n':>4} {'share':>6}  {'95 %':11}  goal", file=stream)
    for line in lines:
        goals = GOALS.get(line["measure"], (None, None, line.get("label", line["measure"])))
        goal = goals[0] if engine == "embedded" else goals[1]
        least, most = line.get("goal") or ((None, goal) if line["measure"] in _AT_MOST else (goal, None))
        held = (least is None or line["share"] >= least) and (most is None or line["share"] <= most)
        bounds = [f"≥ {least:.2f}" if least else "", f"≤ {most:.2f}" if most is not None and most < 1 else ""]
        said = f"{' '.join(filter(None, bounds))}{'' if held else ' MISSED'}"
        interval = f"{line['low']:.2f}–{line['high']:.2f}"
        where = f"{goals[2]:46} {line['language']:4} {line['half']:4}"
        print(f"{where} {line['n']:4} {line['share']:6.2f}  {interval:11}  {said}", file=stream)
