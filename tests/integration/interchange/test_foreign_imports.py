"""`soulmem import` of other programs' files, against a real daemon: stored once, searched, and safe to kill."""

from __future__ import annotations

import json
import os
import pty
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import foreign_files
from checking import checking
from daemon_fixture import Daemon, daemon_process, start, wait_ready
from shell import Shell
from soulmem.mem0 import Memory


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("d")) as running:
        yield running


@pytest.fixture
def soulmem(daemon: Daemon, tmp_path: Path) -> Shell:
    return Shell(daemon.socket, tmp_path)


def imported(soulmem: Shell, *arguments: str, code: int = 0) -> dict[str, Any]:
    told = json.loads(soulmem("import", *arguments, "--json", code=code).stdout)
    assert isinstance(told, dict)
    return told


def everything(daemon: Daemon, mind: str) -> tuple[Any, ...]:
    """What a mind holds, to be compared."""
    check = checking(daemon)
    names = [each["name"] for each in check.pages("conversation.list", mind=mind)]
    talk = {name: [each["content"] for each in check.messages(mind, name)] for name in names}
    notes = [(each["id"], each["text"], each["version"], each["tags"]) for each in check.notes(mind)]
    links = [(each["id"], each["src"], each["dst"]) for each in check.links(mind)]
    return talk, notes, links, check.call("mind.get", mind=mind)["mind"]["persona"]


def test_a_folder_of_everything_is_stored_and_the_second_time_changes_nothing(
    daemon: Daemon, soulmem: Shell, tmp_path: Path
) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    foreign_files.write_all(folder)
    arguments = (str(folder), "-m", "all", "--zone", "UTC")
    rehearsed = imported(soulmem, *arguments, "--dry-run", code=64)
    first = imported(soulmem, *arguments, code=64)
    assert first["files"] == rehearsed["files"]
    assert first["stored"] + first["known"] == rehearsed["read"]
    assert [each["message"] for each in first["refused"]] == ["a line is neither an entity nor a relation"]
    assert (first["entities"], first["relations"], first["observations"]) == (2, 1, 2)
    before = everything(daemon, "all")
    again = imported(soulmem, *arguments, code=64)
    assert (again["stored"], again["notes"], again["notes_updated"], again["entities"]) == (0, 0, 0, 0)
    assert again["known"] == rehearsed["read"]
    assert again["notes_known"] == first["notes"] + first["notes_known"]
    assert everything(daemon, "all") == before
    check = checking(daemon)
    assert any("蜜蜂" in each["text"] for each in check.found("all", "谁养蜜蜂？"))
    assert any("boutique" in each["text"] for each in check.found("all", "which hotels does Alex prefer?"))


def test_an_entry_that_changed_in_the_file_changes_and_one_that_was_changed_here_stays(
    daemon: Daemon, soulmem: Shell, tmp_path: Path
) -> None:
    path = foreign_files.write_all(tmp_path)["lorebook"]
    imported(soulmem, str(path), "-m", "lore")
    check = checking(daemon)
    harbour, dragon = check.notes("lore")
    check.call("note.update", mind="lore", id=dragon["id"], text="龙醒了。")
    world = json.loads(json.dumps(foreign_files.WORLD))
    world["entries"]["0"]["content"] = "The harbour burnt down."
    path.write_text(json.dumps(world), "utf-8")
    told = imported(soulmem, str(path), "-m", "lore")
    assert (told["notes"], told["notes_updated"], told["notes_known"]) == (0, 1, 1)
    assert [(each["id"], each["text"]) for each in check.notes("lore")] == [
        (harbour["id"], "The harbour burnt down."), (dragon["id"], "龙醒了。"),
    ]  # fmt: skip


def test_a_persona_is_never_replaced_unasked(daemon: Daemon, soulmem: Shell, tmp_path: Path) -> None:
    path = foreign_files.write_all(tmp_path)["card 4"]
    check = checking(daemon)
    check.call("mind.create", mind="own", persona="我自己写的。")
    told = soulmem("import", str(path), "-m", "own").stdout
    assert "--replace-persona" in told
    assert check.call("mind.get", mind="own")["mind"]["persona"] == "我自己写的。"
    imported(soulmem, str(path), "-m", "own", "--replace-persona")
    mind = check.call("mind.get", mind="own")["mind"]
    assert "lighthouse" in mind["persona"]
    assert mind["title"] == "米拉"


def test_the_graph_comes_back_as_the_memory_server_gives_it(daemon: Daemon, soulmem: Shell, tmp_path: Path) -> None:
    path = foreign_files.write_all(tmp_path)["mcp-memory"]
    imported(soulmem, str(path), "-m", "graph", code=64)
    marks = [each["attributes"]["graph"] for each in checking(daemon).notes("graph")]
    assert sorted(marks) == ["entity", "entity", "observation", "observation", "relation"]
    assert len(checking(daemon).links("graph")) == 4, "each observation is tied to its entity, the relation to both"


