"""An event bus to try: its clock is turned by hand, its log is kept in memory."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from soulmem.ops.log.event_bus import EventBus
from soulmem.ops.log.log_output import open_log
from soulmem.ops.settings.setting_sections import LogFormat, LogLevel, LogSettings


class HandClock:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.wall_ms = 1_700_000_000_123
        self.elapsed_ms = 0.0
        self.suspect = False
        self.simulated = True

    def now_ms(self) -> int:
        return self.wall_ms

    def monotonic_ms(self) -> float:
        return self.elapsed_ms


class Bench:
    """A bus that writes into a file, and what it wrote."""

    def __init__(self, path: Path, level: LogLevel = LogLevel.INFO, **environ: str) -> None:
        self.path = path
        self.clock = HandClock()
        self.fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        logger = open_log(LogSettings(level=level, format=LogFormat.JSON), fd=self.fd, environ={})
        self.bus = EventBus(logger, self.clock, boot="b00t", environ=environ)

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_text("utf-8").splitlines()]

    def names(self) -> list[str]:
        return [line["event"] for line in self.lines()]

    def close(self) -> None:
        os.close(self.fd)
