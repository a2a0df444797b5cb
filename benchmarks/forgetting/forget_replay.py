"""A conversation lived through at its own pace: what is found, and what of it is left, when it ends and a year later.

Part of `forget`. One conversation of a recall set goes into three minds of one daemon on a simulated clock: a
companion, an assistant, and a companion with all forgetting switched off. Every message comes at its own time, so the
minds fall quiet and digest between the sittings as they would have done. Then every question is asked, after a day and
again after a year of silence: evidence recall@10, the share of gold messages among the first ten distinct ones behind
the items, in rank order. And every note made of a gold message is looked for: clear, blurred, blank, forgotten. The
assistant has to answer like the mind that cannot forget.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.recall.recall_scores import ADVERSARIAL, expanded
from daemon_fixture import daemon_process
from soulmem.client import Client

DAY_S = 86_400
CUT = 10
_DEPTH = 20  # items asked for: enough for ten distinct messages
UNFORGETTING = {"forgetting.blurs": False, "forgetting.deletes": False, "recall.digested_messages": True}
MINDS: dict[str, dict[str, Any]] = {
    "companion": {"profile": "companion"},
    "assistant": {"profile": "assistant"},
    "unforgetting": {"profile": "companion", "settings": UNFORGETTING},
}
STATES = ("clear", "blurred", "blank", "forgotten")


@dataclass(frozen=True, slots=True)
class Standing:
    """One mind at one moment: recall@10 by question, in order, and how the notes of the gold messages show."""

    mind: str
    when: str
    recalls: tuple[float, ...]
    rankings: tuple[tuple[str, ...], ...]
    evidence: Counter[str]

    @property
    def recall(self) -> float:
        return sum(self.recalls) / len(self.recalls) if self.recalls else 0.0

    def share(self, *states: str) -> float:
        """The share of the notes of gold messages that are in one of these states."""
        total = sum(self.evidence.values())
        return sum(self.evidence[state] for state in states) / total if total else 0.0


def beginning(talk: dict[str, Any], most: int | None) -> dict[str, Any]:
    """The first messages of a conversation object, and the questions whose evidence is all among them."""
    said = talk["messages"][:most]
    known = {message["id"] for message in said}
    return talk | {
        "messages": said,
        "questions": [each for each in talk["questions"] if known.issuperset(each["gold"])],
    }


def live(directory: Path, talk: dict[str, Any], *, embedder: str, say: Callable[[str], None]) -> list[Standing]:
    """Replay one conversation object of a recall set; both moments of each mind."""
    messages = sorted(talk["messages"], key=lambda message: dt.datetime.fromisoformat(message["at"]))
    questions = [each for each in talk["questions"] if str(each["category"]) != ADVERSARIAL and each["gold"]]
    now = dt.datetime.fromisoformat(messages[0]["at"])
    environment = {"SOULMEM_EMBEDDER_NAME": embedder, "SOULMEM_STRICT_EVENTS": ""}
    found: list[Standing] = []
    with daemon_process(directory, "--simulated-clock", now.isoformat(), env=environment) as daemon:
        client = daemon.client(timeout=3_600)
        for mind, options in MINDS.items():
            client.call("mind.create", {"mind": mind, **options})
        sources: dict[str, dict[str, set[str]]] = {mind: {} for mind in MINDS}
        sitting = messages[0]["conversation"]
        for number, message in enumerate(messages):
            at = dt.datetime.fromisoformat(message["at"])
            if at > now:
                client.call("clock.advance", {"seconds": (at - now).total_seconds()})
                now = at
            if message["conversation"] != sitting:
                sitting = message["conversation"]
                _remember(client, sources)
                say(f"  {now.date()}: {number} of {len(messages)} messages")
            fields = {name: message[name] for name in ("conversation", "role", "content", "speaker", "at", "id")}
            for mind in MINDS:
                client.call("message.add", {"mind": mind, **fields})
        for when, days in (("at the end", 1), ("a year later", 365)):
            client.call("clock.advance", {"seconds": days * DAY_S})
            for mind in MINDS:
                daemon.settle(mind, timeout=600)
            _remember(client, sources)
            for mind in MINDS:
                found.append(_ask(client, mind, when, questions, sources[mind]))
                say(f"  {mind} {when}: recall@{CUT} {found[-1].recall:.3f}")
    return found


def _remember(client: Client, sources: dict[str, dict[str, set[str]]]) -> None:
    """Write down of which messages the notes were made, before any is gone for good."""
    for mind, known in sources.items():
        for note in _notes(client, mind):
            known.setdefault(note["id"], set()).update(source["id"] for source in note["sources"])


def _notes(client: Client, mind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: dict[str, Any] = {}
    while True:
        page = client.call("note.list", {"mind": mind, "limit": 500, **cursor})
        found += page["items"]
        if page["next_cursor"] is None:
            return found
        cursor = {"cursor": page["next_cursor"]}


def _ask(
    client: Client, mind: str, when: str, questions: Sequence[dict[str, Any]], sources: dict[str, set[str]]
) -> Standing:
    rankings, recalls = [], []
    for question in questions:
        asked = {"mind": mind, "query": question["text"], "k": _DEPTH, "record": False}
        first = expanded(client.call("recall", asked)["items"])[:CUT]
        rankings.append(tuple(first))
        recalls.append(len(set(first) & set(question["gold"])) / len(set(question["gold"])))
    gold = {message for question in questions for message in question["gold"]}
    state = {note["id"]: note["state"] for note in _notes(client, mind)}
    evidence = Counter(state.get(note, "forgotten") for note, behind in sources.items() if behind & gold)
    return Standing(mind, when, tuple(recalls), tuple(rankings), evidence)
