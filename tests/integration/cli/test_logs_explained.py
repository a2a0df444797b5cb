"""`soulmem logs` and `soulmem monitor` on the log of a real daemon, and on its events."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from daemon_fixture import Daemon, daemon_process
from shell import Shell
from slowness import within
from soulmem.ops.log.event_catalogue import schema

SCHEMA = schema()


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A daemon that has something to tell, and goes on."""
    root = tmp_path_factory.mktemp("lived")
    with daemon_process(
        root, "--simulated-clock", "2026-03-01T08:00:00Z", env={"SOULMEM_LOG_LEVEL": "debug"}
    ) as daemon:
        for text in ("I am allergic to hazelnuts.", "我对青霉素过敏。"):
            daemon.call("message.add", {"mind": "mira", "role": "user", "speaker": "Ann", "content": text})
        daemon.call("idle.run", {"mind": "mira"})
        yield daemon


@pytest.fixture
def soulmem(lived: Daemon, tmp_path: Path) -> Shell:
    return Shell(lived.socket, tmp_path)


def test_each_event_is_explained_from_the_catalogue(soulmem: Shell, lived: Daemon) -> None:
    done = soulmem("logs", str(lived.log_path), "--explain")
    names = {record["event"] for record in lived.log()}
    assert {"daemon_ready", "heartbeat", "message_recorded", "step_finished", "note_created"} <= names
    for name in names:
        entry = SCHEMA["events"][name]
        assert name in done.stdout
        assert entry["meaning"] in done.stdout
        record = next(each for each in lived.log() if each["event"] == name)
        for field in record.keys() & entry["fields"].keys():
            assert re.search(
                rf"^    {field} = .*: {re.escape(entry['fields'][field]['meaning'])}$", done.stdout, re.MULTILINE
            )


def test_every_catalogued_event_can_be_explained(soulmem: Shell) -> None:
    made = [
        {
            "event": name,
            "level": entry["level"],
            "ts": "2026-03-01T08:00:00.000Z",
            **dict.fromkeys(entry["fields"], "x"),
        }
        for name, entry in SCHEMA["events"].items()
    ]
    done = soulmem("logs", "-", "--explain", "--json", stdin="\n".join(map(json.dumps, made)))
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["event"] for each in told] == list(SCHEMA["events"])
    for each in told:
        entry = SCHEMA["events"][each["event"]]
        assert each["explained"]["meaning"] == entry["meaning"]
        assert each["explained"]["fields"] == {name: told["meaning"] for name, told in entry["fields"].items()}


def test_lines_are_chosen_and_none_is_swallowed(soulmem: Shell, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(
        '<6>{"event":"heartbeat","level":"info","ts":"2026-03-01T08:00:00Z"}\n'
        "soulmem: a line of nobody\x1b[31m's\n\n"
        '{"event":"storage_full","level":"error","mind":"米拉"}\n'
        '{"event":"moon_rose","level":"warning","tide":3}\n',
        "utf-8",
    )
    whole = soulmem("logs", str(log)).stdout.splitlines()
    assert [line.split()[1] for line in whole] == ["heartbeat", "a", "storage_full", "moon_rose"]
    assert "mind=米拉" in whole[2]
    grave = soulmem("logs", str(log), "--level", "warning").stdout
    assert [line.split()[1] for line in grave.splitlines()] == ["storage_full", "moon_rose"]
    assert "storage_full" not in soulmem("logs", str(log), "-e", "heartbeat").stdout
    explained = soulmem("logs", str(log), "--explain").stdout
    assert "this version of soulmem does not know" in explained
    assert "no event" in explained


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        ([], "--output=cat --no-pager --unit=soulmem.service"),
        (["--user"], "--output=cat --no-pager --user --unit=soulmem"),
        (["--follow"], "--output=cat --no-pager --unit=soulmem.service --follow --lines=1000"),
    ],
)
def test_without_a_file_the_journal_is_read(soulmem: Shell, tmp_path: Path, arguments: list[str], asked: str) -> None:
    program = tmp_path / "bin" / "journalctl"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{JOURNAL}' \"$@\"\n", "utf-8")
    program.chmod(0o755)
    done = soulmem("logs", *arguments, PATH=f"{program.parent}:{os.environ['PATH']}")
    assert f"detail={asked}" in done.stdout
    assert "journal" in soulmem("logs", *arguments, PATH=str(tmp_path), code=78).stderr


