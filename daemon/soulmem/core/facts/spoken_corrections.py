"""Corrections in talk: "no, I meant Tuesday", "sorry, typo: 42", 不对，是周二, 说错了.

What was said by mistake never held. A correction that says all of it anew is read like anything else that is said; one
that says only what was wrong takes the place of a word of its own kind in the statement before: a day of a day, a number
of a number, a name of a name. Pure; called by the step that reconciles notes and at recall. Invariant: where nothing of
the same kind stands in the statement, nothing is corrected.
"""

# Word lists stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import re
from itertools import pairwise

from soulmem.core.dates.date_parser import find_dates
from soulmem.core.facts.corrected_days import NOT_THE, day_put_right, is_supposed, names_no_day, tells_event
from soulmem.core.facts.corrected_surnames import is_surname, surname_put_right
from soulmem.core.facts.fact_reader import readings_of
from soulmem.core.facts.relations import DOES
from soulmem.core.facts.topic_terms import KIN_CHARACTERS, content
from soulmem.core.names.name_recogniser import find_names
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

LOOKED_BACK = 6  # messages of the same speaker in which the mistake is looked for
LOOKED_BACK_FOR_QUOTED = 200  # the same, where the correction says again what it was that was wrong
_LONGEST_OBJECT = 24  # characters that a correction without a kind takes the place of
_LONGEST = 160  # characters of a correction

