"""How a recall came about, drawn as a tree: each item, its evidence, the links that led to it, and what gave way.

Called by `soulmem recall --explain`. Plain text, so that it reads the same in a pipe.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from soulmem.cli.output.tables import clip, number, one_line, paint, terminal_cells

_BRANCH, _LAST, _GOES_ON, _BLANK = "├─ ", "└─ ", "│  ", "   "
_QUOTE = 48  # cells of a note on the way


def tree(result: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the drawing, for a result of `recall` with `explain`."""
    cells = terminal_cells()
    for item in result.get("items", ()):
        head = f"{number(item.get('score'))}  {item.get('id')}  {item.get('tier')}  {one_line(str(item.get('text')))}"
        yield clip(head, cells) if cells else head
        reasons = list(_reasons(item.get("why") or {}))
        for place, lines in enumerate(reasons):
            is_last = place == len(reasons) - 1
            for row, line in enumerate(lines):
                lead = (_LAST if is_last else _BRANCH) if row == 0 else (_BLANK if is_last else _GOES_ON)
                yield paint(lead + line, "dim")
    held_back = result.get("suppressed") or ()
    if held_back:
        yield "held back:"
    for place, item in enumerate(held_back):
        like = f" ({item['like']})" if item.get("like") else ""
        text = clip(one_line(str(item.get("text"))), _QUOTE)
        lead = _LAST if place == len(held_back) - 1 else _BRANCH
        yield paint(f"{lead}{item.get('id')}  “{text}”: {item.get('because')}{like}", "dim")


def _reasons(why: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    channels = why.get("channels") or {}
    if channels:
        yield [" · ".join(f"{name} {number(value)}" for name, value in channels.items())]
    path = why.get("path") or ()
    if path:
        yield [_step(step, depth) for depth, step in enumerate(path)]


def _step(step: Mapping[str, Any], depth: int) -> str:
    """One link as it was walked; the arrow points the way the link was made."""
    name = step.get("verb") or step.get("kind") or "link"
    told = f"{name}, {step.get('origin')} {number(step.get('strength'))}"
    arrow = f"◀─[{told}]─" if step.get("backward") else f"─[{told}]─▶"
    text = clip(one_line(str(step.get("from") or "")), _QUOTE)
    return f"{_BLANK * depth}{step.get('src')} “{text}” {arrow} {step.get('dst')}"
