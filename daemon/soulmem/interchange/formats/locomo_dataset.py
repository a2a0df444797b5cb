"""LoCoMo's data set: talks of two people over many sessions, of which only the talk is read.

Both are people here: neither is the character, unless the one who imports says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from soulmem.interchange.reading import json_pieces, written_times
from soulmem.interchange.reading.byte_sources import ByteSource
from soulmem.interchange.records import LeftOut, Record, Said, Wishes, given, label

_MOST_SESSIONS = 1_000
_TURN_MS = 1_000  # between two turns, of which only the session has a time


def recognises(first: Any) -> bool:
    talk = first.get("conversation") if isinstance(first, dict) else None
    return isinstance(talk, dict) and "speaker_a" in talk


def read(source: ByteSource, wishes: Wishes) -> Iterator[Record]:
    if source.head().lstrip()[:1] == b"{":
        yield from _sample("conversation 1", json_pieces.whole(source), 1, wishes)
        return
    with source.open() as stream:
        for item in json_pieces.items(stream):
            place = f"conversation {item.number}"
            try:
                found = json_pieces.parsed(item.data or b"")
            except ValueError:
                yield LeftOut(place, "a conversation that cannot be read, or is larger than 16 MiB", is_fault=True)
                continue
            yield from _sample(place, found, item.number, wishes)


def _sample(place: str, found: Any, number: int, wishes: Wishes) -> Iterator[Record]:
    if not recognises(found):
        yield LeftOut(place, "what is no conversation", is_fault=True)
        return
    talk = found["conversation"]
    name = label(found.get("sample_id")) or str(number)
    for session in range(1, _MOST_SESSIONS):
        said, told = talk.get(f"session_{session}"), talk.get(f"session_{session}_date_time")
        if said is None and told is None:
            break
        at = written_times.iso(told, wishes.zone) or wishes.at
        if not isinstance(said, list):
            yield LeftOut(f"{place}, session {session}", "a session of which nothing is there")
        elif at is None:
            yield LeftOut(f"{place}, session {session}", "no time known: --at gives one", is_fault=True)
        else:
            for turn, each in enumerate(said):
                where = f"{place}, session {session}, turn {turn + 1}"
                yield from _turn(where, name, each, written_times.later(at, turn * _TURN_MS), wishes)


def _turn(place: str, name: str, found: Any, at: str, wishes: Wishes) -> Iterator[Record]:
    text = found.get("text") if isinstance(found, dict) else None
    if not isinstance(text, str) or not text.strip():
        yield LeftOut(place, "an empty message")
        return
    if found.get("img_url"):
        yield LeftOut(place, "a picture or another file within a message")
    speaker = label(found.get("speaker"))
    role = "assistant" if speaker is not None and speaker == wishes.character else "user"
    own = label(found.get("dia_id"))
    conversation = wishes.conversation or f"locomo {name}"
    said = given(
        conversation=conversation, role=role, content=text, speaker=speaker, at=at,
        id=f"{conversation} {own}"[:256] if own else None,
    )  # fmt: skip
    yield Said(place, said, len(text))
