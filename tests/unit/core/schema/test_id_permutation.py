"""Blind ids: one to one, and nothing to be learnt of the numbers behind them without the secret."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.schema.blind_ids import MOST, BlindIds, GivenId, ItemId, NoId, Sentence, as_given

ONE, OTHER = BlindIds(b"a" * 32), BlindIds(b"b" * 32)
NUMBERS = st.integers(0, MOST - 1)
LETTERS = st.sampled_from(["n", "l", "r", "j", "js", "e", "s"])


@given(LETTERS, NUMBERS)
def test_there_and_back_also_by_another_of_the_same_secret(letter: str, number: int) -> None:
    blind = ONE.blind(f"{letter}{number}")
    assert re.fullmatch(rf"{letter}_[0-9a-hjkmnp-tv-z]{{10}}", blind)
    assert BlindIds(b"a" * 32).plain(blind) == f"{letter}{number}"


def test_no_two_are_alike_and_letter_and_secret_count() -> None:
    blind = [ids.blind(f"{letter}{n}")[-10:] for ids in (ONE, OTHER) for letter in "nl" for n in range(500)]
    assert len(set(blind)) == len(blind)
    assert OTHER.plain(ONE.blind("n5")) != "n5"


def test_only_what_was_marked_is_blinded() -> None:
    shown = ONE.shown(
        {"id": ItemId("n5"), "text": "n5", "in": [ItemId("l5")], "told": Sentence("n5 is ", ItemId("n5"))}
    )
    five = ONE.blind("n5")
    assert shown == {"id": five, "text": "n5", "in": [ONE.blind("l5")], "told": f"n5 is {five}"}


def test_a_plain_id_is_none_where_ids_are_blind() -> None:
    assert isinstance(ONE.read("n5", plain_too=False), NoId)
    assert isinstance(ONE.read("n_iiiiiiiiii", plain_too=False), NoId)
    assert as_given(ONE.read("n5", plain_too=False)) == "n5"
    assert len({ONE.read(each, plain_too=False) for each in ("n5", "?n5", ONE.blind("n5"))}) == 3
    assert ONE.read("n5", plain_too=True) == "n5"
    read = ONE.read(ONE.blind("n5"), plain_too=False)
    assert isinstance(read, GivenId)
    assert (read, read.given) == ("n5", ONE.blind("n5"))
