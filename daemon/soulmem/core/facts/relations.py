"""Relations: what can be said to be so of somebody, and how many values of it hold at a time.

The one table of them, in one place: what reads a statement (`fact_reader`) names them, what compares two statements
(`supersession`) asks whether a new value ends the old one. A home, a job, a partner, a name, an age, a telephone number
are held one at a time; likings, languages, children, pets and habits add up. Whatever somebody calls "my X" is an
attribute (`of:x`) and held one at a time, unless people have several of it. Pure data and pure functions.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache, cached_property

from soulmem.core.text.tokens import fold, is_cjk_pair, is_grammar, segment
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

ANY = "*"  # of an ending that does not say how it was held: "sold the car", "gave up coffee", 戒了咖啡
ATTRIBUTE = "of:"
DOES = "does"  # what somebody is or does, said in words that no other relation knows
EVENT = "when"  # of something to come, its time; the subject is what it is


class Mode(StrEnum):
    """How a statement says that something is so."""

    HOLDS = "holds"
    CHANGED = "changed"  # it holds, and not for long: what was so before is over
    ENDED = "ended"  # it holds no more, or does not hold
    PAST = "past"  # it held once; whether it still does is not said
    AHEAD = "ahead"  # it will hold from a day on that is named


ONE = frozenset({"name", "home", "work", "job", "partner", "status", "age", "birthday", "school", "diet", EVENT})
MANY = frozenset(
    {"likes", "habit", "owns", "pet", "child", "language", "studies", "allergy", "fear", "origin", "kin", "life", DOES}
)

# What people have several of: "my sister is Anna" says nothing of another one.
_SEVERAL = frozenset(
    """
    sister brother son daughter kid child cousin aunt uncle friend colleague neighbour neighbor dog cat pet hobby hobbies
    plan goal dream fear allergy book song idea problem language parents kids children grandchild grandchildren grandkids grandson granddaughter stepson
    stepdaughter stepbrother stepsister godson goddaughter twins one eldest youngest niece nephew colleague
    classmate roommate flatmate teammate student client memory
    姐姐 妹妹 哥哥 弟弟 姐 妹 哥 弟 儿子 女儿 孩子 朋友 同事 同学 邻居 室友 闺蜜 爱好 计划 目标 梦想 宠物 猫 狗 表姐 表妹 表哥
    表弟 孙子 孙女 外孙 外孙女 堂哥 堂弟 堂姐 堂妹 侄子 侄女 外甥 舅舅 叔叔 阿姨 姑姑 客户 学生 想法 意思 问题 感觉 心情 印象 习惯 缺点 优点
    """.split()
)
PARTNERS = frozenset(
    """
    girlfriend boyfriend wife husband partner spouse fiance fiancee fiancé fiancée gf bf missus hubby
    女朋友 男朋友 女友 男友 老婆 老公 妻子 丈夫 对象 媳妇 爱人 未婚妻 未婚夫 先生 太太 男票 女票
    """.split()
)
# The names of one attribute.
_SAME = {
    "phone": "phone", "phone number": "phone", "number": "phone", "mobile": "phone", "mobile number": "phone",
    "cell": "phone", "cell number": "phone", "cell phone": "phone", "tel": "phone", "telephone": "phone",
    "telephone number": "phone", "电话": "phone", "手机": "phone", "手机号": "phone", "电话号码": "phone",
    "手机号码": "phone", "号码": "phone", "联系电话": "phone", "email": "email", "e-mail": "email",
    "email address": "email", "mail": "email", "邮箱": "email", "电子邮箱": "email", "邮件地址": "email",
    "address": "address", "home address": "address", "地址": "address", "住址": "address", "家庭住址": "address",
    "employer": "work", "company": "work", "公司": "work", "单位": "work", "job": "job", "profession": "job",
    "occupation": "job", "工作": "job", "职业": "job", "birthday": "birthday", "date of birth": "birthday", "bday": "birthday",
    "生日": "birthday", "age": "age", "年龄": "age", "name": "name", "名字": "name", "家": "home", "flat": "home",
    "apartment": "home", "school": "school", "university": "school", "uni": "school", "college": "school",
    "学校": "school", "大学": "school", "diet": "diet",
}  # fmt: skip


_NOW = re.compile(
    r"^(?:(?:new|current|present|latest) (?=\w)|(?:现在|目前|如今|当前)的?(?=..)|新的(?=..))+"
)  # 现在最喜欢的歌手


def is_one(relation: str) -> bool:
    """Whether only one value of a relation holds at a time."""
    if relation.startswith(ATTRIBUTE):
        thing = relation.removeprefix(ATTRIBUTE)
        return thing.rsplit(" ", 1)[-1] not in _SEVERAL and thing not in _SEVERAL
    return relation in ONE


def attribute(thing: str) -> str:
    """The relation of what somebody calls "my X"."""
    plain = _NOW.sub("", " ".join(fold(thing).split()))
    if plain in PARTNERS:
        return "partner"
    same = _SAME.get(plain)
    if same in {"work", "job", "birthday", "age", "name", "home", "school", "diet"}:
        return same or plain
    return ATTRIBUTE + (same or plain)


@dataclass(frozen=True)
class Reading:
    """What one clause says is so, or is so no more.

    `subject` and `object` are folded; an object may be empty where the ending of all there is of a relation is told.
    `said`: the clause; `also`: it is said to hold beside another.
    """

    subject: str
    relation: str
    object: str
    mode: Mode
    said: str = ""
    also: bool = False

    @property
    def holds(self) -> bool:
        return self.mode in {Mode.HOLDS, Mode.CHANGED, Mode.AHEAD}

    @cached_property
    def terms(self) -> frozenset[str]:
        """The words of the object that say something."""
        return terms_of(self.object)


def terms_of(text: str) -> frozenset[str]:
    """The words of a text without grammar: Latin ones by their stem, Chinese ones as pairs, else alone."""
    found = [term for term in segment(text) if not is_grammar(term)]
    pairs = {term for term in found if is_cjk_pair(term)}
    latin = {term for term in found if term.isascii() or len(term) > 2}
    return frozenset(pairs | latin) if pairs or latin else frozenset(found)


def same_subject(one: str, other: str) -> bool:
    """Whether two names may be of one: the same, or one the beginning of the other (Tom, Tom Baker)."""
    if one == other:
        return bool(one)
    short, long = sorted((one, other), key=len)
    return bool(short) and long.startswith(f"{short} ")


def alike(one: Reading, other: Reading) -> bool:
    """Whether two objects are the same, or one says the other and more."""
    if one.terms and other.terms and (one.terms <= other.terms or other.terms <= one.terms):
        return not (one.terms ^ other.terms) & _of_a_name()  # New York is not York
    short, long = sorted((one.object, other.object), key=len)
    return bool(short) and not short.isascii() and short in long and (len(short) > 1 or short in _SHORT)


_SHORT = frozenset("烟酒茶糖肉奶辣药猫狗车房牌棋琴")  # what one character says for certain


@cache
def _of_a_name() -> frozenset[str]:
    return terms_of("new san saint los las el port fort north south east west great")


_LONGEST_OWNER = 4  # characters of 朋友 in 朋友的面试


def _owners(event: str) -> frozenset[str]:
    named = {word.partition("'")[0] for word in event.replace("’", "'").split() if word.endswith("'s")}
    of, has, _ = event.partition("的")
    return frozenset(named | ({of} if has and len(of) <= _LONGEST_OWNER else set()))


def same_event(one: str, other: str) -> bool:
    """Whether two descriptions may be of one thing that was planned: half of what the shorter says is in the other."""
    left, right = _event_terms(one), _event_terms(other)
    if _owners(one) != _owners(other):
        return False  # her cousin's exam is not her own
    shared = len(left & right)
    if shared:
        return left <= right or right <= left or 2 * shared > min(len(left), len(right))
    short, long = sorted((one, other), key=len)
    return len(short) > 1 and not short.isascii() and short in long


@text_memo(512)  # each event that is known is held against each that was told
def _event_terms(text: str) -> frozenset[str]:
    return terms_of(text) - _no_event()


@cache
def _no_event() -> frozenset[str]:
    """What is said with an event and says nothing of which it is."""
    return terms_of("my our the go going thing new next big little with at in on to for 要去 我要 去看 有个 一个")


_LASTING = frozenset({"likes", "allergy", "fear", "origin", "name", "age", "birthday", "status", EVENT, ANY, "life"})


def ends_any(relation: str) -> bool:
    """Whether an ending that does not say how something was held may end what is held so."""
    return relation not in _LASTING
