"""What a profile is read from: bounded however many notes there are, and none that a call may not see."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from soulmem.core.calendar.iso8601 import parse_iso
from soulmem.core.profiles.identities import identities
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views import profile_evidence
from soulmem.store.views.profile_evidence import MOST

AT = parse_iso("2026-02-01T10:00:00Z")
MANY = 10_000
RARE = {3: "My sister Mei lives in Leeds.", 5: "我妈妈叫沈月华，她住在苏州。"}
_INSERT = (
    "INSERT INTO note (id, kind, text, at, speaker, entities, lifecycle, conversation, created_at, created_exp, terms, "
    "hash) VALUES (?, 'semantic', ?, ?, 'Ann', ?, ?, ?, ?, 0, x'', x'')"
)


@pytest.fixture(scope="module")
def mind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """A file with ten thousand notes, the first of them told in a conversation of its own, the second forgotten."""
    path: Path = tmp_path_factory.mktemp("evidence") / "mind.db"
    connection = driver.writer(path)()
    for migration in migrations.migrations("mind"):
        migrations._apply(connection, migration)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("BEGIN")
    for number in range(1, MANY + 1):
        text = RARE.get(number, f"Ann saw {number} birds.")
        life = "forgotten" if number == 2 else "consolidated"
        home = 7 if number in RARE else None
        connection.execute(_INSERT, (number, text, AT, json.dumps(["Mei"] if number == 3 else []), life, home, AT))
    connection.execute("COMMIT")
    yield connection
    connection.close()


@pytest.mark.parametrize(("name", "note"), [("Mei", 3), ("沈月华", 5), ("妈妈", 5)])
def test_of_ten_thousand_notes_those_are_read_that_name_it(mind: Connection, name: str, note: int) -> None:
    told = profile_evidence.tellings(mind, [name], 0)
    assert [each.note for each in told] == [note]
    assert len(identities(name, told)) == 1


@pytest.mark.parametrize("words", [["Ann"], [], ["a", "n", "i"]])
def test_never_more_than_so_many_are_read(mind: Connection, words: list[str]) -> None:
    told = profile_evidence.tellings(mind, words, 0)
    assert len(told) == MOST
    assert told == sorted(told, key=lambda each: each.note)


@pytest.mark.parametrize("name", ["%", "_", "\\", "Ann saw 2 birds", "佐格"])
def test_a_name_is_sought_as_it_is_written(mind: Connection, name: str) -> None:
    assert profile_evidence.tellings(mind, [name], 0) == []


def test_what_is_hidden_is_not_read(mind: Connection) -> None:
    elsewhere, there = Scope(frozenset({8})), Scope(frozenset({7}))
    assert profile_evidence.tellings(mind, ["Mei"], 0, elsewhere) == []
    assert [each.note for each in profile_evidence.tellings(mind, ["Mei"], 0, there)] == [3]
