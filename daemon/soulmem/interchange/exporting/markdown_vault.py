"""A mind as a folder of Markdown: a file for each note, with what is known about it before its words, and links.

Obsidian opens such a folder as it is. Invariants: nothing is written outside of the folder, whatever a note says; what
was changed there by hand is never overwritten or removed, and what the mind no longer has goes.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from soulmem.client import Client
from soulmem.interchange.exporting import mind_pages, private_files
from soulmem.interchange.records import IMPORTED

_BOOK = ".soulmem.json"  # which files are ours, and what stands in them
_PERSONA = "Persona"
_TITLE_CHARACTERS = 60
_SHOWN = ("kind", "at", "created_at", "speaker", "importance", "valence", "state", "pinned", "lifecycle", "version",
          "valid_from", "valid_to")  # fmt: skip

_FORBIDDEN = set('/\\:*?"<>|#^[]%`$')
_NAME_BYTES = 120
_DEVICES = {"con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in range(10))}


@dataclass(slots=True)
class Vault:
    """What became of the files."""

    written: int = 0
    unchanged: int = 0
    removed: int = 0
    by_hand: int = 0


def write(client: Client, mind: str, folder: Path, told: Callable[[int], None]) -> Vault:
    """Write all notes of a mind into a folder, in place of what was written there before.

    Raises OSError; SoulmemRemoteError.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    vault, before, after = Vault(), _read_book(folder), dict[str, str]()
    titles = {note["id"]: title_of(note) for note in mind_pages.notes(client, mind)}
    links = _links(client, mind)
    persona = client.call("mind.get", {"mind": mind}, retry=True)["mind"]["persona"]
    pages = _pages(client, mind, titles, links)
    for title, text in [*([(_PERSONA, persona)] if persona else []), *pages]:
        name = f"{title}.md"
        _put(folder, name, text, before, after, vault)
        told(vault.written + vault.unchanged)
    for name in before.keys() - after.keys():
        _remove(folder, name, before, after, vault)
    with private_files.written(folder / _BOOK) as stream:
        stream.write(json.dumps({"mind": mind, "files": after}, ensure_ascii=False, indent=0).encode())
    return vault


def title_of(note: Mapping[str, Any]) -> str:
    """What the file of a note is called: how it begins as it shows, and its id, so that no two are the same."""
    said = str(note["rendered"])[:_TITLE_CHARACTERS]
    return f"{safe_name(said, 'Note')} ({note['id']})"


def _links(client: Client, mind: str) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for link in mind_pages.pages(client, "link.list", mind=mind):
        found[link["src"]].append(link)
    return found


def _pages(
    client: Client, mind: str, titles: Mapping[str, str], links: Mapping[str, list[dict[str, Any]]]
) -> Iterator[tuple[str, str]]:
    for note in mind_pages.notes(client, mind):
        title = titles.get(note["id"])
        if title is not None:  # what came since has no title, and is in the next
            yield title, _page(note, titles, links.get(note["id"], []))


def _page(note: Mapping[str, Any], titles: Mapping[str, str], links: list[dict[str, Any]]) -> str:
    about = {"id": note["id"], **{name: note.get(name) for name in _SHOWN}}
    if note["tags"]:
        about["tags"] = ["-".join(tag.split()) for tag in note["tags"]]
    if note["sources"]:
        about["sources"] = [f"{each['conversation']} {each['seq']}" for each in note["sources"]]
    if kept := {name: value for name, value in note["attributes"].items() if name != IMPORTED}:
        about["attributes"] = kept
    # JSON is YAML, so no words of a note can end what stands before it
    lines = ["---", *(f"{name}: {_yaml(value)}" for name, value in about.items() if value is not None), "---", ""]
    lines += [str(note["text"]), ""]
    if note["rendered"] != note["text"]:
        lines += ["## As it shows", "", str(note["rendered"]), ""]
    told = [
        f"- {_plain(link['verb'] or link['kind'])}: [[{titles[link['dst']]}]] ({link['strength']:.2f})"
        for link in links
        if link["dst"] in titles
    ]
    if note.get("superseded_by") in titles:
        told.append(f"- superseded by: [[{titles[note['superseded_by']]}]]")
    if told:
        lines += ["## Links", "", *told, ""]
    return "\n".join(lines)


def _yaml(value: Any) -> str:
    told = json.dumps(value, ensure_ascii=False)
    return told.replace("\x85", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _plain(words: str) -> str:
    return safe_name(words, "link")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _read_book(folder: Path) -> dict[str, str]:
    """The files that were written here before, and what stood in them."""
    with suppress(OSError, ValueError):
        found = json.loads((folder / _BOOK).read_text("utf-8"))
        files = found.get("files") if isinstance(found, dict) else None
        if isinstance(files, dict):
            return {name: str(digest) for name, digest in files.items() if "/" not in name and name.endswith(".md")}
    return {}


def _there(path: Path) -> str | None:
    """What stands in a file now; None where there is none."""
    if path.is_symlink() or not path.is_file():
        return None
    return _digest(path.read_bytes())


def _put(folder: Path, name: str, text: str, before: dict[str, str], after: dict[str, str], vault: Vault) -> None:
    path, data = folder / name, text.encode()
    there = _there(path)
    if there is not None and there not in (before.get(name), _digest(data)):
        vault.by_hand += 1
        after[name] = before.get(name, "")
        return
    after[name] = _digest(data)
    if there == after[name]:
        vault.unchanged += 1
        return
    with private_files.written(path) as stream:
        stream.write(data)
    vault.written += 1


def _remove(folder: Path, name: str, before: dict[str, str], after: dict[str, str], vault: Vault) -> None:
    there = _there(folder / name)
    if there is not None and there != before[name]:
        vault.by_hand += 1
        after[name] = before[name]
    elif there is not None:
        (folder / name).unlink()
        vault.removed += 1


def safe_name(text: str, otherwise: str) -> str:
    """The begin of a text as the name of a file, without an ending, that is safe wherever it goes; else `otherwise`.

    What a system takes for a path, a pattern, a device or a link of its own is left out, and what cannot be seen.
    """
    shown = unicodedata.normalize("NFC", " ".join(text[:400].split()))
    kept = "".join(letter for letter in shown if letter not in _FORBIDDEN and letter.isprintable())
    cut = kept.encode()[:_NAME_BYTES].decode("utf-8", "ignore").strip(" .")
    if not cut or cut.split(".", 1)[0].strip().lower() in _DEVICES:
        return otherwise
    return cut
