"""Association at its edges: loops, parallel ways, hubs, restarts, any script, and what is refused."""

from __future__ import annotations

import os
import statistics
from itertools import pairwise
from pathlib import Path

import pytest
from test_association import LANGUAGES, UNLIKE, Bond

from checking import Checking, checking
from daemon_fixture import daemon_process
from household import START, Home

# -- shapes of the graph ---------------------------------------------------------------------------------------------


def test_a_memory_is_not_linked_to_itself(house: Home) -> None:
    bond = Bond(house, "mixed")
    error = bond.api.refused("invalid_params", "link.add", mind=bond.mind, src=bond.one, dst=bond.one)
    assert "itself" in error.message
    assert bond.partner() is not None


def test_parallel_links_of_several_verbs_are_one_way_named_by_the_strongest(house: Home) -> None:
    bond = Bond(house, "zh", strength=0.2)
    weak = bond.partner(explain=True)
    ids = {
        verb: bond.api.call(
            "link.add", mind=bond.mind, src=bond.one, dst=bond.other, kind="semantic", verb=verb, strength=strength
        )["id"]
        for verb, strength in (("recalls", 0.3), ("让人想起", 0.8), ("precedes", 0.5))
    }
    assert len({*ids.values(), bond.link}) == 4
    partner = bond.partner(explain=True)
    assert weak is not None
    assert partner is not None
    assert partner["score"] >= weak["score"]
    (step,) = partner["why"]["path"]
    assert step["weight"] > weak["why"]["path"][0]["weight"], "all of them together"
    assert (step["link"], step["verb"]) == (ids["让人想起"], "让人想起")
    assert bond.ids(k=50).count(bond.other) == 1


def test_a_chain_is_walked_and_told_step_by_step(house: Home) -> None:
    bond = Bond(house, "en")
    third = bond.api.note(bond.mind, "飞艇从屋顶上飘过。")
    bond.api.call("link.add", mind=bond.mind, src=third, dst=bond.other, strength=0.9, kind="semantic", verb="casts")
    reached = next(item for item in bond.found(explain=True) if item["id"] == third)
    path = reached["why"]["path"]
    assert [(step["src"], step["dst"]) for step in path] == [(bond.one, bond.other), (bond.other, third)]
    assert path[1]["verb"] == "casts"


SPOKES = 4_000 if os.environ.get("SOULMEM_TORTURE") else 800


