"""A note and an event as text for the screen; nothing that was told can paint or move it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rich.text import Text

_FRAME = ("event", "ts", "at", "seq", "level", "boot")
_COLOURS = {"warning": "yellow", "error": "red", "critical": "bold red"}
_FADED = {"blurred": "dim", "blank": "dim italic"}


def plain(value: object, *, lines: bool = False) -> str:
    """Text without control characters; with `lines` it keeps its line ends."""
    text = str(value)
    return "".join(each if each.isprintable() or (lines and each == "\n") else " " for each in text)


def moment(value: object) -> str:
    """An ISO time in local time, to the minute; what is coarser as it is."""
    if not isinstance(value, str) or len(value) <= len("2026-05-03"):
        return plain(value or "-")
    try:
        return datetime.fromisoformat(value).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return plain(value)


def wording(item: Mapping[str, Any]) -> str:
    """What a reader gets now: masked where it has faded."""
    return str(item.get("rendered") or item.get("text") or "")


def row(item: Mapping[str, Any]) -> tuple[Text, Text, Text]:
    """A note as a row of a list."""
    state = str(item.get("state", "-"))
    name = plain(item.get("id", "-")) + ("*" if item.get("pinned") else "")
    kind = Text(plain(item.get("kind", "-")), style="cyan")
    until = item.get("valid_to")
    held = (
        f"→{moment(until)[: len('2026-05-03')]} " if until is not None else ""
    )  # no word: it is read in two languages
    return Text(name), kind, Text(held + plain(wording(item)), style=_FADED.get(state, ""))


def request_item(request: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    """A request to forget that was not met as a row among the notes: which message asks, and why nothing went."""
    why = words["unmet_several"].format(count=request["meant"]) if request["meant"] else words["unmet_nothing"]
    name = f"{request['conversation']}/{request['id']}"
    return {"id": name, "kind": words["request"], "text": f"{moment(request['at'])} {words['unmet']}: {why}"}


def told(note: Mapping[str, Any], history: Mapping[str, Any], words: Mapping[str, str]) -> Text:
    """A note in full, with its sources and all that happened to it."""
    text = Text(plain(wording(note), lines=True) + "\n", style="bold")
    if wording(note) != note.get("text"):
        text.append(f"{words['as_told']}: {plain(note.get('text'), lines=True)}\n", style="dim")
    facts = [plain(note.get(name, "-")) for name in ("id", "kind", "state")]
    facts.append(words["version"].format(number=note.get("version", 1)))
    facts += [words["pinned"].format(note="").strip()] if note.get("pinned") else []
    text.append(f"\n{' · '.join(facts)}\n", style="cyan")
    text.append(f"{moment(note.get('at'))} ({words['noted']} {moment(note.get('created_at'))})\n")
    if tags := note.get("tags"):
        text.append("# " + plain(", ".join(map(str, tags))) + "\n")
    for number, source in enumerate(note.get("sources") or ()):
        text.append(f"\n{words['sources']}\n" if number == 0 else "", style="underline")
        name = source.get("id") or source.get("seq")
        text.append(f"{plain(source.get('conversation'))}/{plain(name)}: {plain(source.get('quote') or '')}\n")
    for number, (when, what) in enumerate(sorted(_happened(history, words))):
        text.append(f"\n{words['history']}\n" if number == 0 else "", style="underline")
        text.append(f"{moment(when)}  {what}\n")
    return text


def _happened(history: Mapping[str, Any], words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for each in history.get("history", ()):
        yield str(each.get("at")), plain(each.get("action", "-"))
    for each in history.get("versions", ()):
        said = words["version"].format(number=each.get("version"))
        yield str(each.get("replaced_at")), f"{said}: {plain(each.get('text', ''))}"


def event_line(event: Mapping[str, Any]) -> Text:
    """One event as one line: when, what, and its own fields."""
    fields = " ".join(
        f"{plain(name)}={plain(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))}"
        for name, value in event.items()
        if name not in _FRAME and value is not None
    )
    clock = moment(event.get("ts") or event.get("at"))[-len("00:00") :]
    name = plain(event.get("event", "?"))
    return Text(f"{clock}  {name:<20}  {fields}", style=_COLOURS.get(str(event.get("level")), ""))
