"""Digestion over the socket: its steps, what the notes rest on, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import daemon_process
from household import START, Home

EPOCH_STEPS = ["flush", "freeze", "summarise", "split", "link", "reconcile"]
TALKS = {
    "en": [
        ("user", "Ann", "My name is Ann and I work as a vet in Bergen."),
        ("assistant", "Mira", "A vet! Do you see more dogs or more cats?"),
        ("user", "Ann", "Mostly horses. Last Tuesday I treated a pony called Biscuit."),
        ("assistant", "Mira", "I hope Biscuit is well again."),
        ("user", "Ann", "She is. I love the fjords, and I hate driving in snow."),
        ("user", "Ann", "My brother Lars gets married on 14 June 2026 in Oslo."),
    ],
    "zh": [
        ("user", "小林", "我叫小林，在成都一家医院当护士。"),
        ("assistant", "米拉", "护士很辛苦吧？"),
        ("user", "小林", "是的，昨天我值了夜班。我喜欢吃火锅，讨厌下雨。"),
        ("assistant", "米拉", "下雨天吃火锅正好。"),
        ("user", "小林", "我妹妹小雨明年要去上海读大学。"),
        ("user", "小林", "我养了一只猫，名字叫豆包。"),
    ],
    "mixed": [
        ("user", "小王", "我在 Google 上班，住在 Zürich。"),
        ("assistant", "Mira", "Zürich 冬天冷吗？"),
        ("user", "小王", "Very cold. 我喜欢 skiing，每个周末都去 Davos。"),
        ("user", "小王", "My sister Li Na 下个月来看我。"),
    ],
}


class House(Home):
    def talk(self, mind: str, language: str, conversation: str = "main") -> None:
        for role, speaker, text in TALKS[language]:
            self.api.say(mind, text, role=role, speaker=speaker, conversation=conversation)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("i"), "--simulated-clock", START) as daemon:
        yield House(daemon)


# -- steps -------------------------------------------------------------------------------------------------


def test_the_steps_are_jobs_in_their_order(house: House) -> None:
    mind, api = house.mind(), house.api
    house.talk(mind, "en", "harbour")
    house.talk(mind, "zh", "茶馆")
    done = api.call("idle.run", mind=mind)
    assert (done["state"], done["preempted"]) == ("idle", False)
    jobs = {job["id"]: job for job in api.jobs(mind) if job["step"] != "roll"}
    assert set(done["jobs"]) == jobs.keys()
    assert {job["state"] for job in jobs.values()} == {"done"}
    assert {job["attempts"] for job in jobs.values()} == {1}
    assert all(job["started_at"] and job["finished_at"] and job["error"] is None for job in jobs.values())
    finished = [event for event in house.daemon.events("step_finished") if event["mind"] == mind]
    steps = [(event.get("conversation"), event["step"]) for event in finished]
    expected = [
        (place, step) for place in ("harbour", "茶馆") for step in EPOCH_STEPS if step not in {"flush", "freeze"}
    ]
    assert [step for step in steps if step[1] not in {"flush", "freeze"}] == [*expected, (None, "sweep")]
    for place in ("harbour", "茶馆"):
        own = [job["step"] for job in jobs.values() if job["conversation"] == place]
        assert own == EPOCH_STEPS
        assert {job["epoch"] for job in jobs.values() if job["conversation"] == place} == {1}


def test_what_is_digested_is_digested_once(house: House) -> None:
    mind, api = house.mind(), house.api
    house.talk(mind, "en")
    api.call("idle.run", mind=mind)
    before = (api.notes(mind), api.links(mind), [job for job in api.jobs(mind) if job["step"] != "sweep"])
    assert before[0]
    for _ in range(3):
        again = api.call("idle.run", mind=mind)
        assert again["state"] == "idle"
    assert (api.notes(mind), api.links(mind), [job for job in api.jobs(mind) if job["step"] != "sweep"]) == before


def test_chosen_steps_stop_where_they_are_told(house: House) -> None:
    mind, api = house.mind(), house.api
    house.talk(mind, "en")
    api.call("idle.run", mind=mind, steps=["flush", "freeze"])
    assert api.notes(mind) == []
    open_steps = {job["step"] for job in api.jobs(mind) if job["state"] != "done" and job["step"] != "roll"}
    assert open_steps == {"summarise", "split", "link", "reconcile"}
    assert api.status(mind)["pending_jobs"] >= 3
    api.call("idle.run", mind=mind, steps=["summarise", "split"])
    notes = api.notes(mind)
    assert notes
    assert api.links(mind) == []
    api.call("idle.run", mind=mind)
    assert [note["id"] for note in api.notes(mind)] == [note["id"] for note in notes]
    assert api.status(mind)["pending_jobs"] == 0
    api.refused("invalid_params", "idle.run", mind=mind, steps=["dream"])


def test_not_waiting_is_answered_at_once_and_digested_all_the_same(house: House) -> None:
    mind, api = house.mind(), house.api
    house.talk(mind, "zh")
    assert api.call("idle.run", mind=mind, wait=False)["state"] == "idle"
    api.until(lambda: api.status(mind)["pending_jobs"] == 0 and api.notes(mind), "the notes")
    assert api.call("mind.get", mind=mind)["mind"]["state"] == "idle"


def test_a_new_epoch_opens_at_once(house: House) -> None:
    mind, api = house.mind(), house.api
    house.talk(mind, "mixed")
    api.call("idle.run", mind=mind)
    first = {note["id"] for note in api.notes(mind)}
    api.say(mind, "I also bought a cello, it is called Otto. 大提琴", speaker="小王")
    assert [message["epoch"] for message in api.messages(mind)] == [1] * 4 + [2]
    api.call("idle.run", mind=mind)
    later = [note for note in api.notes(mind) if note["id"] not in first]
    assert later
    assert {source["seq"] for note in later for source in note["sources"]} == {5}
    assert first <= {note["id"] for note in api.notes(mind)}


def test_the_same_talk_ends_in_the_same_notes_and_links(house: House) -> None:
    ends = []
    for _ in range(2):
        mind = house.mind()
        house.api.note(mind, "Bergen is rainy 卑尔根多雨")
        house.talk(mind, "en")
        house.talk(mind, "zh", "茶馆")
        house.api.call("idle.run", mind=mind)
        notes = house.api.notes(mind)
        texts = {note["id"]: note["text"] for note in notes}
        ends.append(
            (
                [(note["kind"], note["text"], note["sources"], note["tags"], note["importance"]) for note in notes],
                [
                    (texts[link["src"]], texts[link["dst"]], link["kind"], link["origin"], link["initial"])
                    for link in house.api.links(mind)
                ],
            )
        )
    assert ends[0][0]
    assert ends[0][1]
    assert ends[0] == ends[1]


# -- notes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", TALKS)
def test_every_note_says_where_it_comes_from(house: House, language: str) -> None:
    mind, api = house.mind(), house.api
    house.talk(mind, language)
    api.call("idle.run", mind=mind)
    said = {message["seq"]: message for message in api.messages(mind)}
    notes = api.notes(mind)
    assert 3 <= len(notes) <= 24
    for note in notes:
        assert note["lifecycle"] == "consolidated"
        assert note["sources"], note["text"]
        assert any(source.get("quote") for source in note["sources"]), note["text"]
        for source in note["sources"]:
            message = said[source["seq"]]
            assert source["id"] == message["id"]
            assert source["conversation"] == "main"
            if source.get("quote"):
                assert source["quote"] in message["content"]
        assert any(element["level"] == 0 for element in note["elements"])
    assert len({note["text"] for note in notes}) == len(notes), "nothing is noted twice"


@pytest.mark.parametrize(
    "text",
    [
        "On day {n} Ann sailed to island {n}.",
        "安在第{n}天去了{n}号岛。",
        "The mill burned down in winter {n}. 磨坊烧了。",
    ],
)
def test_plain_talk_leaves_notes(house: House, text: str) -> None:
    """A companion recalls digested messages only through notes, so whatever was said must leave some."""
    mind, api = house.mind(), house.api
    for number in range(8):
        api.say(mind, text.format(n=number + 2), role="assistant" if number % 2 else "user")
    api.call("idle.run", mind=mind)
    assert len(api.notes(mind)) >= 1
    assert rows(house.daemon, mind, "SELECT count(*) FROM summary WHERE text <> ''") != [(0,)]


def test_system_prompts_and_lore_are_never_extracted_from(house: House) -> None:
    mind, api = house.mind(), house.api
    api.say(mind, "My name is Zorblax and I live in Quivira. 我叫祖布拉克斯。", role="system")
    api.note(mind, "The kingdom of Ombria has nine moons. 翁布里亚有九个月亮。", kind="lore")
    house.talk(mind, "en")
    api.call("idle.run", mind=mind)
    digested = " ".join(note["text"] for note in api.notes(mind) if note["kind"] != "lore")
    assert digested
    for word in ("Zorblax", "Quivira", "祖布拉克斯", "Ombria", "翁布里亚"):
        assert word not in digested


def test_an_epoch_of_system_messages_alone_leaves_nothing(house: House) -> None:
    mind, api = house.mind(), house.api
    api.say(mind, "You are Mira. 你是米拉。", role="system")
    api.call("idle.run", mind=mind)
    assert api.notes(mind) == []
    assert [job for job in api.jobs(mind) if job["state"] == "failed"] == []


# -- both ways of ending ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["freeze", "split"])
def test_digestion_goes_on_where_a_killed_daemon_left_it(tmp_path: Path, step: str) -> None:
    def talk(api: Checking) -> None:
        api.note("mira", "Bergen is rainy 卑尔根多雨")
        for language in ("en", "zh"):
            for role, speaker, text in TALKS[language]:
                api.say("mira", text, role=role, speaker=speaker)
        api.settle("mira")

    def end(api: Checking) -> Json:
        api.call("idle.run", mind="mira")
        return {"notes": api.notes("mira"), "links": api.links("mira")}

    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with daemon_process(tmp_path / "a", "--simulated-clock", START) as daemon:
        api = checking(daemon)
        talk(api)
        calm = end(api)
    with daemon_process(tmp_path / "b", "--simulated-clock", START) as daemon:
        api = checking(daemon)
        talk(api)
        all_steps = ["flush", "freeze", "summarise", "split"]
        api.call("idle.run", mind="mira", steps=all_steps[: all_steps.index(step) + 1])
        daemon.kill()
    with daemon_process(tmp_path / "b", "--simulated-clock", START, name="e") as daemon:
        assert end(checking(daemon)) == calm
