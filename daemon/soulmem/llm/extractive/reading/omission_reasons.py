"""Why a sentence is in no note: the line between what somebody told and what says nothing, Chinese and English.

Read by `statements.py`. Decided by what is said alone, never by how much room there is: a sentence is left out only
where it is recognised as courtesy, as a question or request, as praise of the other, or as words without a statement.
In doubt it is told. How much what is told is worth is left to salience and importance.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import re

from soulmem.core.grounding.small_talk import is_assent, is_courtesy
from soulmem.core.importance.importance_rating import weigh
from soulmem.core.importance.retention_periods import Level
from soulmem.core.names.self_introductions import introduced
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.schema.sentence_accounting import Untold
from soulmem.core.wordlists.important_events import Reason
from soulmem.llm.extractive.language.content_words import amount
from soulmem.llm.extractive.language.courtesies import is_about_the_talk
from soulmem.llm.extractive.language.lexicon import Lexicon
from soulmem.llm.extractive.language.sentence_splitter import Sentence
from soulmem.llm.extractive.reading.assertions import (
    CHINESE_CHANGE,
    CHINESE_EXCLAIMED,
    CHINESE_PREDICATE,
    ENGLISH_EXCLAIMED,
    ENGLISH_FILLER,
    ENGLISH_PREDICATE,
    speaks_to_the_other,
)
from soulmem.llm.extractive.reading.companion_remarks import is_remark

_LONGEST_WORD = 45  # letters; what is longer is no word
_LITTLE = 2.0  # words of content
_FEW_WORDS = 4
# What is left of a sentence whose end was taken out of the message: 养了一只叫, "my sister is called".
_CUT_OFF = CaselessPattern(
    r"(?:[只个条位名][^，。！？]{0,3}叫做?|名叫|(?<![不还但可要就正总])(?<![处地屋身山街院脸手头上里外]都)是|把|被|(?:[了着过有养买送给见来去要只共剩]|^)[一两几][只个条位名]|[一两几][只个条位名]叫|以及|因为|\b(?:called|named|the|an|(?-i:a)|and|or|of|with|my|your|because))$"
)
_NO_WORDS = CaselessPattern(
    r"\W++|\W*+(?:https?://\S++|www\.\S++|[\w.+-]++@[\w-]++\.[\w.]++)\W*+|\W*[.+-]@[\w-]++\.[\w.]++\W*+"
)

_AUX = r"(?:is|are|am|was|were|do|does|did|can|could|will|would|should|shall|have|has|had|may|might|must)(?:n['’]?t)?"
_ENGLISH_LEAD = r"\W*+(?:(?:and|but|so|oh|wow|hey|hi|hello|well|yeah|yes|no|ok|okay|btw|by the way|sorry|please|also|then|thanks|haha|lol|anyway)\b[\s,!.…–-]*){0,6}"
_ENGLISH_ASKS = CaselessPattern(
    rf"{_ENGLISH_LEAD}(?:(?:what|who|whom|whose|where|when|why|how|which)(?:['’]s|['’]re|['’]d|s)?\s+(?:\w+\s+)?(?:{_AUX}|about|you|u|ya|your|else|come)\b"
    rf"|(?:what|who|where|when|how|why)['’](?:s|re|d)\b|(?:what|how|why) (?:about|not)\b|(?:what|why|how|where|who|when)\W*$"
    r"|(?:do|does|did|are|is|was|were|can|could|will|would|have|has|should|shall|may)(?:n['’]?t)? (?:you|u|ya|your|we|i|it|he|she|they|that|this|there|the|any|anyone|anybody)\b"
    r"|(?:any|some) (?:idea|ideas|tips|advice|thoughts|suggestions?|recommendations?)\b)"
)
_ENGLISH_REQUESTS = CaselessPattern(
    rf"{_ENGLISH_LEAD}(?:(?:can|could|would|will) you |please |kindly )*(?:write|explain|translate|summari[sz]e|generate|describe|define|rewrite|rephrase|proofread|brainstorm|"
    r"tell me (?:a|an|more|about(?! it\b[.!,])|what|how|why|who|where|when|the)|give me|show me|list|suggest|recommend|compare|continue|elaborate)\b"
)
_CHINESE_ASKS = LazyPattern(
    r"(?:吗|(?<![那这要多])么)\W*$|^.{0,5}呢\W*$|(?:什么|怎么|哪|谁|(?<![那这好十])几|多少|为什么|是不是|有没有|要不要|能不能|好不好|干嘛|如何|咋)[^，,。]{0,12}呢?\W*$(?<![。！!~～])"
    r"|^\W*(?:你|您|请问)[^，,]{0,12}(?:什么|怎么|哪|谁|几|多少|为什么|是不是|有没有)|^\W*(?:为什么|怎么|谁|哪里|什么时候)[^，,。]{0,12}$"
)
_CHINESE_INDEFINITE = LazyPattern(
    r"[斤块岁点个]几重?|(?:[都也不没]|什么都|谁都|哪都|怎么也|怎么都|不管|无论|随便)[^，,。]{0,8}$|不知道|忘了|想不起|没什么|不怎么|好几|十几|几[个天年次岁分只条本]了"
    r"|(?:[跟和与同约带叫请]|一起)[了上]?几[个位]|[了过]几[个只本次件张杯位条天块]|几[个位][^，,。]{0,3}[友伴](?=[^，,。]{2})|[多再先][\u4e00-\u9fff]几[\u4e00-\u9fff]"
)
# 你觉得我要不要染头发 asks for advice; 我在想要不要换工作 tells what somebody thinks of.
_ADVICE_ZH = LazyPattern(
    r"^\W*(?:[你您](?:觉得|说|看|认为)我[^，,。]{0,6}(?:[能可]不[能可]以?|需不需要)[^，,。]{1,14}$"
    r"|(?:[你您](?:觉得|说|看|认为))?我[^，,。想考犹纠问说怕不]{0,6}(?:要不要|该不该|应不应该)[^，,。]{1,14}$)"
)
_CHINESE_REQUESTS = LazyPattern(
    r"^\W*(?:请|麻烦|能不能|可以|你)?(?:你)?(?:帮我|给我|替我)?(?:再)?(?:写[一首个篇段]|解释|翻译|总结|列出|列举|讲个|讲一个|推荐|介绍|描述|续写|改写|润色|说说|告诉我)"
)
# What only announces a list: "things you need to know about me:", 记住三件事：
_HEADING = CaselessPattern(
    r"[^.!?]{0,90}\b(?:things?|rules?|facts?|points?|reasons?|updates?|news)\b[^.!?:]{0,60}:"
    r"|[^。！？：]{0,24}(?:[件条点样]事?|如下|记住|听好|规矩)[^。！？：]{0,8}[：:]"
)
# A question that tells something: "did I tell you that …", "…, remember?", 我跟你说过……吗.
_TELLS_BY_ASKING = CaselessPattern(
    r"\b(?:did i (?:ever |already )?(?:tell|mention|say)|have i (?:ever |already )?(?:told|mentioned)|(?:do|did) you (?:know|remember|hear|see) (?:(?:that |how |when )?(?:i|we)|(?:that|how) (?:my|our))\b|guess (?:what|who)|why (?:on earth )?(?:do|does|is|are|did|has|have|must|would|can['’]?t|won['’]?t) (?:my|our) |can (?:you|u|ya) believe(?: (?:that|it))?,? (?:i|my|we|they|he|she)\b|you know (?:that |how )?(?:i|my|our|we)\b)"
    r"|(?:我|咱|他|她)们?[^，,。]{0,6}不是[^。？?]{2,40}(?:吗|么|嘛)|(?:我|咱)(?:有没有|是不是)?(?:跟|和|对|给)你(?:说|讲|提)过|[你您]?(?:还)?(?:记得|知道)我(?![^，,。？?]{0,8}[说提讲]过?的)|[你您]敢信|[你您]猜|我[^，。？?你]{1,5}(?:怎么|为什么|干嘛|凭什么)(?:老|总|又|还|非|就|天天|每)"
)
_QUIZZES = CaselessPattern(
    r"\b(?:do|can) you (?:still )?(?:remember|recall|know) (?:what|who|where|when|which|how|my|our|the name)\b|\bwhat do you (?:remember|know) (?:of|about) (?:me|my|us|our)\b"
    r"|(?:记不?记得|还记得|记得|知不?知道|知道)(?:我|咱)|^\W*(?:考考你|考你一下)|你(?:还)?记得(?:多少|什么)"
)
_ASKS_FOR = CaselessPattern(r"\b(?:what|who|where|which)\b|什么|谁|哪|几[个岁点号]|多少|多大")
# What somebody asked is told: 那小孩问我什么段位. Of what is asked now 我想问 tells nothing.
_REPORTED_ZH = LazyPattern(r"(?<![想请要再])(?<!我)问(?:了|过|起)?(?:我|他|她|咱|俺|大家|大伙|全班)")
_CLAUSES_ZH = LazyPattern(r"(?:(?<=[\u4e00-\u9fff\d])\s+|[，,；;]\s*)(?=[\u4e00-\u9fff\d])")
_ABOUT_ASKING_ZH = LazyPattern(
    r"刚才|说[到起过]|^那[家个只条]|^[^了过着是]*的[^了过着是]{1,5}$|想问|问[你您]|问一下|好奇|不知道|不记得|记不得|想知道|考考|^(?:如果|要是|假如|比如)|^[你您]"
)
_LEAST_CLAUSE = 5  # characters
# By which somebody is called to listen: 你猜怎么着，…
_CHINESE_CALL = LazyPattern(
    r"^\W*(?:(?:欸|哎|诶)?[你您](?:知道|晓得|猜)?(?:吗|么|吧|怎么着|怎么样|听我说|看|说)?|跟[你您](?:说|讲)(?:个事)?|告诉[你您]|说真的|话说|对了)[，,：:]\s*(?=.{4})"
)
_IN_QUOTES = LazyPattern(r"“[^“”]*”|「[^「」]*」|\"[^\"]*\"")
_TAG = CaselessPattern(
    r"(?<=.{4})(?:对吧|是吧|对不对)[?？]$|[,，]\s*(?:remember|right|you know|you see|ok|okay|huh|eh|no|yeah|innit|correct|(?:is|are|was|were|do|does|did|has|have|had|ca|can|could|wo|will|would|should|ai)n['’]?t (?:it|he|she|they|i|we|that|there)"
    r"|(?:can|could|would) (?:you|u|ya) believe (?:it|that|this)|believe it or not|did (?:you|u) know|did i (?:tell you|say|mention)(?: that| it)?|你(?:敢)?信(?:不信|吗)?|信不信|对吧|对不对|对吗|是吧|是不是|是吗|好吗|好不好|行吗|可以吗|记得吗|还记得吗|你?忘了(?:吗)?|知道吗|懂吗|你说呢|怎么样|可笑吧)\s*[?？!！]*$"
)
_EXCLAIMED = LazyPattern(r"(?:[?？][?？!！]|[!！][?？])\s{0,4}$")  # "he asked me out and I said yes???"
_ASKED_BEHIND = CaselessPattern(
    r"\b(?:what|who|why|how|where|which|right|huh|remember|or)\b|\b(?:do|does|did|is|are|can|could|will|would|should) (?:i|you|we|u)\b"
)
_ME = CaselessPattern(r"\b(?:me|my|we|us|our|i)\b|我|咱")
_CAME_TRUE_ZH = LazyPattern(r"[了过]\W*$|居然|竟然")
_HAN_NAME = LazyPattern(r"[\u4e00-\u9fff]{3,4}")
_PARTS = LazyPattern(r"[,;]\s*|\s[-–—]\s")
_TOLD_FIRST = LazyPattern(
    r"^(?P<told>[^?？]{4,}?)(?:[,，;；—–]|\s-\s|\.\.\.|…|(?<=[\u4e00-\u9fff])\s(?=[\u4e00-\u9fff]))\s*(?P<asked>[^,，;；]{2,})$"
)

_AFFECTION = CaselessPattern(
    r"\bi (?:\w+ )?(?:love|miss|hate|trust|forgive|adore) (?:you|u|ya)\b|我(?:很|好|真的|最|也|超级?|一直)*(?:爱|喜欢|想|恨|想念|讨厌|舍不得|相信|原谅)你"
)
_WISHES = CaselessPattern(
    rf"{_ENGLISH_LEAD}(?:i (?:really |do |just )?)?hope (?:you|he|she|they|it|everything|all|your \w+|that|things)\b[^.!?]{{0,40}}\b(?:ok|okay|well|fine|better|soon|great|good|fun|alright|luck|out|safe)\W*$"
    r"|\W*(?:我)?希望(?!我)[^，,。]{0,12}(?:顺利|好|平安|健康|快乐|成功|康复|开心)(?:起来|的)?\W*$"
)
_PERSON_BEGINS = CaselessPattern(rf"{_ENGLISH_LEAD}(?:he|she|they|we|i|i?['’]?m|ive|my|our|his|her|their)\b")
_CHINESE_PERSON = LazyPattern(r"[我他她咱俺]")
_CHINESE_STATE = LazyPattern(r"^\W*[^\W你您]{2,8}中\W*$")  # 待业中, 备孕中
_CHINESE_REACTION = LazyPattern(r"^\W*(?:好|太|真|多|这么|那么|挺|蛮|哇|原来|那|难怪|怪不得|抱|摸)[^，,。\d]{0,7}\W*$")


def why_untold(
    sentence: Sentence,
    terms: frozenset[str],
    lexicon: Lexicon,
    *,
    courtesy: bool,
    answers: bool,
    fact: bool,
    leads: bool,
    companion: bool = False,
    name: str = "",
    heard: str = "",
) -> Untold | None:
    """The reason, or None where the sentence tells something; what is vital for somebody is always told.

    `terms`: its content terms without the speakers' names; `courtesy`: it has the form of a courtesy; `answers`: it
    answers a question of the other; `fact`: a fact about its speaker is read from it; `leads`: what it leans on was
    said right before it, by the same speaker; `companion`: the mind itself says it; `name, heard`: of the mind, and
    what others said to it of late: a remark on that tells nothing.
    """
    why = _why(
        sentence,
        terms,
        lexicon,
        courtesy=courtesy,
        answers=answers,
        fact=fact,
        leads=leads,
        companion=companion,
        name=name,
    )
    empty = (
        why in (Untold.SMALL_TALK, Untold.NO_STATEMENT)
        and not companion
        and bool(terms)
        and not _CUT_OFF.search(sentence.text)
    )
    if why is None and companion and is_remark(sentence.text, name, heard, answers=answers, fact=fact):
        return Untold.SMALL_TALK
    if not empty:
        return why
    found = weigh(sentence.text, 0)
    # "Remember this for me" alone stresses nothing.
    return None if found.level is Level.VITAL and {*found.reasons} - {Reason.EMPHASIS, Reason.PLAIN} else why


def _why(
    sentence: Sentence,
    terms: frozenset[str],
    lexicon: Lexicon,
    *,
    courtesy: bool,
    answers: bool,
    fact: bool,
    leads: bool,
    companion: bool,
    name: str = "",
) -> Untold | None:
    text = _CHINESE_CALL.sub("", sentence.text) or sentence.text
    content = amount(terms)
    if _NO_WORDS.fullmatch(text) or (terms and all(len(term) > _LONGEST_WORD for term in terms)):
        return Untold.NO_STATEMENT
    if _CUT_OFF.search(text) or _HEADING.fullmatch(text):
        return Untold.NO_STATEMENT
    if sentence.is_aside:
        return None if content >= (_LITTLE if text.startswith("[") else 3.0) else Untold.NO_STATEMENT
    if (
        fact
        or introduced(text) is not None
        or (not companion and _is_full_name(text, name))
        or (answers and not courtesy and (terms or lexicon.reply.match(text) or lexicon.counts(text)))
    ):
        return None
    chinese = sentence.language == "zh"
    if is_about_the_talk(text, companion=companion):
        return Untold.SMALL_TALK
    if _asks(sentence, chinese):
        return Untold.QUESTION
    if _AFFECTION.search(text):
        return None
    if _WISHES.match(text):
        return Untold.SMALL_TALK
    first = lexicon.first_person.search(text) is not None
    least = 1.3 if chinese else _LITTLE
    if (courtesy and content < least and not (first and terms)) or is_courtesy(text) or is_assent(text):
        return Untold.SMALL_TALK
    said = _chinese_says(text, content, first=first) if chinese else _english_says(sentence, content, leads=leads)
    if said:
        return Untold.SMALL_TALK if content <= _LITTLE and lexicon.praises(text) and not first else None
    return (
        Untold.SMALL_TALK
        if lexicon.praises(text) or speaks_to_the_other(text, chinese=chinese)
        else Untold.NO_STATEMENT
    )


def _is_full_name(text: str, name: str) -> bool:
    """Whether it is nothing but the speaker's name with more to it: "Ada Lindqvist." of Ada."""
    words = text.strip(" .!,。！，").split()
    if len(words) == 1 and _HAN_NAME.fullmatch(words[0]):
        return len(name) >= 2 and words[0] != name and words[0].endswith(name)
    own = name.casefold().split()
    said = [word.casefold() for word in words]
    return bool(own) and len(own) < len(said) <= 4 and said[: len(own)] == own and all(w[:1].isupper() for w in words)


