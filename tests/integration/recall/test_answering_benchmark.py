"""`bench-answers` end to end: a real daemon, a real endpoint that answers and judges, a folder that keeps it all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from chat_upstream import ChatUpstream, chat_upstream

ROOT = Path(__file__).resolve().parents[3]
TOLD = [
    ("m1", "Ann", "I adopted a greyhound called Bolt on Saturday.", "2026-03-02T10:00:00Z"),
    ("m2", "Pell", "A greyhound, how lovely.", "2026-03-02T10:01:00Z"),
    ("m3", "Ann", "我妹妹在苏州教书。", "2026-03-03T10:00:00Z"),
]
ASKED = [
    ("q1", "4", "What is Ann's greyhound called?", "Bolt", ["m1"]),
    ("q2", "4", "Ann的妹妹在哪里教书？", "苏州", ["m3"]),
    ("q3", "5", "What is Ann's parrot called?", None, []),
]


@pytest.fixture
def recall_set(tmp_path: Path) -> Path:
    messages = [
        {
            "id": each, "conversation": "main", "role": "user" if speaker == "Ann" else "assistant",
            "speaker": speaker, "content": text, "at": at,
        }
        for each, speaker, text, at in TOLD
    ]  # fmt: skip
    questions = [
        {"id": each, "category": category, "text": text, "answer": answer, "gold": gold}
        for each, category, text, answer, gold in ASKED
    ]
    file = tmp_path / "set.json"
    talk = {"id": "talk", "language": "en", "messages": messages, "questions": questions}
    file.write_text(json.dumps({"name": "tiny", "conversations": [talk]}, ensure_ascii=False))
    return file


def _run(recall_set: Path, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.answers.answers", str(recall_set), "--folder", str(folder), *more]
    environment = os.environ | {
        "SOULMEM_EMBEDDER_NAME": "hashing",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "daemon"), *sys.path]),
    }
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def _says(body: Any) -> str:
    asked = body["messages"][0]["content"]
    if "Right answer" in asked:
        right, said = (asked.split(f"{name}: ")[1].splitlines()[0] for name in ("Right answer", "His answer"))
        return "CORRECT" if said.strip() == right else "WRONG"
    return "Bolt" if "greyhound called?" in asked else "苏州" if "妹妹在哪" in asked else "Not mentioned"


def test_what_a_model_answers_from_contexts_alone_is_scored_and_kept(recall_set: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    upstream: ChatUpstream
    with chat_upstream() as upstream:
        upstream.answer = _says
        first = _run(recall_set, folder, "--url", upstream.url, "--model", "tiny")
        asked = len(upstream.requests)
        again = _run(recall_set, folder, "--url", upstream.url, "--model", "tiny")

        assert first.returncode == 0, first.stderr
        assert asked == 3 * 2 + 2 * 2  # each question on both sides; what was never said needs no judge
        assert len(upstream.requests) == asked  # what was answered once is not asked again
    scores = json.loads(first.stdout.splitlines()[-1])
    assert scores == json.loads(again.stdout.splitlines()[-1])
    assert scores["soulmem"]["questions"] == scores["turns"]["questions"] == 3
    assert scores["soulmem"]["f1"] == scores["soulmem"]["right"] == 1.0
    assert scores["soulmem"]["context_tokens"] > 0
    assert scores["soulmem"]["p50_ms"] > 0
    prompts = {row["id"]: row for row in map(json.loads, (folder / "prompts.jsonl").read_text().splitlines())}
    assert "Bolt" in prompts["talk:q1:soulmem"]["prompt"]
    assert all(set(row) == {"id", "prompt"} for row in prompts.values())  # whoever answers sees no right answer


def test_without_a_model_prompts_are_written_and_answers_are_read(recall_set: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"

    written = _run(recall_set, folder)
    assert written.returncode == 0, written.stderr
    assert "prompts.jsonl" in written.stderr

    (folder / "answers.jsonl").write_text('{"id": "talk:q1:soulmem", "answer": "Bolt"}\n')
    scored = json.loads(_run(recall_set, folder).stdout.splitlines()[-1])
    assert (scored["answered"], scored["soulmem"]["questions"], scored["soulmem"]["f1"]) == (1, 1, 1.0)
    assert scored["soulmem"]["right"] is None
    assert "Right answer: Bolt" in (folder / "verdict_prompts.jsonl").read_text()

    (folder / "answers.jsonl").write_text("not json\n")
    refused = _run(recall_set, folder)
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)


def test_an_endpoint_that_refuses_is_told_in_one_line(recall_set: Path, tmp_path: Path) -> None:
    with chat_upstream() as upstream:
        upstream.status, upstream.error = 401, {"error": {"message": "no such key"}}
        refused = _run(recall_set, tmp_path / "kept", "--url", upstream.url, "--model", "tiny")

    assert refused.returncode == 1
    assert "does not answer" in refused.stderr.splitlines()[-1]
    assert "Traceback" not in refused.stderr


def test_an_endpoint_without_a_model_is_refused(recall_set: Path, tmp_path: Path) -> None:
    refused = _run(recall_set, tmp_path / "kept", "--url", "http://127.0.0.1:9/v1")

    assert refused.returncode == 2
    assert "--url and --model belong together" in refused.stderr
    assert not (tmp_path / "kept").exists()
