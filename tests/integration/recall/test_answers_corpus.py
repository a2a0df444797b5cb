"""What is asked and known is told, what is not known is not: a small mind in each language, at the floor it is set to.

The statements and questions are invented (`corpora/answers.tsv`): of each language one mind, questions with the
statement that answers them, and questions that nothing answers, many of them about somebody or something that is
there.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import Checking
from daemon_fixture import daemon_process
from household import START, Home
from real_model import installed_minilm

_CORPUS = Path(__file__).parents[2] / "corpora" / "answers.tsv"
FIRST = 3  # places in which an answer has to stand
ANSWERED, SILENT = 0.9, 0.8  # shares of the questions


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A daemon that reads as it does for whoever installs it: words in other words are told by the model."""
    installed_minilm()
    model = {"SOULMEM_EMBEDDER_NAME": "minilm-int8"}
    with daemon_process(tmp_path_factory.mktemp("answ"), "--simulated-clock", START, env=model) as daemon:
        yield Home(daemon)


def rows(language: str, kind: str) -> list[tuple[str, str]]:
    with _CORPUS.open(encoding="utf-8", newline="") as lines:
        return [
            (key, text)
            for lang, what, key, text in csv.reader(lines, delimiter="\t")
            if (lang, what) == (language, kind)
        ]


def found(api: Checking, mind: str, question: str) -> list[str]:
    items = api.call("recall", mind=mind, query=question, record=False)["items"]
    return [item["id"] for item in items]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_known_is_told_and_what_is_not_known_is_not(house: Home, language: str) -> None:
    mind = house.mind()
    notes = {key: house.api.note(mind, text) for key, text in rows(language, "told")}
    house.api.settle(mind)
    asked, unknown = rows(language, "ask"), rows(language, "none")
    assert len(asked) >= 30
    assert len(unknown) >= 30
    missed = [question for key, question in asked if notes[key] not in found(house.api, mind, question)[:FIRST]]
    told = [question for _, question in unknown if found(house.api, mind, question)]
    assert len(missed) <= (1 - ANSWERED) * len(asked), missed
    assert len(told) <= (1 - SILENT) * len(unknown), told
