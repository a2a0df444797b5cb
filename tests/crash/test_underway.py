"""What has no job of its own and the daemon dies of twice is set aside: all that works in the background, and the
opening of a mind.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
import time
from pathlib import Path

import pytest

from checking import checking
from daemon_fixture import Daemon, daemon_process
from scripted_endpoint import scripted_endpoint
from slowness import within
from soulmem.store.index import fts
from soulmem.store.journal import work_in_progress
from soulmem.store.journal.step_quarantine import MOST_DEATHS
from soulmem.store.journal.work_in_progress import UnderwayFile
from soulmem.store.sqlite import driver

pytestmark = pytest.mark.usefixtures("warm_starts")


def _died(state: Path, mind: str, step: str, items: tuple[str, ...]) -> None:
    """A daemon that ends without a word amid its work: nothing tidies up behind it."""
    found = UnderwayFile(state)
    work = found.at(mind, step, items)
    work.__enter__()
    kept = (state / work_in_progress.NAME).read_bytes()
    work.__exit__(None, None, None)
    found.close()
    (state / work_in_progress.NAME).write_bytes(kept)


def test_deaths_are_counted_until_the_work_ends_in_order(tmp_path: Path) -> None:
    for death in range(MOST_DEATHS):
        found = UnderwayFile(tmp_path)
        assert found.deaths("mira", "embed", "m.1") == death
        assert not found.is_set_aside("mira", "embed", "m.1")
        found.close()
        _died(tmp_path, "mira", "embed", ("m.1", "m.2"))
    found = UnderwayFile(tmp_path)
    assert found.is_set_aside("mira", "embed", "m.1")
    assert not found.is_set_aside("luna", "embed", "m.1")
    with pytest.raises(ValueError, match="fails"), found.at("mira", "embed", ["m.2"]):
        raise ValueError("fails, in order")
    assert found.deaths("mira", "embed", "m.2") == 0
    found.release("mira")
    assert found.deaths("mira", "embed", "m.1") == 0
    found.close()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"now": 1, "deaths": 2}', os.urandom(300)])
def test_a_record_that_cannot_be_read_counts_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / work_in_progress.NAME).write_bytes(content)
    found = UnderwayFile(tmp_path)
    with found.at("mira", "open"):
        assert found.deaths("mira", "open") == 0
    found.close()


def test_where_nothing_can_be_written_nothing_is_counted(tmp_path: Path) -> None:
    (tmp_path / work_in_progress.NAME).mkdir()
    found = UnderwayFile(tmp_path)
    with found.at("mira", "open"):
        pass
    with pytest.raises(OSError) as refused:  # noqa: PT011 - by its number
        (tmp_path / work_in_progress.NAME).read_bytes()
    assert refused.value.errno == errno.EISDIR


def test_a_text_over_which_the_daemon_dies_is_not_embedded_for_ever(tmp_path: Path) -> None:
    with scripted_endpoint() as endpoint:
        env = {
            "SOULMEM_EMBEDDER_NAME": "openai",
            "SOULMEM_EMBEDDER_BASE_URL": endpoint.url,
            "SOULMEM_EMBEDDER_MODEL": "tiny-embedder",
        }
        record = tmp_path / "state" / work_in_progress.NAME
        with daemon_process(tmp_path, env=env) as daemon:
            endpoint.latency_s = 30.0  # it hangs there, as over a text that is too much for a model
            daemon.call("note.add", {"mind": "mira", "kind": "lore", "text": "The poison. 毒药。"})
            deadline = time.monotonic() + within(20)
            while not (now := json.loads(record.read_bytes())["now"]) or "embed" not in now[0]:
                assert time.monotonic() < deadline, record.read_bytes()
                time.sleep(0.02)
            daemon.kill()
        assert now == ["mira/embed/note.1.self"]
        for _ in range(MOST_DEATHS - 1):
            _died(tmp_path / "state", "mira", "embed", ("note.1.self",))
        endpoint.latency_s = 0.0
        with daemon_process(tmp_path, name="after", env=env) as daemon:
            api = checking(daemon)
            api.note("mira", "The bread is in the blue box. 面包在蓝盒子里。", kind="lore")
            daemon.settle("mira")
            (told,) = daemon.events("step_quarantined")
            assert (told["mind"], told["step"], told["deaths"]) == ("mira", "embed", MOST_DEATHS)
            assert api.found("mira", "the poison 毒药"), "words find it"
            assert api.status("mira")["quarantined"] == 1
            assert api.call("job.retry", mind="mira") == {"retried": ["embed note.1.self"]}
            daemon.settle("mira")
            assert api.status("mira")["quarantined"] == 0
        connection = driver.writer(tmp_path / "state" / "minds" / "mira.db")()
        assert connection.execute("SELECT count(*) FROM vector WHERE kind = 'note' AND item = 1").fetchone()[0]
        connection.close()


def test_a_mind_over_whose_opening_the_daemon_dies_is_not_opened_at_the_start(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.say("mira", "hello there")
        api.say("luna", "hello there")
        daemon.kill()
    for _ in range(MOST_DEATHS):
        _died(tmp_path / "state", "mira", "open", ("",))
    with daemon_process(tmp_path, name="after") as daemon:
        api = checking(daemon)
        (told,) = api.until(lambda: daemon.events("step_quarantined"), "told")
        assert [each["mind"] for each in daemon.events("mind_opened")] == ["luna"]
        assert (told["mind"], told["step"]) == ("mira", "open")
        assert api.status("mira")["quarantined"] == 1
        assert api.messages("mira"), "who asks for it may have it"
        daemon.kill()
    with daemon_process(tmp_path, name="again") as daemon:
        checking(daemon).until(lambda: len(daemon.events("mind_opened")) == 2, "both: it was opened well")


def _dead_over(root: Path, step: str, item: str = "") -> None:
    for _ in range(MOST_DEATHS):
        _died(root / "state", "mira", step, (item,))


def _told(daemon: Daemon) -> list[tuple[str, str]]:
    return [(event["mind"], event["step"]) for event in daemon.events("step_quarantined")]


def test_a_message_over_which_the_daemon_dies_is_not_indexed_for_ever(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        for said in ("The poison. 毒药。", "The bread is in the blue box. 面包在蓝盒子里。"):
            api.say("mira", said)
        api.settle("mira")
    path = tmp_path / "state" / "minds" / "mira.db"
    connection = driver.writer(path)()
    for message, content in connection.execute("SELECT id, content FROM message").fetchall():
        fts.remove(connection, "message", message, content)
        connection.execute("INSERT OR IGNORE INTO search_pending (item) VALUES (?)", (message,))
    connection.close()
    _dead_over(tmp_path, "index", "1")
    env = {"SOULMEM_MEMORY_MAX_ROWS_IN_RAM": "0"}
    with daemon_process(tmp_path, name="after", env=env) as daemon:
        api = checking(daemon)
        assert api.found("mira", "the poison 毒药"), "what waits is found"
        api.until(lambda: _waiting(path) == [1], "the other is indexed")
        assert _told(daemon) == [("mira", "index")]
        assert api.status("mira")["quarantined"] == 1
        assert api.call("job.retry", mind="mira") == {"retried": ["index 1"]}
        api.until(lambda: _waiting(path) == [], "indexed")
        assert api.status("mira")["quarantined"] == 0
        assert api.found("mira", "the poison 毒药")


def _waiting(path: Path) -> list[int]:
    """What waits for the word index, in a copy: the daemon holds the file."""
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("", "-wal"):
            if Path(f"{path}{suffix}").exists():
                shutil.copy(f"{path}{suffix}", f"{folder}/copy.db{suffix}")
        connection = driver.writer(Path(folder) / "copy.db")()
        found = fts.first_waiting(connection, 10)
        connection.close()
    return found


def test_a_file_over_whose_erasing_the_daemon_dies_is_not_gone_over_for_ever(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        checking(daemon).say("mira", "The PIN is 4417. 密码是4417。", id="pin")
    _dead_over(tmp_path, "erase")
    with daemon_process(tmp_path, name="after") as daemon:
        api = checking(daemon)
        assert not api.call("message.delete", mind="mira", id="pin")["erased"]
        assert _told(daemon) == [("mira", "erase")]
        assert api.status("mira")["quarantined"] == 1
        assert not daemon.events("erasure_finished")
        assert api.call("job.retry", mind="mira") == {"retried": ["erase"]}
        api.until(lambda: daemon.events("erasure_finished"), "gone over")
        assert b"4417" not in (tmp_path / "state" / "minds" / "mira.db").read_bytes()


@pytest.mark.parametrize("step", ["shelve", "recollect"])
def test_the_rest_goes_on_without_what_is_set_aside(tmp_path: Path, step: str) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="mira", settings={"recall.digested_messages": True})
        api.say("mira", "The bread is in the blue box. 面包在蓝盒子里。")
        api.call("idle.run", mind="mira")
    _dead_over(tmp_path, step)
    with daemon_process(tmp_path, name="after") as daemon:
        api = checking(daemon)
        api.call("mind.update", mind="mira", settings={"recall.digested_messages": False})
        api.until(lambda: _told(daemon) == [("mira", step)], "told, once")
        api.say("mira", "And the tea is in the red one. 茶在红盒子里。")
        api.settle("mira")
        assert api.found("mira", "the tea 茶")
        assert api.status("mira")["quarantined"] == 1
        assert api.call("job.retry", mind="mira") == {"retried": [step]}
        api.call("idle.run", mind="mira")
        api.settle("mira")
        assert _told(daemon) == [("mira", step)]
    connection = driver.writer(tmp_path / "state" / "minds" / "mira.db")()
    assert connection.execute("SELECT min(shelved_through) FROM epoch WHERE state = 'consolidated'").fetchone()[0] > 0
    connection.close()
