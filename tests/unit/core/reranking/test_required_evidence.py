"""A question for words that can be told by their form has no answer where nothing says them, in both languages."""

from __future__ import annotations

import pytest

from every_row import every_row
from soulmem.core.reranking.required_evidence import lacks_answer

LACKING = (
    ("What's the name of the noodle place?", ["I work at a noodle place on Fridays."]),
    ("What's my mother's name?", ["Mum's hip gets done on the 21st, and she won't have Inga told."]),
    ("What's the name of the wool shop?", ["I live on Victoria Street, up two stairs above the wool shop."]),
    ("How much does the ticket for the ferry cost?", ["I take the tickets on the ferry, nine times a day."]),
    ("宠物医院叫什么？", ["我叫阿琪，在一家宠物医院值夜班。"]),
    ("我妈叫什么名字？", ["我妈在老家卖煎饼，每天三点半起来。"]),
    ("晓雯在哪儿上班？", ["晓雯说她要结婚了，让我当伴娘。"]),
    ("What was the name of my mother?", ["I remember the cold and I remember my mother's yellow coat."]),
    ("What's Edwin's wife called?", ["Edwin wrote from Perth.", "My wife's a Meg, and so is the dog."]),
    ("What are Nico's daughters called?", ["My brother Nico has three girls, all loud."]),
    ("Who's the plumber?", ["The plumber comes on Monday about the tap."]),
    ("What does Greta do for work?", ["Greta lives over in Hexham with a man.", "Greta rang, she's tired."]),
    ("What instrument does Ellie play?", ["Ellie came round four nights in seven.", "Priya has her drums upstairs."]),
    ("How much did the tickets cost?", ["We had tickets for the 21st of November, a present."]),
    ("What colour is my coat?", ["I left my coat on the bus again."]),
    ("What did I study at university?", ["I gave up Spanish, I'm learning Portuguese."]),
    ("What is Tunde's surname?", ["Tunde came round with a bottle, and Tunde stayed till one."]),
    ("What's the cat's name?", ["The cat sleeps on my feet."]),
    ("what did my dad die of?", ["My dad would have liked this garden."]),
    ("How old is Cian?", ["Cian lost a tooth in an apple."]),
    ("What's my dad's job?", ["Dad rang about the football."]),
    ("How much did the house in Grange cost?", ["The house in Grange has a pear tree."]),
    ("阿兰今年多大？", ["阿兰打电话来说路上堵。"]),
    ("新主机一共花了多少钱？", ["主机到了，装了一下午。"]),
    ("家教那个小孩叫什么？", ["给介绍了个家教 教初二小孩数学 一小时八十"]),
    ("朵朵上的幼儿园叫什么？", ["朵朵发烧，幼儿园里一堆娃都烧。"]),
    ("小勇的饭店叫什么？", ["聚会的地方换成小勇开的饭店了。"]),
    ("建军是哪里人？", ["建国是我老乡，建军是站长，天天在群里发语音。"]),
    ("老许以前是干什么的？", ["一楼的老许死活不点头，说挡他的光。"]),
    ("程磊的表哥做什么生意？", ["还欠表哥两万没给。"]),
    ("我骑的电动车是什么牌子？", ["我那电动车电池不行了，换一组要一千八。"]),
    ("年糕是在哪家医院出生的？", ["约了妇儿医院的皮肤科，十五号上午。"]),
    ("我们队长是学什么专业的？", ["队长周六要补考，训练改到周日。"]),
)  # fmt: skip
ANSWERED = (
    ("What's the name of the noodle place?", ["the noodle place is called wok n roll, i do fridays"]),
    ("What was the name of my mother?", ["My mother, Rose, wore a yellow coat."]),
    ("What's my mother's name?", ["Mum is Isobel to the nurses, and hates it."]),
    ("What was the name of my mother?", ["Rose, my mother, wore a yellow coat."]),
    ("What's Edwin's wife called?", ["Edwin wrote from Perth, and his wife Joan sends her love."]),
    ("What are Nico's daughters called?", ["Nico has three girls. They're called Ana, Bea and Lu."]),
    ("Who's the vet?", ["There's a lovely vet in Ulverston, young Farrah, he comes out at night."]),
    ("What's the name of the pub?", ["We drink in the pub, the Fox, every Friday."]),
    ("What does Hamish do for a living?", ["My brother Hamish repairs bicycles in Leith."]),
    ("英格弹什么乐器？", ["英格在铜管乐队里弹竖琴。"]),
    (
        "where is Emeka from?",
        ["I'm seeing someone. his name is Emeka.", "he's a sound engineer, from Lagos originally"],
    ),
    ("what does Emeka do for a living?", ["his name is Emeka.", "he's a sound engineer, from Lagos originally"]),
    ("欧阳琳是做什么工作的？", ["室友叫欧阳琳，比我大两岁，在华西医院当护士"]),
    ("晓棠的对象是做什么的", ["晓棠来电话了。", "你猜怎么着，她有对象了！叫上官文博，是个兽医"]),
    ("Who's the plumber?", ["Harris the plumber comes on Monday.", "The plumber, old Harris, is coming."]),
    ("What does Greta do for work?", ["Greta nurses at the Royal."]),
    ("What does Greta do for work?", ["Greta's my eldest. Sells solar panels up in Leeds."]),
    ("What instrument does Ellie play?", ["Ellie plays the cello in the school orchestra."]),
    ("How much did the tickets cost?", ["The tickets were £45 each."]),
    ("What colour is my coat?", ["My new coat is bottle green."]),
    ("What did I study at university?", ["I did a history degree and never used it."]),
    ("What is Tunde's surname?", ["Tunde Bello came round with a bottle."]),
    ("What's the cat's name?", ["The cat is Olive, and she sleeps on my feet."]),
    ("what did my dad die of?", ["My dad went of his lungs, like all of them."]),
    ("How old is Cian?", ["Cian is six and has lost a tooth."]),
    ("What's my dad's job?", ["Dad drives the school bus."]),
    ("How much did the house in Grange cost?", ["The house in Grange was £210,000."]),
    ("阿兰今年多大？", ["阿兰三十七，属龙。"]),
    ("新主机一共花了多少钱？", ["主机到了，五千二，心疼。"]),
    ("文博在哪里上班？", ["文博现在在腾讯上班。"]),
    ("国栋是做什么的？", ["国栋现在是水管工。"]),
    ("外婆今年多大？", ["外婆八十六,住在温江养老院"]),
    ("家教那个小孩叫什么？", ["那小孩叫石头，上初二。"]),
    ("朵朵上的幼儿园叫什么？", ["朵朵的幼儿园叫小太阳。"]),
    ("小勇的饭店叫什么？", ["小勇的饭店就叫“一口香”。"]),
    ("建军是哪里人？", ["建军老家周口的。"]),
    ("老许以前是干什么的？", ["老许以前在机床厂开吊车。"]),
    ("程磊的表哥做什么生意？", ["他表哥倒腾茶叶，开了家店。"]),
    ("我骑的电动车是什么牌子？", ["我那电动车是雅迪的，骑三年了。"]),
    ("年糕是在哪家医院出生的？", ["年糕在妇儿医院生的，六斤八两。"]),
    ("我们队长是学什么专业的？", ["队长学土木的，天天画图。"]),
)
# What the question calls otherwise than what was told may be meant all the same.
OPEN = (
    ("What's the name of the noodle place?", ["Wok n Roll pays nine pounds an hour."]),
    ("What's my nan's name?", ["nan (maureen) had her eye done"]),
    ("我们站的头儿叫什么？", ["建军是站长。"]),
    ("How is Greta?", ["Greta lives over in Hexham."]),
    ("我妈身体怎么样？", ["我妈血压高。"]),
)


@every_row(LACKING, unpack=True)
def test_nothing_answers_that_has_not_what_is_asked_for(question: str, texts: list[str]) -> None:
    assert lacks_answer(question, texts)


@every_row(ANSWERED, unpack=True)
def test_one_text_that_has_it_is_enough(question: str, texts: list[str]) -> None:
    others = [each for asked, told in LACKING if asked == question for each in told]
    assert not lacks_answer(question, texts)
    assert not lacks_answer(question, [*others, *texts])


@every_row(OPEN, unpack=True)
def test_what_is_told_in_other_words_is_left_to_the_ranking(question: str, texts: list[str]) -> None:
    assert not lacks_answer(question, texts)


@pytest.mark.parametrize("text", ["", " ", "。。。", "." * 5_000, "a" * 5_000, "店" * 5_000])
def test_any_text_is_read(text: str) -> None:
    assert not lacks_answer("What was the name of my mother?", [text])
    assert isinstance(lacks_answer("小勇的饭店叫什么？", [text, "小勇开的饭店"]), bool)
