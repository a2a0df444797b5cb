"""The filter for Open WebUI, called with the bodies that Open WebUI gives its filters, before a real daemon."""

from __future__ import annotations

import asyncio
import socket
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from household import Home
from one_file import load_file

FILE = Path(__file__).parents[3] / "integrations" / "open_webui" / "soulmem_filter.py"
EN = ("I am allergic to hazelnuts.", "What am I allergic to?", "hazelnuts", "I am allergic to walnuts.")
ZH = ("我对榛子过敏。", "我对什么过敏？", "榛子", "我对核桃过敏。")
both = pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])


@pytest.fixture(scope="module")
def module() -> ModuleType:
    return load_file(FILE)


class Chat:
    """A chat as Open WebUI keeps it: a tree of messages, one branch of it shown."""

    def __init__(self, home: Home | None, module: ModuleType, chat: str, user: str = "Mara", **valves: Any) -> None:
        self.filter = module.Filter()
        if home is not None:
            valves.setdefault("socket", str(home.daemon.socket))
        self.filter.valves = module.Filter.Valves(**{"deadline_ms": 20_000, **valves})
        self.chat, self.user = chat, {"id": f"u-{user}", "name": user, "role": "user"}
        self.shown: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []
        self.seen: list[str] = []
        self.made = 0

    def message(self, role: str, content: str) -> dict[str, Any]:
        self.made += 1
        return {"id": f"{self.chat}-{self.made}", "role": role, "content": content}

    def ask(self, text: str, answer: str = "Noted. 记下了。") -> None:
        self.shown.append(self.message("user", text))
        self.generate(answer)

    def generate(self, answer: str, **metadata: Any) -> None:
        asyncio.run(self._generate(answer, {"chat_id": self.chat, **metadata}))

    async def _generate(self, answer: str, metadata: dict[str, Any]) -> None:
        body = {
            "model": "qwen3:8b",
            "messages": [{"role": each["role"], "content": each["content"]} for each in self.shown],
        }

        async def emit(event: Any) -> None:
            self.seen.append(event["data"]["description"])

        body = await self.filter.inlet(body, __user__=self.user, __metadata__=metadata, __event_emitter__=emit)
        self.sent = body["messages"]
        self.shown.append(self.message("assistant", answer))
        done = {"model": "qwen3:8b", "chat_id": self.chat, "messages": [dict(each) for each in self.shown]}
        await self.filter.outlet(done, __user__=self.user, __metadata__=metadata)

    def heard(self, home: Home) -> list[tuple[str, str]]:
        where = {"mind": self.mind, "conversation": f"open-webui {self.chat}"}
        return [(each["speaker"], each["content"]) for each in home.daemon.call("message.list", where)["items"]]

    @property
    def mind(self) -> str:
        return str(self.filter._mind({"model": "qwen3:8b"}, self.user))

    def contents(self) -> list[str]:
        return [each["content"] for each in self.shown]


@both
def test_it_hears_once_and_recalls_in_another_chat(home: Home, module: ModuleType, words: tuple[str, ...]) -> None:
    first = Chat(home, module, f"one-{words[2]}")
    first.ask(words[0])
    first.ask("And plums? 李子呢？")
    assert [content for _, content in first.heard(home)] == first.contents()
    assert first.heard(home)[0][0] == "Mara"
    second = Chat(home, module, f"two-{words[2]}")
    second.ask(words[1])
    assert second.sent[0]["role"] == "system"
    assert words[0] in second.sent[0]["content"]
    assert second.sent[-1]["content"] == words[1]
    assert second.seen == ["remembered / 想起来了"]
    third = Chat(home, module, f"three-{words[2]}")
    third.shown = [{"id": "s", "role": "system", "content": "You are Pell."}]
    third.ask(words[1])
    assert third.sent[0]["content"].startswith("You are Pell.\n\n<soulmem-memory>")


@both
def test_regenerated_edited_and_other_branches_are_followed(
    home: Home, module: ModuleType, words: tuple[str, ...]
) -> None:
    chat = Chat(home, module, f"branch-{words[2]}", user=f"Ann {words[2]}")
    chat.ask(words[0], "First. 一")
    chat.ask(words[1], "Second. 二")
    old = list(chat.shown)
    chat.shown.pop()
    chat.generate("Third. 三")  # regenerated
    assert [content for _, content in chat.heard(home)] == chat.contents()
    chat.shown = chat.shown[:2]
    chat.ask(words[3], "Fourth. 四")  # the user's message edited and sent: a branch
    assert [content for _, content in chat.heard(home)] == chat.contents()
    chat.shown = old
    chat.ask("Back again. 回来了。")  # the first branch shown again
    assert [content for _, content in chat.heard(home)] == chat.contents()
    chat.shown[0]["content"] = words[3]  # edited in place
    chat.ask("Once more. 再来。")
    assert [content for _, content in chat.heard(home)] == chat.contents()
    chat.ask(
        '<details type="reasoning" done="true">Hm</details>\nSee. 看。', '<details type="reasoning">x</details>Ok.'
    )
    assert [content for _, content in chat.heard(home)][-2:] == ["See. 看。", "Ok."]


