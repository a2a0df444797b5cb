"""What tells that words were spoken, that something struck or was learnt on purpose; English and Chinese.

Tables for `note_details`. Patterns match whole words in English, anywhere in Chinese.
"""

# A kind and all its words stand on one line, as a table.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.numbers.rough_numbers import SHORT_ENGLISH_NUMBER
from soulmem.core.regex.lazy_regex import LazyPattern

SPEECH_AHEAD = LazyPattern(
    r"\b(?:sa(?:id|ys?|ying)|told|tells?|ask(?:ed|s)?|whisper\w*|shout\w*|yell\w*|repl(?:y|ies|ied)|answer\w*|wrote|promis\w+|words?|line|repeat\w*|add(?:ed|s)|murmur\w*|cried|mutter\w*)\b[^.!?。！？\"“”]{0,40}$"
    r"|(?:说道?|问|道|喊|回答|告诉|写道|答应|念叨|那句|一句|这句)[^。！？“”]{0,8}$",
    re.IGNORECASE,
)
QUESTION_AHEAD = LazyPattern(r"\b(?:asked|asks)\b[^.!?。！？\"“”]{0,20}$|被?问[^。！？“”]{0,4}$", re.IGNORECASE)
PRONOUN = LazyPattern(r"\b(she|her|he|his|him|they|their|them)\b|([她他])", re.IGNORECASE)
PRONOUNS = {"she": "she", "her": "she", "he": "he", "his": "he", "him": "he", "她": "she", "他": "he"}

CODE_AHEAD = LazyPattern(
    r"\b(?:codes?|pins?|pass(?:word|code)s?|combination|number|no\.|room|gate|flight|locker|account|phone|licen[cs]e plate|id)\b[^.!?,;]{0,16}$"
    r"|(?:密码|号码|电话|手机号?|房间号?|编号|验证码|账号|帐号|门牌|航班|车牌|暗号|口令)[^。！？，；]{0,6}$",
    re.IGNORECASE,
)

# Signs that something struck: surprise, strong emotion, words kept exactly.
STRIKING = LazyPattern(
    r"\b(?:suddenly|out of nowhere|could(?:n['’]t| not) believe|can['’]t believe|never expected|to (?:my|his|her|their) surprise|unbelievabl[ey]|shocked|stunned|blew (?:my|his|her) mind|speechless|"
    r"burst into tears|in tears|cried|sobb(?:ed|ing)|heartbroken|heart (?:stopped|broke|skipped)|terrified|devastated|overjoyed|furious|trembl\w+|goosebumps|(?:never|won['’]t|not) (?:ever )?forget(?!ting to)|always remember|changed (?:my|his|her|their) life|died|passed away|struck (?:me|him|her)|"
    r"exact words|word for word|verbatim|and i quote|(?:his|her|their|last) words)\b"
    r"|突然|没想到|居然|竟然|不敢相信|难以置信|震惊|惊呆|吓坏|哭了|泪|崩溃|心碎|忘不了|忘不掉|难忘|一辈子|永远记得|刻骨铭心|醍醐灌顶|愣住|颤抖|狂喜|去世|绝望|原话|一字一句|一字不差|亲口",
    re.IGNORECASE,
)
LOUD = LazyPattern(r"[!！]{2,}|[?？][!！]|[!！][?？]")
# Signs of deliberate repetition.
LEARNT = LazyPattern(
    r"\b(?:repeat(?:ed|ing|s)? (?:it|them|after|to (?:him|her|my)self|over|the)|memori[sz]\w*|(?:learn\w*|know|knew) (?:it |them |.{1,20} )?by heart|over and over|again and again|(?:must|please|always|do) remember|remember (?:this|that)\b|don['’]t (?:you )?(?:ever )?forget|note to self|rehears\w+|drill(?:ed|ing)|cramm?(?:ed|ing))\b"
    r"|背下来|背诵|背熟|背了|背过|背单词|记住|牢记|默念|重复了?|反复|一遍又一遍|一遍遍|别忘了|死记|熟记|念了.遍|临时抱佛脚|突击复习",
    re.IGNORECASE,
)
# The same once more and once more: learnt by heart in front of us.
REPEATED = LazyPattern(r"(?<![\w])([^\s,，、。!！?？;；]{2,24})(?:[,，、;；\s]{1,3}\1){1,8}(?![\w])")

MEASURES = "个只条次岁天块元斤公里米人位本张套家号点分倍层杯碗件瓶封首场遍名棵座部辆口双对根朵颗句页年月日周"
CLAUSE_CUT = LazyPattern(
    r"(?<!\d)[,;:](?=\s)|[.!?](?=\s)|[，；：。！？](?=.)|\s(?=(?:because|but|while|when|which|who|where|although|though|since|after|before|so that|and (?:i|it|he|she|they|we|then|the|her|his|\w+ed))\b)",
    re.IGNORECASE,
)
# Of several units: 3 hours 41 minutes, 三小时四十一分. One thing, so one detail.
_UNITS = r"(?:hours?|hrs?|minutes?|mins?|seconds?|secs?|days?|weeks?|months?|years?)"
_NUMERAL = rf"(?:\d[\d,.]{{0,16}}|{SHORT_ENGLISH_NUMBER})"
DURATION = LazyPattern(
    rf"\b{_NUMERAL} {_UNITS}(?:,? (?:and )?{_NUMERAL} {_UNITS}){{1,3}}\b"
    r"|(?:[\d.]{1,12}|[一二两三四五六七八九十百半几]{1,8})个?(?:小时|钟头|分钟?|秒钟?|天|周|星期|月|年)"
    r"(?:零?(?:[\d.]{1,12}|[一二两三四五六七八九十百半几]{1,8})个?(?:小时|钟头|分钟?|秒钟?|天|周|星期|月|年)){1,3}",
    re.IGNORECASE,
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
