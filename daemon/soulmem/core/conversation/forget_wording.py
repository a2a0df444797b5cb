"""Forget wording: in which words people ask a companion to forget, Chinese and English.

Read by `forget_requests`. A sentence asks where it tells the companion to let go of something, not to keep it, or to
take it as never said, and where the message says that this is of what was told, or of the companion's memory. In doubt
it asks nothing: "forget it", "don't forget", "he told me to forget her", 你忘了吧？, 别忘了, 把旧照片删了.
"""

# Patterns stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.regex.lazy_regex import LazyPattern

_LEAD = r"(?:please|kindly|pls|plz|just|so|and|but|oh|ok|okay|actually|lol|now|well|listen|look|sir|mate|love|yaar|nope|no|yes|hmm|ah|here|arrah|then|right|also|go on|honestly|like|go ahead|be so good|be so kind|as|to|and)"
_LET_GO = r"(?:forget|lose|erase|delete|wipe|scrub|scratch|strike|blot|bin|drop|remove|unsend|un-?(?:know|tell|hear|say|remember)|rub|burn|bury|consign|purge|expunge|clear|take|let|get rid of|put|cut|cross)"
_IMPERATIVE = LazyPattern(
    rf"^\W*(?:{_LEAD}\b\W*)*{_LET_GO}\b|[,;:–—]\s*(?:{_LEAD}\b\W*)*{_LET_GO} (?:it|that|this|the lot)\b", re.IGNORECASE
)
_WISH = LazyPattern(
    rf"\b(?:(?:can|could|would|will) (?:you|u|ye|ya)|(?:i['’]?d|i would) (?:rather|like|love|prefer|be glad|sleep)|i (?:want|need|beg|ask|request|humbly|must ask|wish)|y['’]?all can|(?:you|u) (?:can|may|could|should) (?:just )?|do me a favou?r|be so (?:good|kind) as|may i ask|if (?:you|u) (?:would|could)|(?:you|u) to)\b[^.!?]{{0,40}}?\b{_LET_GO}\b"
    r"|\b(?:could|can|may) (?:it|that|this|all (?:of )?(?:it|that|this)) be (?:gone|forgotten|erased|deleted|removed|wiped|struck)\b|\b(?:like|want|need|prefer) (?:it|that|this|all (?:of )?(?:it|that|this)|(?:the|my|that) [\w'’ ]{2,30}?) (?:to be )?(?:gone|forgotten|erased|deleted|removed|wiped|struck|off your)\b|\b(?:to|you) stop knowing\b",
    re.IGNORECASE,
)
_KEEP_NOT = LazyPattern(
    r"(?<!i )(?<!we )(?<!they )(?<!he )(?<!she )\b(?:don['’]?t|do not|dont|never|not|no need to|stop)\s+(?:you\s+)?(?:ever\s+)?(?:be )?(?:keep(?:ing)?|sav(?:e|ing)|stor(?:e|ing)|hold(?:ing)?(?: on to)?|hang(?:ing)? on(?: to)?|remember(?:ing)?|record(?:ing)?|retain(?:ing)?|log|writ(?:e|ing)(?: down)?|hav(?:e|ing))\s+(?:onto\s+)?(?:it|that|this|any of|any record|a record|what|whatever|the name|anything i|my)\b"
    r"|\b(?:keep|hold|retain|store|have) no (?:record|trace|note|copy|memory)\b|\b(?:that|this|it) (?:stays|goes|is kept|is to be kept) nowhere\b|\bnot comfortable with (?:you|u) (?:having|knowing|keeping)\b"
    r"|\bi (?:do not|don['’]?t|dont) want (?:it|that|this|any of (?:it|that)|(?:you|u) to (?:have|keep|know|remember)) ?(?:ever )?(?:said|repeated|brought up|kept|stored|remembered|existing|to exist|on (?:the )?record|written down|it|that|this)\b"
    r"|^\W*(?:please )?(?:never|don['’]?t(?: you)?(?: ever)?|do not(?: ever)?) (?:bring (?:it|that|this) up|mention (?:it|that|this) (?:again|to me)|say (?:it|that|this) back)(?: to me)?(?: again)?\W*$",
    re.IGNORECASE,
)
_AS_IF = LazyPattern(
    r"(?:^\W*(?:(?:please|just|and|so|but|oh|ok|let['’]?s|can we|could we|can (?:you|u)|could (?:you|u)|would (?:you|u))\W+)*(?:(?:act|be|treat it|take it|carry on) )?|\b(?:let|have) (?:it|that|this)(?: all)? be )(?:as (?:if|though)|like|pretend(?: that| like)?) (?:i|it|(?:you|u) (?:never|didn['’]?t))\b[^.!?]{0,12}?(?:never|nothing|didn['’]?t|not|kept|hear)"
    r"|^\W*(?:you|u) (?:didn['’]?t|never) hear[d]? (?:it|that|this|a thing|nothing|anything)\b|\bnope?,? never happened\b|^\W*it never happened\W*$|(?<!we )(?<!they )(?<!to )(?<!he )(?<!she )\bpretend (?:i|it) (?:never|didn['’]?t)\b",
    re.IGNORECASE,
)
# What is told, and whose memory is meant: one of it stands in the message.
_OF_TELLING = LazyPattern(
    r"\bi(?:['’]?ve|['’]?d| have| had| just| only| once| ever)* (?:just )?(?:told|said|mentioned|confess\w*|confided|shared|let slip|related|repeated|blabbed|admitted|lied|read you|called|spilled|wrote|typed|sent|shouldn['’]?t have)\b|\btold (?:you|u)\b|\b(?:your|ur) (?:own )?(?:memory|memories|mind|brain|head|notes?|records?|books?|recollection|keeping|side|files?)\b|\b(?:you|u) (?:having|knowing|keeping|have|know|keep)\b|\bkeep on me\b|\b(?:nowhere|anywhere|forever|for good|permanently|never happened|hear)\b|\bun-?(?:know|tell|hear|say|send)\b|\b(?:confession|confidence|secret|crush|indiscretion)\b|\b(?:that|the|this) [\w'’-]{2,20} (?:story|business|thing|matter)\b",
    re.IGNORECASE,
)
_SHORT_ORDER = LazyPattern(
    rf"^\W*(?:(?:just|please|now|all of)\W+)*(?:(?!forget|take|let|put|get)(?:{_LET_GO})) (?:it|that|this|all that|all of (?:it|that)|that all)\b[\w ,]{{0,12}}\W*$",
    re.IGNORECASE,
)
_NOT_ENGLISH = LazyPattern(
    r"\b(?:do not|don['’]?t|dont|never|won['’]?t|can['’]?t|cannot|could(?:n['’]?t| not)|did(?:n['’]?t)? (?:you|u)|hope (?:you|u)|do (?:you|u)(?: think)?|(?<!can )(?<!could )(?<!would )(?<!will )(?:you|u)(?:['’]ve| have)?(?: already| always| just)?|ya|he|she|they|we|(?<!if )i|['’]ll|tend to|to not|people|mum|mom|dad|manager|company) (?:ever |really |had to |has to |have to |could |can )?(?:forget|delete|erase|forgot|forgotten|wipe|remove|drop|lose)\b(?! (?:it|that|this) (?:from|out of) (?:your|ur) )"
    r"|\b(?:remind|buy|bought|website|account|app|photos?|messages?|paragraph|file|email|bank|phone|laptop)\b|\b(?:he|she|they|who|company|council|we)\b[^.!?]{0,20}\b(?:forget|erase|delete|keep|burn|wipe)|\bforget (?:about )?(?:me|him|her|them|you|us|dinner|lunch|it)\b|\b(?:do|remember) (?:remember|to)\b|\?$(?<!you\?)(?<!pls\?)(?<!please\?)(?<!ok\?)(?<!said\?)(?<!no\?)(?<!pet\?)(?<!brain\?)(?<!me\?)(?<!memory\?)(?<!notes\?)(?<!mind\?)(?<!story\?)(?<!thing\?)(?<!again\?)(?<!birthday\?)",
    re.IGNORECASE,
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
