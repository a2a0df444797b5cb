"""What stands at a path: a file or a directory, or something that would be waited for, or written through.

Asked by whoever opens what a person may have laid there: the files of minds, the configuration. To open a pipe is to
wait for whoever writes into it; a device never ends; a link that leads nowhere makes a file elsewhere.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_KINDS = (
    (stat.S_ISREG, "a file"), (stat.S_ISDIR, "a directory"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"),
    (stat.S_ISBLK, "a device"), (stat.S_ISCHR, "a device"),
)  # fmt: skip


def irregular(path: Path, *, folder: bool = False) -> str | None:
    """What stands there instead of a file (with `folder`, of a directory), as in "a pipe, not a file".

    None where it is one, where a link leads to one, or where nothing is. Raises OSError: it may not be looked at.
    """
    wanted = "a directory" if folder else "a file"
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ELOOP):
            raise
        return f"a link that leads nowhere, not {wanted}" if os.path.islink(path) else None
    found = next((name for is_kind, name in _KINDS if is_kind(mode)), "something else")
    return None if found == wanted else f"{found}, not {wanted}"
