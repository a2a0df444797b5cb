"""A service manager of its own for tests: a real systemd as process 1 of new namespaces, with our units and no others.

It needs the rights of root and a hierarchy of control groups of version 2, as a container or a small virtual machine
for tests has. What it mounts and makes stays within its namespaces and one control group, which is taken away at the
end. It sees the files of the machine, but a `/run`, `/var/lib` and list of users of its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from slowness import PATIENCE_S, within
from soulmem.client import Client, DaemonUnavailable

SYSTEMD = Path(__file__).parents[3] / "systemd"
_MANAGER = Path("/usr/lib/systemd/systemd")
_PROGRAMS = ("unshare", "nsenter", "systemctl", "systemd-sysusers", "mount")
# What the units ask of the targets of a whole system.
_TARGETS = ("sysinit", "basic", "shutdown", "sockets", "multi-user", "umount", "final", "exit")
_SETTLED_S = 20.0

# Run by process 1 of the namespaces, before it becomes systemd. $1: the directory of this boot.
_BOOT = """
set -eu
mount --make-rprivate /
mount -t tmpfs -o mode=755 run /run
mount -t tmpfs -o mode=755 lib /var/lib
mkdir -p /run/its/python /run/its/site /run/its/house /run/its/models
mount --bind "$2" /run/its/python
mount --bind "$3" /run/its/site
mount --bind "$4" /run/its/house
test -z "$5" || mount --bind "$5" /run/its/models
cp "$1/log" /run/log
mount --bind "$1/etc/passwd" /etc/passwd
mount --bind "$1/etc/group" /etc/group
mount -t cgroup2 none /sys/fs/cgroup
mount --make-rshared /
exec env -i PATH="$PATH" container=unshare SYSTEMD_UNIT_PATH="$1/units" "$6" --system --unit=default.target \
  --show-status=no --log-target=null
