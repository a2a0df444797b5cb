"""A mind of every released schema opens in today's daemon, keeps all it held, is recalled, and goes on living."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from freeze_mind import FORGOTTEN, LINKED, PINNED, STORY, UNDIGESTED
from frozen_minds import NEVER_RELEASED, VERSIONS, rows, schema_version, thaw, thawed_state, told
from full_disks import leave, small_disk
from soulmem.client import SoulmemRemoteError
from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.session import verify
from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.database import Database
from soulmem.store.sqlite.mind_files import copies_of
from spread import every

LATER = "2026-03-02T09:00:00Z"
NEWEST = migrations.migrations("mind")[-1].version
COMPAT = migrations.migrations("mind")[-1].compat  # the oldest soulmem that opens what is newest


def test_every_released_schema_has_its_mind() -> None:
    released = {each.version for each in migrations.migrations("mind")} - NEVER_RELEASED
    assert released - set(VERSIONS) <= {NEWEST}, "tests/upgrades/README.md says how to freeze one"
    assert set(VERSIONS) <= released
    assert len(VERSIONS) >= 10


@pytest.fixture(scope="module", params=VERSIONS, ids=[f"{version:04d}" for version in VERSIONS])
def upgraded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Daemon]]:
    """A daemon of today on the state directory of a former one."""
    root = tmp_path_factory.mktemp(f"v{request.param}")
    thawed_state(request.param, root)
    with daemon_process(root, "--simulated-clock", LATER) as daemon:
        yield request.param, daemon


# A mind of each version is opened and held against what it was; those of the first, one amid and the last live on in
# `make test`, all of them in torture.
LIVING = {VERSIONS[0], VERSIONS[len(VERSIONS) // 2], VERSIONS[-1]}
living = pytest.mark.parametrize(
    "upgraded",
    [
        pytest.param(version, id=f"{version:04d}", marks=[] if version in LIVING else pytest.mark.torture)
        for version in VERSIONS
    ],
    indirect=True,
)


def items(daemon: Daemon, method: str, **params: Any) -> list[dict[str, Any]]:
    return list(daemon.call(method, {"mind": "mira", "limit": 500, **params})["items"])


def test_it_keeps_what_it_held(upgraded: tuple[int, Daemon]) -> None:
    version, daemon = upgraded
    status = daemon.call("system.status")["minds"]
    assert [(each["mind"], each["title"], each["messages"]) for each in status] == [
        ("mira", "米拉 of the lighthouse", 14)
    ]
    said = items(daemon, "message.list", conversation="main")
    assert [(each["role"], each["speaker"], each["content"]) for each in said] == list(STORY)
    assert [each["id"] for each in said] == [f"m{number}" for number in range(1, 13)]
    later = items(daemon, "message.list", conversation="second")
    assert [(each["speaker"], each["content"]) for each in later] == list(UNDIGESTED)
    notes = {each["text"]: each for each in items(daemon, "note.list")}
    assert notes[PINNED]["pinned"]
    assert notes[PINNED]["tags"] == ["music"]
    ends = {(each["src"], each["dst"]) for each in items(daemon, "link.list")}
    assert {(notes[PINNED]["id"], notes[LINKED]["id"])} & (ends | {end[::-1] for end in ends})
    assert FORGOTTEN not in notes
    assert [each["text"] for each in items(daemon, "note.list", state="forgotten")] == [FORGOTTEN]
    file = daemon.state / "minds" / "mira.db"
    assert schema_version(file) == NEWEST
    before, after = told(_original(version, daemon)), told(file)
    assert all(set(before[kind]) <= set(after[kind]) for kind in before)
    assert verify.damages(file) == []


def _original(version: int, daemon: Daemon) -> Path:
    return thaw(version, "mind", daemon.state.parent / "original.db")


def test_a_copy_from_before_is_kept(upgraded: tuple[int, Daemon]) -> None:
    version, daemon = upgraded
    daemon.call("mind.get", {"mind": "mira"})
    copies = sorted((daemon.state / "minds").glob("mira.before-*"))
    if version == NEWEST:
        assert copies == []
        return
    assert [copy.name for copy in copies] == [f"mira.before-{version + 1:04d}.db"]
    assert schema_version(copies[0]) == version
    assert told(copies[0]) == told(_original(version, daemon))
    assert copies[0].stat().st_mode & 0o077 == 0


@living
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is Ann allergic to?", "hazelnuts"),
        ("对什么药过敏？", "青霉素"),
        ("Where is the key?", "blue pot"),
        ("备用钥匙在哪里？", "蓝花盆"),
        ("What does Ann play on Thursdays?", "cello"),
        ("旧硬币是在哪里找到的？", "灯塔"),
    ],
)
def test_it_is_recalled(upgraded: tuple[int, Daemon], question: str, answer: str) -> None:
    _, daemon = upgraded
    asked = {"mind": "mira", "query": question, "k": 10, "record": False, "min_score": 0}
    assert any(answer in item["text"] for item in daemon.call("recall", asked)["items"])


@living
def test_it_goes_on(upgraded: tuple[int, Daemon]) -> None:
    """What was acknowledged before the update is known as such; what was not digested is; the new is taken in."""
    _, daemon = upgraded
    role, speaker, content = STORY[0]
    again = {"mind": "mira", "role": role, "speaker": speaker, "content": content, "id": "m1"}
    assert daemon.call("message.add", again)["duplicate"]
    fresh = {"mind": "mira", "role": "user", "speaker": "Ann", "content": "My brother Otto builds kites 风筝."}
    daemon.call("message.add", fresh)
    daemon.call("idle.run", {"mind": "mira"})
    texts = " ".join(each["text"] for each in items(daemon, "note.list"))
    assert all(word in texts for word in ("Otto", "blue pot", "蓝花盆"))
    forgotten = items(daemon, "note.list", state="forgotten")
    ferry = next(each for each in forgotten if each["text"] == FORGOTTEN)
    daemon.call("note.restore", {"mind": "mira", "id": ferry["id"]})
    assert FORGOTTEN in {each["text"] for each in items(daemon, "note.list")}
    assert verify.damages(daemon.state / "minds" / "mira.db") == []


LATE = [
    (version, kind, *found)
    for version in VERSIONS[1:]
    for kind, pattern in (("COLUMN", migrations._COLUMN), ("INDEX", migrations._INDEX))
    for found in sorted({match.groups() for match in pattern.finditer(migrations.migrations("mind")[version - 1].sql)})
]


@pytest.mark.parametrize(("version", "kind", "name"), every(3, [(each[0], each[1], each[2:]) for each in LATE]))
async def test_what_a_change_was_given_later_is_added(
    tmp_path: Path, version: int, kind: str, name: tuple[str, ...]
) -> None:
    """A file that has a change, but not a column or index that the change was given when files had it already."""
    path = thaw(version, "mind", tmp_path / "mira.db")
    whole = _shape(path)
    connection = driver.writer(path)()
    try:
        if kind == "INDEX":
            connection.execute(f"DROP INDEX IF EXISTS {name[0]}")
        else:
            lean_on = [index for index, sql in _indexes(connection) if re.search(rf"\b{name[1]}\b", sql)]
            for index in lean_on:
                connection.execute(f"DROP INDEX {index}")
            if name[1] in {row[0] for row in connection.execute(f"SELECT name FROM pragma_table_info('{name[0]}')")}:
                connection.execute(f"ALTER TABLE {name[0]} DROP COLUMN {name[1]}")
    finally:
        connection.close()
    assert ".".join(name) not in _shape(path)
    await opened(path)
    assert ".".join(name) in _shape(path)
    assert whole <= _shape(path)


def _indexes(connection: driver.Connection) -> list[tuple[str, str]]:
    return connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").fetchall()


def _shape(path: Path) -> set[str]:
    """The names of all columns and indexes."""
    return {
        name
        for sql in (
            "SELECT name FROM sqlite_schema",
            "SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' "
            "AND t.sql LIKE 'CREATE TABLE%'",
        )
        for (name,) in rows(path, sql)
    }


@pytest.mark.parametrize(("share", "more"), [(0, 64 << 10), (0.5, 64 << 10), (1, 80 << 10)])
async def test_a_disk_too_full_for_an_upgrade_costs_nothing(tmp_path: Path, share: float, more: int) -> None:
    """Room for no copy, for half of one, for a copy and not for the change: refused, and done when there is room."""
    await opened(thaw(9, "mind", tmp_path / "twin.db"))
    copied = copies_of(tmp_path / "twin.db")[0].stat().st_size
    with small_disk(tmp_path / "disk", megabytes=16) as disk:
        path = thaw(9, "mind", disk / "mira.db")
        before = told(path)
        leave(disk, round(share * copied) + more)
        with pytest.raises(SoulmemError) as refused:
            await opened(path)
        assert refused.value.name is ErrorName.STORAGE_FULL
        assert told(path) == before
        assert [copy for copy in copies_of(path) if told(copy) != before] == []
        for file in (path, *copies_of(path)):
            shutil.move(file, tmp_path / file.name)
    path = tmp_path / "mira.db"
    await opened(path)
    assert schema_version(path) == NEWEST
    assert told(path) == before
    kept = copies_of(path)
    assert kept[0].name == "mira.before-0010.db"
    assert all(told(copy) == before for copy in kept), "one more where room ended between two changes"


# -- going back ------------------------------------------------------------------------------------------------------


async def opened(path: Path, schema: str = "mind") -> None:
    await (await Database.open(path, schema=schema)).close()


def only(monkeypatch: pytest.MonkeyPatch, newest: int) -> None:
    """Be the soulmem of a former schema."""
    known = tuple(each for each in migrations.migrations("mind") if each.version <= newest)
    monkeypatch.setattr(migrations, "migrations", lambda _: known)


@pytest.mark.parametrize("version", [version for version in VERSIONS if COMPAT <= version < NEWEST])
async def test_an_older_soulmem_opens_what_it_can_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    path = thaw(version, "mind", tmp_path / "mira.db")
    before = told(path)
    await opened(path)
    only(monkeypatch, version)
    await opened(path)
    assert told(path) == before
    assert schema_version(path) == NEWEST, "it stays as it is"


@pytest.mark.parametrize("version", every(3, [version for version in VERSIONS if version < COMPAT]))
async def test_an_older_soulmem_refuses_and_names_the_way_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    path = thaw(version, "mind", tmp_path / "mira.db")
    before = told(path)
    await opened(path)
    only(monkeypatch, version)
    whole = path.read_bytes()
    with pytest.raises(SoulmemError) as refused:
        await opened(path)
    assert refused.value.name is ErrorName.STORAGE_DAMAGED
    assert f"this one knows {version}" in refused.value.message
    assert refused.value.hint
    copy = f"mira.before-{version + 1:04d}.db"
    assert copy in refused.value.hint
    assert path.read_bytes() == whole, "nothing in the file was changed"
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    (tmp_path / copy).rename(path)  # as the hint says
    await opened(path)
    assert told(path) == before


async def test_of_several_copies_the_latest_that_fits_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = thaw(4, "mind", tmp_path / "mira.db")
    with monkeypatch.context() as patch:
        only(patch, 7)
        await opened(path)
    await opened(path)
    assert len(copies_of(path)) == 2
    for newest, copy in ((9, "mira.before-0008.db"), (7, "mira.before-0008.db"), (6, "mira.before-0005.db")):
        with monkeypatch.context() as patch:
            only(patch, newest)
            with pytest.raises(SoulmemError, match=f"this one knows {newest}") as refused:
                await opened(path)
            assert copy in str(refused.value.hint)
    with monkeypatch.context() as patch:
        only(patch, 3)
        with pytest.raises(SoulmemError) as refused:
            await opened(path)
        assert "no copy" in str(refused.value.hint)


async def test_a_newer_mind_in_a_daemon_is_refused_alone(tmp_path: Path) -> None:
    """A daemon starts, serves the others, and says of the newer one what to do."""
    path = thawed_state(9, tmp_path)
    await opened(path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE meta SET value = '901' WHERE key = 'schema_version'")
    connection.execute("UPDATE meta SET value = '900' WHERE key = 'compat_version'")
    connection.commit()
    connection.close()
    with daemon_process(tmp_path, "--simulated-clock", LATER, check_log=False) as daemon:
        daemon.call("message.add", {"mind": "other", "role": "user", "content": "hello 你好"})
        with pytest.raises(SoulmemRemoteError) as refused:
            daemon.call("message.add", {"mind": "mira", "role": "user", "content": "hello"})
        assert refused.value.name == "storage_damaged"
        assert "newer soulmem" in refused.value.message
        assert "mira.before-0010.db" in str(refused.value.hint)
        assert daemon.call("message.list", {"mind": "other"})["items"]


def test_in_front_of_a_conversation_its_ids_count_nothing_any_more(upgraded: tuple[int, Daemon]) -> None:
    """A mind that was made when all ids were numbers, and is shared from now on."""
    _, daemon = upgraded
    plain = [each["id"] for each in items(daemon, "note.list")]
    daemon.call("mind.update", {"mind": "mira", "settings": {"recall.sharing": "conversation"}})
    shown = [each["id"] for each in items(daemon, "note.list", conversation="main")]
    assert shown
    for name in shown:
        assert re.fullmatch(r"n_[0-9a-z]{10}", name)
        owned = daemon.call("note.get", {"mind": "mira", "id": name})["note"]
        assert owned["id"] in plain
        assert daemon.call("note.get", {"mind": "mira", "id": name, "conversation": "main"})["note"]["id"] == name
        with pytest.raises(SoulmemRemoteError, match="there is no note"):
            daemon.call("note.get", {"mind": "mira", "id": owned["id"], "conversation": "main"})
    daemon.call("mind.update", {"mind": "mira", "settings": {"recall.sharing": "open"}})
    assert {each["id"] for each in items(daemon, "note.list", conversation="main")} <= set(plain)
