"""Words that are aimed at the memory or its model, and how they are kept: as what somebody said, never obeyed.

Used by the gate, Chinese and English (algorithms.md §6.5). Only unmistakable forms count; "remember that I am
allergic to nuts" is information. Pure.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

import unicodedata

from soulmem.core.regex.lazy_regex import LazyPattern

_INVISIBLE = LazyPattern("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_ORDERS = (
    r"(?:instructions?|directions?|prompts?|rules?|guidelines?|training|programming|constraints?|messages?|orders?)"
)
_ENGLISH = LazyPattern(
    rf"\b(?:ignore|disregard|forget|override|bypass|discard)\b[^.!?\n]{{0,40}}\b(?:previous|prior|above|earlier|preceding|your|all|any|"
    rf"these|those|system)\b[^.!?\n]{{0,24}}\b{_ORDERS}\b"
    r"|\bignore (?:everything|all|anything) (?:above|before|you (?:were|have been|know))"
    r"|\bremember (?:that )?you (?:must|should|have to|need to|are to|will|are not|can ?not|always|never|shall)\b"
    r"|\bfrom now on,? you(?:['’]ll)?\b|\byou (?:must|shall|will) (?:now )?(?:always|never|obey|comply|remember that|only (?:answer|respond|speak))\b"
    r"|\b(?:save|store|write|add|record|put|commit|insert) (?:this|the following|that|it)[^.!?\n]{0,30}\b(?:to|in|into) (?:your )?(?:long[- ]term |permanent )?memory\b"
    r"|\b(?:your )?new (?:system )?(?:prompt|instructions?|directives?) (?:is|are)\b|\bnew (?:system )?(?:prompt|instructions?):"
    r"|\b(?:reveal|print|repeat|show|output|leak)\b[^.!?\n]{0,20}\b(?:system|hidden|initial) (?:prompt|instructions?|message)\b"
    r"|\byou are now (?:dan\b|in (?:developer|debug|admin|god) mode|jailbroken|unrestricted|an? (?:unrestricted|unfiltered|uncensored))"
    r"|\b(?:pretend|act as if) (?:that )?you (?:have no|are not bound|don['’]t have)[^.!?\n]{0,30}\b(?:rules|restrictions|limits|filters)\b"
    r"|\b(?:do not|don['’]t|never) (?:tell|inform|reveal (?:this|it) to) the user\b|\bdeveloper mode\b|\bsudo mode\b"
    r"|\bdelete (?:all|every|your)[^.!?\n]{0,20}\bmemor(?:y|ies)\b|\bwipe your memor"
    r"|(?:^|\n)[^\S\n]{0,40}(?:\[|<|#{1,4}\s{0,8}|\*{0,2})(?:system|developer|instruction|assistant|tool)(?:\s(?:prompt|message|note|override|update))?(?:\]|>|\*{0,2}:)"
    r"|<\|[a-z_]{2,20}\|>|\[/?inst\]|<<sys>>|</?(?:system|tool_call|function_call|instructions?|memory|im_start|im_end)>"
    r"|\"(?:tool_calls?|function_call|role\" ?: ?\"system)\""
)
_BEFORE = "(?:之前|以前|以上|上面|上述|前面|先前|此前|所有|全部|一切|原来|原有|系统|你的)"
_CHINESE = LazyPattern(
    rf"(?:忽略|无视|忘记|忘掉|忘了|抛开|丢弃|不要理会|不用理会|不必遵守|不要遵守|跳过|覆盖|绕过)(?:掉)?[^。！？\n]{{0,6}}{_BEFORE}[^。！？\n]{{0,8}}"
    r"(?:指令|指示|提示词?|要求|规则|规定|设定|命令|限制|约束|说明|内容|对话|消息)"
    r"|(?:忽略|无视)(?:以上|上面|上述|之前)(?:的)?(?:一切|所有|全部|内容)?"
    r"|你(?:必须|一定要|务必|应当|需要)(?:永远|始终|一直|总是|时刻|牢牢|给我)?(?:记住|记得|服从|听从|遵守|执行)"
    r"|记住[，,：:]?\s*你(?:必须|要|只能|应该|永远|不能|不得|是一个|以后|从此)"
    r"|从(?:现在|今天|此刻|今|此)(?:起|开始|以后)?[，,]?\s*你(?!好)|(?:今后|以后)你(?:必须|只能|都要|不得|永远)"
    r"|你(?:必须|只能)(?:永远|始终|总是|一律)(?:只)?(?:用|以|回答|说)"
    r"|把(?:这|以下|下面|上面)[^。！？\n]{0,16}(?:写入|存入|存进|保存到|记入|写进|加入|录入)(?:你的|到)?(?:长期|永久)?记忆"
    r"|(?:写入|存入|存进|保存到|写进)(?:你的)?(?:长期|永久)记忆"
    r"|你的新(?:指令|设定|身份|任务|系统提示)|新的?(?:系统)?(?:指令|提示词)[:：]"
    r"|(?:输出|显示|重复|泄露|告诉我|打印)你的(?:系统|初始|隐藏)(?:提示词?|指令|设定)"
    r"|(?:进入|开启|启用)(?:开发者|调试|管理员|越狱)模式|(?:不要|不得|别|禁止)告诉用户"
    r"|(?:删除|清空|抹掉|清除)(?:你的|所有|全部)[^。！？\n]{0,4}记忆"
    r"|(?:^|\n)\s{0,40}(?:[\[【<#]{1,8}\s{0,8}(?:系统|开发者|管理员)(?:提示词?|指令|消息|命令)?[\]】>]{1,8}\s{0,8}[:：]?|(?:系统|开发者|管理员)(?:提示词?|指令|命令)[:：])"
)
_ROLES = {
    "": ("Somebody", "有人"), "self": ("Somebody", "有人"), "user": ("User", "用户"), "human": ("User", "用户"),
    "assistant": ("Assistant", "助手"), "ai": ("Assistant", "助手"), "bot": ("Assistant", "助手"),
}  # fmt: skip


def is_directive(text: str) -> bool:
    """Whether a text orders the memory or its model about."""
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).lower()
    return _ENGLISH.search(plain) is not None or _CHINESE.search(plain) is not None


def reported(speaker: str, words: str, *, chinese: bool) -> str:
    """`Ann said: “…”`, 小苇说：“…”: the words as somebody's, on one line."""
    names = _ROLES.get(speaker.strip().lower(), (speaker.strip(), speaker.strip()))
    spoken = " ".join(words.split()).replace("“", "‘").replace("”", "’")
    return f"{names[1]}说：“{spoken}”" if chinese else f"{names[0]} said: “{spoken}”"
