"""A judge that knows the answers: what a perfect model would say to `judge`, made from labelled questions.

Shared by tests and benchmarks, as the `answer` of a `scripted_endpoint`. It reads nothing but the prompt: which
question is asked, and which notes are shown. A note is useful if its text is gold for one of the questions; it is
enough when all their gold is useful. It never says what is missing: that would give the answer away. Other tasks are
answered plainly: a question means itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from scripted_answers import default_answer, task_of
from soulmem.core.schema.engine_tasks import Labelled, Task
from soulmem.llm.contracts.judge import QUESTION_TOKENS
from soulmem.llm.contracts.parts import prompt_wording

_BLOCK = re.compile(r"^<<<\n(.*?)\n>>>$", re.DOTALL | re.MULTILINE)
_NOTE = re.compile(r"\[(\w+)\] (?:\((?:\w{3} \d{4}|told by)[^)]*\) |（(?:\d{4}-|[^（）]*说的)[^）]*）)?(.*)")


class GoldJudge:
    """Answers from `gold`: by question the texts of the notes that together answer it."""

    def __init__(self, gold: Mapping[str, Collection[str]]) -> None:
        # As the prompt shows them: on one line, and shortened where they are long.
        self._gold = {prompt_wording.told(question, QUESTION_TOKENS): _shown(texts) for question, texts in gold.items()}

    def __call__(self, body: Mapping[str, Any]) -> Any:
        """The answer to one request; raises KeyError for a question that is not labelled."""
        task = task_of(body)
        if task not in (Task.JUDGE, Task.ANALYSE_QUERY):
            return default_answer(body)
        asked = next(message["content"] for message in body["messages"] if message["role"] == "user")
        blocks = [block.split("\n") for block in _BLOCK.findall(asked)]
        return _plainly(blocks[-1][0]) if task is Task.ANALYSE_QUERY else self._judge(*blocks[:2])

    def _judge(self, questions: list[str], notes: list[str]) -> Any:
        gold = set().union(*(self._gold[question.split(". ", 1)[1]] for question in questions))
        found = {match[1]: match[2] for line in notes if (match := _NOTE.fullmatch(line)) and match[2] in gold}
        return {
            "sufficient": gold == set(found.values()), "confidence": 1.0, "missing": [],
            "useful_nodes": list(found), "useful_links": [], "useful_dummies": [],
        }  # fmt: skip


def _plainly(question: str) -> Any:
    return {
        "subquestions": [{"text": question, "time_from": None, "time_to": None}], "depth": "deep",
        "leaning": {"specific": 0.25, "abstract": 0.25, "semantic": 0.25, "procedural": 0.25},
        "mood": {"valence": 0.0, "arousal": 0.0, "impatience": 0.0},
    }  # fmt: skip


def _shown(texts: Collection[str]) -> frozenset[str]:
    lines = (prompt_wording.notes_of([Labelled("n", text)], "en") for text in texts)
    return frozenset(line.removeprefix("[n] ") for line in lines)
