"""Budgets: spending is summed by UTC day, a limit is told once, midnight gives room again, a restart loses nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.llm.endpoint.budgets import Budgets, cost_of
from soulmem.llm.endpoint.endpoint_options import BudgetOptions, Price
from soulmem.ops.process.clock import SimulatedClock
from soulmem.store.journal import catalog
from soulmem.store.journal.budget_log import KEPT_DAYS, SpendingBook
from soulmem.store.journal.catalog import Spending
from soulmem.store.journal.catalog_file import CatalogFile

NOON = 20_000 * DAY_MS + DAY_MS // 2
NONE = BudgetOptions(tokens_per_day=0, tokens_per_mind=0, tokens_per_run=0, cost_per_day=0.0)


class Heard:
    """The events that were emitted: (mind, budget, limit)."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, float]] = []

    def __call__(self, event: str, /, **fields: Any) -> None:
        assert event == "budget_exhausted"
        assert fields.keys() == {"mind", "budget", "limit"}
        self.told.append((fields["mind"], fields["budget"], fields["limit"]))


def made(options: BudgetOptions) -> tuple[Budgets, SimulatedClock, Heard]:
    clock, heard = SimulatedClock(NOON), Heard()
    return Budgets(options, clock, heard), clock, heard


def test_the_price_of_a_call() -> None:
    prices = {"qwen2.5:7b": Price(), "gpt": Price(input=2.5, output=10.0), "通义千问": Price(1.0, 2.0)}
    assert cost_of(prices, "gpt", 1_000_000, 100_000) == pytest.approx(3.5)
    assert cost_of(prices, "通义千问", 500_000, 250_000) == pytest.approx(1.0)
    assert cost_of(prices, "qwen2.5:7b", 10**6, 10**6) == 0
    assert cost_of(prices, "a model without a price", 10**6, 10**6) == 0


def test_without_limits_nothing_is_ever_used_up() -> None:
    budgets, _, heard = made(NONE)
    budgets.charge("mira", "run", 10**12, 1e9)
    assert budgets.exhausted("mira", "run") is None
    assert heard.told == []
    today = budgets.spent_today("mira")
    assert set(today["limits"].values()) == set(today["left"].values()) == {None}
    assert today["mind"] == {"tokens": 10**12, "cost": 1e9, "left": None}


@pytest.mark.parametrize(("options", "budget", "others_go_on", "limit"), [
    (BudgetOptions(1000, 0, 0, 0.0), "day", False, 1000),
    (BudgetOptions(0, 1000, 0, 0.0), "mind", True, 1000),
    (BudgetOptions(0, 0, 1000, 0.0), "run", True, 1000),
    (BudgetOptions(0, 0, 0, 0.5), "cost", False, 0.5),
])  # fmt: skip
def test_each_limit_stops_whom_it_concerns_and_is_told_once(
    options: BudgetOptions, budget: str, others_go_on: bool, limit: float
) -> None:
    budgets, _, heard = made(options)
    budgets.charge("mira", "r1", 999, 0.499)
    assert budgets.exhausted("mira", "r1") is None
    budgets.charge("mira", "r1", 1, 0.001)
    for _ in range(3):
        assert budgets.exhausted("mira", "r1") == budget
    assert (budgets.exhausted("小林", "r2") is None) is others_go_on
    assert heard.told == [("mira", budget, limit)]
    assert (budgets.exhausted("mira", "r2") is None) is (budget == "run"), "another round has its own"
    assert (budgets.exhausted("mira", "") is None) is (budget == "run"), "talk belongs to no round"


