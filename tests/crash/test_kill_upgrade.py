"""kill -9 while the mind of a former daemon is brought up to date: it opens afterwards with all that it held.

Each frozen mind of `tests/upgrades` is brought up to date by processes that kill themselves at one statement after
another, from the copy that is made first to the last number that is written. They are forked from one process that has
read the modules, so that hundreds of deaths take seconds.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path

import pytest

from frozen_minds import VERSIONS, schema_version, thaw, told
from soulmem.store.session import verify
from soulmem.store.sqlite import migrations
from soulmem.store.sqlite.database import Database
from spread import every

NEWEST = migrations.migrations("mind")[-1].version
# Reads lines "<path> <n>", dies in a child at the n-th statement, and says "died" or "ended".
NURSERY = """
import os, signal, sys
from pathlib import Path
from soulmem.store.sqlite import driver, migrations

def migrate(path, left):
    connection = driver.writer(path)()
    def die(_):
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    connection.set_trace_callback(die)
    migrations.migrate(connection, path, "mind")
    connection.set_trace_callback(None)
    connection.close()

for line in sys.stdin:
    path, left = line.rsplit(" ", 1)
    child = os.fork()
    if child == 0:
        migrate(Path(path), int(left))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    print({9: "died", 0: "ended"}.get(status, f"failed {status}"), flush=True)
"""


@contextmanager
def nursery() -> Iterator[Callable[[Path, int], str]]:
    """Bring a file up to date in a process that dies at its n-th statement; says whether it `died` or `ended`."""
    with subprocess.Popen(
        [sys.executable, "-c", NURSERY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def migrate(path: Path, point: int) -> str:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{path} {point}\n")
            process.stdin.flush()
            return process.stdout.readline().strip()

        yield migrate


async def outlive(version: int, folder: Path, points: list[int]) -> int:
    """Die at each of the points, open each file afterwards; how many deaths there were."""
    first = thaw(version, "mind", folder / "first.db")
    before = told(first)
    deaths = 0
    with nursery() as migrate:
        for point in points:
            place = folder / str(point)
            place.mkdir()
            path = place / "mira.db"
            shutil.copy(first, path)
            end = migrate(path, point)
            assert end in ("died", "ended")
            deaths += end == "died"
            await (await Database.open(path, schema="mind")).close()
            assert schema_version(path) == NEWEST, f"schema {version}, died at statement {point}"
            assert told(path) == before, f"schema {version}, died at statement {point}"
            assert verify.damages(path) == []
            copies = {copy.name: copy for copy in place.glob("*.before-*")}
            kept = copies.pop(f"mira.before-{version + 1:04d}.db")
            assert schema_version(kept) == version
            assert told(kept) == before
            for name, copy in copies.items():  # of one that died between two changes
                assert name == f"mira.before-{schema_version(copy) + 1:04d}.db", "and no half one beside it"
                assert told(copy) == before
            shutil.rmtree(place)
            if end == "ended":
                break
    return deaths


@pytest.mark.parametrize("version", every(2, [version for version in VERSIONS if version < NEWEST]))
async def test_a_kill_amid_an_upgrade_loses_nothing(tmp_path: Path, version: int) -> None:
    # a step that is prime to the statements of a change, so that no kind of them is passed over in all versions
    assert await outlive(version, tmp_path, list(islice(count(version, 13), 3))) >= 2


@pytest.mark.torture
@pytest.mark.parametrize("version", [version for version in VERSIONS if version < NEWEST])
async def test_a_kill_at_any_statement_of_an_upgrade_loses_nothing(tmp_path: Path, version: int) -> None:
    assert await outlive(version, tmp_path, list(islice(count(1), 1000))) > 20
