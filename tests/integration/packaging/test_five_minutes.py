"""Five minutes from nothing to a character that remembers: by Python, by MCP, and by the proxy, from the wheel.

Each way begins with an empty home and one command that installs, and ends when a new process, as after a restart,
is told what was said before, in English and in Chinese. `pytest -s` prints what each step took.
"""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chat_upstream import chat_upstream
from fresh_install import FreshInstall, build_wheel, install
from slowness import within

pytestmark = [pytest.mark.torture, pytest.mark.timeout(3000)]
BAR_S = 300.0
SAID = ("My sister Ines is allergic to hazelnuts.", "我的猫叫阿福，它怕打雷。")
ASKED = (("What is Ines allergic to?", "hazelnuts"), ("我的猫叫什么？", "阿福"))

PYTHON_TALK = """
import sys
from soulmem.client import Client
with Client() as memory:
    for said in sys.argv[1:]:
        memory.add_message("pell", said, speaker="Mara")
    memory.sleep("pell")
"""
PYTHON_ASK = """
import sys
from soulmem.client import Client
with Client() as memory:
    for question in sys.argv[1:]:
        print(memory.add_message("pell", question, speaker="Mara", recall=True)["context"]["text"])
"""
MCP_SESSION = """
import json, sys
import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
program, tool, key, *texts = sys.argv[1:]
async def session():
    server = StdioServerParameters(command=program, args=["mcp", "--mind", "pell"], env=dict(__import__("os").environ))
    async with Client(stdio_client(server)) as client:
        for text in texts:
            answer = await client.call_tool(tool, {key: text})
            assert not answer.is_error, answer
            print(answer.content[0].text)
anyio.run(session)
"""
PROXY_CHAT = """
import sys
import openai
client = openai.OpenAI(base_url=sys.argv[1], api_key="none")
for said in sys.argv[2:]:
    client.chat.completions.create(model="any", messages=[{"role": "user", "content": said}])
"""


class Watch:
    """What each step took."""

    def __init__(self, way: str) -> None:
        self.way, self.steps = way, [("", time.monotonic())]

    def lap(self, step: str) -> None:
        self.steps.append((step, time.monotonic()))

    @property
    def total(self) -> float:
        return self.steps[-1][1] - self.steps[0][1]

    def told(self) -> str:
        took = [
            f"{name} {now - before:.1f} s" for (_, before), (name, now) in zip(self.steps, self.steps[1:], strict=False)
        ]
        return f"{self.way}: {self.total:.0f} s ({', '.join(took)})"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("built"))


Script = Callable[..., str]


def _script(fresh: FreshInstall) -> Script:
    """Runs a script of the user's own in the environment it was installed into."""

    def run(text: str, *arguments: str) -> str:
        return fresh.run(str(fresh.python), "-c", text, *arguments)

    return run


def by_python(fresh: FreshInstall, watch: Watch) -> list[str]:
    run = _script(fresh)
    run(PYTHON_TALK, *SAID)
    watch.lap("talked and slept")
    return [run(PYTHON_ASK, question) for question, _ in ASKED]


def by_mcp(fresh: FreshInstall, watch: Watch) -> list[str]:
    run, program = _script(fresh), str(fresh.programs / "soulmem")
    run(MCP_SESSION, program, "add_memory", "text", *SAID)
    watch.lap("told two things")
    return [run(MCP_SESSION, program, "recall", "query", question) for question, _ in ASKED]


def by_proxy(fresh: FreshInstall, watch: Watch) -> list[str]:
    run = _script(fresh)
    with chat_upstream() as upstream:
        with proxy(fresh, upstream.url) as url:
            run(PROXY_CHAT, url, *SAID)
        watch.lap("chatted")
        read = []
        with proxy(fresh, upstream.url) as url:
            for question, _ in ASKED:
                run(PROXY_CHAT, url, question)
                read.append(json.dumps(upstream.last["messages"], ensure_ascii=False))
    return read


@contextlib.contextmanager
def proxy(fresh: FreshInstall, upstream: str) -> Iterator[str]:
    """`soulmem proxy` before an endpoint; the address that it says."""
    command = [
        str(fresh.programs / "soulmem"),
        "proxy",
        "--mind",
        "pell",
        "--upstream",
        upstream,
        "--listen",
        "127.0.0.1:0",
    ]
    log = fresh.home / "proxy.log"
    with log.open("ab") as told:
        process = subprocess.Popen(command, env=fresh.environment, stderr=told)
    try:
        began = time.monotonic()
        while not (found := re.findall(r" on (\S+/v1),", log.read_text("utf-8"))):
            assert process.poll() is None, log.read_text("utf-8")
            assert time.monotonic() - began < within(60)
            time.sleep(0.05)
        yield found[-1]
    finally:
        process.terminate()
        process.wait(60)
        log.unlink()


@pytest.mark.parametrize(
    ("way", "installer", "extras"), [(by_python, "pip", ""), (by_mcp, "uv", "[mcp]"), (by_proxy, "pipx", "[proxy]")]
)
def test_a_character_remembers(
    tmp_path: Path, wheel: Path, capsys: pytest.CaptureFixture[str],
    way: Callable[[FreshInstall, Watch], list[str]], installer: str, extras: str,
) -> None:  # fmt: skip
    watch = Watch(f"{way.__name__}, {installer}")
    fresh = install(tmp_path, wheel, installer, extras)
    watch.lap("installed")
    fresh.soulmem("model", "install")
    watch.lap("fetched the models")
    with fresh.daemon():
        watch.lap("started")
        answers = way(fresh, watch)
    watch.lap("remembered")
    with capsys.disabled():
        print(f"\n{watch.told()}")
    for (_, answer), told in zip(ASKED, answers, strict=True):
        assert answer in told
    assert watch.total < within(BAR_S)
