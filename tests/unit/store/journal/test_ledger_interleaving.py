"""Whatever engines and crashes do in between, the ledger pays nothing twice and counts all."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from test_ledger import NOW, OK, call, opened

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.ports import CallOutcome
from soulmem.store.journal import call_ledger
from soulmem.store.journal.call_ledger import Grouping

WORKS = [(f"split:{job}", prompt) for job in range(3) for prompt in ("p", "提示")]


class Interleaving(RuleBasedStateMachine):
    """An engine that follows the journal's rules, several pieces of work at once, and a machine that crashes."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "mira.db"
        self.connection = opened(self.path)
        self.flying: dict[int, tuple[str, str]] = {}
        self.paid: Counter[tuple[str, str]] = Counter()  # valid answers
        self.lost: Counter[tuple[str, str]] = Counter()
        self.calls = 0
        self.tokens = 0

    def teardown(self) -> None:
        self.connection.close()
        self.folder.cleanup()

    @rule(work=st.sampled_from(WORKS))
    def ask(self, work: tuple[str, str]) -> None:
        if work in self.flying.values():
            return  # a piece of work is done by one task
        known = call_ledger.past(self.connection, *work)
        assert (known.answer is not None) == (self.paid[work] > 0), "what was paid for is found, and nothing else"
        assert known.lost == self.lost[work]
        if known.answer is None:
            number = call(self.connection, None, key=work[0], prompt_hash=work[1])
            self.flying[number] = work
            self.calls += 1

    @precondition(lambda self: self.flying)
    @rule(data=st.data(), outcome=st.sampled_from(sorted(set(CallOutcome) - {CallOutcome.RUNNING, CallOutcome.LOST})))
    def end(self, data: st.DataObject, outcome: CallOutcome) -> None:
        number = data.draw(st.sampled_from(sorted(self.flying)))
        work = self.flying.pop(number)
        assert call_ledger.end(self.connection, number, replace(OK, outcome=outcome), NOW)
        self.tokens += 1000
        if outcome in call_ledger.VALID:
            self.paid[work] += 1

    @rule()
    def crash(self) -> None:
        self.connection.close()
        self.connection = opened(self.path)
        assert call_ledger.lose_running(self.connection, NOW) == len(self.flying)
        self.lost.update(self.flying.values())
        self.flying.clear()

    @invariant()
    def nothing_is_paid_twice_and_all_is_counted(self) -> None:
        assert max(self.paid.values(), default=0) <= 1
        totals = {each.group: each.calls for each in call_ledger.totals(self.connection, Grouping.OUTCOME)}
        assert sum(totals.values()) == self.calls
        assert totals.get("lost", 0) == sum(self.lost.values())
        assert totals.get("running", 0) == len(self.flying)
        assert call_ledger.spent_on(self.connection, NOW // DAY_MS).tokens == self.tokens


TestInterleaving = pytest.mark.thorough(Interleaving.TestCase)
TestInterleaving.settings = settings(
    max_examples=40, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
