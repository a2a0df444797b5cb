"""What the whole suite shares: a daemon for each file that wants one, and a record of the events its daemons emitted.

Of the catalogue of events none may be left out.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import re
import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

import warm_start
from daemon_fixture import daemon_process
from household import START, Home
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint
from soulmem.core.regex import lazy_regex
from soulmem.ops.process import pattern_cache
from warm_start import WARM

RECORD = "SOULMEM_EVENT_RECORD"
CATALOGUE = Path(__file__).parents[1] / "schemas" / "events.json"
UNSEEN: dict[str, str] = {
    "invariant_broken": "it may never be seen; the bus is tried with it in test_events",
    "accept_paused": "descriptors run out in the process that serves; tried with a real listener in test_server",
    "library_log": "no library has anything to complain of; tried in test_logging",
    "log_suppressed": "the bus is tried with it in test_events",
    "request_failed": "a fault of ours; tried with a handler that crashes in test_server",
}


_MEMORY = Path("/dev/shm")  # where files lie in memory: what waits for a disk there shows nothing that a test asks for
_ENOUGH_BYTES = 6 << 30  # free in it; a run needs the half at the most
_ROOM_BYTES = 40  # of the 107 that a socket's path may have, for the temporary directory itself
_NAME_LENGTH = 8  # of a test's own directory in it

# How many examples a property is tried on at the most; not set: as many as it says itself.
EXAMPLES = int(os.environ.get("SOULMEM_TEST_EXAMPLES", "0"))
# How long one case takes says more of the machine than of the code; the whole run has its timeout.
settings.register_profile("house", deadline=None)
settings.load_profile("house")


def pytest_configure(config: pytest.Config) -> None:
    os.environ.setdefault(WARM, warm_start.ALONE)
    pattern_cache.load()
    gc.disable()  # what is collected is kept: to look through it again and again takes a quarter of the collection
    if "TMPDIR" not in os.environ and _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ENOUGH_BYTES:
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)
    if len(os.fsencode(tempfile.gettempdir())) > _ROOM_BYTES:
        os.environ["TMPDIR"] = tempfile.tempdir = "/tmp"
    if RECORD not in os.environ:
        handle, path = tempfile.mkstemp(prefix="soulmem-events-")
        os.close(handle)
        os.environ[RECORD] = path
        config.stash[_OWN] = Path(path)
    if not _is_one_of_many(config) and getattr(config.option, "numprocesses", None):
        nursery = contextlib.ExitStack()
        nursery.enter_context(warm_start.shared(at_once=_is_whole(config)))  # while the tests are collected
        config.add_cleanup(nursery.close)


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.freeze()  # what is collected stays until the end
    gc.enable()
    if session.config.option.collectonly:  # once for all processes that will run them
        lazy_regex.compile_all()
        pattern_cache.save()


_FAILED = pytest.StashKey[bool]()
_OWN = pytest.StashKey[Path]()
_MISSING = pytest.StashKey[list[str]]()


def pytest_itemcollected(item: pytest.Item) -> None:
    run = getattr(item, "obj", None)
    own = getattr(run, "_hypothesis_internal_use_settings", None)  # as Hypothesis' own plugin reads and sets it
    if EXAMPLES and run is not None and own is not None:
        run._hypothesis_internal_use_settings = settings(own, max_examples=min(EXAMPLES, own.max_examples))
    machine = getattr(getattr(item, "cls", None), "settings", None)  # of a machine that goes from state to state
    if EXAMPLES and isinstance(machine, settings):
        item.cls.settings = settings(machine, max_examples=min(EXAMPLES, machine.max_examples))  # type: ignore[attr-defined]


# The files that take longest, as `pytest --durations` tells: were one the last, all processes would wait for it.
LONGEST = (
    "test_embed_e5", "test_same_history", "test_model", "test_watchdog", "test_under_systemd",
    "test_llm_misbehaviour", "test_proxy_memory", "test_sharing", "test_proxy_history", "test_mind_export",
    "test_embed_multilingual", "test_embed_minilm", "test_hidden_twin", "test_reflections_by_model",
    "test_guided_recalls", "test_kill_digestion", "test_files_changed", "test_power_lives", "test_pattern_cost",
    "test_storage_maintenance", "test_deliberation", "test_troubled_pings", "test_restore", "test_currency",
    "test_stop", "test_hostile_files", "test_grace", "test_rehearsed_by_whom", "test_preemption", "test_underway",
    "test_merging", "test_reflections", "test_deleted_everywhere", "test_gate_loop", "test_log", "test_retold",
    "test_reflections_hidden", "test_tui", "test_time_answers", "test_mem0_scopes", "test_profiles",
    "test_kill_reflecting", "test_remembering_anew", "test_http_bounds", "test_kill", "test_storage_damage",
    "test_messages", "test_mcp_hostile", "test_small_model", "test_import", "test_filled_by_reply",
    "test_clock_amid_load", "test_shelving", "test_sillytavern", "test_viewer_access", "test_quarantine",
    "test_judge_relations", "test_failed_writes", "test_archive_reach", "test_years", "test_learned_judgement",
    "test_idle", "test_replies_bounded", "test_answering_benchmark", "test_slow_senders", "test_mem0_memory",
    "test_vectors", "test_association", "test_deleted_bytes", "test_foreign_imports", "test_sent_again",
    "test_proxy_failing", "test_soak", "test_coactivation", "test_llm_waiting", "test_log_cut", "test_http_events",
    "test_logs_explained", "test_hostile_pings", "test_rest", "test_named", "test_kill_migration",
    "test_currency_undone", "test_power", "test_deleted_lives", "test_messages_survive", "test_hidden_common",
    "test_e5_encoder", "test_stream", "test_rights_changed", "test_clock_amid_upgrade", "test_proxy_passing",
    "test_wrong_clock", "test_whole", "test_recall_context", "test_backup", "test_asked_to_forget", "test_upgrades",
    "test_mcp_tools", "test_cli_demo", "test_pattern_cache", "test_minds_let_go", "test_judged_afterwards",
    "test_event_days", "test_hidden", "test_kill_plans", "test_every_message", "test_association_edges",
    "test_linear_time", "test_deleted_meanwhile", "test_storage_faults", "test_schedule", "test_crowded_server",
    "test_recall", "test_kill_shelving", "test_deleted", "test_crowded_recalls", "test_descriptors", "test_vector",
    "test_minds_unreadable", "test_cli", "test_signs", "test_llm_endpoint", "test_proxy_command",
    "test_event_catalogue", "test_client_budgets", "test_nothing_known", "test_server", "test_cli_minds",
    "test_troubles_together", "test_extractive_statements", "test_fading_facts", "test_kill_feedback",
    "test_fading", "test_time", "test_standing_wishes", "test_model_settings", "test_cli_forgetting",
    "test_sharing_on_disk", "test_kill_upgrade", "test_benchmark_year", "test_thousand_clients",
    "test_clock_suspected", "test_read_only", "test_left_out", "test_mem0_async", "test_reply_echoes",
    "test_heard_in", "test_time_amid_talk", "test_mcp_reading", "test_recall_unchanged", "test_echoed_question",
    "test_no_trace", "test_kill_merging", "test_mem0_model", "test_mcp_graph", "test_start_refusals",
    "test_keys_and_clock",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.stem, len(places)))


@pytest.fixture(autouse=True)
def _only_daemons_are_recorded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event bus made inside a unit test proves nothing about the daemon."""
    if {"unit", "contract"} & set(request.path.parts):
        monkeypatch.delenv(RECORD, raising=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[_FAILED] = item.stash.get(_FAILED, False) or report.failed
    return report


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A test's own directory, short enough for a socket some way below it; one that failed leaves it."""
    name = request.node.originalname.removeprefix("test_") if hasattr(request.node, "originalname") else "t"
    directory = tmp_path_factory.mktemp(re.sub(r"[^a-z0-9]", "", name.lower())[:_NAME_LENGTH])
    yield directory
    if not request.node.stash.get(_FAILED, False):
        shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="module")
