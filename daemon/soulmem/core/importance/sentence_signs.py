"""Sentence signs: what a sentence shows of how much it matters, whenever it was told and whoever said it.

Read by `importance_rating`, which is asked of the same words again and again: when a note is drafted, when it is rated,
when the message behind it is looked at, and when it is shown; and which asks for what is told beside a trifle:
老魏端了碗面上来，完了我俩一块儿遛了个弯儿 is of two people and no mere meal. Pure, Chinese and English. Invariants: the
same sentence has the same signs; they are kept for a while and forgotten with the texts.
"""

from __future__ import annotations

from collections.abc import Iterator

from soulmem.core.facts.clause_reader import OWN
from soulmem.core.facts.fact_reader import SELF, readings_of
from soulmem.core.facts.relations import Mode, Reading
from soulmem.core.importance.retention_periods import VITAL_FROM
from soulmem.core.names.kin_names import named_kin
from soulmem.core.names.name_recogniser import NameKind, NameSpan, find_names
from soulmem.core.regex.lazy_regex import HAN_WIDE, CaselessPattern, LazyPattern
from soulmem.core.wordlists.fictional_events import UNREAL_TEXT, is_unreal
from soulmem.core.wordlists.important_events import (
    CARED,
    CARED_ZH,
    DENIED_AHEAD,
    KIN,
    KIN_ZH,
    TO_REMEMBER,
    VITAL,
    Reason,
    Row,
)
from soulmem.core.wordlists.trivial_events import TRIFLES, is_habit_zh
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

_MATTER = VITAL_FROM + 0.03  # a home, a job, a number that somebody is reached by
_WHO = 0.62  # who somebody is, by his name
# A number that somebody is reached by, or that stands on what is his: a telephone, a plate, a house and its street.
_REACHED_BY = CaselessPattern(
    r"(?<![\d.,£$€])(?:\+?\d[ -]?){6,14}\d(?![\d.,]*(?:%|元|块))|(?-i:\b[A-Z]{2}\d{2} ?[A-Z]{3}\b)"
    r"|[京津沪渝粤苏浙鲁川鄂湘闽皖赣豫冀晋辽吉黑陕甘桂云贵琼][A-Z][·-]?[A-Z0-9]{5,6}"
    r"|\b\d{1,4}[a-d]? (?-i:[A-Z])\w+ (?:street|st|road|rd|lane|avenue|ave|close|drive|way|court|terrace)\b"
    r"|[\u4e00-\u9fff](?:路|街|巷|弄|里|小区)\d+[号弄栋]"
)
_HIDDEN = LazyPattern(r"(?<![眼睛目耳])[看听]不(?:太|大)?(?:清|见|到)")  # by fog and rain: 雾大得很，对面楼都看不到
_NOT_NOW = CaselessPattern(r"\b(?:used to|back then|years ago)\b|以前|曾经|从前|那时")
_MY_HOME = LazyPattern(r"房子|屋企|家里?|新家|our (?:house|flat|place)")
_MY_KIN = CaselessPattern(rf"(?:\w+ )?(?:{CARED}|{CARED_ZH})")
_WHERE_AND_WHAT = frozenset({"home", "work", "job"})

# 室友高兴，东北人: what somebody is, and his name, and nothing that he did.
_ROLE_ZH = LazyPattern(
    r"(?:室友|舍友|班主任|班长|同桌|房东|领导|上司|主管|组长|邻居|教练|同事|师傅|徒弟|供应商|老师)(?:是|叫)?$"
)
_SAID_OF = LazyPattern(r"[，,（(。；;]|$")

_WHO_IS_WHO = Row(Reason.PEOPLE, _WHO, _ROLE_ZH, False)
_PLACE_OF_LIFE = next(row for row in VITAL if row.reason is Reason.IDENTITY)


@dataclass(frozen=True, slots=True)
class Signs:
    """`nameless`: the sentence without the names of people; `trifle`: of what kind of trifle it tells.

    `vital` and `matters`: rows of which words or facts stand in it, and what each is worth.
    """

    names_people: bool
    nameless: str
    trifle: Reason | None
    vital: tuple[tuple[Row, float], ...]
    matters: tuple[tuple[Row, float], ...]


