"""What the page is told of while it is open: that something changed, to who has the token, and never a word of it."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator

import httpx2
import pytest

from daemon_fixture import daemon_process
from household import Home
from soulmem.bridges.viewer.offered_calls import CHANGES
from viewer_bench import ViewerBench, viewer_process

WORDS = "The ladder stands behind the barn 梯子在谷仓后面"


@contextlib.contextmanager
def stream(page: ViewerBench, query: str, **headers: str) -> Iterator[httpx2.Response]:
    own = {"authorization": f"Bearer {page.token}", "sec-fetch-site": "same-origin"}
    sent = own | {name.replace("_", "-"): value for name, value in headers.items()}
    with page.client.stream("GET", f"{page.address}events{query}", headers=sent) as answer:
        yield answer


def refused(page: ViewerBench, query: str, **headers: str) -> tuple[int, str]:
    with stream(page, query, **headers) as answer:
        assert answer.status_code != 200
        answer.read()
        return answer.status_code, answer.json()["error"]["name"]


def blocks(answer: httpx2.Response) -> Iterator[list[str]]:
    held: list[str] = []
    for line in answer.iter_lines():
        if line:
            held.append(line)
        else:
            yield held
            held = []


def test_each_change_is_told_without_a_word_of_it(page: ViewerBench, home: Home, mind: str) -> None:
    other = home.mind()
    with stream(page, f"?mind={mind}") as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert answer.headers["cache-control"] == "no-store"
        told = blocks(answer)
        assert next(told) == ["retry: 2000"]
        home.api.note(other, WORDS)
        note = home.api.note(mind, WORDS)
        home.api.call("recall", mind=mind, query="ladder 梯子")
        home.api.call("note.update", mind=mind, id=note, text=f"{WORDS}!")
        home.api.call("note.forget", mind=mind, id=note)
        home.api.call("note.restore", mind=mind, id=note)
        home.api.call("note.purge", mind=mind, id=note)
        found = []
        while "event: note_purged" not in found:
            block = next(told)
            found += block
            assert json.loads(next(line for line in block if line.startswith("data: "))[6:])["mind"] == mind
    names = [line.removeprefix("event: ") for line in found if line.startswith("event: ")]
    assert {"note_created", "note_updated", "note_forgotten", "note_restored", "note_purged"} <= set(names)
    assert set(names) <= set(CHANGES)
    assert not [line for line in found if "ladder" in line or "梯子" in line]


@pytest.mark.parametrize(
    ("query", "headers", "told"),
    [
        ("?mind=pell", {"authorization": ""}, (401, "token_needed")),
        ("?mind=pell", {"authorization": "Bearer wrong"}, (401, "token_needed")),
        ("?mind=pell", {"sec_fetch_site": "cross-site"}, (403, "wrong_origin")),
        ("?mind=pell", {"origin": "http://evil.example"}, (403, "wrong_origin")),
        ("?mind=pell", {"host": "evil.example"}, (421, "wrong_host")),
        ("", {}, (400, "not_offered")),
        ("?mind=pell&mind=other", {}, (400, "not_offered")),
        ("?mind=pell&events=message_recorded", {}, (400, "not_offered")),
        ("?mind=No%20Mind", {}, (400, "invalid_params")),
        ("?mind=%FF", {}, (400, "invalid_params")),
    ],
)
def test_who_may_not_hear_hears_nothing(
    page: ViewerBench, query: str, headers: dict[str, str], told: tuple[int, str]
) -> None:
    assert refused(page, query, **headers) == told


def test_a_token_in_the_address_hears_nothing(page: ViewerBench, mind: str) -> None:
    for query in (f"?mind={mind}&token={page.token}", f"?token={page.token}"):
        assert refused(page, query, authorization="")[0] == 401
    assert page.client.post(f"{page.address}events?mind={mind}").status_code == 405


def test_streams_are_bounded_and_given_back(page: ViewerBench, mind: str) -> None:
    with contextlib.ExitStack() as opened:
        told = [blocks(opened.enter_context(stream(page, f"?mind={mind}"))) for _ in range(16)]
        assert all(next(each) == ["retry: 2000"] for each in told)
        assert refused(page, f"?mind={mind}") == (503, "overloaded")
        assert page.call("system.status")["state"] == "running"
    deadline = time.monotonic() + 20
    while True:
        with stream(page, f"?mind={mind}") as answer:
            if answer.status_code == 200:
                break
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_page_that_stops_ends_its_streams(home: Home, mind: str) -> None:
    """As they end that are at their end: one that is cut off would be an error of the protocol."""
    with contextlib.ExitStack() as opened:
        with viewer_process(home.daemon, "--no-open", "-m", mind) as page:
            asked = {"authorization": f"Bearer {page.token}"}
            client = opened.enter_context(httpx2.Client(timeout=60, verify=False))
            answer = opened.enter_context(client.stream("GET", f"{page.address}events?mind={mind}", headers=asked))
            told = blocks(answer)
            assert next(told) == ["retry: 2000"]
        assert not list(told)


def test_a_daemon_that_goes_ends_the_stream(tmp_path_factory: pytest.TempPathFactory) -> None:
    with daemon_process(tmp_path_factory.mktemp("d")) as daemon:
        daemon.call("mind.create", {"mind": "pell"})
        with viewer_process(daemon, "--no-open", "-m", "pell") as page:
            with stream(page, "?mind=pell") as answer:
                told = blocks(answer)
                assert next(told) == ["retry: 2000"]
                assert daemon.terminate() == 0
                assert not list(told)
            assert refused(page, "?mind=pell") == (503, "daemon_away")
