"""Chinese patterns of self-description: pattern, relation, and how the fact is worded.

Read by `self_facts.py`. The last group of a pattern is the object; where there are two, the first says what kind of
thing it is (a sister, a dog). `{s}` stands for the speaker, `{o}` for the object, `{k}` for the kind.
"""

# ruff: noqa: E501 (a pattern and its wording stand on one line, as a table)

from __future__ import annotations

from soulmem.core.facts.chinese_fact_patterns import JOBS
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.word_file import read_rows

_ADVERB = r"(?:从小|一直|平时|特别|非常|超级|超|比较|真的|其实|现在|还是|也|很|最|太|挺|蛮|都|还|就)*"
_OBJECT = r"([^，。！？；：、,.!?;:\s（）()“”\"]{1,14})"
JOB = rf"(?:[\u4e00-\u9fff]{{0,6}}(?:{JOBS}|老师|律师|程序员|公务员|学生|研究生|大学生|博主|店员|矿工|电工|焊工|木工|技工|空姐|飞行员|消防员|产品经理|自由职业者|咖啡师|研究员|销售))"
KIN = r"(?:妈妈?|爸爸?|母亲|父亲|姐姐?|妹妹?|哥哥?|弟弟?|老公|老婆|丈夫|妻子|女儿|儿子|男朋友|女朋友|男友|女友|室友|闺蜜|爷爷|奶奶|外公|外婆|同桌|表姐|表妹|表哥|表弟)"
_ANIMAL = r"(?:[\u4e00-\u9fff]{0,3}(?:猫|狗|兔子|仓鼠|鹦鹉|乌龟|金鱼|柯基|金毛|哈士奇|泰迪|布偶|柴犬|龙猫|刺猬|鸟|马))"

# A name is short, ends its clause, holds no verb and no title; what is called may also be a man to mend the boiler
# (我叫顾师傅来看), a car or the police.
_CALLED = (
    r"(?:外卖|滴滴|网约|出租|救护|专车|快车|的士|代驾|快递|快餐|酒|菜|客房|服务|警察|保安|物业|大家|所有|朋友|同事|同学|家人|小孩|孩子|"
    r"老公|老婆|爸|妈|爷|奶|哥|姐|弟|妹|叔|姨|停|醒|苦|屈|板|什么|啥|一|两|几|那|这|自己)"
)
_TITLES = (
    "师傅", "老师", "医生", "大夫", "护士", "经理", "老板", "主任", "教练", "阿姨", "叔叔", "大哥", "大姐", "司机", "保洁",
    "律师", "警官", "车", "人", "饭", "餐", "客",
)  # fmt: skip
_NO_TITLE = "".join(f"(?<!{title})" for title in _TITLES)
_NAME = (
    rf"(?!{_CALLED})(?:(?![来去他她你我们了是在不看帮给做修拿送买吃喝等走打搬换接陪问说让叫过着吧吗呢的])[\u4e00-\u9fff·]){{2,4}}{_NO_TITLE}"
    r"|[A-Za-z]{2,16}(?: [A-Z][a-z]{1,15})?"
)
_NOT_AN_ERRAND = r"(?![，,\s]*(?:让|叫|请|帮|给|替|去|来(?!自)|看|到(?!了)|过来|过去|快|马上|赶紧|一起|但?[他她]))"

ILLNESS = (
    r"(?:(?:[12一二]型|慢性|急性|轻度|中度|重度|严重的?|先天性)?(?:[\u4e00-\u9fff]{0,3}(?:癌|炎|结石|肿瘤|综合征|障碍)|糖尿病|高血压|低血压|低血糖|高血脂|哮喘|"
    r"抑郁症?|焦虑症|失眠|偏头痛|痛风|贫血|心脏病|冠心病|癫痫|自闭症|多动症|强迫症|乙肝|脂肪肝|颈椎病|腰间盘突出|腰椎间盘突出|白血病|帕金森|老年痴呆|"
    r"阿尔茨海默症?|甲亢|甲减|湿疹|荨麻疹|鼻炎|近视|色盲|乳糖不耐受?|夜盲症?|社恐))"
)
_OFTEN = r"(?:每(?:天|周|月|年|晚|个?(?:周|星期|礼拜)[一二三四五六日天末]?|周[一二三四五六日末])|天天|(?:周|星期|礼拜)[一二三四五六日末]都)"

# What is said of oneself without a subject: 搬到杭州了, 对花生过敏.
FRAGMENT = LazyPattern(
    r"(?:现在|目前|最近|刚|已经|一直|从小|其实|平时|也|就|还|都|真的|特别|超级?|很|最|今年|马上|上周|上个月|昨天|前几天|去年){0,8}"
    r"(?:住在?(?!院|校)|搬到|搬去|搬来|在[^，。！？,.!?\s你他她]{2,12}?(?:上班|工作|实习|读书|上学|读研|读博|念书)|对[^，。！？,.!?\s你他她]{1,10}?(?:严重)?过敏|"
    r"养了|领养了|不吃|不能吃|不喝|不能喝|戒了|迷上了?|土生土长|乳糖不耐|待业|备孕|[白金双巨狮处天射摩水][\u4e00-\u9fff]座|在[\u4e00-\u9fff]{1,8}长大|喜欢(?!你)|讨厌(?!你)|不喜欢(?!你)|害怕|怕|来自|老家(?:是|在)|家乡(?:是|在)|生日(?:是|在)|会说|在学|学的是|"
    r"得了|患有|确诊(?:了|为)?|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|(?:\d{1,3}|[一二三四五六七八九十]{1,3})岁(?![起开就以之前后时那]|上[学班小中大])|手机号|电话(?:是|号)|家住|吃素|"
    r"每(?:天|周|晚)[^，。！？,.!?]{0,6}?(?:吃|打|跑|练|去|游|骑|弹))"
)

_WHEN = r"(?:现在|目前|最近|刚|已经|一直|从小|其实|也|还|都|就|很|去年|今年|前年|上周|上个?月|昨天|前几天|小时候|\d{4}年|被)*"
SELF = "我"  # stands in whatever any of the patterns matches
_INNER = _OBJECT[1:-1]  # without its group
PATTERNS: tuple[tuple[LazyPattern, str, str], ...] = tuple(
    (LazyPattern(pattern), relation, wording)
    for relation, wording, pattern in read_rows("llm/extractive/facts/chinese_self_facts.txt", globals())
)
NO_OBJECT = LazyPattern(
    r"^(?:你|您|他们|她们|它|这样|那样|这种|那种|这个|那个|的|上|了|得|死|是|不|我|吃亏|什么)|[你您]|的(?:时候|感觉|话)?$"
)
TAIL = LazyPattern(r"(?:了|呢|啊|呀|啦|哦|吧|的时候|哈|嘛|因为.*|所以.*|但.*|而且.*|就是.*|尤其.*|特别是.*)$")
# Somebody is introduced whose name and age the next clauses tell: 养了条狗，今年七岁; 有个弟弟，叫知远.
INTRODUCES = LazyPattern(
    rf"(?:[养有生捡添带]|领养|收养|买)(?:了|着|过|来|的|回)?[一两三四五几\d]?(?:[只条匹头窝]|个(?={KIN}|孩|娃|仔|女))|(?<![我俺名])叫做?(?!我)[\u4e00-\u9fff]{{1,4}}[，,]"
)
OWN = LazyPattern(rf"[^，。！？他她你您]{{0,4}}?我(?!们|的?{KIN})")  # a sentence about oneself
