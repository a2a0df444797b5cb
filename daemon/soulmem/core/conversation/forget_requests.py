"""Forget requests: what somebody asks to be forgotten of what he told, Chinese and English.

Read by digestion (`idle/upkeep/forget_step`). A request names what it means before it or in the same breath ("that
business about the horse, put it out of your mind", 那个网贷的事你给我忘了吧), or means what was said last ("forget what I just
told you"). A sentence asks where it tells the companion to let go of something, not to keep it, or to take it as never
said, and where the message says that this is of what was told, or of the companion's memory. Invariants: what may as
well be a reproach, a plan dropped or "never mind" is no request ("you forgot", 别忘了, "forget it", "he told me to forget
her", 你忘了吧？, 把旧照片删了); a question is none.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

import math
from collections.abc import Sequence

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.chinese_segmenter import word_spans
from soulmem.core.text.tokens import query_terms
from soulmem.fast_dataclasses import dataclass

_LONGEST = 600  # characters of a message in which a request is looked for
_REACH = 2  # units before the request that may name what it means
_UNIT = LazyPattern(
    r"[^.!?。！？…\n]*?(?:[.!?。！？…\n]+|$|(?<=[\u4e00-\u9fff]{2})\s+(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]{2})[,，]\s*)"
)
_SENTENCE = LazyPattern(r"[^.!?。！？…\n]+[.!?。！？…\n]*")
_JUST_SAID = CaselessPattern(
    r"\bi(?:['’]?ve| have)? just (?:said|told|mentioned|confessed)|\b(?:just now|a (?:moment|minute|second) ago)\b|刚才?(?:说|讲|告诉|跟你)|我刚[才刚]?(?:说|讲)"
)
_EMPTY = frozenset(
    "thing busi matter stori secret stuff told tell said say mention u oh ok pleas rather put mind head brain memori forget delet eras wipe "
    "never let strike anywher exist want dont like just can could would ever someth anyth everyth whole old part bit time day drop keep rememb"
    " note record pretend i'd id bring brought confess anymor longer lose ok okay said back lol god shouldnt pet scrub scratch rub wipe unsend un know talk gone good stay nowher hang save hold copi return trace flame consign beg now noth entir fade yaar sir mate hmm listen sound silly actual comfort own other ear meant was choos get wrong privat your you i'm pls plz ur act".split()
)
_EMPTY_HAN = frozenset(
    "事情 那个 这个 那件 这件 那些 这些 那事 这事 刚才 之前 上次 那天 那次 说过 告诉 忘了 忘掉 忘记 删了 删掉 就当 从来 没有 知道 真的 什么 我们 你们 自己 一下 任何 以后 现在 不要 不想 别再 留着 记着 脑子 心里 记忆 麻烦 前几 几日 前日 那桩 桩事 那件事 哎呀 漏嘴 听见 压根 记得 撤回 烂掉 吃过 那边 那里 那儿 这里 说法 权当 当未 未闻 失忆 但愿 未曾 千万 不该 赶快 留在 句话 这条 那段 这段 那条 往后 一个 方才 所言 头先 上回 昔日 清楚 误会 不好意思 拜托 麻烦 好吗 可以 已经 当作 存着 上礼拜 坦白 那笔 多嘴 嘴快 还有 事儿 的话 那话 这话 这事儿 那事儿".split()
)
_GRAMMAR_HAN = frozenset(
    "的了在是我你您他她它那这个件就都也把给跟和说讲提有没不事儿哦啊吧去过着被让叫很请别再还又快从对到"
)
_CONFIDES = CaselessPattern(
    r"\b(?:(?:tell|telling|told) (?:you|u|any|no ?(?:one|body)|someone|somebody)|secret|between (?:us|you and me)|nobody (?:knows|else)|not (?:for|a word)|keep (?:it|this|that) to|confess|one thing)\b"
    r"|偷偷|悄悄|秘密|丢人|别往外|别跟|别告诉|没跟[^，。]{0,8}(?:讲|说)|(?:跟|和|对)你(?:说|讲)[个件一]|千万|保密|只告诉|[跟和]谁[也都]没|谁[也都]不知道|不晓得"
)


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """`topic`: the words that name what is meant, none where it is what was said last; `start`: where that is named.

    `is_here`: what was said last stands in the same message, from `start` on.
    """

    topic: frozenset[str]
    start: int
    is_here: bool = False


def units(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a message stand, and Chinese clauses that a blank or comma parts."""
    return [match.span() for match in _UNIT.finditer(text[:_LONGEST]) if match[0].strip()]


