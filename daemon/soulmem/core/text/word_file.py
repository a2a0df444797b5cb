"""Lists of words that lie beside the modules as text, in sections."""

from __future__ import annotations

from importlib.resources import files


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
