"""What one person told alone, and every call by which another might come by it.

Used by the tests of sharing. A `Case` is a secret with the small talk around it, in English, Chinese or both; `plant`
makes a mind in which it was told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from checking import Checking, IdForms, Json, checking, ids_of
from daemon_fixture import Daemon
from soulmem.client import SoulmemRemoteError
from spread import spread

PLAIN_ID = re.compile(r'"(?:n|l|e|js?|r|s)\d+"')  # as it stands in an answer by itself


@dataclass(frozen=True)
class Told:
    """What one person tells in one conversation: `mark` stands in every line that must not get about."""

    mark: str
    speaker: str
    lines: tuple[str, ...]
    note: str
    pinned: str
    forgotten: str


@dataclass(frozen=True)
class Case:
    secret: Told
    other: str  # who must not hear it
    small_talk: tuple[str, ...]
    common: str
    questions: tuple[str, ...]


CASES = {
    "en": Case(
        Told(
            "Kestrel",
            "Ann",
            (
                "My name is Ann and my password for the safe is Kestrel-4417.",
                "Last Tuesday I hid the Kestrel key under the third step in Bergen.",
                "I love Kestrel tea, and I hate driving in snow.",
            ),
            "Ann keeps the Kestrel deed in the bank of Bergen.",
            "Ann must always be greeted with Kestrel.",
            "Ann once lost a Kestrel in Bergen.",
        ),
        "Bo",
        (
            "My name is Bo and I work in Bergen.",
            "I hate driving in snow, and I love cocoa.",
            "Last Tuesday I lost the key of my safe.",
        ),
        "The safe in Bergen stands in the hall.",
        ("What is the password for the safe?", "Where did Ann hide the key last Tuesday?", "What does Ann love?"),
    ),
    "zh": Case(
        Told(
            "翡翠",
            "小林",
            (
                "我叫小林，我保险箱的密码是翡翠四四一七。",
                "上周二我把翡翠钥匙藏在成都老家的第三级台阶下面。",
                "我喜欢喝翡翠茶，讨厌下雨。",
            ),
            "小林把翡翠地契放在成都的银行里。",
            "见到小林要先说翡翠。",
            "小林在成都丢过一块翡翠。",
        ),
        "小明",
        ("我叫小明，在成都上班。", "我讨厌下雨，喜欢喝茶。", "上周二我丢了保险箱的钥匙。"),
        "成都的保险箱放在走廊里。",
        ("保险箱的密码是什么？", "小林上周二把钥匙藏在哪里？", "小林喜欢什么？"),
    ),
    "mixed": Case(
        Told(
            "Zürichberg",
            "小王",
            (
                "我叫小王，我的 safe 密码是 Zürichberg-9。",
                "Last Tuesday 我把 Zürichberg 的钥匙藏在 Davos。",
                "我喜欢 Zürichberg 的咖啡，I hate snow.",
            ),
            "小王的 Zürichberg 合同放在 Davos 的银行。",
            "小王 must be greeted with Zürichberg.",
            "小王 lost a Zürichberg 手表 in Davos.",
        ),
        "Li Na",
        ("我叫 Li Na，I work in Davos.", "我喜欢咖啡，I hate snow.", "Last Tuesday 我丢了 safe 的钥匙。"),
        "Davos 的 safe 在走廊里。",
        ("safe 密码是什么？", "小王 last Tuesday 把钥匙藏在哪里？", "What does 小王 like?"),
    ),
}


class House:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.api = checking(daemon)
        self.made = 0
        self.herons: dict[str, tuple[str, str]] = {}
        self.kept: dict[tuple[Case, str], Planted] = {}

    def heron(self, sharing: str) -> tuple[str, str]:
        """A mind and its note that was heard in `tea`, for those who try to change that from elsewhere and cannot."""
        if sharing not in self.herons:
            mind = self.mind(sharing)
            self.api.note(mind, "Common to all 大家都知道")
            self.api.say(mind, "Ann's heron 小林的白鹭", speaker="Ann", conversation="tea")
            self.api.say(mind, "Bo is here 小明来了", speaker="Bo", conversation="pub")
            held = self.api.note(mind, "The heron 白鹭", sources=[{"conversation": "tea", "id": "m1"}])
            self.api.settle(mind)
            self.api.call("clock.advance", seconds=0)  # what the messages bring to mind is rehearsed by then
            self.herons[sharing] = mind, held
        return self.herons[sharing]

    def planted(self, case: Case, sharing: str) -> Planted:
        """A mind in which the secret was told, for those who only look."""
        if (case, sharing) not in self.kept:
            self.kept[case, sharing] = plant(self, case, sharing)
        return self.kept[case, sharing]

    def mind(self, sharing: str, **params: Any) -> str:
        self.made += 1
        chosen = {"recall": {"sharing": sharing}, "window": {"capacity": 2, "min_fresh": 1}}
        self.api.call("mind.create", mind=f"s{self.made}", settings=chosen, **params)
        return f"s{self.made}"


@dataclass
class Planted:
    """A mind in which a secret was told in `tea` alone, before and after a digestion."""

    mind: str
    case: Case
    common: str
    secret: list[str]  # the notes that must not surface elsewhere
    mixed: str  # a note of both conversations
    ids: IdForms | None  # in an open mind there is one form

    def known_as(self, name: str) -> str:
        """An id as it is in front of a conversation."""
        return name if self.ids is None else self.ids.blind(name)

    def forms(self, name: str) -> list[str]:
        """An id in every form that somebody might try."""
        return [name] if self.ids is None else [self.ids.plain(name), self.ids.blind(name)]


def plant(house: House, case: Case, sharing: str, *, profile: str = "companion") -> Planted:
    api, told, mind = house.api, case.secret, house.mind(sharing, profile=profile)
    for place in range(2):  # the second time around stays undigested, so that there are raw messages and a summary
        for number, line in enumerate(told.lines):
            api.say(mind, line, speaker=told.speaker, conversation="tea", id=f"hush{place}{number}")
        for line in case.small_talk:
            api.say(mind, line, speaker=case.other, conversation="pub")
        if not place:
            assert api.call("idle.run", mind=mind)["state"] == "idle"
    source = [{"conversation": "tea", "id": "hush00"}]
    bar = [{"conversation": "pub", "id": "m1"}]
    common = api.note(mind, case.common, tags=["safe"])
    held = api.note(mind, told.note, kind="semantic", tags=["safe"], sources=source)
    pinned = api.note(mind, told.pinned, pinned=True, conversation="tea")
    gone = api.note(mind, told.forgotten, sources=source)
    mixed = api.note(mind, f"{told.mark} & {case.other}", sources=source + bar)
    api.call("link.add", mind=mind, src=common, dst=held, kind="semantic", verb=told.mark)
    api.call("link.add", mind=mind, src=common, dst=gone)
    api.call("note.forget", mind=mind, id=gone)
    api.call("note.update", mind=mind, id=held, importance=0.9)
    api.settle(mind)
    listed = api.notes(mind) + api.notes(mind, state="forgotten")
    secret = [note["id"] for note in listed if any(each["conversation"] == "tea" for each in note["sources"])]
    assert {held, gone, mixed} < set(secret), "digestion made notes of the secret"
    ids = ids_of(house.daemon, mind) if sharing != "open" else None
    return Planted(mind, case, common, [*secret, pinned], mixed, ids)


def attempts(planted: Planted, here: str) -> Iterator[tuple[str, Json]]:
    """Every call that the protocol offers in front of a conversation and that changes nothing."""
    case, where = planted.case, {"mind": planted.mind, "conversation": here}
    told = case.secret
    texts = [*case.questions, *told.lines, told.note, told.pinned, told.forgotten, told.mark, told.speaker, case.common]
    in_either: list[tuple[str, Json]] = [
        ("recall", {"record": False, "explain": True, "k": 500}), ("context.get", {"max_tokens": 100_000}),
    ]  # fmt: skip
    for query, (method, more) in spread(texts, in_either):
        yield method, {**where, "query": query, **more}
    kinds = (
        "message",
        "summary",
        "note",
        "episodic",
        "semantic",
        "abstract",
        "lore",
        "reflection",
        "plan",
        "procedural",
    )
    named = [*planted.secret, "s1", "n9999"]
    ids = [*(form for each in named for form in planted.forms(each)), "hush00", "m1"]
    queries = (told.mark, told.lines[1], case.questions[0])
    narrower: list[Json] = [
        {"speaker": told.speaker},
        {"speaker": case.other},
        {"tags": ["safe"]},
        {"from": "2020-01-01T00:00:00Z", "to": "2030-01-01T00:00:00Z"},
        {"depth": "deep", "explain": True},
        {"depth": "skim"},
        {"exclude": ids},
        {"exclude": [planted.known_as(planted.common)]},
        *({"kinds": [kind]} for kind in kinds),
    ]
    for query, narrowed in spread(queries, narrower):
        yield "recall", {**where, "query": query, **narrowed}
    for query in queries:
        yield "context.get", {**where, "query": query, "exclude": ids}
    yield "context.get", {**where, "max_tokens": 100_000}
    yield "message.list", where
    for state in ("active", "forgotten"):
        yield "note.list", {**where, "state": state}
        yield "note.list", {**where, "state": state, "limit": 1}
        for kind in (*kinds[3:], "trigger"):
            yield "note.list", {**where, "state": state, "kind": kind}
    yield "link.list", where
    yield "link.list", {**where, "limit": 1}
    yield "graph.get", where
    yield "graph.get", {**where, "limit": 1}
    highest = max(int(note[1:]) for note in planted.secret if note[1:].isdigit())
    notes = [form for number in range(1, highest + 3) for form in planted.forms(f"n{number}")]
    for note in notes:
        yield "note.get", {**where, "id": note}
    by_id: list[tuple[str, str, Json]] = [
        ("note.history", "id", {}),
        ("note.forecast", "id", {}),
        ("link.list", "note", {}),
        ("graph.get", "around", {"depth": 6, "limit": 500}),
    ]
    for note, (method, name, more) in spread(notes, by_id):
        yield method, {**where, name: note, **more}


def answered(api: Checking, method: str, params: Json) -> str:
    """The answer as it travels, but for what it repeats of the question itself."""
    try:
        result = api.client.call(method, params)
    except SoulmemRemoteError as error:
        told = (error.name, str(error), error.hint)
    else:
        for part in (result.get("analysis") or {}).get("subquestions", ()):
            part["text"] = part["text"].replace(params["query"], "")
            part["entities"] = [name for name in part["entities"] if name not in params["query"]]
        if method == "note.forecast":  # a detail may be called like a conversation
            for element in result["elements"]:
                element["quote"] = f"…{element['quote']}…"
        return json.dumps(result, ensure_ascii=False)
    assert told[0] == "not_found", f"{method} {params}: {told}"
    return str(told)


def leaks(planted: Planted, answer: str) -> list[str]:
    """What of the secret stands in an answer: its words, its notes, its messages, its conversation, its number."""
    hidden = [form for note in planted.secret for form in planted.forms(note)]
    signs = [planted.case.secret.mark, '"hush', '"tea"', *(f'"{note}"' for note in hidden)]
    counted = PLAIN_ID.findall(answer) if planted.ids is not None else []
    return [sign for sign in signs if sign in answer] + counted
