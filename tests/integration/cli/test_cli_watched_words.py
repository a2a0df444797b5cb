"""`soulmem watch --words`: what is said and noted appears as it happens, once each, in words."""

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from checking import Checking, checking
from daemon_fixture import Daemon, daemon_process
from shell import Shell


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("d")) as daemon:
        yield daemon


@pytest.fixture
def api(daemon: Daemon) -> Checking:
    return checking(daemon)


@contextmanager
def watching(daemon: Daemon, home: Path, mind: str, *options: str) -> Iterator[list[str]]:
    """What a watcher of all minds, or as the options say, shows; that it watches is seen by what is said to `mind`."""
    shell = Shell(daemon.socket, home)
    lines: list[str] = []
    command = [str(each) for each in shell.command("watch", "--words", *options)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=shell.environment, text=True) as process:
        stream = process.stdout
        assert stream is not None
        reader = threading.Thread(target=lambda: lines.extend(iter(stream.readline, "")))
        reader.start()
        api = checking(daemon)
        try:
            api.until(lambda: api.say(mind, "anybody there 有人吗") and lines, "a line")
            yield lines
        finally:
            process.kill()
            reader.join()


def test_words_appear_once_as_they_are_said_and_noted(daemon: Daemon, api: Checking, tmp_path: Path) -> None:
    with watching(daemon, tmp_path, "early") as lines:
        api.say("boats", "My boat is called Ella.", speaker="Tom", id="b1")
        api.say("boats", "我的船叫艾拉。", speaker="小苇", conversation="群")
        api.call("idle.run", mind="boats")
        api.until(lambda: any("noted" in line and "艾拉" in line for line in lines), "the notes")
        api.call("message.update", mind="boats", id="b1", content="My boat is called Stella.")
        api.until(lambda: any("Stella" in line for line in lines), "the new words")
        api.call("mind.delete", mind="boats", confirm="boats")
        api.until(lambda: any("mind deleted" in line for line in lines), "its end")
    told = "".join(lines)
    assert told.count("boats/main  Tom: My boat is called Ella.") == 1
    assert told.count("boats/群  小苇: 我的船叫艾拉。") == 1
    assert told.count("Tom (changed): My boat is called Stella.") == 1
    assert [line.split("noted ")[1].split(":")[0] for line in lines if "noted" in line] == ["n1", "n2"]
    assert "early/main  user: anybody there 有人吗" in told


def test_one_mind_is_watched_alone_and_programs_get_json(daemon: Daemon, api: Checking, tmp_path: Path) -> None:
    with watching(daemon, tmp_path, "one", "--json", "-m", "one") as lines:
        for number in range(30):
            api.say("other", f"elsewhere {number}")
            api.say("one", f"line {number} 第{number}句")
        history = [{"role": "user", "content": f"long ago {n}", "at": "2024-05-01T08:00:00Z"} for n in range(3)]
        api.call("message.import", mind="one", messages=history)
        api.say("one", "the last one")
        api.note("one", "a note of a client 一条笔记")
        api.until(lambda: any("一条笔记" in line for line in lines), "the note")
    shown = [json.loads(line) for line in lines]
    assert {each["mind"] for each in shown} == {"one"}
    said = [each["message"]["content"] for each in shown if each["what"] == "said"]
    assert [text for text in said if "there" not in text] == [f"line {n} 第{n}句" for n in range(30)] + ["the last one"]
    assert [(each["count"], each["of"]) for each in shown if each["what"] == "imported"] == [(3, "message")]
    assert [each["note"]["text"] for each in shown if each["what"] == "noted"] == ["a note of a client 一条笔记"]


def test_words_and_events_are_not_watched_together(daemon: Daemon, tmp_path: Path) -> None:
    done = Shell(daemon.socket, tmp_path)("watch", "--words", "-e", "heartbeat", code=2)
    assert done.stderr.count("\n") == 1
