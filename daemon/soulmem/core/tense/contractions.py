"""Contractions typed without their apostrophe: "im", "shes got", "its the 16th" read as "I'm", "she's got", "it's".

Called by `core/tense/english_tense.py`, which tells past from future by them. A word that is another one without its
apostrophe (ill, well, were, wed, id, hell) is left alone. Pure; linear in the number of words.
"""

from __future__ import annotations

from collections.abc import Sequence

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
