"""Hebbian linking: what was on the mind together is linked, whether or not it is alike.

Digestion calls it once an epoch: it proposes links (from the Hebbian floor, between hot notes, or as a
fallback; `core/linking/link_validation` adds the engine's), merges them with what exists into one plan, and updates the
strength of every existing link among the notes recalled. Invariants: no link joins a note to itself; one plan
names a link at most once, to create or to update; a strength stays within (0, 1); equal inputs give equal
plans.

Sources: Hebb 1949 (cells that fire together wire together); long-term potentiation and depression as soft-
bounded updates, a <- a + eta C (1 - a) and a <- a (1 - eta A (1 - C)).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.traces import GROWTH_GAP_MS, LINK_DELETE_BELOW, Trace, grown
from soulmem.core.linking.recall_frequency import HotNote
from soulmem.core.schema.note_requests import LinkKind, LinkOrigin
from soulmem.fast_dataclasses import dataclass

FLOOR_FANOUT = 3
FLOOR_STRENGTH = 0.3
FLOOR_LEAST = 0.15
HOT_FANOUT = 3
HOT_STRENGTH = 0.3
HOT_TURNS = 3
FALLBACK_STRENGTH = 0.2
FALLBACK_COSINE = 0.55
FALLBACK_FANOUT = 2
ALIKE_MOST = 3  # links of likeness a note has, old or new
USED, RETURNED = 1.0, 0.5
POTENTIATION, DEPRESSION = 0.20, 0.02
STRENGTH_LEAST, STRENGTH_MOST = 1e-9, 1.0 - 1e-9

Activity = Mapping[int, float]
"""User turns (numbered 1, 2, ...) at which a note was recalled: 1 where the reply used it, else at most 0.5."""


@dataclass(frozen=True, slots=True, order=True)
class LinkKey:
    """What makes two links the same: an association is one row, read both ways, so its ends are sorted."""

    src: str
    dst: str
    kind: LinkKind
    verb: str = ""


@dataclass(frozen=True, slots=True)
class LinkProposal:
    """A link to be, or a reason to strengthen the one that is there by `coactivation` in [0, 1]."""

    key: LinkKey
    origin: LinkOrigin
    a0: float
    stability_ms: int
    coactivation: float
    confidence: float = 0.5

    def trace(self, now_ms: int) -> Trace:
        return Trace(self.a0, now_ms, self.stability_ms)


@dataclass(frozen=True, slots=True)
class LinkUpdate:
    """A new trace for an existing link; `strengthened` when it gained."""

    key: LinkKey
    trace: Trace
    strengthened: bool


@dataclass(frozen=True, slots=True)
class LinkPlan:
    created: tuple[LinkProposal, ...]
    updated: tuple[LinkUpdate, ...]


def link_key(src: str, dst: str, kind: LinkKind, verb: str = "") -> LinkKey:
    """The key of a link; the ends of an association in order of their ids."""
    if kind is LinkKind.ASSOCIATION and dst < src:
        src, dst = dst, src
    return LinkKey(src, dst, kind, verb)


def stability_of(kind: LinkKind, confidence: float = 0.5) -> int:
    """Initial stability in ms: semantic 30 d * (0.5 + confidence), structural 90 d, association 7 d."""
    match kind:
        case LinkKind.SEMANTIC:
            return round(30 * (0.5 + confidence) * DAY_MS)
        case LinkKind.ABSTRACT_OF | LinkKind.TRIGGER | LinkKind.EVIDENCE | LinkKind.SUPERSEDES:
            return 90 * DAY_MS
        case LinkKind.ASSOCIATION:
            return 7 * DAY_MS


def strength_of(kind: LinkKind, intensity: float) -> float:
    """Initial strength: 0.8 for structural links, else 0.3 + 0.5 * intensity within [0.3, 0.8]."""
    if kind in (LinkKind.ABSTRACT_OF, LinkKind.TRIGGER, LinkKind.EVIDENCE, LinkKind.SUPERSEDES):
        return 0.8
    return min(0.8, max(0.3, 0.3 + 0.5 * intensity))


def coactivation(u: Activity, v: Activity, *, within: int = 0) -> float:
    """How much two notes were active together: 1 - product over turn pairs of (1 - x_u(s) x_v(t)).

    Pairs are those with |s - t| <= `within`; 0 means the same turn.
    """
    apart = 1.0
    for s, x in sorted(u.items()):
        for t in range(s - within, s + within + 1):
            apart *= 1.0 - x * v.get(t, 0.0)
    return 1.0 - apart


def activation(u: Activity) -> float:
    """How much a note was active at all: 1 - product over turns of (1 - x_u(t))."""
    return 1.0 - math.prod(1.0 - x for _, x in sorted(u.items()))


def hebbian_floor(new: Sequence[str], hot: Sequence[HotNote]) -> tuple[LinkProposal, ...]:
    """Link each new note to the three hottest notes: a0 = max(0.15, 0.3 f / f_max), gone in days if unused."""
    most = max((each.frequency for each in hot), default=0.0)
    return tuple(
        LinkProposal(
            link_key(note, each.note, LinkKind.ASSOCIATION),
            LinkOrigin.HEBB,
            a0=max(FLOOR_LEAST, FLOOR_STRENGTH * each.frequency / most),
            stability_ms=3 * DAY_MS,
            coactivation=each.frequency / most,
        )
        for note in new
        for each in hot[:FLOOR_FANOUT]
        if each.note != note
    )


def hot_links(hot: Sequence[HotNote], activity: Mapping[str, Activity]) -> tuple[LinkProposal, ...]:
    """Link hot notes returned within three user turns of one another: a0 = 0.3 C, at most three a note.

    The strongest pairs are taken first; ties by id. This associates unlike things without any model.
    """
    pairs = sorted(
        (-coactivation(activity.get(u, {}), activity.get(v, {}), within=HOT_TURNS), u, v)
        for u, v in combinations(sorted({each.note for each in hot}), 2)
    )
    felt = [(u, v, -negative) for negative, u, v in pairs if -negative * HOT_STRENGTH > LINK_DELETE_BELOW]
    return tuple(
        LinkProposal(
            link_key(u, v, LinkKind.ASSOCIATION),
            LinkOrigin.HEBB,
            a0=HOT_STRENGTH * together,
            stability_ms=stability_of(LinkKind.ASSOCIATION),
            coactivation=together,
        )
        for u, v, together in fanned_out(felt, HOT_FANOUT)
    )


def fanned_out(pairs: Iterable[tuple[str, str, float]], most: int) -> Iterator[tuple[str, str, float]]:
    """Of pairs (one, other, how close), the best first, those that give no note more than `most`."""
    degree: Counter[str] = Counter()
    for u, v, close in pairs:
        if max(degree[u], degree[v]) < most:
            degree.update((u, v))
            yield u, v, close


def fallback_links(new: Sequence[str], nearest: Mapping[str, Sequence[tuple[str, float]]]) -> tuple[LinkProposal, ...]:
    """Links for an epoch in which nothing was recalled: similarity, marked as such, a0 = 0.2.

    Each new note joins its two nearest existing notes of `nearest` (note id, cosine) from cosine 0.55 on; ties by id.
    """
    pairs: list[tuple[str, str]] = []
    for note in new:
        near = sorted((-cosine, other) for other, cosine in nearest.get(note, ()) if other not in new)
        pairs += [(note, other) for minus, other in near[:FALLBACK_FANOUT] if -minus >= FALLBACK_COSINE]
    return tuple(
        LinkProposal(
            link_key(u, v, LinkKind.ASSOCIATION),
            LinkOrigin.SIMILARITY,
            a0=FALLBACK_STRENGTH,
            stability_ms=stability_of(LinkKind.ASSOCIATION),
            coactivation=FALLBACK_STRENGTH,
        )
        for u, v in pairs
        if u != v
    )


def few_alike(proposals: Iterable[LinkProposal], held: Mapping[str, int]) -> list[LinkProposal]:
    """These proposals without those of likeness that would give a note more than three such links.

    `held`: how many each note has.
    """
    count = Counter(held)
    kept = []
    for each in proposals:
        ends = (each.key.src, each.key.dst)
        if each.origin is LinkOrigin.SIMILARITY:
            if any(count[end] >= ALIKE_MOST for end in ends):
                continue
            count.update(ends)
        kept.append(each)
    return kept


def potentiated(trace: Trace, now_ms: int, *, together: float, active: float) -> Trace:
    """One epoch's effect on a link: LTP by co-activation, then LTD by activity without the other.

    With a the decayed value: a <- a + 0.2 C (1 - a), then a <- a (1 - 0.02 A (1 - C)). LTP is also a
    rehearsal of the link with weight C, as far as its stability is concerned.
    """
    now_ms = max(now_ms, trace.t0_ms)
    strength = trace.strength(now_ms)
    strength += POTENTIATION * together * (1.0 - strength)
    strength *= 1.0 - DEPRESSION * active * (1.0 - together)
    kept = min(STRENGTH_MOST, max(STRENGTH_LEAST, strength))
    return replace(grown(trace, now_ms, together, gap_ms=GROWTH_GAP_MS), a0=kept, t0_ms=now_ms)


def digest_links(
    proposals: Iterable[LinkProposal], existing: Mapping[LinkKey, Trace], activity: Mapping[str, Activity], now_ms: int
) -> LinkPlan:
    """Settle an epoch: what to create, and one update for each existing link it concerns.

    `existing`: live links between any two of the notes proposed or recalled; `activity`: turns of every note recalled.
    Of proposals for one link the strongest wins; a Hebbian proposal yields to any link the engine made between the same
    two notes if that is at least as strong. A proposal whose link exists strengthens it.
    """
    chosen = _strongest(proposals)
    created = tuple(chosen[key] for key in sorted(chosen) if key not in existing)
    updated: list[LinkUpdate] = []
    for key in sorted(existing):
        u, v = activity.get(key.src, {}), activity.get(key.dst, {})
        proposal = chosen.get(key)
        if proposal is None and not (u and v):
            continue
        together = max(coactivation(u, v), proposal.coactivation if proposal else 0.0)
        # An association is read both ways: each end depresses its own direction, one row bears the mean.
        ends = (u, v) if key.kind is LinkKind.ASSOCIATION else (u,)
        active = sum(map(activation, ends)) / len(ends) if u and v else 0.0
        trace = potentiated(existing[key], now_ms, together=together, active=active)
        updated.append(LinkUpdate(key, trace, strengthened=trace.a0 > existing[key].strength(now_ms)))
    return LinkPlan(created, tuple(updated))


def _strongest(proposals: Iterable[LinkProposal]) -> dict[LinkKey, LinkProposal]:
    """One proposal a link; Hebbian ones only where the engine made nothing as strong."""
    chosen: dict[LinkKey, LinkProposal] = {}
    made: dict[tuple[str, str], float] = {}
    for each in proposals:
        key = each.key
        if key.src == key.dst:
            continue
        if key not in chosen or each.a0 > chosen[key].a0:
            chosen[key] = each
        if each.origin is LinkOrigin.MODEL:
            pair = (min(key.src, key.dst), max(key.src, key.dst))
            made[pair] = max(made.get(pair, 0.0), each.a0)

    def yields(each: LinkProposal) -> bool:
        pair = (min(each.key.src, each.key.dst), max(each.key.src, each.key.dst))
        return each.origin is LinkOrigin.HEBB and made.get(pair, 0.0) >= each.a0

    return {key: each for key, each in chosen.items() if not yields(each)}
