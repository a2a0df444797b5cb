"""Edge expansion: tier 1 of recall, from the seeds along links that this question, or a strong bond, lets one follow.

Best-first over a `Weights` object, called by recall, credited by `edge_learning`. Sources: ReMindRAG; the criterion,
the cold-start clause and the budgets of algorithms.md §3.4.3, §3.2. Invariants: at most `max_notes` notes, none deeper
than `max_depth`, none twice; every note but a seed has a parent that is less deep, so ways back never go in circles;
the result does not depend on the order in which the graph was filled.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field

import numpy as np

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.state.id_table import NOWHERE

TOPOLOGY_SHARE = 0.2  # A: how much the bond counts beside the memory of the question
FOLLOW_ABOVE = 0.55  # LAMBDA, at rest
IMPATIENT = 0.15  # an impatient mind follows less
DEEP = 0.05  # a thorough one more
STRONG_BOND = 0.85  # LAMBDA_G: such a link is followed though nothing was ever asked along it
FAN_OUT = 8
_AHEAD = 12  # notes whose links are read together, for they are likely to be visited next


@dataclass(frozen=True, slots=True)
class Seed:
    """Where an expansion starts: `score` > 0 orders the seeds, `question` numbers the sub-question it answers best."""

    note: int
    score: float = 1.0
    question: int = 0


@dataclass(frozen=True, slots=True)
class ForestLink:
    """A link that was followed: from `src` to `dst` as walked; `score` is E, `bond` G."""

    link: int
    src: int
    dst: int
    is_backward: bool
    question: int
    score: float
    bond: float


@dataclass(frozen=True, slots=True)
class ForestNote:
    """A note that was reached: `score` is the product of E along its best way, times the seed's. Seeds: no parents."""

    note: int
    seed: int
    depth: int
    score: float
    parents: tuple[ForestLink, ...] = ()


