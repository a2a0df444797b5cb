"""Answer kind: what kind of thing a question asks for, or of whom, and whether a text speaks of such a one.

Read by `answer_type`. "What car do I drive" is answered by a car or by driving, 我女儿叫什么 by what is said of a daughter,
"my favourite colour" by a colour that somebody likes; a text that shares another word with the question answers none of
them. Only kinds are listed whose members can be told by their words. Pure. Invariant: a question that names no such kind
is met by every text.
"""

# A kind stands on long lines, as a table: what asks for it, and what an answer has.
# ruff: noqa: E501

from __future__ import annotations

import re
from functools import lru_cache

from soulmem.core.questions.concept_cases import CASES
from soulmem.core.regex.lazy_regex import LazyPattern


def _cases(head: str, *, without: str = "") -> tuple[str, str]:
    """The members of a kind in the table of cases: English alternatives, Chinese ones."""
    words: dict[str, None] = {}
    for line in CASES.strip().splitlines():
        heads, _, members = line.partition(">")
        if head in heads.split():
            words.update(dict.fromkeys((*heads.split(), *members.split())))
    kept = [word for word in words if word not in without.split()]
    return "|".join(re.escape(w) for w in kept if w.isascii()), "|".join(w for w in kept if not w.isascii())


def _answers(english: str, chinese: str) -> LazyPattern:
    return LazyPattern(rf"\b(?:{english})(?:e?s|['’]s)?\b|{chinese}", re.IGNORECASE)


_ANIMALS, _ANIMALS_ZH = _cases("animal", without="animal pet creature 动物 宠物")
_FRUIT, _FRUIT_ZH = _cases("fruit")
_COLOURS, _COLOURS_ZH = _cases("colour")
_VEHICLES, _VEHICLES_ZH = _cases("vehicle", without="golf drive bus taxi tractor 车 开车 公交 出租 三轮")
_TOOLS, _TOOLS_ZH = _cases("instrument", without="horn bass 小号 长号")
_MEDICINES, _MEDICINES_ZH = _cases("medicine", without="iron")
_TONGUES, _TONGUES_ZH = _cases("language")
_DOGS, _DOGS_ZH = _cases("dog")

# What stands behind "what", "which", "my favourite": 什么…, 哪种…, 最喜欢的….
_WHAT = r"(?:(?:what|which)(?:['’]?s)?(?: (?:kind|sort|type|make|model|colou?r) of)?(?: (?:my|our|your|the|is my|favou?rite))*|favou?rite) "
_WHAT_ZH = r"(?:什么样?|啥|哪[一种个款支本部首]{0,2}|最?喜欢的|最爱的)"


def _asked(english: str, chinese: str) -> LazyPattern:
    return LazyPattern(rf"\b{_WHAT}(?:{english})\b|{_WHAT_ZH}(?:{chinese})", re.IGNORECASE)


