"""A question for all of something, to a daemon: more comes back, a given k stays a ceiling, the rest is counted."""

# ruff: noqa: E501 (what is told stands on one line)

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from shell import Shell

CITIES = ["Porto", "Oslo", "Ghent", "Lisbon", "Vienna", "Seville", "Warsaw", "Athens", "Basel", "Prague", "Turin", "Lyon",
          "Bergen", "Cork"]  # fmt: skip
TOLD = {
    "en": ("I visited the city of {}, number {} on my list.", "The cat slept all day, number {}.", "Which cities have I visited?"),
    "zh": ("我去过的城市又多了{}，第{}个。", "猫睡了一整天，第{}天。", "我都去过哪些城市？"),
    "mixed": ("我去过的 city 又多了{}，number {}。", "猫 slept all day，第{}天。", "我都去过哪些 city？"),
}  # fmt: skip


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("lists"), "--simulated-clock", "2026-06-01T12:00:00Z") as running:
        for mind, (visit, beside, _) in TOLD.items():
            running.call("mind.create", {"mind": mind, "profile": "assistant"})
            for number, city in enumerate(CITIES, 1):
                for hour, text in ((10, visit.format(city, number)), (20, beside.format(number))):
                    said = {"mind": mind, "role": "user", "speaker": "Bo", "content": text}
                    running.call("message.add", said | {"at": f"2026-04-{number:02}T{hour}:00:00Z"})
        while any(each["embed_backlog"] for each in running.call("system.status")["minds"]):
            time.sleep(0.02)  # a vector that comes between two recalls changes what the second finds
        yield running


def asked(daemon: Daemon, mind: str, query: str, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = daemon.call("recall", {"mind": mind, "query": query, "record": False, **more})
    return found


@pytest.mark.parametrize("mind", TOLD)
def test_all_of_it_comes_back_where_nobody_says_how_many(daemon: Daemon, mind: str) -> None:
    found = asked(daemon, mind, TOLD[mind][2])
    texts = " ".join(item["text"] for item in found["items"])
    assert [city for city in CITIES if city not in texts] == []
    assert found["more"] == 0


@pytest.mark.parametrize("mind", TOLD)
def test_a_given_k_stays_a_ceiling_and_the_rest_is_counted(daemon: Daemon, mind: str) -> None:
    whole = len(asked(daemon, mind, TOLD[mind][2])["items"])
    for k in (3, 10):
        found = asked(daemon, mind, TOLD[mind][2], k=k)
        assert len(found["items"]) == k
        assert found["more"] == whole - k


@pytest.mark.parametrize("query", ["When did I visit Porto?", "我什么时候去的 Porto？"])
def test_a_question_for_one_answer_says_nothing_of_more(daemon: Daemon, query: str) -> None:
    found = asked(daemon, "en", query)
    assert "more" not in found
    assert len(found["items"]) <= 10


def test_the_shell_says_how_many_more_there_are(daemon: Daemon) -> None:
    shell = Shell(daemon.socket, daemon.socket.parent)
    assert "more with a higher -k" in shell("--mind", "en", "recall", TOLD["en"][2], "-k", "3").stdout
    assert "more" not in shell("--mind", "en", "recall", TOLD["en"][2]).stdout.splitlines()[-1]


PLAYED = {
    "en": (
        ["I play the cello on Sundays.", "Practised the flute until the neighbours knocked.", "I started learning the banjo."],
        ["You should play something for us!", "I love how instruments sound together.", "The shop sells every instrument."],
        "What instruments does Mila play?", "Mila", "Theo",
    ),
    "zh": (
        ["我周日拉大提琴。", "练长笛练到邻居来敲门。", "我开始学古筝了。"],
        ["你该给我们演奏点什么！", "我喜欢乐器合在一起的声音。", "那家店什么乐器都卖。"],
        "米拉会哪些乐器？", "米拉", "小涛",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", PLAYED)
def test_what_is_told_in_other_words_than_the_question_comes_back_and_stands_in_a_context(
    daemon: Daemon, language: str
) -> None:
    told, beside, query, who, other = PLAYED[language]
    mind = f"played-{language}"
    daemon.call("mind.create", {"mind": mind, "profile": "assistant"})
    for day, (own, others) in enumerate(zip(told, beside, strict=True), 1):
        for hour, role, speaker, text in ((9, "user", who, own), (15, "assistant", other, others)):
            said = {"mind": mind, "role": role, "speaker": speaker, "content": text}
            daemon.call("message.add", said | {"at": f"2026-03-{day:02}T{hour:02}:00:00Z"})
    daemon.settle(mind)
    items = asked(daemon, mind, query)["items"]
    texts = [item["text"] for item in items]
    assert [text for text in told if text not in texts] == []
    assert texts[-1] in beside
    context = daemon.call("context.get", {"mind": mind, "query": query})
    assert [text for text in told if text not in str(context)] == []
