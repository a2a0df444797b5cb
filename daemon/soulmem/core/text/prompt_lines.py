"""Lines of a prompt: what was said stays inside the line that says who said it.

A context is lines that a model reads by how they begin: who speaks, and when. A message or a name with a line feed in
it could begin a line of its own and put words into another's mouth. Called by whoever lays out lines: the blocks of a
context (`working/respond/prompt_context`) and recalled items (`store/views/wire_views`). Pure. Invariants: of a text
that is `contained` no line but the first begins without a blank; a name that is `named` has no line's end and no colon.
"""

from __future__ import annotations

from collections.abc import Iterable

from soulmem.core.regex.lazy_regex import LazyPattern

INDENT = "  "
# All that Unicode, Python's `splitlines` or a terminal takes for the end of a line.
_ENDS = LazyPattern("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_COLONS = {ord(colon): "-" for colon in ":：﹕︰"}


def contained(text: str) -> str:
    """A text of which every line but the first is indented; blank lines too, for they part blocks."""
    if not _ENDS.search(text):
        return text
    first, *rest = _ENDS.split(text.strip())
    return "\n".join([first, *(INDENT + line for line in rest)])


def one_line(text: str) -> str:
    """A text on one line."""
    return _ENDS.sub(" ", text)


def named(name: str) -> str:
    """A name on one line, without the colon that ends a name."""
    return one_line(name.strip()).translate(_COLONS)


def lines_of(text: str, told: Iterable[str]) -> list[str]:
    """The lines of a text that is made of lines: those of what is `told` in it stay together.

    `told`: pieces of it that came from outside, and may hold ends of lines themselves.
    """
    for piece in sorted({piece for piece in told if _ENDS.search(piece)}, key=len, reverse=True):
        text = text.replace(piece, contained(piece))
    found: list[str] = []
    for line in map(one_line, text.split("\n")):
        if line.startswith(INDENT) and found:
            found[-1] += f"\n{line}"
        elif line.strip():
            found.append(line)
    return found
