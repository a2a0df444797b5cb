"""A step over which the daemon dies again and again is set aside; nothing is lost, and the rest of the mind goes on."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from checking import Checking, checking
from daemon_fixture import Daemon, daemon_process, start, wait_ready
from household import DAY, START
from shell import Shell
from slowness import within
from soulmem.store.journal.step_quarantine import MOST_DEATHS, release, take_stock
from soulmem.store.sqlite import driver

pytestmark = pytest.mark.usefixtures("warm_starts")

HARMLESS = "My sister Ines moved from Porto to Ghent last week. 她在那里教大提琴。"
POISON = "Bo bought 3 red kites in Lima on March 3, and 小王 paid 200 yuan. " * 2_000  # a step of some seconds


def _at_it(daemon: Daemon, *, or_over: bool = False) -> Checking:
    """Digest until the poison is being split, or is set aside; `or_over`: or that is over, for it may be soon."""
    api = checking(daemon)
    api.call("idle.run", mind="mira", wait=False)
    wanted = {"running", "quarantined"} | ({"done"} if or_over else set())
    deadline = time.monotonic() + within(60)
    while _jobs(api, "split").get("poison", {}).get("state") not in wanted:
        assert time.monotonic() < deadline, "never came: the step"
        time.sleep(0.02)
    return api


def _die_over_it(daemon: Daemon) -> None:
    """Digest until the poison is being split, then kill -9."""
    api = _at_it(daemon)
    assert _jobs(api, "split")["poison"]["state"] == "running"
    daemon.kill()
    api.client.close()


def _jobs(api: Checking, step: str) -> dict[str, Any]:
    return {job["conversation"]: job for job in api.jobs("mira") if job["step"] == step}


@pytest.mark.thorough
def test_what_kills_the_daemon_twice_is_set_aside(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.say("mira", POISON, conversation="poison", id="the-poison")
        api.say("mira", HARMLESS, conversation="talk")
        api.settle("mira")
    for death in range(MOST_DEATHS):
        daemon = start(tmp_path, name=f"death-{death}")
        wait_ready(daemon)
        _die_over_it(daemon)
    with daemon_process(tmp_path, name="after") as daemon:
        api = checking(daemon)
        assert not api.call("idle.run", mind="mira")["preempted"]
        (told,) = daemon.events("step_quarantined")
        assert (told["mind"], told["step"], told["deaths"]) == ("mira", "split", MOST_DEATHS)
        job = _jobs(api, "split")["poison"]
        assert (job["state"], job["id"]) == ("quarantined", told["job"])
        assert "died" in job["error"]
        assert _jobs(api, "split")["talk"]["state"] == "done"
        assert any("Ghent" in note["text"] for note in api.notes("mira")), "the rest of the mind is digested"
        assert api.messages("mira", "poison")[0]["content"] == POISON
        assert api.found("mira", "red kites in Lima 小王")
        assert api.status("mira")["quarantined"] == 1
        soulmem = Shell(daemon.socket, tmp_path)
        said = soulmem("doctor", code=None).stdout
        assert "1 step set aside" in said
        assert "soulmem jobs --mind mira --retry" in said
        assert "1 set aside" in soulmem("status").stdout
        assert f"to be tried again: {told['job']}" in soulmem("jobs", "--mind", "mira", "--retry").stdout
        api.call("idle.run", mind="mira")
        assert _jobs(api, "split")["poison"]["state"] == "done"
        assert api.status("mira")["quarantined"] == 0
        assert api.call("job.retry", mind="mira") == {"retried": []}


@pytest.mark.thorough
def test_poison_goes_with_its_mind_and_its_deaths_with_it(tmp_path: Path) -> None:
    """Deleted while the daemon is at what it died of before; the next of that name begins with nothing."""
    with daemon_process(tmp_path) as daemon:
        checking(daemon).say("mira", POISON, conversation="poison")
    for death in range(MOST_DEATHS - 1):
        daemon = start(tmp_path, name=f"death-{death}")
        wait_ready(daemon)
        _die_over_it(daemon)
    daemon = start(tmp_path, name="deleting")
    wait_ready(daemon)
    api = _at_it(daemon)
    api.call("mind.delete", mind="mira", confirm="mira")
    daemon.kill()
    api.client.close()
    assert not list((daemon.state / "minds").glob("mira*"))
    with daemon_process(tmp_path, name="after") as daemon:
        api = checking(daemon)
        assert api.call("mind.list")["items"] == []
        api.say("mira", HARMLESS, conversation="poison")
        api.call("idle.run", mind="mira")
        assert _jobs(api, "split")["poison"]["state"] == "done"
        assert api.status("mira")["quarantined"] == 0
        assert any("Ghent" in note["text"] for note in api.notes("mira"))


@pytest.mark.thorough
def test_who_dies_while_a_mind_with_poison_is_deleted_leaves_all_of_it_or_nothing(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        checking(daemon).say("mira", POISON, conversation="poison", id="the-poison")
    for number, pause in enumerate((0.0, 0.005, 0.02, 0.08)):
        daemon = start(tmp_path, name=f"amid-{number}")
        wait_ready(daemon)
        _at_it(daemon, or_over=True).client.close()
        with ThreadPoolExecutor(1) as pool:
            going = pool.submit(daemon.call, "mind.delete", {"mind": "mira", "confirm": "mira"})
            time.sleep(pause)
            daemon.kill()
            was_answered = going.exception() is None
        with daemon_process(tmp_path, name=f"after-{number}") as after:
            api = checking(after)
            known = [each["mind"] for each in api.call("mind.list")["items"]]
            if known:
                assert not was_answered
                assert [each["content"] for each in api.messages("mira", "poison")] == [POISON]
                continue
            assert not list((after.state / "minds").glob("mira*"))
            api.say("mira", POISON, conversation="poison", id="the-poison")


def test_time_passes_over_a_sweep_that_is_set_aside(tmp_path: Path) -> None:
    """Nobody is woken, again and again, for what is not done; let out, it is done when it falls due."""
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        api.say("mira", HARMLESS)
        api.say("ann", HARMLESS)
        for mind in ("mira", "ann"):
            api.call("idle.run", mind=mind)
    connection = driver.writer(tmp_path / "state" / "minds" / "mira.db")()
    connection.execute("UPDATE job SET state = 'running', deaths = ? WHERE step = 'sweep'", (MOST_DEATHS - 1,))
    assert connection.execute("SELECT changes()").fetchone() == (1,)
    connection.close()
    with daemon_process(tmp_path, "--simulated-clock", name="after") as daemon:
        api = checking(daemon)
        api.call("idle.run", mind="mira")
        assert api.status("mira")["quarantined"] == 1
        api.call("clock.advance", seconds=900 * DAY)
        swept = [event["mind"] for event in daemon.events("sweep_finished")]
        assert set(swept) == {"ann"}, "the other mind forgets as ever"
        assert len(api.call("job.retry", mind="mira")["retried"]) == 1
        api.call("clock.advance", seconds=900 * DAY)
        later = [event["mind"] for event in daemon.events("sweep_finished")][len(swept) :]
        assert later.count("mira") > 1, "it falls due again"


def test_only_what_runs_when_the_daemon_dies_is_counted(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.say("mira", HARMLESS)
        api.call("idle.run", mind="mira")
    connection = driver.writer(tmp_path / "state" / "minds" / "mira.db")()
    connection.execute("UPDATE job SET state = CASE step WHEN 'split' THEN 'running' WHEN 'link' THEN 'preempted' "
                       "WHEN 'reconcile' THEN 'failed' ELSE state END")  # fmt: skip
    assert take_stock(connection, 1) == []
    connection.execute("UPDATE job SET state = 'running' WHERE step = 'link'")
    (aside,) = take_stock(connection, 2)
    assert aside.step == "split"
    assert take_stock(connection, 3)[0].step == "link"
    assert release(connection, ["j0"]) == []
    assert release(connection, [aside.id]) == [aside.id]
    assert len(release(connection, None)) == 1
    assert take_stock(connection, 4) == [], "who is let out has no deaths behind it"
    connection.close()
