"""Every method over a real socket: what it answers, what it refuses, and that a refusal harms nobody."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from checking import Json, Wire, checking, registry, schema
from daemon_fixture import Daemon, daemon_process

START = "2026-03-01T08:00:00Z"
DAY = 86_400
READS_A_MIND = [
    "message.list", "context.get", "recall", "note.get", "note.list", "note.history", "link.list", "graph.get",
    "job.list", "mind.get",
]  # fmt: skip
CHANGES_A_MIND = [
    "mind.update", "mind.delete", "message.update", "message.delete", "note.update", "note.pin", "note.unpin",
    "note.forget", "note.restore", "link.add", "idle.run",
]  # fmt: skip
MAKES_A_MIND = ["mind.create", "message.add", "note.add"]
MINDLESS = [
    "system.hello", "system.ping", "system.describe", "system.status", "events.watch", "mind.list",
    "clock.advance", "clock.jump",
]  # fmt: skip
METHODS = MINDLESS + MAKES_A_MIND + READS_A_MIND + CHANGES_A_MIND


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
        self.fresh = 0

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
            "message.update": {"id": "a1", "content": "I moved to Porto 波尔图."},
            "message.delete": {"id": "a1"},
            "recall": {"query": "Lisbon 茶"},
            "note.add": {"kind": "episodic", "text": "a walk 散步"},
            "note.get": {"id": self.one},
            "note.update": {"id": self.one, "importance": 0.7},
            "note.pin": {"id": self.one},
            "note.unpin": {"id": self.one},
            "note.forget": {"id": self.one},
            "note.restore": {"id": self.one},
            "note.history": {"id": self.one},
            "link.add": {"src": self.one, "dst": self.two},
            "clock.advance": {"seconds": 0},
            "clock.jump": {"seconds": 0},
            "events.watch": {"events": ["mind_created"]},
        }
        return params | extra.get(method, {})

    def alive(self) -> None:
        """The connection that was refused still works, and so does a new one."""
        assert self.api.call("system.ping")["now"]
        assert self.daemon.call("system.ping")["now"]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("p"), "--simulated-clock", START) as daemon:
        yield House(daemon)


# -- the table ------------------------------------------------------------------------------------------


def test_the_table_has_every_method_and_no_other(house: House) -> None:
    told = house.api.call("system.describe")
    assert sorted(told["methods"]) == sorted(METHODS)
    assert told["errors"] == registry()
    for method in METHODS:
        assert told["methods"][method] == schema(method)
    assert "message_recorded" in told["events"]


def test_the_system_tells_who_it_is(house: House) -> None:
    hello = house.api.call("system.hello")
    assert (hello["server"], hello["protocol"]) == ("soulmem", 1)
    status = house.api.call("system.status")
    assert status["state"] == "running"
    assert (status["engine"], status["embedder"]) == ("extractive", "hashing")
    assert status["pid"] == house.daemon.process.pid
    assert house.api.call("system.ping")["now"] == START


def test_a_mind_from_its_making_to_its_end(house: House) -> None:
    name, api = house.name(), house.api
    made = api.call("mind.create", mind=name, title="Ми́ра 米拉 🐝", profile="assistant", language="zh")["mind"]
    assert (made["title"], made["profile"], made["state"]) == ("Ми́ра 米拉 🐝", "assistant", "idle")
    assert (made["messages"], made["notes"], made["links"], made["created_at"]) == (0, 0, 0, START)
    api.refused("mind_exists", "mind.create", mind=name)
    changed = api.call("mind.update", mind=name, title="米拉", settings={"window.capacity": 7})["mind"]
    assert (changed["title"], changed["settings"], changed["profile"]) == ("米拉", {"window.capacity": 7}, "assistant")
    assert api.call("mind.get", mind=name)["mind"] == changed
    assert name in {line["mind"] for line in api.pages("mind.list")}
    assert house.name() not in {line["mind"] for line in api.pages("mind.list")}
    api.refused("invalid_params", "mind.delete", mind=name, confirm="rosa")
    assert api.call("mind.delete", mind=name, confirm=name) == {"deleted": name, "remains": []}
    api.refused("mind_not_found", "mind.get", mind=name)
    left = [path.name for path in (house.daemon.state / "minds").iterdir() if path.name.startswith(f"{name}.")]
    assert left == []


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"window.capcity": 5}, "window.capacity"),
        ({"window.capacity": 0}, "capacity"),
        ({"window.capacity": "5"}, "capacity"),
        ({"server.connections": 5}, "server.connections"),
        ({"forgetting.clock": "moon"}, "experienced"),
    ],
)
def test_wrong_settings_are_named(house: House, settings: Json, says: str) -> None:
    error = house.api.refused("invalid_params", "mind.update", mind="rosa", settings=settings)
    assert says in f"{error.message} {error.hint}"
    house.alive()


def test_notes_and_links_by_hand(house: House) -> None:
    name, api = house.name(), house.api
    api.say(name, "The storm 暴风雨 took the roof.", id="x1")
    sources = [{"id": "x1", "quote": "暴风雨"}]
    one = api.note(name, "The roof is gone 屋顶没了", importance=0.9, valence=-0.5, tags=["house"], sources=sources)
    two = api.note(
        name, "Insurance pays 保险", kind="plan", attributes={"by": "Friday"}, at="2026-02-01T10:00:00+08:00"
    )
    note = api.call("note.get", mind=name, id=one)["note"]
    assert (note["kind"], note["state"], note["version"], note["pinned"]) == ("episodic", "clear", 1, False)
    assert note["text"] == note["rendered"] == "The roof is gone 屋顶没了"
    assert note["sources"] == [{"conversation": "main", "seq": 1, "id": "x1", "quote": "暴风雨"}]
    assert [(e["start"], e["end"], e["level"]) for e in note["elements"]] == [(0, len(note["text"]), 0)]
    assert api.call("note.get", mind=name, id=two)["note"]["at"] == "2026-02-01T02:00:00Z"

    changed = api.call("note.update", mind=name, id=one, text="The roof is mended 修好了", version=1)["note"]
    assert (changed["text"], changed["version"]) == ("The roof is mended 修好了", 2)
    assert changed["elements"][0]["end"] == len(changed["text"])
    api.refused("version_conflict", "note.update", mind=name, id=one, text="again", version=1)
    api.refused("invalid_params", "note.update", mind=name, id=one)
    history = api.call("note.history", mind=name, id=one)
    assert "屋顶没了" in json.dumps(history, ensure_ascii=False), "the former wording is kept"
    assert api.call("note.pin", mind=name, id=one)["note"]["pinned"] is True
    assert api.call("note.unpin", mind=name, id=one)["note"]["pinned"] is False

    made = api.call("link.add", mind=name, src=one, dst=two, kind="semantic", verb="paid by", strength=0.5)
    again = api.call("link.add", mind=name, src=one, dst=two, kind="semantic", verb="paid by", strength=0.5)
    assert (made["created"], again["created"], made["id"]) == (True, False, again["id"])
    (link,) = api.links(name)
    assert (link["src"], link["dst"], link["origin"], link["initial"]) == (one, two, "client", 0.5)
    assert link["strength"] > 0.5, "the same link again reinforces"
    api.refused("invalid_params", "link.add", mind=name, src=one, dst=one)
    graph = api.call("graph.get", mind=name, around=one, depth=1, limit=10)
    assert ({n["id"] for n in graph["notes"]}, len(graph["links"])) == ({one, two}, 1)
    assert api.call("graph.get", mind=name, around=one, depth=0)["links"] == []
    assert api.call("graph.get", mind=name, limit=1)["truncated"] is True


def test_an_association_is_one_row_read_both_ways(house: House) -> None:
    name, api = house.name(), house.api
    one, two = api.note(name, "peach 桃子"), api.note(name, "concrete 混凝土")
    there = api.call("link.add", mind=name, src=one, dst=two)["id"]
    back = api.call("link.add", mind=name, src=two, dst=one)
    assert (back["id"], back["created"]) == (there, False)
    assert [link["id"] for link in api.links(name, note=two)] == [there]
    meant = api.call("link.add", mind=name, src=one, dst=two, kind="supersedes")["id"]
    other = api.call("link.add", mind=name, src=two, dst=one, kind="supersedes")["id"]
    assert meant != other, "a directed kind is another link each way"


def test_foreign_ids_are_not_found_or_warned_of(house: House) -> None:
    api = house.api
    for wrong in ("n999999", "l1", "x", "n", "n-1", "n1.5", "n" + "9" * 40, "笔记", "N1"):
        for method in ("note.get", "note.pin", "note.forget", "note.restore", "note.history"):
            api.refused("not_found", method, mind="rosa", id=wrong)
        api.refused("not_found", "link.add", mind="rosa", src=wrong, dst=house.two)
        api.refused("not_found", "link.list", mind="rosa", note=wrong)
        api.refused("not_found", "graph.get", mind="rosa", around=wrong)
    api.refused("not_found", "message.update", mind="rosa", id="nobody", content="x")
    api.refused("not_found", "message.delete", mind="rosa", conversation="elsewhere", id="a1")
    api.refused("not_found", "note.add", mind="rosa", kind="episodic", text="x", sources=[{"id": "nobody"}])
    result = api.call("recall", mind="rosa", query="Lisbon", exclude=["n999999", "没有", house.one])
    assert len(result["warnings"]) == 2
    assert house.one not in {item["id"] for item in result["items"]}
    house.alive()


def test_ids_begin_with_the_letter_of_their_kind(house: House) -> None:
    name, api = house.name(), house.api
    api.call("mind.create", mind=name, settings={"window.capacity": 2, "window.topic_marks": False})
    said = [api.say(name, f"tea number {n} 茶") for n in range(3)]
    api.call("idle.run", mind=name)
    ids = {
        "m": [said[0]["id"]],
        "r": [said[0]["recall_id"]],
        "j": [job["id"] for job in api.jobs(name)] + said[2]["jobs"],
        "n": [note["id"] for note in api.notes(name)] + [house.one],
        "l": [link["id"] for link in api.links(name)] + [house.link],
    }
    assert said[2]["jobs"], "the block's first message slid out"
    assert [found for letter, those in ids.items() for found in those if not found.startswith(letter)] == []
    assert len({job["id"] for job in api.jobs(name)}) == len(api.jobs(name))


def test_answers_hold_only_what_their_schemas_name(house: House) -> None:
    """Runs after the calls above and looks at all their answers."""
    api = house.api
    for method in ("message.list", "job.list", "mind.list", "note.list", "link.list", "graph.get", "mind.get"):
        api.call(method, **house.minimal(method))
    api.call("recall", mind="rosa", query="Lisbon 茶", explain=True)
    api.call("context.get", mind="rosa", query="Lisbon")
    assert sorted(api.stray) == []


# -- parameters ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_an_unknown_parameter_is_refused_with_the_nearest_name(house: House, method: str) -> None:
    params = house.minimal(method)
    known = list(schema(method)["params"].get("properties", {}))
    for name in known:
        if len(name) < 3:
            continue  # of `k` nothing is near
        misspelt = name[:-1] if name[:-1] not in known else name + name[-1]
        error = house.api.refused_raw("invalid_params", method, params | {misspelt: 1})
        assert misspelt in error.message
        assert error.hint is not None
        assert name in error.hint
    house.api.refused_raw("invalid_params", method, params | {"zzz": None})
    house.api.refused_raw("invalid_params", method, params | {"": 1})
    house.alive()


def _wrong(part: Json) -> list[Any]:
    """Values of other types than a parameter's."""
    choices = part.get("anyOf", [part])
    types = {choice.get("type") for choice in choices} | {"enum" if "enum" in choice else None for choice in choices}
    values: dict[str, Any] = {"string": "soup", "integer": 3, "boolean": True, "array": [1], "object": {"a": 1}}
    wrong = [value for name, value in values.items() if name not in types]
    if "number" in types:
        wrong.remove(3)
    if "array" in types and any(choice.get("items", {}).get("type") == "string" for choice in choices):
        wrong += [[3], [None], [["a"]]]
    if "integer" in types:
        wrong += [1.5, "3"] + [-1, 10**18] * any("minimum" in choice for choice in choices)
    if "null" not in types:
        wrong.append(None)
    if "enum" in types:
        wrong.append("soup")
    return wrong


