"""The plugin for AstrBot: its memory before a real daemon, and all of it in AstrBot itself where that is installed."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from chat_upstream import ChatUpstream, chat_upstream
from household import Home
from one_file import load_file

ROOT = Path(__file__).parents[3]
PLUGIN = ROOT / "integrations" / "astrbot"
BOT = ROOT / "tests" / "support" / "frontends" / "astrbot_bot.py"
PYTHON = Path(os.environ.get("ASTRBOT_PYTHON", ROOT / ".integrations" / "astrbot" / "bin" / "python"))
in_astrbot = pytest.mark.skipif(not PYTHON.exists(), reason="AstrBot is not installed; `make integrations` brings it")
EN = ("I am allergic to hazelnuts.", "What am I allergic to?", "hazelnuts")
ZH = ("我对榛子过敏。", "我对什么过敏？", "榛子")
both = pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])


@pytest.fixture(scope="module")
def module() -> ModuleType:
    return load_file(PLUGIN / "soulmem_memory.py")


def heard(home: Home, mind: str, conversation: str) -> list[tuple[str, str]]:
    page = home.daemon.call("message.list", {"mind": mind, "conversation": conversation})
    return [(each["speaker"], each["content"]) for each in page["items"]]


@both
def test_it_hears_once_recalls_and_forgets(home: Home, module: ModuleType, words: tuple[str, ...]) -> None:
    async def talk() -> list[Any]:
        memory = module.Memory(mind, str(home.daemon.socket), deadline_s=20)
        for _ in range(2):
            await memory.heard("here", "m1", "user", words[0], "小苇")
        await memory.heard("here", "m1-answer", "assistant", "Noted. 一", None)
        await memory.heard("here", "m1-answer", "assistant", "Noted again. 二", None)
        seen = [await memory.recalled("there", words[1], 0), await memory.recalled("here", words[1], 2)]
        seen += [await memory.found("here", words[1]), await memory.forget("here", words[2], "Tom")]
        seen += [heard(home, mind, "here"), await memory.forget("here", words[2], "小苇")]
        return [*seen, await memory.recalled("there", words[1], 0)]

    mind = home.mind()
    elsewhere, here, found, not_his, kept, his, after = asyncio.run(talk())
    assert words[0] in elsewhere
    assert elsewhere.startswith("<soulmem-memory>\n")
    assert words[0] not in here  # it stands in the prompt already
    assert found[0] == words[0]
    assert (not_his, his) == (0, 1)
    assert kept == [("小苇", words[0]), ("assistant", "Noted again. 二")]
    assert words[2] not in after
    assert heard(home, mind, "here") == [("assistant", "Noted again. 二")]


def test_speakers_of_one_name_and_groups_are_kept_apart(home: Home, module: ModuleType) -> None:
    async def talk() -> tuple[str, str]:
        memory = module.Memory("apart", str(home.daemon.socket), deadline_s=20)
        await memory.make()
        names = [
            memory.speaker("g1", user, name) for user, name in (("1", "小苇"), ("2", "小苇"), ("1", "小苇"), ("3", ""))
        ]
        assert names == ["小苇", "小苇(2)", "小苇", "3"]
        await memory.heard("g1", "a", "user", "The code is 4711. 密码是4711。", names[0])
        await memory.heard("g2", "b", "user", "Hello. 你好。", "Tom")
        await memory.heard("g3", "c", "user", "Hello. 你好。", names[0])
        asked = "What is the code? 密码是什么？"
        return await memory.recalled("g2", asked, 0), await memory.recalled("g3", asked, 0)

    before_others, before_him = asyncio.run(talk())
    assert "4711" not in before_others
    assert "4711" in before_him


def test_while_the_daemon_is_away_nothing_waits_and_nothing_is_lost(
    home: Home, module: ModuleType, tmp_path: Path
) -> None:
    mind = home.mind()

    async def talk() -> float:
        memory = module.Memory(mind, str(tmp_path / "no.sock"), deadline_s=0.2)
        with pytest.raises(OSError, match="No such file"):
            await memory.heard("here", "m1", "user", "Nobody listens. 没人在听。", "Mara")
        with socket.socket(socket.AF_UNIX) as mute:
            mute.bind(str(tmp_path / "mute.sock"))
            mute.listen()
            memory.socket = str(tmp_path / "mute.sock")
            began = time.monotonic()
            with pytest.raises(TimeoutError):
                await memory.recalled("here", "Slow? 慢吗？", 0)
            waited = time.monotonic() - began
        memory.socket = str(home.daemon.socket)
        await memory.heard("here", "m2", "user", "Now? 现在呢？", "Mara")
        return waited

    assert asyncio.run(talk()) < 5
    assert heard(home, mind, "here") == [("Mara", "Nobody listens. 没人在听。"), ("Mara", "Now? 现在呢？")]


@pytest.fixture
def upstream() -> Iterator[ChatUpstream]:
    with chat_upstream() as running:
        yield running


def play(folder: Path, home: Home, upstream: ChatUpstream, steps: list[dict[str, Any]], **config: Any) -> list[str]:
    shutil.copytree(PLUGIN, folder / "data" / "plugins" / "astrbot_plugin_soulmem")
    (folder / "data" / "config").mkdir()
    told = {
        "socket": str(home.daemon.socket), "persona": "佩尔", "hear_group": False, "max_tokens": 1000,
        "deadline_ms": 20_000, **config,
    }  # fmt: skip
    place = folder / "data" / "config" / "astrbot_plugin_soulmem_config.json"
    place.write_text(json.dumps(told), "utf-8-sig")
    done = subprocess.run(
        [str(PYTHON), str(BOT), upstream.url, json.dumps(steps)], cwd=folder, capture_output=True, text=True,
        timeout=110, check=False,
    )  # fmt: skip
    found = [line for line in done.stdout.splitlines() if line.startswith("REPLIES ")]
    assert found, done.stdout[-3000:] + done.stderr[-3000:]
    replies: list[str] = json.loads(found[-1].removeprefix("REPLIES "))
    return replies


def shown(body: Any) -> str:
    return json.dumps(body["messages"], ensure_ascii=False)


@in_astrbot
def test_astrbot_itself(home: Home, upstream: ChatUpstream, tmp_path: Path) -> None:
    upstream.answer = lambda body: f"Answer {len(upstream.requests)}. 好。"
    ann, tom = {"user": "1001", "name": "小苇"}, {"user": "1002", "name": "Tom"}
    steps = [
        {**ann, "id": "a1", "say": "我对榛子过敏。 I am allergic to hazelnuts."},
        {**ann, "id": "a1", "say": "我对榛子过敏。 I am allergic to hazelnuts."},  # the platform sends it again
        {**ann, "id": "g1", "group": "77", "say": "/大家好 hello"},
        {**tom, "id": "g2", "group": "77", "say": "I am Tom. 我是汤姆。", "answered": False},
        {**ann, "id": "g3", "group": "77", "say": "/我对什么过敏？ What am I allergic to?"},
        {**ann, "id": "a2", "say": "/回忆 榛子"},
        {**tom, "id": "t1", "say": "What is 小苇 allergic to? 她对什么过敏？"},
        {**ann, "id": "a3", "say": "/忘记 榛子"},
        {**ann, "id": "a4", "say": "/回忆 榛子"},
    ]
    replies = play(tmp_path, home, upstream, steps, mind="astrbot-itself", hear_group=True)
    private, group = "webchat:FriendMessage:webchat!1001!1001", "webchat:GroupMessage:webchat!77!77"
    said = heard(home, "astrbot-itself", private)
    assert [speaker for speaker, _ in said] == ["佩尔"]  # the answer, which stands in for the first
    assert said[0][1].startswith("Answer 2")
    by = dict(heard(home, "astrbot-itself", group))
    assert {"小苇", "Tom", "佩尔"} == set(by)
    assert by["Tom"] == "I am Tom. 我是汤姆。"
    assert replies[5].startswith("我对榛子过敏。")
    assert replies[7].startswith("已忘记 1 条。")
    assert replies[8].startswith("什么也没想起来。")
    asked = [shown(body) for _, _, body in upstream.requests]
    assert not [each for each in asked if "榛子" in each and "她对什么过敏" in each]  # Tom is not told
    assert "soulmem-memory" in asked[-2]


@in_astrbot
def test_astrbot_answers_without_a_daemon(home: Home, upstream: ChatUpstream, tmp_path: Path) -> None:
    steps = [
        {"user": "1", "name": "小苇", "id": "a1", "say": "有人吗？ Anybody?"},
        {"user": "1", "name": "小苇", "id": "a2", "say": "/忘记 人"},
    ]
    replies = play(tmp_path, home, upstream, steps, socket=str(tmp_path / "no.sock"), deadline_ms=300)
    assert replies[0].startswith("Noted, 记下了。")
    assert replies[1].startswith("没有忘记 / not forgotten: no daemon")
