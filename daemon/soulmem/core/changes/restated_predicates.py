"""Restated predicates: a later statement says the same of the same subject, but something else, and that it is so now.

Called by `change_detection` beside the other forms of change. "Aunt Vera teaches biology now" after "teaches
chemistry", 组长现在是老韩 after 组长是苏菲: the verb, or what something is called, stands in both, and what goes with
it differs. Pure; linear in the length of a clause. Invariants: the later one has a word of now, or of what comes next;
what is told beside, of today or of the past replaces nothing; what one does several of ("I play chess") stays.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import re

from soulmem.core.changes import change_words as words
from soulmem.core.changes.change_clauses import Clause
from soulmem.core.changes.change_owners import SELF, is_one, may_be_one
from soulmem.core.facts.topic_terms import Terms, match, terms_in, weight
from soulmem.core.numbers.rough_numbers import value_of
from soulmem.core.regex.lazy_regex import KeptCaseless, KeptPattern
from soulmem.core.text.tokens import stemmed, wording_language
from soulmem.core.wordlists.life_matters import DWELLS
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

_LONGEST = 90  # characters of a clause that says one thing
_NOW = KeptCaseless(
    r"\b(?:now|nowadays|these days|instead|from now on|currently|only|since (?:the|she|he|they|we|i|my|our))\b"
    r"|现在|如今|眼下|以后|改(?!天|日)|换成|变成|只(?=[有能是]|[\u4e00-\u9fff]{1,3}[一二两三四五六七八九十\d])"
)
_SO = KeptPattern(r"(?<![去来走过])了$")  # so it is by now
_NUMERALS = KeptPattern(r"[零〇一二两三四五六七八九十百千万半\d.]+")
_FEW = {"en": 4, "zh": 6}  # words, or characters, in which two statements of the same may differ
_PLAINLY = KeptCaseless(
    r"\b(?:now|nowadays|these days|instead|from now on|currently|new)\b|现在|如今|眼下|改|换成|变成|新"
)
_WORD = KeptPattern(r"[\w'’-]+")
# Of what these say there is one at a time.
_VERBS = frozenset(
    stemmed(word)
    for word in (
        "teach sleep live wear use drive park study weigh earn pay work sit stay practise practice train shop "
        "rent meet become captain coach"
    ).split()
)
_FILLERS = frozenset(
    "now nowadays these days instead from on currently only just still usually always mostly and but so well actually "
    "at the moment since".split()
)
# "The" and "our" may be of who speaks; "his" is of somebody else.
_WHOSE = {**dict.fromkeys("my our the".split(), ""), **dict.fromkeys("his her their".split(), "another")}
_ANEW = frozenset("new current latest".split())
# A person is many things at once, and a thing in many states.
_PERSON = re.compile(
    r"\b(?:mum|mom|mother|dad|father|brother|sister|son|daughter|wife|husband|girlfriend|boyfriend|partner|gran|nan|"
    r"uncle|aunt|cousin|nephew|niece|dog|cat|baby|kids?|boy|girl|(?<!best )friends?)$"
    r"|(?:[爸妈爷奶哥姐弟妹叔姑舅姨婶猫狗]|老[公婆]|儿子|女儿|孩子|闺女|宝宝|对象|[男女]朋友|(?<!最好的)(?<!最要好的)朋友)$"
)
_STATE = re.compile(
    r"(?:not|very|so|really|too|all|much|quite|more|less|being)\b|\w+(?:ed|ing)\b"
    r"|(?:broken|dead|ill|sick|better|fine|ok|okay|gone|ready|done|closed|open|empty|full|late|early|great|good|bad|worse"
    r"|nice|here|there|back|home|over|off|out|up|down|clean|dirty|wet|dry|cold|warm|hot|quiet|loud|happy|sad|slow|fast)\b"
    r"|[真很好挺太个不没]|这样|那样|什么",
    re.IGNORECASE,
)
_HOPE = KeptCaseless(r"\bwants? to (?:be|become)\b")
_HAN_FILLERS = KeptPattern(r"现在|如今|以后|只有?|都|才|就|已经|了$|了(?=[，。])")
_HAN_LEAD = KeptPattern(r"^(?:[我咱俺]们?家?的?)?(?P<now>现在|如今)?(?:最近|平时)?")
_HAN_COPULA = KeptPattern(r"(?:现在|如今)?(?:(?<![但还不])是|姓|(?<![打])叫|换成了?|变成了?|改成了?|改为)")
_HAN_MEASURE = KeptPattern(r"^一?[个位名家](?!月)")
_HAN_VERB = KeptPattern(
    rf"(?P<v>想当|想做|想考|想学|攒钱|教(?!练|室|育|师|授)|(?<!不)睡(?![觉不着])|{DWELLS}|穿|踢|(?<![使费利作应有信雇适采享])用(?![于时途法处户])|骑|坐|跟着)"
)
# What is left: "switched from Spotify to Tidal", 从钉钉换成飞书.
_FROM = KeptCaseless(
    r"\b(?:switched|changed|moved|gone|went|swapped|converted) (?:over )?from (?P<en>[\w'’ ]{2,30}?) to\b"
    r"|\b(?:moved|switched|changed) (?:over )?to [\w'’ ]{2,30}? from (?P<en2>[\w'’ ]{2,30})"
    r"|\b(?:replaced|swapped) (?:my|our|the|his|her) (?P<en3>[\w'’ ]{2,30}?) (?:with|for)\b|从(?P<zh>[^，。从]{2,8}?)(?:换|改|转)(?:成|到|用|去)|[把将](?P<zh2>[^，。把将]{2,8}?)(?:都|也|给(?:我|他|她|你)?|先)?(?:换|改|转)(?:成|为|到|做|用)"
)
# 保险我转到太保了, 晚报我退订了: what it is of stands first.
_TURNED_TOPIC = KeptPattern(
    r"^(?:那个?)?(?![我你他她它咱俺])(?P<o>[\u4e00-\u9fff]{2,4}?)(?:的(?:会员|课|卡))?我?(?:已经|都|也)?(?:(?:转|换|改)(?:到|成|去|投)(?!一半)|(?:退订|退掉|退|注销)了)"
)
# "I've changed doctors", 换健身房了: of these somebody has one.
_CHANGED_KIND = KeptCaseless(
    r"\b(?:changed|switched|swapped) (?P<o>[a-z]{3,})s$|(?<![要想说])换了?(?P<z>[\u4e00-\u9fff]{2,4}?)了?$"
)
_HOLDS = KeptPattern(r"[是叫姓在用](?!不是)|买的|订|会员")
_IS_IT = KeptCaseless(r"\b(?:is|are|with|at)\b|['’]s\b|[是叫姓在找]")
_CHANGED_TO = KeptCaseless(
    r"\b(?:changed|switched|swapped|moved) (?:my|our|his|her|their) (?P<o>[\w'’ ]{2,30}?) (?:to|for|over to)\b"
)
_RENAMED = KeptCaseless(r"\brenamed (?:my|our|the|his|her) (?P<o>[\w'’ ]{2,30})|给(?P<zh>[^，。给]{1,8})改了?名")
_HAS_NEW = KeptCaseless(r"\b(?:has|have|had|got) a (?:new|different) (?P<o>[a-z]{3,}(?: [a-z]{3,})?)$")
_WITH_ME = KeptCaseless(r"\b(?:me|i|we)\b|[跟和]我")
_PARTNERS = frozenset({"partner", "friend", SELF})
_COUNT = r"(?:other|second|two|three|four|five|six|\d)"
_RATE = KeptCaseless(
    rf"\b(?:every|each) ((?:{_COUNT} )?)(day|night|morning|week|fortnight|month|year)s?\b|\b(once|twice|\w+ times) an? (day|week|month|year)\b"
    rf"|\b(daily|weekly|fortnightly|monthly|yearly)\b|\bon ((?:mon|tues|wednes|thurs|fri|satur|sun)days)\b"
    r"|每(?:隔)?([两二三四五六\d]?个?(?:天|晚|周|月|年|星期|礼拜))|([一两二三四五六\d]个?(?:天|周|月|年|星期|礼拜))(?=[^，。]{0,6}一[次回])|(周[一二三四五六日天末])"
)
_CLASS = KeptCaseless(
    r"\b(?P<kind>year|grade|form|class|level) (?P<n>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
)
_BEFORE_ORDINAL = {"second": "(?:one|an?)", "third": "two", "fourth": "three", "fifth": "four"}
_ONE_MORE = KeptCaseless(
    r"\b(?:got|took in|taken in|adopted|bought|have|has|had|added) an? (?P<n>second|third|fourth|fifth) (?P<o>[a-z]{3,})\b"
)


@dataclass(frozen=True, slots=True)
class _Predicate:
    """What a clause says: the verb or what is called so, and what goes with it."""

    name: str
    object: str
    is_attribute: bool
    is_now: bool = False  # it is said that it is called so now
    subject: str = ""  # of a verb in Chinese


_RESTATING = (_NOW, _PLAINLY, _SO, _CLASS, _ONE_MORE)
_LEAVING = (_FROM, _TURNED_TOPIC, _CHANGED_KIND, _HAS_NEW, _CHANGED_TO, _RENAMED, *(each[0] for each in words.TURNS))


def may_restate(new: Clause) -> bool:
    """Whether a clause without another word of change may be one of these."""
    return any(_forms_in(new.said))


@text_memo(1_024)
def _forms_in(said: str) -> tuple[bool, bool]:
    """Whether a clause may say the same anew, and whether it may name what it turns from: asked once, for all pairs."""
    if len(said) > _LONGEST:
        return False, False
    restating = any(each.search(said) for each in _RESTATING) and not _is_beside(said)
    return restating, any(each.search(said) for each in _LEAVING)


def restates(new: Clause, old: Clause) -> bool:
    """Whether a clause says the same as an earlier one, of something else, and that it is so now."""
    if not _forms_in(new.said)[0] or len(old.said) > _LONGEST or old.past:
        return False
    known = _predicates(old.said) if _PLAINLY.search(new.said) or _NOW.search(new.said) else ()
    said = [(each, other) for each in _predicates(new.said) for other in known if _replaces(each, other, new.said)]
    if any(each.is_attribute for each, _ in said):
        return True
    if not may_be_one(new.owner, old.whose):
        return False
    return (
        bool(said)
        or _in_same_words(new, old)
        or _at_another_rate(new, old)
        or _in_next_class(new, old)
        or _one_more(new, old)
    )


def leaves_behind(new: Clause, old: Clause) -> bool:
    """Whether a clause names what it turns from, and the earlier one tells of that: "switched from Spotify to Tidal"."""
    if not _forms_in(new.said)[1] or old.past:
        return False
    for now, then, is_same in words.TURNS:
        meant = may_be_one(new.owner, old.whose) if is_same else _of_one_couple(new, old)
        if meant and now.search(new.said) and then.search(old.said):
            return True
    kind = _CHANGED_KIND.search(new.said) or _HAS_NEW.search(new.said)
    if kind is not None and _IS_IT.search(old.said) and (new.owner <= {SELF} or new.owner & old.owner):
        return _has_word(old.said.casefold(), next(filter(None, kind.groups())).casefold())
    if not may_be_one(new.owner, old.whose) or words.TASTE.search(old.said):
        return False
    if (left := _FROM.search(new.said)) is not None:
        return _has_word(old.said.casefold(), next(filter(None, left.groups())).casefold())
    topic = _TURNED_TOPIC.search(new.said)
    if (
        topic is not None
        and topic["o"] in old.said
        and _HOLDS.search(old.said)
        and not any(each in topic["o"] for each in new.people)
    ):
        return True
    changed = _CHANGED_TO.search(new.said) or _RENAMED.search(new.said)
    if changed is None or not words.IS_ONE.search(old.said):
        return False
    return weight(terms_in(next(filter(None, changed.groups())), ()) & old.every) >= words.LEAST


def _of_one_couple(new: Clause, old: Clause) -> bool:
    """Whether both tell of whoever speaks; where both name somebody, of the same."""
    named, known = new.people - _PARTNERS, old.people - _PARTNERS
    if old.owner - {SELF} - old.people:
        return False
    if named and known:
        return is_one(named, known)
    return not named or SELF in new.owner or _WITH_ME.search(new.said) is not None  # whose sister married parts nobody


def _is_beside(said: str) -> bool:
    return any(pattern.search(said) for pattern in (words.BESIDE, words.TODAY, words.THEN))


def _has_word(said: str, word: str) -> bool:
    return len(word) > 1 and re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", said) is not None


def _in_same_words(new: Clause, old: Clause) -> bool:
    """Whether both say the same but for one place in the middle: "I practise the cello for twenty minutes a day now"."""
    is_so = bool(new.values and old.values) and _SO.search(new.said) is not None
    if words.TASTE.search(new.said) or not (is_so or _NOW.search(new.said)):
        return False
    if new.proper and old.proper and new.proper.isdisjoint(old.proper) and new.values and old.values:
        return False  # to Rome in May, to Madrid in October
    after, before = _bare(new.said), _bare(old.said)
    least = min(len(after), len(before))
    head = next((at for at in range(least) if after[at] != before[at]), least)
    tail = next((at for at in range(least - head) if after[-1 - at] != before[-1 - at]), least - head)
    lengths = [len(each) - head - tail for each in (after, before)]
    if not min(lengths) or max(lengths) > _FEW[wording_language(new.said)] or head + tail < 3:
        return False
    glue = " " if wording_language(new.said) == "en" else ""
    shared = terms_in(glue.join([*after[:head], "," if glue else "，", *after[len(after) - tail :]]), ())
    least_said = 0.4 if new.values and old.values else words.LEAST
    if weight(shared - new.proper - _names_of(new)) < least_said or 3 * (head + tail) < len(before):
        return False
    middle = [glue.join(each[head : len(each) - tail]) for each in (after, before)]
    if not _NOW.search(new.said) and _NUMERALS.sub("", middle[0]) != _NUMERALS.sub("", middle[1]):
        return False
    return not (_STATE.match(middle[0]) or _STATE.match(middle[1]))


def _names_of(clause: Clause) -> Terms:
    return terms_in(" ".join(sorted(clause.owner | clause.people)), ())


def _bare(said: str) -> list[str]:
    """The words of a clause, or its characters, without those of now."""
    if wording_language(said) == "en":
        spoken = [each.casefold() for each in _WORD.findall(said.replace("’", "'"))]
        return [each for each in spoken if each not in _FILLERS]
    return list(_HAN_FILLERS.sub("", said))


def _at_another_rate(new: Clause, old: Clause) -> bool:
    """Whether something is done more or less often now."""
    if not _PLAINLY.search(new.said) and "只" not in new.said and "only" not in new.said:
        return False
    often = [
        {"".join(filter(None, each.groups())).casefold() for each in _RATE.finditer(said)}
        for said in (new.said, old.said)
    ]
    return bool(often[0] and often[1]) and often[0].isdisjoint(often[1]) and match(new.terms, old.terms)


def _in_next_class(new: Clause, old: Clause) -> bool:
    """Whether somebody is in a higher class of the school."""
    after, before = _CLASS.search(new.said), _CLASS.search(old.said)
    if after is None or before is None or after["kind"].casefold() != before["kind"].casefold():
        return False
    return (value_of(after["n"]) or 0) > (value_of(before["n"]) or 0) > 0 and bool(new.owner & old.whose)


def _one_more(new: Clause, old: Clause) -> bool:
    """Whether somebody has one more of what was counted: "a third cat" after "two cats"."""
    found = _ONE_MORE.search(new.said)
    if found is None:
        return False
    counted = rf"\b{_BEFORE_ORDINAL[found['n'].casefold()]} (?:\w+ )?{re.escape(found['o'].casefold())}"
    return re.search(counted, old.said.casefold()) is not None


def _replaces(new: _Predicate, old: _Predicate, said: str) -> bool:
    if new.name != old.name or new.is_attribute is not old.is_attribute:
        return False
    if not (new.is_now if new.is_attribute else _NOW.search(said)):
        return False
    if not (
        new.subject.endswith(old.subject) if len(new.subject) >= len(old.subject) else old.subject.endswith(new.subject)
    ):
        return False
    after, before = terms_in(new.object, ()), terms_in(old.object, ())
    if not after - before or not before - after:
        return False
    return not new.is_attribute or not (_STATE.match(new.object) or _STATE.match(old.object))


@text_memo(1_024)
def _predicates(said: str) -> tuple[_Predicate, ...]:
    """What a clause says, as an attribute and as a verb; of what is neither, nothing."""
    found = _in_english(said) if wording_language(said) == "en" else _in_chinese(said)
    return tuple(each for each in found if each is not None)


def _in_english(said: str) -> tuple[_Predicate | None, ...]:
    spoken = [each for each in _WORD.findall(said.replace("’", "'")) if each.casefold() not in _FILLERS]
    for at in range(1, min(len(spoken), 5)):  # "the password's redcup": is
        if spoken[at].endswith("'s") and spoken[0].casefold() in _WHOSE:
            spoken[at : at + 1] = [spoken[at][:-2], "is"]
            break
    lowered = [each.casefold() for each in spoken]
    attribute = None
    copula = next((at for at, word in enumerate(lowered) if word in ("is", "are")), 0)
    lead = lowered[:1] and (lowered[0] in _WHOSE or lowered[0].endswith("'s"))
    if lead and 1 < copula <= 5:
        whose = _WHOSE.get(lowered[0], lowered[0])
        name = " ".join([whose, *(word for word in lowered[1:copula] if word not in _ANEW)])
        behind = spoken[copula + 1 :]
        behind = behind[1:] if behind and behind[0].casefold() in ("called", "named") else behind
        if name and not _PERSON.search(name):
            is_now = _PLAINLY.search(said) is not None
            attribute = _Predicate(name, " ".join(behind), True, is_now)
    if (hope := _HOPE.search(said)) is not None:
        return attribute, _Predicate("hope", said[hope.end() :], False)
    verb = next((at for at in range(1, min(len(lowered), 4)) if _is_verb(lowered, at)), 0)
    if not verb or lowered[0] == "you":
        return (attribute,)
    return attribute, _Predicate(stemmed(lowered[verb]), " ".join(spoken[verb + 1 :]), False)


def _is_verb(lowered: list[str], at: int) -> bool:
    """Whether a word is a verb of which there is one at a time, and no noun: "our meeting", "a living"."""
    word, before = lowered[at], lowered[at - 1]
    if stemmed(word) not in _VERBS or before in _WHOSE:
        return False
    return not word.endswith("ing") or before in ("am", "is", "are") or before.endswith(("'m", "'s", "'re"))


def _in_chinese(said: str) -> tuple[_Predicate | None, ...]:
    lead = _HAN_LEAD.search(said)
    begin = lead.end() if lead is not None else 0
    attribute = None
    if (copula := _HAN_COPULA.search(said, begin)) is not None:
        called = said[begin : copula.start()]
        is_now = (
            copula[0] not in ("是", "姓", "叫") or called.startswith("新") or (lead is not None and bool(lead["now"]))
        )
        name = called.removeprefix("新的").removeprefix("新").removesuffix("写的").removesuffix("题目")
        if 2 <= len(name) <= 8 and not _PERSON.search(name):
            attribute = _Predicate(name, _HAN_MEASURE.sub("", said[copula.end() :]).rstrip("了"), True, is_now)
    verb = _HAN_VERB.search(said, begin)
    if verb is None or verb.start() - begin > 8:
        return (attribute,)
    subject = _HAN_FILLERS.sub("", said[begin : verb.start()])
    if subject[:1] == "改":  # nobody is said to do it
        return (attribute,)
    return attribute, _Predicate(verb["v"], said[verb.end() :].rstrip("了"), False, subject=subject)
