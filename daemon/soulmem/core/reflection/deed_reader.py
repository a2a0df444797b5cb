"""Deed reader: what a note says that its speaker did, or what befell him, and with whom.

Called for notes over which a mind reflects (`core/reflection/recurrence`). A note is cut into clauses as facts are
(`core/facts/fact_reader`); only what the speaker did himself counts, alone or with others: what is denied, planned,
wished, supposed or asked is no deed, and what is told as a habit ("every Sunday") is one statement and no event. Most
deeds stand in a table with a name that both languages share; others are a verb with what it was done to. Pure.
Invariants: at most `_MOST` deeds a note; the same for the same text.
"""

# ruff: noqa: E501 (patterns and words stand on long lines, as tables)

from __future__ import annotations

from collections.abc import Iterator, Sequence

from soulmem.core.facts.fact_reader import clauses_of, in_first_person
from soulmem.core.names.name_recogniser import people_in
from soulmem.core.reflection.done_things import thing_done
from soulmem.core.regex.lazy_regex import HAN, CaselessPattern, LazyPattern
from soulmem.core.text.tokens import fold
from soulmem.core.text.word_file import read_rows
from soulmem.core.wordlists.important_events import KIN, KIN_ZH
from soulmem.fast_dataclasses import dataclass

LOOKED_AT = 1_200  # characters of a note
_MOST = 6
_MOST_CLAUSES = 16
_CAPITAL = r"(?-i:[A-ZÀ-Þ])[\w’-]*"
_WHO = rf"(?P<o>(?:(?:my|our) (?:\w+ )?)?(?:{KIN})\b(?!['’])(?: {_CAPITAL}(?!['’]))?|{_CAPITAL}(?!['’]))"
_WHO_ZH = rf"(?P<o>{KIN_ZH}|[{{]\d[}}])(?!的)"  # a name stands as its number
_NAMES = {
    "WENT": rf"(?:(?:went|been|gone) (?:out |back )?|took (?:(?:my|our) (?:{KIN})|{_CAPITAL}) (?:out )?|^)",
    "LONG": r"(?:(?:[一二两三四五六七八九十半几\d]+个?(?:多|半)?(?:小时|钟头|分钟|会儿?|阵|遍|下午|上午|晚上?|天|场|局|盘|圈|节|次|曲)|会儿|一下)的?)?",
    "WHO": _WHO,
    "WHO_ZH": _WHO_ZH,
}


@dataclass(frozen=True, slots=True)
class Deed:
    """`name` tells deeds apart, in either language; `english` and `chinese` say it, "" where they cannot.

    `whom`: whom it was done to, where that is part of what it was; `beside`: others who took part.
    """

    name: str
    english: str
    chinese: str
    whom: str = ""
    beside: tuple[str, ...] = ()
    befell: bool = False
    plain: bool = False  # of no table: a verb and a thing


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    befell: bool
    pattern: LazyPattern
    english: str
    pattern_zh: LazyPattern
    chinese: str


_ROWS = tuple(
    _Row(
        row[0].lstrip("~"), row[0].startswith("~"),
        CaselessPattern(row[1]), row[2], LazyPattern(row[3]), row[4],
    )
    for row in read_rows("core/reflection/deed_patterns.txt", _NAMES)
)  # fmt: skip

