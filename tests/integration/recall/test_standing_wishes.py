"""A request, to a daemon: what was wished for once and for all comes with it, though it shares no word with it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process

TOLD = {
    "en": (
        "My train was late again this morning.", "I'm vegetarian, so no meat for me.", "The cat knocked over a vase.",
        "It rained the whole day.", "Always keep your answers short, please.", "The neighbours are loud again.",
        "I bought new curtains.", "Never use emojis when you write to me.", "I never slept so badly.",
    ),
    "zh": (
        "今天早上的火车又晚点了。", "我吃素，不碰肉。", "猫把花瓶打翻了。",
        "下了一整天雨。", "以后回答都写短一点。", "邻居又很吵。",
        "我买了新窗帘。", "千万别给我用表情符号。", "他总是迟到。",
    ),
}  # fmt: skip
# A request, and which of what was told applies to it.
REQUESTS = {
    "en": (
        ("Could you suggest a dinner for tonight?", {1, 4, 7}), ("Could you explain how photosynthesis works?", {4, 7}),
        ("Write a birthday card for Tom.", {4, 7}),
    ),
    "zh": (
        ("推荐一下今晚吃什么？", {1, 4, 7}), ("能给我解释光合作用吗？", {4, 7}), ("帮我写一张生日贺卡。", {4, 7}),
    ),
}  # fmt: skip
QUESTIONS = {"en": "What did Tom do on Sunday?", "zh": "小汤星期天做了什么？"}


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("wishes"), "--simulated-clock", "2026-06-01T12:00:00Z") as running:
        for mind, told in TOLD.items():
            running.call("mind.create", {"mind": mind, "profile": "assistant"})
            for number, text in enumerate(told, 1):
                said = {"mind": mind, "role": "user", "speaker": "Bo", "content": text, "id": f"t{number - 1}"}
                running.call("message.add", said | {"at": f"2026-04-{number:02}T10:00:00Z"})
                reply = {"mind": mind, "role": "assistant", "speaker": "Pell", "content": f"{text} 👍"}
                running.call("message.add", reply | {"at": f"2026-04-{number:02}T10:00:10Z"})
        yield running


def found(daemon: Daemon, mind: str, query: str, **more: Any) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = daemon.call("recall", {"mind": mind, "query": query, "record": False, **more})[
        "items"
    ]
    return items


@pytest.mark.parametrize("mind", TOLD)
def test_wishes_that_apply_come_with_a_request(daemon: Daemon, mind: str) -> None:
    for request, wanted in REQUESTS[mind]:
        items = found(daemon, mind, request)
        told = {item["sources"][0]["id"] for item in items if item["speaker"] == "Bo"}
        assert {f"t{which}" for which in wanted} <= told, request
        assert "t8" not in told
        assert len(items) <= 10
        assert [item["score"] for item in items] == sorted((item["score"] for item in items), reverse=True)


@pytest.mark.parametrize("mind", TOLD)
def test_a_question_brings_no_wishes(daemon: Daemon, mind: str) -> None:
    assert found(daemon, mind, QUESTIONS[mind]) == []


@pytest.mark.parametrize("mind", TOLD)
def test_a_given_k_and_a_given_floor_stay(daemon: Daemon, mind: str) -> None:
    request = REQUESTS[mind][0][0]
    assert len(found(daemon, mind, request, k=2)) <= 2
    assert found(daemon, mind, request, min_score=0.95) == []


def test_a_mind_too_large_for_memory_brings_them_too(tmp_path: Path) -> None:
    beside = [
        {"role": "user", "speaker": "Bo", "content": f"The neighbours are loud again 邻居又很吵, day {number}."}
        for number in range(1_200)  # a search of the disk looks at 200
    ]
    with daemon_process(
        tmp_path, "--simulated-clock", "2026-06-01T12:00:00Z", env={"SOULMEM_MEMORY_MAX_ROWS_IN_RAM": "0"}
    ) as daemon:
        daemon.call("mind.create", {"mind": "mira", "profile": "assistant"})
        wished = [{"role": "user", "speaker": "Bo", "content": TOLD[each][4], "id": each} for each in TOLD]
        messages = [message | {"at": "2026-04-01T10:00:00Z"} for message in (*wished, *beside)]
        for start in range(0, len(messages), 1_000):
            daemon.call("message.import", {"mind": "mira", "messages": messages[start : start + 1_000]})
        until = time.monotonic() + 240
        while daemon.call("system.status")["embed_backlog"] and time.monotonic() < until:
            time.sleep(0.2)
        for language, requests in REQUESTS.items():
            told = {item["sources"][0]["id"] for item in found(daemon, "mira", requests[1][0])}
            assert language in told
