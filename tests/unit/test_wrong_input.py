"""Wrong input is answered with one line that names it and says what is taken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.forgetting import forget
from every_row import every_row
from soulmem.cli.demo.recall_set import read_talk
from soulmem.cli.output.command_session import CommandError, ExitCode, explain
from soulmem.client import SoulmemRemoteError
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ops.settings.config_loader import mind_settings
from soulmem.rpc.methods.wire_shapes import Identifier, Params, read_params
from soulmem.store.sqlite.row_hash import private_id

ROOT = Path(__file__).parents[2]


class _Named(Params):
    id: Identifier


@every_row(["n01", "n00", "n１", "n-1", "n1 ", "N1", "m1", "n", "n1" + "0" * 30])
def test_a_note_has_one_name(text: str) -> None:
    with pytest.raises(SoulmemError, match="there is no note"):
        private_id("n", text)
    assert private_id("n", "n10") == 10


def test_a_text_that_is_too_long_is_measured_in_characters() -> None:
    with pytest.raises(SoulmemError) as failure:
        read_params(_Named, {"id": "苇" * 257})
    assert failure.value.message == "id: has 257 characters, at most 256 are taken"


@every_row(["x" * 100_000, "a\nb", "\x07", "", "forgetting.a\nb"])
def test_an_unknown_setting_is_named_in_one_short_line(name: str) -> None:
    with pytest.raises(SoulmemError) as failure:
        mind_settings({}, {name: 1})
    assert failure.value.name is ErrorName.INVALID_PARAMS
    assert failure.value.message.isprintable()
    assert len(failure.value.message) < 200


def test_a_setting_of_two_lines_is_shown_in_one() -> None:
    with pytest.raises(SoulmemError) as failure:
        mind_settings({}, {"forgetting.curve": "苇\n\x07"})
    assert failure.value.message.isprintable()
    assert "苇" in failure.value.message


def test_a_recall_set_that_is_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000)
    with pytest.raises(CommandError, match="is not JSON") as failure:
        read_talk(deep, None)
    assert failure.value.code is ExitCode.REFUSED_INPUT


def test_a_recall_that_is_not_there_is_not_looked_for_among_the_notes(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(SoulmemRemoteError("not_found", "there is no recall 'r9' in this mind"), as_json=False) == 1
    assert "say --json" in capsys.readouterr().err


@pytest.mark.thorough
def test_a_benchmark_of_a_set_that_is_not_there_ends_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "set.json"
    told = [sys.executable, "-m", "benchmarks.forgetting.forget", str(file)]
    done = subprocess.run(told, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert str(file) in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("text", ["", "not json", "[]", "{}", '{"passages": [1]}'])
def test_a_benchmark_refuses_a_wrong_set_before_it_measures_anything(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As above, without a process that reads all modules for each."""
    file = tmp_path / "set.json"
    file.write_text(text)
    monkeypatch.setattr(sys, "argv", ["forget", str(file)])
    with pytest.raises(SystemExit) as ended:
        forget.main()
    said = capsys.readouterr()
    assert (ended.value.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert str(file) in said.err
