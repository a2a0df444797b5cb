"""Bearers: the people and animals whom notes name, each with how many notes speak of it or come from it.

What a note is tagged with may be any word; only those who speak, who are somebody's kin or friend by name, and whom the
recogniser of names takes for a person stand in the list of whom a profile can be asked of. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from soulmem.core.names.name_recogniser import NameKind, find_names
from soulmem.core.profiles.telling import Telling, kin_in
from soulmem.core.text.tokens import fold


def bearers(told: Iterable[Telling]) -> list[tuple[str, int]]:
    """Who is named, most often named first; a name as a name is written, if it ever was."""
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for telling in told:
        if not telling.holds:
            continue
        names = [telling.speaker] if telling.speaker else []
        names += [each.name for each in kin_in(telling.text, telling.speaker)]
        names += [span.name for span in find_names(telling.text, [telling.speaker]) if span.kind is NameKind.PERSON]
        for key, name in {fold(name): name for name in names if name}.items():
            counts[key] += 1
            if not written.get(key, "").istitle():
                written[key] = name if name.istitle() else written.get(key, name)
    return sorted(((written[key], count) for key, count in counts.items()), key=lambda each: (-each[1], each[0]))
