"""Remarks: what a companion says back to what it was told, and tells nothing of its own by it; Chinese and English.

Asked by `omission_reasons` for what the mind itself says. Whoever listens to a life knows of it what he was told: sympathy,
praise, advice, a guess or a joke about it is no news of anybody, while "I grew up by the sea" is. A sentence is a remark
where it has no event of the companion's own, names nobody and no number that the other has not named, and says little
that the other has not said. Invariants: what answers a question of the other, or a sentence with a name or number of
its own, is never a remark, nor is advice of some content; in doubt, at some length, it is none either. Pure; linear in the text.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

import re

from soulmem.core.names.name_recogniser import find_names
from soulmem.core.regex.lazy_regex import HAN_WIDE, CaselessPattern, LazyPattern
from soulmem.llm.extractive.language.content_words import amount, content_terms
from soulmem.llm.extractive.reading.assertions import ENGLISH_PREDICATE

# Words of content that the other has not said, from which on a sentence is more than a remark.
_MUCH, _MUCH_CHINESE, _SOME = 4.0, 6.0, 2.0
_FIGURE = LazyPattern(r"\d+|[零一二三四五六七八九十百千万两]{2,}")
_COUNTED = LazyPattern(r"\d|[零一二三四五六七八九十百千万两]{2,}[个只条岁年月日号块元点斤人次天周]")
_QUOTED = LazyPattern(r"《[^》]+》|[“\"「][^”\"」]{2,}[”\"」]")
_DOUBLED = LazyPattern(r"([\u3400-\u9fff])\1([\u3400-\u9fff])\2")  # 热热闹闹 names nobody
_SAYING = LazyPattern(r"[“\"「][^”\"」]*[”\"」]")
_YOU = CaselessPattern(r"\b(?:you|your|yours|yourself|u|ur|dear|honey)\b|[你您]")

# What is said of oneself, and is only how one takes what one hears.
_OWN = CaselessPattern(r"\b(?:i|my|mine|we|our)\b")
_TAKES_IT = CaselessPattern(
    r"\bi(?:['’]d|['’]ll| would| will| shall| can| could| should| must| may| might| do| did)?(?:n['’]t| not)?\b,? ?(?:(?:still|just|only|also|already|really|truly|never|always|certainly|definitely|so|do|quite|gladly|almost|nearly) )*"
    r"(?:hope|wish|bet|expect|reckon|dare ?say|think|thought|know|knew|believe|understand|feel|imagine|promise|swear|vow|love|adore|admire|like|see|saw it coming|hear|trust|guess|suppose|envy|agree|doubt|remember|forget|keep|note|see what|taste|picture|wait|help|blame|be|have (?:laughed|cried|loved|done|written|made|noted|corrected)|pay|appreciate|respect|salute|get (?:it|that|you)|mean|say so|dream of it|come|listen|pray|give|tell|remind|hold|wonder|want)\b"
    r"|\bi(?:['’]d| would| should) (?:so |really )?(?:have )?(?:liked?|loved?|enjoyed?)\b"
    r"|\bi(?:['’]ve| have) (?:\w+ )?(?:written|noted|corrected|made a note|saved|got it|kept|remembered)"
    r"|\b(?:i['’]m|i am|im|i was) (?:(?:so|very|really|truly|just|always|all|right|still|only|quite|a bit|a little|not|absolutely|too|such|genuinely|deeply) )*"
    r"(?:sure|certain|sorry|glad|happy|pleased|delighted|thrilled|touched|moved|proud|impressed|jealous|envious|relieved|excited|honou?red|curious|afraid|here|listening|with you|on (?:it|your side)|over the moon|in love|rooting|praying|thinking of|keeping|crossing|cheering|looking forward|all ears|a (?:fan|big fan)|joking|kidding|teasing|grateful|thankful|smiling|laughing|blushing|speechless|amazed|surprised|shocked|sad|heartbroken|worried|going nowhere|not going)\b"
    r"|^\W*(?:can['’]?t|couldn['’]?t|didn['’]?t|would|won['’]?t|will) "
)
_OWN_THINGS = CaselessPattern(
    r"\b(?:my|our) (?!pleasure|heart|fingers|ears?|mind|thanks|prayers|blessings?|hands?|dear|word|lips|best|goodness|god|friend|darling|love|lord|thoughts|condolences|apologies|hat|pie|counter|turn|warmest)\w"
)
_TAKES_IT_ZH = LazyPattern(
    r"^(?:[们也就都还可却很好会能最]|真的?|已经|一定|肯定|绝对|永远|一直|可以)*+(?:不[问说提催吵笑]|会记|就不|这就|想听|想看|想摸|愿意|相信|信你|觉得|希望|知道|晓得|理解|懂|明白|替|为你|为他|为她|陪|帮|给你|跟你|和你|与你|记|羡慕|佩服|敬重|敬佩|心疼|惦记|祝|等|听|看好|嘴严|不会|不急|不催|从不|不说|谁也|放心|支持|保证|答应|发誓|猜|在(?:这|呢|的|$)|绝不|不忘|高兴|开心|感动|欣慰|骄傲|爱听|同意|投|给他|给她|夸|向|抱|摸|服了|懂了|闭嘴|守|收着|收好|就说|陪着)"
)
# What one would or will not do, and what one thinks of what one hears.
_WOULD = CaselessPattern(
    r"\b(?:i|we)(?:['’]d|['’]ll| could| might| would| will| won['’]?t| shall| should)\b|\btempted\b"
)
_JUDGES = CaselessPattern(
    r"(?:oh,? )?(?:that|it|this)(?:['’]s| is| was| sounds) (?:such |really |so |very )?(?:an? )?\w+\W*"
)
# What one will do then, said back to what one hears: "Then I shall sit up straight", 那就从头说起.
_FOLLOWS = CaselessPattern(
    r"^\W*(?:well,? )?(?:then|in that case),? (?:i|we)(?:['’]ll|['’]d| shall| will| would| should| had better)\b"
    r"|^\W*那(?:就|我|我们|咱们?|可?得|先)(?!是|像|在|有)"
)
# Advice is worth keeping, whoever follows it.
_ADVISES = CaselessPattern(
    r"\byou (?:should|could|might|ought|need to|had better)\b|\btry (?:to )?\w+|你(?:可以|应该|不妨|要不|最好|试试)|建议你"
)
# What is said of others by guess, wish or judgement.
_GUESSES = CaselessPattern(
    r"\b(?:must(?: have)? (?:be|been|feel|mean)|surely|no doubt|i bet|sounds? (?:like|so|very|\w+)|bless|god bless|may (?:he|she|it|they|you)|deserves?|poor \w+|what an? |how \w+[!.]?$)"
    r"|一定|肯定|想必|准(?:是|会|能)|应该|估计|真(?:是)?(?:个)?(?:好|棒|乖|孝顺|懂事|能干)|难怪|怪不得|愿|祝|听起来|听着|看来|可真|可别|千万|吉人|替(?!班|补|代|身|换)|辛苦|慢点|平平?安|注意安全|(?:跟|和|找|对)我(?:说|聊|讲)|真的?(?:很|好|太|不错|有)"
)


def is_remark(text: str, name: str, heard: str, *, answers: bool = False, fact: bool = False) -> bool:
    """Whether what a companion says is only a remark on what it was told.

    `name`: of the companion, who may speak of itself by it; `heard`: what the other said of late, and the names of who
    speaks; `answers`: the other asked for something; `fact`: a fact is read from it.
    """
    chinese = HAN_WIDE.search(text) is not None
    own, takes = _own_chinese(text, name) if chinese else _own_english(text, name)
    fresh = amount(content_terms(text) - content_terms(heard) - content_terms(name))
    if not own and not answers and fresh < _SOME and _COUNTED.search(text) is None:
        return True  # 六六大顺: a saying has its numbers too
    advises = fresh >= _SOME and _ADVISES.search(text) is not None
    if (
        not answers
        and not advises
        and _FOLLOWS.match(text)
        and not _has_own_figures(_SAYING.sub("", text), name, heard)
    ):
        return True
    if _has_own_figures(text, name, heard):
        return False
    if fact and own:
        return False
    if answers:
        return (takes or _JUDGES.fullmatch(text) is not None) and fresh < _SOME
    if advises:
        return False
    of_other = _YOU.search(text) is not None
    if own and not takes:
        return fresh < _SOME and (of_other or (not chinese and (fresh < 1 or _WOULD.search(text) is not None)))
    if _GUESSES.search(text) or (of_other and not own):
        return True
    return fresh < (_MUCH_CHINESE if takes and (chinese or of_other) else _MUCH)


def _has_own_figures(text: str, name: str, heard: str) -> bool:
    """Whether it says a number or a title of its own, or something of somebody whom the other has not named."""
    if any(figure not in heard for figure in _FIGURE.findall(text)) or _QUOTED.search(text):
        return True
    if HAN_WIDE.search(text) is None and ENGLISH_PREDICATE.search(text) is None:
        return False  # a name called
    known = f"{heard} {name}".casefold()
    return any(each.name.casefold() not in known for each in find_names(_DOUBLED.sub("", text)))


def _own_english(text: str, name: str) -> tuple[bool, bool]:
    """Whether it speaks of itself, and only of how it takes what it hears."""
    plain = re.sub(rf"\b{re.escape(name)}\b", "I", text) if name else text
    if _OWN_THINGS.search(plain):
        return True, False
    return _OWN.search(plain) is not None, _TAKES_IT.search(plain) is not None


def _own_chinese(text: str, name: str) -> tuple[bool, bool]:
    own = rf"(?:我们?|咱们?{'|' + re.escape(name) if name else ''})"
    begun = re.findall(
        rf"(?:^|[，。！？；、,!?;\s])[^，。！？；、,!?;你您让替找跟来和给陪对向帮请说]{{0,6}}{own}([^，。！？；、,!?;]*)",
        text,
    )
    return bool(begun), all(not tail or _TAKES_IT_ZH.match(tail) for tail in begun) and bool(begun)
