"""The heap of the process: what was freed in small pieces goes back to the system.

Called by `runtime` where much is freed at once: when a mind has been read into memory, and after a round of digestion;
by `wiring` when an embedder is loaded; and by `daemon` at the start.
glibc keeps such pieces in the heap of the thread that asked for them, 33 MB after 100,000 notes were read, and nobody
needs that much again. Other C libraries give memory back by themselves or not at all; there nothing is done.
"""

from __future__ import annotations

_ARENA_MAX = -8  # of mallopt(3)
_ARENAS = 2


def keep_few_arenas() -> None:
    """Let all threads share two heaps; before there are any threads.

    Each mind has two threads, and each heap keeps something of every mind that was in it. They take turns anyway.
    """
    import ctypes  # noqa: PLC0415 - NumPy is not loaded yet, which does the same

    choose = getattr(ctypes.CDLL(None), "mallopt", None)
    if choose is not None:
        choose(_ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Return free memory to the system; milliseconds, in which the interpreter is not held."""
    import ctypes  # noqa: PLC0415 - a start does not need it

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
