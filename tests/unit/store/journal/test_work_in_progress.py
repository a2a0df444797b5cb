"""What the daemon died of is remembered within bounds: what is set aside longer than what it died of once."""

from __future__ import annotations

import json
from pathlib import Path

from soulmem.store.journal.step_quarantine import MOST_DEATHS
from soulmem.store.journal.work_in_progress import NAME, UnderwayFile

CROWD = 3_000


def test_what_is_set_aside_outlives_a_crowd_of_single_deaths(tmp_path: Path) -> None:
    deaths = {"m/embed/message.7.self": MOST_DEATHS} | {f"m/recall/{number}": 1 for number in range(CROWD)}
    (tmp_path / NAME).write_text(json.dumps({"now": ["m/feed/3"], "deaths": deaths}), encoding="utf-8")
    record = UnderwayFile(tmp_path)
    try:
        assert record.is_set_aside("m", "embed", "message.7.self")
        assert record.deaths("m", "feed", "3") == 1, "what it was at just now"
        assert record.deaths("m", "recall", "0") == 0, "the oldest is forgotten"
        assert record.aside("m") == [("embed", "message.7.self")]
    finally:
        record.close()
    kept = json.loads((tmp_path / NAME).read_text(encoding="utf-8"))["deaths"]
    assert len(kept) < CROWD