def home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A daemon for the tests of a file, on a clock that stands at `START`."""
    with daemon_process(tmp_path_factory.mktemp(request.path.stem[5:9]), "--simulated-clock", START) as daemon:
        yield Home(daemon)


@pytest.fixture
def house(home: Home) -> Iterator[Home]:
    """The daemon of the file without minds of former tests, where time passes: they would have to live through it."""
    made = home.made
    yield home
    home.leave(made)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[ScriptedEndpoint]:
    """A language model's endpoint for the tests of a file."""
    with scripted_endpoint() as running:
        yield running


def _is_whole(config: pytest.Config) -> bool:
    chosen = config.getoption("keyword") or config.getoption("lf", False) or config.getoption("deselect", None)
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not chosen and not _is_one_of_many(config)


def _is_one_of_many(config: pytest.Config) -> bool:
    """Whether this process runs a share of the tests for another one, which alone knows that all have run."""
    return hasattr(config, "workerinput")


def _never_emitted() -> list[str]:
    events = json.loads(CATALOGUE.read_text(encoding="utf-8"))["events"]
    seen = set(Path(os.environ[RECORD]).read_text(encoding="utf-8").split())
    return [name for name, entry in events.items() if not entry.get("reserved") and name not in seen | UNSEEN.keys()]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """After a whole and green run, an event that no daemon of it emitted fails the run."""
    config = session.config
    missing = _never_emitted() if RECORD in os.environ and Path(os.environ[RECORD]).exists() else []
    if _is_whole(config) or os.environ.get("SOULMEM_SHOW_EVENTS"):
        config.stash[_MISSING] = missing
    if missing and _is_whole(config) and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for name in config.stash.get(_MISSING, []):
        terminalreporter.write_line(f"catalogued, but no test made a daemon emit it: {name}", red=True)


def pytest_unconfigure(config: pytest.Config) -> None:
    own = config.stash.get(_OWN, None)
    if own is not None:
        own.unlink(missing_ok=True)
        os.environ.pop(RECORD, None)
