"""Who may speak to `soulmem http`: the token, the Host and the Origin of a request, and where it listens at all."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from household import Home
from http_bench import TOKEN, HttpBench, http_process
from shell import Shell

PING = b'{"jsonrpc":"2.0","id":1,"method":"system.ping"}'


def raw(server: HttpBench, request: str) -> str:
    """What is answered to these bytes."""
    place = urlsplit(server.url)
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=30) as connection:
        connection.sendall(request.replace("\n", "\r\n").encode())
        return connection.recv(65_536).decode()


@pytest.mark.parametrize(
    "headers",
    [
        {}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Bearer {TOKEN}x"}, {"Authorization": "Bearer"},
        {"Authorization": TOKEN}, {"Authorization": f"Basic {TOKEN}"}, {"X-API-Key": "wrong"},
        {"X-API-Key": TOKEN, "Authorization": "Bearer wrong"}, {"Cookie": f"token={TOKEN}"},
        {"Authorization": "Bearer \u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"},
    ],
)  # fmt: skip
def test_without_the_token_nothing_is_served(server: HttpBench, headers: dict[str, str]) -> None:
    given = {name: value.encode("latin-1") for name, value in headers.items()}
    for verb, path in (("POST", "/rpc"), ("POST", "/rpc/system.ping"), ("GET", "/nowhere"), ("DELETE", "/health/x")):
        answer = server.client.request(verb, server.url + path, headers=given, content=PING)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == 'Bearer realm="soulmem"'
        assert answer.json()["error"]["data"]["name"] == "unauthorized"
        assert TOKEN not in answer.text


def test_a_token_in_an_address_is_refused_even_beside_the_right_one(server: HttpBench) -> None:
    for name in ("token", "access_token", "api_key", "TOKEN"):
        assert server.error("POST", f"/rpc?{name}={TOKEN}", PING) == (400, "invalid_request")
        assert server.curl(f"/rpc?{name}={TOKEN}", "-d", PING.decode())[0] == 400


def test_no_log_knows_a_token(server: HttpBench) -> None:
    for path in (f"/rpc?token={TOKEN}", f"/{TOKEN}", f"/rpc/{TOKEN}", f"/memories/{TOKEN}"):
        server.ask("POST", path, PING)
    server.ask("POST", "/rpc/recall", {"mind": "nobody-here", "query": "杏"}, headers={"X-API-Key": TOKEN})
    raw(server, f"GET /health HTTP/1.1\nHost: {TOKEN}.example\nAuthorization: Bearer {TOKEN}\n\n")
    assert TOKEN not in server.log.read_text()
    assert TOKEN not in server.daemon.log_path.read_text()


@pytest.mark.parametrize("header", [f"Authorization: Bearer {TOKEN}", f"authorization: token {TOKEN}",
                                    f"X-API-Key: {TOKEN}"])  # fmt: skip
def test_with_the_token_curl_is_served(server: HttpBench, header: str) -> None:
    status, text = server.curl("/rpc", "-H", header, "-d", PING.decode())
    assert status == 200
    assert '"result":{"now":' in text


def test_two_tokens_are_none(server: HttpBench) -> None:
    twice = ["-H", f"Authorization: Bearer {TOKEN}", "-H", f"X-API-Key: {TOKEN}"]
    assert server.curl("/rpc", *twice, "-d", PING.decode())[0] == 401


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example", 421), ("127.0.0.1.evil.example", 421), ("localhost:1", 200), ("LOCALHOST", 200),
        ("127.0.0.1:x", 421), ("[::1]:9", 200), ("", 421), ("127.0.0.1, evil.example", 421),
    ],
)  # fmt: skip
def test_a_name_that_points_here_is_not_its_name(server: HttpBench, host: str, status: int) -> None:
    assert server.ask("POST", "/rpc", PING, headers={"Host": host}).status_code == status
    assert server.client.get(f"{server.url}/health", headers={"Host": host}).status_code == status


def test_a_request_without_a_host_or_with_two_is_refused(server: HttpBench) -> None:
    assert " 421 " in raw(server, f"POST /rpc HTTP/1.0\nAuthorization: Bearer {TOKEN}\nContent-Length: 0\n\n")
    assert " 400 " in raw(server, "GET /health HTTP/1.1\nHost: localhost\nHost: evil.example\n\n")
    absolute = "GET http://evil.example/health HTTP/1.1\nHost: localhost\n\n"
    assert " 404 " in raw(server, absolute) or " 401 " in raw(server, absolute)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost.evil.example", "", "http://x, y"])
def test_no_web_page_is_served(server: HttpBench, origin: str) -> None:
    for verb, path in (("POST", "/rpc"), ("GET", "/health"), ("OPTIONS", "/rpc")):
        answer = server.ask(verb, path, PING, headers={"Origin": origin})
        assert (answer.status_code, answer.json()["error"]["data"]["name"]) == (403, "access_denied")
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_page_that_is_named_is_served_and_no_other(home: Home) -> None:
    page = "https://page.example"
    with http_process(home.daemon, "--allow-origin", page, "--host-name", "memory.home.lan") as server:
        asks = {
            "Origin": page,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization",
        }
        permitted = server.client.options(f"{server.url}/rpc", headers=asks)
        assert permitted.status_code == 204
        assert permitted.headers["access-control-allow-origin"] == page
        assert "Authorization" in permitted.headers["access-control-allow-headers"]
        assert "access-control-allow-credentials" not in permitted.headers
        served = server.ask("POST", "/rpc", PING, headers={"Origin": page, "Host": "memory.home.lan"})
        assert (served.status_code, served.headers["access-control-allow-origin"]) == (200, page)
        unknown = server.client.post(f"{server.url}/rpc", headers={"Origin": page}, content=PING)
        assert unknown.status_code == 401
        assert server.error("POST", "/rpc", PING, headers={"Origin": "https://page.example.evil"})[0] == 403


def test_a_token_is_made_once_for_its_owner_alone(home: Home, tmp_path: Path) -> None:
    config = tmp_path / "config"
    tokens = set()
    for _ in range(2):
        with http_process(home.daemon, token=None, XDG_CONFIG_HOME=str(config)) as server:
            path = config / "soulmem" / "http_token"
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            assert stat.S_IMODE(path.parent.stat().st_mode) & 0o077 == 0
            assert f"token in {path}" in server.log.read_text()
            assert server.call("system.ping")["now"]
            tokens.add(server.token)
            assert server.curl("/rpc", "-d", PING.decode())[0] == 401
    assert len(tokens) == 1
    assert len(tokens.pop()) >= 43
    assert [each.name for each in path.parent.iterdir()] == ["http_token"]


def test_a_unix_socket_is_guarded_by_its_rights(home: Home, tmp_path: Path) -> None:
    place = tmp_path / "h.sock"
    with http_process(home.daemon, "--uds", str(place), token=None):
        assert stat.S_IMODE(place.stat().st_mode) == 0o600
        command = ["curl", "-sS", "-m", "20", "--unix-socket", str(place), "http://soulmem/rpc/system.ping", "-d", ""]
        assert b'{"now":' in subprocess.run(command, capture_output=True, check=True, timeout=30).stdout
    assert not place.exists()
    (tmp_path / "token").write_text(TOKEN)
    (tmp_path / "token").chmod(0o600)
    with http_process(home.daemon, "--uds", str(place), "--token-file", str(tmp_path / "token"), token=None):
        assert b"unauthorized" in subprocess.run(command, capture_output=True, check=True, timeout=30).stdout


def test_over_ipv6(home: Home) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    with http_process(home.daemon, "--listen", "[::1]:0") as server:
        assert server.url.startswith("http://[::1]:")
        assert server.ask("POST", "/rpc", PING).status_code == 200
        assert server.ask("POST", "/rpc", PING, headers={"Host": "[::2]:1"}).status_code == 421


def test_elsewhere_only_behind_tls(home: Home) -> None:
    elsewhere = ("--listen", "0.0.0.0:0", "--host-name", "memory.home.lan", "--behind-tls")
    with http_process(home.daemon, *elsewhere) as server:
        near = HttpBench(
            server.url.replace("0.0.0.0", "127.0.0.1"), server.log, server.daemon, server.process, client=server.client
        )
        assert near.ask("POST", "/rpc", PING, headers={"Host": "memory.home.lan"}).status_code == 200
        assert near.ask("POST", "/rpc", PING).status_code == 421


def unsafe(tmp_path: Path, name: str) -> str:
    path = tmp_path / name
    match name:
        case "open":
            path.write_text(TOKEN)
            path.chmod(0o644)
        case "short":
            path.write_text("short\n")
            path.chmod(0o600)
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path, 0o600)
        case "long":
            path.write_text("x" * 5000)
            path.chmod(0o600)
        case "nowhere":
            path = Path("/proc/nowhere/token")
    return str(path)


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (["--listen", "0.0.0.0:0", "--host-name", "x"], 78, "on 0.0.0.0 memories and the token could be read"),
        (["--listen", "0.0.0.0:0", "--behind-tls"], 78, "it must know by what name it is called"),
        (["--listen", "192.0.2.1:0"], 78, "on 192.0.2.1 memories and the token could be read"),
        (["--listen", "192.0.2.1:0", "--behind-tls"], 78, "it cannot listen on 192.0.2.1:0"),
        (["--listen", "nowhere"], 2, "'nowhere' is no address"),
        (["--port", "70000"], 2, "70000"),
        (["--port", "1", "--listen", "127.0.0.1:2"], 2, "exclude each other"),
        (["--uds", "/nowhere/x"], 78, "it cannot listen on /nowhere/x"),
        (["--allow-origin", "page.example"], 2, "'page.example' is no origin"),
        (["--allow-origin", "*"], 2, "'*' is no origin"),
        (["--token-file", "open"], 78, "others may read the token file"),
        (["--token-file", "short"], 78, "must be one line of at least 16"),
        (["--token-file", "long"], 78, "must be one line of at least 16"),
        (["--token-file", "folder"], 78, "Is a directory"),
        (["--token-file", "pipe"], 78, "is no regular file"),
        (["--token-file", "nowhere"], 78, "can be neither read nor made"),
    ],
)
def test_refusals_are_one_line(home: Home, tmp_path: Path, arguments: list[str], code: int, line: str) -> None:
    if arguments[0] == "--token-file":
        arguments = ["--port", "0", "--token-file", unsafe(tmp_path, arguments[1])]
    refused = Shell(home.daemon.socket, tmp_path)("http", *arguments, code=code)
    assert line in refused.stderr
    assert refused.stderr.count("\n") == 1 or code == 2
    assert TOKEN not in refused.stderr


def test_a_token_of_the_environment_that_can_be_guessed_is_refused(home: Home, tmp_path: Path) -> None:
    refused = Shell(home.daemon.socket, tmp_path)("http", "--port", "0", code=78, SOULMEM_HTTP_TOKEN="guess")
    assert refused.stderr.startswith("soulmem: the token must have at least 16 plain characters")
