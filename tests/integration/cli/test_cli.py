"""The command line as people and scripts use it: real processes against a real daemon."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon_fixture import daemon_process
from shell import PATIENCE_S, Shell


@pytest.fixture(scope="module")
def soulmem(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    home = tmp_path_factory.mktemp("home")
    with daemon_process(tmp_path_factory.mktemp("d")) as daemon:
        yield Shell(daemon.socket, home)


@pytest.fixture
def alone(tmp_path: Path) -> Shell:
    """A shell in which no daemon runs."""
    return Shell(tmp_path / "none.sock", tmp_path)


# -- talking -------------------------------------------------------------------------------------------


def test_say_and_recall_work_on_the_first_try(soulmem: Shell) -> None:
    said = soulmem("say", "I am allergic to hazelnuts, almonds are fine.", "--speaker", "Mara")
    assert "kept as m1" in said.stdout
    assert "window 1/20" in said.stdout
    found = soulmem("recall", "what is Mara allergic to?")
    assert "hazelnuts" in found.stdout
    assert re.search(r"\d items? in [\d.]+ ms", found.stdout)


def test_chinese_is_as_good(soulmem: Shell) -> None:
    soulmem("say", "我给奶奶买了一副新的助听器。", "--speaker", "小苇", "-m", "xiaowei")
    soulmem("say", "下周五是奶奶生日，要吃鳝丝面。", "--speaker", "小苇", "-m", "xiaowei")
    found = soulmem.json("recall", "给奶奶买了什么？", "-m", "xiaowei", "-k", "1")
    assert "助听器" in found["items"][0]["text"]


HISTORY = [
    {"role": "user", "speaker": "Mara", "content": "My sister Ines keeps bees.", "at": "2024-05-01T08:00:00Z"},
    {"role": "assistant", "content": "蜜蜂怎么样？", "at": "2024-05-01T08:01:00Z", "conversation": "蜂"},
    {"role": "user", "speaker": "小苇", "content": "I moved to 成都 on Friday.", "at": "2024-06-01T08:00:00Z"},
]


def test_a_history_is_read_in_and_bad_lines_are_named(soulmem: Shell, tmp_path: Path) -> None:
    lines = [json.dumps(each, ensure_ascii=False).encode() for each in HISTORY]
    bad = [
        b"{",
        b"\xff\xfe",
        b'"text"',
        b'{"role": "user", "content": "\\ud800", "at": "2024-05-01"}',
        b"{}",
        b"x" * 500_000,
    ]
    file = tmp_path / "talk.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + b"\n".join([lines[0], *bad, b"", *lines[1:]]))
    done = soulmem("import", str(file), "-m", "before", code=64)
    assert "3 messages stored, 6 refused" in done.stdout
    assert re.findall(r"line (\d+): ", done.stderr) == ["2", "3", "4", "5", "6", "7"]
    assert "Ines" in soulmem("recall", "who keeps bees?", "-m", "before").stdout
    assert "成都" in soulmem("recall", "搬到哪里？ moved", "-m", "before").stdout


def test_a_history_from_stdin_is_stored_once(soulmem: Shell) -> None:
    text = "".join(json.dumps(dict(HISTORY[0], content=f"第{n} day", id=f"d{n}")) + "\n" for n in range(1_200))
    for stored, known in ((1_200, 0), (0, 1_200)):
        done = soulmem("import", "-", "-m", "twice", "--json", stdin=text)
        told = json.loads(done.stdout)
        assert (told["stored"], told["known"], told["refused"]) == (stored, known, [])
        assert done.stderr == ""


def test_a_history_without_a_daemon_says_what_to_do(alone: Shell) -> None:
    done = alone("import", "-", stdin=json.dumps(HISTORY[0]), code=69)
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert "soulmem daemon" in done.stderr


def test_a_history_that_cannot_be_read_is_one_line(soulmem: Shell, tmp_path: Path) -> None:
    done = soulmem("import", str(tmp_path / "none.jsonl"), code=64)
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert "0 messages stored" in soulmem("import", "-", "-m", "twice", stdin="\n\n").stdout


def test_a_locale_that_knows_no_utf8_mangles_nothing(soulmem: Shell) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    soulmem("say", "-", "-m", "locale", stdin="猫改名叫煤老板了，naïve café", **plain)
    assert "煤老板了，naïve café" in soulmem("recall", "煤老板", "-m", "locale", **plain).stdout


def test_recalling_leaves_no_trace(soulmem: Shell) -> None:
    soulmem("say", "The tide table says 0.4 pear.", "-m", "trace")
    first = soulmem.json("recall", "pear", "-m", "trace")
    assert first["items"]
    assert first.get("recall_id") is None


def test_a_message_with_an_id_is_kept_once(soulmem: Shell) -> None:
    for expected in ("kept as mine", "already kept as mine"):
        assert expected in soulmem("say", "once only", "--id", "mine", "-m", "once").stdout
    assert soulmem("say", "something else", "--id", "mine", "-m", "once", code=1).stdout == ""


def test_a_recall_is_praised_and_blamed(soulmem: Shell) -> None:
    heard = soulmem.json("say", "Which 茶 does Tom like?", "--mind", "praised")
    recall = heard["recall_id"]
    done = soulmem("feedback", recall, "good", "--used", "n1,n2 n3", "--used", "n4", "--mind", "praised")
    assert done.stdout.startswith("taken to heart")
    assert [line.split("'")[1] for line in done.stderr.splitlines() if "there is no" in line] == [
        "n1",
        "n2",
        "n3",
        "n4",
    ]
    assert soulmem("feedback", recall, "good", "--mind", "praised").stdout.startswith("that was said already")
    assert soulmem.json("feedback", recall, "bad", "--strength", "0.4", "--mind", "praised")["duplicate"] is False
    assert "r99999" in soulmem("feedback", "r99999", "bad", "--mind", "praised", code=None).stderr
    soulmem("feedback", recall, "meh", "--mind", "praised", code=2)
    soulmem("feedback", recall, "good", "--strength", "2", "--mind", "praised", code=2)


def test_an_assistant_is_heard_too(soulmem: Shell) -> None:
    result = soulmem.json("say", "Pear, and getting better.", "--as", "assistant", "--speaker", "Pell", "-m", "roles")
    assert "context" not in result or result["context"] is None
    assert "Pear" in soulmem("context", "-m", "roles").stdout


@pytest.mark.parametrize(
    "text",
    ["", "   \n", b"\xff\xfe broken", "a" * 300_000, "nul \x00 inside"],
    ids=["empty", "blank", "bytes", "huge", "nul"],
)
def test_text_that_is_none_is_refused(soulmem: Shell, text: str | bytes) -> None:
    done = soulmem("say", "-", stdin=text, code=64)
    assert done.stdout == ""
    assert done.stderr.startswith("soulmem: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("mind", ["../etc", "a.b", "A", "-x", "x" * 65, "名字"])
def test_names_that_are_none_are_refused(soulmem: Shell, mind: str) -> None:
    assert soulmem("say", "hi", f"--mind={mind}", code=64).stderr.count("\n") == 1


def test_a_mind_that_does_not_exist_is_named(soulmem: Shell) -> None:
    for command in ("recall x", "notes", "links", "jobs", "context", "sleep", "note n1", "forecast n1", "timeline"):
        done = soulmem(*command.split(), "-m", "nobody", code=1)
        assert "nobody" in done.stderr
        assert done.stderr.count("\n") == 1


# -- memory ----------------------------------------------------------------------------------------------

DIARY = (
    "My name is Mara and I live in Porthwen.",
    "My cat is called Marjorie.",
    "I have an exam on 28 March 2026.",
    "小苇对青霉素过敏。",
)


@pytest.fixture(scope="module")
def diary(soulmem: Shell) -> Shell:
    for line in DIARY:
        soulmem("say", line, "--speaker", "Mara", "-m", "diary")
    assert soulmem("sleep", "-m", "diary").stdout
    return soulmem


def test_sleep_makes_notes_with_their_sources(diary: Shell) -> None:
    notes = diary.json("notes", "-m", "diary")["items"]
    assert notes
    for item in notes:
        shown = diary("note", item["id"], "-m", "diary").stdout
        assert item["id"] in shown
        assert "main/m" in shown
    listed = diary("notes", "-m", "diary").stdout
    assert all(item["id"] in listed for item in notes)


def test_jobs_say_what_was_done(diary: Shell) -> None:
    jobs = diary.json("jobs", "-m", "diary")["items"]
    assert {"flush", "freeze", "split", "link"} <= {job["step"] for job in jobs}
    assert {job["state"] for job in jobs} == {"done"}
    assert "split" in diary("jobs", "-m", "diary").stdout


def test_links_are_listed_with_both_ends(diary: Shell) -> None:
    ties = diary.json("links", "-m", "diary")["items"]
    shown = diary("links", "-m", "diary").stdout
    assert shown.count("\n") >= len(ties)
    assert all(0 < tie["strength"] <= 1 for tie in ties)


def test_a_note_can_be_put_right(diary: Shell) -> None:
    name = diary.json("notes", "-m", "diary")["items"][0]["id"]

    def note(*options: str) -> str:
        return diary("note", name, *options, "-m", "diary").stdout

    assert "reworded" in note("--edit", "Mara 住在 Porthwen")
    assert "Mara 住在 Porthwen" in note()
    assert note("--history").count("\n") >= 2
    assert "pinned" in note("--pin")
    assert diary.json("note", name, "-m", "diary")["note"]["pinned"] is True
    assert "unpinned" in note("--unpin")
    assert "--yes" in diary("note", name, "--forget", "-m", "diary", code=2).stderr
    assert "forgotten" in note("--forget", "--yes")
    assert name not in {item["id"] for item in diary.json("notes", "-m", "diary")["items"]}
    assert name in {item["id"] for item in diary.json("notes", "--forgotten", "-m", "diary")["items"]}
    assert "restored" in note("--restore")
    assert "stands" in note("--restore")
    assert name in {item["id"] for item in diary.json("notes", "-m", "diary")["items"]}
    assert "one change" in diary("note", name, "--pin", "--unpin", "-m", "diary", code=2).stderr


def test_an_unknown_note_is_one_line(diary: Shell) -> None:
    assert "soulmem notes" in diary("note", "n99999", "-m", "diary", code=1).stderr


# -- the daemon ------------------------------------------------------------------------------------------


def test_status_lists_the_minds(diary: Shell) -> None:
    status = diary.json("status")
    minds = {mind["mind"]: mind for mind in status["minds"]}
    assert minds["diary"]["messages"] == len(DIARY)
    assert minds["diary"]["notes"] >= 1
    shown = diary("status").stdout
    assert "running" in shown
    assert re.search(r"^diary +idle", shown, re.MULTILINE)


def test_only_notes_with_a_tag_are_asked_for(diary: Shell) -> None:
    assert diary.json("recall", "Mara", "-m", "diary")["items"]
    assert diary.json("recall", "Mara", "--tag", "没有的标签", "-m", "diary")["items"] == []


def test_options_may_stand_before_the_command(diary: Shell) -> None:
    before = json.loads(diary("--json", "--mind", "diary", "notes").stdout)
    after = diary.json("notes", "-m", "diary")
    assert [item["id"] for item in before["items"]] == [item["id"] for item in after["items"]]
    elsewhere = diary("--socket", "/nonexistent/s", "status", code=69).stderr
    assert "/nonexistent/s" in elsewhere


def test_doctor_sees_the_daemon(soulmem: Shell) -> None:
    report = json.loads(soulmem("doctor", "--json").stdout)
    verdicts = {finding["subject"]: finding["verdict"] for finding in report["findings"]}
    assert verdicts["daemon"] == verdicts["socket"] == "fine"


@pytest.fixture
def _hears_ctrl_c() -> Iterator[None]:
    """A test run in the background ignores the interrupt, and so would what it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_hears_ctrl_c")
def test_watch_shows_what_happens_and_ends_with_ctrl_c(soulmem: Shell) -> None:
    command = soulmem.command("watch", "--json", "--event", "message_recorded", "-m", "watched")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=soulmem.environment) as watching:
        try:
            assert watching.stdout
            deadline = time.monotonic() + PATIENCE_S
            os.set_blocking(watching.stdout.fileno(), False)
            line = b""
            while not line and time.monotonic() < deadline:
                soulmem("say", "are you watching?", "-m", "watched")
                soulmem("say", "not you", "-m", "unwatched")
                line = watching.stdout.readline()
            event = json.loads(line)
            assert event["event"] == "message_recorded"
            assert event["mind"] == "watched"
            watching.send_signal(signal.SIGINT)
            assert watching.wait(PATIENCE_S) == 130
        finally:
            watching.kill()
