"""`soulmem http` without a server: how it asks for its extra, which tokens it makes, and what it says of an error."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra soulmem[http] is not installed")

from soulmem.bridges.http.access_token import token_in
from soulmem.bridges.http.http_replies import HttpRefusal, failure_of, json_bytes
from soulmem.bridges.http.mem0_requests import arguments_of
from soulmem.bridges.http.request_guard import GuardSetting
from soulmem.bridges.http_server import listening
from soulmem.bridges.mcp.http_address import HttpAddress
from soulmem.client import CallTimeout, DaemonUnavailable, SoulmemRemoteError
from soulmem.errors import ErrorName, SoulmemError


def test_without_the_extra_one_line_says_how_to_get_it() -> None:
    """As where it was never installed: the finder finds no `uvicorn`."""
    code = (
        "import sys; from importlib.machinery import PathFinder as P; find = P.find_spec\n"
        "P.find_spec = lambda name, *rest: None if name.split('.')[0] == 'uvicorn' else find(name, *rest)\n"
        "from soulmem.cli.main import run; run(['http'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (78, "")
    assert done.stderr == "soulmem: the extra for HTTP is not installed — pip install 'soulmem[http]'\n"


def test_other_commands_do_not_load_it() -> None:
    code = "import sys; from soulmem.cli.main import command_tree; command_tree('status'); command_tree('http'); "
    code += "print(sorted({'starlette', 'uvicorn', 'pydantic'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_of_many_that_start_at_once_one_makes_the_token(tmp_path: Path) -> None:
    path, found = tmp_path / "kept" / "token", []
    barrier = threading.Barrier(8)

    def start() -> None:
        barrier.wait()
        found.append(token_in(path))

    starting = [threading.Thread(target=start) for _ in range(8)]
    for each in starting:
        each.start()
    for each in starting:
        each.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert [each.name for each in path.parent.iterdir()] == ["token"]


def test_what_is_answered_goes_out_at_once() -> None:
    """Without TCP_NODELAY the second piece of an answer waits until the client has confirmed the first."""
    with listening(HttpAddress("127.0.0.1", 0)) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize(
    ("method", "given", "found"),
    [
        ("update", {"memory_id": "n1", "data": "茶 tea"}, {"memory_id": "n1", "text": "茶 tea"}),
        ("update", {"memory_id": "n1", "expiration_date": None}, {"memory_id": "n1", "expiration_date": None}),
        ("get_all", {"user_id": "a", "top_k": "7", "show_expired": "TRUE"},
         {"user_id": "a", "top_k": 7, "show_expired": True}),
        ("search", {"query": "q", "source": "CLI", "filters": {"metadata": {"a": 1}, "user_id": "b"}},
         {"query": "q", "filters": {"user_id": "b", "AND": [{"a": 1}]}}),
        ("search", {"query": "q", "filters": {"OR": [{"metadata": {"a": {"in": [1]}}}]}},
         {"query": "q", "filters": {"OR": [{"AND": [{"a": {"in": [1]}}]}]}}),
        ("add", {"messages": "m", "app_id": "x", "user_id": None, "llm": "y"},
         {"messages": "m", "metadata": {"app_id": "x"}}),
        ("delete_all", {"user_id": "a", "purge": False}, {"user_id": "a", "purge": False}),
    ],
)  # fmt: skip
def test_a_request_is_read_as_a_call(method: str, given: dict[str, Any], found: dict[str, Any]) -> None:
    assert arguments_of(method, given) == found


@pytest.mark.parametrize(
    ("method", "given", "line"),
    [
        ("add", {"user_id": "a"}, "messages is missing"),
        ("search", {"query": None}, "query is missing"),
        ("get_all", {"top_k": "٣"}, "top_k must be a whole number, not '٣'"),
        ("delete_all", {"user_id": "a", "purge": 1}, "purge must be true or false, not '1'"),
        ("delete_all", {"user_id": "a", "app_id": "x"}, "app_id: memories are not deleted or changed by it"),
        ("delete", {"memory_id": "n1", "delete_linked": "true"}, "delete_linked: there is no such deletion here"),
        ("search", {"query": "q", "app_id": "x", "filters": "茶"}, "filters must be an object"),
    ],
)  # fmt: skip
def test_what_would_be_misread_is_refused(method: str, given: dict[str, Any], line: str) -> None:
    with pytest.raises(HttpRefusal, match=re.escape(line)):
        arguments_of(method, given)


def test_a_token_is_in_no_representation() -> None:
    assert "secret" not in repr(GuardSetting("secret-of-the-tests"))


@pytest.mark.parametrize(
    ("error", "status", "line", "headers"),
    [
        (SoulmemRemoteError("overloaded", "busy 忙", hint="later", code=501, retryable=True, retry_after_ms=1500), 503,
         "busy 忙 (later)", {"Retry-After": "2"}),
        (SoulmemRemoteError("of_a_later_daemon", "what is new"), 500, "what is new", {}),
        (SoulmemError(ErrorName.NOT_FOUND, "there is no note"), 404, "there is no note", {}),
        (DaemonUnavailable("/x", "none is running"), 503, "the daemon does not answer (start it: soulmem daemon)",
         {"Retry-After": "1"}),
        (CallTimeout("recall", 3), 504, "recall was not answered in time (it may still be carried out)",
         {"Retry-After": "1"}),
        (HttpRefusal("unauthorized", "a token is needed"), 401, "a token is needed",
         {"WWW-Authenticate": 'Bearer realm="soulmem"'}),
    ],
)  # fmt: skip
def test_an_error_is_told_as_what_it_is(error: Exception, status: int, line: str, headers: dict[str, str]) -> None:
    failure = failure_of(error)
    assert failure is not None
    assert (failure.status, failure.line, failure.headers) == (status, line, headers)
    assert failure.error["message"] in line


def test_a_fault_of_ours_is_nothing_that_is_told() -> None:
    assert failure_of(KeyError("a memory")) is None


def test_what_is_no_character_is_told_as_one() -> None:
    assert json_bytes({"said": "茶\ud800"}).decode() == '{"said":"茶\ufffd"}'
