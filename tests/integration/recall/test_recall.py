"""Recall and context over the socket: found at once, filtered hard, recorded exactly, within the budget."""

from __future__ import annotations

import pytest

from checking import rows
from household import Home
from spread import spread

# -- found -------------------------------------------------------------------------------------------------

HAYSTACK = [
    "The kettle is on and the table is laid.", "水开了，桌子也摆好了。", "Nothing much happened on Tuesday.",
    "星期二没什么特别的事。", "We argued about the colour of the curtains.", "我们为窗帘的颜色吵了一架。",
]  # fmt: skip
FOUND = [
    ("The heron stood in the reeds all morning.", "heron"),
    ("他在西湖边画了一只白鹭。", "鹭"),
    ("他在敦煌看了壁画。", "敦煌"),
    ("Zoë orders a café au lait.", "zoe cafe"),
    ("Señor Muñoz lives in Málaga.", "munoz malaga"),
    ("She was swimming across the bay.", "who swims"),
    ("They adopted three ponies.", "adopting a pony"),
    ("小林 bought a Leica 相机 in Kyoto.", "leica"),
    ("小王 lost his 护照 at Heathrow.", "护照"),
    ("ＴＯＫＹＯ２０２５ is printed on the ticket.", "tokyo2025"),
    ("Flight LH4711 leaves at seven.", "LH4711"),
    ("明天坐高铁去杭州开会。", "杭州什么会"),
    ("¡El churro estaba riquísimo!", "churro"),
    ("Мы жили в Одессе.", "Одессе"),
    ("O'Brien's boat is called Niamh.", "obrien boat"),
]


@pytest.mark.parametrize(("told", "role"), spread(FOUND, ["user", "assistant"]))
def test_a_message_is_found_by_the_first_call_after_its_answer(house: Home, told: tuple[str, str], role: str) -> None:
    text, query = told
    mind = house.mind()
    for line in HAYSTACK:
        house.api.say(mind, line)
    said = house.api.say(mind, text, role=role)
    found = house.api.found(mind, query)
    assert found[0]["id"] == said["id"]
    assert (found[0]["text"], found[0]["kind"], found[0]["state"]) == (text, "message", "clear")
    assert found[0]["sources"] == [{"conversation": "main", "seq": said["seq"], "id": said["id"]}]


def test_every_message_of_a_burst_is_found_at_once(house: Home) -> None:
    mind = house.mind()
    for number in range(60):
        said = house.api.say(mind, f"Crate w{number}q holds lamp 箱子{number}号", conversation=f"c{number % 3}")
        assert house.api.found(mind, f"w{number}q", k=1)[0]["text"].startswith(f"Crate w{number}q")
        assert said["duplicate"] is False


def test_nothing_found_is_told(house: Home) -> None:
    empty = house.mind()
    answer = house.api.call("recall", mind=empty, query="anything 什么")
    assert answer["items"] == []
    assert answer["reason"]
    assert answer["elapsed_ms"] >= 0


def test_items_come_best_first_once_each_and_no_more_than_asked(house: Home) -> None:
    mind = house.mind()
    for number in range(30):
        house.api.say(mind, f"The orchard has {number} pear trees 果园里有{number}棵梨树")
    house.api.note(mind, "Pear trees bloom in April 梨树四月开花", kind="semantic")
    for k in (1, 2, 10, 500):
        found = house.api.found(mind, "pear trees 梨树", k=k)
        assert len(found) <= k
        assert len({(item["kind"], item["id"]) for item in found}) == len(found)
        scores = [item["score"] for item in found]
        assert scores == sorted(scores, reverse=True)
    assert len(house.api.found(mind, "pear trees 梨树", k=1)) == 1
    assert any(item["kind"] == "semantic" for item in house.api.found(mind, "pear trees bloom April", k=5))
    for depth in ("skim", "normal", "deep"):
        assert house.api.found(mind, "pear", depth=depth)


