"""One memory of the conversation, watched as it fades, is recalled and becomes another.

The demo's last scene. The memory gets a mind of its own on a plain calendar, so that nothing else keeps it awake. When
it has gaps it is recalled, and the demo takes the part that a language model has otherwise: it fills the gaps, with
words from the other memories of the same talk, as people do. Invariant: every wording that is shown came from the
daemon.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from soulmem.cli.commands.timeline import bar
from soulmem.cli.demo.demo_output import Stage
from soulmem.client import Client

_BEFORE_DAYS = (2, 4, 6)
_AFTER_DAYS = (8, 11, 14, 21, 30, 60)
_LEAST_DETAILS = 2
_LONGEST = 150  # characters that fit beside the bar in two lines
_MASKED = frozenset({"blurred", "blank"})

Note = dict[str, Any]


class OneMemory:
    """Plays the scene.

    `advance`: moves the clock on by so many days.
    """

    def __init__(
        self, client: Client, stage: Stage, mind: str, language: str, advance: Callable[[float], None]
    ) -> None:
        self._client = client
        self._stage = stage
        self._mind = f"{mind[:50]}-one"
        self._language = language
        self._advance = advance
        self._day = 0.0
        self._shown = ""
        self._id = ""

    def play(self, notes: Sequence[Note]) -> None:
        """Watch the memory with the most details among these notes; without any there is no scene."""
        chosen = chosen_of(notes)
        if chosen is None:
            return
        self._stage.scene("one memory, as it fades and as it is recalled")
        settings = {"forgetting.clock": "wall", "forgetting.deletes": False}  # alone, it would soon be forgotten
        about = {"mind": self._mind, "profile": "companion", "settings": settings}
        self._client.call("mind.create", about | ({"language": self._language} if self._language else {}))
        given = {"kind": "episodic", "text": chosen["text"], "importance": chosen["importance"], "at": chosen["at"]}
        self._id = str(self._client.call("note.add", {"mind": self._mind, **given})["id"])
        self._show()
        for day in _BEFORE_DAYS:
            self._wait(day)
            self._show()
        self._recall(str(chosen["text"]), vocabulary(notes))
        for day in _AFTER_DAYS:
            self._wait(day)
            self._show()
        self._tell_of_the_first()

    def _wait(self, day: float) -> None:
        self._advance(day - self._day)
        self._day = day

    def _note(self) -> Note:
        note: Note = self._client.call("note.get", {"mind": self._mind, "id": self._id})["note"]
        return note

    def _show(self) -> None:
        """The memory as it shows on this day, if that is not how it showed before."""
        note = self._note()
        if note["rendered"] != self._shown:
            self._shown = str(note["rendered"])
            self._stage.say(f"day {self._day:g}", f"▕{bar(note)}▏ {self._shown}")

    def _recall(self, about: str, words: Mapping[str, Sequence[str]]) -> None:
        context = self._client.call("context.get", {"mind": self._mind, "query": about})
        faded = [each for block in context["blocks"] for each in block.get("faded") or () if each["id"] == self._id]
        if not faded:
            return
        fills = fills_for(faded[0]["segments"], words, about)
        if all(fill["text"] is None for fill in fills):
            return
        self._client.call(
            "note.reconstruct",
            {"mind": self._mind, "id": self._id, "version": faded[0]["version"], "fills": fills,
             "shown": faded[0]["shown"]},
        )  # fmt: skip
        said = ", ".join(f"“{fill['text']}”" if fill["text"] else "nothing" for fill in fills)
        self._stage.say(
            "recalled",
            f"the gaps are filled with what else is on its mind ({said}); from now on this is what it remembers. "
            "With a language model the character fills them itself.",
            "italic",
        )
        self._show()

    def _tell_of_the_first(self) -> None:
        """What was told is kept beside what is remembered."""
        versions = self._client.call("note.history", {"mind": self._mind, "id": self._id})["versions"]
        if versions:
            first = versions[0]
            self._stage.say("told once", f"“{first['text']}” is kept as version {first['version']}, and can come back")


def chosen_of(notes: Sequence[Note]) -> Note | None:
    """The note of most details, of several the most important, then the first; None if none has two."""
    fit = [note for note in notes if len(_details(note)) >= _LEAST_DETAILS and len(str(note["text"])) <= _LONGEST]
    fit = [note for note in fit if note["kind"] == "episodic" and not note["pinned"] and note["state"] == "clear"]
    return max(fit, key=lambda note: (len(_details(note)), note["importance"]), default=None)


def vocabulary(notes: Sequence[Note]) -> dict[str, list[str]]:
    """The words of details of all notes, by the gist that stands for them."""
    words: dict[str, list[str]] = {}
    for note in notes:
        for each in _details(note):
            quote = str(note["text"])[each["start"] : each["end"]]
            if quote not in words.setdefault(str(each["gist"]), []):
                words[str(each["gist"])].append(quote)
    return words


def fills_for(
    segments: Sequence[Mapping[str, Any]], words: Mapping[str, Sequence[str]], told: str
) -> list[dict[str, Any]]:
    """For each gap other words of the same gist that nearly fit, each used once; None where there are none.

    A gap without a gist takes any.

    `told`: what is not to be chosen from: words of the memory itself.
    """
    fills: list[dict[str, Any]] = []
    used: set[str] = set()
    for segment in segments:
        length = int(segment["length"])
        if segment["state"] not in _MASKED or not length:
            continue
        fit = [
            word
            for word in (words.get(segment["gist"], ()) if segment.get("gist") else chain.from_iterable(words.values()))
            if word not in told and word not in used and len(word) <= 2 * length and "xx" not in word
        ]
        best = min(fit, key=lambda word: abs(len(word) - length), default=None)
        used |= {best} if best else set()
        fills.append({"segment": int(segment["number"]), "text": best})
    return fills


def _details(note: Note) -> list[dict[str, Any]]:
    return [each for each in note.get("elements") or () if each["level"] == 2 and each["end"] > each["start"]]
