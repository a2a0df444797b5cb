"""Self introductions: with which name somebody says who he is ("Hi Pell, I am Tom", 我叫陈默, 叫我小陈就行).

Asked by what makes facts of what a speaker says of himself. Who names another (I'm Tom's sister, 我是李雷的妈妈), orders
somebody about (我叫王芳来接我) or says what he is (I'm Irish, 我是路痴) does not introduce himself. Pure, both languages.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

import re

from soulmem.core.names.name_recogniser import NameKind, NameSpan, find_names
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern

_AHEAD = 40  # characters before a name that are looked at
_SAYS_SO = CaselessPattern(
    r"(?:\b(?:i am|i['’]?m|my (?:full |first |real |given )?name(?:['’]?s| is)|name['’]?s|(?:you (?:can|may) |please |just |but )?call me|(?:people|friends|everyone|everybody|they all|they|most people|my friends|all) calls? me|i go by|i(?:['’]m| am) called|i answer to)"
    r"(?: also| actually| really| just| usually)? |^\W{0,3}(?:(?:hi|hey|hello|yo)\W{1,3})?(?:it['’]?s|this is) )$"
)
_DENIED = CaselessPattern(r"\b(?:not|never|don['’]?t|isn['’]?t|if|as if|pretend)\b[^.!?]{0,16}$")
_ENDS = CaselessPattern(
    r"\s{0,8}(?:$|[,.!?;:)~…—–-]|(?:and|but|from|btw|by the way|here|again|speaking|for short|instead|please|pls|lol|haha|nice|in|at|your|the|his|her|\d)\b)"
)
_ONLY_HERE = CaselessPattern(
    r"\s{0,8}(?:here|speaking|again|from|btw|by the way)\b|\s{0,8}[.!]|\s{0,8},(?! (?:my|our|his|her|the)\b)|\s{0,8}$"
)
_SAYS_SO_ZH = LazyPattern(
    r"(?:(?<![让请给帮替为找被说])我(?:的?(?:名字|姓名|全名|真名|大名))?(?:名?叫做?|是|也?叫)(?:那个|新来的)?|(?:叫|喊|称呼)我|本人(?:名叫|叫|是)?|(?:^|[，。！,!\s])(?:免贵姓.?，?)?(?:名叫|名字叫|名字是))$"
)
_DENIED_ZH = LazyPattern(r"(?:不|没|别|假如|如果|要是|以为|觉得|当)[^，。！？,.!?]{0,6}$")
_ENDS_ZH = LazyPattern(
    r"\s*(?:$|[，。！？、；：,.!?;:~～…)）（(\s]|(?:就[行好可]|即可|吧|哦|噢|哈|啊|呀|啦|呢|今年|来自|是|，))"
)
# 我叫顾师傅来看, 我叫王磊，让他帮忙: somebody is called for.
_CALLED_FOR = tuple("师傅 老师 医生 大夫 护士 经理 老板 主任 教练 阿姨 叔叔 大哥 大姐 律师 警官".split())
_ERRAND = LazyPattern(r"[，,\s]*(?:让|叫|请|帮|给|替|去|来(?!自)|看|到(?!了)|过来|过去|快|马上|赶紧|一起|但?[他她])")
_GREETING = re.compile(r"^(?:this is|it['’]?s)", re.IGNORECASE)


def introduced(text: str) -> NameSpan | None:
    """The name somebody gives as his own, the first one; None where he gives none."""
    for each in find_names(text):
        if each.kind is NameKind.PERSON and _is_own(text, each):
            return each
    return None


def _is_own(text: str, name: NameSpan) -> bool:
    ahead = text[max(0, name.start - _AHEAD) : name.start]
    if said := _SAYS_SO.search(ahead):
        ends = _ONLY_HERE if _GREETING.match(said[0].lstrip(" ,.!")) else _ENDS
        return _DENIED.search(ahead, 0, said.start()) is None and ends.match(text, name.end) is not None
    said = _SAYS_SO_ZH.search(ahead)
    if said is None or _DENIED_ZH.search(ahead, 0, said.start()):
        return False
    if name.name.endswith(_CALLED_FOR) or _ERRAND.match(text, name.end):
        return False
    return _ENDS_ZH.match(text, name.end) is not None
