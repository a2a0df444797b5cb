"""The JSON-RPC envelope: requests read, replies written, whatever strings travel."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.errors import REGISTRY, ErrorName, SoulmemError
from soulmem.rpc.transport.jsonrpc import (
    Refusal,
    Request,
    encode_error,
    encode_notification,
    encode_result,
    parse_request,
)


def frame(**members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "recall", "params": {}} | members


def test_a_request_and_a_notification() -> None:
    assert parse_request(frame(id="a-1", params={"k": 3})) == Request("a-1", "recall", {"k": 3})
    bare = {"jsonrpc": "2.0", "method": "system.ping"}
    assert parse_request(bare) == Request(None, "system.ping", {})
    assert parse_request(frame(id=0)) == Request(0, "recall", {})
    first, second = parse_request(bare), parse_request(bare)
    assert isinstance(first, Request)
    assert isinstance(second, Request)
    assert first.params is not second.params


@every_row(
    [
        ({"id": None}, None, ErrorName.INVALID_REQUEST, "id"),
        ({"id": True}, None, ErrorName.INVALID_REQUEST, "id"),
        ({"id": 1.5}, None, ErrorName.INVALID_REQUEST, "id"),
        ({"id": {}}, None, ErrorName.INVALID_REQUEST, "id"),
        ({"id": "\ud800"}, None, ErrorName.INVALID_REQUEST, "id"),
        ({"jsonrpc": "1.0"}, 1, ErrorName.INVALID_REQUEST, "jsonrpc"),
        ({"jsonrpc": 2.0}, 1, ErrorName.INVALID_REQUEST, "jsonrpc"),
        ({"method": ""}, 1, ErrorName.INVALID_REQUEST, "method"),
        ({"method": 7}, 1, ErrorName.INVALID_REQUEST, "method"),
        ({"parms": {}}, 1, ErrorName.INVALID_REQUEST, "parms"),
        ({"params": []}, 1, ErrorName.INVALID_PARAMS, "object"),
        ({"params": None}, 1, ErrorName.INVALID_PARAMS, "object"),
        ({"params": "text"}, 1, ErrorName.INVALID_PARAMS, "object"),
    ],
    unpack=True,
)
def test_refusals(members: dict[str, Any], echoed: object, name: ErrorName, said: str) -> None:
    refusal = parse_request(frame(**members))
    assert isinstance(refusal, Refusal)
    assert refusal.id == echoed
    assert refusal.error.name is name
    assert said in refusal.error.message


def test_a_misspelt_member_names_its_neighbour() -> None:
    refusal = parse_request(frame(parms={}))
    assert isinstance(refusal, Refusal)
    assert refusal.error.hint == "did you mean params?"


def test_errors_carry_name_hint_and_when_to_retry() -> None:
    error = SoulmemError(ErrorName.OVERLOADED, "太忙", hint="wait", retry_after_ms=50)
    assert json.loads(encode_error("x", error)) == {
        "jsonrpc": "2.0",
        "id": "x",
        "error": {
            "code": REGISTRY[ErrorName.OVERLOADED][0],
            "message": "太忙",
            "data": {"name": "overloaded", "hint": "wait", "retryable": True, "retry_after_ms": 50},
        },
    }
    plain = json.loads(encode_error(None, SoulmemError(ErrorName.NOT_FOUND, "no such note")))
    assert plain["id"] is None
    assert plain["error"]["data"] == {"name": "not_found"}


@settings(max_examples=300, deadline=None)
@given(text=st.text(alphabet=st.characters(), max_size=20))
def test_any_string_leaves_as_one_valid_line(text: str) -> None:
    written = [
        encode_result(1, {"text": text, text: 1}),
        encode_error(1, SoulmemError(ErrorName.INVALID_TEXT, text, hint=text)),
        encode_notification("event", {"text": text}),
    ]
    for line in written:
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        json.loads(line.decode("utf-8", "strict"))
    shown = json.loads(written[0])["result"]["text"]
    clean = not any("\ud800" <= char <= "\udfff" for char in text)
    assert (shown == text) is clean


def test_text_is_not_escaped_and_not_spaced() -> None:
    assert encode_result(1, {"a": "杭州", "b": [1, 2]}) == (
        '{"jsonrpc":"2.0","id":1,"result":{"a":"杭州","b":[1,2]}}\n'.encode()
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, object()])
def test_what_json_cannot_say_is_an_exception_not_a_line(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        encode_result(1, {"value": value})
