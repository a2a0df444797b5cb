"""The wheel holds what the code reads when it runs, and nothing that only developers need."""

from __future__ import annotations

import re
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from soulmem.cli.output.command_session import how_to_add

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "daemon" / "soulmem"
DATA = re.compile(r"soulmem-[^/]+\.data/data/")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    (path,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"])
    with zipfile.ZipFile(path) as archive:
        yield archive


def files(folder: Path) -> Iterator[Path]:
    """All files below a folder, those behind symbolic links too."""
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            yield from files(path) if path.name != "__pycache__" else ()
        else:
            yield path


def test_every_file_of_the_package_is_in_it_with_its_content(wheel: zipfile.ZipFile) -> None:
    held = {name: wheel.getinfo(name).file_size for name in wheel.namelist() if name.startswith("soulmem/")}
    there = {str(path.relative_to(PACKAGE.parent)): path.stat().st_size for path in files(PACKAGE)}
    assert held == there
    assert {".py", ".sql", ".json", ".md", ".txt", ".npz"} <= {Path(name).suffix for name in held}
    assert sum(name.startswith("soulmem/schemas/sql/") for name in held) > 15


def test_nothing_of_developers_is_in_it(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"soulmem"}
    words = ("tests/", "benchmarks/", "__pycache__", "conftest", "Makefile", ".ci", "/test_")
    assert not [name for name in names if any(word in name for word in words)]


def test_what_lies_outside_the_package_is_what_users_need(wheel: zipfile.ZipFile) -> None:
    shared = {DATA.sub("", name) for name in wheel.namelist() if DATA.match(name)}
    units = {f"share/soulmem/systemd/{path.relative_to(ROOT / 'systemd')}" for path in files(ROOT / "systemd")}
    assert units <= shared
    assert {"share/man/man1/soulmem.1", "share/man/man8/soulmemd.8"} <= shared
    code = "\n".join(path.read_text("utf-8") for path in (PACKAGE / "cli").rglob("*.py"))
    named = set(re.findall(r"(?:err|out)\([^\n]*docs/(\w+\.md)", code))
    assert named
    assert {f"share/doc/soulmem/{page}" for page in named} <= shared


def test_its_programs_start(wheel: zipfile.ZipFile) -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    (points,) = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    assert dict(re.findall(r"^(\w+) = (\S+)$", wheel.read(points).decode(), re.MULTILINE)) == scripts
    for target in scripts.values():
        module = target.split(":")[0].replace(".", "/")
        assert f"{module}.py" in wheel.namelist()


@pytest.mark.parametrize(
    ("left", "command"),
    [("pipx_metadata.json", "pipx install --force"), ("uv-receipt.toml", "uv tool install"), ("x", "pip install")],
)
def test_an_extra_is_added_by_whatever_installed_it(tmp_path: Path, left: str, command: str) -> None:
    (tmp_path / left).touch()
    assert how_to_add("mcp", tmp_path) == f"{command} 'soulmem[mcp]'"
    assert how_to_add("mcp", Path(sys.prefix)) == how_to_add("mcp")
