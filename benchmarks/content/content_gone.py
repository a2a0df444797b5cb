"""Is what was deleted gone: from the answer of every method that reads, and from every byte of the state directory.

Called by `content`, at once after a deletion, at the end of a life, and when its daemon has stopped. The methods are
those that `system.describe` lists with the right to read, so one that is new is looked at as well. Backups are left
out: they keep what was, and say so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.content.content_data import Deletion, Line
from benchmarks.content.content_keys import normal
from benchmarks.content.content_measures import Measuring
from benchmarks.content.content_telling import Told

_UNASKED = frozenset({"events.watch", "system.describe", "system.hello", "system.ping"})
_NO_TEXT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)|[a-z]{1,2}\d+|[0-9a-f]{16,}")
_FEW = 40  # of notes that are read one by one, the latest


class Deleting:
    """The deletions of one life."""

    def __init__(self, telling: Told, measuring: Measuring) -> None:
        self._told, self._measuring = telling, measuring
        self._once: dict[str, list[str]] = {}
        self._after: dict[str, list[str]] = {}

    def delete(self, deletion: Deletion, conversation: str) -> None:
        """Recall it, delete it, and see who still says it."""
        failures = []
        self._told.call("recall", query=deletion.question)  # recorded: what was recalled is to go as well
        if deletion.purge:
            wanted = {normal(secret) for secret in deletion.secrets}
            for note in self._told.notes("active", "forgotten"):
                told = normal(str(note["text"]))
                if any(each in told for each in wanted) and self._told.call("note.purge", id=note["id"]) is None:
                    failures.append("note.purge refused")
        message = self._told.life.statements[deletion.of].message
        if self._told.call("message.delete", conversation=conversation, id=message) is None:
            failures.append("message.delete refused")
        self._once[deletion.of] = failures + self._seen_by(deletion)

    def rested(self, deletion: Deletion) -> None:
        """After the mind has slept."""
        self._after[deletion.of] = self._seen_by(deletion)

    def stopped(self, deletion: Deletion, state: Path) -> None:
        """After the daemon has ended: look at its files, and count all that was seen."""
        once, after = self._once[deletion.of], self._after[deletion.of]
        bytes_in = [path for secret in deletion.secrets for path in files_with(state, secret)]
        failed = [each for each in once if "refused" in each]
        seen = f"{deletion.question}: at once {once}, after {after}, files {sorted(set(bytes_in))}"
        count = self._measuring.count
        count("deleted.once", deletion.of, not once, seen)
        count("deleted.methods", deletion.of, not after, seen)
        count("deleted.bytes", deletion.of, not bytes_in, seen)
        count("deleted", deletion.of, not (once or after or bytes_in or failed), seen)

    def _seen_by(self, deletion: Deletion) -> list[str]:
        """The methods in whose answers a secret stands."""
        wanted = [_as_itself(secret) for secret in deletion.secrets]
        found = {
            method
            for method, answer in self._answers(deletion.question)
            if any(secret.search(answer) for secret in wanted)
        }  # fmt: skip
        return sorted(found)

    def _answers(self, question: str) -> Iterator[tuple[str, str]]:
        described = self._told.client.call("system.describe", {})["methods"]
        notes = [note["id"] for note in self._told.notes("active", "forgotten")][-_FEW:]
        for method, facts in described.items():
            if method in _UNASKED or facts.get("rights") != "read":
                continue
            for params in _ways(method, facts, question, notes):
                try:
                    answer = self._told.client.call(method, params | self._mind(facts))
                except Exception as error:  # whatever it says is an answer
                    answer = {"error": str(error)}
                yield method, normal(" ¦ ".join(_texts(answer)))

    def _mind(self, facts: dict[str, Any]) -> dict[str, Any]:
        named = "mind" in facts.get("params", {}).get("properties", {})
        return {"mind": self._told.life.mind} if named else {}


def _texts(answer: Any) -> Iterator[str]:
    """What an answer says in words: a count, a score, a moment or an id with the digits of a PIN tells nobody it."""
    if isinstance(answer, str):
        if not _NO_TEXT.fullmatch(answer):
            yield answer
    elif isinstance(answer, dict):
        for name, value in answer.items():
            yield str(name)
            yield from _texts(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from _texts(value)


def _as_itself(secret: str) -> re.Pattern[str]:
    """A secret, not as part of a longer number or word: the decimals of a score say nothing of a PIN."""
    wanted = normal(secret)
    before = r"(?<![a-z\d.])" if wanted[:1].isdigit() else r"(?<![a-z])" if wanted[:1].isascii() else ""
    after = r"(?![\d.]\d|\d)" if wanted[-1:].isdigit() else ""
    return re.compile(before + re.escape(wanted) + after)


def _ways(method: str, facts: dict[str, Any], question: str, notes: list[str]) -> Iterator[dict[str, Any]]:
    """The parameters with which a method is asked, the mind apart."""
    params = facts.get("params", {})
    known, required = params.get("properties", {}), set(params.get("required", ())) - {"mind"}
    base: dict[str, Any] = {"limit": 500} if "limit" in known else {}
    if method == "recall":
        yield {"query": question, "k": 100, "record": False, "explain": True}
        yield {"query": question, "k": 100, "record": False, "depth": "deep"}
        yield {"query": question, "k": 50, "record": False, "ranking": "stream"}
    elif method == "context.get":
        yield {"query": question, "conversation": "main", "max_tokens": 20_000}
        yield {"conversation": "main", "max_tokens": 20_000}
    elif "state" in known:
        for state in _choices(known["state"]):
            yield base | {"state": state}
    elif "id" in required or "note" in required:
        name = "id" if "id" in required else "note"
        for note in notes:
            yield base | {name: note}
    else:
        yield base | ({"query": question} if "query" in required else {})


def _choices(shape: dict[str, Any]) -> list[str]:
    return list(shape.get("enum") or ("active", "forgotten"))


def files_with(state: Path, secret: str) -> list[str]:
    """The files in which a secret stands, as UTF-8, as UTF-16 or escaped as JSON does it; capitals or not."""
    forms = set()
    for spelt in {secret, secret.lower(), secret.upper(), secret.title()}:
        forms |= {
            spelt.encode(),
            spelt.encode("utf-16-le"),
            spelt.encode("utf-16-be"),
            json.dumps(spelt)[1:-1].encode(),
        }
    found = []
    for path in sorted(state.rglob("*")):
        inside = path.relative_to(state)
        if path.is_file() and not any("backup" in part.lower() for part in inside.parts):
            content = path.read_bytes()
            if any(_stands_in(form, content) for form in forms):
                found.append(str(inside))
    return found


def _stands_in(form: bytes, content: bytes) -> bool:
    """Whether bytes stand in a file; of figures not as a part of a longer number, as the decimals of a strength are."""
    if not form.isdigit():
        return form in content
    return re.search(rb"(?<![0-9.])" + form + rb"(?![0-9])", content) is not None


def check_secrets(lines: list[Line], deletions: list[Deletion], messages: dict[str, str]) -> list[str]:
    """Secrets that other messages hold as well, which no deletion could remove: a defect of the data."""
    return [
        f"{deletion.of}: {secret}"
        for deletion in deletions
        for secret in deletion.secrets
        for line in lines
        if line.message != messages[deletion.of] and normal(secret) in normal(line.text)
    ]
