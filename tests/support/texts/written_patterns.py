"""The patterns as the modules that hold them write them: whoever reads the modules writes the same."""

from __future__ import annotations

import importlib
from pathlib import Path

import soulmem
from soulmem.core.regex import lazy_regex


def written() -> list[tuple[str, int]]:
    """Text and flags of each that this process has made, after it has read every module that makes some."""
    root = Path(soulmem.__path__[0])
    for path in sorted(root.rglob("*.py")):
        if "LazyPattern" in path.read_text("utf-8"):
            importlib.import_module(".".join(("soulmem", *path.relative_to(root).with_suffix("").parts)))
    return [(each._text, int(each._flags)) for each in lazy_regex._made]
