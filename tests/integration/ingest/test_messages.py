"""Messages and the window over the socket: markers, summary jobs, conversations, edits, restarts, topics."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checking import Json, checking, ranges, rows
from daemon_fixture import Daemon, daemon_process

START = "2026-03-01T08:00:00Z"
PLAIN = {"window.topic_marks": False}
LANGUAGES = {
    "en": "The lighthouse keeper counted {n} ships before supper.",
    "zh": "守塔人在晚饭前数了{n}条船。",
    "mixed": "守塔人 counted {n} ships before 晚饭。",
}


class House:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.api = checking(daemon)
        self.made = 0

    def mind(self, **settings: object) -> str:
        self.made += 1
        name = f"w{self.made}"
        flat = {key.replace("__", "."): value for key, value in settings.items()}
        self.api.call("mind.create", mind=name, settings=PLAIN | flat)
        return name

    def push(self, mind: str, count: int, text: str = LANGUAGES["mixed"], **params: Any) -> list[Json]:
        return [self.api.say(mind, text.format(n=n), **params) for n in range(1, count + 1)]

    def markers(self, mind: str, conversation: str = "main") -> dict[int, str]:
        said = self.api.messages(mind, conversation)
        return {message["seq"]: message["marker"] for message in said if message["marker"] != "none"}

    def ranges(self, mind: str, conversation: str = "main") -> list[tuple[int, int]]:
        return ranges(self.daemon, mind, conversation)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("w"), "--simulated-clock", START) as daemon:
        yield House(daemon)


# -- the known vectors -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_places_and_seven_messages(house: House, language: str) -> None:
    mind = house.mind(window__capacity=3)
    said = house.push(mind, 7, LANGUAGES[language])
    assert [len(answer["jobs"]) for answer in said] == [0, 0, 0, 1, 0, 0, 1]
    assert [answer["window"] for answer in said] == [{"size": min(n, 3), "capacity": 3} for n in range(1, 8)]
    assert house.ranges(mind) == [(1, 3), (4, 6)]
    assert house.markers(mind) == {1: "auto", 4: "auto", 7: "auto"}
    house.api.settle(mind)
    rolls = [job for job in house.api.jobs(mind) if job["step"] == "roll"]
    assert [job["id"] for job in rolls] == [job for answer in said for job in answer["jobs"]]
    assert [(job["state"], job["epoch"], job["conversation"]) for job in rolls] == [("done", 1, "main")] * 2
    house.api.call("idle.run", mind=mind)
    assert house.ranges(mind) == [(1, 3), (4, 6), (7, 7)]
    assert house.markers(mind) == {}, "a flush satisfies every marker"


@pytest.mark.parametrize(("min_fresh", "expected"), [(1, [(1, 3), (4, 4), (5, 6)]), (2, [(1, 3), (4, 6)])])
def test_a_forced_marker_acts_when_it_slides_out(house: House, min_fresh: int, expected: list[tuple[int, int]]) -> None:
    mind = house.mind(window__capacity=3, window__min_fresh=min_fresh)
    when = []
    for number in range(1, 8):
        extra = {"mark": "topic"} if number == 2 else {}
        if house.api.say(mind, f"第{number}句 sentence {number}", **extra)["jobs"]:
            when.append(number)
    assert house.ranges(mind) == expected
    assert when == ([4, 5, 7] if min_fresh == 1 else [4, 7])
    assert house.markers(mind) == {1: "auto", 2: "forced", 4: "auto", 7: "auto"}
    boundaries = [message["seq"] for message in house.api.messages(mind) if message["boundary"]]
    assert boundaries == [2], "the summary is told where the topic changed"


def test_the_automatic_marker_goes_before_the_forced_one(house: House) -> None:
    mind = house.mind(window__capacity=2)
    house.api.say(mind, "first 第一", mark="topic")
    assert house.markers(mind) == {1: "auto"}
    assert house.api.messages(mind)[0]["boundary"] is True


def test_the_end_of_a_conversation_flushes_and_freezes_it_alone(house: House) -> None:
    mind = house.mind(window__capacity=3)
    house.push(mind, 2, conversation="lake 湖")
    house.push(mind, 2, conversation="other/谈话.2")
    ended = house.api.say(mind, "Goodbye 再见", conversation="lake 湖", mark="end")
    assert len(ended["jobs"]) == 1
    assert house.ranges(mind, "lake 湖") == [(1, 3)]
    assert house.ranges(mind, "other/谈话.2") == []
    house.push(mind, 1, conversation="lake 湖")
    house.push(mind, 1, conversation="other/谈话.2")
    assert [m["epoch"] for m in house.api.messages(mind, "lake 湖")] == [1, 1, 1, 2]
    assert [m["epoch"] for m in house.api.messages(mind, "other/谈话.2")] == [1, 1, 1]
    assert house.markers(mind, "lake 湖") == {4: "auto"}, "a new block starts after the flush"
    assert house.markers(mind, "other/谈话.2") == {1: "auto"}


def test_one_place_makes_every_message_its_own_block(house: House) -> None:
    mind = house.mind(window__capacity=1)
    house.push(mind, 4)
    assert house.ranges(mind) == [(1, 1), (2, 2), (3, 3)]


def test_many_fresh_tokens_flush_at_once(house: House) -> None:
    mind = house.mind(window__capacity=20, window__max_fresh_tokens=100)
    assert house.api.say(mind, "short 短")["jobs"] == []
    assert len(house.api.say(mind, "The tide table lists every harbour. 潮汐表列出每个港口。" * 30)["jobs"]) == 1
    assert house.ranges(mind) == [(1, 2)]
    assert house.api.say(mind, "short again 又短")["jobs"] == []


def test_a_smaller_window_lets_go_by_the_rules(house: House) -> None:
    mind = house.mind(window__capacity=5)
    house.push(mind, 5)
    assert house.ranges(mind) == []
    house.api.call("mind.update", mind=mind, settings={"window.capacity": 2})
    after = house.api.say(mind, "one more 再一句")
    assert after["window"] == {"size": 2, "capacity": 2}
    assert house.ranges(mind) == [(1, 5)]
    assert house.markers(mind)[6] == "auto", "the next message after a resize is marked"
    house.push(mind, 2)
    assert house.ranges(mind) == [(1, 5), (6, 7)]


def test_system_messages_enter_no_window(house: House) -> None:
    mind = house.mind(window__capacity=3)
    answers = []
    for number in range(1, 8):
        noise = house.api.say(mind, f"system prompt {number} 系统提示", role="system")
        assert "recall_id" not in noise or noise["recall_id"] is None
        assert noise["jobs"] == []
        answers.append(house.api.say(mind, f"message {number} 消息", role="user" if number % 2 else "assistant"))
        assert answers[-1]["window"]["size"] == min(number, 3)
    assert house.ranges(mind) == [(1, 3), (4, 6)], "positions count what enters the window"
    assert [answer["seq"] for answer in answers] == [2, 4, 6, 8, 10, 12, 14], "numbers count everything"
    assert house.markers(mind) == {2: "auto", 8: "auto", 14: "auto"}
    house.api.settle(mind)
    assert rows(house.daemon, mind, "SELECT count(*) FROM summary WHERE text LIKE '%prompt%'") == [(0,)]
    shown = house.api.call("context.get", mind=mind, conversation="main")
    assert "system prompt" not in shown["text"]
    assert "系统提示" not in shown["text"]


def test_conversations_interleave_without_touching_one_another(house: House) -> None:
    draw = random.Random(7)
    mind = house.mind(window__capacity=3, window__min_fresh=1)
    names = ["一", "two", "三 three"]
    plans = {name: [(n, draw.random() < 0.3) for n in range(1, draw.randint(8, 14))] for name in names}
    alone = {}
    for name, plan in plans.items():
        solo = house.mind(window__capacity=3, window__min_fresh=1)
        for number, topic in plan:
            house.api.say(solo, f"{name} {number}", **({"mark": "topic"} if topic else {}))
        alone[name] = (house.ranges(solo), house.markers(solo))
    waiting = [name for name, plan in plans.items() for _ in plan]
    draw.shuffle(waiting)
    left = {name: iter(plan) for name, plan in plans.items()}
    for name in waiting:
        number, topic = next(left[name])
        extra = {"mark": "topic"} if topic else {}
        assert house.api.say(mind, f"{name} {number}", conversation=name, **extra)["seq"] == number
    for name in names:
        assert (house.ranges(mind, name), house.markers(mind, name)) == alone[name]


# -- edits -------------------------------------------------------------------------------------------------


def versions(house: House, mind: str) -> list[tuple[str, int]]:
    found = rows(house.daemon, mind, "SELECT content, version FROM message_version ORDER BY message, version")
    return [(content, version) for content, version in found]


def test_an_edit_above_the_mark_changes_the_message_itself(house: House) -> None:
    mind = house.mind(window__capacity=3)
    house.api.say(mind, "My sister is called Marta 玛尔塔", id="s")
    changed = house.api.call("message.update", mind=mind, id="s", content="My sister is called Brigitte 布丽吉特")
    assert (changed["corrected"], changed["message"]["version"], changed["jobs"]) == (False, 2, [])
    house.push(mind, 3)
    assert house.ranges(mind) == [(1, 3)], "an edit takes no place in the window"
    house.api.settle(mind)
    ((summary,),) = rows(house.daemon, mind, "SELECT text FROM summary")
    assert "Marta" not in summary
    assert "玛尔塔" not in summary
    assert versions(house, mind) == [("My sister is called Marta 玛尔塔", 1)]
    first = house.api.messages(mind)[0]
    assert (first["content"], first["seq"]) == ("My sister is called Brigitte 布丽吉特", 1)


@pytest.mark.parametrize("taken_back", [False, True])
def test_what_is_to_be_kept_is_told_as_a_correction(house: House, taken_back: bool) -> None:
    """`keep_notes`: the summary stands, and a correction is summarised like any other message."""
    mind = house.mind(window__capacity=3)
    house.api.say(mind, "My sister is called Marta 玛尔塔", id="s", speaker="Ann")
    house.push(mind, 3)
    house.api.settle(mind)
    assert house.ranges(mind) == [(1, 3)]
    if taken_back:
        changed = house.api.call("message.delete", mind=mind, id="s", keep_notes=True)
    else:
        words = "My sister is called Brigitte 布丽吉特"
        changed = house.api.call("message.update", mind=mind, id="s", content=words, keep_notes=True)
    assert changed["corrected"] is True
    corrections = rows(house.daemon, mind, "SELECT pos, content FROM message WHERE role = 'correction'")
    assert len(corrections) == 1
    assert corrections[0][0] == 5, "it is summarised like any other message"
    assert "Marta" in corrections[0][1]
    house.push(mind, 2)
    house.api.call("idle.run", mind=mind)
    spans = house.ranges(mind)
    assert spans[0] == (1, 3)
    assert spans[-1][1] == 7
    assert [hi + 1 for _, hi in spans[:-1]] == [lo for lo, _ in spans[1:]]
    assert versions(house, mind) == [("My sister is called Marta 玛尔塔", 1)]
    words = [item["text"] for item in house.api.found(mind, "sister Marta 玛尔塔", kinds=["message"])]
    assert "My sister is called Marta 玛尔塔" not in words


def test_recall_and_the_window_follow_an_edit_at_once(house: House) -> None:
    mind = house.mind()
    house.api.say(mind, "The password hint is hyacinth 风信子", id="p")
    house.api.say(mind, "The weather is mild 天气温和", id="q")
    house.api.call("message.update", mind=mind, id="p", content="The password hint is marigold 万寿菊")
    for query in ("marigold", "万寿菊"):
        assert house.api.found(mind, query)[0]["text"] == "The password hint is marigold 万寿菊"
    for query in ("hyacinth", "风信子"):
        assert all("hyacinth" not in item["text"] for item in house.api.found(mind, query))
    assert "hyacinth" not in house.api.call("context.get", mind=mind, conversation="main")["text"]
    house.api.call("message.delete", mind=mind, id="p")
    for query in ("marigold", "万寿菊", "hyacinth"):
        assert "p" not in {item["id"] for item in house.api.found(mind, query)}
    assert "marigold" not in house.api.call("context.get", mind=mind, conversation="main")["text"]
    assert house.api.call("mind.get", mind=mind)["mind"]["messages"] == 1
    assert versions(house, mind) == [], "of what was deleted no wording is left"


# -- topics and summaries ------------------------------------------------------------------------------------

COOKING = {
    "en": [
        "I am baking bread tonight, the dough has to rise for two hours.",
        "Rye flour makes a dense dough, wheat flour makes a lighter bread.",
        "How much salt goes into the dough for one loaf of bread?",
        "About ten grams of salt, and let the bread cool before you cut the loaf.",
        "The crust of my last loaf was too dark, the oven was too hot.",
        "Bake the bread at a lower heat and the crust stays golden.",
    ],
    "zh": [
        "今晚我在烤面包，面团要发酵两个小时。",
        "黑麦面粉做的面团很紧实，小麦面粉做的面包更松软。",
        "做一个面包，面团里要放多少盐？",
        "大约十克盐，面包放凉以后再切。",
        "我上一个面包的外皮太黑，烤箱太热了。",
        "用低一点的温度烤面包，外皮就会是金黄色。",
    ],
}
SATELLITES = {
    "en": [
        "By the way, my telescope arrived: tomorrow I watch the moons of Jupiter.",
        "Jupiter rises late, look for its four moons with the telescope after midnight.",
        "Can the telescope show the rings of Saturn as well as Jupiter?",
        "Yes, Saturn and its rings are bright enough for a small telescope.",
        "Which moon of Jupiter is the largest one, Ganymede or Callisto?",
        "Ganymede is the largest moon of Jupiter, larger than the planet Mercury.",
    ],
    "zh": [
        "对了，我的望远镜到了，明天去看木星的卫星。",
        "木星升起得很晚，半夜以后用望远镜找它的四颗卫星。",
        "望远镜能不能也看到土星的光环？",
        "能，土星和光环对小望远镜来说足够亮。",
        "木星最大的卫星是哪一颗，木卫三还是木卫四？",
        "木卫三是木星最大的卫星，比水星还大。",
    ],
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_change_of_topic_marks_by_itself_and_can_be_switched_off(house: House, language: str) -> None:
    marked = {}
    for switch in (True, False):
        house.made += 1
        mind = f"w{house.made}"
        house.api.call("mind.create", mind=mind, settings={"window.topic_marks": switch})
        for number, text in enumerate(COOKING[language] + SATELLITES[language]):
            house.api.say(mind, text, role="assistant" if number % 2 else "user")
            house.api.settle(mind)
        marked[switch] = [message["seq"] for message in house.api.messages(mind) if message["boundary"]]
    assert marked[False] == []
    assert len(marked[True]) == 1
    assert 7 <= marked[True][0] <= 8, "the talk turned from bread to the sky at the seventh message"


def test_the_answer_never_waits_for_a_summary(tmp_path: Path) -> None:
    """Every message fills the window's tokens, so each makes work; the answers must not feel it."""
    sentences = [
        f"In village {n} the baker told {n + 3} stories about the flood. 村{n}的人说起那次洪水。" for n in range(900)
    ]
    with daemon_process(tmp_path, env={"SOULMEM_LOG_LEVEL": "debug"}) as daemon:
        api = checking(daemon)
        took, jobs = [], []
        for start in range(0, 900, 300):
            began = time.monotonic()
            answer = api.say("mira", " ".join(sentences[start : start + 300]), role="assistant")
            took.append((time.monotonic() - began) * 1000)
            jobs += answer["jobs"]
        states = {job["id"]: job["state"] for job in api.jobs("mira")}
        assert len(jobs) == 3
        assert states[jobs[-1]] in {"pending", "running"}, "the last answer came before its summary was made"
        api.settle("mira")
        rolled = [event["ms"] for event in daemon.events("summary_rolled")]
    assert max(rolled) > 0
    print(f"adds {sorted(round(ms) for ms in took)} ms, summaries {sorted(round(ms) for ms in rolled)} ms")
    assert sorted(took)[len(took) // 2] < sum(rolled)
