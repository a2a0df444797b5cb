"""SillyTavern itself with the extension, over a real proxy, its page used in a real browser as its user uses it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra soulmem[proxy] is not installed")
pytest.importorskip("uvicorn", reason="the extra soulmem[proxy] is not installed")

from chat_upstream import ChatUpstream, chat_upstream
from household import Home
from proxy_bench import ProxyBench, proxy_process
from sillytavern_server import LACKING, SillyTavern, sillytavern

EXTENSION = Path(__file__).parents[3] / "integrations" / "sillytavern"
pytestmark = [pytest.mark.skipif(bool(LACKING), reason=LACKING), pytest.mark.timeout(600)]
SAID = {
    "Pell": (
        "I am allergic to hazelnuts.",
        "My sister keeps bees.",
        "My sister keeps wasps.",
        "What am I allergic to?",
    ),
    "罗莎": ("我对榛子过敏。", "我妹妹养蜜蜂。", "我妹妹养黄蜂。", "我对什么过敏？"),
}
both = pytest.mark.parametrize("character", list(SAID))


@pytest.fixture(scope="module")
def behind() -> Iterator[ChatUpstream]:
    with chat_upstream() as running:
        running.answer = lambda body: f"Answer {len(running.requests)}. 好。"
        yield running


@pytest.fixture(scope="module")
def proxy(home: Home, behind: ChatUpstream) -> Iterator[ProxyBench]:
    with proxy_process(behind, home.daemon, "--deadline-ms", "20000") as running:
        yield running


@pytest.fixture(scope="module")
def tavern(proxy: ProxyBench, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SillyTavern]:
    with sillytavern(tmp_path_factory.mktemp("tavern"), EXTENSION, proxy.url) as running:
        yield running


def mind_of(proxy: ProxyBench, title: str) -> str:
    listed = proxy.daemon.call("mind.list")["items"]
    (found,) = [each["mind"] for each in listed if title in (each["title"], each["mind"])]
    return str(found)


def said(played: dict[str, Any]) -> list[tuple[str, str]]:
    return [(role, words) for role, words, _ in played["chat"]]


def prompt(proxy: ProxyBench) -> str:
    return json.dumps(proxy.upstream.last["messages"], ensure_ascii=False)


@both
def test_swipes_edits_and_deletions_are_followed_and_recalled_in_another_chat(
    proxy: ProxyBench, tavern: SillyTavern, character: str
) -> None:
    told, other, edited, asked = SAID[character]
    talk = [
        {"go": character}, {"do": "new chat"}, {"say": told}, {"do": "swipe"}, {"say": other}, {"do": "regenerate"},
        {"do": "edit", "at": 2, "to": edited}, {"say": "Hm. 嗯。"}, {"do": "delete", "at": 4, "count": 2},
        {"say": "Yes. 对。"},
    ]  # fmt: skip
    played = tavern.play(talk, characters=list(SAID))
    assert [words for role, words in said(played) if role == "user"] == [told, edited, "Yes. 对。"]
    mind = mind_of(proxy, character)
    proxy.hears(mind, said(played), played["settings"]["integrity"])
    heard = proxy.daemon.call("message.list", {"mind": mind, "conversation": played["settings"]["integrity"]})["items"]
    assert [each["speaker"] for each in heard] == ["Mara", character] * 3
    tavern.play([{"go": character}, {"do": "new chat"}, {"say": asked}], characters=list(SAID))
    assert proxy.upstream.last["stream"] is True
    assert told in prompt(proxy)
    assert other not in prompt(proxy)


@both
def test_what_is_deleted_in_the_chat_is_forgotten(proxy: ProxyBench, tavern: SillyTavern, character: str) -> None:
    told = {"Pell": "The spare key lies under the blue pot.", "罗莎": "备用钥匙在蓝色花盆下面。"}[character]
    asked = {"Pell": "Where does the spare key lie?", "罗莎": "备用钥匙在哪里？"}[character]
    ask = [{"go": character}, {"do": "new chat"}, {"say": asked}]
    talk = [{"go": character}, {"do": "new chat"}, {"say": "Well. 那么。"}, {"say": told}]
    tavern.play(talk, characters=list(SAID))
    tavern.play(ask, characters=list(SAID))
    assert told in prompt(proxy)
    gone = [*talk, {"do": "delete", "at": 2, "count": 2}, {"say": "Hm. 嗯。"}]
    played = tavern.play(gone, characters=list(SAID))
    mind = mind_of(proxy, character)
    proxy.hears(mind, said(played), played["settings"]["integrity"])


def test_quiet_prompts_are_no_talk(proxy: ProxyBench, tavern: SillyTavern) -> None:
    steps = [{"go": "Pell"}, {"do": "new chat"}, {"say": "I live in Lisbon. 我住在里斯本。"},
             {"do": "quiet", "text": "Describe the last scene as a picture. 把这一幕写成画面。"}]  # fmt: skip
    played = tavern.play(steps, characters=list(SAID))
    assert played["quiet"][0].startswith("Answer")
    assert "soulmem-memory" not in prompt(proxy)
    proxy.hears(mind_of(proxy, "Pell"), said(played), played["settings"]["integrity"])


def test_in_a_group_each_has_a_mind_and_hears_all(proxy: ProxyBench, tavern: SillyTavern) -> None:
    steps = [
        {"go": "Pell"},
        {"do": "meet the group"},
        {"say": "I like plums. 我喜欢李子。"},
        {"say": "Good night. 晚安。"},
    ]
    played = tavern.play(steps, characters=list(SAID), group="Table 桌子")
    by = [name for _, _, name in played["chat"]]
    assert sorted(by[1:3]) == sorted(SAID)
    assert by[0] == by[3] == "Mara"
    last = by[-1]
    mind, conversation = mind_of(proxy, last), played["settings"]["integrity"]
    proxy.hears(mind, said(played), conversation)
    heard = proxy.daemon.call("message.list", {"mind": mind, "conversation": conversation})["items"]
    assert [each["speaker"] for each in heard] == by


def test_the_settings_are_shown_and_kept(proxy: ProxyBench, tavern: SillyTavern, tmp_path: Path) -> None:
    before = tavern.settings()["extension_settings"]["soulmem"]
    assert before["proxy"] == proxy.url.removesuffix("/v1")
    picture = tmp_path / "settings.png"
    elsewhere = {"do": "set the proxy", "to": "http://127.0.0.1:9", "picture": str(picture)}
    played = tavern.play(
        [{"go": "Pell"}, elsewhere, {"do": "new chat"}, {"say": "Unnamed. 无名。"}], characters=list(SAID)
    )
    assert (played["settings"]["enabled"], played["settings"]["proxy"]) == (True, "http://127.0.0.1:9")
    assert not [name for name in proxy.upstream.requests[-1][1] if name.startswith("x-soulmem")]
    minds = [each["mind"] for each in proxy.daemon.call("mind.list")["items"]]
    assert not [mind for mind in minds if proxy.heard(mind, played["settings"]["integrity"])]
    assert tavern.settings()["extension_settings"]["soulmem"]["proxy"] == "http://127.0.0.1:9"
    assert picture.stat().st_size > 10_000
    tavern.play([{"go": "Pell"}, {**elsewhere, "to": before["proxy"]}], characters=list(SAID))
    assert tavern.settings()["extension_settings"]["soulmem"] == {"enabled": True, **before}


def test_without_a_daemon_the_chat_goes_on(
    proxy: ProxyBench, behind: ChatUpstream, tavern: SillyTavern, tmp_path: Path
) -> None:
    class Away:
        socket = tmp_path / "no.sock"

    with proxy_process(behind, Away(), "--deadline-ms", "200") as alone:  # type: ignore[arg-type]
        steps = [{"go": "Pell"}, {"do": "new chat"}, {"do": "use the endpoint", "to": alone.url},
                 {"say": "Anybody? 有人吗？"}, {"do": "use the endpoint", "to": proxy.url}]  # fmt: skip
        played = tavern.play(steps, characters=list(SAID))
        assert "the talk goes on without it" in " ".join(alone.lines())
    assert said(played)[1][1].startswith("Answer")
