"""A mind's file of the present schema, without a daemon: for tests of what reads and writes its rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.driver import Connection


@contextmanager
def mind_file(path: Path) -> Iterator[Connection]:
    """The writer's connection to a new file."""
    with closing(driver.writer(path)()) as connection:
        migrations.migrate(connection, path, "mind")
        yield connection
