"""How a good model would word a note: the words of a message that tell one thing, in the third person, with its date.

Called by `content_model`. Simple rules do for talk that is known beforehand; a sentence they leave clumsy is one that a
real model would leave clumsy too. Invariant: what is looked for in a note (`must`) stands in the words chosen.
"""

from __future__ import annotations

import calendar
import re

from benchmarks.content.content_data import Keys, Life, Statement, When
from benchmarks.content.content_dates import Span, span
from benchmarks.content.content_keys import holds

_PIECE = re.compile(r"[^.!?。！？;；…\n]+[.!?。！？;；…]*")
_IS_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_AUXILIARY = {
    "am": "is", "'m": "is", "m": "is", "have": "has", "'ve": "has", "ve": "has", "do": "does", "don't": "doesn't",
    "haven't": "hasn't", "dont": "doesn't", "havent": "hasn't", "'d": "would", "'ll": "will",
}  # fmt: skip
_AS_THEY_ARE = (
    "was had did can can't cant cannot could couldn't will won't would wouldn't should must might may didn't didnt "
    "wasn't got went paid told met ran sold said took gave made came found lost left quit let saw put bought grew woke "
    "thought heard felt knew began kept slept wrote read cut hit taught dreamt spent ate drank drove fell forgot sent "
    "never always really just still also already only finally actually both even honestly"
)
_SUBJECT = re.compile(r"\b(i)(?:\s+|(?='))('?[a-z]+(?:'t)?)", re.IGNORECASE)
_JOINED = re.compile(r"\b(im|ive|id)\b", re.IGNORECASE)
_OWN = (
    (r"\bmy\b", "{0}'s"), (r"\bmine\b", "{0}'s"), (r"\bmyself\b", "{0}"), (r"\bme\b", "{0}"), (r"\bi\b", "{0}"),
    (r"\bwe\b", "they"), (r"\bour\b", "their"), (r"\bus\b", "them"), (r"\bwe're\b", "they are"),
)  # fmt: skip
_TIME_WORD = re.compile(
    r"\d|\b(?:today|tonight|yesterday|tomorrow|morning|night|week|weekend|month|year|spring|summer|autumn|fall|winter|"
    r"easter|christmas|halloween|[a-z]{3,6}day|last|next|ago|first|january|february|march|april|may|june|july|august|"
    r"september|october|november|december)\b|[今昨前后明]天|昨|周|星期|礼拜|月|年|号|节|端午|中秋|国庆|五一|除夕|大年|刚",
    re.IGNORECASE,
)
_LONG_DAYS = 10  # a time that is not told by its ends
_LEANING = re.compile(  # a sentence that begins so is understood by the one before it
    r"\W*(?:(?:and|so|but|oh|well) )?(?:its?|it's|that(?:'s)?|this|they(?:'re)?|s?he(?:'s)?|the (?:new|old) one)\b"
    r"|\W*(?:不过|但是|而且|所以)?(?:[它他她这那](?!年|天|个月|周)|叫|姓|是个|原来的|现在是)",
    re.IGNORECASE,
)
_KIN = re.compile(r"我(妈|爸|姐|妹|哥|弟|爷|奶|姑|姨|舅|叔)\1?(?![爷奶])")
_PRONOUN = re.compile(r"\b(?:he|she|it)\b", re.IGNORECASE)
_PRONOUN_ZH = re.compile(r"[他她它]")


def piece_of(text: str, must: Keys, *, dated: bool = False) -> str:
    """The fewest sentences of a message, one after another, that hold what is looked for; else all of it.

    One that only the sentence before it explains ("its 1,150 a month") comes with that one.

    `dated`: words of time have to be among them, if the message has any.
    """
    pieces = [match[0].strip() for match in _PIECE.finditer(text) if match[0].strip()]
    for length in range(1, len(pieces)):
        for start in range(len(pieces) - length + 1):
            said = " ".join(pieces[start : start + length])
            if holds(must, said) and (not dated or _TIME_WORD.search(said)):
                leans = start > 0 and _LEANING.match(said)
                return f"{pieces[start - 1]} {said}" if leans else said
    return text


