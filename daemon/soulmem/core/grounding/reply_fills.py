"""Reply fills: the gaps of a faded note that the assistant's own reply has filled ("at the old library, wasn't it").

Called by `working/notebook/fills_from_replies` with the notes that a recall showed with gaps. A fill is taken from what
a reply states, never from what it asks, denies, supposes or merely repeats; it must be of the kind of what stood there,
fit what is still known of it, and contradict nothing that came to mind beside it. One gap of a note, or one kind, at a
time: where two readings are possible there is none. Whether its form will do says `core.details.gap_fills`. Pure,
English and Chinese, without a language model. Invariant: each fill stands in the reply, word for word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from soulmem.core.dates.date_parser import find_dates
from soulmem.core.details import gap_fills, gists
from soulmem.core.details.gap_fills import Faded
from soulmem.core.details.gists import Kind
from soulmem.core.details.mask_wording import Piece
from soulmem.core.grounding.injected_instructions import is_directive
from soulmem.core.grounding.number_grounding import stated
from soulmem.core.names.place_names import is_building, is_english_place
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.schema.detail_tasks import Fill, SegmentState
from soulmem.core.schema.note_requests import ElementDraft
from soulmem.core.text import tokens
from soulmem.core.text.repetition import content
from soulmem.fast_dataclasses import dataclass

_READ = 2_000  # characters of a reply
_LEAST_TIES = 2  # words that note and talk share, so that the one is about the other
_BESIDE = ((2, 2), (1, 3), (3, 1))  # so many words before and after a gap show where it is in a reply
_MOST_KNOWN = 8  # other items that are held against a fill
_PLACE = gists.vaguest(Kind.PLACE, "en")
# What any noun is says of no noun that it fits.
_VAGUE = frozenset(gists.vaguest(kind, lang) for kind in (Kind.THING, Kind.CLAUSE, Kind.NOTE) for lang in ("en", "zh"))

_SENTENCE = re.compile(r"[^.!?。！？；;\n]+[.!?。！？；;\n]*")
_TAG = CaselessPattern(
    r",\s*(?:\w+n['’]t|\w+) (?:he|she|it|they|you|we|i)\s*\?\s*$|,\s*(?:right|no|remember)\s*\?\s*$"
    r"|[，,]?\s*(?:对吧|是吧|对不对|是不是|不是吗|记得吗)[？?]?\s*$"
)
_NOT_STATED = CaselessPattern(
    r"n['’]t\b|\b(?:not|never|no|nobody|without|might|could|would|should|if|maybe|perhaps|or|either|imagine|suppose"
    r"|pretend|guess|wonder|forg[eo]t\w*|no idea|unsure|once upon)\b"
    r"|[不没未别]|如果|要是|假如|也许|可能|或许|大概|还是|或者|应该|好像|忘|猜|假装"
)
_AT_PLACE = CaselessPattern(
    r"\b(?:at|in|inside|outside|by|near|behind|beside|opposite|under|to|from|on)\s+"
    r"(?P<place>(?:(?:the|a|an|my|our|your|his|her|their|that|this|some)\s+)?[A-Za-z][\w'’-]*(?:\s+[A-Za-z][\w'’-]*){0,3})"
)
_MORE_PLACES = CaselessPattern(
    r"\b(?:harbou?r|pier|quay|corner|office|kitchen|attic|cellar|balcony|roof|courtyard|barn|farm|field|forest|woods?"
    r"|shop|bookshop|bookstore|store|bar|gym|pool|zoo|lighthouse|cemetery|fountain|playground|workshop|canal|chapel)$"
)
_ARTICLE = CaselessPattern(r"(?:^|\s)(?:the|a|an|my|our|your|his|her|their|that|this|some)\s+$")
_LEADING = CaselessPattern(r"^(?:the|a|an|my|our|your|his|her|their|that|this|some)\s+")
_AT_CHINESE = LazyPattern(r"[在到去从于往](?P<before>[\u3400-\u9fff]{0,6})$")
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:['’][^\W_\u3400-\u9fff]+)*")
_ENDS = " \t\"“”‘’'《》「」()（）:：,，、.。!！?？"


@dataclass(frozen=True, slots=True)
class Spoken:
    """A text with its details: a reply, or an item that came to mind beside the note, as it shows."""

    text: str
    details: tuple[ElementDraft, ...] = ()

    @property
    def language(self) -> str:
        return tokens.wording_language(self.text)

    def of_kind(self, kind: str) -> list[str]:
        """The wordings of its details of a kind (`gists.kind_said`)."""
        return [self.text[d.start : d.end] for d in self.details if d.level == 2 and kind_of(d, self.language) == kind]


@dataclass(frozen=True, slots=True)
class Gapped:
    """A note as it was shown with gaps. `kinds`: by element the kind of what stood there, as far as that is known."""

    faded: Faded
    kinds: Mapping[int, str]
    at_ms: int

    @property
    def clear(self) -> str:
        """What of it shows."""
        pieces = self.faded.rendering.pieces
        return " … ".join(self.faded.text[p.start : p.end] for p in pieces if not p.is_masked)

    def gaps(self) -> Iterator[tuple[Piece, str]]:
        """The gaps that one detail each has left, with its kind."""
        levels = {element.id: element.level for element in self.faded.elements}
        for piece in self.faded.rendering.pieces:
            if piece.is_masked and not piece.is_gone and len(piece.owners) == 1 and levels[piece.owners[0]] == 2:
                yield piece, self.kinds.get(piece.owners[0], "")


def kind_of(detail: ElementDraft, language: str) -> str:
    """The kind of a detail, as `gists.kind_said` words it; "" where its gist tells none."""
    return gists.kind_said(detail.gist, language)


def fills_in(notes: Sequence[Gapped], reply: Spoken, question: str, known: Sequence[Spoken] = ()) -> tuple[Fill, ...]:
    """What a reply put into the gaps of these notes, of one of them; nothing where that is not certain.

    Args:
        question: what the reply answers; what was said there is nobody's memory.
        known: what else came to mind, as it shows.
    """
    reply = Spoken(reply.text[:_READ], tuple(d for d in reply.details if d.end <= _READ))
    if is_directive(reply.text):
        return ()
    stretches = list(_stated(reply.text))
    found = [(note, fills) for note in notes if (fills := _fills(note, reply, stretches, question, known))]
    if len(found) > 1:  # those that the talk is about, by more words than any other
        ties = [len(_ties(note, reply, question)) for note, _ in found]
        best = max(ties)
        found = [each for each, tie in zip(found, ties, strict=True) if tie == best]
    return found[0][1] if len(found) == 1 else ()


def _ties(note: Gapped, reply: Spoken, question: str) -> frozenset[str]:
    return content(note.clear) & (content(reply.text) | content(question[:_READ]))


def _fills(
    note: Gapped, reply: Spoken, stretches: Sequence[tuple[int, int]], question: str, known: Sequence[Spoken]
) -> tuple[Fill, ...]:
    is_about = len(_ties(note, reply, question)) >= min(_LEAST_TIES, max(1, len(content(note.clear))))
    text, gaps = note.faded.text, list(note.gaps())
    wordings = {piece.number: text[piece.start : piece.end].strip() for piece, _ in gaps}
    fills: list[Fill] = []
    for piece, kind in gaps:
        alike = {wordings[p.number] for p, other in gaps if other == kind}
        said = _framed(note, piece, reply.text, stretches)
        if not said and is_about and kind and kind not in _VAGUE and len(alike) == 1:
            said = _of_kind(kind, reply, stretches)
        told = {_after_article(each.strip(_ENDS), text[: piece.start]) for each in said} - {""}
        if len(told) != 1:
            continue
        (words,) = told
        if _is_own(words, note, piece, question, known) and _fits(words, note, piece, kind, reply, known):
            fills.append(Fill(note.faded.label, piece.number, words))
    return gap_fills.usable(note.faded, fills)


def _after_article(words: str, before: str) -> str:
    """A fill without its article where one stands before the gap: "the" and "the old library"."""
    return _LEADING.sub("", words) if _ARTICLE.search(before) else words


def _stated(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a reply that state something; a tag ("wasn't it?") asks nothing."""
    for match in _SENTENCE.finditer(text):
        words = match[0].rstrip()
        tag = _TAG.search(words)
        end = tag.start() if tag else len(words)
        if tag is None and words.endswith(("?", "？")):
            continue
        # Who shows a gap again has filled nothing.
        if _NOT_STATED.search(words[:end]) or not gap_fills.is_plain(words[:end]):
            continue
        yield match.start(), match.start() + end