_TABLE: tuple[tuple[LazyPattern, LazyPattern], ...] = (
    (
        _asked("car|vehicle|truck|van|lorry", "车(?!票|站)|汽车|牌子的车"),
        _answers(rf"{_VEHICLES}|cars?|truck|wheels|suv|hatchback|(?:driv(?:e|es|ing|in['’]?)|drove|own|bought|lease[ds]?) (?:an?|my|our|the|this|her|his) (?!test|lesson|bus|school)\\w+|peterbilt|jeep|opel|seat|suzuki|subaru|lexus|kodiaq|chevy|chevrolet|škoda", rf"{_VEHICLES_ZH}|开(?:的是|[着了]?[一两]?[辆台])|(?<!公交)(?<!校)(?<!火)(?<!骑)车(?!站|票|间|祸|库)"),
    ),
    (
        _asked("instruments?", "乐器|琴"),
        _answers(rf"{_TOOLS}|play|played|playing|music|band|orchestra|bugle|sitar|lute|recorder|erhu|guzheng|pipa", rf"{_TOOLS_ZH}|[弹拉吹敲打]|琴|鼓|笛|箫|胡|笙|唢呐|埙|丝"),
    ),
    (_asked("colou?rs?", "颜色|色"), _answers(rf"{_COLOURS}|lilac|crimson|indigo|khaki|blonde?", rf"{_COLOURS_ZH}|色|[红橙橘黄绿青蓝紫黑白灰棕粉金银]")),
    (_asked("fruits?", "水果"), _answers(_FRUIT, _FRUIT_ZH)),
    (_asked("(?:foreign )?languages?", "语言|外语"), _answers(rf"{_TONGUES}|learn|lessons?|speak|bilingual|duolingo|dialect|signs?", rf"{_TONGUES_ZH}|[^\s，。]语|文|话")),
    (
        _asked("(?:medicine|medication|drugs?|pills?|tablets?|meds)", "药"),
        _answers(rf"{_MEDICINES}|meds|take|takes|taking|dose|mg|prescri\w+|inject\w*|\w+(?:ine|in|ol|ide|one|ate|am|il|pril|statin)", rf"{_MEDICINES_ZH}|药|吃|服|粒|片|针|布|素|平|坦|林|灵|胶囊|丸"),
    ),
    (
        LazyPattern(r"\b(?:what|which) (?:\w+ )?pets?\b|\bhave (?:any |a )?pets?\b|(?:什么|啥|哪些?|有没有|养)(?:小)?(?:宠物|动物)", re.IGNORECASE),
        LazyPattern(
            rf"\bpets?\b|\badopt\w*|\bfoster\w*|\b(?:my|our|his|her|their|the|have|has|had|got|an?|we|two|three|old|named|called) (?:[\w-]+ ){{0,3}}(?:{_ANIMALS}|{_DOGS}|beagle|tabby|puppy|kitten)s?\b|宠物|(?:养|领养|收养|捡|买|家|我的|只|条|匹)[^，。！？]{{0,8}}(?:{_ANIMALS_ZH}|[猫狗兔鱼鸟龟鼠])",
            re.IGNORECASE,
        ),
    ),
    (
        LazyPattern(r"\b(?:what|which)(?:['’]s)?(?: (?:kind|make|brand|model) of)? (?:\w+ )?(?:phone|mobile|smartphone)\b(?! number)|(?:什么|啥|哪[款种个]?)(?:牌子的)?手机", re.IGNORECASE),
        LazyPattern(r"\b(?:my|new|old|the|a|this|bought|smart|mobile)[ -]?(?:\w+ )?phones?\b(?! call)|\b(?:mobile|smartphone|iphone|android|pixel|galaxy|samsung|nokia|huawei|xiaomi|oneplus|fairphone)\b|手机(?!号)|华为|小米|苹果|荣耀|三星", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:phone|mobile|telephone|cell) number\b|(?:手机|电话)号?码?(?:是)?(?:多少|几)|(?:手机|电话)号", re.IGNORECASE),
        LazyPattern(r"(?:\+?\d[\d ()-]{5,})|\b(?:phone|mobile|number)\b[^.!?]{0,20}\b(?:is|['’]s)\b|号码|[零一二三四五六七八九〇幺]{6,}"),
    ),
    (
        LazyPattern(r"(?:车牌|车位|身份证|护照|学|工|房间|门牌|座位|账|卡)号"),
        LazyPattern(r"[A-Za-z]*\d[\dA-Za-z-]{2,}|车牌|车位|身份证|护照|学号|工号|房间|门牌|座位|账号|卡号|[零一二三四五六七八九〇幺]{3,}"),
    ),
    (
        LazyPattern(r"\b(?:birthday|bday|b-day|(?:was|were) (?:i|he|she|\w+) born)\b|生日|哪[一]?[年天]出生", re.IGNORECASE),
        LazyPattern(r"\b(?:birthday|bday|b-day|born|turn(?:s|ed|ing)? (?:\d+|\w+ty|\w+teen)|birth)\b|生日|出生|大寿|满[\d一二三四五六七八九十]+岁|生辰|[过满][\d一二三四五六七八九十]+(?:岁|寿)", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:which|what) (?:floor|storey)\b|几[楼层]|哪[一]?[楼层]", re.IGNORECASE),
        LazyPattern(r"\b(?:floors?|storeys?|bungalow|basement|attic|loft|lift|stairs|\d+(?:st|nd|rd|th)|upstairs|downstairs|above|ground)\b|[楼层]|阁楼|地下室", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\bhow tall\b|\bheight\b|多高|身高", re.IGNORECASE),
        LazyPattern(r"\b(?:tall|height|cm|centimet\w+|met(?:re|er)s?|feet|foot|ft|inches|short)\b|\d['’′]\d|身高|公分|厘米|米|个子|高", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:how much do (?:i|you|we|he|she) weigh|my weight)\b|体重|多重", re.IGNORECASE),
        LazyPattern(r"\b(?:weigh\w*|kilos?|kg|stone|pounds|lbs?)\b|体重|公斤|斤|重|胖|瘦", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:shoe|dress|clothes|shirt|ring) size\b|(?:多[大少]|几|什么)码|尺码|鞋码", re.IGNORECASE),
        LazyPattern(r"\b(?:size|sizes|fits?)\b|[\d一二三四五六七八九十]+\s?码|尺码|号的?鞋", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\bblood (?:type|group)\b|血型", re.IGNORECASE),
        LazyPattern(r"\bblood\b|\b(?:A|B|AB|O)(?: ?[+-]| (?:positive|negative|neg|pos))|血型|(?:A|B|O|AB)型", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:which|what) (?:university|college|uni|school)\b|\bgo to (?:university|college|uni|school)\b|(?:哪[所个一里儿]*|什么)(?:大学|学校|学院|高中|中学|小学)|(?:在哪[里儿]?|哪[里儿])[^，。]{0,2}(?:上|读|念)的?(?:大学|学|书)|(?:大学|高中|中学|小学)[^，。]{0,3}(?:在)?哪", re.IGNORECASE),
        LazyPattern(r"\b(?:universit\w+|college|uni|school|campus|degree|graduat\w+|academy|grammar|comprehensive|stud(?:y|ied|ying|ies)|master['’]?s?|phd|majored|kindergarten)\b|大学|学院|学校|中学|高中|初中|小学|校园|本科|研究生|硕士|博士|读博|读研|毕业|[考读上念][^，。]{0,4}(?:大|校|系)|上学|读书|念书|幼儿园", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\bon (?:holiday|vacation)\b|\btravel\w*|\btrips?\b|旅游|旅行|度假", re.IGNORECASE),
        LazyPattern(r"\b(?:holidays?|vacation|trips?|travel\w*|(?:went|go|going|goes|gone) (?!well|fine|on about|mad|bad|wrong)|been to|fl(?:ew|y|ying|ies|ights?)|visit\w*|abroad|hik\w+|camp\w*|ferry|train|hotel|sail\w*|toured?|drove|stay\w*|weekend|beach|island|tickets?)\b|旅|度假|去|玩|飞[机到去往回]|机票|酒店|火车|高铁|爬|出国|海边|岛|自驾|回来|景", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:sur|last |family )name\b|姓(?:什么|啥)|贵姓|什么姓", re.IGNORECASE),
        LazyPattern(r"\b(?:sur|last |family |maiden |full )name\b|(?-i:\b[A-ZÀ-Þ][\w'’-]+ (?:(?:van|von|de|der|da|dos|di|bin|al|el|la|le|du|of) ?){0,2}[A-ZÀ-Þ][\w'’-]+)|姓|[\u4e00-\u9fff]{2,4}", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\bfavou?rite\b|\b(?:do|does) \w+ (?:\w+ )?(?:like|love) (?:best|most)\b|最(?:喜欢|爱)|喜欢(?:什么|啥|哪|谁)", re.IGNORECASE),
        LazyPattern(r"\b(?:favou?rites?|lov(?:e|es|ed|ing)|lik(?:e|es|ed|ing)|ador\w+|prefer\w*|best|enjoy\w*|fan|obsess\w*|into|fond|crazy about|addicted|always order|can['’]t get enough|support|root(?:ing|s)? for|craving|swear by|mad about|man\b|girl\b|person\b|hooked|beats?|nothing like)\b|喜欢|爱|最|迷|粉|偏爱|离不开|上瘾|好喝|好吃|百[吃看听]不|追|一般?只|就好这口|馋", re.IGNORECASE),
    ),
)  # fmt: skip

# Of whom it is asked: each of one's family by the words for just this one, and by those that may mean it.
_KIN = (
    ("mothers?|mum|mom|mama|mommy|mummy|mam|ma", "妈妈?|母亲|老妈|娘", "parents|folks|爸妈|父母"),
    ("fathers?|dad|daddy|papa|pa|pop", "爸爸?|父亲|老爸|爹", "parents|folks|爸妈|父母"),
    ("sisters?|sis", "姐姐?|妹妹?|姐妹", "siblings?|twins?|姊妹"),
    ("brothers?|bro", "哥哥?|弟弟?|兄弟", "siblings?|twins?"),
    ("daughters?", "女儿|闺女", "girls?|kids?|child(?:ren)?|bab(?:y|ies)|twins?|little one|孩子|娃|宝宝|丫头|囡囡|双胞胎"),
    ("sons?", "儿子", "boys?|kids?|child(?:ren)?|bab(?:y|ies)|twins?|little one|孩子|娃|宝宝|小子|双胞胎"),
    ("husband|hubby", "老公|丈夫|先生", "spouse|partner|married|marry\\w*|marri\\w*|wedding|(?:other|better) half|wife|爱人|对象|老伴|结婚|嫁|两口子"),
    ("wife|missus", "老婆|妻子|太太|媳妇", "spouse|partner|married|marry\\w*|marri\\w*|wedding|(?:other|better) half|mama|husband|爱人|对象|老伴|结婚|娶|两口子"),
    ("boyfriend|bf", "男朋友|男友", "dat(?:e|es|ed|ing)|seeing|partner|going out|fianc\\w+|boy|guy|ex|对象|谈恋爱|约会|在一起|处着|前任|男孩"),
    ("girlfriend|gf", "女朋友|女友", "dat(?:e|es|ed|ing)|seeing|partner|going out|fianc\\w+|girl|ex|对象|谈恋爱|约会|在一起|处着|前任|女孩"),
    ("grand(?:mother|ma)|gran(?:ny)?|nana?|nan", "奶奶|外婆|姥姥|祖母|外祖母", "grandparents?"),
    ("grand(?:father|pa|dad)", "爷爷|外公|姥爷|祖父|外祖父", "grandparents?"),
    ("uncles?", "叔叔?|舅舅?|伯伯?|伯父|姑父|姨父", ""),
    ("aunt(?:s|y|ie)?", "阿姨|姨妈?|姑姑?|姑妈|舅妈|婶婶?|伯母", ""),
    ("cousins?", "表[哥姐弟妹]|堂[哥姐弟妹]", ""),
    ("nephews?|nieces?", "侄子|侄女|外甥女?", ""),
    ("dogs?|puppy|pup", "狗狗?|小狗|犬", rf"{_DOGS}|beagle|lab|labrador|retriever|terrier|poodle|spaniel|corgi|husky|hound|mutt|walkies|{_DOGS_ZH}|边牧|金毛|泰迪|柴犬|哈士奇|拉布拉多"),
    ("cats?|kitten|kitty", "猫咪?|小猫|猫", "tabby|siamese|tom|moggy|meow\\w*|purr\\w*|橘猫|布偶|英短|喵"),
)  # fmt: skip


def _parted(words: str) -> tuple[str, str]:
    parts = [part for part in words.split("|") if part]
    return "|".join(part for part in parts if part.isascii()), "|".join(part for part in parts if not part.isascii())


def _kin_rows() -> tuple[tuple[LazyPattern, LazyPattern], ...]:
    rows = []
    for english, chinese, beside in _KIN:
        also, also_chinese = _parted(beside)
        person = "" if "狗" in chinese or "猫" in chinese else "he|she|his|her"  # it may be of him that is asked
        said = "|".join(each for each in (english, also, person) if each)
        said_chinese = "|".join(each for each in (chinese, also_chinese, "他|她" if person else "") if each)
        asked = LazyPattern(rf"(?:\b(?:my|our|his|her|their|a|any)|\w['’]s|s['’]) (?:{english})\b|(?:我们?家?|他|她|的|养了?|有)(?:{chinese})", re.IGNORECASE)  # fmt: skip
        rows.append((asked, LazyPattern(rf"\b(?:{said})\b|{said_chinese}", re.IGNORECASE)))
    return tuple(rows)


_KIN_ROWS = _kin_rows()


@lru_cache(maxsize=64)
def kinds_of(question: str) -> tuple[LazyPattern, ...]:
    """What an answer to a question must speak of, each as a pattern; nothing where that cannot be told."""
    return tuple(said for asked, said in (*_TABLE, *_KIN_ROWS) if asked.search(question))


def is_of_kinds(kinds: tuple[LazyPattern, ...], text: str) -> bool:
    """Whether a text speaks of everything of these kinds."""
    return all(kind.search(text) for kind in kinds)
