"""Named kin: whose name somebody tells in passing ("took our grandson Felix to the zoo", 我女儿糖糖今天发烧了).

A friend forgets the zoo and not the grandson, so what names one's family (or one's animals) is told apart from what
happened: `idle/steps/kin_facts` makes a fact of it, and in the note of the event the name keeps as long as the note
(`importance_rating.keeping`). Whoever is kin of somebody else (her son Otto, 她女儿糖糖) or is named without such a
word is not meant. Pure, Chinese and English, linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from soulmem.core.names.name_recogniser import NameKind, NameSpan, find_names
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.wordlists.important_events import CARED, CARED_ZH
from soulmem.fast_dataclasses import dataclass

LOOKED_AT = 2_000  # characters
_MOST = 4  # named together

# Of whom somebody speaks as his own; what he is beside that (eldest, new) may stand between.
_OWN = CaselessPattern(
    r"\b(?:my|our)(?: (?:own|dear|darling|eldest|oldest|youngest|older|elder|younger|big|baby|middle|twin|late|new|old"
    r"|two|three|four|five|\d+[- ]year[- ]old))* "
    rf"(?P<kin>{CARED}|eldest|oldest|youngest|boy|lad|girl|lass)(?:'s)?,? (?:called |named )?$"
)
# "They're calling the girls Isla": whose girls they are is not told.
_THE = CaselessPattern(
    r"(?<!call )(?<!called )(?<!calling )(?<!name )(?<!named )(?<!naming )"
    r"\bthe (?P<kin>kids|twins|grandkids|grandchildren|boys|girls),? $"
)
_BEHIND = CaselessPattern(rf",? (?:is |['’]s )?(?:my|our) (?:\w+ )?(?P<kin>{CARED})\b(?!['’])")
_AND = LazyPattern(r"(?:, and |, | and | & |和|跟|、|还有)$")
_OWN_ZH = LazyPattern(
    rf"(?P<whose>(?:我们|咱们|我|咱|俺)(?:的|家的?)?)?(?P<kin>(?:亲|大|小|二|三)?(?:{CARED_ZH}|老大|老二|老三|老幺))[，,]?(?:叫|名叫)?$"
)
# Without a word for whose it is only the closest are one's own: 接外孙乐乐放学.
_CLOSEST = "(?:儿子|女儿|闺女|孙子|孙女|外孙女?|老公|老婆|老伴儿?|孩子们?|宝宝)"
_CLOSEST_ZH = LazyPattern(rf"{_CLOSEST}$")
_OTHERS_ZH = LazyPattern(r"(?:[的他她它你您谁]|他们|她们|你们|[他她你您]家|人家|一个|某|[\u4e00-\u9fff]家)$")
_LOOKED_BACK = 40  # and as far ahead
_PLURAL = re.compile(
    r"(?:kids|twins|children|boys|girls|sons|daughters|sisters|brothers|cats|dogs|孩子们?|双胞胎|子女)$"
)


@dataclass(frozen=True, slots=True)
class NamedKin:
    """A relative by name: `[start, end)` holds the word for what he is and the name, of several all of them."""

    start: int
    end: int
    kin: str
    names: tuple[str, ...]

    def fact(self, speaker: str, *, chinese: bool) -> str:
        """Who that is, as a note says it of the speaker."""
        if chinese:
            return f"{speaker}的{self.kin}叫{'和'.join(self.names)}"
        are = "are" if len(self.names) > 1 else "is"
        return f"{speaker}'s {self.kin} {are} called {' and '.join(self.names)}"


_ASKED = CaselessPattern(
    rf"\b(?:my|our) (?:\w+ )?(?P<en>{CARED}|boy|lad|lass)\b(?!['’]s? (?:\w+ )?{CARED}\b)"
    rf"|(?:(?:我们|咱们|我|咱|俺)(?:的|家的?)?|^(?={_CLOSEST}))(?P<zh>{CARED_ZH})(?!的?{CARED_ZH}|[夫媳婿父])"
)
_ASKS_NAME = CaselessPattern(
    r"\b(?:called|names?|named|who(?:['’]s| is| are))\b|叫什么|叫啥|叫做什么|名字|是谁|贵姓|姓什么"
)
# One word may stand for the other: who is 爱人 may be called 老公 another time.
_OF_ONE = (  # nobody has two of them
    "mum mom mama mother mommy mummy 妈 妈妈 母亲",
    "dad papa father daddy 爸 爸爸 父亲",
    "husband hubby 老公 丈夫",
    "wife missus 老婆 妻子",
)
_ALIKE = tuple(
    frozenset(group.split())
    for group in (
        "husband hubby partner spouse 老公 丈夫 爱人 先生 老伴 老伴儿 老头子",
        "wife missus partner spouse 老婆 妻子 媳妇 爱人 太太 老伴 老伴儿 婆娘",
        "mum mom mama mother 妈 妈妈 母亲",
        "dad papa father 爸 爸爸 父亲",
        "son boy lad kid kids child children boys 儿子 孩子 孩子们",
        "daughter girl lass kid kids child children girls 女儿 闺女 孩子 孩子们",
        "kid kids child children twins 孩子 孩子们 双胞胎 宝宝",
        "sister sisters 姐 姐姐 妹 妹妹",
        "brother brothers 哥 哥哥 弟 弟弟",
        "boyfriend bf partner 男朋友 男友 对象",
        "girlfriend gf partner 女朋友 女友 对象",
        "grandma gran nan granny 奶奶",
        "grandpa grandad granddad 爷爷",
        "dog puppy 狗",
        "cat kitten 猫",
    )
)


_ONE_WORD = {word: group.split()[0] for group in _OF_ONE for word in group.split()}


def asked_kin(question: str) -> str:
    """The word for the asker's own relative or animal that a question speaks of; empty where it speaks of none.

    Whoever is kin of kin ("my husband's mother") is not meant, nor whose name is asked for.
    """
    if _ASKS_NAME.search(question[:LOOKED_AT]):
        return ""
    match = _ASKED.search(question[:LOOKED_AT])
    return (match["en"] or match["zh"]).lower() if match else ""


def own_kin(text: str, speaker: str) -> tuple[str, ...]:
    """The words for the speaker's own kin in what he told, in his words or as a note of him; each as one word."""
    text = text[:LOOKED_AT]
    found = [(match["en"] or match["zh"]).lower() for match in _ASKED.finditer(text)]
    if speaker and (f"{speaker}的" in text or f"{speaker}'s" in text or f"{speaker}’s" in text):
        whose = re.compile(rf"{re.escape(speaker)}(?:['’]s |的)(?P<kin>{CARED}|{CARED_ZH})", re.IGNORECASE)
        found += [match["kin"].lower() for match in whose.finditer(text)]
    return tuple(dict.fromkeys(_ONE_WORD.get(kin, kin) for kin in found))


