"""Settings and attributes as people type them: KEY=VALUE, the value JSON where it can be read as such, else text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from soulmem.cli.output.command_session import CommandError, ExitCode, wellformed
from soulmem.cli.output.tables import one_line


def key_values(texts: Iterable[str], *, like: str) -> dict[str, Any]:
    """What each text says: a number, true or false, a list, an object; else text; None where nothing follows the sign.

    Raises CommandError: one of them is no KEY=VALUE; `like` shows how it is written.
    """
    found: dict[str, Any] = {}
    for text in texts:
        key, is_set, value = (part.strip() for part in wellformed(text).partition("="))
        if not is_set or not key:
            raise CommandError(
                f"{one_line(text)[:60]!r} sets nothing", hint=f"write it like {like}", code=ExitCode.WRONG_USAGE
            )
        try:
            found[key] = json.loads(value) if value else None
        except (ValueError, RecursionError):
            found[key] = value
    return found
