"""Content words and entities of a sentence: what it says beyond grammar and courtesy.

Used for salience (how much is said), for redundancy (is it said already) and for links (do two notes share
something). English content words are lower-case words; Chinese ones are the bigrams of runs between grammatical
characters, because words cannot be told apart without a dictionary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from soulmem.core.remembered import Remembered
from soulmem.llm.extractive.lexicon import Lexicon
from soulmem.llm.extractive.lexicon_chinese import CHINESE
from soulmem.llm.extractive.lexicon_english import ENGLISH
from soulmem.llm.extractive.sentences import language_of

_SPELLED = re.compile(r"[A-Za-zÀ-ɏ]+(?:['’][A-Za-z]+)?|\d+(?:[.,:]\d+)*")
_CJK_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
_CHINESE_WORD = re.compile(f"(?:(?![{''.join(sorted(CHINESE.stop))}]){_CJK_RUN.pattern[:-1]})+")
_CAPITALISED = re.compile(
    r"(?<![\w'’])[A-Z][a-zA-Z0-9À-ɏ&'’-]*(?:\.(?=[A-Z]))?(?: (?:of|the|de|and|&) (?=[A-Z])| ?(?=[A-Z]))?"
    r"(?:[A-Z0-9][a-zA-Z0-9À-ɏ&'’-]*(?: (?=[A-Z0-9]))?)*"
)
_TITLE = re.compile(r"《([^《》\n]{1,40})》|[\"“]([^\"“”\n]{2,40})[\"”]|「([^「」\n]{1,40})」")
_QUOTING = re.compile(r"[《\"“「]")  # what a title begins with
_SENTENCE_START = re.compile(r"(?:^|[.!?:;\"“”(\[。！？：\n]\s*)$")
_CALENDAR = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december christmas halloween
    """.split()  # noqa: SIM905 (a list of words reads best as words)
)
_SURNAMES = (
    "王李张刘陈杨黄赵周吴徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金"
    "贾韦夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤"
)
_CHINESE_NAME = re.compile(
    rf"(?:(?<=[和跟与同叫给找约陪见帮请问向让：，。、 是])|^)([{_SURNAMES}][\u4e00-\u9fff]{{1,2}})"
    r"(?=[一去来在说的也和跟与是了给，。！？：、让叫约送帮问请到]|$)"
    rf"|([小老阿][{_SURNAMES}宝明红丽强芳静伟杰敏军美华](?![\u4e00-\u9fff]?[时候学子年板师])[\u4e00-\u9fff]?(?=[一去来在说的也和跟与是了给，。！？：、家]|$))"
    r"|(?:名叫|名字叫|名字是|我叫|它叫|他叫|她叫|[，,]叫做?)((?:(?![来去看帮给做修拿送买吃喝让])[\u4e00-\u9fffA-Za-z]){1,4})(?=[，,。！!？?、；;\s的]|$)"
)
_CHINESE_PLACE = re.compile(
    r"(?:(?<=[在去到从离住往回于])|(?<=搬到))([\u4e00-\u9fff]{1,7}?(?:省|市|县|区|镇|村|路|街|公园|大学|医院|学校|博物馆|美术馆|商场|餐厅|咖啡馆|咖啡店|"
    r"书店|酒店|机场|车站|火车站|寺|山|湖|岛|海滩|古镇|广场|图书馆|健身房|公司))"
)
_CITIES = re.compile(
    "北京|上海|广州|深圳|杭州|南京|成都|重庆|武汉|西安|苏州|天津|长沙|青岛|厦门|大连|昆明|郑州|济南|合肥|福州|宁波|哈尔滨|沈阳|香港|澳门|台北|"
    "东京|大阪|京都|首尔|伦敦|巴黎|纽约|云南|四川|广东|浙江|江苏|山东|湖南|湖北|海南|新疆|西藏|三亚|大理|丽江|桂林|拉萨|日本|韩国|美国|英国|"
    "法国|德国|泰国|新加坡|加拿大|澳大利亚"
)


def lexicon_for(language: str) -> Lexicon:
    return CHINESE if language == "zh" else ENGLISH


