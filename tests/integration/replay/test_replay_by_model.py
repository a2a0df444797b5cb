"""What a model may do to a region that is gone over: three things, each checked, within its tokens, and no more."""

from __future__ import annotations

import re
from typing import Any

import pytest

from checking import Json
from replay_bench import LANGUAGES, MOVED, TALK_STEPS, TOLD, Bench, labels, operation, operations

SHARED = {"en": "The people around them keep to their crafts.", "zh": "他们身边的人都守着自己的手艺。"}
NONSENSE = (
    "no JSON at all",
    {"operations": "everything"},
    {"operations": [{"op": "delete", "notes": ["N1"], "text": None, "strength": 1}]},
    {"operations": [{"op": "link", "notes": ["N1", "N99"], "text": None, "strength": 9}]},
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_model_ties_is_tied_weakly(bench: Bench, language: str) -> None:
    mind, notes = bench.mind(language)
    far = TOLD[language][1], MOVED[language]
    before = {link["id"] for link in bench.api.links(mind)}
    done = bench.sleep(mind, lambda prompt: operations(*[operation("link", labels(prompt, *far))] * 3))
    new = [link for link in bench.api.links(mind) if link["id"] not in before and link["origin"] == "model"]
    assert done["asked"] >= 1
    assert [({link["src"], link["dst"]}, link["kind"], link["initial"]) for link in new] == [
        ({notes[1], notes[3]}, "association", pytest.approx(0.3))
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_model_reads_out_of_notes_rests_on_them(bench: Bench, language: str) -> None:
    mind, notes = bench.mind(language)
    some = TOLD[language][1:]
    done = bench.sleep(mind, lambda prompt: operations(operation("abstract", labels(prompt, *some), SHARED[language])))
    assert done["concluded"] == 1
    (made,) = bench.api.call("reflection.list", mind=mind)["items"]
    assert made["text"] == SHARED[language]
    bench.api.call("note.update", mind=mind, id=notes[1], text=MOVED[language])
    found = bench.api.call("reflection.list", mind=mind)["items"]
    assert found[0]["stale"], "what it rests on says something else"


KEYS = {
    "en": ("I keep the spare key under the blue flowerpot.", "I keep the spare key in the letter box."),
    "zh": ("我的备用钥匙在蓝色花盆下面。", "我的备用钥匙在信箱里。"),
}


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_contradiction_ends_the_earlier_and_never_the_later(bench: Bench, language: str, *, turned: bool) -> None:
    mind, _ = bench.mind(language)
    ids = []
    for number, text in enumerate(KEYS[language]):
        bench.api.say(mind, text, speaker="Ann", id=f"k{number}")
        bench.api.settle(mind)
        bench.api.call("clock.advance", seconds=1200)
        bench.api.call("idle.run", mind=mind, steps=list(TALK_STEPS))
        ids += [n["id"] for n in bench.api.notes(mind) if text[1:-1] in n["text"] and n["sources"]][:1]
    bench.api.call("link.add", mind=mind, src=ids[0], dst=ids[1], kind="semantic", verb="beside", strength=0.9)
    bench.api.settle(mind)
    assert not bench.api.call("note.get", mind=mind, id=ids[0])["note"]["superseded_by"]
    pair = KEYS[language][::-1] if turned else KEYS[language]
    cores = [text[1:] for text in pair]
    done = bench.sleep(mind, lambda prompt: operations(operation("contradiction", labels(prompt, *cores))))
    assert done["ended"] == (0 if turned else 1)
    early, late = (bench.api.call("note.get", mind=mind, id=note)["note"] for note in ids)
    assert (early["superseded_by"], late["superseded_by"]) == (None if turned else ids[1], None)
    assert early["lifecycle"] == "consolidated", "nothing is deleted"


def test_who_says_both_ends_neither(bench: Bench) -> None:
    mind, _ = bench.mind("en")

    def says(prompt: str) -> Json:
        found = labels(prompt, TOLD["en"][0], MOVED["en"])
        return operations(operation("contradiction", found), operation("contradiction", found[::-1]))

    assert bench.sleep(mind, says)["ended"] == 0


@pytest.mark.parametrize("nonsense", NONSENSE, ids=str)
def test_nonsense_leaves_what_is_done_without_a_model(bench: Bench, nonsense: Any) -> None:
    mind, _ = bench.mind("en")
    before = bench.api.notes(mind)
    done = bench.sleep(mind, nonsense)
    assert (done["concluded"], done["ended"]) == (0, 0)
    assert done["notes"] > 1
    assert [note["text"] for note in bench.api.notes(mind)] == [note["text"] for note in before]


def test_every_label_at_once_is_ten_operations_at_most(bench: Bench) -> None:
    mind, _ = bench.mind("en")

    def says(prompt: str) -> Json:
        found = re.findall(r"^\[(N\d+)\]", prompt, re.MULTILINE)
        return {"operations": [operation("link", [one, other]) for one in found for other in found] * 9}

    before = len(bench.api.links(mind))
    bench.sleep(mind, says)
    assert len(bench.api.links(mind)) - before <= 20


@pytest.mark.parametrize("budget", ["idle.tokens_per_run", "idle.tokens_per_day"])
def test_without_tokens_nobody_is_asked(bench: Bench, budget: str) -> None:
    mind, _ = bench.mind("en", **{budget: 0})
    done = bench.sleep(mind, {"operations": []})
    assert (done["asked"], done["tokens"]) == (0, 0)
    assert done["regions"] >= 1
