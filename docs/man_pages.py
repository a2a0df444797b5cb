"""Writes `docs/man` from the commands and the settings: run `make man`; with `--check` it compares."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from typer.main import get_command

import soulmem
from soulmem.cli.main import command_tree
from soulmem.cli.reference.command_model import command_model
from soulmem.cli.reference.man_pages import client_page, daemon_page

HERE = Path(__file__).resolve().parent


def pages() -> dict[Path, str]:
    """The text of each page."""
    program = command_model(get_command(command_tree()))
    settings = json.loads((HERE.parent / "schemas" / "config.json").read_text("utf-8"))
    return {
        HERE / "man" / "soulmem.1": client_page(program, soulmem.__version__),
        HERE / "man" / "soulmemd.8": daemon_page(program, settings, soulmem.__version__),
    }


def main() -> None:
    for path, text in pages().items():
        if "--check" not in sys.argv:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        elif not path.is_file() or path.read_text("utf-8") != text:
            sys.exit(f"{path.name} is not what the commands and settings say: make man")


if __name__ == "__main__":
    main()
