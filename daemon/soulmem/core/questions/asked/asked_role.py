"""Whose name a question asks for by what he is to somebody: the vet, the poet, 书法班的老师.

Used by `core.search.answer_type`. Who is called so must be told where such a one is spoken of: another's name in the
same text is no answer. Pure. Invariant: a question that asks for no name, or by no such word, is of no role.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.text_memo import text_memo

# Words that may be said of one and the same: who asks for the boss is told of a manager.
_ROLES = (
    "boss|manager|supervisor|line manager|老板|领导|上司|经理|主管|店长|总监",
    "teacher|tutor|coach|instructor|trainer|professor|lecturer|conductor|老师|教练|导师|师傅|教授",
    "doctor|gp|surgeon|consultant|dentist|therapist|physio|midwife|nurse|医生|大夫|护士|主任|牙医|主刀",
    "vet|兽医",
    "landlord|landlady|房东",
    "flatmate|housemate|roommate|lodger|室友|舍友|房客",
    "neighbou?r|邻居|隔壁|对门|楼[上下]",
    "plumber|joiner|builder|electrician|roofer|carpenter|decorator|painter|mechanic|gardener|cleaner|水管工|木匠|木工|电工|油漆工|修理工|钟点工|保姆",
    "poet|writer|author|artist|painter|singer|composer|诗人|作家|画家|歌手",
    "priest|vicar|curate|pastor|minister|imam|rabbi|牧师|神父|住持",
    "hairdresser|barber|stylist|理发师|理发的",
    "driver|courier|postman|司机|快递员|邮递员",
    "lawyer|solicitor|accountant|bookkeeper|agent|律师|会计|中介",
    "colleague|cowork\\w*|同事",
)
_PATTERNS = tuple(
    CaselessPattern("|".join(rf"\b(?:{word})s?\b" if word.isascii() else word for word in row.split("|")))
    for row in _ROLES
)
_ASKS = CaselessPattern(
    r"\b(?P<of>[a-z]+)['’]s (?:\w+ )?name\b|\bname (?:of|does) (?:my|our|the|his|her|their) (?:\w+ )?(?P<name_of>[a-z]+)\b|\b(?:is|was) (?:my|our|the|his|her|their) (?:\w+ )?(?P<called>[a-z]+) called\b"
    r"|(?P<zh>[\u4e00-\u9fff]{2,3})(?:的?名字)?(?:叫(?:什么|啥)|姓(?:什么|啥)|贵姓|是谁)"
)
_SENTENCE = LazyPattern(r"[^.!?。！？\n]+[.!?。！？\n]*")


@text_memo(64)
def role_asked(question: str) -> LazyPattern | None:
    """The words for whom a question asks by what he is, where it asks for his name; else None."""
    found = _ASKS.search(question)
    if found is None:
        return None
    word = found["of"] or found["name_of"] or found["called"] or found["zh"]
    return next((pattern for pattern in _PATTERNS if pattern.search(word)), None)


def told_of_role(text: str, role: LazyPattern) -> str:
    """The sentences of a text that speak of such a one, each with the one behind it; empty where none does."""
    sentences = _SENTENCE.findall(text)
    speaks = [role.search(each) is not None for each in sentences]
    return " ".join(each for at, each in enumerate(sentences) if speaks[at] or (at and speaks[at - 1]))
