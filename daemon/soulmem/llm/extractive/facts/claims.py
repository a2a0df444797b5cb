"""Statements about somebody read as claims: whose, which relation, what, and whether it still holds.

Facts come worded in third person ("Caroline lives in Denver", 小红住在北京), as `self_facts` or a model wrote them, or in
first person as clients say them. A claim is read by strict patterns; what they do not know is compared by words
(`reconcile`). Relations are exclusive (one value at a time: a home, a job, a name) or additive (likings, belongings).
"""

# ruff: noqa: E501 (a pattern and its relation stand on one line, as a table)

from __future__ import annotations

import re
from dataclasses import replace

from soulmem.core.facts.chinese_fact_patterns import JOBS
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.tokens import fold
from soulmem.core.text.word_file import read_rows
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.language.sentence_splitter import CJK
from soulmem.llm.extractive.wording.comparable_wording import without_day

SELF = "self"
ENDS = "ends"  # the relation of a claim that something is done no more


@dataclass(frozen=True, slots=True)
class Claim:
    """`relation` names what is said of `subject`; `lapsed`: it is said to hold no more, `past`: to have held once."""

    subject: str
    relation: str
    object: str
    lapsed: bool = False
    past: bool = False


_PRONOUNS = frozenset("he she it they this that we you there 他 她 它 他们 她们 这 那 你 您 我们 你们 咱们".split())
_REPORTED = LazyPattern("[说称觉]")  # what somebody says of another is no claim of ours
_ADVERBS = r"(?:(?:now|currently|still|also|really|just|recently|always|actually|finally|mostly|usually|already|truly|absolutely) )*"
_WHO = r"^(?P<s>I|the user|user|(?-i:[A-ZÀ-Þ])[\w-]*(?: (?-i:[A-ZÀ-Þ])[\w-]*){0,2}|[A-Za-z]+|[\u4e00-\u9fff]{1,4})"
_OBJECT = r"(?P<o>[^.;!?]{1,80}?)[.!]*$"
_JOB_END = r"(?:nurse|doctor|teacher|chef|cook|pilot|baker|lawyer|student|artist|coach|vet|guide|clerk|intern|judge|\w+(?:er|or|ist|ian|ant|ent|man|woman))"

_CHINESE_WHO = r"^(?P<s>用户|[\u4e00-\u9fff·]{1,4}?|[A-Za-z][\w ]{0,20}?)\s?"
_CHINESE_OBJECT = r"(?P<o>[^。；！？;!?]{1,40}?)(?:了)?[。！]*$"
_ADVERBS_ZH = r"(?:现在|目前|如今|最近|刚|又|也|还是|一直|已经|其实|真的|很|非常|特别|超级?|最近|平时|经常|常|每天|每周|每年|天天|只|都){0,6}"
_CHINESE_JOB = rf"(?:[\u4e00-\u9fff]{{0,8}}(?:{JOBS}|员|学生|者))"
_ROWS = read_rows("llm/extractive/facts/claims.txt", globals())
_ENGLISH = tuple((of, CaselessPattern(rf"{_WHO}{pattern}")) for lang, of, pattern in _ROWS if lang == "en")
_CHINESE = tuple((of, LazyPattern(rf"{_CHINESE_WHO}{pattern}")) for lang, of, pattern in _ROWS if lang == "zh")

# "Any more" within 160 characters of its "not": farther off nobody says it, and each "not" would be read to the end.
LAPSED = CaselessPattern(
    r"\bno longer\b|\b(?:not|n['’]t) (?P<rest>.{0,160}?) ?(?:any ?more|any longer)\b|\b(?:any ?more|any longer)\b|\b(?:stopped|quit|gave up|has stopped|has quit|has given up)\b(?: (?=\w+ing))?|(?:已经)?不再|再也不|戒(?:掉)?了?|(?:已经)?不(?=[^，。]{1,10}了[。！]?$)"
)
_PAST = CaselessPattern(
    r"\bused to (?:be (?=an? |single|married|engaged))?|\bformerly\b|\bpreviously\b|\bonce\b(?= (?:lived|worked|owned|liked))|以前|曾经|曾|过去|原来|从前|之前"
)
_DENIED = CaselessPattern(
    r"\b(?:does|do|did|is|are|am|was)(?: not|n['’]t)\b|\bnever\b|(?<!受)[不没](?!喜欢|爱|错|过(?!敏)|同)(?:有)?"
)
_TAIL = CaselessPattern(
    r"[,，]? ?\b(?:now|currently|these days|at the moment|nowadays|again|too|as well|very much|a lot|so much|with \w+|since .*|for (?:the )?(?:last|past|\w+) (?:years?|months?|weeks?).*)$|(?:现在|目前|呢|啊|呀|吧)$"
)
_BASE = {"live": "lives", "work": "works", "like": "likes", "love": "loves", "own": "owns", "play": "plays", "have": "has", "hate": "hates", "smoke": "smokes", "drink": "drinks", "eat": "eats", "study": "studies", "enjoy": "enjoys", "speak": "speaks", "drive": "drives"}  # fmt: skip
_GERUND = {"living": "lives", "working": "works", "liking": "likes", "playing": "plays", "smoking": "smokes", "drinking": "drinks", "eating": "eats", "collecting": "collects", "driving": "drives", "studying": "studies", "being": "is"}  # fmt: skip
_PAST_VERB = {
    "lived": "lives",
    "worked": "works",
    "liked": "likes",
    "loved": "loves",
    "owned": "owns",
    "was": "is",
    "studied": "studies",
}
_BARE = CaselessPattern(r"\b(?:" + "|".join((*_BASE, *_GERUND, *_PAST_VERB)) + r")\b")
# "Anna gave up coffee", 小红戒了咖啡: what has ended, whatever it was done with.
_ENDED = CaselessPattern(
    r"^(?P<s>[\w ]{1,30}?|[\u4e00-\u9fff]{1,4}?)\s?(?:has |have )?(?:quit|gave up|given up|stopped|戒(?:掉)?了?|不再|再也不)\s?(?P<o>[^.;。；！!]{1,40}?)(?:了| any ?more)?[.。！!]*$"
)
_ONCE = CaselessPattern(r"^(?P<s>\S+(?: \S+)?) (?:once )?(?P<v>lived|worked)\b")
_SMOKE = CaselessPattern(r"^(?P<s>.{1,30}? )smok(?:es?|ing)[.!]*$")