@pytest.mark.parametrize("method", METHODS)
def test_wrong_types_are_refused_by_name(house: House, method: str) -> None:
    for name, part in schema(method)["params"].get("properties", {}).items():
        for value in _wrong(part):
            error = house.api.refused_raw("invalid_params", method, house.minimal(method) | {name: value})
            assert name in error.message, f"{method} {name}={value!r}: {error}"
    house.alive()


@pytest.mark.parametrize("method", METHODS)
def test_a_missing_parameter_is_named(house: House, method: str) -> None:
    for name in schema(method)["params"].get("required", []):
        params = house.minimal(method)
        del params[name]
        assert name in house.api.refused_raw("invalid_params", method, params).message


def test_unknown_methods_name_the_nearest(house: House) -> None:
    for wrong, near in [
        ("message.ad", "message.add"), ("recal", "recall"), ("mind.creat", "mind.create"), ("notes.list", "note.list"),
        ("Message.Add", "message.add"),
    ]:  # fmt: skip
        error = house.api.refused("unknown_method", wrong)
        assert near in (error.hint or ""), wrong
    for wrong in ("回忆", "a" * 5000, "message.add\n", "__class__", "rpc.discover"):
        house.api.refused("unknown_method", wrong)
    house.alive()


BAD_NAMES = [
    "a/b", "../rosa", "rosa/..", "a.b", ".", "..", "Rosa", "ROSA", "x" * 65, "", "罗莎", "-a", "_a", "a b", "a\n",
    "a\u0000b", "ａ", "a\\b", "rosa.db", "a%2fb", "é",
]  # fmt: skip


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_no_mind_can_have(house: House, name: str) -> None:
    before = sorted(path.name for path in house.daemon.state.rglob("*"))
    for method in ("mind.create", "message.add", "note.add", "mind.get", "recall", "mind.delete", "events.watch"):
        error = house.api.refused_raw("invalid_params", method, house.minimal(method) | {"mind": name})
        assert "mind" in error.message or "name" in error.message
    assert sorted(path.name for path in house.daemon.state.rglob("*")) == before
    house.alive()


