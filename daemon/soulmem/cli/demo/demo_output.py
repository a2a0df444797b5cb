"""Where the demo shows what the daemon answered: plain lines and tables that read well without colour.

Called by the demo with the daemon's own replies; nothing printed here is invented. Imported only when the demo
runs, because rich takes longer to load than a short command lasts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from soulmem.cli.output.tables import moment_utc, number, one_line, plural

_WIDEST = 116
_PIPE = 108
_INDENT = 11
_BAR = "▁▂▃▄▅▆▇█"
# `Mara (2 March 2026), asked "…": `, `小苇（2026年5月11日）：`
_FRAME = re.compile(
    r"""^\w[^:：()（）“"]{0,24}(\([^)]{4,24}\)|（[^）]{4,24}）)?(, asked "[^"]*"|被问“.*?”(?=：))?(: |：)(?=\S)"""
)


class _Hanging:
    """A label in the margin and text that wraps beside it."""

    def __init__(self, label: str, text: Text) -> None:
        self.label, self.text = label, text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_column(width=_INDENT - 1, style="cyan", no_wrap=True)
        grid.add_column(ratio=1, overflow="fold")  # Chinese has no blanks to wrap at
        grid.add_row(self.label, self.text)
        yield grid


class Stage:
    """Prints the demo. Every method takes what the daemon said and shows one thing."""

    def __init__(self) -> None:
        console = Console(highlight=False, soft_wrap=False)
        console.width = min(console.width, _WIDEST) if sys.stdout.isatty() else _PIPE
        self.console = console

    def say(self, label: str, text: str | Text, style: str = "") -> None:
        """One labelled line, wrapped beside its label."""
        shown = text if isinstance(text, Text) else Text(text, style=style)
        self.console.print(_Hanging(label, shown))

    def plain(self, text: str = "", style: str = "") -> None:
        self.console.print(Text(text, style=style))

    def chapter(self, title: str) -> None:
        self.console.print()
        self.console.print(Rule(Text(f"{title} ", style="bold"), align="left", characters="━", style="cyan"))

    def scene(self, title: str) -> None:
        self.console.print()
        self.console.print(Rule(Text(f"{title} ", style="bold"), align="left", characters="─", style="dim"))

    def _table(self, *columns: str, right: Sequence[str] = ()) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", expand=False)
        for name in columns[:-1]:
            table.add_column(name, justify="right" if name in right else "left", no_wrap=True)
        table.add_column(columns[-1])  # gives way to the terminal; what it holds stays on one line
        return table

    def _show(self, table: Table) -> None:
        self.console.print(Padding(table, (0, 0, 0, _INDENT)))

    def thoughts(self, items: Sequence[Mapping[str, Any]]) -> None:
        """Recalled items with their scores, as `recall` returned them."""
        table = self._table("score", "tier", "kind", "state", "text", right=("score",))
        for item in items:
            table.add_row(
                number(item.get("score")),
                str(item.get("tier", "-")),
                str(item.get("kind", "-")),
                str(item.get("state") or "-"),
                _line(str(item.get("text", ""))),
            )
        self._show(table)

    def notes(self, items: Sequence[Mapping[str, Any]], most: int) -> None:
        """Notes that came into being, each with the messages it came from."""
        table = self._table("kind", "from", "note")
        for item in items[:most]:
            sources = [str(source.get("id") or source.get("seq")) for source in item.get("sources", ())]
            shown = ", ".join(sources[:2]) + ("…" if len(sources) > 2 else "")
            table.add_row(str(item.get("kind")), shown, _line(str(item.get("text", ""))))
        if len(items) > most:
            table.add_row("", "", Text(f"… and {len(items) - most} more", style="dim"))
        self._show(table)

    def hot(self, rows: Sequence[tuple[int, float, str]]) -> None:
        """What was recalled most in an epoch: in how many turns, how often a minute, which note."""
        table = self._table("turns", "f per min", "recalled most", right=("turns", "f per min"))
        for count, frequency, text in rows:
            table.add_row(str(count), f"{frequency:.2f}", _line(text))
        self._show(table)

    def links(self, ties: Sequence[Mapping[str, Any]], names: Mapping[str, str], most: int) -> None:
        """Links that came into being, strongest first, and when silence would end them."""
        table = self._table("strength", "origin", "gone if silent", "between", right=("strength",))
        for tie in sorted(ties, key=lambda tie: -float(tie.get("strength") or 0))[:most]:
            table.add_row(
                number(tie.get("strength")),
                str(tie.get("origin", "-")),
                moment_utc(tie.get("dies_at"))[:10],
                _line(self.pair(tie, names, 30)),
            )
        if len(ties) > most:
            table.add_row("", "", "", Text(f"… and {len(ties) - most} more", style="dim"))
        self._show(table)

    def steps(self, jobs: Sequence[Mapping[str, Any]], took_ms: Sequence[float | None]) -> None:
        """The steps of a digestion in their order, with the milliseconds each took where it was measured."""
        text = Text()
        for job, took in zip(jobs, took_ms, strict=True):
            failed = job.get("state") != "done"
            text.append(f"{job.get('step')}", style="bold red" if failed else "bold")
            if failed:
                text.append(f" {job.get('state')}: {job.get('error')}")
            elif took is not None:
                text.append(f" {took:.0f} ms", style="dim")
            text.append("   ")
        self.say("digested", text)

    def fading(
        self,
        days: Sequence[float],
        rows: Sequence[tuple[str, Sequence[float | None]]],
        alive: Sequence[tuple[int, int]],
    ) -> None:
        """How strong a few links are as silent days pass; a dot is a link that was forgotten."""
        table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
        table.add_column("days of silence", ratio=1)
        for day in days:
            table.add_column(f"{day:g}", justify="right", no_wrap=True, min_width=5)
        for name, strengths in rows:
            cells = [Text("·", style="dim") if value is None else _strength(value) for value in strengths]
            table.add_row(_line(name), *cells)
        table.add_row(Text("links alive", style="bold"), *(Text(str(ties), style="bold") for ties, _ in alive))
        table.add_row(Text("notes alive", style="bold"), *(Text(str(notes), style="bold") for _, notes in alive))
        self.console.print(table)

    def answers(self, rows: Sequence[tuple[str, int | None, str, str]], most: int) -> None:
        """Questions, at which place the evidence was found, and what came to mind first."""
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        table.add_column("", no_wrap=True)
        table.add_column("question", ratio=5)
        table.add_column("at", justify="right", no_wrap=True)
        table.add_column("came to mind", ratio=6)
        for question, place, text, answer in rows[:most]:
            if place is None:
                missed = _line(f"not found: {answer}", "dim")
                table.add_row(Text("✗", style="red"), _line(question), "-", missed)
            else:
                table.add_row(Text("✓", style="green"), _line(question), str(place), _line(essence(text)))
        if len(rows) > most:
            table.add_row("", Text(f"… and {len(rows) - most} more", style="dim"), "", "")
        self.console.print(table)

    def short(self, text: str, cells: int) -> str:
        shown = Text(one_line(text))
        shown.truncate(cells, overflow="ellipsis")
        return shown.plain

    def quote(self, speaker: str, text: str) -> str:
        """Who said what, cut to two lines; Chinese takes its own colon, at which lines do not break."""
        colon = ": " if text[:1].isascii() else "："
        return self.short(f"{speaker}{colon}{one_line(text)}", 180)

    def pair(self, tie: Mapping[str, Any], names: Mapping[str, str], cells: int) -> str:
        ends = (essence(names.get(str(tie.get(end)), str(tie.get(end)))) for end in ("src", "dst"))
        return " ↔ ".join(f"“{self.short(text, cells)}”" for text in ends)

    def window(self, size: int, capacity: int) -> str:
        return f"{'▮' * size}{'▯' * max(0, capacity - size)} {size}/{capacity}"

    def counts(self, notes: int, ties: int) -> str:
        return f"{plural(notes, 'note')}, {plural(ties, 'link')}"


def essence(text: str) -> str:
    """What a note says, without who said it when: for places too narrow for both."""
    return _FRAME.sub("", text)


def _line(text: str, style: str = "") -> Text:
    """Text that stays on one line and ends in an ellipsis where it is cut."""
    return Text(one_line(text), style=style, no_wrap=True, overflow="ellipsis")


def _strength(value: float) -> Text:
    step = min(len(_BAR) - 1, int(value * len(_BAR)))
    style = "green" if value >= 0.3 else "yellow" if value >= 0.1 else "red"
    return Text(f"{value:.2f}{_BAR[step]}", style=style)
