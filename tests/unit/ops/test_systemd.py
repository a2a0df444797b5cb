"""Talking to the service manager, over real sockets."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from every_row import every_row
from soulmem.errors import StartupError
from soulmem.ops.process.systemd import SystemdNotifier, credential, listen_fds, watchdog_interval_s
from soulmem.ops.settings.config_loader import load_config
from soulmem.ops.settings.setting_keys import KEYS
from soulmem.ops.settings.setting_rules import Secret


@pytest.mark.parametrize("abstract", [False, True])
def test_notify_sends_one_datagram(tmp_path: Path, abstract: bool) -> None:
    shown = f"@soulmem-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind("\0" + shown[1:] if abstract else shown)
        manager.settimeout(2)
        notifier = SystemdNotifier({"NOTIFY_SOCKET": shown})
        assert notifier.present
        notifier.notify(READY="1", STATUS="3 个灵魂\nWATCHDOG=trigger")
        assert manager.recv(4096).decode() == "READY=1\nSTATUS=3 个灵魂 WATCHDOG=trigger"
        notifier.notify(WATCHDOG="1")
        assert manager.recv(4096) == b"WATCHDOG=1"


def test_notify_never_disturbs(tmp_path: Path) -> None:
    for address in ("", "relative", "vsock:2:1", str(tmp_path / "gone"), "/" + "x" * 300, "/nul\0"):
        SystemdNotifier({"NOTIFY_SOCKET": address}).notify(READY="1")
    assert not SystemdNotifier({}).present
    path = tmp_path / "full"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(path))
        notifier = SystemdNotifier({"NOTIFY_SOCKET": str(path)})
        for _ in range(2000):  # a manager that does not read must not block us
            notifier.notify(WATCHDOG="1")


@every_row(
    [
        ({}, None),
        ({"WATCHDOG_USEC": "30000000"}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "-3"}, None),
        ({"WATCHDOG_USEC": "三"}, None),
        ({"WATCHDOG_USEC": "²"}, None),
    ],
    unpack=True,
)
def test_watchdog_interval(environ: dict[str, str], interval: float | None) -> None:
    assert watchdog_interval_s(environ) == interval


# runs in a child, because the descriptors of activation have fixed numbers
ACTIVATED = """
import os, socket, sys
from soulmem.errors import StartupError
from soulmem.ops.process.systemd import listen_fds
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_PID": sys.argv[2] or str(os.getpid()), "LISTEN_FDS": "1", "LISTEN_FDNAMES": "soulmem.socket"}
try:
    listeners = listen_fds()
except StartupError as error:
    sys.exit(f"{error.exit_code} {error}")
assert not {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"} & os.environ.keys()
print([(one.fileno(), one.getsockname(), one.get_inheritable(), one.getblocking()) for one in listeners])
"""


def activated(fd: int, pid: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", ACTIVATED, str(fd), pid],
        pass_fds=[fd],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )


def test_activation_hands_over_a_listening_socket(tmp_path: Path) -> None:
    path = str(tmp_path / "灵魂.sock")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(path)
        listener.listen()
        done = activated(listener.fileno())
        assert done.stdout.strip() == str([(3, path, False, False)]), done.stderr
        assert activated(listener.fileno(), "1").stdout.strip() == "[]", "meant for another process"


def test_activation_refuses_what_is_no_listening_unix_socket(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as quiet:
        quiet.bind(str(tmp_path / "quiet"))
        assert "78 descriptor 3 of socket activation is no listening Unix" in activated(quiet.fileno()).stderr
    with socket.create_server(("127.0.0.1", 0)) as internet:
        assert "78 descriptor 3 of socket activation is no listening Unix" in activated(internet.fileno()).stderr
    with (tmp_path / "file").open("w") as file:
        assert "78 descriptor 3 of socket activation cannot be used" in activated(file.fileno()).stderr


@every_row([None, "", "x", "-1", "²"])
def test_started_by_hand_there_are_no_sockets(count: str | None) -> None:
    environ = {} if count is None else {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": count}
    assert listen_fds(environ) == ()
    assert environ == {}


def test_credentials(tmp_path: Path) -> None:
    environ = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    assert credential("engine_api_key", {}) is None
    assert credential("engine_api_key", environ) is None
    (tmp_path / "engine_api_key").write_text("sk-钥匙\n", "utf-8")
    assert credential("engine_api_key", environ) == "sk-钥匙"
    (tmp_path / "engine_api_key").write_bytes(b"\xff\xfe")
    with pytest.raises(StartupError, match="engine_api_key cannot be read: not text"):
        credential("engine_api_key", environ)


@pytest.mark.parametrize("unit", ["soulmem.service", "user/soulmem.service"])
def test_the_units_name_every_key_as_the_daemon_reads_it(unit: str, tmp_path: Path) -> None:
    """Each line of LoadCredential, once it is no comment any more, gives a key to the setting it is named for."""
    text = (Path(__file__).parents[3] / "systemd" / unit).read_text("utf-8")
    named = re.findall(r"^#?LoadCredential=(\w+):(\S+)$", text, re.MULTILINE)
    secrets = {key.name for key in KEYS.values() if key.kind is Secret}
    assert [name for name, _ in named] == sorted({name for name, _ in named}, reverse=True), "each once"
    assert {name for name, _ in named} == {each.replace(".", "_") for each in secrets}
    for name, file in named:
        assert Path(file).name == name
        (tmp_path / name).write_text(f"sk-{name}", "utf-8")
    config = load_config(
        environ={"HOME": str(tmp_path), "CREDENTIALS_DIRECTORY": str(tmp_path)}, system_file=tmp_path / "none"
    )
    for each in secrets:
        assert config.value(each).reveal() == f"sk-{each.replace('.', '_')}"
        assert config.origins[each] == f"credential {each.replace('.', '_')}"