def _asks(sentence: Sentence, chinese: bool) -> bool:
    """Whether it asks, or asks for something, and tells nothing besides."""
    text = _IN_QUOTES.sub("", sentence.text) or sentence.text
    if _TELLS_BY_ASKING.search(text) and not (is_quiz(text) and _ASKS_FOR.search(text)):
        return False
    asks, requests = (_CHINESE_ASKS, _CHINESE_REQUESTS) if chinese else (_ENGLISH_ASKS, _ENGLISH_REQUESTS)
    if sentence.is_question or (text[-1] in "?？"):
        return not telling_part(text, chinese=chinese)
    if chinese:
        if _REPORTED_ZH.search(text) or any(_says_in_chinese(each) for each in _CLAUSES_ZH.split(text)[:-1]):
            return False
        asked = asks.search(text) is not None and not _CHINESE_INDEFINITE.search(text)
        return asked or _ADVICE_ZH.search(text) is not None or (requests.match(text) is not None and "我的" not in text)
    return (asks.match(text) is not None and not any(_tells(each, chinese) for each in _PARTS.split(text)[1:])) or (
        requests.match(text) is not None and re.search(r"\b(?:my|our|i|we)\b", text, re.IGNORECASE) is None
    )


def _says_in_chinese(clause: str) -> bool:
    """Whether a clause before one that asks tells something: 我换了新工作 你觉得怎么样."""
    if len(clause) < _LEAST_CLAUSE or _CHINESE_ASKS.search(clause) or _CHINESE_REQUESTS.match(clause):
        return False
    return _ABOUT_ASKING_ZH.search(clause) is None and CHINESE_PREDICATE.search(clause) is not None


