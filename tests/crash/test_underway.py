"""What has no job of its own and the daemon dies of twice is set aside: all that works in the background, and the
opening of a mind.
"""

from __future__ import annotations

import errno
import json
import os
import random
import re
import shutil
import signal
import tempfile
import time
from pathlib import Path

import pytest

import soulmem
from checking import checking
from daemon_fixture import Daemon, daemon_process
from scripted_endpoint import scripted_endpoint
from shell import Shell
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


def test_who_is_killed_while_it_is_written_leaves_a_record_that_can_be_read(tmp_path: Path) -> None:
    """What is set aside is known after every death, however the work on it grew and shrank."""
    for _ in range(MOST_DEATHS):
        _died(tmp_path, "mira", "embed", ("note.1.self",))
    chance = random.Random(3)
    for _ in range(300 if "SOULMEM_TORTURE" in os.environ else 40):
        child = os.fork()
        if not child:
            found = UnderwayFile(tmp_path)
            while True:
                with found.at("luna", "embed", [f"message.{number}.self" for number in range(40)]):
                    pass
        time.sleep(chance.uniform(0.001, 0.006))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        found = UnderwayFile(tmp_path)
        assert ("embed", "note.1.self") in found.aside("mira")
        found.release("luna")
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


# What has no job of its own and is counted, with an item of it where it works on several.
KINDS = [("embed", "note.1.self"), ("index", "1"), ("shelve", ""), ("erase", ""), ("recollect", ""), ("recall", "1"),
         ("open", "")]  # fmt: skip


def test_the_kinds_that_are_counted_are_these() -> None:
    """Whoever counts another one adds it to the kinds, and it is listed and let out like them."""
    code = "\n".join(path.read_text("utf-8") for path in Path(soulmem.__file__).parent.rglob("*.py"))
    counted = set(re.findall(r'underway\.at\(\s*[\w.]+, "(\w+)"', code))
    guarded = re.search(r"StepGuard\(memory\.name, world, step\) for step in \(([^)]*)\)", code)
    assert guarded
    assert counted | set(re.findall(r"\w+", guarded[1])) == {step for step, _ in KINDS}


@pytest.mark.parametrize(("step", "item"), KINDS)
def test_what_is_set_aside_is_listed_told_and_tried_again(tmp_path: Path, step: str, item: str) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.say("mira", "My sister Ines lives in Ghent. 我妹妹住在成都。", recall=True)
        api.note("mira", "The bread is in the blue box. 面包在蓝盒子里。")
        api.settle("mira")
    _dead_over(tmp_path, step, item)
    called = f"{step} {item}".strip()
    with daemon_process(tmp_path, name="after") as daemon:
        shell, api = Shell(daemon.socket, tmp_path), checking(daemon)
        (line,) = api.call("mind.list")["items"]
        assert line["quarantined"] == 1
        assert "1 set aside" in shell("status").stdout
        assert "1 step set aside: the daemon died over it" in shell("doctor", code=None).stdout
        (row,) = [job for job in api.jobs("mira") if job["state"] == "quarantined"]
        assert (row["id"], row["step"], row["attempts"]) == (called, step, MOST_DEATHS)
        assert "--retry" in row["error"]
        shown = shell("jobs", "--mind", "mira").stdout
        assert called in shown
        assert "quarantined" in shown
        assert api.call("mind.list")["items"][0]["quarantined"] == 1, "to look at it is not to try it"
        others = api.call("job.retry", mind="mira", ids=["j0", "embed note.99.self"])["retried"]
        assert others == (["open"] if step == "open" else []), "whatever is asked of a mind opens it"
        if step != "open":
            assert f"to be tried again: {called}" in shell("jobs", "--mind", "mira", "--retry").stdout
        api.settle("mira")
        assert not [job for job in api.jobs("mira") if job["state"] == "quarantined"]
        assert api.call("mind.list")["items"][0]["quarantined"] == 0


def test_a_mind_over_whose_opening_the_daemon_died_is_opened_by_retry_and_not_by_looking(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        checking(daemon).say("mira", "hello there 你好")
    _dead_over(tmp_path, "open")
    with daemon_process(tmp_path, name="after") as daemon:
        shell = Shell(daemon.socket, tmp_path)
        assert "open" in shell("jobs", "--mind", "mira").stdout
        assert not daemon.events("mind_opened")
        assert "to be tried again: open" in shell("jobs", "--mind", "mira", "--retry").stdout
        assert daemon.events("mind_opened")


def test_what_is_set_aside_goes_from_page_to_page(tmp_path: Path) -> None:
    """In front of the steps of digestion, and each is named to be let out alone."""
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.say("mira", "My sister Ines lives in Ghent.")
        api.call("idle.run", mind="mira")
    items = [f"note.{number}.self" for number in range(1, 6)]
    for item in items:
        _dead_over(tmp_path, "embed", item)
    with daemon_process(tmp_path, name="after") as daemon:
        api = checking(daemon)
        pages, cursor = [], None
        while not pages or cursor:
            page = api.call("job.list", mind="mira", limit=2, **({"cursor": cursor} if cursor else {}))
            assert len(page["items"]) <= 2
            pages.append([job["id"] for job in page["items"]])
            cursor = page["next_cursor"]
        listed = [each for page in pages for each in page]
        assert listed[:5] == [f"embed {item}" for item in items]
        assert len(listed) == len(set(listed)) > 10
        assert api.call("job.retry", mind="mira", ids=["embed note.4.self"])["retried"] == ["embed note.4.self"]
        assert api.status("mira")["quarantined"] == 4


def test_a_recall_that_was_set_aside_is_run_when_it_is_tried_again(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.note("mira", "Ines lives in Ghent. 伊内斯住在根特。")
        api.say("mira", "Where does Ines live? 伊内斯住在哪里？")
        api.settle("mira")
    path = tmp_path / "state" / "minds" / "mira.db"
    connection = driver.writer(path)()
    (recall,) = connection.execute("SELECT id FROM recall").fetchone()
    connection.execute("DELETE FROM recall_hit")
    connection.execute("UPDATE recall SET state = 'pending'")
    connection.close()
    _dead_over(tmp_path, "recall", str(recall))
    with daemon_process(tmp_path, name="after") as daemon:
        api = checking(daemon)
        api.until(lambda: _told(daemon) == [("mira", "recall")], "told")
        assert api.call("job.retry", mind="mira") == {"retried": [f"recall {recall}"]}
        api.settle("mira")
    connection = driver.writer(path)()
    assert connection.execute("SELECT state FROM recall").fetchone() == ("done",)
    assert connection.execute("SELECT count(*) FROM recall_hit").fetchone()[0], "it brings to mind what it would have"
    connection.close()


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
