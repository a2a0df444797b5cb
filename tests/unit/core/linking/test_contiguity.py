"""What was told in one breath belongs together, however unlike it is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.linking.contiguity import BREATH_MS, FANOUT, Telling, answered_with, told_together
from soulmem.core.schema.note_requests import LinkKind, LinkOrigin

AT = 1_772_442_000_000


def tell(note: str, place: int, *, after_ms: int = 0, by: str = "Ann", is_fact: bool = False) -> Telling:
    return Telling(place, AT + after_ms, by, note, is_fact)


def ties(*told: Telling) -> dict[tuple[str, str], float]:
    return {(each.key.src, each.key.dst): round(each.a0, 3) for each in told_together(told)}


@every_row(
    [
        ([tell("n1", 1), tell("n2", 1)], {("n1", "n2"): 0.4}),  # in one message
        ([tell("n1", 1), tell("n2", 2, after_ms=9_000)], {("n1", "n2"): 0.32}),  # in the next one
        ([tell("n1", 1), tell("n2", 3, after_ms=BREATH_MS)], {("n1", "n2"): 0.2}),  # after the answer
        ([tell("n1", 1), tell("n2", 4, after_ms=9_000)], {}),  # much was said between
        ([tell("n1", 1), tell("n2", 2, after_ms=BREATH_MS + 1)], {}),  # a while later
        ([tell("n1", 1), tell("n2", 2, by="Pell")], {("n1", "n2"): 0.2}),  # somebody else said that
        ([tell("n1", 1), tell("n2", 3, by="Pell")], {}),
        (
            [tell("n1", 1), tell("n9", 2, by="Pell"), tell("n2", 3)],
            {("n1", "n2"): 0.2, ("n1", "n9"): 0.2, ("n2", "n9"): 0.2},
        ),
        ([tell("n1", 1)], {}),
        ([], {}),
    ],
    unpack=True,
)
def test_how_close_two_things_were_told(told: list[Telling], expected: dict[tuple[str, str], float]) -> None:
    assert ties(*told) == expected


def test_a_link_of_one_breath_outlasts_the_month_and_says_what_it_is() -> None:
    (link,) = told_together([tell("n1", 1), tell("n2", 2, after_ms=9_000)])
    assert (link.key.kind, link.origin) == (LinkKind.ASSOCIATION, LinkOrigin.HEBB)
    assert link.trace(AT).strength(AT + 30 * DAY_MS) > 0.1


def test_a_fact_takes_no_place_of_what_was_lived_through() -> None:
    told = [
        tell("n5", 1), tell("n6", 2), tell("n20", 2, is_fact=True), tell("n7", 3), tell("n8", 4),
        tell("n21", 4, is_fact=True),
    ]  # fmt: skip
    found = ties(*told)
    assert {("n5", "n6"), ("n6", "n7"), ("n7", "n8")} <= set(found), "what was told next, and not what it says of whom"
    assert found["n20", "n6"] == 0.4, "a fact is tied to what it was told with"
    alone = ties(tell("n6", 2, is_fact=True), tell("n7", 3, is_fact=True))
    assert alone == {("n6", "n7"): 0.32}


def test_of_many_things_each_is_tied_to_the_nearest() -> None:
    found = ties(*(tell(f"n{number}", 1) for number in range(10, 20)))
    assert ("n10", "n11") in found
    assert ("n10", "n19") not in found
    assert found == ties(*(tell(f"n{number}", 1) for number in range(10, 20)))


NOTES = st.integers(1, 12).map(lambda number: f"n{number}")
TELLINGS = st.lists(
    st.builds(
        tell,
        NOTES,
        st.integers(1, 6),
        after_ms=st.integers(0, 400_000),
        by=st.sampled_from(["Ann", "阿杰"]),
        is_fact=st.booleans(),
    ),
    max_size=30,
)


@given(TELLINGS)
def test_no_note_is_tied_to_itself_or_twice_or_to_more_than_three(told: list[Telling]) -> None:
    links = told_together(told)
    keys = [each.key for each in links]
    assert len(set(keys)) == len(keys)
    assert all(key.src != key.dst for key in keys)
    degree = [sum(note in (key.src, key.dst) for key in keys) for note in {each.note for each in told}]
    assert max(degree, default=0) <= FANOUT
    assert all(0 < each.a0 <= 0.4 and 0 < each.coactivation <= 1 for each in links)


@given(TELLINGS)
def test_only_what_was_told_close_together_is_tied(told: list[Telling]) -> None:
    said = {each.place: each.at_ms for each in reversed(told)}  # a message is of one moment, that of its first note
    places = {note: {each.place for each in told if each.note == note} for note in {each.note for each in told}}
    for each in told_together(told):
        assert any(
            one == other or (abs(one - other) <= 2 and abs(said[one] - said[other]) <= BREATH_MS)
            for one in places[each.key.src]
            for other in places[each.key.dst]
        )


def test_history_that_is_read_newest_first_ties_no_days_together() -> None:
    assert ties(tell("n1", 1, after_ms=2 * DAY_MS), tell("n2", 2)) == {}


@given(TELLINGS)
def test_it_does_not_matter_in_which_order_messages_are_read(told: list[Telling]) -> None:
    """Only notes of one message have an order, that in which it tells them."""
    assert told_together(told) == told_together(sorted(told, key=lambda each: -each.place))


def test_what_an_answer_was_made_of_is_tied_to_what_was_answered_and_to_the_answer() -> None:
    tellings = [Telling(4, AT, "Ann", "n9"), Telling(5, AT, "Pell", "n10"), Telling(8, AT, "Ann", "n11")]
    used = [(4, "n2"), (4, "n9"), (4, "n3"), (6, "n4")]
    made = answered_with(tellings, used)
    assert {(each.key.src, each.key.dst) for each in made} == {
        ("n2", "n9"), ("n3", "n9"), ("n10", "n2"), ("n10", "n9"), ("n10", "n3"),
    }  # fmt: skip
    assert {(each.origin, each.key.kind) for each in made} == {(LinkOrigin.HEBB, LinkKind.ASSOCIATION)}
    many = answered_with([Telling(1, AT, "Ann", "n9")], [(1, f"n{note}") for note in range(20, 30)])
    assert [each.key.src for each in many] == ["n20", "n21", "n22"][:FANOUT]
