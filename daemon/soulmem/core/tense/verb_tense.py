"""Whether what stands about a date looks ahead or back: clause by clause, Chinese, English and mixed.

Called by `core/dates/date_parser.py`, which resolves "on Friday", 周五 or "in June" by it. The clause of the date
decides; where it has no verb, the clauses beside it that have no date of their own. Invariants: pure; each clause is
cut once, is at most 200 characters long, and a date looks at five at most, so that the work grows with the text and no
faster. A clause with more dates than anybody tells things of is a list of them, and is read once for all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable

from soulmem.core.calendar.calendar_math import Anchor, Tense, anchor
from soulmem.core.regex.lazy_regex import HAN_WIDE, CaselessPattern, LazyPattern
from soulmem.core.tense import chinese_tense, english_tense

_LONGEST = 200  # characters of a clause
_BESIDE = 2  # clauses on either side
_LED = 6  # clauses behind a date that opens its sentence
_LISTED = 12  # dates of one clause, from which on what stands about each tells nothing of it alone
_STOP = LazyPattern(r"[!?;。！？；…\n.]+")
# What parts clauses: a stop, a comma, a blank between Chinese words, and the English words that join clauses.
_JOINT = LazyPattern(
    r"\s?[(（](?=[^()（）]{0,60}\d)[^()（）]{0,60}[)）]"
    r"|(?:[!?;。！？；…\n]|(?<![ap]\.m)(?<! [ap])\.(?!\d))+|[,，、:：]|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])"
    r"|\s(?=(?:and|but|so|because|when|while|although|though|if|except|which|cuz|cos|n)\s)|\s[-–—]+\s",
)
_LATIN = LazyPattern(r"[A-Za-z]{2}")
_AHEAD, _BEHIND, _MIXED, _PLAIN = (
    chinese_tense.AHEAD,
    chinese_tense.BEHIND,
    chinese_tense.MIXED,
    chinese_tense.PLAIN,
)
_TENSE = {_AHEAD: Tense.AHEAD, _BEHIND: Tense.BEHIND}
_TOLD = frozenset({_AHEAD, _BEHIND, _MIXED})
_ASIDE = LazyPattern(  # says nothing of when: "I ought to say", "she told me"
    r"\s*(?:(?i:i|we) (?:ought to|should|must|have to|may|might|can|will) (?:say|add|mention|tell|confess|admit)\b"
    r"|(?:(?i:i|he|she|they|we)|[A-Z]\w+) (?:said|says|told|tells|reckons?|thinks?|guess|believe|suppose|hear|heard)\b"
    r"|(?:who|which|where|when|if|because|although|though|while|as|provided|assuming|unless|once|after|before|with"
    r"|without|despite|in|at|for) )"
    r"|(?:我想|我猜|听说|据说|说是|他说|她说|我觉得|对了|你猜)"
)
_AND_WHO = LazyPattern(
    r"(?:and|n) (?:(?i:i|me|he|she|we|they|you)|(?:my|our|his|her|their|the) [\w'’]+(?: [A-Z][\w'’]+)?|[A-Z][\w'’]+)\b"
)
_WITH_ME = CaselessPattern(r"\b(?:me|i|my [a-z]+)$")
_LEADS = frozenset({"", "and", "but", "so", "then", "oh", "well", "also", "last thing", "yes", "anyway"})
_INSTEAD = LazyPattern(
    r"\s*(?:结果(?![^，。]{0,8}[出公发])|没想到|谁知|谁想|可惜)"
    r"|\s*(?:but|and|then) (?:then )?(?:he|she|they|it|nobody|no one) "
    r"(?:didn['’]t|never|couldn['’]t|wasn['’]t|cancelled|bailed|forgot)\b"
)
_WEEKLY = CaselessPattern(  # what is told beside it recurs as well
    r"一(?:周|个?星期|个?礼拜)[^，。！？]{0,6}[一两二三四五六七几\d][天次班节回趟]"
    r"|\b(?:(?:days|times|shifts|classes|lessons|nights|mornings|evenings) (?:a|per)|(?:once|twice) a) week\b"
)
_AFTER_IT = LazyPattern(r"\s*(?:and |but |so )?(?:it|that|they|everyone|we all) (?:was|were|went|had|turned out)\b")


def _is_led(before: str) -> bool:
    """Whether nothing stands before a date that opens its sentence."""
    return before.strip().lower() in _LEADS


class Clauses:
    """The clauses of `text[low:high]`, of which `dated` are the bounds of everything in it that may be a date."""

    def __init__(self, text: str, low: int, high: int, dated: Iterable[tuple[int, int]]) -> None:
        self._text = text
        self._starts, self._ends, self._stops = _cut(text, low, high)
        counts = Counter((self._place(start), self._place(end - 1)) for start, end in dated)
        self._dated = {place for places in counts for place in places}
        self._lists = {places for places, count in counts.items() if count > _LISTED}
        self._told_of_list: dict[tuple[int, int], tuple[str | None, bool]] = {}
        self._held: dict[tuple[LazyPattern, int, int], bool] = {}

    def _place(self, at: int) -> int:
        return max(0, bisect_right(self._starts, at) - 1)

    def anchor(self, at_ms: int, start: int, end: int, otherwise: Tense) -> Anchor:
        """What `text[start:end]` is reckoned from; its tense is `otherwise` where its clause does not tell."""
        places = self._place(start), self._place(end - 1)
        told = self._told_of_list.get(places)
        if told is None:
            told = self._told(start, end, *places)
            if places in self._lists:
                self._told_of_list[places] = told
        own, habit = told
        if own == _PLAIN and otherwise is Tense.UNTOLD:
            return anchor(at_ms, Tense.AHEAD, habit=habit, unmarked=True)
        return anchor(at_ms, _TENSE.get(own or "", otherwise), habit=habit)

    def _told(self, start: int, end: int, first: int, last: int) -> tuple[str | None, bool]:
        """What its clause, or one beside it, tells of a date, and whether that is a habit."""
        before, after = self._text[self._starts[first] : start], self._text[end : self._ends[last]]
        habit = english_tense.is_habit(before + after) or chinese_tense.is_habit(before + after)
        habit = habit or self.holds(_WEEKLY, start, end)
        chinese = HAN_WIDE.search(self._text, start, end) is not None
        own = self._own(before, after, chinese=chinese)
        if own not in _TOLD and (_is_led(before) and not after.strip()):
            own = self._arranged(first) or own
        if own not in _TOLD and (_is_led(before) and not after.strip()) and not self._is_apposed(first):
            own = self._led(last, chinese=chinese) or self._said_before(first, last, chinese=chinese) or own
        elif own not in _TOLD and self._is_joined(last):
            own = self._own(before, self._text[end : self._ends[last + 1]], chinese=chinese) or own
        if own == _AHEAD and self._fell_through(last):
            own = _MIXED
        if own not in _TENSE and own != _MIXED:
            places = self._beside(first, last)
            if not before.strip() and not after.strip():  # "the formal, Dec 12, and I …": of what stands before
                places.sort(key=lambda place: (place > last, abs(place - last)))
            beside = next((found for place in places if (found := self._neighbour(place))), None)
            own = beside or own
        return own, habit

    def _is_apposed(self, first: int) -> bool:
        """Whether a date stands behind what looks ahead in its sentence: "she wants it for it, Dec 12, and …"."""
        if not first or self._stops[first - 1] or first - 1 in self._dated:
            return False
        return self._neighbour(first - 1) == _AHEAD

    def _led(self, place: int, *, chinese: bool) -> str | None:
        """What the clause tells in front of which a date stands ("On Saturday, we went out", 周六，我们出去了)."""
        for each in range(place + 1, min(place + 1 + _LED, len(self._starts))):
            if self._stops[each - 1] or each in self._dated:
                return None
            text = self._text[self._starts[each] : self._ends[each]]
            if _ASIDE.match(text):
                continue
            if self._is_joined(each):
                text = self._text[self._starts[each] : self._ends[each + 1]]
            if (told := self._own("", text, chinese=chinese)) in _TOLD:
                return told
        return None

    def _arranged(self, first: int) -> str | None:
        """Whether the clause before a date in the same sentence tells that something was fixed (婚礼定了，十月三号)."""
        if not first or self._stops[first - 1] or first - 1 in self._dated:
            return None
        fixed = chinese_tense.is_arranged(self._text[self._starts[first - 1] : self._ends[first - 1]])
        return _AHEAD if fixed else None

    def _said_before(self, first: int, last: int, *, chinese: bool) -> str | None:
        """What the sentence before tells of a date that is a whole one ("I passed. Tuesday.")."""
        if not first or not self._stops[first - 1] or not self._stops[last] or first - 1 in self._dated:
            return None
        told = self._own("", self._text[self._starts[first - 1] : self._ends[first - 1]], chinese=chinese)
        return told if told in _TOLD else None

    def _is_joined(self, place: int) -> bool:
        """Whether a clause goes on with who else did it: "On Saturday Ann | and I went out"."""
        if self._stops[place] or place + 1 >= len(self._starts) or place + 1 in self._dated:
            return False
        start, end = self._starts[place + 1], self._ends[place + 1]
        if _WITH_ME.search(self._text, max(self._starts[place], self._ends[place] - _LONGEST), self._ends[place]):
            return self._text.startswith(("and ", "n "), start)
        return _AND_WHO.match(self._text, start, end) is not None

    def _fell_through(self, place: int) -> bool:
        """Whether the next clause of the sentence says that something else came of a plan."""
        if self._stops[place] or place + 1 >= len(self._starts):
            return False
        return _INSTEAD.match(self._text, self._starts[place + 1], self._ends[place + 1]) is not None

    def together(self, first: int, second: int) -> bool:
        """Whether two places stand in the same sentence, at most a few clauses apart."""
        low, high = sorted((self._place(first), self._place(second)))
        return high - low <= 2 * _BESIDE and not any(self._stops[low:high])

    def holds(self, pattern: LazyPattern, start: int, end: int) -> bool:
        """Whether a pattern matches in the sentence of a date, or in what of it is near."""
        first, last = self._place(start), self._place(end - 1)
        while first > 0 and not self._stops[first - 1] and self._place(start) - first < _BESIDE:
            first -= 1
        while not self._stops[last] and last - self._place(end - 1) < _BESIDE:
            last += 1
        key = pattern, first, last
        if key not in self._held:
            self._held[key] = pattern.search(self._text, self._starts[first], self._ends[last]) is not None
        return self._held[key]

    def _own(self, before: str, after: str, *, chinese: bool) -> str | None:
        found: list[str | None] = []
        if chinese or HAN_WIDE.search(before) or HAN_WIDE.search(after):
            found.append(chinese_tense.sign_of(before, after))
        if _LATIN.search(before) or _LATIN.search(after):
            told_already = any(sign in _TENSE for sign in found)
            found.append(english_tense.sign_of(before, after, verbs_only=told_already))
        told = {sign for sign in found if sign in {_AHEAD, _BEHIND, _MIXED}}
        if len(told) > 1:
            return _MIXED
        return next(iter(told), None) or (_PLAIN if _PLAIN in found else None)

    def _beside(self, first: int, last: int) -> list[int]:
        """The clauses without a date of the same sentence, nearest first: those behind, then those before."""
        places = []
        for place in range(last + 1, min(last + 1 + _BESIDE, len(self._starts))):
            if self._stops[place - 1] or place in self._dated:
                break
            places.append(place)
        for place in range(first - 1, max(-1, first - 1 - _BESIDE), -1):
            if self._stops[place] or place in self._dated:
                break
            places.append(place)
        return places

    def _neighbour(self, place: int) -> str | None:
        text = self._text[self._starts[place] : self._ends[place]]
        if HAN_WIDE.search(text):
            return chinese_tense.of_neighbour(text)
        if _ASIDE.match(text):
            return None
        if _AFTER_IT.match(text):
            return _BEHIND
        sign = english_tense.sign_of(text, "")
        return _MIXED if sign == _BEHIND else sign


def _cut(text: str, low: int, high: int) -> tuple[list[int], list[int], list[bool]]:
    """Starts and ends of the clauses, and of each whether its sentence ends with it."""
    starts, ends, stops = [], [], []
    at = low
    for joint in (*_JOINT.finditer(text, low, high), None):
        end = joint.start() if joint else high
        while end - at > _LONGEST:
            starts.append(at)
            ends.append(at + _LONGEST)
            stops.append(False)
            at += _LONGEST
        starts.append(at)
        ends.append(end)
        stops.append(joint is None or _STOP.match(text, joint.start()) is not None)
        at = joint.end() if joint else high
    return starts, ends, stops
