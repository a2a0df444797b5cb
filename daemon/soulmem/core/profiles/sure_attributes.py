"""Sure attributes: which of the statements that a text was read as a profile may tell as what somebody is, has or likes.

What compares statements may read too much: two that both say "like father" are compared and nothing is lost. A profile
is told as known, so what is loosely read stays out of it. Pure.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

from soulmem.core.facts.relations import ATTRIBUTE, Reading
from soulmem.core.regex.lazy_regex import CaselessPattern

_PLAIN = frozenset(
    {
        "home",
        "work",
        "job",
        "age",
        "birthday",
        "school",
        "diet",
        "status",
        "language",
        "allergy",
        "fear",
        "origin",
        "partner",
        "pet",
        "studies",
    }
)
_WHO = r"(?:\bi|\bwe|\bhe|\bshe|\bthey|(?-i:\b[A-ZÀ-Þ][\w'’-]{0,24}))(?:['’](?:ve|d|s|m|re))?(?: (?:really|also|still|do|does|have|has|always|never|quite|only|just|already|absolutely|both|all)){0,2}"
_WHO_ZH = r"(?:[我他她]们?|^[\u4e00-\u9fff]{2,4}?)(?:最|很|特别|一直|从小|也|还|就|真|非常|平时|都|早上|晚上|现在){0,3}"
_LIKES = CaselessPattern(
    rf"{_WHO} (?:likes?|loves?|enjoys?|adores?|prefers?|hates?|(?:am|is|are|['’]m|['’]s) (?:fond of|into|keen on|mad about|a fan of))\b"
    rf"|{_WHO_ZH}(?:喜欢|爱[吃喝看听玩打]|讨厌|钟爱|热爱)"
)
_OWNS = CaselessPattern(
    rf"{_WHO} (?:owns?|drives?|rides?|(?:have|has|['’]ve|['’]s) got|bought|keeps?)\b|{_WHO_ZH}(?:买了|有一?[辆只台把套条个间]|开的?是?一?辆|养)"
)
_NO_THING = CaselessPattern(
    r"\b(?:job|interview|appointment|exam|test|meeting|shift|lesson|class|party|wedding|trip|cold|flu|headache|idea|plan|chance|time|problem|feeling|day|night|week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow|yesterday)s?\b|天|周|月|号|事|课|会|约|考试|面试|感觉|想法|机会|问题"
)
_OFTEN = CaselessPattern(
    r"\b(?:every|each|usually|always|once an?|twice an?|daily|weekly|most (?:days|mornings|evenings|nights)|on (?:\w+days|weekends))\b|每[天周晚早月年个日逢]|天天|经常|总是|习惯"
)
# What somebody calls "my X" and what says something of him: not "my head is spinning".
_NOTED = CaselessPattern(
    r"favou?rite .+|(?:.+ )?(?:size|colou?r|number|type|group|address|e-?mail|phone|car|bike|van|rent|mortgage|salary|wage|pay|height|weight|star sign|nationality|surname|maiden name|middle name|nickname|doctor|dentist|gp|hours|hobby|hobbies|instrument|team|major|degree|medication|medicine|tablets|pills|inhaler|password|locker|bus|flat|house|landlord|landlady|boss|manager)"
    r"|最(?:喜欢|爱|怕|讨厌)的?.+|.*(?:颜色|号码|电话|手机|地址|邮箱|血型|星座|身高|体重|鞋码|尺码|车|房租|房贷|工资|月薪|薪水|老家|籍贯|专业|爱好|小名|绰号|外号|英文名|药|密码|房东|班主任|乐器)"
)
_NO_VALUE = CaselessPattern(
    r"(?:been|being|was|were|got|to|so|too|not|just|still|all|out|off|up|broken|late|gone|killing|spinning)\b|[了过着不没很太好]"
)
_LONGEST = 60


def is_sure(reading: Reading) -> bool:
    """Whether a profile may tell it as an attribute."""
    relation, said = reading.relation, reading.said
    if relation in _PLAIN:
        return True
    if relation == "likes":
        return _LIKES.search(said) is not None
    if relation == "owns":
        return _OWNS.search(said) is not None and _NO_THING.search(reading.object) is None
    if relation == "habit":
        has_subject = said.isascii() or said[:1] in "我他她"
        return has_subject and _OFTEN.search(said) is not None
    if relation.startswith(ATTRIBUTE):
        noted = _NOTED.fullmatch(relation.removeprefix(ATTRIBUTE)) is not None
        return noted and len(reading.object) <= _LONGEST and _NO_VALUE.match(reading.object) is None
    return False
