"""Vectors on disk and in memory answer alike; the index is dispensable; another embedder takes over quietly."""

from __future__ import annotations

import random
from contextlib import AbstractContextManager
from pathlib import Path

from checking import Checking, Json, checking
from daemon_fixture import Daemon, daemon_process
from soulmem.core.schema.two_part_vectors import shared_from
from soulmem.store.sqlite import driver
from tiny_model import write_model
from tiny_multilingual import write_multilingual

START = "2026-03-01T08:00:00Z"
ON_DISK = {"SOULMEM_MEMORY_MAX_ROWS_IN_RAM": "0"}
QUERIES = [
    "Where did Ann see the heron?", "苍鹭在哪里", "the lantern of 小林", "boats in Bergen harbour", "谁喜欢绿茶",
    "kites", "望远镜 telescope", "What happened at the mill in winter?",
]  # fmt: skip


def fill(api: Checking, mind: str, messages: int = 24, notes: int = 16) -> None:
    api.call("mind.create", mind=mind, profile="assistant")  # whose messages stay recallable once digested
    draw = random.Random(5)
    subjects = [
        "the heron 苍鹭",
        "a lantern 灯笼",
        "green tea 绿茶",
        "the mill 磨坊",
        "a telescope 望远镜",
        "the boats 船",
    ]
    places = ["Bergen", "成都", "the harbour 港口", "Leeds", "杭州"]
    calls: list[tuple[str, Json]] = []
    for number in range(messages):
        who, what, where = draw.choice(["Ann", "小林", "Lars"]), draw.choice(subjects), draw.choice(places)
        text = f"{who} saw {what} in {where} on day {number}"
        calls.append(
            ("message.add", {"mind": mind, "role": "assistant", "content": text, "conversation": f"c{number % 3}"})
        )
    for number in range(notes):
        text = f"{draw.choice(subjects)} belongs to {draw.choice(['Ann', '小林', 'Lars'])} since year {number}"
        calls.append(("note.add", {"mind": mind, "kind": "semantic", "text": text}))
    api.client.call_many(calls)
    api.call("idle.run", mind=mind)  # nothing is left that a drain would flush
    api.settle(mind)


def answers(api: Checking, mind: str, k: int = 8) -> list[list[tuple[str, str]]]:
    return [[(item["kind"], item["id"]) for item in api.found(mind, query, k=k, min_score=0)] for query in QUERIES]


def edit(daemon: Daemon, mind: str, *statements: str) -> list[object]:
    """Change a mind's file while no daemon runs on it."""
    connection = driver.writer(daemon.state / "minds" / f"{mind}.db")()
    try:
        return [connection.execute(statement).fetchall() for statement in statements]
    finally:
        connection.close()


def index_tables(daemon: Daemon, mind: str) -> list[str]:
    (found,) = edit(daemon, mind, "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%vec0%'")
    return [row[0] for row in found]  # type: ignore[attr-defined]  # rows of the driver


