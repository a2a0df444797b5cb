"""`dataclass` as soulmem's modules use it: the same records, four times as cheap to define.

Every start of the daemon defines some three hundred of them, and the standard decorator compiles up to six methods a
class from text. This one lets it compile `__init__` alone; comparing, hashing and showing are ordinary functions.
`frozen` is checked by mypy, as nearly everything of ours is, and not once more at run time: so `__init__` assigns
directly, which also makes a frozen record half as dear to create. Everything else is as in `dataclasses`, whose
`field`, `replace`, `fields` and `asdict` work on these as on its own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, eq=True, order=False, **options):
        """Make a class a record; `options` are those of `dataclasses.dataclass`."""

        def wrap(cls):
            if order:  # rare: not worth functions of ours
                return dataclasses.dataclass(cls, frozen=frozen, eq=eq, order=order, **options)
            if cls.__doc__ is None:
                cls.__doc__ = cls.__name__  # else one is made from the signature, which takes as long as the rest
            own = cls.__dict__.keys() & {"__eq__", "__hash__", "__repr__"}
            made = dataclasses.dataclass(cls, eq=False, repr=False, **options)
            if "__repr__" not in own:
                made.__repr__ = _shown
            if eq:
                _compare(made, own, hashed=frozen)
            return made

        return wrap if cls is None else wrap(cls)


def _compare(cls: Any, own: set[str], *, hashed: bool) -> None:
    """Give a class equality by its fields, and a hash where it may have one."""
    values = _values([each.name for each in dataclasses.fields(cls) if each.compare])

    def equal(one: Any, other: Any) -> bool:
        return values(one) == values(other) if other.__class__ is one.__class__ else NotImplemented

    def digest(one: Any) -> int:
        return hash(values(one))

    if "__eq__" not in own:
        cls.__eq__ = equal
    if "__hash__" not in own:
        cls.__hash__ = digest if hashed else None


def _values(names: list[str]) -> Callable[[Any], object]:
    """A function that takes a record's values for these names, as quickly as can be."""
    if not names:
        return lambda one: ()
    return attrgetter(*names)


@recursive_repr()
def _shown(one: Any) -> str:
    fields = (f"{each.name}={getattr(one, each.name)!r}" for each in dataclasses.fields(one) if each.repr)
    return f"{one.__class__.__qualname__}({', '.join(fields)})"
