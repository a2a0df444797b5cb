"""JSON-RPC over HTTP: every method, one by one and in batches, and what goes wrong, with the status that says so."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest

from daemon_fixture import daemon_process
from http_bench import HttpBench, http_process
from soulmem.bridges.http.http_replies import STATUS_OF
from soulmem.errors import ErrorName


def envelope(method: str, number: Any = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("The lighthouse keeper drinks barley tea.", "What does the keeper drink?"),
        ("灯塔看守人喝大麦茶。", "看守人喝什么茶？"),
        ("Keeper 林溪 drinks 大麦茶 at dusk.", "林溪 barley 大麦茶"),
    ],
)
def test_what_is_told_is_recalled(server: HttpBench, text: str, query: str) -> None:
    mind = f"lighthouse-{len(text)}"
    added = server.call("note.add", mind=mind, kind="semantic", text=text)
    found = server.ask("POST", "/rpc", envelope("recall", "r1", mind=mind, query=query))
    assert found.status_code == 200
    assert found.headers["content-type"] == "application/json"
    reply = found.json()
    assert (reply["jsonrpc"], reply["id"]) == ("2.0", "r1")
    assert [item["text"] for item in reply["result"]["items"]] == [text]
    assert server.daemon.call("note.get", {"mind": mind, "id": added["id"]})["note"]["text"] == text
    assert text in found.text  # as UTF-8, not as escapes


def test_a_batch_is_carried_out_in_its_order(server: HttpBench) -> None:
    batch = [
        envelope("mind.create", 1, mind="batch"),
        {"jsonrpc": "2.0", "method": "message.add", "params": {"mind": "batch", "role": "user", "content": "早 hello"}},
        envelope("message.list", "two", mind="batch"),
        envelope("note.get", 3, mind="batch", id="n99"),
        7,
        envelope("nosuch.method", 4),
    ]
    answer = server.ask("POST", "/rpc", batch)
    replies = answer.json()
    assert answer.status_code == 200
    assert [reply["id"] for reply in replies] == [1, "two", 3, None, 4]
    assert replies[1]["result"]["items"][0]["content"] == "早 hello"
    names = [reply["error"]["data"]["name"] for reply in replies if "error" in reply]
    assert names == ["not_found", "invalid_request", "unknown_method"]


def test_of_notifications_nothing_is_told_and_they_are_done(server: HttpBench) -> None:
    told = {"jsonrpc": "2.0", "method": "mind.create", "params": {"mind": "quiet"}}
    for body in (told, [told | {"params": {"mind": "quieter"}}]):
        answer = server.ask("POST", "/rpc", body)
        assert (answer.status_code, answer.content) == (204, b"")
    names = {mind["mind"] for mind in server.daemon.call("mind.list")["items"]}
    assert {"quiet", "quieter"} <= names
    refused = server.ask("POST", "/rpc", told)  # that mind is there, and nobody is told so but by the status
    assert (refused.status_code, refused.content) == (409, b"")


@pytest.mark.parametrize(
    ("body", "status", "name"),
    [
        (b'{"jsonrpc":"2.0","id":1,"meth', 400, "parse_error"),
        (b"", 400, "invalid_request"),
        (b"\xff\xfe", 400, "parse_error"),
        (b'{"jsonrpc":"2.0","id":1,"id":1,"method":"system.ping"}', 400, "parse_error"),
        (b"[" * 5000, 400, "parse_error"),
        (b"[]", 400, "invalid_request"),
        (json.dumps([envelope("system.ping")] * 101).encode(), 400, "invalid_request"),
        (b"3", 400, "invalid_request"),
        (b'{"id":1,"method":"system.ping"}', 400, "invalid_request"),
        (json.dumps(envelope("system.pong")).encode(), 404, "unknown_method"),
        (json.dumps(envelope("recall", mind="nobody", query="茶")).encode(), 404, "mind_not_found"),
        (json.dumps(envelope("recall", mind="nobody")).encode(), 400, "invalid_params"),
        (json.dumps(envelope("recall", mind="nobody", query="t", querry="")).encode(), 400, "invalid_params"),
        (json.dumps(envelope("clock.jump", seconds="x")).encode(), 400, "invalid_params"),
        (json.dumps(envelope("events.watch")).encode(), 400, "invalid_request"),
        (json.dumps(envelope("note.add", mind="w", kind="lore", text="\ud800")).encode(), 400, "invalid_text"),
        (json.dumps(envelope("message.list", mind="茶" * 400_000), ensure_ascii=False).encode(), 413, "too_large"),
    ],
)
def test_what_is_wrong_has_its_status(server: HttpBench, body: bytes, status: int, name: str) -> None:
    answer = server.ask("POST", "/rpc", body)
    reply = answer.json()
    assert (answer.status_code, reply["error"]["data"]["name"]) == (status, name)
    assert reply["jsonrpc"] == "2.0"
    assert "Traceback" not in answer.text
    assert server.call("system.ping")["now"]


def test_an_error_is_the_one_of_the_socket(server: HttpBench) -> None:
    asked = envelope("recall", 5, mind="nobody", query="tea", queri="茶")
    with server.daemon.client() as client, pytest.raises(Exception, match="queri") as raised:
        client.call("recall", asked["params"])
    told = server.ask("POST", "/rpc", asked).json()["error"]
    assert (told["code"], told["message"], told["data"]["hint"]) == (
        raised.value.code, raised.value.message, raised.value.hint,  # type: ignore[attr-defined]
    )  # fmt: skip
    alone = server.ask("POST", "/rpc/recall", asked["params"]).json()
    assert alone["error"] == told
    assert alone["detail"] == f"{told['message']} ({told['data']['hint']})"


def test_a_body_of_a_method_is_an_object_or_nothing(server: HttpBench) -> None:
    assert server.ask("POST", "/rpc/system.ping").json() == server.call("system.ping")
    assert server.error("POST", "/rpc/system.ping", b"[]") == (400, "invalid_request")
    assert server.error("POST", "/rpc/system.ping", b"{") == (400, "parse_error")
    assert server.error("POST", "/rpc/events.watch") == (400, "invalid_request")


def test_paths_and_verbs_that_there_are_not(server: HttpBench) -> None:
    assert server.error("GET", "/nowhere") == (404, "unknown_path")
    assert server.error("GET", "/") == (404, "unknown_path")
    assert server.error("GET", "/rpc") == (405, "wrong_verb")
    assert server.error("PATCH", "/health") == (405, "wrong_verb")
    assert server.error("POST", "/rpc/a/b") == (404, "unknown_path")
    assert server.ask("PATCH", "/memories").headers["allow"] == "DELETE, GET, HEAD, POST"


def test_every_error_of_the_daemon_has_a_status() -> None:
    assert {name.value for name in ErrorName} <= set(STATUS_OF)
    assert all(400 <= status < 600 for status in STATUS_OF.values())


def test_who_asks_what_takes_long_holds_up_nobody(server: HttpBench) -> None:
    for number in range(6):
        text = f"Day {number}: Ines went up the hill 第{number}天伊内斯上山。"
        server.call("message.add", mind="busy", role="user", content=text)
    ended = threading.Event()

    def night() -> None:
        server.call("idle.run", mind="busy")
        ended.set()

    nights = [threading.Thread(target=night) for _ in range(3)]
    for each in nights:
        each.start()
    began = time.monotonic()
    for _ in range(5):
        assert server.call("system.ping")["now"]
    assert time.monotonic() - began < 5
    for each in nights:
        each.join(60)
    assert ended.is_set()


def test_a_daemon_that_is_away_is_told_of_and_found_again(tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("away")
    with daemon_process(root) as daemon, http_process(daemon) as server:
        assert server.call("mind.create", mind="pell")["mind"]["mind"] == "pell"
        assert daemon.terminate() == 0
        answer = server.ask("POST", "/rpc", envelope("system.ping", 8))
        assert (answer.status_code, answer.json()["id"], answer.headers["retry-after"]) == (503, 8, "1")
        assert answer.json()["error"]["data"]["name"] == "daemon_unavailable"
        assert server.error("POST", "/rpc/system.ping") == (503, "daemon_unavailable")
        assert server.curl("/health") == (503, '{"status":"daemon unavailable"}')
        with daemon_process(root):
            assert server.call("mind.get", mind="pell")["mind"]["mind"] == "pell"
            time.sleep(0.55)
            assert server.curl("/health") == (200, '{"status":"ok"}')
