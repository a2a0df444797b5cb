"""Words of details, English and Chinese: of which kind a thing is, and what tells that words were spoken or struck.

English patterns match whole words; a Chinese word is looked up whole or by what it ends in. What is in neither is a
thing. Patterns of `note_details` match a Chinese word anywhere. Data and two questions.
"""

# ruff: noqa: E501 (a kind and all its words stand on one line, as a table)

from __future__ import annotations

# ruff: noqa: E501 (a kind and all its words stand on one line, as a table)
from soulmem.core.details.gists import Kind
from soulmem.core.numbers.rough_numbers import SHORT_ENGLISH_NUMBER
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.chinese_segmenter import cost, is_noun
from soulmem.core.text.word_file import read_rows

# The first kind that fits is taken.
_ROWS = read_rows("llm/extractive/details/detail_kinds.txt", {})
ENGLISH_NOUNS = [(Kind(kind), CaselessPattern(words)) for lang, kind, words in _ROWS if lang == "en"]

# A Chinese word by what it is or ends in.
CHINESE_KINDS = [(Kind(kind), LazyPattern(words)) for lang, kind, words in _ROWS if lang == "zh"]

# What a favourite, a type or a make is of: my favourite colour is teal, 最喜欢的乐队是痛仰.
OF_WHAT = {
    "colour": Kind.COLOUR, "color": Kind.COLOUR, "band": Kind.MUSIC, "singer": Kind.MUSIC, "song": Kind.MUSIC,
    "album": Kind.MUSIC, "music": Kind.MUSIC, "composer": Kind.MUSIC, "artist": Kind.MUSIC, "film": Kind.FILM,
    "movie": Kind.FILM, "show": Kind.FILM, "series": Kind.FILM, "actor": Kind.PERSON, "actress": Kind.PERSON,
    "book": Kind.BOOK, "novel": Kind.BOOK, "author": Kind.PERSON, "writer": Kind.PERSON, "poet": Kind.PERSON,
    "food": Kind.FOOD, "dish": Kind.FOOD, "fruit": Kind.FOOD, "drink": Kind.FOOD, "cake": Kind.FOOD,
    "snack": Kind.FOOD, "vegetable": Kind.FOOD, "game": Kind.GAME, "sport": Kind.SPORT, "team": Kind.ORGANISATION,
    "animal": Kind.ANIMAL, "city": Kind.PLACE, "place": Kind.PLACE, "country": Kind.PLACE, "language": Kind.LANGUAGE,
    "subject": Kind.STUDY, "season": Kind.TIME, "blood type": Kind.HEALTH, "blood group": Kind.HEALTH,
    "颜色": Kind.COLOUR, "乐队": Kind.MUSIC, "歌手": Kind.MUSIC, "歌": Kind.MUSIC, "音乐": Kind.MUSIC,
    "电影": Kind.FILM, "电视剧": Kind.FILM, "剧": Kind.FILM, "动画": Kind.FILM, "演员": Kind.PERSON, "书": Kind.BOOK,
    "小说": Kind.BOOK, "作家": Kind.PERSON, "菜": Kind.FOOD, "食物": Kind.FOOD, "水果": Kind.FOOD, "零食": Kind.FOOD,
    "饮料": Kind.FOOD, "甜品": Kind.FOOD, "游戏": Kind.GAME, "运动": Kind.SPORT, "球队": Kind.ORGANISATION,
    "动物": Kind.ANIMAL, "城市": Kind.PLACE, "地方": Kind.PLACE, "国家": Kind.PLACE, "科目": Kind.STUDY,
    "季节": Kind.TIME, "血型": Kind.HEALTH,
}  # fmt: skip

# Words that say of what kind something is, and are no detail themselves.
KIND_WORDS = frozenset(each for each in OF_WHAT if not each.isascii()) | frozenset(
    "密码 号码 电话 手机号 地址 生日 名字 姓名 职业 专业 年龄 身高 体重 爱好 工作 公司 学校 老家 家乡 口味 外号 昵称 星座 会儿 下子 乐意 汇报".split()
)


def chinese_kind(word: str) -> Kind | None:
    """The kind of a Chinese word; None for what is in no list."""
    named = is_noun(word) or cost(word) is None or len(word) == 1  # of a verb (住院) only the whole word counts
    return next(
        (kind for kind, pattern in CHINESE_KINDS if (pattern.search(word) if named else pattern.fullmatch(word))), None
    )


def english_kind(words: str) -> Kind | None:
    """The kind of an English noun; None for what is in no list."""
    return next((kind for kind, pattern in ENGLISH_NOUNS if pattern.fullmatch(words)), None)


SPEECH_AHEAD = CaselessPattern(
    r"\b(?:sa(?:id|ys?|ying)|told|tells?|ask(?:ed|s)?|whisper\w*|shout\w*|yell\w*|repl(?:y|ies|ied)|answer\w*|wrote|promis\w+|words?|line|repeat\w*|add(?:ed|s)|murmur\w*|cried|mutter\w*)\b[^.!?。！？\"“”]{0,40}$"
    r"|(?:说道?|问|道|喊|回答|告诉|写道|答应|念叨|那句|一句|这句)[^。！？“”]{0,8}$"
)
QUESTION_AHEAD = CaselessPattern(r"\b(?:asked|asks)\b[^.!?。！？\"“”]{0,20}$|被?问[^。！？“”]{0,4}$")
PRONOUN = CaselessPattern(r"\b(she|her|he|his|him|they|their|them)\b|([她他])")
PRONOUNS = {"she": "she", "her": "she", "he": "he", "his": "he", "him": "he", "她": "she", "他": "he"}

