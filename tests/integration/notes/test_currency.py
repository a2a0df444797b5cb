"""What holds now: told over the socket, asked over the socket, in both languages, before digestion and after it."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from scripted_answers import default_answer, task_of
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint
from soulmem.core.schema.engine_tasks import Task
from told_facts import idle, notes, recall, say

START = "2026-03-02T09:00:00Z"
DAY = 86_400

# (speaker, told first, told nine days later, question, the word of what holds, the word of what does not)
CHANGES = {
    "home": ("Maren", "I live in Utrecht, near the canal.", "Big news: I've moved to Ghent!", "Where do I live?", "Ghent", "Utrecht"),
    "job": ("Maren", "I work at Philips as an engineer.", "i joined a tiny startup called Oblique last week", "Where do I work?", "Oblique", "Philips"),
    "partner": ("Maren", "My boyfriend is called Joost.", "Joost and I broke up last night", "Do I have a boyfriend?", "broke up", "called Joost"),
    "pet": ("Maren", "We have a cat named Pixel.", "Pixel passed away on Sunday", "How is my cat?", "passed away", "named Pixel"),
    "number": ("Maren", "My phone number is 0612345678.", "btw my new number is 0687654321", "What is my phone number?", "0687654321", "0612345678"),
    "plan": ("Maren", "The choir concert is on Friday.", "The choir concert got moved to Sunday", "When is the choir concert?", "Sunday", "on Friday"),
    "cancelled": ("Maren", "We're flying to Oslo in April.", "the Oslo trip is off, sadly", "When do we fly to Oslo?", "off", "flying to Oslo"),
    "住处": ("小鹿", "我住在南京，离公司很近。", "告诉你，我搬到苏州了！", "我住在哪里？", "苏州", "南京"),
    "工作": ("小鹿", "我在一家出版社上班。", "我辞职了，现在在花店工作", "我在哪儿上班？", "花店", "出版社"),
    "恋人": ("小鹿", "我男朋友叫阿哲。", "我和阿哲分手了", "我有男朋友吗？", "分手", "叫阿哲"),
    "宠物": ("小鹿", "我养了一只狗，叫可乐。", "可乐上周去世了", "我的狗怎么样了？", "去世", "养了"),
    "号码": ("小鹿", "我的手机号是13800001111。", "手机号换成13922223333了", "我的手机号是多少？", "13922223333", "13800001111"),
    "改期": ("小鹿", "面试是周五。", "面试改到下周三了", "面试是什么时候？", "下周三", "面试是周五"),
}  # fmt: skip

IN_THE_WINDOW = {"home", "partner", "plan", "工作", "宠物", "号码"}  # asked about before sleep too; all in torture
TOLD_TWICE = list(CHANGES.values())[:: 1 if os.environ.get("SOULMEM_TORTURE") else 3]


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
    ("change", "digested"),
    [
        pytest.param(change, digested, marks=[] if digested or change in IN_THE_WINDOW else pytest.mark.torture)
        for change in CHANGES
        for digested in (True, False)
    ],
)
def test_what_holds_now_comes_first_and_what_does_not_is_marked(
    house: Daemon, mind: str, change: str, digested: bool
) -> None:
    speaker, before, after, question, now, then = CHANGES[change]
    client = house.client()
    say(client, before, speaker, mind)
    idle(client, mind)
    client.call("clock.advance", {"seconds": 9 * DAY})
    say(client, after, speaker, mind)
    if digested:
        idle(client, mind)
    found = recall(client, question, mind)
    assert now in found[0]["text"], found[:3]
    for item in found:
        if then in item["text"] and now not in item["text"]:
            marked = item["text"].endswith((")", "）")) and item["text"] != before
            assert marked, item["text"]
            assert item["valid_to"] or "“" in item["text"], item


@pytest.mark.parametrize("change", ["home", "住处"])
def test_a_recall_that_thinks_marks_it_too(house: Daemon, mind: str, change: str) -> None:
    speaker, before, after, question, now, then = CHANGES[change]
    client = house.client()
    say(client, before, speaker, mind)
    idle(client, mind)
    client.call("clock.advance", {"seconds": 9 * DAY})
    say(client, after, speaker, mind)
    idle(client, mind)
    asked = {"mind": mind, "query": question, "record": False, "depth": "deep"}
    found = client.call("recall", asked)["items"]
    outdated = [item["text"] for item in found if then in item["text"] and now not in item["text"]]
    assert outdated
    assert all(text.endswith((")", "）")) for text in outdated), outdated
    context = client.call("context.get", {"mind": mind, "query": question, "conversation": "other"})
    told = "\n".join(block["text"] for block in context["blocks"] if block["kind"] == "notes")
    assert then not in told, told


def test_what_was_is_told_to_who_asks_for_it(house: Daemon, mind: str) -> None:
    client = house.client()
    early = ""
    moves = (("Maren", "I live in Utrecht.", "I moved to Ghent."), ("小鹿", "我住在南京。", "我搬到苏州了。"))
    for speaker, before, after in moves:
        say(client, before, speaker, mind, speaker)
        early = early or client.call("clock.advance", {"seconds": DAY})["now"]
        idle(client, mind)
        client.call("clock.advance", {"seconds": 9 * DAY})
        say(client, after, speaker, mind, speaker)
        idle(client, mind)
    late = client.call("clock.advance", {"seconds": DAY})["now"]
    assert "Utrecht" in recall(client, "Where did I live before?", mind, "Maren")[0]["text"]
    assert "南京" in recall(client, "我以前住在哪里？", mind, "小鹿")[0]["text"]
    found = [item["text"] for item in recall(client, "Where do I live?", mind, "Maren", as_of=early)]
    assert any("Utrecht" in text for text in found)
    assert not any("Ghent" in text or "until" in text for text in found)
    then = [note["text"] for note in notes(client, mind, as_of=early)]
    now = [note["text"] for note in notes(client, mind, as_of=late)]
    assert any("Utrecht" in text for text in then)
    assert not any("Ghent" in text for text in then)
    assert any("Ghent" in text for text in now)
    assert not any("Utrecht" in text for text in now)


def test_an_older_fact_that_is_told_late_arrives_expired(house: Daemon, mind: str) -> None:
    client = house.client()
    say(client, "I live in Ghent.", "Maren", mind, at="2026-03-01T00:00:00Z")
    idle(client, mind)
    say(client, "I live in Utrecht.", "Maren", mind, at="2024-03-01T00:00:00Z")
    idle(client, mind)
    by_text = {note["text"]: note for note in notes(client, mind) if note["kind"] == "semantic"}
    assert by_text["Maren lives in Ghent"]["valid_to"] is None
    assert by_text["Maren lives in Utrecht"]["valid_to"] is not None
    assert "Ghent" in recall(client, "Where do I live?", mind)[0]["text"]


def test_likings_languages_and_pets_add_up(house: Daemon, mind: str) -> None:
    client = house.client()
    for text in ("I love ramen.", "I speak Dutch.", "I have a cat named Pixel.", "My sister is called Noor."):
        say(client, text, "Maren", mind)
    idle(client, mind)
    for text in ("I love sushi.", "I speak Finnish.", "I have a dog named Rex.", "My sister is called Fleur."):
        say(client, text, "Maren", mind)
    idle(client, mind)
    assert [note["text"] for note in notes(client, mind) if note["valid_to"] is not None] == []


def test_a_hidden_talk_ends_nothing_for_others(house: Daemon, mind: str) -> None:
    client = house.client()
    client.call("mind.update", {"mind": mind, "settings": {"recall.sharing": "participants"}})
    say(client, "I live in Utrecht.", "Maren", mind, "kitchen")
    idle(client, mind)
    say(client, "I am here too.", "Joost", mind, "kitchen")
    say(client, "I moved to Ghent, but tell nobody.", "Maren", mind, "bedroom")
    idle(client, mind)

    def seen(conversation: str) -> dict[str, Any]:
        return {note["text"]: note for note in notes(client, mind, conversation=conversation)}

    kitchen, bedroom = seen("kitchen"), seen("bedroom")
    assert all(note["valid_to"] is None and note["superseded_by"] is None for note in kitchen.values())
    assert not any("Ghent" in text for text in kitchen)
    assert any("Ghent" in text for text in bedroom)
    top = recall(client, "Where do I live?", mind, "kitchen")[0]
    assert "Utrecht" in top["text"]
    assert "until" not in top["text"]
    (utrecht,) = [note for text, note in kitchen.items() if "Utrecht" in text][:1]
    told = client.call("note.history", {"mind": mind, "id": utrecht["id"], "conversation": "kitchen"})
    assert "by" not in str(told["history"])


def test_a_contradiction_within_one_message_ends_in_what_was_said_last(house: Daemon, mind: str) -> None:
    client = house.client()
    say(client, "I used to live in Utrecht. I live in Ghent now.", "Maren", mind)
    idle(client, mind)
    found = recall(client, "Where do I live?", mind)
    assert "Ghent" in found[0]["text"]


def test_a_pinned_note_that_holds_no_more_says_so(house: Daemon, mind: str) -> None:
    client = house.client()
    pinned = client.call(
        "note.add", {"mind": mind, "kind": "semantic", "text": "Maren lives in Utrecht.", "pinned": True}
    )
    say(client, "I moved to Ghent.", "Maren", mind)
    idle(client, mind)
    assert client.call("note.get", {"mind": mind, "id": pinned["id"]})["note"]["valid_to"] is not None
    blocks = client.call("context.get", {"mind": mind, "query": "Where do I live?"})["blocks"]
    (core,) = [block["text"] for block in blocks if block["kind"] == "core"]
    assert core.startswith("Maren lives in Utrecht. (until ")


def test_a_model_that_supersedes_everything_is_bounded_and_explained(tmp_path: Path) -> None:
    """Whatever it answers, what code sees to be about something else stays; the audit says why."""

    def answer(body: Any) -> Any:
        if task_of(body) is not Task.RECONCILE:
            return default_answer(body)
        asked = body["messages"][-1]["content"]
        known = re.findall(r"\[(K\d+)\]", asked)
        return {
            "results": [{"new": new, "event": "supersede", "known": known} for new in re.findall(r"\[(F\d+)\]", asked)]
        }

    with scripted_endpoint() as endpoint:
        endpoint.answer = answer
        env = {"BASE_URL": endpoint.url, "MODEL": "tiny", "RETRIES": "0", "PATIENCE_S": "0"}
        env = {f"SOULMEM_ENGINE_{name}": value for name, value in env.items()}
        with daemon_process(tmp_path, "--simulated-clock", START, env=env) as daemon:
            _everything_is_superseded(daemon, endpoint)


def _everything_is_superseded(daemon: Daemon, endpoint: ScriptedEndpoint) -> None:
    client = daemon.client()
    for text in (
        "Tom keeps bees behind the chapel.",
        "Tom hums while he cooks.",
        "Tom's kettle is dented.",
        "Tom fears geese.",
    ):
        say(client, text, "Tom")
    idle(client)
    say(client, "Tom switched to a tune behind the chapel while the kettle sings to the geese.", "Tom")
    idle(client)
    over = [note["text"] for note in notes(client) if note["valid_to"] is not None]
    assert len(over) <= 2, over
    refused = client.call("audit.list", {"mind": "m", "limit": 100})["items"]
    reasons = {item["reason"] for item in refused if item["task"] == "reconcile"}
    assert any(request.task is Task.RECONCILE for request in endpoint.tasks), "rules alone decided: nothing was tested"
    assert reasons
    assert reasons <= {"unrelated", "too_many"}


def test_notes_written_by_hand_are_compared(house: Daemon, mind: str) -> None:
    client = house.client()
    first = client.call("note.add", {"mind": mind, "kind": "semantic", "text": "Maren lives in Utrecht."})["id"]
    say(client, "I moved to Ghent.", "Maren", mind)
    idle(client, mind)
    assert client.call("note.get", {"mind": mind, "id": first})["note"]["valid_to"] is not None


def test_the_same_history_gives_the_same_answers(tmp_path: Path) -> None:
    pictures = []
    for run in ("one", "other"):
        (tmp_path / run).mkdir()
        with daemon_process(tmp_path / run, "--simulated-clock", START, name=run) as daemon:
            client = daemon.client()
            for speaker, before, _, _, _, _ in TOLD_TWICE:
                say(client, before, speaker, "m", speaker)
            idle(client)
            for speaker, _, after, _, _, _ in TOLD_TWICE:
                say(client, after, speaker, "m", speaker)
            idle(client)
            pictures.append([(n["text"], n["valid_from"], n["valid_to"], n["superseded_by"]) for n in notes(client)])
    assert pictures[0] == pictures[1]
    assert sum(valid_to is not None for _, _, valid_to, _ in pictures[0]) >= len(TOLD_TWICE) - 1


@pytest.mark.parametrize("case", ["home", "住处"])
def test_the_stream_marks_what_holds_no_more_and_knows_what_held(tmp_path: Path, case: str) -> None:
    speaker, first, then, question, now_so, once_so = CHANGES[case]
    with daemon_process(tmp_path, "--simulated-clock", START, check_log=False) as daemon:
        client = daemon.client(timeout=120)
        client.call("mind.create", {"mind": "m"})
        say(client, first, speaker)
        idle(client)
        client.call("clock.advance", {"seconds": 9 * DAY})
        say(client, then, speaker)
        idle(client)
        stream: dict[str, Any] = {"ranking": "stream", "min_score": 0}
        items = recall(client, question, **stream)
        old = next(item for item in items if once_so in item["text"] and now_so not in item["text"])
        new = next(item for item in items if now_so in item["text"])
        assert old["valid_to"] is not None
        assert new["valid_to"] is None
        held = recall(client, question, **stream, as_of="2026-03-04T00:00:00Z")
        assert once_so in held[0]["text"]


NOTED = {
    "Maren": ("When is the dentist, do you know what day I said?", "Noted, I'll remember that."),
    "小鹿": ("我妹妹几号生日你知道吗？", "好的，记下了。"),
}


@pytest.mark.parametrize("speaker", NOTED)
def test_an_acknowledgement_is_no_note_and_a_note_names_who_said_it(house: Daemon, speaker: str) -> None:
    with house.client() as client:
        mind = f"noted-{sum(map(ord, speaker))}"
        asked, answer = NOTED[speaker]
        say(
            client, "I moor my boat Otter in Hoorn." if speaker.isascii() else "我的船停在宁波，叫水獭。", speaker, mind
        )
        say(client, asked, speaker, mind)
        client.call(
            "message.add",
            {"mind": mind, "conversation": "main", "role": "assistant", "speaker": "Pell", "content": answer},
        )
        client.call("clock.advance", {"seconds": 60})
        idle(client, mind)
        assert [each["speaker"] for each in notes(client, mind)] == [speaker]


# (told, beside it, asked in either language)
MUST_NOT = {
    "allergy": ("I'm allergic to mango, my lips swell.", "I have a ginger cat called Dumpling.", "mango"),
    "过敏": ("我对芒果过敏，嘴会肿。", "我养了一只橘猫，叫团子。", "芒果"),
}


@pytest.mark.parametrize("case", MUST_NOT)
def test_what_somebody_must_not_eat_is_found_across_languages(house: Daemon, mind: str, case: str) -> None:
    told, beside, word = MUST_NOT[case]
    with house.client() as client:
        for text in (told, beside):
            say(client, text, "Ann", mind)
        idle(client, mind)
        for question in ("What must I not eat?", "What food should I avoid?", "我不能吃什么？", "我有什么忌口？"):
            assert word in recall(client, question, mind)[0]["text"], question
