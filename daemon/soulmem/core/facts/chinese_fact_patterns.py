"""Chinese patterns of what is so, has become so, or is so no more; read by `fact_reader`.

As `english_fact_patterns`: a pattern is sought in one clause, what stands before it says of whom. A clause that holds none of
the characters a pattern cannot do without is not searched for it.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

import re

from soulmem.core.facts.relations import Mode
from soulmem.core.names.name_recogniser import NameKind, find_names
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.word_file import read_rows
from soulmem.fast_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pattern:
    """`needs`: characters of which a clause must hold one."""

    pattern: LazyPattern
    needs: frozenset[str]
    relation: str
    mode: Mode


_O = r"(?P<o>[^，。！？；,!?;（）()“”\"]{1,24}?)"
_END = r"(?:了|啦|呢|啊|呀|吧|哈|嘛|的|咯|喽|哦|噢|～|~|…)*\s*$"
_TILL = rf"{_O}(?=(?:了|啦)?{_END}|(?:了|啦)?(?=[，。,！]))"
_PARTNER = r"(?:女朋友|男朋友|女友|男友|老婆|老公|妻子|丈夫|对象|媳妇|爱人|未婚妻|未婚夫|女票|男票)"
KIN = r"(?:爸妈|父母|公婆|岳父母?|岳母|妈妈?|爸爸?|母亲|父亲|姐姐?|妹妹?|哥哥?|弟弟?|女儿|儿子|爷爷|奶奶|外公|外婆|姥姥|姥爷|室友|闺蜜|同事|老板|领导)"
# What a job is called by at its end, wherever it is read.
JOBS = r"师|医生|护士|演员|作家|歌手|经理|司机|警察|会计|教授|记者|编辑|博士|导演|画家|主播|店长|老板|顾问|助理|军人|农民|工人|翻译|导游|教练|策划|客服"
JOB = rf"(?:[\u4e00-\u9fffA-Za-z]{{0,8}}?(?:{JOBS}|程序员|公务员|研究生|博主|店员|空姐|飞行员|消防员|自由职业者?|研究员|销售|主管|总监|组长|保安|快递员|外卖员|运营|开发|设计|前端|后端|测试|hr|HR))"
_DATE = (
    r"(?:(?:这|下|上|本|下下|每)?个?(?:周|星期|礼拜)[一二三四五六日天末]|今天|明天|后天|大后天|今晚|明晚|明早|后晚|下周|下个月|下个?星期|这周末|周末|月底|年底|年初|月初|"
    r"(?:[0-9]{1,2}|[一二三四五六七八九十]{1,3})(?:月|号|日|点)|元旦|春节|国庆|中秋|端午|清明|五一|十一|过年|明年|后年|暑假|寒假|春天|夏天|秋天|冬天)"
)
_WHEN = rf"(?P<o>{_DATE}[^，。！？；,!?;]{{0,14}}?)(?=(?:了|啦)?{_END}|[，。,！])"

_TABLE = read_rows("core/facts/chinese_fact_patterns.txt", globals())

PATTERNS: tuple[Pattern, ...] = tuple(
    Pattern(LazyPattern(pattern), frozenset(needs), relation, Mode[mode]) for relation, mode, needs, pattern in _TABLE
)

CLAUSE_END = LazyPattern(
    r"[，。！？；,!?;…\n～~]+|、(?=现在|我|他|她|还)|(?<=[\u4e00-\u9fff]{3})\s+(?=[\u4e00-\u9fff]{3})|(?:但是?|可是|所以|因为|然后|而且|后来)(?=[\u4e00-\u9fff])"
)
UNREAL = LazyPattern(
    r"想把|要把|准备把|如果|要是|假如|假装|但愿|梦见|梦到|想(?:要|去|搬|换|学|养|买|住)|希望|考虑|可能|也许|说不定|大概会|应该会|差点|要不要|是不是|会不会|有没有|打算|计划|准备(?!好)|以后想|将来|[吗么]\s*$|好像是?要|早知道|恨不得"
)
LEAD = LazyPattern(
    r"^(?:\W|(?:医生|大夫|老师|老板|他|她|家人)说|对了|话说|那个|其实|说起来|告诉你|跟你说|你知道吗|而且|但是?|可是|不过|所以|因为|然后|后来|现在|如今|目前|最近|刚|已经|终于|已|就|也|还是?|又|都|正式|今天|昨天|前天|上周[一二三四五六日天]?|上个?(?:月|星期|礼拜)|"
    r"去年|今年|前年|这周|这个月|下周|下个?月|年初|年底|前几天|前阵子|前段时间|早就|从[\d一二三四五六七八九十]+月起|\d+月份?|[一二三四五六七八九十]+月份?|哎呀?|唉|哈哈+|嗯+|好消息|坏消息|更新一下|报告|汇报一下|真的|居然|竟然|可惜|遗憾|不幸|幸好|好在|反正|总之|于是|结果|被)+"
)
FILLING = LazyPattern(
    r"(?:\W|每天|每周|每晚|每年|平时|经常|常常?|天天|现在|如今|目前|最近|刚|已经|终于|已|就|也|还是|还|又|都|正式|今天|昨天|前天|大前天|上周[一二三四五六日天]?|上个?(?:月|星期|礼拜)|去年|今年|前年|这周|这个月|年初|年底|前几天|前阵子|前段时间|早就|早|真的|居然|竟然|可惜|"
    r"一直|正在|正|在|不太?|没有?|自己|租房|从小|特别|非常|超级?|比较|其实|很|最|太|挺|蛮|再|马上|快|全家|一个人|一家人|家|一起|决定|开始|给|的|从[\u4e00-\u9fff]{1,6}|在[\u4e00-\u9fff]{1,4}年?|和[\u4e00-\u9fff]{1,4}一起|不幸|突然|昨晚|今早|早上|晚上|下午|"
    r"\d{1,4}(?:年|月份?|号|日)|[一二三四五六七八九十]{1,3}月份?|毕业后|婚后|以后|之后|后来|因为[\u4e00-\u9fff]{1,8})"
)
SPEAKER = LazyPattern(r"(?:我们?|咱们?|俺|本人|人家|自己|我自己|我俩|我们俩|我们家|我家)")
PRONOUN = LazyPattern(r"(?:他们?|她们?|它们?|你们?|您|这|那|这个|那个|大家|有人|别人)")
POSSESSED = LazyPattern(
    rf"(?:我们?|咱们?)(?:家的?|的)?(?P<thing>{KIN}|{_PARTNER}|[\u4e00-\u9fff]?(?:叔|姨|舅|姑|伯|婶|嫂|爷|奶)[\u4e00-\u9fff]?|表[哥姐弟妹]|堂[哥姐弟妹]|"
    r"儿媳|女婿|闺女|朋友|同学|邻居|猫|狗|车|房租|公司|(?<=的)[\u4e00-\u9fffA-Za-z]{1,8}|(?<=家)[\u4e00-\u9fffA-Za-z]{1,8})"
)
NAME = LazyPattern(
    r"(?P<name>(?![我你他她它这那咱俺在])[\u4e00-\u9fff·]{2,4}|[A-Za-z][\w-]*(?: [A-Z][\w-]*){0,2})(?:的(?P<thing>[\u4e00-\u9fff]{1,6}))?"
)
COUPLE = LazyPattern(
    r"(?:我|我们)?(?:和|跟|与)(?P<n>[\u4e00-\u9fffA-Za-z]{1,6})|(?P<m>[\u4e00-\u9fffA-Za-z]{1,6})(?:和|跟)我"
)
TAIL = LazyPattern(
    r"(?:了|啦|呢|啊|呀|吧|哈|嘛|咯|哦|噢|的|现在|目前|来着|已经|这边|那边|上班|工作){1,12}$|(?:[，,]?(?:因为|所以|但).*)$"
)
ALSO = LazyPattern(r"也|兼职|副业|另外|同时|还(?!是)|周末|偶尔")
PASSING = LazyPattern(r"出差|旅游|旅行|度假|几天|暂时|临时|酒店|民宿|今晚|周末|这两天|这几天")
BEFORE = LazyPattern(
    r"(?:19|20)\d\d年(?!起|以来|开始)|以前|曾经?|之前|原来|从前|过去|小时候|那时候?|当年|大学时|读书时|的时候"
)
ITS_NAME = LazyPattern(
    r"(?:(?:它|他|她)?的?名字|它|他|她)?(?:名?叫做?|叫作|是叫)(?P<o>[\u4e00-\u9fffA-Za-z]{1,8}?)(?:了|啦|哦|哈|呢)?(?P<p>\Z)?"
)
COUNTED = LazyPattern(r"^(?:[一两二三四五几\d]+|那|这)(?:只|条|个|头|匹|辆|台|套|部|把|间|名|位|家)")
PLAIN = LazyPattern(
    r"(?:我们?|咱们?)(?:现在|平时|一直|经常|常常?|总|每天|天天|都|也|还)*(?!.*(?:了|过|昨天|今天|今晚|明天|刚|刚才|想|要|会|能|觉得|希望|说|吗|呢|没|不|好|很|真|太|被))(?P<o>[\u4e00-\u9fffA-Za-z][\u4e00-\u9fffA-Za-z0-9 ]{1,20})$"
)
# 听说阿伟, 妈妈说海涛, 老王告诉我振华: of whom it is told stands behind; where nobody does, it is as it was.
REPORTED = LazyPattern(
    rf"(?:听说|据说|(?:我们?|咱们?)?的?(?:{KIN}|{_PARTNER}|朋友|同学|邻居|亲戚)(?:说|告诉我|跟我说)|[\u4e00-\u9fff]{{2,3}}?(?:告诉我|跟我说))(?=[\u4e00-\u9fff])"
)
_HAN = LazyPattern("[\u3400-\u9fff]")
_NAMED = LazyPattern(
    rf"(?:我们?|咱们?)家?(?P<thing>(?:{KIN}|{_PARTNER}|朋友|同学|邻居|叔叔|舅舅|姑姑|阿姨|侄子|侄女|外甥女?|表[哥姐弟妹]|堂[哥姐弟妹])[\u4e00-\u9fff]{{2,3}})"
)


def name_behind_kin(thing: str) -> str:
    """The name behind a relative or friend, where words are not parted: 姐姐雅琴; "" where there is none."""
    if len(thing) < 3 or not _HAN.search(thing):
        return ""
    named = [each.name for each in find_names(f"我{thing}在") if each.kind is NameKind.PERSON]
    return next((name for name in named if len(name) > 1 and thing.endswith(name) and thing != name), "")


def named_relative(subject: str) -> re.Match[str] | None:
    """A relative or friend with the name that stands behind (我姐姐雅琴), as `thing`."""
    found = _NAMED.fullmatch(subject)
    return found if found is not None and name_behind_kin(found["thing"]) else None


# Somebody of whom something is said, or who is only named: what follows without a subject is of them.
OTHER_HEAD = LazyPattern(
    r"(?:(?P<thing>房东|老板|领导|邻居|室友|同事|医生|大夫|老师|组长|班长|师傅)姓[\u4e00-\u9fff]$|[大小][的儿](?:是|叫)?(?P<name>[\u4e00-\u9fff]{2,3})$)"
)