@pytest.mark.parametrize("name", ["x" * 64, "0", "a-b_c", "9_-"])
def test_names_at_the_edge_are_minds(house: House, name: str) -> None:
    assert house.api.say(name, "hi 嗨")["seq"] == 1
    assert house.api.call("mind.delete", mind=name, confirm=name)["deleted"] == name


@pytest.mark.parametrize("method", READS_A_MIND + CHANGES_A_MIND)
def test_a_mind_that_does_not_exist(house: House, method: str) -> None:
    error = house.api.refused_raw("mind_not_found", method, house.minimal(method, mind="nobody"))
    assert "nobody" in error.message
    assert not list((house.daemon.state / "minds").glob("nobody*")), "a refused call makes no mind"
    house.alive()


# -- text and times ------------------------------------------------------------------------------------

TEXTS: list[tuple[str, Callable[[House, str], Json]]] = [
    ("message.add", lambda h, text: {"mind": "rosa", "role": "user", "content": text}),
    ("message.update", lambda h, text: {"mind": "rosa", "id": "a2", "content": text}),
    ("recall", lambda h, text: {"mind": "rosa", "query": text}),
    ("context.get", lambda h, text: {"mind": "rosa", "query": text}),
    ("note.add", lambda h, text: {"mind": "rosa", "kind": "episodic", "text": text}),
    ("note.update", lambda h, text: {"mind": "rosa", "id": h.one, "text": text}),
]


