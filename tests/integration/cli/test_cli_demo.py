"""`soulmem demo` as people run it: to its end, ended early, and with a file that is none."""

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from shell import PATIENCE_S, Shell


@pytest.fixture
def _hears_ctrl_c() -> Iterator[None]:
    """A test run in the background ignores the interrupt, and so would what it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def alone(tmp_path: Path) -> Shell:
    """A shell in which no daemon runs."""
    return Shell(tmp_path / "none.sock", tmp_path)


def small_set(path: Path, language: str) -> Path:
    lines = {
        "en": ("My dog is called Biscuit.", "Noted: Biscuit.", "I work at the harbour.", "At the harbour, then."),
        "zh": ("我的狗叫年糕。", "记下了，年糕。", "我在图书馆修古书。", "修古书，好。"),
    }[language]
    messages = [
        {
            "id": f"m{day}{i}",
            "conversation": "main",
            "role": ("user", "assistant")[i % 2],
            "speaker": ("Ann", "Bob")[i % 2],
            "content": text,
            "at": f"2026-03-0{day}T10:0{i}:00Z",
        }
        for day in (2, 3)
        for i, text in enumerate(lines)
    ]
    question = {"id": "q", "text": lines[0], "gold": ["m20"], "category": "fact", "answer": "-"}
    conversation = {"id": "c", "language": language, "messages": messages, "questions": [question]}
    found = {"name": f"small {language}", "source": "", "licence": "", "conversations": [conversation]}
    path.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
    return path


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_demo_runs_to_its_end_and_cleans_up(alone: Shell, tmp_path: Path, language: str) -> None:
    temporary = tmp_path / "t"
    temporary.mkdir()
    data = small_set(tmp_path / "set.json", language)
    shown = alone("demo", "--data", str(data), TMPDIR=str(temporary)).stdout
    for stage in ("daemon", "window", "quiet", "digested", "notes", "question", "in short"):
        assert stage in shown
    assert "1 of 1 questions found their evidence" in " ".join(shown.split())
    assert list(temporary.iterdir()) == []


@pytest.mark.usefixtures("_hears_ctrl_c")
def test_the_demo_ended_early_leaves_nothing_behind(alone: Shell, tmp_path: Path) -> None:
    temporary = tmp_path / "t"
    temporary.mkdir()
    data = small_set(tmp_path / "set.json", "en")
    with subprocess.Popen(
        alone.command("demo", "--data", str(data)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**alone.environment, "TMPDIR": str(temporary)},
    ) as running:
        deadline = time.monotonic() + PATIENCE_S
        while not list(temporary.glob("*/daemon.log")) and time.monotonic() < deadline:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        assert running.wait(PATIENCE_S) == 130
    assert list(temporary.iterdir()) == []


def test_the_demo_refuses_what_is_no_recall_set(alone: Shell, tmp_path: Path) -> None:
    data = tmp_path / "x.json"
    data.write_text("[]")
    assert "recall set" in alone("demo", "--data", str(data), code=64).stderr
