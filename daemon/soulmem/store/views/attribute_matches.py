"""Attribute matches: which notes and messages a filter on their attributes lets pass, by what shows of them now.

Called once a recall that has such a filter, before anything is searched, so that a rare one is found however badly it
fits. Invariant: what has faded of a note's attributes matches nothing, as it is shown to nobody.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from soulmem.core.schema.attribute_filters import Tree, asks_of, passes
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views import rendered_notes, wire_views
from soulmem.store.views.rendered_notes import faces


def passing(connection: Connection, tree: Tree, now_exp: int) -> tuple[frozenset[ItemRef] | None, frozenset[ItemRef]]:
    """What alone passes, None where whatever has no attributes does; and in that case what does not pass."""
    answers = {ref: bool(passes(tree, attributes)) for ref, attributes in _attributes(connection, tree, now_exp)}
    if passes(tree, {}):
        return None, frozenset(ref for ref, answer in answers.items() if not answer)
    return frozenset(ref for ref, answer in answers.items() if answer), frozenset()


def _attributes(connection: Connection, tree: Tree, now_exp: int) -> Iterator[tuple[ItemRef, dict[str, Any]]]:
    """Every living note and message of which an attribute is asked, with its attributes as they show."""
    asked = asks_of(tree)
    for number, text in connection.execute("SELECT id, attributes FROM message WHERE attributes IS NOT NULL"):
        yield (ItemKind.MESSAGE, number), json.loads(text)
    are_true = rendered_notes.previews_hold(connection, now_exp)
    faded: list[int] = []
    rows = connection.execute(
        "SELECT id, attributes, shown IS NULL FROM note WHERE attributes <> '{}' "
        "AND lifecycle IN ('working', 'consolidated')"
    )
    for number, text, is_clear in rows.fetchall():
        attributes = json.loads(text)
        if asked.isdisjoint(attributes):
            continue
        if is_clear and are_true:
            yield (ItemKind.NOTE, number), attributes
        else:
            faded.append(number)
    for number, face in faces(connection, wire_views.active_notes(connection, faded), now_exp).items():
        yield (ItemKind.NOTE, number), face.attributes