"""


def unified_hierarchy() -> Path | None:
    """Where control groups of version 2 are mounted."""
    for line in Path("/proc/mounts").read_text().splitlines():
        _, where, kind, options, *_ = line.split()
        if kind == "cgroup2" and "rw" in options.split(","):
            return Path(where)
    return None


def why_not() -> str | None:
    """Say why no systemd of its own can be started here; None where it can."""
    if os.geteuid() != 0:
        return "a systemd of its own needs the rights of root"
    missing = [name for name in _PROGRAMS if shutil.which(name) is None]
    if not _MANAGER.exists() or missing:
        return f"a systemd of its own needs {_MANAGER} and {', '.join(_PROGRAMS)}"
    if unified_hierarchy() is None:
        return "a systemd of its own needs control groups of version 2"
    closed = [place for place in _shown() if place.stat().st_mode & 0o5 != 0o5]
    if closed:
        return f"the user of the service may not read {closed[0]}"
    tried = subprocess.run(["unshare", "-mpCf", "--mount-proc", "true"], capture_output=True, text=True, check=False)
    return None if tried.returncode == 0 else f"namespaces are not allowed here: {tried.stderr.strip()}"


def _shown() -> tuple[Path, Path, Path]:
    """What the service sees of this machine: the interpreter, its packages, this repository."""
    site = next(path for path in sys.path if path.endswith("site-packages"))
    return Path(sys.base_prefix), Path(site), Path(__file__).parents[3]


@dataclass
class OwnSystemd:
    """A running one. `pid`: of its process 1, as the machine numbers it."""

    pid: int
    boot: Path

    @property
    def root(self) -> Path:
        """Its files, seen from outside."""
        return Path(f"/proc/{self.pid}/root")

    @property
    def socket(self) -> Path:
        return self.root / "run/soulmem/soulmem.sock"

    def run(self, *command: str, user: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run a command inside."""
        inside = ["nsenter", "--target", str(self.pid), "--mount", "--pid", "--cgroup"]
        return subprocess.run([*inside, *command], capture_output=True, text=True, check=False, timeout=60)

    def systemctl(self, *arguments: str) -> str:
        done = self.run("systemctl", *arguments)
        return (done.stdout + done.stderr).strip()

    def told(self, unit: str = "soulmem.service") -> dict[str, str]:
        """Every property of a unit."""
        lines = self.systemctl("show", unit).splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    def daemon_pid(self) -> int:
        """Of the daemon, as the machine numbers it; 0 when it does not run."""
        inside = int(self.told().get("MainPID", "0"))
        for entry in Path("/proc").glob("[0-9]*/status"):
            with contextlib.suppress(OSError):
                numbers = next(line for line in entry.read_text().splitlines() if line.startswith("NSpid:")).split()[1:]
                if inside and numbers[1:] == [str(inside)] and self._is_mine(int(numbers[0])):
                    return int(numbers[0])
        return 0

    def _is_mine(self, pid: int) -> bool:
        return Path(f"/proc/{pid}/ns/pid").readlink() == Path(f"/proc/{self.pid}/ns/pid").readlink()

    def until(self, wanted: dict[str, str], unit: str = "soulmem.service") -> dict[str, str]:
        """Wait until properties of a unit are as wanted; all of them."""
        deadline = time.monotonic() + within(_SETTLED_S)
        while True:
            told = self.told(unit)
            if all(told.get(name) == value for name, value in wanted.items()):
                return told
            if time.monotonic() > deadline:
                shown = {name: told.get(name) for name in (*wanted, "ActiveState", "Result", "ExecMainStatus")}
                raise AssertionError(f"{unit}: {shown}; log:\n{self.log_text()[-3000:]}")
            time.sleep(0.05)

    def ready(self) -> dict[str, str]:
        return self.until({"ActiveState": "active", "SubState": "running"})

    def client(self) -> Client:
        return Client(str(self.socket), timeout=PATIENCE_S)  # of the first call: its start as well

    def ping(self) -> bool:
        try:
            with self.client() as client:
                client.call("system.ping", {})
        except (DaemonUnavailable, OSError):
            return False
        return True

    def log_text(self) -> str:
        with contextlib.suppress(OSError):
            return (self.root / "run/log").read_text("utf-8")
        return ""

    def log(self) -> list[dict[str, object]]:
        lines = (line.removeprefix(line[:3] if line.startswith("<") else "") for line in self.log_text().splitlines())
        return [json.loads(line) for line in lines if line.startswith("{")]


def stage(boot: Path, *, profile: str | None, extra: str, models: Path | None, credentials: Mapping[str, str]) -> None:
    """Lay out what one boot reads: the units as shipped, the profile as a drop-in, and what a test adds to them."""
    units = boot / "units"
    drop_in = units / "soulmem.service.d"
    drop_in.mkdir(parents=True)
    for name in ("soulmem.service", "soulmem.socket"):
        shutil.copy(SYSTEMD / name, units)
    give(boot, units / "soulmem.service", credentials)
    if profile:
        shutil.copy(SYSTEMD / "profiles" / f"{profile}.conf", drop_in)
    python = f"/run/its/python/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    where = "SOULMEM_MODELS=/run/its/models" if models else "SOULMEM_EMBEDDER_NAME=hashing"
    lines = [
        "[Service]",
        "ExecStart=",
        f"ExecStart={python} -m soulmem daemon",
        "Environment=PYTHONPATH=/run/its/house/daemon:/run/its/site SOULMEM_STRICT_EVENTS=1 PYTHONDONTWRITEBYTECODE=1",
        "Environment=LD_LIBRARY_PATH=/run/its/python/lib",
        f"Environment={where} SOULMEM_LOG_FORMAT=json",
        "StandardOutput=append:/run/log",
        "StandardError=append:/run/log",
        extra,
    ]
    (drop_in / "test.conf").write_text("\n".join(lines) + "\n")  # `test` comes after every profile
    for target in _TARGETS:
        alone = "DefaultDependencies=no\n" if target == "shutdown" else ""
        (units / f"{target}.target").write_text(f"[Unit]\nDescription={target}\n{alone}")
    (units / "default.target").write_text("[Unit]\nWants=soulmem.socket\nAfter=soulmem.socket\n")
    (boot / "log").touch()
    users(boot)


