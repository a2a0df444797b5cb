"""Files that somebody changes behind the daemon's back: noticed before an acknowledgement, told by name, survived."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from checking import Wire, checking, rows
from daemon_fixture import Daemon, daemon_process
from irregular_files import lay_dangling, lay_device, lay_directory, lay_socket
from probing import add, error_of, ids, outcome
from slowness import PATIENCE_S, within
from spread import every

_MANY = 40  # messages: more than the first pages of a file
_WAITS = "SELECT 1 FROM recall WHERE state = 'pending'"
_CALM_S = 0.5


def _minds(root: Path) -> Path:
    return root / "state" / "minds"


def _has_recalled(daemon: Daemon, mind: str) -> bool:
    return not rows(daemon, mind, _WAITS)


def _at_rest(daemon: Daemon, minds: tuple[str, ...], log: Path) -> None:
    """Wait until nobody works on a mind: what looks into the index while it is cut off cannot be helped.

    Nothing is left to embed, to digest and to recall, and what is written last, as by the catalogue, is.
    """
    api = checking(daemon)
    for mind in minds:
        api.settle(mind)
        api.until(partial(_has_recalled, daemon, mind), "the recalls", PATIENCE_S)
    size, since = -1, time.monotonic()
    while time.monotonic() - since < _CALM_S:
        if (now := log.stat().st_size) != size:
            size, since = now, time.monotonic()
        time.sleep(0.02)


def _replace(file: Path) -> None:
    file.with_suffix(".other").write_bytes(file.read_bytes())
    file.with_suffix(".other").rename(file)


def _cut_off(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def _cut_off_log(file: Path) -> None:
    os.truncate(f"{file}-wal", 0)


def _spoil_log(file: Path) -> None:
    log = file.with_name(f"{file.name}-wal")
    with log.open("r+b") as opened:
        opened.seek(-4096, os.SEEK_END)
        opened.write(b"\xff" * 4096)


def _rename(file: Path) -> None:
    file.rename(file.with_suffix(".elsewhere"))


def _lay_a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a daemon that was told a mind, and stopped."""
    root = tmp_path_factory.mktemp("said")
    with daemon_process(root) as daemon:
        for number in range(_MANY):
            add(daemon, "mira", number)
        _at_rest(daemon, ("mira",), _minds(root) / "mira.db-wal")  # what it has done is not to be done in each test
    return root / "state"


@pytest.mark.parametrize(
    ("harm", "told"),
    every(2, [
        (Path.unlink, "was removed"), (_replace, "was replaced"), (_cut_off, "was cut off"),
        (_cut_off_log, ""), (_spoil_log, ""), (_rename, "was removed"), (_lay_a_pipe, "was replaced"),
    ]),
)  # fmt: skip
def test_a_file_changed_while_it_is_open_takes_no_more_writes(
    tmp_path: Path, said: Path, harm: Callable[[Path], None], told: str
) -> None:
    shutil.copytree(said, tmp_path / "state")
    with daemon_process(tmp_path, name="harmed", check_log=False) as daemon:
        add(daemon, "mira", _MANY)
        add(daemon, "other", 1)
        _at_rest(daemon, ("mira", "other"), _minds(tmp_path) / "mira.db-wal")
        harm(_minds(tmp_path) / "mira.db")
        error = error_of(lambda: add(daemon, "mira", _MANY + 1))
        assert (error.name, told in error.message) == ("storage_damaged", True), error
        assert error_of(lambda: add(daemon, "mira", _MANY + 2)).name == "storage_damaged"
        lines = {line["mind"]: line for line in daemon.call("system.status")["minds"]}
        assert lines["mira"]["trouble"]["error"] == "storage_damaged"
        assert lines["other"]["trouble"] is None
        assert [event["mind"] for event in daemon.events("storage_damaged")] == ["mira"], "told once, however many ask"
        assert {each["mind"] for each in daemon.call("mind.list")["items"]} == {"mira", "other"}
        assert not add(daemon, "other", 2)["duplicate"], "the others never notice"


def _empty(file: Path) -> None:
    os.truncate(file, 0)


# What is not done to a mind's file above is done to the catalogue; in torture all of it to both.
@pytest.mark.parametrize(
    "harm", every(2, [_replace, Path.unlink, _empty, _cut_off, _cut_off_log, _spoil_log, _rename, _lay_a_pipe])
)
def test_a_catalogue_changed_while_it_is_open_is_made_anew(
    tmp_path: Path, said: Path, harm: Callable[[Path], None]
) -> None:
    shutil.copytree(said, tmp_path / "state")
    with daemon_process(tmp_path, name="harmed") as daemon:
        add(daemon, "luna", 1)
        _at_rest(daemon, ("mira", "luna"), tmp_path / "state" / "catalog.db-wal")
        harm(tmp_path / "state" / "catalog.db")
        assert not add(daemon, "luna", 2)["duplicate"], "minds never notice"
        assert not add(daemon, "fresh", 1)["duplicate"]
        for _ in range(2):
            lines = {line["mind"]: line for line in daemon.call("system.status")["minds"]}
            assert lines.keys() == {"mira", "luna", "fresh"}
            assert {line["trouble"] for line in lines.values()} == {None}
            assert {each["mind"] for each in daemon.call("mind.list")["items"]} == lines.keys()
        told = daemon.events("storage_damaged")
        assert [("mind" in event, "catalog.db" in event["detail"]) for event in told] == [(False, True)], told
        deadline = time.monotonic() + within(20)
        while lines["mira"]["messages"] != _MANY and time.monotonic() < deadline:
            lines = {line["mind"]: line for line in daemon.call("system.status")["minds"]}
        assert lines["mira"]["messages"] == _MANY, "what is not known any more is learnt from the file of the mind"
        daemon.call("mind.delete", {"mind": "luna", "confirm": "luna"})
        assert daemon.terminate() == 0
    with daemon_process(tmp_path, name="again") as daemon:
        assert {each["mind"] for each in daemon.call("system.status")["minds"]} == {"mira", "fresh"}
        assert not daemon.events("storage_damaged")


