"""A step of digestion that fails is told, harms nothing, and goes on when what was wrong is mended."""

from __future__ import annotations

from pathlib import Path

from checking import checking
from daemon_fixture import daemon_process
from soulmem.store.sqlite import driver

START = "2026-03-01T08:00:00Z"
SAID = (
    ("user", "Ann", "My sister Ines moved from Porto to Ghent last week."),
    ("assistant", "Bo", "根特很远，她喜欢那里吗？"),
    ("user", "Ann", "她很喜欢，她在那里教大提琴。 She teaches the cello there."),
    ("assistant", "Bo", "I hope you can visit her in May, she will be glad."),
)


def _change(file: Path, statement: str) -> None:
    connection = driver.writer(file)()
    connection.execute(statement)
    connection.close()


def test_a_step_that_fails_is_told_and_goes_on_later(tmp_path: Path) -> None:
    file = tmp_path / "state" / "minds" / "mira.db"
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        for role, speaker, content in SAID:
            api.say("mira", content, role=role, speaker=speaker)
        assert daemon.terminate() == 0
    _change(file, "CREATE TRIGGER no BEFORE INSERT ON note BEGIN SELECT RAISE (ABORT, 'no room for notes'); END")
    with daemon_process(tmp_path, "--simulated-clock", name="failing") as daemon:
        api = checking(daemon)
        assert not api.call("idle.run", mind="mira")["preempted"]
        states = {job["step"]: job["state"] for job in api.call("job.list", mind="mira")["items"]}
        assert (states["summarise"], states["split"], states["link"]) == ("done", "failed", "pending")
        (told,) = daemon.events("step_failed")
        assert (told["step"], told["mind"]) == ("split", "mira")
        assert "no room for notes" in told["error"]
        assert api.found("mira", "cello 大提琴"), "what is not digested yet is recalled from what was said"
        assert daemon.terminate() == 0
    _change(file, "DROP TRIGGER no")
    with daemon_process(tmp_path, "--simulated-clock", name="mended") as daemon:
        api = checking(daemon)
        api.call("idle.run", mind="mira")
        states = {job["step"]: job["state"] for job in api.call("job.list", mind="mira")["items"]}
        assert set(states.values()) == {"done"}
        assert api.notes("mira")
