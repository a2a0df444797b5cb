"""Two minds with the same visible history, one of which was told more where it may not be known: nobody can tell which.

Every method that can be asked in front of a conversation is read from the schemas and asked in both with the same
parameters, made from its schema: values, counts, scores, order and refusals must be the same, and about the time.
Ids differ in both, and are compared by where in an answer they come again; none of them may be a number.
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

from checking import Checking, Json, checking, ids_of, schema
from daemon_fixture import Daemon, daemon_process
from household import READS_A_MIND
from schema_fuzz import METHODS, Fuzz
from slowness import PATIENCE_S
from soulmem.client import DaemonUnavailable, SoulmemRemoteError

START = "2026-03-01T08:00:00Z"
DAY = 86_400
LONG = bool(os.environ.get("SOULMEM_TORTURE"))
PROBES = 150 if LONG else 12  # of each method
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
_NOT_TOLD = {"elapsed_ms", "erased"}  # the last: whether there was time for it
IDS = {"id", "note", "src", "dst", "around", "exclude", "recall_id", "used", "cursor"}  # as parameters
NOWHERE = "n98765"
_BLIND = re.compile(r"\b(n|l|e|js?|r|s)_[0-9a-hjkmnp-tv-z]{10}\b")
_COUNTED = re.compile(r"(?:n|l|e|js?|r|s)\d+")
_TOLD = {
    "text", "rendered", "content", "gist", "quote", "tags", "speaker", "attributes", "entities", "verb", "from", "mood",
}  # fmt: skip  # where what a client wrote comes back


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
                return self.hidden if mind == TWIN else self.ids[mind].blind(NOWHERE)
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

    def _spent_ms(self) -> float:
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
        messages, notes = [f"m{n}" for n in range(1, 20)], [f"<n{n}>" for n in range(1, 20)]
        none = ["n2", "<hidden>", f"<{NOWHERE}>", "n_0", "n_iiiiiiiiii"]  # and what comes of nothing that was told
        fuzz.learn({"id": messages if method in ADDRESSED else notes + none})
        fuzz.learn(
            {"note": ["<n1>", "<n2>", *none], "src": ["<n1>", "<n2>", *none], "dst": ["<n3>", "<n4>", "<hidden>"]}
        )
        fuzz.learn({"query": ASKED, "content": ASKED, "text": ASKED, "speaker": ["Bo", "Ann"], "tags": ["safe"]})
        fuzz.learn({"cursor": ["<n2>", "<n9>", "<n19>", "n31", "<l2>", "<l9>", "l40", "1", "4", "<n99999>"]})
        fuzz.learn({"recall_id": ["<r1>", "<r2>", "r2"], "around": ["<n1>", "<n2>", "<hidden>"]})
        fuzz.learn({"exclude": ["<n1>", *none], "used": ["<n1>", "<n2>", *none]})
        for _ in range(PROBES):
            params = fuzz.call(method)
            if len(json.dumps(params)) > LONGEST:
                continue
            yield method, {**{k: v for k, v in params.items() if k != "key"}, "conversation": "pub"}


def test_no_answer_tells_the_twins_apart(twins: Twins) -> None:
    ends = Counter[str]()
    for query in ASKED:  # what people ask, before anything is changed
        for more in ({}, {"ranking": "stream"}, {"depth": "deep"}, {"k": 50, "kinds": ["message"]}, {"tags": ["safe"]}):
            given = {"query": query, "conversation": "pub", "record": False, "explain": True, **more}
            plain, twin = twins.asked("recall", given)
            assert plain == twin, given
            ends["recall"] += bool(plain["items"])
        plain, twin = twins.asked("context.get", {"query": query, "conversation": "pub", "max_tokens": 9_000})
        assert plain == twin, query
    assert ends["recall"] > 10
    differing = []
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
    ("link.list", {}), ("link.list", {"note": "<n2>"}),
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
                    mind: twins.api.call(
                        method, mind=mind, conversation="pub", limit=limit, **twins.given(mind, method, more), **cursor
                    )
                    for mind, cursor in cursors.items()
                }
                plain, twin = (twins.alike(pages[mind], mind, {"conversation": "pub"}) for mind in (PLAIN, TWIN))
                assert plain == twin, (method, more, limit, cursors)
                for page in pages.values():
                    if (cursor := page["next_cursor"]) is not None:
                        assert cursor in {page["items"][-1]["id"], str(page["items"][-1].get("seq"))}, (method, cursor)
                        followed[method] += 1
                cursors = {mind: {"cursor": page["next_cursor"]} for mind, page in pages.items() if page["next_cursor"]}
    assert all(followed[method] > 10 for method, _ in LISTS), followed


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


MORE: dict[str, Json] = {
    "note.update": {"text": "The key is here, on 3 May 2024. 钥匙在这里。 " * 2_000},
    "note.reconstruct": {"version": 1, "fills": [{"segment": 1, "text": "a key"}]},
    "note.restore": {"version": 1},
}


@pytest.mark.parametrize("method", BY_ID)
def test_a_number_is_no_id_whether_there_is_such_a_note_or_not(twins: Twins, method: str) -> None:
    ids = twins.ids[PLAIN]
    shown = twins.api.notes(PLAIN, conversation="pub")[0]["id"]
    given = {"mind": PLAIN, "conversation": "pub", **MORE.get(method, {})}
    refusals = set()
    for none in (ids.plain(shown), NOWHERE, ids.blind(NOWHERE), twins.ids[TWIN].blind("n1"), "n_iiiiiiiiii", "n"):
        error = twins.api.refused("not_found", method, **given, id=none)
        refusals.add((error.code, error.message.replace(repr(none), "?"), error.hint))
    assert len(refusals) == 1


@pytest.mark.parametrize("method", BY_ID)
def test_a_refusal_takes_as_long_for_what_is_hidden_as_for_what_is_not(twins: Twins, method: str) -> None:
    """Least of several, for others use this machine too."""
    twins.renew()
    api = twins.api
    ids = twins.ids[TWIN]
    hidden = api.notes(TWIN, conversation="tea")[-1]["id"]
    assert ids.plain(hidden) != hidden
    given = {"mind": TWIN, "conversation": "pub", **MORE.get(method, {})}
    there, nowhere = [], []
    for _ in range(9):
        there.append(took_ms(twins, method, {**given, "id": hidden}))
        nowhere.append(took_ms(twins, method, {**given, "id": ids.blind(NOWHERE)}))
    print(method, min(there), min(nowhere))
    assert abs(min(there) - min(nowhere)) < 2.0 + 0.5 * min(nowhere)
