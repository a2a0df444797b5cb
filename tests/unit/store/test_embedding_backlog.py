"""What waits to be embedded is read as of one moment, while others write."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from soulmem.store.index import embedding_backlog
from soulmem.store.sqlite import driver
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.migrations import migrate


def hear(connection: Connection, number: int) -> None:
    """As when a message comes: its own vector is asked for, and the surroundings of the one before."""
    connection.execute("BEGIN")
    embedding_backlog.enqueue(connection, [("message", number, "self"), ("message", number - 1, "context")])
    connection.execute("COMMIT")


@pytest.mark.parametrize("limit", [3, 100])
def test_no_surroundings_are_read_without_the_message_that_ends_them(tmp_path: Path, limit: int) -> None:
    path = tmp_path / "mira.db"
    with closing(driver.writer(path)()) as writer:
        migrate(writer, path, "mind")
        hear(writer, 2)
        with closing(driver.reader(path)()) as reader:
            came = iter(range(3, 9))
            reader.set_trace_callback(lambda _statement: hear(writer, next(came)))
            waiting = embedding_backlog.pending(reader, limit)
            reader.set_trace_callback(None)
    own = {each.item for each in waiting if each.variant == "self"}
    assert own
    assert {each.item + 1 for each in waiting if each.variant == "context"} <= own


def test_notes_come_first_then_messages_then_their_surroundings(tmp_path: Path) -> None:
    path = tmp_path / "mira.db"
    with closing(driver.writer(path)()) as writer:
        migrate(writer, path, "mind")
        for number in (7, 3, 5):
            hear(writer, number)
        embedding_backlog.enqueue(writer, [("note", 1, "self"), ("summary", 1, "self"), ("message", 3, "self")])
        every = embedding_backlog.pending(writer, 100)
        assert {each.kind for each in every[:2]} == {"note", "summary"}
        assert [(each.item, each.variant) for each in every[2:]] == [
            *((number, "self") for number in (3, 5, 7)),
            *((number, "context") for number in (2, 4, 6)),
        ]
        assert every[2].asked == every[3].asked + 1
        for limit in range(1, 9):
            assert embedding_backlog.pending(writer, limit) == every[:limit]
