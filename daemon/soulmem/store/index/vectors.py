"""Vectors: the float rows that are the truth, and the vec0 index beside them that can be dropped and rebuilt.

One vec0 table for each embedder fingerprint, so that vectors of different embedders never meet. What still has to be
embedded stands in `embed_pending`, written in the same transaction as the text, so no crash forgets it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.core.search.index_columns import mean_vector
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.index.embedding_backlog import Pending, enqueue
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

Vector = NDArray[np.float32]

_KINDS = {"note": 0, "message": 1, "summary": 2}
VEC0_MOST = 4096  # sqlite-vec's limit on k
_AT_ONCE = 256  # items whose vectors are held at a time
_PART = 1_000  # vectors that are read at a time
FEW_ITEMS = 4096  # up to here one look-up an item is cheaper than reading the whole table


def table_name(fingerprint: str) -> str:
    if not fingerprint.isalnum():
        raise ValueError(f"not a fingerprint: {fingerprint!r}")
    return f"vec_{fingerprint}"


def ensure_index(connection: Connection, fingerprint: str, dimension: int) -> bool:
    """Make the vec0 table of a fingerprint if it is missing, filled from the float rows; True if it was made."""
    table = table_name(fingerprint)
    if _exists(connection, table):
        return False
    connection.execute(
        f"CREATE VIRTUAL TABLE {table} USING vec0 "
        f"(slot INTEGER PARTITION KEY, embedding FLOAT[{dimension}] distance_metric=cosine)"
    )
    items = connection.execute(
        "SELECT DISTINCT kind, item FROM vector WHERE fingerprint = ? ORDER BY kind, item", (fingerprint,)
    ).fetchall()
    for first in range(0, len(items), _AT_ONCE):
        _index(connection, table, fingerprint, items[first : first + _AT_ONCE])
    return True


def put(
    connection: Connection, fingerprint: str, items: Sequence[tuple[Pending, Vector | None]]
) -> dict[tuple[str, int], list[Vector]]:
    """Store vectors and take the items off the pending list; `None` means the embedder is blind to the text.

    Returns all vectors now known of each item, for the index in memory.
    """
    table = table_name(fingerprint)
    wanted = json.dumps([(each.kind, each.item, each.variant, each.asked) for each, _ in items])
    # What is not found was forgotten, or asked for again while its vector was being made: then it still waits.
    waited = set(
        connection.execute(
            "DELETE FROM embed_pending WHERE (kind, item, variant, asked) IN "
            "(SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)) "
            "RETURNING kind, item, variant",
            (wanted,),
        ).fetchall()
    )
    made, unread = [], []
    for pending, vector in items:
        key = (pending.kind, pending.item, pending.variant)
        if key not in waited:
            continue
        if vector is None:
            unread.append((*key, fingerprint))
            continue
        if not np.isfinite(vector).all():
            raise ValueError("a vector must be finite")
        made.append((*key, fingerprint, np.ascontiguousarray(vector, dtype=np.float32).tobytes()))
    if unread:
        connection.executemany(
            "DELETE FROM vector WHERE kind = ? AND item = ? AND variant = ? AND fingerprint = ?", unread
        )
    connection.executemany(
        "INSERT OR REPLACE INTO vector (kind, item, variant, fingerprint, data) VALUES (?, ?, ?, ?, ?)", made
    )
    return _index(connection, table, fingerprint, dict.fromkeys((each.kind, each.item) for each, _ in items))


def remove(connection: Connection, kind: str, item: int) -> None:
    """Forget all vectors of an item, of every fingerprint, and one that is being made.

    Its requests stay until the worker comes to them and finds what is to be embedded now, if anything: were they taken
    off here, one that comes after could not be told from one whose vector is under way.
    """
    owners = connection.execute(
        "DELETE FROM vector WHERE kind = ? AND item = ? RETURNING fingerprint", (kind, item)
    ).fetchall()
    for (fingerprint,) in set(owners):
        if _exists(connection, table_name(fingerprint)):
            connection.execute(f"DELETE FROM {table_name(fingerprint)} WHERE rowid = ?", (_rowid(kind, item),))
    connection.execute("UPDATE embed_pending SET asked = asked + 1 WHERE kind = ? AND item = ?", (kind, item))


def remove_surroundings(connection: Connection, items: Sequence[int]) -> None:
    """Forget the vectors of messages with their neighbours, because one of those changed, and ask for them anew."""
    owners = connection.execute(
        f"DELETE FROM vector WHERE kind = 'message' AND variant = 'context' AND item {AMONG} "
        "RETURNING item, fingerprint",
        (listed(items),),
    ).fetchall()
    for fingerprint in {owner for _, owner in owners}:
        table = table_name(fingerprint)
        if _exists(connection, table):
            _index(
                connection, table, fingerprint, [("message", item) for item, owner in owners if owner == fingerprint]
            )
    enqueue(connection, [("message", item, "context") for item in dict.fromkeys(item for item, _ in owners)])


def has_others(connection: Connection, fingerprint: str) -> bool:
    """Whether there are vectors of other embedders: whether they have an index, for there may be many of them."""
    return bool(_other_tables(connection, fingerprint))


def forget_other_fingerprints(connection: Connection, keep: str) -> int:
    """Drop vectors and indexes of former embedders, once the present one has everything; how many it has."""
    for (fingerprint,) in connection.execute(
        "SELECT DISTINCT fingerprint FROM vector WHERE fingerprint <> ?", (keep,)
    ).fetchall():
        connection.execute("DELETE FROM vector WHERE fingerprint = ?", (fingerprint,))
    for table in _other_tables(connection, keep):
        connection.execute(f"DROP TABLE {table}")
    return int(connection.execute("SELECT count(*) FROM vector").fetchone()[0])


def _other_tables(connection: Connection, fingerprint: str) -> list[str]:
    rows = connection.execute(
        "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%vec0%' AND name <> ?",
        (table_name(fingerprint),),
    ).fetchall()
    return [str(name) for (name,) in rows]


def means(
    connection: Connection, fingerprint: str, places: dict[tuple[str, int], int]
) -> tuple[NDArray[np.float32] | None, NDArray[np.bool_] | None]:
    """The mean vector of each item as rows of one matrix, with a mask of those that have any.

    `places`: (kind, item) -> row of the result.
    """
    counts = np.zeros(len(places), dtype=np.int64)
    matrix: NDArray[np.float32] | None = None
    few = len(places) <= FEW_ITEMS
    rows = (
        (
            (kind, item, vector.tobytes())
            for kind, item in places
            for vector in _variants(connection, fingerprint, kind, item)
        )
        if few
        else connection.execute("SELECT kind, item, data FROM vector WHERE fingerprint = ?", (fingerprint,))
    )
    # Read part by part: an array for each of a hundred thousand vectors would take longer than to read them.
    while part := list(islice(rows, _PART)):
        wanted = [(place, data) for kind, item, data in part if (place := places.get((kind, item))) is not None]
        if not wanted:
            continue
        where = np.array([place for place, _ in wanted])
        vectors = np.frombuffer(b"".join(data for _, data in wanted), dtype=np.float32).reshape(len(wanted), -1)
        if matrix is None:
            matrix = np.zeros((len(places), vectors.shape[1]), dtype=np.float32)
        while len(where):  # an item may be there several times: once in each round
            first = np.unique(where, return_index=True)[1]
            matrix[where[first]] += vectors[first]
            counts[where[first]] += 1
            where, vectors = np.delete(where, first), np.delete(vectors, first, axis=0)
    if matrix is None:
        return None, None
    several = counts > 1
    if several.any():
        matrix[several] /= counts[several, None].astype(np.float32)
    return matrix, counts > 0


def nearest_within(
    connection: Connection,
    fingerprint: str,
    vector: Vector,
    k: int,
    scope: Scope,
    *,
    kind: str,
    among: Sequence[int] | None = None,
) -> list[tuple[int, float]]:
    """The k nearest items that a call may see. The index knows no scope, so it is asked for ever more of them."""
    reach = k
    while True:
        near = nearest(connection, fingerprint, vector, reach, kind=kind, among=among)
        seen = scope.within(connection, kind, (item for item, _ in near))
        found = [(item, cosine) for item, cosine in near if item in seen]
        if len(found) >= k or len(near) < reach or reach >= VEC0_MOST:
            return found[:k]
        reach = min(4 * reach, VEC0_MOST)


def nearest(
    connection: Connection, fingerprint: str, vector: Vector, k: int, *, kind: str, among: Sequence[int] | None = None
) -> list[tuple[int, float]]:
    """The k items whose vectors are nearest by the vec0 index, as (item, cosine), best first; of `among`, if given."""
    table = table_name(fingerprint)
    if not _exists(connection, table):
        return []
    data = np.ascontiguousarray(vector, dtype=np.float32).tobytes()
    values: list[Any] = [data, min(k, VEC0_MOST), _KINDS[kind]]
    chosen = ""
    if among is not None:
        chosen = f"AND rowid {AMONG}"
        values.append(listed(_rowid(kind, item) for item in among))
    rows = connection.execute(
        f"SELECT rowid, distance FROM {table} WHERE embedding MATCH ? AND k = ? AND slot = ? {chosen} "
        "ORDER BY distance",
        values,
    ).fetchall()
    # A tie is settled by the row, as in memory; vec0 itself takes no second ordering.
    return [(row // len(_KINDS), 1.0 - distance) for row, distance in sorted(rows, key=lambda row: (row[1], row[0]))]


def of_items(
    connection: Connection, fingerprint: str, items: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], list[Vector]]:
    """All vectors of some items; an empty list for one that has none."""
    found: dict[tuple[str, int], list[Vector]] = {item: [] for item in items}
    rows = connection.execute(
        "SELECT kind, item, data FROM vector WHERE (kind, item) IN "
        "(SELECT value ->> 0, value ->> 1 FROM json_each(?)) AND fingerprint = ? ORDER BY variant DESC",
        (json.dumps(list(found)), fingerprint),
    )
    for kind, item, data in rows.fetchall():
        found[kind, item].append(np.frombuffer(data, dtype=np.float32))
    return found


def own(connection: Connection, fingerprint: str, messages: Sequence[int]) -> dict[int, Vector]:
    """The vectors of messages alone, without their neighbours."""
    rows = connection.execute(
        f"SELECT item, data FROM vector WHERE kind = 'message' AND item {AMONG} AND variant = 'self' "
        "AND fingerprint = ?",
        (listed(messages), fingerprint),
    ).fetchall()
    return {item: np.frombuffer(data, dtype=np.float32) for item, data in rows}


# vec0 keeps vectors in chunks of a fixed size. A new one goes into the last chunk of its kind, so what was taken out of
# another leaves a gap for good; a chunk goes when it is empty. One old note in each would keep them all.


def thin(connection: Connection, fingerprint: str, most: int) -> list[int]:
    """Rows of the emptiest chunk, at most so many, where a quarter of all there is are gaps; else none."""
    table = table_name(fingerprint)
    if not _exists(connection, table):
        return []
    chunks = connection.execute(f"SELECT partition00, chunk_id, size FROM {table}_chunks ORDER BY chunk_id").fetchall()
    room = sum(size for *_, size in chunks)
    if room - connection.execute(f"SELECT count(*) FROM {table}_rowids").fetchone()[0] <= room // 4:
        return []
    held = dict(connection.execute(f"SELECT chunk_id, count(*) FROM {table}_rowids GROUP BY chunk_id").fetchall())
    for kind in _KINDS.values():
        own = [(chunk, size) for slot, chunk, size in chunks if slot == kind]
        earlier = own[:-1]
        gaps = sum(size - held.get(chunk, 0) for chunk, size in earlier)
        if earlier and gaps > max(own[-1][1], sum(size for _, size in own) // 4):
            thinnest = min(earlier, key=lambda chunk: (held.get(chunk[0], 0), chunk[0]))[0]
            rows = connection.execute(f"SELECT rowid FROM {table}_rowids WHERE chunk_id = ? LIMIT ?", (thinnest, most))
            return [row[0] for row in rows]
    return []


def gather(connection: Connection, fingerprint: str, rows: Sequence[int]) -> None:
    """Put rows of the index into its last chunk; the chunk that they leave goes when it is empty."""
    table = table_name(fingerprint)
    for row in rows:
        held = connection.execute(f"SELECT rowid, slot, embedding FROM {table} WHERE rowid = ?", (row,)).fetchone()
        if held is not None:
            connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))
            connection.execute(f"INSERT INTO {table} (rowid, slot, embedding) VALUES (?, ?, ?)", held)


def _rowid(kind: str, item: int) -> int:
    return item * len(_KINDS) + _KINDS[kind]


def _exists(connection: Connection, table: str) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)).fetchone() is not None


def _variants(connection: Connection, fingerprint: str, kind: str, item: int) -> list[Vector]:
    rows = connection.execute(
        "SELECT data FROM vector WHERE kind = ? AND item = ? AND fingerprint = ? ORDER BY variant DESC",
        (kind, item, fingerprint),
    ).fetchall()
    return [np.frombuffer(row[0], dtype=np.float32) for row in rows]


def _index(
    connection: Connection, table: str, fingerprint: str, items: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], list[Vector]]:
    """Put the mean of each item's vectors into vec0 (the mean of cosines is the cosine to the mean); all of them."""
    found = of_items(connection, fingerprint, items)
    connection.executemany(f"DELETE FROM {table} WHERE rowid = ?", [(_rowid(kind, item),) for kind, item in found])
    connection.executemany(
        f"INSERT INTO {table} (rowid, slot, embedding) VALUES (?, ?, ?)",
        [
            (_rowid(kind, item), _KINDS[kind], mean_vector(*vectors).tobytes())
            for (kind, item), vectors in found.items()
            if vectors
        ],
    )
    return found
