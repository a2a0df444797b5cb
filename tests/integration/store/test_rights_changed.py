"""Rights to the files that are changed while a mind is open: told, refused where writing is lost, taken from others."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from probing import add, error_of, ids, outcome
from shell import Shell
from spread import every, spread

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run a daemon as somebody who has no rights")
_NOBODY = 65_534


@pytest.fixture
def root() -> Iterator[Path]:
    """A directory that belongs to somebody else than root."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        os.chown(name, _NOBODY, _NOBODY)
        yield Path(name)


def _file(root: Path) -> Path:
    return root / "state" / "minds" / "mira.db"


def _log(root: Path) -> Path:
    return root / "state" / "minds" / "mira.db-wal"


def _folder(root: Path) -> Path:
    return root / "state" / "minds"


def _to(mode: int) -> Callable[[Path], None]:
    return lambda path: path.chmod(mode)


def _to_root(path: Path) -> None:
    os.chown(path, 0, 0)


def _to_root_for_all(path: Path) -> None:
    os.chown(path, 0, 0)
    path.chmod(0o666)


def _trouble(daemon: Daemon) -> dict[str, Any] | None:
    lines = {line["mind"]: line for line in daemon.call("system.status")["minds"]}
    found: dict[str, Any] | None = lines["mira"]["trouble"]
    return found


def _modes(root: Path) -> list[int]:
    return [path.stat().st_mode & 0o777 for path in (_file(root), _log(root))]


@pytest.mark.parametrize(
    ("where", "harm", "told"),
    every(2, [
        (_file, _to(0), "mira.db may not be written"), (_file, _to(0o400), "mira.db may not be written"),
        (_file, _to_root_for_all, "others may read mira.db"), (_file, _to_root, "mira.db may not be written"),
        (_log, _to(0), "mira.db-wal may not be written"), (_folder, _to(0), "mira.db may not be written"),
        (_folder, _to(0o500), "minds may not be written"),
    ]),
)  # fmt: skip
def test_a_mind_that_lost_its_rights_is_refused_until_it_has_them_again(
    root: Path, where: Callable[[Path], Path], harm: Callable[[Path], None], told: str
) -> None:
    with daemon_process(root, uid=_NOBODY) as daemon:
        add(daemon, "mira", 1)
        daemon.settle("mira")
        path = where(root)
        before = path.stat()
        harm(path)
        found = _trouble(daemon)
        assert found is not None, "noticed without a write"
        assert (found["error"], told in found["message"]) == ("storage_readonly", True), found
        for number in (2, 3):
            error = error_of(partial(add, daemon, "mira", number))
            assert (error.name, told in error.message) == ("storage_readonly", True), error
        told_by_doctor = json.loads(Shell(daemon.socket, root)("doctor", "--json", code=None).stdout)["findings"]
        assert any(each["subject"] == "mira" and told in each["found"] for each in told_by_doctor)
        assert ids(daemon, "mira") == ["m-1"], "reading goes on"
        assert outcome(lambda: daemon.call("idle.run", {"mind": "mira"})) in {"answered", "storage_readonly"}
        os.chown(path, before.st_uid, before.st_gid)
        path.chmod(before.st_mode & 0o777)
        assert not add(daemon, "mira", 4)["duplicate"]
        assert _trouble(daemon) is None
        assert [event["mind"] for event in daemon.events("storage_readonly")] == ["mira"]
        assert [event["mind"] for event in daemon.events("storage_recovered")] == ["mira"]
        assert not daemon.events("storage_damaged")
    with daemon_process(root, name="again", uid=_NOBODY) as daemon:
        assert ids(daemon, "mira") == ["m-1", "m-4"]


