"""What chat APIs call messages, read into what the daemon takes: words are kept, everything else is left out."""

from typing import Any

import pytest
from openai.types.chat import ChatCompletionMessage
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from soulmem.client.chat_messages import chat_messages

PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def words(messages: object, **named: Any) -> list[tuple[str, str]]:
    return [(each["role"], each["content"]) for each in chat_messages("mira", messages, **named)]


def test_texts_and_parts_are_read_in_their_order() -> None:
    history = [
        {"role": "system", "content": "You are Pell."},
        {"role": "developer", "content": [{"type": "text", "text": "Be kind 要友善."}]},
        {
            "role": "user",
            "content": [{"type": "text", "text": "Look at this"}, PICTURE, {"type": "text", "text": "蜂箱"}],
        },
        {"role": "assistant", "content": [{"type": "output_text", "text": "Nice bees."}], "refusal": None},
        {"role": "user", "content": [{"type": "input_text", "text": "谢谢"}, "and thanks"]},
        {"role": "model", "parts": [{"text": "thinking", "thought": True}, {"text": "不客气"}]},
    ]
    assert words(history) == [
        ("system", "You are Pell."),
        ("system", "Be kind 要友善."),
        ("user", "Look at this\n蜂箱"),
        ("assistant", "Nice bees."),
        ("user", "谢谢\nand thanks"),
        ("assistant", "不客气"),
    ]


def test_what_nobody_said_is_left_out() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    history = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "sunny"},
        {"role": "function", "name": "weather", "content": "sunny"},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "sunny"}]},
        {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": "hmm"}, {"type": "reasoning", "text": "so"}],
        },
        {"role": "user", "content": [PICTURE]},
        {"role": "user", "content": "  "},
        {"role": "user", "content": []},
    ]
    assert words(history) == []
    assert words([]) == []


def test_one_message_one_text_and_objects_of_an_sdk_do_too() -> None:
    assert words("hello 你好") == [("user", "hello 你好")]
    assert words({"role": "assistant", "content": "hi"}) == [("assistant", "hi")]
    assert words(("a", {"content": "b"})) == [("user", "a"), ("user", "b")]
    spoken = ChatCompletionMessage(role="assistant", content="Saffron pie 派")
    text = ResponseOutputText(type="output_text", text="Again 再来", annotations=[])
    item = ResponseOutputMessage(id="msg_1", type="message", role="assistant", status="completed", content=[text])
    assert words([spoken, item]) == [("assistant", "Saffron pie 派"), ("assistant", "Again 再来")]
    assert words(spoken) == [("assistant", "Saffron pie 派")]
    assert chat_messages("mira", [item])[0]["id"] == "msg_1"


def test_who_spoke_where_and_when() -> None:
    history = [
        {"role": "user", "content": "a"},
        {"role": "user", "content": "b", "name": "Tom", "at": "2026-03-01T10:00:00Z", "id": "x", "mark": "topic"},
        {"role": "assistant", "content": "c", "tool_calls": None, "annotations": []},
        {"role": "system", "content": "d"},
    ]
    first, second, third, fourth = chat_messages(
        "mira", history, conversation="群", speaker="小苇", character="Pell", recall=True
    )
    assert first == {"mind": "mira", "conversation": "群", "speaker": "小苇", "role": "user", "content": "a"}
    assert second == {
        "mind": "mira", "conversation": "群", "speaker": "Tom", "role": "user", "content": "b",
        "at": "2026-03-01T10:00:00Z", "id": "x", "mark": "topic", "recall": True,
    }  # fmt: skip
    assert third == {"mind": "mira", "conversation": "群", "speaker": "Pell", "role": "assistant", "content": "c"}
    assert "speaker" not in fourth


@pytest.mark.parametrize(
    ("messages", "fault", "told"),
    [
        (7, TypeError, "not int"),
        (None, TypeError, "not NoneType"),
        (b"bytes", TypeError, "not bytes"),
        ([7], TypeError, r"messages\[0\] must be a mapping"),
        (["a", {"role": "user", "content": 7}], TypeError, r"messages\[1\]: content"),
        ([{"role": "user", "content": [7]}], TypeError, r"messages\[0\] must be"),
        ([{"role": "narrator", "content": "x"}], ValueError, r"messages\[0\]: there is no role 'narrator'"),
        ([{"role": ["user"], "content": "x"}], ValueError, "there is no role"),
        ([{"role": None, "content": "x"}], ValueError, "there is no role"),
    ],
)
def test_what_is_no_message_is_named(messages: object, fault: type[Exception], told: str) -> None:
    with pytest.raises(fault, match=told):
        chat_messages("mira", messages)
