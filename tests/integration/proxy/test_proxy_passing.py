"""What passes through the proxy passes as it is: answers, streams, calls of tools, errors, fields nobody knows."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from typing import Any

import httpx2
import openai
import pytest

from chat_upstream import CALL
from proxy_bench import ProxyBench, assistant, system, user

TOOL: Any = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}}}


@pytest.mark.parametrize(
    ("mind", "text", "answer"),
    [("whole-en", "I keep bees.", "Bees, lovely."), ("whole-zh", "我养蜜蜂。", "养蜜蜂真好。")],
)
def test_an_answer_in_one_piece(proxy: ProxyBench, mind: str, text: str, answer: str) -> None:
    proxy.upstream.answer = lambda body: answer
    assert proxy.say([system("You are Pell."), user(text)], X_Soulmem_Persona=mind) == answer
    assert proxy.upstream.last == {"model": "tiny", "messages": [system("You are Pell."), user(text)]}
    proxy.hears(mind, [("user", text), ("assistant", answer)])


@pytest.mark.parametrize(
    ("mind", "text", "answer"),
    [("stream-en", "I keep bees.", "Bees are lovely"), ("stream-zh", "我养蜜蜂。", "养 蜜蜂 真好")],
)
def test_a_stream_comes_word_by_word(proxy: ProxyBench, mind: str, text: str, answer: str) -> None:
    gate = proxy.upstream.gate = threading.Event()
    proxy.upstream.answer = lambda body: answer
    words = []
    with proxy.client(X_Soulmem_Persona=mind) as client:
        for event in client.chat.completions.create(model="tiny", messages=[user(text)], stream=True):
            if word := event.choices[0].delta.content:
                words.append(word)
                gate.set()  # the second word is not sent before the first one is here
    assert words == [f"{word} " for word in answer.split(" ")]
    proxy.hears(mind, [("user", text), ("assistant", answer)])


def test_the_bytes_of_a_stream_are_those_of_the_endpoint(proxy: ProxyBench) -> None:
    body = {"model": "tiny", "messages": [user("hello 你好")], "stream": True}
    direct = httpx2.post(f"{proxy.upstream.url}/chat/completions", json=body, timeout=30)
    passed = httpx2.post(f"{proxy.url}/chat/completions", json=body, timeout=30, headers={"X-Soulmem-Persona": "bytes"})
    assert passed.content == direct.content
    assert passed.headers["x-upstream"] == "kept"
    assert passed.headers["content-type"] == direct.headers["content-type"]


@pytest.mark.parametrize("stream", [False, True])
def test_calls_of_tools_are_untouched(proxy: ProxyBench, stream: bool) -> None:
    proxy.upstream.tools = True
    mind = f"tools-{stream}".lower()
    with proxy.client(X_Soulmem_Persona=mind) as client:
        made = client.chat.completions.create(model="tiny", messages=[user("天气如何？")], tools=[TOOL], stream=stream)
        if stream:
            calls = [call for event in made for call in event.choices[0].delta.tool_calls or []]
        else:
            calls = made.choices[0].message.tool_calls
    assert [call.function.arguments for call in calls] == [CALL["function"]["arguments"]]
    assert proxy.upstream.last["tools"] == [TOOL]
    proxy.upstream.tools = False
    proxy.upstream.answer = lambda body: "It is sunny."
    history = [
        user("天气如何？"), {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": "sunny, 24 °C"},
    ]  # fmt: skip
    assert proxy.say(history, X_Soulmem_Persona=mind) == "It is sunny."
    assert proxy.upstream.last["messages"][1:] == history[1:]
    proxy.hears(mind, [("user", "天气如何？"), ("assistant", "It is sunny.")])


def test_fields_that_nobody_knows_pass_both_ways(proxy: ProxyBench) -> None:
    body = {
        "model": "tiny", "messages": [{**user("hi"), "x_mood": {"a": [1, 2.5, None]}}], "x_new": {"deep": ["值", True]},
        "logit_bias": {"50256": -100}, "seed": 12345678901234567890,
    }  # fmt: skip
    raw = json.dumps(body, indent=3).encode()
    sent = httpx2.post(f"{proxy.url}/chat/completions?api-version=7", content=raw, timeout=30)
    assert proxy.upstream.raw[-1] == raw
    assert proxy.upstream.requests[-1][0] == "/v1/chat/completions?api-version=7"
    assert sent.json()["x_own_field"] == {"kept": [1, None]}


def test_models_and_embeddings_pass(proxy: ProxyBench) -> None:
    with proxy.client() as client:
        assert [model.id for model in client.models.list()] == ["tiny"]
        made = client.embeddings.create(model="e", input="蜜蜂 bees", encoding_format="float")
    assert made.data[0].embedding == [0.5, 0.25]
    assert proxy.upstream.last["input"] == "蜜蜂 bees"


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
def test_errors_of_the_endpoint_pass_with_status_and_body(proxy: ProxyBench, status: int) -> None:
    proxy.upstream.status, proxy.upstream.error = (
        status,
        {"error": {"message": "太快了 slow down", "code": f"c{status}"}},
    )
    with proxy.client(X_Soulmem_Persona="erring") as client, pytest.raises(openai.APIStatusError) as raised:
        client.chat.completions.create(model="tiny", messages=[user("hi")], stream=status == 429)
    assert raised.value.status_code == status
    assert raised.value.response.json() == proxy.upstream.error
    assert raised.value.response.headers["retry-after"] == "7"


def test_a_stream_that_breaks_off_breaks_off_for_the_client_and_is_not_heard(proxy: ProxyBench) -> None:
    proxy.upstream.answer = lambda body: "one two three"
    proxy.upstream.cut_after = 2
    words = []
    with proxy.client(X_Soulmem_Persona="cut") as client:
        stream = iter(client.chat.completions.create(model="tiny", messages=[user("count")], stream=True))
        words += [next(stream).choices[0].delta.content for _ in range(3)]
        with pytest.raises((openai.APIError, httpx2.HTTPError)):
            next(stream)
    assert words == ["", "one ", "two "]
    proxy.hears("cut", [("user", "count")])


def test_whoever_hangs_up_ends_the_call_behind_him(proxy: ProxyBench) -> None:
    proxy.upstream.answer = lambda body: " ".join(["word"] * 400)
    proxy.upstream.pause_s = 0.05
    with proxy.client(X_Soulmem_Persona="gone") as client:
        stream = client.chat.completions.create(model="tiny", messages=[user("count")], stream=True)
        next(iter(stream))
        stream.close()
    deadline = time.monotonic() + 15
    while not proxy.upstream.broken_off:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    proxy.hears("gone", [("user", "count")])


def test_pictures_pass_and_their_words_are_heard(proxy: ProxyBench) -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 3_000_000}}
    message = user([{"type": "text", "text": "这是我的猫 Miso."}, picture])
    proxy.say([message], X_Soulmem_Persona="pictures")
    assert proxy.upstream.last["messages"] == [message]
    proxy.hears("pictures", [("user", "这是我的猫 Miso."), ("assistant", "Noted, 记下了。")])
    proxy.say([message, assistant("Noted, 记下了。"), user([picture])], X_Soulmem_Persona="pictures")
    assert proxy.upstream.last["messages"][2]["content"][-1] == picture


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b'{"messages": 7}', b'{"messages": [7, null, {"role": 1}]}', b"\xff\xfe"]
)
def test_what_is_no_chat_passes_as_it_is(proxy: ProxyBench, raw: bytes) -> None:
    request = urllib.request.Request(f"{proxy.url}/chat/completions", raw, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.status == 200
    assert proxy.upstream.raw[-1] == raw


def test_fifty_streams_at_once(proxy: ProxyBench) -> None:
    proxy.upstream.answer = lambda body: f"You said {body['messages'][-1]['content'].splitlines()[-1]}"
    proxy.upstream.pause_s = 0.02
    got: dict[int, str] = {}

    def run(number: int) -> None:
        with proxy.client(X_Soulmem_Persona="crowd", X_Soulmem_Session=f"s{number}") as client:
            asked = [user(f"number{number}")]
            stream = client.chat.completions.create(model="tiny", messages=asked, stream=True)
            got[number] = "".join(event.choices[0].delta.content or "" for event in stream).strip()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert got == {number: f"You said number{number}" for number in range(50)}
    for number in (0, 49):
        said = [("user", f"number{number}"), ("assistant", f"You said number{number}")]
        proxy.hears("crowd", said, f"s{number}")
