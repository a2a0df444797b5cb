"""The plugin for AstrBot: recalls before the model is asked, hears both sides, forgets when it is told to."""

from __future__ import annotations

from astrbot.api import logger
from astrbot.api.event import AstrMessageEvent, filter  # noqa: A004 - as AstrBot asks its plugins to
from astrbot.api.provider import LLMResponse, ProviderRequest
from astrbot.api.star import Context, Star

from .soulmem_memory import Memory, said


class SoulmemPlugin(Star):
    """One mind for the bot; each private chat and each group is a conversation of it."""

    def __init__(self, context: Context, config: dict | None = None) -> None:
        super().__init__(context)
        config = config or {}
        self._persona = str(config.get("persona") or "") or None
        self._hears_groups = bool(config.get("hear_group"))
        self._memory = Memory(
            str(config.get("mind") or "astrbot"),
            str(config.get("socket") or ""),
            deadline_s=int(config.get("deadline_ms") or 500) / 1000,
            max_tokens=int(config.get("max_tokens") or 1000),
        )
        self._is_made = False

    @filter.on_llm_request()
    async def remember(self, event: AstrMessageEvent, req: ProviderRequest) -> None:
        """想起相关的事，并记住用户说的话。"""
        words = event.message_str.strip()
        if not words:
            return
        try:
            memory = await self._memory.recalled(event.unified_msg_origin, words, len(req.contexts or ()))
            if memory:  # the system prompt is not saved with the conversation: nothing piles up in it
                req.system_prompt = f"{req.system_prompt or ''}\n\n{memory}".strip()
        except Exception as error:  # whatever it is costs the memory, not the answer
            logger.warning(f"soulmem: the answer goes without its memory: {said(error)}")
        await self._hear(event, _message_id(event), "user", words, self._speaker(event))

    @filter.on_llm_response()
    async def remember_answer(self, event: AstrMessageEvent, resp: LLMResponse) -> None:
        """记住机器人的回答。"""
        words = (resp.completion_text or "").strip()
        if words and event.message_str.strip():
            await self._hear(event, f"{_message_id(event)}-answer", "assistant", words, self._persona)

    @filter.event_message_type(filter.EventMessageType.GROUP_MESSAGE)
    async def listen(self, event: AstrMessageEvent) -> None:
        """听群里的话（需在配置中打开）。"""
        words = event.message_str.strip()
        if self._hears_groups and words and not event.is_at_or_wake_command:
            await self._hear(event, _message_id(event), "user", words, self._speaker(event))

    @filter.command("忘记", alias={"forget"})
    async def forget(self, event: AstrMessageEvent):
        """忘记含有这些字的话：/忘记 词"""
        words = event.message_str.strip().partition(" ")[2].strip()
        if not words:
            yield event.plain_result("用法：/忘记 词\nUsage: /forget WORDS")
            return
        whose = None if event.is_admin() or event.is_private_chat() else self._speaker(event)
        try:
            gone = await self._memory.forget(event.unified_msg_origin, words, whose)
            yield event.plain_result(f"已忘记 {gone} 条。Forgotten: {gone}.")
        except Exception as error:
            yield event.plain_result(f"没有忘记 / not forgotten: {said(error)}")

    @filter.command("回忆", alias={"recall"})
    async def recall(self, event: AstrMessageEvent):
        """看看想起了什么：/回忆 词"""
        words = event.message_str.strip().partition(" ")[2].strip()
        try:
            found = await self._memory.found(event.unified_msg_origin, words) if words else []
            yield event.plain_result("\n".join(found) or "什么也没想起来。Nothing comes to mind.")
        except Exception as error:
            yield event.plain_result(f"想不起来 / no memory: {said(error)}")

    async def _hear(self, event: AstrMessageEvent, id_: str, role: str, words: str, speaker: str | None) -> None:
        try:
            if not self._is_made:
                await self._memory.make()
                self._is_made = True
            await self._memory.heard(event.unified_msg_origin, id_, role, words, speaker)
        except Exception as error:  # it waits and is told with the next message
            logger.warning(f"soulmem: not heard yet: {said(error)}")

    def _speaker(self, event: AstrMessageEvent) -> str:
        user, name = str(event.get_sender_id()), str(event.get_sender_name() or "")
        return self._memory.speaker(event.unified_msg_origin, user, name)


def _message_id(event: AstrMessageEvent) -> str:
    return f"{event.get_platform_id()}-{event.message_obj.message_id}"
