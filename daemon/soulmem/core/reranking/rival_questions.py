"""Rival questions: whether a question asks how things stand, so that of several answers the one told last counts.

Called at recall by `competing_answers`. What happened stays as it was told, and where somebody is from never changes:
such questions have no rivals. A text put to a memory asks even where a talk would take it for telling. Pure.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

from soulmem.core.facts.stated_reasons import asks_why
from soulmem.core.questions.question_detection import is_question
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.reranking.validity_ranking import asks_past

_ASKED = 500  # characters of a question
_NAMED = 120  # of what tells but a name
_OF_NOW = CaselessPattern(
    r"\b(?:now(?:adays)?|these days|still|any ?more|currently|at (?:the moment|present))\b|现在|如今|眼下|目前|这阵子"
)
# How Chinese asks without a word for it, at the end of what is put to a memory: 还在厂里不, 留不留灯, 怎么联系.
_ASKS = LazyPattern(
    r"(?<!知道)(?<!晓得)(?<![不无]论)(?<!不管)(?:怎么[^，。！？都也]{1,4}|怎样|咋样?|什么样子?|靠啥[^，。！？都也]{0,8}|用啥[^，。！？都也]{0,6}"
    r"|啥子?[^，。！？都也]{0,3}|好多钱|几[个棵次顿回天只口人间][^，。！？都也]{0,6}|[^，。！？]{2}还是[^，。！？]{1,6}|干嘛呢?)[\s。.]*$"
    r"|(?:过没有?|了没有?|[^没]没得|在[^，。！？]{1,8}不|没谈|[来抽准留做信暗开要去会能是]不[来抽准留做信暗开要去会能是][^，。！？都也]{0,6})[\s。.]*$"
)
_EVENT = CaselessPattern(
    r"\b(?:did|was|were|had|why|happened|ever)\b|过|(?<![换改搬变成到])了(?:什么|好多|(?:多少|几)年)|[那当]时|那[天晚次回]|(?<![换改搬变成到])了[^，。！？几]{0,3}(?:啥|谁|多少|几[^点]|哪)|[发送买吃寄带拿]的(?:是)?(?:啥|什么|哪)|退休前|以前|为什么|怎么了|第一"
)
# Where somebody is from, how two met: no later telling takes the place of that. An allergy or a language is one of several.
_NEVER_CHANGES = CaselessPattern(
    r"\bwhere(?:['’]s| (?:am|is|are|was|were)) (?!(?:the|our|this|that)\b)[\w'’ ]{1,30}(?<!ing) from *\?*$|\b(?:do|does|did) (?:i|you|he|she|we|they) come from *\?*$"
    r"|\bwhat (?:town|city|county|country|state|village) (?:am|is|are) [\w'’ ]{1,30} from\b|\b(?:grew up|did [\w'’ ]{1,30} grow up)\b|\bstar sign\b"
    r"|\b(?:was|were|am|is|are) (?!(?:the|our) baby)[\w'’ ]{1,30}(?<!due to be)(?<!been) born *\?*$|\b(?:when|what)(?:['’]?s| is| was) (?:my|your|his|her|their|(?:(?:my|our|his|her) )?\w+['’]s) birthday *\?*$"
    r"|\bmaiden name\b|\bhow did \w+(?: \w+){0,3} meet\b"
    r"|哪[儿里]?的?人(?:呢|来着|啊)?[？?]*$|老家(?:是|在)?(?:哪|什么地方)|哪[年天儿里]出生|出生在|生日(?:是|在)?(?:哪天|几号|几月|什么时候)(?![^，。？?]*[办聚请宴派])"
    r"|(?:哪天|几号|什么时候)过?生日(?!派对|宴|会)|(?<![下家直附金从])属(?:什么|啥)(?!时候)|怎么认识|娘家姓"
    r"|(?<!now )\ballergic to *\?*$|\blanguages (?:do|does|can) [\w'’ ]{1,20} speak *\?*$"
    r"|(?<!现在)对(?:什么|哪些|啥)[^，。？?]{0,4}过敏|(?<![开周年社聚])会[说讲](?:哪[些几]|什么)[^，。？?]{0,3}(?:语|话(?!题))"
)


def has_rivals(query: str) -> bool:
    """Whether a question asks how things stand, so that of two answers the later one counts."""
    if asks_why(query) or asks_past(query):
        return False
    asks = is_question(query) or _ASKS.search(query[:_ASKED].strip()) is not None
    return asks and _NEVER_CHANGES.search(query[:_ASKED]) is None


def is_of_event(query: str) -> float:
    """1.0 where a question asks what happened, or how things came about: that stays as it was told."""
    return float(_EVENT.search(query) is not None)


def asks_now(query: str) -> bool:
    """Whether it is asked how things stand now: who asks so knows that they may be otherwise."""
    return _OF_NOW.search(query) is not None


# Where somebody is, lives or works; not where they are going.
_WHEREABOUTS = CaselessPattern(
    r"^\W*(?:and |so )?where(?:['’]?s| is| are| am| do| does)\b(?!.*\b(?:going|go|off to|headed|heading|moving|next|soon|plan\w*)\b)"
    r"|(?<!以后)(?<!将来)(?:在|住|住在)(?:哪|什么地方)(?![^，。？?]*(?:结婚|[办聚见]))"
)
_LATER_ON = CaselessPattern(r"\b(?:will|next|after)\b|以后|将来|之后|[要会打]算?去|过完|明年")


def asks_whereabouts(query: str) -> bool:
    """Whether it is asked where somebody is, lives or works now: where they mean to go is no answer yet."""
    asked = query[:_ASKED]
    return _WHEREABOUTS.search(asked) is not None and _LATER_ON.search(asked) is None


# The thing that a price is asked for one of: 多少钱一斤, "how much is a bale". A time is none: rents are told without.
_PRICED = CaselessPattern(
    r"\bhow much (?:is|are|do|does|did|was|were) [\w'’ ]{0,40}?\b(?:an?|per|each) (?P<en>(?!month|week|year|day|night|time|hour|new\b)[a-z]{3,})s?\b\s*\??$"
    r"|(?:多少钱|几块钱?|什么价)一(?P<zh>[斤两公吨箱筐袋只条头亩张瓶桶平])"
)


def prices_another(query: str, earlier: str, later: str) -> bool:
    """Whether the later of two answers gives no price of what the question asks the price of one of, as the earlier does."""
    found = _PRICED.search(query[:_ASKED])
    if found is None:
        return False
    piece = (found["en"] or found["zh"]).casefold()
    return piece in earlier.casefold() and piece not in later.casefold()


# A name is told once for all: only who asks for one may have another by now (a dog renamed, another's wife).
_TELLS_A_NAME = CaselessPattern(
    r"^[\w'’ -]{2,60} (?:is|are) (?:called|named) [\w'’ -]{1,30}\.?$|^[^，。！？]{1,16}(?<!大)叫[^，。！？了着过]{1,8}。?$"
)
_ASKS_A_NAME = CaselessPattern(r"\b(?:call(?:ed)?|names?|named|who(?:se|m)?)\b|叫|名字|谁")


def names_unasked(query: str, earlier: str) -> bool:
    """Whether the earlier of two answers tells but what somebody is called, which nobody asks."""
    tells = len(earlier) <= _NAMED and _TELLS_A_NAME.search(earlier) is not None
    return tells and _ASKS_A_NAME.search(query[:_ASKED]) is None