JOURNAL = 'import json, sys; print(json.dumps(dict(event="storage_damaged", mind="m", detail=" ".join(sys.argv[1:]))))'


@pytest.mark.parametrize(
    ("arguments", "code", "hint"),
    [
        (["/nowhere/log"], 1, "stderr"),
        (["-", "-e", "heartbeet"], 64, "heartbeat"),
        (["-", "--level", "loud"], 2, "loud"),
    ],
)
def test_a_wrong_question_is_one_line(soulmem: Shell, arguments: list[str], code: int, hint: str) -> None:
    done = soulmem("logs", *arguments, code=code)
    assert hint in done.stderr
    assert not done.stdout


def test_the_picture_of_a_log_is_the_status_of_its_daemon(soulmem: Shell, lived: Daemon) -> None:
    lived.settle("mira")
    lived.call("system.status")
    status = {each["mind"]: each for each in lived.call("system.status")["minds"]}
    seen = json.loads(soulmem("monitor", "--log", str(lived.log_path), "--json").stdout)
    assert seen["state"] == "running"
    assert seen["vitals"]["rss_bytes"] > 1e7
    minds = {each["mind"]: each for each in seen["minds"]}
    assert minds["mira"]["state"] == status["mira"]["state"]
    assert minds["mira"]["notes"] == status["mira"]["notes"]
    shown = soulmem("monitor", "--log", str(lived.log_path)).stdout
    assert re.search(r"^mira +idle ", shown, re.MULTILINE)
    assert "running · up" in shown


def test_the_socket_tells_it_too(soulmem: Shell, lived: Daemon) -> None:
    command = soulmem.command("monitor", "--json", "--for", str(within(1)))
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=soulmem.environment) as watching:
        deadline = time.monotonic() + within(1)
        number = 0
        while watching.poll() is None and time.monotonic() < deadline + 20:
            number += 1
            lived.call("note.add", {"mind": f"seen{number}", "kind": "semantic", "text": f"note {number} 笔记"})
            time.sleep(0.05)
        assert watching.stdout
        seen = json.loads(watching.stdout.read())
    last = seen["minds"][-1]
    assert (last["notes"], last["messages"]) == (1, 0)


def _read_on(terminal: int) -> None:
    with suppress(OSError):  # the other side is closed
        os.read(terminal, 65536)


def test_on_a_terminal_it_is_drawn_until_ctrl_c(soulmem: Shell, lived: Daemon) -> None:
    ours, theirs = pty.openpty()
    command = soulmem.command("monitor")
    environment = {**soulmem.environment, "TERM": "xterm", "COLUMNS": "100", "LINES": "30"}
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - tests in the background of a shell ignore it
    ) as watching:  # fmt: skip
        os.close(theirs)
        text, deadline = "", time.monotonic() + within(20)
        number = 0
        while "drawn" not in text and time.monotonic() < deadline:
            number += 1
            lived.call("mind.create", {"mind": f"drawn{number}"})
            while select.select([ours], [], [], 0.2)[0]:
                text += os.read(ours, 65536).decode(errors="replace")
        assert "drawn" in text
        watching.send_signal(signal.SIGINT)
        deadline = time.monotonic() + within(10)
        while watching.poll() is None and time.monotonic() < deadline:
            if select.select([ours], [], [], 0.1)[0]:  # a terminal that nobody reads holds who draws on it
                _read_on(ours)
        assert watching.poll() in (1, 130)
    os.close(ours)


def test_without_a_daemon_it_says_so(tmp_path: Path) -> None:
    alone = Shell(tmp_path / "none.sock", tmp_path)
    assert "soulmem daemon" in alone("monitor", code=69).stderr
