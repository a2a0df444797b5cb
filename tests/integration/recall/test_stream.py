"""The memory stream over the socket: what is recent and important counts beside what fits, and filters hold."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process
from embedding_endpoint import running_endpoint
from household import DAY, START, Home

HOUR = 3600


def streamed(api: Checking, mind: str, query: str, **params: object) -> list[Json]:
    return api.found(mind, query, ranking="stream", explain=True, **params)


def ids(items: list[Json]) -> list[str]:
    return [item["id"] for item in items]


def channels(items: list[Json]) -> dict[str, dict[str, float]]:
    return {item["id"]: item["why"]["channels"] for item in items}


CASES = {
    "en": (
        "the party on Friday evening", "The party on Friday evening was loud.",
        "Ann's father died before the party", "The party tent is green.",
    ),
    "zh": ("星期五晚上的聚会", "星期五晚上的聚会很吵。", "安的父亲在聚会前去世了", "聚会的帐篷是绿色的。"),
    "mixed": (
        "Friday 晚上的 party", "Friday 晚上的 party 很吵。", "Ann 的父亲在 party 前去世了", "party 的帐篷是 green 的",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_is_important_and_recent_beats_what_is_merely_similar(house: Home, case: str) -> None:
    query, similar, grave, small = CASES[case]
    mind, api = house.mind(), house.api
    old = api.note(mind, similar, importance=0.1)
    dull = api.note(mind, small, importance=0.1)
    house.pass_time(2 * DAY)
    weighty = api.note(mind, grave, importance=1.0)
    api.settle(mind)
    assert api.found(mind, query)[0]["id"] == old, "by association the words decide"
    items = streamed(api, mind, query)
    assert ids(items)[0] == weighty
    assert set(ids(items)) == {old, dull, weighty}
    assert {item["tier"] for item in items} == {"stream"}
    seen = channels(items)
    assert seen[old]["recency"] == pytest.approx(0.99**48, abs=1e-3)
    assert seen[weighty]["recency"] == pytest.approx(1.0, abs=1e-3)
    assert seen[old]["relevance"] > seen[weighty]["relevance"] > 0.0
    assert (seen[old]["importance"], seen[weighty]["importance"]) == (0.1, 1.0)
    top = items[0]["why"]
    assert (top["scaled"]["recency"], top["scaled"]["importance"]) == (1.0, 1.0)
    for item in items:
        parts, weights = item["why"]["scaled"], item["why"]["weights"]
        mean = sum(weights[name] * parts[name] for name in weights) / sum(weights.values())
        assert item["why"]["mean"] == pytest.approx(mean, abs=1e-3)
    assert [item["score"] for item in items] == sorted((item["score"] for item in items), reverse=True)


@pytest.mark.parametrize("case", CASES)
def test_relevance_can_be_made_to_lead(house: Home, case: str) -> None:
    query, similar, grave, _ = CASES[case]
    mind, api = house.mind(), house.api
    near = api.note(mind, similar, importance=0.5)
    house.pass_time(3 * HOUR)
    far = api.note(mind, grave, importance=0.5)
    api.settle(mind)
    assert ids(streamed(api, mind, query, weights="relevance")) == [near, far]
    tied = {item["id"]: item["score"] for item in streamed(api, mind, query, weights="even")}
    assert tied[near] == pytest.approx(tied[far])
    assert ids(streamed(api, mind, query)) == ids(streamed(api, mind, query, weights="even")) == [far, near]


def test_only_what_is_returned_counts_as_retrieved(house: Home) -> None:
    mind, api = house.mind(), house.api
    goats = [api.note(mind, f"Island {number} has goats 山羊", importance=number / 10) for number in range(1, 7)]
    api.settle(mind)
    house.pass_time(10 * HOUR)
    stale = pytest.approx(0.99**10, abs=1e-3)
    assert all(seen["recency"] == stale for seen in channels(streamed(api, mind, "goats 山羊")).values())
    assert all(seen["recency"] == stale for seen in channels(streamed(api, mind, "goats 山羊")).values()), "unrecorded"
    answer = api.call("recall", mind=mind, query="goats 山羊", ranking="stream", k=2)
    returned = ids(answer["items"])
    assert returned == goats[:-3:-1]
    after = channels(streamed(api, mind, "goats 山羊"))
    for note in goats:
        assert after[note]["recency"] == (pytest.approx(1.0, abs=1e-3) if note in returned else stale)
    stored = rows(
        house.daemon, mind, "SELECT item, tier FROM recall_hit WHERE recall = ? ORDER BY rank",
        int(answer["recall_id"][1:]),
    )  # fmt: skip
    assert stored == [(int(note[1:]), "stream") for note in returned]
    house.pass_time(HOUR)
    later = channels(streamed(api, mind, "goats 山羊"))
    assert later[returned[0]]["recency"] == pytest.approx(0.99, abs=1e-3)


def test_recency_is_of_experienced_time(house: Home) -> None:
    api = house.api
    slow, plain = house.mind(), house.mind(settings={"forgetting.clock": "wall"})
    for mind in (slow, plain):
        api.note(mind, "The pier was repainted 码头")
        api.settle(mind)
    house.pass_time(13 * DAY)
    for mind, days in ((slow, 3 + 10 * 0.1), (plain, 13)):
        (item,) = streamed(api, mind, "pier 码头", min_score=0)  # it has faded a little
        assert item["why"]["channels"]["recency"] == pytest.approx(0.99 ** (days * 24), abs=2e-3)


def test_the_decay_can_be_set(house: Home) -> None:
    mind, api = house.mind(settings={"recall.stream_decay": 0.995}), house.api
    api.note(mind, "The pier was repainted 码头")
    house.pass_time(20 * HOUR)
    (item,) = streamed(api, mind, "pier 码头")
    assert item["why"]["channels"]["recency"] == pytest.approx(0.995**20, abs=1e-3)


# -- narrowed ------------------------------------------------------------------------------------------------


def test_the_filter_holds(house: Home) -> None:
    mind, api = house.mind(), house.api
    exact = api.note(mind, "The heron stood in the reeds 白鹭", importance=0.2, valence=0.5, tags=["bird", "家 人"])
    near = api.note(mind, "A heron 白鹭", kind="semantic", importance=0.9, at="2026-01-01T00:00:00Z")
    other = api.note(mind, "Ben sells bicycles 自行车", kind="reflection", importance=0.6, valence=-0.8)
    api.settle(mind)
    query = "The heron stood in the reeds 白鹭"
    raw = channels(streamed(api, mind, query))
    assert raw[exact]["relevance"] == pytest.approx(1.0, abs=1e-3)
    assert raw[exact]["relevance"] > raw[near]["relevance"] > 0.3 > raw[other]["relevance"]

    def left(text: str) -> set[str]:
        return set(ids(streamed(api, mind, query, filter=text, min_score=0)))

    assert left("relevance > 0.95") == {exact}
    assert left("relevance > 0.3") == {exact, near}
    assert left("relevance <= 0.3") == {other}
    assert left("importance >= 0.6") == {near, other}
    assert left("valence < 0") == {other}
    assert left("kind = reflection or tag = '家 人'") == {exact, other}
    assert left("not kind = reflection and not tag = bird") == {near}
    assert left("age_days > 30") == {near}
    assert left("recency > 0.99") == {exact, near, other}
    assert left("recency < 0.5") == set()
    nothing = api.call("recall", mind=mind, query=query, ranking="stream", filter="relevance > 2")
    assert (nothing["items"], bool(nothing["reason"])) == ([], True)


def test_the_filter_reaches_behind_the_pool(house: Home) -> None:
    """More notes that fit better, and more that are newer, than a pool holds: the one that passes is found."""
    mind, api = house.mind(), house.api
    hidden = api.note(mind, "Olga collects stamps 邮票", importance=0.99, tags=["quiet"], kind="plan")
    calls = [
        ("note.add", {"mind": mind, "kind": "episodic", "text": f"The ferry {number} was late 渡轮", "importance": 0.3})
        for number in range(150)
    ]
    house.daemon.client().call_many(calls)
    api.settle(mind)
    assert hidden not in ids(streamed(api, mind, "the ferry was late 渡轮", k=15))
    for narrow in (
        {"filter": "importance > 0.9"}, {"filter": "tag = quiet"}, {"filter": "kind = plan"}, {"tags": ["quiet"]},
        {"kinds": ["plan"]},
    ):  # fmt: skip
        assert ids(streamed(api, mind, "the ferry was late 渡轮", min_score=0, **narrow)) == [hidden], narrow
    assert len(streamed(api, mind, "the ferry was late 渡轮", k=500)) == 151


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"), ("relevence > 0.5", "relevance"), ("relevance >", "number"), ("kind = dream", "reflection"),
        ("__import__('os').system('true')", "__import__"), ("relevance > 0.5; 1", "';'"), ("重要 > 0.5", "importance"),
        ("(" * 400, "deep"), ("x" * 100_000, "500"), ("(" * 100_000, "500"),
    ],
    ids=lambda text: text[:30],
)  # fmt: skip
def test_a_bad_filter_gets_one_clear_error(house: Home, text: str, said: str) -> None:
    mind = house.mind()
    house.api.note(mind, "The heron stood in the reeds 白鹭")
    error = house.api.refused("invalid_params", "recall", mind=mind, query="heron", ranking="stream", filter=text)
    assert said in f"{error.message} {error.hint}"
    assert error.message.startswith("filter: ")
    assert "\n" not in error.message
    assert len(error.message) < 300
    assert house.api.call("mind.get", mind=mind)["mind"]["recalls"] == 0


def test_what_belongs_to_the_stream_alone_is_refused_elsewhere(house: Home) -> None:
    mind, api = house.mind(), house.api
    api.note(mind, "The heron stood in the reeds 白鹭")
    for more in (
        {"filter": "relevance > 0.5"},
        {"weights": "even"},
        {"ranking": "association", "filter": "kind = plan"},
    ):
        error = api.refused("invalid_params", "recall", mind=mind, query="heron", **more)
        assert "stream" in error.message
    api.refused("invalid_params", "recall", mind=mind, query="heron", ranking="fame")
    api.refused("invalid_params", "recall", mind=mind, query="heron", ranking="stream", weights="loud")
    error = api.refused("invalid_params", "recall", mind=mind, query="heron", ranking="stream", kinds=["message"])
    assert "notes" in error.message


def test_kinds_tags_times_and_exclusions(house: Home) -> None:
    mind, api = house.mind(), house.api
    api.say(mind, "The violin needs a new string 小提琴", id="v1")
    fact = api.note(
        mind, "Ann plays the violin 小提琴", kind="semantic", tags=["music", "Ann"], at="2026-02-01T00:00:00Z"
    )
    scene = api.note(mind, "Ann dropped the violin 小提琴", tags=["music"], at="2026-02-10T00:00:00Z")
    rule = api.note(mind, "Tune the violin first 小提琴", kind="procedural", at="2026-02-20T00:00:00Z")
    api.note(mind, "Someone mentions the violin 小提琴", kind="trigger")
    gone = api.note(mind, "The violin was sold 小提琴")
    api.call("note.forget", mind=mind, id=gone)
    api.settle(mind)

    def left(**chosen: object) -> set[str]:
        return set(ids(streamed(api, mind, "violin 小提琴", **chosen)))

    assert left() == {fact, scene, rule}, "neither messages nor triggers nor what is forgotten"
    assert left(kinds=["semantic"]) == {fact}
    assert left(kinds=["note"]) == left(kinds=["note", "message"]) == {fact, scene, rule}
    assert left(kinds=["message", "procedural"]) == {rule}
    assert left(tags=["music"]) == {fact, scene}
    assert left(tags=["music", "Ann"]) == {fact}
    assert left(from_="2026-02-10T00:00:00Z") == {scene, rule}
    assert left(to="2026-02-10T00:00:00Z") == {fact}
    assert left(exclude=[fact]) == {scene, rule}
    assert left(exclude=[fact, scene], tags=["music"]) == set()
    assert len(streamed(api, mind, "violin 小提琴", k=1)) == 1
    asked = api.call("recall", mind=mind, query="violin", ranking="stream", exclude=["n999"], record=False)
    assert asked["warnings"]


def test_an_empty_mind_says_why(house: Home) -> None:
    mind = house.mind()
    house.api.say(mind, "Only a message 消息")
    answer = house.api.call("recall", mind=mind, query="message 消息", ranking="stream")
    assert answer["items"] == []
    assert answer["reason"]


# -- other ways to search ------------------------------------------------------------------------------------


def told(daemon: Daemon, case: str) -> list[str]:
    """Three notes in the mind mira, an hour apart."""
    api = checking(daemon)
    made = []
    for text, importance in zip(CASES[case][1:], (0.1, 1.0, 0.4), strict=True):
        made.append(api.note("mira", text, importance=importance))
        api.call("clock.advance", seconds=HOUR)
    return made


@pytest.mark.parametrize("case", CASES)
def test_a_mind_too_large_for_memory_streams_alike(tmp_path: Path, case: str) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        made = told(daemon, case)
        checking(daemon).settle("mira")
    found = []
    for name, most in (("m", "100000"), ("d", "0")):
        env = {"SOULMEM_MEMORY_MAX_ROWS_IN_RAM": most}
        with daemon_process(tmp_path, "--simulated-clock", "2026-03-01T12:00:00Z", name=name, env=env) as daemon:
            api = checking(daemon)
            found.append(
                [streamed(api, "mira", CASES[case][0], **more) for more in ({}, {"filter": "relevance > 0.2"})]
            )
    memory, disk = found
    assert set(ids(memory[0])) == set(made)
    assert made[0] in ids(memory[1])
    for one, other in zip(memory, disk, strict=True):
        assert ids(one) == ids(other)
        assert [item["score"] for item in one] == pytest.approx([item["score"] for item in other], abs=1e-4)


@pytest.mark.parametrize("case", CASES)
def test_words_stand_in_while_the_embedder_is_away(tmp_path: Path, case: str) -> None:
    with running_endpoint() as endpoint:
        env = {
            "SOULMEM_EMBEDDER_NAME": "openai",
            "SOULMEM_EMBEDDER_BASE_URL": endpoint.url,
            "SOULMEM_EMBEDDER_MODEL": "tiny",
        }
        with daemon_process(tmp_path, "--simulated-clock", START, env=env) as daemon:
            api = checking(daemon)
            made = told(daemon, case)
            far = api.note("mira", "Ben sells bicycles 自行车")
            api.settle("mira")
            endpoint.behaviour = "503"
            query = CASES[case][0]
            seen = channels(streamed(api, "mira", query))
            assert seen[made[0]]["relevance"] == pytest.approx(1.0, abs=1e-3), "it holds every word"
            assert 1.0 > seen[made[2]]["relevance"] > seen[far]["relevance"] == 0.0
            assert set(ids(streamed(api, "mira", query, filter="relevance > 0.99"))) == {made[0]}


def test_a_note_without_a_vector_is_judged_by_its_words(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        made = told(daemon, "mixed")
        checking(daemon).settle("mira")
    with contextlib.closing(sqlite3.connect(tmp_path / "state" / "minds" / "mira.db")) as connection, connection:
        connection.execute("DELETE FROM vector WHERE kind = 'note' AND item = ?", (int(made[0][1:]),))
    with daemon_process(tmp_path, "--simulated-clock", "2026-03-01T12:00:00Z", name="e") as daemon:
        seen = channels(streamed(checking(daemon), "mira", "晚上"))
        assert seen[made[0]]["relevance"] == pytest.approx(1.0, abs=1e-3)
        assert all(seen[note]["relevance"] < 0.9 for note in made[1:])


def test_from_a_shell(house: Home) -> None:
    mind, api = house.mind(), house.api
    note = api.note(mind, "The heron stood in the reeds 白鹭", importance=0.9)
    api.note(mind, "Ben sells bicycles 自行车", importance=0.1)
    api.settle(mind)
    command = [
        sys.executable,
        "-m",
        "soulmem",
        "recall",
        "heron 白鹭",
        "--mind",
        mind,
        "--socket",
        str(house.daemon.socket),
    ]
    asked = [*command, "--ranking", "stream", "--filter", "importance > 0.5", "--weights", "relevance"]
    answer = json.loads(subprocess.run([*asked, "--json"], capture_output=True, check=True).stdout)
    assert ids(answer["items"]) == [note]
    shown = subprocess.run([*asked, "--explain"], capture_output=True, check=True).stdout.decode()
    assert "recency 1.00" in shown
    wrong = subprocess.run([*command, "--filter", "importance > 0.5"], capture_output=True, check=False)
    assert wrong.returncode == 64
    assert b"stream" in wrong.stderr
