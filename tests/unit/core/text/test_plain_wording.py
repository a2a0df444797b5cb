"""Questions in the speech of a region, in the words that everybody asks with."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.text.plain_wording import in_plain_words


@every_row(
    [
        ("我爸多咱过生日？", "我爸什么时候过生日？"),
        ("你啥前儿回来？", "你什么时候回来？"),
        ("他几时返嚟？", "他什么时候返嚟？"),
        ("为啥子不去？", "为什么不去？"),
        ("你干啥去了？", "你做什么去了？"),
        ("今晚吃啥？", "今晚吃什么？"),
        ("啷个回去？", "怎么回去？"),
        ("我眼睛咋了？", "我眼睛怎么了？"),
        ("你住哪嘎达？", "你住哪里？"),
        ("礼拜天上哪儿玩？", "周日去哪里玩？"),
        ("我搁哪上班？", "我在哪上班？"),
        ("边个煮饭？", "谁煮饭？"),
        ("她嫁给哪个？", "她嫁给谁？"),
        ("房租好多钱？", "房租多少钱？"),
        ("他多少岁？", "他几岁？"),
        ("你哪年结的婚？", "你哪年结婚的？"),
        ("他哪年退的休", "他哪年退休的"),
        ("我男票是搞什么的", "我男朋友是做什么的"),
    ],
    unpack=True,
)
def test_a_regions_question_is_asked_in_everybodys_words(spoken: str, plain: str) -> None:
    assert in_plain_words(spoken) == plain


@every_row(
    [
        "我家住哪里？",
        "她唱歌唱得好多了",
        "我花了好多钱",
        "早上哪个来了？",
        "好久没见你了",
        "天上哪颗星最亮？",
        "别唠叨了",
        "三天两头整理房间",
        "这个礼拜很忙",
        "what time is it?",
        "",
    ]
)
def test_what_everybody_says_stays(text: str) -> None:
    assert in_plain_words(text) == text
