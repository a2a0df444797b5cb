"""`soulmem service` before a live `systemctl --user`: the manager of a user in a systemd of its own (`own_systemd`).

Skipped, with the reason, where namespaces or the rights of root are missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from own_systemd import OwnSystemd, own_systemd, why_not
from slowness import within
from soulmem.client import Client

WHY_NOT = why_not()
pytestmark = pytest.mark.skipif(WHY_NOT is not None, reason=str(WHY_NOT))
HOUSE = Path(__file__).parents[3]
RUNTIME, HOME = "/run/user/0", "/run/home"
ENVIRONMENT = {
    "XDG_RUNTIME_DIR": RUNTIME, "HOME": HOME, "PYTHONPATH": str(HOUSE / "daemon"), "SOULMEM_EMBEDDER_NAME": "hashing",
    "PATH": os.environ["PATH"], "LANG": "C.UTF-8",
}  # fmt: skip
# As systemd's own user@.service starts it.
MANAGER = f"""[Unit]
Description=the manager of a user
[Service]
Type=notify
ExecStart=/usr/lib/systemd/systemd --user --log-target=null
ExecStartPre=/bin/mkdir -p -m 700 {RUNTIME} {HOME}
Delegate=yes
KillMode=mixed
{"".join(f"Environment={name}={value}{os.linesep}" for name, value in ENVIRONMENT.items())}
"""


class UserDesk:
    """A user's shell inside."""

    def __init__(self, machine: OwnSystemd) -> None:
        self.machine = machine

    def __call__(self, *words: str, code: int = 0) -> str:
        done = self.tried(sys.executable, "-m", "soulmem", *words)
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    def tried(self, *command: str) -> subprocess.CompletedProcess[str]:
        settings = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
        return self.machine.run("env", "-i", *settings, *command)

    def units(self, *words: str) -> str:
        return self.tried("systemctl", "--user", *words).stdout.strip()

    def client(self) -> Client:
        return Client(str(self.machine.root / RUNTIME[1:] / "soulmem/soulmem.sock"), timeout=within(60))


@pytest.fixture
def desk() -> Iterator[UserDesk]:
    with tempfile.TemporaryDirectory(prefix="soulmem-", dir="/tmp") as boot, own_systemd(Path(boot)) as machine:
        (Path(boot) / "units" / "manager.service").write_text(MANAGER, "utf-8")
        machine.systemctl("daemon-reload")
        told = machine.systemctl("start", "manager.service")
        assert machine.told("manager.service")["ActiveState"] == "active", told
        yield UserDesk(machine)


def test_installed_it_runs_and_remembers_removed_it_leaves_the_minds(desk: UserDesk) -> None:
    said = desk("service", "install")
    assert "soulmem.socket" in said
    assert desk.units("is-active", "soulmem.socket") == "active"
    with desk.client() as client:
        for text in ("I am allergic to hazelnuts.", "我的猫叫阿福。"):
            client.call("message.add", {"mind": "pell", "role": "user", "speaker": "Mara", "content": text})
    assert desk.units("is-active", "soulmem.service") == "active"
    assert "active" in desk("service", "status")
    before = desk.units("show", "--property=MainPID", "--value", "soulmem.service")

    desk.units("kill", "--signal=KILL", "soulmem.service")  # it comes back by itself
    deadline = time.monotonic() + within(30)
    while desk.units("show", "--property=MainPID", "--value", "soulmem.service") in (before, "0"):
        assert time.monotonic() < deadline, desk.units("status", "soulmem.service")
        time.sleep(0.1)
    assert "hazelnuts" in desk("recall", "what am I allergic to?", "-m", "pell")
    assert "阿福" in desk("recall", "我的猫叫什么？", "-m", "pell")
    assert desk.tried("systemctl", "--user", "reload", "soulmem.service").returncode == 0

    desk("service", "uninstall")
    assert desk.units("is-active", "soulmem.service") == "inactive"
    assert "no minds yet" in desk("status"), "the machine's own daemon, which has other minds, was left alone"
    assert not (desk.machine.root / RUNTIME[1:] / "soulmem/soulmem.sock").exists()
    home = desk.machine.root / HOME[1:]
    assert not list((home / ".config/systemd/user").rglob("soulmem*"))
    assert (home / ".local/state/soulmem/minds").is_dir() or list((home / ".local/state/soulmem").rglob("pell*"))