def test_disk_memory_and_a_rebuilt_index_answer_alike(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        fill(api, "mira")
        in_memory = answers(api, "mira")
        assert all(in_memory)
        assert daemon.terminate() == 0
    with daemon_process(tmp_path, "--simulated-clock", START, name="disk", env=ON_DISK) as daemon:
        assert answers(checking(daemon), "mira") == in_memory
        assert daemon.terminate() == 0
    tables = index_tables(daemon, "mira")
    assert len(tables) == 1
    edit(daemon, "mira", *(f"DROP TABLE {table}" for table in tables))
    assert index_tables(daemon, "mira") == []
    with daemon_process(tmp_path, "--simulated-clock", START, name="rebuilt", env=ON_DISK) as daemon:
        api = checking(daemon)
        api.settle("mira")
        assert answers(api, "mira") == in_memory
        assert daemon.terminate() == 0
    assert index_tables(daemon, "mira") == tables
    with daemon_process(tmp_path, "--simulated-clock", START, name="again") as daemon:
        assert answers(checking(daemon), "mira") == in_memory


def test_a_mind_on_disk_follows_every_change(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START, env=ON_DISK) as daemon:
        api = checking(daemon)
        fill(api, "mira", messages=20, notes=10)
        said = api.say("mira", "The ocelot sleeps in the orangery 豹猫在橘园里睡觉")
        for query in ("ocelot", "豹猫", "orangeries"):
            assert api.found("mira", query, k=1)[0]["id"] == said["id"]
        api.call("message.update", mind="mira", id=said["id"], content="The lynx sleeps in the pantry 猞猁")
        assert api.found("mira", "lynx 猞猁", k=1)[0]["text"].startswith("The lynx")
        assert all("ocelot" not in item["text"] for item in api.found("mira", "ocelot"))
        api.call("message.delete", mind="mira", id=said["id"])
        assert said["id"] not in {item["id"] for item in api.found("mira", "lynx")}
        note = api.note("mira", "The badger owns the cellar 獾")
        assert api.found("mira", "badger", k=1)[0]["id"] == note
        api.settle("mira")
        api.call("note.forget", mind="mira", id=note)
        assert note not in {item["id"] for item in api.found("mira", "badger cellar", k=50)}
        api.call("note.restore", mind="mira", id=note)
        assert api.found("mira", "獾", k=1)[0]["id"] == note


def test_another_embedder_takes_over_in_the_background(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "tiny 模型")
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        fill(api, "mira", messages=24, notes=12)
        known = api.say("mira", "Anna went to the lake with a cat 安娜去了湖边")
        assert daemon.terminate() == 0
    before = index_tables(daemon, "mira")
    with daemon_process(
        tmp_path, "--simulated-clock", START, name="new", env={"SOULMEM_EMBEDDER_NAME": str(folder)}
    ) as daemon:
        api = checking(daemon)
        assert api.found("mira", "Anna cat lake", k=1)[0]["id"] == known["id"], "words serve while vectors are made"
        line = api.status("mira")
        later = api.say("mira", "snow fell on tuesday 雪", role="assistant")
        assert api.found("mira", "snow tuesday", k=1)[0]["id"] == later["id"]
        api.until(lambda: daemon.events("reembedding_finished"), "the new vectors", 40)
        (started,) = daemon.events("reembedding_started")
        assert started["mind"] == "mira"
        assert started["count"] >= 36
        assert line["messages"] == 25
        api.settle("mira")
        assert api.call("system.status")["embed_backlog"] == 0
        # random weights know no meaning, so the words alone need not win
        assert known["id"] in {item["id"] for item in api.found("mira", "Anna cat lake", k=10)}
        assert daemon.terminate() == 0
    after = index_tables(daemon, "mira")
    assert len(after) == 1
    assert after != before, "vectors of two embedders never meet"
    assert edit(daemon, "mira", "SELECT count(DISTINCT fingerprint) FROM vector") == [[(1,)]]


def test_reembedding_goes_on_after_a_kill(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    env = {"SOULMEM_EMBEDDER_NAME": str(folder)}
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        fill(api, "mira", messages=60, notes=12)
        daemon.kill()
    with daemon_process(tmp_path, "--simulated-clock", START, name="b", env=env) as daemon:
        checking(daemon).found("mira", "lantern")
        daemon.kill()
    with daemon_process(tmp_path, "--simulated-clock", START, name="c", env=env) as daemon:
        api = checking(daemon)
        assert api.found("mira", "lantern 灯笼")
        api.settle("mira")
        once = answers(api, "mira")
        assert daemon.terminate() == 0
    with daemon_process(tmp_path, "--simulated-clock", START, name="d", env=env | ON_DISK) as daemon:
        api = checking(daemon)
        assert answers(api, "mira") == once
        assert daemon.events("reembedding_started") == []


def test_a_second_encoder_comes_and_goes_and_no_vectors_of_two_kinds_are_compared(tmp_path: Path) -> None:
    """Begun with one model, killed halfway to both, opened where only the one is again."""
    first, both = tmp_path / "first", tmp_path / "both"
    for root in (first, both):
        write_model(root / "minilm")
    write_multilingual(both / "use-multilingual")

    def opened(name: str, models: Path) -> AbstractContextManager[Daemon]:
        env = {"SOULMEM_EMBEDDER_NAME": "auto", "SOULMEM_EMBEDDER_MODELS_DIR": str(models)}
        return daemon_process(tmp_path, "--simulated-clock", START, name=name, env=env)

    with opened("a", first) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="mira", profile="assistant")
        words = ("anna went to the lake", "我去了湖边", "a cat with the cat", "the lake 湖边", "安娜")
        talk = [f"{first}, {second} {third}" for first in words for second in words for third in words]
        told = ({"mind": "mira", "role": "assistant", "content": text} for text in talk)
        api.client.call_many([("message.add", each) for each in told])
        heron = api.note("mira", "The heron 苍鹭 and the cat went to the lake 湖边")
        api.settle("mira")
        assert daemon.terminate() == 0
    former = index_tables(daemon, "mira")
    assert edit(daemon, "mira", "SELECT count(*) > 100 FROM vector") == [[(1,)]]
    with opened("b", both) as daemon:
        assert heron in {item["id"] for item in checking(daemon).found("mira", "苍鹭", k=20)}
        daemon.kill()
    with opened("c", both) as daemon:
        api = checking(daemon)
        assert heron in {item["id"] for item in api.found("mira", "heron", k=20)}, "words find it meanwhile"
        assert api.call("system.status")["embedder"].endswith("+use-multilingual")
        api.settle("mira")
        assert heron in {item["id"] for item in api.found("mira", "苍鹭 heron 湖边", k=20)}
        assert daemon.terminate() == 0
    (paired,) = index_tables(daemon, "mira")
    assert [paired] != former
    assert shared_from(paired.removeprefix("vec_")) == 32
    assert edit(daemon, "mira", "SELECT count(DISTINCT fingerprint) FROM vector") == [[(1,)]]
    with opened("d", first) as daemon:
        api = checking(daemon)
        assert heron in {item["id"] for item in api.found("mira", "heron 苍鹭", k=20)}
        api.settle("mira")
        api.until(lambda: daemon.events("model_missing"), "what is missing is said, after READY")
        (told,) = daemon.events("model_missing")
        assert "use-multilingual is not installed" in told["reason"]
        assert daemon.terminate() == 0
    assert index_tables(daemon, "mira") == former
    assert edit(daemon, "mira", "SELECT count(DISTINCT fingerprint) FROM vector") == [[(1,)]]


def test_without_weights_the_daemon_says_so_once_and_runs_on_hashing(tmp_path: Path) -> None:
    env = {"SOULMEM_EMBEDDER_NAME": "auto", "SOULMEM_EMBEDDER_MODELS_DIR": str(tmp_path / "none")}
    with daemon_process(tmp_path, "--simulated-clock", START, env=env) as daemon:
        api = checking(daemon)
        fill(api, "mira", messages=5, notes=5)
        assert api.call("system.status")["embedder"] == "hashing"
        (told,) = daemon.events("model_missing")
        assert told["embedder"] == "hashing"
        assert "soulmem model install" in told["reason"]
        assert api.found("mira", "lantern 灯笼 heron 苍鹭 tea 绿茶")
