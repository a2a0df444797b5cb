"""Advice questions: whether something is wanted of the assistant now, and whether what it said before is asked for.

Called by `core.search.relevance_scoring` when a question is read. To a request everything applies that somebody wished
for once and for all ("always include...", "I prefer...", 以后都..., 我喜欢你...), though it may share no word with it;
such a wish is told by the few words that it cannot do without, which the index finds as it finds any word; of the few
texts at hand it is then read whether they are one. Pure.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

from functools import cache

from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.text.tokens import segment

# What no standing wish does without; as terms, so pairs in Chinese.
WISH_WORDS = "always never prefer vegetarian vegan allergic intolerant 以后 今后 每次 总是 一律 偏好 喜欢 希望 千万 务必 吃素 忌口 过敏"


@cache
def wish_terms() -> tuple[str, ...]:
    """The terms of what may wish for something once and for all."""
    return tuple(term for word in WISH_WORDS.split() for term in segment(word) if word.isascii() or len(term) > 1)


_REQUEST = CaselessPattern(
    r"^(?:please |now |ok(?:ay)?,? |so,? )?(?:explain|write|draft|describe|plan|translate|list|name|compare)\b"
    r"|\b(?:can|could|would|will) you (?:please |also )?(?:help|show|give|tell|explain|write|make|suggest|recommend|walk"
    r"|provide|create|plan|design|draft|teach|describe|find|pick|choose|cook|book)\b"
    r"|\bhow (?:do|can|should|could|would|to) ?(?:I|we|you|one)?\b|\bwhat (?:should|would you)\b"
    r"|\b(?:help|show|give|teach|walk) (?:me|us)\b|\b(?:suggest|recommend)\b|\bany (?:ideas?|tips?|advice|suggestions?)\b"
    r"|\bwhat are (?:some|the (?:different|best|typical|common))\b"
    r"|[帮教]我|帮忙|给我(?:[来写做讲列推]|出个)|推荐[一几个点些下]|有(?:什么|没有|啥)(?:好的?)?(?:建议|推荐|办法|主意)|我(?:该|应该|要)(?:怎么|如何|选|用)"
    r"|^(?:请|再)?(?:解释|介绍|写|翻译|列出|设计|安排|比较)(?:一下|下|[一几]?[个篇封张份段首]|(?=[\u4e00-\u9fff]))"
    r"|(?:能|可以|可不可以|能不能|请|麻烦)你?(?:给我|帮我|再)?(?:推荐|建议|解释|介绍|写|安排|讲|列|设计)"
    r"|(?:怎么|如何|怎样)(?:才能|去|来)?(?:做|弄|写|办|处理|实现|设计|安排|选|搭配|学|练|准备|整理)"
)
_OF_THE_PAST = CaselessPattern(
    r"\b(?:did|had|have|has|was|were) (?:I|you|we)\b|\bI (?:brought up|mentioned|said|told you|asked)\b"
    r"|\b(?:summar(?:y|i[sz]e)|recap|the order in which)\b|[说提讲聊问去做用买]过|上次|总结|回顾|按顺序"
)
_ADVISED = r"(?:say|suggest|recommend|advi[sc]e|tell|explain|mention|propose|describe|teach)"
_SAID_BY_YOU = CaselessPattern(
    rf"\b(?:did|had|have) you (?:\w+ )?{_ADVISED}|\bdo you (?:remember|recall) (?:saying|suggesting|recommending|telling)"
    r"|\byou(?:['’]ve| have| had)? (?:\w+ )?(?:said|suggested|recommended|advised|told|explained|mentioned|proposed|gave|showed"
    r"|described|taught)\b|\byour (?:(?:\w+ )?(?:advice|suggestions?|recommendations?|explanations?|repl(?:y|ies)))\b"
    r"|你(?:上次|之前|以前|当时|那时候?|曾经?|刚才|刚刚|有没有)?(?:[跟给对向]我)?(?:们)?(?:说|讲|提|提到|建议|推荐|告诉|教|解释|回答|介绍)(?:[过了的]|我的|我)"
    r"|你(?:上次|之前|当时)?(?:给|说|推荐|建议|教|讲)(?:我|我们)?的|你的(?:建议|推荐|回答|说法|意见|解释)"
)


_TO_YOU = r"(?:answer|repl|respon|writ|explain|explan|suggest|recommend|give me|show me|tell me|code|example|email|message|format)"
_STANDING = CaselessPattern(
    r"(?:^|[.!?;:,\"“]\s*)(?:and |so |but |also )?(?:please,? )?(?:always|never)\b(?! been| had| seen| heard| mind)"
    r"|(?:^|[.!?;:\"“]\s*)please,? (?:always|never|keep|use|include|avoid|stop|make sure|remember to|(?:don['’]?t|do not) (?:use|give|suggest|recommend|write|include|call|add))\b"
    r"|\b(?:when(?:ever)?|if|each time|every time) (?:i|she|he|you) (?:asks?|talks?|writes?|reply|answer|explain|give|show|suggest|recommend)\b"
    rf"|\b(?:always|never|from now on)\b.{{0,40}}\b{_TO_YOU}|\b{_TO_YOU}\w*\b.{{0,40}}\b(?:always|never|from now on)\b"
    r"|\bprefers?\b(?! not to say)"
    r"|(?:以后|今后|从现在起|从今往后|每次|总是|一律|千万|务必)[^，。；！？]{0,12}(?:回[答复]|说|写|讲|推荐|解释|给|叫|用|都[要用带加]|别|不要|代码|code)"
    r"|(?:千万|以后)?(?:别|不要)(?:再)?[给跟对]我(?:用|说|讲|推荐|写|发|看)|希望你|喜欢你|偏好|(?:更|比较|只)喜欢(?:用|看|听)|喜欢用"
)
_DIET = CaselessPattern(
    r"\b(?:vegetarian|vegan|coeliac|celiac|(?:lactose|gluten)[- ](?:intolerant|free)|allergic|halal|kosher|intolerant)\b"
    r"|吃素|素食|忌口|过敏|清真|不吃[\u4e00-\u9fff]|不能[吃喝]"
)
_FOOD = CaselessPattern(
    r"\b(?:dinner|lunch|breakfast|brunch|supper|snacks?|eat|food|meals?|recipes?|cook\w*|bak(?:e|ing)|restaurants?|dish(?:es)?"
    r"|cakes?|menu|picnic|drinks?|dessert|party|takeaway|groceries)\b|[吃喝菜饭餐食]|烧烤|聚会|点心|外卖|蛋糕|饮料|甜品"
)


def applies(request: str, wish: str) -> bool:
    """Whether a text, told by who makes a request, says how it is to be met whatever it is about.

    What somebody does not eat applies to food alone.
    """
    return bool(_FOOD.search(request)) if _DIET.search(wish) else _STANDING.search(wish) is not None


def asks_advice(text: str) -> bool:
    """Whether something is to be done or advised now, so that standing wishes apply."""
    return bool(_REQUEST.search(text)) and not _OF_THE_PAST.search(text) and not asks_reply(text)


def asks_reply(text: str) -> bool:
    """Whether it asks for what the one who is asked said himself: "what did you suggest", 你推荐过什么."""
    return bool(_SAID_BY_YOU.search(text))