def one_kin(kin: str) -> str:
    """A word for a relative as the one word that stands for all that mean the same: mum, 妈 and mother are one."""
    return _ONE_WORD.get(kin, kin)


def same_kin(one: str, other: str) -> bool:
    """Whether two words for a relative may be of one: husband and partner, 女儿 and 孩子."""
    return _is_alike(one_kin(one), one_kin(other))


def words_for(kin: str) -> tuple[str, ...]:
    """The words by which others may call such a relative, this one first: missus, wife, 老婆."""
    alike = sorted({word for group in _ALIKE if kin in group for word in group} - {kin})
    return (kin, *alike)


def with_names(question: str, names: Sequence[str]) -> str:
    """The question with names for the word that speaks of the asker's own kin."""
    told = (" and " if question.isascii() else "和").join(names)
    return _ASKED.sub(lambda _: told, question, count=1)


def names_of_kin(text: str, kin: str, asker: str = "") -> tuple[str, ...]:
    """By which names a text calls a relative of whoever says it; of a note that tells it of `asker`, of him."""
    found = [name for each in named_kin(text) if _is_alike(each.kin, kin) for name in each.names]
    if asker:
        told = re.compile(
            rf"{re.escape(asker)}(?:['’]s |的)(?P<kin>[\w\u4e00-\u9fff]+?)(?: (?:is|are) called |叫)"
            r"(?P<names>[^。.，,；;（(]{1,60})"
        )
        for match in told.finditer(text):
            if _is_alike(match["kin"], kin):
                found += [name.strip() for name in re.split(r" and |和|、", match["names"]) if name.strip()]
        whose = re.compile(rf"{re.escape(asker)}(?:['’]s |的)(?P<kin>{CARED}|{CARED_ZH}) ?$", re.IGNORECASE)
        for name in find_names(text):
            ahead = whose.search(text[max(0, name.start - _LOOKED_BACK) : name.start])
            if ahead and name.kind is NameKind.PERSON and _is_alike(ahead["kin"], kin):
                found.append(name.name)
    return tuple(dict.fromkeys(found))