def test_midnight_gives_room_again_and_the_next_time_is_told_again() -> None:
    budgets, clock, heard = made(BudgetOptions(1000, 0, 0, 0.0))
    for _ in range(3):
        budgets.charge("mira", "", 1500, 0.0)
        assert budgets.exhausted("mira", "") == "day"
        clock.advance(DAY_MS // 2 - 1)
        assert budgets.exhausted("mira", "") == "day"
        clock.advance(1)
        assert budgets.exhausted("mira", "") is None
        assert budgets.spent_today()["tokens"] == 0
        clock.advance(DAY_MS // 2)
    assert len(heard.told) == 3


def test_a_clock_that_steps_back_finds_its_day_as_it_was() -> None:
    budgets, clock, heard = made(BudgetOptions(1000, 0, 0, 0.0))
    budgets.charge("mira", "", 1000, 0.0)
    assert budgets.exhausted("mira", "") == "day"
    clock.jump(DAY_MS)
    assert budgets.exhausted("mira", "") is None
    clock.jump(-DAY_MS)
    assert budgets.exhausted("mira", "") == "day"
    assert len(heard.told) == 1


def test_a_round_goes_on_over_midnight_with_what_it_has_left() -> None:
    budgets, clock, heard = made(BudgetOptions(0, 0, 100, 0.0))
    budgets.charge("mira", "r", 60, 0.0)
    clock.advance(DAY_MS)
    budgets.charge("mira", "r", 60, 0.0)
    assert budgets.exhausted("mira", "r") == "run"
    clock.advance(DAY_MS)
    assert budgets.exhausted("mira", "r") == "run"
    assert heard.told == [("mira", "run", 100)]


def test_what_is_learnt_twice_counts_once_and_never_lowers() -> None:
    budgets, _, _ = made(NONE)
    today = NOON // DAY_MS
    for told in (700, 700, 900, 300, 0):
        budgets.learn("mira", today, told, told / 1000)
    budgets.learn("小林", today, 100, 0.0)
    budgets.learn("mira", today - 1, 10**6, 5.0)
    assert budgets.spent_today("mira")["mind"] == {"tokens": 900, "cost": 0.9, "left": None}
    assert budgets.spent_today()["tokens"] == 1000
    budgets.charge("mira", "", 50, 0.05)
    budgets.learn("mira", today, 900, 0.9)
    assert budgets.spent_today("mira")["mind"]["tokens"] == 950


def test_a_lying_count_gives_nothing_back() -> None:
    budgets, _, _ = made(BudgetOptions(1000, 0, 0, 0.0))
    budgets.charge("mira", "r", 1000, 1.0)
    budgets.charge("mira", "r", -5000, -3.0)
    assert budgets.exhausted("mira", "r") == "day"
    assert budgets.spent_today()["cost"] == 1.0


MINDS = ["mira", "罗莎", "tom"]
EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("charge"), st.sampled_from(MINDS), st.sampled_from(["", "r1", "r2"]), st.integers(0, 600)),
        st.tuples(st.just("pass"), st.integers(0, DAY_MS)),
        st.tuples(st.just("restart")),
    ),
    max_size=60,
)
LIMITS = st.builds(
    BudgetOptions, st.sampled_from([0, 900, 2000]), st.sampled_from([0, 700]), st.just(0), st.sampled_from([0.0, 1.5])
)


