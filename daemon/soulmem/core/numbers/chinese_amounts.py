"""The Chinese grammar of amounts: numerals with 半, 多, 几, in ranges, as money, shares, ages and times of day.

Called by `core/numbers/amount_parser` only; each find is (start, end, kind, low, high, approximate).
"""

from __future__ import annotations

from collections.abc import Iterator
from re import Match

from soulmem.core.numbers.number_words import DIGITS, NUMERALS, chinese_value
from soulmem.core.regex.lazy_regex import LazyPattern, in_slices

Found = tuple[int, int, str, float, float, bool]

LONGEST_RUN = 24  # numerals of one number
_N = f"[{NUMERALS}]"
_DIGIT = f"[{''.join(DIGITS)}]"
_ARABIC = r"(?<![\d.])\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\d.])\d{1,15}(?:\.\d{1,6})?"
_NUMBER = rf"(?:{_ARABIC})[千百]?[万亿]?|(?<!{_N}){_N}{{1,{LONGEST_RUN}}}(?!{_N})(?:点{_DIGIT}{{1,8}}[万亿]?)?"
_VAGUE = rf"好?几[十百千万亿]万?|(?<!{_N})[一二三四五六七八九]?十几万?"
_UNIT = (
    "个|只|条|岁|年|个月|天|次|位|点|块|元|小时|钟头|分钟|周|星期|礼拜|秒|米|里|公里|斤|公斤|吨|度|倍|张|本|家|间|件|套|双|对|颗|层|楼|页|杯|瓶|碗|盘"
    "|盒|包|袋|台|辆|匹|头|口|人|遍|趟|回|场|顿|份|根|棵|盆|门|节|章|篇|句|首|部|集|号|名|道|克|升|斤|两|寸|尺|平|平米|亩"
)
_MONEY = "块|元|圆|美元|美金|欧元|英镑|日元|港币|刀|人民币"
_PART = "凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|深夜|今晚|昨晚|明早|今早"
_FINDS = LazyPattern(
    rf"(?P<percent>百分之(?P<share>{_N}{{1,9}}(?:点{_DIGIT}{{1,6}})?|\d+(?:\.\d+)?))"
    rf"|(?P<part>(?<!{_N})(?P<below>{_N}{{1,9}})分之(?P<above>{_N}{{1,9}}))"
    rf"|(?P<day>{_PART})?(?P<hour>(?<![\d.])\d{{1,2}}|(?<!{_N}){_N}{{1,3}})[点點时](?!{_DIGIT}(?![{NUMERALS}分刻]))(?!{_DIGIT}{{3}})(?P<minute>半|一刻|三刻|(?:{_N}{{1,3}}|\d{{1,2}})(?=分)|{_N}{{2,3}}(?!{_N}))?"
    rf"(?(day)(?:分|钟|整)?|(?(minute)分?|(?:钟|整|(?<=[点點])(?![意建原理要好钱儿点几评赞]))))"
    rf"|(?P<small>{_NUMBER})(?P<coin>[毛角])(?:(?P<cents>[一二三四五六七八九\d])分?|钱)?"
    rf"|(?:(?P<vague>{_VAGUE})|(?P<number>{_NUMBER}))(?P<more>多|来|余|出头|好几)?"
    rf"(?:(?:到|至|[-~～—])(?P<to>{_NUMBER}))?"
    rf"(?:(?P<money>{_MONEY})(?P<change>[一二三四五六七八九\d](?![\d个十百千万点]))?(?:(?P<coins>[毛角])(?P<cent>[一二三四五六七八九](?!{_N})分?)?)?钱?"
    rf"|(?P<tenth>成(?P<tenth_half>半)?(?![为了功都员立分长年天语就交绩品人果本效])|%|％|个百分点)"
    rf"|(?P<unit>{_UNIT})(?:(?P<half>半)|(?<=米)(?P<metres>[一二三四五六七八九]{{1,2}}|\d\d?)(?![十百千\d]))?(?P<beyond>多)?)?(?P<about>左右|上下|出头|以上|以内)?"
    rf"|(?<![一两三四五六七八九十几])半(?P<halved>个(?:小时|月|钟头)|年|天|小时|斤|瓶|碗|杯|个|块|里|辈子|张|箱)"
)
_ABOUT = LazyPattern(r"(?:大概|大约|差不多|将近|接近|不到|近|约|快|超过|至少|最多|估计)(?:有|是|花了|要)?\s?$")
_AGE_AHEAD = LazyPattern(r"(?:今年|刚满?|刚过|年龄|年纪|岁数|他|她|我|我妈|我爸)(?:大概|差不多|都|已经|才|快)?$")
_AGE_ENDS = LazyPattern(r"了?(?:$|[，。！？,.!?])")
_AFTERNOON = frozenset({"下午", "傍晚", "晚上", "夜里", "今晚", "昨晚"})
# Numerals that are part of a word and count nothing.
NUMERAL_WORDS = (
    r"十分(?!钟)|万一|千万(?!元|块|人|美)|百分(?!之)|成千上万|百货|百姓|百合|三明治|四川|七夕|八卦|九寨沟|两侧|两边|五官|四季|四周|三角|五金|百度|千里|万事|十足|"
    r"十一(?=假|长假|黄金周)|乱七八糟|三心二意|五颜六色|四处|四面八方|三亚|二手|二维|三星|六神|两旁|七上八下"
)
NO_NUMBER = LazyPattern(
    rf"{NUMERAL_WORDS}|(?<![块元毛点个])五一|万分(?!之)|"
    r"一下|一起|一直|一样|一定|一般|一些|一点儿?(?![钟多半零一二三四五])|万岁|千万别|万圣|一切|一共|一边|统一|唯一|第一次|一会|一旦|一向|星期[一二三四五六]|周[一二三四五六]|礼拜[一二三四五六]|"
    r"半夜|大半|多半|一半天|半天(?!时间)"
)


