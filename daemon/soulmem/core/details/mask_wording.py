"""The wording of masks: what a reader gets of the pieces of a note, clear text and placeholders (algorithms.md §7.6).

Called by `masking`, which says whose each piece is. A mask with a gist reads `xxx(gist)`, one without `xxx`. Masks that
stand side by side, with nothing or a blank between them, are one thing to a reader: they become one placeholder, which
tells their gists, of a note that is masked as a whole the one that covers most of it. Where all that stands in a
bracket is masked, as the day behind a name, the gist alone stands there, and without a gist no bracket. The pieces stay
as they are. Pure, linear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from soulmem.core.details.gists import is_empty
from soulmem.core.schema.detail_tasks import SegmentState
from soulmem.fast_dataclasses import dataclass

_MOST_GISTS = 3  # told together
_CJK_FROM = "\u2e80"
_BRACKETS = frozenset({"()", "（）"})
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


def word_pieces(text: str, pieces: Sequence[Piece], placeholder: str) -> str:
    """The text with placeholders: what is masked side by side is one thing to a reader, and told once."""
    out = ""
    at = 0
    while at < len(pieces):
        if not pieces[at].is_masked:
            out += text[pieces[at].start : pieces[at].end]
            at += 1
            continue
        end = _run_end(text, pieces, at)
        masked = [piece for piece in pieces[at:end] if piece.is_masked]
        told = _placeholder_text(masked, is_all=end - at == len(pieces))
        after = text[pieces[end].start : pieces[end].end] if end < len(pieces) else ""
        if out and after and out[-1] + after[0] in _BRACKETS and not all(piece.is_gone for piece in masked):
            out, at = _bracket(out, told), end
            if not told:  # the bracket goes with what stood in it
                pieces = [*pieces[:end], replace(pieces[end], start=pieces[end].start + 1), *pieces[end + 1 :]]
            continue
        beside = out[-1:] if at and not pieces[at - 1].is_masked else ""
        if _parts(text[masked[0].start : masked[0].end][:1], beside):
            out += " "
        out += f"{placeholder}({told})" if told else placeholder
        if end < len(pieces) and _parts(text[masked[-1].start : masked[-1].end][-1:], text[pieces[end].start]):
            out += " "
        at = end
    return out


def _bracket(out: str, told: str) -> str:
    """The text so far where all that stands in a bracket is masked: its gist is told plainly, else there is none."""
    return out + told if told else out[:-1].rstrip(" ")


def _run_end(text: str, pieces: Sequence[Piece], at: int) -> int:
    """Where the masks end that stand side by side from here on; a blank between two parts nothing."""
    end = at + 1
    while end < len(pieces):
        if pieces[end].is_masked:
            end += 1
        elif end + 1 < len(pieces) and text[pieces[end].start : pieces[end].end].isspace():
            end += 2  # two clear pieces never stand side by side
        else:
            break
    return end


def _placeholder_text(masked: Sequence[Piece], *, is_all: bool) -> str:
    """What is told of masks side by side: their gists, none that another says already; of a whole note its own."""
    gists = dict.fromkeys(" ".join(piece.gist.split()) for piece in masked if piece.shows_gist)
    if is_all and len(gists) > 1:
        return max(gists, key=lambda gist: sum(p.end - p.start for p in masked if " ".join(p.gist.split()) == gist))
    telling = [gist for gist in gists if not is_empty(gist)] or list(gists)[:1]
    kept = [gist for gist in telling if not any(_is_within(gist, other) for other in telling)][:_MOST_GISTS]
    return ("，" if kept[0][-1:] >= _CJK_FROM else ", ").join(kept) if kept else ""


def _is_within(gist: str, other: str) -> bool:
    """Whether another gist says all that this one does: "someone" beside "someone in the family"."""
    if gist == other:
        return False
    if gist[:1] >= _CJK_FROM:
        return gist in other
    return set(gist.split()) < set(other.split())


def _parts(edge: str, beside: str) -> bool:
    """Whether a blank belongs between a mask and the clear character beside it: words stay words of their own.

    There was one at that edge of what is hidden; or nothing is left there, and the neighbour is of a script that has
    blanks.
    """
    if edge or not beside:
        return edge.isspace() and bool(beside) and not beside.isspace()
    return beside.isalnum() and ord(beside) < _FIRST_WITHOUT_BLANKS
