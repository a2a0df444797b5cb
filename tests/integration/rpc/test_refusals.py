"""What every method refuses: names, types, texts and times that are none; and that a refusal harms nobody."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from checking import Json, Wire, schema
from daemon_fixture import daemon_process
from household import CHANGES_A_MIND, METHODS, READS_A_MIND, START, House


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("p"), "--simulated-clock", START) as daemon:
        yield House(daemon)


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
    "", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z", "12026-01-01", "2026-03-01T25:00:00Z", "1772352000", "2026-03-01T08:00:00+99:00",
    "-0044-03-15T00:00:00Z", "2026-03-01T08:00:00Z; DROP", "2026-03-01 ",
]  # fmt: skip
TIME_WORDS = ["yesterday", "昨天", "2026-03", "٢٠٢٦-٠٣-٠١"]  # read where it is asked when, never where it is told
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


@pytest.mark.parametrize("at", BAD_TIMES + LATE_TIMES + TIME_WORDS)
def test_a_time_that_is_none(house: House, at: str) -> None:
    api = house.api
    for method, extra in [("message.add", {"at": at}), ("note.add", {"at": at}), ("note.update", {"at": at})]:
        error = api.refused_raw("invalid_time", method, house.minimal(method) | extra)
        assert error.hint
    if at not in LATE_TIMES + TIME_WORDS:
        api.refused("invalid_time", "recall", mind="rosa", query="tea", from_=at)
        api.refused("invalid_time", "recall", mind="rosa", query="tea", to=at)
    house.alive()


def test_recall_takes_the_ends_of_time(house: House) -> None:
    found = house.api.call(
        "recall", mind="rosa", query="Lisbon", from_="0001-01-01T00:00:00Z", to="9999-12-31T23:59:59Z", record=False
    )
    assert found["items"]
    assert house.api.found("rosa", "Lisbon", from_="9999-01-01T00:00:00Z") == []
