"""The memory stream's classes over a real daemon: what is written for them runs when its import is changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest

from daemon_fixture import Daemon, daemon_process
from soulmem.generative_agents import (
    Memory,
    MemoryStream,
    PromptedEngine,
    Reflection,
    condense_insights,
    connect,
    generate_insight,
    generate_reflection,
    parse_insights,
)

pandas = pytest.importorskip("pandas")

LIVES = {
    "en": [
        "Maria moved to Porto in March.", "Maria quarrelled with her landlord about the damp wall.",
        "Maria works at the harbour office.", "Klaus bought a cello.", "Maria went climbing with Tom.",
        "Maria lost her job at the harbour office.", "Maria found a new job at the aquarium.",
        "Klaus practises the cello at night.", "Maria climbed with Tom at the quarry.", "Tom fell ill.",
        "Maria visited Tom in the hospital.", "Klaus sold the cello.", "Maria moved to Braga.",
        "Tom married Ines.", "Maria climbed with Tom again.", "Brushed teeth.",
    ],
    "zh": [
        "小满三月搬到了成都。", "小满跟房东因为墙面发霉吵了一架。", "小满在港务局上班。", "老周买了一把大提琴。",
        "小满跟阿城去攀岩了。", "小满被港务局辞退了。", "小满在水族馆找到了新工作。", "老周半夜练琴。",
        "小满跟阿城去采石场攀岩了。", "阿城病倒了。", "小满去医院看阿城。", "老周把琴卖了。", "小满搬到了重庆。",
        "阿城和伊宁结婚了。", "小满又跟阿城去攀岩了。", "刷牙。",
    ],
}  # fmt: skip
CLIMBING = {"en": "climb", "zh": "攀岩"}
ASKED = {"en": "Where does Maria work?", "zh": "小满在哪里上班？"}
ANSWER = {"en": "harbour", "zh": "港务局"}


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("stream")) as daemon:
        yield daemon


@pytest.fixture(autouse=True)
def session(daemon: Daemon, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Each test has a mind of its own, and no model."""
    monkeypatch.setenv("SOULMEM_EMBEDDER_NAME", "hashing")
    name = "".join(each for each in request.node.name.lower() if each.isascii() and each.isalnum())
    found = connect(name[:60], str(daemon.socket))
    yield found
    found.close()
    connect()


def filled(texts: list[str], window: int = 5, days: bool = False) -> MemoryStream:
    """A stream of these; with `days` each was made on another day, the last today."""
    memory_stream = MemoryStream(
        memories=[],
        alpha_recency=1,
        alpha_importance=1,
        alpha_relevance=1,
        decay_factor=0.99,
        context_window_size=window,
    )
    for place, text in enumerate(texts, 1):
        memory = Memory(
            description=text,
            creation_timestamp=datetime.now() - timedelta(days=len(texts) - place if days else 0),
            most_recent_access_timestamp=datetime.now(),
            memory_type="observation",
        )
        memory_stream.add_memory(memory)
    return memory_stream


def query(text: str) -> Memory:
    return Memory(text, datetime.now(), datetime.now(), "observation")


def test_a_memory_is_made_by_its_words_and_times() -> None:
    memory = Memory("test description", datetime.now(), datetime.now(), "observation")
    assert memory.description == "test description"
    assert memory.memory_type == "observation"
    assert 0 <= memory.importance <= 1
    assert memory.embedding_vector.ndim == 1
    assert np.isclose(np.linalg.norm(memory.embedding_vector), 1.0)
    assert memory.generate_importance_score("My mother died. 妈妈去世了。") > memory.generate_importance_score(
        "I had tea."
    )
    with pytest.raises(ValueError, match="dream"):
        Memory("x", datetime.now(), datetime.now(), "dream")


def test_a_reflection_points_to_what_it_rests_on() -> None:
    reflection = Reflection("test insight", datetime.now(), datetime.now(), [1, 2, 3])
    assert reflection.memory_type == "reflection"
    assert reflection.pointers == [1, 2, 3]


@pytest.mark.parametrize("language", LIVES)
def test_what_belongs_to_a_query_comes_back_best_first(session: Any, daemon: Daemon, language: str) -> None:
    stream = filled(LIVES[language])
    daemon.settle(session.mind)
    before = [each.most_recent_access_timestamp for each in stream.memories]
    found = stream.retrieve_memories(query(ASKED[language]))
    assert list(found.columns) == ["description", "importance", "recency", "relevance", "pointer", "score"]
    assert len(found) == 5
    assert found["score"].is_monotonic_decreasing
    assert any(ANSWER[language] in each for each in found["description"])
    assert all(
        stream.memories[place].description == text
        for place, text in zip(found["pointer"], found["description"], strict=True)
    )
    accessed = {n for n, each in enumerate(stream.memories) if each.most_recent_access_timestamp != before[n]}
    assert accessed == set(found["pointer"]), "only what is returned counts as accessed"
    near = stream.retrieve_memories(query(ASKED[language]), "relevance > 0.3")
    assert (near["relevance"] > 0.3).all()
    with pytest.raises(ValueError, match="import"):
        stream.retrieve_memories(query("x"), "__import__('os')")
    notes = daemon.call("note.list", {"mind": session.mind})["items"]
    assert [each["text"] for each in notes] == LIVES[language]


