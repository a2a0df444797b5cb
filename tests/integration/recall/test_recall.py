"""Recall and context over the socket: found at once, filtered hard, recorded exactly, within the budget."""

from __future__ import annotations

from pathlib import Path

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import daemon_process
from household import START, Home
from soulmem.core.text.tokens import estimate_tokens

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


@pytest.mark.parametrize(("text", "query"), FOUND, ids=[query for _, query in FOUND])
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_message_is_found_by_the_first_call_after_its_answer(house: Home, text: str, query: str, role: str) -> None:
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


# -- context -------------------------------------------------------------------------------------------------

ORDER = ["core", "behaviour", "summary", "notes", "window"]


@pytest.fixture(scope="module")
def talked(house: Home) -> str:
    mind, api = (
        house.mind(persona="Mira is a lighthouse keeper. 米拉是守塔人。", settings={"window.capacity": 6}),
        house.api,
    )
    api.note(mind, "Mira never lies to Ann 米拉从不骗安", kind="semantic", pinned=True)
    for number in range(24):
        role = "assistant" if number % 2 else "user"
        api.say(mind, f"On day {number} Ann sailed to island {number} 安在第{number}天去了{number}号岛。", role=role)
    for number in range(20):
        api.note(mind, f"Island {number} has {number * 7} goats {number}号岛有山羊")
    api.settle(mind)
    return mind


@pytest.mark.parametrize("budget", [50, 75, 120, 200, 400, 1000, 4000])
@pytest.mark.parametrize("query", [None, "goats on the island 山羊", "安"])
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
