"""The client for Node, run by a real node against a real daemon."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from household import Home

EXAMPLES = Path(__file__).parents[3] / "examples" / "node"
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

TOUR = """
import { Soulmem, SoulmemError, socketPath } from 'CLIENT';
const mind = process.argv[2];
const where = { mind, conversation: 'tea 茶' };
const memory = new Soulmem({ timeoutMs: 30_000 });
const name = async (call) => { try { return await call; } catch (error) { return [error.constructor.name, error.code]; } };
const said = await Promise.all(['我对榛子过敏。', 'My sister Ines keeps bees.'].map((content, at) =>
  memory.call('message.add', { ...where, role: 'user', speaker: at ? 'Mara' : '小苇', content, id: `m${at}` })));
const again = await memory.call('message.add', { ...where, role: 'user', speaker: 'Mara', content: 'My sister Ines keeps bees.', id: 'm1' });
const reached = (await memory.call('recall', { mind, query: 'Who keeps bees?', record: false })).items.map((each) => each.text);
await memory.call('message.update', { ...where, id: 'm1', content: 'My sister Ines keeps wasps.' });
const edited = await memory.context(mind, 'What does Ines keep?', { conversation: 'tea 茶', timeoutMs: 20_000 });
await memory.call('message.delete', { ...where, id: 'm0' });
const kept = (await memory.call('message.list', where)).items.map(({ speaker, content }) => [speaker, content]);
const refused = await name(memory.call('mind.get', { mind: 'nobody-at-all' }));
const late = await name(memory.call('events.nothing', {}, { timeoutMs: 20_000 }));
memory.close();
const anew = (await memory.call('system.ping')).state ?? 'answered';
memory.close();
console.log(JSON.stringify({ seqs: said.map((each) => each.seq).sort(), again: again.duplicate, reached, edited, kept, refused, late, anew, path: socketPath() }));
"""  # noqa: E501 - it is JavaScript, as people write it


def node(script: str, *arguments: str, cwd: Path, path: Path, said: str = "") -> subprocess.CompletedProcess[str]:
    program = cwd / "run.mjs"
    program.write_text(script, "utf-8")
    return subprocess.run(
        [NODE or "node", str(program), *arguments], input=said, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "SOULMEM_SOCKET": str(path)},
    )  # fmt: skip


def test_it_speaks_the_protocol(home: Home, tmp_path: Path) -> None:
    mind = home.mind()
    done = node(TOUR.replace("CLIENT", str(EXAMPLES / "soulmem.mjs")), mind, cwd=tmp_path, path=home.daemon.socket)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    assert told["seqs"] == [1, 2]
    assert told["again"] is True
    assert told["reached"][0] == "My sister Ines keeps bees."
    assert "wasps" in told["edited"]
    assert told["kept"] == [["Mara", "My sister Ines keeps wasps."]]
    assert told["refused"] == ["SoulmemError", "mind_not_found"]
    assert told["late"] == ["SoulmemError", "unknown_method"]
    assert told["path"] == str(home.daemon.socket)


def chat(home: Home, said: str, *names: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [NODE or "node", str(EXAMPLES / "chat.mjs"), *names], input=said, capture_output=True, text=True, timeout=60,
        check=False, env={**os.environ, "SOULMEM_SOCKET": str(path or home.daemon.socket)},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("told", "asked", "fact"),
    [
        ("I keep bees in the attic.", "What do I keep in the attic?", "bees"),
        ("我在阁楼里养蜜蜂。", "我在阁楼里养什么？", "蜜蜂"),
    ],
    ids=["en", "zh"],
)
def test_the_companion_remembers_and_forgets(home: Home, told: str, asked: str, fact: str) -> None:
    for name in ("Mara", "小苇"):
        done = chat(home, f"{told}\n{asked}\n/forget {fact}\n{asked}\n\n", name)
        assert done.returncode == 0, done.stderr
        before, after = re.split(r"^forgotten: [23]$", done.stdout, flags=re.MULTILINE)  # the reply repeats it
        assert f": {told}" in before.split(asked, 1)[1]
        assert fact not in after
        where = {"mind": "pell", "conversation": f"node {name}"}
        heard = home.daemon.call("message.list", where)["items"]
        assert {each["speaker"] for each in heard} == {name, "Pell"}
        assert not [each for each in heard if fact in each["content"]]


def test_without_a_daemon_the_talk_goes_on(home: Home, tmp_path: Path) -> None:
    done = chat(home, "Is anybody there? 有人吗？\n/forget 有人\n\n", path=tmp_path / "no.sock")
    assert done.returncode == 0
    assert "Pell: " in done.stdout
    assert "not forgotten: no soulmem daemon" in done.stdout
    assert "start one with `soulmem daemon`" in done.stderr
    assert "    at " not in done.stderr  # no stack


def test_a_daemon_that_says_nothing_or_nonsense_costs_the_deadline(home: Home, tmp_path: Path) -> None:
    path = tmp_path / "mute.sock"
    script = """
import { Soulmem } from 'CLIENT';
const memory = new Soulmem();
const began = Date.now();
const text = await memory.context('pell', 'Anybody?', { timeoutMs: 300 });
const waited = Date.now() - began;
const broken = await memory.call('system.ping').catch((error) => [error.code, error.message]);
memory.close();
console.log(JSON.stringify({ text, waited, broken }));
""".replace("CLIENT", str(EXAMPLES / "soulmem.mjs"))
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()

        def serve() -> None:
            link, _ = server.accept()
            with link:
                link.recv(65536)
                link.recv(65536)  # the second call
                link.sendall(b"HTTP/1.1 200 OK\n")
                link.recv(65536)

        thread = threading.Thread(target=serve)
        thread.start()
        done = node(script, cwd=tmp_path, path=path)
        thread.join(20)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["text"] == ""
    assert 250 <= told["waited"] < 10_000
    assert told["broken"][0] == "unavailable"
    assert "does not speak the protocol" in told["broken"][1]
