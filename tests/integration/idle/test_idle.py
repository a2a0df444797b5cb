"""Digestion over the socket: its steps, what the notes rest on, and links by what was recalled, not by likeness."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import daemon_process
from household import START, Home

MINUTE = 60
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


# -- links by what was on the mind together ------------------------------------------------------------------

BLUE, RED, GREEN = (
    "The blue kite hangs in the attic 蓝风筝",
    "The red kite hangs in the attic 红风筝",
    "The green kite hangs in the attic 绿风筝",
)
TOM = [
    "My nephew Tom turned six today.",
    "Tom wants to become a diver.",
    "我侄子汤姆喜欢鲨鱼。",
    "Tom lives in Leeds with my sister.",
]


class Kites:
    """A mind with equally similar notes; talk is of something else, recalls are what the test asks for."""

    def __init__(self, house: House, **settings: object) -> None:
        self.house, self.api = house, house.api
        self.mind = house.mind(settings={"recall.k": 1, "window.topic_marks": False} | settings)
        # takes the recalls that the messages cause by themselves; pinned notes stay out of the race
        self.api.note(self.mind, " ".join(TOM) + " nephew Tom 侄子汤姆", pinned=True, kind="semantic")
        self.blue, self.red, self.green = (self.api.note(self.mind, text) for text in (BLUE, RED, GREEN))
        self.notes = {self.blue, self.red, self.green}
        self.turn = 0

    def say(self) -> None:
        self.api.say(self.mind, TOM[self.turn % len(TOM)], speaker="Ann")
        self.turn += 1
        self.api.settle(self.mind)

    def think_of(self, query: str, note: str) -> None:
        found = self.api.call("recall", mind=self.mind, query=query, k=1, kinds=["episodic"], conversation="main")
        assert [item["id"] for item in found["items"]] == [note]

    def digest(self) -> list[Json]:
        self.api.call("idle.run", mind=self.mind)
        return self.api.links(self.mind)

    def linked(self, links: list[Json], note: str) -> list[Json]:
        """Links between a kite and what came out of the talk."""
        inside = self.notes - {note}
        return [
            link for link in links if note in {link["src"], link["dst"]} and not inside & {link["src"], link["dst"]}
        ]


@pytest.mark.parametrize(("query", "hot", "cold"), [("blue 蓝", "blue", "red"), ("red 红", "red", "blue")])
def test_links_follow_what_was_recalled_not_what_is_similar(house: House, query: str, hot: str, cold: str) -> None:
    kites = Kites(house)
    for _ in range(4):
        kites.say()
        kites.think_of(query, getattr(kites, hot))
        house.pass_time(MINUTE)
    links = kites.digest()
    made = kites.linked(links, getattr(kites, hot))
    new = {note["id"] for note in kites.api.notes(kites.mind) if note["sources"]}
    assert new
    assert {link["src"] if link["dst"] == getattr(kites, hot) else link["dst"] for link in made} == new
    assert {(link["kind"], link["origin"]) for link in made} == {("association", "hebb")}
    assert {link["initial"] for link in made} == {0.3}, "0.3 · f / f_max"
    assert {link["stability_days"] for link in made} == {3.0}
    assert kites.linked(links, getattr(kites, cold)) == []
    assert kites.linked(links, kites.green) == []


def test_frequency_counts_turns_and_the_time_between(house: House) -> None:
    """f = n / (T + L), L = 600 s: blue 3 turns in 600 s -> 1/400; red five times in one turn -> 1/600."""
    kites = Kites(house)
    for turn in range(3):
        kites.say()
        kites.think_of("blue 蓝", kites.blue)
        if turn == 1:
            for _ in range(5):
                kites.think_of("red 红", kites.red)
        if turn < 2:
            house.pass_time(300)
    links = kites.digest()
    often = [link["initial"] for link in kites.linked(links, kites.blue)]
    once = [link["initial"] for link in kites.linked(links, kites.red)]
    assert often == pytest.approx([0.3] * len(often))
    assert once == pytest.approx([0.3 * (1 / 600) / (3 / 1200)] * len(once))
    assert often
    assert once


def test_a_floor_link_starts_at_no_less_than_fifteen_hundredths(house: House) -> None:
    kites = Kites(house)
    for turn in range(9):
        kites.say()
        kites.think_of("blue 蓝", kites.blue)
        if turn == 4:
            kites.think_of("red 红", kites.red)
        house.pass_time(30)
    links = kites.digest()
    assert {link["initial"] for link in kites.linked(links, kites.red)} == {0.15}


def test_hot_notes_are_linked_when_they_came_within_three_turns(house: House) -> None:
    kites = Kites(house)
    wanted = {0: ("blue 蓝", kites.blue), 2: ("red 红", kites.red), 8: ("green 绿", kites.green)}
    for turn in range(9):
        kites.say()
        if turn in wanted:
            kites.think_of(*wanted[turn])
        house.pass_time(20)
    pairs = {
        frozenset((link["src"], link["dst"])): link
        for link in kites.digest()
        if {link["src"], link["dst"]} <= kites.notes
    }
    assert pairs.keys() == {frozenset((kites.blue, kites.red))}
    (link,) = pairs.values()
    assert link["origin"] == "hebb"
    assert 0.05 < link["initial"] <= 0.3


def test_at_most_three_such_links_a_note(house: House) -> None:
    kites = Kites(house)
    colours = ["white 白", "black 黑", "purple 紫", "orange 橙"]
    more = {colour: kites.api.note(kites.mind, f"The {colour} kite hangs in the attic 风筝") for colour in colours}
    kites.notes |= set(more.values())
    kites.say()
    for query, note in [("blue 蓝", kites.blue), ("red 红", kites.red), ("green 绿", kites.green), *more.items()]:
        kites.think_of(query, note)
    counted = dict.fromkeys(kites.notes, 0)
    for link in kites.digest():
        if {link["src"], link["dst"]} <= kites.notes:
            counted[link["src"]] += 1
            counted[link["dst"]] += 1
    assert sum(counted.values()) > 0
    assert max(counted.values()) <= 3


def test_coactivation_again_strengthens_and_keeps_the_link(house: House) -> None:
    kites = Kites(house)
    ends = []
    for _ in range(2):
        kites.say()
        kites.think_of("blue 蓝", kites.blue)
        kites.think_of("red 红", kites.red)
        ends.append(next(link for link in kites.digest() if {link["src"], link["dst"]} == {kites.blue, kites.red}))
    assert ends[0]["id"] == ends[1]["id"]
    assert ends[1]["strength"] > ends[0]["strength"]
    assert ends[1]["initial"] == ends[0]["initial"]


def test_without_any_recall_similarity_stands_in_and_says_so(house: House) -> None:
    """Nothing was recalled: new notes are tied among themselves and to the two nearest, marked as fallback."""
    mind, api = house.mind(), house.api
    api.say(mind, "我叫小林，我喜欢吃火锅。", role="assistant", speaker="小林")
    api.say(mind, "我喜欢吃火锅，也喜欢吃串串。", role="assistant", speaker="小林")
    api.say(mind, "My sister Rosa lives in Porto.", role="assistant", speaker="小林")
    api.call("idle.run", mind=mind)
    assert len(api.notes(mind)) >= 2
    links = api.links(mind)
    assert links
    assert "hebb" not in {link["origin"] for link in links}
    assert {link["initial"] for link in links if link["origin"] == "similarity"} <= {0.2}


def test_a_recall_without_a_conversation_counts_for_every_open_epoch(house: House) -> None:
    kites = Kites(house)
    kites.say()
    kites.api.say(kites.mind, "My nephew Tom sings in a choir.", conversation="side", speaker="Ann")
    kites.api.settle(kites.mind)
    kites.api.call("recall", mind=kites.mind, query="blue 蓝", k=1, kinds=["episodic"])
    links = kites.digest()
    told = {note["id"]: {source["conversation"] for source in note["sources"]} for note in kites.api.notes(kites.mind)}
    reached = set()
    for link in kites.linked(links, kites.blue):
        reached |= told[link["src"]] | told[link["dst"]]
    assert reached == {"main", "side"}


def test_an_unrecorded_recall_ties_nothing(house: House) -> None:
    kites = Kites(house)
    kites.say()
    for _ in range(3):
        kites.api.found(kites.mind, "blue 蓝", k=1, kinds=["episodic"], conversation="main")
    assert kites.linked(kites.digest(), kites.blue) == []


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
