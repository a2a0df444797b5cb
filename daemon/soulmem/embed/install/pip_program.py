"""Which pip fetches a model: a tool's own environment, as pipx and uv make them, often holds none.

Called by `wheel_fetching`. Whichever is found reads the user's own configuration of pip.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
import sysconfig
from pathlib import Path


def pip_command() -> list[str] | None:
    """What runs pip: this environment's, the one that Python brings along, or one on PATH. None: there is none."""
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    if bundled := _bundled_wheel():
        return [sys.executable, str(bundled / "pip")]  # a wheel is a zip file, and Python runs what lies in one
    for name in ("pip3", "pip"):
        if found := shutil.which(name):
            return [found]
    if uv := shutil.which("uv"):
        return [uv, "tool", "run", "pip"]
    return None


def _bundled_wheel() -> Path | None:
    """The wheel of pip from which `venv` and `ensurepip` install it; distributions keep it in a directory of theirs."""
    folders = [Path(folder) for folder in (sysconfig.get_config_var("WHEEL_PKG_DIR"),) if folder]
    spec = importlib.util.find_spec("ensurepip")
    if spec is not None and spec.origin is not None:
        folders.append(Path(spec.origin).parent / "_bundled")
    for folder in folders:
        if found := sorted(folder.glob("pip-*.whl")):
            return found[-1]
    return None
