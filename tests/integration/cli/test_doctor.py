"""`soulmem doctor` looks where the daemon looks, says what it did not look at, and sees what does not belong there."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from shell import Shell
from soulmem.store.sqlite import driver, migrations, offline_reader

FOUND = {"fine", "notice", "wrong", "unchecked"}


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    root = tmp_path_factory.mktemp("doctor")
    with daemon_process(root, env={"SOULMEM_MODELS": str(root / "模型")}) as running:
        for mind, text in (("mira", "I keep bees."), ("xiaowei", "我养了三箱蜜蜂。")):
            running.call("message.add", {"mind": mind, "role": "user", "content": text})
        yield running


@pytest.fixture
def alone(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "none.sock", tmp_path)


def findings(shell: Shell, *arguments: str, code: int = 0, **environment: str) -> dict[str, dict[str, Any]]:
    report = json.loads(shell("doctor", *arguments, "--json", code=code, **environment).stdout)
    assert report["healthy"] is (code == 0)
    assert {each["verdict"] for each in report["findings"]} <= FOUND
    return {each["subject"]: each for each in report["findings"]}


# -- where it looks ---------------------------------------------------------------------------------------------------


def test_it_looks_where_the_running_daemon_looks(daemon: Daemon, tmp_path: Path) -> None:
    """The daemon keeps its minds where this shell would not: once the doctor told of an empty directory here."""
    told = findings(Shell(daemon.socket, tmp_path))
    assert told["state"]["found"].startswith(f"{daemon.state}: 2 minds, ")
    assert told["socket"] == {
        "subject": "socket", "verdict": "fine", "advice": "", "found": f"{daemon.socket}, and the daemon answers there",
    }  # fmt: skip
    assert told["embedder"]["found"].startswith("hashing, in use by the daemon")
    assert str(daemon.state.parent / "模型") in told["embedder"]["advice"]
    assert str(tmp_path / ".local/state/soulmem") in told["daemon's state"]["found"]
    assert not (tmp_path / ".local").exists()


def test_a_daemon_that_listens_where_its_file_says_is_found(daemon: Daemon, tmp_path: Path) -> None:
    config = tmp_path / ".config" / "soulmem" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'socket = "{daemon.socket}"\n', "utf-8")
    shell = Shell(tmp_path / "none.sock", tmp_path)
    del shell.environment["SOULMEM_SOCKET"]
    told = findings(shell)
    assert told["daemon"]["verdict"] == "fine"
    assert told["socket"]["verdict"] == "notice"
    assert f"SOULMEM_SOCKET={daemon.socket}" in told["socket"]["advice"]
    assert told["state"]["found"].startswith(f"{daemon.state}: ")


def test_a_state_that_is_named_is_looked_at_and_the_daemons_told_of(daemon: Daemon, tmp_path: Path) -> None:
    told = findings(Shell(daemon.socket, tmp_path), "--state", str(tmp_path / "mine"))
    assert told["state"]["found"].startswith(str(tmp_path / "mine"))
    assert str(daemon.state) in told["daemon's state"]["advice"]


def test_a_wrong_configuration_keeps_it_from_nothing_else(daemon: Daemon, alone: Shell, tmp_path: Path) -> None:
    told = findings(Shell(daemon.socket, tmp_path), code=1, SOULMEM_WINDOW_CAPACITY="many")
    assert told["configuration"]["verdict"] == "wrong"
    assert told["state"]["found"].startswith(f"{daemon.state}: ")
    told = findings(alone, code=1, SOULMEM_WINDOW_CAPACITY="many")
    assert {name for name, each in told.items() if each["verdict"] == "unchecked"} == {"embedder", "engine", "state"}
    assert told["daemon"]["verdict"] == "notice"


# -- what it did not look at ------------------------------------------------------------------------------------------


def test_what_was_not_asked_is_not_fine(alone: Shell, daemon: Daemon, tmp_path: Path) -> None:
    away = "http://127.0.0.1:9/v1"
    told = findings(
        alone, SOULMEM_ENGINE_BASE_URL=away, SOULMEM_ENGINE_MODEL="m", SOULMEM_EMBEDDER_NAME="openai",
        SOULMEM_EMBEDDER_BASE_URL=away, SOULMEM_EMBEDDER_MODEL="e",
    )  # fmt: skip
    assert told["engine"]["verdict"] == told["embedder"]["verdict"] == "unchecked"
    assert told["engine"]["found"].startswith("not checked: ")
    assert told["embedder"]["found"].startswith("not checked: ")
    assert findings(Shell(daemon.socket, tmp_path))["rows"]["verdict"] == "unchecked"
    deep = findings(Shell(daemon.socket, tmp_path), "--deep")
    assert "rows" not in deep
    assert deep["mira.db"]["found"] == deep["xiaowei.db"]["found"] == "every row is what was written"


def test_a_model_folder_is_looked_into(alone: Shell, tmp_path: Path) -> None:
    told = findings(alone, code=1, SOULMEM_EMBEDDER_NAME=str(tmp_path))
    assert told["embedder"]["found"] == f"{tmp_path} holds no model.onnx and no tokenizer.json"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is hidden from root")
def test_what_may_not_be_read_is_not_fine(alone: Shell, tmp_path: Path) -> None:
    (tmp_path / "kept" / "minds").mkdir(parents=True)
    (tmp_path / "kept" / "minds").chmod(0)
    told = findings(alone, "--state", str(tmp_path / "kept"), code=1)
    assert told["state"]["verdict"] == "wrong", "a daemon of ours could not read it either"
    (tmp_path / "kept" / "minds").chmod(0o700)


def test_advice_never_says_what_was_run(alone: Shell) -> None:
    """With `--model` it once advised `soulmem doctor --model`."""
    model = {"SOULMEM_ENGINE_BASE_URL": "http://127.0.0.1:9/v1", "SOULMEM_ENGINE_MODEL": "m"}
    told = findings(alone, "--model", code=1, **model)
    assert told["engine"]["verdict"] == "fine"
    assert told["endpoint"]["verdict"] == "wrong"
    assert "doctor --model" not in json.dumps(told)
    assert "doctor --model" in findings(alone, **model)["engine"]["advice"]


# -- what does not belong in minds/ -----------------------------------------------------------------------------------


@pytest.fixture
def minds(daemon: Daemon, tmp_path: Path) -> Path:
    """Two minds of a stopped daemon, in a directory of the test's own."""
    folder = tmp_path / "kept" / "minds"
    folder.mkdir(parents=True)
    for name in ("mira", "xiaowei"):
        copy = folder / f"{name}.db"
        offline_reader.look(
            daemon.state / "minds" / f"{name}.db",
            lambda connection, copy=copy: connection.execute("VACUUM INTO ?", (str(copy),)),  # type: ignore[misc]
        )
    return folder


