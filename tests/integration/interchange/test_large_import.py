"""Years of talk at once: 20,000 lines of SillyTavern, in bounded memory, and the second time nothing changes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from served_process import environment
from slowness import exceeds

LINES = 20_000
IMPORTER_MB, DAEMON_MB = 120, 300  # both were started anew; an importer that kept what it read would hold 20 MB more
BAR_S = 120.0
SAID = ("Day {n}: the {thing} by the harbour again, and rain.", "第{n}天：港口边又是{thing}，还下雨。")
THINGS = (("heron", "苍鹭"), ("ferry", "渡船"), ("lantern", "灯笼"), ("bicycle", "自行车"), ("choir", "合唱团"))

pytestmark = [pytest.mark.torture, pytest.mark.timeout(1800)]


def chat(path: Path) -> None:
    """Three years of talk, in both languages, with swipes; a broken line and a hidden one among them."""
    with path.open("w", encoding="utf-8") as out:
        out.write(
            json.dumps({"user_name": "Mara", "character_name": "Pell", "create_date": "2023-1-1@00h00m00s"}) + "\n"
        )
        for number in range(LINES):
            things = THINGS[number % len(THINGS)]
            language = number // 2 % 2
            mes = SAID[language].format(n=number, thing=things[language])
            line: dict[str, Any] = {
                "name": "Pell" if number % 2 else "Mara", "is_user": number % 2 == 0, "mes": mes,
                "send_date": 1_672_531_200_000 + number * 4_730_000, "extra": {}, "swipes": [mes, "Another. 另一个。"],
            }  # fmt: skip
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            if number == LINES // 2:
                out.write('{"name": "Pell", "mes": "cut of\n')
                out.write(json.dumps({**line, "mes": "hidden", "is_system": True}) + "\n")


def imported(daemon: Daemon, file: Path) -> tuple[dict[str, Any], float, float]:
    """What was told, how long it took, and what the importer took of memory, MB."""
    command = [sys.executable, "-m", "soulmem", "import", str(file), "-m", "years", "--json", "--zone", "UTC"]
    began = time.monotonic()
    with subprocess.Popen(
        [*command, "--socket", str(daemon.socket)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout is not None
        told = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 64, "one line is broken"
    return json.loads(told), time.monotonic() - began, usage.ru_maxrss / 1024


def memory_mb(daemon: Daemon) -> float:
    status = Path(f"/proc/{daemon.process.pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def test_twenty_thousand_lines_and_again(tmp_path: Path) -> None:
    file = tmp_path / "Mara - 2023.jsonl"
    chat(file)
    (tmp_path / "d").mkdir()
    with daemon_process(tmp_path / "d") as daemon:
        first, took, importer_mb = imported(daemon, file)
        page = daemon.call("message.list", {"mind": "years", "conversation": first_conversation(daemon), "limit": 3})
        again, took_again, _ = imported(daemon, file)
        held = daemon.call("mind.get", {"mind": "years"})["mind"]["messages"]
        peak_mb = memory_mb(daemon)
    print(
        f"\n{LINES} lines, {file.stat().st_size / 1e6:.1f} MB: {took:.1f} s, again {took_again:.1f} s; importer "
        f"{importer_mb:.0f} MB, daemon {peak_mb:.0f} MB; load {os.getloadavg()[0]:.1f}"
    )
    assert (first["stored"], first["known"], first["faults"]) == (LINES, 0, 1)
    assert [each["why"] for each in first["left_out"]] == [each["why"] for each in again["left_out"]]
    assert (again["stored"], again["known"], again["faults"]) == (0, LINES, 1)
    assert held == LINES
    assert [each["content"] for each in page["items"]] == [SAID[0].format(n=0, thing="heron"),
                                                           SAID[0].format(n=1, thing="ferry"),
                                                           SAID[1].format(n=2, thing="灯笼")]  # fmt: skip
    assert importer_mb < IMPORTER_MB
    assert peak_mb < DAEMON_MB
    assert not exceeds(took * 1000, BAR_S * 1000)


def first_conversation(daemon: Daemon) -> str:
    return str(daemon.call("conversation.list", {"mind": "years"})["items"][0]["name"])
