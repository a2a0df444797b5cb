"""Every method over a real socket: what it answers, once only under a key, page by page."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import Json, checking, registry, schema
from daemon_fixture import daemon_process
from household import DAY, METHODS, START, House


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("p"), "--simulated-clock", START) as daemon:
        yield House(daemon)


# -- the table ------------------------------------------------------------------------------------------


def test_the_table_has_every_method_and_no_other(house: House) -> None:
    told = house.api.call("system.describe")
    assert sorted(told["methods"]) == sorted(METHODS)
    assert told["errors"] == registry()
    for method in METHODS:
        assert told["methods"][method] == schema(method)
    assert "message_recorded" in told["events"]


def test_the_system_tells_who_it_is(house: House) -> None:
    hello = house.api.call("system.hello")
    assert (hello["server"], hello["protocol"]) == ("soulmem", 1)
    status = house.api.call("system.status")
    assert status["state"] == "running"
    assert (status["engine"], status["embedder"]) == ("extractive", "hashing")
    assert status["pid"] == house.daemon.process.pid
    assert house.api.call("system.ping")["now"] == START


def test_a_mind_from_its_making_to_its_end(house: House) -> None:
    name, api = house.name(), house.api
    made = api.call("mind.create", mind=name, title="Ми́ра 米拉 🐝", profile="assistant", language="zh")["mind"]
    assert (made["title"], made["profile"], made["state"]) == ("Ми́ра 米拉 🐝", "assistant", "idle")
    assert (made["messages"], made["notes"], made["links"], made["created_at"]) == (0, 0, 0, START)
    api.refused("mind_exists", "mind.create", mind=name)
    changed = api.call("mind.update", mind=name, title="米拉", settings={"window.capacity": 7})["mind"]
    assert (changed["title"], changed["settings"], changed["profile"]) == ("米拉", {"window.capacity": 7}, "assistant")
    assert api.call("mind.get", mind=name)["mind"] == changed
    assert name in {line["mind"] for line in api.pages("mind.list")}
    assert house.name() not in {line["mind"] for line in api.pages("mind.list")}
    api.refused("invalid_params", "mind.delete", mind=name, confirm="rosa")
    assert api.call("mind.delete", mind=name, confirm=name) == {"deleted": name, "remains": []}
    api.refused("mind_not_found", "mind.get", mind=name)
    left = [path.name for path in (house.daemon.state / "minds").iterdir() if path.name.startswith(f"{name}.")]
    assert left == []


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"window.capcity": 5}, "window.capacity"),
        ({"window.capacity": 0}, "capacity"),
        ({"window.capacity": "5"}, "capacity"),
        ({"server.connections": 5}, "server.connections"),
        ({"forgetting.clock": "moon"}, "experienced"),
    ],
)
def test_wrong_settings_are_named(house: House, settings: Json, says: str) -> None:
    error = house.api.refused("invalid_params", "mind.update", mind="rosa", settings=settings)
    assert says in f"{error.message} {error.hint}"
    house.alive()


def test_notes_and_links_by_hand(house: House) -> None:
    name, api = house.name(), house.api
    api.say(name, "The storm 暴风雨 took the roof.", id="x1")
    sources = [{"id": "x1", "quote": "暴风雨"}]
    one = api.note(name, "The roof is gone 屋顶没了", importance=0.9, valence=-0.5, tags=["house"], sources=sources)
    two = api.note(
        name, "Insurance pays 保险", kind="plan", attributes={"by": "Friday"}, at="2026-02-01T10:00:00+08:00"
    )
    note = api.call("note.get", mind=name, id=one)["note"]
    assert (note["kind"], note["state"], note["version"], note["pinned"]) == ("episodic", "clear", 1, False)
    assert note["text"] == note["rendered"] == "The roof is gone 屋顶没了"
    assert note["sources"] == [{"conversation": "main", "seq": 1, "id": "x1", "quote": "暴风雨"}]
    spans = [(e["start"], e["end"], e["level"]) for e in note["elements"]]
    assert spans[0] == (0, len(note["text"]), 0)
    assert all(level > 0 and note["text"][start:end].strip() for start, end, level in spans[1:]), "details inside it"
    assert api.call("note.get", mind=name, id=two)["note"]["at"] == "2026-02-01T02:00:00Z"

    changed = api.call("note.update", mind=name, id=one, text="The roof is mended 修好了", version=1)["note"]
    assert (changed["text"], changed["version"]) == ("The roof is mended 修好了", 2)
    assert changed["elements"][0]["end"] == len(changed["text"])
    api.refused("version_conflict", "note.update", mind=name, id=one, text="again", version=1)
    api.refused("invalid_params", "note.update", mind=name, id=one)
    history = api.call("note.history", mind=name, id=one)
    assert "屋顶没了" in json.dumps(history, ensure_ascii=False), "the former wording is kept"
    assert api.call("note.pin", mind=name, id=one)["note"]["pinned"] is True
    assert api.call("note.unpin", mind=name, id=one)["note"]["pinned"] is False

    made = api.call("link.add", mind=name, src=one, dst=two, kind="semantic", verb="paid by", strength=0.5)
    again = api.call("link.add", mind=name, src=one, dst=two, kind="semantic", verb="paid by", strength=0.5)
    assert (made["created"], again["created"], made["id"]) == (True, False, again["id"])
    (link,) = api.links(name)
    assert (link["src"], link["dst"], link["origin"], link["initial"]) == (one, two, "client", 0.5)
    assert link["strength"] > 0.5, "the same link again reinforces"
    api.refused("invalid_params", "link.add", mind=name, src=one, dst=one)
    graph = api.call("graph.get", mind=name, around=one, depth=1, limit=10)
    assert ({n["id"] for n in graph["notes"]}, len(graph["links"])) == ({one, two}, 1)
    assert api.call("graph.get", mind=name, around=one, depth=0)["links"] == []
    assert api.call("graph.get", mind=name, limit=1)["truncated"] is True


def test_an_association_is_one_row_read_both_ways(house: House) -> None:
    name, api = house.name(), house.api
    one, two = api.note(name, "peach 桃子"), api.note(name, "concrete 混凝土")
    there = api.call("link.add", mind=name, src=one, dst=two)["id"]
    back = api.call("link.add", mind=name, src=two, dst=one)
    assert (back["id"], back["created"]) == (there, False)
    assert [link["id"] for link in api.links(name, note=two)] == [there]
    meant = api.call("link.add", mind=name, src=one, dst=two, kind="supersedes")["id"]
    other = api.call("link.add", mind=name, src=two, dst=one, kind="supersedes")["id"]
    assert meant != other, "a directed kind is another link each way"


def test_foreign_ids_are_not_found_or_warned_of(house: House) -> None:
    api = house.api
    for wrong in ("n999999", "l1", "x", "n", "n-1", "n1.5", "n" + "9" * 40, "笔记", "N1"):
        for method in ("note.get", "note.pin", "note.forget", "note.restore", "note.history"):
            api.refused("not_found", method, mind="rosa", id=wrong)
        api.refused("not_found", "link.add", mind="rosa", src=wrong, dst=house.two)
        api.refused("not_found", "link.list", mind="rosa", note=wrong)
        api.refused("not_found", "graph.get", mind="rosa", around=wrong)
    api.refused("not_found", "message.update", mind="rosa", id="nobody", content="x")
    api.refused("not_found", "message.delete", mind="rosa", conversation="elsewhere", id="a1")
    api.refused("not_found", "note.add", mind="rosa", kind="episodic", text="x", sources=[{"id": "nobody"}])
    result = api.call("recall", mind="rosa", query="Lisbon", exclude=["n999999", "没有", house.one])
    assert len(result["warnings"]) == 2
    assert house.one not in {item["id"] for item in result["items"]}
    house.alive()


def test_ids_begin_with_the_letter_of_their_kind(house: House) -> None:
    name, api = house.name(), house.api
    api.call("mind.create", mind=name, settings={"window.capacity": 2, "window.topic_marks": False})
    said = [api.say(name, f"tea number {n} 茶") for n in range(3)]
    api.call("idle.run", mind=name)
    ids = {
        "m": [said[0]["id"]],
        "r": [said[0]["recall_id"]],
        "j": [job["id"] for job in api.jobs(name)] + said[2]["jobs"],
        "n": [note["id"] for note in api.notes(name)] + [house.one],
        "l": [link["id"] for link in api.links(name)] + [house.link],
    }
    assert said[2]["jobs"], "the block's first message slid out"
    assert [found for letter, those in ids.items() for found in those if not found.startswith(letter)] == []
    assert len({job["id"] for job in api.jobs(name)}) == len(api.jobs(name))


def test_answers_hold_only_what_their_schemas_name(house: House) -> None:
    """Runs after the calls above and looks at all their answers."""
    api = house.api
    for method in ("message.list", "job.list", "mind.list", "note.list", "link.list", "graph.get", "mind.get"):
        api.call(method, **house.minimal(method))
    api.call("recall", mind="rosa", query="Lisbon 茶", explain=True)
    api.call("context.get", mind="rosa", query="Lisbon")
    assert sorted(api.stray) == []


# -- the same again ------------------------------------------------------------------------------------


def test_the_same_message_again_is_told_and_stored_once(house: House) -> None:
    name, api = house.name(), house.api
    first = api.say(name, "We met at the harbour 港口", id="h1", speaker="Ann")
    other = api.say(name, "另一句", id="h1", conversation="side")
    assert (first["duplicate"], other["duplicate"], other["seq"]) == (False, False, 1)
    for _ in range(2):
        again = api.say(name, "We met at the harbour 港口", id="h1", speaker="Ann")
        assert again == first | {"duplicate": True, "window": again["window"], "state": again["state"]}
    for change in ({"content": "We met at the station 车站"}, {"role": "assistant"}, {"speaker": "Bob"}):
        params = {"content": "We met at the harbour 港口", "role": "user", "speaker": "Ann", "id": "h1"} | change
        error = api.refused("idempotency_conflict", "message.add", mind=name, **params)
        assert "h1" in error.message
    assert [message["content"] for message in api.messages(name)] == ["We met at the harbour 港口"]
    assert api.call("mind.get", mind=name)["mind"]["messages"] == 2
    # an id of the form the daemon gives itself
    api.say(name, "third", id="m3")
    assert api.say(name, "second by number")["id"] not in {"h1", "m3"}
    assert len({message["id"] for message in api.messages(name)}) == 3


def keyed(house: House, mind: str) -> dict[str, tuple[Json, Json]]:
    """For each write: its parameters, and what makes it another request."""
    api = house.api
    api.say(mind, "alpha 甲", id="k1")
    api.say(mind, "beta 乙", id="k2")
    one, two, three = api.note(mind, "one 一"), api.note(mind, "two 二"), api.note(mind, "three 三")
    return {
        "note.add": ({"kind": "episodic", "text": "new 新"}, {"text": "other 别的"}),
        "note.update": ({"id": one, "text": "one again 再一"}, {"text": "one more 又一"}),
        "note.pin": ({"id": one}, {"id": two}),
        "note.unpin": ({"id": one}, {"id": two}),
        "note.forget": ({"id": three}, {"id": two}),
        "note.restore": ({"id": three}, {"id": two}),
        "link.add": ({"src": one, "dst": two, "strength": 0.4}, {"strength": 0.5}),
        "message.update": ({"id": "k1", "content": "alpha, corrected 甲改"}, {"content": "gamma 丙"}),
        "message.delete": ({"id": "k2"}, {"id": "k1"}),
        "mind.update": ({"title": "Keyed 键"}, {"title": "Other"}),
    }


def test_a_key_makes_every_write_happen_once(house: House) -> None:
    name, api = house.name(), house.api
    writes = keyed(house, name)
    unkeyed = [method for method in [*writes, "mind.create"] if "key" not in schema(method)["params"]["properties"]]
    for method, (params, change) in writes.items():
        if method in unkeyed:
            continue
        first = api.call(method, mind=name, key=f"once {method} 键", **params)
        counted = api.call("mind.get", mind=name)
        again = api.call(method, mind=name, key=f"once {method} 键", **params)
        assert again == first | {"duplicate": True}, method
        assert api.call("mind.get", mind=name) == counted, method
        api.refused("idempotency_conflict", method, mind=name, key=f"once {method} 键", **(params | change))
        assert api.call("mind.get", mind=name) == counted, method
    api.refused("idempotency_conflict", "note.pin", mind=name, key="once note.add 键", id="n1")
    assert unkeyed == [], "every write but message.add takes a key"


def test_a_refused_write_does_not_use_its_key_up(house: House) -> None:
    name, api = house.name(), house.api
    api.note(name, "first")
    api.refused("not_found", "note.pin", mind=name, id="n2", key="later")
    api.note(name, "second")
    assert api.call("note.pin", mind=name, id="n2", key="later")["note"]["pinned"] is True


def test_keys_live_thirty_days_and_through_a_restart(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        note = api.call("note.add", mind="mira", kind="lore", text="The lake 湖", key="lake")
        daemon.kill()
    with daemon_process(tmp_path, "--simulated-clock", START, name="e") as daemon:
        api = checking(daemon)
        again = api.call("note.add", mind="mira", kind="lore", text="The lake 湖", key="lake")
        assert again == {"id": note["id"], "duplicate": True}
        api.call("clock.advance", seconds=29 * DAY)
        assert api.call("note.add", mind="mira", kind="lore", text="The lake 湖", key="lake") == again
        api.call("clock.advance", seconds=2 * DAY)
        later = api.call("note.add", mind="mira", kind="lore", text="The lake 湖", key="lake")
        assert later["id"] != note["id"]
        assert not later.get("duplicate")


# -- lists ---------------------------------------------------------------------------------------------


def test_pages_hold_everything_once_and_in_order(house: House) -> None:
    name, api = house.name(), house.api
    settings = {"window.capacity": 2, "window.topic_marks": False}
    api.call("mind.create", mind=name, settings=settings)
    for number in range(7):
        api.say(name, f"line {number} 第{number}句")
    notes = [api.note(name, f"note {number}") for number in range(5)]
    for other in notes[1:]:
        api.call("link.add", mind=name, src=notes[0], dst=other)
    api.call("idle.run", mind=name)
    api.call("note.forget", mind=name, id=notes[4])
    lists: list[tuple[str, Json]] = [
        ("message.list", {}), ("note.list", {}), ("note.list", {"state": "forgotten"}), ("link.list", {}),
        ("link.list", {"note": notes[0]}), ("job.list", {}), ("note.list", {"kind": "episodic"}),
    ]  # fmt: skip
    for method, extra in lists:
        whole = api.pages(method, mind=name, **extra)
        assert whole
        for limit in (1, 2, 3, len(whole)):
            assert api.pages(method, mind=name, limit=limit, **extra) == whole, (method, limit)
    minds = api.pages("mind.list")
    assert api.pages("mind.list", limit=1) == minds
    assert [line["mind"] for line in minds] == sorted(line["mind"] for line in minds)
    assert [note["id"] for note in api.notes(name, state="forgotten")] == [notes[4]]
    assert notes[4] not in {note["id"] for note in api.notes(name)}


@pytest.mark.parametrize("method", ["message.list", "note.list", "link.list", "job.list", "mind.list"])
def test_limits_and_cursors_are_checked(house: House, method: str) -> None:
    params = house.minimal(method)
    for limit in (0, 501, -1, 1.0, "1"):
        assert "limit" in house.api.refused_raw("invalid_params", method, params | {"limit": limit}).message
    if method != "mind.list":  # its cursor is a name
        for cursor in ("x", "-1", "1.5", " 1", "１", "9" * 30, "s", "sx"):
            house.api.refused_raw("invalid_params", method, params | {"cursor": cursor})
    house.api.refused_raw("invalid_params", method, params | {"cursor": "9" * 65})
    assert house.api.call(method, **params, limit=500)["next_cursor"] is None


# -- the clock -----------------------------------------------------------------------------------------


def test_only_a_simulated_clock_is_moved(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        for method in ("clock.advance", "clock.jump"):
            assert "--simulated-clock" in (api.refused("simulated_clock_only", method, seconds=5).hint or "")
        told = dt.datetime.fromisoformat(api.call("system.ping")["now"])
        assert abs((told - dt.datetime.now(dt.UTC)).total_seconds()) < 5


def test_time_stands_still_until_it_is_moved(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        api.say("mira", "hello 你好")
        assert api.call("clock.advance", seconds=0)["now"] == START
        assert api.call("clock.advance", seconds=0.5)["now"] == "2026-03-01T08:00:00.500Z"
        for seconds in (-1, float(10**13)):
            api.refused_raw("invalid_params", "clock.advance", {"seconds": seconds})
        assert api.call("clock.advance", seconds=598.5)["jobs"] == []
        assert api.call("mind.get", mind="mira")["mind"]["state"] == "working"
        fired = api.call("clock.advance", seconds=1)
        assert (fired["now"], fired["fired"] >= 1, bool(fired["jobs"])) == ("2026-03-01T08:10:00Z", True, True)
        assert api.call("mind.get", mind="mira")["mind"]["state"] == "idle"
        done = {job["id"]: job["state"] for job in api.jobs("mira")}
        assert {done[job] for job in fired["jobs"]} == {"done"}, "the answer comes when the work is done"
