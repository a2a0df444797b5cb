"""What the README and `docs/` show is true: settings load, commands, files and targets exist, code is code."""

import ast
import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from soulmem.cli.main import command_tree
from soulmem.ops.settings.config_loader import load_config

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {ROOT / "README.md": README} | {page: page.read_text("utf-8") for page in sorted((ROOT / "docs").glob("*.md"))}
TEXT = "\n".join(PAGES.values())
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, re.DOTALL)


def blocks(kind: str) -> list[str]:
    found = [body for name, body in BLOCKS if name == kind]
    assert found
    return found


@pytest.mark.parametrize("body", blocks("toml"))
def test_settings_load(body: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(body, encoding="utf-8")
    config = load_config(config_file=path, environ={"HOME": str(tmp_path)})
    assert any(origin != "default" for origin in config.origins.values())


def test_commands_and_their_options_exist() -> None:
    tree = get_command(command_tree())
    shown = 0
    for line in "\n".join([*blocks("console"), *blocks("sh")]).splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True) if "soulmem" in line else []
        if not words or Path(words[0]).name != "soulmem":
            continue
        command = tree.commands[words[1]]  # type: ignore[attr-defined]  # the root is a group
        known = {name for option in command.params for name in option.opts}
        assert {word for word in words[2:] if word.startswith("-")} <= known, line
        shown += 1
    assert shown >= 8


def test_python_parses() -> None:
    for body in blocks("python"):
        ast.parse(body)


def test_files_it_names_exist() -> None:
    for page, text in PAGES.items():
        for link in re.findall(r"\]\(([^)#]+)\)", text):
            assert "://" in link or (page.parent / link).exists(), (page.name, link)
    named = re.findall(r"`((?:schemas|systemd|examples)/[\w./-]*)`", TEXT)
    for name in named:
        assert (ROOT / name).exists(), name
    for body in blocks("sh"):
        for name in re.findall(r"\bsystemd/[\w/]+\.\w+\b", body):
            assert (ROOT / name).exists(), name


def test_every_make_target_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"(?:`|^)make ([a-z][a-z-]*)", TEXT, re.MULTILINE)) - {"you"}:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_readme_is_read_in_two_minutes() -> None:
    assert README.count("\n") <= 200
    for page in PAGES:
        assert page.name == "README.md" or page.name in TEXT.replace(PAGES[page], ""), f"nothing leads to {page.name}"
