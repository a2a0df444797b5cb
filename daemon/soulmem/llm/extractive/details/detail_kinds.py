"""Of which kind a thing is, told by its word: nouns of both languages for `detail_finding`.

English patterns match whole words; a Chinese word is looked up whole or by what it ends in. What is in neither is a
thing. Data and two questions.
"""

# A kind and all its words stand on one line, as a table.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.details.gists import Kind
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.chinese_segmenter import cost, is_noun
from soulmem.core.text.word_file import read_rows

# The first kind that fits is taken.
_ROWS = read_rows("llm/extractive/details/detail_kinds.txt", {})
ENGLISH_NOUNS = [(Kind(kind), LazyPattern(words, re.IGNORECASE)) for lang, kind, words in _ROWS if lang == "en"]

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