@pytest.mark.parametrize(("where", "notice"), spread([_file, _log], ["a message", "the status"]))
def test_what_others_were_allowed_to_read_is_closed_to_them_again(
    root: Path, where: Callable[[Path], Path], notice: str
) -> None:
    with daemon_process(root, uid=_NOBODY) as daemon:
        add(daemon, "mira", 1)
        daemon.settle("mira")
        where(root).chmod(0o666)
        if notice == "the status":
            assert _trouble(daemon) is None
            assert _modes(root) == [0o600, 0o600]
        assert not add(daemon, "mira", 2)["duplicate"]
        assert _modes(root) == [0o600, 0o600]
        assert not add(daemon, "mira", 3)["duplicate"]
        assert _trouble(daemon) is None
        told = [(event["mind"], event["detail"].partition(";")[0]) for event in daemon.events("storage_exposed")]
        assert told == [("mira", f"others were allowed to read {where(root).name}")]


@pytest.mark.parametrize(("where", "mode"), spread(["minds", "state"], [0o755, 0o777]))
def test_a_directory_that_others_were_let_into_is_closed_to_them_again(root: Path, where: str, mode: int) -> None:
    folder = root / "state" if where == "state" else _folder(root)
    with daemon_process(root, uid=_NOBODY) as daemon:
        add(daemon, "mira", 1)
        daemon.settle("mira")
        folder.chmod(mode)
        assert not add(daemon, "other", 1)["duplicate"]  # is written into both directories
        assert not add(daemon, "mira", 2)["duplicate"]
        assert folder.stat().st_mode & 0o777 == 0o700
        told = [event["detail"] for event in daemon.events("storage_exposed")]
        assert told == [f"others were allowed into the directory {where}; they are no more"]


def test_a_directory_that_was_opened_while_no_mind_was_is_closed_when_one_is(root: Path) -> None:
    with daemon_process(root, uid=_NOBODY) as daemon:
        add(daemon, "mira", 1)
    with daemon_process(root, name="again", uid=_NOBODY) as daemon:
        _folder(root).chmod(0o755)
        add(daemon, "mira", 2)
        assert _folder(root).stat().st_mode & 0o777 == 0o700
        assert len(daemon.events("storage_exposed")) == 1


def test_a_state_directory_with_more_in_it_is_for_its_owner_to_open(root: Path) -> None:
    with daemon_process(root, uid=_NOBODY) as daemon:
        add(daemon, "mira", 1)
        (root / "state" / "letters").mkdir()
        (root / "state").chmod(0o755)
        add(daemon, "other", 1)
        assert (root / "state").stat().st_mode & 0o777 == 0o755
        assert not daemon.events("storage_exposed")


@pytest.mark.parametrize("harm", [_to(0), _to_root])
def test_a_catalogue_that_lost_its_rights_keeps_nobody_from_his_mind(root: Path, harm: Callable[[Path], None]) -> None:
    with daemon_process(root, uid=_NOBODY) as daemon:
        add(daemon, "mira", 1)
        daemon.settle("mira")
        path = root / "state" / "catalog.db"
        harm(path)
        assert not add(daemon, "mira", 2)["duplicate"]
        for number in (1, 2):
            assert not add(daemon, "fresh", number)["duplicate"]
            assert {line["mind"] for line in daemon.call("system.status")["minds"]} == {"mira", "fresh"}
        assert [("mind" in event, event["detail"]) for event in daemon.events("storage_readonly")] == [
            (False, "catalog.db may not be written any more: its rights were changed")
        ]
        assert not daemon.events("storage_recovered")
        os.chown(path, _NOBODY, _NOBODY)
        path.chmod(0o600)
        add(daemon, "other", 1)
        assert len(daemon.events("storage_recovered")) == 1
        path.chmod(0o644)
        add(daemon, "another", 1)
        assert path.stat().st_mode & 0o777 == 0o600
        assert len(daemon.events("storage_exposed")) == 1
    with daemon_process(root, name="again", uid=_NOBODY) as daemon:
        known = {line["mind"]: line["messages"] for line in daemon.call("system.status")["minds"]}
        assert known == {"mira": 2, "fresh": 2, "other": 1, "another": 1}