def forget_request(text: str) -> ForgetRequest | None:
    """What a message asks to be forgotten; None where it asks nothing of the kind, or does not say what."""
    if len(text) > _LONGEST:
        return None
    spans = units(text)
    wordings = [wording_of(text[start:end], text) for start, end in spans]
    place = next((place for place, found in enumerate(wordings) if found), None)
    if place is None:
        return None
    named = [
        topic_words(_without(text[slice(*span)], found)) if _near(at, place, wordings) else frozenset[str]()
        for at, (span, found) in enumerate(zip(spans, wordings, strict=True))
    ]
    start = spans[place][0]
    if _JUST_SAID.search(text[slice(*spans[place])]) is not None and not named[place]:
        return ForgetRequest(frozenset(), _begins(text, spans[place - 1][0] if place else start), is_here=place > 0)
    topic = frozenset().union(*named[: place + 1]) or frozenset().union(*named)  # what follows tells why more often
    first = next((at for at, words in enumerate(named) if words & topic), place)
    return ForgetRequest(topic, _begins(text, spans[min(first, place)][0]))


def _begins(text: str, position: int) -> int:
    """Where the sentence begins in which a position lies."""
    return max((match.start() for match in _SENTENCE.finditer(text) if match.start() <= position), default=0)


def _near(at: int, place: int, wordings: Sequence[Sequence[object]]) -> bool:
    """Whether a sentence may name what is meant: it stands near the first one that asks, or asks too."""
    return place - _REACH <= at <= place + 1 or bool(wordings[at])


def _without(sentence: str, found: Sequence[tuple[int, int]]) -> str:
    """A sentence without the words that ask."""
    for start, end in sorted(found, reverse=True):
        sentence = f"{sentence[:start]} {sentence[end:]}"
    return sentence


def topic_words(text: str) -> frozenset[str]:
    """The words that name a thing: stems in English, words of two characters or more in Chinese."""
    latin = {term for term in query_terms(text) if term.isascii() and len(term) > 2} - _EMPTY
    return frozenset(latin | (_han_words(text) - _EMPTY_HAN))


def _han_words(text: str) -> set[str]:
    """The Chinese words of a text, and the pairs of characters that stand together and are no known words (网贷)."""
    words: set[str] = set()
    alone: tuple[int, str] | None = None
    for start, end in word_spans(text):
        word = text[start:end]
        if end - start > 1:
            words.add(word)
            alone = None
        elif word in _GRAMMAR_HAN:
            alone = None
        else:
            if alone is not None and alone[0] == start:
                words.add(alone[1] + word)
            alone = (end, word)
    return words


def mentions(text: str, topic: frozenset[str]) -> bool:
    """Whether a text has any word of a topic."""
    return bool(topic & topic_words(text)) or any(word in text for word in topic if not word.isascii())


def told_part(text: str, topic: frozenset[str]) -> str:
    """What is left of a message of what it told of a topic: whole sentences before that, and a sign that more was said.

    What only leads up to a confidence goes with it.
    """
    sentences = [match for match in _SENTENCE.finditer(text) if match[0].strip()]
    hit = next((place for place, each in enumerate(sentences) if not topic or mentions(each[0], topic)), 0)
    while hit > 0 and _CONFIDES.search(sentences[hit - 1][0]) is not None:
        hit -= 1
    kept = text[: sentences[hit].start()].strip() if sentences else ""
    return f"{kept} …".strip()


_ENOUGH = 0.4  # of what names a topic, from which a text tells of it
_UNSAID = 0.4
_BESIDE_BEST = 0.75  # of the best, from which another tells of it too
_RARE = 0.06  # of the texts; what stands in more of them names nothing by itself
_RARE_LEAST = 3
_FEW = 2  # words of a topic, of which one is enough
MOST_MEANT = 3  # texts; where more tell of it, it is not plain what is meant


def telling(topic: frozenset[str], texts: Sequence[str]) -> list[int]:
    """Which of these texts plainly tell of a topic, in order.

    A word counts the more, the fewer texts have it (inverse document frequency).
    """
    if not topic:
        return []
    words = [
        topic & topic_words(text) | {word for word in topic if not word.isascii() and word in text} for text in texts
    ]
    among = {word: sum(word in each for each in words) for word in topic}
    # A word that nobody said may be one for it, or none of it.
    weights = {
        word: math.log(1 + len(texts) / (0.5 + among[word])) * (1.0 if among[word] else _UNSAID) for word in topic
    }
    rare = {word for word in topic if 0 < among[word] <= max(_RARE_LEAST, _RARE * len(texts))}
    whole = sum(weights.values())
    shares = {
        place: share
        for place, each in enumerate(words)
        if each & rare
        and (len(each) > 1 or sum(map(bool, among.values())) <= _FEW)
        and (share := sum(weights[word] for word in each) / whole) >= _ENOUGH
    }
    best = max(shares.values(), default=0.0)
    return [place for place, share in shares.items() if share >= _BESIDE_BEST * best]


