"""Who speaks: of what a client tells the first counts, and what it cannot mean becomes a name all the same."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from proxy_bench import ProxyBench, assistant, proxy_process, system, user
from soulmem.bridges.proxy.caller_names import mind_name, names_of


def told(headers: dict[str, str], body: dict[str, Any], path: str | None = None, mind: str | None = None) -> Any:
    names = names_of(headers, body, path_persona=path, mind=mind)
    return names.mind, names.speaker, names.conversation


def test_the_precedence() -> None:
    body = {
        "model": "tiny@suffix", "user": "field", "metadata": {"persona": "meta", "chat_id": "meta chat"},
        "messages": [system("You are Pell. 你是佩尔。")],
    }  # fmt: skip
    webui = {"x-openwebui-user-name": "%E5%B0%8F%E6%9E%97", "x-openwebui-user-id": "7", "x-openwebui-chat-id": "c9"}
    own = {"x-soulmem-persona": "own", "x-soulmem-user": "Mara", "x-soulmem-session": "s1"}
    assert told({**webui, **own}, body, "path", "line") == ("own", "Mara", "s1")
    assert told(webui, body, "path", "line") == ("path", "小林", "c9")
    assert told(webui, body, None, "line") == ("suffix", "小林", "c9")
    assert told({}, body, None, "line") == ("suffix", "field", "meta chat")
    assert told({}, {**body, "model": "tiny"}, None, "line") == ("meta", "field", "meta chat")
    bare = {"model": "tiny@20240620", "user": "field", "messages": body["messages"]}
    assert told({}, bare, None, "line") == ("line", "field", "user field")
    of_prompt = told({}, bare)
    assert of_prompt[0].startswith("prompt-")
    assert of_prompt != told({}, {**bare, "messages": [system("You are Tom.")]})
    assert told({}, {"model": "tiny", "messages": [user("hi")]}) == ("default", None, "main")


@pytest.mark.parametrize(
    "persona",
    ["罗莎", "Miss Pell", "../../etc/passwd", "A" * 5_000, "a\nb", "💐", "PELL", "-x", "%2e%2e", "con\u202etrol"],
)
def test_any_persona_has_a_mind_of_its_own(persona: str) -> None:
    names = names_of({}, {}, path_persona=persona)
    assert names.mind == mind_name(names.persona or "")
    assert len(names.mind) <= 64
    assert set(names.mind) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_")
    assert names.mind != names_of({}, {}, path_persona=f"{persona}2").mind


@pytest.mark.parametrize(
    "lie", ["{{LIBRECHAT_USER_EMAIL}}", "", "   ", "\x00\x01", "${USER}", None, 7, {"a": 1}, ["x"]]
)
def test_what_is_no_name_is_passed_over(lie: Any) -> None:
    assert names_of({}, {"user": lie, "metadata": {"session_id": lie}}).speaker is None
    assert names_of({}, {"user": lie, "metadata": lie}).conversation == "main"
    assert names_of({}, {"messages": lie, "model": lie}).mind == "default"


def test_by_header_path_and_suffix_it_is_the_same_mind_under_its_name(proxy: ProxyBench) -> None:
    proxy.say([user("one 一")], X_Soulmem_Persona="罗莎", X_Soulmem_User="小林")
    name = mind_name("罗莎")
    proxy.hears(name, [("user", "one 一"), ("assistant", "Noted, 记下了。")], "user 小林")
    with proxy.client() as client:
        at_path = client.with_options(base_url=proxy.url.replace("/v1", "/p/罗莎/v1"))
        at_path.chat.completions.create(model="tiny", messages=[user("two 二")])
        client.chat.completions.create(model="tiny@罗莎", messages=[user("three 三")])
    assert proxy.upstream.last["model"] == "tiny"
    found = proxy.daemon.call("mind.get", {"mind": name})["mind"]
    assert found["title"] == "罗莎"
    listed = proxy.daemon.call("message.list", {"mind": name, "conversation": "user 小林"})["items"]
    assert [item["speaker"] for item in listed] == ["小林", "罗莎"]


def test_two_who_share_a_persona_are_told_apart(proxy: ProxyBench) -> None:
    for person in ("Ann", "小博"):
        proxy.say([user(f"I am {person}.")], X_Soulmem_Persona="inn", X_OpenWebUI_User_Name=person)
    for person in ("Ann", "小博"):
        proxy.hears("inn", [("user", f"I am {person}."), ("assistant", "Noted, 记下了。")], f"user {person}")


def test_names_before_a_colon_tell_who_speaks_in_a_group(proxy: ProxyBench) -> None:
    proxy.upstream.answer = lambda body: "罗莎: 晚安。"
    speakers = "Pell,%E7%BD%97%E8%8E%8E,Mara,"
    history = [user("Good night. 晚安。"), assistant("Pell: Good night: sleep well."), user("Tom：Note: tea.")]
    with proxy.client(X_Soulmem_Persona="group", X_Soulmem_User="Mara") as client:
        client.chat.completions.create(model="tiny", messages=history, extra_headers={"X-Soulmem-Speakers": speakers})
    said = [
        ("Mara", "Good night. 晚安。"),
        ("Pell", "Good night: sleep well."),
        ("Mara", "Tom：Note: tea."),
        ("罗莎", "晚安。"),
    ]
    roles = ["user", "assistant", "user", "assistant"]
    proxy.hears("group", [(role, text) for role, (_, text) in zip(roles, said, strict=True)], "user Mara")
    page = proxy.daemon.call("message.list", {"mind": "group", "conversation": "user Mara"})
    assert [(each["speaker"], each["content"]) for each in page["items"]] == said


def test_the_mind_of_the_command_line(proxy: ProxyBench) -> None:
    with proxy_process(proxy.upstream, proxy.daemon, "--mind", "house") as named:
        named.say([system("You are Pell."), {**user("I am in the group 群里。"), "name": "Mara"}])
        named.hears("house", [("user", "I am in the group 群里。"), ("assistant", "Noted, 记下了。")])
    item = proxy.daemon.call("message.list", {"mind": "house"})["items"][0]
    assert item["speaker"] == "Mara"


@pytest.mark.parametrize("mates", [("Pell", "Rosa"), ("佩尔", "罗莎")], ids=["en", "zh"])
def test_who_answers_another_of_a_group_is_heard_at_once(proxy: ProxyBench, mates: tuple[str, str]) -> None:
    proxy.upstream.answer = lambda body: "Sleep well. 好梦。"
    history = [user("Good night. 晚安。"), assistant(f"{mates[0]}: Till tomorrow. 明天见。")]
    session, speakers = f"group {mates[0]}", ",".join(quote(name) for name in (*mates, "Mara"))
    heard = [("user", "Good night. 晚安。"), ("assistant", "Till tomorrow. 明天见。")]
    # the other one answers; who said the last words goes on with them
    for name, said in ((mates[1], [*heard, ("assistant", "Sleep well. 好梦。")]), (mates[0], heard)):
        with proxy.client(X_Soulmem_Persona=name, X_Soulmem_Session=session) as client:
            names = {"X-Soulmem-Speakers": speakers}
            client.chat.completions.create(model="tiny", messages=history, extra_headers=names)
        proxy.hears(mind_name(name), said, session)
