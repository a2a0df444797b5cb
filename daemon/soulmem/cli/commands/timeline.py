"""`soulmem timeline`: a mind's notes as bars, from the oldest to the newest, that show where each has faded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from soulmem.cli.commands.notes import NO_NOTES, LimitOption, latest, listed_text, needs_no_table, whole_list
from soulmem.cli.output.chart import height
from soulmem.cli.output.command_session import Session, opens_session
from soulmem.cli.output.tables import moment, out, paint, plural, show_table

_CELLS = 16


@opens_session
def timeline(session: Session, limit: LimitOption = 50) -> None:
    """Show a mind's latest notes, the oldest first, each as a bar that is low where its text has faded."""
    newest, count = latest(whole_list(session, "note.list"), limit, "at")
    items = newest[::-1]
    if needs_no_table(session, items, *NO_NOTES):
        return
    rows = [
        (
            moment(item.get("at")),
            str(item["id"]) + ("*" if item.get("pinned") else ""),
            f"▕{bar(item)}▏",
            str(item.get("state", "-")),
            listed_text(item),
        )
        for item in items
    ]
    show_table("when, id, what is left, state, text*", rows)
    left_out = f"; {plural(count - len(items), 'older one')} left out" if count > len(items) else ""
    out(paint(f"{plural(len(items), 'note')}{left_out}; * pinned: does not fade", "dim"))


def bar(item: Mapping[str, Any], cells: int = _CELLS) -> str:
    """A note's text from its first to its last character: the taller the bar, the more of it is left there."""
    elements = item.get("elements") or ()
    # A list gives the text as it shows now; how long it was at first is known from the element over all of it.
    length = max((int(each["end"]) for each in elements), default=len(str(item.get("text") or "")))
    left = opacities(length, elements)
    if not left:
        return " " * cells
    edges = [i * len(left) / cells for i in range(cells + 1)]
    stretches = [left[int(low) : max(int(low) + 1, int(high))] for low, high in pairwise(edges)]
    return "".join(height(sum(stretch) / len(stretch)) for stretch in stretches)


def opacities(length: int, elements: Sequence[Mapping[str, Any]]) -> list[float]:
    """How much is left at each character: of the elements that cover it the innermost decides, of several the best
    remembered; what none covers is all there.
    """
    held = [(int(each["start"]), int(each["end"]), float(each["opacity"])) for each in elements]
    left = [1.0] * length
    for place in range(length):
        here = [span for span in held if span[0] <= place < span[1]]
        inner = [span for span in here if not any(_inside(other, span) for other in here)]
        if inner:
            left[place] = max(span[2] for span in inner)
    return left


def _inside(inner: tuple[int, int, float], outer: tuple[int, int, float]) -> bool:
    """Strict containment."""
    return outer[0] <= inner[0] and inner[1] <= outer[1] and inner[1] - inner[0] < outer[1] - outer[0]