_LEAD = r"(?:please|kindly|pls|plz|just|so|and|but|oh|ok|okay|actually|lol|now|well|listen|look|sir|mate|love|yaar|nope|no|yes|hmm|ah|here|arrah|then|right|also|go on|honestly|like|go ahead|be so good|be so kind|as|to|and)"
_LET_GO = r"(?:forget|lose|erase|delete|wipe|scrub|scratch|strike|blot|bin|drop|remove|unsend|un-?(?:know|tell|hear|say|remember)|rub|burn|bury|consign|purge|expunge|clear|take|let|get rid of|put|cut|cross)"
_IMPERATIVE = CaselessPattern(
    rf"^\W*(?:{_LEAD}\b\W*)*{_LET_GO}\b|[,;:–—]\s*(?:{_LEAD}\b\W*)*{_LET_GO} (?:it|that|this|the lot)\b"
)
_WISH = CaselessPattern(
    rf"\b(?:(?:can|could|would|will) (?:you|u|ye|ya)|(?:i['’]?d|i would) (?:rather|like|love|prefer|be glad|sleep)|i (?:want|need|beg|ask|request|humbly|must ask|wish)|y['’]?all can|(?:you|u) (?:can|may|could|should) (?:just )?|do me a favou?r|be so (?:good|kind) as|may i ask|if (?:you|u) (?:would|could)|(?:you|u) to)\b[^.!?]{{0,40}}?\b{_LET_GO}\b"
    r"|\b(?:could|can|may) (?:it|that|this|all (?:of )?(?:it|that|this)) be (?:gone|forgotten|erased|deleted|removed|wiped|struck)\b|\b(?:like|want|need|prefer) (?:it|that|this|all (?:of )?(?:it|that|this)|(?:the|my|that) [\w'’ ]{2,30}?) (?:to be )?(?:gone|forgotten|erased|deleted|removed|wiped|struck|off your)\b|\b(?:to|you) stop knowing\b"
)
_KEEP_NOT = CaselessPattern(
    r"(?<!i )(?<!we )(?<!they )(?<!he )(?<!she )\b(?:don['’]?t|do not|dont|never|not|no need to|stop)\s+(?:you\s+)?(?:ever\s+)?(?:be )?(?:keep(?:ing)?|sav(?:e|ing)|stor(?:e|ing)|hold(?:ing)?(?: on to)?|hang(?:ing)? on(?: to)?|remember(?:ing)?|record(?:ing)?|retain(?:ing)?|log|writ(?:e|ing)(?: down)?|hav(?:e|ing))\s+(?:onto\s+)?(?:it|that|this|any of|any record|a record|what|whatever|the name|anything i|my)\b"
    r"|\b(?:keep|hold|retain|store|have) no (?:record|trace|note|copy|memory)\b|\b(?:that|this|it) (?:stays|goes|is kept|is to be kept) nowhere\b|\bnot comfortable with (?:you|u) (?:having|knowing|keeping)\b"
    r"|\bi (?:do not|don['’]?t|dont) want (?:it|that|this|any of (?:it|that)|(?:you|u) to (?:have|keep|know|remember)) ?(?:ever )?(?:said|repeated|brought up|kept|stored|remembered|existing|to exist|on (?:the )?record|written down|it|that|this)\b"
    r"|^\W*(?:please )?(?:never|don['’]?t(?: you)?(?: ever)?|do not(?: ever)?) (?:bring (?:it|that|this) up|mention (?:it|that|this) (?:again|to me)|say (?:it|that|this) back)(?: to me)?(?: again)?\W*$"
)
_AS_IF = CaselessPattern(
    r"(?:^\W*(?:(?:please|just|and|so|but|oh|ok|let['’]?s|can we|could we|can (?:you|u)|could (?:you|u)|would (?:you|u))\W+)*(?:(?:act|be|treat it|take it|carry on) )?|\b(?:let|have) (?:it|that|this)(?: all)? be )(?:as (?:if|though)|like|pretend(?: that| like)?) (?:i|it|(?:you|u) (?:never|didn['’]?t))\b[^.!?]{0,12}?(?:never|nothing|didn['’]?t|not|kept|hear)"
    r"|^\W*(?:you|u) (?:didn['’]?t|never) hear[d]? (?:it|that|this|a thing|nothing|anything)\b|\bnope?,? never happened\b|^\W*it never happened\W*$|(?<!we )(?<!they )(?<!to )(?<!he )(?<!she )\bpretend (?:i|it) (?:never|didn['’]?t)\b"
)
# What is told, and whose memory is meant: one of it stands in the message.
_OF_TELLING = CaselessPattern(
    r"\b(?:the|that|this) (?:thing|stuff|bit|part|story|news|whole thing) (?:about|with|of)\b|\bi(?:['’]?ve|['’]?d| have| had| just| only| once| ever)* (?:just )?(?:told|said|mentioned|confess\w*|confided|shared|let slip|related|repeated|blabbed|admitted|lied|read you|called|spilled|wrote|typed|sent|shouldn['’]?t have)\b|\btold (?:you|u)\b|\b(?:your|ur) (?:own )?(?:memory|memories|mind|brain|head|notes?|records?|books?|recollection|keeping|side|files?)\b|\b(?:you|u) (?:having|knowing|keeping|have|know|keep)\b|\bkeep on me\b|\b(?:nowhere|anywhere|forever|for good|permanently|never happened|hear)\b|\bun-?(?:know|tell|hear|say|send)\b|\b(?:confession|confidence|secret|crush|indiscretion)\b|\b(?:that|the|this) [\w'’-]{2,20} (?:story|business|thing|matter)\b"
)
_SHORT_ORDER = CaselessPattern(
    rf"^\W*(?:(?:just|please|now|all of)\W+)*(?:(?!forget|take|let|put|get)(?:{_LET_GO})) (?:it|that|this|all that|all of (?:it|that)|that all)\b[\w ,]{{0,12}}\W*$"
)
_NOT_ENGLISH = CaselessPattern(
    r"\b(?:do not|don['’]?t|dont|never|won['’]?t|can['’]?t|cannot|could(?:n['’]?t| not)|did(?:n['’]?t)? (?:you|u)|hope (?:you|u)|do (?:you|u)(?: think)?|(?<!can )(?<!could )(?<!would )(?<!will )(?:you|u)(?:['’]ve| have)?(?: already| always| just)?|ya|he|she|they|we|(?<!if )i|['’]ll|tend to|to not|people|mum|mom|dad|manager|company) (?:ever |really |had to |has to |have to |could |can )?(?:forget|delete|erase|forgot|forgotten|wipe|remove|drop|lose)\b(?! (?:it|that|this) (?:from|out of) (?:your|ur) )"
    r"|\b(?:remind|buy|bought|website|account|app|photos?|messages?|paragraph|file|email|bank|phone|laptop)\b|\b(?:he|she|they|who|company|council|we)\b[^.!?]{0,20}\b(?:forget|erase|delete|keep|burn|wipe)|\bforget (?:about )?(?:me|him|her|them|you|us|dinner|lunch|it)\b|\b(?:do|remember) (?:remember|to)\b|\?$(?<!you\?)(?<!pls\?)(?<!please\?)(?<!ok\?)(?<!said\?)(?<!no\?)(?<!pet\?)(?<!brain\?)(?<!me\?)(?<!memory\?)(?<!notes\?)(?<!mind\?)(?<!story\?)(?<!thing\?)(?<!again\?)(?<!birthday\?)"
)

