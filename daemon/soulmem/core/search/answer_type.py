"""Answer type: whether a text has what a question asks for, a name, a number or a time, and of the one it asks about.

Called by recall's choice for the few items whose texts are at hand. What words a text shares with a question says little
where the answer is a name that it does not give (姓什么, "what is he called"), a number, or something of the asker that
the text says of somebody else. Pure. Invariants: a question whose wording calls for nothing that could be told by form
is met by every text alike; names that stand in the question, and the head a note puts before what was said, answer none.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from soulmem.core.facts import stated_reasons
from soulmem.core.facts.fact_reader import asked_before, in_first_person
from soulmem.core.names import chinese_names, english_names, other_script
from soulmem.core.names.name_spans import NameKind
from soulmem.core.questions.asked import asked_owner, asked_subject
from soulmem.core.questions.asked.asked_form import AGE, NUMERAL, PERSONS, WHEN, Form, form_asked
from soulmem.core.questions.asked.asked_role import role_asked, told_of_role
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.search.answer_kind import asked_unit, is_of_kinds, kinds_of, things_of, without_seen
from soulmem.core.text.tokens import fold
from soulmem.core.wordlists.fictional_events import asks_supposing, is_supposed
from soulmem.core.wordlists.important_events import KIN, KIN_ZH
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

_SAID_NAME = CaselessPattern(
    r"\b(?:called|named|nicknamed|name(?:['’]s| is| was))\s+(\w+)|(?:叫做?|姓|名字[是叫]?|外号|小名)(?!什么|啥)([\u4e00-\u9fff]{1,4})"
    rf"|{KIN_ZH}([小阿][\u4e00-\u9fff]{{1,2}})(?=[，,])"
)
_OWN = CaselessPattern(r"\b(?:i|i['’]\w+|im|ive|me|my|mine|myself|we|we['’]\w+|our|ours|us)\b|我|咱|俺")
_ADDRESSED = CaselessPattern(r"\b(?:you|you['’]\w+|your|yours|yourself|u|ur)\b|你|您")
_SELF_ASKED = CaselessPattern(
    rf"\b(?:i|i['’]\w+|im|ive|me|we|us|am i|(?:my|our) (?:(?:new|old|current|own) )?(?:jobs?|work|profession|occupation|career|medicines?|medication|pills|tablets|wages?|salary|blood type|(?:\w+ )?name)(?!['’]s))\b|我(?!们?(?:家)?的?(?:{KIN_ZH[3:-1]}))|咱"
)
_THIRD = CaselessPattern(
    r"(?:^|[.,;:!?…]\s*|\b(?:and|but|so|because) )(?:he|she|they|his|her|their|he['’]\w+|she['’]\w+|they['’]\w+|hes|shes)\b|(?:^|[。！？，；：])\s*(?:他|她)"
)
_KIN_LEADS = CaselessPattern(
    rf"(?:^|[。！？，；：:,.!?]\s*)(?:my |our )?(?:{KIN}|{KIN_ZH}|\w{{1,3}}(?:大爷|大妈|阿姨|叔叔))"
)

# What somebody cannot or must not is said with the same words that ask for it, and with no other that it names.
_CANNOT = CaselessPattern(
    r"\b(?:can['’]?t|cannot|(?:can|must)(?: \w+){0,2} not|mustn['’]?t|shouldn['’]?t|not allowed|unable|allergic|intolerant|avoid|stay away from)\b"
    r"|不能|不可以|不许|不准|不让|不得|没法|过敏|忌|碰不得|避开"
)
_EATING = CaselessPattern(r"\b(?:eat|eating|drink|drinking|foods?|diet(?:ary)?)\b|[吃喝]|饮食|忌口")
_DIETS = LazyPattern(
    r"(?i)(?:\b(?:am|im|is|are|gone|turned)|['’][sm]) (?:\w+ )?(?:coeliac|celiac|vegan|vegetarian|kosher)\b(?! (?!(?:so|and|but|since|now|too|cos|because)\b)\w)|吃素|麸质过敏"
)
# "Marcus's partner is called Elif" answers nothing but who that is.
_ONLY_A_NAME = CaselessPattern(
    r"(?:my|our|[^.!?:]{1,40}['’]s) [\w -]{2,24} (?:is|are) called [^.!?]{1,40}\.?|(?:我|我家|[^，。：]{1,12})的?[^，。：叫]{1,6}叫[^，。]{1,12}。?"
)
_ASKS_MORE = CaselessPattern(
    r"\b(?:where|when|why|how)\b|\bwhat (?:does|did|do|is|are|was|were|has|have|will|would|can|happened)\b(?!.*\b(?:called|name)\b)"
    r"|哪[里儿天年]|什么时候|为什么|怎么|做什么|几[岁点号]|多[少大久]"
)
_OF_KIN = CaselessPattern(rf"\b{KIN}\b|{KIN_ZH}")
_OWN_KIN = CaselessPattern(rf"\b(?:my|our) {KIN}\b(?!['’]s|\s+and (?:i|me)\b)|[我咱](?:们?家)?的?{KIN_ZH}")
_OWNED = CaselessPattern(
    rf"\b(?:my|our) (?!(?:\w+ )?name\b)(\w+)|我们?家?的?({KIN_ZH}|[狗猫])|我们?家?的([\u4e00-\u9fff]{{1,3}}?)(?=叫什么|叫啥|的名字|几岁|多大)"
)
_WITH = CaselessPattern(r"\bi\b.{0,40}\bwith\b|我[^，。给]{0,6}[跟和与同]")
_AS_KIN = "mum"
_CALLINGS = frozenset(("房东", "老板", "师傅"))  # that look like names


@dataclass(frozen=True, slots=True)
class Calls:
    """What a question calls for. `of_asker`: it is about whoever asks; `known`: names that are no answer, folded.

    `owned`: what he calls his own in it; `kinds`: what an answer must speak of, `things` without whom. `owners`: whose
    kin it asks for. `supposes`: what would be may answer it; `cannot`: it asks for what somebody cannot.
    """

    form: Form
    of_asker: bool
    known: frozenset[str]
    asker: str
    owned: tuple[str, ...] = ()
    supposes: bool = False
    cannot: bool = False
    kinds: tuple[LazyPattern, ...] = ()
    things: tuple[LazyPattern, ...] = ()
    asked: str = ""
    owners: tuple[str, ...] = ()

    @property
    def asks_anything(self) -> bool:
        """Whether a text can meet it better than another."""
        return (
            self.form is not Form.ANY
            or self.of_asker
            or bool(self.owned)
            or bool(self.kinds)
            or self.cannot
            or not self.supposes
        )


@dataclass(frozen=True, slots=True)
class Meets:
    """How a text meets a question. `form`: 1 it has what is called for, -1 it has not, 0 that cannot be told.

    `subject`: 1 it is said of whoever is asked about, -1 of another, 0 that cannot be told. `unreal`: it says what would
    be, and that was not asked. `other_kind`: it speaks of nothing of the kind that is asked for. `nameless`: a
    name is asked for, and it gives none. `cannot`: it says what somebody named in the question cannot, and that was asked.
    `only_a_name`: it says who somebody is, and that was not asked. `exact`: it gives the age of whom the question
    names. `of_kind`: it speaks of the kind that is asked for, and not of another's.
    """

    form: int
    subject: int
    unreal: bool = False
    cannot: bool = False
    other_kind: bool = False
    nameless: bool = False
    exact: bool = False
    only_a_name: bool = False
    of_kind: bool = False


_YOUR = CaselessPattern(
    r"\byours?\b|\b(?:are you|you(?:['’]re| are)|do you (?:like|love|live|prefer|want|have|enjoy|hate))\b|[你您](?:的|最|喜欢|爱|住|是|叫|有)"
)


@text_memo(64)
def read_calls(question: str, asker: str = "") -> Calls:
    """What a question calls for; `asker`: who asks, if that is known."""
    form = form_asked(question)
    owned = tuple("".join(groups).casefold() for groups in _OWNED.findall(question))
    return Calls(
        form,
        _SELF_ASKED.search(question) is not None,
        frozenset(spelled for name in _names(question) for spelled in (fold(name), *other_script.spellings(name))),
        asker,
        owned,
        supposes=asks_supposing(question),
        cannot=_CANNOT.search(question) is not None,
        kinds=kinds_of(question),
        things=things_of(question),
        asked=question,
        owners=asked_owner.owners_asked(question),
    )


def meets(calls: Calls, text: str, speaker: str = "", role: str = "") -> Meets:
    """How a text meets what a question calls for.

    `speaker, role`: who said it, and in which role; of a note "" for what is not known.
    """
    plain = in_first_person(text, speaker or calls.asker)
    is_teller = _is_named(calls, speaker)  # what he says of himself is of whom the question names
    about = f"{asked} {plain}" if calls.kinds and (asked := asked_before(text)) else plain
    about = without_seen(calls.asked, about)
    answered = f"{asked_before(text)} {plain}" if calls.form is Form.NAME else plain
    form = -1 if stated_reasons.says_only_that(calls.asked, plain) else _form(calls, answered)
    subject = _subject(calls, plain, speaker, role)
    things = calls.things
    says_cannot = calls.cannot and _says_cannot(calls, plain)
    only_a_name = _ASKS_MORE.search(calls.asked) is not None and _ONLY_A_NAME.fullmatch(plain.strip()) is not None
    is_of_other = role != "assistant" and subject <= 0 and _is_of_other(calls, plain, things, is_teller=is_teller)
    owned = calls.owned if calls.form is Form.NAME else ()
    is_not_held = asked_owner.says_not_held(calls.asked, plain, things, owned)
    is_of_all = is_of_kinds(calls.kinds, about)
    return Meets(
        form,
        -1 if is_of_other and not things else subject,
        unreal=not calls.supposes and is_supposed(plain),
        cannot=says_cannot and _is_of_named(calls, plain),
        other_kind=not (says_cannot or is_of_all)  # an allergy need not say what is no medicine
        or any(asked_subject.is_anothers(thing, plain) for thing in calls.owned)
        or is_not_held
        or (is_of_other and bool(things))
        or only_a_name
        or (not is_teller and asked_owner.is_of_others(plain, calls.owners))
        or (form < 0 and (_must_name(calls) or stated_reasons.asks_why(calls.asked))),
        nameless=form < 0 and calls.form is Form.NAME,
        only_a_name=only_a_name,
        exact=form > 0 and is_of_all and not is_of_other and _says_exactly(calls, plain),
        of_kind=bool(things)
        and not is_not_held
        and min(form, subject) >= 0
        and is_of_kinds((*calls.kinds, *things), about)
        and not is_of_other
        and (is_teller or asked_subject.may_be_of(plain, calls.known - {fold(calls.asker)})),
    )


def _says_cannot(calls: Calls, text: str) -> bool:
    """Whether a text says what somebody cannot; of one who asks what he cannot eat, not that he cannot sleep."""
    if _DIETS.search(text):
        return True
    is_eating = _EATING.search(calls.asked) is not None
    return _CANNOT.search(text) is not None and (not is_eating or is_of_kinds(calls.things, text))


def _must_name(calls: Calls) -> bool:
    """Whether nothing answers that names nobody: who somebody's kin is, whom he married."""
    is_partner = calls.form is Form.PERSON and asked_owner.asks_partner(calls.asked)
    return is_partner or (calls.form is Form.NAME and bool(calls.owners))