@pytest.mark.parametrize(("method", "params"), TEXTS, ids=[method for method, _ in TEXTS])
def test_text_that_is_none(house: House, method: str, params: Callable[[House, str], Json]) -> None:
    before = house.api.status("rosa")
    with Wire(house.daemon) as wire:
        for number, text in enumerate(
            ['""', '"\\u0000"', '"tea\\u0000茶"', '"\\ud800"', '"茶\\udc00tea"', '"\\udc00\\ud800"'], 1
        ):
            raw = json.dumps(params(house, "@@")).replace('"@@"', text)
            assert wire.error_of(method, raw, number) == "invalid_text", text
        huge = json.dumps(params(house, "é" * 500_000), ensure_ascii=False)  # a megabyte
        assert wire.error_of(method, huge, 90) == "too_large"
        over = json.dumps(params(house, "a" * (256 * 1024 + 1)))
        assert wire.error_of(method, over, 91) == "too_large"
        assert "result" in wire.ask("system.ping", "{}", 92)
    after = house.api.status("rosa")
    assert (after["messages"], after["notes"]) == (before["messages"], before["notes"])
    house.alive()


def test_text_at_the_limit_is_kept_whole(house: House) -> None:
    name = house.name()
    for text in ("x", "茶" * 87_381 + "x", "🐝", "a\tb\r\nc", "e\u0301", "\u200d\u202e", '"\\u0000"'):
        house.api.say(name, text)
    assert len(("茶" * 87_381 + "x").encode()) == 256 * 1024
    said = [message["content"] for message in house.api.messages(name)]
    assert said == ["x", "茶" * 87_381 + "x", "🐝", "a\tb\r\nc", "e\u0301", "\u200d\u202e", '"\\u0000"']