@settings(max_examples=300, deadline=None)
@given(LIMITS, EVENTS)
def test_any_day_is_stopped_by_its_limits_and_says_so(options: BudgetOptions, events: list[tuple[Any, ...]]) -> None:
    """Against plain sums; a restart learns from the catalogue what was noted, and may tell of a limit anew."""
    clock, heard = SimulatedClock(NOON), Heard()
    noted: dict[tuple[str, int], tuple[int, float]] = {}

    def note(mind: str, day: int, tokens: int, cost: float) -> None:
        noted[mind, day] = (tokens, cost)

    budgets = Budgets(options, clock, heard, note)
    spent: dict[tuple[str, int], list[float]] = {}
    expected: set[tuple[int, str, str]] = set()
    for event in events:
        day = clock.now_ms() // DAY_MS
        if event[0] == "charge":
            _, mind, run, tokens = event
            budgets.charge(mind, run, tokens, tokens / 1000)
            sums = spent.setdefault((mind, day), [0, 0.0])
            sums[0] += tokens
            sums[1] += tokens / 1000
        elif event[0] == "pass":
            clock.advance(event[1])
            day = clock.now_ms() // DAY_MS
        else:
            budgets = Budgets(options, clock, heard, note)
            for (mind, when), (tokens, cost) in noted.items():
                budgets.learn(mind, when, tokens, cost)
            expected, heard.told = set(), []
        total = sum(sums[0] for (_, when), sums in spent.items() if when == day)
        money = sum(sums[1] for (_, when), sums in spent.items() if when == day)
        assert budgets.spent_today()["tokens"] == total
        assert budgets.spent_today()["cost"] == pytest.approx(money, abs=1e-5)
        for mind in MINDS:
            own = spent.get((mind, day), [0, 0.0])[0]
            wanted = None
            if 0 < options.tokens_per_day <= total:
                wanted = "day"
            elif 0 < options.tokens_per_mind <= own:
                wanted = "mind"
            elif options.cost_per_day and abs(money - options.cost_per_day) < 1e-9:
                continue  # sums of floats in another order
            elif 0 < options.cost_per_day <= money:
                wanted = "cost"
            assert budgets.exhausted(mind, "r1") == wanted
            if wanted is not None:
                expected.add((day, wanted, mind if wanted == "mind" else ""))
    assert len(heard.told) == len(expected)


async def test_the_catalogue_keeps_what_was_spent(tmp_path: Path) -> None:
    book = await CatalogFile.open(tmp_path / "catalog.db")
    kept = SpendingBook(book)
    clock, heard = SimulatedClock(NOON), Heard()
    budgets = Budgets(BudgetOptions(1000, 0, 0, 0.0), clock, heard, kept.note)
    today = budgets.day
    async with anyio.create_task_group() as group:
        group.start_soon(kept.run)
        for _ in range(40):
            budgets.charge("mira", "r", 20, 0.01)
            await anyio.lowlevel.checkpoint()
        budgets.charge("小林", "r", 300, 0.5)
        while len(await kept.load(today)) < 2:  # noqa: ASYNC110 - the book tells nobody when it wrote
            await anyio.sleep(0.001)
        group.cancel_scope.cancel()
    budgets.charge("小林", "r", 30, 0.05)
    await kept.flush()
    await book.write("sync", lambda connection: catalog.sync(connection, []))  # both minds are gone
    await book.close()

    book = await CatalogFile.open(tmp_path / "catalog.db")
    again = Budgets(BudgetOptions(1000, 0, 0, 0.0), clock, heard)
    for row in await SpendingBook(book).load(today):
        again.learn(row.mind, row.day, row.tokens, row.cost)
    assert again.spent_today()["tokens"] == 1130
    assert again.exhausted("anna", "r") == "day"
    await book.write("late", lambda c: catalog.put_spending(c, [Spending("mira", today, 5, 0.0)]))
    assert [row.tokens for row in await SpendingBook(book).load(today)] == [800, 330], "a late word lowers nothing"
    assert await SpendingBook(book).load(today + KEPT_DAYS) == []
    assert len(await book.read(catalog.spending, today)) == 2
    await SpendingBook(book).load(today + KEPT_DAYS + 1)
    assert await book.read(catalog.spending, today) == []
    await book.close()


async def test_a_catalogue_that_takes_nothing_is_tried_again(tmp_path: Path) -> None:
    book = await CatalogFile.open(tmp_path / "catalog.db")
    kept = SpendingBook(book)
    kept.note("mira", 7, 100, 0.0)
    await book.close()
    with pytest.raises(Exception, match="closed"):
        await kept.flush()
    kept.note("小林", 7, 1, 0.0)
    kept._book = await CatalogFile.open(tmp_path / "catalog.db")
    await kept.flush()
    assert [(row.mind, row.tokens) for row in await kept.load(7)] == [("mira", 100), ("小林", 1)]
    await kept._book.close()
