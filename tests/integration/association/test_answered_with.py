"""What was said is tied to what the answer to it was made of, with nothing else that would tie them."""

from __future__ import annotations

import pytest

from checking import rows
from household import DAY, Home

# (what was told before, what is said on another day, the answer that is made of the first)
ANSWERED = {
    "en": (
        "Rosa has borrowed my bicycle pump.",
        "I want to ride my bicycle to the sea on Sunday, its pump is missing.",
        "Rosa has borrowed your bicycle pump.",
    ),
    "zh": ("罗萨把我的打气筒借走了。", "星期天我想骑车去海边，打气筒不见了。", "打气筒被罗萨借走了。"),
}


@pytest.mark.parametrize("answered", [True, False])
@pytest.mark.parametrize("language", ANSWERED)
def test_what_is_said_is_tied_to_what_the_answer_was_made_of(house: Home, language: str, answered: bool) -> None:
    before, said, reply = ANSWERED[language]
    api, mind = house.api, house.mind(settings={"linking.k_hot": 0, "recall.min_score": 0})
    api.say(mind, before, speaker="Ann", conversation="first")
    house.pass_time(7 * DAY)
    api.call("idle.run", mind=mind)
    (old,) = api.notes(mind)
    api.say(mind, said, speaker="Ann", conversation="second", recall=True)
    api.settle(mind)
    if answered:
        house.pass_time(5)
        api.say(mind, reply, role="assistant", speaker="Pell", conversation="second")
        api.until(lambda: rows(house.daemon, mind, "SELECT item FROM recall_hit WHERE used = 1"), "that it was read")
    house.pass_time(DAY)
    api.call("idle.run", mind=mind)
    new = {note["id"] for note in api.notes(mind) if note["id"] != old["id"] and note["speaker"] == "Ann"}
    assert new
    ties = [link for link in api.links(mind) if link["origin"] == "hebb" and old["id"] in (link["src"], link["dst"])]
    assert any({link["src"], link["dst"]} & new for link in ties) is answered
