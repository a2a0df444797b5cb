"""Lists of words, and tables of patterns of words, that lie beside the modules as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files

_NAMED = re.compile(r"\{([A-Z_]+)\}")


def read_sections(path: str) -> dict[str, str]:
    """The sections of a file of the package: `[name]` begins one, a line that begins with `#` explains."""
    sections: dict[str, str] = {}
    for line in files("soulmem").joinpath(path).read_text("utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
            sections[name] = ""
        elif line and not line.startswith("#"):
            sections[name] += line + "\n"
    return sections


def read_rows(path: str, names: Mapping[str, str]) -> list[list[str]]:
    """The rows of a table: cells between tabs, `{NAME}` for what is called so in `names`; `#` explains.

    A line that begins with two tabs is another cell of its row, one that begins with one goes on with the last cell.
    """
    rows: list[list[str]] = []
    for line in files("soulmem").joinpath(path).read_text("utf-8").splitlines():
        text = _NAMED.sub(lambda named: names[named[1]], line)
        if line.startswith("\t\t"):
            rows[-1].append(text[2:])
        elif line.startswith("\t"):
            rows[-1][-1] += text[1:]
        elif line and not line.startswith("#"):
            rows.append(text.split("\t"))
    return rows
