"""Figures: what a benchmark reports, each beside its goal and beside a yardstick measured in the same run.

Made by the phases of `core`; shown as a table for people and as JSON for programs.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement: the better of its repetitions, and all of them.

    `goal` is the most allowed, or with `more_is_better` the least. `load` is the load average of the last minute
    when the phase began: on a busy machine a figure says little.
    """

    name: str
    unit: str
    values: tuple[float, ...]
    goal: float | None = None
    yardstick: float | None = None
    more_is_better: bool = False
    load: float = 0.0
    note: str = ""

    @property
    def value(self) -> float:
        return max(self.values) if self.more_is_better else min(self.values)

    @property
    def holds(self) -> bool | None:
        """Whether the goal is met; None without one."""
        if self.goal is None:
            return None
        return self.value >= self.goal if self.more_is_better else self.value <= self.goal

    def report(self) -> dict[str, Any]:
        return asdict(self) | {
            "value": round(self.value, 4),
            "values": [round(value, 4) for value in self.values],
            "yardstick": None if self.yardstick is None else round(self.yardstick, 4),
            "load": round(self.load, 2),
            "holds": self.holds,
        }


def load_average() -> float:
    return os.getloadavg()[0]


def show(figures: list[Figure], stream: TextIO) -> None:
    """Print the table."""
    table = Table(title="soulmem, the core in numbers", title_justify="left")
    table.add_column("figure", no_wrap=True)
    for column in ("value", "goal", "yardstick", "runs", "load"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("note", overflow="fold", max_width=44)
    for each in figures:
        colour = {True: "green", False: "red", None: ""}[each.holds]
        value = f"{_short(each.value)} {each.unit}"
        table.add_row(
            each.name,
            f"[{colour}]{value}[/]" if colour else value,
            "" if each.goal is None else f"{'≥' if each.more_is_better else '≤'} {_short(each.goal)}",
            "" if each.yardstick is None else _short(each.yardstick),
            " ".join(map(_short, each.values)) if len(each.values) > 1 else "",
            f"{each.load:.1f}",
            each.note,
        )
    Console(file=stream, width=150).print(table)


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
