"""The wording of masks: what a reader gets of the pieces of a note, clear text and placeholders (ALGORITHMS §7.6).

Called by `masking`, which says whose each piece is. A mask with a gist reads `xxx(gist)`, one without `xxx`. Masks that
stand side by side, with nothing or a blank between them, are one thing to a reader: with several gists they become one
placeholder that tells them all. The pieces stay as they are. Pure, linear.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.tasks import SegmentState
from soulmem.records import dataclass

_MOST_GISTS = 3  # told together
_CJK_FROM = "\u2e80"
_FIRST_WITHOUT_BLANKS = 0x2E80  # from here on mostly scripts written without blanks


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the text in one state, numbered from 1.

    `owners`: the ids of the elements that masked it, several only where blanks flowed together. `gist`: of a blurred
    one. `shows_gist`: it is the first piece of its owner.
    """

    number: int
    start: int
    end: int
    state: SegmentState
    owners: tuple[int, ...] = ()
    gist: str = ""
    shows_gist: bool = False

    @property
    def is_masked(self) -> bool:
        return self.state is not SegmentState.CLEAR

    @property
    def is_gone(self) -> bool:
        """Whether nothing stood here any more: a detail that was given up."""
        return self.start == self.end


def worded(text: str, pieces: Sequence[Piece], placeholder: str) -> str:
    """The text with placeholders: of masks that stand side by side the gists are told together."""
    out = ""
    at = 0
    while at < len(pieces):
        if not pieces[at].is_masked:
            out += text[pieces[at].start : pieces[at].end]
            at += 1
            continue
        end = _run_end(text, pieces, at)
        masked = [piece for piece in pieces[at:end] if piece.is_masked]
        beside = text[pieces[at - 1].end - 1] if at and not pieces[at - 1].is_masked else ""
        if _parts(text[masked[0].start : masked[0].end][:1], beside):
            out += " "
        out += _placeholders(masked, placeholder)
        if end < len(pieces) and _parts(text[masked[-1].start : masked[-1].end][-1:], text[pieces[end].start]):
            out += " "
        at = end
    return out


def _run_end(text: str, pieces: Sequence[Piece], at: int) -> int:
    """Where the masks end that stand side by side from here on; a blank between two with gists parts nothing."""
    end = at + 1
    while end < len(pieces):
        if pieces[end].is_masked:
            end += 1
            continue
        blank = text[pieces[end].start : pieces[end].end].isspace()
        beyond = pieces[end + 1] if end + 1 < len(pieces) else None
        if not (blank and beyond and beyond.shows_gist and pieces[end - 1].shows_gist):
            break
        end += 2
    return end


def _placeholders(masked: Sequence[Piece], placeholder: str) -> str:
    """What stands for masks side by side: with several gists one placeholder for all, else each in its place."""
    gists = list(dict.fromkeys(" ".join(piece.gist.split()) for piece in masked if piece.shows_gist))
    if len(gists) > 1 or sum(piece.shows_gist for piece in masked) > 1:
        comma = "，" if gists[0][-1:] >= _CJK_FROM else ", "
        return f"{placeholder}({comma.join(gists[:_MOST_GISTS])})"
    out, bare = "", False
    for piece in masked:
        if piece.shows_gist:
            out += f"{placeholder}({gists[0]})"
        elif not bare:
            out += placeholder
        bare = not piece.shows_gist
    return out


def _parts(edge: str, beside: str) -> bool:
    """Whether a blank belongs between a mask and the clear character beside it: words stay words of their own.

    There was one at that edge of what is hidden; or nothing is left there, and the neighbour is of a script that has
    blanks.
    """
    if edge or not beside:
        return edge.isspace() and bool(beside) and not beside.isspace()
    return beside.isalnum() and ord(beside) < _FIRST_WITHOUT_BLANKS
