"""Records are what `dataclasses` would have made of the same classes, but for what is said of them."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import field, replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem import fast_dataclasses


def _classes(dataclass: Callable[..., Any]) -> tuple[type[Any], ...]:
    @dataclass(frozen=True, slots=True)
    class Point:
        """Where."""

        x: int
        y: int = 0
        seen: int = field(default=0, compare=False)
        secret: str = field(default="hush", repr=False)

    @dataclass(frozen=True, slots=True)
    class Named(Point):
        names: tuple[str, ...] = ()

    @dataclass(slots=True)
    class Heap:
        values: list[int] = field(default_factory=list)

    @dataclass(frozen=True)
    class Single:
        value: float

    @dataclass(frozen=True)
    class Nothing:
        pass

    @dataclass
    class Own:
        value: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, type(self))

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "mine"

    @dataclass(frozen=True, slots=True, order=True)
    class Ranked:
        rank: int

    @dataclass(eq=False)
    class Identical:
        value: int

    return Point, Named, Heap, Single, Nothing, Own, Ranked, Identical


STANDARD, OURS = _classes(dataclasses.dataclass), _classes(fast_dataclasses.dataclass)
ARGUMENTS: tuple[tuple[Any, ...], ...] = ((1, 2), (1, 2, 0, "hush", ("a",)), ([1],), (0.5,), (), (1,), (3,), (4,))


@every_row(range(len(OURS)))
def test_a_record_shows_compares_and_hashes_as_a_dataclass_does(place: int) -> None:
    standard, ours, given_ = STANDARD[place], OURS[place], ARGUMENTS[place]
    assert repr(ours(*given_)) == repr(standard(*given_))
    assert (ours(*given_) == ours(*given_)) == (standard(*given_) == standard(*given_))
    assert ours(*given_) != standard(*given_)
    assert (ours.__hash__ is None) == (standard.__hash__ is None)
    if ours.__hash__ is not None and standard.__name__ != "Identical":
        assert hash(ours(*given_)) == hash(ours(*given_))
    assert [each.name for each in dataclasses.fields(ours)] == [each.name for each in dataclasses.fields(standard)]
    assert getattr(ours, "__slots__", None) == getattr(standard, "__slots__", None)
    assert ours.__match_args__ == standard.__match_args__
    assert copy.deepcopy(ours(*given_)) == ours(*given_) or place in {7}


numbers = st.integers(-2, 2)


@given(st.tuples(numbers, numbers, numbers), st.tuples(numbers, numbers, numbers))
def test_equality_and_hash_are_of_the_fields_that_are_compared(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    point, standard = OURS[0], STANDARD[0]
    assert (point(*one) == point(*other)) == (standard(*one) == standard(*other))
    if point(*one) == point(*other):
        assert hash(point(*one)) == hash(point(*other))
    assert {point(*one): 1}.get(point(*other)) == {standard(*one): 1}.get(standard(*other))


def test_what_is_hidden_is_not_shown_and_a_ring_ends() -> None:
    for point, _, heap, *_ in (OURS, STANDARD):
        assert "hush" not in repr(point(1))
        ring = heap([])
        ring.values.append(ring)
        assert repr(ring).endswith("Heap(values=[...])")


def test_a_record_is_not_equal_to_one_of_a_class_below_it() -> None:
    point, named, *_ = OURS
    assert point(1) != named(1)
    assert replace(named(1), names=("a",)).names == ("a",)


@fast_dataclasses.dataclass(frozen=True, slots=True)
class Packed:
    value: int
    more: tuple[str, ...] = ()


def test_a_record_goes_through_pickle() -> None:
    assert pickle.loads(pickle.dumps(Packed(3, ("a",)))) == Packed(3, ("a",))
    assert Packed.__doc__ == "Packed"


def test_order_is_kept_where_it_is_asked_for() -> None:
    ranked = OURS[6]
    assert sorted([ranked(2), ranked(1)]) == [ranked(1), ranked(2)]
