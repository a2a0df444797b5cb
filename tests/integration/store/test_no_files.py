"""What is no file where one should be: refused by name wherever it is met, waited for nowhere, no trouble of others.

Each place is tried with each kind, at the start of a daemon, in a call, by `soulmem doctor` and by `soulmem backup`.
What hangs runs into the patience of `run`.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from daemon_fixture import daemon_process
from irregular_files import lay_dangling, lay_device, lay_socket
from probing import add, error_of, ids
from shell import Shell
from soulmem.errors import SoulmemError
from soulmem.store.sqlite import driver, mind_files
from soulmem.store.sqlite.storage_errors import storage_error
from spread import spread

EX_STORAGE, EX_CANTCREAT, EX_CONFIG = 74, 73, 78


KINDS: dict[str, tuple[Callable[[Path], None], str]] = {
    "directory": (Path.mkdir, "a directory"),
    "pipe": (os.mkfifo, "a pipe"),
    "dangling": (lay_dangling, "leads nowhere"),
    "device": (lay_device, "a device"),
    "socket": (lay_socket, "a socket"),
}
BESIDE = {"file": "", "log": "-wal", "index": "-shm", "journal": "-journal"}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state directory of a daemon that was told a mind, and stopped."""
    root = tmp_path_factory.mktemp("said")
    with daemon_process(root) as daemon:
        add(daemon, "mira", 0)
        daemon.settle("mira")
    return root / "state"


def _lay(path: Path, kind: str) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    KINDS[kind][0](path)


def _laid(root: Path, said: Path) -> dict[str, str]:
    """Minds beside the good one, each with one thing wrong; what stands in the wrong place for each."""
    state = root / "state"
    shutil.copytree(said, state)
    wrong = {}
    for place, suffix in BESIDE.items():
        for kind in KINDS:
            name = f"{kind}-{place}"
            shutil.copy(state / "minds" / "mira.db", state / "minds" / f"{name}.db")
            _lay(state / "minds" / f"{name}.db{suffix}", kind)
            wrong[name] = f"{name}.db{suffix} is {_what(kind)}"
    return wrong


def _what(kind: str) -> str:
    return "a link that leads nowhere, not a file" if kind == "dangling" else f"{KINDS[kind][1]}, not a file"


def _doctor(shell: Shell, *arguments: str) -> dict[str, dict[str, str]]:
    found = json.loads(shell("doctor", "--json", *arguments, code=1).stdout)
    assert not found["healthy"]
    return {finding["subject"]: finding for finding in found["findings"]}


def test_in_the_place_of_a_mind_or_beside_it(tmp_path: Path, said: Path) -> None:
    wrong = _laid(tmp_path, said)
    with daemon_process(tmp_path) as daemon:
        shell = Shell(daemon.socket, tmp_path)
        for name, told in wrong.items():
            calls = (partial(add, daemon, name, 1), partial(daemon.call, "recall", {"mind": name, "query": "key"}))
            for call in calls:
                error = error_of(call)
                assert (error.name, error.message, error.hint) == ("storage_damaged", told, "move it out of the way")
            single = error_of(partial(daemon.call, "ledger.get", {"mind": name}))
            assert single.name == "storage_damaged"
        assert daemon.call("ledger.get")["calls"] == []
        assert wrong["dangling-file"] in shell("notes", "--mind", "dangling-file", code=EX_STORAGE).stderr
        assert not add(daemon, "mira", 1)["duplicate"]
        troubles = {line["mind"]: line["trouble"] for line in daemon.call("system.status")["minds"]}
        assert troubles.pop("mira") is None
        assert {name: trouble["message"] for name, trouble in troubles.items()} == {
            name: f"{told}; move it out of the way" for name, told in wrong.items()
        }
        _looked_at(shell, wrong)
        _copied(shell, wrong, tmp_path / "served", "--state", str(daemon.state))
        assert not (daemon.state / "minds" / "nowhere").exists(), "nothing is written through a link"
        assert daemon.terminate() == 0
        assert not [line for line in daemon.log_path.read_text().splitlines() if not line.startswith("{")]
    state = ("--state", str(daemon.state))
    for deep in ((), ("--deep",)):
        _looked_at(shell, wrong, *state, *deep)
    _copied(shell, wrong, tmp_path / "alone", *state)
    for name in wrong:  # what a person does about it
        for path in (daemon.state / "minds").glob(f"{name}.db*"):
            (shutil.rmtree if path.is_dir() and not path.is_symlink() else os.unlink)(path)
    with daemon_process(tmp_path, name="again") as daemon:
        assert ids(daemon, "mira") == ["m-0", "m-1"]


def _looked_at(shell: Shell, wrong: dict[str, str], *arguments: str) -> None:
    found = _doctor(shell, *arguments)
    for name, told in wrong.items():
        finding = found[f"{name}.db"]
        assert finding["verdict"] == "wrong"
        assert told.removeprefix(f"{name}.db ") in finding["found"]
        assert name not in found, "told once"


