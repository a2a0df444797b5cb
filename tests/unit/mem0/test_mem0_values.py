"""What a call hands over, before anything is sent: ids, messages, metadata, days, times, configuration."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from soulmem.mem0 import AsyncMemory, Memory, MemoryConfig
from soulmem.mem0.kept_metadata import checked_day, checked_metadata, checked_time
from soulmem.mem0.said_messages import read_messages, told_as_procedure
from soulmem.mem0.scope_ids import KEYS, conversation_of, entity_id, named_scope, scope_named

ODD_IDS = [
    "a", "A", "ab", "a=b", "a&run_id=r", "user=a", "#", "%", "*x", "'", '"', "';DROP/**/TABLE/**/note;--", "\\", "é",
    "e\u0301", "名字", "名", "\u200b", "🙂", "x" * 64, "x" * 65, "x" * 4096, "#" + "0" * 64, "ａ",
]  # fmt: skip


def test_each_combination_of_ids_has_a_conversation_of_its_own() -> None:
    names: dict[str, dict[str, str]] = {}
    for size in (1, 2, 3):
        for keys in itertools.combinations(KEYS, size):
            for values in itertools.product(ODD_IDS[:: 1 if size < 3 else 3], repeat=size):
                scope = dict(zip(keys, values, strict=True))
                name = conversation_of(scope)
                assert len(name) <= 256
                assert names.setdefault(name, scope) == scope
                found = scope_named(name)
                assert found is not None
                if all(len(value) <= 64 for value in values):
                    assert found == scope


@pytest.mark.parametrize(
    "name", ["main", "", "user=", "user", "run=r user=a", "user=a user=b", "user=a x=1", "user=a "]
)
def test_a_conversation_that_is_not_ours_stands_for_no_scope(name: str) -> None:
    assert scope_named(name) is None


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("", "cannot be empty"), ("   ", "cannot be empty"), ("user 123", "cannot contain whitespace"),
        ("a\tb", "cannot contain whitespace"), ("a\u3000b", "cannot contain whitespace"), ("a\u2028b", "whitespace"),
        ("a\x00b", "no character"), ("a\ud800", "no character"), ("x" * 4097, "at most 4096"),
        (True, "must be a string"), (["a"], "must be a string"),
    ],
)  # fmt: skip
def test_ids_that_cannot_be(value: object, line: str) -> None:
    with pytest.raises(ValueError, match=f"Invalid user_id.*{line}"):
        entity_id(value, "user_id")


def test_ids_are_trimmed_and_numbers_are_texts() -> None:
    assert [entity_id(value, "run_id") for value in (" alice ", 42, 0, None)] == ["alice", "42", "0", None]
    for given in ({}, {"user_id": None}):
        with pytest.raises(ValueError, match="At least one of"):
            named_scope(given)
    with pytest.raises(ValueError, match="names none"):
        named_scope({"user_id": "a", "agent_id": "*"})


def test_messages_are_a_text_a_dictionary_or_a_list() -> None:
    assert read_messages("Hello 你好") == [("user", "Hello 你好", None)]
    assert read_messages({"role": "assistant", "content": "Hi", "name": "Bo"}) == [("assistant", "Hi", "Bo")]
    parts = [{"type": "text", "text": "one"}, "two", {"type": "image_url", "image_url": {"url": "http://x/y.png"}}]
    said = [
        {"role": "user", "content": parts},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": "42"},
        {"role": "developer", "content": "Be kind"},
    ]
    assert read_messages(said) == [("user", "one\ntwo", None), ("tool", "42", None), ("system", "Be kind", None)]


def test_a_part_that_is_no_text_is_left_out_with_a_line(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        read_messages([{"role": "user", "content": [{"type": "image_url"}, {"type": "text", "text": "a cat"}]}])
    assert "'image_url' is left out" in caplog.text


@pytest.mark.parametrize(
    ("messages", "line"),
    [
        ("", "cannot be empty"), (" \n", "cannot be empty"), ([], "cannot be empty"), (None, "must be a string"),
        (3, "must be a string"), ([3], r"messages\[0\] must be"), ([{"role": "user"}], "has no content"),
        ([{"role": "wizard", "content": "x"}], "no role 'wizard'"), ([{"role": 1, "content": "x"}], "no role"),
        ([{"role": "user", "content": 3}], "content must be a text"), ([{"role": "user", "content": [None]}], "empty"),
        ([{"role": "user", "content": "x"}, {"role": "user", "content": "\ud800"}], r"messages\[1\]: holds a lone"),
        ([{"role": "user", "content": "a\x00"}], "NUL"), ("好" * 87_382, "at most 262144"),
        (["x"] * 1001, "at most 1000"),
        ([{"role": "user", "content": "x", "name": "n" * 257}], "at most 256"),
    ],
)  # fmt: skip
def test_messages_that_cannot_be(messages: Any, line: str) -> None:
    with pytest.raises(ValueError, match=line):
        read_messages(messages)


def test_metadata_is_taken_as_it_comes_back(caplog: pytest.LogCaptureFixture) -> None:
    given = {"a": [1, 2.5, True, None, {"é": "名"}], "n": 2**70, "": "", "role": "x"}
    kept = checked_metadata(given)
    assert kept == given
    kept["a"].append(1)
    assert len(given["a"]) == 5, "it is a copy"
    with caplog.at_level(logging.WARNING):
        assert checked_metadata({"user_id": "victim", "actor_id": "x", "category": "c"}) == {"category": "c"}
    assert "ignoring metadata['user_id']" in caplog.text


@pytest.mark.parametrize(
    "metadata",
    [
        {"a": float("nan")}, {"a": float("inf")}, {"a": {1, 2}}, {"a": datetime(2026, 1, 1)}, {"a": b"x"}, {1: "a"},
        {"a": (1, 2)}, {"a": {2: 3}}, {"a": "\ud800"}, {"a": "x" * 70_000}, ["a"], "a",
    ],
)  # fmt: skip
def test_metadata_that_would_not_come_back_is_refused(metadata: Any) -> None:
    with pytest.raises(ValueError, match="Invalid metadata"):
        checked_metadata(metadata)


def test_days_and_times() -> None:
    assert checked_day("2030-01-31") == checked_day(date(2030, 1, 31)) == checked_day(datetime(2030, 1, 31, 9))
    for day in ("2030-1-31", "2030-02-30", "20300131", "tomorrow", 3, True, ""):
        with pytest.raises(ValueError, match="Invalid expiration_date"):
            checked_day(day)
    at = "2025-01-15T12:00:00+00:00"
    for time in ("2025-01-15T12:00:00Z", 1736942400, 1736942400.0, datetime(2025, 1, 15, 12, tzinfo=UTC), at[:19]):
        assert checked_time(time) == at
    for time in ("soon", 1e300, float("nan"), True, ""):
        with pytest.raises(ValueError, match="Invalid timestamp"):
            checked_time(time)


def test_a_procedure_is_the_record_or_what_a_model_makes_of_it() -> None:
    said = read_messages([{"role": "user", "content": "Deploy"}, {"role": "tool", "content": "exit 1"}])
    assert told_as_procedure(said, None, None) == "user: Deploy\ntool: exit 1"
    asked: list[Any] = []

    def answer(text: Any) -> Callable[[Any], Any]:
        return lambda messages: asked.append(messages) or text

    assert told_as_procedure(said, None, answer("```md\n1. Deployed\n```")) == "1. Deployed"
    assert told_as_procedure(said, "Mine", answer([{"type": "text", "text": "a"}, "b"])) == "a\nb"
    assert [each[0]["content"][:4] for each in asked] == ["Belo", "Mine"]
    assert asked[0][1]["content"] == "user: Deploy\ntool: exit 1"
    for nothing in (None, "", "  ", [], "```\n```"):
        with pytest.raises(ValueError, match="no content for the procedural memory summary"):
            told_as_procedure(said, None, answer(nothing))


@pytest.mark.parametrize("kind", [Memory, AsyncMemory])
def test_configuration(kind: type[Any], caplog: pytest.LogCaptureFixture) -> None:
    assert kind().config.mind == "mem0"
    theirs = {"llm": {"provider": "openai"}, "vector_store": {"config": {"collection_name": "support"}}}
    with caplog.at_level(logging.INFO):
        assert kind.from_config(theirs).config.mind == "support"
    assert "llm" in caplog.text
    assert kind.from_config(config_dict={**theirs, "soulmem": {"mind": "x", "socket": "/s"}}).config.socket == "/s"
    odd = {"vector_store": {"config": {"collection_name": "My Café"}}}
    assert (
        kind(odd).config.mind == kind(MemoryConfig(**odd)).config.mind != kind(odd | {"soulmem": {"mind": "m"}}).config
    )
    assert kind(odd).config.mind.startswith("mem0-")
    for wrong in (
        {"lmm": {}},
        {"soulmem": {"mnd": "x"}},
        {"soulmem": {"mind": "A B"}},
        {"soulmem": {"timeout": 0}},
        [],
    ):
        with pytest.raises(ValueError, match=r"soulmem|lmm|config"):
            kind.from_config(wrong)