def _says_exactly(calls: Calls, text: str) -> bool:
    """Whether a text says the age of whom the question names, or how he who asks for his own name is called."""
    if calls.form is Form.AGE:
        is_own = calls.of_asker and not calls.owned and not calls.known - {fold(calls.asker)}
        return asked_owner.says_own_age(text) if is_own else _is_of_named(calls, text)
    is_own = calls.form is Form.NAME and calls.of_asker and not calls.known - {fold(calls.asker)}
    return is_own and _OF_KIN.search(calls.asked) is None and not calls.owned and asked_owner.says_own_name(text)


def _is_of_named(calls: Calls, text: str) -> bool:
    """Whether a text names whom the question names; of a question that names nobody, whether it is told of the asker."""
    others, told = calls.known - {fold(calls.asker)}, fold(text)
    return any(name in told for name in others) if others else _OWN.search(text) is not None


def _is_named(calls: Calls, speaker: str) -> bool:
    """Whether a question names somebody, by all of his name or a part of it."""
    return bool(speaker) and any(name in calls.known for name in (fold(speaker), *fold(speaker).split()))


def _is_of_other(calls: Calls, text: str, things: Sequence[LazyPattern], *, is_teller: bool) -> bool:
    """Whether what a text says of the thing that is asked for, it says of somebody else."""
    names = calls.known - {fold(calls.asker)}
    if calls.of_asker:
        alone = not names or (_WITH.search(calls.asked) is not None and not any(each in fold(text) for each in names))
        return alone and _OF_KIN.search(calls.asked) is None and asked_subject.tells_of_asker(text, things) < 0
    if is_teller:
        return _OF_KIN.search(calls.asked) is None and asked_subject.tells_of_asker(text, things) < 0
    return bool(names) and asked_subject.tells_of(text, names, things) < 0


