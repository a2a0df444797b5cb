"""Whether a sentence states something: the line between information and small talk, Chinese and English.

Read by `statements.py`. A statement has a predicate and says it of something (a noun, a name, a number), in
first or third person alike. Greetings, thanks, acknowledgements, fillers, questions with or without their mark,
wishes and compliments to the other, and exclamations are none. The judgement is lenient: what passes is worth a
place where there is room; how much it is worth is left to salience.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.llm.extractive.language.content_words import amount
from soulmem.llm.extractive.language.lexicon import Lexicon
from soulmem.llm.extractive.language.sentence_splitter import Sentence

_LEAD = r"\W*+(?:(?:and|but|so|oh|wow|hey|hi|well|yeah|yes|no|haha|aww|just|thanks|thank you|ok|okay)\b(?:,? (?-i:[A-Z])\w+)?[\s,!.…–-]*){0,6}"
ENGLISH_PREDICATE = CaselessPattern(
    r"['’](?:m|re|s|ve|ll|d)\b|n['’]t\b|\b(?:is|are|am|was|were|be|been|has|have|had|do|does|did|will|would|can|could|should|"
    r"may|might|must|got|gets?|went|goes|go|took|takes?|saw|sees?|met|meets?|made|makes?|came|comes?|bought|buys?|sold|sells?|"
    r"ate|eats?|drank|drinks?|gave|gives?|lost|loses?|won|wins?|read|reads?|ran|runs?|told|tells?|said|says?|felt|feels?|left|"
    r"leaves?|wrote|writes?|drove|drives?|flew|flies|fly|broke|breaks?|fell|falls?|grew|grows?|kept|keeps?|heard|hears?|spent|"
    r"spends?|taught|teach(?:es)?|thought|thinks?|built|builds?|chose|choose|caught|catch(?:es)?|sang|sings?|swam|swims?|wore|"
    r"wears?|hurts?|quits?|put|puts|cut|cuts|set|sets|hit|hits|let|lets|began|begins?|brought|brings?|held|holds?|knew|knows?|"
    r"led|leads?|paid|pays?|rode|rides?|sent|sends?|slept|sleeps?|spoke|speaks?|stood|stands?|stole|steals?|threw|throws?|sat|"
    r"sits?|lit|shut|spread|woke|wakes?|sank|sinks?|rose|rises?|lay|lies|lays?|bit|bites?|hid|hides?|dug|digs?|fed|feeds?|"
    r"stuck|sticks?|struck|burnt|found|finds?|needs?|wants?|likes?|loves?|hates?|lives?|works?|plays?|stud(?:y|ies)|starts?|stops?|"
    r"opens?|closes?|moves?|helps?|uses?|turns?|calls?|asks?|means?|costs?|belongs?|contains?|weighs?|remembers?|prefers?|"
    r"[a-z]{2,}(?:ed|[a-z]ing)|(?:it|he|she|who|which|that) (?:\w+ly )?\w+s)\b"
)
_ENGLISH_ASKING = CaselessPattern(
    rf"{_LEAD}(?:(?:what|who|whom|whose|where|when|why|how|which)(?:['’]s|['’]re|['’]d)?\b(?! (?:i|we|he|she|they)\b)"
    r"|(?:do|does|did|are|is|was|were|can|could|will|would|have|has|should|shall|may) (?:you|your|we|i|it|he|she|they|that|this|there|the|any)\b)"
)
ENGLISH_EXCLAIMED = CaselessPattern(
    rf"{_LEAD}(?:what (?:an?|the)|how \w+|such an?|so \w+|too \w+|my (?:god|goodness)|no way|let['’]?s|please)\b[^.]*!\W*$"
)
_ENGLISH_ABOUT_THE_OTHER = CaselessPattern(rf"{_LEAD}(?:you|your|you['’](?:re|ve|ll|d))\b")
ENGLISH_FILLER = CaselessPattern(
    rf"{_LEAD}(?:keep (?:\w+in['’g]|it|on|up|at)|let me know|(?:i )?can['’]?t (?:wait|imagine|believe)|"
    r"don['’]t (?:worry|miss|forget|give up)|(?:i['’]m )?(?:so |really |very )?(?:glad|happy|sorry|good|great|nice) (?:to|for|you)\b|"
    r"(?:it|that)['’]?s (?:so |really |always )?(?:great|good|nice|awesome|amazing|wonderful|lovely) (?:to|that)\b|"
    r"sounds?\b|looks?\b|hope\b(?! (?:is|was|has|wants|says|\w{3,}(?:es|ts|ks|ys|ns|ed))\b)|imagine|believe|enjoy|cherish|stay (?:strong|safe|positive|tuned)|hang in|fingers crossed|have (?:a|fun)|"
    r"i (?:know|see|get|understand|agree|guess|bet)\b(?: (?:exactly|what|that|how|you))*)"
)
CHINESE_PREDICATE = LazyPattern(
    r"[了过着是有在会要想能得把被让叫为到去来做买卖吃喝看见找拿收送搬换学写画跑打玩养生住结订报拍听读丢摔病说讲开关坐站走回"
    r"给用等修种飞爱恨怕姓属停进出上下落掉烧塌沉响亮死活长涨跌赢输借还付花存寄带穿戴洗煮炒烤切挖建盖拆装卸贴挂放摆掏偷抢救]|"
    r"喜欢|讨厌|工作|知道|觉得|认识|发现|决定|开始|结束|完成"
)
CHINESE_CHANGE = LazyPattern(r"^[^\W你您我好太真多可很挺非就也都那这原明知收对没不了][^\W你您]{1,12}[了过][。！!]?$")
_CHINESE_ASKING = LazyPattern(
    r"(?:吗|呢|么)\W*$|^\W*(?:你|您|请问)[^，,]{0,12}(?:什么|怎么|哪|谁|几|多少|为什么)|^\W*(?:为什么|怎么|谁|哪里|什么时候)[^，,。]{0,12}$"
)
CHINESE_EXCLAIMED = LazyPattern(r"^\W*(?:好|太|真|多么?|这么|那么)[^，,。\d]{1,6}[！!～~]+\W*$")
_CHINESE_ABOUT_THE_OTHER = LazyPattern(r"^\W*(?:你|您|祝|愿|希望你|请你|别|快)")


def is_assertion(sentence: Sentence, terms: frozenset[str], lexicon: Lexicon, *, courtesy: bool) -> bool:
    """Whether the sentence informs. `terms`: its content terms without the speakers' names."""
    text = sentence.text
    if courtesy or sentence.is_question or sentence.is_aside or not terms:
        return False
    chinese = sentence.language == "zh"
    asking, exclaimed, other = (
        (_CHINESE_ASKING, CHINESE_EXCLAIMED, _CHINESE_ABOUT_THE_OTHER)
        if chinese
        else (_ENGLISH_ASKING, ENGLISH_EXCLAIMED, _ENGLISH_ABOUT_THE_OTHER)
    )
    if asking.match(text) or (chinese and asking.search(text)) or exclaimed.match(text) or lexicon.praises(text):
        return False
    content = amount(terms)
    addressed = other.match(text) is not None
    if chinese:  # half a word counts 0.6
        if CHINESE_CHANGE.match(text):
            return True
        enough = content > (2.3 if addressed else 1.1)
        return enough and (content > 1.7 or CHINESE_PREDICATE.search(text) is not None)
    leaning = addressed or lexicon.anaphor.match(text) is not None
    if ENGLISH_FILLER.match(text) and content < 4:
        return False
    needed = 2.0 if leaning or len(sentence.words) < 3 else 1.0
    return content >= needed and (content >= 3.0 or ENGLISH_PREDICATE.search(text) is not None)


def speaks_to_the_other(text: str, *, chinese: bool) -> bool:
    """Whether it begins by speaking to or of the other."""
    return (_CHINESE_ABOUT_THE_OTHER if chinese else _ENGLISH_ABOUT_THE_OTHER).match(text) is not None
