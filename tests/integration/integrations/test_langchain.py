"""LangChain's own runnables on a memory: what is said once is heard once, comes back, and can be taken back."""

from __future__ import annotations

import asyncio
import logging
import time

import pytest

pytest.importorskip("langchain_core", reason="langchain-core is not installed; `make integrations` brings it")

from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.runnables.history import RunnableWithMessageHistory

from household import Home
from soulmem.client import DaemonUnavailable
from soulmem_langchain import SoulmemChatMessageHistory, SoulmemRetriever

EN = ("I am allergic to hazelnuts.", "What am I allergic to?", "hazelnuts", "Hazelnuts and almonds are out.")
ZH = ("我对榛子过敏。", "我对什么过敏？", "榛子", "榛子和杏仁都不行。")
both = pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])
Where = tuple[Home, str]


@pytest.fixture
def where(home: Home) -> Where:
    return home, home.mind()


def history(where: Where, conversation: str = "tea 茶", **more: str) -> SoulmemChatMessageHistory:
    home, mind = where
    return SoulmemChatMessageHistory(mind, conversation, socket=str(home.daemon.socket), deadline_s=20, **more)


def heard(where: Where, conversation: str = "tea 茶") -> list[tuple[str, str]]:
    page = where[0].daemon.call("message.list", {"mind": where[1], "conversation": conversation})
    return [(item["speaker"], item["content"]) for item in page["items"]]


@pytest.mark.filterwarnings("ignore:RunnableWithMessageHistory is deprecated")  # and still what chains are made with
@both
def test_a_chain_remembers_what_was_said_and_is_told_it(where: Where, words: tuple[str, ...]) -> None:
    told, asked, fact, answer = words
    memory = SoulmemRetriever(mind=where[1], socket=str(where[0].daemon.socket), deadline_s=20)
    prompts = []
    model = GenericFakeChatModel(messages=iter([AIMessage("Noted. 记下了。"), AIMessage(answer)]))
    prompt = ChatPromptTemplate.from_messages(
        [("system", "You remember: {memory}"), MessagesPlaceholder("history"), ("user", "{input}")]
    )
    recall = RunnableLambda(lambda asked: asked["input"]) | memory
    inner = RunnablePassthrough.assign(memory=recall | (lambda found: [each.page_content for each in found]))
    chain = RunnableWithMessageHistory(
        inner | prompt | RunnableLambda(lambda value: prompts.append(value) or value) | model,
        lambda session: history(where, session, speaker="Mara", persona="Pell"),
        input_messages_key="input", history_messages_key="history",
    )  # fmt: skip
    chain.invoke({"input": told}, {"configurable": {"session_id": "one"}})
    chain.invoke({"input": asked}, {"configurable": {"session_id": "two"}})
    assert heard(where, "one") == [("Mara", told), ("Pell", "Noted. 记下了。")]
    assert heard(where, "two") == [("Mara", asked), ("Pell", answer)]
    assert fact in prompts[1].to_messages()[0].text
    assert [each.text for each in prompts[1].to_messages()[1:]] == [asked]


@both
def test_documents_tell_where_they_come_from(where: Where, words: tuple[str, ...]) -> None:
    history(where, speaker="Mara").add_messages([HumanMessage(words[0], id="m-1")])
    found = SoulmemRetriever(mind=where[1], socket=str(where[0].daemon.socket), deadline_s=20).invoke(words[1])
    again = asyncio.run(
        SoulmemRetriever(mind=where[1], socket=str(where[0].daemon.socket), deadline_s=20).ainvoke(words[1])
    )
    assert [each.page_content for each in found] == [each.page_content for each in again] == [words[0]]
    assert found[0].metadata["speaker"] == "Mara"
    assert found[0].metadata["sources"][0]["id"] == "m-1"


@both
def test_what_comes_again_is_heard_once_and_edits_are_followed(where: Where, words: tuple[str, ...]) -> None:
    said = [
        SystemMessage("You are Pell."), HumanMessage(words[0], id="m-1"), AIMessage("Noted.", id="run-1"),
        ToolMessage("7 °C", tool_call_id="c"), AIMessage("", id="run-2"),
    ]  # fmt: skip
    kept = history(where)
    kept.add_messages(said)
    kept.add_messages(said)
    assert [content for _, content in heard(where)] == [words[0], "Noted."]
    kept.add_messages([HumanMessage(words[3], id="m-1")])
    assert [content for _, content in heard(where)] == [words[3], "Noted."]


