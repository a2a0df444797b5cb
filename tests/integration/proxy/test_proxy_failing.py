"""A memory that fails costs the talk nothing: the request passes unchanged, within the deadline, with one line."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import openai
import pytest

from chat_upstream import ChatUpstream
from daemon_fixture import daemon_process
from proxy_bench import ProxyBench, assistant, proxy_process, user

both = pytest.mark.parametrize("text", ["I keep bees.", "我养蜜蜂。"])


@both
def test_no_daemon_at_all(behind: ChatUpstream, tmp_path: Path, text: str) -> None:
    with daemon_process(tmp_path) as daemon:
        pass
    with proxy_process(behind, daemon) as alone:
        for _ in range(2):
            assert alone.say([user(text)], X_Soulmem_Persona="alone") == "Noted, 记下了。"
            assert behind.last["messages"] == [user(text)]
        time.sleep(0.3)
        said = alone.lines()
    assert said == ["soulmem: the memory is not running (start it with `soulmem daemon`); the talk goes on without it"]


@both
def test_a_daemon_that_hangs_costs_the_deadline(behind: ChatUpstream, tmp_path: Path, text: str) -> None:
    with daemon_process(tmp_path) as daemon, proxy_process(behind, daemon, "--deadline-ms", "300") as slow:
        slow.say([user(text)], X_Soulmem_Persona="slow")
        slow.hears("slow", [("user", text), ("assistant", "Noted, 记下了。")])
        os.kill(daemon.process.pid, signal.SIGSTOP)
        try:
            began = time.monotonic()
            history = [user(text), assistant("Noted, 记下了。"), user(f"{text} 2")]
            slow.say(history, X_Soulmem_Persona="slow")
            assert 0.25 < time.monotonic() - began < 3
            assert behind.last["messages"] == history
            assert "did not answer in time" in slow.lines()[0]
            assert text not in "".join(slow.lines())
        finally:
            os.kill(daemon.process.pid, signal.SIGCONT)
        whole = [*((each["role"], each["content"]) for each in history), ("assistant", "Noted, 记下了。")]
        slow.hears("slow", whole)  # told once it answers again


@both
def test_a_daemon_that_dies_in_the_middle_of_a_stream(behind: ChatUpstream, tmp_path: Path, text: str) -> None:
    behind.gate = threading.Event()
    try:
        with (
            daemon_process(tmp_path, check_log=False) as daemon,
            proxy_process(behind, daemon, "--deadline-ms", "5000") as proxy,
        ):
            with proxy.client(X_Soulmem_Persona="mortal") as client:
                stream = iter(client.chat.completions.create(model="tiny", messages=[user(text)], stream=True))
                words = next(stream).choices[0].delta.content or ""
                proxy.hears("mortal", [("user", text)])
                daemon.kill()
                behind.gate.set()
                words += "".join(event.choices[0].delta.content or "" for event in stream)
            assert words == "Noted, 记下了。 "
            with daemon_process(tmp_path) as reborn:
                proxy.daemon = reborn
                history = [user(text), assistant("Noted, 记下了。"), user("And now? 现在呢？")]
                proxy.say(history, X_Soulmem_Persona="mortal")
                whole = [*((each["role"], each["content"]) for each in history), ("assistant", "Noted, 记下了。")]
                proxy.hears("mortal", whole)  # what was lost comes with the next request
    finally:
        behind.gate = None


def test_an_endpoint_that_is_away_is_told_in_the_form_of_the_protocol(proxy: ProxyBench) -> None:
    with (
        proxy_process(proxy.upstream, proxy.daemon, url="http://127.0.0.1:9/v1") as before_nothing,
        before_nothing.client() as client,
        pytest.raises(openai.APIStatusError) as raised,
    ):
        client.chat.completions.create(model="tiny", messages=[user("hi")])
    assert raised.value.status_code == 502
    assert isinstance(raised.value.body, dict)
    assert raised.value.body["code"] == "upstream_unreachable"