def test_a_line_over_the_limit_is_told_and_closed(house: House) -> None:
    with Wire(house.daemon) as wire:
        wire.send(b'{"jsonrpc":"2.0","id":1,"method":"message.add","params":{"content":"' + b"x" * 1_048_576 + b'"}}')
        told = wire.receive()
        assert told is not None
        assert told["error"]["data"]["name"] == "too_large"
        assert wire.receive() is None
    house.alive()


def test_what_is_no_request_is_told_and_kept(house: House) -> None:
    with Wire(house.daemon) as wire:
        for line, code in [
            (b"garbage \xff", -32700),
            (b"[]", -32600),
            (b"[{}]", -32600),
            (b"1", -32600),
            (b"{", -32700),
        ]:
            wire.send(line)
            told = wire.receive()
            assert told is not None
            assert told["error"]["code"] == code
        assert wire.error_of("recall", "[]", 5) == "invalid_params"
        deep = "[" * 70 + "]" * 70
        wire.send(f'{{"jsonrpc":"2.0","id":6,"method":"system.ping","params":{{"a":{deep}}}}}'.encode())
        told = wire.receive()
        assert told is not None
        assert "error" in told
        assert "result" in wire.ask("system.ping", "{}", 7)
    house.alive()


GOOD_TIMES = [
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ("1582-10-10T12:00:00Z", "1582-10-10T12:00:00Z"),
    ("2026-02-28T23:30:00-01:00", "2026-03-01T00:30:00Z"),
    ("2026-03-02T07:59:59Z", "2026-03-02T07:59:59Z"),
    ("2024-02-29T10:00:00.250+08:00", "2024-02-29T02:00:00.250Z"),
]
BAD_TIMES = [
    "yesterday", "昨天", "", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z", "12026-01-01", "2026-03-01T25:00:00Z", "1772352000", "2026-03-01T08:00:00+99:00",
    "-0044-03-15T00:00:00Z", "2026-03-01T08:00:00Z; DROP", "2026-03-01 ", "٢٠٢٦-٠٣-٠١",
]  # fmt: skip
LATE_TIMES = ["2026-03-02T08:00:01Z", "2027-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]


def test_times_are_kept_as_told_and_order_by_arrival(house: House) -> None:
    name = house.name()
    for number, (given, kept) in enumerate(GOOD_TIMES, 1):
        assert house.api.say(name, f"time {number} 时间", at=given)["seq"] == number
        note = house.api.note(name, f"note {number}", at=given)
        assert house.api.call("note.get", mind=name, id=note)["note"]["at"] == kept
    said = house.api.messages(name)
    assert [message["at"] for message in said] == [kept for _, kept in GOOD_TIMES]
    assert [message["seq"] for message in said] == [1, 2, 3, 4, 5]
    assert {message["arrived_at"] for message in said} == {START}


@pytest.mark.parametrize("at", BAD_TIMES + LATE_TIMES)
def test_a_time_that_is_none(house: House, at: str) -> None:
    api = house.api
    for method, extra in [("message.add", {"at": at}), ("note.add", {"at": at}), ("note.update", {"at": at})]:
        error = api.refused_raw("invalid_time", method, house.minimal(method) | extra)
        assert error.hint
    if at not in LATE_TIMES:
        api.refused("invalid_time", "recall", mind="rosa", query="tea", from_=at)
        api.refused("invalid_time", "recall", mind="rosa", query="tea", to=at)
    house.alive()


def test_recall_takes_the_ends_of_time(house: House) -> None:
    found = house.api.call(
        "recall", mind="rosa", query="Lisbon", from_="0001-01-01T00:00:00Z", to="9999-12-31T23:59:59Z", record=False
    )
    assert found["items"]
    assert house.api.found("rosa", "Lisbon", from_="9999-01-01T00:00:00Z") == []


# -- the same again ------------------------------------------------------------------------------------


def test_the_same_message_again_is_told_and_stored_once(house: House) -> None:
    name, api = house.name(), house.api
    first = api.say(name, "We met at the harbour 港口", id="h1", speaker="Ann")
    other = api.say(name, "另一句", id="h1", conversation="side")
    assert (first["duplicate"], other["duplicate"], other["seq"]) == (False, False, 1)
    for _ in range(2):
        again = api.say(name, "We met at the harbour 港口", id="h1", speaker="Ann")
        assert again == first | {"duplicate": True, "window": again["window"], "state": again["state"]}
    for change in ({"content": "We met at the station 车站"}, {"role": "assistant"}, {"speaker": "Bob"}):
        params = {"content": "We met at the harbour 港口", "role": "user", "speaker": "Ann", "id": "h1"} | change
        error = api.refused("idempotency_conflict", "message.add", mind=name, **params)
        assert "h1" in error.message
    assert [message["content"] for message in api.messages(name)] == ["We met at the harbour 港口"]
    assert api.call("mind.get", mind=name)["mind"]["messages"] == 2
    # an id of the form the daemon gives itself
    api.say(name, "third", id="m3")
    assert api.say(name, "second by number")["id"] not in {"h1", "m3"}
    assert len({message["id"] for message in api.messages(name)}) == 3


def keyed(house: House, mind: str) -> dict[str, tuple[Json, Json]]:
    """For each write: its parameters, and what makes it another request."""
    api = house.api
    api.say(mind, "alpha 甲", id="k1")
    api.say(mind, "beta 乙", id="k2")
    one, two, three = api.note(mind, "one 一"), api.note(mind, "two 二"), api.note(mind, "three 三")
    return {
        "note.add": ({"kind": "episodic", "text": "new 新"}, {"text": "other 别的"}),
        "note.update": ({"id": one, "text": "one again 再一"}, {"text": "one more 又一"}),
        "note.pin": ({"id": one}, {"id": two}),
        "note.unpin": ({"id": one}, {"id": two}),
        "note.forget": ({"id": three}, {"id": two}),
        "note.restore": ({"id": three}, {"id": two}),
        "link.add": ({"src": one, "dst": two, "strength": 0.4}, {"strength": 0.5}),
        "message.update": ({"id": "k1", "content": "alpha, corrected 甲改"}, {"content": "gamma 丙"}),
        "message.delete": ({"id": "k2"}, {"id": "k1"}),
        "mind.update": ({"title": "Keyed 键"}, {"title": "Other"}),
    }


def test_a_key_makes_every_write_happen_once(house: House) -> None:
    name, api = house.name(), house.api
    writes = keyed(house, name)
    unkeyed = [method for method in [*writes, "mind.create"] if "key" not in schema(method)["params"]["properties"]]
    for method, (params, change) in writes.items():
        if method in unkeyed:
            continue
        first = api.call(method, mind=name, key=f"once {method} 键", **params)
        counted = api.call("mind.get", mind=name)
        again = api.call(method, mind=name, key=f"once {method} 键", **params)
        assert again == first | {"duplicate": True}, method
        assert api.call("mind.get", mind=name) == counted, method
        api.refused("idempotency_conflict", method, mind=name, key=f"once {method} 键", **(params | change))
        assert api.call("mind.get", mind=name) == counted, method
    api.refused("idempotency_conflict", "note.pin", mind=name, key="once note.add 键", id="n1")
    assert unkeyed == [], "every write but message.add takes a key"


def test_a_refused_write_does_not_use_its_key_up(house: House) -> None:
    name, api = house.name(), house.api
    api.note(name, "first")
    api.refused("not_found", "note.pin", mind=name, id="n2", key="later")
    api.note(name, "second")
    assert api.call("note.pin", mind=name, id="n2", key="later")["note"]["pinned"] is True


def test_keys_live_thirty_days_and_through_a_restart(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        note = api.call("note.add", mind="mira", kind="lore", text="The lake 湖", key="lake")
        daemon.kill()
    with daemon_process(tmp_path, "--simulated-clock", START, name="e") as daemon:
        api = checking(daemon)
        again = api.call("note.add", mind="mira", kind="lore", text="The lake 湖", key="lake")
        assert again == {"id": note["id"], "duplicate": True}
        api.call("clock.advance", seconds=29 * DAY)
        assert api.call("note.add", mind="mira", kind="lore", text="The lake 湖", key="lake") == again
        api.call("clock.advance", seconds=2 * DAY)
        later = api.call("note.add", mind="mira", kind="lore", text="The lake 湖", key="lake")
        assert later["id"] != note["id"]
        assert not later.get("duplicate")


# -- lists ---------------------------------------------------------------------------------------------


def test_pages_hold_everything_once_and_in_order(house: House) -> None:
    name, api = house.name(), house.api
    settings = {"window.capacity": 2, "window.topic_marks": False}
    api.call("mind.create", mind=name, settings=settings)
    for number in range(7):
        api.say(name, f"line {number} 第{number}句")
    notes = [api.note(name, f"note {number}") for number in range(5)]
    for other in notes[1:]:
        api.call("link.add", mind=name, src=notes[0], dst=other)
    api.call("idle.run", mind=name)
    api.call("note.forget", mind=name, id=notes[4])
    for method, extra in [
        ("message.list", {}), ("note.list", {}), ("note.list", {"state": "forgotten"}), ("link.list", {}),
        ("link.list", {"note": notes[0]}), ("job.list", {}), ("note.list", {"kind": "episodic"}),
    ]:  # fmt: skip
        whole = api.pages(method, mind=name, **extra)
        assert whole
        for limit in (1, 2, 3, len(whole)):
            assert api.pages(method, mind=name, limit=limit, **extra) == whole, (method, limit)
    minds = api.pages("mind.list")
    assert api.pages("mind.list", limit=1) == minds
    assert [line["mind"] for line in minds] == sorted(line["mind"] for line in minds)
    assert [note["id"] for note in api.notes(name, state="forgotten")] == [notes[4]]
    assert notes[4] not in {note["id"] for note in api.notes(name)}


@pytest.mark.parametrize("method", ["message.list", "note.list", "link.list", "job.list", "mind.list"])
def test_limits_and_cursors_are_checked(house: House, method: str) -> None:
    params = house.minimal(method)
    for limit in (0, 501, -1, 1.0, "1"):
        assert "limit" in house.api.refused_raw("invalid_params", method, params | {"limit": limit}).message
    if method != "mind.list":  # its cursor is a name
        for cursor in ("x", "-1", "1.5", " 1", "１", "9" * 30, "s", "sx"):
            house.api.refused_raw("invalid_params", method, params | {"cursor": cursor})
    house.api.refused_raw("invalid_params", method, params | {"cursor": "9" * 65})
    assert house.api.call(method, **params, limit=500)["next_cursor"] is None


# -- the clock -----------------------------------------------------------------------------------------


def test_only_a_simulated_clock_is_moved(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        for method in ("clock.advance", "clock.jump"):
            assert "--simulated-clock" in (api.refused("simulated_clock_only", method, seconds=5).hint or "")
        told = dt.datetime.fromisoformat(api.call("system.ping")["now"])
        assert abs((told - dt.datetime.now(dt.UTC)).total_seconds()) < 5


def test_time_stands_still_until_it_is_moved(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        api.say("mira", "hello 你好")
        assert api.call("clock.advance", seconds=0)["now"] == START
        assert api.call("clock.advance", seconds=0.5)["now"] == "2026-03-01T08:00:00.500Z"
        for seconds in (-1, float(10**13)):
            api.refused_raw("invalid_params", "clock.advance", {"seconds": seconds})
        assert api.call("clock.advance", seconds=598.5)["jobs"] == []
        assert api.call("mind.get", mind="mira")["mind"]["state"] == "working"
        fired = api.call("clock.advance", seconds=1)
        assert (fired["now"], fired["fired"] >= 1, bool(fired["jobs"])) == ("2026-03-01T08:10:00Z", True, True)
        assert api.call("mind.get", mind="mira")["mind"]["state"] == "idle"
        done = {job["id"]: job["state"] for job in api.jobs("mira")}
        assert {done[job] for job in fired["jobs"]} == {"done"}, "the answer comes when the work is done"