def find(text: str) -> Iterator[Found]:
    blanked = NO_NUMBER.sub(lambda match: "　" * len(match[0]), text)
    for match in in_slices(_FINDS, blanked):
        found = _meant(match, blanked)
        if found is not None:
            yield found


def _meant(match: Match[str], text: str) -> Found | None:
    start, end = match.span()
    about = _ABOUT.search(text, max(0, start - 8), start) is not None or match["about"] is not None
    if match["percent"]:
        return _one(start, end, "percent", _value(match["share"]), about=about)
    if match["part"]:
        below, above = _value(match["below"]), _value(match["above"])
        return _one(start, end, "number", above / below if below and above is not None else None, about=about)
    if match["hour"]:
        return _time(match)
    if match["small"]:
        coins = _value(match["small"])
        cents = (_value(match["cents"]) or 0) if match["cents"] else 0
        return _one(start, end, "money", None if coins is None else coins / 10 + cents / 100, about=about)
    if match["halved"]:
        return _one(start, end, "number", 0.5, about=about)
    return _counted(match, text, about=about)


def _counted(match: Match[str], text: str, *, about: bool) -> Found | None:
    start, end = match.span()
    low, high, vague = _bounds(match)
    if low is None or high is None:
        return None
    if match["to"]:
        upper = _value(match["to"])
        if upper is None or upper < low:
            return None
        return start, end, _kind(match, text), low, upper, about
    if match["tenth"] and match["tenth"].startswith("成"):
        low, high = low * 10 + 5 * bool(match["tenth_half"]), high * 10 + 5 * bool(match["tenth_half"])
    change = _value(match["change"]) if match["change"] else None
    cent = _value(match["cent"][0]) if match["cent"] else None
    metres = float(f"0.{''.join(str(DIGITS.get(char, char)) for char in match['metres'])}") if match["metres"] else 0.0
    extra = metres + (change or 0) / 10 + (cent or 0) / 100 + 0.5 * bool(match["half"])
    low, high = low + extra, high + extra
    if match["more"] or match["beyond"]:
        high, vague = low + (_step(match["number"]) if match["more"] != "出头" else 3), True
    return start, end, _kind(match, text), round(low, 6), round(high, 6), about or vague


