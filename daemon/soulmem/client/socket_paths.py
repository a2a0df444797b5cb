"""Where a client finds the daemon's socket."""

from __future__ import annotations

import os
from collections.abc import Mapping

from soulmem.ops.settings.default_paths import socket_candidates


def socket_path(explicit: str | os.PathLike[str] | None = None, *, env: Mapping[str, str] | None = None) -> str:
    """Find the socket: the one named, else the first of the daemon's usual places that exists, else the first.

    The usual places: `SOULMEM_SOCKET`, `$RUNTIME_DIRECTORY/soulmem.sock`, `$XDG_RUNTIME_DIR/soulmem/soulmem.sock`
    (without a runtime directory: the user's state directory), `/run/soulmem/soulmem.sock`.
    """
    if explicit:
        return os.fspath(explicit)
    candidates = [os.fspath(path) for path in socket_candidates(os.environ if env is None else env)]
    return next((path for path in candidates if os.path.exists(path)), candidates[0])
