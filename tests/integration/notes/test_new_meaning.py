"""A note that says something else is no longer near what it meant, even while its new vector is still to come."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from mind_bench import hosted
from soulmem.core.text.tokens import segment, term_hashes
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.store.notes import note_rows


@pytest.mark.parametrize("after", ["Paul plays the violin", "保罗拉小提琴", "Paul 拉 violin"])
async def test_a_new_text_has_not_the_meaning_of_the_old_one(tmp_path: Path, after: str) -> None:
    async with hosted(tmp_path / "mira.db") as host:
        note = await host.note("The silver key lies under the stone 银钥匙")
        await host.mind.workers.wait_settled()
        index, number = host.mind.memory.index, note
        assert index is not None
        meant = HashingEmbedder().embed(["The silver key lies under the stone 银钥匙"])[0]
        assert [hit.key for hit in index.nearest(meant, 5)] == [number]
        held = await host.mind.memory.database.read(note_rows.get, number)
        host.mind.workers.notebook.follow(dataclasses.replace(held, importance=0.9))
        assert [hit.key for hit in index.nearest(meant, 5)] == [number], "the same words mean the same"
        host.mind.workers.notebook.follow(
            dataclasses.replace(held, text=after, terms=term_hashes(segment(after)).tobytes())
        )
        assert index.nearest(meant, 5) == []
