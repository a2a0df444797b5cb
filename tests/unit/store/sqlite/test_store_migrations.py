"""Whose file it is and how old: foreign, damaged and newer files are refused and left as they are."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
from pathlib import Path

import pytest

from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.index import fts
from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.database import Database

SQL = Path(__file__).parents[4] / "schemas" / "sql"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


async def refused(path: Path, schema: str = "mind") -> SoulmemError:
    before = digest(path)
    with pytest.raises(SoulmemError) as caught:
        await new(path, schema)
    assert caught.value.name is ErrorName.STORAGE_DAMAGED
    assert path.name in caught.value.message
    assert caught.value.hint
    assert digest(path) == before, "it is left as it is"
    return caught.value


async def new(path: Path, schema: str = "mind") -> None:
    await (await Database.open(path, schema=schema)).close()


async def test_a_new_file_is_ours_and_says_its_versions(tmp_path: Path) -> None:
    path = tmp_path / "mira.db"
    await new(path)
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA application_id").fetchone()[0] == driver.APPLICATION_ID
        told = dict(connection.execute("SELECT key, value FROM meta"))
        newest = migrations.migrations("mind")[-1]
        assert (int(told["schema_version"]), int(told["compat_version"])) == (newest.version, newest.compat)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        loose = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' "
            "AND sql NOT LIKE '%STRICT%' AND name NOT LIKE '%_search_%' AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        assert loose == []
    finally:
        connection.close()


@pytest.mark.parametrize("schema", ["mind", "catalog"])
async def test_a_new_file_holds_what_all_changes_one_by_one_make(tmp_path: Path, schema: str) -> None:
    await new(tmp_path / "new.db", schema)
    changed = driver.writer(tmp_path / "changed.db")()
    for migration in migrations.migrations(schema):
        migrations._apply(changed, migration)
    copied = driver.writer(tmp_path / "new.db")()
    held = [f"PRAGMA {name}" for name in ("application_id", "auto_vacuum", "encoding", "journal_mode", "page_size")]
    held += ["SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name", "SELECT * FROM meta ORDER BY 1"]
    try:
        for query in held:
            assert copied.execute(query).fetchall() == changed.execute(query).fetchall(), query
    finally:
        changed.close()
        copied.close()


def test_what_lost_its_version_is_not_taken_for_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "mira.db"
    connection = driver.writer(path)()
    migrations.migrate(connection, path, "mind")
    connection.execute("INSERT INTO conversation (id, name, created_at) VALUES (1, 'main', 0)")
    connection.execute("DROP TABLE meta")
    with pytest.raises(driver.OperationalError):
        migrations.migrate(connection, path, "mind")
    assert connection.execute("SELECT name FROM conversation").fetchall() == [("main",)]
    connection.close()


async def test_opening_again_changes_no_schema(tmp_path: Path) -> None:
    path = tmp_path / "mira.db"
    await new(path)
    before = digest(path)
    await new(path)
    assert digest(path) == before
    assert [name for name in os.listdir(tmp_path) if ".before-" in name] == []


@pytest.mark.parametrize("name", ["mira.db", "记忆.db"])
async def test_another_programs_database_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE songs (title TEXT)")
    connection.commit()
    connection.close()
    assert "another program" in (await refused(path)).message


@pytest.mark.parametrize("content", [b"just some notes, no database\n" * 200, b"SQLite format 3\x00" + b"\x07" * 4096])
async def test_what_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mira.db"
    path.write_bytes(content)
    await refused(path)


async def test_a_file_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mira.db"
    await new(path)
    path.write_bytes(path.read_bytes()[:5000])
    await refused(path)


async def test_a_file_of_a_newer_program_is_refused_by_its_compat_version(tmp_path: Path) -> None:
    path = tmp_path / "mira.db"
    await new(path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE meta SET value = '900' WHERE key = 'schema_version'")
    connection.execute("UPDATE meta SET value = '899' WHERE key = 'compat_version'")
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    error = await refused(path)
    assert "newer" in error.message
    assert "899" in error.message


async def test_a_newer_schema_that_still_fits_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "mira.db"
    await new(path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE meta SET value = '900' WHERE key = 'schema_version'")
    connection.commit()
    connection.close()
    await new(path)
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone() == ("900",)
    connection.close()


async def test_a_directory_in_its_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "mira.db").mkdir()
    with pytest.raises(SoulmemError) as caught:
        await Database.open(tmp_path / "mira.db", schema="mind")
    assert caught.value.name in {ErrorName.STORAGE_READONLY, ErrorName.STORAGE_DAMAGED}


@pytest.mark.parametrize("schema", ["mind", "catalog"])
def test_migrations_are_numbered_without_a_gap(schema: str) -> None:
    known = migrations.migrations(schema)
    assert [migration.version for migration in known] == list(range(1, len(known) + 1))
    assert all(1 <= migration.compat <= migration.version for migration in known)
    compats = [migration.compat for migration in known]
    assert compats == sorted(compats)
    folder = SQL if schema == "mind" else SQL / schema
    names = sorted(path.name for path in folder.glob("*.sql"))
    assert all(re.fullmatch(r"\d{4}_[a-z_]+\.sql", name) for name in names)
    assert len(names) == len(known)


async def test_a_migration_that_fails_leaves_the_file_at_the_version_before(tmp_path: Path) -> None:
    path = tmp_path / "mira.db"
    await new(path)
    connection = driver.writer(path)()
    bad = migrations.Migration(99, 1, "CREATE TABLE more (n INTEGER) STRICT; INSERT INTO nowhere VALUES (1);")
    with pytest.raises(driver.OperationalError):
        migrations._apply(connection, bad)
    newest = migrations.migrations("mind")[-1]
    assert migrations.versions(connection) == (newest.version, newest.compat)
    assert connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'more'").fetchone() == (0,)
    assert not connection.in_transaction
    connection.close()


async def test_a_file_of_the_first_schema_is_brought_on_with_all_it_has_indexed(tmp_path: Path) -> None:
    path = tmp_path / "mira.db"
    connection = driver.writer(path)()
    migrations._apply(connection, migrations.migrations("mind")[0])
    connection.execute("INSERT INTO conversation (id, name, created_at) VALUES (1, 'main', 0)")
    connection.execute(
        "INSERT INTO message (conversation, seq, client_id, role, speaker, content, at, arrived_at, epoch, tokens, "
        "terms, request_hash, hash) VALUES (1, 1, 'm1', 'user', 'Ann', 'the violin 小提琴', 0, 0, 1, 4, x'', x'', x'')"
    )
    connection.execute("INSERT INTO message_search (rowid, terms) VALUES (1, 'the violin 小 提 琴 小提 提琴')")
    connection.close()
    database = await Database.open(path, schema="mind")
    try:
        assert [item for item, _ in await database.read(fts.find, "message", "violin", 9)] == [1]
        assert await database.read(fts.waiting) == 0
        await database.write("remove", lambda held: fts.remove(held, "message", 1, "the violin 小提琴"))
        assert await database.read(fts.find, "message", "小提琴", 9) == []
    finally:
        await database.close()
    assert (tmp_path / "mira.before-0002.db").exists()
