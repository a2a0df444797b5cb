"""Corrections in talk: "no, I meant Tuesday", "sorry, typo: 42", 不对，是周二, 说错了.

What was said by mistake never held. A correction that says all of it anew is read like anything else that is said; one
that says only what was wrong is a `Correction` (`core/facts/corrected_statements.py`), which finds its place in the
statement that it puts right. Pure; called by the step that reconciles notes and at recall. Invariant: a question
corrects nothing, nor does what others say or what would be.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import re
from itertools import pairwise

from soulmem.core.facts.corrected_statements import LENGTH, MEASURE, MEASURE_ZH, Correction, place_of, wording_for
from soulmem.core.facts.corrected_values import AMOUNT_NOT, NOT_THE, is_supposed
from soulmem.core.facts.topic_terms import content
from soulmem.core.names.name_recogniser import find_names
from soulmem.core.numbers.number_words import TENS, WORDS
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.text_memo import text_memo

_LONGEST = 160  # characters of a correction

_OPENING = CaselessPattern(
    r"^\W*(?:(?:no|nope|wait|oh wait|hold on|hang on|sorry|oops|whoops|ups|actually|argh|ugh|ah|ahh|oh|my bad|my mistake|correction|typo|edit|scratch that\b|"
    r"strike that|wrong|not (?:right|quite)|i (?:misspoke|mistyped)|i (?:said|wrote|told you)(?: it| that)? wrong|i was wrong|i got (?:that|it) wrong|i mixed (?:that|it|them) up|"
    r"that['’]?s (?:wrong|not right)|that was wrong|i meant to (?:say|write)|meant to (?:say|write)|i meant|i mean|meant|should (?:be|say|have been)|it['’]?s|it is|it was|make that|rather|"
    r"错了|不对(?=[，,。！\s是应]|$)|不是|不不|等等|等一下|啊不|哦不|噢不|且慢|慢着|抱歉|不好意思|说错了?|打错了?|写错了?|记错了?|搞错了?|弄错了?|[看听]错了?|口误|更正(?:一下)?|纠正(?:一下)?|应该是|我是说|我的意思是|我想说的?是|准确地?说)"
    r"(?![a-z])\W*(?:that|about that|for the typo|字了?|一下|了)?\W*)+"
)
_SIGN = CaselessPattern(
    r"\b(?:i (?:mean|meant)|meant to (?:say|write)|typo|correction|scratch that|strike that|my (?:bad|mistake)|mistyped|misspoke|(?:said|wrote|got) (?:it|that)? ?wrong|i was wrong|"
    r"mixed (?:that|it|them) up|that['’]?s (?:wrong|not right)|make that|should (?:be|say|have been))\b"
    r"|^\W*(?:no+|nope|wait|oh wait|hold on|sorry|oops|whoops)\b[\s,.!…-]+(?:it['’]?s|it is|that['’]?s|actually|not|wait|i mean|no\b|on\b|at\b|the\b|make|in\b|\d|(?-i:[A-Z]))"
    r"|^\W*(?:啊不|哦不|噢不|不对(?=[，,。！\s是应]|$)|不是[，,]|错了|等等|等一下[，,]|抱歉[，,]|不好意思[，,]|更正|纠正)|说错|打错|写错|记错|搞错|弄错|[看听]错|口误|应该是|我是说|我的意思是"
)
_SAID_WRONG = CaselessPattern(
    r"^\W*(?:(?:no|wait|hold on|sorry|oops|oh),? ){0,2}(?:i (?:said|told you|wrote|got|had) (?:it |that )?wrong|i misspoke|i was wrong|wrong)\b"
    r"|^\W*(?:(?:且慢|慢着|等等|等一下|不对|不不|啊不|哦不|抱歉|不好意思)\W*)?我?(?:刚才|刚刚|之前|上次)?(?:说|写|打|记|讲|看|听)错了"
)
_STARRED = LazyPattern(r"^\s*\*\s?(?P<o>[^*\n]{1,60})$|^(?P<p>[^*\n]{1,60}?)\s?\*\s*$")
_CLAUSE = LazyPattern(r"(?:[,.](?!\d)|[，。;；!！])\s*")
_SHORT = r"[\w'’:$€£-]+(?: [\w'’:-]+){0,2}"
# "it's Tuesday, not Monday"; "not Monday, Tuesday"; 不是周二，是周三; 是周三，不是周二
_INSTEAD = CaselessPattern(
    rf"^(?:it['’]?s |it is |that['’]?s |is |on |at |in )?(?P<new>{_SHORT}), not (?:on |at |in |the )?(?P<old>{_SHORT})$"
    rf"|^not (?:on |at |in |the )?(?P<old2>{_SHORT})[,;.]? ?(?:but |it['’]?s |it is |on |at |in |- )+(?P<new2>{_SHORT})$|^not (?P<old3>[\w'’:-]+), (?P<new3>{_SHORT})$"
    r"|^(?:其实)?(?P<of>[^，,。；不是]{1,8})?不是(?P<old4>[^，,。；是]{1,12})[，,]?(?:而?是|应该是)(?P<new4>[^，,。！]{1,16})$|^(?:其实)?(?:应该)?是(?P<new5>[^，,。；是]{1,12})[，,]不是(?P<old5>[^，,。！]{1,16})$"
)
# "Sorry, I said Mum comes on the 26th. It's the 19th actually"; 我说我妈26号来，其实是19号
_RESTATED = CaselessPattern(
    r"\bi (?:said|told you|wrote|mentioned|thought)(?: that)? (?P<about>[^.;!?]{3,60}?)[.,;!—–-]+ ?(?:but |and )?(?:(?:actually|in fact|well),? )?(?:it['’]?s|it is|it was|that['’]?s|it should be|make (?:it|that)|i meant)"
    r"(?: actually| really| in fact)? (?P<right>[^.,;!?]{2,30}?)(?:,? (?:actually|in fact|really|instead|sorry|not the \w+|not \w+))?(?P<tail>[,;.!] .{1,90})?[.!]*$"
    r"|我(?:之前|刚才|刚刚|上次|前面|昨天)?(?:跟你|和你)?(?:说|讲|记成|以为|告诉你)(?:过|的)?(?P<about2>[^，,。；;！]{2,30})[，,；;。！]+ ?(?:但|不过|可是?)?(?:其实|实际上?|应该|准确地?说)(?:应该)?是(?P<right2>[^，,。！]{1,16}?)(?:才对|来着)?[。！!]*$"
)
_NUMBER_WORDS = "|".join(sorted(WORDS, key=len, reverse=True))
_COUNT = rf"(?:(?:{'|'.join(TENS)})[- ](?:one|two|three|four|five|six|seven|eight|nine)|{_NUMBER_WORDS}|\d{{1,3}}(?:,\d{{3}})+|\d{{1,9}}(?:\.\d+)?)(?: hundred| thousand)?"
_ONE_NUMBER = CaselessPattern(rf"(?<![\w.,$€£¥/:-]){_COUNT}(?![\w:/%-]|[.,]\d)")
# "Sorry, I said Wilf was nine, he's ten, he had his birthday in February"; 我说米粒六岁，其实她七岁了，刚过的生日
_NUMBER_RETOLD = CaselessPattern(
    rf"\bi (?:said|told you|wrote|mentioned)(?: that)? (?P<about>(?:[^.,;:!?]|[.,](?=\d)){{3,60}}?)[.,;:!—–-]+ ?(?:but |and |no,? |sorry,? )?(?:(?:actually|in fact|well),? )?"
    rf"(?:s?he|it|they|we|i|there)(?:['’]?s|['’](?:re|m)| is| are| am)(?: actually| really| only| in fact| already)? (?P<right>{_COUNT})(?: years old)?(?=\s*(?:[.,;!)…—–]|$)|\s+(?:actually|now|already|in fact|since|and|but|not|per|an? (?:hour|month|week|day|year|night))\b)"
    r"|我(?:之前|刚才|刚刚|上次|前面|昨天)?(?:跟你|和你)?(?:说|讲|写|告诉你)(?:过|的|了)?(?P<about2>[^，,。；;：！]{2,30})[，,；;。！]+ ?(?:但|不过|可是?|不对[，,])?(?:其实|实际上?|应该)?[他她它]?(?:其实|实际上?|应该)?(?:已经|都)?是?"
    rf"(?P<right2>{MEASURE_ZH})了?(?=才对|[，,。！!；;\s]|$)"
)
_UNIT = re.compile(r"[\d.,\s一二两三四五六七八九十百半]")
# "I've told you wrong about Owen, he's twelve"; 我说错了，小满今年八岁
_WRONG_ABOUT = CaselessPattern(
    rf"\b(?:told you|had it|got it|said it|was) wrong about (?P<who>[A-ZÀ-Þ][\w'’-]+)[,.;:—–-]+ ?(?:s?he|it)(?:['’]?s| is| was)(?: actually| really| only| already)? (?P<right>{_COUNT})(?=\s*(?:[.,;!)…—–]|$)|\s+(?:now|already|not|and|but)\b)"
)
# "Correction, Nesta weighed 7lb 12"; 更正一下，小满是六斤八两
_TOLD_ANEW = CaselessPattern(
    r"^\W*(?:(?:small |quick )?correction|i got (?:that|it) wrong|(?:sorry,? )?(?:that was )?my mistake|i misread (?:it|that)|更正(?:一下)?|纠正(?:一下)?|(?:刚才|之前|上次)?我?(?:说|写|记|看|搞|弄)错了)"
    r"\s*[,，:：.。—-]+\s*(?P<told>[^,，.。;；!！?？]{4,80})"
)
# "Niamh is six, not five"; 小满是六斤八两，不是六斤二两
_NOT_THAT = LazyPattern(
    r"(?:^|[.,;!—–-] ?)(?P<who>[A-ZÀ-Þ][\w'’-]+(?: [\w'’-]+){0,3}?)(?: is|['’]s| was| turns| weighs| costs| starts| comes)(?: on| at)? (?P<new>[\w£$€.:]+(?: [\w.:]+)?), not (?:on |at )?(?P<old>[\w£$€.:]+(?: [\w.:]+)?)(?=[.!,;]|$)"
    r"|(?:^|[，。,；])(?P<who2>[^，。,；是]{2,8})是(?P<new2>[^，。是]{1,12})[，,]不是(?P<old2>[^，。！!]{1,12})(?=[，。！!]|$)"
)
_MISTAKEN = CaselessPattern(
    r"\b(?:actually|wrong|mistake|typo|misread|mistyped|i (?:mean|meant|said|wrote|told you)|correction|sorry|oops)\b"
    r"|[看说写记搞弄读打]错|口误|更正|纠正|不好意思|抱歉"
)
# 看错了，黄山是二十二号: it says itself of what the day is.
_OF_WHAT = LazyPattern(
    r"^(?P<about>[\u4e00-\u9fff]{2,8}?)(?:那个|那天|的时间)?(?:应该)?是(?:在)?"
    r"(?P<right>(?:[\d一二三四五六七八九十]{1,3}月)?[\d一二三四五六七八九十]{1,3}[号日]|[这下]?(?:周|星期|礼拜)[一二三四五六日天])$"
)
_SAYS_WRONG = CaselessPattern(r"\b(?:wrong|dates?|day|the other day|got|told|said|btw|anyway|oh)\b")
_VALUE = LazyPattern(
    r"\d|[A-ZÀ-Þ]|[一二两三四五六七八九十百千]|周[一二三四五六日]"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|half|noon|midnight)\b"
)
_CALLED = LazyPattern(r"[叫姓](\w{1,4})$")
_LONGEST_NAME = 4
_TRAILING = CaselessPattern(
    r"[\s,.!?…~。！，、]+$|(?:sorry|lol|haha|oops|of course|才对|啦|了|哈|哈哈|呢|吧)[\s.!。！]*$"
)


@text_memo(512)
def correction_of(text: str) -> Correction | None:
    """What a message corrects, None where it corrects nothing."""
    plain = text.strip()
    if not plain or len(plain) > _LONGEST or plain.endswith(("?", "？")):
        return None
    starred = _STARRED.match(plain)
    if starred is not None:
        return Correction(_clean(starred["o"] or starred["p"]))
    restated = _restated(plain) or _number_retold(plain) or _wrong_about(plain)
    if restated is not None:
        return restated
    anew = _told_anew(plain) or _not_the(plain) or _not_that(plain) or _is_no(plain) or _amount_not(plain)
    if anew is not None:
        return anew
    bare = re.sub(r"^(?:是|应该|就是)+(?=.)", "", _clean(_OPENING.sub("", plain)))
    instead = _INSTEAD.match(_TRAILING.sub("", bare)) or _INSTEAD.match(_TRAILING.sub("", _clean(plain)))
    if instead is None and _SIGN.search(plain) is not None:
        instead = _within(plain)
    if instead is not None:
        groups = instead.groupdict()
        new, old = (
            next((groups[name] for name in groups if name.startswith(each) and groups[name]), "")
            for each in ("new", "old")
        )
        return Correction(_clean(new), _clean(old), _clean(groups["of"] or ""))
    named = _OF_WHAT.match(bare)
    if named is not None and _SIGN.search(plain) is not None:
        is_named = len(content(named["about"])[1]) > 1  # 约的是周三 names nothing
        return Correction(named["right"], about=named["about"] if is_named else "")
    first, *others = _CLAUSE.split(bare, maxsplit=1)
    if others and _SAID_WRONG.search(plain) and (LENGTH.fullmatch(first) or MEASURE.fullmatch(first)):
        return Correction(first, in_passing=True)  # 说错了，是三十七年，有一年我被借调: what follows says why
    return Correction(bare) if bare and not _tells_on(bare) and _SIGN.search(plain) is not None else None


def _tells_on(text: str) -> bool:
    """Whether it is more than a word or two that somebody had wrong: it tells all of something itself."""
    clauses = [each for each in _CLAUSE.split(text) if each]
    return len(clauses) > 1 and sum(_VALUE.search(each) is not None for each in clauses) > 1


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
    span = called.span(1) if called and len(right) <= _LONGEST_NAME else place_of(about, right, 0)
    if span is None:
        return None
    rest = about[: span[0]] + about[span[1] :]
    about_it = rest if any(content(rest)) else ""
    return Correction(wording_for(right, 0), about[span[0] : span[1]], about_it, in_passing=found["tail"] is not None)


def _number_retold(text: str) -> Correction | None:
    """What a message says of a number that was told wrong; None where it tells of none, or of two."""
    found = _NUMBER_RETOLD.search(text)
    if found is None:
        return None
    about, right = found["about"] or found["about2"], found["right"] or found["right2"]
    numbers = list((_ONE_NUMBER if found["about"] else MEASURE).finditer(about))
    if len(numbers) != 1 or (wrong := numbers[0][0]).casefold() == right.casefold():
        return None
    if found["about2"] and _UNIT.sub("", wrong) != _UNIT.sub("", right):
        return None
    rest = about[: numbers[0].start()] + about[numbers[0].end() :]
    return Correction(right, wrong, rest if any(content(rest)) else "", in_passing=True, counts=True)


def _wrong_about(text: str) -> Correction | None:
    """A correction that says about whom something was wrong, and how old he is; None where it does not."""
    found = _WRONG_ABOUT.search(text)
    return Correction(found["right"], about=found["who"], in_passing=True, counts=True) if found is not None else None


def _told_anew(text: str) -> Correction | None:
    """A correction that tells a measure anew and says of whom; None where it tells none."""
    found = _TOLD_ANEW.match(text)
    measures = list(MEASURE.finditer(found["told"])) if found else []
    if found is None or len(measures) != 1 or "不是" in found["told"]:
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


# "Sorry, Emre's not a drummer, he's a bassist"
_IS_NO = LazyPattern(
    r"(?:^|[.,;!—–-] ?)(?P<who>[A-ZÀ-Þ][\w'’-]*\w)(?: is|['’]s)(?: not|n['’]t) (?:an? |the )(?P<old>[\w-]+(?: [\w-]+)?), "
    r"(?:s?he|it)(?:['’]s| is)(?: actually| really)? (?:an? |the )(?P<new>[\w-]+(?: [\w-]+)?)(?=[.!,;]|$)"
)


def _is_no(text: str) -> Correction | None:
    """A correction of what somebody is, by name; None where nothing says that the other was a mistake."""
    found = _IS_NO.search(text)
    if found is None or _MISTAKEN.search(text) is None or is_supposed(text, *found.span()):
        return None
    return Correction(found["new"], found["old"], found["who"]) if find_names(found["who"]) else None


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


def _amount_not(text: str) -> Correction | None:
    """A correction of a number that stands for itself; None where nothing says that the other one was a mistake."""
    found = AMOUNT_NOT.search(text)
    if found is None or _MISTAKEN.search(text) is None or is_supposed(text, *found.span()):
        return None
    return Correction(found["new"] or found["new2"], found["old"] or found["old2"])


_ENDS = LazyPattern(r"[.!?](?=\s)|[。！？\n]")


def _clean(text: str) -> str:
    plain = text.strip(" \t\n,.!?…~*\"'“”。！，：:;；-—")
    for _ in range(2):
        plain = _TRAILING.sub("", plain).strip(" ,，。.!！:：")
    return plain
