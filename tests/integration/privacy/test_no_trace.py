"""What is gone or hidden leaves no trace: no title, no recorded answer, no gist; and one history makes one memory."""

from __future__ import annotations

import pytest

from checking import Json, ids_of
from household import DAY, Home

TALK = [
    "I love herring with beetroot.", "我喜欢吃火锅。", "Last Tuesday I lost the key of my safe.",
    "上周二我丢了保险箱的钥匙。", "My sister Ines keeps bees in Porto.", "我妹妹在波尔图养蜂。",
]  # fmt: skip


def test_a_deleted_mind_leaves_no_title_in_the_catalogue(house: Home) -> None:
    title = "Zürichberg-Tagebuch 祖母的秘密"
    mind = house.mind(title=title)
    house.api.note(mind, "A note 笔记")
    house.api.call("mind.list")

    def files() -> bytes:
        return b"".join(path.read_bytes() for path in sorted(house.daemon.state.glob("catalog.db*")))

    assert title.encode() in files()
    house.api.call("mind.delete", mind=mind, confirm=mind)
    assert title.encode() not in files()


CHANGES: dict[str, Json] = {
    "note.update": {"text": "The Kestrel key is blue. 翡翠钥匙是蓝色的。"}, "note.pin": {}, "note.unpin": {},
    "note.forget": {}, "note.restore": {},
}  # fmt: skip


@pytest.mark.parametrize("method", CHANGES)
def test_a_write_that_is_sent_again_is_held_to_the_sharing_of_now(house: Home, method: str) -> None:
    api, mind = house.api, house.mind()
    note = api.note(mind, "The Kestrel key is red. 翡翠钥匙是红色的。", conversation="tea")
    api.say(mind, "Hello 你好", conversation="pub", speaker="Bo")
    given = {"mind": mind, "id": note, "key": f"k-{method}", "conversation": "pub", **CHANGES[method]}
    first = api.call(method, **given)
    again = api.call(method, **given)
    assert again == {**first, "duplicate": True}
    api.call("mind.update", mind=mind, settings={"recall.sharing": "conversation"})
    hidden = api.refused("not_found", method, **given)
    absent = api.refused("not_found", method, **{**given, "id": "n777", "key": "other"})
    assert str(hidden).replace(note, "?") == str(absent).replace("n777", "?")
    known_as = ids_of(house.daemon, mind).blind(note)
    for key in (given["key"], "another"):
        unseen = api.refused("not_found", method, **{**given, "id": known_as, "key": key})
        assert str(unseen).replace(known_as, "?") == str(absent).replace("n777", "?")
    api.call("mind.update", mind=mind, settings={"recall.sharing": "open"})
    assert api.call(method, **{**given, "id": known_as})["duplicate"], "it is the same request in either form"


def test_what_a_client_filled_in_is_found_again_when_the_mind_has_named_it(house: Home) -> None:
    """The sweep gives a filled gap its gist, and the note a new vector: time does not stand still over that."""
    api, mind = house.api, house.mind(settings={"forgetting.clock": "wall", "forgetting.whole_days": 3000.0})
    element = {"quote": "violet lantern", "level": 2, "gist": "some lamp"}
    note = api.note(mind, "Mira hid the violet lantern behind the bakery.", elements=[element], importance=0.4)
    api.call("clock.advance", seconds=60 * DAY)
    shown = api.call("context.get", mind=mind, query="Mira bakery", max_tokens=5_000)["blocks"]
    (faded,) = [each for block in shown for each in block.get("faded", ())]
    gaps = [each["number"] for each in faded["segments"] if each["state"] != "clear"]
    fills = [{"segment": number, "text": "green parrot"} for number in gaps]
    first = api.call("note.reconstruct", mind=mind, id=note, version=faded["version"], fills=fills)
    assert "green parrot" in first["note"]["text"]
    api.call("clock.advance", seconds=1 * DAY)
    (line,) = [each for each in api.call("system.status")["minds"] if each["mind"] == mind]
    assert line["embed_backlog"] == 0
    assert note in [item["id"] for item in api.call("recall", mind=mind, query="Mira bakery", min_score=0)["items"]]


def test_of_what_is_blank_no_reader_gets_the_gist(house: Home) -> None:
    api, mind = house.api, house.mind(settings={"forgetting.clock": "wall", "forgetting.whole_days": 3000.0})
    elements = [
        {"quote": "violet lantern", "level": 2, "gist": "some lamp"},
        {"quote": "紫水晶", "level": 2, "gist": "某件首饰"},
    ]
    api.note(mind, "Mira hid the violet lantern and 紫水晶 in the wall.", elements=elements, importance=0.4)
    seen = set()
    for _ in range(60):
        api.call("clock.advance", seconds=3 * DAY)
        for method, listed in (("note.list", "items"), ("graph.get", "notes")):
            (note,) = api.call(method, mind=mind)[listed]
            details = [each for each in note["elements"] if each["level"] == 2]
            states = {each["state"] for each in details}
            seen |= states
            told = {each["gist"] for each in details if each["state"] == "blank"}
            assert told <= {""}, note
            if states == {"blurred"}:
                assert {"some lamp", "某件首饰"} == {each["gist"] for each in details}
    assert {"clear", "blurred", "blank"} <= seen


def test_the_same_history_makes_the_same_memory(house: Home) -> None:
    """Told as fast as it goes: what there was time for in between makes no difference."""
    made = []
    for _ in range(3):
        api, mind = house.api, house.mind()
        for line in TALK:
            api.say(mind, line, speaker="Bo")
        notes = [api.note(mind, f"{line} {n}") for n, line in enumerate(TALK)]
        for line in TALK[:2]:
            api.say(mind, f"{line} {line}", speaker="Bo")
        api.call("link.add", mind=mind, src=notes[0], dst=notes[1])
        api.call("idle.run", mind=mind)
        api.settle(mind)
        links = [(each["src"], each["dst"], each["kind"], each["strength"]) for each in api.links(mind)]
        found = [[(i["id"], i["score"]) for i in api.found(mind, query, k=20)] for query in (*TALK, "key 钥匙", "Ines")]
        made.append(([(note["id"], note["text"]) for note in api.notes(mind)], links, found))
    assert made[0] == made[1] == made[2]
