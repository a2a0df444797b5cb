"""What was said before is read in at once: as if it had been told then, once, and whatever else stands beside it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from checking import Checking, Json, Wire, checking, rows
from daemon_fixture import Daemon, daemon_process

START = "2026-03-01T08:00:00Z"
LONG_AGO = datetime(2024, 2, 3, 9, 0, tzinfo=UTC)
IDLE = timedelta(minutes=10)
TOLD = {
    "en": [
        "My sister Ines turned 33 on Saturday.", "I moved to Lisbon and work at the harbour.",
        "My cat is called Momo.", "I am allergic to hazelnuts.", "Tom bought a green boat last week.",
        "The dentist is on the 14th of May.",
    ],
    "zh": [
        "我妹妹小苇上周六满三十三岁了。", "我搬到成都了，在一家书店上班。", "我的猫叫馍馍。",
        "我对花生过敏。", "老周上个星期买了一条绿色的船。", "五月十四号要去看牙医。",
    ],
    "mixed": [
        "我妹妹 Ines 上周六 turned 33.", "I moved to 成都 and work in 一家书店.", "My cat 叫 Momo.",
        "我对 hazelnuts 过敏。", "Tom 上个星期 bought a green boat.", "The dentist is on 五月十四号.",
    ],
}  # fmt: skip


def history(language: str, sessions: int = 3, seed: int = 1) -> list[Json]:
    """Talk of several days, two speakers by turns, some of it within minutes and some after hours."""
    chance, at, said = random.Random(seed), LONG_AGO, list[Json]()
    for session in range(sessions):
        at += timedelta(days=1, minutes=chance.randint(0, 200))
        for turn in range(chance.randint(1, 5)):
            at += timedelta(seconds=chance.randint(5, 500))
            text = TOLD[language][(session * 2 + turn) % len(TOLD[language])]
            said.append({
                "id": f"h{len(said)}", "role": "user" if turn % 2 == 0 else "assistant",
                "speaker": "Ann" if turn % 2 == 0 else "Pell", "content": text,
                "at": at.isoformat().replace("+00:00", "Z"),
            })  # fmt: skip
    return said


def moment(message: Json) -> datetime:
    return datetime.fromisoformat(message["at"].replace("Z", "+00:00"))


def gaps(said: list[Json]) -> list[bool]:
    """Whether a silence follows each message."""
    return [moment(after) - moment(before) > IDLE for before, after in pairwise(said)] + [True]


class House:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.api: Checking = checking(daemon)
        self.made = 0

    def mind(self, **settings: Any) -> str:
        self.made += 1
        name = f"i{self.made}"
        self.api.call("mind.create", mind=name, settings={"window.topic_marks": False} | settings)
        return name

    def take_in(self, mind: str, messages: list[Any], **params: Any) -> Json:
        """Import, though a message may be none; what is answered must fit the schema."""
        return dict(self.daemon.client().import_messages(mind, messages, **params))

    def digest(self, mind: str) -> None:
        self.api.settle(mind)
        self.api.call("idle.run", mind=mind)
        self.api.settle(mind)

    def epochs(self, mind: str) -> list[tuple[Any, ...]]:
        return rows(
            self.daemon, mind, "SELECT epoch, min(seq), max(seq), count(*) FROM message GROUP BY epoch ORDER BY epoch"
        )

    def notes(self, mind: str) -> list[tuple[Any, ...]]:
        return sorted((note["kind"], note["text"], note["at"]) for note in self.api.notes(mind))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("i"), "--simulated-clock", START) as daemon:
        yield House(daemon)


LANGUAGES = pytest.mark.parametrize("language", TOLD)


@LANGUAGES
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.torture) for seed in (1, 2))])
def test_it_comes_to_the_same_as_being_told_one_by_one(house: House, language: str, seed: int) -> None:
    said = history(language, sessions=4, seed=seed)
    one_by_one, at_once = house.mind(), house.mind()
    for message, ends in zip(said, gaps(said), strict=True):
        house.api.call("message.add", mind=one_by_one, **message, **({"mark": "end"} if ends else {}))
    first = seed * 2 + 1  # a call ends in the middle of it
    for part, continues in ((said[:first], True), (said[first:], False)):
        assert house.api.call("message.import", mind=at_once, messages=part, continues=continues)["refused"] == []
    assert house.epochs(at_once) == house.epochs(one_by_one)
    for mind in (one_by_one, at_once):
        house.digest(mind)
    told = [[(m["id"], m["seq"], m["speaker"], m["content"], m["at"]) for m in house.api.messages(mind)]
            for mind in (one_by_one, at_once)]  # fmt: skip
    assert told[0] == told[1]
    assert house.notes(at_once) == house.notes(one_by_one)
    assert house.notes(at_once)
    assert rows(house.daemon, at_once, "SELECT count(*) FROM recall") == [(0,)]


@LANGUAGES
def test_a_second_time_changes_nothing_and_says_so(house: House, language: str) -> None:
    mind, said = house.mind(), history(language)
    anonymous = [{name: value for name, value in message.items() if name != "id"} for message in said[:3]]
    for part in (said, [dict(message, conversation="elsewhere") for message in anonymous]):
        once = house.api.call("message.import", mind=mind, messages=part)
        before = house.api.messages(mind), house.epochs(mind)
        again = house.api.call("message.import", mind=mind, messages=part)
        assert (once["stored"], once["duplicates"]) == (len(part), [])
        assert (again["stored"], again["duplicates"], again["sessions"]) == (0, list(range(len(part))), 0)
        assert (house.api.messages(mind), house.epochs(mind)) == before


@LANGUAGES
def test_one_bad_line_is_told_by_its_place_and_harms_no_other(house: House, language: str) -> None:
    mind, said = house.mind(), history(language, sessions=60)
    bad: dict[int, tuple[Any, str]] = {
        3: ({"role": "user", "content": "no time"}, "invalid_params"),
        7: ({**said[7], "at": "2024-02-31T00:00:00Z", "id": "bad"}, "invalid_time"),
        11: ({**said[11], "content": " ", "id": "bad"}, "invalid_text"),
        12: ({**said[12], "content": "a\ud800b", "id": "bad"}, "invalid_text"),
        20: ("not a message", "invalid_params"),
        21: ({**said[21], "moood": {}, "id": "bad"}, "invalid_params"),
        22: ({**said[22], "at": "2031-01-01T00:00:00Z", "id": "bad"}, "invalid_time"),
        23: ({**said[23], "content": "x" * 300_000, "id": "bad"}, "too_large"),
        30: ({**said[29], "content": "another under the same id"}, "idempotency_conflict"),
    }
    lines = [bad[place][0] if place in bad else message for place, message in enumerate(said)]
    with Wire(house.daemon) as wire:  # no client would send it
        call = {"jsonrpc": "2.0", "id": 1, "method": "message.import", "params": {"mind": mind, "messages": lines}}
        wire.send(json.dumps(call).encode())
        answer = wire.receive()
    assert answer is not None
    result = answer["result"]
    assert {each["index"]: each["error"] for each in result["refused"]} == {at: name for at, (_, name) in bad.items()}
    assert all(each["message"] for each in result["refused"])
    assert result["stored"] == len(said) - len(bad)
    assert [m["id"] for m in house.api.messages(mind)] == [m["id"] for at, m in enumerate(said) if at not in bad]


def test_times_out_of_order_are_put_in_order_and_told(house: House) -> None:
    mind, said = house.mind(), history("zh", sessions=4)
    shuffled = said.copy()
    random.Random(4).shuffle(shuffled)
    answer = house.api.call("message.import", mind=mind, messages=shuffled)
    assert answer["reordered"] > 0
    assert answer["late"] == 0
    assert [message["id"] for message in house.api.messages(mind)] == [message["id"] for message in said]
    older = [dict(message, id=f"older{n}", at=message["at"].replace("2024", "2023")) for n, message in enumerate(said)]
    answer = house.api.call("message.import", mind=mind, messages=older)
    assert (answer["late"], answer["reordered"]) == (1, 0), "the first of them comes behind what was said after it"
    assert house.epochs(mind)[-1][0] > 4


def test_talk_that_goes_on_is_an_epoch_of_its_own(house: House) -> None:
    mind, said = house.mind(), history("en", sessions=2)
    assert house.api.call("message.import", mind=mind, messages=said)["sessions"] == 2
    house.api.say(mind, "Good morning! 早上好！")
    assert [count for *_, count in house.epochs(mind)][-1] == 1


def test_recalls_are_caused_only_if_asked_for(house: House) -> None:
    said = history("mixed")
    asks = sum(message["role"] == "user" for message in said)
    for recall, expected in ((False, 0), (True, asks)):
        mind = house.mind()
        house.api.call("message.import", mind=mind, messages=said, recall=recall)
        assert rows(house.daemon, mind, "SELECT count(*) FROM recall") == [(expected,)]


def test_what_was_deleted_is_not_heard_again(house: House) -> None:
    mind, said = house.mind(), history("en")
    house.api.call("message.import", mind=mind, messages=said)
    house.api.call("message.delete", mind=mind, id=said[1]["id"])
    answer = house.api.call("message.import", mind=mind, messages=said)
    assert (answer["stored"], answer["deleted"]) == (0, [1])
    assert said[1]["id"] not in {message["id"] for message in house.api.messages(mind) if message["content"]}


def test_it_is_found_at_once_and_fades_from_now_on(house: House) -> None:
    """A history of two years ago is learnt today: nothing of it is forgotten because it is old."""
    mind = house.mind()
    for language in ("en", "zh"):
        said = [dict(message, conversation=language) for message in history(language, sessions=6)]
        house.api.call("message.import", mind=mind, messages=said)
    for question, word in (("hazelnuts", "hazelnuts"), ("花生过敏", "花生")):
        assert any(word in item["text"] for item in house.api.found(mind, question))
    house.digest(mind)
    found = house.api.notes(mind)
    assert len(found) > 6
    assert {note["at"][:4] for note in found} == {"2024"}
    for question, word in (("What am I allergic to?", "hazelnuts"), ("我对什么过敏？", "花生")):
        assert any(word in item["text"] and item["kind"] != "message" for item in house.api.found(mind, question))


def test_too_many_are_refused_before_any_is_read(house: House) -> None:
    mind = house.mind()
    house.api.refused_raw("invalid_params", "message.import", {"mind": mind, "messages": [{}] * 1001})
    house.api.refused_raw("invalid_params", "message.import", {"mind": mind, "messages": []})
    house.api.refused_raw("invalid_params", "message.import", {"mind": mind, "messages": {"role": "user"}})
    assert rows(house.daemon, mind, "SELECT count(*) FROM message") == [(0,)]


def test_where_nothing_can_be_taken_no_mind_comes_into_being(house: House) -> None:
    answer = house.take_in("nobody", [{"role": "user"}])
    assert (answer["stored"], answer["state"]) == (0, None)
    house.api.refused("mind_not_found", "mind.get", mind="nobody")


def test_whoever_watches_sees_it_grow(house: House) -> None:
    mind, said = house.mind(), history("en", sessions=60)
    before = len(house.daemon.events("messages_imported"))
    house.api.call("message.import", mind=mind, messages=said)
    told = house.daemon.events("messages_imported")[before:]
    assert len(told) > 1
    assert sum(event["stored"] for event in told) == len(said)
    assert [event["done"] for event in told] == sorted({event["done"] for event in told})
    assert (told[-1]["done"], told[-1]["total"]) == (len(said), len(said))


# -- a daemon that dies ----------------------------------------------------------------------------------


def test_a_kill_in_the_middle_loses_nothing_acknowledged_and_sending_again_completes_it(tmp_path: Path) -> None:
    import threading  # noqa: PLC0415

    from daemon_fixture import start, wait_ready  # noqa: PLC0415

    said = [
        {**message, "content": f"{message['content']} {number}"}
        for number, message in enumerate(history("mixed", sessions=300))
    ]
    parts = [said[first : first + 100] for first in range(0, len(said), 100)]
    acknowledged: list[int] = []
    daemon = start(tmp_path)
    wait_ready(daemon)

    def send() -> None:
        try:
            for number, part in enumerate(parts):
                daemon.call("message.import", {"mind": "m", "messages": part, "continues": True})
                acknowledged.append(number)
        except Exception:  # the daemon is gone
            return

    sender = threading.Thread(target=send)
    sender.start()
    while len(acknowledged) < 2:
        assert sender.is_alive()
        sender.join(0.001)
    daemon.kill()
    sender.join()
    assert len(acknowledged) < len(parts), "it was over before the kill"
    with daemon_process(tmp_path, name="again") as again:
        api = checking(again)
        kept = {message["id"] for message in api.messages("m")}
        assert kept >= {message["id"] for number in acknowledged for message in parts[number]}
        answers = [
            api.call("message.import", mind="m", messages=part, continues=part is not parts[-1]) for part in parts
        ]
        assert sum(answer["stored"] for answer in answers) == len(said) - len(kept)
        assert [message["id"] for message in api.messages("m")] == [message["id"] for message in said]
        silences = sum(gaps(said))
        assert rows(again, "m", "SELECT count(DISTINCT epoch) FROM message") == [(silences,)]
