"""Spoken names: of whom and what a note speaks, by every name it has for them, for the hubs of the working graph.

Called by `graph_sync`. A word for the speaker's own kin is a name too: it means the same person in all he tells. The
note that tells the person's name holds both, and so joins them. Invariants: a note tells nothing by a name that has
faded from it; its own speaker is not among those it speaks of.
"""

from __future__ import annotations

import json

from soulmem.core.names.kin_names import own_kin
from soulmem.core.text.tokens import fold
from soulmem.graph.state.name_hubs import KIN

_MOST = 12  # names of a note
_OWN = ("my ", "our ", "My ", "Our ", "我", "咱", "俺", "'s ", "’s ", "的")  # without one of these no kin is spoken of


def spoken_of(text: str, shown: str | None, speaker: str, entities: str) -> tuple[str, ...]:
    """The names in a note as it shows now, folded; `entities` is JSON."""
    seen = text if shown is None else shown
    legible, own = fold(seen), fold(speaker)
    named = [fold(name) for name in json.loads(entities)[: 2 * _MOST] if isinstance(name, str)]
    names = [name for name in named if len(name) > 1 and name != own and (shown is None or name in legible)]
    if own and any(each in seen for each in _OWN):
        names += [f"{own}{KIN}{kin}" for kin in own_kin(seen, speaker)]
    return tuple(dict.fromkeys(names))[:_MOST]
