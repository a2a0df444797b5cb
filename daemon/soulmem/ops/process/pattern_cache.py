"""Pattern cache: what `re` makes of our regular expressions, kept beside the modules that they stand in.

It lies where Python keeps what it makes of a module (`__pycache__`, or what `PYTHONPYCACHEPREFIX` says), and under the
same conditions: who may not write there, or wants no such files, makes the codes anew at each start. Called by `daemon`
when it starts, when all patterns are compiled, and at its end. Invariants: codes of another build of Python or of
another pattern are never used, a damaged file is as none, and no failure here keeps anybody from anything.
"""

from __future__ import annotations

import marshal
import os
import sys
import tempfile
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from zlib import crc32

from soulmem.core.regex import lazy_regex
from soulmem.core.regex.pattern_codes import BUILD, Codes, Key

_HEAD = b"soulmem patterns 1\n"
_SUM_BYTES = 4
_MOST = 8_000  # patterns; those of versions that are gone are not kept for ever


def load() -> None:
    """Let patterns be compiled from what earlier processes made of them, unless all are compiled already."""
    if not lazy_regex.is_all_compiled():
        lazy_regex.use_codes(_read())


def save() -> None:
    """Keep what was made anew since `load`."""
    fresh = lazy_regex.take_fresh_codes()
    path = _path()
    if not fresh or path is None or sys.dont_write_bytecode:
        return
    held = _read()
    known = fresh if len(held) + len(fresh) > _MOST else {**held, **fresh}
    body = marshal.dumps((BUILD, known))
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
        try:
            with open(handle, "wb") as file:
                file.write(_HEAD + crc32(body).to_bytes(_SUM_BYTES, "little") + body)
            os.chmod(name, 0o644)  # as Python's own
            os.replace(name, path)
        except OSError:
            Path(name).unlink(missing_ok=True)


def _path() -> Path | None:
    """Where it lies; None if Python keeps nothing."""
    source = Path(lazy_regex.__file__).with_name("patterns.py")
    try:
        return Path(cache_from_source(str(source))).with_suffix(".codes")
    except NotImplementedError:
        return None


def _read() -> dict[Key, Codes]:
    path = _path()
    try:
        held = path.read_bytes() if path is not None else b""
    except OSError:
        return {}
    begin = len(_HEAD) + _SUM_BYTES
    body = memoryview(held)[begin:]
    whole = len(body) > 0 and crc32(body) == int.from_bytes(held[len(_HEAD) : begin], "little")  # of nothing it is 0
    if not held.startswith(_HEAD) or not whole:
        return {}
    try:
        build, known = marshal.loads(body)  # noqa: S302 - as much to be trusted as the modules beside it
    except (EOFError, ValueError, TypeError):
        return {}
    return known if build == BUILD and isinstance(known, dict) else {}
