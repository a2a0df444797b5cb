"""What a note is held against: the raw turns of its epoch with what was masked in them, and what is known already.

Made by the shell of the split step, read by `grounding_gate`. Pure values, and `Evidence`, which reads them once for
all drafts of an epoch. Invariant: nothing here depends on anything but stored data.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from soulmem.core.dates.date_parser import find_dates
from soulmem.core.grounding.date_grounding import Told, without_told
from soulmem.core.grounding.echo_masking import Masked, open_parts
from soulmem.core.grounding.name_grounding import Said, missing_names
from soulmem.core.grounding.number_grounding import Figures, stated
from soulmem.core.grounding.served_text_index import Origin, ServedIndex
from soulmem.core.schema.note_requests import NoteDraft, Role, Summary, Turn
from soulmem.core.text.quote_matching import find_quote, is_telling
from soulmem.fast_dataclasses import dataclass

_MOST_TRIES = 20  # places of one quotation that are looked at
_LONG = 30  # characters


@dataclass(frozen=True, slots=True)
class Ground:
    """One raw turn, and the parts of it that were handed out before it was said."""

    turn: Turn
    masked: tuple[Masked, ...] = ()


@dataclass(frozen=True, slots=True)
class Grounds:
    """Everything a draft of an epoch may rest on.

    `known` are names the graph knows; `names` those of the character; `system` the texts of the system's messages.
    """

    turns: tuple[Ground, ...]
    known: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    persona: str = ""
    system: tuple[str, ...] = ()
    served: ServedIndex = field(default_factory=ServedIndex)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quotation was found: its span in the turn, and what handed its words out, if anything did."""

    ground: Ground
    start: int
    end: int
    origin: Origin | None = None

    @property
    def words(self) -> str:
        return self.ground.turn.text[self.start : self.end]


def open_summary(summary: Summary, grounds: Grounds) -> Summary:
    """The summary without the points that rest on masked words, for the engine that is to read it."""
    if not any(ground.masked for ground in grounds.turns):
        return summary
    evidence = Evidence(grounds)
    kept = tuple(
        point
        for point in summary.points
        if all((place := evidence.find(s.seq, s.quote)) is None or place.origin is None for s in point.sources)
    )
    return summary if len(kept) == len(summary.points) else Summary("\n".join(point.text for point in kept), kept)


