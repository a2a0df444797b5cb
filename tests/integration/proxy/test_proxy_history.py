"""Clients resend whole histories: what they changed is changed in memory, and nothing is heard twice."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any
from zlib import crc32

import pytest

from proxy_bench import ProxyBench, assistant, proxy_process, system, user

EN = {
    "one": "I moved to Lisbon in May.", "two": "My sister Ines keeps bees.", "three": "I am allergic to hazelnuts.",
    "edited": "My sister Ines keeps wasps.", "a": "Lisbon is bright.", "b": "Bees are busy.",
    "c": "No hazelnuts, then.", "again": "Ines must be brave.", "greeting": "Hello, I am Pell. What brings you here?",
}  # fmt: skip
ZH = {
    "one": "我五月搬到了里斯本。", "two": "我妹妹伊内斯养蜜蜂。", "three": "我对榛子过敏。",
    "edited": "我妹妹伊内斯养黄蜂。", "a": "里斯本阳光很好。", "b": "蜜蜂很忙。", "c": "那就不放榛子。",
    "again": "伊内斯真勇敢。", "greeting": "你好，我是佩尔。有什么事吗？",
}  # fmt: skip
both = pytest.mark.parametrize("w", [EN, ZH], ids=["en", "zh"])


class Chat:
    """A front end that keeps the history and sends all of it each time."""

    def __init__(self, proxy: ProxyBench, **headers: str) -> None:
        self.proxy = proxy
        self.headers = headers
        self.history: list[Any] = [system("You are Pell, a gardener.")]
        self._heard: list[tuple[str, str]] | None = None

    def say(self, text: str, answer: str) -> None:
        self.history.append(user(text))
        self.generate(answer)

    def generate(self, answer: str) -> None:
        self.proxy.upstream.answer = lambda body: answer
        assert self.proxy.say(self.history, **self.headers) == answer
        self.history.append(assistant(answer))

    def told(self) -> list[tuple[str, str]]:
        return [(each["role"], each["content"]) for each in self.history if each["role"] != "system"]

    def is_heard(self) -> None:
        """Exactly this was heard; that nothing comes behind it, `stays` tells, or whoever looks next."""
        self._heard = self.told()
        self.proxy.comes_to_hear(self.headers["X_Soulmem_Persona"], self._heard, self.session)

    def stays(self) -> None:
        if self._heard is not None:
            self.proxy.hears(self.headers["X_Soulmem_Persona"], self._heard, self.session)
        self._heard = None

    @property
    def session(self) -> str:
        return self.headers.get("X_Soulmem_Session", "main")


@pytest.fixture(params=["named", "unnamed"])
def chat(request: pytest.FixtureRequest, proxy: ProxyBench) -> Iterator[Chat]:
    mind = f"h-{crc32(request.node.name.encode()):x}"
    session = {"X_Soulmem_Session": "chat 7 聊天"} if request.param == "named" else {}
    chat = Chat(proxy, X_Soulmem_Persona=mind, **session)
    yield chat
    chat.stays()


@both
def test_nothing_is_heard_twice(chat: Chat, w: dict[str, str]) -> None:
    chat.say(w["one"], w["a"])
    chat.say(w["two"], w["b"])
    chat.say(w["three"], w["c"])
    chat.is_heard()


@both
def test_a_regenerated_answer_stands_in_for_the_one_before(chat: Chat, w: dict[str, str]) -> None:
    chat.say(w["one"], w["a"])
    chat.say(w["two"], w["b"])
    chat.is_heard()
    chat.history.pop()
    chat.generate(w["again"])
    chat.is_heard()


@both
def test_a_swipe_back_is_followed(chat: Chat, w: dict[str, str]) -> None:
    chat.say(w["two"], w["b"])
    chat.history.pop()
    chat.generate(w["again"])
    chat.is_heard()
    chat.history[-1] = assistant(w["b"])
    chat.say(w["three"], w["c"])
    chat.is_heard()


@both
def test_an_edit_in_the_middle_changes_what_was_heard(chat: Chat, w: dict[str, str]) -> None:
    chat.say(w["one"], w["a"])
    chat.say(w["two"], w["b"])
    chat.say(w["three"], w["c"])
    chat.is_heard()
    chat.history[3] = user(w["edited"])
    chat.say(w["again"], w["a"])
    chat.is_heard()


@both
def test_the_last_words_edited_and_answered_anew(chat: Chat, w: dict[str, str]) -> None:
    chat.say(w["one"], w["a"])
    chat.say(w["two"], w["b"])
    chat.is_heard()
    del chat.history[-2:]
    chat.say(w["edited"], w["again"])
    chat.is_heard()


@both
def test_a_tail_that_is_taken_back_is_dropped(chat: Chat, w: dict[str, str]) -> None:
    chat.say(w["one"], w["a"])
    chat.say(w["two"], w["b"])
    chat.say(w["three"], w["c"])
    chat.is_heard()
    del chat.history[-4:]
    chat.say(w["again"], w["b"])
    chat.is_heard()


@both
def test_what_is_said_again_after_it_was_taken_back_is_heard(chat: Chat, w: dict[str, str]) -> None:
    chat.say(w["one"], w["a"])
    chat.say(w["two"], w["b"])
    chat.say(w["three"], w["c"])
    chat.is_heard()
    taken = chat.history[-2:]
    del chat.history[-2:]
    chat.history.pop()
    chat.generate(w["again"])
    chat.is_heard()
    chat.say(taken[0]["content"], taken[1]["content"])
    chat.is_heard()


@both
def test_a_history_cut_at_its_front_takes_nothing_back(chat: Chat, w: dict[str, str]) -> None:
    chat.say(w["one"], w["a"])
    chat.say(w["two"], w["b"])
    chat.is_heard()
    chat.stays()
    whole = chat.told()
    chat.history = [chat.history[0], *chat.history[3:]]
    chat.say(w["three"], w["c"])
    chat.proxy.hears(chat.headers["X_Soulmem_Persona"], whole + chat.told()[2:], chat.session)


@both
def test_another_talk_with_the_same_greeting_takes_nothing_back(proxy: ProxyBench, w: dict[str, str]) -> None:
    mind = f"greeting-{len(w['one'])}"
    chat = Chat(proxy, X_Soulmem_Persona=mind)
    chat.history.append(assistant(w["greeting"]))
    chat.say(w["three"], w["c"])
    chat.is_heard()
    first = chat.told()
    chat.history = [chat.history[0], assistant(w["greeting"])]
    chat.say(w["one"], w["a"])
    chat.say(w["two"], w["b"])
    proxy.hears(mind, first + chat.told()[1:])


@both
def test_a_turn_that_its_owner_deleted_stays_deleted(chat: Chat, w: dict[str, str]) -> None:
    chat.say(w["one"], w["a"])
    chat.say(w["two"], w["b"])
    chat.say(w["three"], w["c"])
    chat.is_heard()
    chat.stays()
    where = {"mind": chat.headers["X_Soulmem_Persona"], "conversation": chat.session}
    listed = chat.proxy.daemon.call("message.list", where)["items"]
    chat.proxy.daemon.call("message.delete", {**where, "id": listed[2]["id"]})
    with proxy_process(chat.proxy.upstream, chat.proxy.daemon) as other:  # one that knows nothing yet
        again = Chat(other, **chat.headers)
        again.history = chat.history
        again.say(w["again"], w["a"])
        told = chat.told()
        other.hears(where["mind"], told[:2] + told[3:], where["conversation"])


def test_a_long_history_that_was_never_heard_is_heard_whole(proxy: ProxyBench) -> None:
    chat = Chat(proxy, X_Soulmem_Persona="long")
    for number in range(60):
        chat.history += [user(f"Day {number}: 今天是第{number}天。"), assistant(f"Ok {number}.")]
    chat.say("And today?", "Day 60.")
    chat.is_heard()
    chat.stays()


def test_two_proxies_hear_one_talk_once(proxy: ProxyBench) -> None:
    chat = Chat(proxy, X_Soulmem_Persona="both")
    chat.say("我养蜜蜂。", "Good.")
    with proxy_process(proxy.upstream, proxy.daemon) as other:
        proxy.upstream.answer = lambda body: "Fine."
        asked = [*chat.history, user("Bees again.")]
        for each in (proxy, other):
            each.say(asked, **chat.headers)
        chat.history = [*asked, assistant("Fine.")]
        chat.is_heard()
        chat.stays()


@both
def test_an_errand_that_nobody_knows_costs_the_talk_nothing(proxy: ProxyBench, w: dict[str, str]) -> None:
    chat = Chat(proxy, X_Soulmem_Persona=f"errand-{len(w['one'])}", X_Soulmem_Session="chat 9")
    chat.say(w["one"], w["a"])
    chat.say(w["two"], w["b"])
    chat.is_heard()
    errand = Chat(proxy, **chat.headers)
    errand.say("Classify the mood of what was said, in one word. 用一个词说出心情。", "Cheerful 开心")
    time.sleep(0.5)
    chat.say(w["three"], w["c"])
    chat.is_heard()
    chat.stays()
