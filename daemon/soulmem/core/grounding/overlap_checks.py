"""What a draft says again, and of whom: the card, a text that was handed out, a fact of somebody else.

Three tests of the gate that compare wordings instead of looking for words. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from soulmem.core.grounding.echo_masking import mask
from soulmem.core.grounding.evidence import Evidence, Place
from soulmem.core.grounding.served_text_index import Origin, ServedIndex
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.schema.note_requests import NoteDraft, Role
from soulmem.core.text import tokens
from soulmem.core.text.shingles import units_of
from soulmem.text_memo import text_memo

_RESTATED = 0.8  # share of a draft's content that the card holds
_OWN = 0.5  # share of a draft's content that its own sources hold
_HANDED_OUT = 0.8  # share of a draft's words that were handed out
_SENTENCE = LazyPattern(r"[^.!?。！？；;\n]+")
_DATED = LazyPattern(r"[(（][^()（）]*\d[^()（）]*[)）]|\d+")
_FIRST = CaselessPattern(r"\b(?:i|i['’]\w+|my|mine|me|myself|we|our|us)\b|我|咱|俺")
_SECOND = CaselessPattern(r"\b(?:you|your|yours|please)\b|你|您|请|帮我|替我")
_NO_NAME = frozenset({"", "self", "user", "human", "assistant", "ai", "bot"})


@cache
def _card() -> frozenset[str]:
    """The words that a character's card is made of, whoever it is about."""
    return frozenset(tokens.segment("you your I my me am is are was character name called 你 您 我 叫 是 名字 角色"))


@text_memo(1024)
def _content(text: str, without: tuple[str, ...] = ()) -> frozenset[str]:
    """The terms that carry content: words and pairs of characters, without grammar, numbers and these names."""
    for name in without:
        text = text.replace(name, " ")
    terms = (t for t in tokens.segment(_DATED.sub(" ", text)) if not tokens.is_grammar(t) and not t.isdigit())
    left = set(terms) - _card() - {term for name in without for term in tokens.segment(name)}
    return frozenset(t for t in left if tokens.is_cjk_pair(t) or t.isascii() or len(t) > 1)


def restates_persona(draft: NoteDraft, places: Sequence[Place], evidence: Evidence) -> bool:
    """Whether a note about the character says what its card says."""
    grounds = evidence.grounds
    if not grounds.persona:
        return False
    own = {name.casefold() for name in grounds.names}
    said = _content(draft.text, grounds.names)
    others = [s for s in evidence.speakers if s.casefold() not in own | _NO_NAME]
    spoken = [p.ground.turn for p in places]
    others = [s for s in others if not any(t.speaker == s and t.role is Role.ASSISTANT for t in spoken)]
    mentions_other = any(tokens.fold(name) in tokens.fold(draft.text) for name in others)
    about_self = any(name in tokens.fold(draft.text) for name in map(tokens.fold, grounds.names) if name) or all(
        turn.role is Role.ASSISTANT for turn in spoken
    )
    if not said or mentions_other or not about_self:
        return False
    sentences = [_content(match[0], grounds.names) for match in _SENTENCE.finditer(grounds.persona)]
    pairs = [left | right for left, right in zip(sentences, [*sentences[1:], frozenset[str]()], strict=True)]
    return any(len(said & each) >= _RESTATED * len(said) for each in pairs)


def is_handed_out(text: str, sources: Iterable[str], names: tuple[str, ...], served: ServedIndex) -> Origin | None:
    """What handed out the text of a draft, if its own sources say little of it; None if nothing did.

    `names`: of speakers; they count for nothing.
    """
    said = _content(text, names)
    own = {term for source in sources for term in _content(source)}
    masked = mask(text, served) if served and len(said & own) < _OWN * len(said) else ()
    units = units_of(text)
    covered = sum(any(m.start <= start < m.end for m in masked) for start in units.starts)
    return masked[0].origin if masked and covered >= _HANDED_OUT * len(units) else None


def wrong_subject(text: str, places: Sequence[Place], evidence: Evidence) -> str | None:
    """The speaker a note is about, if another one said it of himself and nobody spoke of that speaker."""
    speakers = {place.ground.turn.speaker.strip() for place in places}
    if not all(_FIRST.search(place.words) and not _SECOND.search(place.words) for place in places):
        return None
    if {speaker.casefold() for speaker in speakers} & _NO_NAME:
        return None
    known = sorted((*evidence.speakers, *evidence.grounds.names), key=len, reverse=True)
    subject = next((name for name in known if name and _begins_with(text, name)), None)
    if subject is None or any(_begins_with(text, speaker) for speaker in speakers) or _mentions(text, speakers):
        return None
    asked = [g.turn for place in places for g in evidence.before(place.ground.turn.seq, 1)]
    asked = [turn for turn in asked if turn.speaker not in speakers and turn.speaker.strip() != subject]
    spoken = [place.words for place in places] + [evidence.open[turn.seq] for turn in asked]
    return None if any(subject.casefold() in words.casefold() for words in spoken) else subject


def _begins_with(text: str, name: str) -> bool:
    text = text.lstrip(' “"「').casefold()
    name = name.casefold()
    return text.startswith(name) and not (
        name[-1].isascii() and text[len(name) : len(name) + 1].isalpha() and text[len(name)].isascii()
    )


def _mentions(text: str, names: Iterable[str]) -> bool:
    return any(name.casefold() in text.casefold() for name in names)