class Evidence:
    """The grounds of one epoch, read: what was openly said, by whom, with which names, numbers and dates."""

    def __init__(self, grounds: Grounds) -> None:
        self.grounds = grounds
        self.by_seq = {ground.turn.seq: ground for ground in grounds.turns}
        self.order = [ground.turn.seq for ground in grounds.turns]
        self.open = {ground.turn.seq: _open(ground) for ground in grounds.turns}
        self.speakers = frozenset(ground.turn.speaker.strip() for ground in grounds.turns) - {""}
        spoken = [self.open[g.turn.seq] for g in grounds.turns if g.turn.role is not Role.SYSTEM]
        self.said = Said(spoken, (*self.speakers, *grounds.names, *sorted(grounds.known)))
        self._folded: dict[int, str] = {}
        self._all: tuple[Told, Figures] | None = None
        self._lately: tuple[tuple[Place, ...], tuple[Told, Figures]] | None = None
        self._told: dict[int, Told] = {}
        self._figures: dict[int, Figures] = {}

    def find(self, seq: int, quote: str) -> Place | None:
        """Where a turn says these words: openly if it does anywhere, else in a masked part."""
        ground = self.by_seq.get(seq)
        if ground is None or not is_telling(quote, ground.turn.text):
            return None
        text = ground.turn.text
        for start, end in open_parts(text, ground.masked):
            span = _find_whole(quote, text[start:end])
            if span is not None:
                return Place(ground, start + span[0], start + span[1])
        span = _find_whole(quote, text)
        if span is None:
            return None
        # Not in an open part: in a masked one, across one, or in what is left of one.
        inside = [m for m in ground.masked if m.start < span[1] and span[0] < m.end] or ground.masked
        return Place(ground, *span, inside[0].origin if inside else None)

    def before(self, seq: int, count: int) -> list[Ground]:
        """The turns right before one."""
        at = self.order.index(seq)
        return [self.by_seq[each] for each in self.order[max(0, at - count) : at]]

    def missing_name(self, text: str) -> str | None:
        return next(missing_names(text, self.said), None)

    def missing_figure(self, draft: NoteDraft, places: Iterable[Place]) -> str | None:
        """A date or number of the draft that neither its own turns nor any other of the epoch state."""
        places = tuple(places)
        text, wrong = self._without_dates(draft, places)
        if wrong:
            return wrong
        told, figures = self.told_by(places)
        for figure in stated(text):
            if figures.hold(figure) or figure.values & told.years:
                continue
            all_told, all_figures = self._of_all()
            if not all_figures.hold(figure) and not figure.values & all_told.years:
                return figure.words
        return None

    def missing_date(self, draft: NoteDraft, places: Iterable[Place]) -> str:
        """The first date of the draft that nobody stated; empty where there is none."""
        return self._without_dates(draft, tuple(places))[1]

    def _without_dates(self, draft: NoteDraft, places: tuple[Place, ...]) -> tuple[str, str]:
        """The text without the dates that were told, and the first that was not."""
        told, figures = self.told_by(places)
        moments = [place.ground.turn.at_ms for place in places]
        wordings = [self._folded_text(place.ground.turn.seq) for place in places]
        text = draft.text
        for place in places:  # whoever speaks may be called June, and a note begins with that
            text = _unheaded(text, place.ground.turn.speaker.strip())
        for name in sorted((*self.speakers, *self.grounds.names), key=len, reverse=True):
            if len(name) > 1 and not name.isascii() and not find_dates(name, 0):
                text = text.replace(
                    name, " " * len(name)
                )  # 周启明天天来 names no day; whoever is called 五月 hides none
        without, wrong = without_told(text, told, figures, moments, wordings)
        if wrong:
            either = Told()
            either.join(told)
            either.join(self._of_all()[0])
            without, wrong = without_told(
                without, either, self._of_all()[1], moments, map(self._folded_text, self.open)
            )
        return without, wrong

    def told_by(self, places: Iterable[Place]) -> tuple[Told, Figures]:
        """Dates and numbers of these places' turns; the day of saying it counts as told."""
        places = tuple(places)
        if self._lately is None or self._lately[0] != places:  # a note is looked at for its dates, numbers and moment
            self._lately = places, self._read_all(places)
        return self._lately[1]

    def _read_all(self, places: Iterable[Place]) -> tuple[Told, Figures]:
        told, figures = Told(), Figures()
        for place in places:
            turn = place.ground.turn
            told.join(self._read(turn))
            told.tell_day(turn.at_ms)
            if place.words.strip() != self.open[turn.seq].strip():
                for span in find_dates(place.words, turn.at_ms):  # its clause alone may be read otherwise
                    told.tell_all(span)
            figures.join(self._figures_of(turn))
        return told, figures

    def _of_all(self) -> tuple[Told, Figures]:
        if self._all is None:
            told, figures = Told(), Figures()
            for ground in self.grounds.turns:
                told.join(self._read(ground.turn))
                figures.join(self._figures_of(ground.turn))
            for name in self.grounds.known:
                figures.add(name)
            self._all = told, figures
        return self._all

    def _folded_text(self, seq: int) -> str:
        """What a turn says openly, in small letters."""
        if seq not in self._folded:
            self._folded[seq] = self.open[seq].casefold()
        return self._folded[seq]

    def _figures_of(self, turn: Turn) -> Figures:
        """The numbers of a turn, looked for once, however many notes rest on it."""
        if turn.seq not in self._figures:
            self._figures[turn.seq] = Figures()
            self._figures[turn.seq].add(self.open[turn.seq])
        return self._figures[turn.seq]

    def _read(self, turn: Turn) -> Told:
        """The dates of a turn, looked for once."""
        if turn.seq not in self._told:
            self._told[turn.seq] = Told()
            self._told[turn.seq].add(self.open[turn.seq], turn.at_ms)
        return self._told[turn.seq]


def _unheaded(text: str, speaker: str) -> str:
    """A note without the name of its speaker at the beginning, with as many blanks."""
    if speaker and text.startswith(speaker) and not _joined(text, len(speaker)):
        return " " * len(speaker) + text[len(speaker) :]
    return text


def _open(ground: Ground) -> str:
    text = ground.turn.text
    return "\n".join(text[start:end] for start, end in open_parts(text, ground.masked)) if ground.masked else text


def _find_whole(quote: str, text: str) -> tuple[int, int] | None:
    """The quotation where it does not begin or end within a word or a number ("I'm 3" is not said by "I'm 34")."""
    seen = None
    for occurrence in range(1, _MOST_TRIES):
        span = find_quote(quote, text, occurrence=occurrence)
        if span is None or span == seen:
            return None
        start, end = span
        while end - start >= _LONG and _joined(text, end) and not text[end].isdigit():
            end += 1  # a long quotation may be cut off within its last word
        if not _joined(text, start) and not _joined(text, end):
            return start, end
        seen = span
    return None


def _joined(text: str, at: int) -> bool:
    """Whether a word or a number goes on across a place."""
    return 0 < at < len(text) and _letter(text[at - 1]) and _letter(text[at])


def _letter(char: str) -> bool:
    """A letter or digit of a script with blanks between its words."""
    return char.isalnum() and not "\u0e00" <= char <= "\uffdc" and char < "\U00020000"
