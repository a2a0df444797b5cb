"""How many files this process may have open: as many as it is allowed to ask for, and whether there is one left.

Called by `daemon` at the start. A process starts with a soft limit, often 1,024, that it may raise by itself up to the
hard one; each open mind takes four descriptors, each client one.
"""

from __future__ import annotations

import errno
import resource
from collections.abc import Awaitable, Callable
from contextlib import suppress

import anyio

from soulmem.errors import StartupError
from soulmem.ports import Emit

ENOUGH = 4096
LEAST = 48  # what the daemon has open itself, a few clients, and four minds
EX_OSERR = 71
_PAUSE_S = 0.5
EXHAUSTED = (errno.EMFILE, errno.ENFILE)


def raise_limit() -> None:
    """Ask for enough. Raises StartupError: exit code 71, when even what is allowed is too little to serve anybody."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH if hard == resource.RLIM_INFINITY else min(ENOUGH, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < LEAST:
        raise StartupError(
            f"only {soft} files may be open at once: raise the limit to {LEAST} at least (LimitNOFILE= of the unit, "
            "ulimit -n)",
            exit_code=EX_OSERR,
        )


def is_exhausted(error: BaseException) -> bool:
    """Whether something failed because no descriptor was left."""
    if isinstance(error, BaseExceptionGroup):
        return all(is_exhausted(each) for each in error.exceptions)
    seen: set[int] = set()
    while error.__cause__ is not None and id(error) not in seen:  # one may be its own cause
        seen.add(id(error))
        error = error.__cause__
    return (isinstance(error, OSError) and error.errno in EXHAUSTED) or "Too many open files" in str(error)


async def outlast(name: str, work: Callable[[], Awaitable[None]], emit: Emit) -> None:
    """Do background work that only the want of a descriptor may interrupt: it is begun again when that may be over."""
    paused = False
    while True:
        try:
            await work()
            return
        except Exception as error:
            if not is_exhausted(error):
                raise
            if not paused:
                emit("job_failed", mind="", job="", step=name, error="EMFILE")
        paused = True
        await anyio.sleep(_PAUSE_S)


def refusal(error: BaseException) -> StartupError | None:
    """Why a start fails for which no descriptor was left; None where the error is another."""
    if not is_exhausted(error):
        return None
    return StartupError(
        "too many files are open, by this process or on the whole machine: raise the limit (LimitNOFILE= of the unit, "
        "ulimit -n, fs.file-max)",
        exit_code=EX_OSERR,
    )
