"""The search index of a mind, read from its file: all that can be recalled, or the candidates of one search."""

from __future__ import annotations

import numpy as np

from soulmem.core.schema.audience import column_home
from soulmem.core.schema.two_part_vectors import shared_from
from soulmem.core.search.index_columns import KIND_CODES, ItemKind, RowBatch
from soulmem.core.search.memory_index import SearchIndex
from soulmem.core.text import tokens
from soulmem.store.index import vectors
from soulmem.store.messages import message_index_rows, rolling_summaries
from soulmem.store.notes import note_index_rows
from soulmem.store.sqlite.driver import Connection, snapshot


def load_index(connection: Connection, fingerprint: str, hide_digested: bool, most_rows: int) -> SearchIndex | None:
    """All that can be recalled; None where it is more than `most_rows`."""
    # One snapshot for rows and vectors: what commits meanwhile is added by its own `after` effect, and an item
    # that is in both is simply replaced.
    with snapshot(connection):
        said = message_index_rows.index_rows(connection, hide_consolidated=hide_digested)
        noted = note_index_rows.index_rows(connection)
        if len(said) + len(noted) > most_rows:
            return None
        return build_index(connection, fingerprint, said, noted)


def load_summaries(connection: Connection, fingerprint: str) -> SearchIndex:
    """The rolling summaries of now."""
    index = SearchIndex(shared_from=shared_from(fingerprint))
    for each in rolling_summaries.current(connection):
        put_summary(index, each)
        known = vectors.of_items(connection, fingerprint, [("summary", each.conversation)])
        index.set_vectors(ItemKind.SUMMARY, each.conversation, *known["summary", each.conversation])
    return index


def build_index(
    connection: Connection,
    fingerprint: str,
    said: list[message_index_rows.IndexRow],
    noted: list[note_index_rows.IndexRow],
) -> SearchIndex:
    """An index over these rows with their vectors: the whole mind, or the candidates of one search on disk."""
    count = len(said) + len(noted)
    index = SearchIndex(shared_from=shared_from(fingerprint))
    if not count:
        return index
    kinds = np.zeros(count, dtype=np.uint8)
    kinds[: len(said)] = KIND_CODES[ItemKind.MESSAGE]
    kinds[len(said) :] = KIND_CODES[ItemKind.NOTE]
    blobs = [row.terms for row in said] + [row.terms for row in noted]
    lengths = np.fromiter((len(blob) // 4 for blob in blobs), dtype=np.int64, count=count)
    keys = [row.id for row in said] + [row.id for row in noted]
    sums, seen = vectors.means(
        connection,
        fingerprint,
        {("message", row.id): place for place, row in enumerate(said)}
        | {("note", row.id): len(said) + place for place, row in enumerate(noted)},
    )
    zeros = [0] * len(noted)
    at_home = [column_home(row.homes) for row in noted]
    index.load(
        RowBatch(
            kinds=kinds,
            keys=np.array(keys, dtype=np.int64),
            conversations=np.array([row.conversation for row in said] + at_home, dtype=np.int64),
            seqs=np.array([row.seq for row in said] + zeros, dtype=np.int64),
            speakers=[row.speaker for row in said] + [row.speaker for row in noted],
            at_ms=np.array([row.at for row in said] + [row.at for row in noted], dtype=np.int64),
            terms=np.frombuffer(b"".join(blobs), dtype=np.uint32),
            offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            vectors=sums,
            seen=seen,
            homes={row.id: row.homes for row in noted if len(row.homes) > 1},
            replies=np.array([row.replies for row in said] + zeros, dtype=np.bool_),
            sources=[*(None for _ in said), *(row.source for row in noted)],
        )
    )
    return index


def put_summary(index: SearchIndex, each: rolling_summaries.Current) -> None:
    """Let a rolling summary be found; a later roll takes its place."""
    terms = tokens.text_hashes(each.summary.text)
    index.add(ItemKind.SUMMARY, each.conversation, conversation=each.conversation, at_ms=each.at, terms=terms)