@lru_cache(maxsize=4096)
def content_terms(text: str) -> frozenset[str]:
    """The terms that carry content: English words and numbers, Chinese bigrams."""
    terms = set(map(_CONTENT.__getitem__, _SPELLED.findall(text)))
    terms.discard("")
    if not text.isascii():
        terms.update(_chinese_terms(text))
    return frozenset(terms)


def _content(raw: str) -> str:
    """The term that a word or number counts as; empty if it has no content."""
    word = raw.lower().removesuffix("'s").removesuffix("’s")
    said = (len(word) > 2 or word.isdigit()) and word not in ENGLISH.stop and word not in ENGLISH.generic
    return _stem(word) if said else ""


def _stem(word: str) -> str:
    """Folds a plain plural, so that `dogs` meets `dog`."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


_CONTENT = Remembered(_content, 16_384)


def _chinese_terms(text: str) -> Iterable[str]:
    """The pairs of characters of each run between grammatical ones, and what stands alone there."""
    for word in _CHINESE_WORD.findall(text):
        if len(word) == 1:
            yield word
        for pair in map(str.__add__, word, word[1:]):
            if pair not in CHINESE.generic:
                yield pair


def amount(terms: Iterable[str]) -> float:
    """Roughly how many words of content: a lone Chinese character or one bigram of a longer run counts half."""
    return sum(map(WORTH.__getitem__, terms))


def _worth(term: str) -> float:
    return 0.6 if _CJK_RUN.match(term) else 1.0


WORTH = Remembered(_worth, 16_384)  # by the term: its `amount`


def entities_of(text: str, speakers: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Names, titles and places in order of appearance, at most eight; `speakers` are known names."""
    found: dict[str, int] = {}
    for match in _TITLE.finditer(text) if _QUOTING.search(text) else ():
        title = next(group for group in match.groups() if group)
        if len(title.split()) <= 6:
            found.setdefault(title.strip(" .,!?，。！？"), match.start())
    for match in _CAPITALISED.finditer(text):
        name = _plain_name(match[0])
        opening = _SENTENCE_START.search(text[max(0, match.start() - 3) : match.start()]) is not None
        if name and (name in speakers or not (opening and _is_common(name))):
            found.setdefault(name, match.start())
    if language_of(text) == "zh":
        for pattern in (_CHINESE_NAME, _CHINESE_PLACE, _CITIES):
            for match in pattern.finditer(text):
                name = next((group for group in match.groups() if group), match[0])
                found.setdefault(name, match.start())
    for speaker in speakers:
        if speaker and speaker in text:
            found.setdefault(speaker, text.index(speaker))
    return tuple(sorted(found, key=lambda name: (found[name], name))[:8])


def _plain_name(raw: str) -> str:
    """A capitalised run without possessive, leading stop words or calendar words; empty if none is left."""
    words = [word for word in raw.strip().removesuffix("'s").removesuffix("’s").split() if word]
    while words and (words[0].lower() in ENGLISH.stop or words[0].lower() in ENGLISH.generic):
        words.pop(0)
    while words and words[-1].lower() in ENGLISH.stop:
        words.pop()
    if not words or (len(words) == 1 and (words[0].lower() in _CALENDAR or len(words[0]) < 2)):
        return ""
    return " ".join(words)


def _is_common(name: str) -> bool:
    """A single capitalised word at a sentence's start is a name only if it looks like nothing else."""
    return " " not in name and not any(char.isdigit() for char in name) and not name.isupper()


_KEY_STOP = CHINESE.stop | frozenset(
    "一二三四五六七八九十几两只条个位名张本次趟回搬住养叫改每年月日周天号点早晚昨今明前后做买卖吃喝看想爱让请送最参加被问起开始准备终于"
)


def key_terms(text: str, limit: int = 4) -> tuple[str, ...]:
    """Chinese key terms: runs of two to four characters between grammatical and common ones, longest first."""
    runs: dict[str, int] = {}
    for match in _CJK_RUN.finditer(text):
        word = ""
        for char in (*match[0], "的"):
            if char not in _KEY_STOP:
                word += char
                continue
            if 2 <= len(word) <= 4 and word not in CHINESE.generic:
                runs.setdefault(word, len(runs))
            word = ""
    return tuple(sorted(runs, key=lambda run: (-len(run), runs[run]))[:limit])
