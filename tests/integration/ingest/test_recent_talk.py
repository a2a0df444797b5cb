"""What of a talk is still told word for word: all of it while it goes on, nothing once what was made of it is gone."""

from __future__ import annotations

from household import DAY, Home

SECRETS = [
    ("Mira hid the violet lantern behind the old bakery in the harbour.", "violet lantern"),
    ("米拉把紫水晶藏在港口的旧面包房后面。", "紫水晶"),
    ("Mira 把 amethyst 藏在港口 bakery 后面。", "amethyst"),
]


def test_a_note_that_is_forgotten_takes_no_words_from_the_talk_under_way(house: Home) -> None:
    api, mind = house.api, house.mind()
    said = ["I moved to Lisbon.", "我搬到里斯本了。", "The rent is 900 euros.", "房租是九百欧元。"]
    for number, text in enumerate(said):
        api.say(mind, text, id=f"w{number}")
    note = api.note(mind, "They moved 搬家了", sources=[{"conversation": "main", "id": "w1"}])
    api.call("note.forget", mind=mind, id=note)
    blocks = api.call("context.get", mind=mind, conversation="main")["blocks"]
    window = "".join(block["text"] for block in blocks if block["kind"] == "window")
    assert all(text in window for text in said)


def test_a_digested_talk_is_told_no_more_when_its_notes_are_gone_for_good(house: Home) -> None:
    api, mind = house.api, house.mind(settings={"forgetting.clock": "wall", "forgetting.tombstone_days": 1})
    for number, (text, _) in enumerate(SECRETS):
        api.say(mind, text, id=f"g{number}")
    api.call("idle.run", mind=mind)
    notes = [note["id"] for note in api.notes(mind) if not note["pinned"]]
    assert notes
    for note in notes:
        api.call("note.forget", mind=mind, id=note)
    house.pass_time(3 * DAY)
    api.call("idle.run", mind=mind)
    assert api.notes(mind, state="forgotten") == [], "they were purged"
    shown = str(api.call("context.get", mind=mind, conversation="main")["blocks"])
    assert all(secret not in shown for _, secret in SECRETS)