@pytest.mark.parametrize(
    ("lines", "query"),
    [
        (
            [("Ann", "I would love to see Prague one day."), ("Ben", "I would love to see Prague one day.")],
            "Which city would {} love to see?",
        ),
        ([("小林", "我最想去布拉格看看。"), ("小王", "我最想去布拉格看看。")], "{}最想去哪里看看？"),
        ([("Ann", "我养了一只 hamster。"), ("小王", "我养了一只 hamster。")], "{} 养了什么 hamster"),
    ],
    ids=["en", "zh", "mixed"],
)  # fmt: skip
def test_the_speaker_named_in_the_query_comes_first(house: Home, lines: list[tuple[str, str]], query: str) -> None:
    mind = house.mind()
    for number, (speaker, text) in enumerate(lines):
        for line in HAYSTACK[:2]:
            house.api.say(mind, line, conversation=f"c{number}", role="assistant")
        house.api.say(mind, text, speaker=speaker, conversation=f"c{number}")
    for speaker, _ in lines:
        found = house.api.found(mind, query.format(speaker))
        assert found[0]["speaker"] == speaker
        chosen = house.api.found(mind, lines[0][1], speaker=speaker)
        assert chosen[0]["speaker"] == speaker


# -- filtered ------------------------------------------------------------------------------------------------


def test_the_time_filter_is_hard(house: Home) -> None:
    mind = house.mind()
    days = ["2025-06-01", "2025-06-02", "2025-06-03", "2025-06-04"]
    for day in days:
        house.api.say(mind, f"Regatta race on the river 赛艇 {day}", at=f"{day}T12:00:00Z", id=day)
    noted = house.api.note(mind, "Regatta results 赛艇成绩", at="2025-06-02T18:00:00Z")
    late = house.api.note(mind, "Regatta party 赛艇派对", at="2025-07-01T18:00:00Z")

    def ids(**span: str) -> set[str]:
        return {item["id"] for item in house.api.found(mind, "regatta 赛艇", k=50, **span)}

    assert ids() == {*days, noted, late}
    assert ids(from_="2025-06-02T00:00:00Z", to="2025-06-03T23:59:59Z") == {"2025-06-02", "2025-06-03", noted}
    assert ids(from_="2025-06-04T00:00:00+00:00") == {"2025-06-04", late}
    assert ids(to="2025-06-01T23:00:00Z") == {"2025-06-01"}
    assert ids(from_="2025-06-02T20:00:00+08:00", to="2025-06-02T20:00:01+08:00") == {"2025-06-02"}
    assert ids(from_="2024-01-01T00:00:00Z", to="2024-12-31T00:00:00Z") == set()
    assert ids(from_="2025-06-03T00:00:00Z", to="2025-06-02T00:00:00Z") == set()
    backward = {"from": "2025-06-03T00:00:00Z", "to": "2025-06-02T00:00:00Z"}
    assert "to must be later" in house.api.call("recall", mind=mind, query="regatta", **backward)["reason"]


def test_kinds_tags_and_exclusions(house: Home) -> None:
    mind, api = house.mind(), house.api
    api.say(mind, "The violin needs a new string 小提琴", id="v1")
    fact = api.note(mind, "Ann plays the violin 小提琴", kind="semantic", tags=["music", "Ann"])
    scene = api.note(mind, "Ann dropped the violin 小提琴", kind="episodic", tags=["music"])
    rule = api.note(mind, "Tune the violin first 小提琴", kind="procedural", tags=["habit 习惯"])
    trigger = api.note(mind, "Someone mentions the violin 小提琴", kind="trigger")

    def ids(**chosen: object) -> set[str]:
        return {item["id"] for item in api.found(mind, "violin 小提琴", k=50, **chosen)}

    assert ids() == {"v1", fact, scene, rule}, "a trigger is never a result"
    assert trigger not in ids()
    assert ids(kinds=["message"]) == {"v1"}
    assert ids(kinds=["semantic"]) == {fact}
    assert ids(kinds=["semantic", "episodic"]) == {fact, scene}
    assert ids(kinds=["message", "procedural"]) == {"v1", rule}
    assert ids(tags=["music"]) == {fact, scene}
    assert ids(tags=["music", "Ann"]) == {fact}
    assert ids(tags=["habit 习惯"], kinds=["procedural"]) == {rule}
    assert ids(tags=["nothing"]) == set()
    assert ids(exclude=["v1", scene]) == {fact, rule}
    api.refused("invalid_params", "recall", mind=mind, query="violin", kinds=["dream"])


