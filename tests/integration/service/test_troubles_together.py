"""Two troubles at once: poison in a mind that goes, a full disk amid a quarantine, a deaf watcher in a drain."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path

from checking import Wire, checking
from daemon_fixture import daemon_process
from full_disks import leave, small_disk
from probing import add, error_of, ids, outcome
from slowness import within
from soulmem.store.journal.step_quarantine import MOST_DEATHS
from soulmem.store.sqlite import driver

POISON = "Bo bought 3 red kites in Lima on March 3, and 小王 paid 200 yuan. " * 1_000
_ASKED = 40  # replies that nobody reads
_KERNEL_BYTES = 100_000  # it keeps so much at least for one who reads nothing


def test_a_mind_that_is_digesting_poison_is_deleted(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.say("mira", POISON)
        api.say("luna", "hello")
        api.call("idle.run", mind="mira", wait=False)
        api.until(lambda: any(job["state"] == "running" for job in api.jobs("mira")), "digestion")
        api.call("mind.delete", mind="mira", confirm="mira")
        assert [each["mind"] for each in api.call("mind.list")["items"]] == ["luna"]
        assert not list((daemon.state / "minds").glob("mira*"))
        api.say("mira", "a new one")
        assert len(api.messages("mira")) == 1


def test_a_step_is_set_aside_on_a_full_disk_as_soon_as_there_is_room(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", megabytes=90) as disk:
        (disk / "run").mkdir()
        (tmp_path / "state").symlink_to(disk / "run")
        with daemon_process(tmp_path) as daemon:
            add(daemon, "mira", 0)
            daemon.call("idle.run", {"mind": "mira"})
        connection = driver.writer(disk / "run" / "minds" / "mira.db")()
        connection.execute(
            "UPDATE job SET state = 'running', deaths = ? WHERE id = (SELECT min(id) FROM job)", (MOST_DEATHS - 1,)
        )
        connection.close()
        with contextlib.suppress(OSError):
            (disk / "run" / "reserve").unlink()
            leave(disk, 0)
        with daemon_process(tmp_path, name="full", check_log=False) as daemon:
            assert ids(daemon, "mira") == ["m-0"]
            assert error_of(lambda: daemon.call("idle.run", {"mind": "mira"})).name == "storage_full"
            (disk / "filling").unlink()
            assert not add(daemon, "mira", 1)["duplicate"]
            assert outcome(lambda: daemon.call("idle.run", {"mind": "mira"})) == "answered"
            line = next(each for each in daemon.call("system.status")["minds"] if each["mind"] == "mira")
            assert line["quarantined"] == 1, "what is owed to the file goes before the first write"


def test_a_deaf_watcher_holds_up_no_drain(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon, Wire(daemon) as deaf:
        reply_bytes = len(json.dumps(daemon.call("system.describe"), ensure_ascii=False))
        deaf.send(b'{"jsonrpc":"2.0","id":1,"method":"events.watch","params":{}}')
        for number in range(_ASKED):
            deaf.send(b'{"jsonrpc":"2.0","id":%d,"method":"system.describe"}' % (number + 2))
            if number < 20:
                add(daemon, "mira", number)
        arrived = _settled(deaf)
        assert _KERNEL_BYTES < arrived < _ASKED * reply_bytes // 2, "more is owed than the kernel takes"
        assert not [each for each in daemon.events("client_refused") if each["reason"] == "slow_reader"]
        began = time.monotonic()
        assert daemon.terminate() == 0
        assert time.monotonic() - began < within(6)
        assert deaf.unread_bytes() < _ASKED * reply_bytes // 2, "it was never paid"
    with daemon_process(tmp_path, name="after") as daemon:
        assert len(ids(daemon, "mira")) == 20


def _settled(deaf: Wire) -> int:
    """How many bytes came to one who reads nothing, once no more do."""
    arrived, since = -1, time.monotonic()
    while time.monotonic() - since < 0.5:
        if (now := deaf.unread_bytes()) != arrived:
            arrived, since = now, time.monotonic()
        time.sleep(0.05)
    return arrived
