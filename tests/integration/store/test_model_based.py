"""A daemon against a dictionary: whatever is said, changed, deleted, forgotten, slept over, jumped over, killed
and taken back to a backup.

Hypothesis makes up stories of calls; after each the daemon must hold what a dictionary holds that was told the same.
One mind keeps everything, one forgets by itself: of that what is pinned and what was said must be there.
"""

from __future__ import annotations

import copy
import json
import os
import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from checking import Checking, Json, Wire, checking
from daemon_fixture import Daemon, daemon_process
from soulmem.store.session import mind_backup, verify

START = "2026-03-01T08:00:00Z"
LONG = bool(os.environ.get("SOULMEM_TORTURE"))
STORIES, STEPS = (60, 60) if LONG else (3, 12)
HOUR, DAY = 3600, 86_400
KEEPS, FORGETS = "keeper", "dreamer"
MINDS = st.sampled_from([KEEPS, FORGETS])
CONVERSATIONS = st.sampled_from(["main", "tea 茶"])
WORDS = st.sampled_from(
    [
        "the lantern", "紫灯笼", "Ann loves tea", "小林喜欢喝茶", "we moved to Porto in May", "\u202eevil\u202c",
        "a\u0301\ufeff", "\U0001f468\u200d\U0001f469", "line\u2028two\nthree",
    ]
)  # fmt: skip


