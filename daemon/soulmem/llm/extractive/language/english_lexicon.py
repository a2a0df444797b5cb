"""English words for the extractive engine."""

# Words stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.llm.extractive.language.lexicon import Lexicon, Openings
from soulmem.llm.extractive.language.life_topics import WORDS


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


def _topic(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)


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

ENGLISH = Lexicon(
    language="en",
    stop=STOP,
    generic=GENERIC,
    small_talk=re.compile(
        r"\W*+(?:(?:hey|hi|hello|yo|good (?:morning|evening|afternoon|night|day|to (?:see|hear|chat)\b[^.!?]*)|bye|goodbye|"
        r"see (?:you|ya)|talk (?:to you )?(?:soon|later)|take care|thanks?|thank you|thx|cheers|no problem|you'?re welcome|"
        r"how are you|how have you been|how'?s it going|what'?s (?:up|new)|long time no (?:see|talk)|nice to (?:see|meet|hear)|"
        r"congrat\w*|good luck|have (?:a )?(?:fun|great|good|nice)|wow|haha+|lol|ok|okay|sure|cool|great|nice|awesome|amazing|"
        r"(?:that|it)(?:'s| is| sounds?) (?:so |really |very |super |pretty )?(?:great|awesome|amazing|cool|nice|good|wonderful|fantastic|"
        r"lovely|sweet|true|fun|funny|incredible)|sounds? (?:so |really )?(?:great|good|fun|awesome|amazing|nice|wonderful)|way to go|"
        r"keep (?:it )?up|you(?:'ve)? got this|catch (?:you|ya)|same here|me too|i['’]m (?:good|fine|okay|ok|alright|all right|great|doing (?:well|good|great|fine|okay|ok|alright))(?! at\b| with\b)|i (?:totally |completely |so )?agree|"
        r"can'?t wait|sweet dreams|sleep well|no worries|(?:so |i['’]m |i am )*sorry to hear)\b)(?:[\s,!.]++[\w'’]++){0,4}\W*+",
        re.IGNORECASE,
    ),
    openers=re.compile(
        rf"(?:(?:oh|ok|okay|well|hey) (?:and|so|but) |{_OPENER}(?:,? (?:\w+)(?=!))?\s*[,!.…–—-]+\s*)+", re.IGNORECASE
    ),
    first_person=re.compile(r"\b(?:i|i['’](?:m|ve|ll|d)|my|me|mine|we|we['’](?:re|ve|ll|d)|our|us)\b", re.IGNORECASE),
    second_person=re.compile(r"\b(?:you|your|yours|you['’](?:re|ve|ll|d)|y'all)\b", re.IGNORECASE),
    praise=re.compile(
        r"\b(?:i['’]m|i am|i feel|i was)? ?(?:so |really |very |super )?(?:glad|happy|proud|sorry|thrilled|stoked|excited|impressed)\b.{0,24}\byou"
        r"|\bi (?:really |totally |so )?(?:love|like|hope|appreciate|admire|agree|know|bet|see|believe|wish)\b.{0,24}\byou"
        r"|\b(?:your|you['’]re|you are|you['’]ve|you have|you must|you should|you look|you can)\b",
        re.IGNORECASE,
    ),
    address="you",
    anaphor=re.compile(
        r"^(?:and |but |so |plus,? |also,? |then |yeah,? |yes,? )?(?:he|she|it|they|these|those|this|that|there|his|her|their|both|been there)\b"
        r"|\b(?:it|them|that one|those|these|this one|there)\b",
        re.IGNORECASE,
    ),
    reply=re.compile(
        r"(?:yes|yeah|yep|yup|yea|no|nope|nah|not|never|of course|sure|definitely|absolutely|i (?:did|do|am|was|have|will))\b",
        re.IGNORECASE,
    ),
    happening=re.compile(
        rf"\b(?:i|we|my \w+|he|she|they|(?:the|an?|this|our|his|her|their|some|two|three) (?:[\w'’-]+ ){{0,2}}?[\w'’-]+|(?-i:[A-Z])[\w'’-]+)"
        rf"(?: (?:just|recently|also|even|actually|finally|once|already|never))? {_PAST}\b"
        r"|\b(?:i['’]ve|we['’]ve|i have|we have) (?:just |recently |been |already |finally )*\w+(?:ed|en|ne|ng)\b",
        re.IGNORECASE,
    ),
    number=re.compile(
        rf"\d|\b(?:{'|'.join(_NUMBER_WORDS)})\b",
        re.IGNORECASE,
    ),
    self_description=re.compile(
        r"\b(?:allergic|my (?:name|birthday|favou?rite|job|sister|brother|mom|mum|mother|dad|father|wife|husband|son|daughter|"
        r"girlfriend|boyfriend|partner|boss|dog|cat|hobby|hometown|address|phone|allergy)\b|i(?:['’]m| am) (?:an? |the |allergic|"
        r"from|afraid|vegan|vegetarian|\d|married|single|engaged|pregnant|working|studying|learning|majoring)|i (?:live|work|study|hate|prefer|"
        r"can['’]t stand|own|play|collect|speak|grew up|was born|used to|no longer)\b|i have (?:an?|two|three|four) )",
        re.IGNORECASE,
    ),
    topics=tuple((topic, _topic(words)) for topic, words in WORDS["en"].items()),
    positive=_topic(
        r"love[ds]?|happy|happi\w+|joy\w*|great|awesome|amazing|wonderful|excit\w+|proud|glad|fun|beautiful|best|enjoy\w*|fantastic|"
        r"delight\w*|thrilled|grateful|thankful|won(?!['’]t)|success\w*|perfect|relax\w*|calm\w*|hope\w*|laugh\w*|smile[ds]?|lucky|favou?rite|"
        r"delicious|celebrat\w+|inspir\w+"
    ),
    negative=_topic(
        r"sad\w*|hate[ds]?|angry|anger|afraid|scared|fear\w*|worr\w+|anxious|anxiety|lonely|cry|cried|tears|pain\w*|hurt\w*|sick|died|"
        r"death|lost|loss|terrible|awful|horrible|bad|worst|stress\w*|tired|exhaust\w+|fail\w*|broke\w*|fight|fought|upset|"
        r"disappoint\w+|accident|cancer|divorc\w+|fired|stole\w*|regret\w*|tough|struggl\w+|miss(?:ed)? (?:him|her|them|my)|ill"
    ),
    negation=re.compile(
        r"\b(?:not|no|never|n['’]t|don['’]t|didn['’]t|isn['’]t|wasn['’]t|can['’]t|hardly|without)\b", re.IGNORECASE
    ),
    negation_reach=12,
    number_words=frozenset(_NUMBER_WORDS),
    openings=Openings(list(WORDS["en"].values())),
)
