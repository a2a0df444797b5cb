"""What is said to minds and noted by them, in words, as it happens: for `soulmem watch --words`.

Events carry no words: each only says that there is something new, which is then asked for, from where the last answer
ended. So nothing is shown twice, and what came while events were lost is shown with the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from soulmem.cli.output.command_session import Session
from soulmem.cli.output.tables import one_line, paint, parse_time, plural

if TYPE_CHECKING:
    from soulmem.client import Client

_COUNTED = {  # events that tell only how many: what became of how many of what
    "messages_imported": ("imported", "message", "stored"),
    "message_deleted": ("deleted", "message", "count"),
    "note_updated": ("changed", "note", "count"),
    "note_forgotten": ("forgotten", "note", "count"),
    "note_restored": ("brought back", "note", "count"),
    "notes_withdrawn": ("taken back", "note", "count"),
}
_EVENTS = ("message_recorded", "message_changed", "note_created", "mind_deleted", *_COUNTED)
_PAGE = 100
Spoken = dict[str, Any]  # {"at", "what", "mind"} with the message, the note, or how many


def said_and_noted(session: Session, mind: str | None) -> Iterator[Spoken]:
    """Yield each message and note from now on, of one mind or of all, until the daemon goes."""
    with session.connect() as client:
        words = _Words(client)
        while True:  # a watcher that lags is dropped; it watches anew
            for event in client.watch(_EVENTS, mind=mind):
                for each in words.told_by(event):
                    yield {"at": event.get("ts"), **each}


class _Words:
    """How far each mind was read: its notes, and the messages of each conversation."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._notes: dict[str, str] = {}  # mind -> the id of its last note
        self._messages: dict[tuple[str, str], int] = {}

    def told_by(self, event: Mapping[str, Any]) -> Iterator[Spoken]:
        from soulmem.client import SoulmemRemoteError  # noqa: PLC0415 - only commands that talk pay for it

        mind = str(event.get("mind"))
        with suppress(SoulmemRemoteError):  # deleted or damaged meanwhile: there is nothing to show
            match event.get("event"):
                case "message_recorded":
                    yield from self._said(mind, str(event["conversation"]), int(event["message_seq"]))
                case "message_changed":
                    yield from self._changed(mind, str(event["conversation"]), int(event["message_seq"]))
                case "note_created":
                    yield from self._noted(mind, int(event["count"]))
                case "mind_deleted":
                    self._forget(mind)
                    yield {"what": "mind deleted", "mind": mind}
                case name if name in _COUNTED:
                    if name == "messages_imported":  # what was said long ago is not told anew
                        self._forget(mind)
                    what, noun, field = _COUNTED[name]
                    if count := int(event.get(field) or 0):
                        yield {"what": what, "mind": mind, "count": count, "of": noun}

    def _said(self, mind: str, conversation: str, seq: int) -> Iterator[Spoken]:
        after = str(self._messages.get((mind, conversation), seq - 1))
        wanted = {"mind": mind, "conversation": conversation, "cursor": after, "limit": _PAGE}
        for item in self._client.items("message.list", wanted):
            if item["seq"] > seq:  # it has an event of its own, or was imported
                return
            self._messages[mind, conversation] = int(item["seq"])
            yield {"what": "said", "mind": mind, "message": item}

    def _changed(self, mind: str, conversation: str, seq: int) -> Iterator[Spoken]:
        wanted = {"mind": mind, "conversation": conversation, "cursor": str(seq - 1), "limit": 1}
        for item in self._client.call("message.list", wanted)["items"]:
            if item["seq"] == seq:
                yield {"what": "changed", "mind": mind, "message": item}

    def _noted(self, mind: str, count: int) -> Iterator[Spoken]:
        known = self._notes.get(mind)
        if known is not None:
            items = list(self._client.items("note.list", {"mind": mind, "cursor": known, "limit": _PAGE}))
        else:
            latest = {"mind": mind, "order": "latest", "limit": min(count, _PAGE)}
            items = self._client.call("note.list", latest)["items"][::-1]
        for item in items:
            self._notes[mind] = str(item["id"])
            yield {"what": "noted", "mind": mind, "note": item}

    def _forget(self, mind: str) -> None:
        self._notes.pop(mind, None)
        for key in [each for each in self._messages if each[0] == mind]:
            del self._messages[key]


def spoken_line(spoken: Mapping[str, Any], *, names_mind: bool) -> str:
    """One of them as a line: when, to whom, and the words."""
    what = str(spoken["what"])
    item = spoken.get("message") or spoken.get("note") or {}
    moment = parse_time(spoken.get("at"))
    clock = moment.astimezone().strftime("%H:%M:%S") if moment else "--:--:--"
    where = f"{spoken['mind']}/{item['conversation']}" if names_mind and "conversation" in item else str(spoken["mind"])
    if not names_mind:
        where = str(item.get("conversation") or "")
    if "message" in spoken:
        now = " (changed)" if what == "changed" else ""
        told = f"{one_line(str(item['speaker'] or item['role']))}{now}: {one_line(str(item['content']))}"
    elif "note" in spoken:
        told = paint(f"noted {item['id']}: {one_line(str(item['rendered']))}", "cyan")
    elif "count" in spoken:
        told = paint(f"{plural(int(spoken['count']), str(spoken['of']))} {what}", "dim")
    else:
        told = paint(what, "dim")
    return "  ".join(part for part in (paint(clock, "dim"), one_line(where), told) if part)
