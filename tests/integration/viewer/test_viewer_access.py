"""Who is let in by the page's server, and to what: tokens, names, origins, the list of what it offers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from checking import SCHEMAS
from household import Home
from soulmem.bridges.viewer.offered_calls import READING, WRITING
from viewer_bench import ViewerBench, viewer_process

SECRET = "blue pot"
FILES = ("", "viewer.js", "viewer.css")


def error(answer: httpx2.Response) -> str:
    assert SECRET not in answer.text
    name: str = answer.json()["error"]["name"]
    return name


def directives(answer: httpx2.Response) -> dict[str, str]:
    told = [each.strip().partition(" ") for each in answer.headers["content-security-policy"].split(";")]
    return {name: value for name, _, value in told}


@pytest.mark.parametrize("name", FILES)
def test_the_page_may_load_and_run_nothing_but_itself(page: ViewerBench, name: str) -> None:
    answer = page.get(name)
    assert answer.status_code == 200
    policy = directives(answer)
    assert policy["default-src"] == "'none'"
    assert (policy["script-src"], policy["style-src"], policy["connect-src"]) == ("'self'",) * 3
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert policy["require-trusted-types-for"] == "'script'"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert not [each for each in answer.headers if each.startswith("access-control")]
    assert page.token not in answer.text


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer wrong", "Basic {}", "{}", "Bearer {}x", "bearer  {}"])
def test_nothing_is_read_without_the_token(page: ViewerBench, mind: str, given: str) -> None:
    answer = page.post("note.list", {"mind": mind}, authorization=given.format(page.token))
    if given.startswith("bearer"):  # the scheme is no matter of case, blanks are none of the token
        assert answer.status_code == 200
        return
    assert (answer.status_code, error(answer)) == (401, "token_needed")


def test_a_token_in_the_address_opens_nothing(page: ViewerBench, mind: str) -> None:
    body = json.dumps({"method": "note.list", "params": {"mind": mind}})
    for place in (f"call?token={page.token}", f"call?authorization=Bearer%20{page.token}"):
        answer = page.client.post(page.address + place, content=body, headers={"content-type": "application/json"})
        assert answer.status_code == 401
    assert page.get(f"{page.token}/call").status_code == 404


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "127.0.0.1", "localhost:1", "0.0.0.0:{}", ""]
)
def test_it_answers_by_its_own_name_alone(page: ViewerBench, mind: str, host: str) -> None:
    given = host.format(page.address.rsplit(":", 1)[1].strip("/"))
    assert page.post("note.list", {"mind": mind}, host=given).status_code in (421, 400)
    for name in FILES:
        answer = page.get(name, host=given)
        assert answer.status_code in (421, 400)


def test_it_answers_as_localhost_too(page: ViewerBench, mind: str) -> None:
    port = page.address.rsplit(":", 1)[1].strip("/")
    names = {"host": f"localhost:{port}", "origin": f"http://localhost:{port}"}
    assert page.post("mind.get", {"mind": mind}, **names).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": "http://127.0.0.1:1"},
        {"origin": "https://127.0.0.1"}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
    ],
)  # fmt: skip
def test_no_other_page_calls_it_even_with_the_token(page: ViewerBench, mind: str, headers: dict[str, str]) -> None:
    answer = page.post("note.list", {"mind": mind}, **headers)
    assert (answer.status_code, error(answer)) == (403, "wrong_origin")


def test_what_a_form_of_another_page_could_send_is_no_call(page: ViewerBench, mind: str) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = page.post("note.list", {"mind": mind}, content_type=kind)
        assert (answer.status_code, error(answer)) == (415, "wrong_type")
    assert page.get("call").status_code == 405
    assert page.client.post(page.address).status_code == 405
    assert page.client.request("OPTIONS", f"{page.address}call").status_code == 405


def test_it_offers_what_it_lists_and_nothing_else(page: ViewerBench, mind: str) -> None:
    methods = {path.stem for path in SCHEMAS.glob("*.json")} - {"errors"}
    assert methods > READING.keys() | WRITING.keys()
    for method in sorted(methods - READING.keys() - WRITING.keys()):
        assert error(page.post(method, {"mind": mind})) == "not_offered"
    for method in WRITING:
        assert error(page.post(method, {"mind": mind, "id": "n1"})) == "write_token_needed"
    for method, names in READING.items():
        schema = json.loads((SCHEMAS / f"{method}.json").read_text())
        assert names <= schema["params"]["properties"].keys(), method


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("recall", {"query": "key", "record": True}), ("recall", {"query": "key", "reach": "archive"}),
        ("recall", {"query": "key", "depth": "deep"}), ("note.list", {"conversation": "main"}),
        ("note.get", {"id": "n1", "key": "k"}),
    ],
)  # fmt: skip
def test_reading_leaves_no_trace_and_costs_nothing(
    page: ViewerBench, mind: str, method: str, params: dict[str, Any]
) -> None:
    assert error(page.post(method, {"mind": mind, **params})) == "not_offered"


def test_a_recall_by_the_page_is_not_recorded(page: ViewerBench, home: Home, mind: str) -> None:
    before = home.recalls(mind)
    for query in ("where is the spare key?", "备用钥匙在哪里", "cat 猫"):
        found = page.call("recall", mind=mind, query=query, explain=True)
        assert found["items"], query
        assert found["recall_id"] is None
    assert home.recalls(mind) == before


def test_both_languages_pass_as_they_are(page: ViewerBench, mind: str) -> None:
    notes = page.call("note.list", mind=mind)["items"]
    assert [note["text"] for note in notes] == [
        "The spare key lies under the blue pot 备用钥匙在蓝花盆下面", "小苇 feeds the cat 喂猫 on Sundays"
    ]  # fmt: skip
    assert page.call("mind.get", mind=mind)["mind"]["title"] == "Pell 阿砚"


HOSTILE_IDS: list[Any] = [
    "n1' OR 1=1 --", "../../etc/passwd", "\u202en1", "n" + "9" * 400, "n1\x00", "", "ｎ１", "n-1", 1, None, ["n1"],
    {"id": "n1"}, "笔记一", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("method", ["note.get", "note.forecast", "note.history", "graph.get"])
def test_hostile_ids_get_one_clear_error(page: ViewerBench, mind: str, method: str) -> None:
    name = "around" if method == "graph.get" else "id"
    for id_ in HOSTILE_IDS:
        if method == "graph.get" and id_ is None:
            continue  # the newest
        answer = page.post(method, {"mind": mind, name: id_})
        assert answer.status_code == 400, (id_, answer.text)
        assert error(answer) in ("not_found", "invalid_params", "invalid_text"), id_
    for other in ("no-such-mind", "../x", "", "M", "x" * 200):
        assert error(page.post(method, {"mind": other, name: "n1"})) in ("mind_not_found", "invalid_params")
    assert page.call("system.status")["state"] == "running"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400), (b"{", 400), (b"[" * 100_000, 400), (b"[]", 403), (b'{"method": 1}', 403), (b'"recall"', 403),
        (b'{"method": "recall", "params": []}', 403), (b'{"method": "mind.get", "id": 1}', 403), (b"\xff\xfe", 400),
        (b'{"method": "' + b"x" * 2_000_000 + b'"}', 413),
    ],
)  # fmt: skip
def test_what_is_no_call_is_refused_in_one_line(page: ViewerBench, body: bytes, status: int) -> None:
    headers = {"authorization": f"Bearer {page.token}", "content-type": "application/json"}
    answer = page.client.post(f"{page.address}call", content=body, headers=headers)
    assert answer.status_code == status
    assert len(answer.json()["error"]["message"].splitlines()) == 1


def test_with_edit_notes_are_changed_pinned_forgotten_and_brought_back(home: Home, mind: str) -> None:
    id_ = home.api.note(mind, "小苇 keeps bees 养蜂")
    with viewer_process(home.daemon, "--no-open", "--edit", "-m", mind) as editing:
        assert editing.behind_hash["edit"] == "1"
        assert editing.call("note.pin", mind=mind, id=id_)["note"]["pinned"]
        assert not editing.call("note.unpin", mind=mind, id=id_)["note"]["pinned"]
        changed = editing.call("note.update", mind=mind, id=id_, version=1, text="小苇 keeps ducks 养鸭", tags=["鸭"])
        assert (changed["note"]["text"], changed["note"]["tags"]) == ("小苇 keeps ducks 养鸭", ["鸭"])
        stale = editing.post("note.update", {"mind": mind, "id": id_, "version": 1, "text": "geese"})
        assert error(stale) == "version_conflict"
        assert editing.call("note.forget", mind=mind, id=id_)["forgotten"]
        assert [each["id"] for each in editing.call("note.list", mind=mind, state="forgotten")["items"]] == [id_]
        assert editing.call("note.restore", mind=mind, id=id_)["restored"]
        assert error(editing.post("note.purge", {"mind": mind, "id": id_})) == "not_offered"
        assert editing.post("note.pin", {"mind": mind, "id": id_}, authorization="Bearer x").status_code == 401
        log = editing.log.read_text()
    assert log.count(editing.token) == 1  # where it was asked for: behind --json
    home.api.call("note.forget", mind=mind, id=id_)


def test_no_log_of_the_daemon_knows_a_token(page: ViewerBench, home: Home) -> None:
    page.call("system.status")
    assert page.token not in home.daemon.log_path.read_text()
    assert page.token not in Path(f"/proc/{page.process.pid}/cmdline").read_text()
