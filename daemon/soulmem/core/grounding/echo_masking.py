"""Text that we handed out ourselves: recognising it when it comes back inside a message.

What a recall, a summary, the card or the window showed to a client is often pasted into the next message. It was no
event, and remembering it anew would multiply it, so it is masked before anything is read from a message and its words
support no note (algorithms.md §6.5). Recognised are runs of eight words or twelve characters, and whole sentences
or lines, whatever bullets, days, labels and headings stand before them. Invariants: a text masks only what was said
after it was handed out, so the first to say something is never masked; work is linear in the text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace

from soulmem.core.facts.validity_intervals import MARK
from soulmem.core.grounding.served_text_index import MOST_UNITS, Asking, Match, Origin, ServedIndex, ServedText
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.schema.note_requests import Turn
from soulmem.core.text.shingles import RUN, WORD, Units, phrases, units_of, weight_of
from soulmem.fast_dataclasses import dataclass

LATEST = 1 << 62
_LABEL = 3 * WORD  # at most this much before a colon is a label
_LONGEST_LEAD = 160
_HEADING_WEIGHT = 5 * WORD
_OPENING = ' -*•>([{（【“「『"'
_ENDS = tuple("\n.!?。！？…")
_CLOSED = frozenset("\n.!?。！？…:：,，;；)）]】\"”'’」』")

_LED = LazyPattern(r"[:：\]】>\"“「『•*|]|(?:^|\n)\s*[-–—·]")
_LISTED = LazyPattern(r"[>\"“「『•*]|(?:^|\n)\s*(?:[-–—·]|\[\d)|(?<=\d)\]\s")
_COLON = LazyPattern("[:：]")
_ITEM = LazyPattern(r"[-*•>–·]|\d{1,3}[.)、]|[\[【(（]|(?P<label>[^:：]{1,40})[:：]")
_MARK = LazyPattern(
    r"[-*•>·–—\s\"“”「」『』,，.。;；]+|\d{1,3}[.)、]|[\[【(（][^\]】)）\n]{0,40}[\]】)）]|\d{4}-\d\d-\d\d(?!\d)"
)
_DAY = LazyPattern(r"\s*[\[【(（][^\]】)）\n]{0,40}[\]】)）]")
_HEADING = CaselessPattern(
    r"memor(?:y|ies)|recall|remember|context|summar|relevant|persona|character|background|notes?\b|"
    r"记忆|回忆|摘要|总结|上下文|人设|背景|角色|相关|笔记"
)


@dataclass(frozen=True, slots=True)
class Masked:
    """Characters `[start, end)` of a message that were handed out before it was said."""

    start: int
    end: int
    origin: Origin


def index_of(texts: Iterable[ServedText]) -> ServedIndex:
    """The index of everything handed out to a conversation; the most important texts come first.

    Messages are added in their order; what is masked in them is nobody's, so words belong to who said them first.
    """
    texts = tuple(texts)
    index = ServedIndex(text for text in texts if text.origin is not Origin.MESSAGE)
    said = sorted((text for text in texts if text.origin is Origin.MESSAGE), key=lambda text: -text.after)
    room = MOST_UNITS
    kept: list[ServedText] = []
    for text in said:  # the latest
        room -= len(text.text)
        if room >= 0:
            kept.append(text)
    for text in reversed(kept):
        masked = mask(text.text, index, seq=text.after, speaker=text.speaker)
        own = "\n".join(text.text[start:end] for start, end in open_parts(text.text, masked))
        index.add(text if own == text.text else replace(text, text=own))
        if masked:  # what is left of the rest is nobody's
            index.add(replace(text, speaker=""))
    return index


def mask(text: str, served: ServedIndex, *, seq: int = LATEST, speaker: str | None = None) -> tuple[Masked, ...]:
    """The parts of a message that were handed out before it, in order, without overlaps.

    `seq`: the message's place in its conversation; what was handed out after it does not count; `speaker`: who says it:
    his own earlier words count only beside something else that was handed out, or where they stand in a list, in
    quotation marks or behind a label, or more than once: he says them once himself.
    """
    units = units_of(text) if served else units_of("")
    by = Asking(seq, speaker)
    covered: list[Origin | None] = [None] * len(units)
    found = (served.runs_in(units, by), served.spoken_runs_in(units, by, 2 * RUN), served.short_runs_in(units, by))
    doubtful = [match for matches in found for match in _cover(covered, matches)]
    doubtful += _cover(covered, _phrases_in(text, units, served, by))
    if doubtful:
        _cover(covered, (replace(match, own=False) for match in _said_twice(units, doubtful)))
    if not any(covered):
        return ()
    _cover(covered, (replace(match, own=False) for match in doubtful))
    # In such company even half a sentence is no coincidence.
    _cover(covered, (replace(match, own=False) for match in served.spoken_runs_in(units, by, RUN)))
    _cover_labels(text, units, covered)
    return tuple(_spans(text, units, covered))


def _cover(covered: list[Origin | None], found: Iterable[Match]) -> list[Match]:
    """Mark what was found, in the order it begins in; what may be the speaker's own is handed back."""
    reached = 0  # all between the start of an earlier match and here is covered
    own: list[Match] = []
    for match in sorted(found, key=lambda match: match.first):
        if match.own:
            own.append(match)
            continue
        for unit in range(max(match.first, reached), match.last):
            covered[unit] = covered[unit] or match.origin
        reached = max(reached, match.last)
    return own


