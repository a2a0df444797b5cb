"""The shipped units in a real systemd: the daemon lives under every restriction, and the restrictions bite.

Each test starts a service manager of its own in namespaces (`own_systemd`); it is skipped, with the reason, where that
is not allowed.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from own_systemd import OwnSystemd, own_systemd, why_not
from scripted_endpoint import scripted_endpoint
from soulmem.embed.base.model_manifest import is_complete
from soulmem.ops.settings import default_paths

WHY_NOT = why_not()
pytestmark = pytest.mark.skipif(WHY_NOT is not None, reason=str(WHY_NOT))

DEEDS = "ExecStartPre=/run/its/python/bin/python3 /run/its/house/tests/support/daemons/forbidden_deeds.py"
KEY = "sk-in-a-credential-88"
TALK = ("I am allergic to hazelnuts.", "我对青霉素过敏，姐姐周五来吃晚饭。", "My sister Ruth lives in Lisbon.")


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Not in /dev/shm: while systemd hands over a credential, it mounts something else there."""
    with tempfile.TemporaryDirectory(prefix="soulmem-", dir="/tmp") as directory:
        yield Path(directory)


def models() -> Path | None:
    """Where the weights of the embedded model lie, if they are installed."""
    folder = default_paths.models_directory(os.environ)
    return folder if is_complete(folder / "minilm") else None


def live_a_little(running: OwnSystemd, mind: str = "mira") -> None:
    """Use what the daemon does with its files, threads and libraries: talk, recall, digestion, forgetting, deletion."""
    with running.client() as client:
        for text in TALK:
            client.call("message.add", {"mind": mind, "role": "user", "speaker": "Ann", "content": text})
        note = client.call("note.add", {"mind": mind, "kind": "semantic", "text": "Ann plays the cello 大提琴."})
        jobs = client.call("idle.run", {"mind": mind})
        assert jobs["state"] == "idle"
        found = client.call("recall", {"mind": mind, "query": "Which medicine must Ann not take? 过敏", "k": 10})
        assert any("青霉素" in item["text"] for item in found["items"]), found
        assert any("hazelnuts" in item["text"] for item in client.call("note.list", {"mind": mind})["items"])
        client.call("note.purge", {"mind": mind, "id": note["id"]})
        client.call("message.add", {"mind": "brief", "content": "gone soon", "role": "user"})
        client.call("mind.delete", {"mind": "brief", "confirm": "brief"})
        status = client.call("system.status", {})
    assert [each["mind"] for each in status["minds"]] == [mind]


def no_fault_in(log: list[dict[str, object]]) -> None:
    wrong = [line for line in log if line["level"] in ("error", "critical") or line["event"] == "library_log"]
    assert not wrong, wrong


@pytest.mark.parametrize("profile", [None, "sealed"])
def test_it_lives_under_restrictions_that_bite(tmp_path: Path, profile: str | None) -> None:
    with own_systemd(tmp_path, profile=profile, extra=DEEDS, models=models()) as running:
        assert running.told()["ActiveState"] == "inactive", "the first connection starts it"
        assert running.ping()
        log = running.log()
        deeds = next(line for line in log if line["event"] == "deeds")
        done = {name for name, what in deeds.items() if what == "done"}
        assert done == (set() if profile else {"internet_socket"}), deeds
        assert len(deeds) > 20
        live_a_little(running)
        process = dict(
            line.split(":\t", 1) for line in Path(f"/proc/{running.daemon_pid()}/status").read_text().splitlines()
        )
        assert process["NoNewPrivs"] == "1"
        assert process["Seccomp"] == "2"
        assert {process[name] for name in ("CapEff", "CapPrm", "CapBnd", "CapAmb")} == {"0" * 16}
        assert process["Umask"] == "0077"
        assert "0" not in process["Uid"].split()
        told = running.told()
        assert told["StatusText"] == "running"
        assert told["NRestarts"] == "0"
        no_fault_in(running.log())
        state = running.root / "var/lib/soulmem"
        open_files = [path for path in state.rglob("*") if path.is_file() and path.stat().st_mode & 0o077]
        assert not open_files
        if models() is not None:
            assert any(str(line.get("embedder")).startswith("minilm-int8") for line in running.log()), (
                "the model runs without W+X pages"
            )
        running.systemctl("stop", "soulmem.service")
        told = running.until({"ActiveState": "inactive"})
        assert (told["Result"], told["ExecMainStatus"]) == ("success", "0")
        assert running.log()[-1]["event"] == "daemon_stopped"


def test_killed_or_stopped_it_comes_back_with_what_it_knew(tmp_path: Path) -> None:
    with own_systemd(tmp_path, extra="WatchdogSec=2\nTimeoutAbortSec=1") as running:
        assert running.ping()
        with running.client() as client:
            client.call("message.add", {"mind": "mira", "role": "user", "content": TALK[0]})
        os.kill(running.daemon_pid(), signal.SIGKILL)
        running.until({"NRestarts": "1", "ActiveState": "active"})
        running.systemctl("stop", "soulmem.service")
        running.until({"ActiveState": "inactive"})
        with running.client() as client:  # the socket still listens, and starts it again
            kept = client.call("message.list", {"mind": "mira"})["items"]
        assert [each["content"] for each in kept] == [TALK[0]]
        time.sleep(3)  # one that lives longer than the watchdog's patience has pinged
        assert running.told()["ActiveState"] == "active"
        os.kill(running.daemon_pid(), signal.SIGSTOP)
        running.until({"Result": "watchdog"})
        running.until({"ActiveState": "active", "NRestarts": "1"})
        assert running.ping()


def test_a_setting_that_cannot_work_is_not_tried_again(tmp_path: Path) -> None:
    with own_systemd(tmp_path, extra="Environment=SOULMEM_LOG_LEVEL=loud") as running:
        running.systemctl("start", "soulmem.service")
        told = running.until({"ActiveState": "failed"})
        assert (told["ExecMainStatus"], told["NRestarts"]) == ("78", "0")
        assert "SOULMEM_LOG_LEVEL must be one of" in running.log_text()


def test_a_key_comes_as_a_credential_and_the_endpoint_on_this_machine_is_reached(tmp_path: Path) -> None:
    with scripted_endpoint() as endpoint:
        endpoint.key = KEY
        pointed = "\n".join(
            f"Environment=SOULMEM_ENGINE_{name}={value}"
            for name, value in (("NAME", "openai"), ("BASE_URL", endpoint.url), ("MODEL", "tiny"), ("PATIENCE_S", "0"))
        )
        with own_systemd(tmp_path, extra=pointed, credentials={"engine_api_key": KEY}) as running:
            assert running.ping()
            with running.client() as client:
                for text in TALK:
                    client.call("message.add", {"mind": "mira", "role": "user", "speaker": "Ann", "content": text})
                client.call("idle.run", {"mind": "mira"})
            assert any(line["event"] == "model_called" for line in running.log())
            no_fault_in(running.log())
            assert KEY not in running.log_text()
            pid = running.daemon_pid()
            assert KEY.encode() not in Path(f"/proc/{pid}/environ").read_bytes()
        assert endpoint.requests
        assert {one.headers.get("authorization") for one in endpoint.requests} == {f"Bearer {KEY}"}