@both
def test_it_forgets_on_request(home: Home, module: ModuleType, words: tuple[str, ...]) -> None:
    chat = Chat(home, module, f"told-{words[2]}", user=f"Eve {words[2]}")
    chat.ask(words[0], f"Noted: {words[2]}.")
    chat.ask("I live in Lisbon. 我住在里斯本。")
    asking = Chat(home, module, f"asking-{words[2]}", user=f"Eve {words[2]}")
    asking.ask(f"/forget {words[2]}" if words is EN else f"/忘记 {words[2]}", "Done. 好了。")
    assert "2" in asking.sent[-1]["content"]
    assert words[2] not in asking.sent[-1]["content"]
    assert asking.seen == ["forgotten / 已忘记: 2"]
    asking.ask(words[1])
    assert words[2] not in str(asking.sent[0]["content"]).replace(words[1], "")
    chat.ask("Anything else? 还有吗？")  # the chat still holds it; it is not heard again
    assert not [content for _, content in chat.heard(home) if words[2] in content]
    assert [content for _, content in asking.heard(home)] == [words[1], "Noted. 记下了。"]
    assert len(chat.heard(home)) == 4


def test_users_are_kept_apart(home: Home, module: ModuleType) -> None:
    mara, tom = Chat(home, module, "m1", user="Mara A"), Chat(home, module, "t1", user="汤姆")
    mara.ask("My code is 4711. 我的密码是4711。")
    tom.ask("What is the code? 密码是什么？")
    assert "4711" not in str(tom.sent)
    assert mara.mind != tom.mind
    shared = {"mind": "the-house"}
    mara, tom = Chat(home, module, "m2", user="Mara A", **shared), Chat(home, module, "t2", user="汤姆", **shared)
    mara.ask("My code is 4711. 我的密码是4711。")
    tom.ask("Hello. 你好。")
    tom.ask("What is the code? 密码是什么？")
    assert "4711" not in str(tom.sent)
    again = Chat(home, module, "m3", user="Mara A", **shared)
    again.ask("Hello. 你好。")
    again.ask("What is the code? 密码是什么？")
    assert "4711" in str(again.sent)
    assert [speaker for speaker, _ in tom.heard(home)][:1] == ["汤姆"]


@pytest.mark.parametrize(
    ("chat", "metadata", "user"),
    [("temporary:abc", {}, {}), ("local:abc", {}, {}), ("c1", {"task": "title_generation"}, {}),
     ("c2", {}, {"valves": {"enabled": False}})],
)  # fmt: skip
def test_no_trace_is_left_of_what_is_no_talk(
    home: Home, module: ModuleType, chat: str, metadata: dict[str, str], user: dict[str, Any]
) -> None:
    asked = Chat(home, module, chat, user=f"No {chat[:2]}")
    asked.user |= user
    asked.shown.append(asked.message("user", "Leave no trace. 不留痕迹。"))
    asked.generate("Ok.", **metadata)
    assert [each["content"] for each in asked.sent] == ["Leave no trace. 不留痕迹。"]
    assert asked.mind not in [each["mind"] for each in home.daemon.call("mind.list")["items"]]


def test_pictures_travel_on_and_their_words_are_heard(home: Home, module: ModuleType) -> None:
    chat = Chat(home, module, "pictures", user="Pic")
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    chat.ask([{"type": "text", "text": "My cat Miso. 我的猫味噌。"}, picture])  # type: ignore[arg-type]
    assert chat.heard(home)[0] == ("Pic", "My cat Miso. 我的猫味噌。")
    assert chat.sent[-1]["content"][1] == picture


def test_without_a_daemon_the_chat_goes_on_and_is_heard_later(
    home: Home, module: ModuleType, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    chat = Chat(None, module, "away", user="Late", socket=str(tmp_path / "no.sock"), deadline_ms=200)
    chat.ask("Nobody listens. 没人在听。")
    assert [each["content"] for each in chat.sent] == ["Nobody listens. 没人在听。"]
    assert "start it with `soulmem daemon`" in caplog.text
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(str(tmp_path / "mute.sock"))
        mute.listen()
        chat.filter.valves.socket = str(tmp_path / "mute.sock")
        began = time.monotonic()
        body = {"model": "m", "chat_id": "away", "messages": [{"role": "user", "content": "Slow? 慢吗？"}]}
        asyncio.run(chat.filter.inlet(dict(body), __user__=chat.user, __metadata__={}))
        assert time.monotonic() - began < 5
    chat.filter.valves = module.Filter.Valves(socket=str(home.daemon.socket), deadline_ms=20_000)
    chat.ask("Now? 现在呢？")
    assert [content for _, content in chat.heard(home)] == chat.contents()
