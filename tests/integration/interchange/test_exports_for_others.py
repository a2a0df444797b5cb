"""What a mind remembers, written as other programs read it: a folder of Markdown, a lorebook, a graph."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import foreign_files
from checking import Checking, checking
from daemon_fixture import Daemon, daemon_process
from shell import Shell
from soulmem.interchange.exporting.markdown_vault import safe_name

HOSTILE = [
    "../../etc/passwd is where I hid it", "CON", "con.txt is a device", "...", "[[Home]] | #tag ^block %%comment%%",
    "\u202egnp.exe\u202c \u200b", "/absolute", "C:\\Users\\小苇",
    "a" * 300, "长" * 300, "---\ntitle: forged\n---\nbody",
    "line one\nline two: \"quoted\" 'and' `code`", "emoji 👩‍👩‍👧 family", ".hidden", "~/$HOME & `id`",
]  # fmt: skip


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("d")) as running:
        yield running


@pytest.fixture
def soulmem(daemon: Daemon, tmp_path: Path) -> Shell:
    return Shell(daemon.socket, tmp_path)


def front(path: Path) -> dict[str, Any]:
    """What stands before the words of a note."""
    _, head, _ = re.split(r"^---$", path.read_text("utf-8"), maxsplit=2, flags=re.MULTILINE)
    pairs = (line.partition(": ") for line in head.strip().splitlines())
    return {name: json.loads(value) for name, _, value in pairs}


def told(api: Checking, mind: str) -> dict[str, str]:
    """A mind with notes in both languages, tied to each other; their ids by a word."""
    api.call("mind.create", mind=mind, persona="米拉, keeper of a lighthouse.", title="Mira")
    ids = {
        "bees": api.note(mind, "My sister Ines keeps bees. 蜜蜂", tags=["ines", "bee keeping"]),
        "move": api.note(mind, "小苇去年搬到了成都，在那里教大提琴。", attributes={"own": {"x": [1, "二"]}}),
        "lore": api.note(mind, "The harbour freezes in winter.", kind="lore", pinned=True, tags=["harbour", "港口"]),
    }
    api.call("link.add", mind=mind, src=ids["bees"], dst=ids["move"], kind="semantic", verb="told with")
    return ids


def test_a_folder_of_markdown_tells_each_note_and_what_it_is_tied_to(
    daemon: Daemon, soulmem: Shell, tmp_path: Path
) -> None:
    api, folder = checking(daemon), tmp_path / "vault"
    ids = told(api, "mira")
    assert "4 files written" in soulmem("export", "--markdown", str(folder), "-m", "mira").stdout
    files = {path.name: path for path in folder.glob("*.md")}
    bees = files[f"My sister Ines keeps bees. 蜜蜂 ({ids['bees']}).md"]
    assert f"- told with: [[小苇去年搬到了成都，在那里教大提琴。 ({ids['move']})]] (0.50)" in bees.read_text("utf-8")
    assert front(bees)["tags"] == ["ines", "bee-keeping"]
    move = files[f"小苇去年搬到了成都，在那里教大提琴。 ({ids['move']}).md"]
    assert (front(move)["attributes"], front(move)["kind"]) == ({"own": {"x": [1, "二"]}}, "episodic")
    assert files["Persona.md"].read_text("utf-8") == "米拉, keeper of a lighthouse."
    for path in files.values():
        for link in re.findall(r"\[\[(.+?)\]\]", path.read_text("utf-8")):
            assert f"{link}.md" in files


def test_written_again_what_is_gone_goes_and_what_was_changed_by_hand_stays(
    daemon: Daemon, soulmem: Shell, tmp_path: Path
) -> None:
    api, folder = checking(daemon), tmp_path / "vault"
    ids = told(api, "again")
    soulmem("export", "--markdown", str(folder), "-m", "again")
    (own := folder / "my own.md").write_text("mine")
    changed = next(folder.glob(f"*({ids['lore']}).md"))
    changed.write_text("I wrote here. 我写的")
    api.call("note.purge", mind="again", id=ids["bees"])
    done = soulmem.json("export", "--markdown", str(folder), "-m", "again")
    assert (done["removed"], done["by_hand"], done["unchanged"], done["written"]) == (1, 1, 2, 0)
    assert (own.read_text(), changed.read_text()) == ("mine", "I wrote here. 我写的")
    assert not [path for path in folder.iterdir() if "bees" in path.read_text("utf-8")]


def test_titles_that_are_made_to_harm_are_names_of_files_and_nothing_else(
    daemon: Daemon, soulmem: Shell, tmp_path: Path
) -> None:
    api, folder = checking(daemon), tmp_path / "in" / "vault"
    for text in HOSTILE:
        api.note("hostile", text)
    outside = tmp_path / "outside.md"
    outside.write_text("not ours")
    folder.mkdir(parents=True)
    os.symlink(outside, folder / "Note (n2).md")  # where the note called CON goes
    soulmem("export", "--markdown", str(folder), "-m", "hostile")
    files = sorted(folder.glob("*.md"))
    assert len(files) == len(HOSTILE)
    assert outside.read_text() == "not ours"
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == sorted(
        [*[path.name for path in files], ".soulmem.json", "outside.md"]
    )
    for path in files:
        assert not set(path.name) & set('/\\:*?"<>|#^[]%`$')
        assert len(path.name.encode()) <= 160
        assert front(path)["id"] == path.stem.rpartition("(")[2][:-1]
        assert not path.is_symlink()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a/b\\c", "abc"), ("  . x . ", "x"), ("", "?"), ("NUL", "?"), ("lpt1.md", "?"), ("猫\u0000\u202e狗", "猫狗"),
        ("e\u0301", "é"), ("aux", "?"), ("console", "console"),
    ],
)  # fmt: skip
def test_names_of_files(text: str, name: str) -> None:
    assert safe_name(text, "?") == name


def test_a_lorebook_comes_back_as_it_came(daemon: Daemon, soulmem: Shell, tmp_path: Path) -> None:
    path = foreign_files.write_all(tmp_path)["lorebook"]
    soulmem("import", str(path), "-m", "book")
    assert "2 entries written" in soulmem("export", "--lorebook", str(tmp_path / "out.json"), "-m", "book").stdout
    written = json.loads((tmp_path / "out.json").read_text("utf-8"))["entries"]
    entry, was = written["0"], foreign_files.WORLD["entries"]["0"]
    same = ("key", "keysecondary", "comment", "order", "position", "selective", "selectiveLogic", "constant", "disable")
    assert {name: entry[name] for name in same} == {name: was[name] for name in same}
    assert (written["1"]["constant"], written["1"]["content"]) == (True, "龙已经睡了一百年。")
    soulmem("import", str(tmp_path / "out.json"), "-m", "book2")
    assert [each["text"] for each in checking(daemon).notes("book2")] == [
        each["text"] for each in checking(daemon).notes("book")
    ]


def test_notes_of_a_life_become_entries_that_their_names_call_up(
    daemon: Daemon, soulmem: Shell, tmp_path: Path
) -> None:
    api = checking(daemon)
    told(api, "life")
    soulmem("export", "--lorebook", str(tmp_path / "b.json"), "-m", "life")
    entries = json.loads((tmp_path / "b.json").read_text("utf-8"))["entries"].values()
    keys = {each["content"]: each["key"] for each in entries}
    assert "ines" in keys["My sister Ines keeps bees. 蜜蜂"]
    assert keys["The harbour freezes in winter."] == ["harbour", "港口"]
    assert all(each["key"] or each["vectorized"] or each["constant"] for each in entries)


def test_a_graph_comes_back_as_it_came(daemon: Daemon, soulmem: Shell, tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    rows = [foreign_files.MCP[0], {"type": "entity", "name": "小苇", "entityType": "人", "observations": []},
            foreign_files.MCP[1]]  # fmt: skip
    path.write_text(foreign_files.lines(rows), "utf-8")
    soulmem("import", str(path), "-m", "graph")
    soulmem("export", "--memory-json", str(tmp_path / "out.json"), "-m", "graph")
    written = [json.loads(line) for line in (tmp_path / "out.json").read_text("utf-8").splitlines()]
    assert written == rows
    checking(daemon).note("graph", "小苇 plays the cello.")
    soulmem("export", "--memory-json", str(tmp_path / "out.json"), "-m", "graph")
    assert "小苇 plays the cello." in (tmp_path / "out.json").read_text("utf-8")


def test_an_export_that_cannot_be_is_one_line_and_leaves_nothing(soulmem: Shell, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for arguments, code in (
        ((), 2), (("a", "--lorebook", "b"), 2), (("--markdown", str(tmp_path / "file"), "-m", "mira"), 74),
        (("--lorebook", str(tmp_path / "no" / "x"), "-m", "mira"), 74),
        (("--memory-json", str(tmp_path / "y"), "-m", "nobody"), 1),
        (("--markdown", str(tmp_path / "z"), "-m", "nobody"), 1),
    ):  # fmt: skip
        done = soulmem("export", *arguments, code=code)
        assert (done.stdout, done.stderr.count("\n")) == ("", 1), arguments
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]
