"""What a small model gets wrong, played through a real daemon: what it said rightly is kept, what it made up is not.

Its answers stand here as it would write them: with prose and fences around, a word left out of a quotation, a number
rounded, a day invented, a habit made of one occasion, a field in a form of its own.
"""

# Answers stand on long lines, as models write them.
# ruff: noqa: E501

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from scripted_answers import default_answer, task_of
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint
from soulmem.client import Client
from soulmem.core.schema.engine_tasks import Task

START = "2026-03-02T09:00:00Z"  # a Monday

TALK = {
    "en": (
        "Ruth",
        "I finally told my sister Orla about that new job at the tannery yesterday.",
        "My knee swells up whenever I climb the bell tower, so I take the lift.",
        "We paid 340 euros for the kiln.",
        "Met my uncle Fergal at the quay.",
        "I promised Dermot the blue canoe.",
    ),
    "zh": (
        "阿禾",
        "我昨天终于跟姐姐说了皮革厂那份新工作。",
        "我一爬钟楼膝盖就肿，所以都坐电梯。",
        "我们买窑花了三千四百块。",
        "在码头碰到了表舅。",
        "我答应把那条蓝色的独木舟送给老邓。",
    ),
}
ANSWERS = {
    "en": """Sure! Here are the notes you asked for:
```json
{"notes": [
 {"line": "[T1]", "quote": "told my sister about that new job", "type": "event", "text": "Ruth told her sister Orla about the new job at the tannery on 27 February 2026.", "when": "2026-02-27", "importance": "7/10", "fact": []},
 {"line": "T2", "quote": "My knee swells up whenever I climb the tower", "type": "semantic", "text": "Ruth's knee swells up whenever she climbs the bell tower.", "when": "whenever", "importance": 8, "fact": "knee, swells, climbing", "mood": "sad"},
 {"line": "T3", "quote": "paid 340 euros for the kiln", "type": "specific", "text": "Ruth paid about 300 euros for the kiln.", "when": null, "importance": 3, "fact": []},
 {"line": "T4", "quote": "Met my uncle Fergal at the quay", "type": "habit", "text": "Ruth often meets her uncle Fergal at the quay.", "when": null, "importance": 4, "fact": []},
 {"line": "T5", "quote": "the canoe is red and leaks badly", "type": "semantic", "text": "Dermot's canoe is red.", "when": null, "importance": 2, "fact": []},
]}
```
I hope this helps! Let me know if you need anything else.""",
    "zh": """好的，以下是整理好的笔记：
```json
{"notes": [
 {"line": "[T1]", "quote": "跟姐姐说了皮革厂的新工作", "type": "经历", "text": "阿禾2026年2月20日跟姐姐说了皮革厂那份新工作。", "when": "2026-02-20", "importance": "7分", "fact": []},
 {"line": "T2", "quote": "我一爬钟楼膝盖就肿", "type": "semantic", "text": "阿禾一爬钟楼膝盖就肿。", "when": "每次", "importance": 8, "fact": "膝盖", "心情": "难过"},
 {"line": "T3", "quote": "我们买窑花了三千四百块", "type": "specific", "text": "阿禾买窑花了大约三千块。", "when": null, "importance": 3, "fact": []},
 {"line": "T4", "quote": "在码头碰到了表舅", "type": "习惯", "text": "阿禾经常在码头碰到表舅。", "when": null, "importance": 4, "fact": []},
 {"line": "T5", "quote": "那条独木舟是红的还漏水", "type": "semantic", "text": "老邓的独木舟是红色的。", "when": null, "importance": 2, "fact": []},
]}
```
希望对你有帮助！""",
}
KEPT = {
    "en": (
        "Ruth told her sister Orla",
        "knee swells up whenever she climbs",
        "340",
        "meets her uncle Fergal at the quay",
        "blue canoe",
    ),
    "zh": ("阿禾跟姐姐说了皮革厂那份新工作", "阿禾一爬钟楼膝盖就肿", "三千四", "阿禾在码头碰到表舅", "独木舟"),
}
INVENTED = {
    "en": ("27 February", "300", "often", "red"),
    "zh": ("2月20日", "三千块", "经常", "红"),
}
BOTH = pytest.mark.parametrize("language", ["en", "zh"])


@contextmanager
def small_model(root: Path, answers: dict[Task, Callable[[Any], Any]]) -> Iterator[tuple[Daemon, ScriptedEndpoint]]:
    """A daemon with a model behind HTTP that answers some tasks as given."""
    with scripted_endpoint() as endpoint:
        endpoint.answer = lambda body: answers.get(task_of(body) or Task.MERGE, default_answer)(body)
        env = {"BASE_URL": endpoint.url, "MODEL": "tiny-7b-q4", "RETRIES": "0", "PATIENCE_S": "0"}
        env = {f"SOULMEM_ENGINE_{name}": value for name, value in env.items()} | {"SOULMEM_PROFILE": "assistant"}
        with daemon_process(root, "--simulated-clock", START, env=env) as daemon:
            yield daemon, endpoint


def say(client: Client, speaker: str, *texts: str) -> None:
    for text in texts:
        client.call("message.add", {"mind": "m", "role": "user", "speaker": speaker, "content": text})
        client.call("clock.advance", {"seconds": 60})


def digest(client: Client) -> None:
    client.call("idle.run", {"mind": "m"})


