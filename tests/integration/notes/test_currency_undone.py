"""What was ended holds again where that was a mistake: taken back, corrected, purged or brought back by hand."""

# Cases stand on long lines, as tables.

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from spread import spread
from told_facts import idle, notes, recall, say

START = "2026-03-02T09:00:00Z"
DAY = 86_400


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Any:
    env = {"SOULMEM_PROFILE": "assistant"}
    with daemon_process(tmp_path_factory.mktemp("house"), "--simulated-clock", START, env=env) as daemon:
        yield daemon


@pytest.fixture
def mind(request: pytest.FixtureRequest, house: Daemon) -> Iterator[str]:
    """A mind that keeps its details, so that what is tested here is what holds and not what has faded.

    It goes with its test: time passes for every mind there is.
    """
    name = f"m{abs(hash(request.node.name)) % 10**9}"
    house.call("mind.create", {"mind": name, "profile": "assistant"})
    yield name
    house.call("mind.delete", {"mind": name, "confirm": name})


@pytest.mark.parametrize(
    ("told", "digested"),
    spread([
        ("My dentist appointment is on Tuesday.", "no, I meant Wednesday", "Wednesday", "Tuesday"),
        ("My locker number is 4471.", "sorry, typo: 4417", "4417", "4471"),
        ("My landlady is called Petra.", "*Petronella", "Petronella", "called Petra."),
        ("周五要去看牙医。", "不对，是周六", "周六", "周五"),
        ("我住在三楼。", "说错了，是四楼", "四楼", "三楼"),
    ], [True, False]),
)  # fmt: skip
def test_what_was_said_by_mistake_counts_no_more(
    house: Daemon, mind: str, told: tuple[str, str, str, str], digested: bool
) -> None:
    said, correction, right, wrong = told
    client = house.client()
    say(client, said, "Maren", mind)
    say(client, correction, "Maren", mind)
    if digested:
        idle(client, mind)
        full = [note for note in notes(client, mind) if right in note["text"] and note["superseded_by"] is None]
        assert len(full) == 1, notes(client, mind)
        assert len(full[0]["sources"]) == 2
    found = recall(client, said, mind)
    assert right in found[0]["text"]
    assert not any(wrong in item["text"] for item in found), found


@pytest.mark.parametrize(
    ("said", "correction", "right", "kept"),
    [
        (
            "i got a weekend job at the chippy on marsh lane, 6.40 an hour. smells of vinegar",
            "no wait i said 6.40, its 7.10 an hour, they put it up for over 16s",
            "marsh lane, 7.10 an hour",
            ("smells of vinegar", "over 16s"),
        ),
        (
            "our Nia's getting married 11 April. Her dad Huw is in Corby, he lays floors.",
            "first day done. got Nia's date wrong the other day, it's the 18th of April not the 11th, Gwen says",
            "getting married 18 April",
            ("lays floors", "Gwen says"),
        ),
        (
            "奶奶3月22号满八十，全家回老家办酒。叔叔在铁路上开火车。",
            "搬家搬了一天。哦对奶奶的酒是21号，周六，不是22，我爸骂我",
            "3月21号满八十",
            ("开火车", "我爸骂我"),
        ),
    ],
)
def test_what_is_put_right_in_passing_leaves_all_else(
    house: Daemon, mind: str, said: str, correction: str, right: str, kept: tuple[str, ...]
) -> None:
    client = house.client()
    say(client, said, "Maren", mind)
    say(client, correction, "Maren", mind)
    idle(client, mind)
    holding = [note["text"] for note in notes(client, mind) if note["superseded_by"] is None]
    assert any(right in text for text in holding), holding
    assert all(any(words in text for text in holding) for words in kept), holding


@pytest.mark.parametrize(
    ("said", "beside", "correction", "right"),
    [
        ("Tom's exam is on 11 April.", "The kettle has a crack.", "Tom's exam is the 18th, not the 11th", "18 April"),
        ("小王的考试是4月11号。", "水壶裂了一道缝。", "小王的考试是18号，不是11号", "18号"),
    ],
)
def test_what_is_put_right_keeps_what_belonged_to_it(
    house: Daemon, mind: str, said: str, beside: str, correction: str, right: str
) -> None:
    client = house.client()
    for text in (said, beside, correction):
        say(client, text, "Maren", mind)
    idle(client, mind)
    held = {note["id"]: note["text"] for note in notes(client, mind) if note["superseded_by"] is None}
    mended = {note for note, text in held.items() if right in text}
    other = {note for note, text in held.items() if beside[-5:-1] in text}
    links = client.call("link.list", {"mind": mind})["items"]
    ends = [{link["src"], link["dst"]} for link in links if link["kind"] == "association"]
    assert any(each & mended and each & other for each in ends), (held, ends)