def test_a_forgotten_note_is_not_recalled_until_it_is_restored(house: Home) -> None:
    mind, api = house.mind(), house.api
    note = api.note(mind, "The key is under the flowerpot 钥匙在花盆下")
    assert [item["id"] for item in api.found(mind, "flowerpot")] == [note]
    api.call("note.forget", mind=mind, id=note)
    assert api.found(mind, "flowerpot") == []
    api.call("note.restore", mind=mind, id=note)
    assert [item["id"] for item in api.found(mind, "花盆")] == [note]
    api.call("note.update", mind=mind, id=note, text="The key is with Olga 钥匙在奥尔加那里")
    api.settle(mind)  # words follow at once, the vector in a moment
    assert api.found(mind, "flowerpot") == []
    assert [item["id"] for item in api.found(mind, "奥尔加")] == [note]


# -- recorded ------------------------------------------------------------------------------------------------


def test_a_recall_leaves_a_record_unless_told_otherwise(house: Home) -> None:
    mind, api = house.mind(), house.api
    note = api.note(mind, "The barn owl nests above the mill 仓鸮")
    before = house.recalls(mind)
    quiet = api.call("recall", mind=mind, query="barn owl", record=False)
    assert quiet["recall_id"] is None
    assert house.recalls(mind) == before
    loud = api.call("recall", mind=mind, query="barn owl 仓鸮")
    assert loud["recall_id"].startswith("r")
    assert house.recalls(mind) == before + 1
    context = api.call("context.get", mind=mind, query="barn owl")
    assert context["recall_id"] not in {None, loud["recall_id"]}
    assert house.recalls(mind) == before + 2
    assert api.call("context.get", mind=mind)["recall_id"] is None, "without a query nothing is recalled"
    assert house.recalls(mind) == before + 2
    hits = rows(house.daemon, mind, "SELECT recall, kind, item, rank FROM recall_hit ORDER BY recall, rank")
    assert hits == [(int(answer["recall_id"][1:]), "note", int(note[1:]), 1) for answer in (loud, context)]
    (row,) = rows(house.daemon, mind, "SELECT recalls FROM note")
    assert row == (2,)


def test_every_user_message_causes_exactly_one_recorded_recall(house: Home) -> None:
    mind, api = house.mind(), house.api
    note = api.note(mind, "Ann is allergic to walnuts 核桃")
    for number in range(9):
        waits = number % 3 == 0
        said = api.say(mind, f"walnuts {number} 核桃", id=f"u{number}", recall=waits)
        if waits:
            assert said["context"]["recall_id"] == said["recall_id"]
            assert "allergic" in said["context"]["text"]
        else:
            assert said.get("context") is None
        again = api.say(mind, f"walnuts {number} 核桃", id=f"u{number}", recall=waits)
        assert (again["duplicate"], again["recall_id"]) == (True, said["recall_id"])
        api.say(mind, f"reply {number}", role="assistant", recall=waits)
        api.say(mind, f"system {number}", role="system")
    api.settle(mind)
    house.api.until(
        lambda: rows(house.daemon, mind, "SELECT count(*) FROM recall WHERE state = 'pending'") == [(0,)], "recalls"
    )
    assert house.recalls(mind) == 9
    per_message = rows(
        house.daemon,
        mind,
        "SELECT m.role, r.state, count(*) FROM recall r JOIN message m ON m.id = r.message GROUP BY m.id, r.state",
    )
    assert len(per_message) == 9
    assert {(role, number) for role, _, number in per_message} == {("user", 1)}
    hit = rows(house.daemon, mind, "SELECT count(*) FROM recall_hit WHERE kind = 'note' AND item = ?", int(note[1:]))
    assert hit == [(9,)], "each recall sees the note"
