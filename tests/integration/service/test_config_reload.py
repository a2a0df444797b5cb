"""SIGHUP reads the configuration anew: what can change while the daemon runs does, a broken file changes nothing."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from checking import Checking, checking
from daemon_fixture import Daemon, daemon_process
from soulmem.ops.settings.config_loader import is_fixed
from soulmem.ops.settings.setting_keys import KEYS, MIND_KEYS

FIRST = """
[window]
capacity = 4
min_fresh = 1
[budget]
tokens_per_day = 1000
[clock]
jump_limit_s = 7200
"""


class House:
    """A daemon with a configuration of its own."""

    def __init__(self, daemon: Daemon, path: Path) -> None:
        self.daemon, self.path = daemon, path
        self.api: Checking = checking(daemon)

    def reload(self, text: str, event: str) -> list[dict[str, Any]]:
        """The events of this name, once there is one more than before."""
        before = len(self.daemon.events(event))
        self.path.write_text(text, "utf-8")
        self.hang_up()
        return self.until(lambda: found if len(found := self.daemon.events(event)) > before else None)

    def hang_up(self) -> None:
        os.kill(self.api.call("system.status")["pid"], signal.SIGHUP)

    def until(self, holds: Callable[[], Any]) -> Any:
        return self.api.until(holds, "the configuration read anew")

    def capacity(self, mind: str) -> int:
        found: int = self.api.say(mind, "how long is the window 窗口多长?")["window"]["capacity"]
        return found


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("d")
    path = folder / "config.toml"
    path.write_text(FIRST, "utf-8")
    with daemon_process(folder, "--config", str(path)) as daemon:
        yield House(daemon, path)


def test_what_can_change_does_for_minds_that_are_open_and_those_to_come(house: House) -> None:
    assert house.capacity("open") == 4
    house.api.call("mind.create", mind="own", settings={"window.capacity": 6})
    assert house.capacity("own") == 6
    told = house.reload(
        FIRST.replace("capacity = 4", "capacity = 9").replace("1000", "500"), "config_reloaded"
    )  # fmt: skip
    assert told[-1]["changed"] == ["window.capacity", "budget.tokens_per_day"]
    assert [house.capacity(mind) for mind in ("open", "new", "own")] == [9, 9, 6]
    assert house.api.call("system.status")["budget"]["limits"]["tokens_per_day"] == 500
    told = house.reload('profile = "assistant"\n' + FIRST, "config_reloaded")
    assert {"profile", "window.capacity", "budget.tokens_per_day"} <= set(told[-1]["changed"])
    assert house.capacity("open") == 4
    made = house.api.call("mind.create", mind="later")["mind"]
    assert made["profile"] == "assistant"


def test_what_cannot_is_said_in_one_line(house: House) -> None:
    house.reload(FIRST, "config_reloaded")
    text = FIRST.replace("7200", "3600") + '[server]\ndepth = 20\n[log]\nlevel = "debug"\n'
    told = house.reload(text, "config_needs_restart")
    assert told[-1]["keys"] == ["clock.jump_limit_s", "server.depth"]
    assert house.daemon.events("config_reloaded")[-1]["changed"] == ["log.level"]
    house.api.say("open", "this is told at debug 调试")
    house.until(lambda: house.daemon.events("message_recorded"))
    house.reload(FIRST, "config_reloaded")
    count = len(house.daemon.events("message_recorded"))
    house.api.say("open", "this is not 不再")
    assert len(house.daemon.events("message_recorded")) == count


def test_a_broken_file_keeps_what_was_and_says_why(house: House) -> None:
    house.reload(FIRST.replace("capacity = 4", "capacity = 7"), "config_reloaded")
    for broken, told in (
        (FIRST.replace("capacity = 4", "capcity = 5"), "window.capacity"),
        (FIRST.replace("capacity = 4", "capacity = -5"), "window.capacity"),
        ("[window", "config.toml"),
    ):
        reason = house.reload(broken, "config_refused")[-1]["reason"]
        assert told in reason
        assert "\n" not in reason
        assert house.capacity("open") == 7
    house.path.unlink()
    house.hang_up()
    house.until(lambda: len(house.daemon.events("config_refused")) == 4)
    assert house.capacity("open") == 7


def test_a_mind_that_does_not_fit_goes_on_as_it_was(house: House) -> None:
    house.reload(FIRST, "config_reloaded")
    house.api.call("mind.create", mind="odd", settings={"forgetting.blur_below": 0.4})
    wrong = FIRST + "[forgetting]\nblur_below = 0.9\nblank_below = 0.5\n"
    told = house.reload(wrong, "config_refused")[-1]
    assert told["mind"] == "odd"
    assert "blank_below" in told["reason"]
    assert house.capacity("odd") == 4
    assert house.reload(FIRST, "config_reloaded")


def test_what_a_mind_may_set_for_itself_can_always_change() -> None:
    assert not [name for name in MIND_KEYS if is_fixed(name)]
    assert {name for name in KEYS if is_fixed(name)} >= {"state_dir", "socket", "engine.model", "embedder.name"}
