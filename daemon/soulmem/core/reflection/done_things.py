"""Things done: a verb and what it was done to, for deeds that no table holds ("restored the boat", 修了一下午收音机).

Called by `deed_reader` for the words behind who did it. Verbs that mean little by themselves, and things that mean
little, are none. Pure; a clause of at most 330 characters is looked at once.
"""

# ruff: noqa: E501 (words stand on long lines, as tables)

from __future__ import annotations

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.chinese_segmenter import is_noun, word_spans
from soulmem.core.text.tokens import stemmed
from soulmem.fast_dataclasses import dataclass

_OF = r"(?:the|my|our|some|a|an|another|two|three|more)"
_THING = CaselessPattern(
    rf"(?P<verb>[a-z]{{3,14}})(?: (?:on|at|for|up|in))? (?:{_OF} (?:(?:few|bit of|lot of|piece of) )?)?(?P<thing>[a-z][a-z-]{{2,20}}(?: [a-z][a-z-]{{2,20}})?)\b"
)
_PAST = frozenset(
    "taught wrote read drew sang rode drove flew built made grew fed cut sewed sold swept dug rowed shot knitted ground wove spun threw caught".split()
)
# Verbs that end like a past tense or mean next to nothing without more words, and things that are none.
_EMPTY_VERBS = frozenset(
    """
    need feed speed agreed wanted needed tried started stopped finished ended decided liked loved hated asked told said called
    looked seemed turned moved happened used worked talked walked stayed lived planned hoped wished managed forgot forced
    learned noticed realised realized remembered thought showed helped changed arrived reached opened closed closed received
    passed missed waited allowed offered promised expected followed ordered paid bought left returned dropped picked kept
    bumped cried laughed smiled died added guessed supposed watched listened checked mentioned joined enjoyed tired scared
    annoyed worried bored excited stressed relieved exhausted
    """.split()
)
_EMPTY_THINGS = frozenset(
    """
    thing things something anything everything nothing day time way bit lot night week month year hour hours minutes people
    person someone somebody everyone everybody him her them you it that this there here home back more too again well just
    much very really same one ones other another work today tonight yesterday morning afternoon evening all out away down
    off over together until till after before because when where what why how with without about around and but for from
    """.split()
)
_STOPS = frozenset(
    """
    and but for from with without about around at in on to of this that today tonight yesterday last again all until till
    after before because when where while so too then his her their our my the a an by into onto some any
    """.split()
)
_DONE_ZH = LazyPattern(
    r"(?P<verb>教|织|缝|修|种|剪|录|拍|养|拼|刻|捏|编|翻译|采|摘|腌|酿|煮|炖|泡|唱|刷|练|学|写|读)(?:了|过|完)?"
    r"(?:[一二两三四五六七八九十半几\d]+(?:个|只|张|本|首|篇|盆|份|件|条|道|幅|段|章|页|集|期|小时|个小时|个多小时|下午|上午|晚上?|天|会儿?|遍)(?:的)?)?(?P<thing>[\u4e00-\u9fff]{2,6})"
)
_EMPTY_ZH = frozenset(
    "时候 东西 事情 今天 昨天 晚上 一下 起来 出来 下来 我们 他们 大家 会议 过来 过去 工作 日子 感觉 那个 这个 什么 时间".split()
)


@dataclass(frozen=True, slots=True)
class Thing:
    name: str
    english: str = ""
    chinese: str = ""


def thing_done(rest: str) -> Thing | None:
    """What was done to what, by the words behind who did it; None where they say nothing of the kind."""
    return _english(rest) if rest.isascii() or rest[:1].isascii() else _chinese(rest)


def _english(rest: str) -> Thing | None:
    match = _THING.match(rest)
    if match is None:
        return None
    verb, words = match["verb"].lower(), match["thing"].lower().split()
    if verb in _EMPTY_VERBS or not (verb in _PAST or (verb.endswith("ed") and len(verb) > 4)):
        return None
    if len(words) > 1 and (words[1] in _STOPS | _EMPTY_THINGS or words[1].endswith("ly")):
        words = words[:1]
    if words[0] in _STOPS or words[-1] in _EMPTY_THINGS or words[0] in _EMPTY_THINGS:
        return None
    between = rest[match.end("verb") : match.start("thing")].strip()
    article = between.split()[-1] if between else ""
    said = " ".join(filter(None, (verb, _said_with(between, article), *words)))
    return Thing(f"{stemmed(verb)} {stemmed(words[-1])}", said)


def _said_with(between: str, article: str) -> str:
    """The words between verb and thing as they are said of several times: "the" of a certain one, else none."""
    first = between.split()[:1]
    lead = first[0] if first and first[0] in {"on", "at", "for", "up", "in"} else ""
    return " ".join(
        filter(
            None, (lead, "the" if article in {"the", "my", "our"} else "a" if article in {"a", "an", "another"} else "")
        )
    )


def _chinese(rest: str) -> Thing | None:
    match = _DONE_ZH.search(rest)
    if match is None:
        return None
    spans = word_spans(match["thing"])
    words = [match["thing"][low:high] for low, high in spans]
    thing = ""
    for word in words[:2]:
        if len(word) > 1 and word not in _EMPTY_ZH and is_noun(word):
            thing = word
    if not thing:
        return None
    return Thing(f"{match['verb']}{thing}", "", f"{match['verb']}了{{n}}{thing}")
