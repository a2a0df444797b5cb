"""Budgets: what language models may cost on a UTC day and in one round of digestion, and what is left of it.

Made by the composition root, asked by the engine before every call and told after it. A day is a UTC day of the
daemon's clock, so that a simulated one resumes the next day as a real one does. What a mind spent is counted here, told
to whoever keeps it (`spent`), and learnt again after a restart; it never goes down within a day, so a mind that was
deleted, or brought back from an older copy, gives no money back. One call may overrun a budget, the next is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.endpoint.endpoint_options import BudgetOptions, Price
from soulmem.ports import Clock, Emit

_MILLION = 1_000_000
_KEPT_DAYS = 3  # a clock that steps back a little finds its day again
_KEPT_RUNS = 1024


class Budget(StrEnum):
    """The limits, in the order in which they are looked at."""

    DAY = "day"  # tokens of all minds
    MIND = "mind"  # tokens of one mind on a day
    RUN = "run"  # tokens of one round of digestion
    COST = "cost"  # money of all minds on a day


def cost_of(prices: Mapping[str, Price], model: str, tokens_in: int, tokens_out: int) -> float:
    """Money for a call; a model without a price costs nothing."""
    price = prices.get(model, Price())
    return (tokens_in * price.input + tokens_out * price.output) / _MILLION


@dataclass(slots=True)
class _Sum:
    tokens: int = 0
    cost: float = 0.0

    def raise_to(self, tokens: int, cost: float) -> bool:
        """True if either was lower."""
        before = self.tokens, self.cost
        self.tokens, self.cost = max(self.tokens, tokens), max(self.cost, cost)
        return before != (self.tokens, self.cost)


@dataclass(slots=True)
class _Day:
    minds: dict[str, _Sum] = field(default_factory=dict)
    told: set[tuple[Budget, str]] = field(default_factory=set)

    @property
    def total(self) -> _Sum:
        return _Sum(sum(each.tokens for each in self.minds.values()), sum(each.cost for each in self.minds.values()))


@dataclass(slots=True)
class _Run:
    tokens: int = 0
    is_told: bool = False


class Budgets:
    """What was spent and what may be; 0 in the options is no limit."""

    def __init__(
        self, options: BudgetOptions, clock: Clock, emit: Emit,
        spent: Callable[[str, int, int, float], None] | None = None,
    ) -> None:  # fmt: skip
        """Args: spent: told (mind, day, tokens, cost) of a mind's day so far whenever it grew; must not wait."""
        self._options = options
        self._clock = clock
        self._emit = emit
        self._spent = spent
        self._days: dict[int, _Day] = {}
        self._runs: dict[tuple[str, str], _Run] = {}

    def limit_to(self, options: BudgetOptions) -> None:
        """Hold to these limits from the next call on."""
        self._options = options

    @property
    def day(self) -> int:
        """The UTC day it is, days since 1970."""
        return self._clock.now_ms() // DAY_MS

    def exhausted(self, mind: str, run: str) -> str | None:
        """Which budget leaves no room for another call, or None; said once to the log a day, or a run.

        Args:
            mind: whose work it is.
            run: its round of digestion; empty for work outside of any.
        """
        options, today = self._options, self._day(self.day)
        total, own = today.total, today.minds.get(mind, _Sum())
        if 0 < options.tokens_per_day <= total.tokens:
            return self._tell_day(today, Budget.DAY, mind, options.tokens_per_day)
        if 0 < options.tokens_per_mind <= own.tokens:
            return self._tell_day(today, Budget.MIND, mind, options.tokens_per_mind)
        round_ = self._runs.get((mind, run)) if run else None
        if round_ is not None and 0 < options.tokens_per_run <= round_.tokens:
            if not round_.is_told:
                round_.is_told = True
                self._emit("budget_exhausted", mind=mind, budget=Budget.RUN.value, limit=options.tokens_per_run)
            return Budget.RUN.value
        if 0 < options.cost_per_day <= total.cost:
            return self._tell_day(today, Budget.COST, mind, options.cost_per_day)
        return None

    def charge(self, mind: str, run: str, tokens: int, cost: float) -> None:
        """Count a call that ended, whatever came of it."""
        tokens, cost, day = max(0, tokens), max(0.0, cost), self.day
        own = self._day(day).minds.setdefault(mind, _Sum())
        own.tokens += tokens
        own.cost += cost
        if run:
            round_ = self._runs.setdefault((mind, run), _Run())
            round_.tokens += tokens
            while len(self._runs) > _KEPT_RUNS:
                del self._runs[next(iter(self._runs))]
        if self._spent is not None:
            self._spent(mind, day, own.tokens, own.cost)

    def learn(self, mind: str, day: int, tokens: int, cost: float) -> None:
        """Take over what a mind's ledger or the catalogue says of a day; told twice it counts once."""
        if tokens <= 0 and cost <= 0:
            return
        own = self._day(day).minds.setdefault(mind, _Sum())
        if own.raise_to(tokens, cost) and self._spent is not None:
            self._spent(mind, day, own.tokens, own.cost)

    def spent_today(self, mind: str | None = None) -> dict[str, Any]:
        """`{tokens, cost, limits, left}` for people; with a mind, also what that one spent.

        A limit that is not set is None, and so is what is left of it.
        """
        options, today = self._options, self._day(self.day)
        total = today.total
        report: dict[str, Any] = {
            "tokens": total.tokens,
            "cost": round(total.cost, 6),
            "limits": {
                "tokens_per_day": options.tokens_per_day or None,
                "tokens_per_mind": options.tokens_per_mind or None,
                "tokens_per_run": options.tokens_per_run or None,
                "cost_per_day": options.cost_per_day or None,
            },
            "left": {
                "tokens": _left(options.tokens_per_day, total.tokens),
                "cost": _left(options.cost_per_day, total.cost),
            },
        }
        if mind is not None:
            own = today.minds.get(mind, _Sum())
            left = _left(options.tokens_per_mind, own.tokens)
            report["mind"] = {"tokens": own.tokens, "cost": round(own.cost, 6), "left": left}
        return report

    def _day(self, day: int) -> _Day:
        if day not in self._days:
            self._days[day] = _Day()
            for old in sorted(self._days)[:-_KEPT_DAYS]:
                if old != day:
                    del self._days[old]
        return self._days[day]

    def _tell_day(self, today: _Day, budget: Budget, mind: str, limit: float) -> str:
        whose = mind if budget is Budget.MIND else ""
        if (budget, whose) not in today.told:
            today.told.add((budget, whose))
            self._emit("budget_exhausted", mind=mind, budget=budget.value, limit=limit)
        return budget.value


def _left(limit: float, spent: float) -> float | None:
    return max(limit - spent, 0) if limit > 0 else None