def _bounds(match: Match[str]) -> tuple[float | None, float | None, bool]:
    """From and to, and whether it is vague: 三四十 is from 30 to 40, 十几 from 11 to 19."""
    if match["vague"]:
        words = match["vague"].lstrip("好")
        if "十几" in words:
            head, tail = words.split("十几")
            base = 10 * (DIGITS.get(head, 1) if head else 1)
            scale = 10_000 if tail else 1
            return (base + 1) * scale, (base + 9) * scale, True
        size = chinese_value("一" + words[1:]) or 1
        return 3 * size, 9 * size, True
    words = match["number"]
    both = _range(words)
    if both is not None:
        return *both, False
    value = _value(words)
    return value, value, False


def _range(words: str) -> tuple[float, float] | None:
    """Two neighbouring digits are a range: 三四十, 十五六, 七八, 两三百."""
    for place in range(len(words) - 1):
        first, second = DIGITS.get(words[place]), DIGITS.get(words[place + 1])
        if first is None or second is None or words[place] in "零〇" or "点" in words:
            continue
        alone = all(char in DIGITS for char in words)
        if alone and len(words) > 2:
            return None  # 二〇二三
        if second == first + 1 or (first == 3 and second == 5):
            low = chinese_value(words[: place + 1] + words[place + 2 :])
            high = chinese_value(words[:place] + words[place + 1 :])
            if low is not None and high is not None:
                return low, high
    return None


def _value(words: str) -> float | None:
    if words[:1].isdigit() and words[:1].isascii():
        plain = words.replace(",", "")
        digits = plain.rstrip("百千万亿")
        scale = 1.0
        for char in plain[len(digits) :]:
            scale *= {"百": 100, "千": 1_000, "万": 10**4, "亿": 10**8}[char]
        return float(digits) * scale
    return chinese_value(words)


def _step(words: str | None) -> float:
    """How far 多 reaches: 三十多 is below forty, 一百多 below two hundred, 三年多 below four."""
    if not words:
        return 1.0
    value = _value(words) or 1.0
    step = 1.0
    while value >= 10 * step and value % (10 * step) == 0:
        step *= 10
    return step


def _kind(match: Match[str], text: str) -> str:
    if match["money"]:
        return "money"
    if match["tenth"]:
        return "percent"
    if match["unit"] == "岁" or (match["more"] == "出头" and match["unit"] is None):
        return "age"
    bare = match["unit"] is None and text[match.end() : match.end() + 1] not in {"岁"}
    if (
        bare
        and (match["more"] or _AGE_ENDS.match(text, match.end()))
        and not set("百千万亿").intersection(match[0])  # 给她两千三: nobody is so old
        and _AGE_AHEAD.search(text, max(0, match.start() - 6), match.start())
    ):
        return "age"
    return "number"


def _time(match: Match[str]) -> Found | None:
    hour = _value(match["hour"])
    minute = {"半": 30, "一刻": 15, "三刻": 45}.get(match["minute"] or "")
    if minute is None:
        minute = int(_value(match["minute"]) or 0) if match["minute"] else 0
    if hour is None or hour > 24 or minute > 59:
        return None
    if match["day"] in _AFTERNOON and hour < 12:
        hour += 12
    minutes = hour * 60 + minute
    return *match.span(), "time", minutes, minutes, False


def _one(start: int, end: int, kind: str, value: float | None, *, about: bool) -> Found | None:
    return None if value is None else (start, end, kind, round(value, 6), round(value, 6), about)
