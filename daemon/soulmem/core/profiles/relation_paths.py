"""Relation paths: what leads from one to another along relations, as "Lena - sister - work": entity, relation, entity.

Called by the profiles of a mind for each step of a path; an edge is a relationship or an attribute of a profile
(`core.profiles.profile`), with its evidence, how often and when last it was told and when it held. Pure. Invariants: an
edge has evidence; a relation is asked for by any word for it, in either language; edges keep the order of the profile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from soulmem.core.facts.relations import ATTRIBUTE
from soulmem.core.names.kin_names import same_kin
from soulmem.core.profiles.profile import Profile
from soulmem.core.profiles.profile_lines import label
from soulmem.core.profiles.telling import Telling
from soulmem.core.profiles.timelines import Held
from soulmem.core.text.tokens import fold
from soulmem.fast_dataclasses import dataclass

ANY = "*"


@dataclass(frozen=True, slots=True)
class Edge:
    """One step: who, what to whom or to what. `leads_to`: by what name it goes on from there; "" where it ends.

    `[since, until)`: when it held; None: nobody said, or still.
    """

    source: str
    relation: str
    target: str
    leads_to: str
    since: int | None
    until: int | None
    evidence: Sequence[Telling]


def edges_of(profile: Profile, relation: str) -> Iterator[Edge]:
    """The edges of a profile along a relation, `ANY` for all of them."""
    who = profile.who
    source = who.name
    for each in profile.relationships:
        if _is_meant(relation, each.relation):
            whose = f"{source}'s {each.relation}" if each.relation.isascii() else f"{source}的{each.relation}"
            yield Edge(source, each.relation, each.name, each.name or whose, None, each.until, each.evidence)
    for attribute in profile.attributes:
        name = attribute.name.removeprefix(ATTRIBUTE)
        if _is_meant(relation, name):
            for held in (*attribute.now, *attribute.earlier):
                yield _edge(source, name, held)


def _edge(source: str, name: str, held: Held) -> Edge:
    return Edge(source, name, held.value, held.value, held.since, held.until, held.evidence)


def _is_meant(asked: str, relation: str) -> bool:
    plain, known = fold(asked.strip()), fold(relation)
    return (
        plain in {ANY, known, fold(label(relation, chinese=True)), fold(label(relation, chinese=False))}
        or same_kin(plain, known)
    )  # fmt: skip


def told(evidence: Sequence[Telling]) -> tuple[int, int | None]:
    """How many notes tell something, and when the latest was told."""
    return len({each.note for each in evidence}), max((each.told for each in evidence), default=None)
