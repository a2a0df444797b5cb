"""The mean vector of each item is the same however many there are, read one by one or as a whole table in parts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from soulmem.store.index import vectors
from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.driver import Connection

FINGERPRINT, DIMENSION = "f0", 3
KINDS, VARIANTS = ("note", "message"), ("self", "context")
held = st.sets(st.tuples(st.sampled_from(KINDS), st.integers(1, 9), st.sampled_from(VARIANTS)), max_size=20)
asked = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(1, 9)), unique=True, max_size=12)


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    path: Path = tmp_path_factory.mktemp("v") / "a.db"
    opened = driver.writer(path)()
    migrations.migrate(opened, path, "mind")
    yield opened
    opened.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(held, asked, st.booleans(), st.integers(1, 5), st.randoms(use_true_random=False))
def test_means_of_a_few_and_of_a_whole_table(
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
    held: set[tuple[str, int, str]],
    asked: list[tuple[str, int]],
    few: bool,
    part: int,
    chance: np.random.Generator,
) -> None:
    monkeypatch.setattr(vectors, "FEW_ITEMS", 99 if few else -1)
    monkeypatch.setattr(vectors, "_PART", part)
    connection.execute("DELETE FROM vector")
    rows = {key: np.array([chance.random() for _ in range(DIMENSION)], dtype=np.float32) for key in sorted(held)}
    order = list(rows)
    chance.shuffle(order)
    connection.executemany(
        "INSERT INTO vector (kind, item, variant, fingerprint, data) VALUES (?, ?, ?, ?, ?)",
        [(*key, FINGERPRINT, rows[key].tobytes()) for key in order],
    )
    means, seen = vectors.means(connection, FINGERPRINT, {item: place for place, item in enumerate(asked)})
    wanted = [[rows[(*item, variant)] for variant in VARIANTS if (*item, variant) in rows] for item in asked]
    if not any(wanted):
        assert (means, seen) == (None, None)
        return
    assert means is not None
    assert seen is not None
    assert seen.tolist() == [bool(each) for each in wanted]
    expected = [np.mean(each, axis=0) if each else np.zeros(DIMENSION) for each in wanted]
    assert np.allclose(means, expected, atol=1e-6)
