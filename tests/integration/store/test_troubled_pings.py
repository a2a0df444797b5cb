"""A ping by somebody else while one client is deaf, one mind damaged, the disk full: its first byte comes as ever.

`make test` looks for a few seconds; `make torture` longer (`TORTURE_TROUBLE_S`) and prints what it measured.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import pytest
from test_storage_damage import HARMS

from checking import Wire, checking
from daemon_fixture import Daemon, daemon_process
from full_disks import BULK, leave, small_disk
from pinging import pinging, summary
from probing import SAID, add, ids, outcome
from slowness import within

_WORST_MS = 150
_FAST_S, _LONG_S = 2.0, float(os.environ.get("TORTURE_TROUBLE_S", "60"))
_SAID = 12  # messages of each mind
_OWED = 60  # replies of half a megabyte that nobody reads
Again = Callable[[], None]  # what is done while the pings go on
Trouble = Callable[[Path], AbstractContextManager[tuple[Daemon, Again]]]


@contextmanager
def deaf_watcher(root: Path) -> Iterator[tuple[Daemon, Again]]:
    """Somebody watches all events and asks for more than he is owed, and reads nothing of it; others talk and sleep."""
    with daemon_process(root) as daemon, Wire(daemon) as deaf:
        for number in range(40):
            add(daemon, "mira", number, BULK)
        deaf.send(b'{"jsonrpc":"2.0","id":0,"method":"events.watch","params":{}}')
        for number in range(_OWED):
            asked = b'{"jsonrpc":"2.0","id":%d,"method":"message.list","params":{"mind":"mira","limit":500}}'
            deaf.send(asked % (number + 1))
        count = iter(range(100, 10**6))

        def talk() -> None:
            for _ in range(10):
                add(daemon, "luna", next(count))
            assert outcome(lambda: daemon.call("recall", {"mind": "luna", "query": SAID})) == "answered"
            assert outcome(lambda: daemon.call("idle.run", {"mind": "luna"})) == "answered"

        yield daemon, talk


@contextmanager
def damaged_minds(root: Path) -> Iterator[tuple[Daemon, Again]]:
    """Files damaged in every way that is known, each of them asked for and written to; another mind is well."""
    names = [harm.__name__.strip("_").replace("_", "-") for harm in HARMS]
    with daemon_process(root) as daemon:
        for number in range(_SAID):
            for name in ["luna", *names]:
                add(daemon, name, number)
        for name in names:
            daemon.settle(name)
    for name, harm in zip(names, HARMS, strict=True):
        harm(root / "state" / "minds" / f"{name}.db")
    with daemon_process(root, name="harmed") as daemon:

        def ask() -> None:
            for name in names:
                for method, more in (
                    ("message.list", {}), ("recall", {"query": SAID}), ("idle.run", {}), ("job.list", {}),
                    ("message.add", {"role": "user", "content": SAID}),
                ):  # fmt: skip
                    ended = outcome(
                        lambda method=method, name=name, more=more: daemon.call(method, {"mind": name, **more})
                    )  # type: ignore[misc]
                    assert ended in {"storage_damaged"}, (name, method, ended)
            assert len(ids(daemon, "luna")) == _SAID
            assert len(daemon.call("system.status")["minds"]) == len(names) + 1

        yield daemon, ask


@contextmanager
def full_disk(root: Path) -> Iterator[tuple[Daemon, Again]]:
    """No byte is left: everybody writes, sleeps and deletes all the same, and is refused; others read."""
    with small_disk(root / "disk", megabytes=120) as disk:
        (disk / "run").mkdir()
        (root / "state").symlink_to(disk / "run")
        with daemon_process(root) as daemon:
            for number in range(40):
                add(daemon, "mira", number)
            daemon.settle("mira")
            with suppress(OSError):
                (disk / "run" / "reserve").unlink()
                leave(disk, 0)
            refused = {"storage_full", "answered"}  # the log of the file may hold a few more

            def write() -> None:
                for number in range(10):
                    assert outcome(lambda number=number: add(daemon, "mira", 1_000 + number, BULK)) in refused  # type: ignore[misc]
                    assert outcome(lambda: add(daemon, "new", 0)) in refused
                assert outcome(lambda: daemon.call("idle.run", {"mind": "mira"})) in refused
                assert outcome(lambda: daemon.call("recall", {"mind": "mira", "query": SAID})) == "answered"
                assert len(ids(daemon, "mira")) >= 40

            yield daemon, write
            (disk / "filling").unlink()
            checking(daemon).until(lambda: outcome(lambda: add(daemon, "mira", 5_000)) == "answered", "room again")


TROUBLES = (deaf_watcher, damaged_minds, full_disk)


def _measure(root: Path, trouble: Trouble, seconds: float) -> tuple[list[float], str]:
    """Milliseconds until the first byte of each ping, in order, while the trouble lasts; and what is to be told."""
    with trouble(root) as (daemon, again), pinging(daemon.socket, daemon.process.pid) as pings:
        began = time.monotonic()
        while time.monotonic() < began + seconds:
            again()
        ended = time.monotonic()
    took_ms = pings.during(began, ended)
    return took_ms, f"{summary(took_ms)}, of that {pings.worst(began, ended)[1]:.1f} ms without a processor"


@pytest.mark.thorough
@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda each: each.__name__)
def test_trouble_of_one_keeps_nobody_waiting(tmp_path: Path, trouble: Trouble) -> None:
    took_ms, told = _measure(tmp_path, trouble, _FAST_S)
    assert took_ms
    assert took_ms[-1] <= within(_WORST_MS), told


@pytest.mark.torture
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda each: each.__name__)
def test_lasting_trouble_of_one_keeps_nobody_waiting(
    tmp_path: Path, trouble: Trouble, capsys: pytest.CaptureFixture[str]
) -> None:
    took_ms, told = _measure(tmp_path, trouble, _LONG_S)
    with capsys.disabled():
        print(f"\n{trouble.__name__} for {_LONG_S:.0f} s: {told}")
    assert took_ms[-1] <= within(_WORST_MS), told