def _is_alike(one: str, other: str) -> bool:
    return one == other or any(one in group and other in group for group in _ALIKE)


def named_kin(text: str, known: Sequence[str] = ()) -> tuple[NamedKin, ...]:
    """The relatives and animals of whoever says this that it names, in order.

    `known`: names that are known already.
    """
    text = text[:LOOKED_AT]
    people = [each for each in find_names(text, known) if each.kind is NameKind.PERSON]
    return tuple(_named(text, people)) if people else ()


def _named(text: str, people: Sequence[NameSpan]) -> Iterator[NamedKin]:
    at = 0
    while at < len(people):
        found = _ahead_of(text, people[at]) or _behind(text, people[at])
        if found is None:
            at += 1
            continue
        start, end, kin, leads = found
        several = [people[at]]
        while leads and len(several) < _MOST and at + 1 < len(people) and _is_next(text, several[-1], people[at + 1]):
            at += 1
            several.append(people[at])
        if len(several) > 1 and not _PLURAL.search(kin):
            several = several[:1]  # "my son Otto and Ben": nobody says whose Ben is
        names = tuple(_own_part(text, start, each, kin) for each in several)
        yield NamedKin(start, max(several[-1].end, end), kin, names)
        at += 1


def _ahead_of(text: str, name: NameSpan) -> tuple[int, int, str, bool] | None:
    """The span of the word for what somebody is right before his name, that word, and that it leads."""
    low = max(0, name.start - _LOOKED_BACK)
    ahead = text[low : name.start]
    for pattern in (_OWN, _THE):
        if match := pattern.search(ahead):
            if ahead.rstrip().endswith(",") and not name.name[:1].isupper():
                return None  # "my granddaughter, drew me a giraffe"
            return low + match.start("kin"), low + match.end("kin"), match["kin"].lower(), True
    # 孙 is a surname too: of 外孙乐乐 the name begins behind the word.
    for cut in (0, 1):
        ahead = text[low : name.start + cut]
        match = _OWN_ZH.search(ahead)
        if match and cut < name.end - name.start and (cut == 0 or match["kin"].endswith("孙")):
            before = ahead[: match.start()]
            if match["whose"] or (_CLOSEST_ZH.search(match["kin"]) and not _OTHERS_ZH.search(before)):
                return low + match.start("kin"), low + match.end("kin"), match["kin"], True
    return None


def _behind(text: str, name: NameSpan) -> tuple[int, int, str, bool] | None:
    """The same of the word for what somebody is where it stands right behind the name: "Mila, my granddaughter"."""
    match = _BEHIND.match(text[name.end : name.end + _LOOKED_BACK])
    return (name.start, name.end + match.end(), match["kin"].lower(), False) if match else None


def _own_part(text: str, start: int, name: NameSpan, kin: str) -> str:
    """The name without what belongs to the word before it."""
    return (
        text[max(name.start, start + len(kin)) : name.end] if name.start >= start and kin.endswith("孙") else name.name
    )


def _is_next(text: str, before: NameSpan, after: NameSpan) -> bool:
    between = text[before.end : after.start]
    return len(between) <= 6 and _AND.fullmatch(between) is not None if between else False
