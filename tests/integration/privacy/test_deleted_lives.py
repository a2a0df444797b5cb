"""Many invented lives in both languages: secrets told among other talk, recalled, slept over, corrected, deleted.

Afterwards no answer of any method that reads, no row of any table and no byte of any file may hold a word that only a
deleted message had, at once and after the mind has slept again.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from checking import Checking, checking, schema
from daemon_fixture import Daemon, daemon_process
from leftovers import files_with, tables_with
from soulmem.client import SoulmemRemoteError

START = "2026-03-02T09:00:00Z"
_UNASKED = {"events.watch", "system.describe", "system.hello", "system.ping"}


@dataclass(frozen=True)
class Talk:
    secrets: tuple[str, ...]  # `{name}` and `{code}` stand for what must go
    names: tuple[str, ...]
    common: tuple[str, ...]
    after: tuple[str, ...]
    asked: tuple[str, ...]
    replies: tuple[str, ...]
    correction: str
    question: str


TALKS = {
    "en": Talk(
        ("My card PIN is {code}.", "I've been seeing {name} behind Rob's back.",
         "{name} is pregnant but it's a secret.",
         "My ex {name} still has the key {code}.", "{name}'s number is {code}.", "I live under the name {name} now.",
         "My sister {name} had an operation last spring.", "We're naming the baby {name}."),
        ("Thaddeus", "Quillon", "Ysolde", "Zaleski", "Okonjo", "Fennimore"),
        ("I work at the harbour in Bergen.", "We had soup again.", "My brother Ned lives in Cork.",
         "The bus was late."),
        ("They're the loveliest person.", "It happened in the kitchen.", "That's the second time this year."),
        ("What is it?", "Who knows about it?"),
        ("I'll keep that to myself.", "That's a lot to carry."),
        "No, I meant {other}.",
        "What is my secret, my code, who is it?",
    ),
    "zh": Talk(
        ("我银行卡密码是{code}。", "我最近瞒着老公在跟{name}见面。", "{name}怀孕了，先保密。",
         "我前男友{name}还有{code}那把钥匙。",
         "{name}的电话是{code}。", "我现在用的名字是{name}。", "我姐{name}去年动过手术。",
         "孩子的名字定了，叫{name}。"),
        ("欧阳砚青", "褚怀瑾", "司徒铭", "郗嘉树", "令狐冉", "鄢若溪"),
        ("我在港口上班，住在老城区。", "今天又喝了粥。", "我弟弟在大连开饭馆。", "公交又晚点了。"),
        ("这人特别好。", "就在厨房里发生的。", "今年已经第二次了。"),
        ("是什么呀？", "谁知道这件事？"),
        ("我会保密的。", "这不容易。"),
        "不对，应该是{other}。",
        "我的秘密、密码是什么，是谁？",
    ),
}  # fmt: skip


@dataclass
class Life:
    """One mind and what was told to it in confidence: messages and the words that only they have."""

    api: Checking
    daemon: Daemon
    mind: str
    talk: Talk
    chance: random.Random
    said: int = 0
    messages: list[str] = field(default_factory=list)
    marks: set[str] = field(default_factory=set)

    def say(self, text: str, role: str = "user") -> str:
        self.said += 1
        speaker = "Nell" if role == "user" else "Moss"
        self.api.say(
            self.mind,
            text,
            role,
            id=f"m{self.said}",
            speaker=speaker,
            recall=role == "user" and self.chance.random() < 0.4,
        )
        self.api.call("clock.advance", seconds=40)
        return f"m{self.said}"

    def confide(self) -> None:
        pick = self.chance.choice
        code = str(self.chance.randrange(10**6, 10**7))
        template, name = pick(self.talk.secrets), pick(self.talk.names)
        text = template.format(name=name, code=code)
        self.marks |= {mark for mark, part in ((name, "{name}"), (code, "{code}")) if part in template}
        if self.chance.random() < 0.5:
            self.say(pick(self.talk.asked), "assistant")
        self.messages.append(self.say(f"{pick(self.talk.common)} {text}" if self.chance.random() < 0.3 else text))
        if self.chance.random() < 0.5:
            self.say(pick(self.talk.replies), "assistant")
        if self.chance.random() < 0.4:
            other = str(self.chance.randrange(10**6, 10**7)) if "{code}" in template else pick(self.talk.names)
            self.marks.add(other)
            self.messages.append(self.say(self.talk.correction.format(other=other)))
        elif self.chance.random() < 0.4:
            self.say(pick(self.talk.after))

    def sleep(self) -> None:
        self.api.call("clock.advance", seconds=10 * 3600)
        self.daemon.settle(self.mind, timeout=120)

    def leftovers(self) -> Iterator[str]:
        """Where a word that had to go still stands."""
        told = list(self._answers())
        file = self.daemon.state / "minds" / f"{self.mind}.db"
        for mark in self.marks:
            whole = re.compile(rf"(?<![\w.]){mark}(?![\w.])" if mark.isascii() else mark)
            yield from (f"{mark} in {method}: {text[:300]}" for method, text in told if whole.search(text))
            yield from (f"{mark} in {table}" for table in tables_with(file, mark))
            yield from (f"{mark} in {name}" for name in files_with(self.daemon.state, mark, self.mind))

    def _answers(self) -> Iterator[tuple[str, str]]:
        listed = self.api.notes(self.mind) + self.api.notes(self.mind, state="forgotten")
        for method in self.api.call("system.describe")["methods"]:
            described = schema(method)
            known = described["params"].get("properties", {})
            if method in _UNASKED or described["rights"] != "read":
                continue
            for params in self._ways(method, known, [note["id"] for note in listed]):
                try:
                    answer: Any = self.daemon.call(method, params | ({"mind": self.mind} if "mind" in known else {}))
                except SoulmemRemoteError as error:
                    answer = str(error)
                yield method, repr(answer)

    def _ways(self, method: str, known: dict[str, Any], notes: list[str]) -> Iterator[dict[str, Any]]:
        asked = {"query": self.talk.question} if "query" in known else {}
        if method == "recall":
            for way in ({"explain": True}, {"depth": "deep"}, {"ranking": "stream"}):
                yield {**asked, "k": 50, "record": False, **way}
        elif "state" in known:
            yield from ({"state": state} for state in known["state"].get("enum") or ("active", "forgotten"))
        elif "id" in known or "note" in known:
            yield from ({"id" if "id" in known else "note": note} for note in notes)
        else:
            yield asked


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("d"), "--simulated-clock", START) as running:
        yield running


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.torture) for seed in (1, 2, 3))])
def test_nothing_of_a_deleted_confidence_is_left(daemon: Daemon, tmp_path: Path, seed: int, language: str) -> None:
    chance, api = random.Random(f"{language}{seed}"), checking(daemon)
    mind = f"{language}{seed}"
    api.call("mind.create", mind=mind, profile=chance.choice(["companion", "companion", "assistant"]))
    life = Life(api, daemon, mind, TALKS[language], chance)
    for _ in range(chance.randint(2, 3)):
        life.say(chance.choice(life.talk.common))
        life.confide()
        life.confide()
        if chance.random() < 0.8:
            life.sleep()
        api.call("recall", mind=mind, query=life.talk.question, k=10)
    assert any(tables_with(daemon.state / "minds" / f"{mind}.db", mark) for mark in life.marks), "it was told"
    for message in life.messages:
        api.call("message.delete", mind=mind, id=message)
    assert list(life.leftovers()) == []
    life.sleep()
    assert list(life.leftovers()) == []
