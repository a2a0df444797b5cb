"""Settings that no other test turns: each of them changes what a running daemon does."""

from __future__ import annotations

import functools
from pathlib import Path

from checking import Checking, Wire, checking, rows
from daemon_fixture import daemon_process
from embedding_endpoint import running_endpoint
from household import DAY, START, Home
from misbehaviours import M
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint
from soulmem.core.schema.engine_tasks import Task

PENDING = "SELECT count(*) FROM recall WHERE state = 'pending'"


def asking(endpoint: ScriptedEndpoint) -> dict[str, str]:
    """What makes a daemon ask this endpoint."""
    return {"SOULMEM_ENGINE_BASE_URL": endpoint.url, "SOULMEM_ENGINE_MODEL": "tiny"}


def links_left(house: Home, **settings: object) -> int:
    """How many of three links of middling strength are left after a night under these settings."""
    mind = house.mind(settings=settings)
    notes = [house.api.note(mind, f"a note numbered {place}, 第{place}条") for place in range(4)]
    for other in notes[1:]:
        house.api.call("link.add", mind=mind, src=notes[0], dst=other, strength=0.6)
    house.pass_time(DAY)
    house.api.call("idle.run", mind=mind)
    return len(house.api.links(mind))


def test_delete_below_says_what_is_forgotten(house: Home) -> None:
    assert links_left(house) == 3
    assert links_left(house, **{"forgetting.delete_below": 0.8}) == 0


def test_the_clock_is_doubted_and_trusted_again_as_it_is_set(tmp_path: Path) -> None:
    for folder, env, doubted in (
        ("a", {}, [False, True, True]),
        ("b", {"SOULMEM_CLOCK_JUMP_LIMIT_S": "86400"}, [False, False, False]),
        ("c", {"SOULMEM_CLOCK_SETTLE_S": "60"}, [False, True, False]),
    ):
        (tmp_path / folder).mkdir()
        with daemon_process(tmp_path / folder, "--simulated-clock", START, env=env) as daemon:
            api = checking(daemon)
            jump = functools.partial(api.call, "clock.jump")
            seen = [jump(seconds=0)["suspect"], jump(seconds=2 * 3600)["suspect"]]
            api.call("clock.advance", seconds=300)
            assert [*seen, jump(seconds=0)["suspect"]] == doubted, folder


def test_sweep_cap_says_how_much_goes_in_one_sweep(house: Home) -> None:
    def left(cap: int) -> int:
        mind = house.mind(settings={"forgetting.delete_below": 0.8, "forgetting.sweep_cap": cap})
        notes = [house.api.note(mind, f"a note numbered {place}, 第{place}条") for place in range(5)]
        for other in notes[1:]:
            house.api.call("link.add", mind=mind, src=notes[0], dst=other, strength=0.6)
        house.api.call("idle.run", mind=mind, steps=["sweep"])
        return len(house.api.links(mind))

    assert (left(1), left(3), left(500)) == (3, 1, 0)


def test_clause_days_say_how_long_a_clause_keeps(house: Home) -> None:
    def blurs(days: float) -> list[str]:
        mind = house.mind(settings={"forgetting.clause_days": days})
        text, clause = "Ann sang, while it rained. 下着雨。", "while it rained"
        note = house.api.note(mind, text, elements=[{"quote": clause, "level": 1, "gist": "something"}])
        elements = house.api.call("note.get", mind=mind, id=note)["note"]["elements"]
        return [each["blurs_at"] for each in sorted(elements, key=lambda each: each["level"])]

    (whole, brief), (same, long) = blurs(1), blurs(14)
    assert whole == same, "the note as a whole keeps as it did"
    assert brief < long


def test_journal_days_say_how_long_a_finished_job_is_on_record(house: Home) -> None:
    def kept(days: float) -> bool:
        mind = house.mind(settings={"forgetting.journal_days": days, "forgetting.clock": "wall"})
        house.api.note(mind, "the harbour 港口")
        house.api.call("idle.run", mind=mind, steps=["sweep"])
        ((first,),) = rows(house.daemon, mind, "SELECT min(id) FROM job WHERE step = 'sweep'")
        house.pass_time(5 * DAY)
        house.api.call("idle.run", mind=mind)
        return bool(rows(house.daemon, mind, "SELECT 1 FROM job WHERE id = ?", first))

    assert (kept(1), kept(30)) == (False, True)


