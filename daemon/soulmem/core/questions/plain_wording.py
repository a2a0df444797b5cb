"""Plain wording: a question in the everyday speech of a region, in the words that everybody asks with.

Called by recall before a question is read, so that whoever reads it needs to know one wording of each: 啥 and 乜嘢 ask
what 什么 asks, 上哪儿 what 去哪里 asks, 礼拜天 is 周日. Only what asks and the little words around it are exchanged;
what is asked about stays as it was said. Pure, linear in the length of the text. Invariant: a text without such a
word stays as it is.
"""

from __future__ import annotations

from soulmem.core.regex.lazy_regex import LazyPattern

_HAN = LazyPattern("[\u4e00-\u9fff]")

# In this order: what a row makes, later ones read.
# ruff: noqa: E501 (a row stands on a long line, as a table)
_WORDINGS = (
    (r"(?:礼拜|星期)[天日]", "周日"),
    (r"(?:礼拜|星期)(?=[一二三四五六])", "周"),
    (r"啥(?:时候|前儿|时间|会儿)|(?<![一二三四五六七八九十两几])多[咱暂](?:晚儿?)?|几时|好久(?=[^，。！？]{0,8}(?:[的来走回生到]的?[？?]|结婚|生日|出生))", "什么时候"),
    (r"为啥子?|做乜(?=[^嘢野])|点解", "为什么"),
    (r"[干嘎整弄][啥哈嘛吗](?:子)?(?!事)|做(?:乜[嘢野]|啥子?)", "做什么"),
    (r"啥子|乜[嘢野]|甚么|啥", "什么"),
    (r"咋个|咋样|咋(?=[了的整办弄去来走回叫称过说])|[啷朗浪]个|点样|咋", "怎么"),
    (r"哪(?:嘎达|疙瘩|旮旯|旮沓|块儿|儿|搭儿?|个地方)|边度|边处", "哪里"),
    (r"(?<![天马路街网手早晚赶班])上(?=哪)", "去"),
    (r"搁(?=哪|家|这|那|[^，。！？]{1,4}(?:住|上班|干|待))|喺", "在"),
    (r"边个|边位", "谁"),
    (r"(?<=[给跟和是找请陪])哪个(?=[？?。了]|$)", "谁"),
    (r"(?<![胡乱恶瞎])[搞弄整](?=什么的)", "做"),
    (r"男票", "男朋友"),
    (r"女票", "女朋友"),
    (r"身子骨儿?", "身体"),
    (r"(?<=[我你他她])(?:老汉儿?|老豆|老窦)", "爸"),
    (r"多少岁", "几岁"),
    (r"几多|(?<![了着过])好多(?=钱|岁|号|斤|块|年|天|个|人|平|度|点|米|公|[？?])|(?<!好)多钱(?=[？?一])", "多少"),
    (r"唠嗑|摆龙门阵|倾偈|唠(?!叨)", "聊天"),
    (r"(?<![老小])[俺偶](?!然|尔|像|数)|(?<![\u4e00-\u9fff])(?:侬我|阿拉)", "我"),
    (r"([领扯结离毕辞入退报搬见住])的(?:(?<=领的)(证)|(?<=扯的)(证)|(?<=[结离]的)(婚)|(?<=毕的)(业)|(?<=[辞入]的)(职)|(?<=退的)(休)|(?<=报的)(名)|(?<=搬的)(家)|(?<=见的)(面)|(?<=住的)(院))(?=[？?。，！]|$)", r"\1\2\3\4\5\6\7\8\9\g<10>\g<11>的"),
)  # fmt: skip
_TABLE = tuple((LazyPattern(pattern), plain) for pattern, plain in _WORDINGS)


def in_plain_words(text: str) -> str:
    """A question with its words of a region in those that everybody asks with."""
    if text.isascii() or not _HAN.search(text):
        return text
    for pattern, plain in _TABLE:
        text = pattern.sub(plain, text)
    return text
