"""AstrBot itself without its web page: its core, its pipeline, its plugin manager, and its own chat of the web.

Run by the Python that AstrBot is installed in, in the folder of a bot: `astrbot_bot.py ENDPOINT STEPS`, the steps as
JSON. Each is a message with `say`, `user`, `name` and an `id`; with `group` it is one of a group. The user `keeper` is
the keeper of the bot. Prints the replies as JSON, one for each step.
"""

# ruff: noqa: PLC0415 - AstrBot reads its settings when it is imported

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

os.environ |= {"ASTRBOT_ROOT": os.getcwd(), "ASTRBOT_DISABLE_METRICS": "1"}
sys.path.insert(0, os.getcwd())

PATIENCE_S = 60


def configure(endpoint: str) -> None:
    model = {
        "id": "tiny", "provider": "openai", "type": "openai_chat_completion", "provider_type": "chat_completion",
        "enable": True, "key": ["sk-of-the-bot"], "api_base": endpoint, "timeout": 60, "custom_headers": {},
        "model": "tiny", "model_config": {"model": "tiny"},
    }  # fmt: skip
    config = {
        "provider": [model], "admins_id": ["keeper"], "wake_prefix": ["/"],
        "provider_settings": {"enable": True, "default_provider_id": "tiny", "streaming_response": False},
        "platform_settings": {"enable_id_white_list": False},
    }  # fmt: skip
    Path("data").mkdir(exist_ok=True)
    Path("data/cmd_config.json").write_text(json.dumps(config), "utf-8-sig")


async def play(steps: list[dict[str, Any]]) -> list[str]:
    from astrbot.core import LogBroker, db_helper
    from astrbot.core.core_lifecycle import AstrBotCoreLifecycle
    from astrbot.core.message.components import Plain
    from astrbot.core.platform.astrbot_message import AstrBotMessage, Group, MessageMember
    from astrbot.core.platform.message_type import MessageType
    from astrbot.core.platform.sources.webchat.webchat_event import WebChatMessageEvent
    from astrbot.core.platform.sources.webchat.webchat_queue_mgr import webchat_queue_mgr

    core = AstrBotCoreLifecycle(LogBroker(), db_helper)
    await core.initialize()
    running = asyncio.create_task(core.start())
    web = next(each for each in core.platform_manager.platform_insts if each.meta().name == "webchat")
    replies = []
    for step in steps:
        message = AstrBotMessage()
        message.self_id, message.message_id = "webchat", step["id"]
        message.sender = MessageMember(step["user"], step["name"])
        message.type = MessageType.GROUP_MESSAGE if step.get("group") else MessageType.FRIEND_MESSAGE
        message.session_id = f"webchat!{step.get('group') or step['user']}!{step.get('group') or step['user']}"
        if step.get("group"):
            message.group = Group(step["group"])
        message.message, message.message_str = [Plain(step["say"])], step["say"]
        message.raw_message = (step["user"], "c", {})
        answers = webchat_queue_mgr.get_or_create_back_queue(step["id"], message.session_id.split("!")[-1])
        web.commit_event(WebChatMessageEvent(step["say"], message, web.meta(), message.session_id))
        replies.append(await _reply(answers, PATIENCE_S if step.get("answered", True) else 3))
    await asyncio.sleep(0.5)
    await core.stop()
    running.cancel()
    return replies


async def _reply(answers: asyncio.Queue[dict[str, Any]], seconds: float) -> str:
    said = ""
    try:
        async with asyncio.timeout(seconds):
            while (part := await answers.get())["type"] != "end":
                said += part["data"] if part["type"] == "plain" else ""
    except TimeoutError:
        return said or "(no answer)"
    return said


if __name__ == "__main__":
    configure(sys.argv[1])
    print("\nREPLIES " + json.dumps(asyncio.run(play(json.loads(sys.argv[2]))), ensure_ascii=False), flush=True)
    os._exit(0)  # what AstrBot still has under way is not waited for
