"""The container file: what it copies makes the whole wheel, and its daemon is healthy by its own check.

No image is built here; what its steps rest on is tried without one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import zipfile
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

import warm_start
from shell import run

ROOT = Path(__file__).parents[3]
STEPS = (ROOT / "Containerfile").read_text("utf-8").replace("\\\n", " ")


def step(name: str) -> list[str]:
    return re.findall(rf"^{name} (.*)$", STEPS, re.MULTILINE)


def wheel_of(root: Path, folder: Path) -> list[str]:
    (path,) = WheelBuilder(str(root)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(path) as archive:
        return sorted(archive.namelist())


def test_what_is_copied_makes_the_whole_wheel(tmp_path: Path) -> None:
    copied = tmp_path / "src"
    copied.mkdir()
    for line in step("COPY"):
        if not line.startswith("--from"):
            *names, target = line.split()
            for name in names:
                if (ROOT / name).is_dir():
                    ignored = shutil.ignore_patterns("__pycache__")
                    shutil.copytree(ROOT / name, copied / target, symlinks=True, ignore=ignored)
                else:
                    shutil.copy(ROOT / name, copied / target)
    assert wheel_of(copied, tmp_path / "a") == wheel_of(ROOT, tmp_path / "b")


def test_it_runs_as_a_user_of_its_own_and_keeps_its_state_in_a_volume() -> None:
    assert step("USER") == ["soulmem"]
    volumes = json.loads(step("VOLUME")[0])
    environment = dict(re.findall(r"(\w+)=(\S+)", step("ENV")[0]))
    assert [environment["STATE_DIRECTORY"], environment["RUNTIME_DIRECTORY"]] == volumes
    assert STEPS.index("USER soulmem") < STEPS.index("ENTRYPOINT")
    extras = set(re.findall(r"'\.\[([\w,]+)\]'", STEPS)[0].split(","))
    assert extras == {"mcp", "proxy"}


def test_its_check_tells_a_daemon_that_runs_from_one_that_does_not(tmp_path: Path) -> None:
    places = dict(re.findall(r"(STATE_DIRECTORY|RUNTIME_DIRECTORY)=(\S+)", step("ENV")[0]))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SOULMEM_", "XDG_"))}
    environment = {**kept, "HOME": str(tmp_path), "SOULMEM_EMBEDDER_NAME": "hashing"}
    environment |= {name: str(tmp_path / value.strip("/")) for name, value in places.items()}
    program, *check = json.loads(step("HEALTHCHECK")[0].partition("CMD ")[2])
    assert [program] == json.loads(step("ENTRYPOINT")[0])
    assert run(*check, env=environment).returncode == 69
    daemon = warm_start.start(json.loads(step("CMD")[0]), environment, tmp_path / "log")
    try:
        for _ in range(600):
            if run(*check, env=environment).returncode == 0:
                break
        assert run(*check, env=environment).returncode == 0
        assert (tmp_path / "var/lib/soulmem/catalog.db").is_file()
        assert (tmp_path / "run/soulmem/soulmem.sock").is_socket()
    finally:
        daemon.send_signal(15)
        assert daemon.wait(60) == 0
