"""Every message that somebody said to a daemon is in a note, or stands in the audit with a reason, after each night."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process

SAID = {
    "en": (
        "{a} moved to {p} last week.", "my sister {a} is allergic to {t}", "lol", "Hi {a}!", "what do you think?",
        "I bought {t} for {n} euros in {p}.", "ok so {a} quit the band, can you believe it?",
        "I hate {t}. Always have.",
        "no wait, it was {b}, not {a}", "{a} and I are going to {p} on Saturday", "!!!", "it rained again", "thanks 🙏",
        "we broke up. {n} years.", "blues harp in A", "my A1C is {n}", "Hope wants {t}",
        "did I tell you {a} got married?",
        "I no longer play the {t}", "remember this: the code is {n}{n}", "https://example.org/{n}", "{a} {a} {a}",
    ),
    "zh": (
        "{a}上周搬到{p}了", "我妹{a}对{t}过敏", "哈哈哈", "你好呀", "你觉得呢？", "我花{n}块在{p}买了{t}", "{a}想学{t}",
        "说错了，是{b}，不是{a}", "周六我和{a}去{p}", "又下雨了", "谢谢你！", "我们分手了，{n}年", "我再也不弹{t}了",
        "记住：密码是{n}{n}", "{a}的生日是五月{n}号", "今天好累，先睡了", "养了一只叫",
        "那天月亮特别大", "嗯", "{t}太好吃了！",
    ),
}  # fmt: skip
SAID["mixed"] = SAID["en"] + SAID["zh"]
NAMES = {"en": ("Leila", "Gareth", "Will", "June", "Mei-Ling"), "zh": ("何苗", "江屿", "高兴", "阿芬", "老魏")}
PLACES = {"en": ("Lisbon", "Leeds", "Tulsa"), "zh": ("成都", "临沂", "三亚")}
THINGS = {"en": ("oboe", "peanuts", "a blue kayak"), "zh": ("二胡", "花生", "一辆旧车")}
REPLIES = ("I'm so sorry, that sounds hard.", "太好了，真为你高兴！", "Tell me more.", "我记下了。", "")
EVENINGS, MESSAGES = 4 if os.environ.get("SOULMEM_TORTURE") else 2, 14


def _line(chance: random.Random, language: str) -> str:
    form = chance.choice(SAID[language])
    tongue = "zh" if any("\u4e00" <= char <= "\u9fff" for char in form) else "en"
    a, b = chance.sample(NAMES[tongue], 2)
    return form.format(
        a=a, b=b, p=chance.choice(PLACES[tongue]), t=chance.choice(THINGS[tongue]), n=chance.randint(2, 30)
    )


def _all(daemon: Daemon, method: str, **params: Any) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    cursor: dict[str, Any] = {}
    while True:
        page = daemon.call(method, {"mind": "m", "limit": 500, **params, **cursor})
        items += page["items"]
        if page["next_cursor"] is None:
            return items
        cursor = {"cursor": page["next_cursor"]}


@pytest.mark.parametrize(("language", "seed"), [("en", 1), ("zh", 2), ("mixed", 3)])
def test_every_message_of_any_talk_is_accounted_for(tmp_path: Path, language: str, seed: int) -> None:
    chance = random.Random(seed)
    said: dict[int, str] = {}
    with daemon_process(tmp_path, "--simulated-clock", "2026-05-13T19:00:00+00:00") as daemon:
        for _ in range(EVENINGS):
            for _ in range(MESSAGES):
                user = {"mind": "m", "role": "user", "speaker": "Nadia", "content": _line(chance, language)}
                said[daemon.call("message.add", user)["seq"]] = user["content"]
                if reply := chance.choice(REPLIES):
                    daemon.call("message.add", {"mind": "m", "role": "assistant", "speaker": "June", "content": reply})
            daemon.call("clock.advance", {"seconds": 86_400})
            daemon.settle("m")
            told = {
                source["seq"]
                for state in ("active", "forgotten")
                for note in _all(daemon, "note.list", state=state)
                for source in note["sources"]
            }
            audited = {row["seq"]: row["reason"] for row in _all(daemon, "audit.list")}
            lost = {
                seq: text
                for seq, text in said.items()
                if seq not in told and seq not in audited and any(map(str.isalnum, text))
            }
            assert lost == {}
            assert all(audited.values())
