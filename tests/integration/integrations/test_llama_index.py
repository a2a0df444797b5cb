"""LlamaIndex' own chat engine, agent and `Memory` on a mind: heard once, recalled, taken back."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed; `make integrations` brings it")

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import MockLLM
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.memory import Memory

from household import Home
from soulmem.client import DaemonUnavailable
from soulmem_llama_index import SoulmemMemory, SoulmemMemoryBlock

EN = ("I am allergic to hazelnuts.", "What am I allergic to?", "hazelnuts", "Hazelnuts and almonds are out.")
ZH = ("我对榛子过敏。", "我对什么过敏？", "榛子", "榛子和杏仁都不行。")
both = pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the library's own imports
Where = tuple[Home, str]


@pytest.fixture
def where(home: Home) -> Where:
    return home, home.mind()


def memory(where: Where, conversation: str = "tea 茶", **more: Any) -> SoulmemMemory:
    return SoulmemMemory(
        mind=where[1], conversation=conversation, socket=str(where[0].daemon.socket), deadline_s=20, **more
    )


def heard(where: Where, conversation: str = "tea 茶") -> list[tuple[str, str]]:
    page = where[0].daemon.call("message.list", {"mind": where[1], "conversation": conversation})
    return [(item["speaker"], item["content"]) for item in page["items"]]


def user(text: str, **more: Any) -> ChatMessage:
    return ChatMessage(role=MessageRole.USER, content=text, additional_kwargs=more)


def assistant(text: str) -> ChatMessage:
    return ChatMessage(role=MessageRole.ASSISTANT, content=text)


def texts(messages: Sequence[ChatMessage]) -> list[str]:
    return [each.content or "" for each in messages]


@both
def test_a_chat_engine_remembers_and_is_told_in_another_talk(where: Where, words: tuple[str, ...]) -> None:
    engine = SimpleChatEngine.from_defaults(llm=MockLLM(), memory=memory(where, "one", speaker="Mara", persona="Pell"))
    engine.chat(words[0])
    assert [each[0] for each in heard(where, "one")] == ["Mara", "Pell"]
    assert heard(where, "one")[0][1] == words[0]
    other = memory(where, "two")
    other.put(user(words[1]))
    prompt = other.get()
    assert prompt[0].role == MessageRole.SYSTEM
    assert words[0] in (prompt[0].content or "")
    assert texts(prompt[1:]) == [words[1]]


@both
def test_an_agent_keeps_its_talk_in_it(where: Where, words: tuple[str, ...]) -> None:
    kept = memory(where, speaker="小苇", persona="Pell")

    async def run() -> None:
        agent = FunctionAgent(tools=[], llm=MockFunctionCallingLLM(), streaming=False)
        await agent.run(user_msg=words[0], memory=kept)
        await agent.run(user_msg=words[1], memory=kept)

    asyncio.run(run())
    said = heard(where)
    assert [speaker for speaker, _ in said] == ["小苇", "Pell", "小苇", "Pell"]
    assert [said[0][1], said[2][1]] == [words[0], words[1]]
    assert texts(memory(where).get_all()) == [content for _, content in said]  # another process goes on with it


@both
def test_what_is_put_again_is_heard_once(where: Where, words: tuple[str, ...]) -> None:
    kept = memory(where)
    kept.put_messages([user(words[0]), assistant("Noted. 记下了。")])
    kept.set(kept.get_all())
    kept.put(user(words[1]))
    again = memory(where)
    again.set([user(words[0]), assistant("Noted. 记下了。"), user(words[1])])
    assert [content for _, content in heard(where)] == [words[0], "Noted. 记下了。", words[1]]


@both
def test_an_answer_generated_anew_and_an_edit_are_followed(where: Where, words: tuple[str, ...]) -> None:
    kept = memory(where)
    kept.put_messages([user(words[0]), assistant("One. 一"), user(words[1]), assistant("Bad. 坏")])
    kept.set(kept.get_all()[:-1])
    kept.put(assistant(words[3]))
    assert [content for _, content in heard(where)] == [words[0], "One. 一", words[1], words[3]]
    kept.set([kept.get_all()[0], assistant("One. 一"), user(words[1] + " 再说"), assistant("Ok.")])
    assert [content for _, content in heard(where)] == [words[0], "One. 一", words[1] + " 再说", "Ok."]
    kept.set([*kept.get_all()[2:], user("And now? 现在呢？")])  # cut at its front: nothing is taken back
    assert len(heard(where)) == 5


@both
def test_what_is_taken_back_or_reset_is_forgotten(where: Where, words: tuple[str, ...]) -> None:
    kept, other = memory(where), memory(where, "other")
    kept.put_messages([user(words[0]), assistant("Noted. 记下了。")])
    other.put(user(words[1]))
    assert words[2] in (other.get()[0].content or "")
    kept.reset()
    assert heard(where) == []
    assert kept.get_all() == []
    assert words[2] not in "".join(texts(other.get()))
    assert [content for _, content in heard(where, "other")] == [words[1]]


def test_speakers_stay_apart(where: Where) -> None:
    kept = memory(where, speaker="Mara", persona="Pell")
    kept.put_messages([user("I like plums."), user("我喜欢李子。", name="小苇"), assistant("Both.")])
    assert [speaker for speaker, _ in heard(where)] == ["Mara", "小苇", "Pell"]


@both
def test_the_block_of_the_library_s_own_memory(where: Where, words: tuple[str, ...]) -> None:
    block = SoulmemMemoryBlock(mind=where[1], speaker="Mara", socket=str(where[0].daemon.socket), deadline_s=20)

    async def run() -> list[ChatMessage]:
        own = Memory.from_defaults(session_id="s1", memory_blocks=[block], token_limit=60, token_flush_size=10)
        await own.aput(user(words[0]))
        await own.aput(assistant("Noted, and a few words more so that it runs over. 记下了，多说几句好让它满出来。"))
        await own.aput(user("Something else, long enough to push the first out. 说点别的，长到把第一句挤出去。"))
        await own.aput(user("And a bit. 再来一点。"))
        fresh = Memory.from_defaults(session_id="s2", memory_blocks=[block])
        found = await fresh.aget(input=words[1])
        for each in (own, fresh):  # the library leaves its own store open
            await each.sql_store._async_engine.dispose()
        return found

    prompt = asyncio.run(run())
    assert ("Mara", words[0]) in heard(where, "s1")
    assert prompt[0].role == MessageRole.SYSTEM
    assert words[2] in "".join(texts(prompt))
    before = heard(where, "s1")
    asyncio.run(block.aput([user(words[0])], session_id="s1"))
    assert heard(where, "s1") == before


def test_without_a_daemon_the_talk_goes_on_and_is_told_later(
    where: Where, tmp_path_factory: pytest.TempPathFactory, caplog: pytest.LogCaptureFixture
) -> None:
    kept = SoulmemMemory(
        mind=where[1], conversation="tea 茶", socket=str(tmp_path_factory.mktemp("a") / "no.sock"), deadline_s=0.3
    )
    began = time.monotonic()
    with caplog.at_level(logging.WARNING, "soulmem_llama_index"):
        kept.put(user("Nobody listens. 没人在听。"))
        assert texts(kept.get()) == ["Nobody listens. 没人在听。"]
    assert time.monotonic() - began < 5
    assert "goes on without its memory" in caplog.text
    with pytest.raises(DaemonUnavailable):
        kept.reset()
    kept.socket, kept.deadline_s = str(where[0].daemon.socket), 20
    kept.put(assistant("I do. 我在。"))
    assert [content for _, content in heard(where)] == ["Nobody listens. 没人在听。", "I do. 我在。"]