@dataclass(frozen=True, slots=True)
class Forest:
    """What an expansion found, in the order it was reached.

    `wanting`: notes it could not look beyond, for their neighbourhood is not in memory.
    """

    notes: tuple[ForestNote, ...] = ()
    wanting: tuple[int, ...] = ()
    _by_note: dict[int, ForestNote] = field(init=False, default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._by_note.update((each.note, each) for each in self.notes)

    def holds(self, note: int) -> bool:
        return note in self._by_note

    def of(self, note: int) -> ForestNote | None:
        return self._by_note.get(note)

    def links(self) -> list[ForestLink]:
        """All links that were followed, in the order their notes were reached."""
        return [link for each in self.notes for link in each.parents]

    def ways_to(self, notes: Iterable[int]) -> list[ForestLink]:
        """Every link on a way from a seed to one of these notes: the ancestor closure."""
        open_notes = [note for note in notes if note in self._by_note]
        reached = set(open_notes)
        while open_notes:
            for link in self._by_note[open_notes.pop()].parents:
                if link.src not in reached:
                    reached.add(link.src)
                    open_notes.append(link.src)
        return [link for each in self.notes if each.note in reached for link in each.parents]


def threshold(*, impatience: float, is_deep: bool) -> float:
    """LAMBDA_q = 0.55 + 0.15 * impatience - 0.05 when deep."""
    bounded = min(1.0, max(0.0, impatience)) if math.isfinite(impatience) else 0.0
    return FOLLOW_ABOVE + IMPATIENT * bounded - (DEEP if is_deep else 0.0)


@dataclass(slots=True)
class _Growing:
    """A note that was admitted, while parents may still be added."""

    seed: int
    question: int
    depth: int
    score: float
    parents: list[ForestLink]


def expand(
    weights: Weights, seeds: Sequence[Seed], *, max_notes: int, max_depth: int, barred: Collection[int] = ()
) -> Forest:
    """Follow u -> v where E > LAMBDA_q or G >= 0.85, the most promising first.

    E = 0.2 G + 0.8 max(0, q·v_eff), with the sub-question of the seed the way began at. `max_notes` counts the seeds.
    Notes in `barred` are neither reached nor walked through.
    """
    return _Expansion(weights, max_notes, max_depth, barred).grow(seeds)


class _Expansion:
    def __init__(self, weights: Weights, max_notes: int, max_depth: int, barred: Collection[int]) -> None:
        self._weights = weights
        self._max_notes, self._max_depth = max_notes, max_depth
        self._barred = frozenset(barred)
        stance = weights.stance
        self._threshold = threshold(impatience=stance.impatience, is_deep=stance.is_deep)
        self._grown: dict[int, _Growing] = {}
        # By falling score; then by depth and ids, so that equals come in one order.
        self._heap: list[tuple[float, int, int, int, ForestLink | None, int]] = []
        self._options: dict[tuple[int, int], list[ForestLink]] = {}  # by (note, question)
        self._wanting: list[int] = []

    def grow(self, seeds: Sequence[Seed]) -> Forest:
        table = self._weights.graph.notes.table
        for seed in seeds:
            if seed.score > 0.0 and seed.note not in self._barred and table.row(seed.note) != NOWHERE:
                heapq.heappush(self._heap, (-seed.score, 0, seed.note, NOWHERE, None, seed.question))
        while self._heap and len(self._grown) < self._max_notes:
            loss, depth, note, _, link, question = heapq.heappop(self._heap)
            if note in self._grown:
                if link is not None:
                    self._add_parent(link)
                continue
            seed_note = note if link is None else self._grown[link.src].seed
            self._grown[note] = _Growing(seed_note, question, depth, -loss, [] if link is None else [link])
            if depth < self._max_depth:
                self._offer(note)
        for *_, pending, _ in sorted(self._heap, key=lambda entry: entry[:4]):
            if pending is not None and pending.dst in self._grown:
                self._add_parent(pending)
        notes = [
            ForestNote(note, each.seed, each.depth, each.score, tuple(each.parents))
            for note, each in self._grown.items()
        ]
        return Forest(tuple(notes), tuple(self._wanting))

    def _offer(self, note: int) -> None:
        """Put what can be reached from an admitted note into the queue."""
        grown = self._grown[note]
        for link in self._options_of(note, grown.question):
            if link.dst not in self._barred:
                entry = (-grown.score * link.score, grown.depth + 1, link.dst, link.link, link, grown.question)
                heapq.heappush(self._heap, entry)

    def _add_parent(self, link: ForestLink) -> None:
        """A further way to a note that is held already; only downwards, so that there are no circles."""
        child = self._grown[link.dst]
        known = any(each.link == link.link and each.question == link.question for each in child.parents)
        if child.depth > self._grown[link.src].depth and not known:
            child.parents.append(link)

    def _options_of(self, note: int, question: int) -> list[ForestLink]:
        if (note, question) not in self._options:
            ahead = [(entry[2], entry[5]) for entry in self._heap[:_AHEAD] if entry[2] not in self._grown]
            wanted = dict.fromkeys([(note, question), *ahead])
            self._read([each for each in wanted if each not in self._options])
        found = self._options[note, question]
        if not found and not self._weights.graph.is_whole(note):
            self._wanting.append(note)
        return found

    def _read(self, wanted: list[tuple[int, int]]) -> None:
        """Work out which links may be followed from these notes, for these questions, in one go."""
        graph = self._weights.graph
        rows = graph.notes.table.rows([note for note, _ in wanted])
        held = (rows != NOWHERE) & graph.notes.whole[rows]
        whole, rows = [each for each, is_held in zip(wanted, held.tolist(), strict=True) if is_held], rows[held]
        for each in wanted:
            self._options[each] = []
        if not whole:
            return
        graph.mark_read(rows)
        # Without a memory E is at most 0.2, so only a strong bond lets a link be followed.
        arcs = self._weights.arcs(rows, least_bond=STRONG_BOND)
        if not len(arcs.codes):
            return
        bonds = arcs.topology()
        scores = TOPOLOGY_SHARE * bonds
        if arcs.agreement is not None:
            asked = np.array([question for _, question in whole])[arcs.owner]
            scores = scores + (1.0 - TOPOLOGY_SHARE) * arcs.agreement[np.arange(len(asked)), asked]
        followed = np.flatnonzero(((scores > self._threshold) | (bonds >= STRONG_BOND)) & (arcs.felt > 0.0))
        order = followed[np.lexsort((-scores[followed], arcs.owner[followed]))]
        links, ends = graph.links.ids[arcs.codes[order] >> 1].tolist(), graph.notes.ids[arcs.ends[order]].tolist()
        backward = (arcs.codes[order] & 1).tolist()
        for place, owner in enumerate(arcs.owner[order].tolist()):
            options = self._options[whole[owner]]
            # Of parallel links to one note the best alone is followed; it comes first.
            if len(options) < FAN_OUT and all(each.dst != ends[place] for each in options):
                note, question = whole[owner]
                score, bond = float(scores[order[place]]), float(bonds[order[place]])
                link = ForestLink(links[place], note, ends[place], bool(backward[place]), question, score, bond)
                options.append(link)
