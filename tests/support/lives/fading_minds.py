"""Minds that live by the wall clock, so that a day is a day of forgetting, and notes to plant in them."""

from __future__ import annotations

from checking import Json, checking
from daemon_fixture import Daemon

START = "2026-03-01T08:00:00Z"
HOUR, DAY = 3600, 86_400
WALL: Json = {"forgetting.clock": "wall"}

# (text, its secret, what else is found it by)
PLANTED = [
    ("Mira hid the violet lantern behind the old bakery in the harbour.", "violet lantern", "old bakery harbour"),
    ("米拉把紫水晶藏在港口的旧面包房后面。", "紫水晶", "港口的旧面包房"),
    ("Mira 把 amethyst 藏在港口 bakery 后面。", "amethyst", "港口 bakery"),
]
OTHERS = [
    "The ferry left at noon with all the goats.",
    "渡轮中午载着所有山羊离开了。",
    "Tom paints boats on quiet Sundays.",
]


class House:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.api = checking(daemon)
        self.minds: list[str] = []

    def mind(self, settings: Json = WALL, **params: object) -> str:
        name = f"m{len(self.minds)}"
        self.minds.append(name)
        self.api.call("mind.create", mind=name, settings=settings, **params)
        for text in OTHERS:
            self.api.note(name, text, pinned=True)
        return name

    def wait(self, days: float) -> None:
        self.api.call("clock.advance", seconds=days * DAY)
