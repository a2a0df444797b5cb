"""The manual pages are what the commands and the settings say, and the programs that show them have no complaint."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from soulmem.cli.main import command_tree
from soulmem.cli.reference.command_model import command_model
from soulmem.cli.reference.man_pages import client_page
from soulmem.ops.settings.setting_keys import KEYS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs" / "man" / "soulmem.1", ROOT / "docs" / "man" / "soulmemd.8"]


def test_they_are_made_of_what_there_is() -> None:
    command = [sys.executable, str(ROOT / "docs" / "man_pages.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stderr}: make man"


def test_every_command_and_setting_has_its_place() -> None:
    client, daemon = (page.read_text("utf-8") for page in PAGES)
    for command in command_model(get_command(command_tree())).walk():
        assert not command.path or f"\n.SS {' '.join(command.path)}\n" in client
    for key in (key for key in KEYS if not key.endswith(".api_key")):  # a key is never written into a file
        assert f"\n\\fB{key.rpartition('.')[2]}\\fR\n" in daemon, key


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
@pytest.mark.parametrize("reader", ["man", "mandoc"])
def test_its_readers_do_not_complain(page: Path, reader: str) -> None:
    if shutil.which(reader) is None:
        pytest.skip(f"{reader} is not installed")
    command = {
        "man": ["man", "--warnings", "-l", str(page)],
        "mandoc": ["mandoc", "-T", "lint", "-W", "error", str(page)],
    }
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80", "MANPAGER": "cat"}
    done = subprocess.run(command[reader], capture_output=True, text=True, check=False, env=environment, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert reader == "mandoc" or "EXIT STATUS" in done.stdout


def test_what_roff_would_take_for_its_own_is_text() -> None:
    program = command_model(get_command(command_tree("status")))
    strange = type(program)((), ".so /etc/passwd \\fB 妈妈 `x` a-b ~ 'q'", program.options, epilog="Exit codes: 0 done")
    text = client_page(strange, "1")
    assert "\n\\&.so /etc/passwd \\efB 妈妈 \\(gax\\(ga a\\-b \\(ti \\(aqq\\(aq\n" in text
