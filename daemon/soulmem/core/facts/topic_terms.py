"""The words of a topic: what of a text says what it is about, and how much two topics share.

Called by `change_detection` for clauses, and where it is decided whether an engine is asked what one note is to
another. Names of people, days, values and the words of change itself are left out: what remains are the things and
doings that are spoken of. Words that fit any appointment ("meeting", 考试) say little alone; words that ask for the same
thing (`concept_table`) count as one: a wedding and getting married, 妈妈 and mother. Pure.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from soulmem.core.dates.date_parser import find_dates
from soulmem.core.facts.relations import terms_of
from soulmem.core.questions.concept_table import TABLE
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.tokens import fold, is_grammar, stemmed
from soulmem.core.wordlists.topic_synonyms import marked
from soulmem.text_memo import text_memo

Terms = frozenset[str]
_SHARE = 0.4  # of what the shorter of two topics says
_HAN_RUN = LazyPattern("[\u4e00-\u9fff]+")
_LATIN_WORD = LazyPattern(r"[a-zà-ɏ][a-zà-ɏ'’-]{1,}")
# Said of anything, and so of nothing: verbs of having, doing and changing, times, adverbs.
_EMPTY = frozenset(
    stemmed(word)
    for word in (
        "get got have has had take takes took taken give gave given go goes went gone going come comes came coming make makes made put puts let say says said tell told think want wants wanted need "
        "now instead new old again still just only really actually finally already yet anymore longer back forward up down off out away around update updated correction change changed changes move moved moving push "
        "pushed shift shifted switch switched reschedule rescheduled postpone postponed delay delayed bring brought bump bumped raise raised lower lowered drop dropped cut increase increased reduce reduced up "
        "quit stop stopped leave left leaving sell sold lose lost find found cancel cancelled canceled end ended finish finished start starts started begin call called agree agreed rang rung texted turn turned keep keeps keeping stay stays staying "
        "day days week weeks month months year years hour hours minute minutes time times today tomorrow yesterday tonight morning afternoon evening night weekend date monday tuesday wednesday thursday friday saturday sunday "
        "january february march april may june july august september october november december every each per once twice one two three ones thing things stuff lot lots bit little big good bad great fine nice last next first later earlier soon "
        "people man men woman women guy guys bloke lady ladies somebody someone everybody anybody nobody anything something nothing everything way like likes also too even much many more less most sure ok okay yeah yes no not well though because since until "
        "he she they him her them his their my our your me us we i you it its this that these those who what when where there here be been being am is are was were do does did doing can could may might must should would will shall "
        "after all mind minds plan plans euro euros pound pounds dollar dollars quid number half percent right wrong long short price ve ll re first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
    ).split()
)
# Any appointment, class or place of work is called so.
_LIGHT = frozenset(
    stemmed(word)
    for word in (
        "appointment meeting class classes lesson lessons course courses trip visit party event exam exams test tests interview session call dinner lunch breakfast show concert game match practice rehearsal "
        "job work house flat room car train bus flight ticket tickets doctor teacher school university company office shop home operation surgery birthday wedding holiday bike dog cat"
    ).split()
) | frozenset(
    "考试 面试 会议 开会 预约 手术 婚礼 生日 聚会 聚餐 比赛 演出 公司 学校 工作 医院 医生 老师 老板 上班 下班 学习 上课 课程 时间 地方 东西 事情 今年 明年 晚上 早上 上午 下午".split()
)
# Before Chinese is cut into pairs: what is grammar, time, degree, change, or who.
_HAN_EMPTY = LazyPattern(
    r"(?:医院|诊所|学校|公司|单位|医生|护士|老师|房东|物业|银行|中介|客服|人家|那边)?(?:来了?|打了?)个?电话过?来?(?:说|通知)?|(?:医院|诊所|学校|公司|单位|医生|护士|老师|房东|物业|银行|中介|客服)?发(?:了|来)?(?:个|条)?(?:短信|微信|消息)过?来?说?|"
    r"往后推?了?|往前推?了?|推了|一周|几天|推迟到?|提前到?|延期到?|延后到?|顺延|改期|改到|改成|改在|改为|改去|挪到|换成|换到|调到|调成|调去|移到|搬到|变成|涨到|降到|升到|减到|减成|涨价|涨|降|改|挪|换|搬|升|减到?|取消|泡汤|不再|已经|终于|还是|现在|如今|目前|其实|因为|所以|但是|可是|而且|然后|后来|"
    r"开始|先(?![生进天前])|今天|明天|昨天|后天|前天|今年|明年|去年|下周|上周|下个?月|上个?月|这个?月|每天|每周|每月|每年|每个|一直|经常|平时|个月|小时|分钟|有点|一点|一些|一下|一个|自己|我们|咱们|他们|她们|你们|说错|打错|记错|告诉|知道|觉得|希望|打算|准备|主意|只要|只剩|还剩|"
    r"星期[一二三四五六日天]|礼拜[一二三四五六日天]|周[一二三四五六日天]|[上中下]午|晚上|早上|早晨|夜里|半夜|左右|之后|以后|以前|之前|的时候|怎么|什么|这么|那么|特别|非常|挺|"
    r"[的了着过是在有和也都就还又再很太最更才只被把给让对从向到于与以为其并且个位我俺咱你您他她它这那哪不没别吗呢吧啊呀啦嘛哈哦嗯呗么们去来要会能可想说做干弄上下出回起里外年月日号岁点]"
)
_MASK = LazyPattern(r"xxx\([^()]*\)")


@text_memo(4_096)
def _terms(text: str) -> Terms:
    folded, marks = marked(fold(_MASK.sub(" ", text)))
    found = marks | {
        stem
        for word in _LATIN_WORD.findall(folded)
        if (stem := stemmed(re.sub(r"['’]s?$", "", word))) not in _EMPTY and not is_grammar(stem) and len(stem) > 1
    }
    for run in _HAN_RUN.findall(_HAN_EMPTY.sub(" ", folded)):
        found |= {run[place : place + 2] for place in range(len(run) - 1)} if len(run) > 1 else {run}
    return frozenset(found)


def terms_in(text: str, without: Iterable[tuple[int, int]]) -> Terms:
    """The words of the topic of a clause; `without`: where its values and its people stand, which say nothing of it."""
    for start, end in without:
        text = text[:start] + " " * (end - start) + text[end:]
    return _terms(text)


def weight(terms: Iterable[str]) -> float:
    """How much some words say: most of them one, what fits any appointment a third, a single character less than one."""
    return sum(0.3 if term in _LIGHT else 0.7 if len(term) == 1 else 1.0 for term in terms)


def match(one: Terms, other: Terms) -> bool:
    """Whether two topics are the same: they share enough of what the shorter one says, and not an "appointment" alone."""
    shared = weight(one & other)
    if not shared:
        return False
    share = shared / min(weight(one), weight(other))
    return share >= _SHARE and (shared >= 0.7 or share >= 0.99)


KIN_CHARACTERS = frozenset("妈爸爹娘哥姐弟妹爷奶姥姨舅姑叔伯婆公嫂媳儿女孙")
_SAID_OF_ANYTHING = frozenset("我你他她它叫的了是在说号月日年来去上下午点")
_WORD = LazyPattern(r"[a-zà-ɏ][a-zà-ɏ'’-]+")


def content(text: str) -> tuple[set[str], set[str]]:
    """The stems of its Latin words and its Chinese characters, without grammar."""
    latin = {stemmed(word) for word in _WORD.findall(fold(text)) if len(word) > 2 and not is_grammar(word)}
    return latin, {each for each in text if "\u4e00" <= each <= "\u9fff"} - _SAID_OF_ANYTHING


_CONCEPT = "~"
_MOST_WORDS = 6  # for the same thing, that a search is widened by
_NUMBER = re.compile(r".*\d.*|[零一二三四五六七八九十百千万亿两几半]+")


def words_of_matter(text: str, at_ms: int, speaker: str = "") -> str:
    """The text to search by for what is of the same matter: without days and the speaker, with words for the same."""
    bare = _undated(text, at_ms).replace(speaker, " ") if speaker else _undated(text, at_ms)
    found = (_heads().get(term, ()) for term in sorted(terms_of(bare)))
    return " ".join([bare, *dict.fromkeys(word for words in found for word in words[:_MOST_WORDS])])


def matter_of(text: str, at_ms: int, speaker: str = "") -> frozenset[str]:
    """The words of a text, told at `at_ms` by `speaker`, that say what it is about, and what these ask for."""
    text = _undated(text, at_ms)
    words = frozenset(term for term in terms_of(text) - terms_of(speaker) if not _NUMBER.fullmatch(term))
    table = _concepts()
    return words.union(*(table.get(word, frozenset()) for word in words))


def is_concept(term: str) -> bool:
    """Whether an element of `matter_of` is what a word asks for, and no word of the text."""
    return term.startswith(_CONCEPT)


def _undated(text: str, at_ms: int) -> str:
    pieces, done = [], 0
    for span in find_dates(text, at_ms):
        pieces += [text[done : span.start], " " * (span.end - span.start)]
        done = span.end
    return "".join((*pieces, text[done:]))


@cache
def _heads() -> Mapping[str, tuple[str, ...]]:
    """By word, the words of its language that ask for the same."""
    found: dict[str, tuple[str, ...]] = {}
    for line in TABLE.strip().splitlines():
        heads = line.partition(">")[0].split()
        for word in heads:
            same = tuple(other for other in heads if other.isascii() == word.isascii())
            found.setdefault(_term(word), same)
    return found


def _term(word: str) -> str:
    return stemmed(word) if word.isascii() else word[-2:]


@cache
def _concepts() -> Mapping[str, frozenset[str]]:
    """By word, the concepts it asks for: a mark and the line of the table."""
    found: dict[str, set[str]] = {}
    for number, line in enumerate(TABLE.strip().splitlines()):
        for word in line.partition(">")[0].split():
            found.setdefault(_term(word), set()).add(f"{_CONCEPT}{number}")
    return {word: frozenset(lines) for word, lines in found.items()}
