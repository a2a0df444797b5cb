"""Short labels instead of ids: which of those that were shown a model means (algorithms.md §0.3).

Labels come back in brackets, in small letters, with a colon or as a bare number; whatever cannot be told for certain
is unknown and dropped. Two labels that were shown never become one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_LABEL = re.compile(r"(?<![A-Za-z])[A-Za-z]{0,3}\d+", re.ASCII)
_DIGITS = re.compile(r"\d+", re.ASCII)
_AROUND = " \t\n[](){}<>\"'`.:,*"


class Shown:
    """The labels of one call, in the order they were shown."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._labels = tuple(dict.fromkeys(labels))
        self._by_form: dict[str, str | None] = {}
        for label in self._labels:
            for form in {label.casefold(), *_DIGITS.findall(label)[-1:]}:
                self._by_form[form] = None if form in self._by_form else label
        for label in self._labels:
            self._by_form[label.casefold()] = label

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __contains__(self, label: str) -> bool:
        return label in self._labels

    def meant(self, said: str) -> str | None:
        """The label a model means: as it stands, else by its letters and digits, else by a number only one has."""
        if said in self._labels:
            return said
        bare = self._by_form.get(said.strip(_AROUND).casefold())
        if bare is not None:
            return bare
        found = _LABEL.search(said)
        return self._by_form.get(found[0].casefold()) if found else None

    def all_meant(self, said: Sequence[str]) -> tuple[str, ...]:
        """The labels meant, each once, in the order they were named; unknown ones are left out."""
        return tuple(dict.fromkeys(label for each in said if (label := self.meant(each)) is not None))


def shown_list(labels: Iterable[str], most: int = 8) -> str:
    """Labels for a message to the model: `N1, N2, N3`."""
    listed = list(labels)
    return ", ".join(listed[:most]) + (" …" if len(listed) > most else "")