def is_quiz(text: str) -> bool:
    """Whether a question asks what the other remembers of who asks ("do you remember what my kids are called?")."""
    return _QUIZZES.search(text) is not None


def is_tagged(text: str) -> bool:
    """Whether a question only makes sure of what it tells ("I live in Ghent, remember?")."""
    return _TAG.search(text) is not None and not _ENGLISH_ASKS.match(text)


def telling_part(text: str, *, chinese: bool) -> str:
    """What a question tells before it asks ("I live in Ghent, remember?", 我吃素，你呢？); empty where it only asks."""
    tag = _TAG.search(text)
    if tag is not None:
        return text[: tag.start()]
    if _EXCLAIMED.search(text) and _tells_of_oneself(text, chinese=chinese):
        return text.rstrip("?？!！ ")
    told = _TOLD_FIRST.match(text)
    return told["told"] if told is not None and _tells(told["told"], chinese) else ""


def _tells_of_oneself(text: str, *, chinese: bool) -> bool:
    """Whether what ends with many marks is no question but news that its speaker cannot believe."""
    if _ME.search(text) is None or is_quiz(text):
        return False
    if chinese:
        return _CAME_TRUE_ZH.search(text) is not None and not _CHINESE_ASKS.search(text.rstrip("?？!！ "))
    return (
        _ENGLISH_ASKS.match(text) is None
        and _ASKED_BEHIND.search(text) is None
        and ENGLISH_PREDICATE.search(text) is not None
    )


