"""List questions: whether a question asks for all of something ("which cities", 都去过哪些地方), not for one answer.

Called by recall, which then lets more come back than usual. What asks for several is said by grammar: a plural after
"what" or "which", "all", "every", a count; 哪些, 都…什么, 全部, 一共. Whoever wants something summed up wants all of it,
what was answered as well. Pure.
"""

# ruff: noqa: E501 (a pattern stands on long lines, as a table)

from __future__ import annotations

from soulmem.core.regex.lazy_regex import CaselessPattern

# What a word that ends in s is none of: a verb, a thing.
_NO_PLURAL = (
    r"(?!(?:is|was|does|has|as|this|his|its|us|yes|always|class|address|business|bus|process|status|news|stress|dress|boss"
    r"|series|species|means|diagnosis|tennis|lens|gas|virus|canvas|princess|access|success|illness|fitness)\b)"
)
_PLURAL = rf"{_NO_PLURAL}(?:[a-z-]{{2,}}[^s\W]s|people|children|men|women)\b(?! name)"
# "What prints the journal", "what motivates Ana": of a verb something follows at once.
_NO_VERB = r"(?! (?:the|an?|my|your|his|her|our|their|me|you|him|us|them|it)\b| (?-i:[A-HJ-Z][a-z]))"
_AUXILIARY = r"(?:has|have|had|do|does|did|is|are|was|were|can)"
# "has she ever painted", "have Rina and Leo seen": what may have been often; what one did once, or how things stand
# since, is one answer.
_EVER = (
    r"(?:both |all )?(?:[\w'’]+ ){1,2}?(?:and [\w'’]+ )?(?:both |ever |already )?"
    r"(?!(?:moved|parked|happened|changed|named|called|decided|agreed|planned|scheduled|booked|stored|saved|hidden)\b)"
    r"(?:\w+ed|been|gone|done|seen|made|built|read|eaten|drunk|written|drawn|sung|taken|given|got(?:ten)?|bought|sold"
    r"|taught|learnt|won|lost|met|found|tried|kept|had|heard|worn|flown|driven|ridden|swum|run|grown|sent|brought)\b"
    r"(?! (?:for|since)\b)"
)
_LISTS = CaselessPattern(
    rf"\b(?:what|which)(?: other| different| new| kinds? of| types? of| sorts? of)? (?:[a-z-]+ ){{0,2}}?{_PLURAL}{_NO_VERB}"
    rf"|\b(?:what|which) (?:[\w+&'’.-]+ ){{1,4}}?{_PLURAL}(?= {_AUXILIARY}\b)"
    rf"|\bwhat (?:are|were) (?:the|my|our|your|his|her|their|some|[\w’']+['’]s?) (?:[\w-]+ ){{0,2}}?{_PLURAL}"
    rf"|\b(?:what|which|where|who)(?: [\w+&'’-]+){{0,3}} (?:has|have) {_EVER}|\bin (?:what|which) ways\b"
    r"|\bwho (?:all|else)\b|\bwhere all\b|\ball (?:of )?(?:the|my|her|his|their|your|our|those|these)\b(?! (?:time|day|night|way)\b)"
    r"|\bevery(?:thing|one|body|where)?\b(?! (?:day|week|month|year|time|morning|night|other)\b)"
    r"|\blist\b|\bhow many (?!(?:years|months|weeks|days|hours|minutes|people live)\b)\w+|\bthe order in which\b"
    r"|哪些|哪几[^天年月点号岁]|(?:都|总(?!结))[^，。？！]{0,8}(?:什么|谁|哪[里儿])|(?:所有|全部)的?|[一总]共[^，。？！]{0,10}[几多]|列[出举一个下]"
    r"|过(?:的)?(?:什么|啥|谁|哪[里儿]?|(?:几|多少)[次回趟个本部只场])|(?:有|会)(?:什么|啥)(?:兴趣|爱好|特长|乐器|语言|外语|手艺|技能|目标|愿望|计划)"
    r"|(?:平时|平常|业余|闲着|空闲|周末)[^，。？！]{0,8}(?:什么|啥)"
)

_SUMMARIES = CaselessPattern(
    r"^\W*(?:please |now |so,? )?(?:summari[sz]e|sum up|recap)\b"
    r"|\b(?:can|could|would|will|please|to|let's|let us|you) (?:you |please |quickly |briefly |also ){0,3}(?:summari[sz]e|sum up|recap)\b"
    r"|\b(?:give|write|make|provide|show|get|want|need|have|like) (?:me |us )?(?:an? |the )?(?:[\w-]+ ){0,2}(?:summary|recap|overview|rundown) (?:of|on|about)\b"
    r"|(?:总结|概括|归纳|回顾|梳理)(?:一下|下|出来?)|(?:做|来|写|给我?|要)(?:一)?[个份](?:[^，。？！]{0,8}的)?(?:总结|小结|概述|概括|回顾)"
    r"|(?:帮我?|给我|请你?|能不能|可以|麻烦你?)(?:再|简单|大致|简要)?(?:地)?(?:总结|概括|归纳|回顾|梳理)"
)


def asks_all(text: str) -> bool:
    """Whether all of something is asked for."""
    return bool(_LISTS.search(text)) or asks_summary(text)


def asks_summary(text: str) -> bool:
    """Whether something is to be summed up, whoever said it."""
    return bool(_SUMMARIES.search(text))