@both
def test_an_answer_generated_anew_stands_in_for_the_one_before(where: Where, words: tuple[str, ...]) -> None:
    kept = history(where)
    kept.add_messages([HumanMessage(words[0]), AIMessage("A first answer. 一"), HumanMessage(words[1])])
    kept.add_messages([AIMessage("A bad answer. 坏")])
    kept.messages = kept.messages[:-1]
    kept.add_messages([AIMessage(words[3])])
    assert [each.text for each in kept.messages] == [words[0], "A first answer. 一", words[1], words[3]]
    kept.messages = [*kept.messages[:2], HumanMessage(words[1] + " 再说一次"), AIMessage("Ok.")]
    assert [each.text for each in kept.messages] == [words[0], "A first answer. 一", words[1] + " 再说一次", "Ok."]
    kept.messages = [*kept.messages[2:], HumanMessage("And now? 现在呢？")]  # cut at its front: nothing is taken back
    assert kept.messages[0].text == words[0]
    assert len(kept.messages) == 5


@both
def test_what_is_taken_back_or_cleared_is_forgotten(where: Where, words: tuple[str, ...]) -> None:
    kept, other = history(where), history(where, "other")
    other.add_messages([HumanMessage("The harbour is loud. 港口很吵。")])
    kept.add_messages([HumanMessage(words[0]), AIMessage("Noted. 记下了。")])
    memory = SoulmemRetriever(mind=where[1], socket=str(where[0].daemon.socket), deadline_s=20)
    assert any(words[2] in each.page_content for each in memory.invoke(words[1]))
    kept.clear()
    assert kept.messages == []
    assert not [each for each in memory.invoke(words[1]) if words[2] in each.page_content]
    assert [each.text for each in other.messages] == ["The harbour is loud. 港口很吵。"]


def test_speakers_stay_apart(where: Where) -> None:
    kept = history(where, speaker="Mara", persona="Pell")
    kept.add_messages([HumanMessage("I like plums."), HumanMessage("我喜欢李子。", name="小苇"), AIMessage("Both.")])
    assert [speaker for speaker, _ in heard(where)] == ["Mara", "小苇", "Pell"]
    only = SoulmemRetriever(mind=where[1], speaker="小苇", socket=str(where[0].daemon.socket), deadline_s=20)
    assert {each.metadata["speaker"] for each in only.invoke("谁喜欢李子？ Who likes plums?")} <= {"小苇"}


def test_without_a_daemon_the_chain_goes_on_and_is_told_later(
    where: Where, tmp_path_factory: pytest.TempPathFactory, caplog: pytest.LogCaptureFixture
) -> None:
    away = str(tmp_path_factory.mktemp("a") / "no.sock")
    kept = SoulmemChatMessageHistory(where[1], "tea 茶", socket=away, deadline_s=0.3)
    began = time.monotonic()
    with caplog.at_level(logging.WARNING, "soulmem_langchain"):
        kept.add_messages([HumanMessage("Nobody listens. 没人在听。")])
        assert [each.text for each in kept.messages] == ["Nobody listens. 没人在听。"]
        assert SoulmemRetriever(mind=where[1], socket=away, deadline_s=0.3).invoke("Who listens?") == []
    assert time.monotonic() - began < 5
    assert "goes on without its memory" in caplog.text
    with pytest.raises(DaemonUnavailable):
        kept.clear()
    kept._socket = str(where[0].daemon.socket)
    kept._deadline_s = 20
    kept.add_messages([AIMessage("I do. 我在。")])
    assert [content for _, content in heard(where)] == ["Nobody listens. 没人在听。", "I do. 我在。"]


def test_a_mind_that_nobody_told_anything_is_empty(home: Home) -> None:
    kept = SoulmemChatMessageHistory("nobody", "tea", socket=str(home.daemon.socket), deadline_s=20)
    assert kept.messages == []
    kept.clear()
    assert SoulmemRetriever(mind="nobody", socket=str(home.daemon.socket), deadline_s=20).invoke("  ") == []
