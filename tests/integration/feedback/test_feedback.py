"""Feedback over the socket: what is refused, what is only warned of, and what lasts through a kill."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from checking import Checking, Wire, checking, rows
from daemon_fixture import Daemon, daemon_process
from soulmem.core.search.score_calibration import rank_share
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.graph.learning.recall_trace import Trail, TrailLink
from soulmem.store.recalls import recall_traces
from soulmem.store.sqlite import driver

EMBEDDER = HashingEmbedder()
QUERY = "What does Tom's sister keep? 她养什么？"


class House:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.api = checking(daemon)

    def recalled(self, mind: str) -> tuple[str, list[str]]:
        """A mind that knows something, and a recall of it."""
        known = [
            self.api.note(mind, text)
            for text in ("Tom's sister keeps bees.", "她养蜂已经三年了。", "Tom drinks oolong 茶 after lunch.")
        ]
        recall = self.api.call("recall", mind=mind, query=QUERY)
        assert recall["items"]
        return recall["recall_id"], known


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("f"), env={"SOULMEM_LOG_LEVEL": "debug"}) as daemon:
        yield House(daemon)


def told(daemon: Daemon, mind: str) -> list[tuple[str, str, str]]:
    return [
        (event["recall"], event["source"], event["verdict"])
        for event in daemon.events("feedback_applied")
        if event["mind"] == mind
    ]


def test_a_recall_that_followed_nothing_is_praised_all_the_same(house: House) -> None:
    recall, known = house.recalled("nothing")
    said = {"mind": "nothing", "recall_id": recall, "verdict": "good", "used": [known[0]]}
    result = house.api.call("feedback", **said)
    assert (result["recall_id"], result["applied"], result["duplicate"]) == (recall, 0, False)
    again = house.api.call("feedback", **said)
    assert (again["applied"], again["duplicate"]) == (0, True)
    assert not house.api.call("feedback", **{**said, "verdict": "bad"})["duplicate"]
    house.api.until(lambda: len(told(house.daemon, "nothing")) == 2, "both verdicts in the log")
    assert told(house.daemon, "nothing") == [(recall, "client", "good"), (recall, "client", "bad")]
    assert house.api.stray == set()


def test_what_was_used_is_recorded(house: House) -> None:
    recall, known = house.recalled("used")
    result = house.api.call(
        "feedback", mind="used", recall_id=recall, verdict="good", used=[known[0], "n404", "nothing"], strength=0.5
    )
    assert [warning.split("'")[1] for warning in result["warnings"] if "there is no" in warning] == ["n404", "nothing"]
    used = rows(house.daemon, "used", "SELECT item FROM recall_hit WHERE kind = 'note' AND used = 1")
    assert [f"n{item}" for (item,) in used] == [known[0]]


def test_what_cannot_be_is_refused(house: House) -> None:
    recall, known = house.recalled("refused")
    house.api.call("mind.create", mind="stranger")
    api, good = house.api, {"recall_id": recall, "verdict": "good"}
    for name, wrong in (
        ("not_found", {"mind": "stranger"}),
        ("not_found", {"recall_id": "r999999"}),
        ("not_found", {"recall_id": "n1"}),
        ("not_found", {"recall_id": "r" + "1" * 200}),
        ("mind_not_found", {"mind": "nobody"}),
        ("invalid_params", {"verdict": "neutral"}),
        ("invalid_params", {"verdict": "GOOD"}),
        ("invalid_params", {"strength": 1.01}),
        ("invalid_params", {"strength": -1}),
        ("invalid_params", {"strength": "0.5"}),
        ("invalid_params", {"strength": True}),
        ("invalid_params", {"used": known[0]}),
        ("invalid_params", {"used": ["n1"] * 101}),
        ("invalid_params", {"used": [1]}),
        ("invalid_text", {"used": [""]}),
        ("invalid_text", {"recall_id": "r\x001"}),
        ("invalid_params", {"uses": []}),
    ):
        api.refused_raw(name, "feedback", {"mind": "refused", **good, **wrong})
    with Wire(house.daemon) as wire:
        given = json.dumps({"mind": "refused", **good})[:-1] + ', "strength": NaN}'
        wire.send(b'{"jsonrpc":"2.0","id":1,"method":"feedback","params":%s}\n' % given.encode())
        answer = wire.receive()
        assert answer is not None
        assert answer["error"]["data"]["name"] == "parse_error"
    assert rows(house.daemon, "refused", "SELECT * FROM feedback") == []
    assert told(house.daemon, "refused") == []
    assert rows(house.daemon, "stranger", "SELECT * FROM feedback") == []


@pytest.mark.parametrize(
    ("reply", "reaction", "verdict"),
    [
        ("She keeps bees.", "Exactly, you remembered!", "good"),
        ("她养猫。", "不对，你记错了。", "bad"),
        ("She keeps 蜜蜂.", "那是胡说，that's completely wrong.", "bad"),
    ],
)
def test_a_mind_that_cares_reads_it_from_the_next_message(
    house: House, reply: str, reaction: str, verdict: str
) -> None:
    mind = f"caring-{abs(hash(reaction)) % 10**8}"
    house.api.call("mind.create", mind=mind, settings={"recall.cares": True})
    house.api.note(mind, "Tom's sister keeps bees.")
    asked = house.api.say(mind, QUERY, recall=True)
    house.api.say(mind, reply, role="assistant")
    house.api.say(mind, reaction, id="m3")
    house.api.until(lambda: told(house.daemon, mind), "the reaction was read")
    house.api.say(mind, reaction, id="m3")
    house.api.say(mind, "And one more thing: tomorrow I am in Leipzig.")
    house.api.settle(mind)
    assert told(house.daemon, mind) == [(asked["recall_id"], "message", verdict)]


def test_a_companion_cares_unless_it_is_told_not_to_and_an_assistant_does_not(house: House) -> None:
    for profile in ("companion", "assistant"):
        house.api.call("mind.create", mind=profile, profile=profile)
        house.api.note(profile, "Tom's sister keeps bees.")
        house.api.say(profile, QUERY, recall=True)
        house.api.say(profile, "She keeps cats. 她养猫。", role="assistant")
        house.api.say(profile, "No, that's completely wrong! 不对，你记错了。")
        house.api.settle(profile)
    house.api.until(lambda: "bad" in {verdict for *_, verdict in told(house.daemon, "companion")}, "it was read")
    assert "bad" not in {verdict for *_, verdict in told(house.daemon, "assistant")}


def test_a_mind_that_does_not_care_reads_nothing(house: House) -> None:
    house.api.call("mind.create", mind="cold", settings={"recall.cares": False})
    house.api.note("cold", "Tom's sister keeps bees.")
    for role, text in (("user", QUERY), ("assistant", "She keeps cats."), ("user", "That's completely wrong!")):
        house.api.say("cold", text, role=role)
    house.api.settle("cold")
    assert rows(house.daemon, "cold", "SELECT * FROM feedback WHERE verdict <> 'judged'") == []


# -- links that learn ------------------------------------------------------------------------------------------


def leave_trail(path: Path, recall: str, known: Sequence[str], link: str) -> None:
    """What a recall that followed one link leaves behind."""
    src, dst = (int(note[1:]) for note in known[:2])
    followed = (TrailLink(int(link[1:]), src, dst, False, 0),)
    trail = Trail(EMBEDDER.embed([QUERY]), (QUERY,), followed, returned=(dst, src))
    connection = driver.writer(path)()
    try:
        at = connection.execute("SELECT at FROM recall WHERE id = ?", (int(recall[1:]),)).fetchone()[0]
        recall_traces.put(connection, [(int(recall[1:]), trail)], EMBEDDER.fingerprint, at)
    finally:
        connection.close()


def learnt(daemon: Daemon) -> list[tuple[int, int, int]]:
    return rows(daemon, "bees", "SELECT link, enhanced, penalised FROM link_memory")


def test_what_was_learnt_outlives_a_kill(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", "2026-03-01T08:00:00Z") as daemon:
        house = House(daemon)
        recall, known = house.recalled("bees")
        link = house.api.call("link.add", mind="bees", src=known[0], dst=known[1], kind="association")["id"]
    leave_trail(tmp_path / "state" / "minds" / "bees.db", recall, known, link)
    said = {"mind": "bees", "recall_id": recall, "verdict": "good", "used": [known[1]]}
    with daemon_process(tmp_path, "--simulated-clock") as daemon:
        assert checking(daemon).call("recall", mind="bees", query=QUERY)["recall_id"] != recall
        daemon.kill()
    with daemon_process(tmp_path, "--simulated-clock") as daemon:
        result = checking(daemon).call("feedback", **said)
        assert (result["applied"], result["enhanced"], result.get("warnings")) == (1, 1, None)
        daemon.kill()
    with daemon_process(tmp_path, "--simulated-clock") as daemon:
        api: Checking = checking(daemon)
        assert learnt(daemon) == [(int(link[1:]), 1, 0)]
        assert api.call("feedback", **said)["duplicate"]
        assert api.call("feedback", **{**said, "verdict": "bad"})["penalised"] == 1
        assert learnt(daemon) == [(int(link[1:]), 1, 1)]


CHAINS = {
    "en": (
        "What does Tom's sister Ines do?",
        "Tom's sister Ines lives by the harbour.",
        "Beekeeping takes patience.",
        "The spring honey was sold in Lugo.",
        "What did the ferry cost?",
    ),
    "zh": (
        "小林的姐姐做什么？",
        "小林的姐姐住在港口边。",
        "养蜂需要耐心。",
        "春天的蜂蜜在集市上卖完了。",
        "渡轮票多少钱？",
    ),
}


def scores(api: Checking, mind: str, query: str) -> tuple[str, dict[str, float]]:
    """What is reminded of, and how strongly; none of it answers the question, so no floor is asked for."""
    recall = api.call("recall", mind=mind, query=query, k=5, min_score=0)
    return recall["recall_id"], {item["id"]: item["score"] for item in recall["items"]}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_praise_brings_what_helped_up_for_that_question_and_blame_takes_it_back(tmp_path: Path, language: str) -> None:
    question, first, second, third, other = CHAINS[language]
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        ids = [api.note("mira", text) for text in (first, second, third)]
        for number in range(20):
            api.note("mira", f"Filler {number}: trains and weather 天气 {number}")
        for src, dst in pairwise(ids):
            api.call("link.add", mind="mira", src=src, dst=dst, kind="association", strength=0.95)
        api.settle("mira")
        _, elsewhere = scores(api, "mira", other)
        recall, before = scores(api, "mira", question)
        assert api.call("feedback", mind="mira", recall_id=recall, verdict="good", used=[ids[2]])["enhanced"] == 2
        _, praised = scores(api, "mira", question)
        ranked = [rank_share(found.get(ids[2], 0.0), max(found.values())) for found in (before, praised)]
        assert ranked[1] > 2 * ranked[0]
        daemon.kill()
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        recall, lasting = scores(api, "mira", question)
        assert lasting[ids[2]] == pytest.approx(praised[ids[2]], abs=0.02), "it outlives the daemon"
        for _ in range(3):
            api.call("feedback", mind="mira", recall_id=recall, verdict="bad", used=[ids[2]])
            recall, blamed = scores(api, "mira", question)
        assert blamed.get(ids[2], 0.0) == pytest.approx(before.get(ids[2], 0.0), abs=0.05), "wrong praise is unlearnt"
        assert scores(api, "mira", other)[1] == pytest.approx(elsewhere, abs=0.02), "other questions never noticed"