def notes(client: Client, **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.call("note.list", {"mind": "m", "limit": 200, **more})["items"]
    return found


@BOTH
def test_what_a_small_model_said_rightly_is_kept_and_what_it_made_up_is_not(language: str, tmp_path: Path) -> None:
    with small_model(tmp_path, {Task.SPLIT: lambda _: ANSWERS[language]}) as (daemon, endpoint):
        client = daemon.client()
        say(client, *TALK[language])
        digest(client)
        texts = [note["text"] for note in notes(client)]
        split = [request for request in endpoint.tasks if request.task is Task.SPLIT]
    assert len(split) == 1, "nothing was so wrong that it had to be asked again"
    for words in KEPT[language]:
        assert any(words in text for text in texts), (words, texts)
    for words in INVENTED[language]:
        assert not any(words in text for text in texts), (words, texts)


@BOTH
def test_an_answer_of_which_nothing_is_true_is_asked_for_once_more(language: str, tmp_path: Path) -> None:
    answers = iter(['{"notes": [{"line": "T9", "quote": "nobody said this", "text": "Nobody."}]}', ANSWERS[language]])
    with small_model(tmp_path, {Task.SPLIT: lambda _: next(answers)}) as (daemon, endpoint):
        client = daemon.client()
        say(client, *TALK[language])
        digest(client)
        texts = [note["text"] for note in notes(client)]
        again = [request for request in endpoint.tasks if request.task is Task.SPLIT][-1].body["messages"]
    assert "T9" in again[-1]["content"], "the model is told what was wrong"
    assert any(KEPT[language][1] in text for text in texts)


FACTS = {
    "en": ("Ruth", "The attic window sticks in winter.", "The cellar smells of apples.", "The goat answers to Bella.",
           "Aunt Sheila knits socks for sailors.", "The postman whistles hymns."),
    "zh": ("阿禾", "阁楼的窗户冬天卡得打不开。", "地窖里有苹果味。", "那只山羊叫小白它就来。", "舅妈给水手织袜子。", "邮差爱吹口哨。"),
}  # fmt: skip
LATER = {
    "en": ("Ruth", "The attic window is changed, it no longer sticks.", "Now the goat eats apples in the cellar, not socks.",
           "The postman sold Aunt Sheila a window."),
    "zh": ("阿禾", "阁楼的窗户换了，不再卡了。", "现在山羊在地窖里吃苹果，不吃袜子了。", "邮差把窗户卖了，给舅妈换了袜子。"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "event"),
    [
        ("en", "supersede"),
        ("zh", "invalidate"),
        pytest.param("en", "invalidate", marks=pytest.mark.torture),
        pytest.param("zh", "supersede", marks=pytest.mark.torture),
    ],
)
def test_a_model_that_ends_everything_is_bounded_and_nothing_is_lost(language: str, event: str, tmp_path: Path) -> None:
    def everything(body: Any) -> Any:
        asked = body["messages"][-1]["content"]
        known = re.findall(r"\[(K\d+)\]", asked)
        results = [{"new": new, "event": event, "known": known} for new in re.findall(r"\[(F\d+)\]", asked)]
        return f"```json\n{json.dumps({'results': results})}\n```"

    with small_model(tmp_path, {Task.RECONCILE: everything}) as (daemon, endpoint):
        client = daemon.client()
        say(client, *FACTS[language])
        digest(client)
        before = {note["id"]: note["text"] for note in notes(client)}
        client.call("clock.advance", {"seconds": 9 * 86_400})
        say(client, *LATER[language])
        digest(client)
        after = notes(client)
        audit = client.call("audit.list", {"mind": "m", "limit": 200})["items"]
        asked = [request for request in endpoint.tasks if request.task is Task.RECONCILE]
    over = [note for note in after if note["valid_to"] is not None and note["id"] in before]
    new = [note for note in after if note["id"] not in before]
    assert asked, "rules alone decided: nothing was tested"
    assert set(before) <= {note["id"] for note in after}, "what ends stays, with its history"
    assert all(note["text"].startswith(before[note["id"]].rstrip("。.")) for note in over)
    assert len(over) <= 2 * len(new)
    assert len(over) < len(before), "a model that ends whatever it is shown is not believed"
    refused = [row for row in audit if row["task"] == "reconcile"]
    assert refused, "what was not carried out is told"
    assert {row["reason"] for row in refused} <= {"unrelated", "too_many"}
    assert all(row["detail"] and row["quote"] for row in refused)


@BOTH
def test_a_change_that_a_model_sees_and_rules_do_not_is_marked(language: str, tmp_path: Path) -> None:
    def answer(body: Any) -> Any:
        asked = body["messages"][-1]["content"]
        window = r"\[(K\d+)\][^\n]*(?:window|窗户)"
        known = re.findall(window, asked)
        new = re.findall(r"\[(F\d+)\][^\n]*(?:changed|换了，)", asked)
        return {
            "results": [{"new": f"[{new[0]}]", "event": "取代", "known": "、".join(known)}] if new and known else []
        }

    with small_model(tmp_path, {Task.RECONCILE: answer}) as (daemon, _):
        client = daemon.client()
        say(client, *FACTS[language])
        digest(client)
        client.call("clock.advance", {"seconds": 9 * 86_400})
        say(client, *LATER[language][:2])
        digest(client)
        over = [note["text"] for note in notes(client) if note["valid_to"] is not None]
    assert any("attic window" in text or "阁楼的窗户" in text for text in over), over
    assert len(over) == 1, over
