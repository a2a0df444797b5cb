"""`soulmem proxy` as a command: where it listens, whom it lets in, whose key goes on, and what it refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from mcp_bench import file_holds
from proxy_bench import ProxyBench, proxy_process, user
from served_process import environment

TOKEN, KEY = "a-token-of-the-tests-0123456789", "sk-of-the-endpoint-987654321"
BODY = {"model": "tiny", "messages": [user("hello 你好")]}


def authorization(proxy: ProxyBench) -> str | None:
    return proxy.upstream.requests[-1][1].get("authorization")


def test_the_key_of_the_client_goes_on_where_none_is_set(proxy: ProxyBench) -> None:
    proxy.say([user("hi")], X_Soulmem_Persona="keys")
    assert authorization(proxy) == "Bearer sk-of-the-client"
    proxy.hears("keys", [("user", "hi"), ("assistant", "Noted, 记下了。")])
    assert not file_holds(proxy.daemon, "keys", "sk-of-the-client")
    assert not [name for name in proxy.upstream.requests[-1][1] if name.startswith("x-soulmem")]


@pytest.mark.parametrize("by", ["file", "environment"])
def test_a_key_of_its_own_goes_on_and_is_told_to_nobody(proxy: ProxyBench, tmp_path: Path, by: str) -> None:
    (tmp_path / "key").write_text(f"{KEY}\n")
    arguments = ["--key-file", str(tmp_path / "key")] if by == "file" else []
    env = {} if by == "file" else {"SOULMEM_PROXY_KEY": KEY, "SOULMEM_PROXY_UPSTREAM": proxy.upstream.url}
    with proxy_process(proxy.upstream, proxy.daemon, *arguments, **env) as keyed:
        keyed.say([user("hi")], X_Soulmem_Persona="keyed")
        assert authorization(proxy) == f"Bearer {KEY}"
        keyed.hears("keyed", [("user", "hi"), ("assistant", "Noted, 记下了。")])
        assert KEY not in keyed.log.read_text()
    for held in (KEY, "sk-of-the-client"):
        assert not file_holds(proxy.daemon, "keyed", held)
        assert held not in proxy.daemon.log_path.read_text()


def test_a_unix_socket_for_its_owner_alone(proxy: ProxyBench, tmp_path: Path) -> None:
    place = tmp_path / "p.sock"
    for _ in range(2):
        with proxy_process(proxy.upstream, proxy.daemon, "--uds", str(place)):
            assert place.stat().st_mode & 0o777 == 0o600
            with httpx2.Client(transport=httpx2.HTTPTransport(uds=str(place))) as client:
                answer = client.post("http://proxy/v1/chat/completions", json=BODY, timeout=30)
            assert answer.json()["choices"][0]["message"]["content"] == "Noted, 记下了。"
        assert not place.exists()


def test_who_brings_no_token_is_not_served(proxy: ProxyBench, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    with proxy_process(proxy.upstream, proxy.daemon, "--token-file", str(tmp_path / "token")) as guarded:
        url = f"{guarded.url}/chat/completions"
        for given in (
            {},
            {"Authorization": "Bearer wrong"},
            {"X-Soulmem-Token": "wrong", "Authorization": f"Bearer {TOKEN}"},
        ):
            refused = httpx2.post(url, json=BODY, headers=given, timeout=30)
            assert refused.status_code == 401
            assert refused.json()["error"]["message"].startswith("soulmem: a token is needed")
        assert not proxy.upstream.requests
        assert httpx2.post(url, json=BODY, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=30).status_code == 200
        assert authorization(proxy) is None  # the token is none of the endpoint's business
        both = {"X-Soulmem-Token": TOKEN, "Authorization": "Bearer sk-1"}
        assert httpx2.post(url, json=BODY, headers=both, timeout=30).status_code == 200
        assert authorization(proxy) == "Bearer sk-1"
        assert TOKEN not in guarded.log.read_text()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421), ({"Host": "127.0.0.1.evil.example:80"}, 421), ({"Host": "localhost:1"}, 200),
        ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403), ({"Origin": "http://localhost:3000"}, 200),
    ],
)  # fmt: skip
def test_no_web_page_reaches_it_by_another_name(proxy: ProxyBench, headers: dict[str, str], status: int) -> None:
    assert httpx2.get(f"{proxy.url}/models", headers=headers, timeout=30).status_code == status


def test_another_path_is_none_of_it(proxy: ProxyBench) -> None:
    answer = httpx2.get(proxy.url.replace("/v1", "/admin"), timeout=30)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "proxy_refused")


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        ([], 78, "it must know the endpoint behind it"),
        (["--upstream", "ftp://x"], 78, "--upstream is not an http(s) or unix: URL"),
        (["--upstream", "http://127.0.0.1:1", "--listen", "0.0.0.0:0"], 78, "on 0.0.0.0 others could read this memory"),
        (["--upstream", "http://127.0.0.1:1", "--listen", "nowhere"], 2, "'nowhere' is no address"),
        (["--upstream", "http://127.0.0.1:1", "--uds", "/tmp/x", "--listen", "1"], 2, "--uds listens on no port"),
        (["--upstream", "http://127.0.0.1:1", "--uds", "/nowhere/x"], 78, "it cannot listen on /nowhere/x"),
        (["--upstream", "http://127.0.0.1:1", "--key-file", "/nowhere"], 78, "the key cannot be read from /nowhere"),
        (["--upstream", "http://127.0.0.1:1", "--token-file", os.devnull], 78, "the token must have at least 16"),
        (["--mind", "No Such", "--upstream", "http://127.0.0.1:1"], 64, "'No Such' cannot be the name of a mind"),
        (["--position", "nowhere"], 2, "nowhere"),
    ],
)
def test_refusals_are_one_line(arguments: list[str], code: int, line: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "soulmem", "proxy", *arguments], env=environment(), capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == code, ended.stderr
    assert line in ended.stderr
    assert "Traceback" not in ended.stderr
