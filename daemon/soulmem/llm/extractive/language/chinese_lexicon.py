"""Chinese words for the extractive engine; single characters stand where words cannot be told apart."""

# ruff: noqa: E501 (words stand on long lines, as tables)

from __future__ import annotations

from typing import Any

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.word_file import read_rows
from soulmem.llm.extractive.language.lexicon import WORDS, Lexicon

# Characters that carry grammar; runs between them are taken for words.
STOP = frozenset(
    "的了着过是在有和与跟同及或我你您他她它们这那哪谁什么怎么吗呢吧啊呀哦嗯哈哎唉嘛啦哇呗噢呃就都也还又很太最更再才只不没"
    "无非被把让给对向从到为以因所于而且但却如若则虽然之其此个些里上下中去来说要会能可想得地么样多少真好大小"
)
GENERIC = frozenset(
    [
        "谢谢", "感谢", "你好", "您好", "早安", "晚安", "再见", "拜拜", "加油", "恭喜", "祝贺", "厉害", "不错", "开心", "高兴",
        "可以", "知道", "觉得", "感觉", "喜欢", "时候", "东西", "事情", "今天", "现在", "一下", "一起", "一个", "真的", "非常",
        "特别", "应该", "需要", "可能", "已经", "还是", "因为", "所以", "但是", "如果", "没有", "什么", "怎么", "这样", "那样",
        "这个", "那个", "大家", "自己", "我们", "你们", "他们", "哈哈", "没事", "没关系", "注意", "好好", "有点", "有空",
    ]
)  # fmt: skip


_VERB_DONE = (
    r"(?:去|来|做|买|卖|吃|喝|看|见|遇|找|拿|收|送|搬|换|辞|升|考|学|写|画|跑|打|玩|参加|参观|开始|决定|认识|养|生|住|结|离|"
    r"订|报|拍|听|读|赢|输|丢|摔|病|哭|笑|吵|回|到|进|走|离开|完成|发现|收到|拿到|通过|失去|答应|约|试|带|租|修)"
)


_PATTERNS: dict[str, Any] = {
    name: LazyPattern(pattern) for name, pattern in read_rows("llm/extractive/language/chinese_lexicon.txt", globals())
}
CHINESE = Lexicon(
    language="zh",
    stop=STOP,
    generic=GENERIC,
    address="你",
    topics=tuple((topic, LazyPattern(words)) for topic, words in WORDS["zh"].items()),
    negation_reach=2,
    **_PATTERNS,
)