def third_person(text: str, life: Life, must: Keys) -> str:
    """The words as somebody else would tell them."""
    return _chinese(text, life, must) if _IS_CHINESE.search(text) else _english(text, life, must)


def note_of(life: Life, statement: Statement, text: str, *, dated: bool = True) -> str:
    """The note of a statement, as it was said in `text`."""
    piece = piece_of(text, statement.must, dated=statement.when is not None)
    told = third_person(piece, life, statement.must).rstrip(" .。!！")
    if not holds(statement.must, told):
        told = f"{life.user}{'：' if life.language == 'zh' else ': '}{piece}"
    when = date_of(statement.when, life.language) if dated and statement.when else ""
    when = "" if when in told else when
    if life.language == "zh":
        return f"{told}（{when}）。" if when else f"{told}。"
    return f"{told} ({when})." if when else f"{told}."


def date_of(when: When, language: str) -> str:
    """The resolved date in words; empty where it stays in its own words or comes round every year."""
    if when.vague or when.right[0].startswith("--"):
        return ""
    meant = span(when.right[0])
    if when.right[0].count("-") < 2 and ".." not in when.right[0]:
        return _month(meant, when.right[0], language)
    if meant.first == meant.last:
        return _day(meant, language)
    if (meant.last - meant.first).days > _LONG_DAYS:
        return ""
    first, last = Span(meant.first, meant.first), Span(meant.last, meant.last)
    return f"{_day(first, language)}{'至' if language == 'zh' else ' to '}{_day(last, language)}"


def _month(meant: Span, text: str, language: str) -> str:
    year, *month = text.split("-")
    if language == "zh":
        return f"{year}年" + (f"{meant.first.month}月" if month else "")
    return f"{calendar.month_name[meant.first.month]} {year}" if month else year


def _day(meant: Span, language: str) -> str:
    day = meant.first
    if language == "zh":
        return f"{day.year}年{day.month}月{day.day}日"
    return f"{day.day} {calendar.month_name[day.month]} {day.year}"


def _english(text: str, life: Life, must: Keys) -> str:
    said = _JOINED.sub(lambda match: f"i'{match[1][1:]}", text.replace("’", "'"))
    said = _SUBJECT.sub(lambda match: f"{life.user} {_inflected(match[2])}", said)
    for own, other in _OWN:
        said = re.sub(own, other.format(life.user), said, flags=re.IGNORECASE)
    name = _named(life, must)
    if name and not re.search(rf"\b{re.escape(name)}\b", said, re.IGNORECASE) and _PRONOUN.search(said):
        said = _PRONOUN.sub(name, said, count=1)
    if not re.search(r"\b[A-Z][a-z]+", said[1:]) and life.user not in said:
        said = f"{life.user}: {said}"
    return said[:1].upper() + said[1:]


def _inflected(verb: str) -> str:
    small = verb.lower()
    if small in _AUXILIARY:
        return _AUXILIARY[small]
    if small in _AS_THEY_ARE.split() or small.endswith(("ed", "ly")):
        return verb
    return verb + ("es" if small.endswith(("s", "sh", "ch", "o")) else "s")


def _chinese(text: str, life: Life, must: Keys) -> str:
    said = _KIN.sub(rf"{life.user}的\1\1", text)
    said = said.replace("我们", f"{life.user}他们").replace("俺", life.user).replace("我", life.user)
    name = _named(life, must)
    if name and name not in said and _PRONOUN_ZH.search(said):
        said = _PRONOUN_ZH.sub(name, said, count=1)
    return said if life.user in said or name in said else f"{life.user}：{said}"


def _named(life: Life, must: Keys) -> str:
    """The name of whom a statement is about, where its keys give one beside a pronoun."""
    whole = " ".join(life.texts.values())
    for group in must:
        for key in group:
            shown = key if life.language == "zh" else key.title()
            if shown in whole and len(group) > 1 and (life.language == "en" or len(key) > 1):
                return shown
    return ""
