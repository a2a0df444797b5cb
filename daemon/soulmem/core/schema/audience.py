"""Audience: whose memories may surface in front of whom.

Owns the one rule of sharing; `store/conversation_state/audience` reads what it needs, the index and every list of the
protocol apply what it answers as a hard filter, before anything is searched or counted. A memory has homes: the
conversations in which it was heard. One without a home is common. Invariants: `None` stands for the whole mind and
comes from an open mind or from a call in front of nobody; a memory with several homes surfaces only where each of them
may; a conversation always knows what was heard in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from enum import StrEnum

Audience = frozenset[int]  # conversations, by row, whose memories may surface

COMMON = 0  # the home of what has none; rows of conversations begin at 1
SEVERAL = -1  # stands in a column of homes for more than one
UNNAMED = "user"  # what a message is stored under when its client names no speaker


class Sharing(StrEnum):
    """How far what was heard in one conversation is known in the others."""

    OPEN = "open"
    PARTICIPANTS = "participants"
    CONVERSATION = "conversation"


def audience(sharing: Sharing, here: int | None, speakers: Mapping[int, Set[str]]) -> Audience | None:
    """The conversations whose memories may surface in front of the conversation `here`; None: all of them.

    `here` is None when nothing was ever said in it, so that it knows only what is common; `speakers`: who spoke as a
    user in each, by `core.search.relevance_scoring.speaker_key`. `participants` asks that whoever speaks here also
    spoke there. Who gave no name is nobody's acquaintance: two clients that name nobody may be two people.
    """
    if sharing is Sharing.OPEN:
        return None
    if here is None:
        return frozenset()
    own = frozenset({here})
    present = speakers.get(here, frozenset())
    if sharing is Sharing.CONVERSATION or not present or UNNAMED in present:
        return own
    return own | {there for there, those in speakers.items() if present <= those}


def witnesses(sharing: Sharing, here: int | None, speakers: Mapping[int, Set[str]]) -> Audience:
    """The conversations that may know what happens in the conversation `here`: those whose `audience` holds it.

    What surfaces there may bear its marks (be rehearsed, linked, made weightier) only if it was heard in one of these:
    whoever is shown it may then know of `here` as well. What is common, or was heard elsewhere alone, bears none.
    """
    if here is None:
        return frozenset()
    spoke = speakers.get(here, frozenset())
    if sharing is Sharing.CONVERSATION or not spoke:
        return frozenset({here})
    known = (there for there, those in speakers.items() if those and UNNAMED not in those and those <= spoke)
    return frozenset({here, *known})


def may_surface(homes: Set[int], heard_by: Audience | None) -> bool:
    """Whether a memory with these homes may be shown to this audience."""
    return heard_by is None or homes <= heard_by


def column_home(homes: Set[int]) -> int:
    """What a column with room for one conversation holds of a memory's homes."""
    return COMMON if not homes else next(iter(homes)) if len(homes) == 1 else SEVERAL
