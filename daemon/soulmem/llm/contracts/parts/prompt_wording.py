"""How requests are shown to a model: one line each turn, note or point, each behind its label, within a budget.

Used by every contract's `describe`; `prompt_roles` says who is who. Invariant: whatever people said stays on the line
of its label, because line breaks are shown as `⏎`; so nothing said can pose as another line, as a fence or as an
instruction of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.calendar.iso8601 import to_iso
from soulmem.core.dates.date_parser import render_day
from soulmem.core.schema.engine_tasks import Labelled
from soulmem.core.schema.note_requests import Role, Summary, Turn
from soulmem.core.text.quote_matching import LINE_MARK
from soulmem.core.text.tokens import estimate_tokens
from soulmem.llm.extractive.wording.standalone_sentences import display_name
from soulmem.llm.prompts import language

TURN_TOKENS = 2_000  # the most one message may take
PERSONA_TOKENS = 600
NOTE_TOKENS = 250
LINE_TOKENS = {"en": 36, "zh": 48}  # of a note among many: what changed often stands last
_CUT = " … "
_MOST_CHARS = 12  # a token
_FENCES = ("<<<", ">>>")
_BREAKS = re.compile(r"[^\S\n\r\u2028\u2029\x85\x0b\x0c]*(?:\r\n|[\n\r\u2028\u2029\x85\x0b\x0c])\s*")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
_WEEKDAYS = {
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "zh": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
}
_EPOCH_WEEKDAY = 3  # 1 January 1970 was a Thursday
_TOLD_BY = {"en": "told by {}", "zh": "{}说的"}
_NOTHING = {"en": "(nothing)", "zh": "（无）"}
_NOBODY = {"en": ("User", "Assistant"), "zh": ("用户", "助手")}
_HEADING_TOKENS = 10  # of a line with a day
_HEAD = re.compile(
    r"([^():：（），,]{1,60}?) ?(?:[(（]([^()（）]{1,30})[)）])?(, asked (?=\")|被问(?=“)|[:：] ?)(?=\S)"
)
_LADDER = (1.0, 0.5, 0.25, 0.1, 0.05)


def folded(text: str) -> str:
    """Text on one line: its line breaks become ` ⏎ `; control characters are left out."""
    return _UNPRINTABLE.sub("", _BREAKS.sub(f" {LINE_MARK} ", text.strip()))


def shortened(text: str, tokens: int) -> str:
    """Text cut in its middle to about `tokens`; the end of a long text matters as its beginning does."""
    if len(text) > _MOST_CHARS * tokens:  # far too long, whatever it is: not worth counting
        text = text[: _MOST_CHARS * tokens // 2] + text[-_MOST_CHARS * tokens // 2 :]
    size = estimate_tokens(text)
    if size <= tokens:
        return text
    keep = max(8, len(text) * tokens // size)
    return text[: keep * 2 // 3].rstrip() + _CUT + text[-(keep // 3) :].lstrip()


def told(text: str, tokens: int) -> str:
    """What a variable holds of a text that has a line to itself: folded, not too long, and never like a fence."""
    shown = folded(shortened(text, tokens))
    return f"· {shown}" if shown.startswith(_FENCES) else shown


def language_for(wanted: str | None, texts: Iterable[str]) -> str:
    """The language of the prompt, for words of ours among the data."""
    return language(wanted, sample(texts))


def sample(texts: Iterable[str]) -> str:
    """Enough of some texts to tell their language."""
    return " ".join(text[:300] for text in texts)[:8_000]


def moment(at_ms: int) -> str:
    """`2026-05-09 14:20`, UTC."""
    return to_iso(at_ms)[:16].replace("T", " ")


def day(at_ms: int) -> str:
    """`2026-05-09`, UTC."""
    return to_iso(at_ms)[:10]


def weekday(at_ms: int, lang: str) -> str:
    """`Sat`, `周六`; UTC."""
    return _WEEKDAYS[lang][(at_ms // DAY_MS + _EPOCH_WEEKDAY) % 7]


def dated(at_ms: int, lang: str) -> str:
    """A day with its weekday, from which "on Friday" can be counted: `Sat 2026-05-09`, `2026-05-09 周六`; UTC."""
    return f"{day(at_ms)} {weekday(at_ms, lang)}" if lang == "zh" else f"{weekday(at_ms, lang)} {day(at_ms)}"


def spoken(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """The turns in which somebody said something: system prompts are nobody's words."""
    return tuple(turn for turn in turns if turn.role is not Role.SYSTEM and turn.text.strip())


def speaker_of(turn: Turn, lang: str, character: str = "") -> str:
    """The name shown for a turn: the speaker's, or what he is, the character's own where only that is known."""
    name = display_name(turn.speaker, lang)
    user, assistant = _NOBODY[lang]
    if turn.role is Role.ASSISTANT and name in {"", assistant}:
        name = character or assistant
    return folded(name)[:60] or user


def turn_line(turn: Turn, lang: str, character: str = "", *, label: bool = True) -> str:
    """`[T3] Ann: text`, on one line; on which day it was said stands above."""
    head = f"[T{turn.seq}] " if label else ""
    colon = "：" if lang == "zh" else ": "
    return f"{head}{speaker_of(turn, lang, character)}{colon}{folded(turn.text)}"


