"""One conversation played through the daemon: said, slept over, asked about, and left to fade.

Called by the demo with a client of a daemon on a simulated clock. It moves the clock, makes the calls and
gives the replies to the stage. Invariant: everything shown was measured here or answered by the daemon.
"""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from soulmem.cli.demo.demo_output import Stage
from soulmem.cli.demo.event_witness import Witness
from soulmem.cli.demo.memory_biography import OneMemory
from soulmem.cli.demo.recall_set import QUIET, Line, Talk
from soulmem.cli.output.tables import duration, iso, parse_time, plural
from soulmem.client import Client

EVENTS = ("state_changed", "step_finished", "summary_rolled")
_STEPS = ("flush", "freeze", "summarise", "split", "link", "reconcile", "reflect", "merge", "replay", "sweep")

_SILENCE_DAYS = (1, 3, 7, 14, 30, 60, 120, 240)
_FOLLOWED = 7  # links whose fading is shown
_MOST_NOTES = 5
_MOST_LINKS = 4
_MOST_HOT = 3
_MOST_ANSWERS = 16
_K = 10
_ADVANCE_S = 300.0  # a digestion of a long talk may take its time
_SUMMARY_S = 5.0


class Tally:
    """What one talk came to, for the last line of the demo."""

    def __init__(self) -> None:
        self.messages = 0
        self.notes = 0
        self.links = 0
        self.found = 0
        self.asked = 0
        self.found_later = 0
        self.forgotten_links = 0
        self.silent_days = 0.0
        self.ack_ms: list[float] = []
        self.recall_ms: list[float] = []


