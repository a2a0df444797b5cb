"""Answer kind: what kind of thing a question asks for, or of whom, and whether a text speaks of such a one.

Read by `answer_type`. "What car do I drive" is answered by a car or by driving, 我女儿叫什么 by what is said of a daughter,
"my favourite colour" by a colour that somebody likes; a text that shares another word with the question answers none of
them. Only kinds are listed whose members can be told by their words. Pure. Invariant: a question that names no such kind
is met by every text.
"""

# ruff: noqa: E501 (the tables, `answer_kinds.txt` and `answer_kin.txt`, lie beside this)

from __future__ import annotations

import re

from soulmem.core.numbers.number_words import OF_TENS, TO_TWELVE
from soulmem.core.questions.concept_table import CASES
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.word_file import read_rows
from soulmem.core.wordlists.important_events import KIN_ZH
from soulmem.text_memo import text_memo


def _cases(head: str, without: str) -> tuple[str, str]:
    """The members of a kind in the table of cases: English alternatives, Chinese ones."""
    words: dict[str, None] = {}
    for line in CASES.strip().splitlines():
        heads, _, members = line.partition(">")
        if head in heads.split():
            words.update(dict.fromkeys((*heads.split(), *members.split())))
    kept = [word for word in words if word not in without.split()]
    return "|".join(re.escape(w) for w in kept if w.isascii()), "|".join(w for w in kept if not w.isascii())


_NUMBER = rf"\d{{1,3}}|(?:{OF_TENS})(?:[- ]\w+)?|{TO_TWELVE}|\w+teen"

# What stands behind "what", "which", "my favourite": 什么…, 哪种…, 最喜欢的….
_WHAT = r"(?:(?:what|which)(?:['’]?s)?(?: (?:kind|sort|type|make|model|colou?r) of)?(?: (?:my|our|your|the|is my|favou?rite))*|favou?rite) "
_WHAT_ZH = r"(?:什么样?|啥|哪[一种个款支本部首]{0,2}|最?喜欢的|最爱的)"

_WHICH = r"what(?:['’]?s| is| was| were) (?:my|our|your|his|her|their) (?:very )?(?:first|last|old|new|current) "
_NAMES = {"NUMBER": _NUMBER, "WHAT": _WHAT, "WHAT_ZH": _WHAT_ZH, "WHICH": _WHICH}
for _name, _head, _without in (
    ("ANIMALS", "animal", "animal pet creature 动物 宠物"), ("FRUIT", "fruit", ""), ("COLOURS", "colour", ""),
    ("VEHICLES", "vehicle", "golf drive bus taxi tractor 车 开车 公交 出租 三轮"), ("LANGUAGES", "language", ""),
    ("INSTRUMENTS", "instrument", "horn bass 小号 长号"), ("MEDICINES", "medicine", "iron"), ("DOGS", "dog", "dog 狗 pet 宠物"),
    ("CATS", "cat", "cat 猫 pet 宠物"),
    ("COUNTRIES", "country", ""), ("JOBS", "occupation", "job work living 工作"),
):  # fmt: skip
    _NAMES[_name], _NAMES[f"{_name}_ZH"] = _cases(_head, _without)


_ROWS = [
    (table, CaselessPattern(asked), CaselessPattern(said))
    for table, asked, said in read_rows("core/search/answer_kinds.txt", _NAMES)
]
_THINGS = tuple((asked, said) for table, asked, said in _ROWS if table == "thing")
_ANYBODYS = tuple((asked, said) for table, asked, said in _ROWS if table != "thing")
_KIN = [[cell.removeprefix("-") for cell in row] for row in read_rows("core/search/answer_kin.txt", _NAMES)]


_ROLES = frozenset(("老师", "老板", "房东", "邻居", "医生", "老丈人", "丈母娘"))


def _parted(words: str) -> tuple[str, str]:
    parts = [part for part in words.split("|") if part]
    return "|".join(part for part in parts if part.isascii()), "|".join(part for part in parts if not part.isascii())


_FEMALE = ("mother", "sister", "daughter", "wife", "girl", "grand(?:mother", "aunt", "mother-in-law")
_MALE = ("father", "brother", "son", "husband", "boyfriend", "grand(?:father", "uncle", "father-in-law")
_PRONOUNS = {"female": ("she", "她"), "male": ("he", "他"), "": ("he|she", "他|她")}


def _gender(english: str, chinese: str) -> str:
    """Of one's family, where that is told by what they are called."""
    if english.startswith(_FEMALE) or "姐姐?" in chinese or "妹妹?" in chinese:
        return "female"
    return "male" if english.startswith(_MALE) or "哥哥?" in chinese or "弟弟?" in chinese else ""


