"""Recall is reconstruction: what is recalled with gaps is filled in, by the model or by the client, and stays so.

Minds live by the wall clock, so that a day is a day of forgetting; details fade, the sentences around them stay.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import Checking, checking, rows
from daemon_fixture import daemon_process
from faded_minds import LANGUAGES, PLANTED, House, block, saying
from misbehaviours import M
from scripted_answers import default_answer
from scripted_endpoint import scripted_endpoint
from soulmem.core.schema.engine_tasks import Task
from soulmem.store.session.verify import damages
from spread import every

START = "2026-03-01T08:00:00Z"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    env = {
        "SOULMEM_ENGINE_MODEL": "tiny", "SOULMEM_ENGINE_DEADLINE_S": "0.7", "SOULMEM_ENGINE_RETRIES": "0",
        "SOULMEM_EMBEDDER_NAME": "hashing",
    }  # fmt: skip
    with scripted_endpoint() as endpoint:
        env["SOULMEM_ENGINE_BASE_URL"] = endpoint.url
        with daemon_process(tmp_path_factory.mktemp("m"), "--simulated-clock", START, env=env) as daemon:
            yield House(daemon, endpoint)


@pytest.fixture(autouse=True)
def _well_behaved(request: pytest.FixtureRequest) -> Iterator[None]:
    if "house" not in request.fixturenames:
        yield
        return
    house = request.getfixturevalue("house")
    house.endpoint.misbehaviour, house.endpoint.answer = M.NONE, default_answer
    yield
    house.api.delete_minds()


# -- the model's way ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("days", "fidelity"), [(6, 0.85), (30, 0.6)], ids=["blurred", "blank"])
def test_what_the_character_fills_in_becomes_the_memory(
    house: House, language: str, days: float, fidelity: float
) -> None:
    text, quote, gist, _, said = PLANTED[language]
    mind, note = house.planted(language, days)
    assert house.endpoint is not None
    house.endpoint.answer = saying(said)
    before = house.asked()
    new = text.replace(quote, said)
    assert new not in house.text(mind, language), "who asks first gets it with its gaps"
    house.filled()
    now = house.note(mind, note)
    assert new in house.text(mind, language), "and who asks next what was made of it"
    assert house.asked() == before + 1
    prompt = str(next(r for r in reversed(house.endpoint.requests) if r.task is Task.RECONSTRUCT).body)
    assert quote not in prompt
    assert "A lamplighter" in prompt

    assert (now["text"], now["rendered"], now["state"], now["version"]) == (new, new, "rewritten", 2)
    assert now["fidelity"] == pytest.approx(fidelity)
    assert now["tags"] == ["kept"], "nor does a tag keep what is gone"
    detail = next(each for each in now["elements"] if each["level"] == 2)
    assert new[detail["start"] : detail["end"]] == said
    assert detail["opacity"] == pytest.approx(0.7 if days == 6 else 0.6, abs=0.02)
    assert detail["gist"] == (gist if days == 6 else "")
    found = house.api.call("recall", mind=mind, query=said, record=False)["items"]
    assert [item["text"] for item in found][:1] == [new], "it is found by its new words"

    told = house.api.call("note.history", mind=mind, id=note)
    assert [(each["text"], each["reason"]) for each in told["versions"]] == [(text, "reconstructed")]
    assert told["history"][-1]["action"] == "note_reconstructed"
    house.text(mind, language)
    assert house.asked() == before + 1, "nothing is left to fill"


def test_a_blank_that_was_filled_gets_a_gist_in_the_next_idle_run(house: House) -> None:
    for language in LANGUAGES:
        mind, note = house.planted(language, 30)
        assert house.endpoint is not None
        house.endpoint.answer = saying(PLANTED[language][4])
        house.retold(mind, language)
        house.api.call("idle.run", mind=mind)
        detail = next(each for each in house.note(mind, note)["elements"] if each["level"] == 2)
        assert detail["gist"]
        assert PLANTED[language][4] not in detail["gist"]


@pytest.mark.parametrize("how", ["message.add", "recall", "stream"])
def test_every_recorded_recall_fills_in(house: House, how: str) -> None:
    mind, note = house.planted("en")
    asked = PLANTED["en"][3]
    match how:
        case "message.add":
            said = house.api.call("message.add", mind=mind, role="user", content=asked, recall=True, id="q")
            shown = block(said["context"])["text"]
        case "recall":
            shown = house.api.call("recall", mind=mind, query=asked)["items"][0]["text"]
        case _:
            shown = house.api.call("recall", mind=mind, query=asked, ranking="stream")["items"][0]["text"]
    assert "some lamp" in shown
    house.filled()
    assert "some jam" in house.note(mind, note)["text"]
    assert house.note(mind, note)["version"] == 2
    if how == "message.add":
        again = house.api.call("message.add", mind=mind, role="user", content=asked, recall=True, id="q")
        assert again["duplicate"]
        assert house.note(mind, note)["version"] == 2


def test_a_look_changes_nothing_and_nobody_waits_in_the_background(house: House) -> None:
    mind, note = house.planted("en")
    before = house.asked()
    items = house.api.call("recall", mind=mind, query=PLANTED["en"][3], record=False)["items"]
    assert "some lamp" in items[0]["text"]
    house.api.call("message.add", mind=mind, role="user", content=PLANTED["en"][3])
    house.daemon.settle(mind)
    house.api.call("context.get", mind=mind)
    assert house.asked() == before
    assert house.note(mind, note)["version"] == 1


@pytest.mark.parametrize(  # what comes of each of them at once, `test_llm_misbehaviour` shows
    "did", every(3, [M.HANG, M.RESET, M.BROKEN, M.NO_JSON, M.CUT, M.SCHEMA, M.WRONG_LABELS, M.REFUSAL, M.NULL, M.HUGE])
)
def test_a_model_that_does_not_answer_well_changes_nothing(house: House, did: M) -> None:
    mind, note = house.planted("en")
    assert house.endpoint is not None
    house.endpoint.misbehaviour, before = did, house.asked()
    assert "some lamp" in house.text(mind, "en")
    house.filled()
    assert house.asked() > before
    now = house.note(mind, note)
    assert (now["version"], now["text"], now["state"]) == (1, PLANTED["en"][0], "blurred")
    assert house.api.call("note.history", mind=mind, id=note)["versions"] == []
    house.endpoint.misbehaviour = M.NONE
    assert "some jam" in house.retold(mind, "en"), "the next turn it may try again"


@pytest.mark.parametrize("words", ["x" * 60, "a <b>lamp</b>", "xxx", "line\nbreak" * 9, "▒▒▒"])
def test_words_that_do_not_fit_are_not_taken(house: House, words: str) -> None:
    mind, note = house.planted("en")
    assert house.endpoint is not None
    house.endpoint.answer, before = saying(words), house.asked()
    assert "some lamp" in house.retold(mind, "en")
    assert house.asked() > before
    assert house.note(mind, note)["version"] == 1


def test_what_the_character_does_not_remember_is_given_up(house: House) -> None:
    mind, note = house.planted("en")
    assert house.endpoint is not None
    house.endpoint.answer = saying(None)
    assert "Mira hid the xxx behind the bakery" in house.retold(mind, "en")
    now = house.note(mind, note)
    assert now["text"] == "Mira hid the  behind the bakery in the harbour."
    assert now["state"] == "blurred"
    assert "violet" not in str(now)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_model_is_shown_what_is_masked(house: House, language: str) -> None:
    mind, note = house.planted(language, 30)
    text, quote, _, asked, _ = PLANTED[language]
    assert house.endpoint is not None
    before = len(house.endpoint.requests)
    house.api.call("recall", mind=mind, query=asked, depth="deep", record=False, explain=True)
    said = {
        "en": "I met Tomas at the bakery in the harbour on Friday.",
        "zh": "我星期五在港口的面包房遇见了米拉和阿勇。",
    }
    house.api.call("message.add", mind=mind, role="user", content=said[language], conversation="two")
    house.daemon.settle(mind)
    house.api.call("idle.run", mind=mind)
    asked_of = house.endpoint.requests[before:]
    assert {Task.JUDGE, Task.LINK} <= {request.task for request in asked_of}
    assert any(text[-8:-1] in str(request.body) for request in asked_of), "of what is clear it is told"
    assert all(quote not in str(request.body) for request in asked_of)
    assert house.note(mind, note)["version"] == 1


def test_at_most_three_notes_a_turn(house: House) -> None:
    mind, _ = house.planted("en", 0)
    for place in range(5):
        text = f"Mira hid the violet lantern number {place} behind the bakery in the harbour."
        house.api.note(mind, text, elements=[{"quote": "violet lantern", "level": 2, "gist": "some lamp"}])
    house.wait(6)
    first = house.asked()
    house.api.call("recall", mind=mind, query=PLANTED["en"][3], k=10)
    house.filled()
    versions = [note["version"] for note in house.api.pages("note.list", mind=mind)]
    assert sorted(versions) == [1, 1, 1, 2, 2, 2]
    assert house.asked() == first + 1, "one call for all of them"


def test_an_edit_during_the_call_wins_and_of_two_turns_one_fills(house: House) -> None:
    mind, note = house.planted("en")
    assert house.endpoint is not None
    edited = "Mira hid the silver spoon behind the bakery in the harbour."
    with_client = house.daemon.client()

    def edit() -> None:
        with_client.call("note.update", {"mind": mind, "id": note, "text": edited})

    house.endpoint.answer = saying("rusty lamp", also=edit)
    assert edited in house.retold(mind, "en")
    assert house.note(mind, note)["text"] == edited
    assert house.note(mind, note)["version"] == 2

    mind, note = house.planted("en")
    house.endpoint.answer, house.endpoint.latency_s = saying("rusty lamp"), 0.2
    shown: list[str] = []

    def ask() -> None:
        client = house.daemon.client()
        body = client.call("context.get", {"mind": mind, "query": PLANTED["en"][3]})
        shown.append(next(each for each in body["blocks"] if each["kind"] == "notes")["text"])

    try:
        asking = [threading.Thread(target=ask) for _ in range(4)]
        for each in asking:
            each.start()
        for each in asking:
            each.join()
        house.filled()
    finally:
        house.endpoint.latency_s = 0.0
    assert house.note(mind, note)["version"] == 2, "one of them wins"
    assert len(shown) == 4
    assert all("rusty lamp" in text or "some lamp" in text for text in shown)
    assert "rusty lamp" in house.text(mind, "en")


def test_nobody_waits_for_the_model_to_fill_in(house: House) -> None:
    """The answer is there while the model still hangs, and what it says later is the memory of the next turn."""
    said = threading.Event()
    assert house.endpoint is not None
    for how in ("message.add", "context.get", "recall", "stream"):
        mind, note = house.planted("en")
        said.clear()
        house.endpoint.answer = saying("rusty lamp", also=lambda: assert_set(said))
        asked = PLANTED["en"][3]
        match how:
            case "message.add":
                answer = house.api.call("message.add", mind=mind, role="user", content=asked, recall=True)
            case "context.get":
                answer = house.api.call("context.get", mind=mind, query=asked)
            case "recall":
                answer = house.api.call("recall", mind=mind, query=asked)
            case _:
                answer = house.api.call("recall", mind=mind, query=asked, ranking="stream")
        assert "some lamp" in str(answer)
        assert house.note(mind, note)["version"] == 1
        said.set()  # only now does the model say anything
        house.filled()
        assert "rusty lamp" in house.note(mind, note)["text"]


def assert_set(event: threading.Event) -> None:
    assert event.wait(20), "the answer waited for the model"


def test_the_first_version_and_the_last_ten_are_kept_and_a_kill_changes_nothing(tmp_path: Path) -> None:
    env = {"SOULMEM_EMBEDDER_NAME": "hashing"}
    with daemon_process(tmp_path, "--simulated-clock", START, env=env) as daemon:
        house = House(daemon, None)
        mind, note = house.planted("en")
        for version in range(1, 14):
            house.api.call("note.update", mind=mind, id=note, version=version, importance=version / 20)
        fills = [{"segment": 2, "text": "rusty lamp"}]
        house.api.call("note.reconstruct", mind=mind, id=note, version=14, fills=fills)
        versions = house.api.call("note.history", mind=mind, id=note)["versions"]
        assert [each["version"] for each in versions] == [1, *range(5, 15)]
        daemon.kill()
    with daemon_process(tmp_path, "--simulated-clock", START, env=env) as daemon:
        api: Checking = checking(daemon)
        kept = api.call("note.get", mind=mind, id=note)["note"]
        assert kept["version"] == 15
        assert api.call("note.history", mind=mind, id=note)["versions"] == versions
        assert rows(daemon, mind, "SELECT count(*) FROM note_version") == [(11,)]
        assert damages(daemon.state / "minds" / f"{mind}.db") == []
