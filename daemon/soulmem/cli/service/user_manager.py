"""The user's service manager: what `systemctl --user` and `loginctl` do for us, and whether there is one at all."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path

from soulmem.cli.output.command_session import CommandError, ExitCode
from soulmem.cli.output.tables import one_line
from soulmem.cli.service.unit_files import NAMES, SERVICE

_SECONDS = 120
_BY_HAND = "run `soulmem daemon` in a terminal, or have whatever starts programs here start soulmemd"
_FOR_WSL = "put systemd=true under [boot] in /etc/wsl.conf, or"


def absence() -> str | None:
    """Why no service manager can be had; None where one answers."""
    if shutil.which("systemctl") is None:
        return "there is no systemctl"
    asked = _run("systemctl", "--user", "show-environment")
    return None if asked.returncode == 0 else one_line(asked.stderr) or "systemctl --user fails"


def require_manager() -> None:
    """Raise CommandError where no systemd answers, saying how to run the daemon otherwise."""
    if (why := absence()) is not None:
        wsl = "microsoft" in platform.release().lower()
        raise CommandError(
            f"no systemd serves this user here ({why})",
            hint=f"{_FOR_WSL} {_BY_HAND}" if wsl else _BY_HAND,
            code=ExitCode.CONFIGURATION,
        )


def reload_units() -> None:
    _must("daemon-reload")


def enable() -> None:
    """Start the units now and at each login."""
    _must("enable", "--now", *reversed(NAMES))  # the socket first: the service takes it over


def restart() -> None:
    _must("restart", SERVICE)


def disable() -> None:
    """Stop the units, and start them no more."""
    _must("disable", "--now", *reversed(NAMES))


def is_active() -> str:
    return _word("is-active")


def is_enabled() -> str:
    return _word("is-enabled")


def lingers() -> bool | None:
    """Whether the service runs while nobody is logged in; None where that cannot be told."""
    if shutil.which("loginctl") is None:
        return None
    told = _run("loginctl", "show-user", str(os.getuid()), "--property=Linger", "--value").stdout.strip()
    return {"yes": True, "no": False}.get(told)


def _word(question: str) -> str:
    return _run("systemctl", "--user", question, SERVICE).stdout.strip() or "unknown"


def _must(*words: str) -> None:
    done = _run("systemctl", "--user", *words)
    if done.returncode != 0:
        why = one_line(done.stderr) or f"it ended with {done.returncode}"
        raise CommandError(f"systemctl --user {' '.join(words)}: {why}", hint="journalctl --user -u soulmem tells more")


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(  # noqa: S603 - no shell; every word is ours
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
            timeout=_SECONDS, cwd=Path("/"),
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise CommandError(
            f"{' '.join(command)} did not end within {_SECONDS} s", hint="try again", code=ExitCode.TRY_AGAIN
        ) from error