@pytest.mark.parametrize(
    ("said", "correction", "right", "beside"),
    [
        ("We looked at a place on Newland Avenue, 1,050 a month. We move in on the 28th.",
         "It's 1,150 actually, not 1,050, I read it wrong.", "1,150", "move in"),
        ("看了房子，一居室，两千三，定了。二十八号搬过去。", "看错了，是两千五，不是两千三。", "两千五", "搬过去"),
    ],
)  # fmt: skip
def test_what_was_told_beside_a_mistake_still_holds(
    house: Daemon, mind: str, said: str, correction: str, right: str, beside: str
) -> None:
    client = house.client()
    for text in (said, correction):
        say(client, text, "Maren", mind)
    idle(client, mind)
    holding = [note["text"] for note in notes(client, mind) if note["superseded_by"] is None]
    assert any(right in text for text in holding), holding
    assert any(beside in text for text in holding), holding


def test_a_correction_is_corrected(house: Daemon, mind: str) -> None:
    client = house.client()
    say(client, "The vet is on Monday.", "Maren", mind)
    say(client, "no wait, Tuesday", "Maren", mind)
    say(client, "argh, I meant Thursday", "Maren", mind)
    idle(client, mind)
    holding = [note["text"] for note in notes(client, mind) if note["superseded_by"] is None]
    assert any("vet is on Thursday" in text for text in holding)
    assert not any("Monday" in text or "Tuesday" in text for text in holding), holding


def test_what_was_ended_by_mistake_is_brought_back(house: Daemon, mind: str) -> None:
    client = house.client()
    say(client, "I live in Utrecht.", "Maren", mind)
    idle(client, mind)
    say(client, "I moved to Ghent.", "Maren", mind)
    idle(client, mind)
    ended = next(note for note in notes(client, mind) if note["valid_to"] is not None)
    history = client.call("note.history", {"mind": mind, "id": ended["id"]})["history"]
    assert any(act["action"] == "note_superseded" and act["detail"]["by"] == ended["superseded_by"] for act in history)
    links = client.call("link.list", {"mind": mind, "note": ended["id"], "limit": 100})["items"]
    assert any(link["kind"] == "supersedes" and link["src"] == ended["superseded_by"] for link in links)
    back = client.call("note.restore", {"mind": mind, "id": ended["id"]})
    assert back["restored"] is True
    assert back["note"]["valid_to"] is None
    assert client.call("note.restore", {"mind": mind, "id": ended["id"]})["restored"] is False
    idle(client, mind)
    again = client.call("note.get", {"mind": mind, "id": ended["id"]})["note"]
    assert (again["valid_to"], again["text"]) == (None, ended["text"])


def test_what_ended_something_is_taken_back_and_it_holds_again(house: Daemon, mind: str) -> None:
    client = house.client()
    say(client, "I live in Utrecht.", "Maren", mind)
    idle(client, mind)
    say(client, "I moved to Ghent.", "Maren", mind)
    idle(client, mind)
    for note in notes(client, mind):
        if "Ghent" in note["text"]:
            client.call("note.forget", {"mind": mind, "id": note["id"]})
    (left,) = {note["text"] for note in notes(client, mind) if note["valid_to"] is None}
    assert "Utrecht" in left


def test_what_is_purged_lets_what_it_ended_hold_again(house: Daemon, mind: str) -> None:
    client = house.client()
    for before, after, old, new in (
        ("The rent of my studio is 700.", "They put the rent of my studio up to 760.", "is 700", "760"),
        ("我的房租是两千一。", "房租涨到两千四了。", "两千一", "两千四"),
    ):
        say(client, before, "Maren", mind)
        idle(client, mind)
        client.call("clock.advance", {"seconds": 9 * DAY})
        say(client, after, "Maren", mind)
        idle(client, mind)
        known = {note["id"]: note for note in notes(client, mind)}
        ended = next(each for each in known.values() if old in each["text"])
        newer = next(each for each in known.values() if new in each["text"])
        assert ended["superseded_by"] == newer["id"]
        client.call("note.purge", {"mind": mind, "id": newer["id"]})
        again = client.call("note.get", {"mind": mind, "id": ended["id"]})["note"]
        assert again["valid_to"] is None
        assert again["superseded_by"] is None


def test_what_is_corrected_is_compared_anew(house: Daemon, mind: str) -> None:
    client = house.client()
    say(client, "My gym costs 39 a month.", "Maren", mind)
    idle(client, mind)
    client.call("clock.advance", {"seconds": 9 * DAY})
    message = say(client, "My gym put on a new class.", "Maren", mind)
    idle(client, mind)
    client.call(
        "message.update",
        {"mind": mind, "conversation": "main", "id": message, "content": "My gym went up to 45 a month."},
    )
    idle(client, mind)
    old = next(note for note in notes(client, mind) if "39" in note["text"])
    assert old["superseded_by"] is not None, notes(client, mind)
