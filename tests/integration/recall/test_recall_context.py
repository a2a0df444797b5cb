"""What a recall leaves to a context: what caused it stays out, kills lose none, blocks keep their budget and order."""

from __future__ import annotations

from pathlib import Path

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import daemon_process
from household import START, Home
from soulmem.core.text.tokens import estimate_tokens
from spread import spread


def test_a_recall_never_returns_the_message_that_caused_it(house: Home) -> None:
    mind = house.mind()
    house.api.say(mind, "The glacier is melting 冰川融化", id="g1")
    told = house.api.say(mind, "Tell me about the glacier 冰川", id="g2", recall=True)
    hits = rows(
        house.daemon,
        mind,
        "SELECT m.client_id FROM recall_hit h JOIN message m ON m.id = h.item "
        "WHERE h.kind = 'message' AND h.recall = ?",
        int(told["recall_id"][1:]),
    )
    assert ("g2",) not in hits


def test_pending_recalls_survive_a_kill_and_run_once(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        api.note("mira", "Marsh harriers nest here 白头鹞")
        calls = [
            ("message.add", {"mind": "mira", "role": "user", "content": f"harrier {n} 白头鹞", "id": f"h{n}"})
            for n in range(100)
        ]
        daemon.client().call_many(calls)
        daemon.kill()
    with daemon_process(tmp_path, "--simulated-clock", START, name="e") as daemon:
        api = checking(daemon)
        assert api.call("message.list", mind="mira", limit=500)["next_cursor"] is None
        api.until(lambda: not rows(daemon, "mira", "SELECT 1 FROM recall WHERE state = 'pending'"), "the recalls")
        counted = rows(daemon, "mira", "SELECT count(*), count(DISTINCT message) FROM recall")
        assert counted == [(100, 100)]
        folded = rows(
            daemon, "mira", "SELECT count(*) FROM recall WHERE state = 'coalesced' AND coalesced_into IS NULL"
        )
        assert folded == [(0,)]


def test_the_status_tells_how_many_recalls_are_to_come(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.note("mira", "Marsh harriers nest here 白头鹞")
        said = [
            ("message.add", {"mind": "mira", "role": "user", "content": f"harrier {n} 白头鹞", "id": f"h{n}"})
            for n in range(100)
        ]
        *_, status = daemon.client().call_many([*said, ("system.status", {})])
        assert isinstance(status, dict)
        assert 0 < status["minds"][0]["pending_recalls"] <= 100
        api.until(lambda: not api.status("mira")["pending_recalls"], "the recalls")
        assert not rows(daemon, "mira", "SELECT 1 FROM recall WHERE state = 'pending'")


# -- context -------------------------------------------------------------------------------------------------

ORDER = ["core", "profile", "behaviour", "summary", "notes", "window"]


@pytest.fixture(scope="module")
def talked(home: Home) -> str:
    mind, api = (
        home.mind(persona="Mira is a lighthouse keeper. 米拉是守塔人。", settings={"window.capacity": 6}),
        home.api,
    )
    api.note(mind, "Mira never lies to Ann 米拉从不骗安", kind="semantic", pinned=True)
    for number in range(24):
        role = "assistant" if number % 2 else "user"
        api.say(mind, f"On day {number} Ann sailed to island {number} 安在第{number}天去了{number}号岛。", role=role)
    for number in range(20):
        api.note(mind, f"Island {number} has {number * 7} goats {number}号岛有山羊")
    api.settle(mind)
    return mind


@pytest.mark.parametrize(
    ("budget", "query"),
    spread([50, 75, 120, 200, 400, 1000, 4000], [None, "goats on the island 山羊", "安"]),
)
def test_the_context_keeps_its_budget_and_order(house: Home, talked: str, budget: int, query: str | None) -> None:
    extra = {} if query is None else {"query": query}
    found = house.api.call("context.get", mind=talked, conversation="main", max_tokens=budget, **extra)
    kinds = [block["kind"] for block in found["blocks"]]
    assert kinds == sorted(kinds, key=ORDER.index)
    assert len(kinds) == len(set(kinds))
    assert estimate_tokens(found["text"]) <= budget
    assert sum(block["tokens"] for block in found["blocks"]) <= budget
    place = 0
    for block in found["blocks"]:
        assert block["text"]
        assert estimate_tokens(block["text"]) <= block["tokens"]
        place = found["text"].index(block["text"], place) + len(block["text"])
    assert ("notes" in kinds) <= (query is not None)


def test_a_whole_context_has_every_block(house: Home, talked: str) -> None:
    found = house.api.call("context.get", mind=talked, conversation="main", query="goats 山羊", max_tokens=4000)
    blocks = {block["kind"]: block for block in found["blocks"]}
    assert {"core", "summary", "notes", "window"} <= blocks.keys()
    assert "lighthouse keeper" in blocks["core"]["text"]
    assert "从不骗安" in blocks["core"]["text"]
    said = house.api.messages(talked)[-6:]
    assert blocks["window"]["items"] == [message["id"] for message in said]
    assert all(message["content"] in blocks["window"]["text"] for message in said)
    assert not set(blocks["window"]["items"]) & set(blocks["notes"]["items"]), "nothing is said twice"
    assert "goats" in blocks["notes"]["text"]


@pytest.mark.parametrize(("budget", "most"), [(800, 10), (1_500, 15), (4_000, 20)])
def test_a_roomy_context_holds_more_than_is_called_to_mind(house: Home, budget: int, most: int) -> None:
    mind, api = house.mind(), house.api
    for number in range(24):
        api.note(mind, f"Goat number {number} of the island 岛上第{number}只山羊")
    api.settle(mind)
    found = api.call("context.get", mind=mind, query="goats of the island 岛上的山羊", max_tokens=budget)
    told = next(block["items"] for block in found["blocks"] if block["kind"] == "notes")
    assert 10 <= len(told) <= most
    assert (len(told) > 10) == (most > 10)
    hits = rows(house.daemon, mind, "SELECT item, tier FROM recall_hit WHERE kind = 'note' ORDER BY rank")
    assert sum(tier != "beside" for _, tier in hits) == 10, "what only had room was not called to mind"
    assert set(told) <= {f"n{note}" for note, _ in hits}, "but it was handed out"


def test_a_context_names_recalled_messages_as_their_senders_do(house: Home) -> None:
    """Not by a row, which another message of the conversation may be called by, and which counts what others said."""
    api, mind = house.api, house.mind(settings={"window.capacity": 4, "window.min_fresh": 1})
    for number in range(7):
        api.say(mind, f"Something said elsewhere, {number}. 别处说的话。", conversation="elsewhere")
    told = {
        "n5": "Our barn owl nests in the mill. 谷仓猫头鹰在磨坊里筑巢。",
        "night-1": "The barn owl hunts voles at dusk. 猫头鹰黄昏捕田鼠。",
    }
    for name, text in told.items():
        api.say(mind, text, id=name)
    for number in range(12):
        api.say(mind, f"It rains on day {number}. 第{number}天下雨。", role="assistant" if number % 2 else "user")
    api.settle(mind)
    found = api.call("context.get", mind=mind, conversation="main", query="barn owl 谷仓猫头鹰", max_tokens=4000)
    blocks = {block["kind"]: block for block in found["blocks"]}
    assert set(told) <= set(blocks["notes"]["items"])
    known = {message["id"] for room in ("main", "elsewhere") for message in api.messages(mind, room)}
    summaries = {item for item in blocks["notes"]["items"] if item.startswith("s")}
    assert set(blocks["notes"]["items"]) - summaries <= known


@pytest.mark.parametrize("budget", [400, 4000])
def test_the_beginning_of_the_context_stays_the_same(house: Home, talked: str, budget: int) -> None:
    """What a model's server caches: core and summary do not depend on the query."""

    def stable(query: str) -> str:
        found = house.api.call("context.get", mind=talked, conversation="main", query=query, max_tokens=budget)
        head = [block["text"] for block in found["blocks"] if block["kind"] in {"core", "behaviour", "summary"}]
        assert found["text"].startswith("\n\n".join(head))
        return "\n\n".join(head)

    first = stable("goats on island 3")
    assert first
    assert {stable(query) for query in ("山羊", "Who never lies?", "xyzzy", "day 11 安 sailed")} == {first}


def test_what_is_excluded_stays_out_of_the_context(house: Home, talked: str) -> None:
    def items(**extra: object) -> list[str]:
        found = house.api.call(
            "context.get", mind=talked, conversation="main", query="island 7 goats", max_tokens=4000, **extra
        )
        return [item for block in found["blocks"] if block["kind"] == "notes" for item in block["items"]]

    first = items()
    assert first
    assert not set(first[:2]) & set(items(exclude=first[:2]))


# -- profiles ------------------------------------------------------------------------------------------------

TALK = [
    ("Ann", "I adopted a three-legged greyhound called Pirate."),
    ("Ann", "我下周二要去苏州出差。"),
    ("Ann", "My grandmother was born in Trieste in 1931."),
    ("Ann", "我对花生过敏，一点都不能吃。"),
]


@pytest.mark.parametrize("rows_in_ram", [300_000, 0])
def test_digested_messages_are_recalled_through_notes_or_as_they_were(tmp_path: Path, rows_in_ram: int) -> None:
    env = {"SOULMEM_MEMORY_MAX_ROWS_IN_RAM": str(rows_in_ram)}

    def kinds(api: Checking, mind: str, query: str) -> set[str]:
        return {item["kind"] for item in api.found(mind, query)}

    def check(api: Checking) -> None:
        for query in ("greyhound Pirate", "苏州出差", "grandmother Trieste", "花生过敏"):
            assert "message" in kinds(api, "helper", query)
            found = kinds(api, "friend", query)
            assert found, query
            assert "message" not in found, query

    with daemon_process(tmp_path, "--simulated-clock", START, env=env) as daemon:
        api = checking(daemon)
        for mind, profile in (("friend", "companion"), ("helper", "assistant")):
            api.call("mind.create", mind=mind, profile=profile)
            for speaker, text in TALK:
                api.say(mind, text, speaker=speaker)
                api.say(mind, "I see. 好的。", role="assistant")
            assert "message" in kinds(api, mind, "greyhound Pirate")
            api.call("idle.run", mind=mind)
        check(api)
        said: list[Json] = api.messages("friend")
        assert [message["content"] for message in said][::2] == [text for _, text in TALK], "the raw text stays"
        api.say("friend", "Pirate won a race today 赛狗")
        assert "message" in kinds(api, "friend", "Pirate won a race"), "a new epoch is recalled raw"
    with daemon_process(tmp_path, "--simulated-clock", START, env=env, name="e") as daemon:
        api = checking(daemon)
        for query in ("苏州出差", "grandmother Trieste"):
            assert "message" not in kinds(api, "friend", query)
            assert "message" in kinds(api, "helper", query)
        api.call("mind.update", mind="friend", profile="assistant")
        assert "message" in kinds(api, "friend", "grandmother Trieste")
        api.call("mind.update", mind="friend", profile="companion")
        assert "message" not in kinds(api, "friend", "grandmother Trieste")


def test_the_rolling_summary_is_recalled_too(house: Home) -> None:
    mind, api = house.mind(settings={"window.capacity": 3, "window.topic_marks": False}), house.api
    for speaker, text in TALK:
        api.say(mind, text, speaker=speaker)
    api.settle(mind)
    assert rows(house.daemon, mind, "SELECT count(*) FROM summary") == [(1,)]
    kinds = {item["kind"] for item in api.found(mind, "greyhound Pirate 苏州 Trieste", k=50)}
    assert "summary" in kinds
