"""What somebody may have meant who typed a name that nobody knows.

Asked by whoever refuses a name: of a method, a parameter, an event, a setting, a column of a filter. Invariant: what
was typed is never suggested, not even where it is known elsewhere: a hint that repeats the mistake helps nobody.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_READ = 80  # characters of a name that are compared; the comparison grows with the square of the length


def suggestion(typed: str, known: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """The known name that is most like what was typed and says something else; None if none is like it.

    >>> suggestion("recal", ["recall", "feedback"])
    'recall'
    >>> suggestion("recall", ["recall"]) is None
    True
    """
    plain = typed[:_READ]
    others = [name for name in known if name not in (typed, typed.strip())]
    close = difflib.get_close_matches(plain, others, 1, likeness)
    if not close:  # who shouts, or writes a name of the environment small, means the same
        lowered = {name.lower(): name for name in others}
        close = [lowered[each] for each in difflib.get_close_matches(plain.lower(), lowered, 1, likeness)]
    return close[0] if close else None


def did_you_mean(typed: str, known: Iterable[str], *, otherwise: str = "") -> str:
    """The hint that stands beside a refusal: the name that was meant, or what to do where none is like it."""
    meant = suggestion(typed, known)
    return f"did you mean {meant}?" if meant is not None else otherwise