def test_include_context_shows_what_was_summarised_to_the_next_summary(tmp_path: Path) -> None:
    told = [f"Told number {place} of the lighthouse keeper, 第{place}回。" for place in range(24)]

    def shown(api: Checking, endpoint: ScriptedEndpoint, most: int) -> int:
        """How many messages that were summarised before stand without a label in the last summary's prompt."""
        mind, before = f"context{most}", len(endpoint.requests)
        api.call("mind.create", mind=mind, settings={"window.capacity": 4, "window.include_context": most})
        for text in told:
            api.say(mind, text, speaker="Ann")
        api.settle(mind)
        asked = [each for each in endpoint.requests[before:] if each.task is Task.SUMMARISE]
        assert len(asked) > 1
        lines = asked[-1].body["messages"][-1]["content"].splitlines()
        return sum(line.startswith("Ann: Told number") for line in lines)

    with (
        scripted_endpoint() as endpoint,
        daemon_process(tmp_path, "--simulated-clock", START, env=asking(endpoint)) as daemon,
    ):
        api = checking(daemon)
        assert [shown(api, endpoint, most) for most in (0, 2)] == [0, 2]


def test_digestion_waits_for_summaries_as_long_as_it_is_set(tmp_path: Path) -> None:
    """With a model that hangs: who has waited long enough digests what was said without its summary."""
    with scripted_endpoint() as endpoint:
        env = asking(endpoint) | {"SOULMEM_SUMMARY_DEADLINE_MS": "300", "SOULMEM_ENGINE_DEADLINE_S": "600"}
        with daemon_process(tmp_path, env=env) as daemon:
            api = checking(daemon)
            api.call("mind.create", mind="m", settings={"window.capacity": 4})
            for place in range(12):
                api.say("m", f"Told number {place} of the lighthouse keeper, 第{place}回。", speaker="Ann")
            api.until(lambda: any(each.task is Task.SUMMARISE for each in endpoint.requests), "a summary is asked for")
            endpoint.misbehaviour = M.HANG
            api.call("idle.run", mind="m", steps=["freeze", "summarise"], wait=False)
            (done,) = api.until(
                lambda: [j for j in api.jobs("m") if j["step"] == "summarise" and j["result"]], "waited"
            )
            assert done["result"]["unfinished"] >= 1
            endpoint.released.set()


def test_an_endpoint_that_fails_is_left_alone_as_long_as_it_is_set(tmp_path: Path) -> None:
    for pause_s in (3600.0, 7.0):
        folder = tmp_path / str(pause_s)
        folder.mkdir()
        with scripted_endpoint() as endpoint:
            env = asking(endpoint) | {"SOULMEM_ENGINE_PAUSE_S": str(pause_s), "SOULMEM_ENGINE_RETRIES": "0"}
            endpoint.misbehaviour = M.BROKEN
            with daemon_process(folder, env=env) as daemon:
                api = checking(daemon)
                api.call("mind.create", mind="m")
                api.note("m", "the harbour 港口")
                for _ in range(4):
                    api.call("recall", mind="m", query="Why the harbour? 为什么是港口？", depth="deep")
                api.until(lambda daemon=daemon: daemon.events("breaker_opened"), "it is left alone")
                assert daemon.events("breaker_opened")[0]["pause_ms"] == pause_s * 1000


def test_old_recalls_are_merged_above_as_many_as_is_set(tmp_path: Path) -> None:
    for most, merges in ((1, True), (100_000, False)):
        folder = tmp_path / str(most)
        folder.mkdir()
        with daemon_process(folder, env={"SOULMEM_RECALL_COALESCE_ABOVE": str(most)}) as daemon:
            api = checking(daemon)
            api.call("mind.create", mind="m")
            batch = [{"role": "user", "speaker": "Ann", "content": f"the harbour, 港口 {place}"} for place in range(40)]
            for each in batch:
                api.client.call("message.add", {"mind": "m", **each})
            api.until(lambda daemon=daemon: rows(daemon, "m", PENDING) == [(0,)], "all were brought to mind")
            merged = rows(daemon, "m", "SELECT count(*) FROM recall WHERE state = 'coalesced'")[0][0]
            assert (merged > 0) is merges


