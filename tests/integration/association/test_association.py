"""Association over the socket: one memory brings up another along links, within what the client allows."""

from __future__ import annotations

import math
import statistics
from itertools import chain, pairwise
from pathlib import Path

import pytest

from checking import Json, checking
from daemon_fixture import daemon_process
from household import DAY, START, Home
from planted_pairs import ROUND_S, plant, talk
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from spread import IN_FULL

# (first, what is asked about it, a partner that shares no word with either)
UNLIKE = {
    "en": ("We cooked spaghetti for the whole street.", "Who cooked spaghetti?", "Grade-42 concrete sets overnight."),
    "zh": ("桃子熟透了，掉了一地。", "桃子怎么样了？", "老周爱唱京剧。"),
    "mixed": ("小林 made 意大利面 with basil.", "意大利面 with basil?", "The bridge needs 四十二号混凝土."),
}
OTHERS = ("Nobody fed the goldfish on Tuesday.", "楼下的信箱又满了。", "The tram was late again, 电车晚点。")
PARTNER_ITSELF = 0.75  # of a pair, the other note, not what was said of it, comes up at least this often
LANGUAGES = pytest.mark.parametrize("language", UNLIKE)


class Bond:
    """Two notes with nothing in common but a link, among others."""

    def __init__(self, house: Home, language: str, strength: float | None = 0.6, **of_partner: object) -> None:
        self.house, self.api = house, house.api
        self.mind = house.mind()
        first, self.query, partner = UNLIKE[language]
        for text in OTHERS:
            self.api.note(self.mind, text)
        self.one = self.api.note(self.mind, first)
        self.other = self.api.note(self.mind, partner, **of_partner)
        self.link = ""
        if strength is not None:
            self.link = self.api.call("link.add", mind=self.mind, src=self.one, dst=self.other, strength=strength)["id"]
        self.api.settle(self.mind)

    def found(self, **params: object) -> list[Json]:
        return self.api.found(self.mind, self.query, **params)

    def ids(self, **params: object) -> list[str]:
        return [item["id"] for item in self.found(**params)]

    def partner(self, **params: object) -> Json | None:
        return next((item for item in self.found(**params) if item["id"] == self.other), None)


# -- what was on the mind together -----------------------------------------------------------------------------


def test_what_came_up_together_comes_up_together(house: Home) -> None:
    """No link is added by hand: talk, digestion and the Hebbian rule make them, in both languages and between them."""
    planting = plant(120, 12, HashingEmbedder()) if IN_FULL else plant(72, 8, HashingEmbedder())
    mind, api = house.mind(), house.api
    ids = {text: api.note(mind, text) for text in planting.notes}
    for number, pair in enumerate(planting.pairs):
        for said in talk(pair, number):
            for role, text in said:
                api.say(mind, text, role=role, conversation=f"talk{number}", recall=role == "user")
            api.call("clock.advance", seconds=ROUND_S)
    api.call("idle.run", mind=mind)
    api.settle(mind)
    origins = {link["origin"] for link in api.links(mind)}
    assert "hebb" in origins
    assert "client" not in origins

    def came() -> tuple[dict[str, list[bool]], dict[str, list[bool]]]:
        """Whether what was said of the partner came up, and whether it did itself, by language."""
        of_it: dict[str, list[bool]] = {}
        itself: dict[str, list[bool]] = {}
        for pair in planting.pairs:
            for one, other in ((pair.one, pair.other), (pair.other, pair.one)):
                top = api.found(mind, one.text)
                of_it.setdefault(pair.language, []).append(any(other.who in item["text"] for item in top))
                itself.setdefault(pair.language, []).append(ids[other.text] in {item["id"] for item in top})
        return of_it, itself

    reminded, itself = came()
    assert reminded.keys() == {"en", "zh", "mixed"}
    assert statistics.fmean(chain.from_iterable(reminded.values())) >= 0.6, reminded
    assert min(map(statistics.fmean, reminded.values())) >= 0.3, reminded
    assert statistics.fmean(chain.from_iterable(itself.values())) >= PARTNER_ITSELF, itself
    api.call("mind.update", mind=mind, settings={"recall.graph": False})
    # What was said beside it is still found by its neighbours; the partner, told on another day, by links alone.
    assert not any(chain.from_iterable(came()[1].values()))


# -- two notes and a link ------------------------------------------------------------------------------------------


@LANGUAGES
def test_a_linked_memory_comes_and_says_by_which_link(house: Home, language: str) -> None:
    bond = Bond(house, language)
    partner = bond.partner(explain=True)
    assert partner is not None
    assert partner["tier"] in {"expansion", "ppr"}
    (step,) = partner["why"]["path"]
    assert (step["link"], step["src"], step["dst"], step["backward"]) == (bond.link, bond.one, bond.other, False)
    assert (step["kind"], step["origin"]) == ("association", "client")
    assert step["strength"] == pytest.approx(0.6, abs=0.001)
    assert step["from"] == UNLIKE[language][0]
    assert 0.0 < step["weight"] <= 1.0
    first = bond.found(explain=True)[0]
    assert (first["id"], first["tier"]) == (bond.one, "vector")
    assert "path" not in first["why"]


@LANGUAGES
def test_without_the_graph_it_does_not_come(house: Home, language: str) -> None:
    bond = Bond(house, language)
    assert bond.partner() is not None
    bond.api.call("mind.update", mind=bond.mind, settings={"recall.graph": False})
    assert bond.partner(k=500) is None
    assert bond.ids()[0] == bond.one
    unlinked = Bond(house, language, strength=None)
    assert unlinked.partner(k=500) is None


