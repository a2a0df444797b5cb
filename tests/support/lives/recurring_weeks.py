"""Weeks in which something keeps coming back, told to a daemon a message a day: English, Chinese, and mixed."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from daemon_fixture import Daemon, daemon_process

START = "2026-05-03T18:00:00+00:00"
DAY = 86_400
# day -> what is said on it; of what recurs each is told otherwise
WEEKS: dict[str, dict[int, str]] = {
    "en": {
        0: "I went climbing with Tom this morning, my forearms are jelly.",
        1: "I work at the city library, on the children's floor.",
        4: "Climbing again tonight with Tom, I finally did the yellow route!",
        5: "The harbour festival was cancelled because of the storm.",
        7: "Went climbing alone today, Tom had a cold.",
        9: "I bought a red bicycle from my neighbour for ninety pounds.",
        11: "Tom and I went climbing after work, he fell off the overhang.",
        13: "My dentist is called Dr Ames, she found a cavity.",
        15: "I went climbing with Tom, and we had soup afterwards.",
        16: "The landlord wants to sell our building in autumn.",
    },
    "zh": {
        0: "今天上午我和周宁去打羽毛球了，胳膊酸得抬不起来。",
        1: "我在市图书馆上班，主要管少儿区。",
        4: "晚上又跟周宁打羽毛球，终于学会反手了！",
        5: "港口的音乐节因为台风取消了。",
        7: "今天去打羽毛球，周宁感冒没来。",
        9: "我花九百块从邻居那儿买了一辆红色自行车。",
        11: "下班和周宁去打了羽毛球，他连摔三跤。",
        13: "我的牙医姓艾，她说我有颗蛀牙。",
        15: "和周宁打了羽毛球，打完一起喝了汤。",
        16: "房东说秋天要把整栋楼卖掉。",
    },
    "mixed": {
        0: "I went climbing with Tom this morning.",
        1: "我在市图书馆上班，主要管少儿区。",
        4: "今晚又和Tom去攀岩了，手都磨破了。",
        5: "The harbour festival was cancelled because of the storm.",
        7: "Went climbing alone today.",
        9: "I bought a red bicycle from my neighbour for ninety pounds.",
        11: "下班和Tom去攀岩了，他摔了三次。",
        13: "My dentist is called Dr Ames, she found a cavity.",
        15: "I went climbing with Tom after work.",
        16: "The landlord wants to sell our building in autumn.",
    },
}
SPEAKER = {"en": "Anna", "zh": "林溪", "mixed": "Anna"}
CONCLUDED = {
    "en": "Between 3 and 18 May 2026 Anna went climbing five times, mostly with Tom.",
    "zh": "2026年5月3日到18日之间，林溪打了五次羽毛球，大多是和周宁一起。",
    "mixed": "Between 3 and 18 May 2026 Anna went climbing five times, mostly with Tom.",
}
LESS = {
    "en": "Between 3 and 18 May 2026 Anna went climbing four times, mostly with Tom.",
    "zh": "2026年5月3日到18日之间，林溪打了四次羽毛球，大多是和周宁一起。",
}


def live(daemon: Daemon, mind: str, language: str, *, conversation: str = "main", more: int = 0) -> None:
    """Tell these weeks, a message a day; the mind digests after each. `more`: days that pass afterwards."""
    client = daemon.client(timeout=600)
    before = 0
    for day, text in WEEKS[language].items():
        client.call("clock.advance", {"seconds": (day - before) * DAY})
        before = day
        client.call(
            "message.add",
            {
                "mind": mind,
                "conversation": conversation,
                "role": "user",
                "speaker": SPEAKER[language],
                "content": text,
                "id": f"d{day}",
            },
        )
    client.call("clock.advance", {"seconds": (1 + more) * DAY})
    daemon.settle(mind, timeout=120)


class LivedWeeks:
    """Weeks that are told and thought over once, and then lived on from as often as a test wants."""

    def __init__(self, root: Path, settings: dict[str, Any], env: dict[str, str] | None = None) -> None:
        self._root = root
        self._settings = settings
        self._env = env

    @contextlib.contextmanager
    def daemon(self, root: Path, language: str) -> Iterator[tuple[Daemon, str]]:
        """A daemon of its own on a copy of the mind that lived them, at the moment at which that had slept on it."""
        mind, lived = f"m-{language}", self._root / language
        if not lived.exists():
            with daemon_process(self._root, "--simulated-clock", START, env=self._env) as daemon:
                daemon.call("mind.create", {"mind": mind, "profile": "assistant", "settings": self._settings})
                live(daemon, mind, language)
                daemon.call("idle.run", {"mind": mind})
            (self._root / "state").rename(lived)
        shutil.copytree(lived, root / "state")
        with daemon_process(root, "--simulated-clock", env=self._env) as daemon:
            yield daemon, mind


def reflections(daemon: Daemon, mind: str, **params: Any) -> list[dict[str, Any]]:
    """What the mind concluded, as it is listed."""
    found: list[dict[str, Any]] = daemon.call("reflection.list", {"mind": mind, **params})["items"]
    return found
