"""Questions about a time, asked of a real daemon while two lives are told to it: what happened then comes first.

The lives are `tests/corpora/times-*.life`, in the form that `benchmarks/content/content_data.py` reads; "?t -" is a
question about a time of which nothing was told, and is answered by nothing. Every one of them has to be right.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.content.content_data import Line, Question, read_life
from benchmarks.content.content_keys import holds
from benchmarks.content.content_telling import told
from daemon_fixture import daemon_process

LIVES = sorted((Path(__file__).parents[2] / "corpora").glob("times-*.life"))


def test_there_are_sixty_questions_in_both_languages() -> None:
    lives = [read_life(path) for path in LIVES]
    assert {life.language for life in lives} == {"en", "zh"}
    assert sum(len(life.steps(Question)) for life in lives) >= 60


@pytest.mark.parametrize("path", LIVES, ids=lambda path: path.stem)
def test_what_happened_then_comes_first_and_nothing_where_nothing_did(path: Path, tmp_path: Path) -> None:
    life = read_life(path)
    missed = []
    with told(life, tmp_path, {}) as telling:
        for session in life.sessions:
            telling.wait_until(session.at)
            telling.settle()
            for step in session.steps:
                match step:
                    case Line():
                        telling.say(step, session.conversation)
                    case Question():
                        telling.settle()
                        texts = [str(item["text"]) for item in telling.recall(step.text)["items"]]
                        wanted = [life.statements[name].must for name in step.of]
                        right = any(holds(each, text) for each in wanted for text in texts[:1]) if wanted else not texts
                        if not right:
                            missed.append(f"{session.at.date()} {step.text} -> {texts[:2]}")
        assert telling.refused == {}
    assert missed == []


@pytest.mark.parametrize(
    ("asked", "answered", "speaker"),
    [
        ("When does your passport run out?", "On the 30th of October.", "Ada"),
        ("护照几号到期？", "十月三十号。", "林夏"),
    ],
)
def test_who_only_asked_is_not_who_told_it(asked: str, answered: str, speaker: str, tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", "2026-09-16T10:00:00Z") as daemon:
        said = {"mind": "m", "conversation": "main"}
        daemon.call("message.add", {**said, "role": "assistant", "speaker": "Pip", "content": asked})
        daemon.call("message.add", {**said, "role": "user", "speaker": speaker, "content": answered})
        daemon.call("clock.advance", {"seconds": 3_600})
        daemon.settle("m")
        (note,) = daemon.call("note.list", {"mind": "m", "limit": 10})["items"]
        items = daemon.call("recall", {"mind": "m", "query": asked, "speaker": speaker, "record": False})["items"]
    assert "2026" in note["text"]
    assert [item["speaker"] for item in items if item["id"] == note["id"]] == [speaker]