_RID = r"(?:忘[掉了喽记却]?|抹[了去掉喽]?|删[了掉去]?|清[掉了除空]|消[掉除]|[划勾移][掉去除]|移除|去掉|撤回|收回|失忆|烂掉|烂在[土肚]|作废|丢掉|扔掉|忘干净|删干净|清干净)"
_ORDER_ZH = LazyPattern(
    rf"(?:[你您]|给我|帮我|麻烦|请|拜托|求|快|赶[快紧]|从你)[^，。！？]{{0,16}}?(?P<rid>{_RID})[^，。！？\w]{{0,2}}(?:它|干净点|干净)?(?:就好|就行)?(?:吧|罢|呗|喽|啦|好吗|行吗|行不行|好不好|可以吗|成不|哈|啊|了)*\W*$"
    rf"|^\W*(?:就)?{_RID}(?:它)?(?:就好|就行)?(?:吧|罢|呗|喽|啦|了吧)?\W*$|{_RID}(?:它)?(?:吧|罢|呗|好吗|行吗|可以吗)\W*$"
)
_KEEP_NOT_ZH = LazyPattern(
    r"(?:别|不要|勿|莫要?|甭|不必|不用|唔好|不许|[请幸]勿)(?:再|给我|往心里|帮我|替我|也|继续|亦|去)*(?:记(?!错|仇|恨|性|账|不)[着住下低得录]?|留(?!学|级|长|意|神|步|言|在那)[着存下片在]?|存(?!钱|款)[着起下]?|保留|保存|要记得)"
    r"|(?:不想|不愿)(?:让)?(?:它|这|那|你)[^，。]{0,6}(?:留|记|在|存|知道)|不该(?:存|留)|幸勿留|不要(?:再)?留"
)
_AS_IF_ZH = LazyPattern(
    r"(?:就|只|权|全)?当(?:作|成)?(?:我|是)?(?:从来|压根|根本|从)?(?:就|都)?(?:没|未|唔|不)(?:有)?(?:跟你)?(?:说|讲|听|知|提|闻|吃|存在|发生|这回事|这事)|当(?:我)?放了?个?屁|当没听见|当听唔到|(?:但愿|希望)[你您](?:未曾|没)听|(?:在你(?:这里|那里|那儿|这儿))?不存在"
)
_OF_TELLING_ZH = LazyPattern(
    r"我(?:上?回|上次|之前|刚才?|刚刚|头先|前几日|昔日|跟你|和你|同你|给你|向你)?(?:说|讲|坦白|吐槽|告诉|念|提|说漏|多嘴)|(?:说|讲|告诉|坦白|吐槽|念)(?:过|给[你您]|的|漏)|刚才?说|刚刚讲|方才|头先|之前讲|那(?:件|桩|档子|段|条|句|个瓜|事|些话)|[这那]事|的事|消息|黑历史|秘密|记忆|脑子|记录|你那[里儿边]|你这[里儿边]|名字|号|多嘴|嘴快|所言|所告|地址|结果"
)
_TO_YOU_ZH = LazyPattern(r"[你您]|给我|帮我|麻烦|请|拜托|求|咁|唔好|当我|莫|勿|别|甭|不必|不用|删|抹|撤回|烂掉")
_NOT_ZH = LazyPattern(
    r"(?:别|不要|没|不会|不能|千万别|难道|是不是|怎么|可别|勿|唔)(?:又|也|都|就|老|把[^，。]{0,6})?(?:给)?忘(?!掉)|(?<![给帮])[我他她咱](?:又|也|都|就|早|把[^，。]{0,6})?(?:给)?(?:忘|删)|(?<!好)(?<!行)(?<!以)(?<!成不)(?<!不好)(?<!存在)[?？]\W*$|(?<!好)(?<!行)(?<!以)吗\W*$"
    r"|(?:[他她]|我妈|我爸|领导|老板|前任|村里人|公司|网站|法院|原告|大家|有些人)(?!的)[^，。]{0,8}(?:忘|删|抹|清|撤|烧|当没|作废|收回)|账号|照片|游戏|微信|文件|闹钟|软件|日记|论文|邮件|钥匙|起诉|借出|衣服|记(?:错|仇)|一定要记|但.{0,3}记着|收不回|想忘|忘不"
)

