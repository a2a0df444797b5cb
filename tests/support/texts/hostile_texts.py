"""Texts of one kind of character or word, over and over: what breaks whoever reads texts by trying.

Called by the tests of what reading costs. `KINDS` are the units, `hostile` gives any length of one.
"""

from __future__ import annotations

KINDS: dict[str, str] = {
    # characters of one script
    "han": "我今天去了北京", "one_han": "王", "kana": "こんにちは", "katakana": "カタカナ", "hangul": "안녕하세요",
    "thai": "สวัสดีครับ", "arabic": "مرحبا ", "hebrew": "שלום", "devanagari": "नमस्ते ", "cyrillic": "Привет ",
    "greek": "Καλημέρα ", "ancient_han": "\U00020000", "emoji": "😀", "family": "👨\u200d👩\u200d👧",
    "combining": "e\u0301", "ligature": "ﬁ", "dotted_i": "İ",
    # characters that end, join or mean nothing
    "quoted_commas": '，"',
    "blanks": " ", "tabs": "\t", "lines": "\n", "no_break": "\xa0", "wide_blanks": "\u3000", "line_signs": "\u2028",
    "zero_width": "\u200b", "control": "\x01", "full_stops": ".", "stops_and_blanks": ". ", "commas": ",",
    "wide_commas": "，", "colons": ":", "dashes": "-", "question_marks": "？", "quotes": '"', "open_quotes": "“",
    "quoted": "“”", "open_brackets": "(", "brackets": "()", "apostrophes": "'", "list": "- a\n", "stars": "**a** ",
    "json": '{"a":',
    # numbers and what is written with them
    "numerals": "一二三", "large_numerals": "九十百千", "digits": "1", "digits_apart": "1 2 ", "thousands": "1,000,",
    "spelt": "one hundred and ", "twenty": "twenty ", "money": "$1,000 ", "percent": "5% ",
    "ages": "岁", "ten_thousand": "一万",
    # times
    "march": "March 3, ", "monday": "monday ", "tomorrow": "tomorrow ", "morrow": "明天", "third_month": "三月",
    "third_day": "3号", "year": "二〇二六年",
    "years_ago": "3 years ago ", "hour": "5pm ", "before_july": "七月之前",
    "month_begins": "月初", "weekday": "周三", "iso_day": "2024-01-01 ", "o_clock": "三点", "ordinal": "第三",
    "month_lines": "三月\n", "times": "三月3号 March 3, 下午三点 on Tuesday 2024-01-01 ",
    # names, places, addresses
    "capitals": "A", "letters": "a", "mixed": "Aa",
    "name": "Ann ", "names": "Anna Maria ",
    "i_am_called": "我叫",
    "my_name_is": "my name is ", "hyphens": "x-", "possessives": "'s ", "url": "http://a.b/", "mail": "a@b.",
    # words that lead in, join and fill
    "the": "the ", "and_the": "and the ", "i": "i ", "i_am": "I am ", "my": "my ", "because": "because ", "not": "not ",
    "what": "what? ", "when": "when ", "lamp": "lamp ，", "of": "的",
    "done": "了", "no": "不", "with": "和", "at": "在",
    "just": "刚", "just_now": "最近", "also": "也", "ha": "哈",
    "from_home": "从家家家", "i_also": "我也", "well": "btw, ",
}  # fmt: skip


def hostile(kind: str, size: int) -> str:
    """So many bytes of UTF-8 of it, or a little less."""
    unit = KINDS[kind]
    return unit * max(1, size // len(unit.encode()))


def amid_words(kind: str, characters: int) -> str:
    """So many characters of it behind a word and before a question: what is cut off or passed over alone is read."""
    unit = KINDS[kind]
    return f"lamp {(unit * (characters // len(unit) + 1))[:characters]} what?"
