"""A mind as one file of HTML: the page of `soulmem view` with what shows of the mind inside, and no daemon behind it.

Invariants: it holds what shows, never what has faded, nor the words of what was refused, which may tell the same; the
page in it loads and sends nothing, and runs no script but its own, whatever a note says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, BinaryIO

from soulmem.bridges.viewer.page_files import whole_page
from soulmem.client import Client, SoulmemRemoteError
from soulmem.interchange.exporting import mind_pages

Found = dict[str, Any]
_MOST_CURVES = 3_000  # notes that are drawn with their curves: the most important
_MOST_POINTS = 24  # of a curve
_MOST_NAMES = 60
_TOLD_OF_A_LINK = ("id", "src", "dst", "kind", "verb", "origin", "strength", "dies_at")
_TOLD_OF_A_NOTE = (
    "id", "kind", "rendered", "speaker", "state", "sources", "tags", "importance", "version", "pinned", "lifecycle",
    "at", "valid_from", "valid_to", "superseded_by", "reason", "forgotten_at", "purge_at",
)  # fmt: skip
_TOLD_OF_AN_ELEMENT = ("id", "level", "anchor", "opacity", "state", "blurs_at", "blanks_at")


def write(client: Client, mind: str, stream: BinaryIO, tell: Callable[[float], None]) -> int:
    """Write the page; how many notes are in it. `tell`: which part is done. Raises OSError; SoulmemRemoteError."""
    told = client.call("mind.get", {"mind": mind}, retry=True)["mind"]
    notes = [_note(note) for note in mind_pages.notes(client, mind)]
    tell(0.3)
    forgotten = [_note(note) for note in mind_pages.pages(client, "note.list", mind=mind, state="forgotten")]
    lost = client.call("note.list", {"mind": mind, "state": "forgotten", "limit": 1}, retry=True).get("purged") or []
    clear = {note["id"] for note in (*notes, *forgotten) if note["state"] == "clear"}
    links = [_link(link, clear) for link in mind_pages.pages(client, "link.list", mind=mind)]
    tell(0.5)
    data = {
        "mind": {name: told[name] for name in ("mind", "title", "profile", "language", "notes", "links")},
        "language": told["language"][:2] or None,
        "written_at": client.call("system.ping", {}, retry=True)["now"],
        "notes": notes,
        "forgotten": forgotten,
        "purged": lost,
        "links": links,
        "forecasts": _forecasts(client, mind, [*notes, *forgotten]),
        "profiles": _profiles(client, mind),
        "audit": _audit(client, mind),
        "costs": _costs(client, mind),
    }
    tell(0.9)
    stream.write(whole_page(data, told["title"] or mind).encode("utf-8", "replace"))
    return len(notes)


def _picked(names: Iterable[str], of: Mapping[str, Any]) -> Found:
    return {name: of[name] for name in names if of.get(name) is not None}


def _note(note: Mapping[str, Any]) -> Found:
    """What shows of a note; the places of its details in its words are no reader's business."""
    elements = [_picked(_TOLD_OF_AN_ELEMENT, each) for each in note["elements"]]
    return {**_picked(_TOLD_OF_A_NOTE, note), "text": note["rendered"], "elements": elements}


def _link(link: Mapping[str, Any], clear: set[str]) -> Found:
    """A link; its verb, which may repeat what has faded, only between notes that show whole."""
    found = _picked(_TOLD_OF_A_LINK, link)
    return found if {link["src"], link["dst"]} <= clear else found | {"verb": ""}


def _forecasts(client: Client, mind: str, notes: list[Found]) -> dict[str, Found]:
    wanted = sorted(notes, key=lambda note: (-note["importance"], note["id"]))[:_MOST_CURVES]
    calls = [("note.forecast", {"mind": mind, "id": note["id"]}) for note in wanted]
    answers = client.call_many(calls, errors="return", timeout=120.0)
    return {
        note["id"]: _thinned(answer)
        for note, answer in zip(wanted, answers, strict=True)
        if not isinstance(answer, SoulmemRemoteError)  # it went meanwhile
    }


def _thinned(forecast: Mapping[str, Any]) -> Found:
    """A forecast without links, and with fewer points of each curve."""
    elements = []
    for each in forecast["elements"]:
        points = each["points"]
        step = max(1, -(-len(points) // _MOST_POINTS))
        kept = points[::step] + ([points[-1]] if points and (len(points) - 1) % step else [])
        elements.append({**each, "points": [[round(day, 1), round(opacity, 3)] for day, opacity in kept]})
    told = _picked(("id", "state", "now", "days", "blur_below", "blank_below", "dies"), forecast)
    return told | {"elements": elements}


def _profiles(client: Client, mind: str) -> list[Found]:
    named = client.call("profile.list", {"mind": mind}, retry=True)["items"][:_MOST_NAMES]
    return [
        each | {"profile": client.call("profile.get", {"mind": mind, "name": each["name"]}, retry=True)}
        for each in named
    ]


def _audit(client: Client, mind: str) -> Found:
    """How much was refused for which reason."""
    page = client.call("audit.list", {"mind": mind, "limit": 1}, retry=True)
    return {"counts": page["counts"], "junk_rate": page["junk_rate"]}


def _costs(client: Client, mind: str) -> Found:
    pages = {
        by: client.call("ledger.get", {"mind": mind, "by": by, "limit": 1}, retry=True)
        for by in ("day", "task", "model")
    }
    return {by: page["totals"] for by, page in pages.items()} | {"today": pages["day"]["today"]}
