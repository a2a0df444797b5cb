"""Completion, tried by typing into real shells; and that it knows all that the argument parser knows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

from daemon_fixture import daemon_process
from shell import Shell
from soulmem.cli.main import command_tree
from soulmem.cli.reference.bash_completion import bash_completion
from soulmem.cli.reference.command_model import Command, Value, command_model
from soulmem.cli.reference.fish_completion import fish_completion
from soulmem.cli.reference.zsh_completion import zsh_completion
from typed_shell import completed

SHELLS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}
SETUP = {
    "bash": ["bind 'set enable-bracketed-paste off' 2>/dev/null", 'eval "$(soulmem completion bash)"'],
    "zsh": ["bindkey -e", "autoload -U compinit && compinit -u -D", 'eval "$(soulmem completion zsh)"'],
}
WRITERS = {"bash": bash_completion, "zsh": zsh_completion, "fish": fish_completion}


@pytest.fixture(scope="module")
def program() -> Command:
    return command_model(get_command(command_tree()))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder with `soulmem` on PATH, and a daemon that keeps a mind."""
    root = tmp_path_factory.mktemp("tab")
    (root / "soulmem").write_text(f'#!/bin/sh\nexec {sys.executable} -m soulmem "$@"\n', "utf-8")
    (root / "soulmem").chmod(0o755)
    (root / "聊天记录.json").touch()
    with daemon_process(root) as daemon:
        daemon.call("message.add", {"mind": "pelagia", "role": "user", "content": "你好"})
        shell = Shell(daemon.socket, root)
        yield root, {**shell.environment, "PATH": f"{root}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}


@pytest.mark.parametrize("kind", SHELLS)
def test_what_is_typed_is_completed(desk: tuple[Path, dict[str, str]], kind: str) -> None:
    if shutil.which(kind) is None:
        pytest.skip(f"{kind} is not installed")
    root, environment = desk
    typed = {
        "soulmem statu": "soulmem status",
        "soulmem recall --depth sk": "soulmem recall --depth skim",
        "soulmem recall --depth=dee": "soulmem recall --depth=deep",
        "soulmem -m pel": "soulmem -m pelagia",
        "soulmem -m pelagia plan sup": "soulmem -m pelagia plan supersede",
        "soulmem say 你好 --spea": "soulmem say 你好 --speaker",
        "soulmem feedback r1 goo": "soulmem feedback r1 good",
        f"soulmem import {root}/聊": f"soulmem import {root}/聊天记录.json",
        "soulmem service unin": "soulmem service uninstall",
    }
    found = completed(SHELLS[kind], SETUP[kind], list(typed), environment)
    assert [line.removesuffix("=") for line in found] == list(typed.values())


@pytest.mark.parametrize("kind", WRITERS)
def test_every_command_option_and_choice_is_in_the_script(program: Command, kind: str) -> None:
    script = WRITERS[kind](program)
    for command in program.walk():
        for option in command.options:
            for name in option.names:
                assert name in script or f"-l {name.removeprefix('--')}" in script or f"-s {name[1:]}" in script
            assert not option.choices or " ".join(option.choices) in script
        assert command.name in script


@pytest.mark.parametrize(("kind", "check"), [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")])
def test_the_shell_reads_its_script(tmp_path: Path, program: Command, kind: str, check: str) -> None:
    if shutil.which(kind) is None:
        pytest.skip(f"{kind} is not installed")
    (tmp_path / "script").write_text(WRITERS[kind](program), "utf-8")
    done = subprocess.run([kind, check, str(tmp_path / "script")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_model_knows_what_may_stand_where(program: Command) -> None:
    commands = {" ".join(command.path): command for command in program.walk()}
    recall = {name: option for option in commands["recall"].options for name in option.names}
    assert recall["-m"].value is Value.MIND
    assert recall["--depth"].choices == ("skim", "normal", "deep")
    assert recall["--explain"].value is Value.NONE
    assert recall["--tag"].repeated
    assert commands["import"].arguments[0].value is Value.FILE
    assert commands["backup"].arguments[0].value is Value.FOLDER
    assert {"plan supersede", "service install", "completion"} <= commands.keys()


def test_only_shells_are_offered(program: Command, tmp_path: Path) -> None:
    (completion,) = [command for command in program.walk() if command.path == ("completion",)]
    assert completion.arguments[0].choices == ("bash", "zsh", "fish")
    shell = Shell(tmp_path / "none.sock", tmp_path)
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'." in shell("completion", "tcsh", code=2).stderr
    assert "minds" not in shell("completion", "--help").stdout


def test_the_minds_are_listed_and_without_a_daemon_none(desk: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "soulmem", "completion", "--minds"]
    told = subprocess.run(command, env=desk[1], capture_output=True, text=True, check=True)
    assert told.stdout == "pelagia\n"
    assert Shell(tmp_path / "none.sock", tmp_path)("completion", "--minds", code=69).stdout == ""
