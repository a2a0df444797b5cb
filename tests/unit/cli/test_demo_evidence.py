"""What the demo counts as found: the first ten distinct messages behind the items, in rank order."""

from __future__ import annotations

from soulmem.cli.demo.demo_script import evidence


def note(text: str, *sources: str) -> dict[str, object]:
    return {"text": text, "sources": [{"id": source} for source in sources]}


def test_a_message_that_is_quoted_several_times_counts_once() -> None:
    items = [note("Mara sails", "m1", "m1", "m1"), note("顾师傅给了她棕刷", "m2", "m3", "m2"), note("the exam", "m9")]
    assert evidence(items, {"m9"}) == (4, "the exam")
    assert evidence(items, {"m3", "m9"}) == (3, "顾师傅给了她棕刷")


def test_evidence_beyond_the_tenth_message_was_not_found_but_is_shown() -> None:
    items = [note("many", *(f"m{number}" for number in range(10))), note("the eleventh", "m10")]
    assert evidence(items, {"m9"}) == (10, "many")
    assert evidence(items, {"m10"}) == (None, "the eleventh")
    assert evidence([], {"m1"}) == (None, "")
