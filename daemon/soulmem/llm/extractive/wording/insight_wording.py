"""How an insight is worded without a model: fixed sentences around the statements' own words, Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from soulmem.core.dates.date_parser import render_day
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.language.sentence_splitter import CJK

_LONGEST_PIECE = 140
_MOST_VALUES = 8

# What a relation's value is called: of one value at a time, and of many.
_CHANGED = {
    "name": ("name", "名字"), "lives_in": ("home", "住处"), "occupation": ("occupation", "职业"),
    "works_at": ("place of work", "工作单位"), "age": ("age", "年龄"), "birthday": ("birthday", "生日"),
    "status": ("marital status", "婚姻状况"), "favourite": ("favourite {k}", "最喜欢的{k}"), "is": ("{k}", "{k}"),
    "called": ("{k}", "{k}"),
}  # fmt: skip
_SUMMED = {
    "likes": ("{s} likes {o}", "{s}喜欢{o}"), "allergic_to": ("{s} is allergic to {o}", "{s}对{o}过敏"),
    "afraid_of": ("{s} is afraid of {o}", "{s}害怕{o}"), "studies": ("{s} studies {o}", "{s}在学{o}"),
    "owns": ("{s} has {o}", "{s}有{o}"), "from": ("{s} comes from {o}", "{s}来自{o}"),
    "is": ("{s}'s {k}: {o}", "{s}的{k}：{o}"), "called": ("{s}'s {k}: {o}", "{s}的{k}：{o}"),
}  # fmt: skip
_NOT = {"likes": ("{s} dislikes {o}", "{s}不喜欢{o}")}
_ACTIVITY = ("{s} {k}s {o}", "{s}常{k}{o}")


@dataclass(frozen=True, slots=True)
class Wording:
    """Sentences in one language; a subject of "" is left out."""

    language: str

    @property
    def _chinese(self) -> bool:
        return self.language == "zh"

    def _pick(self, pair: tuple[str, str]) -> str:
        return pair[1] if self._chinese else pair[0]

    def change(self, subject: str, relation: str, steps: Sequence[tuple[str, int]]) -> str:
        """A value that changed: "Anna's home changed: Paris (1 May 2023), then Rome (3 June 2024)."."""
        kind, _, of = relation.partition(":")
        what = self._pick(_CHANGED.get(kind, ("{k}", "{k}"))).format(k=of)
        told = [f"{value}{self._day(at_ms)}" for value, at_ms in steps[-_MOST_VALUES:]]
        if self._chinese:
            return f"{f'{subject}的' if subject else ''}{what}变了：{'，后来'.join(told)}。"
        return f"{f'{subject}’s {what}' if subject else what.capitalize()} changed: {', then '.join(told)}."

    def sum(self, subject: str, relation: str, objects: Sequence[str], *, lapsed: bool) -> str:
        """Values that add up: "Anna likes pottery, jazz and hiking."; empty where no sentence is known for it."""
        kind, _, of = relation.partition(":")
        known = _NOT.get(kind) if lapsed else _ACTIVITY if kind == "activity" else _SUMMED.get(kind)
        if known is None or not subject or (kind == "activity" and bool(CJK.search(of)) is not self._chinese):
            return ""
        return self._pick(known).format(s=subject, k=of, o=self._list(objects[:_MOST_VALUES])) + self._stop

    def habit(self, subject: str, word: str, count: int, days: Sequence[int]) -> str:
        """What keeps coming back, how often and from when to when."""
        first, last = (render_day(day, self.language) for day in (days[0], days[-1])) if days else ("", "")
        when = (
            ""
            if not days
            else first
            if first == last
            else f"{first}至{last}"
            if self._chinese
            else f"{first} to {last}"
        )
        if self._chinese:
            of = f"{subject}的事里“{word}”" if subject else f"“{word}”"
            return f"{of}反复出现：{count}次{f'（{when}）' if when else ''}。"
        of = f"With {subject}, “{word}” keeps coming up" if subject else f"“{word}” keeps coming up"
        return f"{of}: {count} times{f' ({when})' if when else ''}."

    def turn(self, subject: str, at_ms: int, *, better: bool) -> str:
        """A mood that turned, and since when."""
        day = render_day(at_ms, self.language)
        if self._chinese:
            return f"{day}以来，{subject}说起的事比以前{'愉快' if better else '沉重'}。"
        return f"Since {day}, what is told of {subject} sounds {'happier' if better else 'sadder'} than before."

    def overview(self, subject: str, texts: Sequence[str]) -> str:
        """Statements side by side."""
        pieces = [self._piece(text) for text in texts]
        if self._chinese:
            return f"关于{subject or '这些'}：{'；'.join(pieces)}。"
        return f"{f'About {subject}' if subject else 'What is known'}: {'; '.join(pieces)}."

    def _piece(self, text: str) -> str:
        text = text.strip().rstrip(".。!！;；… ")
        if len(text) <= _LONGEST_PIECE:
            return text
        cut = max(
            (match.end() for match in re.finditer(r"[,，、;；\s]", text[:_LONGEST_PIECE])), default=_LONGEST_PIECE
        )
        return text[:cut].rstrip(",，、;； ") + "…"

    def _list(self, values: Sequence[str]) -> str:
        if len(values) < 2:
            return "".join(values)
        if self._chinese:
            return "、".join(values[:-1]) + "和" + values[-1]
        return ", ".join(values[:-1]) + " and " + values[-1]

    def _day(self, at_ms: int) -> str:
        if not at_ms:
            return ""
        day = render_day(at_ms, self.language)
        return f"（{day}）" if self._chinese else f" ({day})"

    @property
    def _stop(self) -> str:
        return "。" if self._chinese else "."
