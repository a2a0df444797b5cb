"""Advice questions: whether something is wanted of the assistant now, and whether what it said before is asked for.

Called by `core.search.relevance_scoring` when a question is read. To a request everything applies that somebody wished
for once and for all ("always include...", "I prefer...", 以后都..., 我喜欢你...), though it may share no word with it;
such a wish is told by the few words that it cannot do without, which the index finds as it finds any word. Pure.
"""

# Patterns stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import re
from functools import cache

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.tokens import segment

# What no standing wish does without; as terms, so pairs in Chinese.
WISH_WORDS = "always never prefer 以后 今后 每次 总是 一律 偏好 喜欢 希望"


@cache
def wish_terms() -> tuple[str, ...]:
    """The terms of what may wish for something once and for all."""
    return tuple(term for word in WISH_WORDS.split() for term in segment(word) if word.isascii() or len(term) > 1)


_REQUEST = LazyPattern(
    r"\b(?:can|could|would|will) you (?:please |also )?(?:help|show|give|tell|explain|write|make|suggest|recommend|walk"
    r"|provide|create|plan|design|draft|teach|describe|find|pick|choose|cook|book)\b"
    r"|\bhow (?:do|can|should|could|would|to) ?(?:I|we|you|one)?\b|\bwhat (?:should|would you)\b"
    r"|\b(?:help|show|give|teach|walk) (?:me|us)\b|\b(?:suggest|recommend)\b|\bany (?:ideas?|tips?|advice|suggestions?)\b"
    r"|\bwhat are (?:some|the (?:different|best|typical|common))\b"
    r"|[帮教]我|帮忙|给我(?:[来写做讲列推]|出个)|推荐[一几个点些下]|有(?:什么|没有|啥)(?:好的?)?(?:建议|推荐|办法|主意)|我(?:该|应该|要)(?:怎么|如何|选|用)"
    r"|(?:能|可以|可不可以|能不能|请|麻烦)你?(?:给我|帮我|再)?(?:推荐|建议|解释|介绍|写|安排|讲|列|设计)"
    r"|(?:怎么|如何|怎样)(?:才能|去|来)?(?:做|弄|写|办|处理|实现|设计|安排|选|搭配|学|练|准备|整理)",
    re.IGNORECASE,
)
_OF_THE_PAST = LazyPattern(
    r"\b(?:did|had|have|has|was|were) (?:I|you|we)\b|\bI (?:brought up|mentioned|said|told you|asked)\b"
    r"|\b(?:summar(?:y|i[sz]e)|recap|the order in which)\b|[说提讲聊问去做用买]过|上次|总结|回顾|按顺序",
    re.IGNORECASE,
)
_ADVISED = r"(?:say|suggest|recommend|advi[sc]e|tell|explain|mention|propose|describe|teach)"
_SAID_BY_YOU = LazyPattern(
    rf"\b(?:did|had|have) you (?:\w+ )?{_ADVISED}|\bdo you (?:remember|recall) (?:saying|suggesting|recommending|telling)"
    r"|\byou(?:['’]ve| have| had)? (?:\w+ )?(?:said|suggested|recommended|advised|told|explained|mentioned|proposed|gave|showed"
    r"|described|taught)\b|\byour (?:(?:\w+ )?(?:advice|suggestions?|recommendations?|explanations?|repl(?:y|ies)))\b"
    r"|你(?:上次|之前|以前|当时|那时候?|曾经?|刚才|刚刚|有没有)?(?:[跟给对向]我)?(?:们)?(?:说|讲|提|提到|建议|推荐|告诉|教|解释|回答|介绍)(?:[过了的]|我的|我)"
    r"|你(?:上次|之前|当时)?(?:给|说|推荐|建议|教|讲)(?:我|我们)?的|你的(?:建议|推荐|回答|说法|意见|解释)",
    re.IGNORECASE,
)


def asks_advice(text: str) -> bool:
    """Whether something is to be done or advised now, so that standing wishes apply."""
    return bool(_REQUEST.search(text)) and not _OF_THE_PAST.search(text) and not asks_reply(text)


def asks_reply(text: str) -> bool:
    """Whether it asks for what the one who is asked said himself: "what did you suggest", 你推荐过什么."""
    return bool(_SAID_BY_YOU.search(text))