_OPENING = LazyPattern(
    r"^\W*(?:(?:no|nope|wait|oh wait|hold on|hang on|sorry|oops|whoops|ups|actually|argh|ugh|ah|ahh|oh|my bad|my mistake|correction|typo|edit|scratch that\b|"
    r"strike that|wrong|not (?:right|quite)|i (?:misspoke|mistyped)|i (?:said|wrote|told you)(?: it| that)? wrong|i was wrong|i got (?:that|it) wrong|i mixed (?:that|it|them) up|"
    r"that['’]?s (?:wrong|not right)|that was wrong|i meant to (?:say|write)|meant to (?:say|write)|i meant|i mean|meant|should (?:be|say|have been)|it['’]?s|it is|it was|make that|rather|"
    r"错了|不对(?=[，,。！\s是应]|$)|不是|不不|等等|等一下|啊不|哦不|噢不|抱歉|不好意思|说错了?|打错了?|写错了?|记错了?|搞错了?|弄错了?|口误|更正(?:一下)?|纠正(?:一下)?|应该是|我是说|我的意思是|我想说的?是|准确地?说)"
    r"(?![a-z])\W*(?:that|about that|for the typo|字了?|一下|了)?\W*)+",
    re.IGNORECASE,
)
_SIGN = LazyPattern(
    r"\b(?:i (?:mean|meant)|meant to (?:say|write)|typo|correction|scratch that|strike that|my (?:bad|mistake)|mistyped|misspoke|(?:said|wrote|got) (?:it|that)? ?wrong|i was wrong|"
    r"mixed (?:that|it|them) up|that['’]?s (?:wrong|not right)|make that|should (?:be|say|have been))\b"
    r"|^\W*(?:no+|nope|wait|oh wait|hold on|sorry|oops|whoops)\b[\s,.!…-]+(?:it['’]?s|it is|that['’]?s|actually|not|wait|i mean|no\b|on\b|at\b|the\b|make|in\b|\d|(?-i:[A-Z]))"
    r"|^\W*(?:啊不|哦不|噢不|不对(?=[，,。！\s是应]|$)|不是[，,]|错了|等等|等一下[，,]|抱歉[，,]|不好意思[，,]|更正|纠正)|说错|打错|写错|记错|搞错|弄错|口误|应该是|我是说|我的意思是",
    re.IGNORECASE,
)
_STARRED = LazyPattern(r"^\s*\*\s?(?P<o>[^*\n]{1,60})$|^(?P<p>[^*\n]{1,60}?)\s?\*\s*$")
_CLAUSE = LazyPattern(r"[,，。;；.!！]\s*")
_SHORT = r"[\w'’:$€£-]+(?: [\w'’:-]+){0,2}"
# "it's Tuesday, not Monday"; "not Monday, Tuesday"; 不是周二，是周三; 是周三，不是周二
_INSTEAD = LazyPattern(
    rf"^(?:it['’]?s |it is |that['’]?s |is |on |at |in )?(?P<new>{_SHORT}), not (?:on |at |in |the )?(?P<old>{_SHORT})$"
    rf"|^not (?:on |at |in |the )?(?P<old2>{_SHORT})[,;.]? ?(?:but |it['’]?s |it is |on |at |in |- )+(?P<new2>{_SHORT})$|^not (?P<old3>[\w'’:-]+), (?P<new3>{_SHORT})$"
    r"|^(?:其实)?不是(?P<old4>[^，,。；是]{1,12})[，,]?(?:而?是|应该是)(?P<new4>[^，,。！]{1,16})$|^(?:其实)?(?:应该)?是(?P<new5>[^，,。；是]{1,12})[，,]不是(?P<old5>[^，,。！]{1,16})$",
    re.IGNORECASE,
)
# "Sorry, I said Mum comes on the 26th. It's the 19th actually"; 我说我妈26号来，其实是19号
_RESTATED = LazyPattern(
    r"\bi (?:said|told you|wrote|mentioned|thought)(?: that)? (?P<about>[^.;!?]{3,60}?)[.,;!—–-]+ ?(?:but |and )?(?:(?:actually|in fact|well),? )?(?:it['’]?s|it is|that['’]?s|it should be|make (?:it|that)|i meant)"
    r"(?: actually| really| in fact)? (?P<right>[^.,;!?]{2,30}?)(?:,? (?:actually|in fact|really|instead|sorry|not the \w+|not \w+))?[.!]*$"
    r"|我(?:之前|刚才|刚刚|上次|前面|昨天)?(?:跟你|和你)?(?:说|讲|记成|以为|告诉你)(?:过|的)?(?P<about2>[^，,。；;！]{2,30})[，,；;。！]+ ?(?:但|不过|可是?)?(?:其实|实际上?|应该|准确地?说)(?:应该)?是(?P<right2>[^，,。！]{1,16}?)(?:才对|来着)?[。！!]*$",
    re.IGNORECASE,
)
# "Correction, Nesta weighed 7lb 12"; 更正一下，小满是六斤八两
_TOLD_ANEW = LazyPattern(
    r"^\W*(?:(?:small |quick )?correction|i got (?:that|it) wrong|(?:sorry,? )?(?:that was )?my mistake|i misread (?:it|that)|更正(?:一下)?|纠正(?:一下)?|(?:刚才|之前|上次)?我?(?:说|写|记|看|搞|弄)错了)"
    r"\s*[,，:：.。—-]+\s*(?P<told>[^,，.。;；!！?？]{4,80})",
    re.IGNORECASE,
)
# "Niamh is six, not five"; 小满是六斤八两，不是六斤二两
_NOT_THAT = LazyPattern(
    r"(?:^|[.,;!—–-] ?)(?P<who>[A-ZÀ-Þ][\w'’-]+(?: [\w'’-]+){0,3}?)(?: is|['’]s| was| turns| weighs| costs| starts| comes)(?: on| at)? (?P<new>[\w£$€.:]+(?: [\w.:]+)?), not (?:on |at )?(?P<old>[\w£$€.:]+(?: [\w.:]+)?)(?=[.!,;]|$)"
    r"|(?:^|[，。,；])(?P<who2>[^，。,；是]{2,8})是(?P<new2>[^，。是]{1,12})[，,]不是(?P<old2>[^，。！!]{1,12})(?=[，。！!]|$)"
)
_SAYS_WRONG = LazyPattern(r"\b(?:wrong|dates?|day|the other day|got|told|said|btw|anyway|oh)\b", re.IGNORECASE)
_VALUE = LazyPattern(
    r"\d|[A-ZÀ-Þ]|[一二两三四五六七八九十百千]|周[一二三四五六日]"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|half|noon|midnight)\b"
)
_MEASURE = LazyPattern(
    r"\d{1,9}(?:[.,]\d{1,9})?\s?(?:lbs?|pounds?|kg|kilos?|grams?|g|oz|st|stone|cm|mm|km|miles?|metres?|meters?|m|ft|feet|inch(?:es)?)\b(?:\s?\d+(?:\s?(?:oz|lb|in|cm))?)?"
    r"|[\d一二两三四五六七八九十百半]{1,9}(?:\.\d{1,9})?(?:公斤|千克|斤|克|公分|厘米|公里|米|岁|块|元|平米|平方|度)[一二两三四五六七八九半\d]?[两毛分寸]?",
    re.IGNORECASE,
)
_CALLED = LazyPattern(r"[叫姓](\w{1,4})$")
_LONGEST_NAME = 4
_WEEKDAY = LazyPattern(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:周|星期|礼拜)[一二三四五六日天]", re.IGNORECASE
)
_NUMBER = LazyPattern(
    r"(?<![\w.])(?:[$€£¥]\s?)?\d+(?:[.,:]\d+)*(?:\s\d{3,})*(?:\s?(?:%|kg|km|cm|am|pm|°))?(?![\w])|[零一二两三四五六七八九十百千万]{1,8}(?=[个只条次岁块元斤公米平层号点分倍人])"
)
_NAME = LazyPattern(r"(?<![.!?]\s)(?<!^)(?<!\w)(?!I\b)[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)?")
_SAYS_MORE = LazyPattern(
    r"\b(?:i|you|he|she|we|they|it|is|are|was|were|can|can['’]t|don['’]t|do|did|will|have|has|worries|way|problem|thanks)\b|[我你他她]|没|不|很|吗",
    re.IGNORECASE,
)
_TRAILING = LazyPattern(
    r"[\s,.!?…~。！，、]+$|(?:sorry|lol|haha|oops|of course|才对|啦|了|哈|哈哈|呢|吧)[\s.!。！]*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Correction:
    """What a correction says: `wording` what is right, `wrong` what it is instead of, `about` what it says again.

    `in_passing`: by itself it is true, and may stand among other things; so may what it puts right.
    """

    wording: str
    wrong: str = ""
    about: str = ""
    in_passing: bool = False

    @property
    def reach(self) -> int:
        """How many messages back the mistake may stand."""
        return LOOKED_BACK_FOR_QUOTED if self.about else LOOKED_BACK


@text_memo(512)
def correction_of(text: str) -> Correction | None:
    """What a message corrects, None where it corrects nothing."""
    plain = text.strip()
    if not plain or len(plain) > _LONGEST or plain.endswith(("?", "？")):
        return None
    starred = _STARRED.match(plain)
    if starred is not None:
        return Correction(_clean(starred["o"] or starred["p"]))
    restated = _restated(plain)
    if restated is not None:
        return restated
    anew = _told_anew(plain) or _not_the(plain) or _not_that(plain)
    if anew is not None:
        return anew
    bare = _right(plain)
    instead = _INSTEAD.match(_TRAILING.sub("", bare)) or _INSTEAD.match(_TRAILING.sub("", _clean(plain)))
    if instead is None and _SIGN.search(plain) is not None:
        instead = _within(plain)
    if instead is not None:
        groups = instead.groupdict()
        new, old = (
            next((groups[name] for name in groups if name.startswith(each) and groups[name]), "")
            for each in ("new", "old")
        )
        return Correction(_clean(new), _clean(old))
    return Correction(bare) if bare and _SIGN.search(plain) is not None else None


def _within(text: str) -> re.Match[str] | None:
    """What two clauses of a longer correction put right: 我说错了，不是六月一号，是六月六号，图个顺."""
    clauses = [_clean(clause) for clause in _CLAUSE.split(text)]
    pairs = (f"{one}，{other}" if not one.isascii() else f"{one}, {other}" for one, other in pairwise(clauses))
    return next((found for pair in pairs if (found := _INSTEAD.match(pair)) is not None), None)


def _restated(text: str) -> Correction | None:
    """A correction that says again what was wrong; None where the two do not name one thing of one kind each."""
    found = _RESTATED.search(text)
    if found is None:
        return None
    about = found["about"] or found["about2"]
    right = _clean(found["right"] or found["right2"])
    called = _CALLED.search(about)
    span = called.span(1) if called and len(right) <= _LONGEST_NAME else _place(about, right, 0)
    if span is None:
        return None
    rest = about[: span[0]] + about[span[1] :]
    return Correction(wording_for(right, 0), about[span[0] : span[1]], rest if any(content(rest)) else "")


def _told_anew(text: str) -> Correction | None:
    """A correction that tells a measure anew and says of whom; None where it tells none."""
    found = _TOLD_ANEW.match(text)
    measures = list(_MEASURE.finditer(found["told"])) if found else []
    if found is None or len(measures) != 1:
        return None
    told, (start, end) = found["told"], measures[0].span()
    about = told[:start] + told[end:]
    return Correction(told[start:end], about=about) if any(content(about)) else None


def _not_that(text: str) -> Correction | None:
    """A correction that names of whom it is, what is right and what is not; None where it names nobody."""
    found = _NOT_THAT.search(text)
    if found is None or is_supposed(text, max(found.start("new"), found.start("new2")), found.end()):
        return None
    who, new, old = (found[name] or found[f"{name}2"] for name in ("who", "new", "old"))
    is_value = all(_VALUE.search(each) for each in (new, old))
    return Correction(_clean(new), _clean(old), who) if is_value and any(content(who)) and find_names(text) else None


def _not_the(text: str) -> Correction | None:
    """A correction that names a day or a name, which it is not, and before both of what; None where it does not."""
    found = NOT_THE.search(text)
    if found is None or is_supposed(text, *found.span()):
        return None
    new, old = (
        next(each for name, each in found.groupdict().items() if name.startswith(of) and each) for of in ("new", "old")
    )
    before = _ENDS.split(text[: found.start()])[-1].lstrip("哦噢啊嗯唉对了，, ")
    about = _SAYS_WRONG.sub(" ", _OPENING.sub("", before))
    named = any(each.name in about for each in find_names(text))
    return Correction(new, old, about, in_passing=True) if named or any(content(about)) else None


def _is_day_of(statement: str, about: str) -> bool:
    """Whether a statement tells the day of the matter that a correction is about: his exam, not his flight."""
    of_event = tells_event(statement, about)
    if of_event is not None or names_no_day(about):
        return of_event is True
    matter = about
    for each in find_names(about):
        matter = matter.replace(each.name, " ")
    (latin, han), (own_latin, own_han) = content(matter), content(statement)
    shared = len(latin & own_latin) + len((han - KIN_CHARACTERS) & own_han) / 2
    least = min(1.0, len(latin) + len(han - KIN_CHARACTERS) / 2)
    return shared >= least


def _is_about(statement: str, about: str) -> bool:
    """Whether a statement shares a word with what a correction says again: a name, else one that is no grammar."""
    names = [each.name for each in find_names(about)] or ([about] if about.istitle() and about.isascii() else [])
    if names:
        return any(name in statement for name in names)
    latin, han = (here & there for here, there in zip(content(statement), content(about), strict=True))
    return bool(latin) or bool(han & KIN_CHARACTERS) or len(han) > 1


def _right(text: str) -> str:
    """What is left without what says that something was wrong."""
    return re.sub(r"^(?:是|应该|就是)+(?=.)", "", _clean(_OPENING.sub("", text)))


_ENDS = LazyPattern(r"[.!?](?=\s)|[。！？\n]")
_MORE = LazyPattern(r"[.!?。！？\n][^\w.!?。！？\n]*\w")  # another sentence
# Words before the last, and what Chinese puts before a name.
_LEADS = LazyPattern(r"[^\W\d_]+\.? |^(?:姓|叫|是|在|住|去|到)")


def corrected(statement: str, correction: Correction, at_ms: int) -> str | None:
    """The statement as it should have been; None where the correction fits nothing in it."""
    wording = correction.wording
    if correction.about and not _is_about(statement, correction.about):
        return None
    if correction.wrong:
        day = day_put_right(statement, wording, correction.wrong, at_ms)
        if day is not None or (correction.in_passing and not is_surname(correction.wrong)):
            return day if day and _is_day_of(statement, correction.about) else None
        if is_surname(correction.wrong) and correction.about:
            return surname_put_right(statement, wording, correction.wrong, correction.about)
        at = statement.casefold().find(correction.wrong.casefold())
        wording = wording[_led(statement[: max(at, 0)], wording) :]  # "in Dublin" in the place of Galway
        return statement[:at] + wording + statement[at + len(correction.wrong) :] if at >= 0 else None
    span = _measured(statement, wording) if correction.about else _place(statement, wording, at_ms)
    if span is None:
        return None
    return statement[: span[0]] + wording_for(wording, at_ms) + statement[span[1] :]


def takes_back(statement: str, correction: Correction, at_ms: int) -> bool:
    """Whether a whole message is taken back; what is put right in passing leaves the other sentences of it."""
    if corrected(statement, correction, at_ms) is None:
        return False
    return not correction.in_passing or _MORE.search(statement) is None


def _led(before: str, wording: str) -> int:
    """How many characters of a wording stand already before the place where it goes: "Mrs " of "Mrs Adeyemi", 姓 of 姓冉."""
    folded = f" {before.casefold()}"
    for match in reversed(list(_LEADS.finditer(wording))):
        lead = match[0] if not match[0].isascii() else f" {wording[: match.end()]}"
        if match.end() < len(wording) and folded.endswith(lead.casefold()):
            return match.end()
    return 0


def _measured(statement: str, wording: str) -> tuple[int, int] | None:
    """Where the one measure of the same unit stands in a statement; None where there is none, or more."""
    unit = re.sub(r"[\d.,\s一二两三四五六七八九十百半]", "", wording)[:2].lower()
    spans = [
        match.span()
        for match in _MEASURE.finditer(statement)
        if re.sub(r"[\d.,\s一二两三四五六七八九十百半]", "", match[0])[:2].lower() == unit
    ]
    return spans[0] if len(spans) == 1 and statement[slice(*spans[0])] != wording else None


def wording_for(wording: str, at_ms: int) -> str:
    """The right word alone: of "on Wednesday" the day, because the statement has its preposition."""
    dates = find_dates(wording, at_ms)
    if dates and len(wording) - (dates[0].end - dates[0].start) <= 6:
        return re.sub(r"^(?:on|at|in) ", "", wording[dates[0].start : dates[0].end], flags=re.IGNORECASE)
    return wording


def _place(statement: str, wording: str, at_ms: int) -> tuple[int, int] | None:
    """Where in a statement stands what a wording takes the place of."""
    if len(wording) > 40 or wording.count(" ") > 4 or _SAYS_MORE.search(wording):
        return None
    dates = find_dates(wording, at_ms)
    if dates and len(wording) - (dates[0].end - dates[0].start) <= 8:
        found = find_dates(statement, at_ms)
        if not found:
            return None
        chosen = found[-1]
        text = statement[chosen.start : chosen.end]
        led = re.match(r"(?:on|at|in) ", text, re.IGNORECASE)
        return chosen.start + (led.end() if led else 0), chosen.end
    for pattern in (_WEEKDAY, _NUMBER, _NAME):
        if pattern.search(f"x {wording}" if pattern is _NAME else wording):
            spans = [match.span() for match in pattern.finditer(statement)]
            if not spans and pattern is _NUMBER:
                return None  # no number stands there that could be wrong
            if pattern is _NAME:  # "Dr Lindqvist" is no street, though a street was named last
                alike = [span for span in spans if _begins_alike(statement[slice(*span)], wording)]
                spans = alike or spans
            return spans[-1] if spans else _object(statement)
    return _object(statement)


def _begins_alike(name: str, other: str) -> bool:
    """Whether two names begin with the same title, or the same three letters."""
    return name.split(maxsplit=1)[:1] == other.split(maxsplit=1)[:1] or name[:3].casefold() == other[:3].casefold()


def _object(statement: str) -> tuple[int, int] | None:
    """The object of what a statement says last, where it stands there word for word."""
    for reading in reversed(readings_of(statement)):
        is_thing = bool(reading.object) and reading.relation != DOES and len(reading.object) <= _LONGEST_OBJECT
        at = statement.casefold().rfind(reading.object) if is_thing else -1
        if at >= 0:
            return at, at + len(reading.object)
    return None


def _clean(text: str) -> str:
    plain = text.strip(" \t\n,.!?…~*\"'“”。！，：:;；-—")
    for _ in range(2):
        plain = _TRAILING.sub("", plain).strip(" ,，。.!！:：")
    return plain