def _form(calls: Calls, text: str) -> int:
    match calls.form:
        case Form.ANY:
            return 0
        case Form.NAME:
            role = role_asked(calls.asked)
            if role is not None:
                told = told_of_role(text.replace(calls.asker, " ") if calls.asker else text, role)
                return 1 if _says_name(calls, told) or any(_others(calls, told)) else -1
            return 1 if _says_name(calls, text) or _gives_name(calls, text) else -1
        case Form.PERSON:
            if not asked_owner.asks_partner(calls.asked):
                return 1 if PERSONS.search(text) or _gives_name(calls, text) else -1
            told = asked_owner.told_of_marriage([each.text for each in asked_subject.clauses_told(text)])
            others = (each for each in PERSONS.findall(told) if each not in calls.asked)
            return 1 if _says_name(calls, told) or any(others) or _gives_name(calls, told) else -1
        case Form.AGE:
            return 1 if AGE.search(text) and not _tells_another_age(calls, text) else -1
        case Form.NUMBER:
            return 1 if (asked_unit(calls.asked) or NUMERAL).search(text) else -1
        case Form.TIME:
            return 1 if WHEN.search(text) else -1
    return 0


def _tells_another_age(calls: Calls, text: str) -> bool:
    """Whether every age in a text is that of somebody named last before it, who is not asked about."""
    asked = calls.known - {fold(calls.asker)}
    if not asked or not any(name in fold(text) for name in asked):
        return False
    named = sorted(
        (span.start, fold(span.name))
        for find in (english_names.find, chinese_names.find)
        for span in find(text)
        if span.kind is NameKind.PERSON
    )
    ages = [match.start() for match in AGE.finditer(text)]
    of = [next((name for start, name in reversed(named) if start <= age), "") for age in ages]
    return bool(of) and all(name and not any(name in each or each in name for each in asked) for name in of)