@dataclass
class Model:
    """What one mind must hold: messages by conversation and id, notes by id; "" for words that were deleted."""

    said: dict[str, dict[str, str]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    pinned: set[str] = field(default_factory=set)


class Story(RuleBasedStateMachine):
    """One daemon, killed and started at will."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="soulmem-model-"))
        self.models = {KEEPS: Model(), FORGETS: Model()}
        self.kept: dict[str, Model] | None = None  # as it was when the last backup was made
        self.starts = 0
        self.number = 0
        self.stack: ExitStack
        self.daemon: Daemon
        self.api: Checking

    @initialize()
    def begin(self) -> None:
        self._start(START)
        self.api.call("mind.create", mind=KEEPS, profile="assistant")
        self.api.call("mind.create", mind=FORGETS, settings={"forgetting.clock": "wall"})

    def teardown(self) -> None:
        if self.starts:
            try:
                self._agrees()
            finally:
                self.stack.close()
            for mind in self.models:
                path = self.daemon.state / "minds" / f"{mind}.db"
                assert verify.damages(path) == []
        shutil.rmtree(self.root, ignore_errors=True)

    def _start(self, *at: str) -> None:
        self.starts += 1
        self.stack = ExitStack()
        started = daemon_process(self.root, "--simulated-clock", *at, name=f"d{self.starts}")
        self.daemon = self.stack.enter_context(started)
        self.api = checking(self.daemon)

    def _text(self, words: str) -> str:
        """Words that nobody said before."""
        self.number += 1
        return f"{words} zq{self.number}x"

    # -- what clients do ------------------------------------------------------------------------------------

    @rule(mind=MINDS, conversation=CONVERSATIONS, words=WORDS, mark=st.sampled_from([None, "topic", "end"]))
    def say(self, mind: str, conversation: str, words: str, mark: str | None) -> None:
        text, name = self._text(words), f"c{self.number}"
        more = {} if mark is None else {"mark": mark}
        for _ in range(2):  # whoever lost the answer sends it again
            assert self.api.say(mind, text, conversation=conversation, id=name, **more)["id"] == name
        self.models[mind].said.setdefault(conversation, {})[name] = text

    @rule(mind=MINDS, words=WORDS, pinned=st.booleans())
    def write(self, mind: str, words: str, pinned: bool) -> None:
        text = self._text(words)
        key = f"k{self.number}"
        note = self.api.note(mind, text, pinned=pinned, key=key)
        assert self.api.note(mind, text, pinned=pinned, key=key) == note
        self.models[mind].notes[note] = text
        if pinned:
            self.models[mind].pinned.add(note)

    def _note(self, data: st.DataObject, mind: str) -> str | None:
        """A note that is there for certain."""
        model = self.models[mind]
        known = sorted(set(model.notes) - model.forgotten)
        if mind == FORGETS:
            known = [note for note in known if note in model.pinned]
        return data.draw(st.sampled_from(known)) if known else None

    @rule(data=st.data(), mind=MINDS, words=WORDS)
    def change(self, data: st.DataObject, mind: str, words: str) -> None:
        if (note := self._note(data, mind)) is not None:
            text = self._text(words)
            self.api.call("note.update", mind=mind, id=note, text=text)
            self.models[mind].notes[note] = text

    @rule(data=st.data(), mind=MINDS)
    def forget(self, data: st.DataObject, mind: str) -> None:
        if (note := self._note(data, mind)) is not None:
            self.api.call("note.forget", mind=mind, id=note)
            self.models[mind].forgotten.add(note)

    @rule(data=st.data(), mind=st.just(KEEPS))
    def restore(self, data: st.DataObject, mind: str) -> None:
        model = self.models[mind]
        listed = {note["id"] for note in self.api.notes(mind, state="forgotten")}
        if known := sorted(model.forgotten & listed):
            note = data.draw(st.sampled_from(known))
            self.api.call("note.restore", mind=mind, id=note)
            model.forgotten.discard(note)

    def _message(self, data: st.DataObject, mind: str) -> tuple[str, str] | None:
        said = self.models[mind].said
        known = [(home, name) for home, there in said.items() for name, text in there.items() if text]
        return data.draw(st.sampled_from(known)) if known else None

    @rule(data=st.data(), mind=MINDS, words=WORDS)
    def correct(self, data: st.DataObject, mind: str, words: str) -> None:
        if (message := self._message(data, mind)) is not None:
            text = self._text(words)
            self.api.call("message.update", mind=mind, conversation=message[0], id=message[1], content=text)
            self.models[mind].said[message[0]][message[1]] = text

    @rule(data=st.data(), mind=MINDS)
    def delete(self, data: st.DataObject, mind: str) -> None:
        if (message := self._message(data, mind)) is not None:
            self.api.call("message.delete", mind=mind, conversation=message[0], id=message[1])
            self.models[mind].said[message[0]][message[1]] = ""

    # -- what happens --------------------------------------------------------------------------------------

    @rule(mind=MINDS)
    def sleep(self, mind: str) -> None:
        self.api.call("idle.run", mind=mind)

    @rule(hours=st.sampled_from([0.1, 1, 30, 240]))
    def wait(self, hours: float) -> None:
        self.api.call("clock.advance", seconds=hours * HOUR)

    @rule(days=st.sampled_from([-3652, -2, 2, 3652]), stays_hours=st.sampled_from([0.1, 3, 24]))
    def be_wrong(self, days: float, stays_hours: float) -> None:
        """The clock leaps, and is put right after a while."""
        self.api.call("clock.jump", seconds=days * DAY)
        self.api.call("clock.advance", seconds=stays_hours * HOUR)
        self.api.call("clock.jump", seconds=-days * DAY)
        self.api.call("clock.advance", seconds=2 * HOUR)

    @rule()
    def restart(self) -> None:
        self.daemon.terminate()
        self.stack.close()
        self._start()

    @rule(mind=MINDS, words=WORDS)
    def die_saying(self, mind: str, words: str) -> None:
        """What nobody was answered is there once or not at all."""
        text, name = self._text(words), f"c{self.number}"
        params = {"mind": mind, "role": "user", "content": text, "id": name}
        with Wire(self.daemon) as wire:
            wire.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "message.add", "params": params}).encode())
            self.daemon.kill()
        self.stack.close()
        self._start()
        found = [item for item in self._listed(mind, "main") if item["id"] == name]
        assert len(found) <= 1
        if found:
            self.models[mind].said.setdefault("main", {})[name] = text

    @precondition(lambda self: any(model.said for model in self.models.values()))
    @rule(mind=MINDS)
    def die_asleep(self, mind: str) -> None:
        self.api.call("idle.run", mind=mind, wait=False)
        self.daemon.kill()
        self.stack.close()
        self._start()

    @rule()
    def keep(self) -> None:
        """A backup of all minds, beside the daemon that has them open."""
        (self.root / "kept").mkdir(exist_ok=True)
        for mind in self.models:
            mind_backup.save(self.daemon.state / "minds" / f"{mind}.db", self.root / "kept" / f"{mind}.db")
        self.kept = copy.deepcopy(self.models)

    @precondition(lambda self: self.kept is not None)
    @rule()
    def go_back(self) -> None:
        self.daemon.terminate()
        self.stack.close()
        shutil.rmtree(self.daemon.state / "minds")
        shutil.copytree(self.root / "kept", self.daemon.state / "minds")
        self.models = copy.deepcopy(self.kept or {})
        self._start()

    # -- what must be so -----------------------------------------------------------------------------------

    def _listed(self, mind: str, conversation: str) -> list[Json]:
        known = {line["mind"]: line["messages"] for line in self.api.call("system.status")["minds"]}
        if not known.get(mind) and conversation not in self.models[mind].said:
            return []
        return self.api.messages(mind, conversation)

    @invariant()
    def answers(self) -> None:
        if self.starts:
            assert self.api.call("system.ping")["now"]

    @rule()
    def look(self) -> None:
        self._agrees()

    def _agrees(self) -> None:
        for mind, model in self.models.items():
            for conversation, said in model.said.items():
                listed = {
                    each["id"]: "" if each.get("deleted") else each["content"]
                    for each in self._listed(mind, conversation)
                }
                assert listed == said
            notes = {note["id"]: note["text"] for note in self.api.notes(mind)}
            certain = {note: text for note, text in model.notes.items() if mind == KEEPS or note in model.pinned}
            for note, text in certain.items():
                assert (note in notes) != (note in model.forgotten), (mind, note, text)
                assert notes.get(note, text) == text
        self._is_found()

    def _is_found(self) -> None:
        model = self.models[KEEPS]
        for note, text in [*model.notes.items()][-3:]:
            mark = text.rpartition(" ")[2]
            items: list[dict[str, Any]] = self.api.found(KEEPS, mark, kinds=["note"], min_score=0, k=50)
            assert (note in {item["id"] for item in items}) == (note not in model.forgotten), (note, text, items)


@pytest.mark.timeout(3000)
def test_a_daemon_holds_what_a_dictionary_holds() -> None:
    Story.TestCase.settings = settings(
        max_examples=STORIES, stateful_step_count=STEPS, deadline=None, database=None, derandomize=not LONG,
        suppress_health_check=list(HealthCheck), print_blob=True,
    )  # fmt: skip
    Story.TestCase("runTest").runTest()
