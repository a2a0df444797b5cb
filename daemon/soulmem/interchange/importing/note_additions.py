"""Notes and persona that come from a file, each once however often it is read.

A note knows by an attribute where it came from and what it said there. Invariants: what was changed in the mind and not
in the file stays as it is; a persona that is there is never replaced unasked.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from soulmem.client import Client, SoulmemRemoteError
from soulmem.interchange.importing.import_tally import Tally
from soulmem.interchange.records import IMPORTED, Noted, Persona
from soulmem.mem0.kept_metadata import NAME
from soulmem.mem0.wire_steps import OF_SCOPES

_PAGE = 500
_CALL_S = 60.0
_PERSONA_BYTES = 256 * 1024


class NoteAdditions:
    """Adds what is new, changes what says something else in the file by now, leaves the rest."""

    def __init__(self, client: Client, mind: str, tally: Tally, *, replace_persona: bool) -> None:
        self._client, self._mind, self._tally = client, mind, tally
        self._replace_persona = replace_persona
        self._known: dict[str, tuple[str, str]] | None = None  # by what it is called: its note, what it said

    def add(self, noted: Noted) -> None:
        if self._known is None:
            if "scope" in noted.note.get("attributes", {}).get(NAME, {}):
                self._make_of_scopes()
            self._known = self._listed()
        called, said = _digest(noted.source), _digest(json.dumps(noted.note, sort_keys=True))
        attributes = {**noted.note.get("attributes", {}), IMPORTED: {"from": called, "said": said}}
        note, known = {**noted.note, "attributes": attributes}, self._known.get(called)
        try:
            if known is None:
                key = f"import-{called}-{said}"
                made = self._client.call("note.add", {"mind": self._mind, **note, "key": key}, retry=True)
                self._known[called] = (made["id"], said)
                self._tally.notes += 1
            elif known[1] == said:
                self._tally.notes_known += 1
            else:
                changes: dict[str, Any] = {name: note[name] for name in ("text", "tags", "attributes") if name in note}
                self._client.call("note.update", {"mind": self._mind, "id": known[0], **changes}, retry=True)
                self._known[called] = (known[0], said)
                self._tally.notes_updated += 1
        except SoulmemRemoteError as error:
            if error.retryable or error.name in ("storage_full", "storage_readonly", "access_denied"):
                raise
            self._tally.refuse(noted.place, str(error.name), error.message)

    def become(self, persona: Persona) -> None:
        """Say who the character is, where nobody has said so yet."""
        text = persona.text.encode()[:_PERSONA_BYTES].decode("utf-8", "ignore")
        try:
            there = self._client.call("mind.get", {"mind": self._mind}, retry=True)["mind"]
        except SoulmemRemoteError as error:
            if error.name != "mind_not_found":
                raise
            self._client.call("mind.create", {"mind": self._mind, "persona": text, "title": persona.name})
            self._tally.persona = "set"
            return
        if there["persona"] == text:
            self._tally.persona = self._tally.persona or "known"
        elif there["persona"] and not self._replace_persona:
            self._tally.persona = "kept"
        else:
            title = {} if there["title"] else {"title": persona.name}
            self._client.call("mind.update", {"mind": self._mind, "persona": text, **title})
            self._tally.persona = "set"

    def _make_of_scopes(self) -> None:
        """Make the mind, if it is not there, as Mem0's classes do: what one scope was told no other knows."""
        try:
            self._client.call("mind.create", {"mind": self._mind, **OF_SCOPES})
        except SoulmemRemoteError as error:
            if error.name != "mind_exists":
                raise

    def _listed(self) -> dict[str, tuple[str, str]]:
        """The notes that came from files before, those that were forgotten since too."""
        found: dict[str, tuple[str, str]] = {}
        for state in ("forgotten", "active"):
            try:
                for note in self._client.items("note.list", {"mind": self._mind, "state": state}, timeout=_CALL_S):
                    mark = (note.get("attributes") or {}).get(IMPORTED)
                    if isinstance(mark, dict):
                        found[str(mark.get("from"))] = note["id"], str(mark.get("said"))
            except SoulmemRemoteError as error:
                if error.name != "mind_not_found":
                    raise
        return found


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
