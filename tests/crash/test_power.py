"""Power cuts, simulated from the system calls of a real daemon: nothing acknowledged is lost, no file is damaged."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from daemon_fixture import Daemon, daemon_process, wait_ready
from power import Call, Disk, read_trace, replies, strace_command, synced_before
from soulmem.store.sqlite import driver
from stream import Sent, check_file

TORTURE = bool(os.environ.get("SOULMEM_TORTURE"))
IMAGES = 300 if TORTURE else 8
IMAGES_SERVED = 10 if TORTURE else 1  # of those, opened by a whole daemon
CARELESS_IMAGES = 10
MIND = "mira"
ALONE, TOGETHER, AT_ONCE = 20, 48, 12

pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")


@dataclass(frozen=True)
class Traced:
    """A finished run: what the daemon did, what clients sent, and which line of the trace acknowledged what."""

    state: Path
    calls: list[Call]
    sent: dict[str, Sent]
    acknowledged: dict[str, Call]

    @property
    def wal(self) -> str:
        return str(self.state / "minds" / f"{MIND}.db-wal")


def _message(number: int) -> Sent:
    said = "豆包又打翻了茶，Tuna 也一样" if number % 2 else "Clara brought the cello and two yellow tulips"
    room = ("porch", "书房")[number % 3 == 0]
    size = 400 if TORTURE else 6  # large ones fill the log until it is checkpointed amid the stream
    return Sent(
        MIND, room, "user" if number % 2 else "assistant", f"{said} [token-{number:03}] " * size, f"p-{number:03}"
    )


def _say(path: Path) -> dict[str, Sent]:
    """First one by one, then many at once, so that commits are shared."""
    sent = {message.id: message for message in map(_message, range(ALONE + TOGETHER))}
    waiting = list(sent.values())
    batches = [waiting[at : at + 1] for at in range(ALONE)]
    batches += [waiting[at : at + AT_ONCE] for at in range(ALONE, len(waiting), AT_ONCE)]
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock, sock.makefile("rb") as answers:
        sock.settimeout(60)
        sock.connect(str(path))
        for batch in batches:
            requests = [
                {"jsonrpc": "2.0", "id": message.id, "method": "message.add", "params": message.params()}
                for message in batch
            ]
            sock.sendall(b"".join(json.dumps(each, ensure_ascii=False).encode() + b"\n" for each in requests))
            for _ in batch:
                answer = json.loads(answers.readline())
                sent[answer["id"]].seq = answer["result"]["seq"]
    return sent


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Traced:
    """One life under strace: start on an empty directory, 68 messages, an orderly stop."""
    root = tmp_path_factory.mktemp("power")
    state, path, trace = root / "state", root / "d.sock", root / "trace"
    state.mkdir(mode=0o700)
    command = [*strace_command(trace), sys.executable, "-m", "soulmem", "daemon"]
    environment = {**os.environ, "SOULMEM_EMBEDDER_NAME": "hashing", "SOULMEM_STRICT_EVENTS": "1"}
    with (root / "d.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--state", str(state), "--socket", str(path)], stdout=log, stderr=log, env=environment
        )
    daemon = Daemon(process, state, path, root / "d.log")
    try:
        wait_ready(daemon, 60)
        pid = daemon.call("system.status")["pid"]
        sent = _say(path)
        daemon.settle(MIND)
        os.kill(pid, signal.SIGTERM)
        assert process.wait(30) == 0, daemon.log_path.read_text()
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(5)
    calls = read_trace(trace)
    acknowledged: dict[str, Call] = {}
    for reply in replies(calls):
        for message in sent:
            if f'"id":"{message}"'.encode() in reply.data:
                acknowledged.setdefault(message, reply)
    assert set(acknowledged) == set(sent), "the trace must show every reply"
    return Traced(state, calls, sent, acknowledged)


def test_every_reply_follows_its_sync(traced: Traced, capsys: pytest.CaptureFixture[str]) -> None:
    """The log was synced after the whole transaction of a message was written and before its reply left."""
    for message, reply in traced.acknowledged.items():
        token = traced.sent[message].content.split("[")[1].split("]")[0].encode()
        assert synced_before(traced.calls, traced.wal, token, reply), f"{message} was acknowledged before it was synced"
    replied = sorted(reply.began for reply in traced.acknowledged.values())
    syncs = [call for call in traced.calls if call.kind == "sync" and call.path == traced.wal]
    shared = [call for call in syncs if replied[ALONE - 1] < call.began < replied[-1]]
    with capsys.disabled():
        print(f"\nsync before reply: {len(replied)} of {len(replied)} replies, {len(syncs)} syncs of the log", end="")
        print(f", {len(shared)} of them while {TOGETHER} came {AT_ONCE} at once")


def test_every_new_directory_is_made_certain(traced: Traced) -> None:
    """A name is certain only once its directory is synced: before the first reply that must have happened."""
    disk = Disk(traced.state, traced.calls)
    disk.replay(min(reply.began for reply in traced.acknowledged.values()))
    assert disk.unsynced_folders() == []


def test_power_cuts_lose_nothing(traced: Traced, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(4711)
    cuts = _cuts(traced, chance)
    served = set(chance.sample(range(IMAGES), IMAGES_SERVED))
    disk = Disk(traced.state, traced.calls)
    promised = kept = 0
    began = time.monotonic()
    for number, cut in enumerate(cuts):
        disk.replay(cut)
        target = tmp_path / f"image-{number}"
        disk.image(target / "state", random.Random(f"image-{number}"))
        owed = {message for message, reply in traced.acknowledged.items() if reply.began <= cut}
        promised += len(owed)
        kept += _check_image(target, owed, traced.sent, f"image {number} cut at line {cut}")
        if number in served:
            _serve_image(target, owed, {traced.sent[message].conversation for message in owed})
        shutil.rmtree(target)
    with capsys.disabled():
        print(f"\npower cuts: {IMAGES} images, {promised} acknowledged messages owed, 0 lost, ", end="")
        print(f"{kept - promised} kept beyond that, {time.monotonic() - began:.1f} s")


def _cuts(traced: Traced, chance: random.Random) -> list[int]:
    """Lines to cut at: most while clients talk, some while the files are made, some in the calm and the stop."""
    replied = sorted(reply.began for reply in traced.acknowledged.values())
    spans = [
        (IMAGES // 7, traced.calls[0].began, replied[0]),
        (IMAGES // 7, replied[-1], max(call.ended for call in traced.calls)),
    ]
    spans.append((IMAGES - sum(count for count, _, _ in spans), replied[0], replied[-1]))
    return sorted(chance.randint(low, high) for count, low, high in spans for _ in range(count))


def test_the_simulator_notices_a_daemon_that_does_not_sync(traced: Traced, tmp_path: Path) -> None:
    """The same run with its syncs of the log struck out loses messages: the images are harsh enough to tell.

    One of them may hold everything by chance, so most of several must lose some.
    """
    careless = [call for call in traced.calls if not (call.kind == "sync" and call.path == traced.wal)]
    last = max(reply.began for reply in traced.acknowledged.values())
    disk = Disk(traced.state, careless)
    disk.replay(last)
    owed = set(traced.acknowledged)
    losing = 0
    for number in range(CARELESS_IMAGES):
        target = tmp_path / f"image-{number}"
        disk.image(target / "state", random.Random(number))
        try:
            _check_image(target, owed, traced.sent, "without syncs")
        except AssertionError as error:
            losing += "lost" in str(error)
    assert losing > CARELESS_IMAGES // 2, f"{losing} of {CARELESS_IMAGES} images lost messages"


def _check_image(target: Path, owed: set[str], sent: dict[str, Sent], what: str) -> int:
    """Open the mind's file as it was left, compare it with what was promised; how many messages it holds."""
    file = target / "state" / "minds" / f"{MIND}.db"
    if not file.exists():
        assert not owed, f"{what}: the file is not there, {len(owed)} acknowledged messages lost"
        return 0
    connection = driver.writer(file)()
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok", what
        tables = connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'message'").fetchone()[0]
        found = dict(connection.execute("SELECT client_id, content FROM message")) if tables else {}
    finally:
        connection.close()
    lost = owed - set(found)
    assert not lost, f"{what}: acknowledged and lost: {sorted(lost)}"
    assert all(sent[message].content == content for message, content in found.items()), what
    if found:
        assert check_file(file) == len(found)
    return len(found)


def _serve_image(target: Path, owed: set[str], rooms: set[str]) -> None:
    """A daemon that starts on what is left serves it."""
    with daemon_process(target) as daemon:
        client = daemon.client()
        answer = client.call("message.add", {"mind": MIND, "role": "user", "content": "有电了, the light is back"})
        assert answer["duplicate"] is False
        shown: set[str] = set()
        for room in rooms:
            page = client.call("message.list", {"mind": MIND, "conversation": room, "limit": 500})
            shown |= {message["id"] for message in page["items"]}
        assert owed <= shown
