"""Reflection wording: how a finding is said, in English and in Chinese, as a friend would say it.

Called by the step `reflect` for what `core/reflection/recurrence` found. Days are said absolutely, with their year, so
that the sentence is as true next year. Pure.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

from soulmem.core.calendar.calendar_math import civil
from soulmem.core.dates.english_date_words import MONTHS
from soulmem.core.reflection.recurrence import Finding
from soulmem.core.text.tokens import wording_language

_TIMES = "zero one two three four five six seven eight nine ten eleven twelve".split()
_DIGITS = "零一两三四五六七八九十"

ALIAS = "alias"  # the topic of what says by which other name somebody goes
GIST = {"en": "something that kept coming back", "zh": "一件常有的事"}
LEADING_QUESTION = {
    "en": "What moves the people in these, what changes with them, how do they stand to one another?",
    "zh": "这些里的人在意什么，他们身上有什么在变，彼此关系如何？",
}
GENERAL_QUESTION = {"en": "What do these say, taken together?", "zh": "这些合起来说明了什么？"}
_WIDEST = ("saw ", "和")  # not each of them was a visit

Language = Literal["en", "zh"]


def language_of(texts: list[str]) -> Language:
    """The language that most of what a finding rests on is told in."""
    told = Counter(wording_language(text) for text in texts)
    return "zh" if told["zh"] > told["en"] else "en"


def worded(finding: Finding, language: Language) -> str:
    """The finding as a sentence; "" where there is no saying it in this language."""
    return _chinese(finding) if language == "zh" else _english(finding)


def _english(finding: Finding) -> str:
    count = len(finding.days)
    when = _between(finding.days[0], finding.days[-1])
    who = _named(finding.speaker)
    if finding.deed is None:
        how = "felt low or upset" if finding.low else "was in good spirits"
        about = f", mostly when {finding.cause.english} came up" if finding.cause is not None else ""
        if finding.cause is not None and not finding.cause.is_person:
            about = (
                f", mostly over {finding.cause.english}"
                if finding.low
                else f", mostly to do with {finding.cause.english}"
            )
        turned = f"; from {_day(finding.turned)} on things looked brighter" if finding.turned is not None else ""
        return f"{when} {who} {how} on {_number(count)} days{about}{turned}."
    said = _most_said([deed.english for deed in finding.wordings])
    if not said:
        return ""
    beside = f", {'each time' if finding.always else 'mostly'} with {finding.beside}" if finding.beside else ""
    often = f"{_number(count)} times" if not finding.deed.befell else f"on {_number(count)} days"
    return f"{when} {who} {said} {often}{beside}."


def _chinese(finding: Finding) -> str:
    count = len(finding.days)
    when, who = _between_zh(finding.days[0], finding.days[-1]), finding.speaker
    who = "用户" if who.lower() in ("user", "") else who
    if finding.deed is None:
        how = "心情不好" if finding.low else "心情很好"
        about = f"，多半和{finding.cause.chinese}有关" if finding.cause is not None else ""
        turned = f"；{_day_zh(finding.turned)}以后心情好起来了" if finding.turned is not None else ""
        return f"{when}，{who}有{_number_zh(count)}天{how}{about}{turned}。"
    said = _most_said([deed.chinese for deed in finding.wordings])
    if not said:
        return ""
    said = said.replace("{n}", f"{_number_zh(count)}次").replace("{d}", f"{_number_zh(count)}天")
    said = said.replace("和" + who, "")
    with_whom = f"，{'每次都是' if finding.always else '大多是'}和{finding.beside}一起" if finding.beside else ""
    return f"{when}，{who}{said}{with_whom}。"


def _most_said(wordings: list[str]) -> str:
    """The wording of most of them; where somebody was met in several ways, the one that holds for all."""
    counts = Counter(filter(None, wordings))
    if not counts:
        return ""
    widest = [said for said in counts if said.startswith(_WIDEST)]
    return widest[0] if widest else min(counts, key=lambda said: (-counts[said], said))


def _named(speaker: str) -> str:
    return "the user" if speaker.lower() in ("user", "") else speaker


def _number(count: int) -> str:
    return _TIMES[count] if count < len(_TIMES) else str(count)


def _number_zh(count: int) -> str:
    return _DIGITS[count] if count < len(_DIGITS) else str(count)


def _day(day: int) -> str:
    _, month, of_month = civil(day)
    return f"{of_month} {MONTHS[month - 1]}"


def _day_zh(day: int) -> str:
    _, month, of_month = civil(day)
    return f"{month}月{of_month}日"


def _between(first: int, last: int) -> str:
    year, month, day = civil(first)
    last_year, last_month, _ = civil(last)
    begin = f"{day}" if (year, month) == (last_year, last_month) else _day(first)
    begin += f" {year}" if year != last_year else ""
    return f"Between {begin} and {_day(last)} {last_year}"


def _between_zh(first: int, last: int) -> str:
    year, month, _ = civil(first)
    last_year, last_month, day = civil(last)
    end = f"{day}日" if (year, month) == (last_year, last_month) else _day_zh(last)
    end = f"{last_year}年{end}" if year != last_year else end
    return f"{year}年{_day_zh(first)}到{end}之间"
