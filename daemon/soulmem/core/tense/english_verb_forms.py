"""English verbs as people write them: forms that no rule makes, contractions without their apostrophe, and modals.

Read by `core/tense/english_tense.py`, which tells past from future by them, and the forms by whoever says somebody's
sentence anew. A word that is another one without its apostrophe (ill, well, were, wed, id, hell) is left alone. A modal
verb tells what the finite verb alone would not: "had better go", "should have come", "he'd land". Pure; linear in the
number of words.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.regex.lazy_regex import CaselessPattern

IRREGULAR_PAST = frozenset(
    """
    went got took saw met found bought came won gave lost ran made told felt left sold ate wrote drove flew
    broke fell grew kept heard spent taught thought built chose caught sang swam wore quit began became brought
    drank forgot held knew led meant paid rode said sent slept spoke stood stuck stole swore threw understood
    woke
    """.split()
)
# These too are of the past, where they are read and not said anew.
READ_AS_PAST = IRREGULAR_PAST | frozenset(
    """
    arose bent bit blew bled bred drew dug dreamt fed fought froze hid hung knelt laid lay learnt lent lit rang
    rose shook shot showed sat sank spun stung struck swept tore burnt wept wound bumped ended
    """.split()
)
PARTICIPLES = frozenset(
    """
    been seen gone done taken given written eaten spoken driven flown known shown grown begun broken chosen fallen
    forgotten hidden ridden risen sung sunk swum thrown torn woken worn become come run
    """.split()
)


_SPELLED = {
    "im": "i'm", "ive": "i've", "youre": "you're", "youve": "you've", "theyre": "they're", "theyve": "they've",
    "theyll": "they'll", "weve": "we've", "hes": "he's", "shes": "she's", "thats": "that's", "theres": "there's",
    "whos": "who's", "whats": "what's", "wheres": "where's", "whens": "when's", "itll": "it'll", "thatll": "that'll",
    "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't", "arent": "aren't", "aint": "ain't",
    "wasnt": "wasn't", "werent": "weren't", "havent": "haven't", "hasnt": "hasn't", "hadnt": "hadn't", "cant": "can't",
    "couldnt": "couldn't", "wouldnt": "wouldn't", "shouldnt": "shouldn't", "wont": "won't", "everyones": "everyone's",
}  # fmt: skip
# Behind "its" these show that it is no possessive.
_IS = frozenset(
    "the a an on in at not now just been going gonna getting due next this that for off moved so really already".split()
)


def spelled_out(words: Sequence[str]) -> list[str]:
    """The words, in lower case, with the contractions among them written in full form."""
    found = [_SPELLED.get(word, word) for word in words]
    for place, word in enumerate(found):
        if word == "its" and (place + 1 == len(found) or found[place + 1] in _IS):
            found[place] = "it's"
    return found


AHEAD, BEHIND, MIXED = "ahead", "behind", "mixed"
_NEAR_A_MODAL = 60  # characters
_HAD_BETTER = CaselessPattern(r"\bhad better\b|['’]d better\b")
_SHOULD_HAVE = CaselessPattern(  # and not "I should have my results by Friday"
    r"\b(?:should|shouldn['’]?t|must)(?: have| of|['’]ve|a)(?: \w+ly| just| already| never)? (?:been|come|gone|done|got"
    r"|had|made|said|seen|taken|left|paid|rung|told|sent|met|bought|brought|begun|run|known|\w{2,}ed)\b"
)
_THINKING_ABOUT = CaselessPattern(
    r"\b(?:think|thinking|worry|worrying|dream|dreaming|talking) (?:about|of)(?: the)? ?$"
)
_WOULD_DO = CaselessPattern(
    r"\b(?:i|you|he|she|it|we|they)['’]d (?:be|come|go|leave|land|arrive|start|call|ring|visit|bring|send|fly|drive|do"
    r"|get|take|finish|pay) [^.!?]*$"
)
_OFFERED = CaselessPattern(  # "the first they could offer me was the 19th of June" is yet to come
    r"\b(?:offer(?:ed)?|earliest|soonest|(?:first|next) (?:appointment|slot|available|thing they|one they))\b"
    r"[^.!?]{0,40} was(?: for| on)?(?: the)? ?$"
)
_INVITED = CaselessPattern(  # "he asked me to dinner on Friday": he asked then, and the dinner is yet to come
    r"\b(?:asked|invited) (?:me|us|him|her|them|you) (?:both |all )?(?:to|out|over|round|for|along)\b"
    r"[^.!?]{0,30}?(?: on| for| this| next)?(?: the)? ?$"
)


def sign_of_modal(before: str, after: str) -> str | None:
    """What a modal verb tells of a date between `before` and `after`; None where there is none."""
    near = f"{before[-_NEAR_A_MODAL:]} {after[:_NEAR_A_MODAL]}"
    if _HAD_BETTER.search(near) is not None:
        return AHEAD
    if _SHOULD_HAVE.search(near) is not None:
        return BEHIND
    before = before[-_NEAR_A_MODAL:]
    return MIXED if any(each.search(before) for each in (_THINKING_ABOUT, _WOULD_DO, _OFFERED, _INVITED)) else None
