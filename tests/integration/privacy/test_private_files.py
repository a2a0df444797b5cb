"""Nobody but its owner reads a memory: what the daemon makes has modes 0600 and 0700, whatever the umask."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon_fixture import daemon_process
from soulmem.store.sqlite import driver, migrations, mind_files


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(root: Path) -> dict[str, int]:
    """Path below the root -> mode, of every file and directory there, the root among them."""
    return {
        str(path.relative_to(root)): stat.S_IMODE(path.stat().st_mode)
        for path in (root, *sorted(root.rglob("*")))
        if not path.is_socket()
    }


def loose(root: Path) -> dict[str, str]:
    return {name: oct(mode) for name, mode in modes(root).items() if mode & 0o077}


def test_all_that_a_daemon_makes_is_private(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        daemon.call("message.add", {"mind": "mira", "role": "user", "content": "小苇对青霉素过敏。"})
        found = modes(daemon.state)
        assert loose(daemon.state) == {}
    assert {"catalog.db", "catalog.db-wal", "soulmem.lock", "minds"} <= found.keys()
    assert {"minds/mira.db", "minds/mira.db-wal"} <= found.keys()
    assert found["."] == found["minds"] == 0o700
    assert found["minds/mira.db"] == found["catalog.db"] == 0o600


def test_directories_above_are_private_too(tmp_path: Path) -> None:
    mind_files.make(tmp_path / "a" / "b" / "c")
    assert {name: mode for name, mode in modes(tmp_path).items() if name != "."} == dict.fromkeys(
        ("a", "a/b", "a/b/c"), 0o700
    )


def test_what_was_loose_is_tightened_at_the_next_start(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        daemon.call("message.add", {"mind": "mira", "role": "user", "content": "I live in Utrecht."})
        state = daemon.state
    for path in (state, *state.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert loose(state)
    with daemon_process(tmp_path) as daemon:
        daemon.call("recall", {"mind": "mira", "query": "Utrecht"})
        assert daemon.state == state
        assert loose(state) == {}


def test_a_directory_with_more_in_it_stays_as_it_is(tmp_path: Path) -> None:
    state = tmp_path / "home"
    (state / "minds").mkdir(parents=True)
    (state / "letters").mkdir()
    state.chmod(0o755)
    (state / "minds").chmod(0o755)
    mind_files.tighten_state(state)
    mind_files.tighten_directory(state / "minds")
    assert stat.S_IMODE(state.stat().st_mode) == 0o755
    assert stat.S_IMODE((state / "minds").stat().st_mode) == 0o700
    (state / "letters").rmdir()
    mind_files.tighten_state(state)
    assert stat.S_IMODE(state.stat().st_mode) == 0o700


def test_copies_made_before_a_change_of_the_schema_are_private(tmp_path: Path) -> None:
    path = tmp_path / "mira.db"
    connection = driver.writer(path)()
    first = migrations.migrations("mind")[0]
    migrations._apply(connection, first)
    loose_copy = tmp_path / "mira.before-0001.db"
    shutil.copy(path, loose_copy)
    loose_copy.chmod(0o644)
    migrations.migrate(connection, path, "mind")
    connection.close()
    assert len(mind_files.copies_of(path)) == 2
    assert {stat.S_IMODE(copy.stat().st_mode) for copy in mind_files.copies_of(path)} == {0o600}


def test_a_file_that_is_not_ours_keeps_its_mode(tmp_path: Path) -> None:
    foreign = tmp_path / "books.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE book (title)")
    connection.close()
    foreign.chmod(0o644)
    with pytest.raises(Exception, match="of another program"):
        driver.writer(foreign)()
    assert stat.S_IMODE(foreign.stat().st_mode) == 0o644


def test_a_link_is_followed_by_nobody(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere.db"
    target.write_bytes(b"")
    target.chmod(0o644)
    (tmp_path / "mira.db").symlink_to(target)
    mind_files.tighten(tmp_path / "mira.db")
    assert stat.S_IMODE(target.stat().st_mode) == 0o644


def test_a_running_daemons_file_is_its_own_and_a_copy_with_its_log_is_read(tmp_path: Path) -> None:
    """What `docs/operations.md` says of looking at a mind while the daemon has it open."""
    with daemon_process(tmp_path) as daemon:
        daemon.call("message.add", {"mind": "mira", "role": "user", "content": "hello 你好"})
        minds, look = daemon.state / "minds", tmp_path / "look"
        with pytest.raises(sqlite3.OperationalError, match="database is locked"):
            sqlite3.connect(minds / "mira.db", timeout=0.1).execute("SELECT content FROM message")
        look.mkdir()
        for file in minds.glob("mira.db*"):
            shutil.copy(file, look)
        copy = sqlite3.connect(look / "mira.db")
        assert copy.execute("SELECT content FROM message").fetchall() == [("hello 你好",)]
        copy.close()
        assert daemon.call("message.add", {"mind": "mira", "role": "user", "content": "and on"})["seq"] == 2
