"""What a question calls for, and whether a text has it: names, numbers, times, and of whom."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.questions.asked.asked_form import Form
from soulmem.core.search.answer_type import asks_of_speaker, meets, read_calls
from soulmem.core.search.score_calibration import LEAST_FIT, read_fit


@every_row([
        ("what's the gardener called?", Form.NAME), ("what is her surname", Form.NAME),
        ("how many hens do we keep?", Form.NUMBER), ("what's Oona's phone number?", Form.NUMBER),
        ("when does the ferry leave", Form.TIME), ("what day is the fair?", Form.TIME),
        ("who repaired the loom?", Form.PERSON), ("why is the well dry?", Form.ANY),
        ("园丁叫什么？", Form.NAME), ("他姓什么", Form.NAME), ("我们养了多少只鸡？", Form.NUMBER),
        ("阿岚的电话号码是什么", Form.NUMBER), ("渡船什么时候开", Form.TIME), ("集市是几号？", Form.NUMBER),
        ("织布机是谁修好的？", Form.PERSON), ("井为什么干了？", Form.ANY),
    ], unpack=True)  # fmt: skip
def test_what_a_question_calls_for(question: str, form: Form) -> None:
    assert read_calls(question).form is form


@every_row(
    [
        ("what's the gardener called?", "The gardener is called Ivo.", "The gardener comes on foot."),
        ("what is Oona's surname?", "Oona Brennan came by.", "his sister's name is Oona"),
        ("how many hens do we keep?", "we keep eleven hens now", "we keep hens behind the barn"),
        ("when does the ferry leave?", "the ferry leaves at noon", "the ferry is painted green"),
        ("who repaired the loom?", "my cousin repaired the loom", "the loom runs again, thank goodness"),
        ("园丁叫什么？", "园丁叫阿福", "园丁走路来的"),
        ("我们养了多少只鸡？", "现在养了十一只鸡", "鸡养在谷仓后头"),
        ("渡船什么时候开？", "渡船中午开，每天都有", "渡船漆成绿色了"),
        ("织布机是谁修好的？", "织布机是表哥修好的", "织布机又能用了，谢天谢地"),
    ],
    unpack=True,
)
def test_what_is_called_for_is_told_from_what_only_sounds_like_it(question: str, has_it: str, has_it_not: str) -> None:
    calls = read_calls(question)
    assert meets(calls, has_it).form == 1
    assert meets(calls, has_it_not).form == -1


@every_row(
    [
        ("which boat do I own?", "I finally bought a dinghy", "She owns a dinghy and two kayaks"),
        ("where did I grow up?", "grew up on my uncle's farm", "Tobias grew up on a farm"),
        ("what is my brother called?", "my brother is called Lars", "Ada's brother is called Lars"),
        ("我住在几楼？", "我住三楼", "他住三楼，天天爬楼梯"),
        ("我妈妈是做什么的？", "我妈妈是裁缝", "他妈妈是裁缝"),
    ],
    unpack=True,
)
def test_what_is_said_of_another_answers_nobody_who_asks_of_himself(question: str, own: str, anothers: str) -> None:
    calls = read_calls(question, "Robin")
    assert meets(calls, own, "Robin", "user").subject >= 0
    assert meets(calls, anothers, "Robin", "user").subject == -1


def test_i_is_whoever_speaks() -> None:
    calls = read_calls("am I afraid of geese?", "Robin")
    assert meets(calls, "I'm terrified of geese", "Robin", "user").subject == 1
    assert meets(calls, "I'm terrified of geese", "Petra", "user").subject == -1
    assert meets(calls, "You are afraid of geese.", "Sol", "assistant").subject == 1
    assert meets(calls, "I am not afraid of geese.", "Sol", "assistant").subject == -1
    assert meets(calls, "Robin is afraid of geese (2 May 2026)", "Robin").subject == 1, "a note in third person"


@every_row([
        ("when did Nate win his first race?", "Nate", "I won my first race in May", "Vera: I won my first race in May"),
        ("What books has Petra read?", "Petra", "I read a novel about whales", "Rory: I read a novel about whales"),
        ("How old is Petra's son?", "Petra", "my son is eleven years old", "Rory: my son is eleven years old"),
        ("周航养什么宠物？", "周航", "我养了两只猫", "阿岚：我养了两只猫"),
        ("周航看过什么电影？", "周航", "周航（2026年5月2日）：我看了《流浪地球》", "阿岚：我看了《流浪地球》"),
        ("Nate 最近看了什么电影？", "Nate", "Nate：我昨天看了 Dune", "阿岚：我昨天看了 Dune"),
    ], unpack=True)  # fmt: skip
def test_who_says_i_is_the_one_who_is_named(question: str, speaker: str, told: str, anothers: str) -> None:
    calls = read_calls(question, "Robin")
    own = meets(calls, told, speaker)
    assert own.subject >= 0
    assert not own.other_kind
    other = meets(calls, anothers, re.split("[:：]", anothers)[0])
    assert other.subject < 0 or other.other_kind


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "What pets does Petra have?",
            'Petra (2 May 2026), asked "How are your pets?": They are fine, the two of them!',
        ),
        ("which book did Nate finish?", 'Nate, asked "Which book did you finish?": The Harbour Lights!'),
        ("周航看什么电影？", "周航（2026年5月2日）被问“最近看了什么电影？”：流浪地球，很不错"),
    ],
)
def test_what_a_note_was_asked_tells_what_it_speaks_of(question: str, answer: str) -> None:
    told = re.split(r":\s|：", answer)[-1]
    speaker = re.split(r"[ ,（]", answer)[0]
    assert not meets(read_calls(question), answer, speaker).other_kind
    assert meets(read_calls(question), f"{speaker}: {told}", speaker).other_kind, "without the question nobody knows"


def test_the_date_of_a_note_answers_no_when() -> None:
    calls = read_calls("when is the harvest fair?", "Robin")
    assert meets(calls, "Robin (2 May 2026): the harvest fair was a delight", "Robin").form == -1


@given(st.text(max_size=200), st.text(max_size=200), st.sampled_from(["", "user", "assistant"]), st.floats(0, 2))
def test_any_text_is_met_somehow_and_worse_never_fits_better(question: str, text: str, role: str, fit: float) -> None:
    met = meets(read_calls(question, "Robin"), text, "Robin", role)
    assert met.form in (-1, 0, 1)
    assert met.subject in (-1, 0, 1)
    changed = read_fit(fit, met)
    assert changed >= LEAST_FIT
    if met.form < 0 or met.subject < 0:
        assert changed <= fit


@pytest.mark.parametrize(
    ("question", "supposed", "so"),
    [
        ("Do I own a boat?", "If I had the money I'd own a boat.", "I own a boat. If it sank I'd cry."),
        ("where do we live?", "we'd live by the sea if we could", "we live by the sea"),
        ("我有船吗？", "要是有钱我就买条船", "我有条船。要是沉了我会哭的。"),
    ],
)
def test_what_would_be_answers_nobody_who_asks_what_is(question: str, supposed: str, so: str) -> None:
    calls = read_calls(question, "Robin")
    assert read_fit(2.0, meets(calls, supposed)) < 0.3 < read_fit(2.0, meets(calls, so))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What would I buy if I were rich?", "If I were rich I'd buy a boat."),
        ("要是有钱我会买什么？", "要是有钱我就买条船"),
    ],
)
def test_what_would_be_answers_who_asks_for_it(question: str, text: str) -> None:
    assert not meets(read_calls(question, "Robin"), text).unreal


@pytest.mark.parametrize(
    ("question", "says_it", "does_not"),
    [
        ("What can't Ivo lift?", "Ivo can't carry more than a bag", "Ivo is called the gardener"),
        ("阿福不能碰什么？", "阿福不能摸猫", "阿福养了一只猫"),
        ("What can't I eat?", "im coeliac so no bread", "i cant sleep before exams"),
        ("what can Mara not eat?", "Mara is allergic to crab", "Mara can't drive"),
        ("我不能吃什么？", "虾我是碰不得的", "我不能开车"),
    ],
)
def test_what_somebody_cannot_is_said_with_the_words_that_ask_for_it(
    question: str, says_it: str, does_not: str
) -> None:
    calls = read_calls(question)
    assert meets(calls, says_it).cannot
    assert not meets(calls, does_not).cannot
    assert read_fit(0.3, meets(calls, says_it)) > read_fit(0.3, meets(calls, does_not))


@every_row(
    [
        ("Where is Elif?", "Marcus's partner is called Elif", False),
        ("What does my partner do in Izmir?", "Marcus's partner is called Elif", False),
        ("Who is Elif?", "Marcus's partner is called Elif", True),
        ("What's my partner called?", "Marcus's partner is called Elif", True),
        ("Do I have a partner?", "Marcus's partner is called Elif", True),
        ("苏音现在在哪儿？", "孟凡的对象叫苏音", False),
        ("苏音做什么工作？", "孟凡的对象叫苏音", False),
        ("苏音是谁？", "孟凡的对象叫苏音", True),
        ("我对象叫什么？", "孟凡的对象叫苏音", True),
    ],
    unpack=True,
)
def test_what_only_says_a_name_answers_who_that_is_and_nothing_else(question: str, text: str, answers: bool) -> None:
    asker = "Marcus" if question.isascii() else "孟凡"
    assert meets(read_calls(question, asker), text, asker).other_kind is not answers


@every_row(
    [
        ("How old is Rory?", "Asha is nine and starts school, Rory is five and goes to the nursery.", True),
        ("How old is Rory?", "We have two kids, Asha and Rory.", False),
        ("How old is Pickle?", "Pickle's a three-legged lurcher, seven now.", True),
        ("可可几岁了？", "可可五岁，在湖东的幼儿园。", True),
        ("我奶奶多大了？", "给奶奶打电话，她在湘潭，九十一了，脑子清楚得很。", True),
        ("可可几岁了？", "可可有两个书包。", False),
        ("谭磊多大？", "两个儿子，大的谭磊二十七，小的谭鑫二十四。", True),
        ("谭磊多大？", "谭磊考了八十五。", False),
        ("How old is Samira?", "Lisbon's off, Samira's got chickenpox. At 29!", True),
        ("How old is Samira?", "Samira's train is at 29 past.", False),
    ],
    unpack=True,
)
def test_an_age_is_told_by_an_age(question: str, text: str, tells: bool) -> None:
    assert (meets(read_calls(question, "Priya"), text, "Priya").form > 0) is tells


@every_row(
    [
        ("What's my full name?", "I'm Nell, Eleanor Fairweather if it's official.", "Nell"),
        ("我多大了？", "苏禾：晚上好，我叫苏禾，今年（2026年）三十三，在苏州做古籍修复。", "苏禾"),
    ],
    unpack=True,
)
def test_how_he_who_asks_is_called_and_how_old_he_is_is_said_in_passing(question: str, text: str, asker: str) -> None:
    assert meets(read_calls(question, asker), text).exact


@every_row(
    [
        ("When is my birthday?", "I turn forty-one in May, the ninth.", "Wilf's ten, he had his birthday in February."),
        ("What do I do for a living?", "I repair violins.", "Joss works nights this month so I barely see her."),
        ("我的乌龟叫什么？", "养了只乌龟叫将军。", "小安和他的乌龟阿福"),
    ],
    unpack=True,
)
def test_what_is_anothers_is_none_of_his_who_asks(question: str, own: str, anothers: str) -> None:
    calls = read_calls(question, "Nell")
    assert not meets(calls, own).other_kind
    assert meets(calls, anothers).other_kind


def test_who_asks_is_no_name() -> None:
    assert read_calls("What do I do for a living?", "Nell").known == frozenset()
    assert read_calls("我的乌龟叫什么？", "苏禾").owned == ("乌龟",)


@every_row(
    [
        (
            "Why do we have to move?",
            "Landlord wants us out, his daughter's moving in.",
            "We move on the 23rd of May 2026.",
        ),
        ("How come the shop is closed?", "The shop had a flood.", "The shop is closed on Monday."),
        ("我们为什么要搬家？", "房东要卖房，让我们五月底之前搬走。", "2026年五月二十三号搬家。"),
        ("猫为啥不吃饭？", "猫牙疼。", "猫不吃饭。"),
    ],
    unpack=True,
)
def test_a_reason_is_more_than_what_has_it(question: str, reason: str, fact: str) -> None:
    calls = read_calls(question)
    assert meets(calls, reason).form >= 0 > meets(calls, fact).form
    plain = (
        question.replace("Why do", "Where do").replace("How come", "Where is").replace("为什么", "").replace("为啥", "")
    )
    assert meets(read_calls(plain), fact).form >= 0


@pytest.mark.parametrize(
    "question", ["我吃的降压药叫什么？", "那家店叫什么名字？", "What are my pills called?", "What is the pub called?"]
)
def test_what_a_thing_is_called_is_nobodys_name(question: str) -> None:
    assert read_calls(question).form is Form.ANY


@pytest.mark.parametrize(
    "question", ["我的狗叫什么？", "店长叫什么？", "What is my sister called?", "What's the owner of the pub called?"]
)
def test_what_somebody_is_called_is_a_name(question: str) -> None:
    assert read_calls(question).form is Form.NAME


@every_row(
    [
        ("What is the plumber's name?", "The plumber, a Mr Okoro, came at once.", "The plumber came late and left."),
        ("What is my vet called?", 'Robin, asked "Which vet do you use?": Young Farrah.', "My sister Vera rang."),
        ("书法班的老师姓什么？", "教书法的老师姓季", "老伴姓周，药房里抓药的"),
        ("How old is Declan?", "Declan is fifty-one.", "Declan, and his mother Philomena, who is eighty-one"),
        ("张桂芳多大了？", "我妹和她婆婆张桂芳住，张桂芳七十三岁了", "张桂芳的孙子王小宝七岁了"),
    ],
    unpack=True,
)  # fmt: skip
def test_a_name_and_an_age_are_of_whom_is_asked(question: str, has_it: str, has_it_not: str) -> None:
    calls = read_calls(question, "Robin")
    assert meets(calls, has_it, "Robin").form == 1
    assert meets(calls, has_it_not, "Robin").form == -1


@every_row(
    [
        ("What did I pay for the Honda?", "The Honda was 2,400", "It is a Honda, silver, 2012"),
        ("How much did the tickets cost?", "we paid 45 each for the tickets", "tickets for the 21st of november"),
        ("换轮胎花了多少？", "换了两条前轮，花了三千四", "轮胎是上个月一个朋友换的"),
        ("Where did Marcia and Paul meet?", "Marcia met Paul at a fair", "Marcia and her husband Paul are expecting"),
        ("换关节在哪家医院？", "定了换关节，苏北医院，主刀姓邵", "右膝不行了，定了换关节"),
        ("Which hospital is it at?", "they swapped her to the bradford royal", "her placement starts monday"),
        ("我妈的店叫什么名字？", "我妈那店叫老地方米粉", "我妈在衡阳开早餐店 卖米粉的"),
        ("朵朵上的幼儿园叫什么？", "朵朵在小太阳幼儿园", "朵朵发烧了，幼儿园里一堆娃都烧"),
        ("What's the name of the cafe?", "i work at costa", "yeah i work at a cafe, tuesdays n saturdays."),
        ("谭磊跟谁结婚？", "谭磊明年六月办婚礼，姑娘叫孟佳", "谭磊二十七，谭鑫二十四"),
        ("老马的姐姐嫁给了谁？", "老马他姐嫁给了周立", "老马他姐一月结婚 他得回天水 帮我妈看店 顺便陪奶奶做康复"),
        ("他俩在哪儿认识的？", "他俩是在舞蹈班认识的", "他俩上个月搬到了城北"),
    ],
    unpack=True,
)
def test_a_price_is_no_day_and_to_be_married_no_meeting(question: str, has_it: str, has_it_not: str) -> None:
    calls = read_calls(question, "Robin")
    assert not meets(calls, has_it, "Robin").other_kind
    assert meets(calls, has_it_not, "Robin").other_kind


@every_row([
        ("What is your favourite colour?", "Mira", "assistant", True),
        ("你最喜欢什么颜色？", "小雨", "assistant", True),
        ("What is Mira's favourite colour?", "Mira", "assistant", True),
        ("小雨最喜欢什么颜色？", "小雨", "assistant", True),
        ("Mira 最喜欢什么颜色？", "Mira", "assistant", True), ("Where does Tom live?", "Tom", "user", True),
        ("What is my favourite colour?", "Mira", "assistant", False),
        ("我最喜欢什么颜色？", "小雨", "assistant", False),
        ("Do you know where I live?", "Mira", "assistant", False), ("你知道我住哪儿吗？", "小雨", "assistant", False),
        ("What is your favourite colour?", "Tom", "user", False), ("Where does Tom live?", "Mira", "assistant", False),
    ], unpack=True)  # fmt: skip
def test_who_is_asked_of_himself_is_known(question: str, speaker: str, role: str, expected: bool) -> None:
    assert asks_of_speaker(read_calls(question), speaker, role) is expected


@every_row([
        ("What's your favourite colour?", "Ann's favourite colour is orange", "Ann", -1),
        ("What's your favourite colour?", "I like lilac best", "Pell", 1),
        ("你最喜欢什么颜色？", "我最喜欢橙色", "Ann", -1), ("你最喜欢什么颜色？", "我最喜欢丁香紫", "小佩", 1),
        ("你最喜欢什么 colour？", "I like orange", "Ann", -1),
        ("How do you make the soup?", "I make it with leeks", "Ann", 0),
        ("这汤怎么做？", "我放韭葱", "Ann", 0),
    ], unpack=True)  # fmt: skip
def test_who_asks_a_companion_of_itself_is_not_told_of_himself(question: str, text: str, who: str, of: int) -> None:
    assert meets(read_calls(question, "Ann"), text, who).subject == of
