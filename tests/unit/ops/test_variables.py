"""Every variable that begins with `SOULMEM_` has a meaning, or is refused with the one that was meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from every_row import every_row
from shell import Shell
from soulmem.ops.settings.environment_variables import OF_TESTS, OURS, unknown
from soulmem.ops.settings.setting_keys import KEYS, VARIABLES
from spread import every

ROOT = Path(__file__).parents[3]
SOURCES = ("daemon", "tests", "benchmarks", "examples", "systemd", ".ci")
MISSPELT = {  # on purpose, by tests of what is said then
    "SOULMEM_WINDOW_CAPCITY", "SOULMEM_WINDOW_CAPACTIY", "SOULMEM_SOKET", "SOULMEM_SOKCET", "SOULMEM_MODLES",
    "SOULMEM_STRICT_EVENT", "SOULMEM_ZZZZZZ", "SOULMEM_SOCKETS", "SOULMEM_COMPLETE", "SOULMEM_TORTUER",
}  # fmt: skip


def test_every_variable_that_anything_of_ours_reads_is_known() -> None:
    files = [path for each in SOURCES for path in (ROOT / each).rglob("*") if path.suffix != ".pyc" and path.is_file()]
    files += [ROOT / "Makefile", ROOT / "README.md", ROOT / "pyproject.toml"]
    read = {
        name: path
        for path in files
        for name in re.findall(r"\bSOULMEM_[A-Z][A-Z_]*[A-Z]\b(?!_)", path.read_text("utf-8", "replace"))
    }
    assert len(read) > 20
    assert {name: str(path) for name, path in read.items() if unknown({name: "1"}, VARIABLES)}.keys() <= MISSPELT
    used = set(read)
    assert OURS.keys() | OF_TESTS.keys() <= used, "what nobody reads is not ours any more"


def test_every_setting_has_its_variable() -> None:
    assert set(KEYS) == set(VARIABLES.values())
    assert unknown(dict.fromkeys([*VARIABLES, *OURS, *OF_TESTS], "1"), VARIABLES) is None
    assert unknown({"PATH": "/bin", "soulmem_window": "3", "XSOULMEM_A": "1"}, VARIABLES) is None


@every_row(
    [
        ("SOULMEM_SOKET", "SOULMEM_SOCKET"),
        ("SOULMEM_SOCKETS", "SOULMEM_SOCKET"),
        ("SOULMEM_MODLES", "SOULMEM_MODELS"),
        ("SOULMEM_WINDOW_CAPCITY", "SOULMEM_WINDOW_CAPACITY"),
        ("SOULMEM_window_capacity", "SOULMEM_WINDOW_CAPACITY"),
        ("SOULMEM_TORTUER", "SOULMEM_TORTURE"),
        ("SOULMEM_ZZZZZZ", None),
        ("SOULMEM_", None),
    ],
    unpack=True,
)
def test_a_slip_is_told_in_one_line(slip: str, meant: str | None) -> None:
    hint = f" (did you mean {meant}?)" if meant else ""
    assert unknown({slip: "", "HOME": "/"}, VARIABLES) == f"environment: unknown variable {slip}{hint}"


@pytest.mark.thorough
@pytest.mark.parametrize("command", every(3, ["status", "say hi", "model list", "daemon"]))
def test_commands_and_daemon_refuse_it(tmp_path: Path, command: str) -> None:
    alone = Shell(tmp_path / "none.sock", tmp_path)
    done = alone(*command.split(), code=78, SOULMEM_SOKET="/tmp/x")
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "SOULMEM_SOKET (did you mean SOULMEM_SOCKET?)" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.thorough
def test_help_is_given_all_the_same(tmp_path: Path) -> None:
    alone = Shell(tmp_path / "none.sock", tmp_path)
    assert "TEXT" in alone("say", "--help", SOULMEM_SOKET="/tmp/x").stdout
    told = alone("doctor", code=1, SOULMEM_SOKET="/tmp/x").stdout
    assert "did you mean SOULMEM_SOCKET?" in told
