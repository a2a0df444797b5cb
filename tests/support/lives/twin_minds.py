"""Two minds with the same visible history, one of which was told more where it may not be known.

`Twins` asks both the same, each with its own ids, and makes their answers comparable: ids differ in both, and are told
by where in an answer they come again. None of them may be a number.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

from checking import Checking, Json, checking, ids_of
from daemon_fixture import Daemon
from household import READS_A_MIND
from slowness import PATIENCE_S
from soulmem.client import DaemonUnavailable, SoulmemRemoteError

PLAIN, TWIN = "world-a", "world-b"  # what one was told, and what the other was told besides
BO = [
    "My name is Bo and I work in Bergen.", "I love herring with beetroot.", "我喜欢吃火锅。",
    "上周二我丢了保险箱的钥匙。", "Last Tuesday I lost the key of my safe.", "我叫小明，在成都上班。",
]  # fmt: skip
ANN = [
    "My name is Ann and my password for the safe is Kestrel-4417.", "I love herring with beetroot.", "我喜欢吃火锅。",
    "Last Tuesday I hid the Kestrel key under the third step in Bergen.", "上周二我把翡翠钥匙藏在成都老家的台阶下面。",
    "Bo must never know of the Kestrel key. 不能让小明知道翡翠钥匙。",
]  # fmt: skip
ASKED = [
    "Where is the key of the safe?", "钥匙在哪里？", "What does Bo love?", "小明喜欢吃什么？", "Kestrel", "翡翠",
    "What does Ann love?", "last Tuesday", "上周二", "herring 火锅 safe 保险箱",
]  # fmt: skip
CHANGES_NOTHING = set(READS_A_MIND) - {"recall", "context.get", "feedback"}  # after these there is nothing to wait for
_NOT_TOLD = {"elapsed_ms", "erased"}  # the last: whether there was time for it
IDS = {"id", "note", "src", "dst", "around", "exclude", "recall_id", "used", "cursor", "parent"}  # as parameters
NOWHERE = "n98765"
_UNHEARD = "n98764"  # in the place of what the other hides: no call names it otherwise
_BLIND = re.compile(r"\b(n|l|e|js?|r|s)_[0-9a-hjkmnp-tv-z]{10}\b")
_COUNTED = re.compile(r"(?:n|l|e|js?|r|s)\d+")
_TOLD = {
    "text", "rendered", "content", "gist", "quote", "tags", "speaker", "attributes", "entities", "verb", "from", "mood",
}  # fmt: skip  # where what a client wrote comes back


def rest(api: Checking, mind: str) -> None:
    """Wait until nothing goes on by itself: all has its vector and its marks, and what left the window is summarised.

    What is to be done in the next night may wait, as it does in both.
    """
    api.until(
        lambda: (
            not (line := api.status(mind))["embed_backlog"] and not (line["pending_jobs"] and summarising(api, mind))
        ),
        f"{mind} at rest",
        PATIENCE_S,
    )


def summarising(api: Checking, mind: str) -> bool:
    """Whether what left the window is still to be summarised; asked too often to hold each answer to its schema."""
    more: Json = {}
    while True:
        page = api.client.call("job.list", {"mind": mind, "limit": 500, **more})
        if any(job["step"] == "summarise" and job["state"] in ("pending", "running") for job in page["items"]):
            return True
        if page["next_cursor"] is None:
            return False
        more = {"cursor": page["next_cursor"]}


def tell_visible(api: Checking, mind: str) -> None:
    for line in BO:
        api.say(mind, line, speaker="Bo", conversation="pub")
        rest(api, mind)  # whether a topic is new depends on what was found of those before it
    notes = [api.note(mind, f"{line} {n}", conversation="pub", tags=["safe"]) for n, line in enumerate(BO * 4)]
    notes.append(api.note(mind, "The safe stands in the hall. 保险箱在走廊里。", conversation="pub", pinned=True))
    for src, dst in pairwise(notes):
        api.call("link.add", mind=mind, src=src, dst=dst, kind="semantic", verb="goes with")
    for conversation in (None, "pub"):  # what everybody may know, and what was planned there
        day = 2 if conversation is None else 3
        items = [
            {"text": f"Look for the key of the safe {hour} 找保险箱的钥匙", "start": f"2026-03-0{day}T{hour}:00:00Z"}
            for hour in (10, 12, 14)
        ]
        api.call("plan.add", mind=mind, items=items, **({"conversation": conversation} if conversation else {}))
    api.settle(mind)


def tell_hidden(api: Checking, mind: str) -> None:
    for line in ANN:
        api.say(mind, line, speaker="Ann", conversation="tea")
    notes = [api.note(mind, f"{line} {n}", conversation="tea", tags=["safe"]) for n, line in enumerate(ANN)]
    for src, dst in pairwise(notes):
        api.call("link.add", mind=mind, src=src, dst=dst, kind="semantic", verb="Kestrel")
    api.call("link.add", mind=mind, src="n1", dst=notes[0], kind="semantic", verb="Kestrel")
    api.call("note.forget", mind=mind, id=notes[-1])
    items = [
        {"text": "Move the Kestrel key 挪走翡翠钥匙", "start": "2026-03-02T10:30:00Z", "end": "2026-03-02T13:00:00Z"}
    ]
    api.call("plan.add", mind=mind, items=items, conversation="tea")  # common plans give way, for those who know of it
    api.call("plan.supersede", mind=mind, **{"from": "2026-03-02T13:30:00Z"}, conversation="tea")
    for query in ASKED:
        api.call("recall", mind=mind, query=query, conversation="tea")
    api.settle(mind)


class Twins:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.first = PLAIN
        self.took_ms: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        self.api = api = checking(daemon)
        chosen = {"recall.sharing": "conversation", "window.capacity": 4, "window.min_fresh": 1}
        for mind in (PLAIN, TWIN):
            api.call("mind.create", mind=mind, settings=chosen)
            tell_visible(api, mind)
            api.call("idle.run", mind=mind)
            api.settle(mind)
        self.ids = {mind: ids_of(daemon, mind) for mind in (PLAIN, TWIN)}
        self.named = set[str]()  # what clients called their messages
        known, links = ({each["id"] for each in get(PLAIN)} for get in (api.notes, api.links))
        assert known == {note["id"] for note in api.notes(TWIN)}
        assert links == {link["id"] for link in api.links(TWIN)}
        assert {f"n{n}" for n in range(1, 20)} <= known
        tell_hidden(api, TWIN)
        heard = [note["id"] for note in api.notes(TWIN) if note["id"] not in known]
        self.hidden = self.ids[TWIN].blind(heard[0])
        for mind in (PLAIN, TWIN):
            api.call("idle.run", mind=mind)
            api.settle(mind)

    def asked(self, method: str, params: Json) -> tuple[Any, Any]:
        """The answers of both, asked first by turns, without what every call has of its own."""
        self.first = TWIN if self.first == PLAIN else PLAIN
        answers = {
            mind: self.answer(mind, method, params) for mind in (self.first, ({PLAIN, TWIN} - {self.first}).pop())
        }
        return answers[PLAIN], answers[TWIN]

    def answer(self, mind: str, method: str, params: Json) -> Any:
        params = self.given(mind, method, params)
        began = self.spent_ms()
        try:
            result = self.api.client.call(method, {**params, "mind": mind})
            self.took_ms[method, mind].append(self.spent_ms() - began)
        except SoulmemRemoteError as error:
            if error.name == "parse_error":  # the connection is of no more use
                self.renew()
            return (
                "not heard"
                if error.name == "parse_error"
                else self.alike((error.name, error.code, error.message, error.hint), mind, params)
            )
        except (DaemonUnavailable, ConnectionError):  # the line was no JSON: its answer bears no number
            self.renew()
            return "not heard"
        if method not in CHANGES_NOTHING:
            rest(self.api, mind)
        return self.alike(result, mind, params)

    def given(self, mind: str, method: str, params: Json) -> Json:
        """Parameters with ids as this mind has them: `<n3>` is what is called n3 in both, `<hidden>` is in one only."""

        def known_as(value: Any) -> Any:
            if isinstance(value, list):
                return [known_as(each) for each in value]
            if value == "<hidden>":
                return self.hidden if mind == TWIN else self.ids[mind].blind(_UNHEARD)
            is_one = isinstance(value, str) and re.fullmatch(r"<[a-z]+\d+>", value)
            return self.ids[mind].blind(value[1:-1]) if is_one else value

        if method.startswith("message."):
            if isinstance(params.get("id"), str):
                self.named.add(params["id"])
            return params
        return {key: known_as(value) if key in IDS else value for key, value in params.items()}

    def renew(self) -> None:
        """A connection that is of use again; the former is no client any more."""
        self.api.client.close()
        self.api.client = self.daemon.client()

    def spent_ms(self) -> float:
        """Processor time of the daemon, all threads of it: others who use this machine do not show."""
        threads = Path(f"/proc/{self.daemon.process.pid}/task").glob("*/schedstat")
        return sum(int(each.read_text("ascii").split()[0]) for each in threads) / 1e6

    def alike(self, answer: Any, mind: str, params: Json) -> Any:
        """An answer with each id by its place among those that come in it: equal ids stay equal."""
        places: dict[str, str] = {}

        def placed(found: re.Match[str]) -> str:
            return places.setdefault(found[0], f"{found[1]}#{len(places)}")

        def alike(value: Any, key: str) -> Any:
            if isinstance(value, dict):
                return {name: alike(each, name) for name, each in value.items() if name not in _NOT_TOLD}
            if isinstance(value, list | tuple):
                return [alike(each, key) for each in value]
            if isinstance(value, str):
                if key not in _TOLD:
                    self.counts_nothing(value, key, params)
                return _BLIND.sub(placed, value.replace(str(mind), "?"))
            return value

        return alike(answer, "")

    def counts_nothing(self, value: str, key: str, params: Json) -> None:
        """In front of a conversation no id is a number; what repeats the words of the call itself aside."""
        if "conversation" not in params or value in self.named:
            return
        if key in {"", "warnings"}:  # sentences
            repeated = json.dumps(params, ensure_ascii=False)
            found = [each for each in re.findall(rf"\b{_COUNTED.pattern}\b", value) if each not in repeated]
            assert not found, (value, params)
        else:
            assert not _COUNTED.fullmatch(value), (key, value, params)
