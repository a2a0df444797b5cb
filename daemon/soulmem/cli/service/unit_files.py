"""The unit files of a user's service: their text, and which of those on disk are ours to change.

Invariant: a file is replaced or removed only if it is as this program wrote it, or is one of the units as they are
shipped, or the caller says so; what was replaced then stays beside it.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path

SERVICE, SOCKET = "soulmem.service", "soulmem.socket"
NAMES = (SERVICE, SOCKET)
_SIGNATURE = re.compile(r"\A# written by `soulmem service install` \(([0-9a-f]{16})\); .*\n")
_SAVED = ".before"  # behind the name of a file that was replaced


class Standing(StrEnum):
    """Whose a unit file is."""

    ABSENT = "absent"
    CURRENT = "current"  # what would be written now
    OURS = "ours"  # written by this program or shipped with it, and not changed since
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True)
class UnitFile:
    """One unit: where it belongs, what it says, and what stands there."""

    path: Path
    text: str

    @property
    def standing(self) -> Standing:
        try:
            found = self.path.read_text("utf-8")
        except FileNotFoundError:
            return Standing.ABSENT
        except (OSError, UnicodeDecodeError):
            return Standing.FOREIGN
        if found == self.text:
            return Standing.CURRENT
        signature = _SIGNATURE.match(found)
        if signature and _digest(found[signature.end() :]) == signature[1]:
            return Standing.OURS
        return Standing.OURS if found == _shipped(self.path.name) else Standing.FOREIGN

    def write(self) -> Path | None:
        """Put it in place; the copy of a foreign file that stood there."""
        saved = None
        if self.standing is Standing.FOREIGN:
            saved = self.path.with_name(self.path.name + _SAVED)
            self.path.replace(saved)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        partial = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        partial.write_text(self.text, "utf-8")
        partial.replace(self.path)
        return saved


def unit_files(environ: Mapping[str, str]) -> list[UnitFile]:
    """The units of this user, for the program that runs now."""
    named = environ.get("XDG_CONFIG_HOME", "")
    folder = Path(named) if named.startswith("/") else Path(environ.get("HOME") or Path.home()) / ".config"
    return [UnitFile(folder / "systemd" / "user" / name, _signed(_own(name))) for name in NAMES]


def daemon_command() -> str:
    """What the service runs: `soulmemd` of this environment, else this Python; quoted as systemd reads it."""
    program = Path(sys.executable).with_name("soulmemd")
    words = [str(program)] if program.is_file() else [sys.executable, "-m", "soulmem", "daemon"]
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    plain = word.replace("%", "%%")
    if re.fullmatch(r"[\w/.+%@:-]+", plain, re.ASCII):
        return plain
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _own(name: str) -> str:
    text = _shipped(name).partition("\n")[2]  # its first line says where to copy it
    return re.sub(r"^ExecStart=.*$", lambda _: f"ExecStart={daemon_command()}", text, flags=re.MULTILINE)


def _shipped(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _signed(text: str) -> str:
    first = f"# written by `soulmem service install` ({_digest(text)}); `systemctl --user edit` changes it and lasts\n"
    return first + text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
