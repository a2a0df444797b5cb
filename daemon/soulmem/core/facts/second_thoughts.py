"""Second thoughts: whether a message says that something told a moment ago is otherwise.

What is told within one talk seldom takes back what was told in it, unless something came in since ("the bank just sent a
message", 课代表刚发), somebody looked it up ("I checked the calendar", 翻了下小本子), thought of it (不对, "I tell a lie") or
changed his plan ("so I've changed it", 换了叉烧饭). Called by `core.reranking.competing_answers`. Pure. Invariant: a text
that says nothing of the kind has none.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.text_memo import text_memo

_READ = 300  # characters
_SIGNS = (
    # thought of, looked up
    r"\b(?:hang on|hold on(?! to\b)|scratch that|correction|i (?:tell a lie|lied|misread|misremembered|misheard|stand corrected)|i was (?:mistaken|wrong|out by)|(?:must|have to|should|need to|let me) (?:correct|amend)|set straight)\b"
    r"|^\W*(?:(?:no|oh|well|ah|ugh|argh|so|and|ha|but|sorry)\W+){0,2}(?:wait|actually)\b"
    r"|\b(?:it (?:appears|turns out|seems)|turns out)\b"
    r"|\b(?:(?:just|double|re)[- ]?)?(?:checked|looked at|looked up|opened|counted) (?:again|it|(?:at )?(?:the|my|our) (?:family |group )?(?:calendar|diary|emails?|tickets?|bookings?|bank|statement|invit\w+|chat|app|letter|list|notes?|schedule|timetable|programme|program|website|label|receipt))\b"
    r"|\b(?:read (?:this|it|that) over|fine print|before me now|in front of me now)\b",
    # came in
    r"\bjust (?:now )?(?:texted|rang|called|messaged|phoned|emailed|told|said|sent|wrote|came|heard|got|reminded|shouted|hollered)\b|\b(?:has|have|is) (?:this minute|just)\b|\bthis (?:very )?minute\b|\bon the phone\b"
    r"|\b(?:phone (?:just )?rang|hollered|roar(?:ed|ing)|shout(?:ed|ing) (?:from|down|up|through))\b",
    # changed since
    r"\b(?:(?:i|we|she|he|they)(?:['’]ve| have|['’]s| has)? (?:changed|switched|swapped|moved) (?:it|that|the whole|them|over)|instead)\b|\b(?:is|are|['’]?s) (?:dead|off now)\b",
    # 不对; 翻了下; 刚来短信; 改到
    r"等等|等[一]?下(?![个次周月回班])|等会儿?[，,！]|不对|糊涂|(?:[记看搞弄念算说听数读认]|写)错|[少多][算记说数]了|翻(?:了|[一]?翻|[一]?下)|[查看]了[一]?[下眼看]|刚刚?(?:才)?[^，。！？]{0,10}(?:来|发|说|打|喊|探头|通知|提醒|收到|告诉)|刚才[^，。！？]{0,10}(?:说|喊|来|打|发|探)"
    r"|又(?:发话|发|来|通知)|来(?:了)?(?:消息|短信|电话|通知)|(?:群里|通知|短信|电话)[^，。！？]{0,6}(?:说|又?发|来)|改[到成下在]|换(?:成|了)|[挪推延调]到|宽限|提前到|提醒我|退单|才知道|原来是",
)
_SIGN = tuple(CaselessPattern(sign) for sign in _SIGNS)


@text_memo(512)
def reconsiders(text: str) -> bool:
    """Whether a message says that something told a moment ago is otherwise."""
    return any(sign.search(text[:_READ]) is not None for sign in _SIGN)
