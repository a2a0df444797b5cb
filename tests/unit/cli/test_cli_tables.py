"""What the command line prints aligns by display width, never breaks a line, and is not coloured in a pipe."""

import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.cli.demo.recall_set import read_talk
from soulmem.cli.main import _spelled_out, _wanted_command
from soulmem.cli.output import tables
from soulmem.cli.output.command_session import CommandError, ExitCode, wellformed

COLUMNS = (tables.Column("名字"), tables.Column("n", right=True), tables.Column("text", flexible=True))


@every_row(
    [("", 0), ("abc", 3), ("煤老板", 6), ("a煤b", 4), ("e\u0301", 1), ("👍", 2), ("｡", 1), ("。", 2)], unpack=True
)
def test_width_counts_cells(text: str, cells: int) -> None:
    assert tables.width(text) == cells


@given(st.text(), st.integers(min_value=1, max_value=30))
def test_clipped_text_fits(text: str, cells: int) -> None:
    assert tables.width(tables.clip(text, cells)) <= cells or cells == 0


@given(st.text())
def test_one_line_is_one_printable_line(text: str) -> None:
    folded = tables.one_line(text)
    assert folded.isprintable()
    assert len(folded.splitlines()) <= 1


def test_columns_align_across_scripts_and_nothing_is_cut_in_a_pipe() -> None:
    long = "很长的一句话 and some English " * 20
    lines = tables.table(COLUMNS, [("煤老板", "7", long.strip()), ("Marjorie", "11", "short")])
    starts = [tables.width(line[: line.index(word)]) for line, word in zip(lines, ("text", "很", "short"), strict=True)]
    assert len(set(starts)) == 1
    assert lines[1].endswith(long.strip())
    assert "\x1b" not in "".join(lines)


def test_control_characters_cannot_paint_or_break_a_table() -> None:
    lines = tables.table(COLUMNS, [("\x1b[31mred", "1", "two\nlines\tand\x07bell")])
    assert len(lines) == 2
    assert not any(character in lines[1] for character in "\x1b\x07\n\t")


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colour_is_for_terminals_that_want_it(
    environment: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert tables.coloured(Terminal()) is coloured
    assert tables.coloured(io.StringIO()) is False


@every_row(
    [(0, "0 s"), (59.9, "59 s"), (60, "1 min"), (3725, "1 h 2 min"), (90_061, "1 d 1 h"), (-5, "0 s")], unpack=True
)
def test_durations(seconds: float, text: str) -> None:
    assert tables.duration(seconds) == text


def test_times_of_the_protocol_are_read_and_others_are_a_dash() -> None:
    assert tables.moment_utc("2026-03-08T10:18:00Z") == "2026-03-08 10:18"
    assert tables.moment_utc("2026-03-08T10:18:00+08:00") == "2026-03-08 02:18"
    for nonsense in (None, 7, "", "soon"):
        assert tables.moment_utc(nonsense) == "-"


def test_text_that_was_not_utf8_is_refused() -> None:
    assert wellformed("你好 hello") == "你好 hello"
    with pytest.raises(CommandError) as caught:
        wellformed(b"\xff\xfe".decode("utf-8", "surrogateescape"))
    assert caught.value.code is ExitCode.REFUSED_INPUT


@every_row(
    [
        (["status"], "status"),
        (["--mind", "status", "say", "hi"], "say"),
        (["-m", "x", "--json", "recall", "notes"], "recall"),
        (["--help"], None),
        (["sttus"], None),
        ([], None),
        (["--socket"], None),
    ],
    unpack=True,
)
def test_the_command_that_is_meant_is_found(arguments: list[str], command: str | None) -> None:
    assert _wanted_command(arguments) == command


@pytest.mark.parametrize(
    ("arguments", "spelled"),
    [
        (["daemon", "--simulated-clock"], ["daemon", "--simulated-clock="]),
        (["daemon", "--simulated-clock", "--state", "x"], ["daemon", "--simulated-clock=", "--state", "x"]),
        (["daemon", "--simulated-clock", "2026-03-02"], ["daemon", "--simulated-clock", "2026-03-02"]),
    ],
)
def test_the_simulated_clock_may_be_given_without_a_time(arguments: list[str], spelled: list[str]) -> None:
    assert _spelled_out(arguments) == spelled


@pytest.mark.parametrize(
    "content",
    [
        "",
        "not json",
        "[]",
        "{}",
        '{"name": "x", "conversations": []}',
        '{"name": "x", "conversations": [{"id": "c"}]}',
        '{"name": "x", "conversations": [{"id": "c", "messages": []}]}',
        '{"name": "", "conversations": [{"id": "c", "messages": [{"id": 1, "role": "u", "content": "a", "at": "?"}]}]}',
    ],
)
def test_a_file_that_is_no_recall_set_is_refused_in_one_sentence(content: str, tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CommandError) as caught:
        read_talk(path, None)
    assert caught.value.code is ExitCode.REFUSED_INPUT
    assert str(path) in caught.value.message
    assert caught.value.hint


def test_a_recall_set_may_be_compressed_and_out_of_order(tmp_path: Path) -> None:
    messages = [
        {"id": i, "role": "user", "content": f"第{i}句", "at": f"2026-01-0{day}T10:00:00Z"}
        for i, day in ((1, 3), (2, 1), (3, 2))
    ]
    found = {"name": "小集", "conversations": [{"id": "c", "language": "zh", "messages": messages, "questions": []}]}
    path = tmp_path / "set.json.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        json.dump(found, file, ensure_ascii=False)
    talk = read_talk(path, 2)
    assert [line.id for line in talk.lines] == ["2", "3"]
    assert [line.conversation for line in talk.lines] == ["main", "main"]
    assert talk.left_out == 1


@pytest.mark.parametrize("path", [Path("/nonexistent/set.json"), Path("/")])
def test_a_file_that_cannot_be_read_is_refused(path: Path) -> None:
    with pytest.raises(CommandError, match="cannot read"):
        read_talk(path, None)
