"""Reading what a model wrote: good JSON as it is, bad JSON mended, half-said things dropped, nothing guessed."""

from __future__ import annotations

import contextlib
import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.llm.endpoint.json_parsing import Found, UnreadableError, find_object

NOTES = frozenset({"notes"})
ONE: dict[str, Any] = {"notes": [{"text": "小苇搬到了大理 and likes it"}]}
JSON = json.dumps(ONE, ensure_ascii=False)

plain = st.text(st.characters(exclude_categories=["Cs", "Cc"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(plain, inner, max_size=3),
    max_leaves=8,
)
items = st.lists(st.dictionaries(st.sampled_from(["text", "quote", "tags", "more"]), values, min_size=1), min_size=1)


@every_row(
    [
        f"```json\n{JSON}\n```",
        f"```\n{JSON}\n```\nI hope this helps.",
        f"```json\n{JSON}",
        f"Here {{it}} is: {JSON} Does {{this}} help?",
        f'<think>a draft: {{"notes": []}}</think>{JSON} ',
        f"[{JSON}]",
        f'{{"answer": {JSON}}}',
        repr(ONE),
        JSON.replace("]", ",]"),
        JSON[:-1],
        f"\ufeff{JSON}",
    ]
)
def test_a_good_answer_is_found_in_bad_clothes(text: str) -> None:
    found = find_object(text, NOTES)
    assert found.value == ONE
    assert not found.cut


@every_row(
    [
        f"<think>\nHm.\n</think>\n{JSON}",
        f"Hm. {{}}\n</think>\n\n{JSON}",
        f"<THINK>{JSON}",
        f"<think></think>{JSON}",
        f"<think>one</think><think>two</think>{JSON}",
    ]
)
def test_reasoning_is_passed_over_and_no_mending(text: str) -> None:
    assert find_object(text, NOTES) == Found(ONE)


def test_words_about_reasoning_within_an_answer_stay() -> None:
    said = {"notes": ["Ann writes </think> at the end"]}
    assert find_object(json.dumps(said), NOTES) == Found(said)
    assert find_object(f"```\n{json.dumps(said)}\n```", NOTES).value == said


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"type": "object", "properties": {"notes": {"type": "array"}}, "required": ["notes"]}),
        json.dumps({"$defs": {}, "title": "split"}),
        json.dumps({"type": "object", "required": ["notes"]}),
        json.dumps({"properties": {"notes": [{"text": "a"}]}}),
    ],
)
def test_a_schema_repeated_is_no_answer(text: str) -> None:
    with pytest.raises(UnreadableError, match="repeats the schema"):
        find_object(text, NOTES)


@every_row(["", " ", "null", "12", '"notes"', "true", "<html><body>It works!", "没有", "{", "[", "}{"])
def test_nothing_is_guessed_from_nothing(text: str) -> None:
    with pytest.raises(UnreadableError):
        find_object(text, NOTES)


@pytest.mark.parametrize("text", ["[" * 200_000, '{"notes":' * 5_000, '{"notes": ' + "[" * 100 + "]" * 100 + "}"])
def test_depth_is_bounded(text: str) -> None:
    with pytest.raises(UnreadableError, match="too deeply"):
        find_object(text, NOTES)


def test_what_no_store_takes_is_left_out() -> None:
    text = '{"notes": ["a\\ud800b\\u0000c\\u0007", NaN, 1e999, 1' + "0" * 400 + ', 0.5, "d\\ne"]}'
    assert find_object(text.replace("NaN, ", ""), NOTES).value == {"notes": ["abc", None, None, 0.5, "d\ne"]}
    assert find_object(text, NOTES).mended


def test_raw_line_ends_in_strings_are_borne() -> None:
    assert find_object('{"notes": ["a\nb"]}', NOTES) == Found({"notes": ["a\nb"]}, mended=True)


def test_a_quotation_within_a_string_is_mended() -> None:
    assert find_object('{"notes": ["he said "yes" to me"]}', NOTES).value == {"notes": ['he said "yes" to me']}


def test_a_cut_object_keeps_its_whole_members() -> None:
    assert find_object('{"notes": "all of it", "other": "ha', NOTES) == Found({"notes": "all of it"}, True, True)


def test_a_brace_in_a_string_that_breaks_off_ends_no_answer() -> None:
    text = '{"notes": ["first", {"text": {"a": "0", "b": false, "旧}'
    assert find_object(text, NOTES) == Found({"notes": ["first"]}, mended=True, cut=True)


def test_mending_is_bounded_in_time() -> None:
    began = time.thread_time()
    for text in ('{"notes": ["' + "a" * 3_000_000, "{" + 'hello "world" : , ' * 10_000, '{"a":"' + '"' * 100_000):
        try:
            find_object(text, NOTES)
        except UnreadableError:
            continue
    assert time.thread_time() - began < 30


@given(items, st.data())
def test_of_an_answer_that_breaks_off_exactly_the_whole_items_are_kept(notes: list[Any], data: st.DataObject) -> None:
    text = json.dumps({"notes": notes}, ensure_ascii=data.draw(st.booleans()))
    end = data.draw(st.integers(1, len(text) - 1))
    try:
        found = find_object(text[:end], NOTES)
    except UnreadableError:
        return
    kept = found.value["notes"] if isinstance(found.value, dict) else None
    assert kept == notes[: len(kept or [])]
    assert found.cut == (end < len(text) - 1)


@given(values)
def test_whatever_is_json_is_read_as_it_is(value: Any) -> None:
    assert find_object(json.dumps({"notes": value}), NOTES).value == {"notes": value}


@settings(deadline=None, max_examples=300)
@given(st.text(alphabet=st.sampled_from('{}[]",:\\ \n`abc12<>/think'), max_size=60) | st.text(max_size=60))
def test_any_text_is_an_object_or_unreadable(text: str) -> None:
    with contextlib.suppress(UnreadableError):
        json.dumps(find_object(text, NOTES).value, allow_nan=False).encode()