@text_memo(1_024)
def signs_in(plain: str) -> Signs:
    people = _people(plain)
    nameless = _without(plain, people)
    trifle = next((reason for reason, words in TRIFLES if words.search(nameless)), None)
    trifle = None if trifle in {Reason.MEAL, Reason.MOMENT} and is_habit_zh(nameless) else trifle
    vital = _vital(_HIDDEN.sub(" ", plain) if trifle is Reason.WEATHER else plain)
    matters = [*_matters(plain), *(_named(plain, people) if trifle is None else ())]
    return Signs(bool(people), nameless, trifle, tuple(vital), tuple(matters))


def _named(plain: str, people: list[NameSpan]) -> Iterator[tuple[Row, float]]:
    """Who is who: that a name is one's kin's, or somebody's whom one has to do with."""
    if (not UNREAL_TEXT.search(plain) and named_kin(plain)) or any(
        _SAID_OF.match(plain, each.end) and _ROLE_ZH.search(plain[max(0, each.start - 8) : each.start])
        for each in people
    ):
        yield _WHO_IS_WHO, _WHO


def _vital(plain: str) -> Iterator[tuple[Row, float]]:
    """The rows of which words stand in a sentence, unless they are undone."""
    keeps = TO_REMEMBER.search(plain) is not None
    for row in VITAL:
        if keeps and row.reason is Reason.PROMISE:
            continue
        for match in row.pattern.finditer(plain):
            before = plain[max(0, match.start() - 24) : match.start()]
            if not (row.undone and DENIED_AHEAD.search(before)) and not is_unreal(plain, match.start(), match.end()):
                yield row, row.value
                break


def _matters(plain: str) -> Iterator[tuple[Row, float]]:
    """Where somebody lives and works, and by what number he is reached: facts that are read, and no words of a list."""
    if (
        not (_NOT_NOW.search(plain) or UNREAL_TEXT.search(plain))
        and any(_is_matter(each) for each in readings_of(plain))
    ) or _REACHED_BY.search(plain):
        yield _PLACE_OF_LIFE, _MATTER


def _is_matter(reading: Reading) -> bool:
    owner, _, whose = reading.subject.partition(OWN)
    return (
        reading.relation in _WHERE_AND_WHAT
        and reading.mode in {Mode.HOLDS, Mode.CHANGED}
        and (_MY_HOME.fullmatch(owner) if owner != SELF else (_MY_KIN.match(whose) if whose else reading)) is not None
    )


def _people(plain: str) -> list[NameSpan]:
    return [each for each in find_names(plain) if each.kind is NameKind.PERSON]


def _without(plain: str, names: list[NameSpan]) -> str:
    """A sentence without its names: 诸葛晴 is no fine day, Summer no season."""
    for each in reversed(names):
        gap = " " if each.name.isascii() else _NO_NAME  # a plain blank parts Chinese clauses
        plain = f"{plain[: each.start]}{gap}{plain[each.end :]}"
    return plain


# 晚上吃的炒面 老板多给我卧了个鸡蛋: who writes no commas parts clauses by blanks.
_NO_NAME = "\u2003"
_CLAUSES = LazyPattern(
    r"[,，、;；:：]+|\s[-–—]+\s|\b(?:and|but|so|because)\b|(?<=[\u4e00-\u9fff\d])[ \u3000]+(?=[\u4e00-\u9fff\d])"
)
_FEW = 3  # clauses: a short sentence with a trifle in it is about the trifle
_WORD = LazyPattern(r"[A-Za-zÀ-ɏ0-9'’]+")
_MUCH_HAN, _MUCH_WORDS = 12, 8
# It is told of people: what they did, or what befell them.
_OF_PEOPLE = CaselessPattern(
    rf"\b(?:we|us|our|he|she|they|him|her|them|{KIN})\b|(?<=[a-z,] )(?-i:[A-Z])[a-z]{{2,}}"
    rf"|我[俩们]|咱|[他她]|[老小阿][\u4e00-\u9fff]|{KIN_ZH}"
)


def beside_trifles(plain: str, nameless: str) -> str:
    """The clauses of a sentence in which no trifle stands; empty where they say little, or nothing of other people.

    `nameless`: the same without its names, in which trifles are looked for.
    """
    parts, bare = _CLAUSES.split(plain), _CLAUSES.split(nameless)
    if len(parts) < _FEW or len(parts) != len(bare):
        return ""
    rest = [part for part, clause in zip(parts, bare, strict=True) if not any(w.search(clause) for _, w in TRIFLES)]
    told = ", ".join(part.strip() for part in rest)
    much = len(HAN_WIDE.findall(told)) >= _MUCH_HAN or len(_WORD.findall(told)) >= _MUCH_WORDS
    return told if much and _OF_PEOPLE.search(told) is not None else ""