# What may stand before the deed: when it was, who else took part, how.
_LEAD = CaselessPattern(
    r"(?:(?:and|then|so|also|oh|well|ok|okay|anyway|again|finally|afterwards?|later|today|tonight|yesterday|honestly|actually|this (?:morning|afternoon|evening)|last (?:night|evening)|in the (?:morning|afternoon|evening)|after (?:work|school|lunch|dinner|breakfast)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day(?: (?:morning|afternoon|evening|night))?)[, ]+){0,4}"
)
_SUBJECT = CaselessPattern(
    r"(?:(?:i|we|i['’]ve|we['’]ve)\b ?|(?:my \w+|[a-z’]+|me) and (?:i|me)\b ?)?"
    r"(?:(?:have|had|just|also|finally|actually|only|both|all|even|really|again|did|managed to|ended up|went and) ){0,3}"
)
_BEFALLS = CaselessPattern(r"(?:i|i['’]m|i['’]ve)\b ?(?:(?:still|just|really|again|simply|have|had) ){0,2}")
_UNDONE = CaselessPattern(
    r"\b(?:not|never|no|nobody|nothing|will|would|could|should|might|may|must|if|unless|wish\w*|hop(?:e|ed|ing)|plan\w*|going to|gonna|wan(?:t|ts|ted|na)|used to|supposed|maybe|perhaps|tomorrow|next|forgot\w*|almost|nearly|instead of|every|always|usually|often|sometimes|dream\w*|cancel\w*|skipped|missed)\b|n['’]t\b|['’](?:ll|d)\b"
)
_UNDONE_ZH = LazyPattern(
    r"没(?!想到)|不(?!小心|错|久)|别|想(?!不到)|打算|准备|计划|要(?!求)|会(?!儿|议)|如果|要是|假如|希望|明天|后天|下周|下个?月|可能|也许|应该|本来|取消|差点|每[天周个次]|总是|经常|常常|平时|一般|梦"
)
_OTHERS_ZH = LazyPattern(
    rf"[他她它你您谁]|人家|大家|别人|有人|老师|同学|同事|主任|老板|邻居|医生|楼上|楼下|隔壁|电视|{KIN_ZH}"
)
_WITH_ZH = LazyPattern(r"(?:我们?|咱们?)?(?:又|还|一起)?(?:和|跟|与|同|陪|带|约|叫上|拉着)[^，。]{0,14}")
_WITH = LazyPattern(
    rf"\b(?:with|together with) (?P<a>{_CAPITAL}|(?:my|our) (?:{KIN})\b(?: {_CAPITAL})?)(?:,? and (?P<b>{_CAPITAL}|(?:my|our|his|her) (?:{KIN})(?: {_CAPITAL})?))?"
    rf"|(?<![\w’-])(?P<c>{_CAPITAL}|[Mm]y (?:{KIN})) and I\b|\b[Mm]e and (?P<d>{_CAPITAL}|my (?:{KIN})\b)"
    rf"|\b[Tt]ook (?P<e>{_CAPITAL}|(?:my|our) (?:{KIN})\b) (?:out )?\w+ing\b"
)
_WITH_WHOM_ZH = LazyPattern(
    rf"(?:和|跟|与|同|陪|带|约|叫上|拉着)(?:我的?)?(?P<a>{KIN_ZH}|[{{]\d[}}])|(?P<b>{KIN_ZH}|[{{]\d[}}])(?:约|叫|带|拉|陪)(?:上|着)?我"
)
_INVITED_ZH = LazyPattern(rf"(?:{KIN_ZH}|[{{]\d[}}])(?:约|叫|带|拉|陪)(?:上|着)?我")
_SPOKEN = {
    "妈": "妈妈",
    "爸": "爸爸",
    "哥": "哥哥",
    "姐": "姐姐",
    "弟": "弟弟",
    "妹": "妹妹",
    "叔": "叔叔",
    "姑": "姑姑",
}
_SMALL = frozenset("kid kids child children baby kiddo kiddos twins 孩子 孩子们 宝宝 娃 双胞胎".split())
_NUMBERED = LazyPattern(r"[{](\d)[}]")
_KIN_WORDS = CaselessPattern(rf"(?:my|our|his|her) (?:\w+ )?(?P<kin>{KIN})\b(?: (?P<name>{_CAPITAL}))?")
_NOBODY = frozenset(
    {
        "i",
        "we",
        "it",
        "the",
        "a",
        "an",
        "this",
        "that",
        "my",
        "our",
        "another",
        "some",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    }
)


def deeds_in(text: str, speaker: str, people: Sequence[str] = ()) -> tuple[Deed, ...]:
    """What the speaker did, or what befell him, each once. `people`: whom the mind knows by name."""
    text = text[:LOOKED_AT]
    found: dict[str, Deed] = {}
    names = [name for name in dict.fromkeys((*people_in(text, people), *people)) if fold(name) != fold(speaker)]
    plain = in_first_person(text, speaker)
    beside = _beside(plain)
    for sentence in clauses_of(text, speaker):
        for clause in sentence[:_MOST_CLAUSES]:
            read = _chinese(clause, plain, names) if HAN.search(clause) else _english(clause, beside, names)
            for deed in read:
                found.setdefault(deed.name, deed)
        if len(found) >= _MOST:
            break
    return tuple(found.values())[:_MOST]