CODE_AHEAD = CaselessPattern(
    r"\b(?:codes?|pins?|pass(?:word|code)s?|combination|number|no\.|room|gate|flight|locker|account|phone|licen[cs]e plate|id)\b[^.!?,;]{0,16}$"
    r"|(?:密码|号码|电话|手机号?|房间号?|编号|验证码|账号|帐号|门牌|航班|车牌|暗号|口令)[^。！？，；]{0,6}$"
)

# Signs that something struck: surprise, strong emotion, words kept exactly.
STRIKING = CaselessPattern(
    r"\b(?:suddenly|out of nowhere|could(?:n['’]t| not) believe|can['’]t believe|never expected|to (?:my|his|her|their) surprise|unbelievabl[ey]|shocked|stunned|blew (?:my|his|her) mind|speechless|"
    r"burst into tears|in tears|cried|sobb(?:ed|ing)|heartbroken|heart (?:stopped|broke|skipped)|terrified|devastated|overjoyed|furious|trembl\w+|goosebumps|(?:never|won['’]t|not) (?:ever )?forget(?!ting to)|always remember|changed (?:my|his|her|their) life|died|passed away|struck (?:me|him|her)|"
    r"exact words|word for word|verbatim|and i quote|(?:his|her|their|last) words)\b"
    r"|突然|没想到|居然|竟然|不敢相信|难以置信|震惊|惊呆|吓坏|哭了|泪|崩溃|心碎|忘不了|忘不掉|难忘|一辈子|永远记得|刻骨铭心|醍醐灌顶|愣住|颤抖|狂喜|去世|绝望|原话|一字一句|一字不差|亲口"
)
LOUD = LazyPattern(r"[!！]{2,}|[?？][!！]|[!！][?？]")
# Signs of deliberate repetition.
LEARNT = CaselessPattern(
    r"\b(?:repeat(?:ed|ing|s)? (?:it|them|after|to (?:him|her|my)self|over|the)|memori[sz]\w*|(?:learn\w*|know|knew) (?:it |them |.{1,20} )?by heart|over and over|again and again|(?:must|please|always|do) remember|remember (?:this|that)\b|don['’]t (?:you )?(?:ever )?forget|note to self|rehears\w+|drill(?:ed|ing)|cramm?(?:ed|ing))\b"
    r"|背下来|背诵|背熟|背了|背过|背单词|记住|牢记|默念|重复了?|反复|一遍又一遍|一遍遍|别忘了|死记|熟记|念了.遍|临时抱佛脚|突击复习"
)
# The same once more and once more: learnt by heart in front of us.
REPEATED = LazyPattern(r"(?<![\w])([^\s,，、。!！?？;；]{2,24})(?:[,，、;；\s]{1,3}\1){1,8}(?![\w])")

MEASURES = "个只条次岁天块元斤公里米人位本张套家号点分倍层杯碗件瓶封首场遍名棵座部辆口双对根朵颗句页年月日周"
CLAUSE_CUT = CaselessPattern(
    r"(?<!\d)[,;:](?=\s)|[.!?](?=\s)|[，；：。！？](?=.)|\s(?=(?:because|but|while|when|which|who|where|although|though|since|after|before|so that|and (?:i|it|he|she|they|we|then|the|her|his|\w+ed))\b)"
)
# Of several units: 3 hours 41 minutes, 三小时四十一分. One thing, so one detail.
_UNITS = r"(?:hours?|hrs?|minutes?|mins?|seconds?|secs?|days?|weeks?|months?|years?)"
_NUMERAL = rf"(?:\d[\d,.]{{0,16}}|{SHORT_ENGLISH_NUMBER})"
DURATION = CaselessPattern(
    rf"\b{_NUMERAL} {_UNITS}(?:,? (?:and )?{_NUMERAL} {_UNITS}){{1,3}}\b"
    r"|(?:[\d.]{1,12}|[一二两三四五六七八九十百半几]{1,8})个?(?:小时|钟头|分钟?|秒钟?|天|周|星期|月|年)"
    r"(?:零?(?:[\d.]{1,12}|[一二两三四五六七八九十百半几]{1,8})个?(?:小时|钟头|分钟?|秒钟?|天|周|星期|月|年)){1,3}"
)
# A house by its name and what it is: St Mary's church, Guy's Hospital, The Red Lion pub.
HOUSES = LazyPattern(
    r"(?<![\w'’])(?:St\.? )?[A-ZÀ-Þ][\w-]{0,40}(?: [A-ZÀ-Þ][\w-]{0,40}){0,4}(?:['’]s)? (?:church|Church|[Cc]hapel|[Cc]athedral|[Hh]ospital|[Hh]ospice|[Cc]linic|[Ss]chool|[Pp]rimary|[Cc]ollege|[Uu]niversity|"
    r"[Pp]ark|[Pp]ub|[Bb]akery|[Cc]af[eé]|[Ll]ibrary|[Ss]tation|[Aa]irport|[Bb]each|[Ss]quare|[Ss]treet|[Rr]oad|[Ll]ane|[Aa]venue|[Bb]ridge|[Gg]allery|[Mm]useum|[Tt]heatre|[Tt]heater|[Hh]otel|[Gg]ym|[Mm]arket|[Cc]ourt|[Cc]astle)\b"
)
# Before an animal, and no part of what it is.
NO_ATTRIBUTES = frozenset(
    "have has had like likes love loves hate hates adopted bought got get want wants see saw met feed walk walks ride rides keep keeps two three four five his her my our their old new big little small".split()
)
