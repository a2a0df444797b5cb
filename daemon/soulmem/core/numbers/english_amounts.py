"""The English grammar of amounts: digits and words, halves, ranges, money, shares, ages and times of day.

Called by `core/numbers/amount_parser` only; each find is (start, end, kind, low, high, approximate).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import Match

from soulmem.core.numbers.number_words import LARGE, ORDINALS, TENS, UNITS, WORDS, english_value
from soulmem.core.regex.lazy_regex import CaselessPattern, in_slices
from soulmem.core.regex.regex_prefilter import DIGIT, signs_of, words_of

Found = tuple[int, int, str, float, float, bool]

_MOST_WORDS = 8
_SMALL = "|".join(
    sorted((*WORDS, "hundred", "thousand", "million", "billion", "trillion", "dozen"), key=len, reverse=True)
)
_WORDED = (
    rf"(?:(?:a |an |half a )?(?:{_SMALL})s?(?![a-z])(?:(?:[ -]| and )(?:{_SMALL})(?![a-z])){{0,{_MOST_WORDS}}}"
    rf"(?: point(?: (?:{_SMALL})(?![a-z])){{1,4}})?)"
)
_ORDINAL = "|".join(sorted((word for word in ORDINALS if word != "second"), key=len, reverse=True))
_DIGITS = r"(?<![\d.,:/])\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\d.,:/])\d{1,15}(?:\.\d{1,6})?"
_SCALED = r"(?: ?(?:k|m|bn|K|M|grand)(?![a-zA-Z])| (?:hundred|thousand|million|billion|dozen)(?![a-z]))?"
_NUMBER = rf"(?:(?:{_DIGITS}){_SCALED}|\b{_WORDED}(?: grand)?\b)"
_CURRENCY = r"quid|bucks?|dollars?|pounds?|euros?|usd|gbp|eur|yuan|rmb|yen|rupees?"
_AGE = r"years? old|yrs? old|year[- ]olds?|y/?o\b|yrs old"
_DECADE = "|".join(["twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"])
_FINDS = CaselessPattern(
    rf"\b(?:(?:in (?:her|his|their|my|our|your|the)|of) |(?=early|mid|late))"
    rf"(?P<third>early |mid[ -]|late )?(?P<decade>{_DECADE}|[2-9]0['’]?s)\b"
    rf"|\b(?P<odd>{'|'.join(TENS)}|[2-9]0)[- ](?P<odds>something|odd|ish)\b"
    rf"|\b(?P<past>half past|quarter past|quarter to|(?:five|ten|twenty|twenty[- ]five) (?:past|to))"
    rf" (?P<hour>{'|'.join(UNITS[1:13])}|\d{{1,2}})\b(?!:)"
    rf"|(?<![\d.:])(?P<clock>\d{{1,2}})[:.](?P<minutes>\d\d) ?(?P<half>am|pm|a\.m|p\.m)?(?![\d%.:])"
    rf"|(?<![\d.:$])(?P<bare>\d{{1,2}}|\b(?:{'|'.join(UNITS[1:13])})) ?(?P<bare_half>am|pm|a\.m|p\.m|o['’]clock)\b"
    rf"|(?P<symbol>[$£€¥]) ?(?P<price>{_DIGITS})(?P<price_scale>{_SCALED})"
    r"(?:[-–](?P<price_to>\d{1,9}(?:\.\d{1,2})?))?"
    rf"|\b(?P<note>fiver|tenner)s?\b"
    rf"|\b(?P<few>a couple(?: of)?|a few|several|a dozen|half a dozen|a quarter of"
    r"|half an?(?! (?:million|billion|thousand|hundred))|twice"
    r"|a third of|two thirds of|three quarters of)(?= |$)"
    rf"|\b(?:an?|one) (?:year|month|week|day|hour|mile|dozen|pint|decade|kilo)(?P<one_half> and a half)\b"
    rf"|\bbetween (?P<between>{_NUMBER}) and (?P<and>{_NUMBER})"
    rf"|(?P<number>{_NUMBER})(?P<and_half> and (?:a half|a quarter|three quarters)"
    rf"(?P<half_scale> (?:hundred|thousand|grand|million|billion)\b)?)?"
    rf"(?:(?: ?[-–] ?| to | or )(?P<to>{_NUMBER}))?(?P<ish>-?ish\b)?"
    rf"(?:(?P<percent> ?%| per ?cent\b)| (?P<money>{_CURRENCY})\b(?: (?P<change>fifty|twenty|\d\d)\b)?"
    rf"|(?P<coin> ?p\b| pence\b| cents?\b)|[ -](?P<age>{_AGE}))?"
)
_ABOUT = CaselessPattern(
    r"(?:\babout|\baround|\broughly|\bnearly|\balmost|\bover|\bmore than"
    r"|\bless than|\bunder|\bapprox\.?|\bsome|\bat least|\bup to|~)\s?$"
)
_PRICED = CaselessPattern(r"\b(?:are|costs?|paid|pays?|charges?|earn)\s$")  # "eggs are 2.40 now"
_AGED = CaselessPattern(r"(?:\baged|\bage|\bturn(?:ed|ing|s)?|\bi['’]?m|\bshe['’]?s|\bhe['’]?s)\s$")
_AGE_ENDS = CaselessPattern(r"\s*(?:$|[.,!?;)]|and\b|now\b|today\b|this\b|next\b|in\b|on\b|tomorrow\b)")
_FEW = {
    "a couple": (2, 2, True), "a few": (3, 5, True), "several": (3, 9, True), "a dozen": (12, 12, False),
    "half a dozen": (6, 6, False), "a quarter of": (0.25, 0.25, False), "half a": (0.5, 0.5, False),
    "half an": (0.5, 0.5, False), "twice": (2, 2, False), "a third of": (1 / 3, 1 / 3, False),
    "two thirds of": (2 / 3, 2 / 3, False), "three quarters of": (0.75, 0.75, False),
}  # fmt: skip
_THIRDS = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}
_SCALES = {"k": 1_000, "m": 10**6, "bn": 10**9, "grand": 1_000, "dozen": 12, **LARGE}
_HALVES = {"half": 0.5, "quarter": 0.25, "three": 0.75}


# One of these words, or a digit, stands in whatever says an amount.
_SAID = frozenset(
    word
    for said in (*_SMALL.split("|"), *TENS, *_DECADE.split("|"), "fiver", "tenner", "third")
    for word in (said, f"{said}s")
) | {"half", "quarter", "couple", "few", "several", "twice", "quarters"}


def find(text: str) -> Iterator[Found]:
    if DIGIT not in signs_of(text) and _SAID.isdisjoint(words_of(text)):
        return
    for match in in_slices(_FINDS, text):
        found = _meant(match, text)
        if found is not None:
            yield found


def _meant(match: Match[str], text: str) -> Found | None:
    start, end = match.span()
    about = _ABOUT.search(text, max(0, start - 12), start) is not None
    if match["decade"]:
        return _decade(match)
    if match["odd"]:
        base = _number(match["odd"]) or 0
        return start, end, "number", base, base + (9 if match["odds"].lower() != "ish" else 0), True
    if match["hour"] or match["clock"] or match["bare"]:
        return _time(match)
    if match["price"]:
        low = (_number(match["price"]) or 0) * _SCALES.get(match["price_scale"].strip().lower(), 1)
        return start, end, "money", low, float(match["price_to"]) if match["price_to"] else low, about
    if match["note"]:
        value = 5.0 if match["note"].lower() == "fiver" else 10.0
        return start, end, "money", value, value, about
    if match["one_half"]:
        return start, end, "number", 1.5, 1.5, about
    if match["between"]:
        least, most = _number(match["between"]), _number(match["and"])
        bounded = least is not None and most is not None and most > least
        return (start, end, "number", least or 0.0, most or 0.0, about) if bounded else None
    if match["few"]:
        low, high, vague = _FEW[
            match["few"].lower().removesuffix(" of") if "couple" in match["few"] else match["few"].lower()
        ]
        return start, end, "number", low, high, vague or about
    return _counted(match, text, about=about)


def _counted(match: Match[str], text: str, *, about: bool) -> Found | None:
    start, end = match.span()
    low = _number(match["number"])
    if low is None or match[0].lower() == "one":  # mostly somebody, or some thing
        return None
    if match["and_half"]:
        low += _HALVES[match["and_half"].split()[2] if " a " in match["and_half"] else "three"]
        low *= _SCALES[match["half_scale"].strip().lower()] if match["half_scale"] else 1
    high = low
    if match["to"]:
        upper = _number(match["to"])
        if upper is None or upper <= low:
            return (
                None
                if " or " in match[0] or " to " in match[0]
                else (start, match.end("number"), "number", low, low, about)
            )
        high = upper
    kind = (
        "percent"
        if match["percent"]
        else "money"
        if match["money"] or match["coin"]
        else "age"
        if match["age"]
        else "number"
    )
    if match["coin"]:
        low, high = low / 100, high / 100
    if match["change"]:
        low = high = low + (_number(match["change"]) or 0) / 100
    if re.search(r"\bgrand\b", match[0], re.IGNORECASE):
        kind = "money"
    if (
        kind == "number"
        and 0 < low < 120
        and _AGED.search(text, max(0, start - 9), start)
        and _AGE_ENDS.match(text, end)
    ):
        kind = "age"
    return start, end, kind, round(low, 6), round(high, 6), about or bool(match["ish"])


def _number(words: str) -> float | None:
    """Digits with their scale, or words."""
    words = words.strip().lower()
    if words[:1].isdigit():
        plain = words.replace(",", "")
        digits = re.match(r"\d+(?:\.\d+)?", plain)
        assert digits is not None
        return float(digits[0]) * _SCALES.get(plain[digits.end() :].strip(), 1)
    scale = 1_000 if words.endswith(" grand") else 1
    last = words.rpartition(" ")[2]
    if " point " in words and last in LARGE:  # one point two million
        words, scale = words.removesuffix(f" {last}"), LARGE[last]
    value = english_value(words.removesuffix(" grand").replace("-", " "))
    return None if value is None else value * scale


def _decade(match: Match[str]) -> Found | None:
    word = match["decade"].lower()
    base = float(word[:2]) if word[:1].isdigit() else 10.0 * (2 + _DECADE.split("|").index(word))
    low, high = _THIRDS.get((match["third"] or "").strip(" -").lower(), (0, 9))
    return *match.span(), "age", base + low, base + high, True


def _time(match: Match[str]) -> Found | None:
    hour_text, minute = match["hour"] or match["clock"] or match["bare"], 0.0
    hour = _number(hour_text)
    if hour is None or (hour > 24 and "." not in match[0]):
        return None
    if match["past"]:
        words = match["past"].lower()
        count = {"half": 30.0, "quarter": 15.0}.get(words.split()[0]) or _number(words.rsplit(" ", 1)[0]) or 0.0
        minute = -count if words.endswith("to") else count
    elif match["minutes"]:
        minute = float(match["minutes"])
        if "." in match[0] and not match["half"]:  # a price without its sign: "it has gone to 12.99"
            low = float(match[0])
            is_price = (
                minute > 59 or hour > 24 or _PRICED.search(match.string, max(0, match.start() - 9), match.start())
            )
            return (*match.span(), "number", low, low, False) if is_price else None
        if minute > 59:
            return None
    half = (match["half"] or match["bare_half"] or "").lower()
    if half.startswith("p") and hour < 12:
        hour += 12
    elif half.startswith("a") and hour == 12:
        hour = 0
    minutes = hour * 60 + minute
    return *match.span(), "time", minutes, minutes, False
