"""Region choice: which part of the graph a sleeping mind goes over next, and in which sequences.

Called by `replay_step` before it writes anything. Of the notes that wait, the few that want it most are looked at; the
region of one of them is taken that brings most for what it costs. Read in one transaction; invariant: the same file at
the same moment gives the same choice.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.replay import replay_priority
from soulmem.core.replay.closed_triads import Tie, ties
from soulmem.core.replay.region_growth import Region, grow
from soulmem.core.replay.replay_priority import Standing
from soulmem.core.replay.sampled_walks import sample
from soulmem.core.schema.note_requests import NoteKind
from soulmem.fast_dataclasses import dataclass
from soulmem.store.graph.region_material import Node, Surroundings
from soulmem.store.notes import replay_queue
from soulmem.store.sqlite.driver import Connection

MOST_WAITING = 200  # notes that are compared, the latest
_MOST_STRIKING = 24  # of them, of which it is read how like they are to what they are tied to
_MOST_GROWN = 4  # of those, whose regions are compared
_TIES_READ = 8


@dataclass(frozen=True, slots=True)
class Choice:
    """A region as it was read. `visited`: the notes of the sequences, but for those that rest."""

    nodes: dict[int, Node]
    region: Region
    sequences: tuple[tuple[int, ...], ...]
    ties: tuple[Tie, ...]
    visited: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """When a region is chosen, wall and experienced milliseconds, and by whose vectors."""

    now: int
    now_exp: int
    fingerprint: str
    apart: bool


def choose(connection: Connection, moment: Moment) -> tuple[Choice | None, list[int]]:
    """The next region, and the notes that wait though they cannot be gone over. None where nothing is left."""
    around = Surroundings(connection, moment.now_exp, apart=moment.apart)
    waiting = replay_queue.latest(connection, MOST_WAITING)
    able = [node for note in waiting if (node := around.node(note)) is not None]
    unable = sorted(set(waiting) - {node.note for node in able})
    able = [node for node in able if not _rests(node, moment.now)]
    if not able:
        return None, unable
    plain = replay_priority.ranked(_standing(node, moment.now) for node in able)[:_MOST_STRIKING]
    by_note = {node.note: node for node in able}
    seeds = replay_priority.ranked(
        _standing(by_note[note], moment.now, around.cosines(moment.fingerprint, note, _TIES_READ)) for note in plain
    )[:_MOST_GROWN]
    regions = {seed: grow(seed, around.row) for seed in seeds}
    seed = replay_priority.best_region(
        {seed: _value(around, region, moment.now) for seed, region in regions.items()},
        {seed: float(sum(node.tokens for node in _members(around, region))) for seed, region in regions.items()},
    )
    assert seed is not None
    return _walked(around, regions[seed], moment), unable


def _walked(around: Surroundings, grown: Region, moment: Moment) -> Choice:
    rows = {note: around.row(note) for note in grown.notes}
    region = Region(grown.notes, rows)
    found = {node.note: node for node in _members(around, region)}
    first = found[region.notes[0]]
    ages = {note: moment.now_exp - node.created_exp for note, node in found.items()}
    sequences = sample(region, ages, f"{first.note}.{first.version}.{first.times}")
    visited = sorted({note for walk in sequences for note in walk if not _rests(found[note], moment.now)})
    return Choice(found, region, sequences, ties(region, sequences, lambda a, b: _may_tie(found[a], found[b])),
                  tuple(visited))  # fmt: skip


def _may_tie(one: Node, other: Node) -> bool:
    """What is of one talk is tied already as far as it belongs together; a reflection has ties of its own."""
    is_one_talk = one.talk == other.talk and one.talk[1] is not None
    return not is_one_talk and NoteKind.REFLECTION not in (one.kind, other.kind)


def _members(around: Surroundings, region: Region) -> list[Node]:
    return [node for note in region.notes if (node := around.node(note)) is not None]


def _value(around: Surroundings, region: Region, now: int) -> float:
    members = [_standing(node, now) for node in _members(around, region)]
    most = max((each.recalls for each in members), default=0)
    return sum(max(0.0, replay_priority.priority(each, most)) for each in members)


def _standing(node: Node, now: int, cosines: Sequence[float] = ()) -> Standing:
    ago = now - node.replayed_at if node.replayed_at is not None else None
    return Standing(node.note, node.is_waiting, node.importance, node.recalls, ago, cosines)


def _rests(node: Node, now: int) -> bool:
    return replay_priority.is_cooling(None if node.replayed_at is None else now - node.replayed_at)