def _said_twice(units: Units, found: Iterable[Match]) -> Iterator[Match]:
    """The matches that repeat an earlier one of the same message: nobody says a long sentence twice in one breath.

    What only overlaps itself, such as laughter, is no repetition.
    """
    ends: dict[int, int] = {}  # by the hash of a match: where the last one ended
    for match in sorted(found, key=lambda match: match.first):
        if units.weight(match.first, match.last) >= RUN:
            key = units.hash_of(match.first, match.last)
            if match.first < ends.get(key, 0):
                continue
            if key in ends:
                yield match
            ends[key] = match.last


def _phrases_in(text: str, units: Units, served: ServedIndex, by: Asking) -> Iterator[Match]:
    """Whole sentences; words that anybody might say are handed out all the same where they are led in."""
    label = by.speaker or ""
    for first, last in phrases(text, units):
        found = served.phrase(units, first, last, by)
        if found is None:
            continue
        begins = units.ends[first - 1] if first else 0
        led = (_LISTED if found.mine else _LED).search(text, begins, units.starts[first]) is not None
        if found.mine and not led:  # a colon leads in to his own words only behind his name
            led = bool(label) and text.endswith(label, 0, begins) and _COLON.match(text, begins) is not None
        yield replace(found, own=found.own and not led)


def _cover_labels(text: str, units: Units, covered: list[Origin | None]) -> None:
    """What only leads in to a masked part goes with it: bullet, day, speaker, and the heading above its line.

    So does the beginning of a further item that was cut off behind it.
    """
    begins = 0
    above: tuple[int, int] | None = None  # the units of a heading that waits for its first line
    behind: Origin | None = None  # of the last unit of the line before
    for line in text.splitlines(keepends=True):
        start, begins = begins, begins + len(line)
        first, last = bisect_left(units.starts, start), bisect_left(units.starts, begins)
        if first == last:
            continue
        leads = True  # nothing but labels so far
        open_from = first
        for unit in range(first, last):
            origin = covered[unit]
            if origin is None:
                continue
            if open_from < unit:
                lead = text[start if open_from == first else units.starts[open_from] : units.starts[unit]]
                if _is_label(lead):
                    covered[open_from:unit] = [origin] * (unit - open_from)
                else:
                    leads = False
            if leads and above is not None:
                covered[above[0] : above[1]] = [origin] * (above[1] - above[0])
                above = None
            open_from = unit + 1
        before = covered[open_from - 1] if open_from > first else behind
        if before is not None and open_from < last:
            led_in = open_from == first or _is_label(text[start : units.starts[open_from]])
            tail = text[start if led_in else units.ends[open_from - 1] : begins]
            day = _DAY.match(tail)
            if weight_of(tail[day.end() if day else 0 :]) <= RUN + _LABEL and _is_cut_off(tail):
                covered[open_from:last] = [before] * (last - open_from)
        short = covered[first] is None and open_from == first and units.weight(first, last) <= _HEADING_WEIGHT
        above = (first, last) if short and _HEADING.search(line) else None
        behind = covered[last - 1]


