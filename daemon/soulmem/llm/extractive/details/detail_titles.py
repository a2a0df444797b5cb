"""Titles and favourites among the details: what was watched, read, heard or played, and what somebody likes best.

A capital or a quotation mark alone does not say what bears a name; the verb before it does: 'watched My Octopus
Teacher' is a film, 读完《边城》 a book. Called by `detail_finding`. Pure; offsets are code points.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

import re
from collections.abc import Iterator

from soulmem.core.details.gists import Kind
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.word_file import read_rows
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.details.detail_kinds import OF_WHAT

_AHEAD = 24  # characters before a title in which its verb stands
_WORD = r"[A-ZÀ-Þ0-9][\w'’&:-]{0,40}"
_JOINER = r"(?:of|the|and|in|on|to|a|an|for|with|at|from|or|de|la|le|du|is|my|&)"
_DAY = r"(?:(?:on|in|at|from) )?(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|June|July|August|September|October|November|December|Christmas|Easter)s?\b"
_TITLE = rf"{_WORD}(?: (?!{_DAY})(?:{_JOINER} ){{0,2}}{_WORD}){{0,8}}"
# Capitals on words that nobody writes so within a sentence: saw My Octopus Teacher.
_LED = LazyPattern(
    rf"(?<=[a-z,] )(?P<title>(?:My|The|A|An|Our|Your|All|No|How|When|Where|What|Who|Why) (?={_WORD}){_TITLE})"
)
_WHO_PLAYS = LazyPattern(r"\b(?:band|group|quartet|trio|orchestra|choir|DJ|act|gig)\b")

# In order: the first verb that fits tells.
_ENGLISH: tuple[tuple[Kind, LazyPattern], ...] = tuple(
    (
        Kind(kind),
        LazyPattern(
            rf"\b(?:{verbs}) (?:(?:the|all of|an episode of|series \d of|season \d of|my|his|her|their|some|a bit of) )?(?:(?:film|movie|series|show|documentary|novel|book|comic|song|album|record|podcast|band|game|musical) )?(?:called |named )?(?P<title>{_TITLE})"
        ),
    )
    for kind, verbs in read_rows("llm/extractive/details/title_verbs.txt", {})
)
_BY = LazyPattern(rf"\b(?P<title>{_TITLE}) by (?=[A-ZÀ-Þ])")
_DRIVES = LazyPattern(
    rf"\b[Dd]r(?:ives?|ove|iving) (?:an?|the|his|her|their|my|our) (?:[a-z-]+ ){{0,2}}(?P<title>{_TITLE})"
)
_FAVOURITE = LazyPattern(
    r"\b(?:favou?rite (?:\w+ )?(?P<of>[a-z]+)|(?P<type>blood (?:type|group)))s?(?: of all time| ever)? (?:is|are|was|has always been|used to be) (?:the |a |an |still |probably |definitely |by far )?(?P<what>[\w'’ &+-]{1,40}?)(?=[,.;!?:)]|$| (?:and|but|because|since|which|by|from|with|for|though|so)\b)"
)
_FAVOURITE_ZH = LazyPattern(
    r"(?:最[喜欢爱]{1,2}(?:吃|喝|看|听|玩|去)?的|偏爱的)?(?P<of>[\u4e00-\u9fff]{1,4})(?:一直|就|还)?(?:是|叫)(?P<what>[^，。！？；,.!?;\s“”《》是]{1,10})"
)
_BEST_ZH = LazyPattern(r"最(?:喜欢|爱)(?:吃|喝|看|听|玩|去)?的$")
_ALLERGIC = LazyPattern(
    r"\b(?:allergic|intolerant|allergy) to (?P<what>[^.,;:!?()\n]{2,50}?)(?=[.,;:!?)]|$| (?:but|so|since|because|which|that|as|when) | and (?:i|he|she|it|we|they|so|that|has|have|had|is|was|carries|gets|got|can|cannot|can't) )"
)
_VERBS_ZH: tuple[tuple[Kind, LazyPattern], ...] = (
    (Kind.BOOK, LazyPattern(r"(?:读|书|小说|散文|漫画|作者|翻完|看完了?.{0,4}写的)[^，。！？；]{0,10}$")),
    (Kind.MUSIC, LazyPattern(r"(?:听|唱|歌|曲子?|专辑|弹|循环)[^，。！？；]{0,10}$")),
    (Kind.GAME, LazyPattern(r"(?:玩|游戏|通关|打完)[^，。！？；]{0,10}$")),
    (Kind.FILM, LazyPattern(r"(?:看|追|电影|剧|片|刷|演|首映|综艺)[^，。！？；]{0,10}$")),
)
_BEHIND_ZH: tuple[tuple[Kind, LazyPattern], ...] = (
    (Kind.BOOK, LazyPattern(r"(?:这|那)?[本部篇]?(?:书|小说|散文|漫画)")),
    (Kind.MUSIC, LazyPattern(r"(?:这|那)?首?(?:歌|曲)")),
    (Kind.GAME, LazyPattern(r"(?:这|那)?[款个]?游戏")),
    (Kind.FILM, LazyPattern(r"(?:这|那)?[部个]?(?:电影|剧|片子?|综艺|动画)")),
)


@dataclass(frozen=True, slots=True)
class Titled:
    start: int
    end: int
    kind: Kind


def titles_in(text: str) -> Iterator[Titled]:
    """Titles that a verb tells, favourites, types, and what somebody is allergic to."""
    for kind, pattern in _ENGLISH:
        for match in pattern.finditer(text):
            start, end = match.span("title")
            while end > start and not text[end - 1].isalnum():
                end -= 1
            if text[start:end].endswith(("'s", "’s")) and " " not in text[start:end]:
                continue  # watched Tom's film
            on_stage = kind is Kind.GAME and _WHO_PLAYS.search(text, max(0, match.start() - 2 * _AHEAD), match.start())
            yield Titled(start, end, Kind.PLACE if on_stage else kind)
    for match in _LED.finditer(text):
        yield Titled(*match.span("title"), kind_of_quoted(text, *match.span("title")))
    for match in _DRIVES.finditer(text):
        yield Titled(*match.span("title"), Kind.VEHICLE)
    for match in _BY.finditer(text):
        yield Titled(*match.span("title"), Kind.TITLE)
    for match in _FAVOURITE.finditer(text):
        named = OF_WHAT.get(match["of"] or match["type"])
        if named is not None:
            yield Titled(*match.span("what"), named)
    for match in _FAVOURITE_ZH.finditer(text):
        of = next((match["of"][at:] for at in range(len(match["of"])) if match["of"][at:] in OF_WHAT), "")
        best = _BEST_ZH.search(text, 0, match.end("of") - len(of)) is not None
        if of and (best or of == "血型"):
            yield Titled(*match.span("what"), OF_WHAT[of])


def kind_of_quoted(text: str, start: int, end: int) -> Kind:
    """Of which kind a title in quotation marks or title marks is, by the words around it."""
    ahead = text[max(0, start - _AHEAD) : start]
    for kind, pattern in _VERBS_ZH:
        if pattern.search(ahead):
            return kind
    for kind, pattern in _BEHIND_ZH:
        if pattern.match(text, end):
            return kind
    words = ahead.lower()
    for kind, verbs in (
        (
            Kind.FILM,
            ("watched", "watching", "watch", "film", "movie", "series", "show", "documentary", "binged", "saw", "seen"),
        ),
        (Kind.BOOK, ("read", "reading", "book", "novel", "wrote")),
        (Kind.MUSIC, ("listened", "listening", "song", "album", "sang", "singing", "hummed")),
        (Kind.GAME, ("played", "playing", "game")),
    ):
        if any(re.search(rf"\b{verb}\b", words) for verb in verbs):
            return kind
    return Kind.TITLE


def allergens(text: str) -> Iterator[tuple[int, int]]:
    """What somebody says to be allergic to, in English; each part of "nuts and eggs"."""
    for match in _ALLERGIC.finditer(text):
        start = match.start("what")
        for part in re.split(r"(?:,| and | or )", match["what"]):
            at = text.index(part, start) if part.strip() else start
            bare = part.strip()
            lead = len(part) - len(part.lstrip())
            for word in ("the ", "some ", "all ", "most ", "any "):
                if bare.startswith(word):
                    lead, bare = lead + len(word), bare[len(word) :]
            if bare:
                yield at + lead, at + lead + len(bare)
            start = at + len(part)
