"""The line of a prompt that says that something has faded, and of what kind it was.

A mind that is asked about what it lost knows that there was something. Called where a context is laid out. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.store.views.faded_summary import Lost
from soulmem.working.respond.prompt_context import Line

_MOST = 4  # kinds that are told
_LINE = {
    "en": ("(Something has faded from memory: {}.)", "(Something has faded from memory.)", "; "),
    "zh": ("（有些事已经记不清了：{}。）", "（有些事已经记不清了。）", "；"),
}


def lost_line(lost: Sequence[Lost]) -> list[Line]:
    """One line for everything that is gone of these notes; none where nothing is."""
    if not lost:
        return []
    named, plain, comma = _LINE[lost[0].language]
    kinds = list(dict.fromkeys(kind for each in lost if each.language == lost[0].language for kind in each.kinds))
    return [Line(named.format(comma.join(kinds[:_MOST])) if kinds else plain, "")]
