"""English words for the extractive engine."""

# ruff: noqa: E501 (words stand on long lines, as tables)

from __future__ import annotations

from typing import Any

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.word_file import read_rows
from soulmem.llm.extractive.language.lexicon import WORDS, Lexicon, Openings


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


def _topic(pattern: str) -> LazyPattern:
    return CaselessPattern(rf"\b(?:{pattern})\b")


STOP = _words(
    "a an the and or but if so of to in on at for with from by as is am are was were be been being it's its it this",
    "that these those i i'm i've i'll i'd im ive me my mine myself you your you're you've yours yourself we we're we've",
    "our ours us they they're them their there there's here he he's him his she she's her hers has have had having do",
    "does did doing done don't didn't doesn't isn't aren't wasn't weren't not no nor yes yeah can can't could couldn't",
    "will won't would wouldn't should shouldn't may might must shall just really very too also even some any all both",
    "each more most much many such what what's which who whom whose how when where why up out about into onto over",
    "under than then like as well off down again ever never now once only own same other another because while until",
    "since before after through during against between without within let's lets gonna gotta kinda sorta that's who's",
    "a's 's 're 've 'll 'd n't et cetera got get gets getting one",
)
GENERIC = _words(
    "great awesome amazing cool nice wow thanks thank thx good glad happy love loved loves support sounds sound best",
    "luck congrats congratulations proud keep keeps inspiring inspire incredible wonderful fun super totally definitely",
    "sure absolutely important special beautiful lovely fantastic believe believing hard work thing things stuff way",
    "ways feel feels feeling felt time times life lives people person help helps hope hopes excited exciting know",
    "knows knew think thinks thought want wants wanted make makes made making go goes going went see seen seeing saw",
    "look looks looking forward wait strong agree journey positive impact moment moments take takes taking took care",
    "hey hi hello bye talk talking soon day days today right yep nah nope kind kinds word words mean means lot lots bit",
    "little big new old come comes coming came say says said tell told telling ask asked need needs try trying tried",
    "give gives giving gave find found always still back around actually anything something everything nothing",
    "someone everyone anyone everybody somebody guess maybe probably honestly seriously literally pretty quite ok okay",
    "haha lol lmao hehe omg aww oh ah hmm well truly perfect brilliant excellent interesting cute sweet pic picture",
    "photo share sharing shared shares appreciate enjoy enjoyed enjoying guys friend friends bring brings brought joy",
    "matter matters start starting started end better real reminder remember reminds course especially together sorry",
    "worry problem welcome chat catch missed miss long while check checking happen happened happening goal goals dream",
    "dreams passion passionate motivation motivated motivates motivating effort worth difference experience experiences",
    "memories memory enough every kinda first last next year years week month",
)
_OPENER = (
    r"(?:oh|ah|hey|hi|hello|well|so|yeah|yep|yes|yup|no|nah|ok|okay|wow|haha|lol|hmm|um|uh|aww|absolutely|totally|definitely|"
    r"sure|exactly|right|cool|nice|great|awesome|thanks|thank you|thanks so much|by the way|btw|anyway|you know|"
    r"honestly|actually|of course|good (?:morning|evening|night)|got it|agreed|true|also)"
)
_PAST = (
    r"(?:went|got|took|had|was|saw|met|did|found|bought|came|started|won|gave|lost|read|ran|made|told|felt|left|sold|ate|"
    r"wrote|drove|flew|broke|fell|grew|kept|heard|spent|taught|thought|built|chose|caught|sang|swam|wore|hurt|quit|"
    r"signed|moved|\w{2,}ed)"
)

_NUMBER_WORDS = """
    two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand twice half dozen
    """.split()

_PATTERNS: dict[str, Any] = {
    name: CaselessPattern(pattern)
    for name, pattern in read_rows(
        "llm/extractive/language/english_lexicon.txt", globals() | {"NUMBERS": "|".join(_NUMBER_WORDS)}
    )
}
ENGLISH = Lexicon(
    language="en",
    stop=STOP,
    generic=GENERIC,
    address="you",
    topics=tuple((topic, _topic(words)) for topic, words in WORDS["en"].items()),
    negation_reach=12,
    number_words=frozenset(_NUMBER_WORDS),
    openings=Openings(list(WORDS["en"].values())),
    **_PATTERNS,
)