def _of_kind(kind: str, reply: Spoken, stretches: Sequence[tuple[int, int]]) -> list[str]:
    """The details of a kind that a reply states."""
    found: list[str] = []
    for start, end in stretches:
        here = [
            (d.start, d.end)
            for d in reply.details
            if start <= d.start and d.end <= end and d.level == 2 and kind_of(d, reply.language) == kind
        ]
        if reply.language == "en" and kind == _PLACE:
            places = list(_places_at(reply.text, start, end))
            here = places + [span for span in here if not any(s < span[1] and span[0] < e for s, e in places)]
        found += [_widened(reply.text, start, low, high) for low, high in here]
    return found


def _places_at(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """English places without a name of their own: "the old library" of "at the old library"."""
    for match in _AT_PLACE.finditer(text, start, end):
        low = match.start("place")
        ends = [low + word.end() for word in re.finditer(r"[\w'’-]+", match["place"])]
        high = next((at for at in reversed(ends) if _is_place(text[low:at])), None)
        if high is not None:
            yield low, high


def _is_place(words: str) -> bool:
    return is_building(words) or is_english_place(words) or _MORE_PLACES.search(words) is not None


def _widened(text: str, first: int, start: int, end: int) -> str:
    """A detail with the article, or the Chinese attribute, that stands before it."""
    if match := _ARTICLE.search(text, first, start):
        start = match.end() - len(match[0].lstrip())
    elif match := _AT_CHINESE.search(text, first, start):
        start = match.start("before")
    return text[start:end]


def _framed(note: Gapped, piece: Piece, reply: str, stretches: Sequence[tuple[int, int]]) -> list[str]:
    """What stands in a reply between the words that stand on both sides of a gap."""
    text, pieces = note.faded.text, note.faded.rendering.pieces
    place = piece.number - 1
    if not 0 < place < len(pieces) - 1 or pieces[place - 1].is_masked or pieces[place + 1].is_masked:
        return []
    before = _words(text[pieces[place - 1].start : pieces[place - 1].end])
    after = _words(text[pieces[place + 1].start : pieces[place + 1].end])
    found = []
    for start, end in stretches:
        spans = [match.span() for match in _WORD.finditer(reply, start, end)]
        words = [tokens.fold(reply[low:high]) for low, high in spans]
        inside = next((each for sizes in _BESIDE if (each := _between(before, after, words, sizes))), [])
        if len(inside) == 1:
            low, high = inside[0]
            found.append(reply[spans[low][0] : spans[high - 1][1]])
    return found


def _between(
    before: Sequence[str], after: Sequence[str], words: Sequence[str], sizes: tuple[int, int]
) -> list[tuple[int, int]]:
    """Which words stand between the last of some words and the first of others."""
    left, right = before[-sizes[0] :], after[: sizes[1]]
    if (len(left), len(right)) != sizes or not any(not tokens.is_grammar(word) for word in (*left, *right)):
        return []
    lows = [at + len(left) for at in _places_of(left, words)]
    highs = _places_of(right, words)
    return [(low, high) for low in lows for high in highs if low < high]


def _words(text: str) -> list[str]:
    return [tokens.fold(word) for word in _WORD.findall(text)]


def _places_of(wanted: Sequence[str], words: Sequence[str]) -> list[int]:
    size = len(wanted)
    return [at for at in range(len(words) - size + 1) if list(words[at : at + size]) == list(wanted)]


def _is_own(words: str, note: Gapped, piece: Piece, question: str, known: Sequence[Spoken]) -> bool:
    """Whether these words come from nowhere but the reply: neither asked, nor shown, nor known of something else."""
    terms = content(words)
    elsewhere = (question[:_READ], note.clear, piece.gist, *(each.text for each in known[:_MOST_KNOWN]))
    return not any(terms <= content(text) for text in elsewhere if text)


def _fits(words: str, note: Gapped, piece: Piece, kind: str, reply: Spoken, known: Sequence[Spoken]) -> bool:
    """Whether a fill is of the kind of what stood there, fits its gist, and what else is known says no other."""
    if piece.state is SegmentState.BLUR and piece.gist:
        if not _numbers_of(words) <= _numbers_of(piece.gist):
            return False
        told, left = find_dates(words, note.at_ms), find_dates(piece.gist, note.at_ms)
        if told and left and not any(t.from_ms < g.to_ms and g.from_ms < t.to_ms for t in told for g in left):
            return False
    if kind and kind not in _VAGUE:
        others = (
            {
                kind_of(d, reply.language)
                for d in reply.details
                if d.level == 2 and reply.text[d.start : d.end].strip() and reply.text[d.start : d.end] in words
            }
            - _VAGUE
            - {""}
        )
        if others and kind not in others and not (kind == _PLACE and _is_place(words)):
            return False
    return not any(_says_another(each, words, note, kind) for each in known[:_MOST_KNOWN])


def _numbers_of(text: str) -> frozenset[float]:
    return frozenset(value for figure in stated(text) for value in figure.values)


def _says_another(known: Spoken, words: str, note: Gapped, kind: str) -> bool:
    """Whether something that came to mind tells of the same thing another detail of the same kind."""
    about = content(note.clear)
    if not kind or kind in _VAGUE or len(about & content(known.text)) < max(_LEAST_TIES, len(about) / 2):
        return False
    clear = tokens.fold(note.clear)
    others = [each for each in known.of_kind(kind) if tokens.fold(each) not in clear]
    return bool(others) and not any(content(each) & content(words) for each in others)
