"""Hebbian links: floor, hot pairs, fallback, plasticity, and what an engine may propose."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.traces import Trace
from soulmem.core.linking.hebbian_linking import (
    LinkKey,
    LinkProposal,
    activation,
    coactivation,
    digest_links,
    fallback_links,
    few_alike,
    hebbian_floor,
    hot_links,
    link_key,
    potentiated,
    stability_of,
    strength_of,
)
from soulmem.core.linking.link_validation import LabelledNote, judge_drafts
from soulmem.core.linking.recall_frequency import HotNote
from soulmem.core.schema.note_requests import LinkDraft, LinkKind, LinkOrigin, NoteKind

NOW = 1_700_000_000_000
HOT = (HotNote("h1", 4, 0.04), HotNote("h2", 2, 0.02), HotNote("h3", 1, 0.004), HotNote("h4", 1, 0.003))


def ends(links: tuple[LinkProposal, ...]) -> list[tuple[str, str]]:
    return [(link.key.src, link.key.dst) for link in links]


def test_each_new_note_joins_the_three_hottest() -> None:
    links = hebbian_floor(["n1", "n2"], HOT)
    assert ends(links) == [("h1", "n1"), ("h2", "n1"), ("h3", "n1"), ("h1", "n2"), ("h2", "n2"), ("h3", "n2")]
    assert [round(link.a0, 3) for link in links[:3]] == [0.3, 0.15, 0.15], "0.3 f/f_max, never below 0.15"
    assert {(link.stability_ms, link.origin) for link in links} == {(3 * DAY_MS, LinkOrigin.HEBB)}


def test_the_floor_needs_something_hot_and_never_loops() -> None:
    assert hebbian_floor(["n1"], ()) == ()
    assert ends(hebbian_floor(["h1"], HOT[:2])) == [("h1", "h2")]


@every_row(
    [
        ({1: 0.5}, {1: 0.5}, 0, 0.25),
        ({1: 1.0}, {1: 1.0}, 0, 1.0),
        ({1: 0.5, 2: 0.5}, {1: 0.5, 2: 0.5}, 0, 1 - 0.75**2),
        ({1: 0.5}, {2: 0.5}, 0, 0.0),
        ({1: 0.5}, {4: 0.5}, 3, 0.25),
        ({1: 0.5}, {5: 0.5}, 3, 0.0),
        ({1: 1.0}, {3: 0.5}, 3, 0.5),
        ({}, {1: 1.0}, 3, 0.0),
    ],
    unpack=True,
)
def test_coactivation(u: dict[int, float], v: dict[int, float], within: int, expected: float) -> None:
    assert coactivation(u, v, within=within) == pytest.approx(expected)
    assert coactivation(v, u, within=within) == pytest.approx(expected)


def test_activation() -> None:
    assert activation({}) == 0.0
    assert activation({1: 0.5, 2: 0.5}) == 0.75
    assert activation({1: 1.0, 2: 0.5}) == 1.0


def test_hot_notes_recalled_near_one_another_are_linked_whatever_they_are() -> None:
    peach, concrete, far = HotNote("peach", 2, 0.1), HotNote("concrete", 2, 0.1), HotNote("far", 1, 0.05)
    activity = {"peach": {1: 0.5, 5: 0.5}, "concrete": {3: 1.0}, "far": {40: 1.0}}
    (link,) = hot_links([peach, concrete, far], activity)
    assert link.key == LinkKey("concrete", "peach", LinkKind.ASSOCIATION)
    assert link.a0 == pytest.approx(0.3 * 0.75)
    assert link.stability_ms == 7 * DAY_MS
    assert link.origin is LinkOrigin.HEBB


def test_at_most_three_links_a_hot_note() -> None:
    hot = [HotNote(f"h{i}", 1, 0.1) for i in range(8)]
    links = hot_links(hot, {each.note: {1: 0.5} for each in hot})
    degree: dict[str, int] = {}
    for link in links:
        for end in (link.key.src, link.key.dst):
            degree[end] = degree.get(end, 0) + 1
    assert max(degree.values()) == 3
    assert len(links) == 12, "four notes of degree three, twice"


def test_links_follow_the_recalls_when_these_are_shuffled() -> None:
    hot = [HotNote(name, 1, 0.1) for name in ("x", "y", "z")]
    assert ends(hot_links(hot, {"x": {1: 0.5}, "y": {2: 0.5}, "z": {30: 0.5}})) == [("x", "y")]
    assert ends(hot_links(hot, {"x": {1: 0.5}, "z": {2: 0.5}, "y": {30: 0.5}})) == [("x", "z")]


def test_fallback_joins_what_is_alike() -> None:
    nearest = {"n1": [("o1", 0.6), ("o2", 0.9), ("o3", 0.7), ("n2", 0.99)], "n2": [("o1", 0.54)]}
    links = fallback_links(["n1", "n2"], nearest)
    assert ends(links) == [("n1", "o2"), ("n1", "o3")]
    assert {(link.a0, link.origin) for link in links} == {(0.2, LinkOrigin.SIMILARITY)}
    assert fallback_links([f"n{i}" for i in range(9)], {}) == ()  # told one after the other is not alike


@every_row(
    [
        (LinkKind.ASSOCIATION, 0.9, 7),
        (LinkKind.SEMANTIC, 0.5, 30),
        (LinkKind.SEMANTIC, 1.0, 45),
        (LinkKind.ABSTRACT_OF, 0.1, 90),
        (LinkKind.TRIGGER, 0.1, 90),
        (LinkKind.EVIDENCE, 0.1, 90),
        (LinkKind.SUPERSEDES, 0.1, 90),
    ],
    unpack=True,
)
def test_initial_stability(kind: LinkKind, confidence: float, days: int) -> None:
    assert stability_of(kind, confidence) == days * DAY_MS


def test_initial_strength() -> None:
    assert [strength_of(LinkKind.ASSOCIATION, x) for x in (-1, 0, 0.5, 1, 2)] == [0.3, 0.3, 0.55, 0.8, 0.8]
    assert strength_of(LinkKind.EVIDENCE, 0.0) == 0.8


def test_ltp_and_ltd_from_the_decayed_value() -> None:
    link = Trace(0.5, NOW, 7 * DAY_MS)
    later = NOW + 7 * DAY_MS
    decayed = 0.5 / math.e
    stronger = potentiated(link, later, together=0.75, active=0.75)
    expected = (decayed + 0.2 * 0.75 * (1 - decayed)) * (1 - 0.02 * 0.75 * 0.25)
    assert stronger.a0 == pytest.approx(expected)
    assert stronger.t0_ms == later
    assert stronger.stability_ms > link.stability_ms, "co-activation rehearses"
    weaker = potentiated(link, later, together=0.0, active=1.0)
    assert weaker.a0 == pytest.approx(decayed * 0.98)
    assert weaker.stability_ms == link.stability_ms


@given(st.floats(1e-9, 1.0), st.integers(0, 10**12), st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=30))
def test_strength_stays_within_its_bounds(a0: float, age: int, epochs: list[tuple[float, float]]) -> None:
    trace, now = Trace(a0, NOW, 7 * DAY_MS), NOW
    for together, active in epochs:
        now += age
        trace = potentiated(trace, now, together=together, active=active)
        assert 0.0 < trace.a0 < 1.0


def proposal(src: str, dst: str, a0: float, origin: LinkOrigin = LinkOrigin.HEBB, verb: str = "") -> LinkProposal:
    kind = LinkKind.SEMANTIC if verb else LinkKind.ASSOCIATION
    return LinkProposal(link_key(src, dst, kind, verb), origin, a0, 7 * DAY_MS, a0)


def test_the_strongest_proposal_wins_and_the_engine_comes_first() -> None:
    made = proposal("a", "b", 0.4, LinkOrigin.MODEL, "likes")
    plan = digest_links(
        [proposal("a", "b", 0.3), made, proposal("b", "c", 0.2), proposal("c", "b", 0.25), proposal("d", "d", 0.9)],
        {},
        {},
        NOW,
    )
    assert [(each.key.src, each.key.dst, each.a0) for each in plan.created] == [("a", "b", 0.4), ("b", "c", 0.25)]
    assert plan.updated == ()


def test_an_existing_link_is_strengthened_once_and_not_doubled() -> None:
    key = link_key("b", "a", LinkKind.ASSOCIATION)
    assert key == LinkKey("a", "b", LinkKind.ASSOCIATION)
    existing = {key: Trace(0.3, NOW, 7 * DAY_MS)}
    activity = {"a": {1: 0.5}, "b": {2: 0.5}}
    plan = digest_links([proposal("a", "b", 0.25)], existing, activity, NOW + DAY_MS)
    assert plan.created == ()
    (update,) = plan.updated
    expected = potentiated(existing[key], NOW + DAY_MS, together=0.25, active=0.5)
    assert update.trace == expected
    assert update.strengthened


def test_links_between_recalled_notes_change_and_others_do_not() -> None:
    together, apart, outside = (link_key("a", x, LinkKind.ASSOCIATION) for x in ("b", "c", "d"))
    existing = {key: Trace(0.5, NOW, 7 * DAY_MS) for key in (together, apart, outside)}
    activity = {"a": {1: 1.0}, "b": {1: 1.0}, "c": {9: 1.0}}
    plan = digest_links([], existing, activity, NOW)
    assert [(each.key, each.strengthened) for each in plan.updated] == [(together, True), (apart, False)]
    assert plan.updated[1].trace.a0 == pytest.approx(0.5 * 0.98)


def test_a_directed_link_is_depressed_by_its_source_alone() -> None:
    key = link_key("a", "b", LinkKind.SEMANTIC, "likes")
    plan = digest_links([], {key: Trace(0.5, NOW, DAY_MS)}, {"a": {1: 0.5}, "b": {9: 1.0}}, NOW)
    assert plan.updated[0].trace.a0 == pytest.approx(0.5 * (1 - 0.02 * 0.5))


NEW = {"N1": LabelledNote("n1", NoteKind.EPISODIC), "N2": LabelledNote("n2", NoteKind.ABSTRACT)}
SEEN = {"H1": LabelledNote("h1", NoteKind.PROCEDURAL), "H2": LabelledNote("n1", NoteKind.EPISODIC)}


def draft(src: str, dst: str, kind: LinkKind = LinkKind.ASSOCIATION, **fields: object) -> LinkDraft:
    return LinkDraft(src, dst, kind, **fields)  # type: ignore[arg-type]  # test shorthand


@every_row(
    [
        (draft("N1", "N9"), "unknown label"),
        (draft("N1", "N1"), "itself"),
        (draft("N1", "H2"), "itself"),
        (draft("N1", "N2", intensity=math.nan), "not a number"),
        (draft("N1", "N2", LinkKind.EVIDENCE), "not drafted"),
        (draft("N1", "N2", LinkKind.ABSTRACT_OF), "abstract to episodic"),
        (draft("N1", "N2", LinkKind.TRIGGER), "to an action"),
        (draft("H1", "N1", LinkKind.TRIGGER), "to an action"),
    ],
    unpack=True,
)
def test_refused_drafts_say_why(bad: LinkDraft, reason: str) -> None:
    verdict = judge_drafts([bad], NEW, SEEN)
    assert verdict.accepted == ()
    assert reason in verdict.refused[0][1]


def test_good_drafts_become_proposals() -> None:
    verdict = judge_drafts(
        [
            draft("N2", "N1", LinkKind.ABSTRACT_OF),
            draft("N1", "H1", LinkKind.TRIGGER),
            draft("N1", "H1", intensity=0.5),
            draft("H1", "N1", intensity=1.0),
            draft("N1", "N2", LinkKind.SEMANTIC, verb="喜欢", confidence=7.0),
        ],
        NEW,
        SEEN,
    )
    assert [(each.key.kind, each.a0) for each in verdict.accepted] == [
        (LinkKind.ABSTRACT_OF, 0.8),
        (LinkKind.TRIGGER, 0.8),
        (LinkKind.ASSOCIATION, 0.55),
        (LinkKind.SEMANTIC, 0.3),
    ]
    assert verdict.accepted[3].stability_ms == 45 * DAY_MS, "confidence is cut to 1"
    assert [reason for _, reason in verdict.refused] == ["the same link twice"], "an association has no direction"


def test_too_many_drafts_are_cut() -> None:
    drafts = [draft("N1", "N2", LinkKind.SEMANTIC, verb=f"v{i}") for i in range(20)]
    verdict = judge_drafts(drafts, NEW, SEEN)
    assert len(verdict.accepted) == 3 * 2 + 2
    assert {reason for _, reason in verdict.refused} == {"too many links"}


def test_a_note_has_three_links_of_likeness_at_most_those_it_had_among_them() -> None:
    nearest = {f"n{new}": [("n1", 0.9), ("n2", 0.8)] for new in range(10, 15)}
    proposals = fallback_links(list(nearest), nearest)
    kept = few_alike(proposals, {"n1": 1})
    assert Counter(each.key.src for each in kept) + Counter(each.key.dst for each in kept) <= Counter(
        {"n1": 2, "n2": 3} | dict.fromkeys(nearest, 2)
    )
    assert len([each for each in kept if "n1" in (each.key.src, each.key.dst)]) == 2
    assert len([each for each in kept if "n2" in (each.key.src, each.key.dst)]) == 3
    floor = hebbian_floor(["n10"], [HotNote("n1", 3, 1.0)])
    assert few_alike(floor, {"n1": 9}) == list(floor), "other links are not counted"
