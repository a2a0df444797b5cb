"""Where soulmem keeps things when nobody says otherwise: state, socket, models, configuration files.

Pure functions of the environment, used by the daemon's configuration and by clients that look for the
socket; importing this module loads nothing heavy. Invariant: the daemon listens on the first candidate of the
same list that clients try in order, so both meet without being told.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

SYSTEM_CONFIG = Path("/etc/soulmem/config.toml")
SYSTEM_SOCKET = Path("/run/soulmem/soulmem.sock")


def _home(environ: Mapping[str, str]) -> Path:
    home = environ.get("HOME", "")
    return Path(home) if home.startswith("/") else Path.home()


def _xdg(environ: Mapping[str, str], variable: str, fallback: str) -> Path:
    """Return an XDG base directory; a relative value counts as unset, as the XDG specification demands."""
    value = environ.get(variable, "")
    return Path(value) if value.startswith("/") else _home(environ) / fallback


def _service_directory(environ: Mapping[str, str], variable: str) -> Path | None:
    """Return the first of the directories the service manager made for us."""
    first = environ.get(variable, "").split(":")[0]
    return Path(first) if first else None


def user_config(environ: Mapping[str, str]) -> Path:
    return _xdg(environ, "XDG_CONFIG_HOME", ".config") / "soulmem" / "config.toml"


def state_directory(environ: Mapping[str, str]) -> Path:
    return _service_directory(environ, "STATE_DIRECTORY") or _xdg(environ, "XDG_STATE_HOME", ".local/state") / "soulmem"


def models_directory(environ: Mapping[str, str]) -> Path:
    """`$SOULMEM_MODELS`; else beside the state of a service, and once per user otherwise, whatever state he runs on."""
    if named := environ.get("SOULMEM_MODELS", ""):
        return Path(named).expanduser()
    service = _service_directory(environ, "STATE_DIRECTORY")
    return service / "models" if service else _xdg(environ, "XDG_DATA_HOME", ".local/share") / "soulmem/models"


def socket_candidates(environ: Mapping[str, str]) -> tuple[Path, ...]:
    """List where the socket may be, best first: named, the service's, the user's, the system's.

    Without a runtime directory (containers, bare logins) the user's socket lies in his state directory.
    """
    named = environ.get("SOULMEM_SOCKET", "")
    if named:
        return (Path(named),)
    places = []
    if service := _service_directory(environ, "RUNTIME_DIRECTORY"):
        places.append(service / "soulmem.sock")
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    if runtime.startswith("/"):
        places.append(Path(runtime) / "soulmem" / "soulmem.sock")
    else:
        places.append(_xdg(environ, "XDG_STATE_HOME", ".local/state") / "soulmem" / "soulmem.sock")
    return (*places, SYSTEM_SOCKET)
