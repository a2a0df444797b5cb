"""Mem0's own tests of behaviour and the examples of its pages, against a daemon: `MEM0_SOURCES=<its checkout>`.

Without the folder nothing is run. What looks inside Mem0 (its mocked stores and models) tests nothing here, and is told
in `docs/mem0.md`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from daemon_fixture import Daemon
from mem0_peers import SOURCES, blocks_of, in_place_of_mem0, run_page, run_test, their_tests
from soulmem.mem0 import Memory

pytestmark = pytest.mark.skipif(not SOURCES, reason="MEM0_SOURCES names no checkout of Mem0")
Make = Callable[[], Memory]

PASS = {
    "test_main.py": """
        TestEntityIdValidation.test_search_rejects_whitespace_only_user_id
        TestEntityIdValidation.test_search_rejects_internal_whitespace_user_id
        TestEntityIdValidation.test_search_rejects_tab_in_user_id
        TestEntityIdValidation.test_get_all_rejects_whitespace_only_user_id
        TestEntityIdValidation.test_get_all_rejects_internal_whitespace_user_id
        TestEntityIdValidation.test_add_rejects_whitespace_only_user_id
        TestEntityIdValidation.test_add_rejects_internal_whitespace_user_id
        TestEntityIdValidation.test_delete_all_rejects_whitespace_only_user_id
        TestEntityIdValidation.test_delete_all_rejects_internal_whitespace_user_id
        TestSearchParamValidation.test_search_rejects_empty_query
        TestSearchParamValidation.test_search_rejects_threshold_above_1
        TestSearchParamValidation.test_search_rejects_negative_threshold
        TestSearchParamValidation.test_search_rejects_negative_top_k
        TestSearchParamValidation.test_get_all_rejects_negative_top_k
    """.split(),
    "test_memory.py": """
        test_delete_nonexistent_memory_raises_error
        test_async_delete_nonexistent_memory_raises_error
    """.split(),
}
DIFFER = {"test_memory.py": ["test_search_rejects_user_id_kwarg", "test_get_all_rejects_user_id_kwarg"]}
# page -> places of examples that cannot run: of the hosted platform, of an id that is a stand-in, or of FastAPI
PAGES: dict[str, set[int]] = {
    "README.md": set(),
    "docs/core-concepts/memory-types.mdx": set(),
    "docs/open-source/python-quickstart.mdx": set(),
    "docs/open-source/features/metadata-filtering.mdx": set(),
    "docs/open-source/features/async-memory.mdx": {4, 8},
    "docs/core-concepts/memory-operations/add.mdx": {0, 1},
    "docs/core-concepts/memory-operations/search.mdx": {0, 1, 4, 6, 7},
    "docs/core-concepts/memory-operations/update.mdx": {0, 1, 2},
    "docs/core-concepts/memory-operations/delete.mdx": {0, 1, 2, 3, 4},
}


@pytest.fixture
def made(daemon: Daemon, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Makes memories, each with a mind of its own."""
    monkeypatch.setenv("SOULMEM_SOCKET", str(daemon.socket))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    name = hashlib.sha256(request.node.name.encode()).hexdigest()[:20]
    count, opened = 0, list[Memory]()

    def make() -> Memory:
        nonlocal count
        count += 1
        opened.append(Memory({"soulmem": {"mind": f"{name}-{count}", "socket": str(daemon.socket)}}))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


@pytest.mark.parametrize(("file", "name"), [(file, name) for file, names in PASS.items() for name in names])
def test_their_test_of_behaviour_passes(file: str, name: str, made: Make, tmp_path: Path) -> None:
    with in_place_of_mem0():
        run_test(their_tests(Path(SOURCES) / "tests" / file)[name], made, tmp_path)


@pytest.mark.parametrize(("file", "name"), [(file, name) for file, names in DIFFER.items() for name in names])
def test_ids_beside_the_query_are_taken_though_theirs_refuse_them(
    file: str, name: str, made: Make, tmp_path: Path
) -> None:
    with in_place_of_mem0(), pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        run_test(their_tests(Path(SOURCES) / "tests" / file)[name], made, tmp_path)


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_their_pages_run(page: str, made: Make) -> None:
    with in_place_of_mem0():
        wrong = run_page(Path(SOURCES) / page, made)
    assert set(wrong) == PAGES[page], wrong
    assert len(wrong) < len(blocks_of(Path(SOURCES) / page)) or PAGES[page]
