"""Profile service: what a mind knows of a person or thing, made of its notes at the time it is asked.

Called by the methods of the protocol and for contexts. Notes are read in one look, away from the loop; what a note says
is read once. What was put together is kept until anything is written, and per audience: what was hidden from somebody
leaves no trace in what he is told. Invariant: nothing is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import anyio.to_thread

from soulmem.core.calendar import iso8601
from soulmem.core.facts.relations import ATTRIBUTE
from soulmem.core.profiles.bearers import bearers
from soulmem.core.profiles.identities import Identity, identities
from soulmem.core.profiles.list_entries import KINDS
from soulmem.core.profiles.profile import Profile, profile_of
from soulmem.core.profiles.profile_lines import wording
from soulmem.core.profiles.relation_paths import Edge, edges_of, told
from soulmem.core.profiles.shared_notes import shared_by
from soulmem.core.profiles.shared_notes import wording as shared_wording
from soulmem.core.profiles.telling import Telling
from soulmem.core.profiles.timelines import Held
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.ports import World
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.row_hash import public_id
from soulmem.store.views import profile_evidence

_T = TypeVar("_T")

DEFAULT_TOKENS = 600
MOST_ITEMS = 50  # of a list, the latest
MOST_PATHS = 20  # at each step of a path
_MOST_KEPT = 32  # profiles
_QUOTED = 300  # characters
_EVIDENCE = 8  # notes of one entry
_READ_AT_ONCE = 40
_HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class Asked:
    """Of whom a profile is wanted; `at`: of what time, None: of now."""

    name: str
    at: int | None = None
    lists: tuple[str, ...] = KINDS
    budget: int = DEFAULT_TOKENS


class ProfileService:
    """The profiles of one mind."""

    def __init__(self, memory: OpenMind, world: World) -> None:
        self._memory = memory
        self._world = world
        self._kept: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._kept_at = (-1, -1)

    async def get(self, asked: Asked, scope: Scope) -> dict[str, Any]:
        """One profile.

        Raises SoulmemError: `not_found` for who is not known here; `invalid_params` for a name that several bear.
        """
        now_exp = self._memory.now(self._world.clock.trusted_now_ms())
        at = self._memory.database.commits, now_exp // _HOUR_MS
        if at != self._kept_at or len(self._kept) >= _MOST_KEPT:
            self._kept, self._kept_at = {}, at
        key = asked, scope.audience
        if key not in self._kept:
            when = self._world.clock.now_ms() if asked.at is None else asked.at
            made = view(await self._profile(asked, when, now_exp, scope), asked)
            if at == self._kept_at:  # nothing was written meanwhile
                self._kept[key] = made
            return made
        return self._kept[key]

    async def between(self, asked: Asked, other: str, scope: Scope) -> dict[str, Any]:
        """How two stand to each other; of what neither can be told apart, as of `get`.

        Raises SoulmemError: as `get`, and `invalid_params` where both names mean one.
        """
        now_exp = self._memory.now(self._world.clock.trusted_now_ms())
        when = self._world.clock.now_ms() if asked.at is None else asked.at
        one = await self._profile(replace(asked, lists=()), when, now_exp, scope)
        two = await self._profile(Asked(other, asked.at, lists=()), when, now_exp, scope)
        if one.who == two.who:
            message = f"both names mean {one.who.called[:80]!r}"
            raise SoulmemError(ErrorName.INVALID_PARAMS, message, hint="profile.get tells what is known of one")
        told = await self._told([*one.who.names, *two.who.names], now_exp, scope)
        shared = await _aside(partial(shared_by, one, two, told, when))
        return {
            "name": one.who.name,
            "other": two.who.name,
            "ties": [
                {
                    "relation": each.word, "who": each.who, "whose": each.whose, "until": _iso(each.until),
                    "evidence": _evidence(each.evidence),
                }
                for each in shared.ties
            ],
            "shared": _evidence(shared.told, MOST_ITEMS),
            "more": max(0, len(shared.told) - MOST_ITEMS),
            "text": shared_wording(shared, when, asked.budget),
        }  # fmt: skip

    async def path(self, asked: Asked, relations: Sequence[str], scope: Scope) -> dict[str, Any]:
        """What leads from one along these relations, one after the other; at most `MOST_PATHS` ways at each step.

        Raises SoulmemError: as `get`, for who it begins with.
        """
        now_exp = self._memory.now(self._world.clock.trusted_now_ms())
        when = self._world.clock.now_ms() if asked.at is None else asked.at
        start = await self._profile(replace(asked, lists=()), when, now_exp, scope)
        known: dict[str, Profile | None] = {}
        paths: list[tuple[Edge, ...]] = [()]
        is_cut = False
        for relation in relations:
            longer: list[tuple[Edge, ...]] = []
            for path in paths:
                name = path[-1].leads_to if path else ""
                if path and name not in known:
                    known[name] = await self._known(name, asked.at, when, now_exp, scope)
                profile = known[name] if path else start
                seen = {start.who.name, *(edge.target for edge in path)}
                edges = edges_of(profile, relation) if profile is not None else ()
                longer += [(*path, edge) for edge in edges if edge.target not in seen]
            is_cut = is_cut or len(longer) > MOST_PATHS
            paths = longer[:MOST_PATHS]
        found = [{"edges": [_edge(edge) for edge in path]} for path in paths if path]
        return {"name": start.who.name, "paths": found, "truncated": is_cut}

    async def _known(self, name: str, at: int | None, when: int, now_exp: int, scope: Scope) -> Profile | None:
        """The profile of what a path came to; None where that is nobody who is known, or it is not clear who."""
        try:
            return await self._profile(Asked(name, at, lists=()), when, now_exp, scope)
        except SoulmemError as error:
            if error.name not in (ErrorName.NOT_FOUND, ErrorName.INVALID_PARAMS):
                raise
            return None

    async def lines(self, name: str, budget: int, scope: Scope) -> list[str]:
        """One profile in lines of at most so many tokens; none of who is not known, or of whom it is not clear."""
        try:
            told = await self.get(Asked(name, budget=budget), scope)
        except SoulmemError as error:
            if error.name not in (ErrorName.NOT_FOUND, ErrorName.INVALID_PARAMS):
                raise
            return []
        return str(told["text"]).splitlines()

    async def _profile(self, asked: Asked, at: int, now_exp: int, scope: Scope) -> Profile:
        told = await self._told(list(_words(asked.name)), now_exp, scope)
        meant = await _aside(partial(identities, asked.name, told))
        if len(meant) > 1:
            called = ", ".join(dict.fromkeys(f"{each.called} ({each.name})" for each in meant[:5]))
            message = f"name: {len(meant)} are called {asked.name[:80]!r} here: {called}"
            raise SoulmemError(ErrorName.INVALID_PARAMS, message, hint=f"ask for one: {_full(meant[0])!r}")
        if not meant:
            message = f"nobody and nothing called {asked.name[:80]!r} is known here"
            raise SoulmemError(ErrorName.NOT_FOUND, message, hint="profile.list names who is known")
        more = [name for name in (*meant[0].names, meant[0].kin) if name]
        if len(told) >= profile_evidence.MOST:
            told = await self._told([*more, *_words(asked.name)], now_exp, scope)
        return await _aside(partial(profile_of, meant[0], told, at, asked.lists))

    async def _told(self, words: Sequence[str], now_exp: int, scope: Scope) -> list[Telling]:
        told = await self._memory.database.read(profile_evidence.tellings, words, now_exp, scope)
        for first in range(0, len(told), _READ_AT_ONCE):  # so that whoever else waits comes in between
            await _aside(partial(_read_all, told[first : first + _READ_AT_ONCE]))
        return told

    async def names(self, scope: Scope, after: int, limit: int) -> dict[str, Any]:
        """A page of who is known, with how many of the latest notes speak of each; `after` so many."""
        told = await self._told((), self._memory.now(self._world.clock.trusted_now_ms()), scope)
        found = (await _aside(partial(bearers, told)))[after : after + limit + 1]
        items = [{"name": name, "notes": count} for name, count in found[:limit]]
        return {"items": items, "next_cursor": str(after + limit) if len(found) > limit else None}


async def _aside(read: Callable[[], _T]) -> _T:
    return await anyio.to_thread.run_sync(read, abandon_on_cancel=True)


def _read_all(told: Sequence[Telling]) -> None:
    """Read what notes say; it is kept with the texts that were read."""
    profile_of(Identity("", ()), told, 0)


def _words(name: str) -> tuple[str, ...]:
    """By what a name is looked for: itself, and without whose it is."""
    plain = " ".join(name.split())
    bare = plain.removeprefix("my ").removeprefix("My ").removeprefix("我的").removeprefix("我")
    for mark in ("'s ", "’s ", "的"):
        bare = bare.rpartition(mark)[2]
    short = bare[0] if len(bare) == 2 and bare[0] == bare[1] else bare  # 妈妈 is 妈 too
    return tuple(dict.fromkeys(each for each in (plain, bare, short) if each))


def _full(one: Identity) -> str:
    return one.called if one.kin and one.name in (one.called, one.kin) else f"{one.called} {one.name}"


def view(profile: Profile, asked: Asked) -> dict[str, Any]:
    """A profile as it travels."""
    who = profile.who
    return {
        "name": who.name,
        "names": list(who.names),
        "known_as": who.called,
        "attributes": [
            {
                "name": each.name.removeprefix(ATTRIBUTE),
                "now": [_value(held) for held in each.now],
                "earlier": [_value(held) for held in each.earlier],
            }
            for each in profile.attributes
        ],
        "relationships": [
            {
                "relation": each.relation,
                "name": each.name or None,
                "until": _iso(each.until),
                **_mentions(each.evidence),
                "evidence": _evidence(each.evidence),
            }
            for each in profile.relationships
        ],
        "lists": {
            kind: {
                "items": [
                    {
                        "what": item.what,
                        "at": _iso(item.at),
                        **_mentions(item.evidence),
                        "evidence": _evidence(item.evidence),
                    }
                    for item in items[-MOST_ITEMS:]
                ],
                "more": max(0, len(items) - MOST_ITEMS),
            }
            for kind, items in profile.lists.items()
        },
        "text": wording(profile, asked.budget),
    }


def _edge(edge: Edge) -> dict[str, Any]:
    return {
        "source": edge.source,
        "relation": edge.relation,
        "target": edge.target or None,
        "since": _iso(edge.since),
        "until": _iso(edge.until),
        **_mentions(edge.evidence),
        "evidence": _evidence(edge.evidence),
    }


def _mentions(evidence: Sequence[Telling]) -> dict[str, Any]:
    """How often, and when last, it was told."""
    count, last = told(evidence)
    return {"mentions": count, "last_told": _iso(last)}


def _value(held: Held) -> dict[str, Any]:
    return {
        "value": held.value,
        "since": _iso(held.since),
        "until": _iso(held.until),
        **_mentions(held.evidence),
        "evidence": _evidence(held.evidence),
    }


def _evidence(told: Sequence[Telling], most: int = _EVIDENCE) -> list[dict[str, Any]]:
    latest = told[-most:]
    return [
        {"id": public_id("n", each.note), "at": _iso(each.at or None), "quote": each.text[:_QUOTED]} for each in latest
    ]


def _iso(at: int | None) -> str | None:
    return None if at is None else iso8601.to_iso(at)
