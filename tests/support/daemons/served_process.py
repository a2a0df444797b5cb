"""Commands that serve until they are told to end, as their users run them: a process each, and what it says."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import warm_start
from warm_start import WarmProcess

ROOT = Path(__file__).parents[3]
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Served:
    """A server that is ready: what it said then, all that it says, and the process."""

    said: re.Match[str]
    log: Path
    process: WarmProcess


def environment(**more: str) -> dict[str, str]:
    """That of the tests, without what changes how our own code runs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SOULMEM_")}
    return {**kept, "PYTHONPATH": str(ROOT / "daemon"), **more}


@contextlib.contextmanager
def served(arguments: Sequence[str], says: str, *, then: str | None = None, **env: str) -> Iterator[Served]:
    """A server that says that it is ready, by a pattern that ends with its last line; it ends with 0 and no traceback.

    `then`: a pattern of all that it may say afterwards; without one whatever it wants to.
    """
    with tempfile.NamedTemporaryFile() as said:
        log = Path(said.name)
        process = warm_start.start(list(arguments), environment(**env), log)
        try:
            deadline = time.monotonic() + PATIENCE_S
            while not (found := re.match(says, log.read_text())) and process.poll() is None:
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.03)
            assert found, log.read_text()
            yield Served(found, log, process)
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0, log.read_text()
        text = log.read_text()
        assert "Traceback" not in text
        assert then is None or re.fullmatch(re.escape(found[0]) + then, text), text