def claim_of(text: str) -> Claim | None:
    """The claim a short statement makes; None where its form is not known."""
    plain = without_day(text).strip()
    if not plain or len(plain) > 200 or re.search(r"[?？\n]", plain):
        return None
    once = _ONCE.match(plain)
    if once is not None:
        plain = f"{once['s']} {_third(once['v'].lower())}{plain[once.end() :]}"
    ended = _ENDED.match(plain)
    lapsed, past = LAPSED.search(plain) is not None, _PAST.search(plain) is not None
    if lapsed:
        plain = LAPSED.sub(lambda match: match["rest"] or "", plain, count=2)
        plain = re.sub(r"\b(?:does|do|is|am|are)$|\b(?:does|do)(?=n['’]t| )|n['’]t\b", "", plain)
    if past:
        plain = _PAST.sub("", plain)
    denied = _DENIED.search(plain) is not None and not lapsed
    if denied:
        plain = re.sub(
            r"\b(?:does|do|did)(?: not|n['’]t)\b|(?<=\bis) not\b|(?<=\bis)n['’]t\b|\bnever\b|[不没]有?(?!喜欢|爱)",
            "",
            plain,
        )
    plain = " ".join(plain.split())
    if lapsed or past or denied:
        plain = _BARE.sub(lambda match: _third(match[0].lower()), plain, count=1)
    claim = _parsed(_SMOKE.sub(r"\g<s>smokes tobacco", plain))
    if claim is None and ended is not None:
        claim = Claim(_subject(ended["s"]), ENDS, fold(ended["o"].strip()))
    if claim is None or claim.subject in _PRONOUNS or _REPORTED.search(claim.subject):
        return None
    if once is not None:  # it was so; whether it still is, is not said
        return replace(claim, relation=f"once {claim.relation}")
    if claim.relation == "dislikes":
        return replace(claim, relation="likes", lapsed=not lapsed, past=past)
    return replace(claim, lapsed=lapsed or denied, past=past)


def is_denied(text: str) -> bool:
    """Whether a statement says that something is not so."""
    return _DENIED.search(text) is not None or re.search(r"不(?:喜欢|爱)", text) is not None


def _third(verb: str) -> str:
    return _BASE.get(verb) or _GERUND.get(verb) or _PAST_VERB.get(verb) or verb


def _parsed(text: str) -> Claim | None:
    text = re.sub(r"^My\b", "I's", text)
    text = re.sub(r"^我的(?=[\u4e00-\u9fff])", "我的", text)
    for patterns in (_CHINESE, _ENGLISH) if CJK.search(text) else (_ENGLISH,):
        for relation, pattern in patterns:
            match = pattern.match(text)
            if match is None:
                continue
            groups = match.groupdict()
            value = _TAIL.sub("", (groups.get("o") or groups.get("o2") or "").strip(" ,，'\"“”"))
            value = _TAIL.sub("", value).strip(" ,，")
            if value:
                return Claim(_subject(match["s"]), _relation(relation, groups, value), value)
    return None


def _relation(relation: str, groups: dict[str, str | None], value: str) -> str:
    """The relation with what it is of: `favourite:colour`, `called:sister` (a name) and `is:sister` (anything else)."""
    of = fold((groups.get("k") or "").strip())
    if relation == "activity":
        of = of if CJK.search(of) else of.removesuffix("s")
    if relation != "is":
        return f"{relation}:{of}" if of else relation
    named = groups.get("called") or re.fullmatch(r"[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)?", value)
    return f"{'called' if named else 'is'}:{of.removesuffix(' name')}"


def _subject(raw: str) -> str:
    subject = fold(raw.strip())
    return SELF if subject in {"i", "me", "我", "user", "the user", "用户", "my", "本人"} else subject