def look(alone: Shell, minds: Path, *arguments: str, code: int = 0) -> dict[str, dict[str, Any]]:
    return findings(alone, "--state", str(minds.parent), *arguments, code=code)


def test_minds_and_their_copies_belong_there(alone: Shell, minds: Path) -> None:
    shutil.copy(minds / "mira.db", minds / "mira.before-0009.db")
    (minds / "mira.db-wal").touch()
    told = look(alone, minds)
    assert {name for name in told if "." in name} == set()
    assert told["state"]["found"].startswith(f"{minds.parent}: 2 minds, ")
    (minds / "xiaowei.db").unlink()
    assert ": 1 mind, " in look(alone, minds)["state"]["found"]


def test_foreign_files_are_seen(alone: Shell, minds: Path) -> None:
    (minds / "notes.db").write_bytes(b"dear diary, " * 4_000)
    (minds / "folder.db").mkdir()
    with sqlite3.connect(minds / "books.db") as books:
        books.execute("CREATE TABLE book (title)")
    books.close()
    with sqlite3.connect(minds / "logged.db") as logged:  # another program's, its content still in its log
        logged.execute("PRAGMA journal_mode = WAL")
        logged.execute("PRAGMA wal_autocheckpoint = 0")
        logged.execute("CREATE TABLE book (title)")
        logged.commit()
        told = look(alone, minds, code=1)
    logged.close()
    assert told["notes.db"]["found"] == "is no SQLite file"
    assert told["folder.db"]["found"] == "is a directory, not a file"
    assert told["books.db"]["found"] == told["logged.db"]["found"] == "is an SQLite file of another program"
    assert {told[name]["verdict"] for name in ("notes.db", "folder.db", "books.db", "logged.db")} == {"wrong"}
    assert all(told[name]["advice"] for name in ("notes.db", "folder.db", "books.db", "logged.db"))
    deep = look(alone, minds, "--deep", code=1)
    assert deep["mira.db"]["verdict"] == "fine"
    assert deep["notes.db"]["found"] == "is no SQLite file"


def test_what_disturbs_nobody_is_told_and_healthy(alone: Shell, minds: Path) -> None:
    shutil.copy(minds / "mira.db", minds / "mira-2.db")
    shutil.copy(minds / "mira.db", minds / "小苇.db")
    shutil.copy(minds / "mira.db", minds / "mira.db.bak")
    (minds / "photo.jpg").write_bytes(b"\xff\xd8")
    (minds / "gone.db-wal").write_bytes(b"x")
    (minds / "mira.damaged").write_bytes(b"x")
    (minds / "empty.db").touch()
    (minds / "older").mkdir()
    told = look(alone, minds)
    assert "a copy of 'mira'" in told["mira-2.db"]["found"]
    assert "cannot be the name of a mind" in told["小苇.db"]["found"]
    for name in (
        "mira-2.db",
        "小苇.db",
        "mira.db.bak",
        "photo.jpg",
        "gone.db-wal",
        "mira.damaged",
        "empty.db",
        "older",
    ):
        assert told[name]["verdict"] == "notice", name


def test_a_mind_whose_first_words_are_still_in_the_log_is_no_stranger(alone: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "kept" / "minds"
    folder.mkdir(parents=True)
    connection = driver.writer(folder / "mira.db")()
    migrations.migrate(connection, folder / "mira.db", "mind")
    assert driver.APPLICATION_ID.to_bytes(4, "big") not in (folder / "mira.db").read_bytes()[:100]
    told = look(alone, folder)
    connection.close()
    assert "mira.db" not in told


def test_looking_changes_nothing(alone: Shell, minds: Path) -> None:
    (minds / "notes.db").write_bytes(b"x" * 5_000)

    def seen() -> dict[str, tuple[int, int]]:
        return {path.name: (path.stat().st_size, path.stat().st_mtime_ns) for path in minds.iterdir()}

    before = seen()
    for arguments in ((), ("--deep",)):
        look(alone, minds, *arguments, code=1)
        assert seen() == before
