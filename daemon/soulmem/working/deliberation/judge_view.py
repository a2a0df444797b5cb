"""Judge view: what one judgement is shown, label by label, and what the labels in its answer stand for.

Made by `deep_recall` for each call, in one reading of the file. Notes and messages have N; links between them L, with
what they say and in which direction; a way that leads over notes which are not shown is a bridge D from its first note
to its last (algorithms.md §3.7); links that lead to what was not looked at yet are grouped by kind and verb as
relations R (§3.8). Invariants: what fading masks in a note is told by none of its links; only links that exist have
labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from soulmem.core.schema.engine_tasks import Judgement, JudgeRequest, Labelled, LabelledLink, Relation
from soulmem.core.schema.note_requests import Cast, LinkKind
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.fast_dataclasses import dataclass
from soulmem.graph.walk.frontier import MOST_OFFERED, Offer
from soulmem.graph.walk.name_spread import BY_NAME
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import Link
from soulmem.store.messages import message_log
from soulmem.store.notes import note_rows
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views.rendered_notes import RenderedNote, faces, shown_verb
from soulmem.working.recall.graph_recall import Step

MOST_LINKS = 40
MOST_RELATIONS = 20
MOST_OFFERS = 1_000  # the most promising, looked at for their relations
_WORDS = 60  # characters of a note that was seen earlier


@dataclass(frozen=True, slots=True)
class Seen:
    """What is to be looked at: items, the ways to them, and what could be looked at next with the link from what was
    seen already. `ties`: whether links between the items are wanted too.
    """

    refs: Sequence[ItemRef]
    ways: Mapping[int, Sequence[Step]]
    offers: Sequence[tuple[Offer, Offer]] = ()
    ties: bool = True


@dataclass(frozen=True, slots=True)
class JudgeView:
    """The request of one judgement, and what its labels stand for."""

    request: JudgeRequest
    items: Mapping[str, ItemRef]
    links: Mapping[str, tuple[Step, ...]]
    relations: Mapping[str, tuple[Offer, ...]]

    def useful(self, judged: Judgement) -> set[ItemRef]:
        return {self.items[label] for label in judged.useful_nodes if label in self.items}

    def useful_steps(self, judged: Judgement) -> tuple[Step, ...]:
        """The links that were named; of a bridge all links of the way that it stands for."""
        named = (*judged.useful_links, *judged.useful_dummies)
        return tuple(dict.fromkeys(step for label in named for step in self.links.get(label, ())))

    def followed(self, judged: Judgement) -> list[Offer]:
        return [offer for label in judged.follow for offer in self.relations.get(label, ())]


def view(
    connection: Connection, seen: Seen, questions: Sequence[str], now_exp: int, *, language: str | None, cast: Cast
) -> JudgeView:
    """What a judgement of these items is shown, as they show now."""
    held = note_rows.get_many(connection, [key for kind, key in seen.refs if kind is ItemKind.NOTE])
    noted = faces(connection, held.values(), now_exp)
    said = message_log.get_many(connection, [key for kind, key in seen.refs if kind is ItemKind.MESSAGE])
    labels: dict[ItemRef, str] = {}
    notes: list[Labelled] = []
    for ref in seen.refs:
        label = f"N{len(notes) + 1}"
        if ref[0] is ItemKind.NOTE and (face := noted.get(ref[1])) is not None:
            notes.append(Labelled(label, face.text, face.day_ms, face.speaker))
        elif ref[0] is ItemKind.MESSAGE and (message := said.get(ref[1])) is not None:
            notes.append(Labelled(label, message.content, message.at, message.speaker))
        else:  # gone since it was found
            continue
        labels[ref] = label
    numbers = {key: label for (kind, key), label in labels.items() if kind is ItemKind.NOTE}
    steps, bridges = _ways_between(numbers, seen.ways)
    tied = _ties(connection, [*numbers], steps, now_exp) if seen.ties else []
    told = {link.id: link for link in link_rows.get_many(connection, sorted({step.link for step in steps}))}
    shown_steps = [*steps, *tied][:MOST_LINKS]
    told |= {link.id: link for link in link_rows.get_many(connection, [step.link for step in tied])}
    links = [
        LabelledLink(f"L{place}", *_ends(step, numbers, told.get(step.link), noted))
        for place, step in enumerate(shown_steps, start=1)
    ]
    dummies = [
        LabelledLink(f"D{place}", numbers[way[0].src], "", numbers[way[-1].dst])
        for place, way in enumerate(bridges, start=1)
    ]
    relations = _relations(connection, seen.offers, numbers, now_exp)
    request = JudgeRequest(
        tuple(questions), tuple(notes), tuple(links), tuple(dummies), language=language, cast=cast,
        relations=tuple(relation for relation, _ in relations),
    )  # fmt: skip
    stands_for: dict[str, tuple[Step, ...]] = {
        link.label: (step,) for link, step in zip(links, shown_steps, strict=True)
    }
    stands_for |= {dummy.label: tuple(way) for dummy, way in zip(dummies, bridges, strict=True)}
    return JudgeView(
        request, {label: ref for ref, label in labels.items()}, stands_for,
        {relation.label: offers for relation, offers in relations},
    )  # fmt: skip


def _ways_between(
    numbers: Mapping[int, str], ways: Mapping[int, Sequence[Step]]
) -> tuple[list[Step], list[Sequence[Step]]]:
    """The links between shown notes that were walked, each once, and the ways between two over what is not shown."""
    steps: dict[int, Step] = {}
    bridges: list[Sequence[Step]] = []
    for note in numbers:
        way = ways.get(note, ())
        visible = [step for step in way if step.link != BY_NAME and step.src in numbers and step.dst in numbers]
        for step in visible:
            steps.setdefault(step.link, step)
        if len(visible) < len(way) and way[0].src in numbers and way[-1].dst == note:
            bridges.append(way)
    return list(steps.values()), bridges


def _ties(connection: Connection, notes: Sequence[int], walked: Iterable[Step], now_exp: int) -> list[Step]:
    """Links between shown notes that nobody walked, the strongest first; walked from what stands before."""
    known, places = {step.link for step in walked}, {note: place for place, note in enumerate(notes)}
    found = [link for link in link_rows.between(connection, notes) if link.id not in known and link.valid_to is None]
    found.sort(key=lambda link: (-link.trace.strength(now_exp), link.id))
    return [
        Step(link.id, link.src, link.dst, False, link.trace.strength(now_exp))
        if places[link.src] < places[link.dst]
        else Step(link.id, link.dst, link.src, True, link.trace.strength(now_exp))
        for link in found[:MOST_LINKS]
    ]


def _ends(
    step: Step, numbers: Mapping[int, str], link: Link | None, noted: Mapping[int, RenderedNote]
) -> tuple[str, str, str, str]:
    """(source, verb, destination, kind) in the direction of the verb, whichever way the link was walked."""
    src, dst = (step.dst, step.src) if step.is_backward else (step.src, step.dst)
    if link is None:
        return numbers[src], "", numbers[dst], ""
    return numbers[src], shown_verb(link, noted), numbers[dst], link.kind.value


def _relations(
    connection: Connection, offers: Sequence[tuple[Offer, Offer]], numbers: Mapping[int, str], now_exp: int
) -> list[tuple[Relation, tuple[Offer, ...]]]:
    """Offers grouped by the links that lead to them from what was seen; what says something new comes first.

    Of relations of the same wording the one with the most promising offer counts most; of each so many offers at most
    are kept as one step may take.
    """
    offers = offers[:MOST_OFFERS]
    links = {link.id: link for link in link_rows.get_many(connection, [first.link for _, first in offers])}
    groups: dict[tuple[int, LinkKind, str, bool], list[tuple[Offer, Link]]] = {}
    for offer, first in offers:
        if (link := links.get(first.link)) is not None:
            group = groups.setdefault((first.src, link.kind, link.verb, first.is_backward), [])
            if len(group) < MOST_OFFERED:
                group.append((offer, link))
    alike = Counter[tuple[LinkKind, str, bool]]()
    ranked = []
    for place, (key, group) in enumerate(groups.items()):
        alike[key[1:]] += 1
        ranked.append((alike[key[1:]], place, key[0], group))
    ranked.sort(key=lambda each: each[:2])
    kept = [(src, group) for *_, src, group in ranked[:MOST_RELATIONS]]
    ends = {end for _, group in kept for _, link in group for end in (link.src, link.dst)}
    noted = faces(connection, note_rows.get_many(connection, sorted(ends)).values(), now_exp)
    found: list[tuple[Relation, tuple[Offer, ...]]] = []
    for src, group in kept:
        if src in noted:
            link = group[0][1]
            verb = link.verb if all(shown_verb(each, noted) for _, each in group) else ""
            shown = numbers.get(src) or f"“{noted[src].text[:_WORDS]}”"
            relation = Relation(f"R{len(found) + 1}", shown, verb, link.kind.value, link.src != src, len(group))
            found.append((relation, tuple(offer for offer, _ in group)))
    return found
