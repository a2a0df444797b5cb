"""A model is fetched where the environment holds no pip, as those of pipx and uv do not."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[3] / "daemon"
ASK = "from soulmem.embed.install.wheel_fetching import pip_command; print('\\n'.join(pip_command() or []))"


@pytest.mark.parametrize("pip", [True, False])
def test_it_is_found_with_and_without_one_of_its_own(tmp_path: Path, pip: bool) -> None:
    bare = tmp_path / "bare" / "bin" / "python"  # of a virtual environment into which nothing was installed
    bare.parent.mkdir(parents=True)
    bare.symlink_to(sys._base_executable)  # type: ignore[attr-defined]
    (tmp_path / "bare" / "pyvenv.cfg").write_text(
        f"home = {sys.base_prefix}/bin\ninclude-system-site-packages = false\n"
    )
    own = sys.executable if pip else str(bare)
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE), "PATH": str(tmp_path)}
    asked = subprocess.run([own, "-c", ASK], env=environment, capture_output=True, text=True, check=True, timeout=60)
    command = asked.stdout.splitlines()
    assert command[0] == own
    assert (command[1] == "-m") is pip
    if not pip:  # Python runs the `__main__` of a folder in an archive
        with zipfile.ZipFile(Path(command[1]).parent) as archive:
            assert "pip/__main__.py" in archive.namelist()


def test_uv_runs_one_where_python_brings_none_along(tmp_path: Path) -> None:
    uv = tmp_path / "uv"
    uv.write_text("#!/bin/sh\n")
    uv.chmod(0o755)
    hide = "import importlib.util as u, sysconfig as s; u.find_spec = s.get_config_var = lambda name: None\n"
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE), "PATH": str(tmp_path)}
    command = [sys.executable, "-c", hide + ASK]
    asked = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert asked.stdout.splitlines() == [str(uv), "tool", "run", "pip"]
