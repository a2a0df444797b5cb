"""No id is forgotten: those that come in are marked in the parameters, those that go out are made in one place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import soulmem
from soulmem.rpc.methods.method_table import METHODS
from soulmem.rpc.methods.wire_shapes import id_fields

SOURCES = Path(soulmem.__file__).parent
NAMED = {
    "id",
    "ids",
    "note",
    "link",
    "recall",
    "job",
    "src",
    "dst",
    "by",
    "around",
    "exclude",
    "used",
    "cursor",
    "parent",
}
# The clients' own names of messages, places in a list that are no ids, and switches.
NO_IDS = {
    ("message.add", "id"), ("message.update", "id"), ("message.delete", "id"), ("message.add", "recall"),
    ("message.list", "cursor"), ("mind.list", "cursor"), ("job.list", "cursor"), ("ledger.get", "cursor"),
    ("audit.list", "cursor"), ("conversation.list", "cursor"),
    ("profile.list", "cursor"), ("message.import", "recall"), ("ledger.get", "by"),
    ("mind.export", "cursor"), ("mind.import", "cursor"),
}  # fmt: skip
LETTERS = {"n", "l", "r", "j", "js", "e", "s"}
# What the log and the audit say to the owner, and what is compared and never shown.
BY_HAND = {
    "working/recall/recall_queue.py",
    "core/changes/contradiction.py",
    "working/respond/prompt_context.py",
    "bridges/mcp/recall_tools.py",
}
_LIKELY = re.compile(r"public_id\(|(?<![\w}])(?:n|l|r|js?|e|s)\{")
TO_THE_OWNER = {
    "store/session/verify.py",
    "store/reflections/reflection_check.py",
    "store/graph/merge_check.py",
    "store/graph/replay_check.py",
}


def test_each_parameter_that_is_called_like_an_id_is_marked_or_is_none() -> None:
    called = {
        (method, name)
        for method, row in METHODS.items()
        for name in row.params.model_fields
        if name in NAMED or name.endswith(("_id", "_ids"))
    }
    marked = {(method, name) for method, row in METHODS.items() for name in id_fields(row.params)}
    assert called == marked | NO_IDS
    assert not marked & NO_IDS


def _sentences(tree: ast.AST) -> Iterator[list[ast.expr]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield node.values


def test_ids_are_made_in_one_place_and_no_sentence_swallows_one() -> None:
    """Text made of an id is known for one no more; a `Sentence` keeps it known."""
    by_hand, swallowed = set(), set()
    for path in sorted(SOURCES.rglob("*.py")):
        name = path.relative_to(SOURCES).as_posix()
        text = path.read_text("utf-8")
        if not _LIKELY.search(text):
            continue
        for parts in _sentences(ast.parse(text)):
            values = [part.value for part in parts if isinstance(part, ast.FormattedValue)]
            if any(
                isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "public_id"
                for value in values
            ):
                swallowed.add(name)
            for before, part in zip([None, *parts], parts, strict=False):
                said = before.value if isinstance(before, ast.Constant) else ""
                letters = str(said).rpartition(" ")[2]
                if isinstance(part, ast.FormattedValue) and letters in LETTERS:
                    by_hand.add(name)
    assert by_hand == BY_HAND
    assert swallowed == TO_THE_OWNER