def _english(clause: str, beside: Sequence[str], names: Sequence[str]) -> Iterator[Deed]:
    """`beside`: who took part in what the whole text tells."""
    lead = _LEAD.match(clause)
    rest = clause[lead.end() if lead else 0 :]
    own = _BEFALLS.match(rest)
    after = rest[own.end() if own else 0 :]
    for row in _ROWS:
        if row.befell and row.pattern.match(after):
            yield Deed(row.name, row.english, row.chinese, befell=True)
            return
    if _UNDONE.search(clause):
        return
    subject = _SUBJECT.match(rest)
    rest = rest[subject.end() if subject else 0 :]
    for row in _ROWS:
        if row.befell or (match := row.pattern.match(rest)) is None:
            continue
        whom = _person(match.groupdict().get("o") or "", names, known=True)
        if "{o}" not in row.english:
            yield Deed(row.name, row.english, row.chinese, beside=tuple(beside))
        elif whom:
            own_words, _, any_way = row.english.partition("/")
            said = own_words if not any_way or (match["v"] or "").lower() == own_words.split()[0] else any_way
            kept = tuple(each for each in beside if fold(each) != fold(whom))
            yield Deed(f"{row.name}:{fold(whom)}", said.replace("{o}", whom), "", whom, kept)
        else:
            continue
        return
    if (thing := thing_done(rest)) is not None:
        yield Deed(thing.name, thing.english, "", beside=tuple(beside), plain=True)


def _chinese(clause: str, text: str, names: Sequence[str]) -> Iterator[Deed]:
    numbered, told = _with_numbers(clause, names)
    beside = _beside_zh(numbered, names)
    found = False
    for row in _ROWS:
        match = row.pattern_zh.search(numbered)
        if match is None or not _is_own(numbered[: match.start()]):
            continue
        if not row.befell and _UNDONE_ZH.search(numbered):
            continue
        whom = _named(match.groupdict().get("o") or "", names)
        whom = "" if whom in _SMALL else whom
        if "{o}" not in row.chinese:
            yield Deed(row.name, row.english, row.chinese, beside=beside, befell=row.befell)
        elif whom:
            own_words, _, any_way = row.chinese.partition("/")
            looked = not any_way or (match["v"] or "").startswith(("看", "探"))
            said = own_words if looked else any_way
            kept = tuple(each for each in beside if each != whom)
            yield Deed(f"{row.name}:{fold(whom)}", "", said.replace("{o}", whom), whom, kept)
        else:
            continue
        found = True
        if not row.befell:
            return
    if not found and _is_own(numbered[:6]) and not _UNDONE_ZH.search(numbered) and (thing := thing_done(told)):
        yield Deed(thing.name, "", thing.chinese, beside=beside, plain=True)


def _is_own(before: str) -> bool:
    """Whether what follows these words of a clause is the speaker's: nobody else was named as who did it."""
    rest = _WITH_ZH.sub("", before)
    is_others = _NUMBERED.search(rest) is not None and "我" not in rest and _INVITED_ZH.search(before) is None
    return _OTHERS_ZH.search(rest) is None and not is_others


def _with_numbers(clause: str, names: Sequence[str]) -> tuple[str, str]:
    """The clause with its names as numbers, so that one pattern finds whoever it is; and as it was."""
    numbered = clause
    for number, name in enumerate(names[:10]):
        numbered = numbered.replace(name, f"{{{number}}}")
    return numbered, clause


def _named(words: str, names: Sequence[str]) -> str:
    number = _NUMBERED.fullmatch(words)
    return names[int(number[1])] if number is not None else _SPOKEN.get(words, words)


def _beside_zh(numbered: str, names: Sequence[str]) -> tuple[str, ...]:
    found = [_named(match["a"] or match["b"], names) for match in _WITH_WHOM_ZH.finditer(numbered)]
    return tuple(dict.fromkeys(found))


def _beside(text: str) -> tuple[str, ...]:
    """Who took part, by "with Tom", "Tom and I"."""
    found: list[str] = []
    for match in _WITH.finditer(text):
        found += [name for each in match.groups() if each and (name := _person(each, ()))]
    return tuple(dict.fromkeys(found))


def _person(words: str, names: Sequence[str], *, known: bool = False) -> str:
    """A person as he is named: "my mum" is Mum; "" for nobody, and for small children, whom one sees every day.

    `known`: only who is recognised as a person is one.
    """
    kin = _KIN_WORDS.fullmatch(words)
    if kin is not None:
        is_small = not kin["name"] and fold(kin["kin"]) in _SMALL
        return "" if is_small else kin["name"] or kin["kin"][:1].upper() + kin["kin"][1:]
    if fold(words) in _NOBODY or (known and not _is_known(words, names)):
        return ""
    return words[:1].upper() + words[1:]


_KIN_WORD = CaselessPattern(rf"(?:{KIN})")


def _is_known(word: str, names: Sequence[str]) -> bool:
    return _KIN_WORD.fullmatch(word) is not None or any(fold(word) in fold(name).split() for name in names)