def _says_name(calls: Calls, text: str) -> bool:
    """Whether it says what somebody is called, and not only the name that was asked with."""
    said = ("".join(groups) for groups in _SAID_NAME.findall(text))
    return any(not any(name in fold(each) or fold(each) in name for name in calls.known) for each in said)


def _gives_name(calls: Calls, text: str) -> bool:
    own = fold(calls.asker)
    # No town is somebody's father.
    of_kin = _OF_KIN.search(calls.asked) is not None or len(calls.kinds) > len(calls.things)
    if calls.owners:  # of a clause about oneself, only where it is about such kin as well
        own_too = asked_subject.Teller.SELF
        told = asked_subject.clauses_told(text)
        kept = (each for each in told if each.of is not own_too or is_of_kinds(calls.kinds, each.text))
        text = asked_owner.told_of_kin([each.text for each in kept])
    return any(
        (name := fold(each)) != own and name not in calls.known
        for each in _names(text, people=calls.form is Form.NAME and of_kin)
    )


def _others(calls: Calls, text: str) -> Iterable[bool]:
    """Of each person that a text names, whether it is another than who asks, and than those the question names."""
    return (fold(each) not in {*calls.known, fold(calls.asker)} for each in _names(text, people=True))


def _names(text: str, *, people: bool = False) -> Iterable[str]:
    for find in (english_names.find, chinese_names.find):
        for span in find(text):
            if span.name not in _CALLINGS and (not people or span.kind is NameKind.PERSON):
                yield span.name


def _name_leads(calls: Calls, text: str) -> bool:
    own = fold(calls.asker)
    names = (span for find in (english_names.find, chinese_names.find) for span in find(text))
    return any(fold(span.name) != own and not text[: span.start].strip(' "“「') for span in names)


def asks_of_speaker(calls: Calls, speaker: str, role: str) -> bool:
    """Whether a question asks of who said something: it names him, or says "you" to a companion and not "I"."""
    is_addressed = role == "assistant" and _asks_of_companion(calls)
    name = re.escape(speaker) if len(speaker) > 1 else r"(?!)"
    stands_there = re.search(rf"(?<![A-Za-z]){name}(?![A-Za-z])", calls.asked) is not None  # 小雨 in 小雨喜欢吃什么
    return is_addressed or stands_there or _is_named(calls, speaker)


def _asks_of_companion(calls: Calls) -> bool:
    return not calls.of_asker and _YOUR.search(calls.asked) is not None


def _subject(calls: Calls, text: str, speaker: str, role: str) -> int:
    if any(asked_subject.is_anothers(thing, text) for thing in calls.owned):
        return -1
    if not calls.of_asker:
        # Who asks "what is your favourite colour" is told of his own by what he said himself, not of whom he asks.
        is_own = bool(calls.asker) and not role and _asks_of_companion(calls) and _OWN.search(text) is not None
        return (-1 if fold(speaker or calls.asker) == fold(calls.asker) else 1) if is_own else 0
    own = _ADDRESSED if role == "assistant" else _OWN
    text = _OWN_KIN.sub(_AS_KIN, text)  # "my sister plays" tells of a sister, not of oneself
    if role == "user" and speaker and calls.asker and fold(speaker) != fold(calls.asker):
        return -1
    if own.search(text):
        return 1 if role == "assistant" else max(0, asked_subject.tells_of_asker(text, calls.things))
    if role == "assistant" and _OWN.search(text):
        return -1
    return -1 if _THIRD.search(text) or _KIN_LEADS.search(text) or _name_leads(calls, text) else 0
