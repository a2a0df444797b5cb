"""What is over or another by a later word: work, home, a dose, a price, a day, a plan, in both languages."""

from __future__ import annotations

from pathlib import Path

from every_row import every_row
from soulmem.core.changes.contradiction import Told, ruled
from soulmem.core.schema.engine_tasks import FactEvent

AT, DAYS = 1_767_600_000_000, 20 * 86_400_000
OVER = {FactEvent.SUPERSEDE, FactEvent.INVALIDATE}
SPEAKERS = {"en": "Ana", "zh": "小林"}
LINES = (Path(__file__).parents[3] / "corpora" / "changes_of_matters.tsv").read_text(encoding="utf-8").splitlines()
ROWS = tuple(tuple(line.split("\t")) for line in LINES if not line.startswith("#"))


@every_row(ROWS, unpack=True)
def test_a_matter_turns_by_what_tells_so_and_by_nothing_else(label: str, language: str, known: str, new: str) -> None:
    speaker = SPEAKERS[language]
    ruling = ruled(Told(2, new, speaker, (AT + DAYS, 9)), Told(1, known, speaker, (AT, 1)))
    assert (ruling in OVER) is (label == "over")


def test_what_became_of_one_thing_ends_nothing_of_another() -> None:
    told = Told(1, "I have a dog called Biscuit. My knee's bad.", "Ana", (AT, 1))
    later = Told(2, "The dog next door died, and my shoulder is better.", "Ana", (AT + DAYS, 2))
    assert ruled(later, told) not in OVER
