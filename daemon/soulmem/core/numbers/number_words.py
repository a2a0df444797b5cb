"""What number words mean: the one parser of English and Chinese number words.

Used by `core/numbers/amount_parser` (finding amounts), `core/grounding/number_grounding` (what a note states),
`core/numbers/rough_numbers` (saying numbers roughly) and the grammars of dates. 三千五 is 3,500 and 一万二 12,000, as
they are spoken; 二〇二三 is read digit by digit; "two and a half" is 2.5. Pure. Bounds: work grows with the text; what
is longer than `LONGEST` characters or beyond 10^16 has no value.
"""

from __future__ import annotations

from soulmem.core.regex.lazy_regex import LazyPattern

LONGEST = 80  # characters of one number
_MOST = 10**16

DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")}
DIGITS |= {"〇": 0, "○": 0, "两": 2, "俩": 2, "仨": 3, "兩": 2, "幺": 1}
DIGITS |= {char: value for value, char in enumerate("壹贰叁肆伍陆柒捌玖", 1)}
SCALES = {"十": 10, "廿": 20, "卅": 30, "百": 100, "千": 1_000, "拾": 10, "佰": 100, "仟": 1_000}
MYRIADS = {"万": 10**4, "亿": 10**8, "萬": 10**4, "億": 10**8}
NUMERALS = "".join((*DIGITS, *SCALES, *MYRIADS))
_TWENTY = {"廿": 20, "卅": 30}

UNITS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen""".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
TO_TWELVE, OF_TENS = "|".join(UNITS[1:13]), "|".join(TENS)  # for patterns
WORDS = {word: value for value, word in enumerate(UNITS)} | {word: 20 + 10 * i for i, word in enumerate(TENS)}
WORDS |= {"fourty": 40, "ninty": 90}
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40,
    "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90, "hundredth": 100,
}  # fmt: skip
LARGE = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
COUNTED = {"dozen": 12, "couple": 2, "score": 20, "fortnight": 14}  # "three dozen", "a couple of"
_FRACTIONS = {"half": 0.5, "quarter": 0.25, "third": 1 / 3}
_WORD = LazyPattern(r"[a-z]+|\d+(?:\.\d+)?")
_SKIPPED = frozenset({"and", "of", "a", "an"})
_VALUES = {**WORDS, **ORDINALS}


def chinese_value(text: str) -> float | None:
    """The value of Chinese numerals, or of plain digits; None where the characters make no number."""
    if not text or len(text) > LONGEST:
        return None
    if text.isascii():
        return float(text) if text.isdigit() else None
    whole, point, decimals = text.partition("点")
    value = _whole(whole)
    if value is None or not point:
        return value
    myriad = MYRIADS.get(decimals[-1:], 1)
    decimals = decimals.rstrip("".join(MYRIADS))
    if not decimals or any(char not in DIGITS for char in decimals):
        return None
    return round(float(f"{int(value)}.{''.join(str(DIGITS[char]) for char in decimals)}") * myriad, 9)


def _whole(text: str) -> float | None:
    if len(text) > 1 and all(char in DIGITS for char in text):  # 二〇二三, 一三八
        return float("".join(str(DIGITS[char]) for char in text))
    total = section = digit = 0
    last = 1  # the scale last named: 三千五 goes on with hundreds
    for char in text:
        if char in DIGITS:
            if digit:
                return None  # 三四十 is a range, 四五 no number
            digit = DIGITS[char]
            if digit == 0:
                last = 1
        elif char in SCALES:
            if char in _TWENTY:
                section += _TWENTY[char]
                last = 10
            else:
                section += (digit or 1) * SCALES[char]
                last = SCALES[char]
            digit = 0
        elif char in MYRIADS:
            if not total + section + digit:
                return None
            total = (
                (total + section + digit) * MYRIADS[char]
                if char in "亿億"
                else total + (section + digit) * MYRIADS[char]
            )
            section = digit = 0
            last = MYRIADS[char]
        else:
            return None
        if total > _MOST:
            return None
    if not text:
        return None
    return float(total + section + digit * (last // 10 if last > 10 else 1))


def english_value(text: str) -> float | None:
    """The value of English number words ("two and a half", "three thousand five hundred", "a couple of")."""
    if len(text) > LONGEST:
        return None
    words = _WORD.findall(text.lower())
    readings = values_of(words)
    if len(readings) == 2 and 10 <= readings[0] <= 20 and 10 <= readings[1] <= 99:  # nineteen ninety
        return readings[0] * 100 + readings[1]
    return readings[0] if len(readings) == 1 else None


def values_of(words: list[str]) -> list[float]:
    """The numbers that words make one after another: `nineteen ninety` makes two, `two hundred and six` one."""
    found: list[float] = []
    total = current = 0.0
    started = False
    place = 0
    while place < len(words):
        word = words[place]
        if word not in _VALUES and word not in LARGE and word not in COUNTED:
            word = word.removesuffix("s") if word.removesuffix("s") in LARGE | COUNTED | WORDS else word
        if word in _FRACTIONS and (place == 0 or words[place - 1] in _SKIPPED) and not _is_ordinal(words, place):
            scale = next((LARGE[each] for each in words[place + 1 : place + 3] if each in LARGE), 1)
            current, started = current + _FRACTIONS[word], True
            if scale > 1:
                return [*found, (total + current) * scale]
        elif word == "point" and started:
            digits = [str(WORDS[each]) for each in words[place + 1 :] if WORDS.get(each, 10) < 10]
            return [*found, float(f"{int(total + current)}.{''.join(digits) or '0'}")]
        elif word in LARGE or word in COUNTED:
            current = (current if started and current else 1) * (LARGE.get(word) or COUNTED[word])
            started = True
            if LARGE.get(word, 0) >= 1_000:
                total, current = total + current, 0
        elif word in _VALUES or word[:1].isdigit():
            value = float(word) if word[:1].isdigit() else float(_VALUES[word])
            if current and not _joins(current, value):
                found.append(total + current)
                total = current = 0.0
            current, started = current + value, True
        elif word not in _SKIPPED:
            break
        place += 1
    return [*found, total + current] if started else found


def _is_ordinal(words: list[str], place: int) -> bool:
    """`third` is an ordinal unless an article or a count leads to it."""
    return words[place] == "third" and (place == 0 or words[place - 1] not in {"a", "and"})


def _joins(current: float, value: float) -> bool:
    """Whether a further word goes on with the same number (twenty | one, two hundred | six)."""
    return (current % 100 == 0 and value < 100) or (current % 10 == 0 and current % 100 >= 20 and value < 10)