def transcript(turns: Sequence[Turn], lang: str, *, tokens: int, character: str = "", label: bool = True) -> str:
    """The turns as lines within a budget, under the day and weekday on which they were said.

    Where it is too little, long messages are shown shorter, then the oldest ones not at all.
    """
    if not turns:
        return _NOTHING[lang]
    lines: list[str] = []
    for share in _LADDER:
        shown = [replace(turn, text=shortened(turn.text, max(20, round(TURN_TOKENS * share)))) for turn in turns]
        lines = [turn_line(turn, lang, character, label=label) for turn in shown]
        if sum(map(estimate_tokens, under_days(_told_on(turns, lines), lang))) <= tokens:
            break
    told = list(zip(turns, lines, strict=True))
    used, kept, last = 0, 0, None
    for turn, line in reversed(told):
        used += estimate_tokens(line) + (_HEADING_TOKENS if dated(turn.at_ms, lang) != last else 0)
        last = dated(turn.at_ms, lang)
        if used > tokens and kept:
            break
        kept += 1
    return "\n".join(under_days(_told_on(turns[-kept:], lines[-kept:]), lang))


def _told_on(turns: Iterable[Turn], lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    return ((turn.at_ms, line) for turn, line in zip(turns, lines, strict=True))


def under_days(lines: Iterable[tuple[int, str]], lang: str) -> Iterator[str]:
    """Lines, each with its moment, a heading with the day before the first of each: `— Sat 2026-05-09 —`."""
    last = None
    for at_ms, line in lines:
        if at_ms and (today := dated(at_ms, lang)) != last:
            last = today
            yield f"— {today} —"
        yield line


def points_of(summary: Summary | None, lang: str) -> str:
    """The points of a summary as `[P1] …`; the bare text of a summary that has none."""
    if summary is None or not (summary.points or summary.text.strip()):
        return _NOTHING[lang]
    if not summary.points:
        return told(summary.text, TURN_TOKENS)
    return lines_of((f"P{i}", f"({day(point.at_ms)}) {point.text}") for i, point in enumerate(summary.points, 1))


def notes_of(notes: Iterable[Labelled], lang: str, *, tokens: int = NOTE_TOKENS) -> str:
    """Labelled notes, each with its day and who told it, where these are known."""
    shown = []
    for note in notes:
        text = without_telling_day(note.text, note.speaker, note.at_ms) if note.at_ms else note.text
        before = aside(note.at_ms, told_by(note.speaker, note.text), lang)
        shown.append((note.label, before + shortened(text, tokens)))
    return listed(shown, lang)


def told_under_days(notes: Iterable[Labelled], lang: str) -> str:
    """Many notes, a short line each under its day: `[F1] Ann: text`.

    Whoever told it is named where the note does not: so that "I" in it is understood.
    """
    lines = ((note.at_ms, _told_line(note, lang)) for note in notes)
    return "\n".join(under_days(lines, lang)) or _NOTHING[lang]


def _told_line(note: Labelled, lang: str) -> str:
    words = shortened(without_telling_day(note.text, note.speaker, note.at_ms), LINE_TOKENS[lang])
    if speaker := told_by(display_name(note.speaker, lang), words):
        words = f"{folded(speaker)[:60]}{'：' if lang == 'zh' else ': '}{words}"
    return lines_of([(note.label, words)])


def without_telling_day(text: str, speaker: str, at_ms: int = 0) -> str:
    """A note without the day of the telling behind its speaker ("Ann (9 May 2026): …"), where that is shown already.

    `at_ms`: the day that is shown; a note that names another one keeps it. 0: none is shown, and none is wanted.
    """
    match = _HEAD.match(text)
    if match is None or not speaker or match[1] != speaker:
        return text
    day = match[2]
    if day and at_ms and day not in (render_day(at_ms, "en"), render_day(at_ms, "zh")):
        return text
    said = match[3] if match[3][0] not in ":：" else "：" if "：" in match[0] else ": "
    return f"{match[1]}{said}{text[match.end() :]}" if day else text


def told_by(speaker: str, text: str) -> str:
    """The speaker where the text does not name him."""
    return "" if speaker and speaker in text else speaker


def aside(at_ms: int, speaker: str, lang: str, *more: str) -> str:
    """What is said of a note before its text: `(Sat 2026-05-09, told by Ann) `."""
    name = folded(display_name(speaker, lang))[:60]
    parts = [*more, *([dated(at_ms, lang)] if at_ms else []), *([_TOLD_BY[lang].format(name)] if name else [])]
    if not parts:
        return ""
    return f"（{'，'.join(parts)}）" if lang == "zh" else f"({', '.join(parts)}) "


def lines_of(labelled: Iterable[tuple[str, str]]) -> str:
    """`[N1] text`, a line each."""
    return "\n".join(f"[{label}] {folded(text)}" for label, text in labelled)


def listed(labelled: Iterable[tuple[str, str]], lang: str) -> str:
    """`[N1] text`, a line each; where there is none, that there is nothing."""
    return lines_of(labelled) or _NOTHING[lang]


def or_nothing(text: str, lang: str, tokens: int = PERSONA_TOKENS) -> str:
    """A text that may be missing."""
    return told(text, tokens) if text.strip() else _NOTHING[lang]
