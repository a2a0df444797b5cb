"""Filters: the expression by which a caller narrows the memory stream, such as `relevance > 0.5 and not kind = lore`.

Parsed by a small recursive-descent parser into a tree of comparisons over a fixed list of columns; caller text is never
evaluated. Called by `rpc` (to refuse what is wrong before anything is searched) and by `working/recall/stream_recall`.
Invariants: any text gives a `Filter` or an `InvalidFilterError` that says what is allowed; length and depth are
bounded, so the parser's own recursion is.

    either     = every ("or" every)*
    every      = single ("and" single)*
    single     = "not" single | "(" either ")" | comparison
    comparison = number column (< <= > >= = !=) number | word column (= !=) word
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.note_requests import NoteKind
from soulmem.core.text.did_you_mean import did_you_mean
from soulmem.fast_dataclasses import dataclass

LONGEST = 500  # characters
DEEPEST = 20  # parentheses and nots within one another

NUMBERS = ("relevance", "recency", "importance", "valence", "age_days")
WORDS = ("kind", "tag")
_KINDS = tuple(kind.value for kind in NoteKind if kind is not NoteKind.TRIGGER)
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}
_EQUALITY = ("=", "!=")
_TOKEN = LazyPattern(
    r"""\s*(?:
      (?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?(?![\w.]))
    | (?P<quoted>'[^']*'|"[^"]*")
    | (?P<word>(?![0-9]+\.)\w[\w-]*)
    | (?P<sign><=|>=|==|!=|<|>|=)
    | (?P<bracket>[()])
    )""",
    re.VERBOSE,
)


class InvalidFilterError(ValueError):
    """A filter that cannot be read; `hint` says what can be."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Subject:
    """What a filter sees of a note. `relevance` is the raw cosine, negative where a text points away."""

    relevance: float
    recency: float
    importance: float
    valence: float
    age_days: float
    kind: str
    tags: frozenset[str]


Filter = Callable[[Subject], bool]  # whether a note passes


@dataclass(frozen=True, slots=True)
class _Token:
    form: str  # number | quoted | word | sign | bracket | unreadable | end
    text: str
    place: int  # of its first character, from 1


def parse(text: str) -> Filter:
    """Read a filter. Raises InvalidFilterError: with one sentence on what is wrong and where."""
    if len(text) > LONGEST:
        raise InvalidFilterError(
            f"the filter has {len(text)} characters, at most {LONGEST} are read", "filter by fewer comparisons"
        )
    return _Parser(_tokens(text)).whole()


def _tokens(text: str) -> list[_Token]:
    found = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            rest = text[place:].lstrip()
            shown = re.split(r"[\s()]", rest, maxsplit=1)[0]
            found.append(_Token("unreadable", shown, len(text) - len(rest) + 1))
            break
        form = str(match.lastgroup)
        found.append(_Token(form, match[form], match.start(form) + 1))
        place = match.end()
    return [*found, _Token("end", "", len(text) + 1)]


_EXAMPLE = (
    "write comparisons like relevance > 0.5 and (importance >= 0.8 or kind = reflection) and not tag = 'work'; "
    f"columns: {', '.join((*NUMBERS, *WORDS))}"
)


class _Parser:
    """One pass over the tokens of one filter."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._next = 0

    def whole(self) -> Filter:
        if self._seen.form == "end":
            raise InvalidFilterError("the filter is empty", _EXAMPLE)
        found = self._either(0)
        if self._seen.form != "end":
            raise self._unexpected("and, or or the end")
        return found

    @property
    def _seen(self) -> _Token:
        return self._tokens[self._next]

    def _take(self) -> _Token:
        token = self._tokens[self._next]
        self._next += token.form != "end"
        return token

    def _takes(self, word: str) -> bool:
        is_there = self._seen.form in {"word", "bracket"} and self._seen.text.lower() == word
        self._next += is_there
        return is_there

    def _either(self, depth: int) -> Filter:
        parts = [self._every(depth)]
        while self._takes("or"):
            parts.append(self._every(depth))
        return parts[0] if len(parts) == 1 else lambda subject: any(passes(subject) for passes in parts)

    def _every(self, depth: int) -> Filter:
        parts = [self._single(depth)]
        while self._takes("and"):
            parts.append(self._single(depth))
        return parts[0] if len(parts) == 1 else lambda subject: all(passes(subject) for passes in parts)

    def _single(self, depth: int) -> Filter:
        if depth > DEEPEST:
            raise InvalidFilterError(
                f"the filter is nested more than {DEEPEST} deep at character {self._seen.place}",
                "use fewer parentheses and nots within one another",
            )
        if self._takes("not"):
            refused = self._single(depth + 1)
            return lambda subject: not refused(subject)
        if self._takes("("):
            inside = self._either(depth + 1)
            if not self._takes(")"):
                raise self._unexpected("and, or or )")
            return inside
        return self._comparison()

    def _comparison(self) -> Filter:
        column = self._take()
        if column.form != "word":
            self._next -= column.form != "end"
            raise self._unexpected(f"a column ({', '.join((*NUMBERS, *WORDS))}), not or (")
        name = column.text.lower()
        if name not in NUMBERS and name not in WORDS:
            raise _unknown(column)
        allowed = tuple(_COMPARE) if name in NUMBERS else _EQUALITY
        sign = self._seen.text.replace("==", "=")
        if self._seen.form != "sign" or sign not in allowed:
            raise self._unexpected(f"{' '.join(allowed)} after {name}")
        self._take()
        return self._number(name, sign) if name in NUMBERS else self._word(name, sign)

    def _number(self, column: str, sign: str) -> Filter:
        if self._seen.form != "number":
            raise self._unexpected(f"a number to compare {column} with")
        token = self._take()
        value = float(token.text)
        if not math.isfinite(value):
            raise InvalidFilterError(
                f"{column}: {token.text} at character {token.place} is too large", "compare with a number such as 0.5"
            )
        holds = _COMPARE[sign]
        return lambda subject: holds(getattr(subject, column), value)

    def _word(self, column: str, sign: str) -> Filter:
        if self._seen.form not in {"word", "quoted", "number"}:
            raise self._unexpected(f"a word or a text in quotes to compare {column} with")
        token = self._take()
        value, wanted = token.text[1:-1] if token.form == "quoted" else token.text, sign == "="
        if column == "tag":
            return lambda subject: (value in subject.tags) is wanted
        if value not in _KINDS:
            raise InvalidFilterError(
                f"kind: there is no kind {value[:40]!r} in the memory stream", f"known: {', '.join(_KINDS)}"
            )
        return lambda subject: (subject.kind == value) is wanted

    def _unexpected(self, wanted: str) -> InvalidFilterError:
        token = self._seen
        if token.form == "unreadable":
            if token.text[0] in "'\"":
                message = f"the quote at character {token.place} is not closed"
                return InvalidFilterError(message, f"close it with {token.text[0]}")
            return InvalidFilterError(f"cannot read {token.text[:40]!r} at character {token.place}", _EXAMPLE)
        what = "the filter ends" if token.form == "end" else f"{token.text[:40]!r} stands"
        return InvalidFilterError(f"{what} at character {token.place} where {wanted} should stand", _EXAMPLE)


def _unknown(column: _Token) -> InvalidFilterError:
    known = (*NUMBERS, *WORDS)
    meant = did_you_mean(column.text, known)
    return InvalidFilterError(
        f"there is no column {column.text[:40]!r} (character {column.place})",
        f"{meant}{' ' if meant else ''}columns: {', '.join(known)}",
    )
