"""Whose fact a question asks for, and of whom each clause of a text tells: "what do I play" is not "he plays bass".

Used by `core.search.answer_type`. Possession and kinship are part of it: my own, my brother's, 他媳妇, Owen's sister.
A clause that leaves out of whom it tells goes on telling of whom the one before did; the first of what somebody says
is of himself. Pure. Invariant: where a clause may tell of whoever is asked about, it is not said to tell of another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from soulmem.core.names import chinese_names, english_names
from soulmem.core.names.name_spans import NameKind
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.tokens import fold
from soulmem.core.wordlists.important_events import KIN, KIN_ZH
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

_LONGEST = 1_000  # characters that are read
_CLAUSES = 24
_END = LazyPattern(r"[.!?;。！？；…\n]+|[,，:：、]|\s[-–—]+\s|\s(?=(?:and|but|so|because|though|while|who|whose)\s)")
_LEAD = CaselessPattern(
    r"[\s\"“']*(?:(?:and|but|so|or|then|oh|ah|well|yeah|yes|no|nah|ok(?:ay)?|also|plus|actually|because|cause|btw|lol|ha"
    r"|hmm|sorry|now|today|yesterday|tonight|tomorrow|lately|apparently|anyway|guess what|turns out|i think|i guess"
    r"|on \w+day|last \w+|this \w+)\b[\s,]*)*+"
    r"(?:(?:而且|但是?|不过|所以|还有|其实|对了|然后|后来|听说|因为|[今昨明前后]天|今早|昨晚|[上这下]周.?|早上|晚上|上午|下午|现在|(?:周|礼拜|星期)[一二三四五六日天]"
    r"|[去今明]年|[\d一二三四五六七八九十]{1,3}[号日月点])[，,]?)*+"
)
_KIN_WORD = rf"(?:{KIN}|gran|nana?|auntie|(?:girl|boy)friend)"
_THING = (
    r"(?:friend|boss|colleague|manager|neighbou?r|flat ?mate|room ?mate|house ?mate|landlord|landlady|teacher|mate|ex"
    r"|doctor|dog|cat|puppy|kitten|rabbit|hamster|parrot|horse)"
)
_OTHERS_ZH = (
    r"(?:朋友|同事|同学|老师|老板|领导|邻居|室友|舍友|房东|发小|闺蜜|哥们|对象|前任|媳妇|老丈人|丈母娘|亲家|姐夫|妹夫|嫂子|弟媳"
    r"|小伙子|小姑娘|老太太|老头儿?|大姐|大哥|战友|徒弟|师傅|教练|医生|大夫)"
)
_OWN = CaselessPattern(
    rf"(?:i|i['’]\w+|im|ive|we|we['’]\w+|me|(?:my|our)(?! (?:\w+ ){{0,2}}(?:{_KIN_WORD}|{_THING})s?\b))\b"
    rf"|[我咱俺](?!们?家?的?[大小二三老]?(?:{KIN_ZH}|{_OTHERS_ZH}))"
)
_OWN_INSIDE = CaselessPattern(
    rf"\b(?:i|i['’]\w+|we|we['’]\w+)\b"
    rf"|(?<![给让叫帮教替跟对把为陪])[我咱俺](?!们?家?的?[大小二三老]?(?:{KIN_ZH}|{_OTHERS_ZH}))(?!们?的)"
)
_KIN_LEADS = CaselessPattern(
    rf"(?:(?:(?:my|our) (?:\w+ ){{0,2}}?)?{_KIN_WORD}|(?:my|our) (?:\w+ ){{0,2}}?{_THING})s?\b(?! (?:and|&) (?:i|me)\b)"
    rf"|[我咱俺]?们?家?的?[大小二三老]?(?:{KIN_ZH}|{_OTHERS_ZH})"
)
# "grandad's old Fiat" is a thing, and whose it is now nobody says; "mum's got the flu" tells of her.
_OF_KIN = CaselessPattern(
    rf"(?:my |our )?{_KIN_WORD}s?['’]s? (?!got\b|been\b|an?\b|the\b|not\b|so\b|very\b|on\b|in\b|at\b|\w+(?:ing|ed)\b)"
    rf"|[我咱]?{KIN_ZH}的"
)
_KIN_ALONE = CaselessPattern(rf"(?:my |our |[我咱]们?家?的?)?(?:\w+ ){{0,2}}?(?:{_KIN_WORD}|{KIN_ZH})")
_THIRD = CaselessPattern(r"(?:he|she|they|his|her|their|(?:he|she|they)['’]\w+|hes|shes)\b|[他她]")
# An age without a verb is that of whom the sentence before told: "Arjun is the youngest. Three years old."
_AGE_ALONE = CaselessPattern(
    r"(?:(?:only|just|nearly|almost|about) )?(?:\d{1,3}|[a-z]+(?:[- ][a-z]+)?) (?:years?|months?|weeks?)(?: old)?"
    r"|(?:今年|才|刚|快|都)?[\d一二三四五六七八九十]{1,4}岁(?:半|多)?了?"
)
_ANYBODY = CaselessPattern(rf"\b(?:he|she|they|his|her|their|{KIN})\b|[他她它]|{KIN_ZH}")
_ME = CaselessPattern(r"\b(?:me|us)\b|[给让叫帮教替跟对把为][我咱俺]")  # what another does to who speaks


class Teller(Enum):
    """Of whom a clause tells."""

    SELF = "self"
    IMPLIED = "implied"  # nobody is named: of whoever speaks, or of whom was spoken before
    OTHER = "other"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Told:
    """A clause, of whom it tells, and the words by which that one is called in it or in the clauses before.

    `is_named`: a name is among them.
    """

    text: str
    of: Teller
    called: str = ""
    is_named: bool = False


@text_memo(256)
def clauses_told(text: str) -> tuple[Told, ...]:
    """The clauses of a text in first person (`fact_reader.in_first_person`), each with whom it tells of."""
    found: list[Told] = []
    last = Told("", Teller.IMPLIED)
    for clause, is_new in _clauses(text[:_LONGEST]):
        told = _read(clause, last, is_new=is_new)
        found.append(told)
        last = told
        if len(found) >= _CLAUSES:
            break
    return tuple(found)


def _clauses(text: str) -> Iterator[tuple[str, bool]]:
    """Each clause, and whether a sentence begins with it."""
    start, is_new = 0, True
    for match in _END.finditer(text):
        if clause := text[start : match.start()].strip():
            yield clause, is_new
            is_new = False
        if match[0].strip()[:1] in (*".!?;。！？；…", "\n"):
            is_new = True
        start = match.end()
    if clause := text[start:].strip():
        yield clause, is_new


def _read(clause: str, last: Told, *, is_new: bool) -> Told:
    lead = _LEAD.match(clause)
    at = lead.end() if lead is not None else 0
    if _OF_KIN.match(clause, at) is not None:
        return Told(clause, Teller.OPEN)
    for pattern, of in ((_OWN, Teller.SELF), (_KIN_LEADS, Teller.OTHER), (_THIRD, Teller.OTHER)):
        if (match := pattern.match(clause, at)) is not None:
            goes_on = pattern is _THIRD and last.of is Teller.OTHER  # "he" is whom the last clause named
            if pattern is _KIN_LEADS and (called_so := _named_behind(clause, match.end())):
                return Told(clause, of, f"{match[0]} {called_so}", is_named=True)
            called = f"{last.called} {match[0]}" if goes_on else match[0]
            return Told(clause, of, called, is_named=goes_on and last.is_named)
    for find in (english_names.find, chinese_names.find):
        for name in find(clause):
            if name.kind is NameKind.PERSON and name.start <= at <= name.end:
                return Told(clause, Teller.OTHER, name.name, is_named=True)
    if is_new and last.of is Teller.OTHER and _AGE_ALONE.fullmatch(clause) is None:
        return Told(clause, Teller.OPEN, last.called)  # a new sentence may tell of either
    if last.of is Teller.IMPLIED and _OWN_INSIDE.search(clause) is not None:  # 电子烟我周二起就没抽了
        return Told(clause, Teller.SELF)
    return Told(clause, last.of, last.called, is_named=last.is_named)


def _named_behind(clause: str, at: int) -> str:
    """The name that stands right behind a word for kin: 闺女朵朵, "my aunt Vera"."""
    for find in (english_names.find, chinese_names.find):
        for name in find(clause):
            if name.kind is NameKind.PERSON and at <= name.start <= at + 1:
                return name.name
    return ""


def tells_of_asker(text: str, kinds: Sequence[LazyPattern]) -> int:
    """1 where a clause that says what is asked for tells of who speaks, -1 where each tells of another, else 0.

    `kinds`: what an answer speaks of; where none is known every clause may be the answer.
    """
    wanted = _wanted(text, kinds)
    if any(each.of is Teller.SELF for each in wanted):
        return 1
    return -1 if wanted and all(each.of is Teller.OTHER and not _ME.search(each.text) for each in wanted) else 0


def tells_of(text: str, names: Iterable[str], kinds: Sequence[LazyPattern]) -> int:
    """The same of somebody by name: -1 where each such clause tells of who speaks or of another that is named, else 0.

    Where the text names him at all it may go on to tell of him, unless another was named since.
    """
    folded = fold(text)
    known = tuple(names)
    wanted = _wanted(text, kinds)
    if any(name in folded for name in known):
        return -1 if kinds and wanted and _since_named(clauses_told(text), wanted, known) else 0
    told = wanted or clauses_told(text)  # what is asked for may stand in two clauses
    return -1 if told and all(map(_is_another, told)) else 0


def may_be_of(text: str, names: Iterable[str]) -> bool:
    """Whether a text names one of these, or speaks of somebody who may be he; always, where there are none."""
    known, folded = tuple(names), fold(text)
    return not known or any(name in folded for name in known) or _ANYBODY.search(text) is not None


def is_anothers(thing: str, text: str) -> bool:
    """Whether a text tells of such a thing, and it is somebody else's."""
    if thing.isascii():
        found = re.findall(rf"(?=\b(\S+) (?:(\w+) )?{re.escape(thing)}\b)", text, re.IGNORECASE)
        owners = [word.casefold() for words in found for word in words if word]
        own = any(word in ("my", "our", "the", "a") for word in owners)
        return not own and any(
            word in ("his", "her", "their", "your") or word.endswith(("'s", "’s")) for word in owners
        )
    return re.search(rf"[他她]们?家?的?{thing}", text) is not None and f"我{thing}" not in text


def _since_named(told: Sequence[Told], wanted: Sequence[Told], known: Sequence[str]) -> bool:
    """Whether each wanted clause tells of another by name, and none of the known names stood since he came up."""
    called, since = "", ""
    for each in told:
        since = since + each.text if each.called == called else each.called + each.text
        called = each.called
        is_anothers = each.of is Teller.OTHER and each.is_named and not any(name in fold(since) for name in known)
        if not is_anothers and any(each is one for one in wanted):
            return False
    return True


def _is_another(told: Told) -> bool:
    """Whether a clause tells of who speaks or of another by name; a pronoun, or one's kin, may be anybody."""
    if told.of is Teller.OTHER:
        return told.is_named or (_THIRD.match(told.called) is None and _KIN_ALONE.match(told.called) is None)
    return told.of is Teller.SELF


def _wanted(text: str, kinds: Sequence[LazyPattern]) -> list[Told]:
    told = clauses_told(text)
    return [each for each in told if all(kind.search(each.text) for kind in kinds)] if kinds else list(told)
