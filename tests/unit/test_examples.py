"""The example conversations are valid recall sets, worth a demo, and written in both languages."""

import itertools
import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from soulmem.cli.demo.recall_set import QUIET, read_talk

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = sorted(EXAMPLES.glob("*.json"))
CAPACITY = 20  # of the window; a sitting must exceed it for a marked message to slide out
CJK = re.compile(r"[\u4e00-\u9fff]")


def load(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(params=FILES, ids=lambda path: path.name)
def conversation(request: pytest.FixtureRequest) -> dict[str, Any]:
    found = load(request.param)
    assert found.keys() == {"name", "source", "licence", "conversations"}
    assert len(found["conversations"]) == 1
    return found["conversations"][0]


def test_there_is_one_example_in_each_language() -> None:
    assert [load(path)["conversations"][0]["language"] for path in FILES] == ["zh", "en"]


def test_messages_have_the_form_of_a_recall_set(conversation: dict[str, Any]) -> None:
    assert conversation.keys() == {"id", "language", "messages", "questions"}
    for message in conversation["messages"]:
        assert message.keys() == {"id", "conversation", "role", "speaker", "content", "at"}
        assert message["role"] in {"user", "assistant"}
        assert message["content"].strip() == message["content"] != ""


def test_ids_are_unique(conversation: dict[str, Any]) -> None:
    for kind in ("messages", "questions"):
        ids = [item["id"] for item in conversation[kind]]
        assert len(ids) == len(set(ids))


def test_about_eighty_messages_over_five_to_seven_days_of_2026(conversation: dict[str, Any]) -> None:
    times = [datetime.fromisoformat(message["at"]) for message in conversation["messages"]]
    assert 75 <= len(times) <= 90
    assert all(before < after for before, after in itertools.pairwise(times))
    assert {time.year for time in times} == {2026}
    assert 5 <= (times[-1].date() - times[0].date()).days + 1 <= 7


def test_each_speaker_has_one_role_and_both_speak(conversation: dict[str, Any]) -> None:
    roles = {(message["speaker"], message["role"]) for message in conversation["messages"]}
    assert len(roles) == 2
    assert {role for _, role in roles} == {"user", "assistant"}


def test_text_is_in_the_language_it_claims(conversation: dict[str, Any]) -> None:
    text = "".join(message["content"] for message in conversation["messages"])
    share = len(CJK.findall(text)) / len(text)
    assert share > 0.6 if conversation["language"] == "zh" else share == 0


def test_questions_have_evidence_that_exists(conversation: dict[str, Any]) -> None:
    known = {message["id"]: message for message in conversation["messages"]}
    assert len(conversation["questions"]) >= 12
    for question in conversation["questions"]:
        assert question.keys() == {"id", "text", "gold", "category", "answer"}
        assert question["gold"]
        assert set(question["gold"]) <= known.keys()
        assert question["text"]
        assert question["answer"]
    assert {question["category"] for question in conversation["questions"]} == {"fact", "changed", "joke", "time"}


def test_the_joke_comes_back_on_several_days(conversation: dict[str, Any]) -> None:
    joke = re.compile(r"\bpears?\b|韭菜盒子|韭饼", re.IGNORECASE)
    days = {message["id"].split("-")[0] for message in conversation["messages"] if joke.search(message["content"])}
    assert len(days) >= 5


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_demo_reads_them_whole_and_windows_overflow(path: Path) -> None:
    talk = read_talk(path, None)
    sittings = list(talk.sittings())
    assert (
        sum(len(sitting) for sitting in sittings) == len(talk.lines) == len(load(path)["conversations"][0]["messages"])
    )
    assert len(talk.questions) == len(load(path)["conversations"][0]["questions"])
    assert sum(len(sitting) > CAPACITY for sitting in sittings) >= 2
    assert any(len(sitting) <= 6 for sitting in sittings)
    for sitting in sittings:
        assert all(b.at - a.at <= QUIET for a, b in itertools.pairwise(sitting))
    for before, after in itertools.pairwise(sittings):
        assert after[0].at - before[-1].at > timedelta(hours=6)


def test_a_limit_drops_the_questions_whose_evidence_it_cuts_off() -> None:
    talk = read_talk(FILES[0], 24)
    assert len(talk.lines) == 24
    known = {line.id for line in talk.lines}
    assert talk.questions
    assert all(question.gold <= known for question in talk.questions)
    assert talk.left_out == len(load(FILES[0])["conversations"][0]["messages"]) - 24
