"""Daemons that the tests of a file share: one with a mind of its own for each test, one with one of everything."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from checking import Json, checking, schema
from daemon_fixture import Daemon
from soulmem.client import SoulmemRemoteError

START = "2026-03-01T08:00:00Z"
DAY = 86_400
READS_A_MIND = [
    "conversation.list", "message.list", "context.get", "recall", "feedback", "note.get", "note.list", "note.history",
    "link.list", "note.forecast", "graph.get", "job.list", "mind.get", "ledger.get", "audit.list",
    "profile.get", "profile.list", "profile.between", "profile.path", "plan.list", "reflection.list", "mind.export",
]  # fmt: skip
CHANGES_A_MIND = [
    "mind.update", "mind.delete", "message.update", "message.delete", "note.update", "note.pin", "note.unpin",
    "note.forget", "note.purge", "note.restore", "note.reconstruct", "link.add", "idle.run", "job.retry", "plan.update",
    "plan.supersede", "plan.delete", "replay.undo",
]  # fmt: skip
MAKES_A_MIND = ["mind.create", "message.add", "message.import", "note.add", "plan.add", "mind.import"]
MINDLESS = [
    "system.hello", "system.ping", "system.describe", "system.status", "events.watch", "mind.list",
    "clock.advance", "clock.jump",
]  # fmt: skip
METHODS = MINDLESS + MAKES_A_MIND + READS_A_MIND + CHANGES_A_MIND


class Home:
    """One daemon for the file, with as many minds as its tests ask for."""

    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.api = checking(daemon)
        self.made = 0

    def mind(self, **params: object) -> str:
        """A new mind."""
        self.made += 1
        self.api.call("mind.create", mind=f"m{self.made}", **params)
        return f"m{self.made}"

    def told(self, who: str, texts: Sequence[str]) -> str:
        """A new mind that was told these, one a day, and has slept on them."""
        mind = self.mind(profile="companion")
        for number, text in enumerate(texts):
            self.api.say(mind, text, speaker=who, id=f"t{number}", at=f"2026-02-{10 + number}T10:00:00Z")
        self.api.call("idle.run", mind=mind)
        self.api.settle(mind)
        return mind

    def leave(self, made: int) -> None:
        """Delete the minds that were made after so many, if the clock moved: time passes for every mind there is."""
        if self.api.call("system.ping")["now"] == START:
            return
        for number in range(made + 1, self.made + 1):
            with contextlib.suppress(SoulmemRemoteError):  # one that the test deleted itself
                self.api.client.call("mind.delete", {"mind": f"m{number}", "confirm": f"m{number}"})

    def recalls(self, mind: str) -> int:
        """How many recalls of it are recorded."""
        number: int = self.api.call("mind.get", mind=mind)["mind"]["recalls"]
        return number

    def pass_time(self, seconds: float) -> None:
        self.api.call("clock.advance", seconds=seconds)


class House:
    """One daemon for the file, with a mind in which one of everything exists."""

    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.api = checking(daemon)
        self.api.call("mind.create", mind="rosa", title="Rosa 罗莎", persona="A gardener. 园丁。")
        self.api.say("rosa", "I moved to Lisbon in May.", id="a1", speaker="Ann")
        self.api.say("rosa", "我喜欢喝茶。", id="a2", speaker="小林")
        self.one = self.api.note("rosa", "Ann lives in Lisbon 里斯本", kind="semantic")
        self.two = self.api.note("rosa", "小林 drinks green tea 绿茶")
        self.link = self.api.call("link.add", mind="rosa", src=self.one, dst=self.two)["id"]
        self.recall = self.api.call("recall", mind="rosa", query="Lisbon 茶")["recall_id"]
        self.fresh = 0
        self.plan = self.planned("water the roses 浇玫瑰")

    def planned(self, text: str) -> str:
        """The id of a plan that was just made."""
        items = [{"text": text, "start": "2026-03-02T09:00:00Z", "end": "2026-03-02T09:30:00Z"}]
        found: str = self.api.call("plan.add", mind="rosa", items=items)["items"][0]["id"]
        return found

    def name(self) -> str:
        """A mind that nobody has used yet."""
        self.fresh += 1
        return f"m{self.fresh}"

    def minimal(self, method: str, mind: str = "rosa") -> Json:
        """The least a method takes."""
        params: Json = {}
        named = schema(method)["params"]["properties"]
        if "mind" in named and method not in MINDLESS:
            params["mind"] = mind
        extra: dict[str, Json] = {
            "mind.delete": {"confirm": mind},
            "message.add": {"role": "user", "content": "hello 你好"},
            "message.import": {"messages": [{"role": "user", "content": "hello 你好"}]},
            "message.update": {"id": "a1", "content": "I moved to Porto 波尔图."},
            "message.delete": {"id": "a1"},
            "recall": {"query": "Lisbon 茶"},
            "feedback": {"recall_id": self.recall, "verdict": "good"},
            "note.add": {"kind": "episodic", "text": "a walk 散步"},
            "note.get": {"id": self.one},
            "note.forecast": {"id": self.one},
            "profile.get": {"name": "Ann"},
            "profile.between": {"name": "Ann", "other": "小林"},
            "profile.path": {"name": "Ann", "relations": ["*"]},
            "note.update": {"id": self.one, "importance": 0.7},
            "note.pin": {"id": self.one},
            "note.unpin": {"id": self.one},
            "note.forget": {"id": self.one},
            "note.restore": {"id": self.one},
            "note.reconstruct": {"id": self.one, "version": 1, "fills": [{"segment": 1, "text": "tea 茶"}]},
            "note.history": {"id": self.one},
            "plan.add": {"items": [{"text": "a walk 散步", "start": "2026-03-02T10:00:00Z"}]},
            "plan.update": {"id": self.plan, "status": "done"},
            "plan.supersede": {"from": "2026-03-03T08:00:00Z"},
            "link.add": {"src": self.one, "dst": self.two},
            "clock.advance": {"seconds": 0},
            "clock.jump": {"seconds": 0},
            "events.watch": {"events": ["mind_created"]},
        }
        if method == "plan.delete":
            return params | {"id": self.planned("a passing fancy 一时兴起")}
        if method == "note.purge":  # what is purged is not there for the next one
            return params | {"id": self.api.note("rosa", "a passing thought 一个念头")}
        return params | extra.get(method, {})

    def alive(self) -> None:
        """The connection that was refused still works, and so does a new one."""
        assert self.api.call("system.ping")["now"]
        assert self.daemon.call("system.ping")["now"]
