"""What the page may ask of the daemon: a fixed list of methods with the parameters it uses of each.

Called by `bridges/viewer/viewer_app`; pure. Invariants: reading changes nothing, not even what was recalled how often,
and asks no language model to think long; what changes a mind needs the token for writing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PAGE = "limit", "cursor"
READING: Mapping[str, frozenset[str]] = {
    method: frozenset(names)
    for method, names in {
        "system.status": (),
        "mind.list": _PAGE,
        "mind.get": ("mind",),
        "note.list": ("mind", "kind", "state", "as_of", *_PAGE),
        "note.get": ("mind", "id"),
        "note.history": ("mind", "id"),
        "note.forecast": ("mind", "id", "days"),
        "link.list": ("mind", "note", *_PAGE),
        "graph.get": ("mind", "around", "depth", "limit"),
        "recall": ("mind", "query", "k", "depth", "kinds", "explain", "min_score", "as_of"),
        "profile.list": ("mind",),
        "profile.get": ("mind", "name"),
        "audit.list": ("mind", "reason", "outcome", *_PAGE),
        "ledger.get": ("mind", "by", *_PAGE),
    }.items()
}
WRITING: Mapping[str, frozenset[str]] = {
    method: frozenset(names)
    for method, names in {
        "note.update": ("mind", "id", "text", "importance", "tags", "version"),
        "note.pin": ("mind", "id"),
        "note.unpin": ("mind", "id"),
        "note.forget": ("mind", "id"),
        "note.restore": ("mind", "id"),
    }.items()
}
# after which a page that shows notes shows something that is so no more; they hold counts, and no word of a note
CHANGES = (
    "note_created", "note_updated", "note_merged", "note_superseded", "note_reconstructed", "note_blurred",
    "note_drifted", "note_forgotten", "notes_withdrawn", "note_purged", "note_restored", "link_created",
    "link_forgotten", "link_restored", "tombstone_purged",
)  # fmt: skip
_DEPTHS = ("skim", "normal")  # deep asks a language model, which costs its owner something


class CallRefused(Exception):  # noqa: N818 - it names what happened
    """A call is not passed on. `needs_token`: it would be with the token for writing."""

    def __init__(self, line: str, *, needs_token: bool = False) -> None:
        super().__init__(line)
        self.line = line
        self.needs_token = needs_token


def accepted_call(body: object, *, may_write: bool) -> tuple[str, dict[str, Any]]:
    """The method and the parameters that go to the daemon. Raises CallRefused.

    >>> accepted_call({"method": "recall", "params": {"mind": "pell", "query": "tea"}}, may_write=False)
    ('recall', {'mind': 'pell', 'query': 'tea', 'record': False})
    """
    if not isinstance(body, dict) or not body.keys() <= {"method", "params"}:
        raise CallRefused("a call is an object with method and params")
    method, params = body.get("method"), body.get("params", {})
    if not isinstance(method, str) or not isinstance(params, dict):
        raise CallRefused("a call is an object with method and params")
    names = READING.get(method, WRITING.get(method))
    if names is None:
        raise CallRefused(f"{method[:60]} is not offered here")
    if method in WRITING and not may_write:
        raise CallRefused(
            "this page only reads: `soulmem view --edit` opens one that may change notes", needs_token=True
        )
    if foreign := sorted(params.keys() - names):
        raise CallRefused(f"{method} takes no {foreign[0][:60]} here")
    if method == "recall":
        if params.get("depth", _DEPTHS[0]) not in _DEPTHS:
            raise CallRefused(f"recall goes no deeper than {_DEPTHS[-1]} here")
        return method, {**params, "record": False}
    return method, dict(params)
