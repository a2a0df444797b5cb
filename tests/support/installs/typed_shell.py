"""An interactive shell in a terminal of its own, into which is typed what a person types, Tab included."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import time
from collections.abc import Mapping, Sequence

_PATIENCE_S = 60.0
_MARK = "TYPED"


def completed(
    shell: Sequence[str], setup: Sequence[str], lines: Sequence[str], environment: Mapping[str, str]
) -> list[str]:
    """What each line became when Tab was pressed at its end: the shell is made to print it instead of running it."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(shell[0], list(shell), {**environment, "TERM": "dumb", "PS1": "$ ", "COLUMNS": "1000"})
    try:
        for line in setup:
            os.write(terminal, f"{line}\n".encode())
        os.write(terminal, b"echo REA''DY\r")
        _read_until(terminal, b"READY\r\n")
        return [_completed(terminal, line) for line in lines]
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


def _completed(terminal: int, line: str) -> str:
    # a shell reads the keys in their order, however long it takes for the one before
    os.write(terminal, line.encode() + b"\t\x01printf '%s ' " + _MARK.encode() + b" \x05; echo E''ND\r")
    told = _read_until(terminal, b"END\r\n").decode()
    return " ".join(told.rpartition(f"\n{_MARK} ")[2].rpartition("END")[0].split())


def _read_until(terminal: int, end: bytes) -> bytes:
    told = b""
    deadline = time.monotonic() + _PATIENCE_S
    while end not in told:
        assert time.monotonic() < deadline, told
        with contextlib.suppress(BlockingIOError):
            told += os.read(terminal, 65_536) if select.select([terminal], [], [], 1.0)[0] else b""
    return told
