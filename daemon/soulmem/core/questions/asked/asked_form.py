"""Asked form: what kind of words a question calls for, a name, a number, an age or a time, and how such words look.

Used by `core.search.answer_type`. Pure. Invariant: a question whose wording calls for no such words is of form `ANY`.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

from enum import Enum

from soulmem.core.numbers.number_words import OF_TENS, TO_TWELVE
from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.wordlists.important_events import KIN, KIN_ZH


class Form(Enum):
    """What kind of words a question calls for."""

    NAME = "name"
    PERSON = "person"
    AGE = "age"
    NUMBER = "number"
    TIME = "time"
    ANY = "any"


_FORMS = (
    (
        Form.NAME,
        r"\b(?:(?:first |middle |last |sur|nick|full |maiden )?names?\b(?! of (?:the|this|that) (?:book|song|film|movie|game))|called\b)"
        r"|叫(?:什么|啥|甚么)|姓(?:什么|啥|甚么)|(?:什么|啥)名|名字|大名|小名|贵姓",
    ),
    (
        Form.AGE,
        r"\bhow old\b|\bwhat age\b|几岁|多少岁|多大(?:年纪|岁数|了|$)|(?<![鞋码房屋])多大(?=[？?。]|呀|啊)|年龄|岁数",
    ),
    (
        Form.NUMBER,
        r"\bhow (?:much|many|tall|old|long|heavy|far|big|high|wide|deep|fast|large)\b|\bnumber\b|\bwhat (?:size|age|floor|price|rent)\b"
        r"|\b(?:pin|plate|postcode|zip code)\b|多少|多[大高重长远宽深快久]|几(?!乎)|号码|车牌|(?:证|账|卡|电话|手机|房间|护照|身份证|座位|工)号",
    ),
    (
        Form.TIME,
        r"\bwhen(?:['’]s)?\b|\b(?:what|which) (?:time|day|date|month|year|weekday)\b|(?:什么|啥)时候|哪[一]?[天年月日]|几[点号月]|何时|周几|星期几",
    ),
    (Form.PERSON, r"\bwho(?:m|se)?\b|\bwho['’](?:s|d|ll|ve)\b|谁|哪[一]?位|什么人"),
)
_FORM_PATTERNS = tuple((form, CaselessPattern(pattern)) for form, pattern in _FORMS)
PERSONS = CaselessPattern(
    rf"\b(?:{KIN}|friends?|boss|colleagues?|teacher|neighbou?rs?|flatmate|roommate|housemate|landlord|landlady|doctor|man|woman|guy|girl|boy|lady|couple)\b"
    rf"|{KIN_ZH}|朋友|老板|同事|同学|老师|邻居|室友|房东|医生|师傅|战友|棋友|舍友|经理|阿姨|大爷|大妈"
)
NUMERAL = CaselessPattern(
    rf"\d|\b(?:{TO_TWELVE}|\w+teen|{OF_TENS}|hundred|thousand|million|dozen|half|couple|twice|once|first|second|third|both|twins)\b"
    r"|(?<!周)(?<!礼拜)(?<!星期)[一二两三四五六七八九十百千万亿半俩仨]"
)
AGE = CaselessPattern(
    r"\b(?:is|am|are|was|were|turn(?:s|ed|ing)?|being|he['’]s|she['’]s|i['’]m|\w+['’]s|aged?|only|about|nearly|almost|just|already|(?:['’]ll|will|to|would) be) "
    rf"(?:\d{{1,3}}|{TO_TWELVE}|\w+teen|(?:{OF_TENS})(?:-\w+)?)(?=$|[.,;:!?]| (?:and|now|today|this|next|in|on|years?|months?|weeks?|but|already|soon)\b)"
    rf"|[,;.] (?:\w+teen|(?:{OF_TENS})(?:-\w+)?)(?=[.,;!?]|$)|(?:^|[,;.] ?)(?:\d{{1,3}}|{TO_TWELVE}|\w+teen) now\b|\byears? old\b|\bmonths? old\b|-year-old|\bborn (?:in|on)\b|(?:^|[.!?,;:] )at (?:[1-9]\d|\w+teen|(?:{OF_TENS})(?:-\w+)?)(?=[.,;!?]|$)|\d(?:st|nd|rd|th) birthday\b|[\d一二两三四五六七八九十几]岁|(?:\d{{2,3}}|[一二三四五六七八九]?十[一二三四五六七八九]?)(?:多)?了都?(?=[，。！,.!\s]|$)|(?:^|[：:])(?:我|今年)?(?:[二三四五六七八九]?十[一二三四五六七八九]?|[1-9]\d)(?=[，,])|今年(?:（\d{{4}}年）)?(?:[二三四五六七八九]?十[一二三四五六七八九]?|[1-9]\d)(?=[，,。！]|$)|(?<=[\u4e00-\u9fff]{{2}})(?<![了到第是有差共才考得花卖涨零百千一二三四五六七八九十])(?:[二三四五六七八九]十[一二三四五六七八九]?|十[一二三四五六七八九])(?=[，。！、,;；（(]|$)|本命年|出生|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|年生的|个月大"
)
WHEN = CaselessPattern(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\b|\b(?:today|tonight|tomorrow|yesterday|morning|afternoon|evening|night|noon|midnight|weekend|week|month|year|summer|winter|spring|autumn|fall|christmas|easter|ago|last|next|since|before|after|until|o['’]clock|always|every|years?|when)\b"
    r"|[年月日号点周]|星期|礼拜|今天|明天|昨天|前天|后天|上午|下午|晚上|早上|春|夏|秋|冬|节|除夕|初[一二三四五六七八九十]|生日|时候|以后|之前|每"
)


# What a medicine or a shop is called looks like no name of anybody.
_NAME_OF_THING = CaselessPattern(
    r"(?<!of the )(?<!of my )(?<!of our )\b(?:medicines?|medication|pills?|tablets?|drugs?|shop|café|cafe|restaurant|pub|hotel|company|firm|book|song|film|movie|show|series|game|app|street|road|course|illness|disease|condition|drink|dish)\b[^.?!]{0,20}\bcalled\b"
    r"|\b(?:nursery|gym|salon|bar)\b[^.?!]{0,20}\bcalled\b|\bname of (?:the|my|our|his|her|their|that) (?:[\w'’]+ ){0,3}(?:shop|store|caf[eé]|restaurant|pub|company|firm|nursery|hotel|salon|gym|bar|boat|place)\b"
    r"|(?:幼儿园|学校)(?:的?名字)?(?:叫|是)(?:什么|啥)"
    r"|(?:药|店|馆|公司|厂|书|歌|电影|剧|游戏|小区|楼盘|酒店|饭店|餐厅|医院|牌子|软件|课|项目|病|菜|街|路)(?:的?(?:名字)?)?(?:叫(?:什么|啥)|什么名|名字)"
)


def form_asked(question: str) -> Form:
    """What kind of words a question calls for."""
    found = next((form for form, pattern in _FORM_PATTERNS if pattern.search(question)), Form.ANY)
    return Form.ANY if found is Form.NAME and _NAME_OF_THING.search(question) is not None else found