def _is_cut_off(tail: str) -> bool:
    """Whether a line is the beginning of a listed item: led by a bullet, a day or a name, and without an end."""
    tail = tail.strip()
    led = _ITEM.match(tail)
    return led is not None and weight_of(led["label"] or "") <= _LABEL and not tail.endswith(_ENDS)


def _is_label(lead: str) -> bool:
    """Whether words before a masked part are bullets, days in brackets and names before a colon, nothing more."""
    if len(lead) > _LONGEST_LEAD:
        return False
    while lead:
        mark = _MARK.match(lead)
        label, colon, rest = lead.partition(":") if ":" in lead else lead.partition("：")
        if mark is not None:
            lead = lead[mark.end() :]
        elif colon and weight_of(label) <= _LABEL:
            lead = rest
        else:
            return not any(map(str.isalnum, lead))
    return True


def _spans(text: str, units: Units, covered: list[Origin | None]) -> Iterator[Masked]:
    unit = 0
    while unit < len(units):
        origin = covered[unit]
        if origin is None:
            unit += 1
            continue
        first = unit
        while unit < len(units) and covered[unit] is origin:
            unit += 1
        end = units.starts[unit] if unit < len(units) else len(text)
        behind = text[units.ends[unit - 1] : end]
        closing = len(behind) - len(behind.lstrip(" .,!?;:…。，！？；：、)）]】\"”」』'’"))
        opening = text[units.ends[first - 1] if first else 0 : units.starts[first]]
        opening = opening[len(opening.rstrip(_OPENING)) :]
        yield Masked(units.starts[first] - len(opening), units.ends[unit - 1] + closing, origin)


def open_parts(text: str, masked: Iterable[Masked]) -> tuple[tuple[int, int], ...]:
    """What is left of a text: the stretches beside masks that say something."""
    masked = tuple(masked)
    parts, begins = [], 0
    for span in (*masked, Masked(len(text), len(text), Origin.NOTE)):
        begins = _behind_cut_off(text, begins, span.start) if begins else 0
        part = text[begins : span.start]
        if any(map(str.isalnum, part)) and not (masked and _is_scrap(part)):
            parts.append((begins, span.start))
        begins = span.end
    return tuple(parts)


def _behind_cut_off(text: str, begins: int, end: int) -> int:
    """Where a part behind a mask begins: the rest of a last word that was cut off, before a line break, is left out."""
    stop = text.find("\n", begins, end)
    word = text[begins:stop]
    is_unended = text[max(0, begins - 8) : begins].rstrip(" ")[-1:] not in _CLOSED
    return stop if stop >= 0 and is_unended and word.strip().isalnum() and weight_of(word) <= WORD else begins


def _is_scrap(part: str) -> bool:
    """Whether what is left beside a mask is the rest of a text cut off: no letter, or one word that ends no line."""
    return not any(map(str.isalpha, part)) or (weight_of(part) <= WORD and not part.rstrip(" ").endswith(_ENDS))


def cut(turn: Turn, masked: tuple[Masked, ...]) -> Turn:
    """The turn as an engine may read it: without what is masked, a line break in its place.

    What says of a recalled text that it holds no more is ours like the text before it.
    """
    if not masked:
        return turn
    parts = (turn.text[start:end] for start, end in open_parts(turn.text, masked))
    pieces = (part[mark.end() :].strip() if (mark := MARK.match(part)) else part.strip() for part in parts)
    return replace(turn, text="\n".join(pieces))


def read_turns(turns: Iterable[Turn], served: ServedIndex) -> tuple[tuple[Turn, tuple[Masked, ...]], ...]:
    """Each turn with its masks."""
    return tuple((turn, mask(turn.text, served, seq=turn.seq, speaker=turn.speaker)) for turn in turns)
