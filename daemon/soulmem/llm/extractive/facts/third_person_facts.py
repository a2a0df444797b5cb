"""Facts about others: "my sister Petra lives in Graz", "he's allergic to bees", 我弟弟在深圳上班, in both languages.

Read by `self_facts`. The subject is a name, a relative or friend of the speaker ("Jo's sister", by her name where it is
told), or a pronoun whose person is certain: the one person named in the sentence before. Several clauses of one
sentence share its subject. Strict like all facts: what is asked, denied, wished, quoted or over is none.
"""

# ruff: noqa: E501 (a pattern and its relation stand on one line, as a table)

from __future__ import annotations

import re
from collections.abc import Iterator

from soulmem.core.names.name_recogniser import NameKind, find_names
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.chinese_segmenter import is_word
from soulmem.core.text.word_file import read_rows
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.facts import chinese_self_facts as zh
from soulmem.llm.extractive.facts import english_self_facts as en
from soulmem.llm.extractive.language.english_lexicon import ENGLISH

_LONGEST = 240


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody spoken of: as attributes name him, as a note does, and how pronouns may (`he`, `she`, 他, 她 or any)."""

    name: str
    shown: str
    pronouns: frozenset[str]


@dataclass(frozen=True, slots=True)
class Read:
    """A fact as it was read: of whom, which relation, what, in which words, `[start, end)` of the sentence."""

    person: Person
    relation: str
    object: str
    text: str
    start: int
    end: int


HE, SHE = frozenset({"he", "his", "him", "他"}), frozenset({"she", "her", "她"})
ANY = HE | SHE
_FEMALE = frozenset(
    "sister mom mum mother wife daughter girlfriend grandma grandmother aunt niece fiancée mother-in-law stepmother mama granny nan "
    "妈 妈妈 母亲 姐 姐姐 妹 妹妹 老婆 妻子 媳妇 女儿 女朋友 女友 奶奶 外婆 姥姥 闺蜜 表姐 表妹 堂姐 堂妹 阿姨 姑姑 婆婆 岳母 嫂子 姨妈 舅妈 孙女".split()
)
_MALE = frozenset(
    "brother dad father husband son boyfriend grandpa grandfather uncle nephew fiancé stepfather papa granddad father-in-law "
    "爸 爸爸 父亲 哥 哥哥 弟 弟弟 老公 丈夫 儿子 男朋友 男友 爷爷 外公 姥爷 表哥 表弟 堂哥 堂弟 叔叔 舅舅 公公 岳父 姐夫 妹夫 伯伯 孙子".split()
)
_KIN = (
    r"(?:(?:late|older|younger|elder|little|big|twin|baby|step|half|eldest|youngest|ex|former|best|oldest|closest|old|dear|new|next[- ]door)[- ])*"
    rf"(?:{en.FAMILY}|granddad|granny|nan|"
    r"aunt|uncle|cousin|niece|nephew|friend|boss|manager|room ?mate|flat ?mate|teacher|fianc[eé]e?|ex|neighbou?r|colleague|co-?worker|mate|twin|kid|"
    r"(?:mother|father|sister|brother|son|daughter)-in-law|stepmother|stepfather|therapist|landlord|landlady|dog|cat|puppy|kitten|parrot|rabbit|horse|hamster)"
)
_NAME = r"(?-i:[A-ZÀ-Þ][\w-]+(?:['’](?!(?:s|m|re|ll|d|ve)\b)[A-Za-z]\w+)?(?: [A-ZÀ-Þ][\w-]+)?)"
_SUBJECT_EN = CaselessPattern(
    rf"\W*(?:(?:and|but|so|also|oh|well|btw|yeah|plus|because|since|turns out|apparently|i think|he says|she says)\b,? )*"
    rf"(?:(?:(?:my|our) |(?=(?:mum|mom|dad|grandma|grandpa|granny|nan)\b))(?P<kin>{_KIN})\b(?:,? (?P<called>{_NAME}|[a-z]{{3,12}}(?= (?:is|lives|works|has|just|got|moved|was)\b)),?)?|(?P<pronoun>he|she)\b|(?P<name>{_NAME}))"
)
_ADV = r"(?:(?:now|currently|still|also|really|just|recently|always|actually|finally|both|absolutely|originally|only|already|too|even|totally|so|very|severely|terribly) )*"
_IS = rf"(?:['’]s| is|['’]re| are) {_ADV}"
_OBJ = r"(?P<o>[^.,;!?()\n—]{2,60}?)(?=[.,;!?)\n—]|$| (?:and|but|because|so|since|with (?:her|his|their)|when|while|which|where|who)\b)"
_VERB_START = CaselessPattern(
    r"(?:and |but )?(?P<rest>(?:(?:now|also|just|still|currently|really) )*(?:is|has|lives?|works?|loves?|likes?|hates?|speaks?|studies|plays|drives|moved|got|was|just|can['’]?t|died|passed)\b)"
)
_UNREAL_EN = CaselessPattern(
    r"\b(?:if|wish|would|could|should|might|may|maybe|pretend|imagine|dream\w*|used to|not|never|no longer|n['’]t|anymore|any more|as if|unless|whether)\b|[\"“”?]"
)
_STILL_FACTS = CaselessPattern(r"can['’]?t stand|cannot stand|does ?n['’]?t like")

_KIN_ZH = (
    r"(?:亲|大|小|二|三|前|老|新|好|双胞胎)?(?:妈妈?|爸爸?|母亲|父亲|姐姐?|妹妹?|哥哥?|弟弟?|老公|老婆|丈夫|妻子|媳妇|女儿|儿子|男朋友|女朋友|男友|女友|室友|闺蜜|爷爷|奶奶|"
    r"外公|外婆|姥姥|姥爷|同桌|表[姐妹哥弟]|堂[姐妹哥弟]|朋友|同事|同学|老板|领导|经理|邻居|房东|叔叔|阿姨|舅舅|姑姑|姨妈|舅妈|公公|婆婆|岳父|岳母|嫂子|姐夫|妹夫|孙子|孙女|侄子|侄女|"
    r"哥们儿?|发小|前任|导师|老师|教练|(?:家的?)?(?:猫|狗|兔子|仓鼠|鹦鹉|乌龟|金毛|柯基|泰迪|布偶|橘猫))"
)
_NAME_ZH = r"(?:[小阿老][\u4e00-\u9fff]|[\u4e00-\u9fff]{2,3}?|[A-Z][a-z]+)"
_AHEAD_ZH = r"(?=(?:今年|现在|目前|已经|上周|上个?月|去年|昨天|前天|刚|马上|下周|下个?月|明年|最近|也|还|都|就|要|一直|很|特别|其实|终于){0,6}(?:住|在|是|对|得|有|喜欢|讨厌|不|怕|害怕|会|去世|过世|走了|死了|怀孕|结婚|离婚|搬|来自|叫|属|\d|[一二三四五六七八九十]{1,3}[岁号日月点]|[下这]个?(?:周|月|星期|礼拜)|周[一二三四五六日天末]|今|明|后天|学|养|确诊|患|退休|爱|生日|当|做|开|移民|考上|失业|订婚|分手|住院|辞职|来|去|说|想|打|买|卖|回|出差|准备|打算|又|正|没|被|把|和|跟|给|吵|哭|病|受伤|骨折|升职|摔|让|帮|约))"
_SUBJECT_ZH = LazyPattern(
    rf"\W*+(?:而且|但是?|不过|所以|另外|还有|其实|听说|对了|话说|然后)?[，,\s]*+"
    rf"(?:(?:我|咱|我们|俺)的?(?:家的?)?(?P<kin>{_KIN_ZH})(?P<called>{_NAME_ZH})??{_AHEAD_ZH}|(?P<pronoun>[他她])(?!们)|(?P<name>[小阿老][\u4e00-\u9fff]|[A-Z][a-z]+){_AHEAD_ZH})"
)
_ADV_ZH = r"(?:现在|目前|今年|已经|一直|从小|上周|上个?月|去年|昨天|前天|今天|刚|马上|最近|也|还|都|就|很|特别|超级?|非常|其实|终于|平时|真的|最){0,6}"
_OBJ_ZH = r"(?P<o>[^，。！？；：、,.!?;:\s（）()“”\"]{1,14}?)(?=了?(?:[，。！？；,.!?;\s（(]|$)|了?呢|了?啦)"
_NAMES = globals() | {"EN_JOB": en.JOB, "ZH_JOB": zh.JOB, "EN_ILLNESS": en.ILLNESS, "ZH_ILLNESS": zh.ILLNESS}
_ROWS = read_rows("llm/extractive/facts/third_person_facts.txt", _NAMES)
_PREDICATES_EN = tuple((of, CaselessPattern(pattern)) for lang, of, pattern in _ROWS if lang == "en")
_PREDICATES_ZH = tuple((of, LazyPattern(rf"{_ADV_ZH}{pattern}")) for lang, of, pattern in _ROWS if lang == "zh")
_ANIMAL_ZH = LazyPattern(r"[猫狗兔]|仓鼠|鹦鹉|乌龟|金毛|柯基|泰迪|布偶")
_UNREAL_ZH = LazyPattern(
    r"如果|要是|假如|但愿|希望|梦见|可能|也许|说不定|以前|曾经|之前|不再|没(?:有)?|[吗？?“”\"]|是不是|会不会|难道"
)
_CLAUSE = CaselessPattern(
    r"[,，;；]\s*| (?:and|but) (?=(?:now |also |just )?(?:is|has|lives?|works?|loves?|likes?|hates?|speaks?|studies|plays|moved|got|was)\b)"
)


def pronouns_of(word: str, *, chinese: bool) -> frozenset[str]:
    """By which pronouns somebody is meant who is called by a word for kin."""
    last = word.lstrip("亲大小二三前老新好") or word if chinese else re.split(r"[ -]", word.lower())[-1]
    if chinese and _ANIMAL_ZH.search(word):
        return frozenset()  # 它
    return SHE if {last, word} & _FEMALE else HE if {last, word} & _MALE else ANY


def subject_at(text: str, start: int, speaker: str, *, chinese: bool) -> Person | None:
    """Whom a clause that begins at `start` is about, if it says so by more than a pronoun."""
    subject = _subject(text, start, speaker, (), chinese=chinese)
    return subject[0] if subject is not None else None


def facts_in(text: str, speaker: str, before: tuple[Person, ...], *, chinese: bool) -> Iterator[Read]:
    """The facts about others that a sentence states.

    `before`: who was spoken of in the sentence before.
    """
    if len(text) > _LONGEST:
        return
    person: Person | None = None
    for start, end in _clauses(text):
        subject = _subject(text, start, speaker, (person,) if person else before, chinese=chinese)
        at = start
        if subject is not None:
            person, at, _ = subject
        elif person is not None and (goes_on := _goes_on(text, start, end, chinese=chinese)) is not None:
            at = goes_on
        else:
            person = None
        if person is None or (_UNREAL_ZH if chinese else _UNREAL_EN).search(_STILL_FACTS.sub("", text[start:end])):
            continue
        apart = "" if chinese or text[at : at + 1] in " '’" else " "
        read = _predicate(f"{apart}{text[at:end]}", chinese=chinese)
        if read is not None:
            relation, value, stop = read
            stop += at - len(apart)
            yield Read(person, relation, value, f"{person.shown}{apart}{text[at:stop]}", start, stop)


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _CLAUSE.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _subject(
    text: str, start: int, speaker: str, before: tuple[Person, ...], *, chinese: bool
) -> tuple[Person, int, bool] | None:
    """Whom a clause is about, where its predicate begins, and whether only a pronoun says so."""
    match = (_SUBJECT_ZH if chinese else _SUBJECT_EN).match(text, start)
    if match is None:
        return None
    if match["pronoun"]:
        fitting = [person for person in before if match["pronoun"].lower() in person.pronouns]
        return (fitting[0], match.end(), True) if len(fitting) == 1 and len(before) == 1 else None
    kin, name = match["kin"], match["called"] or match["name"] or ""
    if match["called"] and not chinese and not _is_name(match["called"]):
        return None
    is_no_name = not match["called"] or name[-1:] in _NO_NAME_ENDS
    if chinese and name and is_no_name and is_word(name) and not _is_person(name, text):
        return None  # 小店, 我爸身边: a word of the language is nobody's name
    if kin:
        kin = kin.lower() if not chinese else kin
        own = f"{speaker}的{kin}" if chinese else f"{speaker}'s {kin}"
        shown = f"{own}{name}" if chinese else f"{own} {name}".rstrip()
        pronouns = pronouns_of(kin, chinese=chinese)
        return Person(name[:1].upper() + name[1:] if name else own, shown, pronouns), match.end(), False
    if not chinese and not _is_name(name):
        return None
    return Person(name, name, ANY), match.end(), False


_NO_NAME_ENDS = frozenset("边里上下家店厂区校处头面位司院楼车房那这近天年")


def _is_person(name: str, text: str) -> bool:
    return any(each.name == name and each.kind is NameKind.PERSON for each in find_names(text))


def _is_name(word: str) -> bool:
    first = word.partition(" ")[0].lower().removesuffix("'s").removesuffix("’s")
    first = first.removesuffix("s") if first.endswith("days") else first
    return first not in ENGLISH.stop and first not in ENGLISH.generic and first not in _NO_NAMES and len(first) > 1


_NO_NAMES = frozenset(
    "everyone everybody nobody someone somebody anyone life work school today yesterday tomorrow tonight monday tuesday wednesday thursday friday saturday "
    "sunday january february march april june july august september october november december christmas easter god people nothing something everything "
    "mum mom dad both who there here it's that's what's let's he's she's dogs cats kids maybe perhaps sometimes usually which this that these those "
    "allergic moved living working hate love like enjoy just also still".split()
)


def _goes_on(text: str, start: int, end: int, *, chinese: bool) -> int | None:
    """Where the predicate of a clause begins that leaves out the subject of the one before; None where it does not."""
    if chinese:
        if zh.INTRODUCES.search(text, 0, start):
            return None
        return None if re.match(r"\s*(?:我|你|他|她|它|咱|这|那)", text[start:end]) else start
    match = _VERB_START.match(text, start, end)
    return match.start("rest") if match is not None else None


def _predicate(rest: str, *, chinese: bool) -> tuple[str, str, int] | None:
    """Relation, object and where it ends, of the first predicate that fits right at the beginning."""
    for relation, pattern in _PREDICATES_ZH if chinese else _PREDICATES_EN:
        match = pattern.match(rest)
        if match is None:
            continue
        groups = match.groupdict()
        group = "o" if groups.get("o") else "o2"
        value = (groups.get(group) or "").strip(" '’-")
        if not chinese:
            value = en.STOP_AT.sub("", value).strip()
            if en.NO_OBJECT.search(value) and relation in {"likes", "dislikes", "afraid_of", "works_at", "from"}:
                return None
        if value:
            return (
                relation,
                value,
                max(
                    match.end(group),
                    match.end() if relation in {"works_at", "studies", "allergic_to", "from", "age"} else 0,
                ),
            )
    return None
