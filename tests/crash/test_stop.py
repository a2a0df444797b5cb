"""SIGTERM amid talk, a second one, a start on a large log: the daemon stops and starts soon, losing nothing."""

from __future__ import annotations

import os
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from daemon_fixture import Daemon, daemon_process, start, wait_ready
from slowness import within
from stream import Sent, check_file, check_stored, speakers, stored

TORTURE = bool(os.environ.get("SOULMEM_TORTURE"))
STOPS = 12 if TORTURE else 2
LOG_BYTES = (200 if TORTURE else 20) * 1024 * 1024
STOP_WITHIN_S = 2.0
START_WITHIN_S = 3.0


def test_term_drains_under_load(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    took: list[float] = []
    everything: list[Sent] = []
    for number in range(STOPS):
        daemon = start(tmp_path, warm=number > 0 and not TORTURE)
        wait_ready(daemon)
        clients = speakers(daemon.socket, "mira", f"stop{number}")
        for client in clients:
            client.start()
        time.sleep(0.4)
        began = time.monotonic()
        code = daemon.terminate()
        took.append(time.monotonic() - began)
        for client in clients:
            client.join()
            names = {error["data"]["name"] for error in client.refused}
            assert names <= {"stopping"}, client.refused[:3]
        assert code == 0
        assert took[-1] < within(STOP_WITHIN_S)
        check_stopped(daemon, "mira")
        everything += [message for client in clients for message in client.sent.values()]
    acknowledged = [message for message in everything if message.seq is not None]
    assert len(acknowledged) > STOPS * 5, "it was stopped amid talk"
    with daemon_process(tmp_path) as daemon:
        check_stored(everything, stored(daemon.client(), "mira"))
    with capsys.disabled():
        print(f"\nSIGTERM under load: {STOPS} stops, {len(acknowledged)} acknowledged, 0 lost, ", end="")
        print(f"exit after {statistics.median(took):.2f} s (worst {max(took):.2f} s)")


def check_stopped(daemon: Daemon, mind: str) -> None:
    """What an orderly stop leaves: no socket, no write-ahead log, a sound file, and its word in the log."""
    assert not daemon.socket.exists()
    for file in (daemon.state / "catalog.db", daemon.state / "minds" / f"{mind}.db"):
        log = Path(f"{file}-wal")
        assert not log.exists() or log.stat().st_size == 0
    check_file(daemon.state / "minds" / f"{mind}.db")
    assert daemon.events("daemon_stopped")[-1]["boot"] == daemon.log()[-1]["boot"]
    assert [record for record in daemon.log() if record["level"] == "critical"] == []


@contextmanager
def silent_endpoint() -> Iterator[str]:
    """An embedding endpoint that answers its first request and then takes every other one without a word."""
    server = socket.create_server(("127.0.0.1", 0))
    held: list[socket.socket] = []
    first = b'{"object":"list","model":"m","data":[{"object":"embedding","index":0,"embedding":[1.0,0.5,0.25,0.1]}]}'

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            held.append(connection)
            if len(held) == 1:
                connection.recv(65536)
                head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(first)}\r\n"
                connection.sendall(head.encode() + b"connection: close\r\n\r\n" + first)
                connection.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"
    finally:
        server.close()
        for connection in held:
            connection.close()


def _slow_drain(root: Path, url: str) -> Daemon:
    """A daemon with a call under way that will not end soon."""
    env = {"SOULMEM_EMBEDDER_NAME": "openai", "SOULMEM_EMBEDDER_BASE_URL": url, "SOULMEM_EMBEDDER_MODEL": "m"}
    daemon = start(root, env=env, warm=not TORTURE)
    wait_ready(daemon)
    daemon.call(
        "message.add", {"mind": "mira", "role": "user", "content": "Ana lives in Rome. 安娜住在罗马。", "id": "a"}
    )
    thread = threading.Thread(target=_ask_in_vain, args=(daemon,), daemon=True)
    thread.start()
    time.sleep(0.3)
    return daemon


def _ask_in_vain(daemon: Daemon) -> None:
    try:
        daemon.call("recall", {"mind": "mira", "query": "Where does Ana live?"})
    except Exception:  # the call is cut off by the stop, however that looks
        return


def test_term_does_not_wait_for_a_hung_endpoint(tmp_path: Path) -> None:
    with silent_endpoint() as url:
        daemon = _slow_drain(tmp_path, url)
        began = time.monotonic()
        assert daemon.terminate() == 0
        assert time.monotonic() - began < within(2 * STOP_WITHIN_S)  # two seconds of grace for the call, then the files
    check_stopped(daemon, "mira")


def test_second_term_ends_at_once(tmp_path: Path) -> None:
    with silent_endpoint() as url:
        daemon = _slow_drain(tmp_path, url)
        daemon.process.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        assert daemon.process.poll() is None, "the drain was over before it could be cut short"
        began = time.monotonic()
        daemon.process.send_signal(signal.SIGTERM)
        assert daemon.process.wait(10) != 0
        assert time.monotonic() - began < within(0.5)
    with daemon_process(tmp_path) as again:
        known = again.call("message.list", {"mind": "mira"})["items"]
        assert [message["id"] for message in known] == ["a"]


_GROW = """
import os, pathlib, sys
from soulmem.store.sqlite import driver
file = pathlib.Path(sys.argv[1])
connection = driver.writer(file)()
connection.execute("PRAGMA wal_autocheckpoint = 0")
while os.stat(f"{file}-wal").st_size < int(sys.argv[2]):
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('ballast', hex(randomblob(1000000)))")
os._exit(9)
"""


def test_starts_soon_on_a_large_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The daemon is killed, and its log grows large before it starts again."""
    daemon = start(tmp_path)
    wait_ready(daemon)
    client = daemon.client()
    file = tmp_path / "state" / "minds" / "mira.db"
    log = Path(f"{file}-wal")
    ballast = {"scan": "潮" * 160_000 + "x" * 400_000}  # much to store, nothing to index
    acknowledged: list[Sent] = []
    notes: dict[str, str] = {}

    def say() -> None:
        """A message and a note that weighs almost as much as a call may."""
        number = len(acknowledged)
        text = f"The tide came in over the causeway, {number}. 潮水漫过了堤道。"
        message = Sent("mira", "kitchen", "user", text, f"w-{number}")
        message.seq = client.call("message.add", message.params())["seq"]
        acknowledged.append(message)
        note = client.call("note.add", {"mind": "mira", "kind": "lore", "text": text, "attributes": ballast})
        notes[note["id"]] = text

    for _ in range(8):
        say()
    daemon.kill()
    client.close()
    subprocess.run([sys.executable, "-c", _GROW, str(file), str(LOG_BYTES)], check=False)
    size = log.stat().st_size
    assert size >= LOG_BYTES
    began = time.monotonic()
    daemon = start(tmp_path)
    wait_ready(daemon)
    ready = time.monotonic() - began
    found = stored(daemon.client(), "mira")
    served = time.monotonic() - began
    check_stored(acknowledged, found)
    assert len(found) == len(acknowledged)
    for note, text in notes.items():
        assert daemon.call("note.get", {"mind": "mira", "id": note})["note"]["text"] == text
    for each in daemon.clients:
        each.close()
    assert daemon.terminate() == 0
    check_stopped(daemon, "mira")
    with capsys.disabled():
        print(f"\na log of {size >> 20} MB: ready after {ready:.2f} s, ", end="")
        print(f"{len(found)} messages and {len(notes)} notes whole, the first list after {served:.2f} s")
    assert ready < within(START_WITHIN_S)
