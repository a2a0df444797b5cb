"""The extension for SillyTavern in a real node, over a real proxy: a chat as its user has it.

In place of SillyTavern stands what it documents to extensions (`tests/support/frontends/sillytavern.mjs`).
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra soulmem[proxy] is not installed")
pytest.importorskip("uvicorn", reason="the extra soulmem[proxy] is not installed")

from chat_upstream import ChatUpstream, chat_upstream
from household import Home
from proxy_bench import ProxyBench, proxy_process

ROOT = Path(__file__).parents[3]
EXTENSION = ROOT / "integrations" / "sillytavern"
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")
SAID = {
    "en": ("I am allergic to hazelnuts.", "My sister keeps bees.", "My sister keeps wasps.", "What am I allergic to?"),
    "zh": ("我对榛子过敏。", "我妹妹养蜜蜂。", "我妹妹养黄蜂。", "我对什么过敏？"),
}
both = pytest.mark.parametrize("language", ["en", "zh"])


@pytest.fixture(scope="module")
def behind() -> Iterator[ChatUpstream]:
    with chat_upstream() as running:
        yield running


@pytest.fixture(scope="module")
def proxy(home: Home, behind: ChatUpstream) -> Iterator[ProxyBench]:
    with proxy_process(behind, home.daemon, "--deadline-ms", "20000") as running:
        yield running


def play(proxy: ProxyBench, steps: list[dict[str, Any]], *, chat: str, headers: str = "", **context: Any) -> Any:
    """The chat as it then stands, and what quiet prompts brought."""
    proxy.upstream.answer = lambda body: f"Answer {len(proxy.upstream.requests)}. 好。"
    setting = {
        "url": proxy.url, "headers": headers,
        "context": {
            "chatMetadata": {"integrity": chat}, **context,
            "extensionSettings": {"soulmem": {"proxy": proxy.url.removesuffix("/v1")}, **context.pop("settings", {})},
        },
    }  # fmt: skip
    done = subprocess.run(
        [NODE or "node", str(ROOT / "tests/support/frontends/sillytavern.mjs"), str(EXTENSION / "index.js"),
         json.dumps(setting), json.dumps(steps)],
        capture_output=True, text=True, timeout=90, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not done.stderr, done.stderr
    return json.loads(done.stdout)


def chatted(played: Any) -> list[tuple[str, str]]:
    return [tuple(each) for each in played["chat"]]


def test_the_manifest_names_a_file_that_is_there() -> None:
    manifest = json.loads((EXTENSION / "manifest.json").read_text("utf-8"))
    assert {"display_name", "loading_order", "js", "author", "version"} <= manifest.keys()
    assert (EXTENSION / manifest["js"]).is_file()


@both
def test_a_chat_is_heard_once_and_recalled_in_another(proxy: ProxyBench, language: str) -> None:
    told, other, _, asked = SAID[language]
    pell = {"name2": f"佩尔 {language}", "characters": [{"name": f"佩尔 {language}", "avatar": "a.png"}]}
    played = play(proxy, [{"say": told}, {"say": other}], chat="one", **pell)
    mind = mind_of(proxy, f"佩尔 {language}")
    proxy.hears(mind, chatted(played), "one")
    page = proxy.daemon.call("message.list", {"mind": mind, "conversation": "one"})["items"]
    assert [each["speaker"] for each in page[:2]] == ["Mara", f"佩尔 {language}"]
    play(proxy, [{"say": asked}], chat="two", **pell)
    prompt = proxy.upstream.last["messages"][-1]["content"]
    assert told in prompt
    assert prompt.endswith(asked)


def mind_of(proxy: ProxyBench, title: str) -> str:
    found = [each["mind"] for each in proxy.daemon.call("mind.list")["items"] if each["title"] == title]
    assert len(found) == 1
    return str(found[0])


def test_swipes_edits_and_deleted_messages_are_followed(proxy: ProxyBench) -> None:
    told, other, edited, asked = (" ".join(both) for both in zip(*SAID.values(), strict=True))
    steps = [{"say": told}, {"say": other}, {"do": "swipe"}, {"do": "regenerate"}]
    for chat, more in {
        "swiped": [],
        "edited": [{"do": "edit", "at": 2, "to": edited}, {"say": asked}],
        "deleted": [{"say": asked}, {"do": "delete", "at": 2, "count": 2}, {"say": "And now? 现在呢？"}],
    }.items():
        played = play(proxy, [*steps, *more], chat=chat, name2="swipe")
        proxy.hears("swipe", chatted(played), chat)
    assert other not in dict(chatted(played)).values()


def test_a_deleted_message_is_forgotten(proxy: ProxyBench) -> None:
    told, other, _, asked = (" ".join(both) for both in zip(*SAID.values(), strict=True))
    steps = [{"say": other}, {"say": told}, {"do": "delete", "at": 2, "count": 2}, {"say": "Hm. 嗯。"}]
    play(proxy, steps, chat="f", name2="forget")
    play(proxy, [{"say": asked}], chat="g", name2="forget")
    assert told not in json.dumps(proxy.upstream.last, ensure_ascii=False)


def test_quiet_prompts_and_impersonation_are_no_talk(proxy: ProxyBench) -> None:
    steps = [
        {"say": "I live in Lisbon. 我住在里斯本。"},
        {"do": "quiet", "text": "Describe the last scene as a picture. 把这一幕写成画面。"},
        {"do": "impersonate", "text": "Write the next words of Mara."},
    ]
    played = play(proxy, steps, chat="q", name2="quiet")
    assert len(played["answers"]) == 2
    proxy.hears("quiet", chatted(played), "q")
    assert "soulmem-memory" not in json.dumps(proxy.upstream.last)


def test_in_a_group_each_has_a_mind_and_whose_words_are_whose_is_known(proxy: ProxyBench) -> None:
    characters = [{"name": "pell", "avatar": "p.png"}, {"name": "罗莎", "avatar": "r.png"}]
    group = {"groupId": "g1", "groups": [{"id": "g1", "members": ["p.png", "r.png"]}], "characters": characters}
    steps = [
        {"say": "I like plums. 我喜欢李子。", "as": "pell"}, {"do": "speak", "as": "罗莎"},
        {"do": "speak", "as": "pell"}, {"say": "Good night. 晚安。"},
    ]  # fmt: skip
    played = play(proxy, steps, chat="group", name2="pell", **group)
    for mind in ("pell", mind_of(proxy, "罗莎")):
        heard = proxy.daemon.call("message.list", {"mind": mind, "conversation": "group"})["items"]
        named = [(each["speaker"], each["content"]) for each in heard]
        assert named[0] == ("Mara", "I like plums. 我喜欢李子。")
        assert {speaker for speaker, _ in named} >= {"Mara", "pell"}
        assert all(not content.startswith(("pell:", "罗莎:")) for _, content in named)
    proxy.hears("pell", chatted(played), "group")
    by = {each["content"]: each["speaker"] for each in heard_by(proxy, "pell", "group")}
    assert [by[text] for _, text in chatted(played)] == ["Mara", "pell", "罗莎", "pell", "Mara", "pell"]


def heard_by(proxy: ProxyBench, mind: str, conversation: str) -> list[Any]:
    found: list[Any] = proxy.daemon.call("message.list", {"mind": mind, "conversation": conversation})["items"]
    return found


def test_headers_of_the_user_win_and_keys_stay_where_they_are(proxy: ProxyBench) -> None:
    play(
        proxy, [{"say": "Only here. 只在这里。"}], chat="own", name2="pell-2",
        headers="X-Soulmem-Persona: mine\nX-Other: kept",
    )  # fmt: skip
    assert proxy.heard("mine", "own")
    assert not proxy.heard("pell-2", "own")
    assert proxy.upstream.requests[-1][1]["x-other"] == "kept"
    assert proxy.upstream.requests[-1][1]["authorization"] == "Bearer sk-of-the-user"
    assert "sk-of-the-user" not in (EXTENSION / "index.js").read_text("utf-8")
    assert not [name for name in proxy.upstream.requests[-1][1] if name.startswith("x-soulmem")]


def test_nothing_is_told_to_other_endpoints_or_when_it_is_off(proxy: ProxyBench) -> None:
    url = proxy.upstream.url
    for settings in ({"soulmem": {"proxy": proxy.url}}, {"soulmem": {"proxy": url, "enabled": False}}):
        direct = ProxyBench(url, proxy.log, proxy.upstream, proxy.daemon)
        play(direct, [{"say": "Hello. 你好。"}], chat="x", name2="pell", settings=settings)
        assert not [name for name in proxy.upstream.requests[-1][1] if name.startswith("x-soulmem")]


def test_without_a_daemon_the_chat_goes_on(home: Home, behind: ChatUpstream, tmp_path: Path) -> None:
    class Away:
        socket = tmp_path / "no.sock"

    with proxy_process(behind, Away(), "--deadline-ms", "200") as proxy:  # type: ignore[arg-type]
        played = play(proxy, [{"say": "Anybody? 有人吗？"}], chat="away", name2="pell")
    assert chatted(played)[1][1].startswith("Answer")
