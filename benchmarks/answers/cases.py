"""The cases of the answers benchmark: each question with the prompt that is put for it, of the product and of turns.

Each conversation object of a recall set goes into a mind of its own; its questions are asked in a conversation that is
new, so that nothing but what comes to mind is in the context. Beside it stands the baseline: the turns that BM25 and
vectors find together, told up to the same number of tokens. Cases are kept as lines of JSON.
"""

from __future__ import annotations

import json
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.answers.answer_scores import ADVERSARIAL
from benchmarks.answers.reading import answer_prompt
from benchmarks.recall.recall import mind_name, put_in
from benchmarks.recall.recall_scores import Baselines
from soulmem.client import Client
from soulmem.core.text.tokens import estimate_tokens
from soulmem.ports import Embedder

PRODUCT, TURNS = "soulmem", "turns"
_NEW_CONVERSATION = "asked"


@dataclass(frozen=True, slots=True)
class Case:
    """One question, the right answer, and the prompt of one side."""

    id: str
    side: str  # PRODUCT or TURNS
    category: str
    language: str
    question: str
    right: str
    prompt: str
    context_tokens: int
    context_ms: float | None  # None for turns


def sampled(questions: Sequence[dict[str, Any]], count: int | None, seed: str) -> list[dict[str, Any]]:
    """At most so many of the questions that can be scored, as many of each category as can be, the same every time."""
    able = [each for each in questions if _right(each) or str(each["category"]) == ADVERSARIAL]
    if count is None or count >= len(able):
        return able
    by_category: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for question in random.Random(seed).sample(able, len(able)):
        by_category[str(question["category"])].append(question)
    chosen: list[dict[str, Any]] = []
    while len(chosen) < count:
        for name in sorted(by_category):
            if by_category[name] and len(chosen) < count:
                chosen.append(by_category[name].pop())
    return chosen


def of_product(client: Client, talk: dict[str, Any], chosen: Sequence[dict[str, Any]], tokens: int) -> list[Case]:
    """Put a conversation object into a mind of its own, and take the context of each question."""
    mind = mind_name(talk["id"])
    put_in(client, mind, "assistant", talk)
    cases = []
    for question in chosen:
        wanted = {"mind": mind, "conversation": _NEW_CONVERSATION, "query": question["text"], "max_tokens": tokens}
        started = time.perf_counter()
        context = client.call("context.get", wanted)["text"]
        taken = (time.perf_counter() - started) * 1000
        cases.append(_case(talk, question, PRODUCT, context, taken))
    return cases


def of_turns(talk: dict[str, Any], chosen: Sequence[dict[str, Any]], tokens: int, embedder: Embedder) -> list[Case]:
    """The same questions with the turns that a plain search finds, in the order of their times."""
    search = Baselines(talk["messages"], embedder)
    told = {message["id"]: message for message in talk["messages"]}
    cases = []
    for question in chosen:
        lines: list[tuple[str, str]] = []
        left = tokens
        for each in search.rank(question["text"])["rrf"]:
            message = told[each]
            line = f"[{message['at'][:16].replace('T', ' ')}] {message['speaker']}: {message['content']}"
            left -= estimate_tokens(line)
            if left < 0:
                break
            lines.append((message["at"], line))
        cases.append(_case(talk, question, TURNS, "\n".join(line for _, line in sorted(lines)), None))
    return cases


def _right(question: dict[str, Any]) -> str:
    return str(question.get("answer") or "").strip()


def _case(talk: dict[str, Any], question: dict[str, Any], side: str, context: str, taken: float | None) -> Case:
    language = str(talk.get("language") or "en")
    return Case(
        id=f"{talk['id']}:{question['id']}:{side}",
        side=side,
        category=str(question["category"]),
        language=language,
        question=question["text"],
        right=_right(question),
        prompt=answer_prompt(context, question["text"], language),
        context_tokens=estimate_tokens(context),
        context_ms=None if taken is None else round(taken, 2),
    )


def write_lines(file: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write one line of JSON for each row, whole or not at all."""
    partial = file.with_suffix(".partial")
    partial.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    partial.replace(file)


def read_lines(file: Path) -> list[dict[str, Any]]:
    """The rows of a file of JSON lines; none if it is not there. Raises ValueError: a line is not a JSON object."""
    if not file.exists():
        return []
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    if not all(isinstance(row, dict) and "id" in row for row in rows):
        raise ValueError(f"{file}: each line is an object with an id")
    return rows


def kept(folder: Path) -> list[Case]:
    """The cases that a folder holds."""
    return [Case(**row) for row in read_lines(folder / "cases.jsonl")]


def keep(folder: Path, cases: Sequence[Case]) -> None:
    """Keep cases in a folder, and apart from them the prompts alone, for whoever answers must not see what is right."""
    folder.mkdir(parents=True, exist_ok=True)
    write_lines(folder / "cases.jsonl", map(asdict, cases))
    write_lines(folder / "prompts.jsonl", ({"id": case.id, "prompt": case.prompt} for case in cases))