class Performance:
    """Plays one talk into a mind of its own."""

    def __init__(self, client: Client, witness: Witness, stage: Stage, talk: Talk) -> None:
        self.client = client
        self.witness = witness
        self.stage = stage
        self.talk = talk
        self.mind = re.sub(r"[^a-z0-9_-]+", "-", talk.name.lower()).strip("-_")[:64] or "demo"
        self.tally = Tally()
        self.now: datetime = talk.lines[0].at
        self._texts: dict[str, str] = {}
        self._ties: dict[str, float] = {}
        self._jobs: set[str] = set()
        self._said: dict[str, list[str]] = {}
        self._before_silence: list[dict[str, Any]] = []

    def play(self) -> Tally:
        """Play everything, from the first message to the last question."""
        settings = {"title": " & ".join(self.talk.speakers)[:80] or self.talk.id, "language": self.talk.language}
        self.client.call("mind.create", {"mind": self.mind, **{name: to for name, to in settings.items() if to}})
        for sitting in self.talk.sittings():
            self._sit(sitting)
            self._rest()
        self._ask()
        self._fade()
        scene = OneMemory(self.client, self.stage, self.mind, self.talk.language, self._advance_days)
        scene.play(self._before_silence)
        return self.tally

    def _sit(self, sitting: tuple[Line, ...]) -> None:
        first, last = sitting[0], sitting[-1]
        self._advance_to(first.at)
        length = duration((last.at - first.at).total_seconds())
        self.stage.scene(f"{first.at:%a %d %b %Y, %H:%M} · {plural(len(sitting), 'message')} in {length}")
        self.stage.say("says", self.stage.quote(first.speaker, first.content), "dim")
        asked = max((line for line in sitting if line.role == "user"), key=lambda line: len(line.content), default=None)
        kept_ms: list[float] = []
        for line in sitting:
            self._advance_to(line.at)
            if line is asked:
                self._show_recall(line)
            reply, took_ms = self._hand_over(line)
            if line.role != "user":
                kept_ms.append(took_ms)
            if reply.get("jobs"):
                self._show_summary(line, reply)
        window = reply["window"]
        self.stage.say("window", self.stage.window(window["size"], window["capacity"]))
        if kept_ms:
            self.tally.ack_ms += kept_ms
            self.stage.say("kept", f"each message safe on disk in {statistics.median(kept_ms):.1f} ms (median)", "dim")

    def _hand_over(self, line: Line) -> tuple[dict[str, Any], float]:
        message = {
            "mind": self.mind,
            "conversation": line.conversation,
            "role": line.role,
            "content": line.content,
            "at": iso(line.at),
            "id": line.id,
            **({"speaker": line.speaker} if line.speaker else {}),
            **({"recall": True} if line.role == "user" else {}),
        }
        self._said.setdefault(line.conversation, []).append(line.content)
        started = time.perf_counter()
        reply = self.client.call("message.add", message)
        took_ms = (time.perf_counter() - started) * 1000
        self.tally.messages += 1
        return reply, took_ms

    def _show_recall(self, line: Line) -> None:
        """Show what a message brings to mind, just before it is said; looking leaves no trace."""
        found = self.client.call("recall", {"mind": self.mind, "query": line.content, "k": 3, "record": False})
        if not found["items"]:
            return
        self.tally.recall_ms.append(float(found["elapsed_ms"]))
        self.stage.say("recall", self.stage.quote(line.speaker, line.content))
        self.stage.thoughts(found["items"])

    def _show_summary(self, line: Line, reply: Mapping[str, Any]) -> None:
        """Show that a marked message slid out, and the summary that this set off."""
        said, held = self._said[line.conversation], int(reply["window"]["size"])
        if len(said) > held:
            left = self.stage.short(said[-held - 1], 70)
            self.stage.say("slid out", f"“{left}” left the full window with its mark: time to summarise")
        self._show_rolled(at_least=1)
        context = self.client.call("context.get", {"mind": self.mind, "conversation": line.conversation})
        text = " ".join(block["text"] for block in context.get("blocks", ()) if block["kind"] == "summary")
        if text:
            self.stage.say("", self.stage.short(text, 420), "italic")

    def _show_rolled(self, at_least: int = 0) -> None:
        for event in self.witness.take("summary_rolled", at_least=at_least, within_s=_SUMMARY_S):
            took = f"{plural(int(event['count']), 'message')} rolled into it in {event['ms']:.0f} ms"
            self.stage.say("summary", f"version {event['version']}: {took}, {event['tokens']} tokens now")

    def _rest(self) -> None:
        """Let it fall quiet, and show what the mind makes of what it heard."""
        self._advance(QUIET + timedelta(seconds=1))
        jobs = [job for job in self._all("job.list") if str(job["id"]) not in self._jobs]
        self._jobs |= {str(job["id"]) for job in jobs}
        for event in self.witness.take("state_changed"):
            if event.get("machine") == "mind" and event.get("after") == "idle":
                self.stage.say("quiet", f"ten minutes of silence: {event.get('before')} → {event.get('after')}")
        self._show_rolled()
        digested = [job for job in jobs if job.get("step") in _STEPS]
        while digested and digested[0]["step"] != _STEPS[0]:
            digested.pop(0)  # sweeps of the silent days before
        # on a simulated clock a job begins and ends at one moment; its event says how long it really took
        took = {str(event.get("job")): event.get("ms") for event in self.witness.take("step_finished", at_least=1)}
        self.stage.steps(digested, [took.get(str(job["id"])) for job in digested])
        self._show_hot(jobs)
        known = set(self._texts)
        notes = self._all("note.list")
        self._texts |= {str(note["id"]): str(note.get("text", "")) for note in notes}
        made = [note for note in notes if str(note["id"]) not in known]
        ties = self._all("link.list")
        tied = [tie for tie in ties if str(tie["id"]) not in self._ties]
        self._ties |= {str(tie["id"]): float(tie["strength"]) for tie in ties}
        self.tally.notes, self.tally.links = len(notes), len(ties)
        if made:
            self.stage.say("notes", f"{len(made)} new, {len(notes)} in all")
            self.stage.notes(sorted(made, key=lambda note: -float(note["importance"])), _MOST_NOTES)
        if tied:
            self.stage.say("links", f"{len(tied)} new, {len(ties)} in all")
            self.stage.links(tied, self._texts, _MOST_LINKS)

    def _show_hot(self, jobs: list[dict[str, Any]]) -> None:
        """Show which notes were recalled most while it was awake: what new notes get linked to."""
        for job in jobs:
            result = job.get("result")
            if job.get("step") == "link" and isinstance(result, Mapping) and result.get("hot"):
                rows = [(int(n), float(f) * 60, self._texts.get(str(note), str(note))) for note, n, f in result["hot"]]
                self.stage.say("recalled", "what came to mind most while it was awake")
                self.stage.hot(rows[:_MOST_HOT])

    def _ask(self) -> None:
        if not self.talk.questions:
            return
        self.stage.scene(f"{plural(len(self.talk.questions), 'question')}, answered from memory alone")
        rows, milliseconds = self._answers()
        self.stage.answers(rows, _MOST_ANSWERS)
        self.tally.asked = len(rows)
        self.tally.found = sum(place is not None for _, place, _, _ in rows)
        self.tally.recall_ms += milliseconds
        self.stage.say(
            "found",
            f"the evidence of {self.tally.found} of {len(rows)} questions within the first {_K} messages, "
            f"{statistics.median(milliseconds):.1f} ms a recall (median)",
            "bold",
        )

    def _answers(self) -> tuple[list[tuple[str, int | None, str, str]], list[float]]:
        """Ask every question; the place is that of the first piece of evidence among distinct messages."""
        rows, milliseconds = [], []
        for question in self.talk.questions:
            found = self.client.call("recall", {"mind": self.mind, "query": question.text, "k": _K, "record": False})
            milliseconds.append(float(found["elapsed_ms"]))
            place, shown = evidence(found["items"], question.gold)
            rows.append((question.text, place, shown, question.answer))
        return rows, milliseconds

    def _fade(self) -> None:
        """Let silent days pass and show links weaken, die, and notes that nothing holds go with them."""
        self._before_silence = self._all("note.list")
        ties = {str(tie["id"]): tie for tie in self._all("link.list")}
        if not ties:
            return
        self.stage.scene("nobody comes back: links fade")
        ranked = sorted(ties.values(), key=lambda tie: str(tie.get("dies_at")))
        step = max(1, (len(ranked) - 1) // (_FOLLOWED - 1)) if len(ranked) > 1 else 1
        followed = [*ranked[::step][: _FOLLOWED - 1], ranked[-1]] if len(ranked) > _FOLLOWED else ranked
        days: list[float] = [0]
        strengths = [{name: float(tie["strength"]) for name, tie in ties.items()}]
        alive = [(len(ties), len(self._texts))]
        start = self.now
        for day in _SILENCE_DAYS:
            self._advance(start + timedelta(days=day) - self.now)
            left = {str(tie["id"]): float(tie["strength"]) for tie in self._all("link.list")}
            days.append(day)
            strengths.append(left)
            alive.append((len(left), len(self._all("note.list"))))
            if not left:
                break
        rows = [
            (self.stage.pair(tie, self._texts, 22), [at.get(str(tie["id"])) for at in strengths]) for tie in followed
        ]
        self.stage.fading(days, rows, alive)
        self.tally.silent_days = days[-1]
        self.tally.forgotten_links = len(ties) - len(strengths[-1])
        self.stage.say(
            "faded",
            f"{self.tally.forgotten_links} of {len(ties)} links forgotten, {alive[0][1] - alive[-1][1]} of "
            f"{alive[0][1]} notes with them. Silence beyond three days passes at a tenth of its pace, "
            "so that a friend who stays away is not a stranger.",
        )
        self._ask_again()

    def _ask_again(self) -> None:
        """One last recall, and how many questions can still be answered."""
        if not self.talk.questions:
            return
        rows, _ = self._answers()
        self.tally.found_later = sum(place is not None for _, place, _, _ in rows)
        jokes = [question for question in self.talk.questions if question.category == "joke"]
        last = (jokes or list(self.talk.questions))[0]
        found = self.client.call("recall", {"mind": self.mind, "query": last.text, "k": 2, "record": False})
        self.stage.say("recall", last.text)
        self.stage.thoughts(found["items"])
        self.stage.say(
            "later",
            f"the evidence of {self.tally.found_later} of {len(rows)} after {self.tally.silent_days:g} days",
            "bold",
        )

    def _advance_days(self, days: float) -> None:
        self._advance(timedelta(days=days))

    def _advance_to(self, moment: datetime) -> None:
        self._advance(moment - self.now)

    def _advance(self, span: timedelta) -> None:
        """Move the simulated clock; the reply comes when the idle work this caused is done."""
        seconds = span.total_seconds()
        if seconds > 0:
            result = self.client.call("clock.advance", {"seconds": seconds}, timeout=_ADVANCE_S)
            self.now = parse_time(result.get("now")) or self.now + span

    def _all(self, method: str) -> list[dict[str, Any]]:
        return list(self.client.items(method, {"mind": self.mind}))


def evidence(items: Sequence[Mapping[str, Any]], gold: Collection[str]) -> tuple[int | None, str]:
    """(place of the first piece of evidence among the first ten distinct messages behind the items, text that has it).

    A note may quote one message several times; it counts once.
    """
    behind: dict[str, None] = {}
    shown = ""
    for item in items:
        ids = [str(source.get("id") or source.get("seq")) for source in item.get("sources", ())]
        if not shown and any(name in gold for name in ids):
            shown = str(item.get("text", ""))
        behind |= dict.fromkeys(ids)
    places = (place for place, name in enumerate(list(behind)[:_K], 1) if name in gold)
    return next(places, None), shown