def _tells(clause: str, chinese: bool) -> bool:
    """Whether the clause before a question tells of the speaker or of somebody."""
    if chinese:
        return not _CHINESE_ASKS.search(clause) and re.search(r"我(?!想问|问)|[他她]", clause) is not None
    if _ENGLISH_ASKS.match(clause) or len(clause.split()) < 3:
        return False
    return ENGLISH_PREDICATE.search(clause) is not None and _PERSON_BEGINS.match(clause) is not None


def _english_says(sentence: Sentence, content: float, *, leads: bool) -> bool:
    text = sentence.text
    if not content:  # all of it common words, and yet: "I got them a new friend!"
        told = len(sentence.words) >= _FEW_WORDS and _PERSON_BEGINS.match(text) is not None
        return told and ENGLISH_PREDICATE.search(text) is not None and not ENGLISH_FILLER.match(text)
    if content < _LITTLE and (ENGLISH_EXCLAIMED.match(text) or ENGLISH_FILLER.match(text)):
        return False
    predicate = ENGLISH_PREDICATE.search(text) is not None
    if _PERSON_BEGINS.match(text):
        return True
    if speaks_to_the_other(text, chinese=False):
        return content >= _LITTLE
    if content >= _LITTLE or (len(sentence.words) > _FEW_WORDS and not _points_back(text)):
        return True
    return predicate and (leads or not _points_back(text))


_TIMES = r"(?:time|morning|afternoon|evening|day|night|week|weekend|month|year|spring|summer|autumn|fall|winter|\w+day)"


def _points_back(text: str) -> bool:
    return (
        re.match(rf"{_ENGLISH_LEAD}(?:it|(?:this|that)(?! {_TIMES}\b)|these|those|there)\b", text, re.IGNORECASE)
        is not None
    )


def _chinese_says(text: str, content: float, *, first: bool) -> bool:
    if not content:
        return first and CHINESE_PREDICATE.search(text) is not None and len(text) >= 4
    if CHINESE_CHANGE.match(text) or _CHINESE_STATE.match(text):
        return True
    if not first and (CHINESE_EXCLAIMED.match(text) or _CHINESE_REACTION.match(text)) and content < _LITTLE:
        return False
    if speaks_to_the_other(text, chinese=True):
        return content > 1.7
    if _CHINESE_PERSON.search(text):
        return True
    return content > 1.1 or CHINESE_PREDICATE.search(text) is not None
