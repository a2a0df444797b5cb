"""Who is asked about: what is told of another, or of whoever speaks, takes no answer's place."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.reranking.asked_somebody import may_answer, spoken_of

OF_ANOTHER = [
    ("Where do the dogs sleep?", "The dogs sleep in the bath.", "My sister sleeps on the sofa now."),
    ("Where does my mum live?", "Mum lives in Hull.", "My mother-in-law has moved to Spain."),
    (
        "Where does the dog sleep?",
        "We've a lurcher called Biddy, she sleeps in the bath.",
        "First night in the new place.",
    ),
    ("Where is my mother living?", "My mother Bríd lives on her own in Youghal.", "First night in the new place."),
    (
        "Where does the dog sleep?",
        "Our dog sleeps in the bath.",
        "Mam's bed is up in our front room now, she can't climb.",
    ),
    ("狗睡在哪儿？", "养了条土狗叫煤球，睡阳台。", "我妈的床搭在我这边客厅了，楼梯她爬不动了。"),
    ("我妈现在住哪儿？", "我妈一个人住昆山。", "搬进自己买的小房子了，头一晚，水壶搁在箱子上。"),
    ("Bea 的狗睡哪儿？", "狗睡在 kitchen。", "我搬到 Leeds 了。"),
]
OF_THE_SAME = [
    ("Where does my mum live?", "My mum lives in Hull.", "She moved to York in May."),
    ("我妈住哪儿？", "我妈住在武汉。", "她搬到北京去了。"),
    ("What does my husband do?", "My husband drives a bus.", "He starts at Tesco next week."),
    ("Where is my mother living?", "My mother lives in Youghal.", "Mam's bed is up in our front room now."),
    ("What does my son play?", "My son Fionn plays the whistle.", "Fionn has swapped the whistle for a fiddle."),
    ("Where does the dog sleep?", "The dog sleeps in the bath.", "She has a basket of her own now."),
    ("How old are the children?", "My daughter is in year two.", "My daughter is in year three."),
    ("我妈现在住哪儿？", "我妈一个人住昆山。", "老太太的床搭在我这边客厅了。"),
    ("我女儿学什么？", "女儿小禾学钢琴。", "小禾的钢琴卖了，现在天天拉二胡。"),
    ("狗睡在哪儿？", "狗睡阳台。", "它现在睡我床边了。"),
]
OF_NOBODY = [
    ("Where do I live?", "I rent a room.", "First night in the new place."),
    ("我住哪儿？", "我跟室友合租。", "搬进自己买的小房子了。"),
]


@every_row(OF_ANOTHER, unpack=True)
def test_what_is_of_another_is_no_answer(query: str, earlier: str, later: str) -> None:
    assert not may_answer(query, earlier, later)


@every_row([*OF_THE_SAME, *OF_NOBODY], unpack=True)
def test_what_may_be_of_the_same_is_one(query: str, earlier: str, later: str) -> None:
    assert may_answer(query, earlier, later)


@every_row([("the season", "comparison, category"), ("时间姗姗来迟", "气象")], unpack=True)
def test_words_within_words_are_nobody(*texts: str) -> None:
    assert not any(map(spoken_of, texts))