@LANGUAGES
def test_an_association_is_walked_from_either_end(house: Home, language: str) -> None:
    bond = Bond(house, language)
    back = bond.api.found(bond.mind, UNLIKE[language][2], explain=True)
    reached = next(item for item in back if item["id"] == bond.one)
    (step,) = reached["why"]["path"]
    assert (step["src"], step["dst"], step["from"]) == (bond.other, bond.one, UNLIKE[language][2])


@pytest.mark.parametrize("depth", ["skim", "normal", "deep"])
def test_every_depth_follows_links(house: Home, depth: str) -> None:
    assert Bond(house, "mixed").partner(depth=depth) is not None


def test_words_lose_nothing_to_the_graph(house: Home) -> None:
    bond = Bond(house, "en")
    for number in range(30):
        bond.api.note(bond.mind, f"Spaghetti was cooked {number} times in house {number} 意大利面")
    with_graph = set(bond.ids(k=100))
    bond.api.call("mind.update", mind=bond.mind, settings={"recall.graph": False})
    assert with_graph == {*bond.ids(k=100), bond.other}


# -- within what the client allows ------------------------------------------------------------------------------


@LANGUAGES
def test_what_filters_leave_out_stays_out_however_it_is_linked(house: Home, language: str) -> None:
    bond = Bond(house, language, strength=1.0, kind="semantic", tags=["building"], at="2026-02-01T00:00:00Z")
    assert bond.partner(k=50) is not None
    assert bond.partner(k=50, exclude=[bond.other]) is None
    assert bond.partner(k=50, kinds=["episodic"]) is None
    assert bond.partner(k=50, kinds=["message"]) is None
    assert bond.partner(k=50, tags=["music"]) is None
    assert bond.partner(k=50, from_="2026-02-15T00:00:00Z") is None
    assert bond.partner(k=50, to="2026-01-15T00:00:00Z") is None
    assert bond.partner(k=50, speaker="Olga") is None
    assert bond.one in bond.ids(k=50, kinds=["episodic"])


@LANGUAGES
def test_a_forgotten_memory_or_way_leads_nowhere_until_it_is_back(house: Home, language: str) -> None:
    bond = Bond(house, language)
    third = bond.api.note(bond.mind, "A zeppelin drifts by 飞艇")
    bond.api.call("link.add", mind=bond.mind, src=bond.other, dst=third, strength=0.9)
    assert {bond.other, third} <= set(bond.ids())
    bond.api.call("note.forget", mind=bond.mind, id=bond.other)
    assert not {bond.other, third} & set(bond.ids(k=50))
    bond.api.call("note.restore", mind=bond.mind, id=bond.other)
    bond.api.settle(bond.mind)
    assert {bond.other, third} <= set(bond.ids())
    bond.api.call("note.forget", mind=bond.mind, id=bond.one)
    left = bond.found(k=50, explain=True)
    assert bond.one not in [item["id"] for item in left]
    assert bond.one not in {step["src"] for item in left for step in item["why"].get("path", [])}


@LANGUAGES
def test_a_trigger_is_walked_through_and_never_returned(house: Home, language: str) -> None:
    bond = Bond(house, language, strength=None)
    trigger = bond.api.note(bond.mind, f"{UNLIKE[language][0]} !", kind="trigger")
    for src, dst, kind in ((bond.one, trigger, "association"), (trigger, bond.other, "trigger")):
        bond.api.call("link.add", mind=bond.mind, src=src, dst=dst, kind=kind, strength=1.0)
    partner = bond.partner(explain=True)
    assert partner is not None
    assert [step["dst"] for step in partner["why"]["path"]] == [trigger, bond.other]
    assert trigger not in bond.ids(k=100)
    assert bond.ids(kinds=["semantic"]) == []


# -- strength ------------------------------------------------------------------------------------------------------


def test_a_way_that_is_not_used_fades_and_is_lost(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        bond = Bond(Home(daemon), "en", strength=0.6)
        # A blurred note is found by its gist, so that a greeting would bring up both, which strengthens what ties them.
        api.call("mind.update", mind=bond.mind, settings={"forgetting.blurs": False})
        seen: list[tuple[float, float, float]] = []
        for _ in range(6):
            partner = bond.partner(explain=True)
            if partner is not None:
                (step,) = partner["why"]["path"]
                seen.append((partner["score"], step["strength"], step["weight"]))
            # A day at a time, and a message each day: a mind that is left alone ages slowly.
            for _ in range(4):
                api.call("clock.advance", seconds=DAY)
                api.say(bond.mind, "Good morning. 早上好。", conversation="mornings")
        assert 3 <= len(seen) < 6, "0.6 falls to 0.05, where a link is forgotten, in 17.4 days"
        assert all(earlier[0] >= later[0] and earlier[1:] > later[1:] for earlier, later in pairwise(seen))
        assert seen[1][1] == pytest.approx(0.6 * math.exp(-4 / 7), rel=0.01)
        api.call("idle.run", mind=bond.mind)
        assert bond.link not in [link["id"] for link in api.links(bond.mind)]
        assert bond.partner(k=500) is None


def test_a_strong_way_is_taken_before_a_weak_one(house: Home) -> None:
    bond = Bond(house, "zh", strength=0.2)
    strong = bond.api.note(bond.mind, "A zeppelin drifts by.")
    bond.api.call("link.add", mind=bond.mind, src=bond.one, dst=strong, strength=0.9)
    bond.api.settle(bond.mind)
    found = bond.ids()
    assert found.index(strong) < found.index(bond.other)