def test_what_cannot_be_imported_is_one_line_and_needs_no_traceback(soulmem: Shell, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear diary, …")
    for arguments in (
        (str(tmp_path / "letter.txt"),), (str(tmp_path / "none"),), (str(tmp_path / "letter.txt"), "--format", "pdf"),
        ("-", "--format", "chatgpt"), (str(tmp_path / "letter.txt"), "--zone", "Mars/Olympus"),
        (str(tmp_path / "letter.txt"), "--at", "soon"), (str(tmp_path / "letter.txt"), "--map", "colour=x"),
        (str(tmp_path / "letter.txt"), "--format", "csv", "--map", "content=x"),
    ):  # fmt: skip
        done = soulmem("import", *arguments, code=64)
        assert (done.stdout, done.stderr.count("\n")) == ("", 1), arguments


def test_a_report_has_a_line_for_each_kind_of_what_was_left_out(soulmem: Shell, tmp_path: Path) -> None:
    path = foreign_files.write_all(tmp_path)["chatgpt"]
    done = soulmem("import", str(path), "-m", "told")
    left_out = [line for line in done.stdout.splitlines() if line.startswith("left out: ")]
    assert "left out: 2 × said to a tool (first: conversation 2)" in left_out
    assert len(left_out) == len(set(left_out)) == 6
    assert "6 messages stored" in done.stdout


def test_the_classes_of_mem0_find_what_it_remembered(daemon: Daemon, soulmem: Shell, tmp_path: Path) -> None:
    """Whose a memory is, its words, its metadata, its time: as they were."""
    files = foreign_files.write_all(tmp_path)
    for name in ("mem0", "mem0 3"):
        imported(soulmem, str(files[name]), "-m", "mem0-before")
    with Memory({"soulmem": {"mind": "mem0-before", "socket": str(daemon.socket)}}) as memory:
        found = memory.get_all(user_id="alex")["results"]
        assert [each["memory"] for each in found] == ["Alex prefers boutique hotels", "Likes 茶"]
        assert found[0]["metadata"] == {"category": "travel"}
        assert found[0]["created_at"].startswith("2024-05-01T15:00:00")
        assert [each["memory"] for each in memory.get_all(user_id="小苇")["results"]] == ["小苇对花生过敏"]
        assert memory.search("hotels", user_id="alex")["results"][0]["memory"] == "Alex prefers boutique hotels"


def test_what_was_deleted_here_is_not_heard_again(daemon: Daemon, soulmem: Shell, tmp_path: Path) -> None:
    check, files = checking(daemon), foreign_files.write_all(tmp_path)
    for name, conversation, number in (("chatgpt", "chatgpt c1", 0), ("sillytavern", "Mira - 2024", 1)):
        imported(soulmem, str(files[name]), "-m", "gone", "--zone", "UTC")
        said = check.messages("gone", conversation)[number]
        check.call("message.delete", mind="gone", conversation=conversation, id=said["id"])
        again = imported(soulmem, str(files[name]), "-m", "gone", "--zone", "UTC")
        assert (again["stored"], again["deleted"]) == (0, 1)
        assert said["content"] not in [each["content"] for each in check.messages("gone", conversation)]


def test_a_terminal_sees_how_far_it_is(daemon: Daemon, tmp_path: Path) -> None:
    """A bar on the terminal, and nothing of it in what is left there or in a pipe."""
    path, shell = foreign_files.write_all(tmp_path)["sillytavern"], Shell(daemon.socket, tmp_path)
    leader, follower = pty.openpty()
    try:
        subprocess.run(
            [sys.executable, "-m", "soulmem", "import", str(path), "-m", "bar"], env=shell.environment, stderr=follower,
            stdout=subprocess.DEVNULL, check=True, timeout=60,
        )  # fmt: skip
        shown = os.read(leader, 65_536).decode()
    finally:
        os.close(leader)
        os.close(follower)
    assert re.search(r"\[#+-*\] +\d+% Mira - 2024.jsonl: 4 stored, 0 known, 0 refused", shown)
    assert shown.endswith("\r\x1b[K")


@pytest.mark.thorough
def test_a_kill_in_the_middle_is_made_good_by_the_next_import(tmp_path: Path) -> None:
    """The daemon dies under an import of many conversations and notes; the same again stores what is missing."""
    folder = tmp_path / "files"
    folder.mkdir()
    chats = [foreign_files.chatgpt_conversation(f"c{number}", foreign_files.AT + number) for number in range(400)]
    for chat in chats:
        for each in chat["mapping"].values():
            if each["message"]:
                each["message"]["id"] += chat["conversation_id"]
    (folder / "a.json").write_text(json.dumps(chats), "utf-8")
    entries = {str(n): {"uid": n, "key": [f"k{n}"], "content": f"Entry 第{n}条。"} for n in range(300)}
    (folder / "b.json").write_text(json.dumps({"entries": entries}), "utf-8")
    (folder / "c.jsonl").write_text(foreign_files.lines(foreign_files.MCP[:3]), "utf-8")
    daemon = start(tmp_path)
    chance, kills = random.Random(3), 0
    try:
        for _ in range(3):
            wait_ready(daemon)
            soulmem = Shell(daemon.socket, tmp_path)
            run = subprocess.Popen(
                [sys.executable, "-m", "soulmem", "import", str(folder), "-m", "kill"],
                env=soulmem.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            )  # fmt: skip
            deadline = time.monotonic() + chance.uniform(0.6, 2.0)
            while run.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)
            kills += run.poll() is None
            daemon.kill()
            _, said = run.communicate(timeout=60)
            assert b"Traceback" not in said
            daemon = start(tmp_path)
        wait_ready(daemon)
        soulmem = Shell(daemon.socket, tmp_path)
        imported(soulmem, str(folder), "-m", "kill")
        again = imported(soulmem, str(folder), "-m", "kill")
        assert (again["stored"], again["notes"], again["entities"], again["relations"]) == (0, 0, 0, 0)
        check = checking(daemon)
        assert len(check.pages("conversation.list", mind="kill")) == 400
        texts = [each["text"] for each in check.notes("kill") if each["kind"] == "lore"]
        assert len(texts) == len(set(texts)) == 300
    finally:
        for client in daemon.clients:
            client.close()
        if daemon.process.poll() is None:
            daemon.terminate()
    assert kills