def test_a_hub_is_answered_in_time(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        bond = Bond(Home(daemon), "en")
        calls = [
            ("note.add", {"mind": bond.mind, "kind": "episodic", "text": f"Zeppelin w{number}q 飞艇{number}号"})
            for number in range(SPOKES)
        ]
        client = daemon.client()
        spokes = [
            answer["id"] for first in range(0, SPOKES, 500) for answer in client.call_many(calls[first : first + 500])
        ]
        links = [
            ("link.add", {"mind": bond.mind, "src": bond.one, "dst": spoke, "strength": 0.05 + 0.4 * (place / SPOKES)})
            for place, spoke in enumerate(spokes)
        ]
        for first in range(0, SPOKES, 500):
            client.call_many(links[first : first + 500])
        daemon.settle(bond.mind)
        answers = [bond.api.call("recall", mind=bond.mind, query=bond.query, record=False) for _ in range(15)]
        assert all(answer["items"][0]["id"] == bond.one for answer in answers)
        assert statistics.median(answer["elapsed_ms"] for answer in answers) < 300.0
        found = {item["id"] for item in answers[-1]["items"]}
        assert bond.other in found, "the strongest of all the ways"
        assert len(found & set(spokes)) < SPOKES


# -- a life -------------------------------------------------------------------------------------------------------


def test_a_restart_changes_no_answer(tmp_path: Path) -> None:
    def answers(api: Checking) -> list[list[tuple[str, float, str, str]]]:
        return [
            [
                (item["id"], item["score"], item["tier"], str(item["why"]))
                for item in api.found("m1", query, explain=True)
            ]
            for _, query, _ in UNLIKE.values()
        ]

    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        bond = Bond(Home(daemon), "en")
        made = [
            bond.api.note("m1", text)
            for language in ("zh", "mixed")
            for text in (UNLIKE[language][0], UNLIKE[language][2])
        ]
        for one, other in pairwise(made):
            bond.api.call("link.add", mind="m1", src=one, dst=other, strength=0.7)
        bond.api.call("note.forget", mind="m1", id=made[1])
        bond.api.call("note.restore", mind="m1", id=made[1])
        bond.api.settle("m1")
        before = answers(bond.api)
        assert any(tier != "vector" for answer in before for _, _, tier, _ in answer)
        now = bond.api.call("system.ping")["now"]
    with daemon_process(tmp_path, "--simulated-clock", now, name="again") as daemon:
        assert answers(checking(daemon)) == before


@pytest.mark.parametrize("bound", ["MAX_ROWS_IN_RAM", "MAX_LINKS_IN_RAM"])
def test_what_is_not_held_in_memory_is_read_on_the_way(tmp_path: Path, bound: str) -> None:
    least = {"MAX_ROWS_IN_RAM": "0", "MAX_LINKS_IN_RAM": "10"}[bound]
    with daemon_process(tmp_path, "--simulated-clock", START, env={f"SOULMEM_MEMORY_{bound}": least}) as daemon:
        bond = Bond(Home(daemon), "mixed")
        ring = [bond.api.note(bond.mind, f"Zeppelin w{number}q 飞艇") for number in range(12)]
        for src, dst in pairwise([*ring, ring[0]]):
            bond.api.call("link.add", mind=bond.mind, src=src, dst=dst, strength=0.5)
        third = bond.api.note(bond.mind, "A glacier calves at night.")
        bond.api.call("link.add", mind=bond.mind, src=bond.other, dst=third, strength=0.9)
        bond.api.settle(bond.mind)
        assert {bond.other, third} <= set(bond.ids(k=20))
        bond.api.call("note.forget", mind=bond.mind, id=bond.other)
        assert not {bond.other, third} & set(bond.ids(k=20))


# -- inhibition of return -----------------------------------------------------------------------------------------

FITTING = {
    "en": (
        "Ann keeps twelve bees in the garden house",
        "bees garden house Ann",
        "Bees hum over rosemary",
        "Garden gnomes stand in rows",
    ),
    "zh": ("安在花园小屋养了十二箱蜜蜂", "花园小屋蜜蜂安", "蜜蜂绕着迷迭香飞", "花园里立着陶人像"),
    "mixed": ("Ann 在 garden 小屋养蜜蜂", "garden 小屋 蜜蜂 Ann", "蜜蜂 over rosemary", "garden gnomes 陶人"),
}


@LANGUAGES
def test_what_came_up_just_now_gives_way_and_the_best_does_not(house: Home, language: str) -> None:
    mind, api = house.mind(), house.api
    best_text, query, *weak_texts = FITTING[language]
    best, *weak = (api.note(mind, text) for text in (best_text, *weak_texts))
    api.say(mind, "你好 hello", role="assistant")
    api.settle(mind)
    before = [item["id"] for item in api.found(mind, query, conversation="main")]
    assert before[0] == best
    scores = {item["id"]: item["score"] for item in api.found(mind, query, conversation="main")}
    assert set(weak) <= scores.keys()
    stronger = max(weak, key=lambda note: scores[note])
    api.call(
        "recall", mind=mind, query=best_text, exclude=[note for note in weak if note != stronger], conversation="main"
    )
    again = api.call("recall", mind=mind, query=query, conversation="main", explain=True)["items"]
    rested = {item["id"]: item["score"] for item in again}
    assert again[0]["id"] == best
    assert rested[best] == scores[best], "what fits best is never held back"
    assert rested[stronger] < scores[stronger]
    assert all(rested[note] == scores[note] for note in weak if note != stronger)
    unswayed = {item["id"]: item["score"] for item in api.found(mind, query, conversation="main")}
    assert unswayed == scores, "a look that leaves no record"
    elsewhere = {item["id"]: item["score"] for item in api.call("recall", mind=mind, query=query)["items"]}
    assert elsewhere == scores, "no conversation, nothing came up before"


# -- bad input ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["กาแฟ สวนหลังบ้าน", "قهوة في الحديقة", "🍝🧱", "\u200b", "?!…"])
def test_any_script_is_answered(house: Home, query: str) -> None:
    bond = Bond(house, "mixed")
    answer = bond.api.call("recall", mind=bond.mind, query=query, record=False)
    assert answer["items"] or answer["reason"]


@pytest.mark.parametrize(
    ("text", "query"),
    [("กาแฟอยู่บนโต๊ะ", "กาแฟ"), ("القهوة على الطاولة", "القهوة"), ("Kaffee steht auf dem Tisch ☕", "Kaffee ☕")],
)
def test_links_are_followed_in_any_script(house: Home, text: str, query: str) -> None:
    bond = Bond(house, "en", strength=None)
    spoken = bond.api.note(bond.mind, text)
    bond.api.call("link.add", mind=bond.mind, src=spoken, dst=bond.other, strength=0.8)
    bond.api.settle(bond.mind)
    found = [item["id"] for item in bond.api.found(bond.mind, query)]
    assert found[0] == spoken
    assert bond.other in found


def test_a_query_as_long_as_a_page_is_answered(house: Home) -> None:
    bond = Bond(house, "mixed")
    long = UNLIKE["mixed"][1] + " spaghetti 意大利面" * 5_000
    assert len(long.encode()) > 100_000
    found = [item["id"] for item in bond.api.found(bond.mind, long)]
    assert found[0] == bond.one
    assert bond.other in found


def test_what_cannot_be_asked_is_refused_by_name(house: Home) -> None:
    bond = Bond(house, "en")
    assert "empty" in bond.api.refused("invalid_text", "recall", mind=bond.mind, query="").message
    for k in (0, -1, 501, 10**6):
        error = bond.api.refused("invalid_params", "recall", mind=bond.mind, query="spaghetti", k=k)
        assert "k" in error.message
        assert ("500" if k > 0 else "1") in error.message
    bond.api.refused("invalid_time", "recall", mind=bond.mind, query="spaghetti", from_="whenever")


def test_a_span_that_ends_before_it_begins_holds_nothing(house: Home) -> None:
    bond = Bond(house, "zh", at="2026-03-01T00:00:00Z")
    span = {"from_": "2026-03-02T00:00:00Z", "to": "2026-02-01T00:00:00Z"}
    answer = bond.api.call("recall", mind=bond.mind, query=bond.query, record=False, **span)
    assert answer["items"] == []
    assert answer["reason"]


def test_each_unknown_exclusion_is_warned_about(house: Home) -> None:
    bond = Bond(house, "en")
    unknown = ["n999999", "不存在", "no such message", "l1"]
    answer = bond.api.call("recall", mind=bond.mind, query=bond.query, exclude=[*unknown, bond.one], record=False)
    assert len(answer["warnings"]) == len(unknown)
    for text, warning in zip(unknown, answer["warnings"], strict=True):
        assert text in warning
    assert bond.one not in [item["id"] for item in answer["items"]]