def test_the_key_of_an_embedding_endpoint_is_read_from_its_file(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("s3cret\n")
    key.chmod(0o600)
    with running_endpoint() as endpoint:
        env = {
            "SOULMEM_EMBEDDER_NAME": "openai", "SOULMEM_EMBEDDER_BASE_URL": endpoint.url,
            "SOULMEM_EMBEDDER_MODEL": "tiny", "SOULMEM_EMBEDDER_API_KEY_FILE": str(key),
        }  # fmt: skip
        with daemon_process(tmp_path, env=env) as daemon:
            api = checking(daemon)
            api.note("m", "the harbour 港口")
            api.until(lambda: endpoint.keys, "a vector is asked for")
            assert set(endpoint.keys) == {"Bearer s3cret"}
            assert "s3cret" not in daemon.log_path.read_text()


def test_a_model_thinks_about_no_recall_where_it_may_not(tmp_path: Path) -> None:
    question = "Why the harbour? 为什么是港口？"
    for analysis, thinks in (("never", False), ("deep", True)):
        folder = tmp_path / analysis
        folder.mkdir()
        with scripted_endpoint() as endpoint:
            env = asking(endpoint) | {"SOULMEM_ENGINE_ANALYSIS": analysis}
            with daemon_process(folder, env=env) as daemon:
                api = checking(daemon)
                api.note("m", "the harbour 港口")
                assert api.call("recall", mind="m", query=question, depth="deep")["items"]
                asked = {each.task for each in endpoint.requests} & {Task.ANALYSE_QUERY, Task.JUDGE}
                assert bool(asked) is thinks


def test_how_long_a_summary_may_be_and_when_the_window_is_too_full(house: Home) -> None:
    told = [f"On evening {place} Ann painted boat number {place} red. 第{place}晚。" for place in range(30)]

    def tokens(**settings: object) -> int:
        mind = house.mind(settings={"window.capacity": 6, **settings})
        for text in told:
            house.api.say(mind, text, speaker="Ann")
        house.api.settle(mind)
        blocks = house.api.call("context.get", mind=mind, conversation="main", max_tokens=8_000)["blocks"]
        return sum(block["tokens"] for block in blocks if block["kind"] == "summary")

    def summaries(most: int) -> int:
        mind = house.mind(settings={"window.capacity": 1_000, "window.max_fresh_tokens": most})
        for text in told:
            house.api.say(mind, text, speaker="Ann")
        house.api.settle(mind)
        return len(rows(house.daemon, mind, "SELECT id FROM summary_job"))

    assert 0 < tokens(**{"summary.max_tokens": 50}) < tokens(**{"summary.max_tokens": 800}) / 2
    assert summaries(100_000) == 0 < summaries(100)


def test_links_carry_on_as_they_are_set_to(house: Home) -> None:
    def scores(activation: str) -> dict[str, float]:
        mind = house.mind(settings={"recall.activation": activation, "recall.min_score": 0.0})
        notes = [house.api.note(mind, text) for text in ("the harbour 港口", "a cello 大提琴", "two nuns 修女")]
        others = [house.api.note(mind, f"fog number {place}, 雾{place}") for place in range(6)]
        for src, dst in [(notes[0], notes[1]), (notes[1], notes[2]), *((notes[1], other) for other in others)]:
            house.api.call("link.add", mind=mind, src=src, dst=dst, strength=0.6)
        return {item["text"]: item["score"] for item in house.api.found(mind, "harbour 港口", k=20)}

    split, settled = scores("pagerank"), scores("diffusion")
    assert split.keys() == settled.keys()
    assert split != settled


def test_each_mind_has_its_own_budget(tmp_path: Path) -> None:
    with scripted_endpoint() as endpoint:
        env = asking(endpoint) | {"SOULMEM_BUDGET_TOKENS_PER_MIND": "100", "SOULMEM_ENGINE_TEMPERATURE": "0.73"}
        with daemon_process(tmp_path, env=env) as daemon:
            api = checking(daemon)
            calls = []
            for mind in ("one", "one", "two"):
                api.note(mind, "the harbour 港口")
                before = len(endpoint.tasks)
                api.call("recall", mind=mind, query=f"Why the harbour? 为什么是港口？{len(calls)}", depth="deep")
                calls.append(len(endpoint.tasks) - before)
            assert calls[0] > 0
            assert calls[1] == 0, "its budget of the day is spent"
            assert calls[2] > 0
            assert {each.body["temperature"] for each in endpoint.tasks} == {0.73}


def test_how_much_a_client_may_send(tmp_path: Path) -> None:
    env = {"SOULMEM_SERVER_FRAME_BYTES": "4096", "SOULMEM_SERVER_REQUESTS_PER_S": "20"}
    with daemon_process(tmp_path, env=env) as daemon, Wire(daemon) as wire:
        assert "result" in wire.ask("system.ping", "{}")
        wire.send(b"x" * 5_000)
        answer = wire.receive()
        assert answer is not None
        assert answer["error"]["data"]["name"] == "too_large"
    with daemon_process(tmp_path, env=env) as daemon, Wire(daemon) as wire:
        answers = [wire.ask("system.ping", "{}", number) for number in range(60)]
        refused = [answer["error"]["data"]["name"] for answer in answers if "error" in answer]
        assert refused
        assert set(refused) == {"overloaded"}
