"""The first commands of the README, typed one after the other by somebody who has nothing yet, do what they say."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from daemon_fixture import daemon_process
from shell import Shell

TEXT = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
ENDLESS = ("soulmem watch", "soulmem view")


def commands() -> list[list[str]]:
    block = re.search(r"```console\n(.*?)```", TEXT, re.DOTALL)
    assert block
    found = [line.removeprefix("$ ") for line in block[1].splitlines() if line.startswith("$ soulmem ")]
    assert len(found) > 12
    return [shlex.split(line, comments=True)[1:] for line in found if not line.startswith(ENDLESS)]


def test_they_work_in_their_order(tmp_path: Path) -> None:
    said: dict[str, str] = {}
    with daemon_process(tmp_path) as daemon:
        shell = Shell(daemon.socket, tmp_path)
        for words in commands():
            done = shell(*words)
            said[" ".join(words)] = done.stdout
            # Two things told in one breath are found by each other's words, so no link need lead from one to the other.
            errors = [
                line
                for line in done.stderr.splitlines()
                if not (words[0] == "feedback" and "no links were followed" in line)
            ]
            assert not any("soulmem: " in line for line in errors), (words, done.stderr)
    assert "hazelnuts" in said["note n1"]
    assert "青霉素" in said["notes"]
    assert "hazelnuts" in said["recall what is Mara allergic to?"]
    assert "n2" in said["links"] or "小苇" in said["links"]
    assert "association" in said["recall hazelnuts --explain"]
    assert said["feedback r3 good --used n1"].startswith("taken to heart: ")
    assert "hazelnuts" in said["context dinner --max-tokens 800"]


def test_what_is_typed_is_on_the_path_by_then() -> None:
    """The block in front of them says how `soulmem` is found, and starts the daemon."""
    first = TEXT[: TEXT.index("```console")]
    assert 'export PATH="$PWD/.venv/bin:$PATH"' in first
    assert re.search(r"^soulmem daemon$", first, re.MULTILINE)
