"""How a history that a client resends differs from what was heard: what was said anew, edited, or taken back.

Called by `bridges/proxy/conversation_log`; pure. Clients send all they have with every request, cut at its front where
it grows too long, and change its middle or its end: a swipe, another wording, messages that are taken back. A client
that names no session may as well begin another talk with the same greeting, so what was heard is then given up only
where a turn of a person shows that it is the same talk. Invariants: what stands in both is never added again; no more
than `_MOST_DROPPED` turns are given up at one place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from soulmem.bridges.proxy.spoken_turns import Turn

_COMPARED = 400  # turns on either side, from their end, behind what is the same from the beginning
_MOST_DROPPED = 6
_MOST_DROPPED_NAMED = 60
_LIKE = 0.75  # from here on one wording is another of the same


@dataclass(frozen=True, slots=True)
class Heard:
    """A turn that the daemon holds. `seq`: its number in the conversation; deleted ones leave gaps."""

    id: str
    seq: int
    role: str
    mark: str
    text: str = ""  # the beginning of it, to compare wordings


@dataclass(slots=True)
class Alignment:
    """What is to be done. `edits`: (id, turn). `answered`: the reply that another will stand in for."""

    edits: list[tuple[str, Turn]] = field(default_factory=list)
    drops: list[str] = field(default_factory=list)
    adds: list[Turn] = field(default_factory=list)
    answered: str | None = None


def align(heard: Sequence[Heard], turns: Sequence[Turn], *, is_named: bool = False) -> Alignment:
    """Compare what was heard with a history. `is_named`: the client told which session it is."""
    plan = Alignment()
    if not heard or not turns:
        plan.adds = list(turns)
        return plan
    marks, said = [each.mark for each in heard], [turn.mark for turn in turns]
    start, same = _beginning(marks, said)
    if same == 0 and not _is_same_talk(heard, turns, marks, said, is_named=is_named):
        plan.adds = list(turns)
        return plan
    old_lo, new_lo = start + same, same
    seen_user = sum(turn.role == "user" for turn in turns[:same])
    pieces = _pieces(marks, said, old_lo, new_lo)
    unmatched = Counter(marks[place] for lo, hi, *_ in pieces for place in range(lo, hi))
    for old_from, old_to, new_from, new_to in pieces:
        seen_user += sum(turn.role == "user" for turn in turns[new_lo:new_from])
        new_lo = new_to
        is_end = old_to == len(heard)
        old, new = list(heard[old_from:old_to]), list(turns[new_from:new_to])
        if new_to < len(turns):
            new = _not_elsewhere(new, unmatched)
        if not is_end and not old and new:
            new = new[_gap(heard, old_from) :]  # deleted since, by who keeps the memory: not heard again
        if same == 0 and new_from == 0:
            _settle_front(plan, old, new)
        else:
            _settle(plan, old, new, is_end=is_end, seen_user=seen_user, is_named=is_named)
    return plan


def _settle_front(plan: Alignment, old: list[Heard], new: list[Turn]) -> None:
    """Decide about the beginning: what is missing there was cut off by the client, and is not given up."""
    behind = old[len(old) - len(new) :] if len(new) <= len(old) else []
    if behind and [each.role for each in behind] == [turn.role for turn in new]:
        plan.edits += [(each.id, turn) for each, turn in zip(behind, new, strict=True)]
    else:
        plan.adds += new


def _settle(
    plan: Alignment, old: list[Heard], new: list[Turn], *, is_end: bool, seen_user: int, is_named: bool
) -> None:
    """Decide about one place where they differ."""
    most = _MOST_DROPPED_NAMED if is_named else _MOST_DROPPED
    is_sure = is_named or seen_user > 0 or (not is_end and bool(new))
    kept_users = is_named or not is_end or seen_user > 1 or bool(new)
    if len(old) > most + len(new) or not is_sure or (not kept_users and any(each.role == "user" for each in old[1:])):
        plan.adds += _unlike(old, new, plan)
        return
    rest, at = list(old), 0
    for turn in new:
        found = next((place for place in range(at, len(rest)) if rest[place].role == turn.role), None)
        if found is None:
            plan.adds.append(turn)
            continue
        plan.edits.append((rest[found].id, turn))
        plan.drops += [each.id for each in rest[at:found]]
        at = found + 1
    left = rest[at:]
    if is_end and left and left[0].role == "assistant":
        plan.answered = left[0].id
        left = left[1:]
    plan.drops += [each.id for each in left]


def _unlike(old: Sequence[Heard], new: Sequence[Turn], plan: Alignment) -> list[Turn]:
    """What is new where nothing is given up: a wording like one that was heard is its edit."""
    added, left = [], list(old)
    for turn in new:
        like = next((each for each in left if each.role == turn.role and _is_like(each.text, turn.text)), None)
        if like is None:
            added.append(turn)
        else:
            plan.edits.append((like.id, turn))
            left = left[left.index(like) + 1 :]
    return added


def _is_like(one: str, other: str) -> bool:
    other = other[: len(one) + 80]
    if not one or not other:
        return False
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.quick_ratio() >= _LIKE and matcher.ratio() >= _LIKE


def _beginning(marks: Sequence[str], said: Sequence[str]) -> tuple[int, int]:
    """Where the history begins in what was heard, and for how long both are the same from there; the longest."""
    best = (0, 0)
    tried = 0
    for start in range(len(marks) - 1, -1, -1):
        if marks[start] != said[0]:
            continue
        length = 1
        while length < len(said) and start + length < len(marks) and marks[start + length] == said[length]:
            length += 1
        if length > best[1]:
            best = (start, length)
        tried += 1
        if length == len(said) or tried > _COMPARED:
            break
    return best


def _is_same_talk(
    heard: Sequence[Heard], turns: Sequence[Turn], marks: Sequence[str], said: Sequence[str], *, is_named: bool
) -> bool:
    """Whether a history whose first turn was not heard goes on with what was."""
    if is_named:
        return True
    shared = len(set(marks[-_COMPARED:]) & set(said[-_COMPARED:]))
    first = next((each for each in heard if each.role == turns[0].role), None)
    return shared > 1 or (
        len(turns) <= 2 and len(heard) <= 2 and first is not None and _is_like(first.text, turns[0].text)
    )


def _pieces(marks: Sequence[str], said: Sequence[str], old_lo: int, new_lo: int) -> list[tuple[int, int, int, int]]:
    """The places where they differ, behind what is the same from the beginning."""
    old_lo_compared = max(old_lo, len(marks) - _COMPARED)
    new_lo_compared = new_lo if old_lo == len(marks) else max(new_lo, len(said) - _COMPARED)
    matcher = SequenceMatcher(None, marks[old_lo_compared:], said[new_lo_compared:], autojunk=False)
    return [
        (old_lo_compared + i1, old_lo_compared + i2, new_lo_compared + j1, new_lo_compared + j2)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


def _not_elsewhere(new: Sequence[Turn], unmatched: Counter[str]) -> list[Turn]:
    """Turns of the middle that were not heard at another place."""
    kept = []
    for turn in new:
        if unmatched[turn.mark] > 0:
            unmatched[turn.mark] -= 1
        else:
            kept.append(turn)
    return kept


def _gap(heard: Sequence[Heard], at: int) -> int:
    """How many turns that were heard before this place are deleted since."""
    if not 0 < at < len(heard):
        return 0
    return max(0, heard[at].seq - heard[at - 1].seq - 1)
