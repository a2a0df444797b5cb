"""Owners: of whom a clause tells, so that one person's change ends nothing that was told of another.

Called by `change_detection` for each clause in turn. An owner is the set of names somebody goes by in the text ("my brother Theo"
is a brother and Theo); `SELF` is who speaks. What has no subject takes that of the clause before in Chinese; "he" and
她 are whoever was named last. Pure. Invariant: an empty owner is one that is not known, and may be anybody.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

from soulmem.core.changes.change_words import AGENT
from soulmem.core.names.name_recogniser import NameKind, find_names
from soulmem.core.regex.lazy_regex import KeptCaseless, KeptPattern
from soulmem.core.tense.english_verb_forms import PARTICIPLES, READ_AS_PAST
from soulmem.core.text.tokens import fold
from soulmem.core.wordlists.topic_synonyms import marked
from soulmem.fast_dataclasses import dataclass

SELF = "self"
OTHER = "?"  # somebody else than who speaks, nobody knows who
Owner = frozenset[str]
NOBODY: Owner = frozenset()
_KIN = {
    "parents": "parents folks 爸妈 父母 爹妈", "mother": "mother mom mum mummy mommy mam 妈妈 妈 母亲 老妈 俺妈", "father": "father dad daddy pa 爸爸 爸 父亲 老爸",
    "grandmother": "grandmother grandma granny gran nana nan 奶奶 外婆 姥姥 祖母", "grandfather": "grandfather grandpa granddad grandad 爷爷 外公 姥爷 祖父",
    "brother": "brother 弟弟 哥哥 弟 哥 兄弟", "sister": "sister 姐姐 妹妹 姐 妹 姊妹", "son": "son 儿子", "daughter": "daughter 女儿 闺女 姑娘",
    "partner": "wife husband girlfriend boyfriend partner fiance fiancee spouse gf bf 老婆 老公 妻子 丈夫 媳妇 对象 女朋友 男朋友 女友 男友 爱人 老伴儿 老伴 先生 太太",
    "uncle": "uncle 舅舅 叔叔 伯伯 姑父 姨父 姑丈 大舅 小舅 二叔 小叔 大伯 三叔", "aunt": "aunt auntie 阿姨 姑姑 姨妈 舅妈 婶婶 姑妈 小姑 大姑 二姑 二姨 三姨 大姨 小姨 小姑子 婶子",
    "cousin": "cousin 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹", "nephew": "nephew 侄子 外甥", "niece": "niece 侄女 外甥女",
    "grandson": "grandson 孙子 外孙", "granddaughter": "granddaughter 孙女 外孙女", "child": "child kid baby 孩子 宝宝",
    "friend": "friend 朋友 闺蜜 哥们 老同学 老乡", "colleague": "colleague coworker 同事 工友", "boss": "boss manager 老板 领导 上司", "neighbour": "neighbour neighbor neighbours neighbors 邻居",
    "flatmate": "flatmate roommate housemate 室友", "landlord": "landlord landlady 房东", "doctor": "doctor surgeon dentist 医生 大夫", "classmate": "classmate 同学",
    "in-law": "mother-in-law father-in-law brother-in-law sister-in-law 岳父 岳母 公公 婆婆 妹夫 姐夫 嫂子 弟媳 儿媳 女婿 大舅哥",
    "twins": "twins 双胞胎",
}  # fmt: skip
_PARENTS = ({"parents", "mother"}, {"parents", "father"})
_KINDS = frozenset(_KIN)
_KIND = {word: kind for kind, words in _KIN.items() for word in words.split()}
_LATIN_KIN = "|".join(sorted((w for w in _KIND if w.isascii()), key=len, reverse=True))
_HAN_KIN = "|".join(sorted((w for w in _KIND if not w.isascii()), key=len, reverse=True))
_KIN_WORD = KeptCaseless(
    rf"\b(?:(?:my|our|the|his|her|their) (?:\w+ ){{0,2}}?)?(?P<en>{_LATIN_KIN})\b(?!-in-law)|(?:我们?|俺|咱)?(?:家|的)?(?P<zh>{_HAN_KIN})(?!粮|砂|窝|房)"
)
_PRONOUN = KeptCaseless(r"\b(?P<en>he|she|his|her|him|they|their|them)\b|(?P<zh>[他她它](?!俩)们?)")
_TIME = KeptPattern(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?$|January|February|August|September|October|November|December|周[一二三四五六日天末]"
)
# A thing or an institution that stands first, and so has a capital letter; a saint's name is a place's.
_NO_PERSON = KeptPattern(
    r"(?:^(?:Council|Cast|Plaster|Stitches|Landlord|Nursery|School|Work|Uni|Pool|Gym|Fox|Boiler|Gas|Bank|Hospital|Clinic|Surgery|Physio|Dentist|Choir|Yoga|Pilates|Wedding|Rent|Baby|Dog|Cat|Kitten|Hen|Boss|Consultant|Childminder|Scales)(?:['’]s)?"
    r"|\b(?:St|Saint)\.? \w+|房[本租贷产])$"
)
# Milan moved, Florence works: who does so is somebody, whatever town is called so.
_ACTS = KeptPattern(
    r" (?:has |had |just )?(?:went|moved|lives|lived|works|worked|studies|studied|married|divorced|quit)\b"
)
_DONE = READ_AS_PAST | PARTICIPLES  # "Hung up my apron": who speaks is left out
_MANY = frozenset({"they", "their", "them"})
_SELF = KeptCaseless(r"\b(?:i|i['’](?:m|ve|d|ll)|im|ive|we|we['’](?:re|ve|ll|d)|me|my|mine|our|us)\b|(?<!自)[我俺咱]")
_GENITIVE = KeptPattern(
    r"['’]s? (?!been|got|gone|going|not|[a-z]{3,}ed\b|taken|given|made|had|sold|left|lost|found|bought|begun|come|started|stopped|back|home|out|off|finally|just|only|moved|put|now|down|up|off|a |an |the |in |at |on |to )|的(?!了|吗|话|$)|(?=(?:房租|工资|退休金|手术|面试|考试|婚礼|行程|生日|电话|手机|病|腿|腰|血压|身高|体重|预产期|航班|火车|聚会|比赛|店|公司|车|家有|家的))"
)
# "I said Mum comes on the 26th" tells of Mum.
_SAID_BEFORE = KeptCaseless(
    r"\bi (?:said|told you|mentioned|wrote|thought|meant|had said)\b|我(?:之前|刚才|刚刚|上次|前面|昨天)?(?:跟你|和你)?(?:说|讲|提|告诉你|以为|记成|写)(?:过|成|错)?(?:的是|了)?"
)
_IS_THAT = KeptCaseless(
    r"^\W*(?:it['’]?s|it is|that['’]?s|make that|actually,? it)\b|^(?:其实|应该|实际上?)?(?:应该)?是"
)
_CARRIED_ON = KeptCaseless(r"(?:who|whose)\b")
# Whom something is done with or at is not whom it is told of.
_BEHIND = KeptCaseless(
    r"(?:\b(?:at|with|to|for|from|by|of|near|about|than|between|behind|like|owe|and)\s|[跟和与给欠在陪比向替了])$"
)
# 二胖媳妇, 老王儿子: of somebody by a by-name. A fat son (大胖儿子) is one's own.
_NICKNAMED = KeptPattern(
    r"(?!大胖|小胖|老家|小区|大学|小学|老板|大小|老老|小小|大概|大家|大约|大早|大半|大声|大夜|大人|老是|老爱|老想|老让|老跟|老人|老师|小心|小声|小时|小孩|三天|二天|大年)[二三老小大阿][\u4e00-\u9fff]$"
)
_BESIDE_ONE = KeptCaseless(r"(?:\bwith |[跟和陪])$")
_SEEKING = frozenset("没有找交谈处个")  # 没对象: nobody is spoken of
_DOCTOR = frozenset({"doctor"})  # of a dentist's appointment it is what it is about
_NEVER = frozenset({"doctor", "landlord"})  # they tell us of ourselves


@dataclass(frozen=True, slots=True)
class _Mention:
    start: int
    end: int
    names: Owner
    person: bool  # somebody else than who speaks


class Owners:
    """Tells of whom each clause of one text is; `before`: what was said before it."""

    def __init__(self, before: str = "") -> None:
        self._named: Owner = NOBODY  # whoever was named last, not the speaker
        self._before = before  # read when it matters who that was: most clauses name somebody, or speak of nobody else
        self._subject: Owner = frozenset({SELF})

    def begin_sentence(self) -> None:
        """What "he" did is told to the end of a sentence; the next one without a subject is of anybody."""
        if OTHER in self._subject:
            self._subject = frozenset({SELF})

    def of(self, clause: str) -> tuple[Owner, Owner, list[tuple[int, int]]]:
        """Of whom a clause tells, whom else it names, and where in it they are named."""
        found = self._mentions(clause)
        owner = self._owner(clause, found)
        self._remember(found)
        if owner:
            self._subject = owner
        people = frozenset(name for each in found if each.person for name in each.names)
        return owner, people - {OTHER}, [(each.start, each.end) for each in found if each.names != _DOCTOR]

    def _owner(self, clause: str, found: list[_Mention]) -> Owner:
        for each in found:  # "my sister's rent", 他的工资
            if each.person and _GENITIVE.match(clause, each.end):
                return each.names
        if not found and _IS_THAT.match(clause):
            return self._subject - {SELF}
        beside = any(_BESIDE_ONE.search(clause[: each.start]) for each in found if each.person)
        found = [
            each
            for each in found
            if not _BEHIND.search(clause[: each.start]) and not (each.names and each.names <= _NEVER)
        ]
        if not found and _CARRIED_ON.match(clause):
            return self._last or self._subject  # "then Declan, who drives a lorry"
        if not found and beside and self._subject == {SELF}:
            return self._subject  # "on Sundays with Sam": what somebody does with others is his own
        if not found:
            return NOBODY if clause.isascii() else self._subject - {SELF}  # of anybody, mostly of who speaks
        first = found[0]
        if not first.person or not AGENT.match(clause, first.end):
            return first.names
        told = [each for each in found[1:] if each.start >= first.end]
        return told[0].names if told else NOBODY

    def _mentions(self, clause: str) -> list[_Mention]:
        found: list[_Mention] = []
        for match in _KIN_WORD.finditer(clause):
            kind = _KIND[(match["en"] or match["zh"]).lower()]
            if (
                nick := _NICKNAMED.search(clause, max(0, match.start("zh") - 2), match.start("zh"))
                if match["zh"]
                else None
            ):
                found.append(_Mention(nick.start(), match.end(), frozenset({f"{nick[0]}{match['zh']}"}), person=True))
                continue
            is_sought = kind == "partner" and clause[max(0, match.start() - 1) : match.start()] in _SEEKING
            if not is_sought:
                found.append(_Mention(*match.span(), frozenset({kind}), person=True))
        for name in find_names(clause):
            is_person = name.kind is NameKind.PERSON or (not name.start and _ACTS.match(clause, name.end) is not None)
            if (
                is_person
                and (name.start or fold(name.name) not in _DONE)
                and not _TIME.match(name.name)
                and not _NO_PERSON.search(clause, 0, name.end)
                and not marked(fold(name.name))[1]  # "a Corolla", "the Pixel"
                and not any(m.start < name.end and name.start < m.end for m in found)
            ):
                found.append(_Mention(name.start, name.end, frozenset({fold(name.name)}), person=True))
        for match in _PRONOUN.finditer(clause):
            if not any(m.start <= match.start() < m.end for m in found):
                many = (match["en"] or "").lower() in _MANY  # "they moved my knee": a hospital
                known = NOBODY if many else self._last or frozenset({OTHER})
                found.append(_Mention(*match.span(), known, person=True))
        framing = [match.start() for match in _SAID_BEFORE.finditer(clause)]
        for match in _SELF.finditer(clause):
            if match.start() not in framing and not any(m.start <= match.start() < m.end for m in found):
                found.append(_Mention(*match.span(), frozenset({SELF}), person=False))
        found.sort(key=lambda each: each.start)
        return _joined(clause, found)

    @property
    def _last(self) -> Owner:
        if self._before:
            clauses, self._before = self._before.split("\n"), ""
            for clause in clauses:
                self._remember(self._mentions(clause))
        return self._named

    def _remember(self, found: list[_Mention]) -> None:
        named = [each.names for each in found if each.person and each.names and OTHER not in each.names]
        if named:
            self._named, self._before = named[0], ""


def _joined(clause: str, found: list[_Mention]) -> list[_Mention]:
    """ "My brother Theo", 闺女周晓棠, 儿子叫周晓枫: one, by both names."""
    made: list[_Mention] = []
    for each in found:
        if made and made[-1].person and each.person and _BESIDE.fullmatch(clause, made[-1].end, each.start):
            last = made.pop()
            made.append(_Mention(last.start, each.end, last.names | each.names, person=True))
        else:
            made.append(each)
    return made


_BESIDE = KeptCaseless(r"[\s,，]*(?:is |['’]s )?(?:called |named |name is |name['’]s )?|名?字?叫做?|是")


def kin_in(text: str) -> Owner:
    """The relatives and others by what they are to somebody that a text speaks of."""
    return frozenset(_KIND[(match["en"] or match["zh"]).lower()] for match in _KIN_WORD.finditer(text))


def may_be_one(one: Owner, other: Owner) -> bool:
    """Whether two owners may be the same: one of them is not known, or a name of one is, or holds, one of the other."""
    if not one or not other:
        return True
    if OTHER in one or OTHER in other:
        return SELF not in one | other
    return is_one(one, other)


def is_one(one: Owner, other: Owner) -> bool:
    """Whether two owners are the same for certain."""
    named, known = one - _KINDS, other - _KINDS
    if named and known:  # her cousin Ana is not her cousin Rosa
        return any(_same_name(left, right) for left in named for right in known)
    return any(_same_name(left, right) for left in one for right in other)


def _same_name(one: str, other: str) -> bool:
    if one == other or {one, other} in _PARENTS:
        return True
    short, long = sorted((one, other), key=len)
    if short in _KIN or long in _KIN or SELF in (short, long):
        return False
    return long.startswith(f"{short} ") if short.isascii() else len(short) > 1 and long.endswith(short)
