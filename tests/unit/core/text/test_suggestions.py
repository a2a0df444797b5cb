"""What somebody may have meant: a known name, never the one that was typed."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.cli.output.command_session import leading_elsewhere
from soulmem.core.reranking import filter_expressions
from soulmem.core.text.did_you_mean import did_you_mean, suggestion
from soulmem.errors import SoulmemError
from soulmem.ops.settings.config_loader import mind_settings
from soulmem.ops.settings.setting_keys import KEYS, MIND_KEYS, nearest
from soulmem.rpc.methods.method_table import METHODS
from soulmem.rpc.methods.wire_shapes import read_params

EXAMPLES = 5_000 if os.environ.get("SOULMEM_TORTURE") else 300
WORDS = st.text("abcdeр茶 _.", min_size=0, max_size=12)


@given(WORDS, st.lists(WORDS, max_size=8))
@settings(max_examples=EXAMPLES)
def test_what_was_typed_is_never_suggested(typed: str, known: list[str]) -> None:
    for each in (known, [*known, typed], [*known, typed.strip()]):
        found = suggestion(typed, each)
        assert found not in (typed, typed.strip())
        assert found is None or found in each


@every_row(
    [
        ("recal", ["recall", "feedback"], "recall"),
        ("recall", ["recall"], None),
        ("recall ", ["recall", "recall2"], "recall2"),
        ("RELEVANCE", ["relevance", "kind"], "relevance"),
        ("茶", ["note", "link"], None),
        ("x" * 100_000, ["recall"], None),
    ],
    unpack=True,
)
def test_the_likest_other_name(typed: str, known: list[str], meant: str | None) -> None:
    assert suggestion(typed, known) == meant
    assert did_you_mean(typed, known, otherwise="look it up") == (f"did you mean {meant}?" if meant else "look it up")


def refusal(method: str, params: dict[str, Any]) -> SoulmemError:
    with pytest.raises(SoulmemError) as caught:
        read_params(METHODS[method].params, params)
    return caught.value


def test_a_parameter_is_called_by_the_name_it_travels_under() -> None:
    """`from` is a word of Python, so the code calls it otherwise; who typed that was told to type it again."""
    found = refusal("recall", {"mind": "m", "query": "x", "from_": "2026-01-01"})
    assert found.hint == "did you mean from?"
    assert "from_" not in str(refusal("recall", {"mind": "m", "query": "x", "zzz": 1}).hint)


def test_a_parameter_inside_another_is_told_what_is_known_there() -> None:
    """`text` is known beside it and not in it: what was typed was suggested."""
    note = {"mind": "m", "kind": "lore", "text": "tea"}
    found = refusal("note.add", note | {"sources": [{"id": "1", "text": "tea"}]})
    assert "unknown parameter 'sources.0.text'" in found.message
    assert found.hint == "known: conversation, id, quote"
    assert (
        refusal("note.add", note | {"elements": [{"quote": "t", "level": 1, "gits": ""}]}).hint == "did you mean gist?"
    )
    fill = {"mind": "m", "id": "n1", "version": 1, "fills": [{"segment": 1, "text": "x", "fills": 2}]}
    assert refusal("note.reconstruct", fill).hint == "known: segment, text"


@every_row(sorted(METHODS))
def test_every_name_of_the_code_that_is_refused_leads_elsewhere(method: str) -> None:
    """Whatever is known anywhere in the protocol, typed where it is not: the hint is another name."""
    every = {name for each in METHODS.values() for name in each.params.model_fields}
    own = {field.alias or name for name, field in METHODS[method].params.model_fields.items()}
    for name in sorted(every - own):
        with pytest.raises(SoulmemError) as caught:
            read_params(METHODS[method].params, {name: 1})
        if "unknown parameter" in caught.value.message:
            assert f"did you mean {name}?" != caught.value.hint


def test_settings_and_columns() -> None:
    for name in (*KEYS, "window", "capacity", "engine.api_key", "windw.capacity", "forgetting.forgetting.deletes"):
        assert f"did you mean {name}?" not in nearest(name, KEYS)
        if name not in MIND_KEYS:
            with pytest.raises(SoulmemError) as caught:
                mind_settings({}, {name: 1})
            assert f"did you mean {name}?" not in caught.value.message
    assert nearest("capacity", KEYS) == " (did you mean window.capacity?)"
    with pytest.raises(filter_expressions.InvalidFilterError) as unread:
        filter_expressions.parse("relevanc > 0.5")
    assert unread.value.hint.startswith("did you mean relevance? columns: ")


def test_a_command_is_not_told_to_run_itself() -> None:
    status = "it may still be carried out: `soulmem status` tells how the daemon is"
    assert leading_elsewhere(status, ["status"]) is None
    assert leading_elsewhere(status, ["--mind", "m", "status", "--json"]) is None
    assert leading_elsewhere(status, ["say", "hi"]) == status
    model = "check it with `soulmem model test`, or name another in `embedder.name`"
    assert leading_elsewhere(model, ["model", "test"]) is None
    assert leading_elsewhere(model, ["model", "install"]) == model
    assert leading_elsewhere("`soulmem delete m7`, --seq 7", ["delete", "x"]) is not None
    assert leading_elsewhere(None, ["status"]) is None