def _kin_rows() -> tuple[tuple[LazyPattern, LazyPattern], ...]:
    rows = []
    for chinese, english, beside in _KIN:
        also, also_chinese = _parted(beside)
        is_animal = "狗" in chinese or "猫" in chinese
        he, he_chinese = _PRONOUNS[_gender(english, chinese)]  # it may be of him that is asked
        person = "" if is_animal else rf"{he}|name(?:['’]s| is)"
        said = "|".join(each for each in (english, also, person) if each)
        third = (
            rf"(?:{he_chinese})(?!们?家?的?(?:{KIN_ZH}))|^(?:名?叫|姓)" if person else ""
        )  # 叫小满: of whom was told before
        said_chinese = "|".join(each for each in (chinese, also_chinese, third) if each)
        asked_in = (
            rf"(?:\b(?:my|our|his|her|their|a|any)|\w['’]s|s['’]) (?:{english})\b" if english else "",
            rf"(?:我们?家?|他|她|的|养了?|有)(?:{chinese})|^[\u4e00-\u9fff]{{2,3}}(?:{chinese})(?!家|们)"
            + (rf"|^(?:{chinese})" if chinese.split("|")[0] in _ROLES else ""),
        )
        asked = CaselessPattern("|".join(filter(None, asked_in)))
        rows.append((asked, CaselessPattern(rf"\b(?:{said})\b|{said_chinese}")))
    return tuple(rows)


_KIN_ROWS = _kin_rows()
# What stands before the word for one of somebody's family; in Chinese hardly anything need stand there.
_MAY_ASK_KIN = CaselessPattern(r"\b(?:my|our|his|her|their|a|any) |['’]s? |[^\x00-\x7f]")


@text_memo(64)
def kinds_of(question: str) -> tuple[LazyPattern, ...]:
    """What an answer to a question must speak of, each as a pattern; nothing where that cannot be told."""
    kin = _KIN_ROWS if _MAY_ASK_KIN.search(question) else ()
    return (*things_of(question), *(said for asked, said in (*_ANYBODYS, *kin) if asked.search(question)))


@text_memo(64)
def things_of(question: str) -> tuple[LazyPattern, ...]:
    """The same without whom it is asked of."""
    return tuple(said for asked, said in _THINGS if asked.search(question))


def is_of_kinds(kinds: tuple[LazyPattern, ...], text: str) -> bool:
    """Whether a text speaks of everything of these kinds."""
    return all(kind.search(text) for kind in kinds)


_OF_WORK = CaselessPattern(
    r"\bdo(?:es|ing)? for (?:a living|work)\b|\b(?:job|occupation|profession|trade)\b|\bwhat (?:do|does) (?:\w+ ){1,2}do\b"
    r"|(?:做|干)(?:什么|啥)(?:工作|的|活)|职业|什么工作"
)
# Whom somebody goes to, who is no trade of his own: "I'm afraid of the dentist", 医生让我多走路.
_SEEN = CaselessPattern(
    r"\b(?:the|my|our|her|his|their) (?:doctor|dentist|gp|vet|nurse|surgeon|optician|physio|consultant|solicitor|plumber|electrician|builder|barber|hairdresser)(?:['’]?s)?\b"
    r"|(?:^|[:.!?,] ?)(?:doctor|dentist|gp|vet|nurse|physio)(?:['’]s)? (?=put|said|says|wants|gave|told|reckons|thinks|has|is|was|on|at|appointment|tomorrow|today)"
    r"|看(?:牙医|医生|大夫)|(?:牙医|医生|大夫)(?:说|让|给|叫|建议|开)"
)


def without_seen(question: str, text: str) -> str:
    """A text that may tell of work, without those whom somebody only goes to; as it is for any other question."""
    return _SEEN.sub(" ", text) if _OF_WORK.search(question) else text


_UNITS = {
    each: LazyPattern(rf"(?:(?<!\d)\d{{1,3}}(?:\.\d)?|[一二两三四五六七八九十百千半几])多?个?半?{said}")
    for each, said in (
        ("年", "[年载]"), ("天", "[天日]"), ("个月", "月"), ("斤", "(?:斤|公斤|kg|千克)"), ("公里", "(?:公里|里地|千米|km)"),
        ("次", "[次回趟遍]"), ("回", "[次回趟遍]"), ("页", "页"),
    )
}  # fmt: skip
_UNIT_ASKED = LazyPattern(rf"(?:多少|几)({'|'.join(_UNITS)})(?![号级代次])")


def asked_unit(question: str) -> LazyPattern | None:
    """How a number is said that a question asks for in a unit: 多少年, 几公里; None where it names none."""
    found = _UNIT_ASKED.search(question)
    return _UNITS[found[1]] if found is not None else None