_REPROACH_ZH = LazyPattern(r"(?<!请)(?<!求)(?<!烦)[你您](?:又|都|早|肯定|怕是)?忘了(?:吧|了)?\W*$")


def wording_of(sentence: str, message: str) -> list[tuple[int, int]]:
    """Where in a sentence of a message it is asked to forget what was told; empty where nothing of the kind is."""
    return _english(sentence, message) or _chinese(sentence, message)


def _english(sentence: str, message: str) -> list[tuple[int, int]]:
    if _NOT_ENGLISH.search(sentence) is not None:
        return []
    forms = [_AS_IF] if sentence.strip() == message.strip() else [_AS_IF, _SHORT_ORDER]
    if _OF_TELLING.search(message) is not None:
        forms += [_KEEP_NOT, _WISH, _IMPERATIVE]
    return [match.span() for form in forms if (match := form.search(sentence)) is not None]


def _chinese(sentence: str, message: str) -> list[tuple[int, int]]:
    asks = _NOT_ZH.search(sentence) is None and _TO_YOU_ZH.search(message) is not None
    if not asks or _OF_TELLING_ZH.search(_AS_IF_ZH.sub(" ", message)) is None:
        return []
    order = _ORDER_ZH.search(sentence)
    others = [match.span() for form in (_KEEP_NOT_ZH, _AS_IF_ZH) if (match := form.search(sentence)) is not None]
    if order is None or (not others and _REPROACH_ZH.search(sentence) and not _asks_else(message)):
        return others
    return [(order.start("rid") if order["rid"] else order.start(), order.end()), *others]


def _asks_else(message: str) -> bool:
    """Whether a message asks the same in words that cannot be a reproach."""
    return _KEEP_NOT_ZH.search(message) is not None or _AS_IF_ZH.search(message) is not None
