"""Which calls are no talk: titles, tags, follow-ups, summaries and picture prompts that a front end asks for itself.

Called by `bridges/proxy/chat_requests`; pure. Such a call passes through untouched: nothing of it is heard, nothing is
put into it. Told by a header, by a field, by the shape that is asked for, or by the words with which known front ends
begin; a person who asks for a title in the middle of a talk is talking.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

OPT_OUT = "x-soulmem-memory"
_CHAT_ID, _TEMPORARY = "x-openwebui-chat-id", ("temporary:", "local:")
_OFF = ("off", "no", "0", "false", "none")
_TASK_FIELDS = ("task", "type")
_TASKS = re.compile(
    r"(title|tags?|follow_?ups?|summary|summari[sz]ation|emoji|queries|query|autocomplete|image_prompt|moa_response"
    r"|function_calling)(_|\b)",
    re.IGNORECASE,
)
# How the tasks of front ends begin: Open WebUI, LibreChat, LobeChat, NextChat, SillyTavern.
_BEGINNINGS = re.compile(
    r"\s*(?:"
    r"#{1,3} ?(?:task|任务)\s*[:：](?!\s*respond to the user query\b)"  # those are files, behind them the user speaks
    r"|your task is to reflect the speaker's likely facial expression"
    r"|you have been provided with a set of responses from various models\b"
    r"|(?:please )?(?:provide|generate|create|write|give)(?: me)? (?:a |an )?(?:concise|short|brief|few-word|\d+)"
    r"[^\n]{0,60}?(?:title|summary|headline|tags?)\b[^\n]{0,120}\b(?:conversation|chat|dialogue|discussion)"
    r"|please generate a (?:four to five|\d)[^\n]{0,20}word title summari[sz]ing (?:our|the) conversation"
    r"|summari[sz]e (?:the|our|this) (?:discussion|conversation|chat)\b[^\n]{0,120}"
    r"(?:prompt|context|title|\bin \d+ words)"
    r"|\[?\(?pause (?:your|the) role-?play"
    r"|\[?ignore (?:all )?previous instructions[.,]? (?:and )?"
    r"(?:summari[sz]e|provide|generate|describe|give|create|write|determine)"
    r"|\[?in the next response,? (?:i want you to )?provide only a detailed (?:comma|list)"
    r"|(?:你是一名擅长会话的助理|请?你?需要将用户的会话总结为)"
    r"|请?(?:使用|用|以)?(?:四到五|\d{1,2})个?字[^\n]{0,20}(?:简要主题|标题)"
    r"|(?:请)?(?:为|给|根据)(?:以上|上面|下面|以下|这段|本次|当前)?的?(?:对话|会话|聊天)[^\n]{0,20}"
    r"(?:生成|起|写|拟|取|提供)[^\n]{0,20}"
    r"(?:标题|标签|摘要|总结|题目|后续问题|追问)"
    r"|(?:请)?(?:简要)?(?:总结|概括)(?:一下)?(?:(?:以上|上面|这段|我们|本次)的?)?(?:对话|讨论|聊天|会话)[^\n]{0,40}(?:提示词|字以内|prompt|标题)"
    r"|[\[【（(]?(?:暂停|停止)(?:你的)?(?:角色扮演|扮演)"
    r"|[\[【（(]?忽略(?:之前|以上|先前)的?(?:所有)?(?:指令|指示|要求)[，,。]?\s*(?:并|然后)?(?:请)?(?:总结|概括|生成|描述|提供|写出)"
    r")",
    re.IGNORECASE,
)  # fmt: skip
# What Open WebUI sets a model up with that is to choose tools, not to talk.
_CHOOSES_TOOLS = re.compile(r"\s*Available Tools:.*\bchoose and return the correct tool", re.DOTALL)
# What the end of such a task holds: a whole talk, quoted.
_QUOTED_TALK = ("chat_history", "conversation", "chat_context")
_ASKS_FOR = re.compile(r"\b(title|tags?|follow-?up|summary|queries)\b|标题|标签|摘要|追问|总结", re.IGNORECASE)
_LOOKED_AT = 4_000  # characters at either end of a message


def is_housekeeping(headers: Mapping[str, str], body: Mapping[str, Any], last_words: Sequence[str]) -> bool:
    """Whether a call is no talk.

    Args: last_words: the texts of the last message, and of the instruction that follows what was last said, if any.
    """
    if headers.get(OPT_OUT, "").strip().lower() in _OFF:
        return True
    if headers.get(_CHAT_ID, "").startswith(_TEMPORARY):
        return True  # a chat that is to leave no trace
    metadata = body.get("metadata")
    if isinstance(metadata, Mapping):
        for name in _TASK_FIELDS:
            value = metadata.get(name)
            if isinstance(value, str) and _TASKS.match(value):
                return True
    shape = body.get("response_format")
    if isinstance(shape, Mapping) and shape.get("type") in ("json_object", "json_schema"):
        return True  # an answer for a program
    if _chooses_tools(body.get("messages")):
        return True
    return any(asks_for_task(text) for text in last_words)


def _chooses_tools(messages: Any) -> bool:
    first = messages[0] if isinstance(messages, list) and messages else None
    told = first.get("content") if isinstance(first, Mapping) and first.get("role") == "system" else None
    return isinstance(told, str) and told.startswith("Available Tools:") and _CHOOSES_TOOLS.match(told) is not None


def asks_for_task(text: str) -> bool:
    """Whether these are the words of a front end.

    >>> asks_for_task("### Task:\\nGenerate a concise, 3-5 word title"), asks_for_task("What was the title again?")
    (True, False)
    """
    if _BEGINNINGS.match(text[:_LOOKED_AT]):
        return True
    is_quoting = any(0 <= text.find(f"<{tag}>") < text.rfind(f"</{tag}>") for tag in _QUOTED_TALK)
    return is_quoting and _ASKS_FOR.search(text[:_LOOKED_AT] + text[-_LOOKED_AT:]) is not None