def _copied(shell: Shell, wrong: dict[str, str], there: Path, *state: str) -> None:
    done = shell("backup", str(there), *state, code=EX_STORAGE)
    lines = {line.split()[1]: line for line in done.stdout.splitlines()}
    for name, told in wrong.items():
        assert lines[name] == f"✗ {name}  {told}"
    assert lines["mira"].startswith("✓")
    assert [path.name for path in there.iterdir()] == ["mira.db"]


def _refused(shell: Shell, state: Path, code: int, *arguments: str) -> str:
    """Start a daemon that refuses: the one line it says."""
    done = shell("daemon", "--state", str(state), *arguments, code=code)
    lines = [line for line in done.stderr.splitlines() if not line.startswith("{")]
    assert len(lines) == 1, done.stderr
    assert "bug" not in lines[0]
    assert "files are open" not in lines[0]
    assert "space" not in lines[0]
    return lines[0]


@pytest.mark.parametrize("kind", [*KINDS, "text"])
def test_in_the_place_of_all_minds(tmp_path: Path, said: Path, kind: str) -> None:
    state = tmp_path / "state"
    shutil.copytree(said, state)
    told = f"{state / 'minds'} is a file, not a directory"
    shutil.rmtree(state / "minds")
    if kind == "text":
        (state / "minds").write_text("x")
    elif kind == "directory":
        (state / "minds").symlink_to(state / "minds")  # a link to itself
        told = told.replace("a file", "a link that leads nowhere")
    else:
        _lay(state / "minds", kind)
        told = f"{state / 'minds'} is {_what(kind)}".replace("not a file", "not a directory")
    shell = Shell(tmp_path / "d.sock", tmp_path)
    line = _refused(shell, state, EX_CANTCREAT)
    assert str(state / "minds") in line
    assert told.partition(" is ")[2] in line
    assert _doctor(shell, "--state", str(state))["state"]["found"] == told
    assert told in shell("backup", str(tmp_path / "there"), "--state", str(state), code=EX_STORAGE).stderr


@pytest.mark.parametrize(("kind", "place"), spread(KINDS, ["catalog.db", "catalog.db-wal"]))
def test_in_the_place_of_the_catalogue(tmp_path: Path, said: Path, kind: str, place: str) -> None:
    state = tmp_path / "state"
    shutil.copytree(said, state)
    _lay(state / place, kind)
    shell = Shell(tmp_path / "d.sock", tmp_path)
    assert f"{place} is {_what(kind)}; move it" in _refused(shell, state, EX_CONFIG)
    assert os.path.lexists(state / place), "it is left where it is"
    assert _doctor(shell, "--state", str(state))[place]["found"] == f"{state / place} is {_what(kind)}"
    done = shell("backup", str(tmp_path / "there"), "--state", str(state))
    assert done.stdout.startswith("✓ mira"), "the minds can be copied without it"


@pytest.mark.parametrize("kind", KINDS)
def test_in_the_place_of_the_lock_and_of_the_configuration(tmp_path: Path, kind: str) -> None:
    (tmp_path / "state").mkdir()
    lock, config = tmp_path / "state" / "soulmem.lock", tmp_path / "soulmem.toml"
    _lay(lock, kind)
    _lay(config, kind)
    shell = Shell(tmp_path / "d.sock", tmp_path)
    assert f"{lock} is {_what(kind)}" in _refused(shell, tmp_path / "state", EX_CANTCREAT)
    told = f"{config}: is {_what(kind)}"
    assert told in _refused(shell, tmp_path / "state", EX_CONFIG, "--config", str(config))
    shell.environment["SOULMEM_CONFIG"] = str(config)
    assert _doctor(shell)["configuration"]["found"] == told
    assert told in shell("backup", str(tmp_path / "there"), code=EX_CONFIG).stderr


def test_no_settings_at_all_are_a_configuration(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--config", os.devnull) as daemon:
        assert daemon.call("system.ping")


def _failing(code: int) -> Exception:
    error = driver.OperationalError("it failed")
    error.sqlite_errorcode = code  # type: ignore[attr-defined]  # as the driver sets it
    return error


@pytest.mark.parametrize("code", [10, 14])
def test_a_failure_is_put_down_only_to_what_is_so(tmp_path: Path, code: int) -> None:
    """There is room and there are descriptors, so it was for want of neither."""
    file = tmp_path / "mira.db"
    file.touch()
    told = storage_error(_failing(code), file)
    assert isinstance(told, SoulmemError)
    assert told.name == "storage_readonly"
    os.mkfifo(f"{file}-wal")
    told = storage_error(_failing(code), file)
    assert isinstance(told, SoulmemError)
    assert told.message == "mira.db-wal is a pipe, not a file"
    assert not mind_files.lacks_descriptors()