def give(boot: Path, unit: Path, credentials: Mapping[str, str]) -> None:
    """Put keys where root alone reads them, and make the unit's own line for each no comment any more."""
    kept = boot / "keys"
    kept.mkdir(mode=0o700)
    text = unit.read_text("utf-8")
    for name, key in credentials.items():
        (kept / name).write_text(key + "\n", "utf-8")
        (kept / name).chmod(0o400)
        line = f"LoadCredential={name}:"
        assert f"\n#{line}/etc/soulmem/{name}\n" in text, f"the unit has no line for {name}"
        text = text.replace(f"\n#{line}/etc/soulmem/", f"\n{line}{kept}/")
    unit.write_text(text, "utf-8")


def users(boot: Path) -> None:
    """Make the lists of users of this boot by our entry of sysusers."""
    (boot / "etc").mkdir()
    for name in ("passwd", "group"):
        shutil.copy(f"/etc/{name}", boot / "etc" / name)
    entry = SYSTEMD / "sysusers" / "soulmem.conf"
    (boot / "usr/lib/sysusers.d").mkdir(parents=True)
    shutil.copy(entry, boot / "usr/lib/sysusers.d")
    subprocess.run(["systemd-sysusers", f"--root={boot}", "soulmem.conf"], check=True, capture_output=True)


@contextlib.contextmanager
def own_systemd(
    boot: Path,
    *,
    profile: str | None = None,
    extra: str = "",
    models: Path | None = None,
    credentials: Mapping[str, str] | None = None,
) -> Iterator[OwnSystemd]:
    """Start one with our socket listening; at the end everything it ran is gone.

    Args:
        boot: a directory of its own.
        profile: of `systemd/profiles`, laid over the unit.
        extra: more lines of `[Service]`.
        models: where the weights of an embedder lie; None uses the embedder without weights.
        credentials: keys by the name of their line in the unit.
    """
    hierarchy = unified_hierarchy()
    assert hierarchy is not None
    stage(boot, profile=profile, extra=extra, models=models, credentials=credentials or {})
    group = hierarchy / f"soulmem-test-{os.getpid()}-{boot.name}"
    group.mkdir()
    arguments = [str(boot), *map(str, _shown()), str(models or ""), str(_MANAGER)]
    enter = f'echo $$ > "{group}/cgroup.procs"; exec unshare -mpCf --mount-proc sh -c "$0" boot "$@"'
    with (boot / "stderr").open("wb") as stderr:
        process = subprocess.Popen(
            ["sh", "-c", enter, _BOOT, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr
        )
    try:
        running = OwnSystemd(_first_child(process), boot)
        deadline = time.monotonic() + within(_SETTLED_S)
        while running.told("soulmem.socket").get("ActiveState") != "active":
            assert process.poll() is None, (boot / "stderr").read_text()
            assert time.monotonic() < deadline, running.systemctl("status", "soulmem.socket")
            time.sleep(0.05)
        yield running
    finally:
        (group / "cgroup.kill").write_text("1")
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        _take_away(group)


def _first_child(process: subprocess.Popen[bytes]) -> int:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    deadline = time.monotonic() + within(_SETTLED_S)
    while not (found := children.read_text().split()):
        assert process.poll() is None, "unshare ended"
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return int(found[0])


def _take_away(group: Path) -> None:
    deadline = time.monotonic() + 10
    while group.exists() and time.monotonic() < deadline:
        for folder in sorted((path for path in group.rglob("*") if path.is_dir()), reverse=True):
            with contextlib.suppress(OSError):
                folder.rmdir()
        with contextlib.suppress(OSError):
            group.rmdir()
        time.sleep(0.02)