def test_recency_falls_by_the_hour_and_weights_count(session: Any) -> None:
    day = timedelta(hours=24)
    old, new = (Memory("The kettle stands on the shelf.", now, now) for now in (datetime.now() - day, datetime.now()))
    stream = MemoryStream([old, new], 1, 0, 0, 0.99, 2)
    found = stream.retrieve_memories(query("kettle"))
    assert list(found["pointer"]) == [1, 0]
    assert found["recency"].tolist()[1] == pytest.approx(0.99**24, abs=0.002), "after a day something is left"
    weighed = MemoryStream([query("I had tea."), query("My mother died.")], 0, 1, 0, 0.99, 1)
    assert weighed.retrieve_memories(query("tea"))["description"].tolist() == ["My mother died."]


def test_all_of_it_as_a_frame(session: Any) -> None:
    stream = filled(["Maria moved to Porto.", "老周买了一把大提琴。"])
    frame = stream.get_memory_df()
    assert list(frame["description"]) == ["Maria moved to Porto.", "老周买了一把大提琴。"]
    assert set(frame.columns) == {
        "description", "importance", "creation_timestamp", "most_recent_access_timestamp", "memory_type",
        "embedding_vector",
    }  # fmt: skip
    assert len(filled([]).retrieve_memories(query("x"))) == 0


def test_lines_of_a_model_are_insights_and_all_else_is_none() -> None:
    lines = [
        "Here is what follows:", "1. Maria keeps moving. [7, 52, 47]", "2. 小满常跟阿城攀岩。 [22]",
        "- Klaus gave up (because of 3)", "4. No evidence.", "5. Not a number [abc]",
    ]  # fmt: skip
    answer = "\n".join(lines)
    assert parse_insights(answer) == [
        ("Maria keeps moving.", [7, 52, 47]), ("小满常跟阿城攀岩。", [22]), ("Klaus gave up", [3]),
    ]  # fmt: skip
    assert parse_insights("") == []


def test_to_condense_is_to_keep_five_and_every_citation() -> None:
    given = [f"{n}. Maria told the harbour story for the {n}. time in town {n} [{n}, {n + 20}]" for n in range(1, 9)]
    condensed = condense_insights("\n".join(given))
    lines = condensed.splitlines()
    assert 1 <= len(lines) <= 5
    assert [line.split(".")[0] for line in lines] == [str(n) for n in range(1, len(lines) + 1)]
    cited = {number for _, numbers in parse_insights(condensed) for number in numbers}
    assert cited == {*range(1, 9), *range(21, 29)}


@pytest.mark.parametrize("language", LIVES)
def test_insights_become_reflections_with_their_evidence(session: Any, daemon: Daemon, language: str) -> None:
    memory_stream = filled(LIVES[language], window=16, days=True)
    daemon.settle(session.mind)
    assert generate_insight(memory_stream, context_window=15, threshold=100) is None
    made = generate_insight(memory_stream=memory_stream, context_window=15, threshold=3)
    assert made is not None
    questions, insights_list = made
    assert 1 <= len(questions) <= 3
    assert len(insights_list) == len(questions)
    flat = [each for insights in insights_list for each in insights]
    climbed = [place for place, text in enumerate(LIVES[language]) if CLIMBING[language] in text]
    assert any(set(pointers) <= set(climbed) and len(pointers) >= 3 for _, pointers in flat), flat
    memory_stream = generate_reflection(memory_stream, insights_list)
    assert len(memory_stream.memories) == 16 + len(flat)
    reflections = daemon.call("note.list", {"mind": session.mind, "kind": "reflection"})["items"]
    assert [each["text"] for each in reflections] == [text for text, _ in flat]
    links = daemon.call("link.list", {"mind": session.mind, "note": reflections[0]["id"]})["items"]
    assert {each["kind"] for each in links} == {"evidence"}
    assert len(links) == len(set(flat[0][1]))


def test_whoever_completes_a_prompt_thinks_for_it(daemon: Daemon) -> None:
    asked: list[str] = []

    def complete(prompt: str) -> str:
        asked.append(prompt)
        if "1 (routine)" in prompt:
            return "8/10"
        if "Which three" in prompt:
            return "1. What does Maria love?\n2. Who is Tom?"
        return "1. Maria loves to climb [4, 8, 99]\n2. made up [77]\nnothing"

    session = connect("prompted", str(daemon.socket), PromptedEngine(complete))
    stream = filled(LIVES["en"], window=16)
    daemon.settle("prompted")
    assert stream.memories[0].importance == 0.8
    made = generate_insight(stream, 15, 3)
    assert made is not None
    assert made[0] == ["What does Maria love?", "Who is Tom?"]
    assert made[1][0] == [("Maria loves to climb", [4, 8])], "what was not shown is no evidence"
    assert "made up" not in repr(made)
    assert "[4] Maria went climbing with Tom." in "".join(asked)
    session.close()


def test_two_streams_of_one_mind_and_a_memory_sent_again(session: Any, daemon: Daemon) -> None:
    one, other = filled(["Maria moved to Porto."]), filled(["Klaus bought a cello."])
    other.add_memory(one.memories[0])
    assert len(daemon.call("note.list", {"mind": session.mind})["items"]) == 2, "a memory is stored once"
    assert set(one.retrieve_memories(query("Klaus Maria"))["pointer"]) == {0}, "each finds its own"
