"""The one line for a command whose extra is not installed: how to add it to the environment this program runs in."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from soulmem.cli.output.command_session import CommandError, ExitCode

# a file that the installer leaves in an environment of its own -> its command; anywhere else it is pip's
_INSTALLERS = {"pipx_metadata.json": "pipx install --force", "uv-receipt.toml": "uv tool install"}


def need_extra(extra: str, purpose: str, *modules: str) -> None:
    """Raise CommandError unless the modules of an extra are installed. `purpose`: what the extra is for."""
    if any(find_spec(name) is None for name in modules):
        raise CommandError(
            f"the extra for {purpose} is not installed", hint=how_to_add(extra), code=ExitCode.CONFIGURATION
        )


def how_to_add(extra: str, environment: Path | None = None) -> str:
    """The command that adds an extra to an environment, by default to this one."""
    where = Path(sys.prefix) if environment is None else environment
    command = next((how for file, how in _INSTALLERS.items() if (where / file).is_file()), "pip install")
    return f"{command} 'soulmem[{extra}]'"
