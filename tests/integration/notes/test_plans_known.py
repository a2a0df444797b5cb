"""Plans where they are asked for: in recalls and contexts, in front of whom they may be known, nowhere once deleted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checking import Json, ids_of
from daemon_fixture import daemon_process
from household import DAY, START, Home
from leftovers import files_with, tables_with
from shell import Shell
from soulmem.store.session.verify import damages

TOMORROW = {
    "en": ["What will you do tomorrow?", "What are your plans for tomorrow?", "Are you free tomorrow?"],
    "zh": ["你明天做什么", "你明天有什么安排？", "明天你有空吗？"],
}
NOW = {"en": ["What are you doing now?", "What are you up to?"], "zh": ["你现在在做什么？", "你在干嘛呢"]}
TEXTS = {
    "en": {"now": "Repairing the rowing boat", "later": "Choir practice", "morning": "Train to Bergen",
           "evening": "Dinner with Ines at the fish market", "other": "Visit the printing museum"},
    "zh": {"now": "修那条小船", "later": "合唱团排练", "morning": "坐高铁去成都",
           "evening": "跟表姐在玉林吃火锅", "other": "参观印刷博物馆"},
}  # fmt: skip
CLOCK = {"en": "Z", "zh": "+08:00"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with daemon_process(tmp_path_factory.mktemp("known"), "--simulated-clock", START) as daemon:
        yield Home(daemon)


@pytest.fixture
def mind(home: Home) -> Iterator[str]:
    made = home.made
    yield home.mind(profile="companion")
    home.leave(made)


def planned(home: Home, mind: str, language: str, **more: Any) -> dict[str, str]:
    """Plans of three days, by the clock of the place: it is eight in London, four in the afternoon in Chengdu."""
    hours = {"now": ("01", 7), "later": ("01", 19), "morning": ("02", 9), "evening": ("02", 18), "other": ("03", 10)}
    shift = {"en": 0, "zh": 8}[language]
    items: list[Json] = []
    for name, (day, hour) in hours.items():
        begin = hour + shift if name == "now" else hour
        items.append({
            "text": TEXTS[language][name], "start": f"2026-03-{day}T{begin:02}:00:00{CLOCK[language]}",
            "end": f"2026-03-{day}T{begin + 3:02}:00:00{CLOCK[language]}",
        })  # fmt: skip
    made = home.api.call("plan.add", mind=mind, items=items, **more)["items"]
    return {name: each["id"] for name, each in zip(hours, made, strict=True)}


def asked(home: Home, mind: str, query: str, **more: Any) -> list[Json]:
    items: list[Json] = home.api.call("recall", mind=mind, query=query, record=False, k=5, **more)["items"]
    return items


@pytest.mark.parametrize("language", TEXTS)
def test_a_question_for_a_day_is_answered_with_its_plans_in_their_order(home: Home, mind: str, language: str) -> None:
    ids = planned(home, mind, language)
    home.api.say(mind, {"en": "I had soup today.", "zh": "我今天喝了汤。"}[language], speaker="Tom")
    for query in TOMORROW[language]:
        found = asked(home, mind, query)
        assert [each["id"] for each in found] == [ids["morning"], ids["evening"]], query
        assert [each["kind"] for each in found] == ["plan", "plan"]
        assert found[0]["plan"] == {
            "level": "hour", "start": f"2026-03-02T09:00:00{CLOCK[language]}",
            "end": f"2026-03-02T12:00:00{CLOCK[language]}", "status": "planned",
        }  # fmt: skip
    for query in NOW[language]:
        first = asked(home, mind, query)[0]
        assert (first["id"], first["plan"]["status"]) == (ids["now"], "active"), query


@pytest.mark.parametrize("language", TEXTS)
def test_what_gave_way_was_dropped_or_is_over_answers_nothing_as_if_it_held(tmp_path: Path, language: str) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:  # its own: time passes
        home = Home(daemon)
        mind = home.mind(profile="companion")
        ids = planned(home, mind, language)
        home.api.call("plan.update", mind=mind, id=ids["morning"], status="dropped")
        start = f"2026-03-02T17:00:00{CLOCK[language]}"
        instead = {"text": {"en": "At home with a fever", "zh": "发烧在家"}[language], "start": start}
        (new,) = home.api.call("plan.supersede", mind=mind, items=[instead], **{"from": start})["items"]
        for query in TOMORROW[language]:
            assert [each["id"] for each in asked(home, mind, query)] == [new["id"]], query
        holds, former = asked(home, mind, TEXTS[language]["evening"])[:2]
        assert (holds["id"], former["id"]) == (new["id"], ids["evening"]), (
            "what holds instead, and behind it what gave way"
        )
        assert former["plan"]["status"] == "superseded"
        assert former["superseded_by"] == new["id"]
        assert former["text"] != TEXTS[language]["evening"], "and says so"
        home.pass_time(2 * DAY)
        home.api.call("idle.run", mind=mind)
        what = {"en": ("What did you do yesterday?", "What did you plan for yesterday?"),
                "zh": ("你昨天做了什么？", "你昨天本来打算做什么？")}[language]  # fmt: skip
        assert asked(home, mind, what[0]) == [], "what was missed was not done"
        assert asked(home, mind, what[1])[0]["plan"]["status"] == "missed"
        home.api.call("plan.update", mind=mind, id=new["id"], status="done")
        assert [each["id"] for each in asked(home, mind, what[0])] == [new["id"]]


def test_whose_plan_is_asked_for_is_answered_with(home: Home, mind: str) -> None:
    start = "2026-03-02T10:00:00Z"
    own = home.api.call("plan.add", mind=mind, items=[{"text": "Prune the roses", "start": start}])["items"]
    anna = home.api.call("plan.add", mind=mind, items=[{"text": "Pick up the bike", "start": start}], whose="Anna")[
        "items"
    ]
    lin = home.api.call("plan.add", mind=mind, items=[{"text": "去图书馆还书", "start": start}], whose="小林")["items"]
    assert [each["status"] for each in (*own, *anna, *lin)] == ["planned"] * 3, "each keeps a calendar of his own"
    for query, plan in (
        ("What is Anna doing tomorrow?", anna[0]), ("小林明天做什么？", lin[0]), ("What will you do tomorrow?", own[0]),
        ("你明天做什么？", own[0]),
    ):  # fmt: skip
        assert [each["id"] for each in asked(home, mind, query)] == [plan["id"]], query
    text = home.api.call("context.get", mind=mind, query="the bike, the library 图书馆 还书", max_tokens=900)["text"]
    for line in ("Anna: Pick up the bike", "小林: 去图书馆还书"):
        assert line in text


@pytest.mark.parametrize("language", TEXTS)
def test_a_context_tells_what_goes_on_and_what_comes_next_within_its_budget(
    home: Home, mind: str, language: str
) -> None:
    ids = planned(home, mind, language)
    texts, word = TEXTS[language], {"en": "plan", "zh": "计划"}[language]
    body = home.api.call("context.get", mind=mind, query=TOMORROW[language][0], max_tokens=1_000)
    block = next(each for each in body["blocks"] if each["kind"] == "plans")
    assert block["items"][:2] == [ids["now"], ids["later"]]
    assert ids["other"] not in block["items"]
    assert block["tokens"] <= 100
    until = {"en": "[plan, now until 10:00]", "zh": "[计划，现在到18:00]"}[language]
    assert block["text"].splitlines()[0] == f"{until} {texts['now']}"
    assert f"[{word} 2026-03-02 18:00–21:00] {texts['evening']}" in body["text"]
    assert body["text"].count(texts["evening"]) == body["text"].count(texts["morning"]) == 1
    small = home.api.call("context.get", mind=mind, max_tokens=100)
    assert sum(each["tokens"] for each in small["blocks"]) <= 100
    home.api.call("plan.update", mind=mind, id=ids["now"], status="done")
    assert texts["now"] not in home.api.call("context.get", mind=mind)["text"]
    waited = home.api.say(mind, TOMORROW[language][0], speaker="Tom", recall=True)
    assert texts["evening"] in waited["context"]["text"]


@pytest.mark.parametrize("sharing", ["conversation", "participants"])
@pytest.mark.parametrize("language", TEXTS)
def test_a_plan_is_known_where_notes_of_its_conversation_are(home: Home, sharing: str, language: str) -> None:
    mind = home.mind(settings={"recall.sharing": sharing})
    for who, where in (("Bo", "pub"), ("Ann", "tea")):
        home.api.say(mind, "Good morning. 早上好。", speaker=who, conversation=where)
    common = planned(home, mind, language)
    evening = f"2026-03-02T18:30:00{CLOCK[language]}"
    secret = {"en": "Meet the notary in secret", "zh": "悄悄去见公证员"}[language]
    made = home.api.call("plan.add", mind=mind, items=[{"text": secret, "start": evening}], conversation="tea")
    (hidden,) = made["items"]
    ids = ids_of(home.daemon, mind)
    assert [ids.plain(each) for each in made["shortened"]] == [common["evening"]]
    seen = {
        where: {
            ids.plain(each["id"]): each for each in home.api.call("plan.list", mind=mind, conversation=where)["items"]
        }
        for where in ("pub", "tea")
    }
    assert ids.plain(hidden["id"]) in seen["tea"]
    assert seen["pub"].keys() == set(common.values())
    assert seen["tea"][common["evening"]]["end"] == evening
    assert "told_end" not in seen["pub"][common["evening"]], "elsewhere nothing tells that its time was taken"
    for where, known in (("pub", False), ("tea", True)):
        for query in TOMORROW[language]:
            assert (secret in repr(asked(home, mind, query, conversation=where))) is known
        told = home.api.call("context.get", mind=mind, conversation=where, query=secret)["text"]
        assert (secret in told) is known
    for method, given in (("plan.update", {"status": "done"}), ("plan.delete", {})):
        home.api.refused("not_found", method, mind=mind, id=hidden["id"], conversation="pub", **given)
    part = {"text": "Bring the deed 带上地契", "start": evening, "level": "action"}
    home.api.call("plan.add", mind=mind, items=[part], parent=ids.plain(hidden["id"]))
    assert "deed" not in repr(home.api.call("plan.list", mind=mind, conversation="pub")), (
        "a part is known where the whole is"
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_talk_may_call_off_what_everybody_planned(home: Home, language: str) -> None:
    """That another talk has called it off already is known there alone, and changes nothing here."""
    mind = home.mind(settings={"recall.sharing": "conversation"})
    plans = planned(home, mind, language)

    def standing(conversation: str) -> int:
        items = home.api.call("plan.list", mind=mind, conversation=conversation)["items"]
        return sum(each["status"] == "planned" for each in items)

    for conversation in ("tea", "pub", "gym"):
        home.api.say(mind, "hello 你好", conversation=conversation)
    before = standing("pub")
    for conversation in ("tea", "pub"):
        done = home.api.call("plan.supersede", mind=mind, conversation=conversation, **{"from": "2026-03-02T00:00:00Z"})
        assert len(done["superseded"]) == 3
        assert (
            home.api.call("plan.supersede", mind=mind, conversation=conversation, **{"from": "2026-03-02T00:00:00Z"})[
                "superseded"
            ]
            == []
        )
    assert [standing(each) for each in ("tea", "pub", "gym")] == [before - 3, before - 3, before]
    home.api.call("plan.update", mind=mind, id=plans["other"], status="planned")
    assert [standing(each) for each in ("tea", "pub", "gym")] == [before - 2, before - 2, before]


@pytest.mark.parametrize("language", TEXTS)
def test_what_is_deleted_is_gone_from_every_table_and_from_the_bytes_of_the_file(
    home: Home, mind: str, language: str
) -> None:
    mark = {"en": "quarzplover77120", "zh": "翡翠鸻鸟七七一二零"}[language]
    start = "2026-03-02T10:00:00Z"
    items = [{"text": f"Meet {mark} 见面", "start": start, "tags": [mark]}]
    (plan,) = home.api.call("plan.add", mind=mind, items=items, whose=f"{mark} Lund", key="k")["items"]
    home.api.call("plan.update", mind=mind, id=plan["id"], text=f"Meet {mark} again 再见")
    home.api.call("recall", mind=mind, query="Whom do you meet? 你去见谁？")
    home.api.call("plan.add", mind=mind, items=[{"text": "Rest 休息", "start": start}], whose=f"{mark} Lund")
    (rest,) = (each for each in home.api.call("plan.list", mind=mind)["items"] if "Rest" in each["text"])
    home.api.settle(mind)
    file = home.daemon.state / "minds" / f"{mind}.db"
    assert tables_with(file, mark)
    for each in (plan["id"], rest["id"]):
        assert home.api.call("plan.delete", mind=mind, id=each)["erased"]
    home.api.settle(mind)
    assert tables_with(file, mark) == []
    assert files_with(home.daemon.state, mark, mind) == []
    assert mark not in repr(home.api.call("plan.list", mind=mind))
    assert mark not in repr(home.api.notes(mind)) + repr(home.api.notes(mind, state="forgotten"))
    assert damages(file) == []


def test_the_command_line_plans_lists_and_settles(home: Home, mind: str, tmp_path: Any) -> None:
    shell = Shell(home.daemon.socket, tmp_path)
    said = shell("plan", "add", "Dinner 晚饭", "--from", "2026-03-02T19:00+01:00", "--mind", mind)
    assert said.stdout.startswith("n1 planned: Dinner 晚饭, ")
    assert "given up: n1" in shell("plan", "add", "Call in sick 请假", "--from", "2026-03-02T18:00Z", "-m", mind).stdout
    assert "superseded" in shell("plan", "list", "-m", mind).stdout
    assert "n2 done" in shell("plan", "done", "n2", "-m", mind).stdout
    assert "ends before it begins" in shell("plan", "move", "n1", "--to", "2026-03-01", "-m", mind, code=64).stderr
    assert "n1 moved" in shell("plan", "move", "n1", "--from", "2026-03-03T19:00Z", "-m", mind).stdout
    assert "n1 given up" not in shell("plan", "edit", "n1", "Late dinner 夜宵", "-m", mind).stdout
    swept = shell(
        "plan", "supersede", "Sleep 睡觉", "--from", "2026-03-03T18:30Z", "--to", "2026-03-04", "-m", mind
    ).stdout
    assert "n3 planned instead" in swept
    assert "given up: n1" in swept
    assert "asks first" in shell("plan", "delete", "n3", "-m", mind, code=2).stderr
    assert "n3 deleted" in shell("plan", "delete", "n3", "--yes", "-m", mind).stdout
    assert '"status": "planned"' in shell("plan", "list", "--status", "planned", "--json", "-m", mind).stdout


def test_a_whole_mind_takes_its_plans_along(home: Home, mind: str, tmp_path: Path) -> None:
    ids = planned(home, mind, "zh")
    home.api.call("plan.update", mind=mind, id=ids["now"], status="done")
    instead = {"text": "Rest 休息", "start": "2026-03-02T19:00:00+08:00"}
    home.api.call("plan.supersede", mind=mind, items=[instead], **{"from": "2026-03-02T10:00:00+08:00"})
    shell, file = Shell(home.daemon.socket, tmp_path), tmp_path / "mind.jsonl"
    shell("export", str(file), "--mind", mind)
    shell("import", str(file), "--mind", f"{mind}-again")
    there = home.api.call("plan.list", mind=f"{mind}-again")["items"]
    assert there == home.api.call("plan.list", mind=mind)["items"]
    assert {each["status"] for each in there} == {"done", "planned", "superseded"}
    assert any("told_end" in each for each in there)