@pytest.mark.parametrize(
    ("lay", "told"),
    [
        (lay_directory, "is a directory"), (os.mkfifo, "is a pipe"), (lay_dangling, "leads nowhere"),
        (lay_device, "is a device"), (lay_socket, "is a socket"),
    ],
)  # fmt: skip
def test_what_is_no_file_is_refused_by_name(tmp_path: Path, lay: Callable[[Path], None], told: str) -> None:
    with daemon_process(tmp_path) as daemon:
        add(daemon, "mira", 1)
        lay(_minds(tmp_path) / "x.db")
        error = error_of(lambda: add(daemon, "x", 1))
        assert (error.name, told in error.message) == ("storage_damaged", True), error
        assert not (_minds(tmp_path) / "nowhere").exists(), "nothing is written through a link"
        assert daemon.call("system.status")["minds"]
        assert daemon.terminate() == 0
    with daemon_process(tmp_path, name="again") as daemon:
        assert ids(daemon, "mira") == ["m-1"]


def test_a_dropped_table_is_damage_and_no_mystery(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        add(daemon, "mira", 1)
        daemon.settle("mira")
    connection = sqlite3.connect(_minds(tmp_path) / "mira.db")
    connection.execute("DROP TABLE refusal")
    connection.close()
    with daemon_process(tmp_path, name="harmed") as daemon:
        assert outcome(lambda: daemon.call("audit.list", {"mind": "mira"})) == "storage_damaged"
        # What needs the table in the background may have shut the mind by now: then all of it is refused by that name.
        assert outcome(lambda: daemon.call("message.list", {"mind": "mira"})) in {"answered", "storage_damaged"}
        assert add(daemon, "luna", 1)["seq"] == 1
        assert daemon.call("system.status")["state"] == "running"


HALF = '"\\ud800x"'
CALLS = (
    ("recall", '{"mind":"mira","query":"x","exclude":[%s]}'),
    ("recall", '{"mind":"mira","query":"x","mood":{"k":%s}}'),
    ("message.add", '{"mind":"mira","role":"user","content":"x","mood":{"k":%s}}'),
    ("message.add", '{"mind":"mira","role":"user","content":"x","mood":{%s:"k"}}'),
    ("note.add", '{"mind":"mira","kind":"semantic","text":"x","attributes":{"a":[{"b":%s}]}}'),
    ("note.add", '{"mind":"mira","kind":"semantic","text":"x","attributes":{%s:1}}'),
    ("job.retry", '{"mind":"mira","ids":[%s]}'),
)


def test_half_characters_are_refused_wherever_they_stand(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon, Wire(daemon) as wire:
        checking(daemon).say("mira", "hello")
        assert [wire.error_of(method, params % HALF) for method, params in CALLS] == ["invalid_text"] * len(CALLS)


def test_crowds_are_refused_by_their_number(tmp_path: Path) -> None:
    def refused(daemon: Daemon, params: str) -> str:
        with Wire(daemon) as wire:
            return wire.error_of("recall", params)

    with daemon_process(tmp_path) as daemon:
        checking(daemon).say("mira", "hello")
        tags = ",".join(f'"t{number}"' for number in range(400))
        assert refused(daemon, f'{{"mind":"mira","query":"x","tags":[{tags}]}}') == "invalid_params"
        wrong = ",".join(["1"] * 300_000)
        assert refused(daemon, f'{{"mind":"mira","query":"x","exclude":[{wrong}]}}') == "invalid_params"


@pytest.mark.parametrize("is_open", [True, False])
def test_what_is_left_of_a_mind_whose_file_was_taken_away_can_be_deleted(tmp_path: Path, is_open: bool) -> None:
    file = _minds(tmp_path) / "mira.db"
    with daemon_process(tmp_path) as daemon:
        for mind in ("mira", "luna"):
            add(daemon, mind, 1)
            daemon.settle(mind)
    with daemon_process(tmp_path, name="again", check_log=False) as daemon:
        if is_open:
            add(daemon, "mira", 2)
            daemon.settle("mira")
        _rename(file)
        if not is_open:
            file.with_name("mira.db-wal").write_bytes(b"left")
        assert daemon.call("mind.delete", {"mind": "mira", "confirm": "mira"}) == {"deleted": "mira", "remains": []}
        assert [line["mind"] for line in daemon.call("system.status")["minds"]] == ["luna"]
        assert (
            error_of(lambda: daemon.call("mind.delete", {"mind": "mira", "confirm": "mira"})).name == "mind_not_found"
        )
        assert len(daemon.events("mind_deleted")) == 1
        assert not list(_minds(tmp_path).glob("mira.db*"))
        assert ids(daemon, "luna") == ["m-1"]
