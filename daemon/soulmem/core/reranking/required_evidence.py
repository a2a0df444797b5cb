"""Required evidence: what a text must say to answer at all, where a question asks for words that can be told by their form.

Called by recall's choice (`working.recall.answer_check`) for the few texts at hand. "What is the bubble tea place
called" is answered by no text that says only that somebody works at such a place; 建军是哪里人 by none that says of
Jianjun only that he is the boss. A row of the table tells what is asked, of whom or what, and how an answer to that
looks; it is sought where they are spoken of, and in the sentence behind. Pure. Invariants: a question of no row lacks
nothing; where whom it is asked of is not spoken of by the word of the question, nothing is lacking either, for other
words may be meant.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.fast_dataclasses import dataclass

_READ = 600  # characters of a text
_MOST = 60  # clauses of it
_END = LazyPattern(r"[.!?。！？；;…\n]+\s*")
_CLAUSE, _CLAUSE_ZH = LazyPattern(r"[,;:]\s*|\s[-–—]+\s"), LazyPattern(r"[，,、：:\s]+")
_OF_ANOTHER = CaselessPattern(r"\b(?:his|her|their)\b|[他她]")
_SOMEBODY = CaselessPattern(r"^(?:and |but |so |yes,? |no,? )?(?:he|she|they)\b|^[他她](?![爸妈哥姐弟妹爷奶家们])")
_HAN = LazyPattern("[\u4e00-\u9fff]")
_GOES_ON = CaselessPattern(
    r"^(?:and |but |so )?(?:he|she|they|it|his|her|their|its)\b|^[他她它]|^(?:叫|姓|是)|^[A-Z]?[a-z]+(?:s|ed|ing)\b"
)

# Words for one and the same, of which a question has one and what was told another.
_ALIKE = (
    "mother|mum|mom|mam|mummy|ma",
    "father|dad|daddy|da",
    "grandmother|grandma|gran|nan|nana|granny",
    "grandfather|grandad|granddad|grandpa",
    "wife|missus",
    "husband|hubby",
    "daughter|girl",
    "son|boy|lad",
    "pup|puppy|dog",
    "妈妈|妈|母亲",
    "爸爸|爸|父亲",
    "媳妇|老婆|妻子|爱人",
    "老公|丈夫|男友|男朋友|未婚夫|新郎|对象",
    "哥哥|哥",
    "姐姐|姐",
    "弟弟|弟",
    "妹妹|妹",
    "孩子|小孩|娃",
    "店|铺子|铺|馆子|馆",
    "幼儿园|幼儿班|托班",
    "电动车|电瓶车",
)
_KIN = r"mother|mum|mom|father|dad|wife|husband|partner|girlfriend|boyfriend|sister|brother|daughter|son|aunt|uncle|cousin|niece|nephew|grandmother|gran|nan|grandfather"
_KIN_ZH = r"妈妈|爸爸|媳妇|老婆|妻子|老公|丈夫|哥哥|姐姐|弟弟|妹妹|前夫|前妻|男友|女友|对象"
_THING = r"place|shop|caf[eé]|restaurant|pub|nursery|school|company|firm|hospital|hotel|gym|salon|bar|boat|band|clinic|bakery"
_THING_ZH = r"饭店|餐馆|店|幼儿园|小学|公司|单位|厂|医院|酒店|小区|乐队|诊所"
_PERSON_ZH = r"小孩|孩子|学生|徒弟|司机|木匠|邻居|同桌|室友|房东"
_ANIMAL = r"dog|cat|puppy|kitten|horse|pony|parrot|rabbit|hamster"
_ROLE = r"joiner|plumber|builder|electrician|vet|barber|landlord|landlady|neighbou?r|tutor|teacher|doctor|dentist|surgeon|kid|child|student"
_NAMED = r"\b(?:called|named|names?(?:['’]s| is| was| are)|(?<=s )names|goes by|known as|nickname\w*) [\w\"“‘']+|[\"“‘'](?<=[^a-z][\"“‘'])\w+|(?<![我俺])(?:叫做?|姓|名字(?:是|叫)?|大名|小名)(?!什么|啥|[我你他她人车醒了])[\u4e00-\u9fffA-Za-z“《]{1,4}|[「『《“]\w+"
# A name in Latin letters behind another word, and not only because a sentence or an "I" begins.
_NAME = r"(?-i:(?!(?:I|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun|January|February|March|April|May|June|July|August|September|October|November|December|Christmas|Easter)(?:day)?\b)[A-ZÀ-Þ][\w'’-]+)"
# A name in Latin letters right beside whom or what it is of (`OF`): "my wife Jean", "Harris the plumber", "a girl, Ana".
_LATIN_NAME = rf"\b(?:OF)(?:,? | \(| (?:is|was|are|were) |['’]s )(?:(?:a|an|the|old|called|dear|late|good|poor) ){{0,2}}{_NAME}|{_NAME}(?:,| is| was| are)? (?:my|our|his|her|their|the) (?:\w+ )?(?:OF)\b"
# Of whoever does something for people, any name beside.
_ANY_NAME = rf"(?<=[a-z,;:)(] )(?<!\bin )(?<!\bat )(?<!\bfrom )(?<!\bto )(?<!\bnear )(?<!\bon ){_NAME}|\({_NAME}"
_MONEY = r"[$€£¥]\s?\d|\b\d+(?:[.,]\d+)? ?(?:quid|pounds?|euros?|dollars?|bucks|pence|p|k|grand)\b|\b(?:hundred|thousand|fiver|tenner|quid)\b|\b(?:paid|costs?|for|only|about|were|was) \d+(?:\.\d\d)?\b(?! ?(?:january|february|march|april|may|june|july|august|september|october|november|december|people|of us))|\d+(?:\.\d+)?(?:块|元|万|千|钱|毛)|[零一二两三四五六七八九十百千万]{2,}|[一二两三四五六七八九十]+块"
_WORKS = r"\b(?:work|works|worked|working|job|runs?|manages?|teach(?:es)?|taught|sells?|drives?|nurs\w+|trainee|retired|office|shop|factory|school|hospital|company|firm|business|self-employed|(?:is|was|['’]s|as) an? (?:\w+ ){0,2}?\w+(?:er|or|ist|ian|ant|man|woman|nurse|cook|vet|chef|clerk))\b|工作|上班|打工|做(?:的)?[^，。]{0,4}(?:生意|买卖)|生意|开(?:了|着)?(?:家|个|间)?[^，。]{0,5}(?:店|厂|公司|馆|铺|车)|当(?![伴然时天成作妈爸初年])[^，。]{1,6}|退休|教书|跑(?:车|单|外卖|滴滴|货)|厂|公司|医生|[牙兽中军校]医|老师|护士|司机|师傅|会计|工程师|经理|站长|电工|保安|律师|厨师|销售"
_TRADES = r"\b(?:mends|fixes|cuts|paints|cleans|bakes|cooks|delivers|builds|designs|writes|edits|translates|codes|farms|fishes|breeds|trains|coaches|guards|serves|packs|stacks|sews|does (?:hair|nails|admin|accounts|shifts|nights)|looks after|in (?:insurance|banking|sales|marketing|finance|retail|it)|in the (?:army|navy|police|civil service|trade)|on the (?:tills|railways?|buses|boats|rigs|farm)|has an? (?:stall|shop|farm|salon|practice)|(?:bus|lorry|taxi|train|van) driver|apprentice\w*|student|unemployed|surgeon|teacher|doctor|lawyer|solicitor|farmer|plumber|builder)\b|摆摊|卖|送(?:外卖|快递|货)|开(?:车|出租|货)|种地|修|教|搞|装修|工地|当兵|理发|美甲|写代码|程序员|养(?:猪|鸡|蜂|鱼)|护工|保洁|保姆|收银|客服|学生|上学|干活|厨|木匠|裁缝|快递|外卖"
# Whatever somebody does as a rule may be his work, but for what everybody does.
_DOES = r"\bOF (?:\w+ly )?(?!(?:lives|says|rings|wants|thinks|likes|loves|hates|comes|goes|has|is|was|owes|looks|knows|asks|tells|needs|gets|stays|sends|laughs|calls|texts|hopes|feels|seems|snores|turns|misses|always|means|gives|lets|puts|brings|has|does|bites|sleeps|eats|drinks)\b)[a-z]{2,}s\b|(?:^|[.,] )(?!(?:Lives|Says|Has|Is|Likes|Loves|Hates|Wants|Needs|Was|Does|Goes|Comes|Always)\b)[A-Z][a-z]+s (?:the |an? |\w+s\b)|在[^，。\s]{1,10}[干当做扛搬守看跑教打收送卖种烧炒管]"
_AGES = r"\b\d{1,3}\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|turn(?:s|ed|ing)|born|birthday|months? old|baby|toddler|year \w+)\b|[\d零一二两三四五六七八九十]+(?:岁|了|周岁|个月)|岁|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|年生|生日|[二三四五六七八九]十[一二三四五六七八九]?|十[一二三四五六七八九](?=[，。]|$)"
_AT_WORK = r"[在回去到][^，。\s]{1,10}(?:上班|工作|当|做|干|教|打工)|是(?:个|名|一名|位)?[^，。]{1,6}(?:工|员|师|手|匠|家|长|兵|贩|的)(?=$|[，。])"
_COLOURS = r"\b(?:red|blue|green|yellow|white|black|grey|gray|brown|orange|purple|pink|silver|gold(?:en)?|beige|cream|tan|ginger|navy|turquoise|maroon)\b|[红橙黄绿蓝紫白黑灰粉棕银金青]色?|花的"


@dataclass(frozen=True, slots=True)
class _Row:
    """`asks`: with the group `of` whom or what is asked about, and `owner` whose that is; `shows`: how an answer looks.

    `reach`: so many clauses before and behind may hold it; None: all of the sentence.
    """

    asks: LazyPattern
    shows: str
    reach: tuple[int, int] | None = None

    def shows_of(self, of: str) -> LazyPattern:
        """The pattern of an answer, with the words for whom or what it is asked of."""
        return _shown(self.shows, _words_of(of))


_NAMES, _BESIDE = (1, 2), (0, 2)
_ROWS = tuple(
    _Row(CaselessPattern(asks), shows, reach)
    for asks, shows, reach in (
        # how somebody or something is called
        (rf"\bname of (?:the |my |our |his |her |their |\w+['’]s? )*(?:[\w'’]+ ){{0,3}}?(?P<of>{_THING}|{_KIN}|{_ROLE})s?\b", f"{_NAMED}|{_LATIN_NAME}", _NAMES),
        (rf"\bname of (?:[\w'’]+ ){{1,3}}(?P<of>{_KIN})\b", f"{_NAMED}|{_LATIN_NAME}", _NAMES),
        (rf"\b(?:(?P<owner>(?-i:[A-Z])\w+)|(?:the|my|our|his|her) \w+)['’]s? (?P<of>{_THING}|{_KIN}|{_ROLE}|{_ANIMAL})s? (?:called|named)\b", f"{_NAMED}|{_LATIN_NAME}", _NAMES),
        (rf"\b(?:my|our|his|her|the) (?P<of>{_KIN}|{_THING}|{_ROLE}|{_ANIMAL})['’]?s (?:\w+ )?name\b|\b(?P<owner>(?-i:[A-Z])\w+)['’]s (?P<of2>{_KIN}|{_THING})['’]?s name\b", f"{_NAMED}|{_LATIN_NAME}", _NAMES),
        (rf"\bwho(?:['’]s| is) the (?P<of>{_ROLE})\b", f"{_NAMED}|{_LATIN_NAME}|{_ANY_NAME}", _NAMES),
        (rf"(?P<of>(?:(?![的我你他她上在这那家个间开去])[\u4e00-\u9fff]){{0,2}}(?:{_THING_ZH}))(?:的?名字)?(?:叫|是)(?:什么|啥)(?:名字?)?[？?。]*$", rf"{_NAMED}|(?:(?![的个家间那这去到开在了有是上看妈爸早餐卖守管])[\u4e00-\u9fff]){{2}}(?:{_THING_ZH})", _NAMES),
        (r"^我(?P<of>妈妈?|爸爸?|奶奶|爷爷|外婆|姥姥|哥哥|姐姐|弟弟|妹妹)的?(?:名字)?叫(?:什么|啥)", _NAMED, _NAMES),
        (r"^(?:我|俺|咱)?(?P<of>老婆|老公|媳妇|老伴|女儿|儿子|闺女|孙子|孙女|外孙|外孙女)的?(?:名字)?(?:叫|姓)(?:什么|啥)", rf"{_NAMED}|(?:OF)(?![叫姓说在是也都就又还去来要想不没有的把给跟和回上])[\u4e00-\u9fff]{{2}}", _NAMES),
        (r"\b(?P<of>(?-i:[A-Z])\w+)['’]s (?:last name|surname)\b", r"\bOF (?-i:[A-Z])\w+|\b(?:surname|last name|n[ée]e)\b", _NAMES),
        (rf"(?P<of>{_PERSON_ZH})(?:的?名字)?(?:叫|姓)(?:什么|啥)", _NAMED, _NAMES),
        # where somebody is from
        (r"^(?P<of>[\u4e00-\u9fff]{2,3}?)是?哪[里儿]的?人", r"老家|来自|出生|籍贯|[\u4e00-\u9fff]人(?![都们家说叫])|老乡", _BESIDE),
        (r"\bwhere(?:['’]s| is) (?P<of>(?-i:[A-Z])\w+) (?:originally )?from\b", r"\b(?:from (?-i:[A-Z])\w+|born|native|grew up|accent|came over)", _BESIDE),
        # what somebody does for a living
        (r"\bwhat (?:does|do|did) (?P<of>(?-i:[A-Z])\w+) do for (?:work|a living)\b|\bwhat(?:['’]s| is| was) (?P<of2>(?-i:[A-Z])\w+)['’]s (?:job|profession|line of work)\b", f"{_AT_WORK}|{_WORKS}|{_TRADES}|{_DOES}", _BESIDE),
        (r"^(?P<of>[\u4e00-\u9fff]{2,3}?)(?:以前|过去|现在|原来)?是?(?:做什么(?:工作|的|生意)|干(?:什么|啥)的|什么工作)", f"{_AT_WORK}|{_WORKS}|{_TRADES}|{_DOES}", _BESIDE),
        (r"(?P<of>表哥|表弟|表姐|公公|婆婆|岳父|岳母|舅舅|叔叔|姑姑)(?:以前|现在)?是?(?:做什么(?:工作|的|生意)|干(?:什么|啥)的)", f"{_AT_WORK}|{_WORKS}|{_TRADES}|{_DOES}", _BESIDE),
        (rf"^(?P<owner>[\u4e00-\u9fff]{{2,3}}?)的?(?P<of>{_KIN_ZH})(?:以前|现在)?是?(?:做什么(?:工作|的|生意)|干(?:什么|啥)的)", f"{_AT_WORK}|{_WORKS}|{_TRADES}|{_DOES}", _BESIDE),
        (r"^(?P<of>[\u4e00-\u9fff]{2,3}?)(?:现在|如今)?在哪[儿里个家]?(?:公司|单位)?(?:上班|工作)", f"{_AT_WORK}|{_WORKS}|{_TRADES}|{_DOES}", _BESIDE),
        (rf"\bwhat(?:['’]s| is| was) (?:my|our|his|her) (?P<of>{_KIN})['’]?s (?:job|profession|trade|line of work)\b|\bwhat (?:does|do|did) (?:my|our|his|her) (?P<of2>{_KIN}) do for (?:work|a living)\b", f"{_AT_WORK}|{_WORKS}|{_TRADES}|{_DOES}", _BESIDE),
        # what somebody died of, how old somebody is, where somebody goes to school
        (rf"\bwhat (?:did|had) (?:my|our|his|her) (?P<of>{_KIN}) die of\b|\bhow did (?:my|our|his|her) (?P<of2>{_KIN}) die\b|我?(?P<of3>{_KIN_ZH}|爷爷|奶奶|姥爷|姥姥)(?:是)?(?:怎么|得什么病)(?:去世|走|没)的", r"\b(?:of|from|by) \w+|\b(?:cancer|heart|stroke|pneumonia|accident|crash|covid|drown\w*|tumou?r|liver|kidneys?|fell|fall|killed|lungs?)\b|癌|心梗|脑|车祸|病|肺|肝|摔|肿瘤|溺", None),
        (r"\bhow old is (?P<of>(?-i:[A-Z])\w+)\b|^(?P<of2>[\u4e00-\u9fff]{2,3}?)今年(?:多大|几岁|好多岁|好大岁数)|^(?P<of3>[\u4e00-\u9fff]{2,3}?)(?:几岁|多大(?:年纪|岁数|了))", _AGES, None),
        (r"\bwhich (?:\w+ )?(?:school|university|college|nursery) (?:does|did|has|is|was) (?P<of>(?-i:[A-Z])\w+)\b", r"\b(?:at|to|in|from|for) (?:the )?(?-i:[A-Z])\w+|\b(?-i:[A-Z])\w+ (?:Primary|School|Academy|College|High|University)\b|\b(?:school|college|uni|university|nursery)\b", None),
        # colours, makes, prices
        (r"\bwhat colou?r(?:['’]s| is| are| was) (?:the|my|our|his|her|their) (?:\w+ )?(?P<of>\w+)\b|^(?:我的?|我家的?)?(?P<of2>[\u4e00-\u9fff]{1,4}?)(?:的毛)?是?什么颜色", _COLOURS, None),
        (r"(?P<of>电动车|电瓶车|自行车|手机|电脑|冰箱|洗衣机|空调|相机|车)是?(?:什么|啥|哪个)牌子", r"[A-Za-z]{2,}|[\u4e00-\u9fff]{2}牌|雅迪|爱玛|小牛|台铃|新日|绿源|九号|捷安特|美的|海尔|格力|小米(?![粥饭])|华为|大众|丰田|本田|比亚迪|捷达|五菱|别克|现代|福特|日产|吉利|奇瑞|长安", None),
        (r"\bhow much (?:did|do|does|were|was|are|is) (?:the |my |our |his |her )?(?:\w+ )?(?P<of>tickets?|bike|coat|dress|ring|sofa|bed|tv|phone|laptop|car|van|dog|cat|piano|fridge|boiler|cake|wedding|flight|hotel)(?: (?:for|to|of) [\w ]{2,24}?)?(?: cost)?\s*\??$", _MONEY, None),
        (r"\bhow much did (?:the|my|our|his|her) (?:\w+ ){0,2}?(?P<of>\w{3,}) (?:in \w+ )?cost\b", _MONEY, None),
        (r"(?P<of>[\u4e00-\u9fff]{2})(?:一共|总共)?花了?(?:我|你|他|她)?多少钱", _MONEY, None),
        # what somebody plays; what was studied; where somebody was born
        (r"\bwhat instrument (?:does|did) (?P<of>(?-i:[A-Z])\w+) play\b|^(?P<of2>[\u4e00-\u9fff]{2,3})会?(?:弹|拉|玩|学)什么乐器", r"\b(?:piano|guitar|violin|cello|drums?|flute|clarinet|trumpet|trombone|bass|sax\w*|harp|ukulele|banjo|accordion|recorder|keyboards?|fiddle|viola|oboe|horn|tuba)\b|钢琴|吉他|小提琴|大提琴|鼓|笛|箫|二胡|古筝|琵琶|萨克斯|小号|手风琴|尤克里里|\bplay(?:s|ed|ing)? (?!with\b|in\b|at\b|for\b|on\b|up\b|here\b)\w+|琴|胡(?=$|[，。了])|筝|唢呐|号(?=$|[，。了手])|贝斯|[弹拉吹]的?是?(?!什么|啥)[\u4e00-\u9fff]{2}", None),
        (r"^(?:我们?)?(?P<of>队长|室友|老板|同桌|班长|[\u4e00-\u9fff]{2,3}?)(?:大学)?(?:是)?学(?:的)?(?:什么|啥)(?:专业)?的?", r"专业|系(?!统)|学(?!费|校|生|期|分|姐|妹|长|弟|会)[\u4e00-\u9fff]{2,}|本科|研究生", None),
        (r"\bwhat did (?P<of>i|we) study at (?:uni|university|college)\b", r"\b(?:stud(?:y|ied|ying)|degree|uni|university|college|graduat\w+|major\w*)\b", None),
        (r"(?P<of>医院)(?:出生|生)的", r"(?<!出)[\u4e00-\u9fff]生的|生在|接生|产房|剖", None),
    )
)  # fmt: skip


def lacks_answer(question: str, texts: Sequence[str]) -> bool:
    """Whether a question asks for what none of the texts says, though one speaks of whom or of what it asks."""
    for row in _ROWS:
        asked = row.asks.search(question)
        if asked is None:
            continue
        parts = asked.groupdict()
        owner = parts.pop("owner", None) or ""
        of = next((value for value in parts.values() if value), "")
        called = (of, *_kin_called(of, texts))
        spoken = [window for each in called for text in texts for window in _windows(text, _words_for(each), row.reach)]
        if owner and any(owner in text for text in texts):
            spoken = [each for each in spoken if owner in each or _OF_ANOTHER.search(each) is not None] or [""]
        shows = row.shows_of(of)
        if row.reach == _NAMES and any(_may_name(window) for window in spoken):
            return False
        if row.reach != _NAMES:
            spoken += [each for text in texts if spoken for each in _of_somebody(text)]
        return bool(spoken) and not any(_shows(shows, window, question) for window in spoken)
    return False


def _kin_called(name: str, texts: Sequence[str]) -> tuple[str, ...]:
    """As whose relative a name is told in these texts: what is said of "my partner" is said of Joss."""
    words = re.escape(name)
    called = re.compile(
        rf"\b({_KIN})(?:['’]s| is|,)?(?: called| named)? {words}\b|({_KIN_ZH})(?:叫|是|姓)?{words}", re.I
    )
    return tuple(dict.fromkeys(found[1] or found[2] for text in texts for found in called.finditer(text[:_READ])))


def _of_somebody(text: str) -> list[str]:
    """The sentences of a text that tell of somebody by a pronoun: it may be whoever is asked about."""
    return [each for each in _END.split(text[:_READ]) if _SOMEBODY.search(each) is not None]


def _may_name(window: str) -> bool:
    """Whether somebody writes without capitals, so that a name behind a bracket looks like any word."""
    return window.isascii() and window.islower() and "(" in window


def _shows(shows: LazyPattern, window: str, question: str) -> bool:
    """Whether an answer stands in a window, and not only what stands in the question."""
    known = question.casefold()
    return any(found[0].casefold().strip(" .,'’s") not in known for found in shows.finditer(window))


def _words_of(of: str) -> str:
    return next((row for row in _ALIKE if of.casefold() in row.split("|")), re.escape(of))


@cache
def _words_for(of: str) -> LazyPattern:
    words = _words_of(of).split("|")
    return CaselessPattern("|".join(rf"\b{word}s?\b" if word.isascii() else word for word in words))


@cache
def _shown(shows: str, words: str) -> LazyPattern:
    return CaselessPattern(shows.replace("OF", f"(?:{words})s?"))


def _windows(text: str, words: LazyPattern, reach: tuple[int, int] | None) -> Iterator[str]:
    """The parts of a text that speak of something: clauses with those beside them, or sentences; and what goes on."""
    sentences = [each for each in _END.split(text[:_READ]) if each]
    for place, sentence in enumerate(sentences[:_MOST]):
        if words.search(sentence) is None:
            continue
        behind = sentences[place + 1] if place + 1 < len(sentences) else ""
        goes_on = f". {behind}" if _GOES_ON.search(behind) is not None else ""
        if reach is None:
            yield sentence + goes_on
            continue
        clauses = [each for each in (_CLAUSE_ZH if _HAN.search(sentence) else _CLAUSE).split(sentence) if each]
        for at, clause in enumerate(clauses[:_MOST]):
            if words.search(clause) is not None:
                last = at + 1 + reach[1]
                yield ", ".join(clauses[max(0, at - reach[0]) : last]) + (goes_on if last >= len(clauses) else "")
