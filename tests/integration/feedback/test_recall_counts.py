"""For which talk a recall counts: the conversation it was asked in, or all that go on where none is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_bench import hosted
from soulmem.working.recall.recall_request import RecallRequest


@pytest.mark.parametrize(
    ("conversation", "counts_for"),
    [("harbour", ["harbour"]), (None, ["harbour", "港口"]), ("not begun", [])],
    ids=["named", "none named", "not begun"],
)
async def test_a_recall_counts_for_the_talk_it_was_asked_in(
    tmp_path: Path, conversation: str | None, counts_for: list[str]
) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        await host.hear("Ines keeps bees at the harbour.", role="assistant", conversation="harbour")
        await host.hear("伊内丝在港口养蜂。", role="assistant", conversation="港口")
        wanted = RecallRequest("Who keeps bees?", 3, conversation=conversation)
        asked = await host.mind.recall(wanted, [], record=True, explained=False)
        named = "SELECT c.name FROM recall_epoch e JOIN conversation c ON c.id = e.conversation WHERE e.recall = "
        assert [name for (name,) in await host.rows(f"{named}{asked['recall_id'][1:]} ORDER BY c.id")] == counts_for
