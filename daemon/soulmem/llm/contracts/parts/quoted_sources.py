"""What a point or a note rests on: lines of the transcript by a quotation found in them, points by their label.

Nothing is guessed: a quotation that does not stand in the line it names supports nothing, however near another line
comes; of its own line it may leave out a few words (`near_quotes`). What is kept is the wording of the line, never the
model's copy of it (algorithms.md §6.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from soulmem.core.schema.note_requests import SourceQuote, SummaryPoint, Turn
from soulmem.core.text.quote_matching import find_near, find_quote, is_telling
from soulmem.llm.contracts.parts.short_labels import Shown

LONGEST_QUOTE = 1_000  # characters


class Grounds:
    """The lines and points of one request, under their labels."""

    def __init__(self, turns: Sequence[Turn], points: Sequence[SummaryPoint] = ()) -> None:
        self.turns = {f"T{turn.seq}": turn for turn in turns}
        self.points = {f"P{place}": point for place, point in enumerate(points, 1)}
        self._shown = Shown((*self.turns, *self.points))

    def meant(self, said: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The labels meant: of lines, of points; unknown ones are left out."""
        labels = self._shown.all_meant(tuple(said))
        lines = tuple(label for label in labels if label in self.turns)
        return lines, tuple(label for label in labels if label in self.points)

    def quoted(self, line: str, quote: str) -> SourceQuote | None:
        """The quotation as it stands in a line; None if it does not, or says nothing."""
        turn = self.turns[line]
        found = find_quote(quote, turn.text) or find_near(quote, turn.text)
        if found is None:
            return None
        verbatim = turn.text[found[0] : found[1]]
        if len(verbatim) > LONGEST_QUOTE or not is_telling(verbatim, turn.text):
            return None
        return SourceQuote(turn.seq, verbatim)

    def inherited(self, points: Iterable[str]) -> tuple[SourceQuote, ...]:
        """The sources of points, each once."""
        return tuple(dict.fromkeys(source for label in points for source in self.points[label].sources))
