"""What recurs is concluded while a mind digests, rests on its notes, and follows what becomes of them."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from recurring_weeks import CONCLUDED, LESS, START, WEEKS, LivedWeeks, live, reflections
from soulmem.store.session.verify import damages
from soulmem.store.sqlite import driver

EARLY = {"reflection.threshold": 30.0}  # a few weeks of one message a day are enough


Lived = Callable[[str], tuple[Daemon, str]]


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> LivedWeeks:
    return LivedWeeks(tmp_path_factory.mktemp("weeks"), EARLY)


@pytest.fixture
def lived(weeks: LivedWeeks, tmp_path: Path) -> Iterator[Lived]:
    """A daemon whose mind lived the weeks of a language, and its name."""
    with contextlib.ExitStack() as running:
        yield lambda language: running.enter_context(weeks.daemon(tmp_path, language))


def file_of(daemon: Daemon, mind: str) -> Path:
    return daemon.state / "minds" / f"{mind}.db"


def asked(daemon: Daemon, mind: str, query: str, **more: Any) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = daemon.call("recall", {"mind": mind, "query": query, "record": False, **more})[
        "items"
    ]
    return items


@pytest.mark.parametrize("language", WEEKS)
def test_what_recurs_is_concluded_and_rests_on_its_notes(lived: Lived, language: str) -> None:
    house, mind = lived(language)
    (found,) = [each for each in reflections(house, mind) if each["text"] == CONCLUDED[language]]
    assert (found["depth"], found["stale"], found["by"]) == (1, False, "statistics")
    assert len(found["evidence"]) == 5
    for each in found["evidence"]:
        note = house.call("note.get", {"mind": mind, "id": each["id"]})["note"]
        assert note["kind"] != "reflection"
        assert note["text"] == each["quote"]
    assert house.call("note.get", {"mind": mind, "id": found["id"]})["note"]["kind"] == "reflection"
    assert len(reflections(house, mind)) <= 4
    assert damages(file_of(house, mind)) == []


@pytest.mark.parametrize(
    ("language", "recurring", "fact", "answer"),
    [
        ("en", "How often did I go climbing lately?", "What is my dentist called?", "Ames"),
        ("zh", "我最近多久打一次羽毛球？", "我的牙医姓什么？", "艾"),
    ],
)
def test_a_reflection_answers_what_recurs_and_never_stands_before_a_fact(
    lived: Lived, language: str, recurring: str, fact: str, answer: str
) -> None:
    house, mind = lived(language)
    (concluded,) = [each["id"] for each in reflections(house, mind) if each["text"] == CONCLUDED[language]]
    found = asked(house, mind, recurring, k=5, min_score=0)
    assert concluded in [each["id"] for each in found]
    assert {each["kind"] for each in found if each["id"] == concluded} == {"reflection"}
    for query in (fact, WEEKS[language][4], "Who did Tom climb with on 7 May?", "5月7日我和谁打羽毛球？"):
        items = asked(house, mind, query, k=5)
        if query == fact:
            assert answer in items[0]["text"]
        if query.endswith(("?", "？")) and items:
            assert items[0]["kind"] != "reflection", query
    only = asked(house, mind, WEEKS[language][4], k=5, kinds=["reflection"])
    assert concluded in [each["id"] for each in only]
    assert {each["kind"] for each in only} == {"reflection"}


def test_a_mind_that_is_told_not_to_concludes_nothing(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as house:
        settings = EARLY | {"reflection.enabled": False}
        house.call("mind.create", {"mind": "m", "profile": "assistant", "settings": settings})
        live(house, "m", "en")
        house.call("idle.run", {"mind": "m"})
        assert reflections(house, "m") == []
        assert not [
            job for job in house.call("job.list", {"mind": "m", "limit": 500})["items"] if job["step"] == "reflect"
        ]


@pytest.mark.parametrize("language", LESS)
def test_what_rests_on_a_forgotten_note_is_marked_and_made_anew(lived: Lived, language: str) -> None:
    house, mind = lived(language)
    (before,) = [each for each in reflections(house, mind) if each["text"] == CONCLUDED[language]]
    forgotten = before["evidence"][1]["id"]
    house.call("note.forget", {"mind": mind, "id": forgotten})
    (marked,) = [each for each in reflections(house, mind) if each["id"] == before["id"]]
    assert marked["stale"]
    assert before["id"] not in [each["id"] for each in asked(house, mind, WEEKS[language][4], kinds=["reflection"])]
    assert damages(file_of(house, mind)) == []
    house.call("idle.run", {"mind": mind})
    (after,) = [each for each in reflections(house, mind) if each["id"] == before["id"]]
    assert (after["text"], after["stale"]) == (LESS[language], False)
    assert forgotten not in [each["id"] for each in after["evidence"]]
    assert damages(file_of(house, mind)) == []
    for each in after["evidence"][:2]:
        house.call("note.forget", {"mind": mind, "id": each["id"]})
    house.call("idle.run", {"mind": mind})
    assert before["id"] not in [each["id"] for each in reflections(house, mind)], "two days are no habit"
    assert damages(file_of(house, mind)) == []


def test_what_rests_on_a_corrected_message_is_made_anew(lived: Lived) -> None:
    house, mind = lived("en")
    (before,) = [each for each in reflections(house, mind) if each["text"] == CONCLUDED["en"]]
    said = {"mind": mind, "conversation": "main", "id": "d15"}
    house.call("message.update", {**said, "content": "I went swimming with Jo, and we had soup afterwards."})
    assert CONCLUDED["en"] not in [each["text"] for each in reflections(house, mind) if not each["stale"]]
    house.call("idle.run", {"mind": mind})
    texts = [each["text"] for each in reflections(house, mind)]
    assert "Between 3 and 14 May 2026 Anna went climbing four times, mostly with Tom." in texts, texts
    assert not any(each["stale"] for each in reflections(house, mind))
    assert before["text"] not in texts
    assert damages(file_of(house, mind)) == []


@pytest.mark.parametrize("language", LESS)
def test_what_rests_on_a_deleted_message_goes_with_its_words(lived: Lived, language: str) -> None:
    """The last day is told by the deleted message alone: no byte of the text that names it is left."""
    house, mind = lived(language)
    (before,) = [each for each in reflections(house, mind) if each["text"] == CONCLUDED[language]]
    done = house.call("message.delete", {"mind": mind, "conversation": "main", "id": "d15"})
    assert done["erased"]
    texts = [each["text"] for each in reflections(house, mind)]
    assert CONCLUDED[language] not in texts
    for path in file_of(house, mind).parent.glob(f"{mind}.db*"):
        assert CONCLUDED[language].encode() not in path.read_bytes(), path
    house.call("idle.run", {"mind": mind})
    anew = [each["text"] for each in reflections(house, mind)]
    assert any(("14" in text and "four" in text) or ("14日" in text and "四次" in text) for text in anew), anew
    assert before["id"] not in [each["id"] for each in reflections(house, mind)]
    assert damages(file_of(house, mind)) == []


def test_what_somebody_deletes_is_not_concluded_again(lived: Lived) -> None:
    house, mind = lived("en")
    (before,) = [each for each in reflections(house, mind) if each["text"] == CONCLUDED["en"]]
    house.call("note.purge", {"mind": mind, "id": before["id"]})
    for each in before["evidence"]:
        assert house.call("note.get", {"mind": mind, "id": each["id"]})["note"]["lifecycle"] != "forgotten"
    live(house, mind, "zh", conversation="other")
    house.call("idle.run", {"mind": mind})
    assert not [each["text"] for each in reflections(house, mind) if "climbing" in each["text"]]
    assert damages(file_of(house, mind)) == []


def test_a_mind_that_moves_takes_along_what_it_concluded(lived: Lived) -> None:
    """As lines of text: the same reflections on the same notes, and as much noted since the last run."""
    house, mind = lived("zh")
    client, lines, cursor = house.client(timeout=600), "", None
    while True:
        page = client.export_mind(mind, cursor=cursor)
        lines, cursor = lines + page["text"], page.get("next_cursor")
        if cursor is None:
            break
    client.import_mind("moved", lines, end=True)
    same = [(each["id"], each["text"], each["evidence"], each["depth"]) for each in reflections(house, mind)]
    assert same
    assert [(each["id"], each["text"], each["evidence"], each["depth"]) for each in reflections(house, "moved")] == same
    jobs = len(house.call("job.list", {"mind": "moved", "limit": 500})["items"])
    house.call("idle.run", {"mind": "moved"})
    steps = [job["step"] for job in house.call("job.list", {"mind": "moved", "limit": 500})["items"][jobs:]]
    assert "reflect" not in steps, "nothing was noted since"
    assert damages(file_of(house, "moved")) == []


@pytest.mark.parametrize("language", LESS)
def test_people_read_what_was_concluded_and_on_what_it_rests(lived: Lived, language: str) -> None:
    house, mind = lived(language)
    command = [sys.executable, "-m", "soulmem", "--socket", str(house.socket), "--mind", mind, "reflections"]
    plain = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert CONCLUDED[language] in plain
    full = subprocess.run([*command, "--evidence"], capture_output=True, text=True, check=True).stdout
    (found,) = [each for each in reflections(house, mind) if each["text"] == CONCLUDED[language]]
    assert all(f"{each['id']}  {each['quote']}" in full for each in found["evidence"])
    house.call("note.forget", {"mind": mind, "id": found["evidence"][0]["id"]})
    assert "(to be made anew)" in subprocess.run(command, capture_output=True, text=True, check=True).stdout
    stream = asked(house, mind, WEEKS[language][0], ranking="stream", k=50, min_score=0)
    assert found["id"] not in [each["id"] for each in stream]


SPOILT = {
    "UPDATE reflection SET depth = 3": "one deeper",
    "UPDATE evidence SET version = version + 1": "is not as it was",
    "DELETE FROM evidence": "rests on nothing",
    "DELETE FROM reflection_home": "was not heard where",
    "UPDATE note SET lifecycle = 'forgotten' WHERE id IN (SELECT note FROM evidence)": "is not as it was",
}


def test_the_doctor_finds_what_does_not_rest_on_what_it_says(weeks: LivedWeeks, tmp_path: Path) -> None:
    with weeks.daemon(tmp_path, "en") as (daemon, mind):
        whole = file_of(daemon, mind)
    assert damages(whole) == []
    for number, (change, told) in enumerate(SPOILT.items()):
        spoilt = tmp_path / f"spoilt{number}.db"
        shutil.copyfile(whole, spoilt)
        connection = driver.writer(spoilt)()
        connection.execute(change)
        connection.close()
        assert any(told in line for line in damages(spoilt)), (change, damages(spoilt))
