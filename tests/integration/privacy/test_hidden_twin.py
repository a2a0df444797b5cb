"""Two minds with the same visible history, one of which was told more where it may not be known: nobody can tell which.

Every method that can be asked in front of a conversation is read from the schemas and asked in both with the same
parameters, made from its schema: values, counts, scores, order and refusals must be the same, and about the time.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from checking import Checking, Json, checking, schema
from daemon_fixture import Daemon, daemon_process
from household import READS_A_MIND
from schema_fuzz import METHODS, Fuzz
from slowness import PATIENCE_S
from soulmem.client import DaemonUnavailable, SoulmemRemoteError

START = "2026-03-01T08:00:00Z"
DAY = 86_400
LONG = bool(os.environ.get("SOULMEM_TORTURE"))
PROBES = 150 if LONG else 10  # of each method
PLAIN, TWIN = "world-a", "world-b"  # what one was told, and what the other was told besides
FACING = [name for name in METHODS if {"mind", "conversation"} <= set(schema(name)["params"]["properties"])]
ADDRESSED = {
    "message.add",
    "message.list",
    "message.update",
    "message.delete",
}  # here it is where, not in front of whom
BY_ID = sorted({name for name in FACING if "id" in schema(name)["params"]["properties"]} - ADDRESSED)
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
HIDDEN = ("Kestrel", "4417", "翡翠", "台阶")
# A call that names no conversation is the owner's. These show him what was said; the others count and name only.
OF_THE_OWNER = {"audit.list", "events.watch"}
ENDS = {"mind.delete", "idle.run", "clock.advance", "clock.jump"}
LONGEST = 900_000  # bytes of a line
_NOT_TOLD = {"elapsed_ms", "recall_id", "erased"}  # the last: whether there was time for it


def rest(api: Checking, mind: str) -> None:
    """Wait until nothing goes on by itself: all has its vector and its marks, and what left the window is summarised.

    What is to be done in the next night may wait, as it does in both.
    """
    running = ("pending", "running")
    api.until(
        lambda: (
            not api.status(mind)["embed_backlog"]
            and not [job for job in api.jobs(mind) if job["step"] == "summarise" and job["state"] in running]
        ),
        f"{mind} at rest",
        PATIENCE_S,
    )


def tell_visible(api: Checking, mind: str) -> None:
    for line in BO:
        api.say(mind, line, speaker="Bo", conversation="pub")
        rest(api, mind)  # whether a topic is new depends on what was found of those before it
    notes = [api.note(mind, f"{line} {n}", conversation="pub", tags=["safe"]) for n, line in enumerate(BO * 4)]
    notes.append(api.note(mind, "The safe stands in the hall. 保险箱在走廊里。", conversation="pub", pinned=True))
    for src, dst in pairwise(notes):
        api.call("link.add", mind=mind, src=src, dst=dst, kind="semantic", verb="goes with")
    api.settle(mind)


def tell_hidden(api: Checking, mind: str) -> None:
    for line in ANN:
        api.say(mind, line, speaker="Ann", conversation="tea")
    notes = [api.note(mind, f"{line} {n}", conversation="tea", tags=["safe"]) for n, line in enumerate(ANN)]
    for src, dst in pairwise(notes):
        api.call("link.add", mind=mind, src=src, dst=dst, kind="semantic", verb="Kestrel")
    api.call("link.add", mind=mind, src="n1", dst=notes[0], kind="semantic", verb="Kestrel")
    api.call("note.forget", mind=mind, id=notes[-1])
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
        self.known = {note["id"] for note in api.notes(PLAIN)}
        tell_hidden(api, TWIN)
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
        began = self._spent_ms()
        try:
            result = self.api.client.call(method, {**params, "mind": mind})
            self.took_ms[method, mind].append(self._spent_ms() - began)
        except SoulmemRemoteError as error:
            if error.name == "parse_error":  # the connection is of no more use
                self.renew()
            return (
                "not heard"
                if error.name == "parse_error"
                else self.alike((error.name, error.code, error.message, error.hint), mind)
            )
        except (DaemonUnavailable, ConnectionError):  # the line was no JSON: its answer bears no number
            self.renew()
            return "not heard"
        if method not in CHANGES_NOTHING:
            rest(self.api, mind)
        return self.alike(result, mind)

    def renew(self) -> None:
        """A connection that is of use again; the former is no client any more."""
        self.api.client.close()
        self.api.client = self.daemon.client()

    def _spent_ms(self) -> float:
        """Processor time of the daemon, all threads of it: others who use this machine do not show."""
        threads = Path(f"/proc/{self.daemon.process.pid}/task").glob("*/schedstat")
        return sum(int(each.read_text("ascii").split()[0]) for each in threads) / 1e6

    def alike(self, value: Any, mind: str) -> Any:
        """An answer with new ids as such: numbers that everybody draws from one row."""
        if isinstance(value, dict):
            return {key: self.alike(each, mind) for key, each in value.items() if key not in _NOT_TOLD}
        if isinstance(value, list | tuple):
            return [self.alike(each, mind) for each in value]
        if isinstance(value, str):
            value = value.replace(str(mind), "?")
            return value if value in self.known else re.sub(r"\b(?:n|l|e|j|js|r)\d+\b", "id", value)
        return value


@pytest.fixture(scope="module", params=["memory", "disk"])
def twins(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    env = {"SOULMEM_MEMORY_MAX_ROWS_IN_RAM": "0"} if request.param == "disk" else {}
    root: Path = tmp_path_factory.mktemp("t")
    with daemon_process(root, "--simulated-clock", START, env=env) as daemon:
        yield Twins(daemon)


def fields_asked() -> Iterator[tuple[str, Json]]:
    """Calls in which every parameter of every method stands, in front of those who may not know."""
    for method in sorted(FACING, key=lambda name: name == "note.purge"):  # what is purged can be asked no more
        fuzz = Fuzz(7, oddness=0.02)
        letter = "m" if method in ADDRESSED else "n"
        fuzz.learn(
            {"id": [f"{letter}{n}" for n in range(1, 20)], "note": ["n1", "n2"], "src": ["n1"], "dst": ["n3", "n4"]}
        )
        fuzz.learn({"query": ASKED, "content": ASKED, "text": ASKED, "speaker": ["Bo", "Ann"], "tags": ["safe"]})
        fuzz.learn({"cursor": ["n2", "n9", "n29", "n31", "n44", "l2", "l9", "l40", "1", "4", "n99999"]})
        fuzz.learn({"recall_id": ["r1", "r2"], "around": ["n1", "n2"], "exclude": ["n1", "n999999"]})
        for _ in range(PROBES):
            params = fuzz.call(method)
            if len(json.dumps(params)) > LONGEST:
                continue
            yield method, {**{k: v for k, v in params.items() if k != "key"}, "conversation": "pub"}


def test_no_answer_to_a_question_tells_the_twins_apart(twins: Twins) -> None:
    found = 0
    for query in ASKED:  # what people ask, before anything is changed
        for more in ({}, {"ranking": "stream"}, {"depth": "deep"}, {"k": 50, "kinds": ["message"]}, {"tags": ["safe"]}):
            given = {"query": query, "conversation": "pub", "record": False, "explain": True, **more}
            plain, twin = twins.asked("recall", given)
            assert plain == twin, given
            found += bool(plain["items"])
        plain, twin = twins.asked("context.get", {"query": query, "conversation": "pub", "max_tokens": 9_000})
        assert plain == twin, query
    assert found > 10


# Every call there is; on disk they are more of the same but for the questions above, and only asked in torture.
in_full = pytest.mark.parametrize("twins", ["memory", pytest.param("disk", marks=pytest.mark.torture)], indirect=True)


@in_full
def test_no_answer_tells_the_twins_apart(twins: Twins) -> None:
    ends, differing = Counter[str](), []
    for method, params in fields_asked():
        plain, twin = twins.asked(method, params)
        ends[method] += isinstance(plain, dict)
        if plain != twin:
            differing.append(f"{method} {json.dumps(params)[:600]}\n  {str(plain)[:900]}\n  {str(twin)[:900]}")
    print(len(differing), "of", len(FACING) * PROBES, dict(ends))
    assert not differing, "\n".join(differing[:4])
    unanswered = {name for name in FACING if not ends[name]}
    assert unanswered <= {"note.reconstruct"}, "each was answered at times, or nothing was compared"


LISTS: list[tuple[str, Json]] = [
    ("message.list", {}), ("note.list", {}), ("note.list", {"state": "forgotten"}), ("note.list", {"kind": "episodic"}),
    ("link.list", {}), ("link.list", {"note": "n2"}),
]  # fmt: skip


def test_no_page_and_no_cursor_tells_the_twins_apart(twins: Twins) -> None:
    """A cursor is what the last item of its page is known by, so nothing that is hidden can show in it."""
    assert {method for method, _ in LISTS} == {each for each in FACING if each.endswith(".list")}
    followed = Counter[str]()
    for method, more in LISTS:
        for limit in (1, 2, 5, 19):
            cursors: dict[str, Json] = {PLAIN: {}, TWIN: {}}
            while cursors:
                pages = {
                    mind: twins.api.call(method, mind=mind, conversation="pub", limit=limit, **more, **cursor)
                    for mind, cursor in cursors.items()
                }
                plain, twin = (twins.alike(pages[mind], mind) for mind in (PLAIN, TWIN))
                assert plain == twin, (method, more, limit, cursors)
                for page in pages.values():
                    if (cursor := page["next_cursor"]) is not None:
                        assert cursor in {page["items"][-1]["id"], str(page["items"][-1].get("seq"))}, (method, cursor)
                        followed[method] += 1
                cursors = {mind: {"cursor": page["next_cursor"]} for mind, page in pages.items() if page["next_cursor"]}
    assert all(followed[method] > 10 for method, _ in LISTS), followed


@in_full
def test_an_answer_takes_as_long_for_the_one_as_for_the_other(twins: Twins) -> None:
    """Of the calls above, asked of both, each first by turns: how far they are apart, in the middle."""
    compared = {}
    for method in FACING:
        plain, twin = (twins.took_ms[method, mind] for mind in (PLAIN, TWIN))
        if len(plain) >= 5 and len(plain) == len(twin):
            apart = statistics.median(two - one for one, two in zip(plain, twin, strict=True))
            compared[method] = apart, min(statistics.median(plain), statistics.median(twin))
    print({method: tuple(round(each, 1) for each in both) for method, both in compared.items()})
    assert len(compared) > 12
    assert not {method: both for method, both in compared.items() if abs(both[0]) >= 2.0 + 0.5 * both[1]}


def test_who_cannot_say_in_front_of_whom_he_asks_is_shown_nothing_that_was_said(twins: Twins) -> None:
    """Every method that takes no conversation, those aside that are there to show the owner what became of the talk."""
    asked = sorted(set(METHODS) - set(FACING) - OF_THE_OWNER, key=ENDS.__contains__)
    shown = []
    for method in asked:
        fuzz = Fuzz(3, oddness=0.0)
        for _ in range(1 if method in ENDS else PROBES):
            params = {key: value for key, value in fuzz.call(method).items() if key not in {"cursor", "key"}}
            takes_mind = "mind" in schema(method)["params"]["properties"]
            answer = str(twins.answer(TWIN, method, params) if takes_mind else outcome_of(twins, method, params))
            shown += [f"{method} {params}: {answer[:300]}" for word in HIDDEN if word in answer]
    assert not shown, "\n".join(shown[:5])


def outcome_of(twins: Twins, method: str, params: Json) -> Any:
    try:
        return twins.daemon.call(method, params)
    except SoulmemRemoteError as error:
        return error.message


def took_ms(twins: Twins, method: str, params: Json) -> float:
    began = time.perf_counter()
    with pytest.raises(SoulmemRemoteError):
        twins.api.client.call(method, params)
    return (time.perf_counter() - began) * 1000


@pytest.mark.parametrize(
    "method", sorted({name for name in FACING if "id" in schema(name)["params"]["properties"]} - ADDRESSED)
)
def test_a_refusal_takes_as_long_for_what_is_hidden_as_for_what_is_not(twins: Twins, method: str) -> None:
    """Least of several, for others use this machine too."""
    twins.renew()
    api = twins.api
    hidden = max((note["id"] for note in api.notes(TWIN, conversation="tea")), key=lambda each: int(each[1:]))
    more: dict[str, Json] = {
        "note.update": {"text": "The key is here, on 3 May 2024. 钥匙在这里。 " * 2_000},
        "note.reconstruct": {"version": 1, "fills": [{"segment": 1, "text": "a key"}]},
        "note.restore": {"version": 1},
    }
    given = {"mind": TWIN, "conversation": "pub", **more.get(method, {})}
    there, nowhere = [], []
    for _ in range(9):
        there.append(took_ms(twins, method, {**given, "id": hidden}))
        nowhere.append(took_ms(twins, method, {**given, "id": "n98765"}))
    print(method, min(there), min(nowhere))
    assert abs(min(there) - min(nowhere)) < 2.0 + 0.5 * min(nowhere)
