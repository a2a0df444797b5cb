"""Asked deeds: of which deed a question asks, where it is one that is done to something ("what did I paint").

Read by recall for what happened on a day that is asked about. Who asks what befell him, or where he went, is answered
by whatever he told of that day, in whatever words. Who asks what he painted wants no visit to the dentist. Pure.
"""

from __future__ import annotations

import re

from soulmem.core.regex.lazy_regex import LazyPattern

# Each row: a deed in all its forms, and the words that tell it as well.
_HAD = r"had(?! (?:to|been|an? (?:tooth|cold|fall|row|call|look|word|visit|letter)|my|the)\b)"
_DEEDS = (
    (r"paint(?:ed|ing|s)?|drew|draw(?:n|ing)?|sketch(?:ed|ing)?", r"portrait|watercolou?r|canvas|[画绘]"),
    (r"cook(?:ed|ing)?|bak(?:ed?|ing)|fr(?:y|ied)|roast(?:ed)?|grill(?:ed)?", r"made|mak(?:e|ing)|oven|dish|stew|soup"),
    (r"ate|eat(?:en|ing)?", rf"{_HAD}|lunch|dinner|supper|breakfast|meal|restaurant|food|tasted"),
    (r"dr[aiu]nk(?:ing)?", rf"{_HAD}|glass|pint|cup|bottle|beer|wine|tea|coffee"),
    (r"read(?:ing)?", r"book|novel|pages?|finished|chapter"),
    (r"watch(?:ed|ing)?", r"saw|film|movie|episode|series|match|game|telly|tv|show"),
    (r"wr[io]te?|writ(?:ten|ing)", r"letter|poem|essay|chapter|lines|sent"),
    (r"s[aiu]ng|singing|play(?:ed|ing)?", r"song|choir|concert|piano|guitar|violin|band|gig|game|match"),
    (r"kn[ie]t(?:ted|ting)?|sew(?:ed|n|ing)?|crochet(?:ed)?|wove", r"made|finished|scarf|jumper|socks|stitch\w*"),
    (r"plant(?:ed|ing)?|s[oe]w(?:ed|ing)? seeds?", r"put in|bulbs?|seeds?|seedlings?|garden|beds?"),
    (r"bought|buy(?:ing)?|purchased?|spend|spent", r"got|paid|pay|cost|costs|\d+|pounds|dollars|euros|shop\w*|ordered"),
    (r"sell(?:s|ing)?|sold", r"gave|went for|buyer|let go"),
    (r"wear(?:s|ing)?|wore|worn", r"dress\w*|suit|shirt|jacket|coat|shoes|dressed|had on"),
    (r"w[io]n|winning", r"first|prize|beat|medal|cup|raffle|second|third|place"),
    (r"lost|los(?:e|ing)", r"gone|missing|left|dropped|stolen|forgot|beat"),
    (r"borrow(?:ed)?|l[ae]nt|lend", r"gave|took|loan\w*"),
    (r"learn(?:ed|t)?|stud(?:y|ied)", r"lesson|class|course|taught|practised|practiced|how to"),
)
_DEEDS_ZH = (
    ("画(?!展)", "涂|绘|水彩|素描|临摹"),
    ("吃(?![惊亏力])", "饭|餐|菜|锅|饺|面|饼|糕|蒸|煮|炖|烤|馅|尝|请客|馆子"),
    ("喝", "酒|茶|咖啡|汤|杯|瓶"),
    ("读|看了?什么书|看的?什么书", "书|本|章|页|小说"),
    ("看了?什么(?:电影|片|剧)|看的?什么(?:电影|片|剧)", "电影|影院|片|剧|集"),
    ("写", "信|文|字|稿|诗|日记|作业"),
    ("唱", "歌|曲|台|K"),
    ("(?<!组)织|缝|绣", "毛衣|围巾|线|针"),
    ("(?<![这那各哪一几])种(?!类)", "苗|籽|地里|栽|菜|花"),
    ("买|花了?多少钱|花钱", "块|元|百|千|万|换了|订|淘|网购|下单|\\d"),
    ("(?<!外)卖", "出手|转手|买走"),
    ("穿", "衣|裙|裤|鞋|衫|袍"),
    ("赢", "奖|名次|第[一二三]|冠军|胜"),
    ("丢", "没了|不见|找不|忘|落在"),
    ("借", "给了|欠|还"),
    ("(?<![同大中小放开上])学(?![校生院期])", "课|教|练|会了"),
    ("做饭|煮|炒|烤|包了?什么", "锅|菜|饺|面|饼|蒸|炖|馅"),
)
_ROWS = tuple(
    (LazyPattern(rf"\b(?:{deed})\b", re.IGNORECASE), LazyPattern(rf"\b(?:{deed}|{told})\b", re.IGNORECASE))
    for deed, told in _DEEDS
)
_ROWS_ZH = tuple((LazyPattern(deed), LazyPattern(f"{deed}|{told}")) for deed, told in _DEEDS_ZH)


def tells_deed(question: str, text: str) -> bool:
    """Whether a text may tell the deed that a question asks of; where it asks of none in particular, any text does."""
    asked = [told for deed, told in (*_ROWS, *_ROWS_ZH) if deed.search(question) is not None]
    return not asked or any(told.search(text) is not None for told in asked)
