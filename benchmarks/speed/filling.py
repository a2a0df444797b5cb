"""Filling: minds with many notes, written straight into their files while no daemon runs.

Called by `core` before recall, start and memory are measured. Notes go through the store's own functions in large
transactions. A few hundred texts get real vectors; every note gets one of these with a little noise, of unit length
again, Chinese notes too, as if the embedder could read them. Links join notes at random, a few notes far more often
than others, with strengths from nearly forgotten to fresh. Invariant: the daemon finds such a file complete, with
nothing left to embed.
"""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import numpy as np

from benchmarks.speed.speech import Speech
from soulmem.core.decay.decay_policy import Fading
from soulmem.core.decay.traces import Trace
from soulmem.core.details.elements import born, fitting
from soulmem.core.schema.note_requests import LinkKind, LinkOrigin, NoteKind
from soulmem.ports import Embedder
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import NewLink
from soulmem.store.index import vectors
from soulmem.store.index.embedding_backlog import Pending
from soulmem.store.notes import note_writes
from soulmem.store.notes.note_writes import NewNote
from soulmem.store.recalls import recall_records
from soulmem.store.session import mind_metadata
from soulmem.store.session.mind_metadata import Identity
from soulmem.store.sqlite import migrations
from soulmem.store.sqlite.driver import Connection, writer

NOISE = 0.02  # a component; the cosine to the text's own vector is about 0.93
CHINESE_EVERY = 4
_BATCH = 5_000
_SPACING_MS = 60_000
_GRACE_MS = 7 * 86_400_000
_STABILITY_MS = 30 * 86_400_000


def fill(state: Path, mind: str, count: int, embedder: Embedder, real_texts: int, link_count: int = 0) -> float:
    """Make the file of a mind with `count` notes over the vectors of `real_texts` texts; seconds it took."""
    began = time.perf_counter()
    path = state / "minds" / f"{mind}.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    now = round(time.time() * 1000)
    random = np.random.default_rng(7)
    texts = Speech(7)
    real = embedder.embed([texts.english() for _ in range(real_texts)])
    with closing(writer(path)()) as connection:
        migrations.migrate(connection, path, "mind")
        connection.execute("BEGIN IMMEDIATE")
        mind_metadata.create(connection, Identity(mind, "", "companion", "", "", {}, now, now, now, 0))
        vectors.ensure_index(connection, embedder.fingerprint, embedder.dimension)
        # it was used just now
        recall_records.insert(connection, query="", depth="skim", k=1, at=now, at_exp=0, state="done")
        connection.execute("COMMIT")
        for first in range(0, count, _BATCH):
            numbers = range(first, min(count, first + _BATCH))
            rows = real[random.integers(0, real_texts, len(numbers))]
            rows = rows + random.normal(0, NOISE, rows.shape).astype(np.float32)
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            connection.execute("BEGIN IMMEDIATE")
            items: list[tuple[Pending, vectors.Vector | None]] = [
                (Pending("note", _note(connection, texts, number, count, now), "self", 1), row)
                for number, row in zip(numbers, rows, strict=True)
            ]
            vectors.put(connection, embedder.fingerprint, items)
            connection.execute("COMMIT")
        _link(connection, count, link_count, now)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return time.perf_counter() - began


def _note(connection: Connection, texts: Speech, number: int, count: int, now: int) -> int:
    chinese = number % CHINESE_EVERY == 0
    text = texts.message(chinese=chinese)
    whole = born(fitting(text, NoteKind.EPISODIC).elements, 0, Fading())
    at = now - (count - number) * _SPACING_MS
    new = NewNote(NoteKind.EPISODIC, text, at, now, 0, _GRACE_MS, importance=0.5, elements=whole)
    return note_writes.insert(connection, new)


def _link(connection: Connection, count: int, link_count: int, now: int) -> None:
    """Join notes by associations; the square of an even chance makes hubs of the first few."""
    random = np.random.default_rng(11)
    pairs: dict[tuple[int, int], float] = {}
    while len(pairs) < link_count:
        one, other = int(random.integers(count)) + 1, int(count * random.random() ** 2) + 1
        if one != other:
            pairs[min(one, other), max(one, other)] = float(random.uniform(0.06, 0.8))
    connection.execute("BEGIN IMMEDIATE")
    for (src, dst), strength in pairs.items():
        trace = Trace(strength, 0, _STABILITY_MS)
        due = trace.crossing_ms(0.05)
        link_rows.insert(connection, NewLink(src, dst, LinkKind.ASSOCIATION, LinkOrigin.HEBB, trace, due, now))
    connection.execute("COMMIT")
