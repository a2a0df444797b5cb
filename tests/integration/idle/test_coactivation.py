"""Links by what was on the mind together, not by likeness: between notes that were recalled in the same talk."""

from __future__ import annotations

import pytest

from checking import Json
from household import Home

MINUTE = 60
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

    def __init__(self, house: Home, **settings: object) -> None:
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
def test_links_follow_what_was_recalled_not_what_is_similar(house: Home, query: str, hot: str, cold: str) -> None:
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


def test_frequency_counts_turns_and_the_time_between(house: Home) -> None:
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


def test_a_floor_link_starts_at_no_less_than_fifteen_hundredths(house: Home) -> None:
    kites = Kites(house)
    for turn in range(9):
        kites.say()
        kites.think_of("blue 蓝", kites.blue)
        if turn == 4:
            kites.think_of("red 红", kites.red)
        house.pass_time(30)
    links = kites.digest()
    assert {link["initial"] for link in kites.linked(links, kites.red)} == {0.15}


def test_hot_notes_are_linked_when_they_came_within_three_turns(house: Home) -> None:
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


def test_at_most_three_such_links_a_note(house: Home) -> None:
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


def test_coactivation_again_strengthens_and_keeps_the_link(house: Home) -> None:
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


def test_without_any_recall_similarity_stands_in_and_says_so(house: Home) -> None:
    """Nothing was recalled: a new note is tied to what it is like, marked as fallback, and to what was told with it."""
    mind, api = house.mind(), house.api
    api.say(mind, "我叫小林，我喜欢吃火锅。", role="assistant", speaker="小林")
    api.call("idle.run", mind=mind)
    before = {note["id"] for note in api.notes(mind)}
    house.pass_time(10 * MINUTE)
    api.say(mind, "我喜欢吃火锅，也喜欢吃串串。", role="assistant", speaker="小林")
    api.say(mind, "My sister Rosa lives in Porto.", role="assistant", speaker="小林")
    api.call("idle.run", mind=mind)
    links = api.links(mind)
    alike = [link for link in links if link["origin"] == "similarity"]
    assert {link["initial"] for link in alike} <= {0.2}
    assert all({link["src"], link["dst"]} & before for link in alike), "what was told together need not be alike"
    assert any(link["origin"] == "hebb" and not {link["src"], link["dst"]} & before for link in links)


@pytest.mark.parametrize(
    ("first", "second", "later"),
    [
        ("The kettle has a crack.", "My cousin Ivo won the chess cup in Split.", "I sold my telescope to Ben."),
        ("水壶裂了一道缝。", "表弟阿杰在泉州拿了围棋冠军。", "我把望远镜卖给了老李。"),
    ],
)
def test_what_is_told_in_one_breath_is_linked_whatever_was_recalled(
    house: Home, first: str, second: str, later: str
) -> None:
    kites = Kites(house)
    kites.say()
    kites.think_of("blue 蓝", kites.blue)
    for text in (first, second):
        kites.api.say(kites.mind, text, speaker="Ann")
    house.pass_time(10 * MINUTE)
    kites.api.say(kites.mind, later, speaker="Ann")
    links = kites.digest()
    of = {
        text: [n["id"] for n in kites.api.notes(kites.mind) if text[-5:-1] in n["text"]]
        for text in (first, second, later)
    }
    assert all(of.values()), of
    breath = [link for link in links if round(link["initial"], 3) == 0.32 and link["stability_days"] == 30.0]
    ends = [{link["src"], link["dst"]} for link in breath]
    assert any(end & set(of[first]) and end & set(of[second]) for end in ends), (of, ends)
    assert not any(end & set(of[later]) for end in ends), "ten minutes later is another breath"


@pytest.mark.parametrize(
    ("asked", "told", "answer", "other"),
    [
        ("What did you lose?", "Lost a crown on a toffee. Juno the whippet ate the tax letter.", "crown", "whippet"),
        ("你丢了什么？", "牙冠，吃太妃糖粘掉的。表弟阿杰在泉州拿了围棋冠军。", "牙冠", "围棋"),
    ],
)
def test_what_answers_a_question_was_told_where_it_was_answered(
    house: Home, asked: str, told: str, answer: str, other: str
) -> None:
    mind = house.mind()
    house.api.say(mind, asked, role="assistant", speaker="Pell")
    house.api.say(mind, told, speaker="Ann")
    house.api.call("idle.run", mind=mind)
    notes = house.api.notes(mind)
    ends = [{note["id"] for note in notes if word in note["text"]} for word in (answer, other)]
    assert [len(each) for each in ends] == [1, 1], [note["text"] for note in notes]
    assert ends[0] != ends[1]
    (both,) = [note for note in notes if note["id"] in ends[0]]
    assert len(both["sources"]) == 2, "it rests on the question too"
    (link,) = [link for link in house.api.links(mind) if {link["src"], link["dst"]} == ends[0] | ends[1]]
    assert round(link["initial"], 3) == 0.4, "as told in one message"


def test_a_recall_without_a_conversation_counts_for_every_open_epoch(house: Home) -> None:
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


def test_an_unrecorded_recall_ties_nothing(house: Home) -> None:
    kites = Kites(house)
    kites.say()
    for _ in range(3):
        kites.api.found(kites.mind, "blue 蓝", k=1, kinds=["episodic"], conversation="main")
    assert kites.linked(kites.digest(), kites.blue) == []
